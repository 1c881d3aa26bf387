import { readRow, type RowOf } from "../catalogue/index.ts";
import { createKnownList, type KnownList, type KnownListSnapshot, type SharedList } from "./knownList.ts";
import type { ResourcePorts } from "./resource.ts";

/** The kept facts about something tradable: thousands of them are held for as long as the connection is. */
export interface Instrument {
  /** The `instrument_name`. */
  readonly name: string;
  /** The `instrument_id`, by which few methods name it. */
  readonly id: number | undefined;
  /** The kind, in the exchange's word, e.g. `future`. */
  readonly kind: string;
  /** Whether it can be traded. False for one that is listed but closed, halted, or expired when the list was read. */
  readonly isActive: boolean;
  /**
   * The time of expiry, in ms since the Unix epoch; undefined for what does not expire. Perpetuals name a year far
   * away.
   */
  readonly expiresAtMs: number | undefined;
  readonly steps: InstrumentSteps;
  readonly currencies: InstrumentCurrencies;
  /** Whether its orders are passed on to the partner's spot exchange, which has rules of its own. */
  readonly isRouted?: true;
}

/** The currencies of an instrument; undefined where they are not known. */
interface InstrumentCurrencies {
  /** The currency that is traded. */
  readonly base: string | undefined;
  /** The currency of the price. */
  readonly quote: string | undefined;
  /** The currency of profit and margin; spot has none. */
  readonly settlement: string | undefined;
}

/** The steps of prices and amounts of an instrument; undefined where they are not known. */
export interface InstrumentSteps {
  readonly tickSize: number | undefined;
  /** The tick sizes above prices, from the lowest price to the highest. */
  readonly tickSizes: readonly { readonly abovePrice: number; readonly tickSize: number }[];
  /** The smallest amount of an order. */
  readonly minAmount: number | undefined;
  readonly contractSize: number | undefined;
}

/**
 * Whether an instrument is an inverse future: it is settled in what it trades, and its amounts count in the currency of
 * the price. https://docs.deribit.com/api-reference/trading/private-buy
 */
export function isInverse({
  kind,
  currencies: { base, settlement },
}: Pick<Instrument, "kind" | "currencies">): boolean {
  return kind === "future" && base !== undefined && settlement === base;
}

/** Reads the kind and the currencies of an instrument from a response; undefined where that is no instrument. */
export function readTerms(result: unknown): Pick<Instrument, "kind" | "currencies"> | undefined {
  const row = readRow("instrument", result);
  return row && termsOf(row);
}

export type InstrumentsSnapshot = KnownListSnapshot<Instrument>;

/** The instruments of one connection, active ones first, otherwise in the exchange's order. */
export type InstrumentsStore = KnownList<Instrument>;

/** Reads one instrument. */
export const INSTRUMENT_METHOD = "public/get_instrument";

/** The timeout in ms, for a response of megabytes. */
const TIMEOUT_MS = 30_000;

/** Makes the store of instruments. A call costs 10,000 credits (facts §4), so nothing reads them without need. */
export function createInstrumentsStore(ports: ResourcePorts, shared?: SharedList): InstrumentsStore {
  return createKnownList(
    {
      name: "instruments",
      method: "public/get_instruments",
      params: { currency: "any" },
      timeoutMs: TIMEOUT_MS,
      shared,
      read: readInstruments,
    },
    ports,
  );
}

/** Returns a function that finds instruments by name. The names of a snapshot are gone through once. */
export function createInstrumentFinder(): (snapshot: InstrumentsSnapshot, name: string) => Instrument | undefined {
  let last: InstrumentsSnapshot | undefined;
  let byName: ReadonlyMap<string, Instrument> = new Map();
  return (snapshot, name) => {
    if (snapshot !== last) byName = new Map(snapshot.items.map((each) => [each.name, each]));
    last = snapshot;
    return byName.get(name);
  };
}

type InstrumentRow = RowOf<"instrument">;

/** Reads instruments. Rows without the shape of an instrument cannot be offered; the name can still be typed. */
function readInstruments(elements: readonly unknown[], nowMs: number): readonly Instrument[] {
  const known = new Map<string, object>();
  const rows = elements.flatMap((row) => readRow("instrument", row) ?? []);
  const instruments = rows.map((row) => ({
    name: row.instrument_name,
    id: row.instrument_id,
    kind: termsOf(row).kind,
    isActive: isActive(row, nowMs),
    expiresAtMs: row.expiration_timestamp,
    steps: shared(stepsOf(row), known),
    currencies: shared(termsOf(row).currencies, known),
    ...(isRoutedRow(row) ? { isRouted: true as const } : {}),
  }));
  return [...instruments.filter((each) => each.isActive), ...instruments.filter((each) => !each.isActive)];
}

function termsOf(row: InstrumentRow): Pick<Instrument, "kind" | "currencies"> {
  return {
    kind: row.kind ?? "",
    currencies: { base: row.base_currency, quote: row.quote_currency, settlement: row.settlement_currency },
  };
}

/**
 * Whether an instrument, as the exchange describes it, is matched at the partner's spot exchange. Both flags are absent
 * where they don't hold. https://docs.deribit.com/articles/spot-trading-venues
 */
export function isRoutedRow(row: Readonly<Record<string, unknown>>): boolean {
  return row["is_csr"] === true || row["is_cbe_routed"] === true;
}

/** Whether an instrument is active. `state` came later than `is_active`; either may be missing. */
function isActive(
  { is_active: isTraded = true, state = "open", expiration_timestamp: expiresAtMs = Infinity }: InstrumentRow,
  nowMs: number,
): boolean {
  return isTraded && state === "open" && expiresAtMs > nowMs;
}

/** Reads the steps. The documentation has a list of tick sizes, and some responses a single one instead of it. */
function stepsOf({
  tick_size: tickSize,
  tick_size_steps: steps = [],
  min_trade_amount: minAmount,
  contract_size: contractSize,
}: InstrumentRow): InstrumentSteps {
  const tickSizes = [steps]
    .flat()
    .map(({ above_price, tick_size }) => ({ abovePrice: above_price, tickSize: tick_size }))
    .sort((one, other) => one.abovePrice - other.abovePrice);
  return { tickSize, tickSizes, minAmount, contractSize };
}

/** Returns the same object for the same members: thousands of instruments have a handful of them. */
function shared<Members extends object>(members: Members, known: Map<string, object>): Members {
  const key = JSON.stringify(members);
  const found = known.get(key) ?? members;
  known.set(key, found);
  return found as Members;
}
