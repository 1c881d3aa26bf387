import type { Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import { CURRENCIES } from "../catalogue/values.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import { lastingFailure } from "./readRetry.ts";
import { Resource, type ResourcePorts, type ResourceReading } from "./resource.ts";
import { readRows, rowsIn } from "./snapshot.ts";

/** A quote of the account for a Block RFQ, as private/get_block_rfq_quotes describes it. */
export type BlockRfqQuote = RowOf<"blockRfqQuote">;

/** A Block RFQ, as private/get_block_rfqs describes it. */
export type BlockRfq = RowOf<"blockRfq">;

/** The open Block RFQ quotes of one connection, and the known facts about the Block RFQs that they answer. */
export type QuotesStore = Resource<BlockRfqQuote> & Readonly<KnownRfqs>;

interface KnownRfqs {
  /** The Block RFQs by `block_rfq_id` that the account was asked to quote and that were open at the last reading. */
  rfqs: ReadonlyMap<number, BlockRfq>;
  /** The reason why the server does not report the Block RFQs themselves; undefined where it does. */
  rfqFailure: Failure | undefined;
}

export const QUOTES_METHOD = "private/get_block_rfq_quotes";
export const RFQS_METHOD = "private/get_block_rfqs";
/** The maximum that one call may ask for. */
const MAX_RFQS = 1000;
/** The states of a quote that is over. No list of states is documented. */
const ENDED: ReadonlySet<unknown> = new Set(["filled", "cancelled", "expired"]);

export function createQuotesStore(ports: ResourcePorts): QuotesStore {
  const resource = new Resource<BlockRfqQuote>(
    {
      name: "Block RFQ quotes",
      method: QUOTES_METHOD,
      async read(reader, options) {
        const reading = await readQuotes(reader, options);
        Object.assign(store, await readRfqs(reader, options));
        return reading;
      },
      channels: CURRENCIES.map(blockRfqQuotesChannel),
      take: (data, items) => takeQuotes(data, items, (id) => store.rfqFailure !== undefined || store.rfqs.has(id)),
      forget: () => Object.assign(store, NO_RFQS),
    },
    ports,
  );
  const store: Resource<BlockRfqQuote> & KnownRfqs = Object.assign(resource, NO_RFQS);
  return store;
}

const NO_RFQS: Readonly<KnownRfqs> = { rfqs: new Map(), rfqFailure: undefined };

/** Returns the key of a quote among the items. */
export function quoteKey({ block_rfq_quote_id: id }: Pick<BlockRfqQuote, "block_rfq_quote_id">): string {
  return String(id);
}

/** Whether a quote, of which at least the state is known, is not over. */
export function isOpenQuote({ quote_state: state }: { readonly quote_state?: unknown }): boolean {
  return !ENDED.has(state);
}

/** Reads quotes: a list by the schema, one object in the example of the documentation. */
async function readQuotes(reader: Reader, options: CallOptions): Promise<ResourceReading<BlockRfqQuote>> {
  const { result } = await reader.readResponse(QUOTES_METHOD, {}, options);
  const { list, unreadable } = readRows([result].flat() as readonly unknown[], toQuote);
  return { items: new Map(list.filter(isOpenQuote).map((quote) => [quoteKey(quote), quote])), unreadable };
}

/**
 * Reads the Block RFQs that the quotes answer; a failure alone where the server does not report them. A momentary
 * failure is retried with the whole reading.
 */
async function readRfqs(reader: Reader, options: CallOptions): Promise<Partial<KnownRfqs>> {
  try {
    const { result } = await reader.readResponse(
      RFQS_METHOD,
      { state: "open", role: "maker", count: MAX_RFQS },
      options,
    );
    // One that names no Block RFQ is the response to no quote.
    const { list } = readRows(rowsIn(isObject(result) ? result["block_rfqs"] : undefined), (row) =>
      readRow("blockRfq", row),
    );
    return { rfqs: new Map(list.map((rfq) => [rfq.block_rfq_id, rfq])), rfqFailure: undefined };
  } catch (thrown) {
    return { rfqFailure: lastingFailure(thrown) };
  }
}

/** Returns a row of a response, or a part of an event, as a quote; undefined where it names none. */
export function toQuote(row: unknown): BlockRfqQuote | undefined {
  return readRow("blockRfqQuote", row);
}

/** Takes announced quotes. They are complete, but do not describe a Block RFQ that was not there before. */
function takeQuotes(
  data: unknown,
  items: ReadonlyMap<string, BlockRfqQuote>,
  isKnownRfq: (id: number) => boolean,
): ReadonlyMap<string, BlockRfqQuote> | "readAgain" {
  const parts: readonly unknown[] = Array.isArray(data) ? data : [data];
  const next = new Map(items);
  for (const part of parts) {
    const quote = toQuote(part);
    // Whether it is over is what an event has to say.
    if (quote?.quote_state === undefined) return "readAgain";
    if (!isOpenQuote(quote)) next.delete(quoteKey(quote));
    else if (quote.block_rfq_id !== undefined && isKnownRfq(quote.block_rfq_id)) next.set(quoteKey(quote), quote);
    else return "readAgain";
  }
  return next;
}

/** Returns the channel of changes of the account's Block RFQ quotes in a currency. These channels have no "any". */
function blockRfqQuotesChannel(currency: string): string {
  return `block_rfq.maker.quotes.${currency}`;
}
