import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { GatewayBehaviour } from "../../../../src/simulator/access/gatewayAccess.ts";
import { createGatewayLab, type GatewayLab } from "../../../gatewayLab.ts";
import { expectGolden } from "../../../golden.ts";

/* Isolated margin of the played gateway, as its pages describe it: slots, the two flags, and subaccount_id. */

const SOL = "SOL_USDC-PERPETUAL";
const XRP = "XRP_USDC-PERPETUAL";
const CROSS = { instrument_name: SOL, amount: 10, price: 100, type: "limit", label: "one" };
const ISOLATED = { ...CROSS, isolated: true };

type Row = Readonly<Record<string, string | number | boolean | object | null | undefined>>;

const isText = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

class Conversation {
  readonly lab: GatewayLab;
  readonly lines: string[] = [];
  readonly #names = new Map<unknown, string>();

  constructor(lab: GatewayLab) {
    this.lab = lab;
  }

  static async begin(behaviour: Partial<GatewayBehaviour> = {}): Promise<Conversation> {
    const lab = createGatewayLab({ behaviour, orders: 0 });
    await lab.connect();
    return new Conversation(lab);
  }

  /** Calls a method and adds a line. Returns the result. */
  async call(method: string, params: object, name?: string): Promise<Row> {
    const { error, result } = (await this.lab.session.caller.call(`private/${method}`, JSON.stringify(params))) as {
      readonly error?: { readonly code: number; readonly message: string };
      readonly result?: Row;
    };
    await this.lab.clock.settle();
    const order = (result?.["order"] ?? result ?? {}) as Row;
    if (name !== undefined) this.#names.set(order["order_id"], name);
    const said = error === undefined ? this.#shown(result) : `${error.code} ${error.message}`;
    this.lines.push(`${method} ${this.#short(JSON.stringify(params))} -> ${said}`);
    return order;
  }

  note(text: string): void {
    this.lines.push(this.#short(text));
  }

  /** Adds the slots as they truly are. */
  slots(): void {
    for (const { id, instrument_name: name, open_orders: open, position } of this.lab.exchange.control.slots())
      this.note(`  slot ${id}: ${name ?? "free"}, ${open.length} orders, position ${position}`);
  }

  #short(text: string): string {
    let short = text;
    for (const [id, name] of this.#names) short = short.replaceAll(String(id), name);
    return short.replaceAll('"', "");
  }

  #shown(result: unknown): string {
    if (!Array.isArray(result)) return this.#row(result);
    return result.length === 0 ? "none" : result.map((row) => this.#row(row)).join(", ");
  }

  #row(row: unknown): string {
    if (typeof row !== "object" || row === null) return String(row);
    const { order, order_id: id, order_state: state, ...rest } = row as Row;
    if (order !== undefined) return this.#row(order);
    const kind = rest["isolated"] === true ? `isolated of ${JSON.stringify(rest["user_id"])}` : "cross";
    if (id !== undefined && state !== undefined)
      return [this.#names.get(id) ?? id, state, kind].filter(isText).join(" ");
    if (rest["average_price"] !== undefined)
      return [rest["direction"], rest["size_currency"], kind].filter(isText).join(" ");
    if (rest["type"] === "main" || rest["type"] === "subaccount")
      return [rest["id"], rest["isolated"], rest["isolated_margin_instrument"]].filter(isText).join(" ");
    return Object.keys(rest).join(" ");
  }
}

describe("slots of the played gateway", () => {
  test("the two flags and the ID, and what each leaves out", async () => {
    const talk = await Conversation.begin();
    const cross = await talk.call("buy", CROSS, "C1");
    const isolated = await talk.call("buy", ISOLATED, "I1");
    const [slot] = talk.lab.exchange.control.slots();
    assert.ok(slot !== undefined);
    talk.note("lists");
    for (const params of [{}, { include_isolated: true }, { subaccount_id: slot.id }])
      await talk.call("get_open_orders", params);
    await talk.call("get_open_orders_by_currency", { currency: "USDC", include_isolated: true });
    await talk.call("get_open_orders_by_instrument", { instrument_name: SOL, include_isolated: true });
    await talk.call("get_open_orders_by_label", { currency: "USDC", label: "one", include_isolated: true });
    for (const params of [{}, { include_isolated: true }])
      await talk.call("get_order_state_by_label", { currency: "USDC", label: "one", ...params });
    for (const params of [{}, { include_isolated: true }]) await talk.call("get_subaccounts", params);
    talk.note("one order");
    for (const id of [cross["order_id"], isolated["order_id"]])
      for (const flag of [{}, { isolated: true }]) await talk.call("get_order_state", { order_id: id, ...flag });
    await talk.call("cancel", { order_id: isolated["order_id"] });
    await talk.call("edit", { order_id: isolated["order_id"], amount: 20, price: 101, isolated: true });
    await talk.call("edit", { order_id: isolated["order_id"], amount: 20, subaccount_id: slot.id });
    talk.note("mass cancels without the flag, or by what has no flag");
    await talk.call("cancel_all_by_kind_or_type", { currency: "any", include_isolated: true });
    await talk.call("buy", CROSS, "C2");
    await talk.call("cancel_all_by_currency_pair", { currency_pair: "sol_usdc", include_isolated: true });
    await talk.call("buy", CROSS, "C3");
    await talk.call("cancel_all_by_instrument", { instrument_name: SOL });
    talk.slots();
    talk.note("mass cancels with the flag");
    for (const [method, params] of [
      ["cancel_all_by_instrument", { instrument_name: SOL }],
      ["cancel_all_by_currency", { currency: "USDC" }],
      ["cancel_by_label", { label: "one" }],
      ["cancel_all", {}],
    ] as const) {
      await talk.call("buy", CROSS, "C4");
      await talk.call("sell", { ...ISOLATED, price: 190 }, "I4");
      await talk.call(method, { ...params, include_isolated: true });
      talk.slots();
    }
    await expectGolden("test/core/simulator/accounts/flags.golden.txt", `${talk.lines.join("\n")}\n`);
  });

  test("positions, recycling, margin, and refusals", async () => {
    const talk = await Conversation.begin();
    const market = { instrument_name: SOL, amount: 10, type: "market" };
    await talk.call("sell", { ...market, isolated: true });
    await talk.call("get_positions", { currency: "USDC", kind: "future" });
    await talk.call("get_positions", { currency: "USDC", kind: "future", include_isolated: true });
    for (const flag of [{}, { include_isolated: true }])
      await talk.call("get_position", { instrument_name: SOL, ...flag });
    await talk.call("close_position", { instrument_name: SOL, type: "market", isolated: true });
    talk.slots();
    talk.note("the slot serves another instrument");
    await talk.call("buy", { ...ISOLATED, instrument_name: XRP, amount: 100, price: 0.5 }, "I1");
    talk.slots();
    await talk.call("get_user_trades_by_currency", { currency: "USDC", subaccount_id: 48_605 });
    talk.note("margin");
    await talk.call("buy", { ...ISOLATED, allocated_margin: 0.5 });
    await talk.call("buy", { ...ISOLATED, amount: 100_000, price: 100 });
    await talk.call("buy", { instrument_name: "BTC-PERPETUAL", amount: 100, type: "market", isolated: true });
    await talk.call("buy", { instrument_name: "SOL_USDC", amount: 1, price: 90, type: "limit", isolated: true });
    talk.slots();
    await expectGolden("test/core/simulator/accounts/slots.golden.txt", `${talk.lines.join("\n")}\n`);
  });

  test("there are as many as there may be subaccounts", async () => {
    const talk = await Conversation.begin();
    const { control } = talk.lab.exchange;
    const { result } = (await talk.lab.session.caller.call(
      "public/get_instruments",
      '{"currency":"any","kind":"future"}',
    )) as {
      readonly result: readonly { readonly instrument_name: string; readonly min_trade_amount: number }[];
    };
    const told: string[] = [];
    for (const { instrument_name: name, min_trade_amount: amount } of result.slice(0, 19)) {
      const reply = await talk.lab.session.caller.call(
        "private/buy",
        JSON.stringify({ instrument_name: name, amount, type: "market", isolated: true }),
      );
      told.push(reply.error === undefined ? "placed" : JSON.stringify(reply.error));
    }
    assert.equal(control.slots().length, 18);
    assert.match(told.at(-1) ?? "", /"code":12001,/, told.join());
  });

  test("events go to channels of their own, and a recycled slot tells of zeros", async () => {
    const talk = await Conversation.begin();
    const { session, clock, exchange } = talk.lab;
    const lines: string[] = [];
    for (const channel of ["orders.any.any.raw", "trades.any.any.raw", "changes.any.any.raw", "portfolio.any"])
      for (const prefix of ["user", "user.isolated"])
        session.subscribe(
          `${prefix}.${channel}`,
          (data) => {
            const row = [data].flat()[0] as Row;
            const { isolated, user_id: user, main_uid: main, order_state: state, equity } = row;
            lines.push([`${prefix}.${channel}`, state, isolated, user, main, equity].filter(isText).join(" "));
          },
          () => undefined,
        );
    await clock.settle();
    lines.splice(0);
    const { order_id: id } = exchange.control.placeIsolated({ ...CROSS, type: "limit", direction: "buy" });
    await clock.settle();
    lines.push("cancelled");
    exchange.control.cancel(id);
    await clock.settle();
    assert.deepEqual(lines, [
      "user.isolated.orders.any.any.raw open true 48605 48595",
      "user.isolated.changes.any.any.raw",
      "user.portfolio.any 248981.17187",
      "user.isolated.portfolio.any 48605 60.42813",
      "cancelled",
      "user.isolated.orders.any.any.raw cancelled true 48605 48595",
      "user.isolated.changes.any.any.raw",
      "user.isolated.portfolio.any 48605 0",
      "user.portfolio.any 249041.6",
    ]);
  });

  test("what no page says can be played in both ways", async () => {
    const talk = await Conversation.begin({ wrongKindCode: 10_029 });
    const order = await talk.call("buy", ISOLATED, "I1");
    await talk.call("cancel", { order_id: order["order_id"] });
    talk.lab.behaviour.omittedSlots = [48_605];
    for (const method of ["get_open_orders", "get_positions", "get_subaccounts"])
      await talk.call(method, { include_isolated: true });
    await talk.call("get_open_orders", { subaccount_id: 48_605 });
    await talk.call("cancel_all", { include_isolated: true });
    talk.lab.behaviour.cancelsReachOmitted = true;
    await talk.call("cancel_all", { include_isolated: true });
    await expectGolden("test/core/simulator/accounts/unsaid.golden.txt", `${talk.lines.join("\n")}\n`);
  });
});
