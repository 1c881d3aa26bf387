import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { ParamFacts } from "../../catalogue/reference/paramFacts.ts";
import { CURRENCIES, MMP_INDEXES } from "../../catalogue/values.ts";
import type { Cursor } from "../../requests/file/cursor.ts";
import { escapeBraces } from "../../requests/values/placeholders.ts";
import type { Instrument } from "../../state/instruments.ts";
import type { MmpGroup } from "../../state/mmpGroups.ts";
import { openOrders, type Order } from "../../state/orders.ts";
import { heldPositions } from "../../state/positions.ts";
import { asOfMs, type Snapshot } from "../../state/snapshot.ts";
import { keyTitle, keyTraits } from "../apiKeys/apiKeyWords.ts";
import { blockTradeTraits } from "../blockTrades/blockTradeWords.ts";
import { groupText } from "../mmp/mmpWords.ts";
import { digitsText, numberText } from "../text/numbers.ts";
import { currencyOf } from "../orders/ordersGrouping.ts";
import { orderLine, orderTerms, orderTraits } from "../orders/orderWords.ts";
import { holdingText } from "../positions/positions.ts";
import { quoteText } from "../quotes/quotes.ts";
import { NO_SUGGESTIONS, sortText, typedText, type Suggestion, type Suggestions } from "../text/suggestion.ts";
import { durationText } from "../text/times.ts";
import type { KnownObjects } from "./knownObjects.ts";
import { paramAt } from "./methodWords.ts";
import { paramMeaning, type ParamMeaning } from "./paramMeanings.ts";
import type { TextMoment } from "./placeholderWords.ts";

/*
 * What a parameter can be, from what is known of the account. Nothing is asked for here: what is not known is not
 * offered.
 */

/** The most suggestions. For another one, the user types on. */
export const MAX_SUGGESTIONS = 300;

/** Returns values for the parameter at the cursor; none elsewhere. `text`: of the file. */
export function objectSuggestions(text: string, cursor: Cursor, known: KnownObjects, moment: TextMoment): Suggestions {
  const meaning = meaningAt(cursor);
  if (meaning === undefined || cursor.isName || cursor.placeholder !== undefined) return NO_SUGGESTIONS;
  const fact = paramAt(cursor.request.method ?? "", cursor.path.slice(1));
  const found = ENTRIES[meaning](known, moment);
  const typed = typedText(text, cursor).toLowerCase();
  const offered = newestFirst(
    found.entries.filter((each) => isOffered(each, fact, typed)),
    MAX_SUGGESTIONS,
  );
  return {
    items: offered.filter(isShowable).map((entry, index) => {
      const since = knowledgeText(entry.snapshot ?? found.snapshot, known.place, moment);
      return suggestionOf(entry, { cursor, index, since, moment });
    }),
    isIncomplete: found.entries.length > MAX_SUGGESTIONS,
  };
}

/** Returns the kind of object that the parameter at the cursor names; undefined where it names none. */
export function meaningAt({
  path: [root, ...path],
  request,
}: Pick<Cursor, "path" | "request">): ParamMeaning | undefined {
  const name = path.findLast((step) => typeof step === "string");
  return root === "params" && name !== undefined ? paramMeaning(request.method ?? "", name) : undefined;
}

/** A value, and its traits. Made for each of very many objects, so it must be cheap. */
interface Entry {
  readonly value: string | number;
  /** The words of the exchange by which the value is found, too. */
  readonly words?: string;
  /** Returns its traits in words for the user; called for entries that are offered. */
  readonly traits: () => readonly Plain[];
  /**
   * The time when its object was made, in ms since the Unix epoch. Entries that have a time come first, the newest at
   * the top.
   */
  readonly atMs?: number | undefined;
  /** The snapshot that it is from, where that is another one than that of the other entries. */
  readonly snapshot?: Found["snapshot"];
}

/**
 * An order by its ID. A class, because there can be very many: its words are made when it is compared with the typed
 * text.
 */
class OrderEntry implements Entry {
  readonly #order: Order;

  constructor(order: Order) {
    this.#order = order;
  }

  get value(): string {
    return this.#order.order_id;
  }

  get words(): string {
    const { instrument_name: instrument = "", direction = "", label = "" } = this.#order;
    return `${instrument} ${direction} ${label}`;
  }

  get atMs(): number | undefined {
    return this.#order.creation_timestamp;
  }

  traits(): readonly Plain[] {
    return [plain.name(this.#order.instrument_name), orderLine(this.#order), ...orderTraits(this.#order)];
  }
}

interface Found {
  readonly entries: readonly Entry[];
  /** The snapshot of the entries; undefined where they are known beforehand. */
  readonly snapshot:
    | (Pick<Snapshot<unknown>, "readAtMs" | "failure"> & Partial<Pick<Snapshot<unknown>, "status" | "currentAtMs">>)
    | undefined;
}

const ENTRIES: Readonly<Record<ParamMeaning, (known: KnownObjects, moment: TextMoment) => Found>> = {
  account: accountEntries,
  apiKey: keyEntries,
  blockRfq: rfqEntries,
  blockTrade: blockTradeEntries,
  combo: ({ instruments }) => ({
    entries: instruments.items.filter(({ kind }) => kind.endsWith("_combo")).map(instrumentEntry),
    snapshot: instruments,
  }),
  currency: currencyEntries,
  currencyPair: ({ indexNames }) => ({
    entries: valueEntries([...indexNames.items, ...MMP_INDEXES].filter((name) => name.includes("_"))),
    snapshot: undefined,
  }),
  index: ({ mmp, indexNames }) => ({
    entries: distinct([
      ...groupsOf(mmp).map(({ index_name: value }) => ({ value, traits: () => [l10n.t("has MMP")] })),
      ...valueEntries([...indexNames.items, ...MMP_INDEXES.filter((name) => name !== "all")]),
    ]),
    snapshot: mmp,
  }),
  instrument: instrumentEntries,
  instrumentNumber: ({ instruments }) => ({
    entries: instruments.items.flatMap((instrument) =>
      instrument.id === undefined
        ? []
        : [
            {
              value: instrument.id,
              words: instrument.name,
              traits: () => [plain.name(instrument.name), ...instrumentTraits(instrument)],
            },
          ],
    ),
    snapshot: instruments,
  }),
  mmpGroup: ({ mmp }) => ({
    entries: distinct(
      groupsOf(mmp)
        .filter((group) => group.mmp_group !== "")
        .map((group) => ({
          value: group.mmp_group,
          words: group.index_name,
          traits: () => [groupText(group), plain.name(group.index_name)],
        })),
    ),
    snapshot: mmp,
  }),
  order: ({ orders }) => ({ entries: openOrders(orders).map((order) => new OrderEntry(order)), snapshot: orders }),
  orderLabel: ({ orders }) => namedOrders(orders, ({ label }) => label),
  quote: ({ quotes }) => ({
    entries: [...quotes.items.values()].map((quote) => ({
      value: quote.block_rfq_quote_id,
      traits: () => [quoteText(quote), l10n.t("RFQ {0}", digitsText(quote.block_rfq_id))],
      atMs: quote.creation_timestamp,
    })),
    snapshot: quotes,
  }),
  quoteLabel: quoteLabels,
  quoteSet: ({ orders }) => namedOrders(orders, ({ quote_set_id: set }) => set),
  trade: tradeEntries,
};

function valueEntries(values: readonly string[]): readonly Entry[] {
  return [...new Set(values)].map((value) => ({ value, traits: () => [] }));
}

/** The currency that the name of an instrument begins with. */
const CURRENCY = /^([A-Z]{2,8})[-_]/;

function groupsOf({ items }: Snapshot<MmpGroup>): readonly MmpGroup[] {
  return [...items.values()];
}

function blockTradeEntries({ blockTrades }: KnownObjects, { times }: TextMoment): Found {
  return {
    entries: [...blockTrades.items.values()].map((trade) => ({
      value: trade.id,
      words: (trade.trades ?? []).map((each) => each.instrument_name).join(" "),
      traits: () => blockTradeTraits(trade, times),
      atMs: trade.timestamp,
    })),
    snapshot: blockTrades,
  };
}

function keyEntries({ apiKeys }: KnownObjects): Found {
  return {
    entries: [...apiKeys.items.values()].map((known) => ({
      value: known.id,
      words: known.key?.name ?? "",
      traits: () => [keyTitle(known), ...keyTraits(known, undefined)],
      atMs: known.key?.timestamp,
    })),
    snapshot: apiKeys,
  };
}

function rfqEntries({ quotes, rfqs }: KnownObjects): Found {
  const ids = new Map(
    [...quotes.items.values()].flatMap((quote): [number, Entry][] =>
      quote.block_rfq_id === undefined
        ? []
        : [
            [
              quote.block_rfq_id,
              {
                value: quote.block_rfq_id,
                traits: () => [l10n.t("quoted"), quoteText(quote)],
                atMs: quote.creation_timestamp,
              },
            ],
          ],
    ),
  );
  for (const [id, rfq] of rfqs)
    if (!ids.has(id)) ids.set(id, { value: id, traits: () => [plain.name(rfq.state)], atMs: rfq.creation_timestamp });
  return { entries: [...ids.values()], snapshot: quotes };
}

/** Returns currencies of which the account has something first, then all that are known. */
function currencyEntries({ summaries, instruments, currencies }: KnownObjects): Found {
  const own = [...summaries.items.values()]
    .filter(({ equity = 0 }) => equity !== 0)
    .map(({ currency: value, equity }) => ({
      value,
      traits: () => [l10n.t("equity {0}", numberText(equity))],
      snapshot: summaries,
    }));
  const others = [
    ...currencies.items,
    ...CURRENCIES,
    ...instruments.items.flatMap(({ name }) => CURRENCY.exec(name)?.[1] ?? []),
  ];
  return { entries: distinct([...own, ...valueEntries(others)]), snapshot: undefined };
}

/** Returns instruments of positions first, then those with open orders, then all that are known. */
function instrumentEntries({ positions, orders, instruments }: KnownObjects): Found {
  const names = new Set(openOrders(orders).flatMap(({ instrument_name: name }) => name ?? []));
  const ordered = [...names].map((value) => ({
    value,
    traits: () => [l10n.t("has open orders"), plain.name(currencyOf(value))],
    snapshot: orders,
  }));
  const held = heldPositions(positions.snapshot).map((position) => ({
    value: position.instrument_name,
    words: position.kind ?? "",
    traits: () => [
      holdingText(position, positions.instrumentOf(position)),
      ...(names.has(position.instrument_name) ? [l10n.t("has open orders")] : []),
    ],
    snapshot: positions.snapshot,
  }));
  return {
    entries: distinct([...held, ...ordered, ...instruments.items.map(instrumentEntry)]),
    snapshot: instruments,
  };
}

function instrumentEntry(instrument: Instrument): Entry {
  return { value: instrument.name, words: instrument.kind, traits: () => instrumentTraits(instrument) };
}

function instrumentTraits({ kind, isActive }: Instrument): readonly Plain[] {
  return [plain.name(kind), ...(isActive ? [] : [l10n.t("inactive")])];
}

function accountEntries({ accounts }: KnownObjects): Found {
  return {
    entries: accounts.items.map(({ id, name, type }) => ({
      value: id,
      words: name,
      traits: () => [plain.name(name), plain.name(type)].filter((each) => each !== ""),
    })),
    snapshot: accounts,
  };
}

/** Returns trades that are shown: public ones, and the legs of block trades. */
function tradeEntries({ lastTrades, blockTrades }: KnownObjects): Found {
  const legs = [...blockTrades.items.values()].flatMap(({ trades = [] }) => trades);
  const trades = [...lastTrades.flatMap((each) => each.trades), ...legs];
  return {
    entries: trades.flatMap(({ trade_id: id, instrument_name: name, price, amount, direction, timestamp }) =>
      id === undefined
        ? []
        : [
            {
              value: id,
              words: name ?? "",
              traits: () => [
                plain.name(name),
                l10n.t("{0} {1} @ {2}", plain.name(direction), numberText(amount), numberText(price)),
              ],
              atMs: timestamp,
            },
          ],
    ),
    snapshot: undefined,
  };
}

/** Returns the names that orders share, such as labels. The newest order under a name describes it. */
function namedOrders(orders: KnownObjects["orders"], nameOf: (order: Order) => string | undefined): Found {
  const byName = new Map<string, Order>();
  for (const order of openOrders(orders)) {
    const name = nameOf(order) ?? "";
    const known = byName.get(name);
    if (name !== "" && (known === undefined || (known.creation_timestamp ?? 0) < (order.creation_timestamp ?? 0)))
      byName.set(name, order);
  }
  const entries = [...byName].map(([name, order]): Entry => ({
    value: name,
    words: order.instrument_name ?? "",
    traits: () => [plain.name(order.instrument_name), orderTerms(order)],
    atMs: order.creation_timestamp,
  }));
  return { entries, snapshot: orders };
}

function quoteLabels({ quotes }: KnownObjects): Found {
  const entries = [...quotes.items.values()].flatMap((quote) =>
    quote.label === undefined || quote.label === ""
      ? []
      : [{ value: quote.label, traits: () => [quoteText(quote)], atMs: quote.creation_timestamp }],
  );
  return { entries: distinct(newestFirst(entries, MAX_SUGGESTIONS)), snapshot: quotes };
}

/** Returns the first entry of each value, in its place. */
function distinct(entries: readonly Entry[]): readonly Entry[] {
  const first = new Map<Entry["value"], Entry>();
  for (const entry of entries) if (!first.has(entry.value)) first.set(entry.value, entry);
  return [...first.values()];
}

/** Whether an entry is offered. VS Code's own suggestions from the schema are not offered twice. */
function isOffered(entry: Entry, fact: ParamFacts | undefined, typed: string): boolean {
  if (fact?.values.includes(entry.value) === true) return false;
  return typed === "" || isSubsequence(typed, `${String(entry.value)} ${entry.words ?? ""}`.toLowerCase());
}

/** Whether an entry can be shown as it is; otherwise it could be confused with another. */
function isShowable({ value }: Entry): boolean {
  return typeof value === "number" || plain.text(value, MAX_VALUE) === value;
}

const MAX_VALUE = 128;

/** Whether the letters are in a text in their order, others between them, as VS Code compares. */
function isSubsequence(typed: string, text: string): boolean {
  let at = 0;
  for (const character of typed) {
    at = text.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

interface SuggestionContext {
  readonly cursor: Cursor;
  readonly index: number;
  readonly since: Plain;
  readonly moment: TextMoment;
}

function suggestionOf(entry: Entry, { cursor, index, since, moment }: SuggestionContext): Suggestion {
  const { value, words = "", atMs } = entry;
  const traits = entry.traits();
  const literal = JSON.stringify(value);
  const age = atMs === undefined ? [] : [durationText(moment.nowMs - atMs)];
  return {
    kind: atMs === undefined ? "value" : "object",
    label: literal,
    description: plain.join([...traits, ...age], " · "),
    lines: [
      ...traits,
      ...(atMs === undefined
        ? []
        : [l10n.t("Since {0}, {1} ago", moment.times.local(atMs), durationText(moment.nowMs - atMs))]),
      ...(since === "" ? [] : [since]),
    ],
    range: cursor.literal,
    newText: escapeBraces(literal),
    filterText: `${cursor.isText ? '"' : ""}${[value, words, ...traits].join(" ")}`,
    sortText: sortText(0, index),
  };
}

/** Returns which connection knows it, and as of when where it may have changed since. */
function knowledgeText(snapshot: Found["snapshot"], place: Plain, { times }: TextMoment): Plain {
  if (snapshot === undefined) return "";
  const atMs = asOfMs(snapshot);
  if (atMs === undefined || (snapshot.status === "live" && snapshot.failure === undefined)) return place;
  return l10n.t("{0}, as of {1}", place, times.clock(atMs));
}

/**
 * Returns as many entries as fit, the newest first. Entries that have no time keep their order after them. Of very many
 * entries, only possible results are ever sorted.
 */
function newestFirst(entries: readonly Entry[], maxCount: number): readonly Entry[] {
  const sorted = (some: readonly Entry[]): Entry[] =>
    some.toSorted((left, right) => timeOf(right) - timeOf(left) || 0).slice(0, maxCount);
  let best: Entry[] = [];
  let least: number | undefined;
  for (const entry of entries) {
    if (least !== undefined && timeOf(entry) <= least) continue;
    best.push(entry);
    if (best.length < 4 * maxCount) continue;
    best = sorted(best);
    least = timeOf(best.at(-1));
  }
  return sorted(best);
}

function timeOf(entry: Entry | undefined): number {
  return entry?.atMs ?? -Infinity;
}
