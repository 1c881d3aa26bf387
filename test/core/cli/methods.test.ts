import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readArguments } from "../../../src/cli/arguments.ts";
import type { MethodsWishes } from "../../../src/cli/methodsArguments.ts";
import { describeMethods } from "../../../src/cli/methods.ts";
import { allMethods, isOfferedAt } from "../../../src/catalogue/index.ts";

function wishesOf(...words: readonly string[]): MethodsWishes {
  const read = readArguments(["methods", ...words]);
  assert.ok(read.kind === "methods", JSON.stringify(read));
  return read.wishes;
}

function textOf(...words: readonly string[]): string {
  const described = describeMethods(wishesOf(...words), "1.2.3");
  assert.ok(described.kind === "text", JSON.stringify(described));
  return described.text;
}

function complaints(...words: readonly string[]): readonly string[] {
  const described = describeMethods(wishesOf(...words), "1.2.3");
  assert.ok(described.kind === "wrong");
  return described.messages;
}

describe("trading-rpc methods", () => {
  test("the list has each method in a line below its section, with what it does", () => {
    const lines = textOf().split("\n");
    const rows = lines.filter((line) => line.startsWith("  "));
    assert.equal(rows.length, allMethods().length);
    assert.deepEqual(
      rows.map((line) => line.trim().split(" ")[0]).sort(),
      allMethods()
        .map(({ name }) => name)
        .sort(),
    );
    const trading = lines.indexOf("Trading");
    assert.equal(lines[trading - 1], "");
    const buy = lines.findIndex((line) => /^ {2}private\/buy {2,}Places a buy order\. \(write request\)$/.test(line));
    const cancel = lines.findIndex((line) => /^ {2}private\/cancel {2,}\S.* \(write request: cancels\)$/.test(line));
    assert.ok(trading >= 0 && buy > trading && cancel > trading);
  });

  test("a name shows everything that is known of the method", () => {
    assert.equal(
      textOf("private/get_mmp_status", "public/subscribe").replace(/(?<=btc_usd, ).*(?=, all)/, "…"),
      [
        "private/get_mmp_status",
        "  Lists the frozen MMP groups.",
        "",
        "  Section        Trading",
        "  Access         private",
        "  Scope          trade:read, block_rfq:read if block_rfq is true",
        "  Kind           read request",
        "  Rate limit     Costs 500 of 50\u202F000 credits",
        "  Gateway        not offered",
        "  Documentation  https://docs.deribit.com/api-reference/trading/private-get_mmp_status",
        "",
        "  Parameters",
        "    index_name  string",
        "                Index (default: all).",
        "                Known values: btc_usd, …, all",
        "    mmp_group   string, up to 64 characters",
        "                MMP group of mass quotes. Empty for regular orders. Requires index_name.",
        "    block_rfq   boolean",
        "                Whether the request is about Block RFQ quotes instead of orders and quotes (default: false).",
        "    mmp_group requires index_name.",
        "",
        "  Result",
        "    object[]",
        "      index_name    string",
        "      frozen_until  integer",
        "      mmp_group     string",
        "      block_rfq     boolean",
        "",
        "public/subscribe",
        "  Subscribes to public channels and returns the accepted ones. WebSocket only.",
        "",
        "  Section        Subscription Management",
        "  Access         public",
        "  Scope          none",
        "  Kind           acts on the connection",
        "  Rate limit     Costs 3000 of 30 000 credits",
        "  Transport      WebSocket only",
        "  Gateway        offered",
        "  Documentation  https://docs.deribit.com/api-reference/subscription-management/public-subscribe",
        "",
        "  Parameters",
        "    channels  string[], required, 1 to 500 items",
        "              Channel names, for example user.orders.any.any.raw.",
        "",
        "  Result",
        "    string[]",
        "",
      ].join("\n"),
    );
  });

  test("a condition, a value of one of several types, and a result that is no more than documented", () => {
    const withdraw = textOf("private/withdraw");
    assert.match(withdraw, /^ {2}Account {8}main account only$/m);
    assert.match(withdraw, /^ {2}Kind {11}write request: moves money or changes the wallet$/m);
    assert.match(withdraw, /^ {2}Result as documented \(responses can differ\)$/m);
    assert.match(textOf("private/create_api_key"), /^ {2}2FA {12}the exchange may ask for a 2FA code$/m);
    assert.match(textOf("private/buy"), /^ {2}Rate limit {5}Costs 1 of 20 matching-engine requests$/m);
    assert.match(textOf("private/buy"), /^ {6}order {3}object\n {8}order_id +string$/m);
    assert.match(textOf("private/buy"), /^ {8}price +number \| string$/m);
    assert.match(textOf("private/edit_api_key"), /^ {4}max_scope +string \| array, required$/m);
    assert.match(textOf("public/get_time"), /^ {2}Parameters\n {4}none\n\n {2}Result\n {4}integer$/m);
    assert.match(textOf("private/set_disabled_trading_products"), /^ +Known values: perpetual, futures, /m);
    assert.match(textOf("public/get_last_trades_by_instrument"), /^ +One of: asc, desc, default$/m);
  });

  test("for programs: an array of objects with a line for each, all or those that are named", () => {
    const all = JSON.parse(textOf("--json")) as readonly Readonly<Record<string, unknown>>[];
    assert.equal(all.length, allMethods().length);
    for (const each of all)
      for (const member of [
        "name",
        "access",
        "scope",
        "effect",
        "section",
        "rate",
        "params",
        "documentation",
        "summary",
      ])
        assert.ok(member in each, `${String(each["name"])} ${member}`);
    const named = textOf("public/ticker", "private/cancel", "--json");
    assert.equal(named.trim().split("\n").length, 4);
    const [ticker, cancel] = JSON.parse(named) as typeof all;
    assert.deepEqual([ticker?.["name"], cancel?.["effect"]], ["public/ticker", "reduce"]);
    assert.deepEqual(cancel?.["params"], [
      { name: "order_id", type: "string", required: true, minLength: 1, description: "Unique order identifier." },
    ]);
  });

  test("channels, with what their placeholders are known to stand for", () => {
    assert.equal(textOf("--channels").trim().split("\n").length, 52);
    assert.equal((JSON.parse(textOf("--channels", "--json")) as readonly unknown[]).length, 52);
    assert.equal(
      textOf("--channels", "ticker.{instrument_name}.{interval}"),
      [
        "ticker.{instrument_name}.{interval}",
        "  Ticker of an instrument: best bid and ask, mark price, and statistics.",
        "",
        "  Access             public",
        "  Scope              none",
        "  {instrument_name}  any text without a dot",
        "  {interval}         Known values: raw, 100ms, agg2",
        "",
      ].join("\n"),
    );
  });

  test("an unknown name is told with those it may have meant, and nothing is listed", () => {
    assert.deepEqual(complaints("public/tickr", "private/buy", "subscribe"), [
      "Unknown method public/tickr. Did you mean public/ticker, public/test?",
      "Unknown method subscribe. Did you mean public/subscribe, private/subscribe?",
    ]);
    assert.deepEqual(complaints("--json", "private/frobnicate\u202e"), ["Unknown method private/frobnicate\\u202E."]);
    assert.deepEqual(complaints("--channels", "user.acces_log"), [
      "Unknown channel user.acces_log. Did you mean user.access_log?",
    ]);
    assert.deepEqual(complaints("--channels", "public/ticker"), ["Unknown channel public/ticker."]);
  });

  test("OpenRPC: a document with the version of the program, and the servers of the exchange", () => {
    const { openrpc, info, servers, methods } = JSON.parse(textOf("--openrpc")) as {
      readonly openrpc: string;
      readonly info: { readonly version: string };
      readonly servers: readonly object[];
      readonly methods: readonly object[];
    };
    const ownMethods = allMethods().filter(({ name }) => isOfferedAt(name, "native"));
    assert.deepEqual([openrpc, info.version, methods.length], ["1.3.2", "1.2.3", ownMethods.length]);
    assert.deepEqual(servers, [
      { name: "test", url: "wss://test.deribit.com/ws/api/v2" },
      { name: "production", url: "wss://www.deribit.com/ws/api/v2" },
    ]);
  });

  test("--env lists what the servers of an environment offer, and says what they don't", () => {
    const count = (...words: string[]): number => (JSON.parse(textOf("--json", ...words)) as readonly unknown[]).length;
    assert.deepEqual([count(), count("--env", "prod"), count("--env", "gateway")], [192, 185, 104]);
    assert.deepEqual([count("--channels", "--env", "prod"), count("--channels", "--env", "gateway")], [43, 43]);
    assert.deepEqual(complaints("--env", "gateway", "private/mass_quote", "private/buy"), [
      "private/mass_quote is not offered in this environment.",
    ]);
    assert.deepEqual(complaints("--env", "prod", "private/set_leverage"), [
      "private/set_leverage is not offered in this environment.",
    ]);
    assert.match(textOf("public/tickers_by_currency"), /^ {2}Gateway {8}offered there only$/m);
    const buy = textOf("--env", "gateway", "private/buy");
    assert.match(buy, /^ {2}Gateway {8}offered, key permission trade, OAuth scope wallet:buys:create$/m);
    assert.match(buy, /^ {2}Parameters of the Coinbase gateway\n {4}isolated {10}boolean$/m);
  });

  test("no name of a method is taken for a secret", () => {
    for (const { name } of allMethods()) assert.deepEqual(wishesOf(name).names, [name]);
  });
});
