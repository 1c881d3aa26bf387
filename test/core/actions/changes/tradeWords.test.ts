import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { tradeWords } from "../../../../src/actions/changes/tradeWords.ts";
import { literalReader } from "../../../../src/requests/text/jsonPath.ts";

function sentenceOf(method: string, paramsText: string): string | undefined {
  const read = literalReader(() => paramsText);
  return tradeWords(method, (name) => read([name]))?.sentence;
}

describe("the words of a request that trades", () => {
  for (const [method, params, expected] of [
    ["buy", '{"instrument_name":"BTC-PERPETUAL","amount":100,"price":9000}', "Buy 100 BTC-PERPETUAL @ 9000"],
    ["sell", '{"instrument_name":"X","amount":1.50,"price":9000.00}', "Sell 1.50 X @ 9000.00"],
    ["buy", '{"instrument_name":"X","amount":"100","price":"9000"}', "Buy 100 X @ 9000"],
    ["buy", '{"instrument_name":"X","amount":1,"type":"market"}', "Buy 1 X @ market"],
    ["buy", '{"instrument_name":"X","contracts":7,"price":1}', "Buy 7 contracts of X @ 1"],
    [
      "sell",
      '{"instrument_name":"X","amount":1,"type":"stop_market","trigger":"mark_price","trigger_price":5}',
      "Sell 1 X @ market, trigger 5",
    ],
    [
      "sell",
      '{"instrument_name":"X","amount":1,"price":2,"otoco_config":[{"amount":9}]}',
      "Sell 1 X @ 2, with linked orders",
    ],
    ["edit", '{"order_id":"E-1","amount":20,"price":60500.0}', "Edit E-1: amount 20, price 60\u202F500.0"],
    ["edit", '{"order_id":"E-1","post_only":true}', "Edit E-1"],
    ["close_position", '{"instrument_name":"X","type":"limit","price":5}', "Close the position in X @ 5"],
    ["close_position", '{"instrument_name":"X","type":"market"}', "Close the position in X @ market"],
    // What a request does not say itself is not filled in for it.
    ["buy", '{"instrument_name":"X","amount":1}', undefined],
    ["buy", '{"instrument_name":"X","amount":1,"price":null}', undefined],
    ["buy", '{"instrument_name":"X","price":1}', undefined],
    ["buy", '{"amount":1,"price":1}', undefined],
    ["edit", '{"amount":1}', undefined],
    ["close_position", '{"instrument_name":"X"}', undefined],
    ["cancel", '{"order_id":"E-1"}', undefined],
  ] as const)
    test(`private/${method} ${params}: ${expected ?? "none"}`, () =>
      assert.equal(sentenceOf(`private/${method}`, params), expected));

  test("nothing invisible of a file comes into them", () => {
    assert.equal(
      sentenceOf("private/buy", '{"instrument_name":"A\u202eB","amount":1,"price":2}')?.includes("\u202e"),
      false,
    );
  });
});
