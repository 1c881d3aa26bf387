import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { describeErrorCode } from "../../../src/catalogue/errorCodes.ts";
import { allMethods } from "../../../src/catalogue/index.ts";
import { isOfferedAt } from "../../../src/catalogue/offer.ts";
import { gatewayReference } from "../../../src/catalogue/reference/gateway.ts";
import { channelTable, methodTable } from "../../../src/catalogue/reference/methodTable.ts";
import { paramCheckFor } from "../../../src/catalogue/reference/paramChecks.ts";
import { isChannelOfferedAt } from "../../../src/catalogue/reference/reference.ts";

/** The counts are those of the partner's generated client, as collected in November 2026. */
describe("what the gateway offers", () => {
  test("104 of the 192 methods, of which 7 are there only; 88 of the exchange's 185 are not", () => {
    const at = (service: "native" | "gateway"): readonly string[] =>
      allMethods().flatMap(({ name }) => (isOfferedAt(name, service) ? [name] : []));
    const [native, gateway] = [at("native"), at("gateway")];
    assert.deepEqual([native.length, gateway.length], [185, 104]);
    assert.deepEqual(gateway.filter((name) => !native.includes(name)).toSorted(), [
      "private/get_leverage",
      "private/get_max_order_size",
      "private/get_pme_params",
      "private/get_risk_profile",
      "private/get_trading_limits",
      "private/set_leverage",
      "public/tickers_by_currency",
    ]);
    assert.equal(native.filter((name) => !gateway.includes(name)).length, 88);
    assert.deepEqual(
      gateway.filter((name) => /block|rfq/.test(name)),
      [],
      "the partner's own test says so, too",
    );
    // Spellings with a slash, and unknown names.
    assert.deepEqual(
      ["/private/mass_quote", "/api/v2/private/buy", "private/new_one"].map((name) => isOfferedAt(name, "gateway")),
      [false, true, true],
    );
  });

  test("43 forms of channels, of which 9 are there only; 9 of the exchange's 43 are not", () => {
    const names = (service: "native" | "gateway"): readonly string[] =>
      channelTable().flatMap(({ pattern, offeredBy }) => (offeredBy.includes(service) ? [pattern] : []));
    const [native, gateway] = [names("native"), names("gateway")];
    assert.deepEqual([native.length, gateway.length], [43, 43]);
    assert.equal(gateway.filter((name) => !native.includes(name)).length, 9);
    assert.deepEqual(
      native.filter((name) => !gateway.includes(name)),
      [
        "block_rfq.maker.quotes.{currency}",
        "block_rfq.maker.{currency}",
        "block_rfq.taker.{currency}",
        "block_rfq.trades.{currency}",
        "block_trade_confirmations",
        "block_trade_confirmations.{currency}",
        "user.liquidation",
        "user.lsp",
        "user.mmp_trigger.{index_name}",
      ],
    );
    assert.deepEqual(
      ["user.orders.any.any.raw", "user.lsp", "user.isolated.orders.future.any.raw", "new.channel"].map((channel) =>
        isChannelOfferedAt(channel, "gateway"),
      ),
      [true, false, true, true],
    );
  });

  test("parameters of its own on 23 methods: routing flags of single orders, widening flags of lists", () => {
    const own = methodTable().flatMap(({ name, gateway }) =>
      gateway?.params === undefined ? [] : [[name, gateway.params.map((param) => param.name).join(" ")] as const],
    );
    assert.equal(own.length, 23);
    const those = (param: string): readonly string[] =>
      own.flatMap(([name, params]) => (params.split(" ").includes(param) ? [name.replace("private/", "")] : []));
    assert.deepEqual(those("allocated_margin").toSorted(), ["buy", "edit", "edit_by_label", "sell"]);
    assert.deepEqual(
      those("include_isolated")
        .filter((name) => name.startsWith("cancel"))
        .toSorted(),
      ["cancel_all", "cancel_all_by_currency", "cancel_all_by_instrument", "cancel_by_label"],
    );
    assert.deepEqual(
      those("isolated").filter((name) => those("include_isolated").includes(name)),
      [],
      "no method has both",
    );
  });

  test("15 methods over a WebSocket only, and a permission of the key for 46", () => {
    const references = allMethods().flatMap(({ name }) => gatewayReference(name) ?? []);
    assert.equal(references.filter(({ isWebSocketOnly }) => isWebSocketOnly === true).length, 15);
    assert.equal(references.filter(({ permission }) => permission !== undefined).length, 46);
  });
});

describe("the check of parameters", () => {
  const warned = async (service: "native" | "gateway", method: string, params: object): Promise<readonly string[]> =>
    (await paramCheckFor([method], service))(method, params).map(
      ({ path, severity }) => `${path.join(".")} ${severity}`,
    );

  test("knows the gateway's parameters there, and warns of them elsewhere as before", async () => {
    const order = { instrument_name: "BTC_USDC-PERPETUAL", amount: 1, isolated: true, allocated_margin: 50 };
    assert.deepEqual(await warned("gateway", "private/buy", order), []);
    assert.deepEqual((await warned("native", "private/buy", order)).toSorted(), [
      "allocated_margin warning",
      "isolated warning",
    ]);
    assert.deepEqual(await warned("gateway", "private/buy", { ...order, isolated: "yes" }), ["isolated error"]);
  });

  test("warns of a flag on a method without it, and of a parameter that the gateway doesn't take", async () => {
    assert.deepEqual(await warned("gateway", "private/cancel_all", { isolated: true }), ["isolated warning"]);
    assert.deepEqual(await warned("gateway", "private/cancel", { order_id: "1", include_isolated: true }), [
      "include_isolated warning",
    ]);
    assert.deepEqual(await warned("gateway", "private/subscribe", { channels: ["user.lock"], label: "x" }), [
      "label warning",
    ]);
  });
});

test("the gateway's words for a method that it doesn't offer are no misspelled name", () => {
  const told = describeErrorCode(-32601, "method not in allowlist");
  assert.equal(told?.meaning, "This server doesn't offer the method.");
  assert.equal(describeErrorCode(-32601, "Method not found")?.meaning, "Unknown method name.");
});
