import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { NOTHING_KNOWN, type KnownObjects } from "../../../src/present/requests/knownObjects.ts";
import { objectSuggestions, MAX_SUGGESTIONS } from "../../../src/present/requests/objectSuggestions.ts";
import {
  placeholderSuggestions,
  requestNameSuggestions,
  type PlaceholderNames,
} from "../../../src/present/requests/placeholderSuggestions.ts";
import {
  codeNotes,
  foundValueLines,
  placeholderLines,
  timestampLines,
} from "../../../src/present/requests/placeholderWords.ts";
import { aboutOrderText, requestsAboutKey, requestsAboutOrder } from "../../../src/present/requests/newRequests.ts";
import { offeredMethods, requestSnippets } from "../../../src/present/requests/requestSnippets.ts";
import type { Suggestion, Suggestions } from "../../../src/present/text/suggestion.ts";
import { variableRows } from "../../../src/present/requests/variableList.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { cursorAt } from "../../../src/requests/file/cursor.ts";
import { findPlaceholders } from "../../../src/requests/values/placeholders.ts";
import { fileRequestText } from "../../../src/requests/values/requestText.ts";
import { resolveKnown, resolveParams } from "../../../src/requests/values/resolve.ts";
import { literalReader } from "../../../src/requests/text/jsonPath.ts";
import { resultText, type KeptResult, type NamedResult } from "../../../src/requests/values/results.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createLookup } from "../../../src/requests/values/variables.ts";
import { HIDDEN } from "../../../src/rpc/maskSecrets.ts";
import type { Order } from "../../../src/state/orders.ts";
import type { Snapshot } from "../../../src/state/snapshot.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { filledSnippet } from "../../snippets.ts";
import { createWorld } from "../../world.ts";
import { BERLIN, item, NOON_MS, order } from "./samples.ts";
import { testInFull } from "../../sizes.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";
import { createBlockTradesStore } from "../../../src/state/blockTrades.ts";
import { createMmpStore } from "../../../src/state/mmp.ts";
import { createKnownLists } from "../../../src/state/knownList.ts";
import { createAccountStore } from "../../../src/state/account.ts";

/* What helps to write a request file, as it is offered and said. ¦ marks the cursor. */

const MOMENT = { nowMs: NOON_MS, times: BERLIN };

function snapshot<Item>(items: readonly (readonly [string, Item])[]): Snapshot<Item> {
  return { status: "live", items: new Map(items), readAtMs: NOON_MS, failure: undefined, unreadable: [] };
}

function known(members: Partial<KnownObjects> = {}): KnownObjects {
  return { ...NOTHING_KNOWN, place: plain`TESTNET main`, ...members };
}

function ordersOf(...orders: readonly Order[]): KnownObjects {
  return known({ orders: snapshot(orders.map((each) => [each.order_id, item(each)] as const)) });
}

function at(input: string): { readonly text: string; readonly cursor: NonNullable<ReturnType<typeof cursorAt>> } {
  const text = input.replace("¦", "");
  const cursor = cursorAt(scanRequests(text), input.indexOf("¦"));
  assert.ok(cursor);
  return { text, cursor };
}

function objects(input: string, of: KnownObjects): Suggestions {
  const { text, cursor } = at(input);
  return objectSuggestions(text, cursor, of, MOMENT);
}

/**
 * The text with the suggestion in its place; and whether the editor would still show it for what stands before the
 * cursor.
 */
function chosen(input: string, { range, newText, filterText }: Suggestion): string {
  const { text, cursor } = at(input);
  const before = text.slice(range.start, cursor.offset);
  assert.ok(
    filterText.toLowerCase().startsWith(before.toLowerCase()) || before.length === 1,
    `${filterText} for ${before}`,
  );
  return text.slice(0, range.start) + newText + text.slice(range.end);
}

const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "¦" } }';

describe("orders and other objects at a parameter", () => {
  test("the newest first, with instrument, side, amount, price and age; the whole text with its quotes is replaced", () => {
    const of = ordersOf(
      order("ETH-1", { creation_timestamp: NOON_MS - 3_600_000 }),
      order("BTC-2", {
        instrument_name: "BTC-PERPETUAL",
        direction: "sell",
        price: 60_000,
        label: "mm-1",
        creation_timestamp: NOON_MS - 60_000,
      }),
    );
    const { items, isIncomplete } = objects(CANCEL, of);
    assert.deepEqual(
      items.map(({ label, description }) => `${label} ${description}`),
      ['"BTC-2" BTC-PERPETUAL · sell 40 @ 60\u202F000 · mm-1 · 1 min', '"ETH-1" ETH-PERPETUAL · buy 40 @ 2100 · 1 h'],
    );
    assert.deepEqual(
      [...items].sort((left, right) => (left.sortText < right.sortText ? -1 : 1)),
      items,
    );
    assert.ok(items.every(({ sortText }) => sortText < '"'));
    assert.equal(chosen(CANCEL, items[0]!), '{ "method": "private/cancel", "params": { "order_id": "BTC-2" } }');
    assert.equal(isIncomplete, false);
    assert.deepEqual(items[0]?.lines.at(-1), "TESTNET main");
  });

  test("typed letters of the instrument or the label find it; those of nothing find nothing", () => {
    const of = ordersOf(order("ETH-1"), order("BTC-2", { instrument_name: "BTC-PERPETUAL", label: "mm-1" }));
    const labels = (typed: string): string[] =>
      objects(CANCEL.replace("¦", `${typed}¦`), of).items.map(({ label }) => label);
    assert.deepEqual(labels("btcper"), ['"BTC-2"']);
    assert.deepEqual(labels("mm-1"), ['"BTC-2"']);
    assert.deepEqual(labels("zz"), []);
  });

  test("ended orders, ids that cannot be shown as they are, other parameters, other methods and names are not offered", () => {
    const orders = snapshot([
      ["A", item(order("A"), NOON_MS)],
      ["B\u202e", item(order("B\u202e"))],
    ]);
    assert.deepEqual(objects(CANCEL, known({ orders })).items, []);
    const of = ordersOf(order("ETH-1"));
    for (const input of [
      '{ "method": "private/cancel", "params": { "x": "¦" } }',
      '{ "method": "private/cancel", "params": { "¦" } }',
      '{ "method": "private/cancel", "order_id": "¦" }',
      '{ "method": "private/cancel", "params": { "order_id": "{{¦" } }',
      '{ "method": "private/get_block_trade", "params": { "id": "¦" } }',
    ]) {
      assert.deepEqual(objects(input, of).items, [], input);
    }
  });

  testInFull("of 100,000 orders the newest 300, and others when more is typed", () => {
    let described = 0;
    let compared = 0;
    const counting = Object.create(order("ETH-0"), {
      instrument_name: { get: () => ((compared += 1), "ETH-PERPETUAL") },
      post_only: { get: () => ((described += 1), false) },
    }) as Order;
    const letters = (index: number): string =>
      String(index % 1000).replace(/\d/g, (digit) => "bcdfgijkmn".charAt(Number(digit)));
    const counted = (index: number): Order =>
      Object.assign(Object.create(counting) as Order, {
        order_id: `ETH-${String(index)}`,
        creation_timestamp: NOON_MS - ((index * 7919) % 100_000) * 1000,
        label: `of ${letters(index)}`,
      });
    const many = ordersOf(...Array.from({ length: 100_000 }, (_, index) => counted(index)));
    const { items, isIncomplete } = objects(CANCEL, many);
    assert.equal(items.length, MAX_SUGGESTIONS);
    assert.equal(described, MAX_SUGGESTIONS, "only what is offered is put into words");
    assert.ok(compared <= 4 * MAX_SUGGESTIONS, "nothing is put together to be compared while nothing is typed");
    assert.equal(isIncomplete, true);
    assert.equal(items[0]?.label, '"ETH-0"');
    assert.deepEqual(pluck(objects(CANCEL.replace("¦", "ETH-77777¦"), many).items, "label"), ['"ETH-77777"']);
    const byLabel = '{ "method": "private/cancel_by_label", "params": { "label": "¦" } }';
    const labels = objects(byLabel, many);
    assert.deepEqual([labels.items.length, labels.isIncomplete], [MAX_SUGGESTIONS, true]);
    assert.deepEqual(
      pluck(objects(byLabel.replace("¦", "f kkk¦"), many).items, "label"),
      ['"of kkk"'],
      "also one whose orders are all older",
    );
  });

  test("a label that looks like a placeholder is offered as the text that it is", () => {
    const [offered] = objects(
      '{ "method": "private/cancel_by_label", "params": { "label": "¦" } }',
      ordersOf(order("ETH-1", { label: "{{desk_note}}" })),
    ).items;
    assert.deepEqual([offered?.label, offered?.newText], ['"{{desk_note}}"', String.raw`"\\{{desk_note}}"`]);
  });

  test("what was not kept up to date says of when it is", () => {
    const orders: KnownObjects["orders"] = { ...snapshot([["ETH-1", item(order("ETH-1"))]]), status: "stale" };
    assert.equal(objects(CANCEL, known({ orders })).items[0]?.lines.at(-1), "TESTNET main, as of 13:00:00");
  });

  test("ids that are numbers are written as such; what the schema offers is left to it", async () => {
    const world = createWorld();
    addBlockTrades(world.exchange.control, 1);
    await world.connect();
    const { live, clock } = world;
    for (const store of [
      live.storeOf(createBlockTradesStore),
      live.apiKeys,
      live.storeOf(createQuotesStore),
      live.storeOf(createMmpStore),
    ])
      store.setVisible(true);
    await clock.advance(2000);
    void live.instruments.load();
    await clock.advance(2000);
    const of: KnownObjects = {
      place: live.place,
      summaries: live.storeOf(createAccountStore).snapshot,
      positions: live.positions,
      orders: live.orders.snapshot,
      blockTrades: live.storeOf(createBlockTradesStore).snapshot,
      apiKeys: live.apiKeys.snapshot,
      quotes: live.storeOf(createQuotesStore).snapshot,
      rfqs: live.storeOf(createQuotesStore).rfqs,
      mmp: live.storeOf(createMmpStore).snapshot,
      instruments: live.instruments.snapshot,
      currencies: live.storeOf(createKnownLists).currencies.snapshot,
      indexNames: live.storeOf(createKnownLists).indexNames.snapshot,
      accounts: live.storeOf(createKnownLists).accounts.snapshot,
      lastTrades: [],
    };
    const now = { nowMs: clock.now(), times: BERLIN };
    const first = (method: string, param: string): string => {
      const { text, cursor } = at(`{ "method": "${method}", "params": { "${param}": ¦ } }`);
      const { items } = objectSuggestions(text, cursor, of, now);
      return `${param} ${items.length > 0 ? "some" : "none"} ${typeof JSON.parse(items[0]?.newText ?? "null")}`;
    };
    assert.deepEqual(
      [
        ...[
          first("private/cancel", "order_id"),
          first("private/get_block_trade", "id"),
          first("private/get_block_trades", "start_id"),
          first("private/edit_api_key", "id"),
          first("private/change_scope_in_api_key", "id"),
        ],
        ...[
          first("private/cancel_block_rfq_quote", "block_rfq_quote_id"),
          first("private/cancel_all_block_rfq_quotes", "block_rfq_id"),
          first("public/get_last_trades_by_instrument", "instrument_name"),
        ],
        ...[
          first("private/get_mmp_config", "mmp_group"),
          first("private/get_mmp_config", "index_name"),
          first("private/get_open_orders_by_currency", "currency"),
        ],
      ],
      [
        ...["order_id some string", "id some string", "start_id some string", "id some number", "id some number"],
        ...["block_rfq_quote_id some number", "block_rfq_id some number", "instrument_name some string"],
        ...["mmp_group some string", "index_name none object", "currency some string"],
      ],
    );
    const asked = world.exchange.control.ledger().length;
    first("private/cancel", "order_id");
    await clock.advance(2000);
    assert.equal(
      world.exchange.control
        .ledger()
        .slice(asked)
        .filter(({ method }) => method !== "public/test").length,
      0,
      "nothing is asked for",
    );
    live.dispose();
  });
});

function kept(result: NamedResult): KeptResult {
  return { ...result, literalAt: literalReader(() => resultText(result)) };
}

const OPEN = kept({
  name: "open",
  atMs: NOON_MS - 90_000,
  bodyText: '[{"order_id":"ETH-1","price":2100.50,"client_secret":"aB3dE5fG7hI9jK1lM3nO5p"},{"order_id":"ETH-2"}]',
  isError: false,
  environment: "test",
  connectionId: "main",
});

function names(): PlaceholderNames {
  const variables = [{ name: "max", valueText: "5", range: { start: 0, end: 0 } }];
  const lookup = createLookup({
    resultOf: (name) => (name === "open" ? OPEN : undefined),
    fileVars: variables,
    environmentVars: [
      {
        source: { kind: "environment", uri: "file:///work/rpc.env.json", section: "*" },
        values: new Map([
          ["max", "7"],
          ["instrument", '"BTC-PERPETUAL"'],
        ]),
      },
    ],
    environment: "test",
    clock: createFakeClock(),
    uuid: () => "00000000-0000-4000-8000-000000000000",
  });
  return {
    variables: ["max", "instrument"],
    results: [OPEN],
    waiting: [{ name: "later", method: "private/get_order_state" }],
    lookup,
  };
}

function placeholders(input: string): readonly Suggestion[] {
  const { text, cursor } = at(input);
  return placeholderSuggestions(text, cursor, names(), MOMENT).items;
}

const inParams = (value: string): string => `{ "method": "private/cancel", "params": { "order_id": ${value} } }`;

describe("placeholders at the cursor", () => {
  test("responses with their first levels, variables, names without a response, and what is built in", () => {
    const offered = placeholders(inParams('"{{¦"')).map(({ label, description }) => `${label} = ${description}`);
    assert.deepEqual(offered.slice(0, 8), [
      "open.result = […]",
      "open.result[0] = {…}",
      'open.result[0].order_id = "ETH-1"',
      "open.result[0].price = 2100.50",
      "open.result[0].client_secret = secret: hidden",
      "max = 5",
      'instrument = "BTC-PERPETUAL"',
      "later.result = no response yet",
    ]);
    assert.deepEqual(
      offered.slice(8).map((each) => each.split(" ")[0]),
      [
        "$now",
        "$now-1h",
        "$now-1d",
        "$uuid",
        "$env",
        "$pick.order",
        "$pick.position",
        "$pick.blockTrade",
        "$pick.apiKey",
        "$pick.instrument",
        "$pick.quote",
        "$ask.Value",
      ],
    );
    assert.ok(!JSON.stringify(placeholders(inParams('"{{¦"'))).includes("aB3dE5fG7hI9jK1lM3nO5p"));
  });

  test("the whole text is replaced, whether it is closed or not, alone or within another", () => {
    const written = (input: string, path: string): string =>
      chosen(
        input,
        placeholders(input).find(({ newText }) => newText.includes(`{{${path}}}`))!,
      );
    assert.equal(written(inParams('"{{¦"'), "max"), inParams('"{{max}}"'));
    assert.equal(written(inParams('"{{ma¦}}"'), "max"), inParams('"{{max}}"'));
    assert.equal(written(inParams('"a-{{¦}}-{{b}}"'), "max"), inParams('"a-{{max}}-{{b}}"'));
    assert.equal(written(inParams('"¦"'), "max"), inParams('"{{max}}"'));
    assert.equal(written(inParams("¦"), "max"), inParams('"{{max}}"'));
    assert.equal(
      written(inParams('"{{open.result[0].¦}}"'), "open.result[0].price"),
      inParams('"{{open.result[0].price}}"'),
    );
    assert.equal(written(inParams('"{{max|¦}}"'), "max|string"), inParams('"{{max|string}}"'));
  });

  test("deeper in a response by whatever path", () => {
    assert.deepEqual(pluck(placeholders(inParams('"{{open.result[order_id=ETH-2].¦"')), "label"), [
      "open.result[order_id=ETH-2].order_id",
    ]);
    assert.deepEqual(pluck(placeholders(inParams('"{{open.result[-1].or¦"')), "label"), ["open.result[-1].order_id"]);
  });

  test("not in names, in the method or in the id; in $run.after the names of requests", () => {
    for (const input of [
      '{ "method": "{{¦" }',
      '{ "id": "¦" }',
      '{ "params": { "{{¦" } }',
      '{ "$run": { "name": "¦" } }',
    ])
      assert.deepEqual(placeholders(input), [], input);
    const { cursor } = at('{ "$run": { "after": ["¦"] } }');
    assert.deepEqual(pluck(requestNameSuggestions(cursor, ["open"]), "newText"), ['"open"']);
  });
});

describe("what a placeholder says of itself", () => {
  const lines = (text: string): readonly string[] =>
    placeholderLines(findPlaceholders(text)[0]!, names().lookup, MOMENT);
  const cases: readonly [string, readonly string[]][] = [
    ['"{{max}}"', ["5", "from $file.vars", "overrides the value from work/rpc.env.json, section *"]],
    ['"{{max|string}}"', ['"5"', "from $file.vars", "overrides the value from work/rpc.env.json, section *"]],
    ['"a {{instrument}}"', ['"BTC-PERPETUAL"', "from work/rpc.env.json, section *"]],
    ['"{{open.result[0].price}}"', ["2100.50", "from the response of open", "12:58:30, 2 min ago"]],
    ['"{{open.result[0].client_secret}}"', ["secret: hidden", "from the response of open", "12:58:30, 2 min ago"]],
    ['"{{absent}}"', ["absent has no value here.", "The request is not sent until this has a value."]],
    [
      '"{{$session.refreshToken}}"',
      [
        "secret: hidden",
        "The refresh token of the connection. It is inserted automatically and never appears in files, responses, or logs.",
      ],
    ],
    ['"{{$pick.order}}"', ["Selected from a list when the request is sent. In the terminal, set it with --var."]],
    ['"{{$env}}"', ['"test"', "computed when the request is sent"]],
  ];
  for (const [text, expected] of cases) test(text, () => assert.deepEqual(lines(text), expected));

  test("a secret within a value is hidden, and what stands around it is not", () => {
    const found = {
      valueText: '{"order_id":"ETH-1","client_secret":"hush","list":[{"password":"pst"}]}',
      source: { kind: "file" },
      shadowed: [],
    } as const;
    assert.ok(!/hush|pst/.test(foundValueLines("made", found, MOMENT).join()));
    assert.match(foundValueLines("made", found, MOMENT)[0] ?? "", /"order_id":"ETH-1"/);
  });

  test("a timestamp is a date; another number is none", () => {
    assert.deepEqual(timestampLines("start_timestamp", String(NOON_MS - 60_000), MOMENT), [
      "2026-11-20 12:59:00.000 GMT+1",
      "2026-11-20 11:59:00.000 UTC",
      "1 min ago",
    ]);
    assert.equal(timestampLines("count", String(NOON_MS), MOMENT), undefined);
    assert.equal(timestampLines("start_timestamp", "5", MOMENT), undefined);
  });
});

test("a program that is made of a request says where its values come from, and what is left", () => {
  const filled = resolveKnown(
    '{"a":"{{max}}","b":"{{open.result[0].price}}","c":"{{$pick.order}}","d":"{{absent}}","e":"{{$env}}","f":"{{max}}"}',
    names().lookup,
  );
  assert.deepEqual(codeNotes(filled, MOMENT), [
    "Fill in {{$pick.order}}: Selected from a list when the request is sent. In the terminal, set it with --var.",
    "Fill in {{absent}}: absent has no value here.",
    "max: from $file.vars.",
    "open.result[0].price: from the response of open, 2026-11-20 12:58:30.000 GMT+1.",
    "$env: computed when the code was copied.",
  ]);
});

describe("the variables of a file", () => {
  const text = `[
  { "$file": { "vars": { "max": 5, "made": "{{max}}0", "client_secret": "{{$ask.Secret}}", "keys": { "password": "hush" } } }, "method": "private/get_open_orders", "$run": { "name": "open" } },
  { "method": "private/cancel", "params": { "order_id": "{{$pick.order}}" }, "$run": { "name": "gone", "vars": { "max": 0.10, "own": 1e-8 } } }
]`;
  const file = scanRequests(text);
  const rows = variableRows(
    {
      file,
      environmentVars: [
        {
          source: { kind: "environment", uri: "file:///work/rpc.env.json", section: "*" },
          values: new Map([
            ["max", "7"],
            ["instrument", '"BTC-PERPETUAL"'],
          ]),
        },
      ],
      results: [OPEN],
      waiting: ["gone"],
      environment: "test",
      clock: createFakeClock(),
      uuid: () => "",
    },
    MOMENT,
  );

  test("each with its value, where that comes from, and what it stands before; secrets are hidden", () => {
    assert.deepEqual(pluck(rows, "name", "value", "source"), [
      ["max", "5", "from $file.vars · overrides the value from work/rpc.env.json, section *"],
      ["made", '"50"', "from $file.vars"],
      ["client_secret", '"{{$ask.Secret}}"', "from $file.vars"],
      ["keys", `{"password":"${HIDDEN}"}`, "from $file.vars"],
      ["instrument", '"BTC-PERPETUAL"', "from work/rpc.env.json, section *"],
      [
        "max",
        "0.10",
        "from $run.vars of this request · overrides the value from $file.vars · overrides the value from work/rpc.env.json, section * (gone)",
      ],
      ["own", "1e-8", "from $run.vars of this request (gone)"],
      [
        "open.result",
        rows.find(({ name }) => name === "open.result")?.value ?? "",
        "from the response of open · 12:58:30, 2 min ago",
      ],
      ["gone.result", "", "no response yet"],
      ["$ask.Secret", "", "Entered when the request is sent. In the terminal, set it with --var."],
      ["$pick.order", "", "Selected from a list when the request is sent. In the terminal, set it with --var."],
    ]);
    assert.ok(!JSON.stringify(rows).includes("aB3dE5fG7hI9jK1lM3nO5p") && !JSON.stringify(rows).includes("hush"));
  });

  test("each leads to where it is defined", () => {
    assert.deepEqual(
      rows.map(({ definition }) =>
        definition.kind === "here"
          ? text.slice(definition.range.start, definition.range.end)
          : definition.kind === "result"
            ? definition.name
            : `${definition.uri} ${definition.section} ${definition.name}`,
      ),
      [
        '"max"',
        '"made"',
        '"client_secret"',
        '"keys"',
        "file:///work/rpc.env.json * instrument",
        '"max"',
        '"own"',
        "open",
        "gone",
        "{{$ask.Secret}}",
        "{{$pick.order}}",
      ],
    );
    assert.ok(
      rows[5]?.definition.kind === "here" &&
        rows[0]?.definition.kind === "here" &&
        rows[5].definition.range.start > rows[0].definition.range.start,
    );
  });

  test("none of a file without names", () => {
    assert.deepEqual(
      variableRows(
        {
          file: scanRequests('{ "method": "public/test" }'),
          environmentVars: [],
          results: [],
          waiting: [],
          environment: "test",
          clock: createFakeClock(),
          uuid: () => "",
        },
        MOMENT,
      ),
      [],
    );
  });
});

describe("requests that are written for the user", () => {
  test("every snippet is a request that its method takes, once its places are filled; common reads come first", () => {
    const snippets = requestSnippets({
      ...{ needsCommaBefore: false, needsCommaAfter: false, range: { start: 0, end: 0 }, nextId: 1 },
    });
    assert.equal(snippets.length, offeredMethods().length);
    assert.deepEqual(
      snippets.slice(0, 2).map(({ label }) => label),
      ["private/get_open_orders", "private/get_positions"],
    );
    for (const { label, newText } of snippets) {
      const filled = filledSnippet(newText);
      const file = scanRequests(filled);
      assert.equal(file.requests[0]?.method, label);
      assert.deepEqual(
        checkFile(file)
          .filter(({ severity }) => severity === "error")
          .map(({ message }) => `${label}: ${message}`),
        [],
        filled,
      );
    }
  });

  test("between others with the commas that it needs", () => {
    const [snippet] = requestSnippets({
      ...{ needsCommaBefore: true, needsCommaAfter: true, range: { start: 0, end: 0 }, nextId: 3 },
    });
    assert.match(snippet?.newText ?? "", /^,\{\n {2}"jsonrpc": "2\.0",\n {2}"id": 3,[^]*,$/);
  });

  test("about an order: the question names it, and its instrument is text of the exchange", () => {
    assert.match(aboutOrderText(order("ETH-1")), /^Select a request for ETH-PERPETUAL /);
    assert.match(
      aboutOrderText(order("ETH-1", { instrument_name: "[x](command:y)\u202E" })),
      /^Select a request for \[x\] \(command:y\)\\u202E /,
    );
  });

  test("about an order and a key: each can be sent as it stands; a scope that is not known holds it back", () => {
    const problems = ({
      method,
      params,
    }: {
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    }): string[] =>
      checkFile(scanRequests(fileRequestText({ id: 1, method, params })))
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message);
    for (const each of requestsAboutOrder(order("ETH-1", { label: "mm-1" })))
      assert.deepEqual(problems(each), [], each.method);
    assert.equal(requestsAboutOrder(order("ETH-1")).length, 4);
    const byLabel = requestsAboutOrder(order("ETH-1", { label: "{{desk_note}}" })).at(-1) ?? assert.fail();
    const written = resolveParams(
      scanRequests(fileRequestText({ id: 1, ...byLabel })).requests[0]?.paramsText ?? "",
      () => ({ valueText: '"other"', source: { kind: "file" }, shadowed: [] }),
    );
    assert.deepEqual(written.kind === "resolved" && JSON.parse(written.paramsText), { label: "{{desk_note}}" });
    const key = {
      id: 4,
      client_id: "x",
      name: "main",
      max_scope: ["account:read", "trade:read"],
      timestamp: NOON_MS,
      enabled: true,
    };
    for (const each of requestsAboutKey({ id: 4, key, source: "listed", seenAtMs: undefined, isTyped: false }))
      assert.deepEqual(problems(each), [], each.method);
    assert.deepEqual(
      requestsAboutKey({ id: 4, key, source: "listed", seenAtMs: undefined, isTyped: false })[0]?.params,
      { id: 4, max_scope: "account:read trade:read", name: "main", enabled: true },
    );
    assert.match(
      problems(
        requestsAboutKey({ id: 4, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true })[1]!,
      ).join(),
      /max_scope/,
    );
  });
});
