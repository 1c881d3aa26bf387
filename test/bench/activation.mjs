// @ts-check
/**
 * P14 and P15, in a process of its own for each time: what `require` costs of one file after the other, in ms of CPU.
 * The editor's module is there already.
 */
import { projectRequire } from "./shipped.mjs";

const files = process.argv.slice(2);
const since = process.cpuUsage();
for (const file of files) projectRequire(file);
const { user, system } = process.cpuUsage(since);
process.stdout.write(String((user + system) / 1000));
