import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { Session, SessionState } from "../../../src/session/session.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { IDENTITY, ready } from "./fakeStoreSession.ts";
import { countAccounts } from "./accounts.ts";

const RFQ = { block_rfq_id: 7 };
const QUOTER = { ...IDENTITY, scope: "block_rfq:read" };

describe("Block RFQs of another account", () => {
  test("are forgotten with its quotes", async () => {
    const clock = createFakeClock();
    const states = createEmitter<SessionState>();
    const accounts = countAccounts(states.event);
    let state: SessionState = ready(1, QUOTER);
    let isTelling = true;
    const session = {
      get state() {
        return state;
      },
      onDidChangeState: states.event,
      get epoch() {
        return accounts.epoch;
      },
      subscribe: () => ({ dispose: () => undefined }),
      reader: {
        readResponse: async (method: string) =>
          await (method.endsWith("_quotes")
            ? Promise.resolve({ result: [] })
            : isTelling
              ? Promise.resolve({ result: { block_rfqs: [RFQ] } })
              : Promise.reject(new CallError({ kind: "exchange", code: -32601, message: "Method not found" }))),
      },
    } as unknown as Session;
    const move = (next: SessionState): void => {
      state = next;
      states.fire(next);
    };
    const store = createQuotesStore({ session, clock, log: silentLog });
    await store.refresh();
    assert.deepEqual([...store.rfqs.values()], [RFQ]);
    move({ status: "connecting", generation: 2 });
    assert.equal(store.rfqs.size, 1, "an outage forgets nothing");
    move({ status: "authenticating", generation: 2, isOtherSubject: true });
    assert.equal(store.rfqs.size, 0);

    move(ready(2, QUOTER));
    isTelling = false;
    await store.refresh();
    assert.equal(store.rfqFailure?.kind, "exchange");
    move({ status: "authenticating", generation: 3, isOtherSubject: true });
    assert.equal(store.rfqFailure, undefined);
    store.dispose();
  });
});
