import { fieldsOf, pick, type Fields, type Members } from "./fields.ts";
import type { OrderSide } from "./placingNames.ts";

/**
 * Returns the values that private/buy or private/sell gives to the fields of its order. The price of a market order is
 * the exchange's, and that of an option order in USD or volatility is told in another field.
 */
export function placementFields(method: string, params: Members): Fields {
  const { type = "limit", advanced } = params;
  const hasOwnPrice = advanced === undefined && typeof type === "string" && type.endsWith("limit");
  return fieldsOf({
    ...pick(params, ["instrument_name", "label", "amount", ...(hasOwnPrice ? ["price"] : [])]),
    direction: (method === "private/sell" ? "sell" : "buy") satisfies OrderSide,
  });
}
