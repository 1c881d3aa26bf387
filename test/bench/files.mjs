// @ts-check
/**
 * P11, P12, and U7, in a process of its own: request files from their text to the places of the requests and to their
 * problems, beside jsonc-parser.
 */
import { loadParts, projectRequire } from "./shipped.mjs";
import { shuffled } from "./statistics.mjs";
import { stopwatch, timed } from "./stopwatch.mjs";

const { repetitions, count } = JSON.parse(process.argv[2] ?? "{}");
const WARM_UP = 8;
/** The scanner's number for the end of a text. */
const END = 17;

const requests = loadParts();
const jsonc = projectRequire("jsonc-parser");

/** @param {number} index @param {string} note */
const requestText = (index, note) =>
  `  {\n    "jsonrpc": "2.0",${note}\n    "id": ${index},\n    "method": "private/get_open_orders_by_instrument",\n    "params": { "instrument_name": "BTC-PERPETUAL", "type": "all" },\n    "$run": { "name": "orders_${index}" }\n  }`;

/** @param {number} length @param {boolean} hasComments */
function fileText(length, hasComments) {
  return ownText(
    `[\n${Array.from({ length }, (_, index) => requestText(index, hasComments ? ` // request ${index} of [${length}]` : "")).join(",\n")}\n]\n`,
  );
}

/** A text in one piece, as the editor hands it out. @param {string} text */
function ownText(text) {
  return Buffer.from(text).toString();
}

/** @param {string} text */
function scannerWalk(text) {
  const scanner = jsonc.createScanner(text, false);
  while (scanner.scan() !== END);
}

/** @param {number} length */
function reading(length) {
  const strict = fileText(length, false);
  const text = fileText(length, true);
  return {
    "JSON.parse": () => timed(() => void JSON.parse(strict)),
    "JSON.parse again": () => timed(() => void JSON.parse(strict)),
    shipped: () =>
      timed(() => {
        if (requests.scanRequests(text).bounds.length !== 2 * length) throw new Error("The scan lost requests.");
      }),
    parseTree: () => timed(() => void jsonc.parseTree(text)),
    scanner: () => timed(() => scannerWalk(text)),
  };
}

/** The length of a word that is typed. */
const WORD = 20;

/**
 * A word is typed into a name in the middle, and deleted. After each character the file and that request are read
 * again. Returns the time of a character: the first of a word also pays for the trees that a thread of its own still
 * throws away.
 */
function typing() {
  const start = fileText(count, true);
  const edited = Math.floor(count / 2);
  const at = start.indexOf(`"orders_${edited}"`) + 7;
  let file = requests.scanRequests(start);
  for (const each of file.requests) if (each.problems.length > 0) throw new Error("A request has a mistake.");
  // Made before, so that no other variant pays for their garbage.
  const texts = Array.from({ length: WORD + 1 }, (_, length) =>
    ownText(`${start.slice(0, at)}${"x".repeat(length)}${start.slice(at)}`),
  );
  const type = (/** @type {number} */ length) => {
    const typed = "x".repeat(length);
    const text = texts[length] ?? "";
    const tookMs = timed(() => {
      file = requests.rescanRequests(file, text);
      if (file.request(edited).run.name !== `orders${typed}_${edited}`) throw new Error("The edit was not read.");
    });
    const last = file.request(count - 1);
    if (text.slice(last.methodRange.start, last.methodRange.end) !== '"private/get_open_orders_by_instrument"')
      throw new Error("What stands behind the edit was not moved.");
    return tookMs;
  };
  return {
    parseTree: () => timed(() => void jsonc.parseTree(start)),
    "parseTree again": () => timed(() => void jsonc.parseTree(start)),
    shipped: () => {
      let tookMs = 0;
      for (let length = 1; length <= WORD; length++) tookMs += type(length);
      type(0);
      return tookMs / WORD;
    },
    "whole scan": () => {
      const text = texts[1];
      return timed(() => void requests.scanRequests(text).request(edited).method);
    },
  };
}

/** @param {Record<string, () => number>} variants */
function measured(variants) {
  const names = Object.keys(variants);
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let repetition = -WARM_UP; repetition < repetitions; repetition++) {
    for (const name of shuffled(names, Math.random)) {
      const tookMs = /** @type {() => number} */ (variants[name])();
      if (repetition >= 0) times[name]?.push(tookMs);
    }
  }
  return times;
}

/** The requests of a long file. */
const LONG = 10_000;
/** The first ones are on the screen. */
const SEEN = 40;

/**
 * A long file is opened: it is read, and checked in slices until all its problems are there. Returns the CPU time of
 * all and of the longest block, in which nothing else can be done.
 */
async function opening() {
  const text = fileText(LONG, true);
  const took = stopwatch();
  let longestMs = 0;
  const block = (/** @type {() => void} */ run) => {
    const since = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(since);
    longestMs = Math.max(longestMs, (user + system) / 1000);
  };
  const clock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    after(/** @type {number} */ delayMs, /** @type {() => void} */ run) {
      const timer = setTimeout(() => block(run), delayMs);
      return { dispose: () => clearTimeout(timer) };
    },
  };
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      block(() => {
        const work = requests.checkInSteps(requests.scanRequests(text), {
          known: { isKnown: () => false },
          kept: new WeakMap(),
          isFirst: (/** @type {{ index: number }} */ { index }) => index < SEEN,
        });
        let isWhole = false;
        const whole = (function* () {
          const problems = yield* work;
          isWhole = true;
          return problems;
        })();
        requests.inSlices(clock, whole, (/** @type {readonly unknown[]} */ problems) => {
          if (problems.length > 0) reject(new Error("A request has a problem."));
          else if (isWhole) resolve();
        });
      });
    })
  );
  return { cpu: took(), longest: longestMs };
}

/** The first figure of each is of code that runs for the first time, as when a user opens the first file. */
async function opened() {
  const text = fileText(LONG, true);
  const times = { cpu: [], longest: [], parseTree: [] };
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const { cpu, longest } = await opening();
    const parseTree = timed(() => void jsonc.parseTree(text));
    for (const [name, tookMs] of Object.entries({ cpu, longest, parseTree }))
      /** @type {Record<string, number[]>} */ (times)[name]?.push(tookMs);
  }
  return times;
}

// Before the others, which would compile its code.
const open = await opened();
process.send?.({
  open,
  large: measured(reading(count)),
  small: measured(reading(count / 10)),
  edit: measured(typing()),
});
process.disconnect?.();
