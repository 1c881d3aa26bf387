// @ts-check
/** The modules that must not be wrong, the tests that say so, and what becomes of each mutant of a module. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installLocked } from "../host/npm.mjs";
import { root, run } from "../host/process.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));

const OF_ACTIONS = [
  "gate",
  "faults",
  "secondFactor",
  "pastIntents",
  "subaccounts",
  "changes/quotes",
  "conversation",
  "changes/orders",
].map((name) => `core/actions/${name}`);

/**
 * What is changed, by module, and the test files that have to notice, the nearest first.
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
export const MODULES = {
  outcome: {
    "src/actions/outcome.ts": [
      "core/actions/outcome",
      "core/actions/changes/fields",
      "core/actions/gate",
      "core/world/quoteCancels",
      "core/world/severalCancels",
    ],
    "src/actions/changes/changes.ts": ["core/actions/changes/changes", "core/actions/changes/fields"],
    "src/actions/evidence.ts": ["core/actions/evidence", "core/actions/faults"],
    "src/actions/reconcile.ts": [
      "core/actions/reconcile",
      "core/actions/faults",
      "core/actions/conversation",
      "core/actions/gate",
    ],
    "src/actions/verification.ts": ["core/actions/verification", "core/actions/gate"],
  },
  gate: {
    "src/actions/situation.ts": ["core/actions/situation", "core/actions/gate"],
    "src/actions/check.ts": ["core/actions/check", ...OF_ACTIONS],
    "src/actions/writes.ts": [
      "core/actions/gate",
      "core/actions/allowance",
      "core/actions/faults",
      "core/world/sendWindow",
      "core/world/twoWindows",
      "core/world/switchAccount",
    ],
    "src/actions/policy.ts": [
      "core/actions/policy",
      "core/actions/gate",
      "core/actions/allowance",
      "core/world/apiKeys",
    ],
    "src/actions/gate.ts": ["core/actions/gate", "core/actions/pastIntents", "core/actions/allowance"],
  },
  redaction: {
    "src/base/plain.ts": ["core/base/plain"],
    "src/rpc/maskSecrets.ts": ["core/rpc/maskSecrets", "core/session/secrets"],
    "src/requests/text/secrets.ts": ["core/requests/text/secrets"],
  },
  origin: {
    "src/ui/connections/credentials.ts": ["core/ui/connections/credentials", "core/ui/connections/remoteHost"],
    "src/rpc/address.ts": ["core/rpc/address"],
    "src/state/records.ts": ["core/state/records", "core/state/connections"],
  },
};

/**
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {string} source the line as it is
 * @property {string} mutator
 * @property {string} replacement
 */
/** @typedef {Mutant & { status: "noticed" | "survived" | "noCoverage" }} TriedMutant */

/** A mutant that keeps the whole process for so long has been noticed. */
const LIMIT_MS = 10 * 60_000;

/**
 * Tries every mutant of a file of the sources.
 * @param {string} file
 * @param {readonly string[]} tests
 * @returns {Promise<TriedMutant[]>}
 */
export async function mutate(file, tests) {
  const place = await installLocked(here, "the maker of mutants");
  const instrumenter = path.join(place, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  /** @type {Mutant[]} */
  let mutants = [];
  /** @type {TriedMutant["status"][]} */
  const statuses = [];
  do {
    const before = statuses.length;
    const { output, stopped } = await run(
      process.execPath,
      [path.join(here, "mutants.mjs"), instrumenter, file, String(statuses.length), ...tests],
      { cwd: root, limitMs: LIMIT_MS },
    );
    const lines = output.split("\n").filter((line) => /^[[{]/.test(line));
    if (mutants.length === 0) mutants = JSON.parse(lines.shift() ?? "[]");
    statuses.push(...lines.map((line) => JSON.parse(line).status));
    if (stopped !== undefined) statuses.push("noticed");
    if (statuses.length === before)
      throw new Error(
        `The mutants of ${file} were not tried to the end.\n${output.trim().split("\n").slice(-20).join("\n")}`,
      );
  } while (statuses.length < mutants.length);
  return mutants.map((mutant, index) => ({ ...mutant, status: statuses[index] ?? "noCoverage" }));
}
