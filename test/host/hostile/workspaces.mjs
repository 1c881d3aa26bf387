// @ts-check
/** The hostile workspaces, made anew for each run: no file of them is kept anywhere. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { CARRIERS } from "./carriers.mjs";
import { startDecoy } from "./listeners.mjs";
import { ODD_FILES, REQUEST_FILES } from "./requestFiles.mjs";

/** @typedef {{ host: string, url: string, wsUrl: string }} Names addresses of the decoy that listens for one fixture */
/**
 * @typedef {"refused" | { asked: RegExp } | { trading: RegExp } | { read: string }} Expected what sending comes to: nothing
 * is sent; a question that says this; the box that asks to allow trading says this; a read is sent whose frame holds
 * this
 */
/** @typedef {string | { bytes: Uint8Array } | { link: string } | { pipe: true }} Content */

/**
 * @typedef {object} Fixture
 * @property {string} id
 * @property {string} threat row of the threat model
 * @property {"window" | "folder"} needs a window of its own, or a folder of a window with others
 * @property {Record<string, Content>} files by path
 * @property {string} [workspace] the file of the workspace that is opened in the place of the folder
 * @property {{ send: string, expected: Expected, all?: boolean } | { run: "task" | "debug" }} [drive] what the user who
 * fell for it does: sends a file (`all`: it is a list, all of it), runs the build task, starts debugging
 * @property {string} [show] a file that is looked at
 * @property {true} [isFetchedByEditor] it names an address that the editor itself may ask in a trusted window, whatever
 * extension is there
 */

/** @typedef {Fixture & { folder: string, decoy: import("./listeners.mjs").Listener }} Workspace */

/** @typedef {(names: Names) => Omit<Fixture, "id" | "threat" | "needs">} Make */

/** @returns {readonly (Pick<Fixture, "id" | "threat" | "needs"> & { make: Make })[]} */
export const allFixtures = () => [
  ...fixturesOf({ ...CARRIERS, ...ODD_FILES }, "window"),
  ...fixturesOf(REQUEST_FILES, "folder"),
];

/** @param {Readonly<Record<string, Make>>} table under the threat and the id of each @param {Fixture["needs"]} needs */
function fixturesOf(table, needs) {
  return Object.entries(table).map(([name, make]) => {
    const [threat = "", id = ""] = name.split(" ");
    return { id, threat, needs, make };
  });
}

const NAMES = { host: "127.0.0.1:1", url: "http://127.0.0.1:1/", wsUrl: "ws://127.0.0.1:1/ws/api/v2" };

/** @param {string} program */
const isOnPath = (program) =>
  (process.env["PATH"] ?? "").split(path.delimiter).some((dir) => fs.existsSync(path.join(dir, program)));

/**
 * @param {ReturnType<typeof allFixtures>[number]} fixture
 * @returns {string | undefined} a program of the system that it is made with and that is absent
 */
export function missingTool({ make }) {
  const hasPipe = Object.values(make(NAMES).files).some((content) => typeof content === "object" && "pipe" in content);
  return hasPipe && !isOnPath("mkfifo") ? "mkfifo" : undefined;
}

/**
 * Writes a fixture below a folder, with a decoy that listens for every address in it.
 * @param {ReturnType<typeof allFixtures>[number]} fixture
 * @param {string} parent
 * @returns {Promise<Workspace>}
 */
export async function makeWorkspace({ id, threat, needs, make }, parent) {
  const decoy = await startDecoy();
  const host = `127.0.0.1:${decoy.port}`;
  const made = make({ host, url: `http://${host}/`, wsUrl: `ws://${host}/ws/api/v2` });
  const folder = path.join(parent, id);
  fs.mkdirSync(folder);
  // Many folders share a window: the file that is sent is found by the name of its fixture.
  const own = (/** @type {string} */ name) => name.replace(/^a(?=\.rpc\.json)/, id);
  for (const [name, content] of Object.entries(made.files)) write(path.join(folder, own(name)), content);
  const drive =
    made.drive && "send" in made.drive
      ? { ...made.drive, send: own(made.drive.send), all: String(made.files["a.rpc.json"]).startsWith("[\n") }
      : made.drive;
  const first = made.files["a.rpc.json"];
  const show =
    typeof first === "string" || (typeof first === "object" && "bytes" in first) ? { show: own("a.rpc.json") } : {};
  return { id, threat, needs, ...made, ...(drive ? { drive } : {}), ...show, folder, decoy };
}

/**
 * @param {string} file
 * @param {Content} content
 */
function write(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (typeof content === "string") fs.writeFileSync(file, content);
  else if ("bytes" in content) fs.writeFileSync(file, content.bytes);
  else if ("link" in content) fs.symlinkSync(content.link, file);
  else execFileSync("mkfifo", [file]);
}
