import * as l10n from "../base/l10n.ts";
import type { Plain } from "../base/plain.ts";
import { effectOf, isCancel, isTrade, type Effect } from "../catalogue/index.ts";
import { channelMethod } from "../actions/changes/changes.ts";
import type { FilePin } from "../requests/file/file.ts";
import type { Environment } from "../state/records.ts";
import type { RunWishes } from "./arguments.ts";

/** The facts that decide whether a run may change something. */
export interface WriteSituation {
  readonly writes: RunWishes["writes"];
  readonly cancels: RunWishes["cancels"];
  readonly trading: RunWishes["trading"];
  readonly environment: Environment;
  readonly pin: FilePin;
  /** Whether a user is there to confirm changes. */
  readonly isAttended: boolean;
}

/**
 * Returns a sentence if a request is not even handed to the gate; undefined if it is. The gate decides and asks as
 * always.
 */
export function writeRefusal(
  method: string,
  { writes, cancels, trading, environment, pin, isAttended }: WriteSituation,
): string | undefined {
  const effect = effectOf(method);
  if (effect === "read" || channelMethod(method) !== undefined) return undefined;
  // The way out is not kept by what the other changes need: a pin, a typed text, and a user who is there.
  if (isAllowedCancel(method, { cancels, environment })) return undefined;
  if (writes === "refused")
    return l10n.t("Write requests are not allowed in this run. Use --allow-writes to allow them.");
  const trade = runTradeRefusal(method, { trading, environment, isAttended });
  if (trade !== undefined) return trade;
  if (environment !== "production") return undefined;
  if (writes !== "production") return l10n.t("Write requests on production require --allow-writes prod.");
  if (pin.kind !== "only" || !pin.environments.includes("production"))
    return l10n.t("Write requests on production require a file whose $file.env includes prod.");
  return isAttended ? undefined : TYPED[effect]?.();
}

/** Why a change on production needs a user, where its effect is confirmed by typing. */
const TYPED: { readonly [E in Effect]?: () => string } = {
  mass: () =>
    l10n.t(
      "On production, a change of many orders or quotes at once requires a typed confirmation. Run it in a terminal, or use --allow-cancels prod for a cancel.",
    ),
  key: () => l10n.t("On production, a change of API keys requires a typed confirmation. Run it in a terminal."),
  money: () => l10n.t("On production, a transfer requires a typed confirmation. Run it in a terminal."),
};

/** Whether a request only cancels, and the run may cancel where it is sent. */
export function isAllowedCancel(
  method: string,
  { cancels, environment }: Pick<WriteSituation, "cancels" | "environment">,
): boolean {
  return (
    isCancel(method) && (cancels === "production" || (cancels === "notProduction" && environment !== "production"))
  );
}

/** Returns a sentence if an order, a quote, or another trade is not even handed to the gate. */
function runTradeRefusal(
  method: string,
  { trading, environment, isAttended }: Pick<WriteSituation, "trading" | "environment" | "isAttended">,
): Plain | undefined {
  if (!isTrade(method) || environment === "simulator") return undefined;
  if (trading === undefined)
    return l10n.t(
      "Orders, quotes, and trades are not allowed in this run. Use --allow-trading with the largest order and the total in USD to allow them.",
    );
  return environment === "production" && !isAttended
    ? l10n.t("On production, orders, quotes, and trades need a confirmation. Run them in a terminal.")
    : undefined;
}
