// @ts-check
/**
 * T1 and T2, in a process of its own: orders that the command places at the simulator, over a socket and with the
 * journal on the disk. For each the ms from the confirmation to the frame, and from the line that was entered to the
 * confirmation with its preview.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { builtDir, projectRequire } from "./shipped.mjs";

const { simulator, count } = JSON.parse(process.argv[2] ?? "{}");
/** What runs for the first time is not compiled yet. */
const WARM_UP = 50;
const METHOD = "private/buy";

/** @type {any} */
const product = projectRequire(path.join(builtDir, "placing.cjs"));
const { createLiveConnection, createSession, dialWebSocket, createJournalFile, placeByHand } = product;
const clock = product.createSystemClock();
const log = product.silentLog;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-placing-"));

/** The moments of the order that is being placed, on the clock of this process. */
const moments = { enteredMs: NaN, askedMs: NaN, confirmedMs: NaN, sentMs: NaN };
let confirmations = 0;
let frames = 0;

/** A socket that notes when it is handed the frame of an order. @param {AbortSignal} signal */
async function dial(signal) {
  const transport = await dialWebSocket(simulator.url, { clock }, signal);
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

const { clientId, clientSecret, url } = simulator;
const record = { id: "bench", name: "bench", declared: "test", url, grant: "client_signature", clientId };
const trading = { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0, environment: "test" };
let number = 0;
const live = createLiveConnection(
  { ...record, trading },
  {
    createSession: (/** @type {object} */ _record, /** @type {string} */ _way, /** @type {object} */ traffic) =>
      createSession({
        ...{ dial, clock, log, random: Math.random, client: { name: "bench", version: "0" }, limits: "off" },
        credentials: async () => ({ kind: "client_signature", clientId, clientSecret }),
        nextWireId: () => ++number,
        nextGeneration: () => ++number,
        isTracing: () => false,
        traffic,
      }),
    currentRecord: () => ({ ...record, trading }),
    isOwnSimulator: false,
    async ask() {
      moments.askedMs = performance.now();
      confirmations++;
      // A user takes longer than this; whatever was waiting to run has run then.
      await new Promise((resolve) => setImmediate(resolve));
      moments.confirmedMs = performance.now();
      return true;
    },
    journal: createJournalFile({ folder, runId: "bench", isAlive: async () => false, log }),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log,
  },
);
await new Promise((resolve, reject) => {
  live.onDidChangeState(() => {
    if (live.state.status === "ready") resolve(undefined);
    if (live.state.status === "locked") reject(new Error(JSON.stringify(live.state)));
  });
  live.connect();
});

/** Answers the steps of the command. @param {string} line */
const dialogsFor = (line) => ({
  askChoice: async () => ({ kind: "next", value: "buy" }),
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
  await placeByHand({ connections: [live], start: { live, instrument: INSTRUMENT } }, "view", {
    dialogs: dialogsFor(`10 @ ${price - (index % 100)}.5`),
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
live.dispose();
fs.rmSync(folder, { recursive: true });
if (frames !== count + WARM_UP || confirmations !== frames)
  throw new Error(`${frames} frames and ${confirmations} confirmations of ${count + WARM_UP} orders`);
process.send?.(measured);
process.disconnect?.();
