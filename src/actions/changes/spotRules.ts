import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Members } from "../intent/fields.ts";

/** The facts about an instrument that decide which orders it takes. */
interface SpotInstrument {
  /** The kind, in the exchange's word. */
  readonly kind: string;
  /** Whether its orders are passed on to the partner's spot exchange. */
  readonly isRouted?: boolean;
}

/**
 * Returns why a spot instrument does not take an order with these parameters, as a sentence; undefined where no rule of
 * spot instruments speaks against it. https://docs.deribit.com/articles/spot-trading-venues
 */
export function spotProblem(params: Members, { kind, isRouted = false }: SpotInstrument): Plain | undefined {
  if (kind !== "spot") return undefined;
  return SPOT_RULES.find(({ isBroken }) => isBroken(params))?.words() ?? (isRouted ? routedProblem(params) : undefined);
}

interface Rule {
  readonly isBroken: (params: Members) => boolean;
  readonly words: () => Plain;
}

const SPOT_RULES: readonly Rule[] = [
  {
    isBroken: ({ reduce_only: isReduceOnly }) => isReduceOnly === true,
    words: () => l10n.t("A spot order can't be reduce-only, because spot has no positions."),
  },
  {
    isBroken: ({ time_in_force: time }) => time === "good_til_day",
    words: () => l10n.t("A spot order can't be good_til_day."),
  },
  {
    isBroken: ({ mmp }) => mmp === true,
    words: () => l10n.t("A spot order can't count toward market maker protection (mmp)."),
  },
];

const ROUTED_TYPES: readonly unknown[] = ["limit", "market", "stop_limit"];

const ROUTED_RULES: readonly Rule[] = [
  {
    isBroken: ({ linked_order_type: link }) => (link ?? null) !== null,
    words: () => l10n.t("The venue of this instrument takes no linked orders (error 13922)."),
  },
  {
    isBroken: ({ trigger = "last_price" }) => trigger !== "last_price",
    words: () => l10n.t("The venue of this instrument only takes the trigger last_price."),
  },
  {
    isBroken: ({ display_amount: shown }) => (shown ?? null) !== null,
    words: () => l10n.t("The venue of this instrument takes no display_amount (error 11059)."),
  },
  {
    isBroken: ({ post_only: isPostOnly, reject_post_only: rejects }) => isPostOnly === true && rejects !== true,
    words: () =>
      l10n.t("The venue of this instrument only takes post_only together with reject_post_only (error 11055)."),
  },
  {
    isBroken: ({ type, time_in_force: time = "immediate_or_cancel" }) =>
      type === "market" && time !== "immediate_or_cancel",
    words: () => l10n.t("A market order of this instrument takes no time_in_force but immediate_or_cancel."),
  },
];

function routedProblem(params: Members): Plain | undefined {
  const { type = "limit" } = params;
  return ROUTED_TYPES.includes(type)
    ? ROUTED_RULES.find(({ isBroken }) => isBroken(params))?.words()
    : l10n.t(
        "The venue of this instrument takes no {0} orders, only limit, market, and stop_limit.",
        plain.name(String(type)),
      );
}
