// @ts-check
/**
 * What request files can do, feature by feature, and the tests that show it, which are looked up among those that ran.
 */
import { checkRows } from "./proofs.mjs";

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */
/** @typedef {import("./proofs.mjs").Proof} Proof */
/** @typedef {{ feature: string, ours: "●" | "◐" | "○", words: string, tests: readonly Proof[] }} Feature */

/** @type {readonly Feature[]} */
export const FEATURES = [
  { feature: "Standard syntax (opens anywhere)", ours: "●", words: "plain JSON with comments; the documentation's examples are files as they stand", tests: [["recorded", "request examples of the core specification"], ["core", "the examples that ship › 05-variables.rpc.json has no mistakes"]] },
  { feature: "Schema validation and completion of payload", ours: "●", words: "a published schema for each method, with scope, enums and placeholders; checks of our own at each place", tests: [["core", "what is wrong with a file"], ["editor", "completion offers methods, and then the parameters of the method"]] },
  { feature: "Live values in completion", ours: "●", words: "order ids with side, price and age, block trades, keys, instruments, from the cache", tests: [["editor", "order ids of the simulator are offered with their quotes"], ["core", "placeholders at the cursor"]] },
  { feature: "Send lens", ours: "●", words: "says where it goes and what it does", tests: [["core", "the lenses of a request file › what a request does stands in its lens"]] },
  { feature: "Target shown beside Send", ours: "●", words: "and a file can pin where it may be sent", tests: [["core", "the lenses of a request file › one that reads: the first names the target"], ["core", "the lenses of a request file › where it would not be sent"]] },
  { feature: "Typed variables", ours: "●", words: "a whole text takes the type of its value, every digit kept", tests: [["core", "placeholders that are filled in › a whole text takes the type of its value"], ["core", "placeholders that are filled in › digits stay as they are written"]] },
  { feature: "Value of a variable on hover; unresolved is a diagnostic", ours: "●", words: "with source and age; secrets hidden", tests: [["core", "what a placeholder says of itself"], ["editor", "an unknown placeholder is a mistake with a fix"]] },
  { feature: "Chaining from answers", ours: "●", words: "a read that is needed runs by itself, once; a change never does", tests: [["core", "a run of a file on the simulator › a read that another takes from runs by itself"], ["core", "a run of a file on the simulator › what changes something never runs by itself"]] },
  { feature: "Values shared across files", ours: "●", words: "by named answers of a folder and environment files; Show Variables lists every name with value, source and age, and goes to its definition", tests: [["core", "named results › are kept by name"], ["core", "the variables of a file › each with its value, where that comes from, and what it stands before; secrets are hidden"], ["core", "the variables of a file › each leads to where it is defined"]] },
  { feature: "Run all, selected, reads", ours: "●", words: "in order, stopping at the first failure, within the exchange's limits", tests: [["core", "a run of a file on the simulator › takes from answers, changes what it was asked to and compares"], ["core", "the lenses of a request file › several: Send All"]] },
  { feature: "Assertions", ours: "●", words: "declarative, compared by exact value; the present answer can be pinned", tests: [["core", "an expectation of the result"], ["core", "pinning an answer › what is pinned is a file without mistakes"]] },
  { feature: "Test Explorer", ours: "●", words: "two profiles: reads, and with writes but not on production", tests: [["core", "the tests of a file › are the requests that expect something"], ["editor", "a test run keeps the answer, which can be pinned"]] },
  { feature: "Delay, repetition, rate limits in the file", ours: "●", words: "delayMs, until, retries of reads; the exchange's own credits", tests: [["core", "the order and the pace of a run › until: again every everyMs"], ["core", "the order and the pace of a run › delayMs is waited"]] },
  { feature: "Terminal and CI output", ours: "●", words: "the same core: text, JSON, JUnit, exit codes; channels are followed line by line", tests: [["sockets", "a subscribe request follows its channel in lines until Ctrl+C, unsubscribes, and nothing has failed"], ["sockets", "the same file sends the same frames and has the same verdicts as in the editor"], ["sockets", "the JUnit report is well formed"]] },
  { feature: "Prompted inputs", ours: "●", words: "$pick from live objects, $ask as text, asked once in a run", tests: [["core", "placeholders that are filled in › what is given before everything"]] },
  { feature: "Answer in a real editor", ours: "●", words: "read-only, digits as received, with the meaning of errors", tests: [["editor", "the lens names the target; sent to the simulator, the answer keeps its digits"], ["editor", "an answer cannot be edited"]] },
  { feature: "History of answers", ours: "●", words: "resolved parameters, place, outcome; provably without tokens", tests: [["core", "what is kept › what was sent and what came back, literal for literal"]] },
  { feature: "Cancel a running request", ours: "●", words: "for a write: stop waiting, the outcome is looked up", tests: [["core", "the lenses of a request file › while requests are under way: Stop"], ["sockets", "Ctrl+C sends nothing more, waits for what was sent"]] },
  { feature: "Export as code and curl", ours: "●", words: "TypeScript and Python with credentials from the environment, the values that are known, and a comment on what is left", tests: [["core", "a program that is made of a request says where its values come from, and what is left"], ["core", "TypeScript › a public request as it is written"], ["sockets", "a private one signs in from the environment"]] },
  { feature: "Notebook form", ours: "○", words: "not built: a notebook would be a second format, or a second editor over this one; a file of JSON with comments already is notes and requests in their order, sent one by one or all, with the answer beside it", tests: [] },
];

/**
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 * @returns {{ tests: TestLine[], notes: string[] }}
 */
export function checkFeatures(ran) {
  return checkRows(FEATURES.map(({ feature, ours, words, tests }) => ({ title: feature, note: `${ours} ${feature}: ${words}`, tests, needsNone: ours === "○" })), ran);
}
