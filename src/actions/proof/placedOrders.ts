import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { figureText } from "../intent/decimal.ts";
import type { Session, Reader } from "../../session/session.ts";
import type { SentSpan, Shown } from "./readBack.ts";
import type { ReconcileTask } from "./reconcile.ts";
import type { Fields, Members } from "../intent/fields.ts";
import type { TermsFound } from "../changes/orderTerms.ts";
import { isGeneratedLabel, KNOWN_IDS } from "../changes/placingNames.ts";
import type { MaskedResponse } from "../../rpc/response.ts";

/*
 * What became of an order whose placing has an unknown outcome. Its label is looked for among the open orders, the
 * ended ones, and the trades. Nothing is decided before its deadline: until then it can still arrive. This part of the
 * program is loaded with the first unknown outcome.
 */

export interface PlacedOrderPorts {
  readonly session: Pick<Session, "reader">;
  /** Whether it is read over another link than the one that the order was sent on. */
  readonly isOnNewLink: () => boolean;
  readonly clock: Pick<Clock, "now">;
  /** When it was sent, rather too early. */
  readonly sent: SentSpan;
  /** The time between the confirmation of a command's order and its deadline, in ms. */
  readonly sendWithinMs: number;
}

/** The terms that were asked for. */
export interface AskedTerms {
  /** The terms by which the order is found. */
  readonly terms: Fields;
  /** Compares an order with all of them. */
  readonly compare: (order: Members) => TermsFound;
}

/**
 * Reads whether an order was placed. It is the one if it has the label and all `terms`, was made after its
 * confirmation, and no other order has the label: who has used it may have used it again, and nothing else tells the
 * two apart. A label that was generated for it is its own, whatever its terms are. What the order has otherwise than
 * requested is part of the result. Absence proves only what can't come any more: after the deadline, over another
 * connection than the one it was sent on, in lists that reach back before the send. To be called after the deadline.
 * Throws `CallError`.
 */
export async function readPlacedOrder(
  { session, isOnNewLink, clock, sent, sendWithinMs }: PlacedOrderPorts,
  task: ReconcileTask,
  asked: AskedTerms,
): Promise<Shown> {
  const sought = soughtOf(task, asked, sendWithinMs);
  if (sought.label === "")
    return { kind: "barred", reason: l10n.t("The order has no label that tells it from other orders.") };
  const { confirmedMs } = sought;
  const since = confirmedMs === undefined ? sent : { earliestMs: confirmedMs, latestMs: confirmedMs };
  const isOld = clock.now() - task.sentAtWallMs > RECENT_MS;
  const lists = await readLists(session.reader, { instrument: sought.instrument, sinceMs: since.earliestMs, isOld });
  if (lists === "unreadable" || !lists.isWhole) return { kind: "barred", reason: whyNotUsed(lists) };
  const { found, isLabelShared } = candidates(lists.rows, sought, since);
  const [only, ...others] = found;
  if (only?.isMatch === true && !only.isPerhapsEarlier && others.length === 0 && !isLabelShared)
    return placed(only, sought);
  const isNewLink = isOnNewLink();
  return only === undefined && sought.deadlineMs !== undefined && isNewLink && !sought.isTrigger
    ? { kind: "never", state: l10n.t("not placed") }
    : { kind: "barred", reason: reasonOf(found, sought, isNewLink) };
}

/** Returns why lists prove nothing, as a sentence. */
function whyNotUsed(lists: OrderLists | "unreadable"): Plain {
  return lists === "unreadable"
    ? l10n.t("A response has items without an ID.")
    : l10n.t("The order history and trades couldn't be read back to the time before the request.");
}

/** What is known of the order that is looked for. */
interface Sought {
  readonly instrument: string;
  readonly label: string;
  readonly terms: Fields;
  readonly compare: AskedTerms["compare"];
  /** The time after which the exchange refuses it, in ms since the Unix epoch; undefined where it never does. */
  readonly deadlineMs: number | undefined;
  /** The time at the exchange when it was confirmed, rather too early; undefined where that was not read. */
  readonly confirmedMs: number | undefined;
  readonly knownIds: ReadonlySet<string>;
  /** Whether it waits for a trigger: once triggered, it is another order. */
  readonly isTrigger: boolean;
  /** Whether its label was generated for it alone. */
  readonly isLabelOwn: boolean;
}

function soughtOf({ intent: { paramsText, before } }: ReconcileTask, asked: AskedTerms, sendWithinMs: number): Sought {
  const { terms, compare } = asked;
  const { valid_until: deadline, type } = JSON.parse(paramsText) as Members;
  const ids = before?.[KNOWN_IDS];
  const deadlineMs = typeof deadline === "number" ? deadline : undefined;
  return {
    instrument: terms["instrument_name"] ?? "",
    label: terms["label"] ?? "",
    ...{ terms, compare, deadlineMs },
    // The deadline of a command's order counts from its confirmation; that of a request file may be any.
    confirmedMs: ids === undefined || deadlineMs === undefined ? undefined : deadlineMs - sendWithinMs,
    knownIds: new Set(ids?.split(" ").filter((id) => id !== "")),
    isTrigger: typeof type === "string" && /^(?:stop|take|trailing)_/.test(type),
    // A label of a request file may be used by others, whatever it looks like.
    isLabelOwn: ids !== undefined && isGeneratedLabel(terms["label"] ?? ""),
  };
}

interface Candidate {
  readonly id: string;
  /** Whether it has all terms of the order that is looked for, or a label that only that one has. */
  readonly isMatch: boolean;
  /** Whether it may have been made before the send: the clocks don't tell. */
  readonly isPerhapsEarlier: boolean;
  readonly row: Members;
}

/** The orders that may be the one, and whether orders that were there before have its label. */
interface Candidates {
  readonly found: readonly Candidate[];
  readonly isLabelShared: boolean;
}

/**
 * Returns the orders that may be the one, each once: as an order where it is one, else as its trade. They have its
 * label or tell none, were not known before, and were not made before.
 */
function candidates(rows: readonly Members[], sought: Sought, { earliestMs, latestMs }: SentSpan): Candidates {
  const found = new Map<string, Candidate>();
  const earlierIds = new Set(sought.knownIds);
  const otherIds = new Set<string>();
  let isLabelShared = earlierIds.size > 0;
  for (const row of rows) {
    const id = String(row["order_id"]);
    const { label = sought.label, creation_timestamp: madeMs } = row;
    if (label !== sought.label) otherIds.add(id);
    // The trade of an earlier order can be a later one, and that of an order with another label can tell none.
    if (otherIds.has(id) || earlierIds.has(id) || found.has(id)) continue;
    if (typeof madeMs === "number" && madeMs < earliestMs) {
      earlierIds.add(id);
      isLabelShared ||= row["label"] !== undefined;
    } else {
      const isPerhapsEarlier = typeof madeMs === "number" && madeMs < latestMs;
      found.set(id, { id, isMatch: isMatching(row, sought), isPerhapsEarlier, row });
    }
  }
  return { found: [...found.values()], isLabelShared };
}

/**
 * Whether an order has all terms that were asked for, or the label that only it has. What it does not tell is not
 * proved.
 */
function isMatching(row: Members, { terms, label, isLabelOwn, compare }: Sought): boolean {
  if (typeof row["creation_timestamp"] !== "number") return false;
  const isTrade = row["isTrade"] === true;
  if (!isTrade && !isLabelOwn && compare(row).isContradicted) return false;
  const asked = isTrade ? { label, direction: terms["direction"] } : isLabelOwn ? { label } : terms;
  return Object.entries(asked).every(([name, value]) => row[name] !== undefined && valueOf(row, name) === value);
}

function valueOf(row: Members, name: string): string {
  const value = row[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function placed({ id, row }: Candidate, { compare }: Sought): Shown {
  if (row["isTrade"] === true)
    return { kind: "asAsked", state: l10n.t("placed as order {0}, which has traded", plain.name(id)), objectId: id };
  const [state, filled, amount] = ["order_state", "filled_amount", "amount"].map((name) => valueOf(row, name));
  const words = [plain.name(id), plain.name(state ?? ""), figureText(filled ?? ""), figureText(amount ?? "")] as const;
  const { different, notes } = compare(row);
  const placedAs =
    different.length === 0
      ? l10n.t("placed as order {0}, which is {1} ({2} of {3} filled)", ...words)
      : l10n.t(
          "placed as order {0}, which is {1} ({2} of {3} filled), but not as requested: {4}",
          ...words,
          plain.join(different, ", "),
        );
  // The sentence that it becomes part of ends with a full stop.
  return { kind: "asAsked", state: plain.join([placedAs, ...notes], ". ").replace(/\.$/, ""), objectId: id };
}

/** Returns why nothing is proved, as a sentence. */
function reasonOf(found: readonly Candidate[], { deadlineMs, compare }: Sought, isNewLink: boolean): Plain {
  if (found.length > 1) return l10n.t("More than one order has its label: {0}.", candidateNames(found));
  if (found[0]?.isPerhapsEarlier === true)
    return l10n.t(
      "An order with its label is listed, but the computer slept or its clock was set meanwhile: it may be earlier: {0}.",
      candidateNames(found),
    );
  if (found[0]?.isMatch === true)
    return l10n.t(
      "An order with its label and terms is listed, but others have used this label: {0}.",
      candidateNames(found),
    );
  if (found[0] !== undefined) {
    const { different } = compare(found[0].row);
    return l10n.t(
      "An order with its label has other terms: {0}.",
      plain.join([candidateNames(found), ...different], ", "),
    );
  }
  if (deadlineMs === undefined)
    return l10n.t("No order with its label is listed. Without a deadline (valid_until), it can still be placed.");
  return isNewLink
    ? l10n.t("No order with its label is listed, but a trigger may have placed it under another ID.")
    : l10n.t("No order with its label is listed. Reconnecting proves whether it was placed.");
}

const MOST_NAMED = 5;

function candidateNames(found: readonly Candidate[]): Plain {
  const names = found.slice(0, MOST_NAMED).map(({ id, row }) => {
    const terms = `${valueOf(row, "direction")} ${valueOf(row, "amount")} @ ${valueOf(row, "price")}`;
    return row["isTrade"] === true ? plain.name(id) : l10n.t("{0} ({1})", plain.name(id), plain.name(terms));
  });
  return plain.join([...names, ...(found.length > MOST_NAMED ? [plain`…`] : [])], ", ");
}

/*
 * All orders and trades of an instrument since a moment, page by page. A list that ends early proves nothing: a server
 * may cap its pages below what was asked for, and a bot may have filled them meanwhile.
 */

/** The wanted orders and trades. */
interface WantedRows {
  readonly instrument: string;
  /** The moment back to which the lists have to reach, in ms since the Unix epoch on the exchange's clock. */
  readonly sinceMs: number;
  /** Whether that was so long ago that what has ended since may be listed as history alone. */
  readonly isOld: boolean;
}

/** The rows of an order that is open, has ended, or has traded. `isWhole`: whether none can be missing. */
interface OrderLists {
  readonly rows: readonly Members[];
  readonly isWhole: boolean;
}

/**
 * The time for which the exchange surely lists an ended order among the recent ones, in ms: a little less than its half
 * hour. https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
const RECENT_MS = 25 * 60_000;

/** The most rows that one read asks for. https://docs.deribit.com/api-reference/trading */
const MOST_ROWS = 1000;
/** The most pages of a list. Beyond that it counts as not whole. */
const MOST_PAGES = 100;

const READ = { timeoutMs: 10_000 } as const;

/**
 * Reads the open orders, then the ended ones, then the trades, which carry the ID and label of their order: an order
 * that ends in between is in a later list. `unreadable` where a row names no order: it may be any. Throws `CallError`.
 */
export async function readLists(reader: Reader, wanted: WantedRows): Promise<OrderLists | "unreadable"> {
  const about = { instrument_name: wanted.instrument };
  const open = await reader.readResponse("private/get_open_orders_by_instrument", about, READ);
  const lists: Page[] = [{ rows: open.result, isWhole: true }];
  for (const isHistorical of wanted.isOld ? [false, true] : [false])
    lists.push(await readEnded(reader, wanted, isHistorical), await readTrades(reader, wanted, isHistorical));
  if (!lists.every(({ rows }) => isNamed(rows))) return "unreadable";
  return {
    rows: lists.flatMap(({ rows }) => rows as readonly Members[]),
    isWhole: lists.every(({ isWhole }) => isWhole),
  };
}

interface Page {
  readonly rows: unknown;
  readonly isWhole: boolean;
}

/** Reads ended orders, the newest first, by continuation where the server has that, else by offset. */
async function readEnded(reader: Reader, { instrument, sinceMs }: WantedRows, isHistorical: boolean): Promise<Page> {
  const all: unknown[] = [];
  let continuation: string | undefined;
  let place: { readonly continuation?: string; readonly offset?: number } = {};
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { result } = await reader.readResponse(
      "private/get_order_history_by_instrument",
      {
        ...{ instrument_name: instrument, count: MOST_ROWS, include_unfilled: true, with_continuation: true },
        ...(isHistorical ? { historical: true } : {}),
        ...place,
      },
      READ,
    );
    const { orders, continuation: next } = Array.isArray(result) ? { orders: result as unknown } : membersOf(result);
    if (!isNamed(orders)) return { rows: undefined, isWhole: false };
    all.push(...orders);
    // Only a list without continuation goes on by its length: its pages may be shorter than what was asked for.
    const isLast = !Array.isArray(result) && typeof next !== "string";
    if (isLast || orders.length === 0 || isBefore(orders, "last_update_timestamp", sinceMs))
      return { rows: all, isWhole: true };
    if (next !== undefined && next === continuation) break;
    continuation = next as string | undefined;
    place = continuation === undefined ? { offset: all.length } : { continuation };
  }
  return { rows: all, isWhole: false };
}

/** Reads trades, the newest first, by their numbers: of one moment there may be more than a page. */
async function readTrades(reader: Reader, { instrument, sinceMs }: WantedRows, isHistorical: boolean): Promise<Page> {
  const all: unknown[] = [];
  let endSeq: number | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { trades, has_more: hasMore } = membersOf(
      (
        await reader.readResponse(
          "private/get_user_trades_by_instrument",
          {
            ...{ instrument_name: instrument, count: MOST_ROWS, sorting: "desc" },
            ...(isHistorical ? { historical: true } : {}),
            ...(endSeq === undefined ? {} : { end_seq: endSeq }),
          },
          READ,
        )
      ).result,
    );
    if (!isNamed(trades)) return { rows: undefined, isWhole: false };
    all.push(...trades.map(asOrder));
    if (trades.length === 0 || hasMore === false || isBefore(trades, "timestamp", sinceMs))
      return { rows: all, isWhole: true };
    const lowest = Math.min(...trades.map(({ trade_seq: seq }) => (typeof seq === "number" ? seq : Number.NaN)));
    // Without a number, or where a page brings nothing new, there is no way on.
    if (Number.isNaN(lowest) || (endSeq !== undefined && lowest > endSeq)) break;
    endSeq = lowest - 1;
  }
  return { rows: all, isWhole: false };
}

/** Returns a trade as a row of its order. Its price and amount are not those of the order. */
function asOrder({ order_id, label, direction, timestamp }: Members): Members {
  return { ...{ order_id, label, direction, creation_timestamp: timestamp, isTrade: true } };
}

/** Whether a page ends before a moment: all its rows are in order, and the last one is earlier. */
function isBefore(rows: readonly Members[], name: string, sinceMs: number): boolean {
  const times = rows.map((row) => row[name]);
  return (
    times.every((atMs, index) => typeof atMs === "number" && (index === 0 || atMs <= Number(times[index - 1]))) &&
    Number(times.at(-1)) < sinceMs
  );
}

function isNamed(list: unknown): list is readonly Members[] {
  return (
    Array.isArray(list) && (list as readonly (Members | null)[]).every((row) => typeof row?.["order_id"] === "string")
  );
}

function membersOf(result: MaskedResponse["result"]): Members {
  return (result ?? {}) as Members;
}
