// @ts-check
/**
 * A window that makes changes: a connection with its gate, the journals on the disk, and what listens to them, without
 * the editor.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { loadParts } from "./shipped.mjs";
import { createFrame } from "./view.mjs";

/** @type {any} */
export const product = loadParts();
export const clock = product.createSystemClock();
const log = product.silentLog;
const silent = () => ({ dispose: () => undefined });

/**
 * Opens it on a simulator, and waits until it is signed in.
 * @param {{ url: string, clientId: string, clientSecret: string }} simulator
 * @param {{ confirmCancel: "always" | "never", ask?: () => Promise<boolean>, dial?: (signal: AbortSignal) => Promise<any> }} ways
 */
export async function openWindow({ url, clientId, clientSecret }, { confirmCancel, ask, dial }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-window-"));
  const journals = new product.Journals({ folder, runId: "bench", isAlive: async () => false, clock, log });
  const frame = createFrame();
  const pane = product.createActivityPane({
    ...{ frame, journals, clock, log, setContext: () => undefined },
    times: product.createTimes(0),
  });
  const collapsed = product.whenCollapsedViewsHaveNews(
    { journals, liveConnections: { onDidOpen: silent, onDidClose: silent, all: [] } },
    () => undefined,
  );
  const record = { id: "bench", name: "bench", declared: "test", url, grant: "client_signature", clientId };
  const trading = { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0, environment: "test" };
  let number = 0;
  const live = product.createLiveConnection(
    { ...record, trading },
    {
      createSession: (/** @type {object} */ _record, /** @type {string} */ _way, /** @type {object} */ traffic) =>
        product.createSession({
          dial: dial ?? ((/** @type {AbortSignal} */ signal) => product.dialWebSocket(url, { clock }, signal)),
          ...{ clock, log, random: Math.random, client: { name: "bench", version: "0" }, limits: "off" },
          credentials: async () => ({ kind: "client_signature", clientId, clientSecret }),
          nextWireId: () => ++number,
          nextGeneration: () => ++number,
          isTracing: () => false,
          traffic,
        }),
      currentRecord: () => ({ ...record, trading }),
      isOwnSimulator: false,
      ask: ask ?? (async () => true),
      journal: journals,
      clock,
      settings: () => ({ confirmCancel, allowChangesMinutes: 30 }),
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
  return {
    live,
    close() {
      for (const each of [collapsed, pane, live, journals]) each.dispose();
      fs.rmSync(folder, { recursive: true });
    },
  };
}
