// @ts-check
/** The desktop VS Code, where there is one. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { cache, cleanEnv, root, startGroup } from "./process.mjs";
import { writeSettings } from "./server.mjs";

/** Where an installer puts the command when it does not put it on PATH. */
const PLACES = {
  darwin: ["/Applications", path.join(os.homedir(), "Applications")].map((dir) =>
    path.join(dir, "Visual Studio Code.app/Contents/Resources/app/bin/code"),
  ),
  win32: [path.join(process.env["LOCALAPPDATA"] ?? "", "Programs"), process.env["ProgramFiles"] ?? ""].map((dir) =>
    path.join(dir, "Microsoft VS Code", "bin", "code.cmd"),
  ),
};

/** @returns {string | undefined} the `code` command of an installed VS Code */
export function findDesktop() {
  const name = process.platform === "win32" ? "code.cmd" : "code";
  const onPath = (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter(Boolean)
    .map((dir) => path.join(dir, name));
  const places = /** @type {Record<string, string[]>} */ (PLACES)[process.platform] ?? [];
  return [...onPath, ...places].find((file) => fs.existsSync(file));
}

/** Whether a window could appear. In a remote terminal `code` belongs to the other machine and knows no such flags. */
export function hasDisplay() {
  if (process.env["VSCODE_IPC_HOOK_CLI"]) return false;
  return process.platform !== "linux" || Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);
}

/**
 * Opens a window with the extension from this folder, beside the user's own VS Code: settings, state and extensions
 * are of its own. Its end is the window's end.
 * @param {string} code
 * @param {string} folder
 * @param {Record<string, unknown>} settings written when there are none yet
 */
export function openDesktop(code, folder, settings) {
  const dataDir = path.join(cache, "desktop-window");
  if (!fs.existsSync(path.join(dataDir, "User", "settings.json"))) writeSettings(dataDir, settings);
  const args = [
    "--wait",
    "--new-window",
    ...["--user-data-dir", dataDir],
    ...["--extensions-dir", path.join(dataDir, "extensions")],
    `--extensionDevelopmentPath=${root}`,
    folder,
  ];
  // A .cmd file needs the shell, and the shell needs quotes.
  const shell = process.platform === "win32";
  return startGroup(shell ? `"${code}"` : code, shell ? args.map((arg) => `"${arg}"`) : args, {
    shell,
    stdio: "inherit",
    env: cleanEnv(),
  });
}
