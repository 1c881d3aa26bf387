import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readProtectLine, type ProtectLine } from "../../../../src/actions/changes/protectLine.ts";
import {
  protectLines,
  protectOrders,
  protectPosition,
  protectProblem,
  protectText,
  withPresentLeg,
  type ProtectedPosition,
} from "../../../../src/actions/changes/protectPosition.ts";
import { plain } from "../../../../src/base/plain.ts";
import type { Order } from "../../../../src/state/orders.ts";

const LONG: ProtectedPosition = { name: "BTC-PERPETUAL", side: "long", amount: 45_000, instrument: undefined };
const SHORT: ProtectedPosition = { ...LONG, side: "short" };
const PRICES = { bid: 92_000, ask: 92_001, mark: 92_000.5, readAtMs: 0 };

function lineOf(text: string): ProtectLine {
  const line = readProtectLine(text);
  return "problem" in line ? assert.fail(line.problem) : line;
}

describe("the line of a take profit and a stop", () => {
  test("has an amount, both legs with their limits, and the trigger, all as they were typed", () => {
    assert.deepEqual(lineOf("100.0 tp 105000.50 sl 90000 @ 89900.0 last"), {
      amount: "100.0",
      takeProfit: { price: "105000.50" },
      stop: { price: "90000", limit: "89900.0" },
      trigger: "last_price",
    });
    assert.deepEqual(lineOf("SL 90000"), { stop: { price: "90000" }, trigger: "mark_price" });
    assert.deepEqual(lineOf("index tp 105000@104900"), {
      takeProfit: { price: "105000", limit: "104900" },
      trigger: "index_price",
    });
  });

  test("that is not valid says where", () => {
    const words = "Only an amount at the beginning, tp, sl, mark, last, and index are allowed, and @ after a price.";
    const lines = {
      "": "0 Enter tp and a price, sl and a trigger price, or both, for example tp 105000 sl 90000.",
      "100": "3 Enter tp and a price, sl and a trigger price, or both, for example tp 105000 sl 90000.",
      tp: "2 At the end of the line: Enter a price after tp.",
      sl: "2 At the end of the line: Enter a trigger price after sl.",
      "tp 105,000": "3 At 105,000 (character 4): Use a point for decimals and no separator for thousands.",
      "tp x": "3 At x (character 4): Enter a number such as 40, 0.001, or 1e-8.",
      "sl 90000 @": "10 At the end of the line: Enter a limit price after @.",
      "tp 1 tp 2": "5 At tp (character 6): The word is there twice.",
      "tp 1 mark last": "10 At last (character 11): Only one of mark, last, and index is possible.",
      "tp 1 100": `5 At 100 (character 6): ${words}`,
      "stop 90000": `0 At stop (character 1): ${words}`,
      "0 tp 1": "0 At 0 (character 1): The amount must be greater than 0.",
    };
    for (const [line, problem] of Object.entries(lines)) {
      const read = readProtectLine(line);
      assert.equal("problem" in read ? `${read.at} ${read.problem}` : read, problem, line);
    }
  });
});

describe("the orders of a position", () => {
  test("both are one request: the take profit first, the stop in otoco_config, reduce-only, incremental, each with a label", () => {
    const orders = protectOrders(LONG, lineOf("tp 105000.50 sl 90000"));
    const intent = protectPosition(orders, {
      ...{ origin: "view", label: "one", stopLabel: "two", knownIds: [], preview: [plain`figures`] },
    });
    assert.equal(intent.method, "private/sell");
    assert.equal(
      intent.paramsText,
      '{"instrument_name":"BTC-PERPETUAL","amount":45000,"type":"limit","price":105000.50,"time_in_force":"good_til_cancelled","post_only":true,"reject_post_only":true,"reduce_only":true,"label":"one",' +
        '"linked_order_type":"one_cancels_other","trigger_fill_condition":"incremental",' +
        '"otoco_config":[{"direction":"sell","amount":45000,"type":"stop_market","trigger":"mark_price","trigger_price":90000,"reduce_only":true,"label":"two"}]}',
    );
    assert.equal(intent.validForMs, 8000);
    assert.deepEqual(
      [intent.words.action, intent.words.sentence, intent.words.target],
      [
        "Place Take Profit and Stop",
        "Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000.50, stop @ market at mark price 90\u202F000",
        "BTC-PERPETUAL sell 45\u202F000 TP @ 105\u202F000.50 SL @ market at mark price 90\u202F000",
      ],
    );
    assert.deepEqual(intent.words.detail, [
      "Take profit: limit · good_til_cancelled · post-only, rejected if it would trade at once · reduce-only",
      "It rests in the book and has no trigger.",
      "Stop: stop_market · trigger mark_price · trigger price 90\u202F000 · reduce-only",
      "Its price isn't limited: once triggered, it trades at whatever the book offers.",
      "One request places both. What one fills is taken off the other (one_cancels_other, incremental). If the exchange refuses linked orders, nothing is placed.",
      "figures",
      "Label: one",
      "Label of the stop: two",
      "The exchange refuses the order if it arrives more than 8 s after you confirm.",
    ]);
  });

  test("one alone is a plain reduce-only order of the closing side", () => {
    const context = { origin: "view", label: "one", stopLabel: "two", knownIds: [], preview: [] } as const;
    const stop = protectPosition(protectOrders(SHORT, lineOf("100 sl 95000 @ 95100 index")), context);
    assert.equal(stop.method, "private/buy");
    assert.equal(
      stop.paramsText,
      '{"instrument_name":"BTC-PERPETUAL","amount":100,"type":"stop_limit","price":95100,"trigger":"index_price","trigger_price":95000,"time_in_force":"good_til_cancelled","reduce_only":true,"label":"one"}',
    );
    assert.equal(stop.words.sentence, "Buy 100 BTC-PERPETUAL: stop @ 95\u202F100 at index price 95\u202F000");
    assert.equal(
      stop.words.detail[1],
      "Once triggered, it trades at 95\u202F100 or better, and what doesn't trade stays open.",
    );
    const take = protectPosition(protectOrders(LONG, lineOf("tp 105000 @ 104900")), context);
    assert.match(take.paramsText, /"type":"take_limit","price":104900,"trigger":"mark_price","trigger_price":105000,/);
    assert.deepEqual([take.words.action, stop.words.action], ["Place Take Profit", "Place Stop"]);
    assert.ok(!take.paramsText.includes("linked") && !stop.paramsText.includes("linked"));
  });

  test("each leg says its trigger, or that it has none", () => {
    assert.deepEqual(protectLines(protectOrders(LONG, lineOf("tp 105000"))), [
      "Take profit: limit · good_til_cancelled · post-only, rejected if it would trade at once · reduce-only",
      "It rests in the book and has no trigger.",
    ]);
    assert.equal(
      protectText(protectOrders(SHORT, lineOf("sl 95000 last"))),
      "Buy 45\u202F000 BTC-PERPETUAL: stop @ market at last price 95\u202F000",
    );
  });

  test("on the wrong side of the market they are refused where they are typed", () => {
    const problems: readonly (readonly [ProtectedPosition, string, string | undefined])[] = [
      [LONG, "tp 92000", "At this price the take profit would trade at once. Enter a price above the bid 92\u202F000."],
      [
        SHORT,
        "tp 92001",
        "At this price the take profit would trade at once. Enter a price below the ask 92\u202F001.",
      ],
      [
        LONG,
        "tp 92000.5 @ 92000",
        "The take profit would fire at once. Enter a trigger price above the mark price 92\u202F000.5.",
      ],
      [
        SHORT,
        "tp 93000 @ 92000",
        "The take profit would fire at once. Enter a trigger price below the mark price 92\u202F000.5.",
      ],
      [LONG, "sl 92000.5", "The stop would fire at once. Enter a trigger price below the mark price 92\u202F000.5."],
      [SHORT, "sl 92000", "The stop would fire at once. Enter a trigger price above the mark price 92\u202F000.5."],
      [LONG, "tp 105000 sl 106000 last", "The take profit of a long position has to be above its stop."],
      [SHORT, "tp 90000 sl 80000 last", "The take profit of a short position has to be below its stop."],
      [LONG, "45001 tp 105000", "The position has only 45\u202F000."],
      [LONG, "tp 92001 sl 92000", undefined],
      [SHORT, "45000 tp 92000.5 sl 92001", undefined],
      // What the trigger follows is not read: the exchange decides.
      [LONG, "sl 93000 last", undefined],
    ];
    for (const [position, text, expected] of problems)
      assert.equal(protectProblem(position, lineOf(text), PRICES), expected, text);
  });

  test("the leg that a line lacks is that of the only present order, if a line can say it", () => {
    const stop = { order_id: "1", order_type: "stop_market", trigger: "mark_price", trigger_price: 90_000 } as Order;
    const limit = { order_id: "2", order_type: "limit", price: 105_000 } as Order;
    const line = lineOf("tp 105000");
    assert.deepEqual(withPresentLeg(line, { takeProfits: [], stops: [stop] }), { ...line, stop: { price: "90000" } });
    assert.deepEqual(withPresentLeg(lineOf("sl 90000 last"), { takeProfits: [limit], stops: [] }), {
      ...{ takeProfit: { price: "105000" }, stop: { price: "90000" }, trigger: "last_price" },
    });
    const trailing = { ...stop, order_type: "trailing_stop" } as Order;
    for (const stops of [[], [stop, stop], [trailing], [{ ...stop, trigger: "last_price" } as Order]])
      assert.equal(withPresentLeg(line, { takeProfits: [], stops }), undefined);
  });
});
