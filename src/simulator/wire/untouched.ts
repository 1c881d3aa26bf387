import type { Clock } from "../../base/clock.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import type { ApiKeys } from "../access/apiKeys.ts";
import { simulatedQuoteText } from "../market/blockRfqs.ts";
import { mmpText } from "../accounts/mmp.ts";
import { specDraft, type OrderSpec } from "../methods/orderTerms.ts";
import type { World } from "../market/world.ts";
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
    case "private/sell":
      return claimedText(world, { ...params, direction: method === "private/buy" ? "buy" : "sell" }, clock.now());
    default:
      return unchangedText(world, method, String(params["order_id"]));
  }
}

/** Returns a response with an order as it is; undefined where there is none. */
function unchangedText(world: World, method: string, id: string): string | undefined {
  const order = world.order(id);
  if (order === undefined) return undefined;
  return method === "private/edit" ? `{"order":${world.text(order)},"trades":[]}` : world.text(order);
}

/** Returns a response with the order that a call wants to place, which was not placed. */
function claimedText(world: World, spec: Readonly<Record<string, unknown>>, nowMs: number): string | undefined {
  const instrument = world.instruments.get(String(spec["instrument_name"]));
  if (instrument === undefined) return undefined;
  return `{"order":${world.text(world.claim(specDraft(world, spec as OrderSpec), nowMs))},"trades":[]}`;
}

/** Fills the order or the quote, as another party, before the call reaches it. */
export function overtake({ world, blockRfqs }: SimulatedAccount, { params }: IncomingRequest): void {
  const order = world.order(String(params["order_id"]));
  if (order?.order_state === "open") world.fill(order.order_id);
  const quote = blockRfqs.quote(Number(params["block_rfq_quote_id"]));
  if (quote?.quote_state === "open") blockRfqs.fill(quote.block_rfq_quote_id);
}
