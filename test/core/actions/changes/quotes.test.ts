import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  cancelAllQuotes,
  cancelQuote,
  cancelQuotes,
  describeQuote,
  type QuotesScope,
} from "../../../../src/actions/changes/quotes.ts";
import type { Fields } from "../../../../src/actions/intent/fields.ts";
import {
  limitChanges,
  limitProblem,
  limitsIn,
  setMmpLimits,
  type MmpLimits,
  type MmpMember,
} from "../../../../src/actions/changes/mmpLimits.ts";
import { toFailure } from "../../../../src/base/failure.ts";
import type { BlockRfqQuote } from "../../../../src/state/quotes.ts";
import { pluck } from "../../../pluck.ts";

const NOW = 1_700_000_000_000;

function quote(id: number, change: Partial<BlockRfqQuote> = {}): BlockRfqQuote {
  return {
    block_rfq_quote_id: id,
    block_rfq_id: 722,
    quote_state: "open",
    direction: "buy",
    amount: 25,
    price: 0.0205,
    filled_amount: 0,
    creation_timestamp: NOW - 90_000,
    ...change,
  };
}

describe("the wish to cancel all quotes", () => {
  const all: QuotesScope = { kind: "all" };
  const rfq: QuotesScope = { kind: "rfq", rfqId: 722 };
  const cases: readonly (readonly [QuotesScope, number, boolean, readonly string[]])[] = [
    [all, 4, true, ["{}", "Cancel all 4 Block RFQ quotes", "Cancel 4 Quotes", "4"]],
    [all, 1, true, ["{}", "Cancel the only Block RFQ quote", "Cancel 1 Quote", "1"]],
    [all, 4, false, ["{}", "Cancel all Block RFQ quotes", "Cancel All Quotes", "(name of the connection)"]],
    [rfq, 2, true, ['{"block_rfq_id":722}', "Cancel all 2 quotes of RFQ 722", "Cancel 2 Quotes", "2"]],
    [rfq, 1, true, ['{"block_rfq_id":722}', "Cancel the only quote of RFQ 722", "Cancel 1 Quote", "1"]],
    [
      rfq,
      0,
      false,
      ['{"block_rfq_id":722}', "Cancel all quotes of RFQ 722", "Cancel All Quotes", "(name of the connection)"],
    ],
  ];
  for (const [scope, count, isCounted, expected] of cases) {
    test(`${scope.kind}, ${String(count)} known, ${isCounted ? "counted" : "not counted"}`, () => {
      const {
        paramsText,
        words,
        typed = "(name of the connection)",
      } = cancelAllQuotes(
        scope,
        { quotes: Array.from({ length: count }, (_each, index) => quote(index + 1)), isCounted },
        "palette",
      );
      assert.deepEqual([paramsText, words.sentence, words.action, typed], expected);
    });
  }

  test("lists ten and says how many more; labels are ignored; the way out and what is shown", () => {
    const { words, covers } = cancelAllQuotes(
      all,
      {
        quotes: Array.from({ length: 12 }, (_each, index) => quote(index + 1, { label: `m${String(index)}` })),
        isCounted: true,
      },
      "palette",
    );
    assert.equal(words.detail.length, 11);
    assert.equal(words.detail[0], "RFQ 722 buy 25 @ 0.0205 · ID 1 · label m0");
    assert.equal(words.detail.at(-1), "and 2 more");
    assert.equal(
      words.note,
      "Labels are ignored: all quotes of the account are cancelled, including quotes placed in the meantime.",
    );
    assert.deepEqual([words.show, words.keep, words.about], ["Show Quotes", "Keep Quotes", "quotes"]);
    assert.deepEqual(covers?.at(-1), { orderId: "12", target: "RFQ 722 buy 25 @ 0.0205" });
  });

  test("if the quotes are unknown, nothing is covered, and the note says so", () => {
    const { words, covers } = cancelAllQuotes(rfq, { quotes: [], isCounted: false }, "palette");
    assert.equal(covers, undefined);
    assert.equal(
      words.note,
      "Labels are ignored: all quotes of the account for this Block RFQ are cancelled, including quotes placed in the meantime. The list is not up to date, so their number is unknown.",
    );
  });
});

describe("the wish to cancel a quote", () => {
  test("names it by its id, and what is known of it", () => {
    const intent = cancelQuote(quote(8, { label: "mm", filled_amount: 5 }), {
      origin: "view",
      nowMs: NOW,
      current: () => undefined,
    });
    assert.deepEqual(
      [intent.method, intent.paramsText],
      ["private/cancel_block_rfq_quote", '{"block_rfq_quote_id":8}'],
    );
    assert.equal(intent.words.sentence, "Cancel quote RFQ 722 buy 25 @ 0.0205");
    assert.deepEqual(intent.words.detail, ["ID 8", "label mm", "5 of 25 filled", "placed 1 min ago"]);
  });

  const now: readonly (readonly [string, BlockRfqQuote | undefined, boolean])[] = [
    ["as it was", quote(8), true],
    ["with another price", quote(8, { price: 0.021 }), false],
    ["with another amount", quote(8, { amount: 26 }), false],
    ["filled in part", quote(8, { filled_amount: 5 }), true],
    ["not known any more", undefined, true],
  ];
  for (const [name, current, isSent] of now) {
    test(`${name}: ${isSent ? "is sent" : "is not what was confirmed"}`, () => {
      assert.equal(
        cancelQuote(quote(8), { origin: "view", nowMs: NOW, current: () => current }).changedObject?.(),
        isSent ? undefined : "quote",
      );
    });
  }

  test("several are one question", () => {
    const { intents, describe: words } = cancelQuotes([quote(8), quote(9)], {
      origin: "view",
      nowMs: NOW,
      current: () => undefined,
    });
    assert.deepEqual(pluck(intents, "paramsText"), ['{"block_rfq_quote_id":8}', '{"block_rfq_quote_id":9}']);
    assert.deepEqual(
      [words(intents).sentence, words(intents).detail],
      ["Cancel 2 Block RFQ quotes", ["RFQ 722 buy 25 @ 0.0205 · ID 8", "RFQ 722 buy 25 @ 0.0205 · ID 9"]],
    );
  });

  test("what the exchange writes is text", () => {
    assert.equal(
      describeQuote(quote(8, { direction: "buy\u202Esell", price: 1e-7 })),
      "RFQ 722 buy\\u202Esell 25 @ 0.0000001",
    );
  });
});

describe("the wish to set MMP limits", () => {
  const GROUP = { index_name: "btc_usd", mmp_group: "g1", block_rfq: false };
  const PRESENT: MmpLimits = { interval: "60", frozen_time: "0", max_quote_quantity: "2.5", quantity_limit: "3" };
  const wish = (
    limits: MmpLimits,
    present: MmpLimits | undefined = PRESENT,
    group = GROUP,
    current: MmpLimits | undefined = present,
  ): ReturnType<typeof setMmpLimits> =>
    setMmpLimits(group, limits, { origin: "view", present, current: () => current });

  test("the digits go out as they were typed; what changes is a line each, what is left out is said to be removed", () => {
    const intent = wish({ interval: "60", frozen_time: "5", max_quote_quantity: "2.50", delta_limit: "0.1000" });
    assert.equal(
      intent.paramsText,
      '{"index_name":"btc_usd","mmp_group":"g1","interval":60,"frozen_time":5,"max_quote_quantity":2.50,"delta_limit":0.1000}',
    );
    assert.deepEqual(intent.words.detail, [
      "frozen_time: 0 → 5",
      "quantity_limit: 3 → none (omitted, which removes the limit)",
      "delta_limit: none → 0.1000",
      "unchanged: interval 60, max_quote_quantity 2.50",
    ]);
    assert.deepEqual(intent.before, {
      interval: "60",
      frozen_time: "0",
      max_quote_quantity: "2.5",
      quantity_limit: "3",
    } satisfies Fields);
    assert.equal(intent.words.sentence, "Set the MMP limits for btc_usd group g1");
  });

  test("regular orders have no group, Block RFQ quotes say so", () => {
    assert.match(wish(PRESENT, {}, { ...GROUP, mmp_group: "" }).paramsText, /^\{"index_name":"btc_usd","interval":60,/);
    assert.match(
      wish(PRESENT, {}, { ...GROUP, mmp_group: "", block_rfq: true }).paramsText,
      /^\{"index_name":"btc_usd","block_rfq":true,"interval":60,/,
    );
    assert.deepEqual(wish(PRESENT, {}).before, {});
  });

  test("an interval of 0 removes them, and what that means is said", () => {
    const intent = wish({ interval: "0" });
    assert.equal(
      intent.paramsText,
      '{"index_name":"btc_usd","mmp_group":"g1","interval":0,"frozen_time":0,"max_quote_quantity":2.5}',
    );
    assert.equal(intent.words.action, "Remove Limits");
    assert.match(intent.words.note ?? "", /These quotes and orders are then no longer protected\.$/);
    assert.deepEqual(intent.before, { interval: "60" });
    assert.equal(intent.words.detail.length, 4);
    assert.equal(
      wish({ interval: "0" }, { interval: "60" }).paramsText,
      '{"index_name":"btc_usd","mmp_group":"g1","interval":0,"frozen_time":0,"max_quote_quantity":0}',
      "the exchange requires a quantity, also where none is known",
    );
  });

  test("nothing to change is refused here", () => {
    for (const [limits, present, reason] of [
      [PRESENT, PRESENT, /The limits for btc_usd group g1 already have these values\./],
      [{ interval: "0" }, {}, /no limits to remove for btc_usd group g1/],
    ] as const) {
      assert.throws(
        () => wish(limits, present),
        (thrown) => {
          const failure = toFailure(thrown);
          return failure.kind === "refused" && reason.test(failure.reason);
        },
      );
    }
  });

  test("limits that could not be read are replaced, and the confirmation says so", () => {
    const intent = setMmpLimits(GROUP, PRESENT, { origin: "view", present: undefined, current: () => undefined });
    assert.equal(intent.before, undefined);
    assert.equal(intent.words.detail[0], "The current limits are unknown. This change replaces them.");
  });

  const now: readonly (readonly [string, MmpLimits | undefined, boolean])[] = [
    ["as they were", { ...PRESENT, max_quote_quantity: "2.50" }, true],
    ["changed elsewhere", { ...PRESENT, interval: "59" }, false],
    ["removed elsewhere", {}, false],
    ["unknown", undefined, true],
  ];
  for (const [name, current, isSent] of now) {
    test(`limits that are ${name} while the person is asked: ${isSent ? "sent" : "not sent"}`, () => {
      const intent = setMmpLimits(
        GROUP,
        { ...PRESENT, interval: "61" },
        { origin: "view", present: PRESENT, current: () => current },
      );
      assert.equal(intent.changedObject?.(), isSent ? undefined : "mmp");
    });
  }

  test("limits are read from a list and from a single object", () => {
    const row = {
      index_name: "btc_usd",
      mmp_group: "g1",
      interval: 60,
      frozen_time: 0,
      max_quote_quantity: 2.5,
      quantity_limit: 3,
    };
    assert.deepEqual(limitsIn(row, GROUP), PRESENT);
    assert.deepEqual(limitsIn([{ ...row, mmp_group: "g2", interval: 1 }, row], GROUP), PRESENT);
    assert.deepEqual(limitsIn([], GROUP), {});
    assert.deepEqual(limitChanges(limitsIn(row, GROUP), PRESENT), []);
  });

  const texts: readonly (readonly [MmpMember, readonly string[], readonly string[]])[] = [
    ["interval", ["0", "60", "3600"], ["", "3601", "1.5", "-1", "01", "x"]],
    ["frozen_time", ["0", "3600"], ["", "3601"]],
    ["max_quote_quantity", ["0", "2.5", "0.00001"], ["", "-1", ".5", "1e3"]],
    ["quantity_limit", ["", "3", "0.1234"], ["0.12345", "1,5", "x"]],
    ["delta_limit", ["", "0.5"], ["0.12345"]],
    ["vega_limit", ["", "0.2000"], ["-0.2"]],
    ["trade_count_limit", ["", "1", "1000"], ["0", "1001", "1.5"]],
  ];
  for (const [member, good, bad] of texts) {
    test(`${member}: what will do and what not`, () => {
      const found = good.filter((text) => limitProblem(member, text) !== undefined);
      assert.deepEqual(found, []);
      assert.deepEqual(
        bad.filter((text) => limitProblem(member, text) === undefined),
        [],
      );
      assert.equal(limitProblem(member, "1,5"), "Use a point for decimals and no separator for thousands.");
    });
  }
});
