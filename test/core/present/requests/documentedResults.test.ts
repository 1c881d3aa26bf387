import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { methodReferences, resultSchemaOf } from "../../../../src/catalogue/reference/reference.ts";
import { shapeAt, shapeMembers } from "../../../../src/catalogue/reference/resultShape.ts";
import { expectationSuggestions } from "../../../../src/present/requests/expectationSuggestions.ts";
import { placeholderSuggestions } from "../../../../src/present/requests/placeholderSuggestions.ts";
import type { Suggestion } from "../../../../src/present/text/suggestion.ts";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { checkExpectations } from "../../../../src/requests/expectations/expect.ts";
import { cursorAt } from "../../../../src/requests/file/cursor.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { memberPaths, sampleOf, valueAt, withValue, type ResultPath } from "../../../sampleResults.ts";
import { testInFull } from "../../../sizes.ts";
import { responseOf } from "../../requests/fakeGate.ts";
import { BERLIN, NOON_MS } from "../samples.ts";

/* What is documented of a result, offered before the result is there. ¦ marks the cursor. */

/** The suggestions at the cursor of a request, and the text with one of them taken. */
function at(input: string): { readonly items: readonly Suggestion[]; readonly taken: (label: string) => string } {
  const text = input.replace("¦", "");
  const cursor = cursorAt(scanRequests(text), input.indexOf("¦")) ?? assert.fail(input);
  const items = expectationSuggestions(text, cursor);
  return {
    items,
    taken(label) {
      const { range, newText } = items.find((each) => each.label === label) ?? assert.fail(label);
      return text.slice(0, range.start) + newText + text.slice(range.end);
    },
  };
}

const expecting = (method: string, result: string): string =>
  `{ "method": "${method}", "$run": { "expect": { "result": ${result} } } }`;

/** An expectation of a value at a place. */
function nested(path: ResultPath, inner: string): string {
  return path.reduceRight<string>(
    (text, step) => (typeof step === "number" ? `[${text}]` : `{ ${JSON.stringify(step)}: ${text} }`),
    inner,
  );
}

/** Failures of the expectation of a request, where the exchange sends this result. */
function failures(method: string, expectation: string, result: unknown): readonly string[] {
  const expect = scanRequests(expecting(method, expectation)).requests[0]?.run.expect ?? assert.fail(expectation);
  const response = responseOf(method, JSON.stringify(result), { result });
  return checkExpectations(expect, { intent: { method }, outcome: { kind: "confirmed", response } }).map(
    ({ message }) => message,
  );
}

/** Hints of every kind: objects, arrays, arrays in objects, named shapes. */
const TWENTY = [
  ...["private/buy", "private/get_new_announcements", "private/get_transfers", "private/get_transaction_log"],
  ...["public/ticker", "public/get_order_book", "public/get_instrument", "public/get_tradingview_chart_data"],
  ...["public/get_combo_details", "private/get_deposits", "private/withdraw", "private/get_address_book"],
  ...["private/create_block_rfq", "private/get_block_trade_requests", "private/mass_quote", "private/get_margins"],
  ...[
    "private/get_order_history_by_currency",
    "public/get_index_price",
    "public/get_contract_size",
    "private/get_subaccounts_details",
  ],
];

/** That each documented member is offered where it belongs, and that an expectation of it holds and fails. */
function showMembers(method: string): number {
  const schema = resultSchemaOf(method) ?? assert.fail(method);
  const sample = sampleOf(schema);
  const paths = memberPaths(schema);
  for (const outside of new Map(paths.map((path) => [JSON.stringify(path.slice(0, -1)), path.slice(0, -1)])).values()) {
    const { items, taken } = at(expecting(method, nested(outside, "{ ¦ }")));
    const members = items.filter(({ kind }) => kind === "member");
    const documented = shapeMembers(shapeAt(schema, outside) ?? {}).map(({ name }) => name);
    assert.deepEqual(
      members.map(({ label }) => label),
      documented,
    );
    for (const { label, description } of members) assert.match(description, / \(documented\)$/, label);
    const filled = taken(documented[0] ?? "").replace("${1}", "1");
    assert.deepEqual(
      checkFile(scanRequests(filled)).filter(({ code }) => code === "runOptions" || code === "syntax"),
      [],
    );
  }
  for (const path of paths) {
    const expectation = nested(path, JSON.stringify(valueAt(sample, path)));
    assert.deepEqual(failures(method, expectation, sample), [], expectation);
    assert.ok(failures(method, expectation, withValue(sample, path, "other")).length > 0, expectation);
    assert.ok(failures(method, expectation, withValue(sample, path, undefined)).length > 0, expectation);
  }
  return paths.length;
}

describe("members of a result in an expectation", () => {
  test("of 20 hints each is offered, and an expectation of it fails when the value differs", () => {
    const hinted = new Set(methodReferences().flatMap(({ name, hint }) => (hint === undefined ? [] : [name])));
    assert.equal(TWENTY.length, 20);
    for (const method of TWENTY) {
      assert.ok(hinted.has(method), method);
      assert.ok(showMembers(method) > 0, method);
    }
  });

  testInFull("of every method with documented members", () => {
    for (const { name } of methodReferences()) showMembers(name);
  });

  test("those that are there already are not offered again; a comparison and a member are never mixed", () => {
    const labels = (result: string): string[] =>
      at(expecting("public/get_index_price", result)).items.map(({ label }) => label);
    assert.deepEqual(labels('{ "index_price": 5, ¦ }'), ["estimated_delivery_price"]);
    assert.deepEqual(labels('{ "index_price": { "$gt": 5, ¦ } }'), [
      ...["$gte", "$lt", "$lte", "$type", "$in", "$absent", "$not"],
    ]);
    assert.ok(labels("{ ¦ }").includes("$not"));
    assert.deepEqual(labels('{ "index_price": { "$not": { ¦ } } }').slice(0, 2), ["$gt", "$gte"]);
    assert.deepEqual(labels('{ "invented": { ¦ } }'), []);
  });

  test("comparisons fit the documented type, and what is taken is an expectation", () => {
    const offered = (method: string, result: string): string[] =>
      at(expecting(method, result))
        .items.filter(({ kind }) => kind === "comparison")
        .map(({ label }) => label);
    assert.deepEqual(offered("public/get_index_price", '{ "index_price": ¦ }').slice(0, 2), [
      '{ "$gt": … }',
      '{ "$gte": … }',
    ]);
    assert.ok(offered("private/buy", '{ "trades": ¦ }').includes('{ "$len": … }'));
    assert.ok(!offered("private/buy", '{ "trades": ¦ }').includes('{ "$gt": … }'));
    const { taken } = at(expecting("private/buy", '{ "trades": ¦ }'));
    const filled = taken('{ "$len": … }').replace("${1:1}", "1").replace("\\$len", "$len");
    const problems = checkFile(scanRequests(filled)).filter(({ code }) => code !== "params");
    assert.deepEqual(problems, []);
  });

  test("known words are values; what is written already keeps its place", () => {
    const { items, taken } = at(expecting("private/buy", '{ "order": { "direction": "¦" } }'));
    assert.deepEqual(
      items.filter(({ kind }) => kind === "value").map(({ label }) => label),
      ['"buy"', '"sell"'],
    );
    assert.equal(taken('"sell"'), expecting("private/buy", '{ "order": { "direction": "sell" } }'));
    const index = expecting("public/get_index_price", '{ "ind¦": 5 }');
    assert.equal(at(index).taken("index_price"), expecting("public/get_index_price", '{ "index_price": 5 }'));
    const before = expecting("public/get_index_price", '{ ¦ "index_price": 5 }');
    assert.equal(
      at(before).taken("estimated_delivery_price"),
      expecting("public/get_index_price", '{ "estimated_delivery_price": ${1}, "index_price": 5 }'),
    );
  });

  test("in until too, and nowhere else", () => {
    assert.ok(at('{ "method": "public/get_index_price", "$run": { "until": { "result": { ¦ } } } }').items.length > 2);
    for (const input of [
      '{ "method": "public/get_index_price", "$run": { "expect": { ¦ } } }',
      '{ "method": "public/get_index_price", "$run": { "expect": { "error": { ¦ } } } }',
      '{ "method": "public/get_index_price", "$run": { "vars": { "result": { ¦ } } } }',
      '{ "method": "public/get_index_price", "params": { "expect": { "result": { ¦ } } } }',
      '{ "method": "private/invented", "$run": { "expect": { "result": { "a": { ¦ } } } } }',
    ])
      assert.deepEqual(at(input).items, [], input);
  });
});

describe("placeholders of a response that is not there yet", () => {
  const offered = (typed: string, method: string | undefined): string[] => {
    const text = `{ "method": "private/cancel", "params": { "order_id": "{{${typed}" } }`;
    const cursor = cursorAt(scanRequests(text), text.indexOf(typed) + typed.length) ?? assert.fail();
    const names = { variables: [], results: [], waiting: [{ name: "open", method }], lookup: () => undefined };
    return placeholderSuggestions(text, cursor, names, { nowMs: NOON_MS, times: BERLIN }).items.map(
      ({ label, description }) => `${label}: ${description}`,
    );
  };

  test("documented members are offered, and said to be no more than that", () => {
    assert.deepEqual(offered("open.", "public/get_index_price"), [
      "open.result: { … } (documented, no response yet)",
      "open.result.index_price: number (documented, no response yet)",
      "open.result.estimated_delivery_price: number (documented, no response yet)",
      "open.error: { … } (documented, no response yet)",
      "open.error.code: integer (documented, no response yet)",
      "open.error.message: string (documented, no response yet)",
      "open.error.data: object (documented, no response yet)",
    ]);
    assert.deepEqual(offered("open.result[0].order_i", "private/get_open_orders").slice(0, 1), [
      "open.result[0].order_id: string (documented, no response yet)",
    ]);
    assert.deepEqual(
      offered("open.result.order.tri", "private/buy").filter((each) => each.includes("trigger_price:")),
      ["open.result.order.trigger_price: number (documented, no response yet)"],
    );
  });

  test("of every member of 20 hints", () => {
    const textOf = (path: ResultPath): string =>
      path.map((step) => (typeof step === "number" ? `[${String(step)}]` : `.${step}`)).join("");
    for (const method of TWENTY) {
      const byObject = new Map<string, readonly string[]>();
      for (const path of memberPaths(resultSchemaOf(method) ?? {})) {
        const base = `open.result${textOf(path.slice(0, -1))}`;
        const found = byObject.get(base) ?? offered(`${base}.`, method).map((each) => each.split(": ")[0] ?? "");
        byObject.set(base, found);
        assert.ok(found.includes(`open.result${textOf(path)}`), `${method} ${textOf(path)}`);
      }
    }
  });

  test("of an unknown method nothing but its result and its error", () => {
    assert.deepEqual(
      offered("open.", "private/invented").map((each) => each.split(":")[0]),
      [...["open.result", "open.error", "open.error.code", "open.error.message", "open.error.data"]],
    );
    assert.equal(offered("open.result.", "private/invented")[0], "open.result: no response yet");
  });
});
