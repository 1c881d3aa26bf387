import { BLOCK_TRADE_METHOD, BLOCK_TRADES_METHOD } from "../../state/blockTrades.ts";

/** The kind of object that a parameter names. What is known of that kind is offered as its value. */
export type ParamMeaning =
  | "account"
  | "apiKey"
  | "blockRfq"
  | "blockTrade"
  | "combo"
  | "currency"
  | "currencyPair"
  | "index"
  | "instrument"
  | "instrumentNumber"
  | "mmpGroup"
  | "order"
  | "orderLabel"
  | "quote"
  | "quoteLabel"
  | "quoteSet"
  | "trade";

/**
 * Returns the kind of object that a parameter of a method names; undefined where it names none, or none of a kind that
 * can be known. `name`: of the parameter, or of a member at any depth of one.
 */
export function paramMeaning(method: string, name: string): ParamMeaning | undefined {
  if (Object.hasOwn(BY_METHOD, name)) return BY_METHOD[name]?.(method);
  return Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
}

/** The parameters whose meaning depends on the method. */
const BY_METHOD: Readonly<Record<string, (method: string) => ParamMeaning | undefined>> = {
  destination: (method) => (method.endsWith("_to_user") ? undefined : "account"),
  end_id: listedId,
  id(method) {
    if (method === BLOCK_TRADE_METHOD) return "blockTrade";
    return /_api_key(?:_name)?$/.test(method) ? "apiKey" : undefined;
  },
  ids: (method) => (method.includes("order") ? "order" : undefined),
  label(method) {
    if (method.includes("address") || method.endsWith("/subscribe")) return undefined;
    return method.includes("block_rfq") ? "quoteLabel" : "orderLabel";
  },
  start_id: listedId,
};

/** Returns the kind of object that a list goes through from one ID to another. */
function listedId(method: string): ParamMeaning {
  return method === BLOCK_TRADES_METHOD || method.endsWith("_broker_trades") ? "blockTrade" : "trade";
}

/** The parameters that mean the same in every method. */
const MEANINGS: Readonly<Record<string, ParamMeaning>> = {
  accounts: "account",
  block_rfq_id: "blockRfq",
  block_rfq_quote_id: "quote",
  combo_id: "combo",
  currency: "currency",
  currency_pair: "currencyPair",
  extra_currencies: "currency",
  index_name: "index",
  instrument_id: "instrumentNumber",
  instrument_name: "instrument",
  mmp_group: "mmpGroup",
  order_id: "order",
  quote_set_id: "quoteSet",
  sid: "account",
  source: "account",
  source_uid: "account",
  subaccount_id: "account",
  subject_id: "account",
  target_uid: "account",
  user_id: "account",
};
