import { CURRENCIES } from "../../catalogue/values.ts";
import { blockTradeText, type SimulatedBlockTrade, listedRfqTrade } from "../market/blockTrades.ts";
import { invalidParam, jsonParam, refusal } from "../text/errors.ts";
import { handlersOf } from "./handlers.ts";
import { canAfford } from "../market/blockTradeBooking.ts";
import type { Authorisation } from "../access/tokens.ts";
import type { Party } from "../market/blockTradeSignatures.ts";
import { writeJson } from "../text/json.ts";
import { isObject } from "../../base/json.ts";
import type { ParamsOf } from "../../catalogue/index.ts";
import {
  rfqCurrency,
  type QuoteSpec,
  type SimulatedBlockRfq,
  type SimulatedQuote,
  type BlockRfqs,
} from "../market/blockRfqs.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { pageAfter } from "../text/pages.ts";

/** Makes the methods for block trades of the account, and for Block RFQs with their quotes and trades. */
export const blockTradeHandlers = handlersOf(
  ({ id, world, venue, blockTrades, blockRfqs, detailedForm, signatures }) => {
    const partyOf = (authorisation: Authorisation | undefined): Party => ({
      accountId: id,
      keyId: authorisation?.key.id,
    });
    const text = (trade: SimulatedBlockTrade): string => blockTradeText(trade, world.instruments);
    return {
      "private/get_block_trades": ({ params, authorisation }) => {
        if (params.currency !== undefined && !(CURRENCIES as readonly string[]).includes(params.currency))
          throw invalidParam("currency", "invalid currency");
        return `[${blockTrades.select(params, isReadableBy(authorisation)).map(text).join(",")}]`;
      },
      "private/get_block_trade": ({ params, authorisation }) => {
        const trade = blockTrades.find(params.id);
        if (!isReadableBy(authorisation)(trade)) throw invalidParam("id", "not found");
        return text(trade);
      },
      "private/verify_block_trade": ({ params, authorisation }) =>
        writeJson({ signature: signatures.verify(partyOf(authorisation), params) }),
      "private/execute_block_trade": ({ params, authorisation }) =>
        text(signatures.execute(partyOf(authorisation), params, params.counterparty_signature)),
      "private/simulate_block_trade": ({ params }) => {
        venue.catchUp([]);
        return writeJson(canAfford(venue, String(id), { role: params.role ?? "maker", trades: params.trades }));
      },
      "private/invalidate_block_trade_signature": ({ params, authorisation }) => {
        signatures.invalidate(partyOf(authorisation), params.signature);
        return writeJson("ok");
      },
      "public/get_block_rfq_trades": ({ params: { currency, count = DEFAULT_TRADES, continuation } }) => {
        if (currency !== "any") refuseUnknownCurrency(currency);
        const all = blockTrades
          .select({ currency: currency === "any" ? undefined : currency, count: Infinity })
          .map(listedRfqTrade)
          .filter((members) => members !== undefined);
        const { items, next } = pageAfter(all, count, continuation);
        return writeJson({ block_rfqs: items, continuation: next === undefined ? undefined : String(next) });
      },
      "private/cancel_all_block_rfq_quotes": ({ params }) => {
        const chosen = blockRfqs
          .openQuotes()
          .filter((quote) => params.block_rfq_id === undefined || quote.block_rfq_id === params.block_rfq_id);
        const form = params.detailed === true ? detailedForm() : "list";
        const failing = form === "partial" ? chosen[0]?.block_rfq_id : undefined;
        const ended = chosen
          .filter((quote) => quote.block_rfq_id !== failing)
          .map((quote) => blockRfqs.cancel(quote.block_rfq_quote_id, "user_request"));
        if (params.detailed !== true) return String(ended.length);
        return form === "list"
          ? writeJson(ended)
          : batchesText(
              ended,
              chosen.filter((quote) => quote.block_rfq_id === failing),
            );
      },
      "private/cancel_block_rfq_quote": ({ params }) =>
        writeJson(blockRfqs.cancel(quoteIdOf(blockRfqs, params), "user_request")),
      "private/add_block_rfq_quote": ({ params }) => {
        const { block_rfq_id, direction, price, amount, label, hedge, execution_instruction: instruction } = params;
        if (direction !== "buy" && direction !== "sell") throw invalidParam("direction", "invalid direction");
        if (price === undefined) throw invalidParam("price", "value required");
        if (!(amount > 0)) throw invalidParam("amount", "must be greater than 0");
        const isKnown = instruction === "any_part_of" || instruction === "all_or_none";
        return writeJson(
          blockRfqs.place({
            ...{ block_rfq_id, direction, price, amount },
            ...(label === undefined ? {} : { label }),
            ...(hedge === undefined ? {} : { hedge: readHedge(hedge) }),
            ...(isKnown ? { execution_instruction: instruction } : {}),
          }),
        );
      },
      "private/edit_block_rfq_quote": ({ params }) => {
        const { amount, price } = params;
        if (!(amount > 0)) throw invalidParam("amount", "must be greater than 0");
        const changes = { amount, ...(price === undefined ? {} : { price }) };
        return writeJson(blockRfqs.edit(quoteIdOf(blockRfqs, params), changes));
      },
      "private/get_block_rfq_quotes": ({ params }) => {
        const { block_rfq_id: rfqId, label, block_rfq_quote_id: id } = params;
        const chosen = blockRfqs
          .openQuotes()
          .filter(
            (quote) =>
              (rfqId === undefined || quote.block_rfq_id === rfqId) &&
              (label === undefined || quote.label === label) &&
              (id === undefined || quote.block_rfq_quote_id === id),
          );
        return writeJson(chosen);
      },
      "private/get_block_rfqs": ({ params }) => listRfqs([...blockRfqs.rfqs()], params),
    };
  },
);

/** Returns a test for readable trades. A restricted key sees only what was made with it. */
function isReadableBy(authorisation: Authorisation | undefined): (trade: SimulatedBlockTrade) => boolean {
  const key = authorisation?.key;
  return (trade) => key?.enabled_features.includes("restricted_block_trades") !== true || trade.keyId === key.id;
}

/** How many trades of Block RFQs are returned where no number is asked for. */
const DEFAULT_TRADES = 20;

/** Reads a hedge leg: an object, or its JSON. */
function readHedge(given: unknown): NonNullable<QuoteSpec["hedge"]> {
  const leg = jsonParam("hedge", given, "wrong format");
  const { instrument_name, direction, amount, price } = isObject(leg) ? leg : {};
  if (typeof instrument_name !== "string" || typeof amount !== "number" || typeof price !== "number")
    throw invalidParam("hedge", "wrong format");
  if (direction !== "buy" && direction !== "sell") throw invalidParam("hedge", "invalid direction");
  return { instrument_name, direction, amount, price };
}

/** Returns the ID of the quote that a call is about: by its ID, or by its Block RFQ and label. */
function quoteIdOf(
  blockRfqs: BlockRfqs,
  { block_rfq_quote_id: id, block_rfq_id: rfqId, label }: ParamsOf<"private/cancel_block_rfq_quote">,
): number {
  const isMeant = (quote: SimulatedQuote): boolean => quote.block_rfq_id === rfqId && quote.label === label;
  const found = id ?? blockRfqs.openQuotes().find(isMeant)?.block_rfq_quote_id;
  if (found === undefined) throw refusal(10004);
  return found;
}

function batchesText(ended: readonly SimulatedQuote[], [failed]: readonly SimulatedQuote[]): string {
  const type = "block_rfq_quote";
  const error = { code: 10_041, message: "settlement_in_progress" };
  const batches = [...new Set(ended.map((quote) => quote.block_rfq_id))].map((id) => {
    const result = ended.filter((quote) => quote.block_rfq_id === id);
    return { currency: rfqCurrency(result[0] ?? { legs: [] }), type, result };
  });
  return writeJson([...(failed === undefined ? [] : [{ currency: rfqCurrency(failed), type, error }]), ...batches]);
}

/** Returns a page of `count`, the newest first; the continuation is the place where the next page begins. */
function listRfqs(all: readonly SimulatedBlockRfq[], params: ParamsOf<"private/get_block_rfqs">): string {
  const { count = 20, state, role, continuation, block_rfq_id: id, currency } = params;
  const chosen = all
    .filter((rfq) => state === undefined || rfq.state === state)
    .filter((rfq) => role === undefined || role === "any" || rfq.role === role)
    .filter(
      (rfq) =>
        (id === undefined || rfq.block_rfq_id === id) &&
        (currency === undefined || currency === "any" || rfqCurrency(rfq) === currency),
    )
    .sort((one, other) => other.creation_timestamp - one.creation_timestamp);
  const start = Number(continuation ?? 0) || 0;
  const page = chosen.slice(start, start + count);
  return writeJson({ block_rfqs: page, continuation: start + count < chosen.length ? String(start + count) : null });
}
