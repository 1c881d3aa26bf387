import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readFromPage, readToPage } from "../../../src/panel/messages.ts";
import { pageHtml } from "../../../src/ui/editor/pageHtml.ts";
import { pageWords } from "../../../src/ui/trades/pageText.ts";

/* What the page of Last Trades and the extension say to each other. */

describe("messages of the page", () => {
  for (const kind of ["ready", "loadMore", "pause", "resume", "reload", "changeParameters"]) {
    test(`${kind} is understood, and nothing else of it`, () =>
      assert.deepEqual(readFromPage({ kind, command: "tradingRpc.order.cancelAll" }), { kind }));
  }

  test("a request about a trade has its number and nothing else of it", () => {
    assert.deepEqual(readFromPage({ kind: "place", seq: 7, price: 1, side: "buy" }), { kind: "place", seq: 7 });
    assert.equal(readFromPage({ kind: "place" }), undefined);
    assert.deepEqual(readFromPage({ kind: "copy", seq: 7 }), { kind: "copy", seq: 7 });
    assert.deepEqual(readFromPage({ kind: "open", seq: 7, method: "private/cancel" }), { kind: "open", seq: 7 });
    for (const seq of [undefined, "7", 7.5, Number.NaN, 2 ** 60, null, {}])
      assert.equal(readFromPage({ kind: "open", seq }), undefined);
  });

  test("nothing is nothing", () => assert.equal(readFromPage(undefined), undefined));
  for (const other of [
    null,
    7,
    "ready",
    [],
    {},
    { kind: "cancel", seq: 7 },
    { kind: "toString" },
    { kind: ["ready"] },
    { kind: "command", command: "x" },
  ]) {
    test(`${JSON.stringify(other)} is nothing`, () => assert.equal(readFromPage(other), undefined));
  }
});

describe("messages to the page", () => {
  const series = { timesMs: [1], prices: [2], amounts: [3], ivs: [null], isBuy: [true] };
  const empty = { rows: [], series: { timesMs: [], prices: [], amounts: [], ivs: [], isBuy: [] } };
  const rows = [{ seq: 1 }];
  const trades = (delta: unknown): unknown => ({
    kind: "trades",
    parameters: "",
    isConnected: true,
    canPlace: true,
    delta,
  });

  test("whole models and changes are understood", () => {
    for (const message of [
      trades({ kind: "reset", model: { rows, series } }),
      trades({ kind: "change", head: {}, droppedOldest: 0, older: empty, newer: { rows, series } }),
      { kind: "setup", words: {}, timeZone: "UTC" },
    ]) {
      assert.equal(readToPage(message), message);
    }
  });

  const broken: readonly [string, unknown][] = [
    ["another kind", { kind: "run" }],
    ["a string", "trades"],
    ["no delta", trades(undefined)],
    ["a delta of another kind", trades({ kind: "patch" })],
    [
      "columns that are shorter than the rows",
      trades({ kind: "reset", model: { rows, series: { ...series, prices: [] } } }),
    ],
    ["a missing column", trades({ kind: "reset", model: { rows, series: { ...series, ivs: undefined } } })],
    ["a change without its older part", trades({ kind: "change", head: {}, droppedOldest: 0, newer: empty })],
    [
      "a change that drops no number of rows",
      trades({ kind: "change", head: {}, droppedOldest: 0.5, older: empty, newer: empty }),
    ],
    [
      "no word about placing orders",
      { kind: "trades", parameters: "", isConnected: true, delta: { kind: "reset", model: { rows, series } } },
    ],
    ["a setup without words", { kind: "setup", timeZone: "UTC" }],
  ];
  for (const [name, message] of broken) {
    test(`${name} is nothing`, () => assert.equal(readToPage(message), undefined));
  }
});

describe("the page around the program", () => {
  const html = pageHtml({
    script: 'https://x/panel.js?a="b"',
    style: "https://x/panel.css",
    nonce: "N0nce",
    title: '<script>alert("A-1")</script>',
    language: "en",
  });

  test("it may load its own script and style by their nonce, and nothing else", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-N0nce'; style-src 'nonce-N0nce'; base-uri 'none'; form-action 'none'",
    );
    assert.equal(html.match(/<script /g)?.length, 1);
    assert.match(html, /<script nonce="N0nce" src="https:\/\/x\/panel\.js\?a=&#34;b&#34;"><\/script>/);
    assert.match(html, /<link rel="stylesheet" nonce="N0nce" href="https:\/\/x\/panel\.css">/);
    assert.doesNotMatch(html, /style=|onload|<style/);
  });

  test("what the exchange calls an instrument is no markup", () => {
    assert.match(html, /<title>&#60;script&#62;alert\(&#34;A-1&#34;\)&#60;\/script&#62;<\/title>/);
  });

  test("no sentence is empty", () => {
    const found = Object.values<string>({ ...pageWords() }).filter((text) => text.trim() === "");
    assert.deepEqual(found, []);
  });
});
