import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";
import { allMethods } from "../../../../src/catalogue/index.ts";
import { paramFactsOf, type ParamFacts } from "../../../../src/catalogue/reference/paramFacts.ts";
import { methodReferences } from "../../../../src/catalogue/reference/reference.ts";
import { catalogueMarkdown, methodMarkdown } from "../../../../src/present/requests/methodWords.ts";
import { paramMeaning } from "../../../../src/present/requests/paramMeanings.ts";
import { methodNameSuggestions, offeredMethods } from "../../../../src/present/requests/requestSnippets.ts";
import { cursorAt, type Cursor } from "../../../../src/requests/file/cursor.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";

/* What is told of methods and parameters in a request file. ¦ marks the cursor. */

function cursorIn(input: string): Cursor {
  const cursor = cursorAt(scanRequests(input.replace("¦", "")), input.indexOf("¦"));
  assert.ok(cursor);
  return cursor;
}

describe("completion of methods", () => {
  test("recent ones first, then common reads, then the others, and what changes keys, money, or the account last", () => {
    const names = (recent: readonly string[] = []): readonly string[] =>
      offeredMethods(recent).map(({ facts }) => facts.name);
    const offered = offeredMethods();
    assert.deepEqual(names().slice(0, 10), [
      ...["private/get_open_orders", "private/get_positions", "private/get_account_summaries"],
      ...["public/ticker", "public/get_order_book", "public/get_instruments"],
      ...["private/get_user_trades_by_currency", "private/get_order_state", "private/get_transaction_log"],
      "public/get_time",
    ]);
    assert.deepEqual(names(["private/buy", "public/ticker", "private/unknown"]).slice(0, 4), [
      ...["private/buy", "public/ticker", "private/get_open_orders", "private/get_positions"],
    ]);
    assert.deepEqual(names(["private/buy"]).toSorted(), names().toSorted());
    const effects = offered.map(({ facts }) => facts.effect);
    const firstLast = effects.findIndex((effect) => ["key", "money", "session"].includes(effect));
    assert.ok(firstLast > 100);
    for (const effect of effects.slice(firstLast)) assert.match(effect, /^(?:key|money|session)$/);
    assert.ok(names().indexOf("public/exchange_token") >= firstLast);
    // All but the ones that act on the connection itself.
    assert.equal(offered.length, allMethods().length - 7);
    const items = methodNameSuggestions(cursorIn('{ "method": "¦" }'));
    assert.equal(items.length, offered.length);
    assert.deepEqual(
      items.map(({ sortText }) => sortText),
      items.map(({ sortText }) => sortText).sort(),
    );
    const buy = items.find(({ label }) => label === "private/buy");
    assert.deepEqual(
      [buy?.description, buy?.newText, buy?.filterText],
      ["Trading · Places a buy order.", '"private/buy"', '"private/buy"'],
    );
    for (const { label, description } of items) assert.match(description, /^[A-Z][\w ]+ · [A-Z].*\.$/, label);
  });

  test("at the value of method alone", () => {
    assert.equal(methodNameSuggestions(cursorIn('{ "method": ¦ }'))[0]?.filterText, "private/get_open_orders");
    for (const input of ['{ "met¦hod": "" }', '{ "params": { "method": "¦" } }', '{ "id": "¦" }'])
      assert.deepEqual(methodNameSuggestions(cursorIn(input)), [], input);
  });

  test("the schema offers and explains none of them a second time", () => {
    const schema = JSON.parse(fs.readFileSync("media/rpc.schema.json", "utf8")) as {
      readonly definitions: { readonly request: { readonly properties: { readonly method: unknown } } };
    };
    assert.deepEqual(schema.definitions.request.properties.method, {
      type: "string",
      pattern: "^/*(api/v2/+)?(public|private)(/[A-Za-z0-9_]+)+$",
    });
    assert.ok(!JSON.stringify(schema).includes('{"const":"private/'));
  });
});

describe("the hover of a method", () => {
  test("summary, section, needs, effect, cost, parameters with bounds and values, result, and documentation", () => {
    assert.equal(
      methodMarkdown("public/get_last_trades_by_instrument"),
      [
        "**public/get_last_trades_by_instrument** · Market Data",
        "Lists recent public trades of one instrument.",
        "Read request · Scope: none · Costs 500 of 50\u202F000 credits",
        [
          "Parameters:",
          "",
          "- `instrument_name` (string, required): Unique instrument identifier, for example BTC-PERPETUAL.",
          "- `start_seq` (number): Sequence number of the first trade to return.",
          "- `end_seq` (number): Sequence number of the last trade to return.",
          "- `start_timestamp` (number): Earliest time. Trades are returned starting with the first one after it.",
          "- `end_timestamp` (number): Latest time.",
          "- `count` (number, 1 to 1000): Number of trades, 1 to 1000 (default: 10).",
          "- `sorting` (string, values: `asc`, `desc`, `default`): Sort order. `default` keeps the order of the database.",
        ].join("\n"),
        "Result: `{ trades: [{ … }], has_more: boolean }`",
        "[Documentation](https://docs.deribit.com/api-reference/market-data/public-get_last_trades_by_instrument)",
      ].join("\n\n"),
    );
  });

  const cases: readonly (readonly [string, RegExp])[] = [
    ["private/buy", /^Write request · Scope: `trade:read_write` · Costs 1 of 20 matching-engine requests$/m],
    ["private/buy", /^Documented result: `\{ order: \{ … \}, trades: \[\{ … \}\] \}`$/m],
    ["private/get_transaction_log", /Costs 10\u202F000 of 80\u202F000 credits/],
    ["private/get_mmp_config", /Scope: `trade:read`, or `block_rfq:read` if `block_rfq` is true/],
    ["private/get_mmp_config", /- `mmp_group` \(string, only with `index_name`\)/],
    ["private/get_user_trades_by_currency_and_time", /`start_timestamp` \(number, required without `end_timestamp`\)/],
    ["private/edit_api_key", /- `max_scope` \(string, required\)/],
    ["private/edit_api_key", /May require a 2FA code/],
    ["private/get_subaccounts_details", /^No parameters\.$|^Parameters:$/m],
    ["public/set_heartbeat", /WebSocket only/],
    ["private/logout", /^Acts on the connection · /m],
    ["private/get_time", /^undefined$/],
  ];
  for (const [method, pattern] of cases)
    test(`${method} ${String(pattern)}`, () => assert.match(String(methodMarkdown(method)), pattern));

  test("of each method: everything that the table knows, and every parameter", () => {
    const references = methodReferences();
    assert.equal(references.length, allMethods().length);
    for (const {
      name,
      section,
      summary,
      documentation,
      isMainAccountOnly = false,
      mayAskSecondFactor = false,
    } of references) {
      const text = methodMarkdown(name) ?? assert.fail(name);
      const facts = allMethods().find((each) => each.name === name) ?? assert.fail(name);
      for (const part of [`**${name}** · ${section}`, summary, `](${documentation})`, ...facts.scopes])
        assert.ok(text.includes(part), `${name}: ${part}`);
      assert.equal(text.includes(" · Main account only"), isMainAccountOnly, name);
      assert.equal(text.includes(" · May require a 2FA code"), mayAskSecondFactor, name);
      assert.equal(text.includes(" · WebSocket only"), facts.isWebSocketOnly === true, name);
      for (const param of paramFactsOf(name))
        assert.ok(text.includes(`\n- \`${param.name}\` (${param.type}`), `${name} ${param.name}`);
      assert.match(text, /^(?:Result|Documented result): `/m, name);
    }
  });

  test("stands at the value of method; that of a parameter at its name, and has its facts", () => {
    assert.match(String(catalogueMarkdown(cursorIn('{ "method": "private/b¦uy" }'))), /^\*\*private\/buy\*\*/);
    const at = (params: string): string | undefined =>
      catalogueMarkdown(cursorIn(`{ "method": "private/create_block_rfq", "params": ${params} }`));
    assert.equal(at('{ "leg¦s": [] }'), "**legs** · array · required");
    assert.equal(at('{ "legs": [{ "direc¦tion": "buy" }] }'), "**direction** · string · values: `buy`, `sell`");
    assert.equal(at('{ "legs": [{ "direction": "b¦uy" }] }'), undefined);
    assert.equal(at('{ "inv¦ented": 1 }'), undefined);
    assert.equal(
      catalogueMarkdown(cursorIn('{ "method": "private/set_mmp_config", "params": { "inter¦val": 5 } }')),
      "**interval** · number · required · 0 to 3600",
    );
    assert.equal(catalogueMarkdown(cursorIn('{ "method": "private/inv¦ented" }')), undefined);
  });
});

/** The parameters of all methods and their members, by the kind of object that they name. */
function meanings(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (method: string, facts: readonly ParamFacts[]): void => {
    for (const { name, members } of facts) {
      const meaning = paramMeaning(method, name);
      if (meaning !== undefined) found.set(meaning, (found.get(meaning) ?? new Set()).add(`${method} ${name}`));
      walk(method, members);
    }
  };
  for (const { name } of allMethods()) walk(name, paramFactsOf(name));
  return found;
}

test("every parameter that names an object is known as such, by its kind", () => {
  const counts = [...meanings()].map(([meaning, places]) => `${meaning} ${String(places.size)}`).sort();
  assert.deepEqual(counts, [
    ...["account 28", "apiKey 7", "blockRfq 10", "blockTrade 5", "combo 1", "currency 60", "currencyPair 3", "index 7"],
    ...["instrument 41", "instrumentNumber 1", "mmpGroup 5", "order 5", "orderLabel 6", "quote 3", "quoteLabel 5"],
    ...["quoteSet 2", "trade 4"],
  ]);
  const other = (name: string): string[] =>
    allMethods()
      .filter(({ name: method }) => paramFactsOf(method).some((each) => each.name === name))
      .filter(({ name: method }) => paramMeaning(method, name) === undefined)
      .map(({ name: method }) => method);
  // Identifiers of objects that no list is known of, or that are no identifiers.
  assert.deepEqual(other("id"), [
    "private/cancel_transfer_by_id",
    "private/cancel_withdrawal",
    "private/set_address_requires_security_key",
  ]);
  assert.deepEqual(other("label"), [
    "private/subscribe",
    "private/add_to_address_book",
    "private/update_in_address_book",
  ]);
  assert.deepEqual(other("destination"), ["private/submit_transfer_to_user"]);
  for (const name of ["instrument_name", "currency", "currency_pair", "index_name", "order_id", "ids", "mmp_group"])
    assert.deepEqual(other(name), [], name);
});
