import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { channelSuggestions, neededLists } from "../../../../src/present/requests/channelSuggestions.ts";
import { NOTHING_KNOWN, type KnownObjects } from "../../../../src/present/requests/knownObjects.ts";
import type { Suggestions } from "../../../../src/present/text/suggestion.ts";
import { cursorAt, type Cursor } from "../../../../src/requests/file/cursor.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import type { Instrument } from "../../../../src/state/instruments.ts";

/* Names of channels while they are being typed. ¦ marks the cursor. */

const instrument = (name: string, isActive = true): Instrument => ({
  name,
  id: undefined,
  kind: "future",
  isActive,
  expiresAtMs: undefined,
  steps: { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined },
  currencies: { base: undefined, quote: undefined, settlement: undefined },
});

const KNOWN: KnownObjects = {
  ...NOTHING_KNOWN,
  instruments: {
    items: [instrument("BTC-PERPETUAL"), instrument("ETH-PERPETUAL"), instrument("ETH-1JAN20", false)],
    readAtMs: 0,
    failure: undefined,
  },
  currencies: { items: ["BTC", "SOL"], readAtMs: 0, failure: undefined },
  indexNames: { items: ["btc_usd", "eth_usd"], readAtMs: 0, failure: undefined },
};

function at(typed: string, method = "private/subscribe"): { readonly text: string; readonly cursor: Cursor } {
  const input = `{ "method": "${method}", "params": { "channels": ["${typed}¦"] } }`;
  const text = input.replace("¦", "");
  return { text, cursor: cursorAt(scanRequests(text), input.indexOf("¦")) ?? assert.fail(typed) };
}

function suggestions(typed: string, method?: string): Suggestions {
  const { text, cursor } = at(typed, method);
  return channelSuggestions(text, cursor, KNOWN);
}

const labels = (typed: string, method?: string): string[] => suggestions(typed, method).items.map(({ label }) => label);

describe("names of channels", () => {
  test("all 52 before anything is typed; public ones alone for a public request", () => {
    assert.equal(labels("").length, 52);
    const open = labels("", "public/subscribe");
    assert.ok(open.includes("ticker.{instrument_name}.{interval}"));
    assert.ok(open.every((each) => !each.startsWith("user.")));
    assert.deepEqual(labels("", "private/unsubscribe"), labels(""));
  });

  test("segment by segment, with the known words and what is known of the connection", () => {
    assert.deepEqual(labels("tick"), ["ticker.{instrument_name}.{interval}"]);
    assert.deepEqual(labels("ticker.eth"), ["ticker.ETH-PERPETUAL.{interval}"]);
    assert.deepEqual(labels("ticker.ETH-PERPETUAL."), [
      "ticker.ETH-PERPETUAL.raw",
      "ticker.ETH-PERPETUAL.100ms",
      "ticker.ETH-PERPETUAL.agg2",
    ]);
    assert.deepEqual(labels("deribit_price_index."), ["deribit_price_index.btc_usd", "deribit_price_index.eth_usd"]);
    assert.deepEqual(labels("user.portfolio.s"), ["user.portfolio.USDC", "user.portfolio.USDT", "user.portfolio.SOL"]);
    assert.deepEqual(labels("user.orders.future.bt"), [
      "user.orders.future.BTC.raw",
      "user.orders.future.BTC.{interval}",
    ]);
    assert.deepEqual(labels("no.such.channel"), []);
  });

  test("what is left is filled in by a choice or a place, and the whole text is replaced", () => {
    const [ticker] = suggestions("ticker.eth").items;
    assert.equal(ticker?.newText, '"ticker.ETH-PERPETUAL.${1|raw,100ms,agg2|}"');
    const { text } = at("ticker.eth");
    assert.equal(text.slice(ticker.range.start, ticker.range.end), '"ticker.eth"');
    assert.equal(ticker.filterText, '"ticker.ETH-PERPETUAL.{interval}"');
    const [orders] = suggestions("user.orders").items;
    assert.equal(
      orders?.newText,
      '"user.orders.${1|any,future,option,spot,future_combo,option_combo|}.${2|any,BTC,ETH,USDC,USDT,EURR|}.raw"',
    );
  });

  test("nowhere but in the channels of a request about channels", () => {
    for (const input of [
      '{ "method": "private/subscribe", "params": { "channels": "¦" } }',
      '{ "method": "private/subscribe", "params": { "label": "¦" } }',
      '{ "method": "private/buy", "params": { "channels": ["¦"] } }',
      '{ "method": "private/subscribe", "params": { "channels": ["{{¦"] } }',
    ]) {
      const text = input.replace("¦", "");
      const cursor = cursorAt(scanRequests(text), input.indexOf("¦")) ?? assert.fail(input);
      assert.deepEqual(channelSuggestions(text, cursor, KNOWN).items, [], input);
    }
  });
});

describe("the lists that a value can come from", () => {
  const needed = (method: string, params: string): readonly string[] => {
    const input = `{ "method": "${method}", "params": ${params} }`;
    const text = input.replace("¦", "");
    return neededLists(text, cursorAt(scanRequests(text), input.indexOf("¦")) ?? assert.fail(input));
  };

  test("are asked for at the parameters that have them, and at no other", () => {
    assert.deepEqual(needed("private/buy", '{ "instrument_name": "¦" }'), ["instruments"]);
    assert.deepEqual(needed("private/create_combo", '{ "trades": [{ "instrument_name": "¦" }] }'), ["instruments"]);
    assert.deepEqual(needed("private/get_positions", '{ "currency": "¦" }'), ["currencies"]);
    assert.deepEqual(needed("public/get_index_price", '{ "index_name": "¦" }'), ["indexNames"]);
    assert.deepEqual(needed("private/get_positions", '{ "subaccount_id": ¦ }'), ["accounts"]);
    for (const params of ['{ "order_id": "¦" }', '{ "label": "¦" }', '{ "instrument_name¦": "" }', '{ "amount": ¦ }'])
      assert.deepEqual(needed("private/buy", params), [], params);
    assert.deepEqual(needed("private/buy", '{ "instrument_name": "{{¦" }'), []);
  });

  test("of channels only those of the segment that is being typed", () => {
    const ofChannel = (typed: string): readonly string[] => {
      const { text, cursor } = at(typed);
      return neededLists(text, cursor);
    };
    assert.deepEqual(ofChannel(""), []);
    assert.deepEqual(ofChannel("tick"), []);
    assert.deepEqual(ofChannel("ticker."), ["instruments"]);
    assert.deepEqual(ofChannel("ticker.ETH-PERPETUAL."), []);
    assert.deepEqual(ofChannel("user.portfolio."), ["currencies"]);
    assert.deepEqual(ofChannel("deribit_price_index."), ["indexNames"]);
  });
});
