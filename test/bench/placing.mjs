// @ts-check
/**
 * T1 and T2, in a process of its own: orders that the command places at the simulator, over a socket and with the
 * journals on the disk and what listens to them. For each the ms from the confirmation to the frame, and from the line that was entered to the
 * confirmation with its preview.
 */
import { clock, openWindow, product } from "./window.mjs";

const { simulator, count } = JSON.parse(process.argv[2] ?? "{}");
/** What runs for the first time is not compiled yet. */
const WARM_UP = 50;
const METHOD = "private/buy";

/** The moments of the order that is being placed, on the clock of this process. */
const moments = { enteredMs: NaN, askedMs: NaN, confirmedMs: NaN, sentMs: NaN };
let confirmations = 0;
let frames = 0;

/** A socket that notes when it is handed the frame of an order. @param {AbortSignal} signal */
async function dial(signal) {
  const transport = await product.dialWebSocket(simulator.url, { clock }, signal);
  const send = transport.send.bind(transport);
  transport.send = (/** @type {string} */ text) => {
    if (text.includes(`"${METHOD}"`)) {
      moments.sentMs = performance.now();
      frames++;
    }
    send(text);
  };
  return transport;
}

async function ask() {
  moments.askedMs = performance.now();
  confirmations++;
  // A user takes longer than this; whatever was waiting to run has run then.
  await new Promise((resolve) => setImmediate(resolve));
  moments.confirmedMs = performance.now();
  return true;
}

const { live, close } = await openWindow(simulator, { confirmCancel: "always", ask, dial });

/** Answers the steps of the command. @param {string} line */
const dialogsFor = (line) => ({
  async askList(/** @type {any} */ { accept }) {
    moments.enteredMs = performance.now();
    return { kind: "next", value: accept({ selected: ["order"], active: [], typed: line }) };
  },
});

const INSTRUMENT = "BTC-PERPETUAL";
const ticker = await live.gate.submit({
  ...{ method: "public/ticker", paramsText: JSON.stringify({ instrument_name: INSTRUMENT }), origin: "view" },
  words: { action: "", target: "", detail: [], keep: "" },
});
/** A price at which orders rest, within the band of the server. */
const price = Math.round(ticker.response.result.mark_price * 0.995);

/** @type {{ frameMs: number[], previewMs: number[] }} */
const measured = { frameMs: [], previewMs: [] };
for (let index = -WARM_UP; index < count; index++) {
  let outcome = "none";
  await product.placeByHand({ connections: [live], start: { live, instrument: INSTRUMENT } }, "view", {
    dialogs: dialogsFor(`buy 10 @ ${price - (index % 100)}.5`),
    recent: { of: () => [], add: async () => undefined },
    notices: {
      showOutcome: (/** @type {any} */ _live, /** @type {any} */ _intent, /** @type {any} */ { kind }) =>
        (outcome = kind),
    },
    settings: { connection: () => ({ requestTimeoutMs: 15_000 }) },
    clock,
    openRequest: async () => undefined,
  });
  if (outcome !== "confirmed") throw new Error(`An order was not placed: ${outcome}`);
  if (index < 0) continue;
  measured.frameMs.push(moments.sentMs - moments.confirmedMs);
  measured.previewMs.push(moments.askedMs - moments.enteredMs);
}
close();
if (frames !== count + WARM_UP || confirmations !== frames)
  throw new Error(`${frames} frames and ${confirmations} confirmations of ${count + WARM_UP} orders`);
process.send?.(measured);
process.disconnect?.();
