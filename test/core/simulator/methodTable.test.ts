import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allMethodFacts } from "../../../src/catalogue/describe.ts";
import { METHOD_ROLES, refusedReason } from "../../../src/simulator/methods/methodTable.ts";
import { createSituation } from "./conversation.ts";

/* What the simulator makes of each method: the table, the catalogue, and the handlers agree. */

/** Methods whose handlers are still to come. */
const COMING: ReadonlySet<string> = new Set([
  ...["private/buy", "private/sell", "private/edit", "private/edit_by_label", "private/close_position"],
  ...["private/mass_quote", "private/cancel_quotes"],
  ...["private/get_margins", "private/get_order_margin_by_ids", "private/get_user_trades_by_order"],
  ...["private/get_open_orders_by_label", "private/get_order_state_by_label"],
  ...["private/get_order_history_by_currency", "private/get_order_history_by_instrument"],
  ...["private/get_trigger_order_history"],
  ...["public/ticker", "public/get_order_book", "public/get_order_book_by_instrument_id"],
  ...["public/get_book_summary_by_currency", "public/get_book_summary_by_instrument"],
  ...["public/get_contract_size", "public/get_delivery_prices", "public/get_expirations", "public/get_instrument"],
  ...["public/get_funding_chart_data", "public/get_funding_rate_history", "public/get_funding_rate_value"],
  ...["public/get_historical_volatility", "public/get_volatility_index_data", "public/get_tradingview_chart_data"],
  ...["public/get_index_price", "public/get_index_chart_data", "public/get_mark_price_history"],
  ...["public/get_last_settlements_by_currency", "public/get_last_settlements_by_instrument"],
  ...["public/get_last_trades_by_currency", "public/get_last_trades_by_currency_and_time"],
  "public/get_trade_volumes",
]);

const facts = allMethodFacts();

describe("the table of methods", () => {
  test("has every method of the catalogue and no other", () => {
    assert.deepEqual(Object.keys(METHOD_ROLES).sort(), facts.map(({ name }) => name).sort());
  });

  test("says of at least 70 reads and 40 changes that they follow from the state", () => {
    const ledger = facts.filter(({ name }) => METHOD_ROLES[name as keyof typeof METHOD_ROLES] === "ledger");
    const count = (isWanted: (effect: string) => boolean): number =>
      ledger.filter(({ effect }) => isWanted(effect)).length;
    assert.ok(count((effect) => effect === "read") >= 70);
    assert.ok(count((effect) => effect !== "read" && effect !== "session") >= 40);
  });

  test("agrees with what the simulator does: a refused method says why, every other one is there", async () => {
    const { clock, exchange } = createSituation();
    for (const { name } of facts) {
      const client = createSituation({ clock }).connect();
      await client.signIn();
      // Without parameters most calls are refused for that alone, which shows that they are there.
      await client.send(JSON.stringify({ jsonrpc: "2.0", id: 7, method: name, params: {} }));
      const text = client.received.find((each) => each.startsWith('{"jsonrpc":"2.0","id":7,')) ?? "{}";
      const { error } = JSON.parse(text) as { error?: { code: number; data?: { reason?: string } } };
      const reason = refusedReason(name);
      if (reason !== undefined) assert.deepEqual([error?.code, error?.data?.reason], [13_503, reason], name);
      else assert.equal(error?.code === -32_601, COMING.has(name), name);
      client.close();
    }
    exchange.dispose();
  });
});
