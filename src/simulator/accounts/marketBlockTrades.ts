import { bookBlockTrade, type AgreedTrade } from "../market/blockTradeBooking.ts";
import type { BlockTradeSpec, LegSpec } from "../market/blockTradeMaker.ts";
import type { SimulatedBlockTrade } from "../market/blockTrades.ts";
import { MARKET_ACCOUNT } from "../market/venue.ts";
import { roundTo } from "../text/json.ts";
import type { SimulatedAccount } from "./accounts.ts";

/**
 * Executes a block trade between an account, as its maker, and the market maker: it is booked as a signed one is. A leg
 * without a price is traded at the mark. Refuses with -32602 what cannot be traded, and with 10009 what the account has
 * no funds for.
 */
export function tradeWithMarket(account: SimulatedAccount, spec: BlockTradeSpec): SimulatedBlockTrade {
  const { id: accountId, world, blockTrades, blockTradeMaker } = account;
  const id = spec.id ?? blockTradeMaker.nextId();
  const trades = pricedLegs(account, spec.legs);
  const block = { id, rfqId: spec.legs[0]?.block_rfq_id };
  const { maker } = bookBlockTrade(
    world.market,
    { maker: String(accountId), taker: MARKET_ACCOUNT },
    { trades },
    block,
  );
  const { legs, ...rest } = spec;
  const made = blockTradeMaker.make(
    { ...rest, id },
    maker.map((leg, place) => ({ ...legs[place], ...leg })),
    world.market.venue.nowMs,
  );
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
