import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { recognise, timestampsIn } from "../../../../src/requests/file/recognise.ts";
import { pluck } from "../../../pluck.ts";

const kinds = (text: string): string[] =>
  recognise(text).map(({ kind, id, isOpen }) => `${kind} ${id}${isOpen ? " open" : ""}`);

describe("things of the account in a response", () => {
  test("orders, keys, block trades and quotes, wherever they stand", () => {
    const text = `// TESTNET main
{
  "orders": [{ "order_id": "ETH-1", "order_state": "open" }, { "order_id": "ETH-2", "order_state": "filled" }, { "order_id": "ETH-3", "order_state": "untriggered" }],
  "keys": { "id": 7, "max_scope": "trade:read" },
  "trade": { "id": "BLOCK-1", "trades": [{ "order_id": "X", "order_state": "open" }] },
  "quotes": [{ "block_rfq_quote_id": 9, "quote_state": "open" }, { "block_rfq_quote_id": 10, "quote_state": "cancelled" }]
}`;
    assert.deepEqual(kinds(text), [
      "order ETH-1 open",
      "order ETH-2",
      "order ETH-3 open",
      "apiKey 7 open",
      "blockTrade BLOCK-1",
      "quote 9 open",
      "quote 10",
    ]);
    assert.ok(recognise(text).every(({ range }) => text[range.start] === "{" && text[range.end - 1] === "}"));
  });

  test("nothing else is taken for one", () => {
    assert.deepEqual(
      kinds(
        '[{ "order_id": 5, "order_state": "open" }, { "id": 7 }, { "id": 1.5, "max_scope": "" }, { "id": "a" }, 3, "order_id"]',
      ),
      [],
    );
    assert.deepEqual(kinds("no JSON {"), []);
    assert.deepEqual(kinds(""), []);
  });

  test("a long list has 200 of them; a very long text is not looked through", () => {
    const order = '{"order_id":"E","order_state":"open"}';
    assert.equal(recognise(`[${Array.from({ length: 500 }, () => order).join(",")}]`).length, 200);
    assert.equal(recognise(`[${order},"${"x".repeat(2_000_000)}"]`).length, 0);
  });
});

describe("moments", () => {
  test("numbers of 13 digits under a name that tells so", () => {
    const text =
      '{"creation_timestamp": 1590480620145, "timestamp":1590480620146,"valid_until":1590480620147,"price": 1590480620145,"last_update_timestamp": 1590480620145123}';
    const found = timestampsIn(text, 0, text.length).map(({ atMs, end }) => [atMs, text.slice(end - 3, end)]);
    assert.deepEqual(found, [
      [1590480620145, "145"],
      [1590480620146, "146"],
      [1590480620147, "147"],
    ]);
  });

  test("only in the stretch that is asked for", () => {
    const text = '{"timestamp":1590480620145,"timestamp":1590480620146}';
    assert.deepEqual(pluck(timestampsIn(text, 27, text.length), "atMs"), [1590480620146]);
  });
});
