import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** The reason why an order was cancelled, in words. */
interface CancelReason {
  /** The words for a row, e.g. `MMP`. */
  readonly brief: Plain;
  /** A sentence. */
  readonly sentence: Plain;
}

/**
 * Returns the meaning of a `cancel_reason`: values of the official description, and those that its next version adds.
 * Any other value is shown as it came. Undefined where none is given.
 * https://docs.deribit.com/api-reference/trading/private-get_order_state
 */
export function cancelReason(value: string | undefined): CancelReason | undefined {
  if (value === undefined || value === "") return undefined;
  const known = Object.hasOwn(REASONS, value) ? REASONS[value]?.() : undefined;
  if (known !== undefined) return known;
  const raw = plain.name(value);
  return { brief: raw, sentence: l10n.t("Reason given by the exchange: {0}.", raw) };
}

/** Whether a user of this account asked for it, which needs no explanation in a row. */
export function isOrdinaryReason(value: string | undefined): boolean {
  return value === undefined || value === "" || value === "user_request";
}

const REASONS: Readonly<Record<string, () => CancelReason>> = {
  user_request: () => ({
    brief: l10n.t("on request"),
    sentence: l10n.t("A user with access to the account requested it."),
  }),
  autoliquidation: () => ({
    brief: l10n.t("liquidation"),
    sentence: l10n.t("The exchange is liquidating the account and cancelled its orders first."),
  }),
  cancel_on_disconnect: () => ({
    brief: l10n.t("disconnect"),
    sentence: l10n.t("The connection that placed it was lost while cancel-on-disconnect (COD) was enabled."),
  }),
  risk_mitigation: () => ({ brief: l10n.t("risk"), sentence: l10n.t("The exchange cancelled it to mitigate risk.") }),
  pme_risk_reduction: () => ({
    brief: l10n.t("margin risk"),
    sentence: l10n.t("Portfolio margining reduced the risk of the account."),
  }),
  pme_account_locked: () => ({
    brief: l10n.t("account locked"),
    sentence: l10n.t("Portfolio margining has locked the account in this currency."),
  }),
  position_locked: () => ({ brief: l10n.t("position locked"), sentence: l10n.t("The position is locked.") }),
  mmp_trigger: () => ({
    brief: l10n.t("MMP"),
    sentence: l10n.t("Market maker protection (MMP) was triggered and cancelled the protected orders."),
  }),
  mmp_config_curtailment: () => ({
    brief: l10n.t("MMP limit"),
    sentence: l10n.t("An MMP limit was lowered below the quoted size."),
  }),
  edit_post_only_reject: () => ({
    brief: l10n.t("post-only edit"),
    sentence: l10n.t("An edit would have made it trade immediately, which its post-only setting rejects."),
  }),
  oco_other_closed: () => ({
    brief: l10n.t("OCO"),
    sentence: l10n.t("The other order of the one-cancels-the-other (OCO) pair was closed."),
  }),
  oto_primary_closed: () => ({
    brief: l10n.t("OTO"),
    sentence: l10n.t("The order that triggers it (one-triggers-the-other, OTO) was cancelled."),
  }),
  settlement: () => ({ brief: l10n.t("settlement"), sentence: l10n.t("It was closed by a settlement.") }),
  order_overlap: () => ({
    brief: l10n.t("self-trade"),
    sentence: l10n.t("It would have traded with another order of the account (self-trade prevention)."),
  }),
  order_overlap_another_sub: () => ({
    brief: l10n.t("self-trade"),
    sentence: l10n.t("It would have traded with an order of another subaccount (self-trade prevention)."),
  }),
};
