import type { Clock } from "../../base/clock.ts";
import { isPaidInCoin } from "../../exchange/ledger/valuation.ts";
import type { Refusal } from "../../exchange/refusal.ts";
import { firstBlockRfqs, plantQuotes } from "../market/blockRfqSeed.ts";
import { createBlockRfqs, rfqCurrency, type BlockRfqs } from "../market/blockRfqs.ts";
import { createBlockTradeMaker, type BlockTradeMaker } from "../market/blockTradeMaker.ts";
import {
  blockTradeLegText,
  createBlockTrades,
  currenciesOf,
  rfqTradeMembers,
  type SimulatedBlockTrade,
  type BlockTrades,
} from "../market/blockTrades.ts";
import { writeJson } from "../text/json.ts";
import { refusalError } from "../text/refusals.ts";
import type { Market } from "../market/market.ts";
import { isolatedMarks } from "../market/positions.ts";
import {
  createMmp,
  freezeReason,
  type Mmp,
  type ProtectedFill,
  type SimulatedMmpConfig,
  firstMmpConfigs,
} from "./mmp.ts";
import { cancelProtected, curtail, reserveMargin, sizeInCoins } from "./protectedOrders.ts";
import { USER_ID, type WorldOrder } from "../market/orders.ts";
import type { UserTrade } from "../market/userTrades.ts";
import { createChanges, type Changes } from "../sessions/changes.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { createSeededRandom, namedSeed } from "../text/seededRandom.ts";
import { indexOf } from "../market/instruments.ts";
import type { Venue } from "../market/venue.ts";
import { createWorld, type World } from "../market/world.ts";

/** An account of an owner. */
export interface AccountIdentity {
  readonly id: number;
  readonly type: "main" | "subaccount";
  readonly username: string;
  /** The main account of a hidden subaccount of isolated margin: a slot. */
  readonly isolatedOf?: number;
}

/** The accounts of the owner, the main account first. */
export const ACCOUNTS: readonly [AccountIdentity, ...AccountIdentity[]] = [
  { id: USER_ID, type: "main", username: "simulator" },
  { id: USER_ID + 7, type: "subaccount", username: "simulator_options" },
  { id: USER_ID + 9, type: "subaccount", username: "simulator_empty" },
];

/** The parts of one account. */
export interface SimulatedAccount {
  readonly id: number;
  readonly world: World;
  readonly changes: Changes;
  readonly blockTrades: BlockTrades;
  readonly blockTradeMaker: BlockTradeMaker;
  readonly blockRfqs: BlockRfqs;
  readonly mmp: Mmp;
}

export interface AccountPorts {
  readonly clock: Clock;
  readonly seed: number;
  readonly publisher: Publisher;
  readonly venue: Venue;
  readonly market: Market;
}

/** Makes a new account: it has no orders yet, and all else only where it is the main one. */
export function createAccount(
  { id, type, ...identity }: AccountIdentity,
  { clock, seed, publisher, venue, market }: AccountPorts,
): SimulatedAccount {
  const marks = isolatedMarks(identity);
  const changes = createChanges({ venue, publisher, account: id, marks });
  const world: World = createWorld({
    id,
    marks,
    venue,
    market,
    instruments: venue.listing.instruments,
    onOrder: (describe, instrument) => {
      publisher.add("orders", () => world.text(describe()), instrument, id);
      changes.order(describe, instrument);
    },
    onTrade: (_, instrument) => publisher.touch(instrument),
    onUserTrade: (trade, order, instrument) => {
      publisher.add("userTrades", () => blockTradeLegText(trade, world.instruments), instrument, id);
      changes.trade(trade, instrument);
      if (order.mmp === true) mmp.count(protectedFill(venue, trade, order));
    },
  });
  const blockTradeMaker = createBlockTradeMaker(createSeededRandom(namedSeed(seed, `block trades ${id}`)));
  const blockTrades = createBlockTrades({
    instruments: world.instruments,
    onExecuted: (trade) => announceBlockTrade({ world, publisher, changes, id }, trade),
  });
  const blockRfqs = createBlockRfqs(
    {
      clock,
      onQuote: (quote) =>
        publisher.add("rfqQuotes", () => writeJson(quote), { name: "", currencies: [rfqCurrency(quote)] }, id),
      onRfq: (rfq) => {
        publisher.add(
          rfq.role === "maker" ? "rfqMaker" : "rfqTaker",
          () => writeJson(rfq),
          { name: "", currencies: [rfqCurrency(rfq)] },
          id,
        );
      },
    },
    type === "main" ? firstBlockRfqs(venue.listing, clock.now()) : [],
  );
  if (type === "main") plantQuotes(blockRfqs);
  const keepMargin = (config: SimulatedMmpConfig): Refusal | undefined => reserveMargin(venue, id, config);
  const mmp = createMmp(
    {
      clock,
      onFrozen(frozen) {
        publisher.add(
          "mmpTriggers",
          () => freezeReason(frozen),
          { name: frozen.config.index_name, currencies: [] },
          id,
        );
        if (frozen.config.block_rfq !== true) cancelProtected(world, frozen.config);
      },
      onConfigure(config) {
        const refusal = keepMargin(config);
        if (refusal !== undefined) throw refusalError(refusal, undefined);
      },
      onConfigured(config) {
        if (config.block_rfq !== true) curtail(world, venue, config);
      },
    },
    // An account from a file may have less money than they need.
    type === "main" ? firstMmpConfigs().filter((config) => keepMargin(config) === undefined) : [],
  );
  return { id, world, changes, blockTrades, blockTradeMaker, blockRfqs, mmp };
}

/**
 * Returns a fill as the limits count it: in coins, and with the sensitivities of now. The delta of an option that is
 * paid in the coin is that without its price.
 * https://docs.deribit.com/articles/market-maker-protection
 */
function protectedFill(venue: Venue, { amount, price, direction }: UserTrade, order: WorldOrder): ProtectedFill {
  const name = order.instrument_name;
  const instrument = venue.instrument(name);
  const coins = sizeInCoins(instrument, amount, price);
  const signed = direction === "buy" ? coins : -coins;
  const { marks } = venue.market;
  const option = instrument && marks.option(instrument, venue.marketMs);
  const paid = option && isPaidInCoin(instrument) ? marks.mark(instrument, venue.marketMs) : 0;
  return {
    index_name: indexOf(name),
    mmp_group: order.mmp_group,
    quantity: coins,
    delta: signed * ((option?.greeks.delta ?? 1) - paid),
    vega: signed * (option?.greeks.vega ?? 0),
  };
}

interface Announcing {
  readonly world: World;
  readonly publisher: Publisher;
  readonly changes: Changes;
  readonly id: number;
}

/** Announces a block trade to its account, and the end of its confirmation. */
function announceBlockTrade({ world, publisher, changes, id }: Announcing, trade: SimulatedBlockTrade): void {
  const { instruments } = world;
  for (const leg of trade.trades) {
    const instrument = instruments.get(leg.instrument_name);
    if (instrument === undefined) continue;
    publisher.add("userTrades", () => blockTradeLegText(leg, instruments), instrument, id);
    changes.trade(leg, instrument);
  }
  const about = { name: "", currencies: currenciesOf(trade, instruments) };
  const [first] = trade.trades;
  const legs = trade.trades.map(({ instrument_name, direction, price, amount }) => ({
    instrument_name,
    direction,
    price,
    amount,
  }));
  const confirmation = {
    ...{
      nonce: `bt-${trade.id}`,
      role: first?.liquidity === "T" ? "taker" : "maker",
      user_id: id,
      state: { value: "executed", timestamp: trade.timestamp },
    },
    ...{
      counterparty_state: { value: "executed", timestamp: trade.timestamp },
      trades: legs,
      timestamp: trade.timestamp,
    },
    ...{
      app_name: trade.app_name,
      broker_code: trade.broker_code,
      broker_name: trade.broker_name,
      combo_id: first?.combo_id,
    },
  };
  publisher.add("confirmations", () => writeJson(confirmation), about, id);
  const rfqTrade = rfqTradeMembers(trade);
  if (rfqTrade !== undefined) publisher.add("rfqTrades", () => writeJson(rfqTrade), about);
}
