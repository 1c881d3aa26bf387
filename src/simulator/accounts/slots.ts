import { numberOf } from "../../exchange/ledger/money.ts";
import { refusal } from "../text/errors.ts";
import type { Venue } from "../market/venue.ts";
import type { AccountProfile, AccountRegister } from "./accountRegister.ts";

/*
 * The hidden subaccounts of isolated margin: slots. Each serves one instrument at a time. Without a position and an
 * open order it is free again: its collateral goes back to the main account, and another instrument can have it.
 */

/** The slots of the main account. */
export interface Slots {
  /** Returns the slots that serve an instrument, oldest first. */
  bound(): readonly AccountProfile[];
  /** Returns the slot that serves an instrument now. */
  serving(instrumentName: string): AccountProfile | undefined;
  /** Returns the slot that has an order, or had it. */
  ofOrder(orderId: string): AccountProfile | undefined;
  /** Returns the slot that serves an instrument: a new one or a free one, where none did. Refuses with 12001. */
  take(instrumentName: string): AccountProfile;
  /** Frees the slots that are no longer needed. */
  recycle(): void;
}

interface SlotPorts {
  readonly accounts: AccountRegister;
  readonly venue: Venue;
  readonly nowMs: () => number;
}

export function createSlots({ accounts, venue, nowMs }: SlotPorts): Slots {
  const all = (): readonly AccountProfile[] => accounts.all().filter(({ isolatedOf }) => isolatedOf !== undefined);
  const bound = (): readonly AccountProfile[] =>
    all().filter(({ isolatedInstrument }) => isolatedInstrument !== undefined);
  const serving = (name: string): AccountProfile | undefined =>
    bound().find(({ isolatedInstrument }) => isolatedInstrument === name);
  return {
    bound,
    serving,
    ofOrder(orderId) {
      const account = Number(venue.books.find(orderId)?.account);
      return all().find(({ id }) => id === account);
    },
    take(isolatedInstrument) {
      const slot =
        serving(isolatedInstrument) ??
        all().find((each) => each.isolatedInstrument === undefined) ??
        accounts.open(nowMs(), true);
      if (slot === undefined) throw refusal(12_001);
      accounts.change(slot.id, { isolatedInstrument });
      return { ...slot, isolatedInstrument };
    },
    recycle() {
      for (const { id } of bound()) {
        if (isInUse(venue, String(id))) continue;
        returnCollateral(venue, { from: String(id), to: String(accounts.main.id), atMs: nowMs() });
        accounts.change(id, { isolatedInstrument: undefined });
      }
    },
  };
}

function isInUse({ ledger, books }: Venue, account: string): boolean {
  return ledger.positions(account).some(({ size }) => size !== 0n) || [...books.open(account)].length > 0;
}

function returnCollateral(
  { ledger }: Venue,
  { from, to, atMs }: { readonly from: string; readonly to: string; readonly atMs: number },
): void {
  for (const currency of ledger.currencies(from)) {
    const amount = ledger.summary(from, currency).availableWithdrawalFunds;
    if (numberOf(amount) > 0) ledger.transfer(from, to, { currency, amount }, atMs);
  }
}
