import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  aboutOf,
  askedFields,
  changeNote,
  channelMethod,
  commandsOfChanges,
  isCancelOfOne,
  judgedBy,
  objectKey,
  toldBy,
  whyNotSent,
  writeKey,
} from "../../../../src/actions/changes/changes.ts";
import { effectOf, knownMethods } from "../../../../src/catalogue/index.ts";

/** Everything that is known of a request, in a line. */
function described(method: string, params: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(params);
  const object = objectKey(method, params) ?? "-";
  const asked = askedFields(method, params);
  return [
    aboutOf(method) ?? "-",
    `judged by ${judgedBy(method, effectOf(method))}`,
    `told by ${toldBy(method)}`,
    object,
    writeKey(method, text, params) === `${method} ${object}` ? "one for each object" : "by its text",
    ...(isCancelOfOne(method) ? ["cancels one"] : []),
    ...(asked === undefined ? [] : [`asks for ${JSON.stringify(asked)}`]),
    ...(channelMethod(method) === undefined ? [] : [`channels ${channelMethod(method) ?? ""}`]),
    ...[changeNote(method, params) ?? [], whyNotSent(method)?.replace(method, "…") ?? []].flat(),
  ].join(" · ");
}

describe("what is known of each change", () => {
  const CASES: readonly (readonly [method: string, params: Readonly<Record<string, unknown>>, known: string])[] = [
    [
      "private/cancel",
      { order_id: "A-1" },
      "order · judged by order · told by order · order A-1 · one for each object · cancels one",
    ],
    ["private/cancel", { order_id: 1 }, "order · judged by order · told by order · - · by its text · cancels one"],
    ["private/cancel_all", {}, "orders · judged by parts · told by coveredOrders · - · by its text"],
    [
      "private/cancel_all_by_instrument",
      { instrument_name: "X" },
      "orders · judged by parts · told by coveredOrders · - · by its text",
    ],
    [
      "private/cancel_all_by_currency",
      { currency: "BTC" },
      "orders · judged by parts · told by coveredOrders · - · by its text",
    ],
    ["private/cancel_all_by_currency_pair", {}, "orders · judged by parts · told by coveredOrders · - · by its text"],
    ["private/cancel_all_by_kind_or_type", {}, "orders · judged by parts · told by coveredOrders · - · by its text"],
    ["private/cancel_by_label", { label: "a" }, "orders · judged by parts · told by coveredOrders · - · by its text"],
    [
      "private/cancel_block_rfq_quote",
      { block_rfq_quote_id: 3 },
      "quote · judged by quote · told by quote · quote 3 · by its text · cancels one",
    ],
    ["private/cancel_block_rfq_quote", {}, "quote · judged by quote · told by quote · - · by its text · cancels one"],
    ["private/cancel_all_block_rfq_quotes", {}, "quotes · judged by parts · told by coveredQuotes · - · by its text"],
    [
      "private/edit_api_key",
      { id: 7, max_scope: "", name: "", enabled: true, enabled_features: [], ip_whitelist: [], other: 1 },
      'key · judged by fields · told by key · key 7 · by its text · asks for {"max_scope":"","name":"","enabled":"true","enabled_features":"","ip_whitelist":""}',
    ],
    [
      "private/change_scope_in_api_key",
      { id: 7, max_scope: "", name: "", enabled: true, enabled_features: [], ip_whitelist: [], other: 1 },
      'key · judged by fields · told by key · key 7 · by its text · asks for {"max_scope":""}',
    ],
    [
      "private/enable_api_key",
      { id: "7" },
      'key · judged by fields · told by key · key 7 · by its text · asks for {"enabled":"true"}',
    ],
    [
      "private/disable_api_key",
      {},
      'key · judged by fields · told by key · - · by its text · asks for {"enabled":"false"}',
    ],
    [
      "private/set_mmp_config",
      { index_name: "btc_usd", interval: 5, frozen_time: 0, quantity_limit: 1 },
      'mmpGroup · judged by fields · told by limits · mmp ["btc_usd","",false] · by its text · asks for {"interval":"5","frozen_time":"0","quantity_limit":"1","delta_limit":"","vega_limit":"","trade_count_limit":""}',
    ],
    [
      "private/set_mmp_config",
      { index_name: "btc_usd", interval: 0, mmp_group: "g" },
      'mmpGroup · judged by fields · told by limits · mmp ["btc_usd","g",false] · by its text · asks for {"interval":"0"}',
    ],
    [
      "private/set_mmp_config",
      { index_name: "btc_usd", interval: 5, frozen_time: 0, max_quote_quantity: 2, block_rfq: true },
      'mmpGroup · judged by fields · told by limits · mmp ["btc_usd","",true] · by its text · asks for {"interval":"5","frozen_time":"0","max_quote_quantity":"2","quantity_limit":"","delta_limit":"","vega_limit":"","trade_count_limit":""}',
    ],
    [
      "private/reset_mmp",
      { index_name: "btc_usd" },
      'mmpGroup · judged by success · told by freeze · mmp ["btc_usd","",false] · by its text',
    ],
    [
      "private/enable_cancel_on_disconnect",
      {},
      "disconnect · judged by success · told by nobody · - · by its text · When this connection ends, the exchange then cancels every order that was placed over it: by Disconnect, when this window is reloaded or closed, and when the network fails.",
    ],
    [
      "private/enable_cancel_on_disconnect",
      { scope: "account" },
      "disconnect · judged by success · told by nobody · - · by its text · Each connection that is opened from then on begins with it: when one ends, the exchange cancels every order that was placed over it.",
    ],
    [
      "private/disable_cancel_on_disconnect",
      { scope: "connection" },
      "disconnect · judged by success · told by nobody · - · by its text · When this connection is lost, nothing then cancels the orders that were placed over it.",
    ],
    [
      "private/disable_cancel_on_disconnect",
      { scope: "account" },
      "disconnect · judged by success · told by nobody · - · by its text · Each connection that is opened from then on begins without it: when one is lost, nothing cancels its orders.",
    ],
    [
      "public/exchange_token",
      { subject_id: 9 },
      "account · judged by success · told by nobody · subject · by its text",
    ],
    [
      "public/auth",
      {},
      "session · judged by success · told by nobody · - · by its text · … is not sent: it would replace the sign-in that everything here shares. The session signs in by itself.",
    ],
    [
      "public/set_heartbeat",
      { interval: 10 },
      "session · judged by success · told by nobody · - · by its text · … is not sent: the session sets its own heartbeat to notice a dead link.",
    ],
    [
      "public/unsubscribe_all",
      {},
      "session · judged by success · told by nobody · - · by its text · … is not sent: it would take away the channels that the views live on.",
    ],
    [
      "public/subscribe",
      { channels: [] },
      "session · judged by success · told by nobody · - · by its text · channels follow · … is not sent: an editor follows its channels in a document of their own, and what views follow stays theirs.",
    ],
    [
      "private/subscribe",
      { channels: [] },
      "session · judged by success · told by nobody · - · by its text · channels follow · … is not sent: an editor follows its channels in a document of their own, and what views follow stays theirs.",
    ],
    [
      "public/unsubscribe",
      { channels: [] },
      "session · judged by success · told by nobody · - · by its text · channels end · … is not sent: an editor follows its channels in a document of their own, and what views follow stays theirs.",
    ],
    [
      "private/unsubscribe",
      { channels: [] },
      "session · judged by success · told by nobody · - · by its text · channels end · … is not sent: an editor follows its channels in a document of their own, and what views follow stays theirs.",
    ],
    [
      "public/fork_token",
      {},
      "- · judged by success · told by nobody · - · by its text · … is not sent: its response is a second set of tokens that nobody would look after.",
    ],
    [
      "private/logout",
      {},
      "- · judged by success · told by nobody · - · by its text · … is not sent: it would end the session that everything here shares. Use Disconnect.",
    ],
    [
      "public/disable_heartbeat",
      {},
      "- · judged by success · told by nobody · - · by its text · … is not sent: without heartbeats the session could not notice a dead link.",
    ],
    [
      "private/unsubscribe_all",
      {},
      "- · judged by success · told by nobody · - · by its text · … is not sent: it would take away the channels that the views live on.",
    ],
    ["private/get_open_orders", {}, "- · judged by success · told by nobody · - · by its text"],
    ["private/buy", { order_id: "A-1" }, "- · judged by success · told by nobody · order A-1 · by its text"],
    [
      "private/edit",
      { order_id: "A-1", amount: 1 },
      "- · judged by success · told by nobody · order A-1 · by its text",
    ],
    ["private/mass_quote", {}, "- · judged by parts · told by nobody · - · by its text"],
    [
      "private/add_block_rfq_quote",
      { block_rfq_quote_id: 4 },
      "- · judged by success · told by nobody · quote 4 · by its text",
    ],
    ["private/create_api_key", { id: 5 }, "- · judged by success · told by nobody · key 5 · by its text"],
    ["private/remove_api_key", { id: "5" }, "- · judged by success · told by nobody · key 5 · by its text"],
    ["private/invented", {}, "- · judged by success · told by nobody · - · by its text"],
    ["toString", {}, "- · judged by success · told by nobody · - · by its text"],
  ];
  for (const [method, params, known] of CASES)
    test(`${method} ${JSON.stringify(params)}`, () => {
      assert.equal(described(method, params), known);
    });
});

test("the commands that need a change to be allowed", () => {
  assert.deepEqual(
    commandsOfChanges().map(([command, method]) => `${command}: ${method}`),
    [
      "order.cancel: private/cancel",
      "order.cancelSelected: private/cancel",
      "order.cancelRow: private/cancel",
      "order.cancelGroup: private/cancel",
      "order.cancelAll: private/cancel_all",
      "quote.cancel: private/cancel_block_rfq_quote",
      "quote.cancelSelected: private/cancel_block_rfq_quote",
      "quote.cancelRow: private/cancel_block_rfq_quote",
      "quote.cancelAll: private/cancel_all_block_rfq_quotes",
      "quote.cancelAllOfRfq: private/cancel_all_block_rfq_quotes",
      "apiKey.edit: private/edit_api_key",
      "apiKey.changeScope: private/change_scope_in_api_key",
      "apiKey.enable: private/enable_api_key",
      "apiKey.disable: private/disable_api_key",
      "mmp.setLimits: private/set_mmp_config",
      "mmp.reset: private/reset_mmp",
    ],
  );
});

test("what acts on the session is not sent but for the switch of the account, and all else is", () => {
  const unsent = knownMethods().filter(({ name }) => whyNotSent(name) !== undefined);
  assert.deepEqual(
    unsent.map(({ name }) => name),
    knownMethods().flatMap(({ name, effect }) => (effect === "session" && aboutOf(name) !== "account" ? [name] : [])),
  );
  assert.equal(whyNotSent("toString"), undefined);
});
