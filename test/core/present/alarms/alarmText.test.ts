import { BERLIN } from "../samples.ts";
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { alarmGapText, alarmText } from "../../../../src/present/alarms/alarmText.ts";
import type { Alarm } from "../../../../src/state/alarmRules.ts";

const TRADE = { trade_id: "t", instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 40, price: 17_000.5 };

/** An alarm without the key, which is not shown. */
type Told = Alarm extends infer Each ? (Each extends Alarm ? Omit<Each, "key"> : never) : never;

function textOf(alarm: Told): string {
  return alarmText({ key: "", ...alarm }, plain`TESTNET main`, () => "");
}

describe("the sentence of an alarm", () => {
  const sentences: readonly (readonly [Told, string])[] = [
    [
      { kind: "liquidation", trade: TRADE },
      "TESTNET main: liquidation. The exchange has placed an order: sell 40 BTC-PERPETUAL @ 17\u202F000.5.",
    ],
    [
      { kind: "liquidationCancel", instrument: "BTC-PERPETUAL" },
      "TESTNET main: the exchange is liquidating the account and has cancelled orders. The first one was in BTC-PERPETUAL.",
    ],
    [
      { kind: "fill", trade: TRADE, usd: 680_019.6 },
      "TESTNET main: filled sell 40 BTC-PERPETUAL @ 17\u202F000.5, about 680\u202F020 USD.",
    ],
    [{ kind: "lock", currency: undefined }, "TESTNET main: the exchange has locked the account."],
    [{ kind: "lock", currency: "BTC" }, "TESTNET main: the exchange has locked the account in BTC."],
    [{ kind: "platform", index: undefined }, "TESTNET main: the exchange has locked the platform."],
    [{ kind: "platform", index: "sol_usdc" }, "TESTNET main: the exchange has locked trading on the index sol_usdc."],
    [{ kind: "maintenance" }, "TESTNET main: the exchange is in maintenance."],
    [
      { kind: "margin", currency: undefined, share: Infinity, limit: 0.8 },
      "TESTNET main: there is no margin balance left for the maintenance margin.",
    ],
  ];
  for (const [alarm, sentence] of sentences) test(sentence, () => assert.equal(textOf(alarm), sentence));

  test("a share is cut to a tenth of a percent, so that it never reads like a limit that it has not reached", () => {
    const shown = (share: number): string | undefined =>
      /is (.*) of/.exec(textOf({ kind: "margin", currency: "BTC", share, limit: 0.8 }))?.[1];
    assert.deepEqual([0.79999, 0.8, 0.29, 1.234].map(shown), ["79.9\u202F%", "80\u202F%", "29\u202F%", "123.4\u202F%"]);
  });

  test("text of the exchange is harmless in it", () => {
    assert.doesNotMatch(textOf({ kind: "lock", currency: "[BTC](command:x)" }), /\]\(/);
    assert.doesNotMatch(textOf({ kind: "liquidation", trade: { ...TRADE, instrument_name: "$(lock)" } }), /\$\(/);
  });
});

test("alarms that could not be evaluated are named, with the reason", () => {
  assert.equal(
    alarmGapText(
      { families: ["lock", "margin"], failure: { kind: "missingScope", scope: "account:read" } },
      plain`TESTNET main`,
      BERLIN,
    ),
    "TESTNET main: alarms have not worked for a minute (account locks, maintenance margin). The API key doesn't have the required scope account:read. Use an API key with this scope, or change the scope of this one on the exchange.",
  );
});
