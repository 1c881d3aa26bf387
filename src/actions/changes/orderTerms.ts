import { compareDecimals, isSameDecimal, parseDecimal } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { fieldsOf, pick, presentFields, type Fields, type Members } from "../intent/fields.ts";
import type { OrderSide } from "./placingNames.ts";

/*
 * The terms of an order, as a request to place or to edit it asks for them and as the order of the exchange has them.
 * Each term of a response is as asked, adjusted by the exchange by one of its rules, or not as asked.
 */

/** A parameter of an order, and how an order shows it. */
interface Term {
  readonly name: string;
  /** The members of an order that show the term: the first that the order has. Left out, that of the same name. */
  readonly shownBy?: (params: Members) => readonly string[];
  /** Whether an order without the member has it neither way: each has it, and this one came without. */
  readonly isOfEach?: true;
  /** Whether false is the same as absent, on both sides. */
  readonly isFlag?: true;
  /** Whether an order without the term proves nothing about an edit. */
  readonly isProof?: true;
  /** Whether the exchange replaces the term, so that the order need not have it. */
  readonly isReplaced?: (params: Members, order: Members) => boolean;
  /**
   * Returns in words what the exchange has adjusted, and by which rule; undefined where none explains the
   * difference. Left out, no rule adjusts it.
   */
  readonly ruleOf?: (difference: Difference) => Plain | undefined;
}

/** A term that an order has otherwise than it was asked for. */
interface Difference {
  readonly asked: string;
  readonly present: string;
  readonly side: OrderSide | undefined;
  readonly params: Members;
  readonly order: Members;
}

/**
 * The one list of the terms of private/buy, private/sell, private/close_position, private/edit, and
 * private/edit_by_label. No order shows `valid_until`, and each entry of `otoco_config` is an order of its own.
 * https://docs.deribit.com/api-reference/trading/private-buy
 */
const TERMS: readonly Term[] = [
  { name: "instrument_name", isOfEach: true },
  { name: "label" },
  { name: "amount", isOfEach: true, isProof: true, ruleOf: reducedRule },
  { name: "contracts", isOfEach: true, isProof: true, ruleOf: reducedRule },
  {
    name: "price",
    shownBy: (params) => [priceMember(params)],
    isOfEach: true,
    isProof: true,
    isReplaced: hasNoOwnPrice,
    ruleOf: priceRule,
  },
  { name: "type", shownBy: () => ["order_type"], isOfEach: true, isReplaced: isFired },
  { name: "time_in_force", isOfEach: true },
  { name: "post_only", isFlag: true },
  { name: "reject_post_only", isFlag: true },
  { name: "reduce_only", isFlag: true },
  { name: "mmp", isFlag: true },
  { name: "trigger", isReplaced: isFired },
  {
    name: "trigger_price",
    isProof: true,
    // The trigger price of a trailing stop follows the market.
    isReplaced: (params, order) => isFired(params, order) || order["order_type"] === "trailing_stop",
  },
  { name: "trigger_offset", isProof: true, isReplaced: isFired },
  // What the request calls display_amount is refilled to refresh_amount; display_amount is what is left of it.
  { name: "display_amount", shownBy: () => ["refresh_amount", "display_amount", "max_show"] },
  { name: "advanced" },
  { name: "trigger_fill_condition" },
];

/** What shows in an order that others are linked to it. https://docs.deribit.com/api-reference/trading/private-buy */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  one_triggers_other: ["oto_order_ids"],
  one_cancels_other: ["oco_ref"],
  one_triggers_one_cancels_other: ["is_primary_otoco", "oto_order_ids"],
};

/**
 * Returns the name of the member that holds the price of an order as its owner gave it: an option order may have its
 * price in USD or in implied volatility. https://docs.deribit.com/api-reference/trading/private-edit
 */
export function priceMember({ advanced }: { readonly advanced?: unknown }): "price" | "usd" | "implv" {
  return advanced === "usd" || advanced === "implv" ? advanced : "price";
}

/** Returns the terms that a request asks for, each by the name of the member of an order that shows it. */
export function requestedTerms(params: Members): Fields {
  return fieldsOf(
    Object.fromEntries(
      TERMS.flatMap((term) =>
        (params[term.name] ?? null) === null ? [] : [[memberNames(term, params)[0] ?? "", params[term.name]]],
      ),
    ),
  );
}

/** Whether an order is one of a spot instrument: only these have no `reduce_only` and no `is_liquidation`. */
export function isSpotOrder(order: { readonly reduce_only?: unknown; readonly is_liquidation?: unknown }): boolean {
  return order.reduce_only === undefined && order.is_liquidation === undefined;
}

/** Returns what an order has before an edit: the terms that the edit carries, and what tells it from other orders. */
export function termsBefore(params: Members, order: Members): Fields {
  return {
    ...presentFields(order, requestedTerms(params)),
    ...fieldsOf(pick(order, ["instrument_name", "direction"])),
  };
}

/** Returns a requested term that an order lacks, so that it proves nothing; undefined where it has them all. */
export function missingTerm(params: Members, order: Members): string | undefined {
  const isMissing = (term: Term): boolean =>
    term.isProof === true &&
    (params[term.name] ?? null) !== null &&
    term.isReplaced?.(params, order) !== true &&
    shownValue(term, params, order) === undefined;
  const missing = TERMS.find(isMissing);
  return missing === undefined ? undefined : memberNames(missing, params)[0];
}

/** What an order of the exchange has otherwise than it was asked for. */
export interface TermsFound {
  /** The terms that are different, in words; each that the exchange has adjusted with the rule by which it did so. */
  readonly different: readonly Plain[];
  /** Whether a rule of the exchange explains each difference. */
  readonly isAdjusted: boolean;
  /** Whether a term is shown that no rule explains; what is not shown may be as asked. */
  readonly isContradicted: boolean;
  /** What is as asked and looks otherwise, as sentences: a market order as a limit order, a trigger that has fired. */
  readonly notes: readonly Plain[];
}

/** Compares an order of the exchange with all terms of the request that placed or edited it. */
export function compareTerms(method: string, params: Members, order: Members): TermsFound {
  const found = TERMS.map((term) => compareTerm(term, { method, params, order }));
  const links = linkProblem(params, order);
  return {
    different: [...found.flatMap(({ adjusted, other, missing }) => adjusted ?? other ?? missing ?? []), ...links],
    isAdjusted: links.length === 0 && found.every(({ other, missing }) => (other ?? missing) === undefined),
    isContradicted: found.some(({ other }) => other !== undefined),
    notes: [...(isFired(params, order) ? [firedText(order)] : []), ...found.flatMap(({ note }) => note ?? [])],
  };
}

/** Returns the values that a request to place an order gives to the order itself. A read finds it by these. */
export function placementFields(method: string, params: Members): Fields {
  const isPriced = (params["advanced"] ?? null) === null && !hasNoOwnPrice(params);
  const side = sideOf(method, {});
  return fieldsOf({
    ...pick(params, ["instrument_name", "label", "amount", ...(isPriced ? ["price"] : [])]),
    ...(side === undefined ? {} : { direction: side }),
  });
}

/** Whether an order is what a trigger order went on as when it fired: under another ID, without its trigger. */
function isFired(_params: Members, order: Members): boolean {
  return typeof order["trigger_order_id"] === "string";
}

interface Compared {
  readonly method: string;
  readonly params: Members;
  readonly order: Members;
}

interface ComparedTerm {
  readonly note?: Plain;
  readonly adjusted?: Plain;
  readonly other?: Plain;
  readonly missing?: Plain;
}

function compareTerm(term: Term, { method, params, order }: Compared): ComparedTerm {
  const value = params[term.name];
  if ((value ?? null) === null || term.isReplaced?.(params, order) === true) return {};
  const asked = textOf(value);
  const shown = shownValue(term, params, order);
  if (shown === undefined) return isAbsenceRight(term, asked) ? {} : { missing: notShownText(term.name, asked) };
  const present = textOf(shown);
  if (present === asked || isSameDecimal(present, asked)) return {};
  // The type that it was meant to have is told in another member.
  if (term.name === "type" && order["original_order_type"] === asked)
    return { note: l10n.t("The exchange shows the {0} order as a {1} order.", plain.name(asked), plain.name(present)) };
  const adjusted = term.ruleOf?.({ asked, present, side: sideOf(method, order), params, order });
  return adjusted === undefined ? { other: otherText(nameOf(term, params), present, asked) } : { adjusted };
}

function isAbsenceRight({ isOfEach, isFlag }: Term, asked: string): boolean {
  return isOfEach === true || asked === "" || (isFlag === true && asked === "false");
}

function notShownText(name: string, asked: string): Plain {
  return l10n.t("the response doesn't show {0} (requested: {1})", plain.name(name), plain.name(asked));
}

function otherText(name: string, present: string, asked: string): Plain {
  const shown = (text: string): Plain => plain.name(text === "" ? l10n.t("none") : text);
  return l10n.t("{0} is {1} (requested: {2})", plain.name(name), shown(present), shown(asked));
}

function memberNames({ name, shownBy }: Term, params: Members): readonly string[] {
  return shownBy?.(params) ?? [name];
}

/** Returns the name of a term as a sentence says it: that of the parameter, or of a price in another unit. */
function nameOf({ name }: Term, params: Members): string {
  return name === "price" ? priceMember(params) : name;
}

function shownValue(term: Term, params: Members, order: Members): unknown {
  return memberNames(term, params)
    .map((name) => order[name] ?? undefined)
    .find((value) => value !== undefined);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Returns the side of an order: the method of a placement names it, every other order shows it. */
function sideOf(method: string, order: Members): OrderSide | undefined {
  if (method === "private/buy") return "buy";
  if (method === "private/sell") return "sell";
  const { direction } = order;
  return direction === "buy" || direction === "sell" ? direction : undefined;
}

/** Whether a request gives its order no price: the exchange's is then shown. */
function hasNoOwnPrice({ type = "limit" }: Members): boolean {
  return typeof type !== "string" || !type.endsWith("limit");
}

function reducedRule({ asked, present, params, order }: Difference): Plain | undefined {
  const isReduceOnly =
    order["reduce_only"] === true || (params["reduce_only"] === true && order["reduce_only"] !== false);
  return isReduceOnly && isBelow(present, asked)
    ? l10n.t(
        "the size is {0} (requested: {1}), because a reduce-only order can't be larger than the position",
        plain.name(present),
        plain.name(asked),
      )
    : undefined;
}

/** Returns why the exchange has moved a price away from a trade, which is the only way in which it does. */
function priceRule({ asked, present, side, params, order }: Difference): Plain | undefined {
  if (priceMember(params) !== "price" || side === undefined) return undefined;
  const isLessAggressive = side === "buy" ? isBelow(present, asked) : isBelow(asked, present);
  if (!isLessAggressive) return undefined;
  const isRepriced = order["post_only"] === true && order["reject_post_only"] !== true;
  return isRepriced
    ? l10n.t(
        "price is {0} (requested: {1}), because a post-only order is repriced instead of trading at once",
        plain.name(present),
        plain.name(asked),
      )
    : l10n.t(
        "price is {0} (requested: {1}), because the exchange moves a price beyond its price band to the limit of the band",
        plain.name(present),
        plain.name(asked),
      );
}

function firedText({ order_id: id, trigger_order_id: triggerId }: Members): Plain {
  return l10n.t(
    "The trigger of order {0} fired, and the order goes on as {1}.",
    plain.name(textOf(triggerId)),
    plain.name(textOf(id)),
  );
}

function linkProblem({ linked_order_type: link }: Members, order: Members): readonly Plain[] {
  if (typeof link !== "string" || !Object.hasOwn(LINKS, link)) return [];
  const isShown = (LINKS[link] ?? []).some((name) => {
    const value = order[name];
    return Array.isArray(value) ? value.length > 0 : value === true || (typeof value === "string" && value !== "");
  });
  return isShown ? [] : [notShownText("linked_order_type", link)];
}

function isBelow(one: string, other: string): boolean {
  const [first, second] = [parseDecimal(one), parseDecimal(other)];
  return first !== undefined && second !== undefined && compareDecimals(first, second) < 0;
}
