import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { ensureTradingAllowed } from "../../../src/actions/gate/tradingPermission.ts";
import { plain } from "../../../src/base/plain.ts";
import { allMethods, isTrade } from "../../../src/catalogue/index.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { asPlain } from "../../asPlain.ts";

/*
 * Allow Trading: what places or edits orders and quotes needs a permission with the largest order in USD, wherever it
 * comes from. The sizes come from the simulator's instruments and index prices.
 */

const TRADES = [
  "private/buy",
  "private/close_position",
  "private/edit",
  "private/edit_by_label",
  "private/mass_quote",
  "private/sell",
  "private/accept_block_rfq",
  "private/add_block_rfq_quote",
  "private/edit_block_rfq_quote",
  "private/approve_block_trade",
  "private/execute_block_trade",
  "private/verify_block_trade",
].sort();

const BUY = { instrument_name: "ETH-PERPETUAL", amount: 40, type: "limit", price: 2000 };

interface Traded extends World {
  /** What the user allows when asked next; undefined declines. */
  limitUsd: number | undefined;
  /** The total that the user allows with it. */
  totalUsd: number;
  asked: number;
  submit(method: string, params: object, more?: Partial<Intent>): Promise<Outcome>;
}

async function traded(options: WorldOptions = {}): Promise<Traded> {
  const made: Traded = Object.assign(
    createWorld({
      declared: "test",
      largestOrderUsd: "notAllowed",
      maxScope: "account:read_write trade:read_write block_trade:read_write block_rfq:read_write wallet:read_write",
      askLimit: async () => {
        made.asked++;
        const { limitUsd, totalUsd } = made;
        return await Promise.resolve(limitUsd === undefined ? undefined : { largestOrderUsd: limitUsd, totalUsd });
      },
      ...options,
    }),
    {
      limitUsd: undefined,
      totalUsd: 1e9,
      asked: 0,
      async submit(method: string, params: object, more: Partial<Intent> = {}) {
        const submitted = made.live.gate.submit({
          method,
          paramsText: JSON.stringify(params),
          words: { action: plain`Send Request`, target: asPlain(method), detail: [], keep: plain`Don't Send` },
          origin: "requestFile",
          ...more,
        });
        await made.clock.advance(1000);
        return await submitted;
      },
    },
  );
  await made.connect();
  return made;
}

/** Allows trading up to an order, as a user does. */
async function allowUpTo(world: Traded, limitUsd: number): Promise<void> {
  world.limitUsd = limitUsd;
  assert.equal(await world.live.gate.allowTrading(), true);
  assert.deepEqual(world.live.gate.trading, { largestOrderUsd: limitUsd, totalUsd: world.totalUsd, usedUsd: 0 });
}

function reasonOf(outcome: Outcome): string {
  return outcome.kind === "notSent" && outcome.failure.kind === "refused"
    ? outcome.failure.reason
    : JSON.stringify(outcome);
}

function framesOfTrades(world: World): number {
  return TRADES.reduce((sum, method) => sum + world.frames(method).length, 0);
}

async function indexPrice(world: Traded, name: string): Promise<number> {
  const outcome = await world.submit("public/get_index_price", { index_name: name });
  assert.ok(outcome.kind === "confirmed");
  return (outcome.response.result as { readonly index_price: number }).index_price;
}

describe("what needs Allow Trading", () => {
  test("is what can open or change exposure, and no other method of the exchange", () =>
    assert.deepEqual(
      allMethods()
        .map(({ name }) => name)
        .filter((name) => isTrade(name))
        .sort(),
      TRADES,
    ));
  test("is any unknown method, unless it is public", () =>
    assert.deepEqual(
      ["private/place_order", "public/launch", "nonsense"].map((name) => isTrade(name)),
      [true, false, true],
    ));

  const rows = [
    ...fs.readFileSync("test/core/world/everyConfirmation.txt", "utf8").matchAll(/^(\S+) (\{.*\})\n {2}(\w+)\n/gm),
  ].map(([, method = "", params = "", effect = ""]) => ({ method, params: JSON.parse(params) as object, effect }));
  const trades = rows.filter(({ method, effect }) => effect !== "read" && isTrade(method));

  test("without it, every such request is refused in each environment, and nothing is asked or sent", async () => {
    assert.ok(new Set(trades.map(({ method }) => method)).size > TRADES.length);
    for (const declared of ["test", "production"] as const) {
      const world = createWorld({ declared, largestOrderUsd: "notAllowed" });
      await world.connect();
      await world.live.gate.allowChanges();
      world.questions.length = 0;
      for (const { method, params } of trades) {
        const paramsText = JSON.stringify(params);
        for (const origin of ["view", "palette", "requestFile", "chat"] as const) {
          const words = { action: plain`Do It`, target: asPlain(method), detail: [], keep: plain`Keep` };
          const outcome = await world.live.gate.submit({ method, paramsText, words, origin });
          assert.equal(outcome.kind, "notSent", method);
        }
        assert.equal(world.frames(method).length, 0, method);
      }
      assert.deepEqual(world.questions, []);
    }
  });
});

describe("the first trade", () => {
  test("asks once for the permission and its limit, which is kept", async () => {
    const world = await traded();
    world.limitUsd = 1000;
    for (let count = 1; count <= 2; count++) {
      await world.submit("private/buy", { ...BUY, label: String(count) });
      assert.deepEqual([world.asked, world.frames("private/buy").length, world.questions.length], [1, count, count]);
    }
    assert.deepEqual(world.live.record.trading, {
      largestOrderUsd: 1000,
      totalUsd: 1e9,
      usedUsd: 80,
      environment: "test",
    });
  });

  test("is not sent when that is declined", async () => {
    const world = await traded();
    assert.deepEqual(await world.submit("private/buy", BUY), { kind: "notSent", failure: { kind: "declined" } });
    assert.deepEqual([world.asked, world.frames("private/buy").length, world.questions.length], [1, 0, 0]);
  });

  test("is refused with the reason where no confirmation can be shown", async () => {
    const world = createWorld({ declared: "test", largestOrderUsd: "notAllowed" });
    await world.connect();
    const words = { action: plain`Buy`, target: plain`it`, detail: [], keep: plain`Keep` };
    assert.equal(
      reasonOf(
        await world.live.gate.submit({ method: "private/buy", paramsText: JSON.stringify(BUY), words, origin: "view" }),
      ),
      "Trading is not allowed on TESTNET lab. Use Allow Trading… to allow it.",
    );
    assert.equal(await world.live.gate.allowTrading(), false);
  });

  test("on the simulator needs no permission, of any size", async () => {
    const world = await traded({ declared: "simulator" });
    await world.submit("private/buy", { ...BUY, amount: 1_000_000 });
    assert.deepEqual([world.asked, world.frames("private/buy").length], [0, 1]);
    assert.deepEqual(world.live.gate.trading, { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0 });
  });

  test("on read-only production is refused before anything is asked; both permissions are needed", async () => {
    const world = await traded({ declared: "production" });
    world.limitUsd = 1000;
    assert.match(reasonOf(await world.submit("private/buy", BUY)), /is read-only/);
    await allowUpTo(world, 1000);
    assert.match(reasonOf(await world.submit("private/buy", BUY)), /is read-only/);
    assert.deepEqual([world.questions.length, world.frames("private/buy").length], [0, 0]);
    await world.live.gate.allowChanges();
    await world.submit("private/buy", BUY);
    assert.equal(world.frames("private/buy").length, 1);
  });

  test("is not what Allow Changes allows", async () => {
    const world = await traded({ declared: "production" });
    await world.live.gate.allowChanges();
    assert.equal((await world.submit("private/buy", BUY)).kind, "notSent");
    assert.deepEqual([world.asked, world.frames("private/buy").length], [1, 0]);
  });

  test("is refused after Allow Cancels and Cancel from a file, a view, and a chat", async () => {
    const world = await traded({ declared: "production" });
    world.limitUsd = 1000;
    const [order] = world.exchange.control.openOrders();
    assert.equal((await world.submit("private/cancel", { order_id: order?.["order_id"] })).kind, "confirmed");
    assert.notEqual(world.live.gate.cancelsAllowedUntilMs, undefined);
    for (const origin of ["requestFile", "view", "palette", "chat"] as const)
      assert.equal((await world.submit("private/buy", BUY, { origin })).kind, "notSent");
    assert.deepEqual([world.asked, world.frames("private/buy").length], [0, 0]);
  });
});

describe("Allow Cancels and Cancel", () => {
  for (const text of [
    '{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 1, "type": "market" } }',
    '{ "method": "private/edit", "params": { "order_id": "ETH-1", "amount": 1, "price": 1 } }',
  ])
    test(`does not let a request file trade: ${text.slice(0, 29)}`, async () => {
      const world = await traded({ declared: "production", answer: () => true });
      const [order] = world.exchange.control.openOrders();
      await world.submit("private/cancel", { order_id: order?.["order_id"] });
      const asked = world.questions.length;
      const file = scanRequests(text);
      const [request] = file.requests;
      assert.ok(request !== undefined);
      const { outcome } = await runRequest(file, request, {
        ...{ gate: world.live.gate, environment: world.live.environment, fileName: "a.rpc.json" },
      });
      assert.equal(
        reasonOf(outcome),
        "PRODUCTION lab currently allows only cancels. Use Allow Changes… to allow other changes for 30 minutes.",
      );
      assert.deepEqual([world.frames("private/cancel").length, framesOfTrades(world)], [1, 0]);
      assert.deepEqual([world.questions.length, world.asked], [asked, 0]);
    });
});

describe("a language model", () => {
  for (const declared of ["simulator", "test"] as const)
    test(`cannot place, on ${declared}, whatever is allowed`, async () => {
      const world = await traded({ declared, largestOrderUsd: 1_000_000 });
      for (const { method, params } of [
        { method: "private/buy", params: BUY },
        { method: "private/edit", params: { order_id: "ETH-1", amount: 1 } },
      ])
        assert.equal(
          reasonOf(await world.submit(method, params, { origin: "chat" })),
          `Language models can't place or edit orders and quotes, and can't trade. Send ${method} yourself.`,
        );
      assert.deepEqual([world.questions.length, framesOfTrades(world)], [0, 0]);
    });
});

describe("the setting never", () => {
  for (const declared of ["simulator", "test", "production"] as const)
    test(`refuses trades on ${declared}, also where they were allowed`, async () => {
      const world = await traded({ declared, largestOrderUsd: 1_000_000, settings: { allowTrading: "never" } });
      await world.live.gate.allowChanges();
      world.questions.length = 0;
      assert.match(
        reasonOf(await world.submit("private/buy", BUY)),
        /turned off by the setting tradingRpc\.safety\.allowTrading/,
      );
      await assert.rejects(ensureTradingAllowed(world.live), /refused/);
      assert.deepEqual([world.asked, world.questions.length, framesOfTrades(world)], [0, 0, 0]);
    });
});

describe("the permission", () => {
  test("is asked for by a command only while there is none", async () => {
    const world = await traded();
    assert.equal(await ensureTradingAllowed(world.live), false);
    world.limitUsd = 50;
    assert.equal(await ensureTradingAllowed(world.live), true);
    assert.equal(await ensureTradingAllowed(world.live), true);
    assert.equal(world.asked, 2);
  });

  test("taken back during the confirmation voids it", async () => {
    const world: Traded = await traded({
      largestOrderUsd: 1000,
      answer: async () => {
        await world.live.gate.disallowTrading();
        return true;
      },
    });
    assert.deepEqual(await world.submit("private/buy", BUY), {
      kind: "notSent",
      failure: { kind: "situationChanged", changed: "trading" },
    });
    assert.deepEqual([world.frames("private/buy").length, world.live.record.trading], [0, undefined]);
  });

  test("taken back between the confirmation and the send voids it", async () => {
    const world: Traded = await traded({
      largestOrderUsd: 1000,
      onAppend: async ({ event }) => {
        if (event === "intent") await world.live.gate.disallowTrading();
      },
    });
    assert.deepEqual(await world.submit("private/buy", BUY), {
      kind: "notSent",
      failure: { kind: "situationChanged", changed: "trading" },
    });
    assert.equal(world.frames("private/buy").length, 0);
  });

  test("given for the testnet is none on production", async () => {
    const world = await traded({ declared: "production", largestOrderUsd: "notAllowed" });
    await allowUpTo(world, 1000);
    assert.equal(world.live.record.trading?.environment, "production");
    const other = await traded({
      largestOrderUsd: 1000,
      alter: (text) => text.replaceAll('"testnet":true', '"testnet":false'),
    });
    assert.equal(other.live.environment, "production");
    assert.equal(other.live.gate.trading, undefined);
  });
});

interface Sized {
  readonly name: string;
  readonly method: string;
  readonly params: object;
  /** The amount that is compared, and the index that turns it into USD. */
  readonly amount: number;
  readonly index?: string;
}

const SIZED: readonly Sized[] = [
  { name: "an inverse future", method: "private/buy", params: BUY, amount: 40 },
  {
    name: "contracts",
    method: "private/sell",
    params: { instrument_name: "BTC-PERPETUAL", contracts: 3, type: "market" },
    amount: 30,
  },
  {
    name: "a linear future",
    method: "private/buy",
    params: { instrument_name: "BTC_USDC-PERPETUAL", amount: 0.01, type: "market" },
    amount: 0.01,
    index: "btc_usdc",
  },
  {
    name: "an option",
    method: "private/buy",
    params: { instrument_name: "BTC-26MAR27-84000-P", amount: 0.1, price: 0.01 },
    amount: 0.1,
    index: "btc_usd",
  },
  {
    name: "spot that is priced in another coin",
    method: "private/buy",
    params: { instrument_name: "ETH_BTC", amount: 2, price: 0.02 },
    amount: 2,
    index: "eth_usd",
  },
  {
    name: "the largest linked order",
    method: "private/buy",
    params: {
      ...BUY,
      linked_order_type: "one_triggers_other",
      otoco_config: [{ amount: 70, direction: "sell", type: "limit", price: 2500 }],
    },
    amount: 70,
  },
  {
    name: "the largest bid or ask",
    method: "private/mass_quote",
    params: {
      quote_id: "q",
      mmp_group: "g1",
      quotes: [
        {
          instrument_name: "ETH-PERPETUAL",
          quote_set_id: "x",
          bid: { price: 2000, amount: 5 },
          ask: { price: 2500, amount: 90 },
        },
        { instrument_name: "BTC-PERPETUAL", quote_set_id: "y", bid: { price: 80_000, amount: 60 } },
      ],
    },
    amount: 90,
  },
  {
    name: "the largest leg of a block trade",
    method: "private/verify_block_trade",
    params: {
      timestamp: 1,
      nonce: "n",
      role: "maker",
      trades: [
        { instrument_name: "ETH-PERPETUAL", price: 2000, amount: 300, direction: "buy" },
        { instrument_name: "BTC-PERPETUAL", price: 80_000, amount: 200, direction: "sell" },
      ],
    },
    amount: 300,
  },
  {
    name: "the largest leg of a Block RFQ",
    method: "private/add_block_rfq_quote",
    params: {
      block_rfq_id: 7,
      amount: 100,
      direction: "buy",
      legs: [
        { instrument_name: "ETH-PERPETUAL", price: 2000, ratio: 1, direction: "buy" },
        { instrument_name: "BTC-PERPETUAL", price: 80_000, ratio: 2, direction: "sell" },
      ],
    },
    amount: 200,
  },
];

describe("the largest order", () => {
  for (const { name, method, params, amount, index } of SIZED)
    test(`is compared with ${name}: the same size is sent, and a larger one refused without a question`, async () => {
      const world = await traded();
      const usd = index === undefined ? amount : amount * (await indexPrice(world, index));
      await allowUpTo(world, usd * 0.99);
      assert.equal(
        reasonOf(await world.submit(method, params)),
        `The order is for ${String(usd)} USD, but the largest order that is allowed on this connection is ${String(usd * 0.99)} USD. Use a smaller amount, or Allow Trading… to change the limit.`,
      );
      assert.deepEqual([world.questions.length, world.frames(method).length], [0, 0]);
      await allowUpTo(world, usd);
      await world.submit(method, params);
      assert.deepEqual([world.questions.map(({ kind }) => kind), world.frames(method).length], [["modal"], 1]);
    });

  test("is compared with the new amount of an edit, or else with that of the order", async () => {
    const world = await traded({ largestOrderUsd: 1000 });
    const placed = await world.submit("private/buy", { ...BUY, price: 1900 });
    assert.ok(placed.kind === "confirmed");
    const { order } = placed.response.result as {
      readonly order: { readonly order_id: string; readonly amount: number };
    };
    const { order_id, amount } = order;
    await allowUpTo(world, amount - 1);
    assert.match(
      reasonOf(await world.submit("private/edit", { order_id, price: 1999 })),
      new RegExp(`is for ${amount} USD`),
    );
    assert.match(reasonOf(await world.submit("private/edit", { order_id, amount: 5000 })), /is for 5000 USD/);
    await world.submit("private/edit", { order_id, amount: amount - 1, price: 1999 });
    assert.equal(world.frames("private/edit").length, 1);
  });

  for (const [name, method, params] of [
    [
      "an edit by label without an amount",
      "private/edit_by_label",
      { instrument_name: "ETH-PERPETUAL", label: "a", price: 1 },
    ],
    [
      "a block trade that is named by its nonce",
      "private/approve_block_trade",
      { timestamp: 1, nonce: "n", role: "taker" },
    ],
    ["an unknown method", "private/place", { instrument: "ETH", qty: 1e9 }],
  ] as const)
    test(`cannot be compared with ${name}: then a text is typed on the testnet too`, async () => {
      const world = await traded({ largestOrderUsd: 1000 });
      await world.submit(method, params);
      assert.deepEqual([world.questions.map(({ kind }) => kind), world.frames(method).length], [["modal", "typed"], 1]);
    });

  test("where the server has no method that tells the size, a text is typed", async () => {
    const world = await traded({
      largestOrderUsd: 1000,
      alter: (text) =>
        text.replace(/"result":\{[^{}]*"instrument_type":.*$/, `"error":{"code":-32601,"message":"Method not found"}}`),
    });
    await world.submit("private/buy", BUY);
    assert.deepEqual(
      [world.questions.map(({ kind }) => kind), world.frames("private/buy").length],
      [["modal", "typed"], 1],
    );
  });

  test("where the price can't be read, the order is refused with the reason", async () => {
    const world = await traded({ largestOrderUsd: 1_000_000 });
    assert.equal(
      reasonOf(await world.submit("private/buy", { ...BUY, instrument_name: "ETH-NONE" })).replace(/\(.*\)/, "(…)"),
      "The size of the order in USD couldn't be read: the exchange returned error 13020 (…).",
    );
    assert.deepEqual([world.questions.length, world.frames("private/buy").length], [0, 0]);
  });

  test("a part that is too large is refused, also where the size of another isn't told", async () => {
    const world = await traded({ largestOrderUsd: 1000 });
    const quotes = [
      { instrument_name: "ETH-PERPETUAL", quote_set_id: "x", bid: { price: 2000, amount: 5000 }, ask: { price: 2500 } },
    ];
    const outcome = await world.submit("private/mass_quote", { quote_id: "q", mmp_group: "g1", quotes });
    assert.match(reasonOf(outcome), /is for 5000 USD/);
  });
});

/** 50 BTC: no limit of a test allows that. */
const LARGE = { instrument_name: "BTC_USDC-PERPETUAL", amount: 50, type: "market" };
const SMALL = { ...BUY, label: "s", amount: 1 };

function detailOf({ questions }: World): string {
  return questions.map((question) => (question.kind === "modal" ? question.detail : "")).join("\n");
}

/** Returns what is used of the total, as it is kept with the connection. */
function usedUsd({ live }: World): number | undefined {
  assert.deepEqual(live.gate.trading?.usedUsd, live.record.trading?.usedUsd);
  return live.record.trading?.usedUsd;
}

describe("a parameter or a method that is not known", () => {
  for (const [name, value] of [
    ["order_id", "ETH-1"],
    ["legs", [{ instrument_name: "ETH-PERPETUAL", ratio: 1 }]],
    ["trades", [{ instrument_name: "ETH-PERPETUAL", amount: 1 }]],
    ["quotes", [{ instrument_name: "ETH-PERPETUAL", bid: { amount: 1 } }]],
    ["hedge", { instrument_name: "ETH-PERPETUAL", amount: 1 }],
  ] as const)
    test(`${name} does not make a large order small`, async () => {
      const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
      const params = { ...LARGE, [name]: value };
      assert.match(reasonOf(await world.submit("private/buy", params)), /^The order is for \d{6,}(\.\d+)? USD, but/);
      assert.deepEqual([world.questions, framesOfTrades(world)], [[], 0]);
    });

  for (const declared of ["test", "production"] as const)
    test(`makes the size unknown on ${declared}: the connection name is typed, and it is sent as written`, async () => {
      const world = await traded({ declared, largestOrderUsd: 100, totalUsd: 1000 });
      await world.live.gate.allowChanges();
      world.questions.length = 0;
      await world.submit("private/buy", { ...SMALL, iceberg: true });
      assert.deepEqual(
        world.questions.map((question) => (question.kind === "typed" ? question.expected : question.kind)),
        ["modal", "lab"],
      );
      assert.match(
        detailOf(world),
        /^iceberg is not a documented parameter of this method\. It narrows nothing and is sent as written\.$/m,
      );
      assert.match(detailOf(world), /^The size in USD is unknown, so the limits of trading can't be checked\.$/m);
      assert.match(world.frames("private/buy")[0] ?? "", /"iceberg":true/);
    });

  test("the time in which sizes are read again counts toward the deadline of an order", async () => {
    let confirmedMs = 0;
    const world: Traded = await traded({
      ...{ largestOrderUsd: 100, totalUsd: 1000 },
      answer: async () => {
        confirmedMs = world.clock.now();
        world.exchange.control.setFault({ method: "public/get_instrument", holdMs: 3000 });
        return await Promise.resolve(true);
      },
    });
    const sent = world.submit("private/buy", SMALL, { validForMs: 8000 });
    await world.clock.advance(5000);
    await sent;
    const [frame = ""] = world.frames("private/buy");
    assert.equal(Number(/"valid_until":(\d+)/.exec(frame)?.[1]) - confirmedMs, 8000);
  });

  test("an order is not sent where the computer sleeps while its size is read again", async () => {
    const world: Traded = await traded({
      ...{ largestOrderUsd: 100, totalUsd: 1000 },
      answer: async () => {
        world.exchange.control.setFault({ method: "public/get_instrument", holdMs: 4000 });
        return await Promise.resolve(true);
      },
    });
    const sent = world.submit("private/buy", SMALL, { validForMs: 8000 });
    await world.clock.advance(2000);
    world.clock.sleep(9000, "stops");
    await world.clock.advance(5000);
    assert.equal((await sent).kind, "notSent");
    assert.equal(world.frames("private/buy").length, 0);
  });

  test("does not count on the simulator, where no real money is", async () => {
    const world = await traded({ declared: "simulator" });
    await world.submit("private/buy", { ...SMALL, iceberg: true });
    assert.deepEqual([world.questions.map(({ kind }) => kind), world.frames("private/buy").length], [["modal"], 1]);
  });

  test("inside a list makes the size unknown too, and a mass quote is not confirmed by its count", async () => {
    const world = await traded({ declared: "production", largestOrderUsd: 1000 });
    await world.live.gate.allowChanges();
    world.questions.length = 0;
    const bid = { price: 2000, amount: 5, scale: 1000 };
    const quotes = [{ instrument_name: "ETH-PERPETUAL", quote_set_id: "x", bid }];
    await world.submit("private/mass_quote", { quote_id: "q", mmp_group: "g1", quotes });
    assert.deepEqual(
      world.questions.map((question) => (question.kind === "typed" ? question.expected : question.kind)),
      ["modal", "lab"],
    );
    assert.match(detailOf(world), /quotes\.0\.bid\.scale is not a documented parameter/);
  });

  for (const [method, params] of [
    ["private/cancel_all", {}],
    ["private/cancel_all_by_instrument", { instrument_name: "ETH-PERPETUAL" }],
    ["private/cancel", {}],
  ] as const)
    test(`of ${method}, which has no size, is told and sent`, async () => {
      const world = await traded({ largestOrderUsd: 100 });
      const [order] = world.exchange.control.openOrders();
      const id = method === "private/cancel" ? { order_id: order?.order_id } : {};
      const outcome = await world.submit(method, { ...params, ...id, side: "buy" });
      assert.equal(outcome.kind, "confirmed");
      assert.deepEqual(
        world.questions.map(({ kind }) => kind),
        ["modal"],
      );
      assert.match(detailOf(world), /side is not a documented parameter of this method\. It narrows nothing/);
    });

  test("is not a number in quotes, which is sized as that number and sent as written", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
    assert.match(reasonOf(await world.submit("private/buy", { ...LARGE, amount: "50" })), /^The order is for \d+/);
    assert.equal((await world.submit("private/buy", { ...SMALL, amount: "1.0" })).kind, "confirmed");
    assert.deepEqual([world.questions.map(({ kind }) => kind), usedUsd(world)], [["modal"], 1]);
    assert.match(world.frames("private/buy").join(""), /"amount":"1\.0"/);
  });

  for (const spelling of ["/private/buy", "api/v2/private/buy", "/api/v2/private/buy"])
    test(`is not ${spelling}, which is the known method in effect, size, scope, and confirmation`, async () => {
      const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
      assert.match(reasonOf(await world.submit(spelling, LARGE)), /^The order is for \d+/);
      await world.submit(spelling, SMALL);
      assert.deepEqual(
        [world.questions.map(({ kind }) => kind), world.frames("private/buy").length, world.frames(spelling).length],
        [["modal"], 1, 0],
      );
      assert.equal(usedUsd(world), 1);
    });
});

describe("the total", () => {
  test("of 1000 USD is not passed by 1000 orders of 99 USD", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
    const outcomes: Outcome[] = [];
    for (let count = 0; count < 1000; count++)
      outcomes.push(await world.submit("private/buy", { ...BUY, amount: 99, label: `o${count}` }));
    assert.equal(world.frames("private/buy").length, 10);
    assert.deepEqual(world.live.gate.trading, { largestOrderUsd: 100, totalUsd: 1000, usedUsd: 990 });
    assert.equal(
      reasonOf(outcomes[10] ?? assert.fail("no outcome")),
      "This counts 99 USD, but only 10 USD of the total of 1000 USD are left on this connection. Use a smaller amount, or Allow Trading… to change the limits.",
    );
    assert.match(
      world.questions[9]?.kind === "modal" ? world.questions[9].detail : "",
      /^Counts 99 USD toward the total: 891 of 1000 USD are used, 109 USD are left before it\.$/m,
    );
    await world.submit("private/buy", { ...BUY, amount: 10, label: "rest" });
    assert.equal(world.frames("private/buy").length, 11);
  });

  test("is kept with the connection, and begins again when trading is allowed again", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
    await world.submit("private/buy", { ...BUY, amount: 60 });
    assert.equal(usedUsd(world), 60);
    await allowUpTo(world, 50);
    assert.equal(usedUsd(world), 0);
  });

  test("holds for orders that are confirmed in the same moment", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 150 });
    await Promise.all(
      ["a", "b", "c"].map(async (label) => await world.submit("private/buy", { ...BUY, amount: 60, label })),
    );
    assert.equal(world.frames("private/buy").length, 2);
    assert.equal(usedUsd(world), 120);
  });

  test("does not count what the exchange refused, or was not sent, and counts what is unknown", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
    world.exchange.control.setFault({ method: "private/buy", effect: "skipped", response: { code: 10_009 } });
    assert.equal((await world.submit("private/buy", { ...BUY, amount: 60, label: "a" })).kind, "rejected");
    assert.equal(usedUsd(world), 0);
    world.exchange.control.setFault({ method: "private/buy", response: "none" });
    const lost = world.submit("private/buy", { ...BUY, amount: 70, label: "b" });
    await world.clock.advance(20_000);
    assert.equal((await lost).kind, "unknown");
    assert.equal(usedUsd(world), 70);
  });

  test("counts only what an edit adds", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 150 });
    const placed = await world.submit("private/buy", { ...BUY, price: 1900 });
    assert.ok(placed.kind === "confirmed");
    const { order } = placed.response.result as { readonly order: { readonly order_id: string } };
    for (const price of [1901, 1902, 1903, 1904])
      await world.submit("private/edit", { order_id: order.order_id, amount: 40, price });
    assert.equal(usedUsd(world), 40);
    await world.submit("private/edit", { order_id: order.order_id, amount: 90, price: 1904 });
    assert.equal(usedUsd(world), 90);
  });
});

describe("a reduce-only order up to the position", () => {
  const close = { instrument_name: "BTC-PERPETUAL", type: "market", reduce_only: true };

  async function position(
    world: Traded,
  ): Promise<{ readonly size: number; readonly out: string; readonly into: string }> {
    const outcome = await world.submit("private/get_position", { instrument_name: "BTC-PERPETUAL" });
    assert.ok(outcome.kind === "confirmed");
    const { size } = outcome.response.result as { readonly size: number };
    assert.notEqual(size, 0);
    return size > 0
      ? { size, out: "private/sell", into: "private/buy" }
      : { size: -size, out: "private/buy", into: "private/sell" };
  }

  test("is within both limits, however large it is, and is confirmed all the same", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
    const { size, out } = await position(world);
    assert.ok(size > 1000);
    await world.submit(out, { ...close, amount: size });
    assert.deepEqual([world.questions.length, world.frames(out).length], [1, 1]);
    assert.match(detailOf(world), /^Reduce-only up to the position: the limits of trading don't apply\.$/m);
    assert.equal(usedUsd(world), 0);
  });

  test("is a close of the position too", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
    await world.submit("private/close_position", { instrument_name: "BTC-PERPETUAL", type: "market" });
    assert.deepEqual([world.questions.length, world.frames("private/close_position").length], [1, 1]);
  });

  test("is not one that is larger, has the other direction, or an unknown parameter", async () => {
    const world = await traded({ largestOrderUsd: 100, totalUsd: 1000 });
    const { size, out, into } = await position(world);
    for (const [method, params] of [
      [out, { ...close, amount: size + 10 }],
      [into, { ...close, amount: size }],
      [out, { ...close, amount: size, reduce_only: false }],
      [out, { ...close, amount: size, iceberg: true }],
    ] as const)
      assert.match(reasonOf(await world.submit(method, params)), /^The order is for \d+ USD/);
    assert.deepEqual([world.questions, framesOfTrades(world)], [[], 0]);
  });

  test("is compared with the position as it is after the confirmation", async () => {
    let isSmaller = false;
    const world: Traded = await traded({
      largestOrderUsd: 100,
      totalUsd: 1000,
      answer: () => (isSmaller = true),
      alter: (text) => (isSmaller ? text.replace(/"size":-?\d+(?=[,}])/, '"size":10') : text),
    });
    const { size, out } = await position(world);
    assert.match(reasonOf(await world.submit(out, { ...close, amount: size })), /^The order is for \d+ USD/);
    assert.deepEqual([world.questions.length, world.frames(out).length], [1, 0]);
  });
});

describe("the size after the confirmation", () => {
  for (const [name, change, expected] of [
    [
      "that became too large",
      (price: string) => String(Number(price) * 1000),
      /^The order is for \d+(\.\d+)? USD, but the/,
    ],
    ["that became unknown", () => "0", /^Not sent: the size of the order in USD became unknown while the confirmation/],
  ] as const)
    test(`${name} is not sent, and does not count`, async () => {
      let isAsked = false;
      const world: Traded = await traded({
        answer: () => (isAsked = true),
        alter: (text) =>
          isAsked
            ? text.replace(/"index_price":([\d.]+)/, (_all, price: string) => `"index_price":${change(price)}`)
            : text,
      });
      await allowUpTo(world, 2000);
      const order = { instrument_name: "BTC_USDC-PERPETUAL", amount: 0.01, type: "market" };
      assert.match(reasonOf(await world.submit("private/buy", order)), expected);
      assert.deepEqual([world.questions.length, world.frames("private/buy").length], [1, 0]);
      assert.equal(usedUsd(world), 0);
    });
});
