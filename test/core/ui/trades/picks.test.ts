import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { createTypedMoments } from "../../../../src/present/trades/tradesQuery.ts";
import type { TradesQuery } from "../../../../src/state/tradePages.ts";
import { askInstrument, pickTradesQuery } from "../../../../src/ui/trades/picks.ts";
import { createWorld } from "../../../world.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

const PRESENT: TradesQuery = { instrument_name: "ETH-PERPETUAL" };
const moments = createTypedMoments("UTC");

async function picked(
  ...answers: readonly ScriptedAnswer[]
): Promise<{ readonly query: TradesQuery | undefined; readonly shown: readonly string[] }> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const query = await pickTradesQuery({ title: plain`Show Last Trades`, present: PRESENT, moments, dialogs });
  done();
  return { query, shown };
}

describe("the steps of last trades", () => {
  test("lead through every parameter and hand on what was answered", async () => {
    const { query, shown } = await picked("Time Range", "2026-11-20 10:00", "2026-11-20 11:00", "50", "asc");
    assert.deepEqual(query, {
      ...{ instrument_name: "ETH-PERPETUAL", count: 50, sorting: "asc" },
      ...{ start_timestamp: Date.UTC(2026, 10, 20, 10), end_timestamp: Date.UTC(2026, 10, 20, 11) },
    });
    assert.match(shown[1] ?? "", /^Show Last Trades 2\/5: /);
    assert.deepEqual((await picked("Newest Trades", "", "Omit")).query, PRESENT);
  });

  test("have a way back, after which another range asks for other bounds", async () => {
    const { query } = await picked(
      "Time Range",
      "2026-11-20",
      BACK,
      BACK,
      ...["Sequence Number Range", "5", "9", "", "desc"],
    );
    assert.deepEqual(query, { ...PRESENT, start_seq: 5, end_seq: 9, sorting: "desc" });
  });

  test("refuse bounds and a count that will not do; left in the middle nothing is handed on", async () => {
    const { query, shown } = await picked("Sequence Number Range", "x", "9", "5", "10", "0", "20000", LEAVE);
    assert.equal(query, undefined);
    assert.equal(shown.filter((each) => each.startsWith("refused: ")).length, 4);
  });

  test("an instrument is chosen from the list, or taken as it was typed; where the list is not read, the title says so", async () => {
    const world = createWorld();
    await world.connect();
    const ask = async (...answers: readonly ScriptedAnswer[]): Promise<readonly [unknown, readonly string[]]> => {
      const { dialogs, shown } = scriptedDialogs(...answers);
      const asked = askInstrument({ title: plain`Which` }, { live: world.live, recent: ["ETH-PERPETUAL"] }, dialogs);
      await world.clock.advance(1000);
      return [await asked, shown];
    };
    const [chosen, shown] = await ask("BTC-PERPETUAL");
    assert.deepEqual(chosen, { kind: "next", value: "BTC-PERPETUAL" });
    assert.match(shown[0] ?? "", /<-- recent \| ETH-PERPETUAL \| -- tradable \| /);
    // Who types fast presses Enter on a row that has gone.
    assert.deepEqual((await ask("type XRP-PERPETUAL", ""))[0], { kind: "next", value: "XRP-PERPETUAL" });
    assert.deepEqual((await ask(LEAVE))[0], { kind: "left" });
    world.exchange.control.disconnectAll("reset");
    world.live.dispose();
    const unread = createWorld();
    const { dialogs, shown: said } = scriptedDialogs("type ETH-PERPETUAL", "");
    const asked = askInstrument({ title: plain`Which` }, { live: unread.live, recent: [] }, dialogs);
    await unread.clock.advance(60_000);
    assert.deepEqual(await asked, { kind: "next", value: "ETH-PERPETUAL" });
    assert.match(said[0] ?? "", /^Which · couldn't load the list, enter the name\./);
    unread.live.dispose();
  });
});
