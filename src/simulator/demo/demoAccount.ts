import type { Random } from "../../base/clock.ts";
import { opposite } from "../../exchange/instrument.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import { tradeWithMarket } from "../accounts/marketBlockTrades.ts";
import { bookableInstrument, canAfford } from "../market/blockTradeBooking.ts";
import type { LegSpec } from "../market/blockTradeMaker.ts";
import type { Listing } from "../market/listing.ts";
import { roundTo } from "../text/json.ts";
import { randomInteger, randomOf } from "../text/seededRandom.ts";
import { DEMO_LABEL } from "./demoOrders.ts";

interface AccountMovePorts {
  readonly random: Random;
  readonly account: SimulatedAccount;
}

/** Makes one visible change beside the orders: a block trade, a quote that comes or goes, a group that freezes. */
export function moveAccount({ random, account }: AccountMovePorts): void {
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
