import { numberOf } from "../../exchange/ledger/money.ts";
import type { LiquidationChange } from "../../exchange/liquidation/liquidations.ts";
import type { Venue } from "../market/venue.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { writeJson } from "../text/json.ts";

/**
 * Announces to an account that its liquidation began or ended, with what it has in the currency by then.
 * https://docs.deribit.com/subscriptions/user/userliquidation
 */
export function announceLiquidation(
  { publisher, venue }: { readonly publisher: Publisher; readonly venue: Venue },
  { account, currency, state, atMs }: LiquidationChange,
): void {
  const text = (): string => {
    const { marginBalance, maintenanceMargin, initialMargin, equity } = venue.ledger.summary(account, currency);
    return writeJson({
      state: `liquidation_${state}`,
      user_id: Number(account),
      currency,
      margin_balance: numberOf(marginBalance),
      maintenance_margin: numberOf(maintenanceMargin),
      initial_margin: numberOf(initialMargin),
      equity: numberOf(equity),
      timestamp: atMs,
    });
  };
  publisher.add("liquidation", text, { name: "", currencies: [] }, Number(account));
}
