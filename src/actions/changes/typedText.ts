import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Effect } from "../../catalogue/index.ts";
import { decimalText } from "../intent/decimal.ts";
import type { Members } from "../intent/fields.ts";

/** A text that has to be typed, and what it is. */
export interface TypedText {
  readonly text: string;
  readonly hint: Plain;
}

/**
 * Returns the part of a request that shows, once typed, that the request was read: an amount, the end of an address,
 * the number of orders, who it gives access to. The names of the parameters decide. Undefined where they name nothing
 * of that kind.
 */
export function typedTextOf(effect: Effect, params: Members): TypedText | undefined {
  for (const [value, hint] of namedParts(effect, params)) {
    const text = typeof value === "number" ? decimalText(value) : typeof value === "string" ? value.trim() : "";
    const shown = plain.name(text);
    // An empty text would be typed by pressing Enter alone, and the mark of a cut can't be typed at all.
    if (shown !== "" && !shown.endsWith("…")) return { text, hint };
  }
  return undefined;
}

/** Returns how many bids and asks a request places or changes, as a sentence; undefined where it has none. */
export function sidesNote(params: Members): Plain | undefined {
  const count = sideCount(params);
  if (count === undefined) return undefined;
  return count === 1
    ? l10n.t("It places or changes 1 bid or ask.")
    : l10n.t("It places or changes {0} bids and asks.", count);
}

function sideCount({ quotes }: Members): number | undefined {
  if (!Array.isArray(quotes)) return undefined;
  const sides = (quotes as readonly unknown[]).filter(isObject).flatMap(({ bid, ask }) => [bid, ask].filter(isObject));
  return sides.length === 0 ? undefined : sides.length;
}

function namedParts(effect: Effect, params: Members): readonly (readonly [value: unknown, hint: Plain])[] {
  switch (effect) {
    case "money":
      return [
        [params["amount"], l10n.t("the amount")],
        ...movedParts(params["trades"]),
        [endOf(params["address"]), l10n.t("the last 6 characters of the address")],
      ];
    case "mass":
      return [[sideCount(params), l10n.t("the number of bids and asks")]];
    case "key":
      return [
        [params["member_id"], l10n.t("the member ID")],
        [params["subaccount_id"] ?? params["sid"], l10n.t("the subaccount ID")],
        [params["name"], l10n.t("the name")],
      ];
    case "read":
    case "reduce":
    case "write":
    case "session":
      return [];
  }
}

/** Returns the amount of a single position that is moved, or the number of several. */
function movedParts(trades: unknown): readonly (readonly [value: unknown, hint: Plain])[] {
  if (!Array.isArray(trades)) return [];
  const [first, ...others] = trades as readonly unknown[];
  if (others.length > 0) return [[trades.length, l10n.t("the number of positions")]];
  return isObject(first) ? [[first["amount"], l10n.t("the amount")]] : [];
}

function endOf(address: unknown): unknown {
  return typeof address === "string" ? address.trim().slice(-6) : undefined;
}

/** Returns what a missing label means: an order of which no response arrived is looked for by its label. */
export function labelNote({ label }: Members): Plain | undefined {
  return typeof label === "string" && label !== ""
    ? undefined
    : l10n.t("The order has no label. If no response arrives, its outcome may stay unknown.");
}
