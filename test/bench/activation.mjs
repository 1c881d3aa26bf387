// @ts-check
/** P14, in a process of its own for each time: how long `require` takes. The editor's module is there already. */
import { projectRequire } from "./shipped.mjs";

const file = /** @type {string} */ (process.argv[2]);
const startedMs = performance.now();
projectRequire(file);
process.stdout.write(String(performance.now() - startedMs));
