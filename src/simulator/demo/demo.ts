import type { Clock, Random } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import { repeat } from "../market/repeat.ts";
import { createSeededRandom, namedSeed, randomInteger, randomOf } from "../text/seededRandom.ts";
import { createDemoMoves } from "./demoMoves.ts";
import { firstOrders, DEMO_LABEL } from "./demoOrders.ts";
import { opposite } from "../../exchange/instrument.ts";
import { tradeWithMarket } from "../accounts/marketBlockTrades.ts";
import { bookableInstrument, canAfford } from "../market/blockTradeBooking.ts";
import type { LegSpec } from "../market/blockTradeMaker.ts";
import type { Listing } from "../market/listing.ts";
import { roundTo } from "../text/json.ts";

/**
 * The bot that gives the main account a life: it places, edits, and cancels orders with the label `demo`, and makes a
 * block trade now and then, with the account's funds and by the exchange's rules.
 */
export interface Demo {
  /** Places the first orders. */
  readonly begin: () => void;
  /** Lets it trade on its own, or stops it. Its open orders stay. */
  readonly setOn: (isOn: boolean) => void;
  /** Does with its orders what it would have done on its own. */
  readonly moveOrders: () => void;
  /** Does with all else what it would have done on its own. */
  readonly moveAccount: () => void;
}

export interface DemoPorts {
  readonly clock: Clock;
  readonly seed: number;
  readonly account: SimulatedAccount;
  /** How often the market moves, in ms. */
  readonly stepMs: number;
  /** The approximate number of open orders that it keeps. */
  readonly orders: number;
  /** The order updates in a second; a human pace when undefined. */
  readonly updatesPerSecond: number | undefined;
  /** Called when a moment's changes are done. */
  readonly onMoved: () => void;
  /** Called with the error of a failed move, which is a defect; the next one is made all the same. */
  readonly onDefect: (error: unknown) => void;
}

/** The default number of open orders at the beginning: one of every sort. */
export const DEFAULT_ORDERS = 24;

/** After how many moves of the market the demo does something with its orders, and with all else: least and most. */
const ORDERS_EVERY = [1, 3] as const;
const ACCOUNT_EVERY = [8, 25] as const;

/** How many times more orders are tried at the beginning than are wanted: the funds do not suffice for all. */
const MOST_TRIES = 4;

export function createDemo(ports: DemoPorts): Demo {
  const { clock, seed, stepMs, account, orders, updatesPerSecond } = ports;
  const { world } = account;
  const random = createSeededRandom(namedSeed(seed, "moves"));
  const accountRandom = createSeededRandom(namedSeed(seed, "account moves"));
  const moves = createDemoMoves({ world, random, orders });
  const safely = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      ports.onDefect(error);
    }
    ports.onMoved();
  };
  const moveAll = (): void => moveAccount({ random: accountRandom, account });
  const waitMs = (chance: Random, [least, most]: readonly [least: number, most: number]): number =>
    randomInteger(chance, least * stepMs, most * stepMs);
  let running: readonly Disposable[] = [];
  return {
    begin() {
      for (const order of firstOrders(world)) if (world.openCount < orders) moves.place(order);
      for (let tries = 0; world.openCount < orders && tries < orders * MOST_TRIES; tries++) moves.placeAway();
    },
    setOn(isOn) {
      for (const each of running) each.dispose();
      running = isOn
        ? [
            updatesPerSecond === undefined
              ? repeat(
                  clock,
                  () => waitMs(random, ORDERS_EVERY),
                  () => safely(moves.move),
                )
              : repeatAtRate(clock, updatesPerSecond, (count) => {
                  safely(() => {
                    for (let done = 0; done < count; done++) moves.update();
                  });
                }),
            repeat(
              clock,
              () => waitMs(accountRandom, ACCOUNT_EVERY),
              () => safely(moveAll),
            ),
          ]
        : [];
    },
    moveOrders: moves.move,
    moveAccount: moveAll,
  };
}

/** How often changes are made under load, in ms. */
const TICK_MS = 10;
/** The pause after a batch that took longer than that, in ms. */
const SHORTEST_PAUSE_MS = 1;
/** The longest time whose updates are made at once, in ms; longer than a tick, so that a late one is caught up with. */
const LONGEST_BATCH_MS = 50;

/** Has a number of updates made again and again, so that there are `rate` in a second, until disposed. */
function repeatAtRate(clock: Clock, rate: number, update: (count: number) => void): Disposable {
  let timer: Disposable;
  const run = (startMs: number, done: number, tookMs: number): void => {
    // What a batch took is a part of its tick: the pauses alone would keep a high rate from being reached.
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.max(TICK_MS, 1000 / rate) - tookMs);
    timer = clock.after(pauseMs, () => {
      const nowMs = clock.monotonicMs();
      const due = Math.floor(((nowMs - startMs) * rate) / 1000);
      // After a long stop (a laptop asleep) the missed updates are not made up for.
      const first = Math.max(done, due - rate);
      // What is made up for comes in pieces, so that answers and events leave in between.
      const until = Math.min(due, first + Math.ceil((rate * LONGEST_BATCH_MS) / 1000));
      update(until - first);
      run(startMs, until, clock.monotonicMs() - nowMs);
    });
  };
  run(clock.monotonicMs(), 0, 0);
  return {
    dispose: () => timer.dispose(),
  };
}

/** Makes one visible change beside the orders: a block trade, a quote that comes or goes, a group that freezes. */
function moveAccount({ random, account }: { readonly random: Random; readonly account: SimulatedAccount }): void {
  const chance = random();
  if (chance < 0.4) tradeByChance(account, random);
  else if (chance < 0.85) moveQuotes(account, random);
  else {
    const passing = account.mmp.configs({}).filter((config) => config.frozen_time > 0);
    const config = passing[randomInteger(random, 0, Math.max(0, passing.length - 1))];
    if (config !== undefined) account.mmp.freeze({ ...config, mmp_group: config.mmp_group ?? "" });
  }
}

/** Returns what block trades are made of. */
function structures({ quarterly }: Listing): readonly [readonly LegSpec[], ...(readonly LegSpec[])[]] {
  const [near, far] = [quarterly(0), quarterly(1)];
  return [
    [
      { instrument_name: `BTC-${near}-96000-C`, direction: "buy", amount: 1 },
      { instrument_name: `BTC-${near}-108000-C`, direction: "sell", amount: 1 },
    ],
    [
      { instrument_name: `BTC-${near}-84000-P`, direction: "sell", amount: 0.5 },
      { instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 8000 },
    ],
    [
      { instrument_name: `ETH-${far}-2250-C`, direction: "buy", amount: 20 },
      { instrument_name: `ETH-${far}-2250-P`, direction: "buy", amount: 20 },
    ],
    [
      { instrument_name: `ETH-${near}`, direction: "sell", amount: 6000 },
      { instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 6000 },
    ],
    [{ instrument_name: "BTC_USDC-PERPETUAL", direction: "buy", amount: 0.16 }],
  ];
}

/**
 * Executes a random block trade, if the account has funds for it. It goes against the position that the account has in
 * the first leg, so that what one block trade opened another one closes, and the account stays as large as it is.
 */
function tradeByChance(account: SimulatedAccount, random: Random): void {
  const { id, world } = account;
  const { venue } = world.market;
  venue.catchUp([]);
  const structure = randomOf(random, structures(venue.listing));
  const [first] = structure;
  const isTurned = first !== undefined && world.position(first.instrument_name) > 0 === (first.direction === "buy");
  const legs = structure.map(({ direction, ...leg }): LegSpec => ({
    ...leg,
    direction: isTurned ? opposite(direction) : direction,
    label: DEMO_LABEL,
  }));
  const isTradable = legs.every(({ instrument_name: name }) => bookableInstrument(venue, name) !== undefined);
  if (isTradable && canAfford(venue, String(id), { role: "maker", trades: legs })) tradeWithMarket(account, { legs });
}

function moveQuotes({ blockRfqs }: SimulatedAccount, random: Random): void {
  const open = blockRfqs.openQuotes();
  const [first, ...others] = open;
  if (first !== undefined && open.length > 5) {
    blockRfqs.cancel(randomOf(random, [first, ...others]).block_rfq_quote_id);
    return;
  }
  const asked = [...blockRfqs.rfqs()].filter(({ state, role }) => state === "open" && role === "maker");
  const rfq = asked[randomInteger(random, 0, Math.max(0, asked.length - 1))];
  if (rfq === undefined) return;
  const direction = random() < 0.5 ? "buy" : "sell";
  const price = roundTo(direction === "buy" ? 0.02 + random() * 0.002 : 0.023 + random() * 0.002, 0.0005);
  blockRfqs.place({ block_rfq_id: rfq.block_rfq_id, direction, price, amount: rfq.amount });
}
