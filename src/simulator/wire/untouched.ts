import type { Clock } from "../../base/clock.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import type { ApiKeys } from "../access/apiKeys.ts";
import { simulatedQuoteText } from "../market/blockRfqs.ts";
import { mmpText } from "../accounts/mmp.ts";
import { createOrder, type OrderSpec } from "../market/orders.ts";
import type { IncomingRequest } from "./requests.ts";

/**
 * Returns the unchanged object that a call names: for a response that claims something which was not done. Undefined
 * where there is none.
 */
export function untouchedText(
  { account, apiKeys, clock }: { readonly account: SimulatedAccount; readonly apiKeys: ApiKeys; readonly clock: Clock },
  { method = "", params }: IncomingRequest,
): string | undefined {
  const { world, blockRfqs, mmp } = account;
  if (method.endsWith("_api_key")) {
    const key = [...apiKeys.all()].find(({ id }) => id === params["id"]);
    return key === undefined ? undefined : apiKeys.text(key, true);
  }
  switch (method) {
    case "private/cancel_all_block_rfq_quotes":
      return params["detailed"] === true ? "[]" : "0";
    case "private/cancel_block_rfq_quote": {
      const quote = blockRfqs.quote(Number(params["block_rfq_quote_id"]));
      return quote === undefined ? undefined : simulatedQuoteText(quote);
    }
    case "private/set_mmp_config":
      return `[${mmp
        .configs({ index_name: String(params["index_name"]) })
        .map(mmpText)
        .join(",")}]`;
    case "private/reset_mmp":
      return '"ok"';
    case "private/buy":
    case "private/sell": {
      const spec = claimedOrder(method === "private/buy" ? "buy" : "sell", params);
      const instrument = world.instruments.get(spec.instrument_name);
      if (instrument === undefined) return undefined;
      const claimed = createOrder(spec, instrument, { id: world.nextId(spec), nowMs: clock.now() });
      return `{"order":${world.text(claimed)},"trades":[]}`;
    }
    case "private/edit": {
      const order = world.order(String(params["order_id"]));
      return order === undefined ? undefined : `{"order":${world.text(order)},"trades":[]}`;
    }
    default: {
      const order = world.order(String(params["order_id"]));
      return order === undefined ? undefined : world.text(order);
    }
  }
}

/** Returns the order that a call wants to place, as far as a response to it says. */
function claimedOrder(direction: "buy" | "sell", params: IncomingRequest["params"]): OrderSpec {
  const { instrument_name: name, amount, price, type, label } = params;
  return {
    instrument_name: String(name),
    direction,
    amount: Number(amount ?? 0),
    ...(typeof price === "number" ? { price } : {}),
    ...(typeof type === "string" ? { order_type: type } : {}),
    ...(typeof label === "string" ? { label } : {}),
  };
}

/** Fills the order or the quote, as another party, before the call reaches it. */
export function overtake({ world, blockRfqs }: SimulatedAccount, { params }: IncomingRequest): void {
  const order = world.order(String(params["order_id"]));
  if (order?.order_state === "open") world.fill(order.order_id);
  const quote = blockRfqs.quote(Number(params["block_rfq_quote_id"]));
  if (quote?.quote_state === "open") blockRfqs.fill(quote.block_rfq_quote_id);
}
