import type { ExchangeTrade } from "../../exchange/instrument.ts";
import type { AccountTrade } from "../../exchange/ledger/state.ts";
import type { VenuePorts } from "./venue.ts";
import type { World } from "./world.ts";

/** Carries what happens at the venue to the worlds of the accounts that it concerns. */
export interface VenueNews extends Pick<VenuePorts, "onFact" | "onAccountTrade" | "onDone"> {
  /** Lets an account hear of its orders from now on. */
  add(account: Listener): void;
}

/** An account, as far as it hears of its orders. */
interface Listener {
  readonly id: number;
  readonly world: World;
  /** Freezes its orders once all fills of an operation are counted. */
  readonly mmp: { settle(): void };
}

export function createVenueNews(): VenueNews {
  const listeners = new Map<string, Listener>();
  /** The sides of trades that are booked, and will be announced once their operation is over. */
  let booked: AccountTrade[] = [];
  const tell = (trade: ExchangeTrade): void => {
    const sides = booked.filter((side) => side.trade === trade);
    booked = booked.filter((side) => side.trade !== trade);
    // Both of its sides may be accounts; the public sees one trade.
    const own = sides.find(({ account }) => listeners.has(account));
    const made = own && listeners.get(own.account)?.world.announceTrade(trade);
    if (made !== undefined) for (const side of sides) listeners.get(side.account)?.world.traded(side, made);
  };
  return {
    add: (account) => void listeners.set(String(account.id), account),
    onAccountTrade: (side) => void booked.push(side),
    onFact(fact) {
      if (fact.kind === "trade") tell(fact.trade);
      else if (fact.kind !== "book") listeners.get(fact.order.account)?.world.take(fact);
    },
    onDone() {
      for (const { world, mmp } of listeners.values()) {
        world.done();
        mmp.settle();
      }
    },
  };
}
