import type { Random } from "../../base/clock.ts";
import {
  bookableInstrument,
  bookBlockTrade,
  canAfford,
  type AgreedTrade,
  type BlockParty,
} from "../market/blockTradeBooking.ts";
import { STRUCTURES, type BlockTradeSpec, type LegSpec } from "../market/blockTradeSeed.ts";
import type { SimulatedBlockTrade } from "../market/blockTrades.ts";
import { MARKET_ACCOUNT } from "../market/venue.ts";
import { roundTo } from "../text/json.ts";
import { randomInteger, randomOf } from "../text/seededRandom.ts";
import type { SimulatedAccount } from "./accounts.ts";

/**
 * Executes a block trade between an account, as its maker, and the market maker: it is booked as a signed one is. A leg
 * without a price is traded at the mark. Refuses with -32602 what cannot be traded, and with 10009 what the account has
 * no funds for.
 */
export function tradeWithMarket(account: SimulatedAccount, spec: BlockTradeSpec): SimulatedBlockTrade {
  const { id: accountId, world, blockTrades, blockTradeMaker } = account;
  const id = spec.id ?? blockTradeMaker.nextId();
  const own: BlockParty = { account: String(accountId), nextOrderId: (order) => world.nextId(order) };
  const other: BlockParty = { account: MARKET_ACCOUNT, nextOrderId: () => `market-${id}` };
  const trades = pricedLegs(account, spec.legs);
  const block = { id, rfqId: spec.legs[0]?.block_rfq_id };
  const { maker } = bookBlockTrade(world.market, { maker: own, taker: other }, { trades }, block);
  const legs = spec.legs.map((leg, place) => ({ ...leg, ...maker[place] }));
  const made = blockTradeMaker.make({ ...spec, id, legs });
  blockTrades.add(made);
  return made;
}

function pricedLegs({ world }: SimulatedAccount, legs: readonly LegSpec[]): AgreedTrade["trades"] {
  return legs.map((leg) => {
    const instrument = world.instruments.get(leg.instrument_name);
    if (instrument === undefined || leg.price !== undefined) return leg;
    const mark = roundTo(world.market.markPrice(instrument), instrument.tickSize);
    return { ...leg, price: Math.max(instrument.tickSize, mark) };
  });
}

/** How much smaller the account trades than others, so that its funds suffice. */
const PART_OF_SIZE = 25;

/**
 * Executes a random block trade, if the account has funds for it. It goes against the position that the account has in
 * the first leg, so that what one block trade opened another one closes, and the account stays as large as it is.
 */
export function tradeByChance(account: SimulatedAccount, random: Random, atMs: number): void {
  const { id, world } = account;
  const { venue } = world.market;
  venue.catchUp([]);
  const scale = randomInteger(random, 1, 4);
  const structure = randomOf(random, STRUCTURES);
  const [first] = structure;
  const isTurned = first !== undefined && world.position(first.instrument_name) > 0 === (first.direction === "buy");
  const legs = structure.map(({ direction, amount, ...leg }): LegSpec => ({
    ...leg,
    direction: isTurned ? opposite(direction) : direction,
    amount: (amount * scale) / PART_OF_SIZE,
  }));
  // Spot is traded by orders alone, and what has expired not at all.
  const isTradable = legs.every(({ instrument_name: name }) => bookableInstrument(venue, name) !== undefined);
  if (isTradable && canAfford(venue, String(id), { role: "maker", trades: legs }))
    tradeWithMarket(account, { atMs, legs });
}

function opposite(direction: "buy" | "sell"): "buy" | "sell" {
  return direction === "buy" ? "sell" : "buy";
}
