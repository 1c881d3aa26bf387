// @ts-check
/**
 * Several files of click tests in one process, which share one VS Code server and one browser:
 * `node test/host/clickGroup.mjs FILE…`, or their names in RPC_CLICK_FILES, separated by commas.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { hostDir } from "./process.mjs";

const named = (process.env["RPC_CLICK_FILES"] ?? "")
  .split(",")
  .filter(Boolean)
  .map((name) => path.join(hostDir, "clicks", name));
for (const file of [...named, ...process.argv.slice(2)]) await import(pathToFileURL(path.resolve(file)).href);
