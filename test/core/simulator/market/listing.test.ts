import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, remainingCycle, strikesAround } from "../../../../src/exchange/market/calendar.ts";
import { INDEX } from "../../../../src/simulator/market/instruments.ts";
import { createListing, type Listing } from "../../../../src/simulator/market/listing.ts";
import { createSeededRandom, randomInteger } from "../../../../src/simulator/text/seededRandom.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { createSituation } from "../conversation.ts";

/* What is listed, at any date, and what comes and goes as time passes. */

/** A Friday on which a week ends and no month does, after 08:00 UTC. */
const START_MS = Date.UTC(2026, 10, 20, 12);

const calm = (coin: keyof typeof INDEX): number => INDEX[coin];

function strikesOf(listing: Listing, prefix: string): number[] {
  const names = [...listing.instruments.keys()].filter((name) => name.startsWith(`${prefix}-`) && name.endsWith("-C"));
  return names.map((name) => Number(name.split("-")[2]?.replace("d", "."))).sort((one, other) => one - other);
}

function expirationsOf(listing: Listing, pattern: RegExp): string[] {
  const found = listing.open().flatMap(({ name }) => pattern.exec(name)?.[1] ?? []);
  return [...new Set(found)];
}

const BTC_FUTURE = /^BTC-(\d+[A-Z]+\d+)$/;
const BTC_OPTION = /^BTC-(\d+[A-Z]+\d+)-\d+-C$/;
const XRP_OPTION = /^XRP_USDC-(\d+[A-Z]+\d+)-[\dd]+-C$/;

describe("at the beginning", () => {
  const listing = createListing(START_MS);

  test("days, weeks, months, and quarters are listed: of futures two weeks, three months, and four quarters", () => {
    assert.equal(
      expirationsOf(listing, BTC_FUTURE).join(" "),
      "27NOV26 4DEC26 25DEC26 29JAN27 26MAR27 25JUN27 24SEP27",
    );
    const options = "21NOV26 22NOV26 23NOV26 27NOV26 4DEC26 11DEC26 25DEC26 29JAN27 26MAR27 25JUN27 24SEP27";
    const inOrder = (names: readonly string[]): string[] => options.split(" ").filter((name) => names.includes(name));
    assert.equal(inOrder(expirationsOf(listing, BTC_OPTION)).join(" "), options);
    assert.equal(expirationsOf(listing, XRP_OPTION).length, 6);
  });

  test("strikes are multiples of a step, closer together near the price and near the expiry", () => {
    const [day, quarter] = ["21NOV26", "26MAR27"].map((name) => strikesOf(listing, `BTC-${name}`));
    assert.equal(day?.join(" "), "88000 89000 90000 91000 91500 92000 92500 93000 93500 94000 95000 96000 97000");
    assert.deepEqual(quarter?.slice(0, 4), [50_000, 60_000, 70_000, 72_000]);
    assert.ok([84_000, 90_000, 96_000, 102_000, 108_000].every((strike) => quarter.includes(strike)));
    assert.deepEqual(
      strikesOf(listing, "XRP_USDC-26MAR27").filter((strike) => strike > 2 && strike < 2.5),
      [2.125, 2.25, 2.375],
    );
  });

  test("the legs of combos are listed", async () => {
    const client = createSituation().connect();
    const combos = await client.result<{ legs: { instrument_name: string }[] }[]>("public/get_combos", {
      currency: "any",
    });
    assert.ok(combos.length > 10);
    for (const { legs } of combos)
      for (const { instrument_name: name } of legs) assert.ok(listing.instruments.has(name), name);
  });
});

describe("as time passes", () => {
  test("what expires is replaced, and stays known", () => {
    const listing = createListing(START_MS);
    const before = listing.instruments.get("BTC-21NOV26-92000-C");
    listing.advance(Date.UTC(2026, 10, 21, 7, 59, 59), calm);
    assert.ok(before !== undefined && listing.open().includes(before));
    assert.equal(strikesOf(listing, "BTC-24NOV26").length, 0);
    listing.advance(Date.UTC(2026, 10, 21, 8), calm);
    assert.equal(listing.open().includes(before), false);
    assert.equal(listing.instruments.get(before.name), before);
    const [after] = listing.open().filter(({ name }) => name.startsWith("BTC-24NOV26-"));
    assert.deepEqual([after?.createdAtMs, after?.expiresAtMs], [Date.UTC(2026, 10, 21, 8), Date.UTC(2026, 10, 24, 8)]);
    assert.ok((after?.id ?? 0) > before.id);
  });

  test("more strikes are listed where the price leaves those of an expiration, around the price of that minute", () => {
    const listing = createListing(START_MS);
    const count = listing.instruments.size;
    const jumpMs = START_MS + 10 * MINUTE_MS;
    const priceAt = (coin: keyof typeof INDEX, atMs: number): number =>
      coin === "BTC" && atMs >= jumpMs ? 120_000 : INDEX[coin];
    listing.advance(jumpMs - 1, priceAt);
    assert.equal(listing.instruments.size, count);
    listing.advance(jumpMs, priceAt);
    assert.ok(strikesOf(listing, "BTC-21NOV26").includes(120_500));
    assert.deepEqual(
      strikesOf(listing, "BTC-21NOV26").filter((strike) => strike > 100_000),
      strikesAround(120_000, "day", { day: { near: 500, far: 1000 } } as never),
    );
    assert.equal(strikesOf(listing, "BTC-26MAR27").includes(132_000), false);
    assert.equal(listing.instruments.get("BTC-21NOV26-120500-P")?.createdAtMs, jumpMs);
  });

  test("an expiration gets closer strikes as it comes near", () => {
    const listing = createListing(START_MS);
    assert.equal(strikesOf(listing, "BTC-4DEC26").includes(92_500), false);
    listing.advance(Date.UTC(2026, 11, 1, 8), calm);
    assert.ok(strikesOf(listing, "BTC-4DEC26").includes(92_500));
    assert.deepEqual([3 * DAY_MS, 3 * DAY_MS + 1, 60 * DAY_MS].map(remainingCycle), ["day", "week", "quarter"]);
  });

  test("time that passes in many pieces comes to the same", () => {
    const random = createSeededRandom(3);
    const priceAt = (coin: keyof typeof INDEX, atMs: number): number =>
      INDEX[coin] * (1 + 0.2 * Math.sin(atMs / (7 * HOUR_MS)));
    const untilMs = START_MS + 8 * DAY_MS;
    const [whole, pieces] = [createListing(START_MS), createListing(START_MS)];
    whole.advance(untilMs, priceAt);
    for (let at = START_MS; at < untilMs; at += randomInteger(random, 1, 5 * HOUR_MS)) pieces.advance(at, priceAt);
    pieces.advance(untilMs, priceAt);
    assert.deepEqual([...pieces.instruments.values()], [...whole.instruments.values()]);
    assert.deepEqual(pieces.open(), whole.open());
  });
});

describe("an exchange that starts at another date", () => {
  const starts = ["2026-11-29T00:00:00Z", "2027-03-26T08:00:00Z", "2027-12-31T07:59:30Z", "2028-02-29T00:00:00Z"];
  for (const start of starts) {
    test(start, async () => {
      const startMs = Date.parse(start);
      const { connect, exchange } = createSituation({ clock: createFakeClock(startMs), account: undefined });
      const client = connect();
      await client.signIn();
      const names = async (method: string): Promise<string[]> =>
        (await client.result<{ instrument_name: string; size?: number }[]>(method, {}))
          .filter(({ size }) => size !== 0)
          .map(({ instrument_name: name }) => name);
      const listing = createListing(startMs);
      const near = listing.quarterly(0);
      assert.deepEqual(
        (await names("private/get_positions")).sort(),
        [
          `BTC-${near}-96000-C`,
          `BTC-${listing.quarterly(1)}`,
          "BTC-PERPETUAL",
          "ETH-PERPETUAL",
          "SOL_USDC-PERPETUAL",
          `XRP_USDC-${near}-2d25-C`,
        ].sort(),
      );
      const orders = await names("private/get_open_orders");
      assert.equal(orders.length, 24);
      for (const name of orders) {
        const { expiresAtMs = Infinity } = listing.instruments.get(name) ?? { expiresAtMs: 0 };
        assert.ok(expiresAtMs >= startMs + 60 * DAY_MS, name);
      }
      exchange.dispose();
    });
  }
});
