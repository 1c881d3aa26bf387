import type { Clock } from "../../base/clock.ts";
import { refusal } from "../text/errors.ts";
import type { WrittenRow } from "../text/json.ts";

type Side = "buy" | "sell";
type RfqLeg = {
  readonly instrument_name: string;
  readonly direction: Side;
  readonly ratio: number;
  readonly price?: number;
};
type Hedge = {
  readonly instrument_name: string;
  readonly direction: Side;
  readonly amount: number;
  readonly price: number;
};

/** A quote of the account for a Block RFQ, with the exchange's names. It changes in place. */
export type SimulatedQuote = {
  readonly block_rfq_quote_id: number;
  readonly block_rfq_id: number;
  quote_state: string;
  quote_state_reason?: string;
  readonly direction: Side;
  price: number;
  amount: number;
  filled_amount: number;
  readonly execution_instruction?: "any_part_of" | "all_or_none";
  readonly legs: readonly RfqLeg[];
  readonly hedge?: Hedge;
  readonly label?: string;
  readonly app_name?: string;
  replaced: boolean;
  readonly creation_timestamp: number;
  last_update_timestamp: number;
};

/** The required facts about a quote that is placed. */
export type QuoteSpec = Pick<SimulatedQuote, "block_rfq_id" | "direction" | "price" | "amount"> &
  Partial<Pick<SimulatedQuote, "execution_instruction" | "hedge" | "label" | "app_name">>;

/** The possible changes of an open quote. */
export type QuoteChanges = Partial<Pick<SimulatedQuote, "price" | "amount">>;

/** A request for quotes that the account may answer, or made itself. */
export type SimulatedBlockRfq = WrittenRow<
  "blockRfq",
  "block_rfq_id" | "amount" | "combo_id" | "creation_timestamp" | "expiration_timestamp",
  {
    readonly role: "taker" | "maker";
    readonly legs: readonly RfqLeg[];
    readonly hedge?: Hedge;
    readonly makers?: readonly string[];
    readonly asks?: readonly { readonly [name: string]: number | string | readonly string[] }[];
    readonly bids?: readonly { readonly [name: string]: number | string | readonly string[] }[];
    readonly trades?: readonly { readonly [name: string]: number | string }[];
    readonly trade_trigger?: { readonly [name: string]: number | string };
    readonly trade_allocations?: readonly {
      readonly user_id?: number;
      readonly amount: number;
      readonly client_info?: { readonly client_id: number; readonly client_link_id: number; readonly name: string };
    }[];
  }
> & { state: string };

/**
 * The form of the response of private/cancel_all_block_rfq_quotes with `detailed`: the documentation names none.
 * `list`: the quotes. `batches`: as for cancelling orders, one part for each Block RFQ. `partial`: the same, and the
 * first part was not carried out.
 */
export type DetailedForm = "list" | "batches" | "partial";

/** The Block RFQs that concern the account, and its quotes. */
export interface BlockRfqs {
  rfqs(): Iterable<SimulatedBlockRfq>;
  openQuotes(): SimulatedQuote[];
  /** Returns a quote, including the latest ended ones; undefined when nothing is known of it. */
  quote(id: number): SimulatedQuote | undefined;
  /** Places a quote. Refuses with 13020 unless a Block RFQ of that number is open. */
  place(spec: QuoteSpec): SimulatedQuote;
  /**
   * Cancels a quote. Refuses with 10004 for a quote that does not exist, 10010 for a filled one, 11044 for one that has
   * ended otherwise.
   */
  cancel(id: number, reason?: string): SimulatedQuote;
  fill(id: number): SimulatedQuote;
  /** Changes a quote. Refuses as `cancel` does. */
  edit(id: number, changes: QuoteChanges): SimulatedQuote;
  /** Ends a Block RFQ; its open quotes end with it. */
  expire(id: number): void;
}

interface BlockRfqPorts {
  readonly clock: Clock;
  readonly onQuote: (quote: SimulatedQuote) => void;
  readonly onRfq: (rfq: SimulatedBlockRfq) => void;
}

/** The number of ended quotes that are still known. */
const MAX_ENDED = 100;

export function createBlockRfqs(ports: BlockRfqPorts, first: readonly SimulatedBlockRfq[]): BlockRfqs {
  const { clock } = ports;
  const rfqs = new Map(first.map((rfq) => [rfq.block_rfq_id, rfq]));
  const open = new Map<number, SimulatedQuote>();
  const ended = new Map<number, SimulatedQuote>();
  let nextId = 1300;
  const openQuotes = (): SimulatedQuote[] => [...open.values()];
  const quoteOf = (id: number): SimulatedQuote | undefined => open.get(id) ?? ended.get(id);
  const fileEnded = (id: number, quote: SimulatedQuote): void => {
    open.delete(id);
    ended.set(id, quote);
    const [oldest] = ended.keys();
    if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
  };
  const change = (id: number, changes: Partial<SimulatedQuote>): SimulatedQuote => {
    const quote = quoteOf(id);
    if (quote === undefined) throw refusal(10004);
    if (quote.quote_state !== "open") throw refusal(quote.quote_state === "filled" ? 10010 : 11044);
    Object.assign(quote, changes, { last_update_timestamp: Math.max(clock.now(), quote.last_update_timestamp + 1) });
    if (changes.quote_state !== undefined) fileEnded(id, quote);
    ports.onQuote(quote);
    return quote;
  };
  const end = (id: number, quoteState: string, reason?: string): SimulatedQuote =>
    change(id, { quote_state: quoteState, ...(reason === undefined ? {} : { quote_state_reason: reason }) });
  return {
    rfqs: () => rfqs.values(),
    openQuotes,
    quote: quoteOf,
    place(spec) {
      const rfq = rfqs.get(spec.block_rfq_id);
      if (rfq?.state !== "open") throw refusal(13020);
      const legs = rfq.legs.map((leg) => ({ ...leg, price: spec.price }));
      const nowMs = clock.now();
      const quote: SimulatedQuote = {
        block_rfq_quote_id: ++nextId,
        quote_state: "open",
        filled_amount: 0,
        replaced: false,
        legs,
        creation_timestamp: nowMs,
        last_update_timestamp: nowMs,
        ...spec,
      };
      open.set(quote.block_rfq_quote_id, quote);
      ports.onQuote(quote);
      return quote;
    },
    cancel: (id, reason) => end(id, "cancelled", reason),
    fill: (id) => change(id, { quote_state: "filled", filled_amount: open.get(id)?.amount ?? 0 }),
    edit: (id, changes) => change(id, { ...changes, replaced: true }),
    expire(id) {
      const rfq = rfqs.get(id);
      if (rfq === undefined) throw refusal(13020);
      rfq.state = "expired";
      for (const quote of openQuotes())
        if (quote.block_rfq_id === id) end(quote.block_rfq_quote_id, "expired", "block_rfq_expired");
      ports.onRfq(rfq);
    },
  };
}

/** Returns the currency by which channels select a Block RFQ or a quote: that of its first leg. */
export function rfqCurrency({ legs }: Pick<SimulatedBlockRfq, "legs">): string {
  return legs[0]?.instrument_name.split(/[-_]/)[0] ?? "";
}
