import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { ParamsOf } from "../../catalogue/index.ts";
import { makesClientSecret } from "../../catalogue/oneTimeSecrets.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { readExchangeTime } from "../../session/reader.ts";
import { KEYS_METHOD } from "../../state/apiKeys.ts";
import { MMP_CONFIG_METHOD, MMP_STATUS_METHOD, type MmpFilter } from "../../state/mmp.ts";
import { isOpenQuote, QUOTES_METHOD, toQuote } from "../../state/quotes.ts";
import { KEY_IDS } from "../changes/apiKeys.ts";
import { askedFields, type ToldBy } from "../changes/changes.ts";
import { areAs, differenceText, fieldsText, presentFields, unprovedField, type Members } from "../intent/fields.ts";
import { compareTerms, placementFields } from "../changes/orderTerms.ts";
import { describeQuote } from "../changes/quotes.ts";
import { readEditedOrder } from "./editedOrders.ts";
import type { ReadBack, SentSpan, Shown } from "./readBack.ts";
import type { ReconcilerPorts } from "./orderReads.ts";
import type { ReconcileTask } from "./reconcile.ts";
import { isAnsweredByCode, readChallenge } from "../judge/secondFactor.ts";
import { SEND_WITHIN_MS } from "../intent/intent.ts";
import type { Reader } from "../../session/session.ts";
import { BLOCK_TRADES_METHOD } from "../../state/blockTrades.ts";

/* What is read to find out what became of a change of a key, of limits, of quotes. Reliability §2.4. */

export interface ReadBackPorts extends Pick<ReconcilerPorts, "session" | "clock"> {
  /** Asks for the 2FA code that a read needs; `sentence` says what it is for. */
  readonly askCode: (sentence: Plain) => Promise<string | undefined>;
  /** Hears each list of keys that was read: a list that needs a 2FA code is read nowhere else. */
  readonly hearKeys?: (response: MaskedResponse) => void;
}

const READ_BACKS: Readonly<Partial<Record<ToldBy, (ports: ReadBackPorts, task: ReconcileTask) => Promise<Shown>>>> = {
  key: readKey,
  newKey: readNewKey,
  blockTrade: readBlockTrade,
  limits: readLimits,
  freeze: readFreeze,
  coveredQuotes: readQuotes,
  quote: readQuote,
  editedOrder: readEdit,
  placedOrder: readPlacement,
};

/** Returns the read that shows the outcome of a change; undefined where none does, or orders are read. */
export function readBackOf(told: ToldBy, ports: ReadBackPorts): ReadBack | undefined {
  if (told === "removedKey") return removedKeyRead(ports);
  const read = READ_BACKS[told];
  return read && (async (task) => await read(ports, task));
}

const READ = { timeoutMs: 10_000 } as const;

async function readKey(ports: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const { id, ...params } = paramsOf(task);
  const listed = await listKeys(ports, task);
  if ("kind" in listed) return listed;
  const key = findIn(listed.result, (each) => each["id"] === id, isNumbered("id"));
  return key === undefined ? { kind: "gone" } : shownFields(task, { id, ...params }, key);
}

/**
 * Returns the read that shows whether a key was removed. Its absence proves that only if the key was there: seen before
 * the request, or in an earlier read after it.
 */
function removedKeyRead(ports: ReadBackPorts): ReadBack {
  const seenBy = new WeakSet<ReconcileTask>();
  return async (task) => {
    const shown = await readRemovedKey(ports, task, task.isSeen || seenBy.has(task));
    if (shown.kind === "asBefore") seenBy.add(task);
    return shown;
  };
}

async function readRemovedKey(ports: ReadBackPorts, task: ReconcileTask, wasThere: boolean): Promise<Shown> {
  const { id } = paramsOf(task);
  const listed = await listKeys(ports, task);
  if ("kind" in listed) return listed;
  const key = findIn(listed.result, (each) => each["id"] === id, isNumbered("id"));
  if (key !== undefined) return { kind: "asBefore", state: l10n.t("still listed") };
  if (wasThere) return { kind: "asAsked" };
  return {
    kind: "barred",
    reason: l10n.t("The API key isn't listed, but it wasn't seen before the request either, so this proves nothing."),
  };
}

/**
 * Reads whether there is a new key of the requested name. New is one that was not listed before; where that is not
 * known, one whose time is not before the request's.
 */
async function readNewKey(ports: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const { name } = paramsOf(task);
  const listed = await listKeys(ports, task);
  if ("kind" in listed) return listed;
  const idsBefore = task.intent.before?.[KEY_IDS]?.split(" ");
  const sent = idsBefore === undefined ? await readSentSpan(ports, task) : undefined;
  const isNew = (key: Members, sinceMs: number): boolean =>
    idsBefore === undefined ? isSince(key, sinceMs) : !idsBefore.includes(String(key["id"]));
  const find = (sinceMs: number): Members | undefined =>
    findIn(
      listed.result,
      (each) => isNew(each, sinceMs) && (name === undefined || (each["name"] ?? "") === name),
      isNumbered("id"),
    );
  const key = find(sent?.latestMs ?? 0);
  if (key === undefined && sent !== undefined && find(sent.earliestMs) !== undefined) return cannotCompareTimes();
  if (key === undefined) return { kind: "asBefore", state: l10n.t("no new API key with this name") };
  const { id: number, client_id: client } = key;
  const [id, clientId] = [plain.name(String(number)), plain.name(typeof client === "string" ? client : "")];
  const state = makesClientSecret(task.intent.method, paramsOf(task))
    ? l10n.t("created with ID {0}, client ID {1}, but its client secret was lost with the response", id, clientId)
    : l10n.t("created with ID {0}, client ID {1}", id, clientId);
  return { kind: "asAsked", state, objectId: id };
}

/** Whether it is read over another link than the one that a request was sent on. */
function isOnNewLink({ session: { state } }: ReadBackPorts, { generation }: ReconcileTask): boolean {
  return state.status === "ready" && state.generation !== generation;
}

/** Reads whether an order was placed. Fails, and is tried again, as long as the order can still arrive. */
async function readPlacement(ports: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const params = paramsOf(task);
  // No list of an instrument has the orders of its slot, which may be new.
  if (params["isolated"] === true)
    return {
      kind: "barred",
      reason: l10n.t("Isolated orders can't be looked up by their label. Look for it in Orders."),
    };
  const { readPlacedOrder } = await import("./placedOrders.ts");
  const exchangeMs = await readExchangeTime(ports.session.reader, READ);
  failBeforeDeadline(params, exchangeMs);
  return await readPlacedOrder(
    {
      ...ports,
      isOnNewLink: () => isOnNewLink(ports, task),
      sent: sentSpan(ports, task, exchangeMs - CLOCK_DOUBT_MS),
      sendWithinMs: SEND_WITHIN_MS,
    },
    task,
    {
      terms: placementFields(task.intent.method, params),
      compare: (order) => compareTerms(task.intent.method, params, order),
    },
  );
}

/**
 * Reads whether an order was edited. That it was not is said only once the edit can't arrive any more, and for good
 * where the order was not updated since the confirmation: else it may have been edited, and edited back.
 */
async function readEdit(ports: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const { reader } = ports.session;
  const params = paramsOf(task);
  const { valid_until: untilMs } = params;
  const exchangeMs = untilMs === undefined ? Infinity : await readExchangeTime(reader, READ);
  const isOver = ({ last_update_timestamp: updatedMs }: Members): boolean =>
    isOnNewLink(ports, task) &&
    typeof untilMs === "number" &&
    typeof updatedMs === "number" &&
    updatedMs < untilMs - SEND_WITHIN_MS;
  const shown = await readEditedOrder(reader, task, isOver);
  if (shown.kind === "asBefore" || shown.kind === "never") failBeforeDeadline(params, exchangeMs);
  return shown;
}

/**
 * Throws a `CallError` while the exchange would still carry out a request that arrives. What was asked for is read
 * again then.
 */
function failBeforeDeadline({ valid_until: untilMs }: Members, exchangeMs: number): void {
  const waitMs = Number(untilMs ?? 0) + 1 - exchangeMs;
  if (waitMs > 0) throw new CallError({ kind: "timeout", timeoutMs: waitMs });
}

/** Reads whether a block trade with the requested legs was executed since the request. */
async function readBlockTrade(ports: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const sent = await readSentSpan(ports, task);
  const { rows: result, isWhole } = await readBlockTradesSince(ports.session.reader, sent.earliestMs);
  const legs = legsText(paramsOf(task)["trades"]);
  const find = (sinceMs: number): Members | undefined =>
    findIn(
      result,
      (each) => isSince(each, sinceMs) && legsText(each["trades"]) === legs,
      (each) => typeof each["id"] === "string",
    );
  const trade = find(sent.latestMs);
  if (trade === undefined && find(sent.earliestMs) !== undefined) return cannotCompareTimes();
  if (trade === undefined && !isWhole)
    return { kind: "barred", reason: l10n.t("The block trades couldn't be read back to the time before the request.") };
  return trade === undefined
    ? { kind: "asBefore", state: l10n.t("no such block trade") }
    : { kind: "asAsked", state: l10n.t("executed as {0}", plain.name(String(trade["id"]))) };
}

/** Returns what two lists of the same legs have in common. Directions are those of the maker, or of the reader. */
function legsText(legs: unknown): string {
  return rowsOf(legs)
    .map((leg) => JSON.stringify([leg["instrument_name"], leg["price"], leg["amount"]]))
    .sort()
    .join();
}

/** The doubt in the time of a request at the exchange, in ms: a round trip, which is not halved. */
const CLOCK_DOUBT_MS = 2000;

/** Returns when a request was sent, rather too early. */
async function readSentSpan(ports: ReadBackPorts, task: ReconcileTask): Promise<SentSpan> {
  return sentSpan(ports, task, (await readExchangeTime(ports.session.reader, READ)) - CLOCK_DOUBT_MS);
}

/** Returns when a request was sent, as closely as the round trip tells in which the exchange's time is read. */
async function readCloseSentSpan(ports: ReadBackPorts, task: ReconcileTask): Promise<SentSpan> {
  const askedAtMs = ports.clock.monotonicMs();
  const exchangeMs = await readExchangeTime(ports.session.reader, READ);
  const { earliestMs, latestMs } = sentSpan(ports, task, exchangeMs);
  // The exchange's times are whole milliseconds.
  return { earliestMs, latestMs: latestMs + ports.clock.monotonicMs() - askedAtMs + 1 };
}

/**
 * Returns when a request was sent; `exchangeMs` is the time at the exchange, just read, or rather too early. A wall
 * clock that was set back no longer tells how long the computer slept: then no time is the earliest.
 */
function sentSpan({ clock }: ReadBackPorts, task: ReconcileTask, exchangeMs: number): SentSpan {
  const monotonicMs = clock.monotonicMs() - task.sentAtMs;
  const wallMs = clock.now() - task.sentAtWallMs;
  const latestMs = exchangeMs - Math.max(0, Math.min(monotonicMs, wallMs));
  // The one clock stops while the computer sleeps; once the other one was set back, nothing tells for how long.
  const isSetBack = wallMs < monotonicMs - CLOCK_DOUBT_MS;
  return { earliestMs: isSetBack ? 0 : exchangeMs - Math.max(monotonicMs, wallMs), latestMs };
}

function isSince({ timestamp }: Members, sinceMs: number): boolean {
  return Number(timestamp ?? -Infinity) >= sinceMs;
}

function cannotCompareTimes(): Shown {
  return {
    kind: "barred",
    reason: l10n.t("One is listed, but its time doesn't show whether it is earlier than the request."),
  };
}

/** Lists the keys, or returns why that is not possible. */
async function listKeys(
  { session: { reader }, askCode, hearKeys }: ReadBackPorts,
  task: ReconcileTask,
): Promise<{ readonly result: unknown } | Shown> {
  const list = async (params: ParamsOf<typeof KEYS_METHOD>): Promise<unknown> => {
    const response = await reader.readResponse(KEYS_METHOD, params, READ);
    hearKeys?.(response);
    return response.result;
  };
  let result = await list({});
  const challenge = readChallenge(result);
  if (challenge !== undefined) {
    const { sentence, target } = task.intent.words;
    // A box that opens automatically would interrupt the user, and open again with each check.
    const code =
      isAnsweredByCode(challenge) && task.mayAsk?.() === true
        ? await askCode(l10n.t("List the API keys to check the outcome of: {0}", sentence ?? target))
        : undefined;
    if (code === undefined) return { kind: "barred", reason: l10n.t("Listing the API keys requires a 2FA code.") };
    result = await list({ authorization_data: code, challenge: challenge.challenge });
  }
  return { result };
}

async function readLimits({ session: { reader } }: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const params = paramsOf(task);
  const config = groupsOf(await reader.readResponse(MMP_CONFIG_METHOD, groupParams(params), READ), params)[0];
  if (config !== undefined) return shownFields(task, params, config);
  const state = l10n.t("no limits");
  // That is what was asked for, whether or not there were some.
  if (params["interval"] === 0) return { kind: "asAsked", state };
  const { before } = task.intent;
  const wereSome = before !== undefined && Object.keys(before).length > 0;
  return wereSome ? { kind: "other", state } : { kind: "asBefore", state };
}

async function readFreeze({ session: { reader } }: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const params = paramsOf(task);
  const isFrozen = groupsOf(await reader.readResponse(MMP_STATUS_METHOD, groupParams(params), READ), params).length > 0;
  return isFrozen ? { kind: "asBefore", state: l10n.t("frozen") } : { kind: "asAsked", state: l10n.t("not frozen") };
}

function shownFields({ intent: { method, before } }: ReconcileTask, params: Members, object: Members): Shown {
  const asked = askedFields(method, params) ?? {};
  const unproved = unprovedField(asked, object);
  if (unproved !== undefined)
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("{0} is missing", plain.name(unproved)) });
  const present = presentFields(object, asked);
  if (areAs(asked, present)) return { kind: "asAsked" };
  if (before === undefined) return { kind: "asBefore", state: differenceText(asked, present) };
  return areAs(before, present)
    ? { kind: "asBefore", state: fieldsText(present) }
    : { kind: "other", state: differenceText(asked, present) };
}

/**
 * Reads quotes. Quotes younger than the request do not count: it has not cancelled them. Only the exchange's clock
 * tells which these are, where the shown list does not.
 */
async function readQuotes(ports: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const { reader } = ports.session;
  const rfqId = paramsOf(task)["block_rfq_id"];
  const quotes = openQuotes(
    await reader.readResponse(QUOTES_METHOD, typeof rfqId === "number" ? { block_rfq_id: rfqId } : {}, READ),
  );
  const isMeant = (quote: Members): boolean => task.orderIds.includes(String(quote["block_rfq_quote_id"]));
  const sent = quotes.every(isMeant) ? undefined : await readCloseSentSpan(ports, task);
  const createdMs = (quote: Members): number => (isMeant(quote) ? -Infinity : Number(quote["creation_timestamp"] ?? 0));
  const earlier = quotes.filter((quote) => createdMs(quote) < (sent?.earliestMs ?? 0));
  const newer = quotes.filter((quote) => createdMs(quote) > (sent?.latestMs ?? 0));
  if (earlier.length === 0 && newer.length < quotes.length) return cannotCompareTimes();
  if (earlier.length > 0)
    return { kind: "asBefore", state: l10n.t("open ({0} of them: {1})", earlier.length, namesOf(earlier)) };
  const state =
    newer.length === 0
      ? l10n.t("no quotes are open")
      : l10n.t("none of these quotes is open, but newer ones are ({0}: {1})", newer.length, namesOf(newer));
  return { kind: "asAsked", state };
}

function namesOf(quotes: readonly Members[]): Plain {
  const names = quotes.slice(0, MAX_NAMED).map((row) => {
    const quote = toQuote(row);
    return quote === undefined ? plain.name(String(row["block_rfq_quote_id"])) : describeQuote(quote);
  });
  return plain.join([...names, ...(quotes.length > MAX_NAMED ? [plain`…`] : [])], ", ");
}

const MAX_NAMED = 5;

/** Reads one quote. Mostly only open quotes are listed: its absence does not say why. */
async function readQuote({ session: { reader } }: ReadBackPorts, task: ReconcileTask): Promise<Shown> {
  const { block_rfq_quote_id: id, block_rfq_id: rfqId, label } = paramsOf(task);
  const response = await reader.readResponse(
    QUOTES_METHOD,
    typeof rfqId === "number" ? { block_rfq_id: rfqId } : {},
    READ,
  );
  const quote = findIn(
    response.result,
    (each) => (id === undefined ? each["label"] === label : each["block_rfq_quote_id"] === id),
    isNumbered("block_rfq_quote_id"),
  );
  if (quote === undefined) return { kind: "gone" };
  const state = plain.name(String(quote["quote_state"]));
  if (quote["quote_state"] === "cancelled") return { kind: "asAsked" };
  return isOpenQuote(quote) ? { kind: "asBefore", state } : { kind: "other", state };
}

function openQuotes({ result }: MaskedResponse): readonly Members[] {
  return rowsOf(result).filter(isOpenQuote);
}

/** Returns the limits or freezes of the group that was meant; without a group, those of regular orders. */
function groupsOf(
  { result }: MaskedResponse,
  { index_name: index, mmp_group: group = "" }: Members,
): readonly Members[] {
  const rows = rowsOf(result);
  const found = rows.filter(
    (each) => (index === "all" || each["index_name"] === index) && (each["mmp_group"] ?? "") === group,
  );
  if (found.length === 0) refuseUnnamed(rows, (each) => typeof each["index_name"] === "string");
  return found;
}

function groupParams({ index_name: index, block_rfq: isRfq }: Members): MmpFilter {
  return {
    ...(typeof index === "string" && index !== "all" ? { index_name: index } : {}),
    ...(isRfq === true ? { block_rfq: true } : {}),
  };
}

function paramsOf({ intent }: ReconcileTask): Members {
  return JSON.parse(intent.paramsText) as Members;
}

/** Returns the entry that is meant. Without it, an entry that names nothing may be the one: then nothing is proved. */
function findIn(
  result: unknown,
  isMeant: (row: Members) => boolean,
  isNamed: (row: Members) => boolean,
): Members | undefined {
  const rows = rowsOf(result);
  const found = rows.find(isMeant);
  if (found === undefined) refuseUnnamed(rows, isNamed);
  return found;
}

function isNumbered(name: string): (row: Members) => boolean {
  return (row) => typeof row[name] === "number";
}

function refuseUnnamed(rows: readonly Members[], isNamed: (row: Members) => boolean): void {
  if (!rows.every(isNamed)) throw new CallError({ kind: "unreadableResult", detail: l10n.t("items without an ID") });
}

/** Returns one object or a list of them as a list, because documents and servers differ. */
function rowsOf(result: unknown): readonly Members[] {
  const rows: readonly unknown[] = Array.isArray(result) ? result : [result];
  return rows.map((row) => (typeof row === "object" && row !== null ? (row as Members) : {}));
}

/** The number of block trades that one call can ask for. Core specification §4.6. */
const MOST_BLOCK_TRADES = 101;
/** The most pages that are read. Beyond that the list counts as not whole. */
const MOST_PAGES = 50;

/**
 * Reads the block trades, the newest first, back to a moment, in ms since the Unix epoch on the exchange's clock.
 * `isWhole`: whether none since then can be missing. A server may have smaller pages than were asked for, so only an
 * empty page, or an earlier trade, ends the list. Throws `CallError`.
 */
export async function readBlockTradesSince(
  reader: Reader,
  sinceMs: number,
): Promise<{ readonly rows: readonly unknown[]; readonly isWhole: boolean }> {
  const rows: unknown[] = [];
  const ids = new Set<unknown>();
  let startId: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const params = { count: MOST_BLOCK_TRADES, ...(startId === undefined ? {} : { start_id: startId }) };
    const { result } = await reader.readResponse(BLOCK_TRADES_METHOD, params, READ);
    const page = (Array.isArray(result) ? result : [result]) as readonly (Members | null)[];
    const added = page.filter((row) => !ids.has(row?.["id"]));
    rows.push(...added);
    for (const row of added) ids.add(row?.["id"]);
    const last = added.at(-1);
    if (last === undefined || Number(last?.["timestamp"] ?? Infinity) < sinceMs) return { rows, isWhole: true };
    if (typeof last?.["id"] !== "string") break;
    startId = last["id"];
  }
  return { rows, isWhole: false };
}
