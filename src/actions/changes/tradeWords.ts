import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { figureText } from "../intent/decimal.ts";
import type { IntentWords } from "../intent/intent.ts";

/* A request that trades in the words of the commands: only what it says itself, with all digits of the file. */

type TradeWords = Pick<IntentWords, "action" | "target"> & { readonly sentence: Plain };

/** Reads a member of the parameters: a string, or the literal of a number; undefined where there is neither. */
type ReadMember = (name: string) => Plain | undefined;

/**
 * Returns the words of a request that places, edits, or closes; undefined for every other request, and where it does
 * not say what it is about. `literalOf`: returns a parameter as it is written; undefined where it is not there.
 */
export function tradeWords(method: string, literalOf: (name: string) => string | undefined): TradeWords | undefined {
  const member: ReadMember = (name) => {
    const literal = literalOf(name);
    const [, text = literal] = /^"(.*)"$/s.exec(literal ?? "") ?? [];
    if (text === undefined || text === "" || /^(?:null|true|false|[[{])/.test(text)) return undefined;
    return FIGURES.some((each) => each === name) ? figureText(text) : plain.name(text);
  };
  return Object.hasOwn(WORDS, method)
    ? WORDS[method as keyof typeof WORDS](member, literalOf("otoco_config"))
    : undefined;
}

const WORDS = {
  "private/buy": (member: ReadMember, linked: string | undefined) => placeWords("buy", member, linked),
  "private/sell": (member: ReadMember, linked: string | undefined) => placeWords("sell", member, linked),
  "private/edit": (member: ReadMember) => editWords(member),
  "private/close_position": (member: ReadMember) => closeWords(member),
};

function placeWords(side: "buy" | "sell", member: ReadMember, linked: string | undefined): TradeWords | undefined {
  const [instrument, amount, price] = [member("instrument_name"), amountOf(member), priceOf(member)];
  if (instrument === undefined || amount === undefined || price === undefined) return undefined;
  const order =
    side === "buy"
      ? l10n.t("Buy {0} {1} @ {2}", amount, instrument, price)
      : l10n.t("Sell {0} {1} @ {2}", amount, instrument, price);
  return {
    action: l10n.t("Place Order"),
    target: l10n.t("{0} {1} {2} @ {3}", instrument, side, amount, price),
    sentence: linked === undefined ? order : l10n.t("{0}, with linked orders", order),
  };
}

function amountOf(member: ReadMember): Plain | undefined {
  const [amount, contracts] = [member("amount"), member("contracts")];
  return amount ?? (contracts === undefined ? undefined : l10n.t("{0} contracts of", contracts));
}

/** Returns the price and the trigger of an order; undefined where the request says no price of one that needs it. */
function priceOf(member: ReadMember): Plain | undefined {
  const [type, typed, trigger] = [member("type"), member("price"), member("trigger_price") ?? member("trigger_offset")];
  const isMarket = type !== undefined && !type.endsWith("limit");
  const price = typed ?? (isMarket || type === "market_limit" ? l10n.t("market") : undefined);
  return price === undefined || trigger === undefined ? price : l10n.t("{0}, trigger {1}", price, trigger);
}

/** The members that are figures; an edit says all of them. */
const FIGURES = ["amount", "contracts", "price", "trigger_price", "trigger_offset"] as const;

function editWords(member: ReadMember): TradeWords | undefined {
  const id = member("order_id");
  if (id === undefined) return undefined;
  const terms = FIGURES.flatMap((name) => {
    const value = member(name);
    return value === undefined ? [] : [l10n.t("{0} {1}", name, value)];
  });
  return {
    action: l10n.t("Edit Order"),
    target: id,
    sentence: terms.length === 0 ? l10n.t("Edit {0}", id) : l10n.t("Edit {0}: {1}", id, plain.join(terms, ", ")),
  };
}

function closeWords(member: ReadMember): TradeWords | undefined {
  const [instrument, price] = [member("instrument_name"), priceOf(member)];
  if (instrument === undefined || price === undefined) return undefined;
  return {
    action: l10n.t("Close Position"),
    target: l10n.t("{0} @ {1}", instrument, price),
    sentence: l10n.t("Close the position in {0} @ {1}", instrument, price),
  };
}
