import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { COMMAND_CALLS, missingForCommand } from "../../../src/actions/changes/commandScopes.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { failureText } from "../../../src/present/text/failureText.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { lookAtAll, messagesOf, shownOf } from "../../everyView.ts";
import { createWorld, type World } from "../../world.ts";

/* A key that may not do everything: what is off, in which words, and that nothing of it is asked of the server. */

async function open(maxScope: string): Promise<World> {
  const world = createWorld({ maxScope });
  addBlockTrades(world.exchange.control, 3);
  await world.connect();
  await lookAtAll(world);
  return world;
}

/** What stands above the rows of each view; empty where nothing has to be said. */
function messages(world: World): ReturnType<typeof messagesOf> {
  return messagesOf(shownOf(world));
}

function offCommands({ live }: World): string[] {
  return Object.keys(COMMAND_CALLS).filter((command) => missingForCommand(command, [live.state]) !== undefined);
}

const FULL: Readonly<Record<string, string>> = {
  account: "read_write",
  trade: "read_write",
  block_trade: "read_write",
  block_rfq: "read_write",
  wallet: "read_write",
};

function scopeWith(change: Readonly<Record<string, string>>): string {
  return Object.entries({ ...FULL, ...change })
    .map(([area, level]) => `${area}:${level}`)
    .join(" ");
}

async function submit(world: World, method: string, params: object): Promise<string> {
  const intent: Intent = {
    method,
    paramsText: JSON.stringify(params),
    words: { action: plain`Do`, target: plain`it`, detail: [], keep: plain`Keep` },
    origin: "requestFile",
  };
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(1000);
  const outcome = await submitted;
  return outcome.kind === "notSent" ? failureText(outcome.failure, "write").happened : outcome.kind;
}

function lacks(scope: string): string {
  return `The API key doesn't have the required scope ${scope}.`;
}

const POLLED = "Live updates aren't available for this connection. The list is refreshed every few seconds.";
const CHANGES = [
  ...["order.cancel", "order.cancelSelected", "order.cancelRow", "order.cancelAll", "order.cancelGroup"],
  ...["order.cancelEverything", "order.edit", "order.place", "position.close", "position.reduce"],
  "position.protect",
  "position.flatten",
];

describe("with a key that may do everything", () => {
  test("nothing is off, and no view has to say anything", async () => {
    const world = await open(scopeWith({}));
    assert.deepEqual(offCommands(world), []);
    assert.ok(Object.values(messages(world)).every((message) => message === ""));
    world.live.dispose();
  });
});

describe("with a key that lacks an area", () => {
  const LIMITS = ["mmp.setLimits", "mmp.reset"];
  const QUOTES = ["quote.cancel", "quote.cancelSelected", "quote.cancelRow", "quote.cancelAll", "quote.cancelAllOfRfq"];
  const INSTEAD = "Shown instead: the API key in use, those from Add API Key by ID…, and API keys seen in results.";
  const HOW = "Use an API key with this scope, or change the scope of this one on the exchange.";
  const rows: readonly {
    readonly lacking: Readonly<Record<string, string>>;
    readonly off: readonly string[];
    readonly says: Partial<ReturnType<typeof messages>>;
    readonly unsent: readonly string[];
  }[] = [
    {
      lacking: { account: "none" },
      off: ["create", "createKeyPair", "reset", "delete", "edit", "changeScope", "enable", "disable"].map(
        (verb) => `apiKey.${verb}`,
      ),
      says: {
        account: `${lacks("account:read")} ${HOW}`,
        apiKeys: `${lacks("account:read")} ${HOW} ${INSTEAD}`,
      },
      unsent: ["private/list_api_keys", "private/get_account_summaries"],
    },
    {
      lacking: { trade: "none" },
      off: CHANGES,
      says: {
        positions: `${lacks("trade:read")} ${HOW}`,
        fills: `${lacks("trade:read")} ${HOW}`,
        orders: `Couldn't read the open orders of SIMULATOR lab. ${lacks("trade:read")} ${HOW}`,
        blockTrades: POLLED,
        mmp: POLLED,
      },
      unsent: ["private/get_open_orders", "private/get_positions", "private/get_user_trades_by_currency"],
    },
    {
      lacking: { trade: "read" },
      off: CHANGES,
      says: { orders: "Orders can't be cancelled because the API key doesn't have the scope trade:read_write." },
      unsent: [],
    },
    {
      lacking: { block_trade: "none" },
      off: ["blockTrade.fetch"],
      says: { blockTrades: `${lacks("block_trade:read")} ${HOW}` },
      unsent: ["private/get_block_trades"],
    },
    {
      lacking: { block_rfq: "none" },
      off: QUOTES,
      says: { quotes: `${lacks("block_rfq:read")} ${HOW}` },
      unsent: ["private/get_block_rfq_quotes"],
    },
    {
      lacking: { trade: "read", block_rfq: "read" },
      off: [...CHANGES, ...LIMITS, ...QUOTES],
      says: { orders: "Orders can't be cancelled because the API key doesn't have the scope trade:read_write." },
      unsent: [],
    },
    {
      lacking: { trade: "none", block_rfq: "none" },
      off: [...CHANGES, ...LIMITS, ...QUOTES],
      says: {
        positions: `${lacks("trade:read")} ${HOW}`,
        fills: `${lacks("trade:read")} ${HOW}`,
        orders: `Couldn't read the open orders of SIMULATOR lab. ${lacks("trade:read")} ${HOW}`,
        blockTrades: POLLED,
        mmp: `${lacks("trade:read / block_rfq:read")} ${HOW}`,
        quotes: `${lacks("block_rfq:read")} ${HOW}`,
      },
      unsent: ["private/get_mmp_config", "private/get_open_orders", "private/get_block_rfq_quotes"],
    },
    { lacking: { wallet: "none" }, off: [], says: {}, unsent: [] },
  ];
  for (const { lacking, off, says, unsent } of rows) {
    test(JSON.stringify(lacking), async () => {
      const world = await open(scopeWith(lacking));
      assert.deepEqual(new Set(offCommands(world)), new Set(off));
      const said = Object.entries(messages(world)).filter(([, message]) => message !== "");
      assert.deepEqual(Object.fromEntries(said), says);
      for (const method of unsent) assert.deepEqual(world.frames(method), [], method);
      world.live.dispose();
    });
  }
});

describe("the gate", () => {
  const cases: readonly (readonly [string, object, Readonly<Record<string, string>>, string])[] = [
    ["private/cancel", { order_id: "ETH-1" }, { trade: "read" }, lacks("trade:read_write")],
    ["private/get_block_trade", { id: "BLOCK-1" }, { block_trade: "none" }, lacks("block_trade:read")],
    ["private/cancel_all_block_rfq_quotes", {}, { block_rfq: "read" }, lacks("block_rfq:read_write")],
    ["private/edit_api_key", { id: 2, max_scope: "trade:read" }, { account: "read" }, lacks("account:read_write")],
    [
      "private/change_scope_in_api_key",
      { id: 2, max_scope: "trade:read" },
      { account: "read" },
      lacks("account:read_write"),
    ],
    // Which scope it is depends on a parameter.
    ["private/get_mmp_config", { block_rfq: true }, { block_rfq: "none" }, lacks("block_rfq:read")],
    ["private/get_mmp_config", {}, { block_rfq: "none" }, "confirmed"],
    ["private/get_mmp_config", {}, { trade: "none" }, lacks("trade:read")],
    ["private/get_mmp_config", { block_rfq: true }, { trade: "none" }, "confirmed"],
  ];
  for (const [method, params, lacking, expected] of cases) {
    test(`${method} ${JSON.stringify(params)} without ${JSON.stringify(lacking)}`, async () => {
      const world = await open(scopeWith(lacking));
      world.exchange.control.clearRecords();
      assert.equal(await submit(world, method, params), expected);
      assert.equal(world.frames(method).length, expected === "confirmed" ? 1 : 0);
      assert.deepEqual(world.questions, []);
      world.live.dispose();
    });
  }
});

describe("a command", () => {
  test("is off only if no connection may run it; it is on while no connection is ready", async () => {
    const [may, mayNot] = [await open(scopeWith({})), await open(scopeWith({ trade: "read" }))];
    const states = [mayNot.live.state, may.live.state];
    assert.equal(missingForCommand("order.cancel", states), undefined);
    assert.deepEqual(missingForCommand("order.cancel", [mayNot.live.state, mayNot.live.state]), {
      kind: "missingScope",
      scope: "trade:read_write",
    });
    assert.equal(missingForCommand("order.cancel", []), undefined);
    assert.equal(missingForCommand("order.cancel", [{ status: "off" }]), undefined);
    assert.equal(missingForCommand("orders.refresh", [mayNot.live.state]), undefined);
    for (const world of [may, mayNot]) world.live.dispose();
  });
});
