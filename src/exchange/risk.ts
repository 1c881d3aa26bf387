import type { Fact } from "./facts.ts";
import type { AccountId, Side } from "./instrument.ts";
import type { Refusal } from "./refusal.ts";
import type { Lots, Ticks } from "./units.ts";

/** The matching half's view of the ledger. None of its functions may call the engine. */
export interface Risk {
  /** Called before an order rests or trades; for an order that waits for a price, when it is triggered. */
  accepts(account: AccountId, order: RiskRequest): Refusal | undefined;
  /** Returns why an account can't place, edit, or cancel orders of an instrument now: it is being liquidated. */
  refusesControl(account: AccountId, instrument: string): Refusal | undefined;
  /** The position: above 0 long, below 0 short. It knows of every trade that `take` was told. */
  position(account: AccountId, instrument: string): Lots;
  /** Told of each fact as it happens, so that what is asked next is answered with it. */
  take(fact: Fact): void;
}

/** An order that is about to rest or trade. */
export interface RiskRequest {
  readonly instrument: string;
  readonly direction: Side;
  /** What it still wants. */
  readonly amount: Lots;
  /** The worst price at which it can trade; undefined for a market order without a band. */
  readonly price: Ticks | undefined;
  readonly reduceOnly: boolean;
  /** Whether market maker protection keeps margin for it; the default is false. */
  readonly mmp?: boolean;
  /** The order that the request replaces, with an edit: its reserve is free again. */
  readonly replaces: string | undefined;
}
