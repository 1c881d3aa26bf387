import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { describeAccount } from "../../../../src/simulator/wire/accountFile.ts";
import { pluck } from "../../../pluck.ts";
import { createSituation } from "../conversation.ts";

interface Leg {
  readonly instrument_name: string;
  readonly block_rfq_id?: number;
}

interface BlockTrade {
  readonly id: string;
  readonly timestamp: number;
  readonly broker_code?: string;
  readonly trades: readonly Leg[];
}

interface BookedTrade extends BlockTrade {
  readonly trades: readonly (Leg & {
    readonly trade_id: string;
    readonly order_id: string;
    readonly fee: number;
    readonly direction: string;
    readonly amount: number;
  })[];
}

type Client = Pick<ReturnType<ReturnType<typeof createSituation>["connect"]>, "result">;

/** The signed positions of a party, by instrument. */
async function sizesOf(client: Client): Promise<Map<string, number>> {
  return new Map((await client.result<Held[]>("private/get_positions")).map(amountOf));
}

interface Held {
  readonly instrument_name: string;
  readonly size: number;
  readonly size_currency?: number;
}

/** The signed position in what a trade in it counts: of a future of USDC, which has its value as its size, the coins. */
function amountOf({ instrument_name: name, size, size_currency: coins = NaN }: Held): [string, number] {
  return [name, /_USDC-(?:PERPETUAL|\w+)$/.test(name) ? coins : size];
}

/** Adds what legs bought and sold to signed sizes. */
function addLegs(sizes: Map<string, number>, legs: BookedTrade["trades"]): void {
  for (const { instrument_name: name, direction, amount } of legs)
    sizes.set(name, Number(((sizes.get(name) ?? 0) + (direction === "buy" ? amount : -amount)).toFixed(6)));
}

/** The trades of a block trade in words. */
function summaries(trade: BookedTrade | undefined): string[] {
  return (trade?.trades ?? []).map(
    ({ instrument_name: name, direction, fee }) => `${direction} ${name}, ${fee} of fees`,
  );
}

/** The latest trades in the transaction logs of a party in ETH and BTC, in the same words. */
async function loggedTrades(client: Client): Promise<string[]> {
  const words: string[] = [];
  for (const currency of ["ETH", "BTC"]) {
    const { logs } = await client.result<{
      logs: { type: string; side: string; instrument_name: string; commission: number }[];
    }>("private/get_transaction_log", { currency, start_timestamp: 0, end_timestamp: 4_000_000_000_000 });
    const last = logs.find(({ type }) => type === "trade");
    if (last !== undefined)
      words.push(`${last.side.split(" ")[1] ?? ""} ${last.instrument_name}, ${last.commission} of fees`);
  }
  return words;
}

const METHOD = "private/get_block_trades";

/** Adds block trades: in three currencies, of a Block RFQ, of brokers, by another key, and with an old ID. */
function addBlockTrades({ exchange: { control }, clock }: ReturnType<typeof createSituation>): void {
  const instruments = ["BTC-PERPETUAL", "ETH-PERPETUAL", "SOL_USDC-PERPETUAL"];
  const specs: readonly Partial<Parameters<typeof control.addBlockTrade>[0]>[] = [
    { id: "66" },
    { keyId: 3 },
    { broker_code: "broker_7" },
    { broker_code: "broker_9" },
  ];
  const rfq = (instrument_name: string) =>
    ({ instrument_name, direction: "buy", amount: 1, block_rfq_id: 50_510 }) as const;
  control.addBlockTrade({ legs: [rfq("BTC-26MAR27-96000-C"), rfq("BTC-26MAR27-96000-P")] });
  for (let count = 0; count < 129; count++) {
    clock.shiftWall(1);
    const direction = count % 6 < 3 ? "buy" : "sell";
    const legs = [{ instrument_name: instruments[count % 3] ?? "", direction, amount: 10 }] as const;
    control.addBlockTrade({ ...specs[count], legs });
  }
}

describe(METHOD, () => {
  const situation = createSituation();
  addBlockTrades(situation);
  const client = situation.connect();
  const signedIn = client.signIn();
  const read = async (params?: Record<string, unknown>): Promise<BlockTrade[]> => {
    await signedIn;
    return await client.result<BlockTrade[]>(METHOD, params);
  };
  const ids = (trades: readonly BlockTrade[]): string[] => trades.map(({ id }) => id);

  test("the newest first, page by page without a gap or a double", async () => {
    const first = await read({ count: 101 });
    assert.equal(first.length, 101);
    assert.deepEqual(
      pluck(first, "timestamp"),
      first.map(({ timestamp }) => timestamp).toSorted((one, other) => other - one),
    );
    const rest = await read({ count: 101, start_id: first.at(-1)?.id });
    assert.equal(rest.length, 29);
    assert.equal(new Set(ids([...first, ...rest])).size, 130);
    assert.deepEqual(await read({ count: 101, start_id: rest.at(-1)?.id }), []);
    const all = ids([...first, ...rest]);
    const pages: string[] = [];
    for (let start: string | undefined; ; start = pages.at(-1)) {
      const page = await read({ count: 7, ...(start === undefined ? {} : { start_id: start }) });
      if (page.length === 0) break;
      pages.push(...ids(page));
    }
    assert.deepEqual(pages, all);
  });

  test("start_id is left out of the response, end_id is the last in it", async () => {
    const page = ids(await read({ count: 10 }));
    assert.deepEqual(ids(await read({ start_id: page[2], end_id: page[6] })), page.slice(3, 7));
    assert.deepEqual(await client.refusal(METHOD, { end_id: page[6] }), [-32602, "end_id", "wrong format"]);
  });

  test("filters: currency, Block RFQ, broker", async () => {
    for (const currency of ["BTC", "ETH", "USDC"]) {
      const found = await read({ currency, count: 101 });
      assert.ok(found.length > 0, currency);
    }
    assert.deepEqual(await read({ currency: "EURR" }), []);
    assert.deepEqual(await client.refusal(METHOD, { currency: "XYZ" }), [-32602, "currency", "invalid currency"]);
    const rfq = await read({ block_rfq_id: 50_510 });
    assert.deepEqual(
      rfq.map(({ trades }) => trades.map((leg) => leg.block_rfq_id)),
      [[50_510, 50_510]],
    );
    assert.deepEqual(pluck(await read({ broker_code: "any" }), "broker_code"), ["broker_9", "broker_7"]);
    assert.deepEqual((await read({ broker_code: "broker_7" })).length, 1);
  });

  test("one by its id, and none for an id that does not exist", async () => {
    const [newest] = await read({ count: 1 });
    assert.deepEqual(await client.result("private/get_block_trade", { id: newest?.id }), newest);
    assert.deepEqual(await client.refusal("private/get_block_trade", { id: "BLOCK-1" }), [13020]);
    assert.deepEqual(await client.refusal(METHOD, { start_id: "BLOCK-1" }), [13020]);
  });

  test("a restricted key sees only what was made with it", async () => {
    const key = situation.exchange.control.apiKeys()[2];
    const other = situation.connect();
    await other.result("public/auth", {
      grant_type: "client_credentials",
      client_id: key?.["client_id"],
      client_secret: key?.["client_secret"],
    });
    const found = await other.result<BlockTrade[]>(METHOD);
    assert.equal(found.length, 1);
    assert.deepEqual(await other.refusal("private/get_block_trade", { id: "66" }), [-32602, "id", "not found"]);
  });
});

describe("a block trade that is executed now", () => {
  test("is the newest, and told on every channel that has to do with it", async () => {
    const situation = createSituation();
    const client = situation.connect();
    await client.signIn();
    const channels = [
      "block_trade_confirmations",
      "block_trade_confirmations.BTC",
      "block_trade_confirmations.ETH",
      "user.trades.any.any.raw",
      "trades.BTC-26MAR27-96000-C.raw",
      "block_rfq.trades.BTC",
    ];
    assert.deepEqual(await client.result("private/subscribe", { channels }), channels);
    const { id } = situation.exchange.control.addBlockTrade({
      legs: [{ instrument_name: "BTC-26MAR27-96000-C", direction: "buy", amount: 25, block_rfq_id: 722 }],
    });
    assert.deepEqual(pluck(await client.result<BlockTrade[]>(METHOD, { count: 1 }), "id"), [id]);
    const found = channels.map((channel) => client.events(channel).length);
    assert.deepEqual(found, [1, 1, 0, 1, 1, 1]);
    const [confirmation] = client.events("block_trade_confirmations") as { state: { value: string }; nonce: string }[];
    assert.deepEqual([confirmation?.state.value, confirmation?.nonce], ["executed", `bt-${String(id)}`]);
    const [[trade]] = client.events("trades.BTC-26MAR27-96000-C.raw") as [
      [{ block_trade_id: string; block_trade_leg_count: number; block_rfq_id: number }],
    ];
    assert.deepEqual([trade.block_trade_id, trade.block_trade_leg_count, trade.block_rfq_id], [id, 1, 722]);
    const told = await client.result<{ block_rfqs: unknown[]; continuation?: string }>("public/get_block_rfq_trades", {
      currency: "BTC",
      count: 1,
    });
    const [event] = client.events("block_rfq.trades.BTC") as [object];
    const index = await client.result<{ index_price: number }>("public/get_index_price", { index_name: "btc_usd" });
    assert.deepEqual(told.block_rfqs, [{ ...event, index_prices: { btc_usd: index.index_price } }]);
  });

  test("of a structure has the price that its legs add up to", async () => {
    const situation = createSituation();
    const client = situation.connect();
    const leg = { amount: 25, block_rfq_id: 723 } as const;
    situation.exchange.control.addBlockTrade({
      legs: [
        { ...leg, instrument_name: "BTC-26MAR27-96000-C", direction: "sell", price: 0.08 },
        {
          ...leg,
          instrument_name: "BTC-26MAR27-102000-C",
          direction: "buy",
          price: 0.06,
          amount: 50,
        },
      ],
    });
    const { block_rfqs: listed } = await client.result<{ block_rfqs: Record<string, unknown>[] }>(
      "public/get_block_rfq_trades",
      { currency: "BTC", count: 1 },
    );
    // One of the first is sold, two of the second are bought: the structure of both is sold at 0.08 - 2 × 0.06.
    assert.deepEqual(pluck(listed, "direction", "trades"), [
      ["sell", [{ direction: "sell", price: -0.04, amount: 25 }]],
    ]);
    assert.deepEqual(pluck(listed[0]?.["legs"] as Record<string, unknown>[], "direction", "ratio"), [
      ["buy", 1],
      ["sell", 2],
    ]);
  });
});

describe("block trades that appear automatically", () => {
  const changes = "user.changes.any.any.raw";

  /** An account as it is after the market has offered it block trades for a while; `made` are the new ones. */
  const watch = async (
    options: Parameters<typeof createSituation>[0] = {},
  ): Promise<{ readonly client: ReturnType<ReturnType<typeof createSituation>["connect"]>; made: BookedTrade[] }> => {
    const situation = createSituation({ orders: 0, ...options });
    const { control } = situation.exchange;
    const client = situation.connect();
    await client.signIn();
    await client.result("private/subscribe", { channels: [changes, "user.portfolio.any"] });
    const before = control.blockTrades().length;
    for (let step = 0; step < 40; step++) control.moveAccount();
    const all = control.blockTrades() as unknown as BookedTrade[];
    return { client, made: all.slice(0, all.length - before) };
  };

  test("are booked for the account: its positions, its log, and its events are those of their legs", async () => {
    const { client, made } = await watch();
    const legs = made.flatMap(({ trades }) => trades);
    const sizes = new Map<string, number>();
    addLegs(sizes, legs);
    const sorted = (of: ReadonlyMap<string, number>): unknown =>
      [...of].toSorted(([one], [other]) => (one < other ? -1 : 1));
    assert.ok(made.length > 5 && legs.length > 8);
    assert.deepEqual(sorted(await sizesOf(client)), sorted(sizes));

    const logged: string[] = [];
    for (const currency of ["BTC", "ETH", "USDC"]) {
      const range = { currency, start_timestamp: 0, end_timestamp: 4_000_000_000_000 };
      const { logs } = await client.result<{ logs: { order_id?: string }[] }>("private/get_transaction_log", range);
      logged.push(...logs.flatMap(({ order_id: id }) => id ?? []));
    }
    assert.deepEqual(logged.toSorted(), pluck(legs, "order_id").toSorted());

    const told = new Map<string, number>();
    for (const event of client.events(changes) as { positions: Held[] }[])
      for (const held of event.positions) told.set(...amountOf(held));
    assert.deepEqual(sorted(told), sorted(sizes));
    assert.ok(client.events("user.portfolio.any").length > made.length);
  });

  test("the public sees each leg once, and the first leg goes against the position that the account has", async () => {
    const { client, made } = await watch();
    const id = made[0]?.trades[0]?.trade_id;
    const name = made[0]?.trades[0]?.instrument_name;
    const { trades } = await client.result<{ trades: { trade_id: string; block_trade_id?: string }[] }>(
      "public/get_last_trades_by_instrument",
      { instrument_name: name, count: 100 },
    );
    const shown = trades.filter((each) => each.trade_id === id);
    assert.deepEqual(pluck(shown, "block_trade_id"), [made[0]?.id]);
    const sizes = new Map<string, number>();
    for (const { trades: legs } of made.toReversed()) {
      const [first] = legs;
      const size = sizes.get(first?.instrument_name ?? "") ?? 0;
      assert.equal(first?.direction, size > 0 ? "sell" : "buy", `${first?.instrument_name} after ${size}`);
      addLegs(sizes, legs);
    }
  });

  test("none comes to an account without funds", async () => {
    const { client, made } = await watch({ account: describeAccount({}) });
    assert.deepEqual(made, []);
    assert.deepEqual([...(await sizesOf(client))], []);
  });
});

describe("signatures of block trades", () => {
  const LEGS = [
    { instrument_name: "ETH-PERPETUAL", price: 2100, amount: 1000, direction: "buy" },
    { instrument_name: "BTC-PERPETUAL", price: 90_000, amount: 10_000, direction: "sell" },
  ];

  /** Two parties: the main account, and a subaccount with `eth` of its own. */
  const open = async (
    eth = 5,
  ): Promise<{
    readonly clock: ReturnType<typeof createSituation>["clock"];
    readonly client: ReturnType<ReturnType<typeof createSituation>["connect"]>;
    readonly sub: ReturnType<ReturnType<typeof createSituation>["connect"]>;
    readonly agreed: Readonly<Record<string, unknown>>;
  }> => {
    const situation = createSituation();
    const client = situation.connect();
    await client.signIn();
    // A subaccount, as the other party.
    const sub = situation.connect();
    const { refresh_token: token } = await sub.signIn();
    const [, other] = await client.result<{ readonly id: number }[]>("private/get_subaccounts");
    const { access_token: access } = await sub.result<{ readonly access_token: string }>("public/exchange_token", {
      refresh_token: token,
      subject_id: other?.id,
    });
    if (eth > 0)
      await client.result("private/submit_transfer_to_subaccount", {
        currency: "ETH",
        amount: eth,
        destination: other?.id,
      });
    const withToken = <Args extends Record<string, unknown>>(params: Args): Args => ({
      ...params,
      access_token: access,
    });
    return {
      clock: situation.clock,
      client,
      sub: {
        ...sub,
        result: async (method, params = {}) => await sub.result(method, withToken(params)),
        refusal: async (method, params = {}) => await sub.refusal(method, withToken(params)),
      },
      agreed: { timestamp: situation.clock.now(), nonce: "n-1", trades: LEGS },
    };
  };
  const verify = "private/verify_block_trade";
  const execute = "private/execute_block_trade";

  test("one party's lets the other execute: both have the trade, each from its own side", async () => {
    const { client, sub, agreed } = await open();
    const { signature } = await client.result<{ readonly signature: string }>(verify, { ...agreed, role: "maker" });
    const trade = await sub.result<BlockTrade>(execute, {
      ...agreed,
      role: "taker",
      counterparty_signature: signature,
    });
    const sides = (of: BlockTrade | undefined): unknown =>
      (of?.trades as unknown as readonly Record<string, unknown>[]).map(({ direction, liquidity }) => [
        direction,
        liquidity,
      ]);
    assert.deepEqual(sides(trade), [
      ["sell", "T"],
      ["buy", "T"],
    ]);
    const [mine] = await client.result<BlockTrade[]>(METHOD, { count: 1 });
    assert.equal(mine?.id, trade.id);
    assert.deepEqual(sides(mine), [
      ["buy", "M"],
      ["sell", "M"],
    ]);
  });

  test("what is executed is booked for both parties, as fills are", async () => {
    const { client, sub, agreed } = await open();
    const channels = ["user.changes.any.any.raw", "user.trades.any.any.raw", "user.portfolio.eth"];
    await client.result("private/subscribe", { channels });
    const before = await Promise.all([client, sub].map(async (each) => await sizesOf(each)));
    const portfolios = client.events("user.portfolio.eth").length;
    const { signature } = await client.result<{ readonly signature: string }>(verify, { ...agreed, role: "maker" });
    const trade = await sub.result<BookedTrade>(execute, {
      ...agreed,
      role: "taker",
      counterparty_signature: signature,
    });
    const after = await Promise.all([client, sub].map(async (each) => await sizesOf(each)));
    const moved = LEGS.map(({ instrument_name: name }) =>
      after.map((sizes, party) => (sizes.get(name) ?? 0) - (before[party]?.get(name) ?? 0)),
    );
    assert.deepEqual(moved, [
      [1000, -1000],
      [-10_000, 10_000],
    ]);
    const [mine] = await client.result<BookedTrade[]>(METHOD, { count: 1 });
    for (const [party, made] of [
      [client, mine],
      [sub, trade],
    ] as const)
      assert.deepEqual(await loggedTrades(party), summaries(made), "the transaction log and the user's trades agree");
    assert.deepEqual(
      client
        .events("user.trades.any.any.raw")
        .flat()
        .map((leg) => (leg as { trade_id: string }).trade_id),
      pluck(mine?.trades ?? [], "trade_id"),
    );
    const changes = client.events("user.changes.any.any.raw") as { positions: { instrument_name: string }[] }[];
    assert.deepEqual(
      changes.map(({ positions }) => pluck(positions, "instrument_name")),
      LEGS.map(({ instrument_name: name }) => [name]),
    );
    assert.equal(client.events("user.portfolio.eth").length, portfolios + 1);
    const read = { instrument_name: "BTC-PERPETUAL", count: 1 };
    const told = await client.result<{ trades: { block_trade_id: string; block_trade_leg_count: number }[] }>(
      "public/get_last_trades_by_instrument",
      read,
    );
    assert.deepEqual(pluck(told.trades, "block_trade_id", "block_trade_leg_count"), [[trade.id, 2]]);
  });

  test("what a party has no funds for is not executed, and the signature stays good", async () => {
    const { client, sub, agreed } = await open(0);
    const { signature } = await client.result<{ readonly signature: string }>(verify, { ...agreed, role: "maker" });
    const params = { ...agreed, role: "taker", counterparty_signature: signature };
    const sizes = await sizesOf(client);
    assert.deepEqual(await sub.refusal(execute, params), [10_009]);
    assert.deepEqual(await sizesOf(client), sizes);
    const [, other] = await client.result<{ readonly id: number }[]>("private/get_subaccounts");
    const money = { currency: "ETH", amount: 1, destination: other?.id };
    await client.result("private/submit_transfer_to_subaccount", money);
    assert.equal((await sub.result<BlockTrade>(execute, params)).trades.length, 2);
  });

  test("is worth nothing for another trade, the same side, a second time, or after five minutes", async () => {
    const { client, sub, agreed, clock } = await open();
    const sign = async (): Promise<string> =>
      (await client.result<{ readonly signature: string }>(verify, { ...agreed, role: "maker" })).signature;
    const refused = async (params: object): Promise<unknown> =>
      await sub.refusal(execute, { ...agreed, role: "taker", ...params });
    const counterparty_signature = await sign();
    const [first, second] = LEGS;
    for (const other of [
      { counterparty_signature: "1.x.y" },
      { counterparty_signature, nonce: "n-2" },
      { counterparty_signature, trades: [first] },
      { counterparty_signature, trades: [first, { ...second, price: 90_001 }] },
      { counterparty_signature, role: "maker" },
    ])
      assert.deepEqual(await refused(other), [13009], JSON.stringify(other));
    await sub.result(execute, { ...agreed, role: "taker", counterparty_signature });
    assert.deepEqual(await refused({ counterparty_signature }), [13009]);
    const late = await sign();
    await clock.advance(5 * 60_000 + 1);
    assert.deepEqual(await refused({ counterparty_signature: late }), [-32602, "timestamp", "invalid timestamp"]);
  });

  test("can be invalidated only by the party that gave it", async () => {
    const { client, sub, agreed } = await open();
    const { signature } = await client.result<{ readonly signature: string }>(verify, { ...agreed, role: "maker" });
    const invalidate = "private/invalidate_block_trade_signature";
    assert.deepEqual(await sub.refusal(invalidate, { signature }), [13009]);
    assert.equal(await client.result(invalidate, { signature }), "ok");
    assert.deepEqual(
      await sub.refusal(execute, { ...agreed, role: "taker", counterparty_signature: signature }),
      [13009],
    );
    assert.deepEqual(await client.refusal(invalidate, { signature }), [13009]);
  });

  test("is refused for what cannot be traded", async () => {
    const { client, agreed } = await open();
    const rows: readonly (readonly [object, readonly unknown[]])[] = [
      [{ role: "both" }, [-32602, "role", "invalid role"]],
      [{ trades: [{ ...LEGS[0], instrument_name: "ETH-NONE" }] }, [-32602, "trades", "invalid trade"]],
      [{ trades: [{ ...LEGS[0], amount: 0 }] }, [-32602, "trades", "invalid trade"]],
      [{ trades: [{ ...LEGS[0], price: 2100.01 }] }, [-32602, "trades", "invalid trade"]],
      [{ trades: [{ ...LEGS[0], instrument_name: "BTC_USDC" }] }, [-32602, "trades", "invalid trade"]],
      [{ timestamp: 1 }, [-32602, "timestamp", "invalid timestamp"]],
    ];
    for (const [other, refusal] of rows)
      assert.deepEqual(await client.refusal(verify, { ...agreed, role: "maker", ...other }), refusal);
  });
});
