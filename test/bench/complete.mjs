// @ts-check
/**
 * P17 and P18, in a process of its own: what is offered while a request file is being written, with every method of the
 * exchange and thousands of instruments known, beside parsing the list of these instruments.
 */
import { instrumentOf } from "./orders.mjs";
import { loadParts } from "./shipped.mjs";
import { shuffled } from "./statistics.mjs";
import { timed } from "./stopwatch.mjs";

const { repetitions, instruments: count } = JSON.parse(process.argv[2] ?? "{}");
const WARM_UP = 8;

const requests = loadParts();
const names = Array.from({ length: count }, (_, index) => `BTC-${(index % 28) + 1}MAR27-${30_000 + index * 10}-C`);
const listText = JSON.stringify(names.map(instrumentOf));
const known = {
  ...requests.NOTHING_KNOWN,
  instruments: {
    items: names.map((name) => ({ name, id: undefined, kind: "option", isActive: true, expiresAtMs: undefined })),
    readAtMs: 0,
    failure: undefined,
  },
};
const moment = { nowMs: 0, times: { clock: String, local: String, utc: String } };

const MARK = "¦";
/** @param {string} input a file with a mark where the cursor is */
const placeIn = (input) => {
  const text = input.replace(MARK, "");
  return { text, cursor: requests.cursorAt(requests.scanRequests(text), input.indexOf(MARK)) };
};
const atMethod = placeIn('{ "method": "private/b¦" }');
const atInstrument = placeIn('{ "method": "private/buy", "params": { "instrument_name": "BTC¦" } }');
const place = { needsCommaBefore: false, needsCommaAfter: false };

/** @param {readonly unknown[]} items @param {number} least */
const expect = (items, least) => {
  if (items.length < least) throw new Error(`Only ${items.length} suggestions.`);
};

/** @type {Record<string, () => number>} */
const variants = {
  "JSON.parse": () => timed(() => void JSON.parse(listText)),
  "JSON.parse again": () => timed(() => void JSON.parse(listText)),
  methods: () =>
    timed(() => {
      expect(requests.requestSnippets({ ...place, range: { start: 0, end: 0 }, nextId: 1 }), 170);
      expect(requests.methodNameSuggestions(atMethod.cursor), 170);
    }),
  instruments: () =>
    timed(() => expect(requests.objectSuggestions(atInstrument.text, atInstrument.cursor, known, moment).items, 300)),
};

/** @type {Record<string, number[]>} */
const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
for (let repetition = -WARM_UP; repetition < repetitions; repetition++) {
  for (const name of shuffled(Object.keys(variants), Math.random)) {
    const tookMs = /** @type {() => number} */ (variants[name])();
    if (repetition >= 0) times[name]?.push(tookMs);
  }
}
process.send?.(times);
process.disconnect?.();
