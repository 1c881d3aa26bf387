import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { channelReferences } from "../../../../src/catalogue/reference/reference.ts";
import { orderBook, quote, ticker } from "../../../../src/simulator/market/figures.ts";
import { createSituation } from "../conversation.ts";
import { createMarketLab, instrumentNamed, type MarketLab } from "./marketLab.ts";

/* The channels of the market tell what the methods of the same figures return. */

const NAME = "BTC-PERPETUAL";

type Level = readonly ["new" | "change" | "delete", number, number];
interface BookEvent {
  readonly type: "snapshot" | "change";
  readonly change_id: number;
  readonly prev_change_id?: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Keeps a book by its events, as a client does. */
function createFollowedBook(): { take(event: BookEvent): void; read(): unknown; changeId(): number } {
  const sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  let last = 0;
  return {
    take(event) {
      if (event.type === "change") assert.equal(event.prev_change_id, last);
      else assert.equal(event.prev_change_id, undefined);
      last = event.change_id;
      for (const side of ["bids", "asks"] as const)
        for (const [action, price, amount] of event[side]) {
          assert.equal(sides[side].has(price), action !== "new", `${action} ${price}`);
          if (action === "delete") sides[side].delete(price);
          else sides[side].set(price, amount);
        }
    },
    read: () => ({
      bids: [...sides.bids].sort(([one], [other]) => other - one),
      asks: [...sides.asks].sort(([one], [other]) => one - other),
    }),
    changeId: () => last,
  };
}

function bookOf({ market }: MarketLab, name = NAME): { bids: [number, number][]; asks: [number, number][] } {
  const { bids, asks } = orderBook(market, instrumentNamed(name), 10_000) as never as ReturnType<typeof bookOf>;
  return { bids, asks };
}

describe("book", () => {
  for (const interval of ["raw", "100ms", "agg2"])
    test(`${interval}: the snapshot with all changes is the book, at any time`, async () => {
      // What is collected is behind a market that moves.
      const lab = createMarketLab({ isStill: interval !== "raw" });
      const read = lab.listen(`book.${NAME}.${interval}`);
      const followed = createFollowedBook();
      let count = 0;
      const check = async (): Promise<void> => {
        await lab.flush();
        await lab.clock.advance(1000);
        // Who looks finds the quotes of this second; what that changed is told by the next event.
        bookOf(lab);
        await lab.flush();
        await lab.clock.advance(100);
        for (const event of read<BookEvent>()) {
          count++;
          followed.take(event);
        }
        assert.deepEqual(followed.read(), bookOf(lab));
      };
      await check();
      assert.ok(count >= 1);
      const [bid] = bookOf(lab).bids[0]!;
      const orderId = lab.rest(NAME, { direction: "buy", amount: 50, price: bid - 3 });
      await check();
      lab.take(NAME, "buy", 200);
      lab.take(NAME, "sell", 3000);
      await check();
      lab.cancel(NAME, orderId);
      for (let second = 0; second < 5; second++) await check();
      assert.ok(count >= (interval === "raw" ? 8 : 3), String(count));
    });

  test("raw tells of an operation at once; nothing is told where nothing changed", async () => {
    const lab = createMarketLab({ isStill: true });
    const read = lab.listen(`book.${NAME}.raw`);
    await lab.flush();
    assert.equal(read().length, 1);
    await lab.clock.advance(5000);
    await lab.flush();
    assert.deepEqual(read(), []);
    const [bid] = bookOf(lab).bids[0]!;
    lab.rest(NAME, { direction: "buy", amount: 50, price: bid - 1000 });
    await lab.flush();
    const [event] = read<BookEvent>();
    assert.deepEqual([event?.type, event?.bids, event?.asks], ["change", [["new", bid - 1000, 50]], []]);
  });

  test("by groups: amounts add up, bids at the lower edge and asks at the upper one, to the depth", async () => {
    const lab = createMarketLab({ isStill: true });
    const groups = ["none", "5", "10"].map((group) => lab.listen(`book.${NAME}.${group}.10.100ms`));
    await lab.clock.advance(100);
    const [plain, fives, tens] = groups.map((read) => read<ReturnType<typeof bookOf>>()[0]!);
    const { bids, asks } = bookOf(lab);
    assert.deepEqual([plain!.bids, plain!.asks], [bids.slice(0, 10), asks.slice(0, 10)]);
    const grouped = (levels: [number, number][], edge: (price: number) => number): [number, number][] => {
      const sums = new Map<number, number>();
      for (const [price, amount] of levels) sums.set(edge(price), (sums.get(edge(price)) ?? 0) + amount);
      return [...sums].slice(0, 10);
    };
    for (const [size, found] of [
      [5, fives],
      [10, tens],
    ] as const) {
      assert.deepEqual(
        found!.bids,
        grouped(bids, (price) => Math.floor(price / size) * size),
      );
      assert.deepEqual(
        found!.asks,
        grouped(asks, (price) => Math.ceil(price / size) * size),
      );
      assert.ok(found!.bids.length < bids.length);
    }
    await lab.clock.advance(5000);
    assert.deepEqual(
      groups.map((read) => read().length),
      [0, 0, 0],
    );
  });
});

describe("figures", () => {
  test("ticker, quote, and incremental ticker tell the same, all at first and then what is different", async () => {
    const lab = createMarketLab();
    const instrument = instrumentNamed(NAME);
    const [tickers, quotes, parts] = [`ticker.${NAME}.raw`, `quote.${NAME}`, `incremental_ticker.${NAME}`].map(
      (channel) => lab.listen(channel),
    );
    await lab.flush();
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const [first] = tickers!();
    assert.deepEqual(first, plain(ticker(lab.market, instrument)));
    assert.deepEqual(quotes!(), [plain(quote(lab.market, instrument))]);
    const [snapshot] = parts!();
    assert.deepEqual(snapshot, { type: "snapshot", ...first });
    await lab.clock.advance(3000);
    const last = plain(ticker(lab.market, instrument));
    assert.deepEqual(tickers!().at(-1), last);
    const put = Object.assign({}, snapshot, ...parts!()) as Record<string, unknown>;
    assert.deepEqual(put, { ...(last as object), type: "change" });
  });

  test("an interval tells the latest, once", async () => {
    const lab = createMarketLab({ isStill: true });
    const read = lab.listen(`ticker.${NAME}.100ms`);
    await lab.clock.advance(100);
    assert.equal(read().length, 1);
    lab.take(NAME, "buy", 10);
    await lab.flush();
    lab.take(NAME, "buy", 20);
    await lab.flush();
    assert.deepEqual(read(), []);
    await lab.clock.advance(100);
    const events = read();
    assert.deepEqual(
      events.map((event) => ({ ...event, timestamp: 0 })),
      [JSON.parse(JSON.stringify({ ...ticker(lab.market, instrumentNamed(NAME)), timestamp: 0 }))],
    );
  });

  test("trades come in order, each once, with those of accounts; candles and index prices follow", async () => {
    const lab = createMarketLab();
    const [one, all] = [lab.listen(`trades.${NAME}.100ms`), lab.listen("trades.future.BTC.100ms")];
    const [chart, price, statistics] = [
      lab.listen(`chart.trades.${NAME}.1`),
      lab.listen("deribit_price_index.btc_usd"),
      lab.listen("deribit_price_statistics.btc_usd"),
    ];
    const first = lab.market.lastSeq(instrumentNamed(NAME)) + 1;
    await lab.clock.advance(11_100);
    lab.take(NAME, "sell", 10);
    await lab.flush();
    await lab.clock.advance(10_000);
    const trades = one<{ trade_seq: number; price: number; timestamp: number }[]>().flat();
    assert.deepEqual(
      trades.map(({ trade_seq }) => trade_seq),
      [0, 1, 2, 3, 4].map((index) => first + index),
    );
    const own = all<{ instrument_name: string; trade_seq: number; timestamp: number }[]>().flat();
    assert.deepEqual(
      own.filter(({ instrument_name }) => instrument_name === NAME).map(({ trade_seq }) => trade_seq),
      trades.map(({ trade_seq }) => trade_seq),
    );
    assert.equal(chart<{ close: number }>().at(-1)?.close, trades.at(-1)?.price);
    const { market, marketMs } = lab.market.venue;
    assert.equal(price<{ price: number }>().at(-1)?.price, market.indexes.price("btc_usd", marketMs));
    const { low24h = 0, high24h = 0 } = statistics<{ low24h: number; high24h: number }>().at(-1) ?? {};
    const current = market.indexes.price("btc_usd", marketMs);
    assert.ok(low24h <= current && current <= high24h);
  });

  test("marks of options: all at first, then those that are different", async () => {
    const lab = createMarketLab();
    const read = lab.listen("markprice.options.btc_usd");
    await lab.flush();
    const [first] = read<{ instrument_name: string; mark_price: number; iv: number }[]>();
    const options = lab.market.venue.listing.open().filter(({ name }) => /^BTC-.*-[CP]$/.test(name)).length;
    assert.ok(first !== undefined && options > 300);
    assert.equal(first.length, options);
    for (const { instrument_name, mark_price, iv } of first) {
      const figures = ticker(lab.market, instrumentNamed(instrument_name));
      assert.deepEqual([mark_price, iv], [figures["mark_price"], (figures["mark_iv"] as number) / 100]);
    }
    await lab.clock.advance(60_000);
    const changes = read<unknown[]>();
    assert.ok(changes.length > 0 && changes.every((each) => each.length > 0 && each.length < options));
  });

  test("the state of an instrument is told when it ends and when another one is listed; the ended one trades no more", async () => {
    const lab = createMarketLab({ startMs: Date.UTC(2027, 2, 26, 7, 59, 50) });
    const read = lab.listen("instrument.state.future.BTC");
    await lab.clock.advance(9000);
    assert.deepEqual(read(), []);
    await lab.clock.advance(2000);
    assert.deepEqual(
      read().map(({ instrument_name, state }) => [instrument_name, state]),
      [
        ["BTC-26MAR27", "delivered"],
        ["BTC-9APR27", "open"],
        ["BTC-31MAR28", "open"],
      ],
    );
    const figures = ticker(lab.market, instrumentNamed("BTC-26MAR27"));
    assert.deepEqual([figures["state"], figures["best_bid_price"], figures["best_ask_amount"]], ["delivered", 0, 0]);
    assert.equal(figures["delivery_price"], figures["mark_price"]);
  });
});

test("every documented public channel is taken, but the one of the parts of an index; all fit what is documented", async () => {
  const { connect, clock, exchange } = createSituation({ still: false });
  const client = connect();
  await client.signIn();
  const words: Readonly<Record<string, string>> = {
    "{instrument_name}": NAME,
    "{interval}": "raw",
    "{index_name}": "btc_usd",
    "{group}": "none",
    "{depth}": "1",
    "{resolution}": "1",
    "{kind}": "future",
    "{currency}": "BTC",
  };
  const documented = channelReferences()
    .filter(({ access, pattern }) => access === "public" && !pattern.startsWith("block_rfq"))
    .map((reference) => ({
      ...reference,
      channel: reference.pattern.replace(/\{\w+\}/g, (word) => words[word] ?? word),
    }));
  const channels = documented.map(({ channel }) => channel);
  const accepted = await client.result<string[]>("public/subscribe", { channels });
  assert.deepEqual(
    channels.filter((channel) => !accepted.includes(channel)),
    ["deribit_price_ranking.btc_usd"],
  );
  await clock.advance(6000);
  for (const { channel, pattern, hint } of documented) {
    // Those without a hint have an exact shape, which the conversation checks.
    if (hint === undefined) continue;
    const members = new Set(
      client
        .events(channel)
        .flat()
        .flatMap((data) => Object.keys(data as object)),
    );
    const unknown = [...members].filter((member) => !hint.includes(`${member}:`));
    assert.deepEqual(unknown, [], pattern);
  }
  exchange.dispose();
});
