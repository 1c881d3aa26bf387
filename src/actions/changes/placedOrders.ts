import * as l10n from "@vscode/l10n";
import { CallError, toFailure } from "../../base/failure.ts";
import { plain } from "../../base/plain.ts";
import { isObject } from "../../base/json.ts";
import { SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import { BEFORE_PLACING, DEADLINE_PARAM, orderLabelOf, placementFields } from "./placing.ts";
import { areAs, fieldsOf, presentFields, type Fields, type Members } from "./fields.ts";
import { fillOf } from "../fill.ts";
import { isBarred } from "../orderReads.ts";
import type { OrderVerdict } from "../outcome.ts";
import { pause, startBudget, troubleOf, waitForReady } from "../readiness.ts";
import { SETTLE_MS, type ReconcilerPorts, type ReconcileTask } from "../reconcile.ts";

/*
 * What became of an order whose placing has an unknown outcome. Its label is looked for among the open orders, the ended
 * ones, and the trades. Nothing is decided before its deadline: until then it can still arrive.
 */

/** The time that reading is tried once the session is ready again, in ms; long enough for the deadline to pass. */
const BUDGET_MS = 60_000;

/** The doubt in the time of the exchange, in ms: a round trip, which is not halved. */
const CLOCK_DOUBT_MS = 2000;

/** The most rows that one read asks for. https://docs.deribit.com/api-reference/trading */
const MOST_ROWS = 1000;

const READ = { timeoutMs: 10_000 } as const;

/**
 * Reads until it is proved that the order was placed, or that it was not; else says why that is not known. An order is
 * the one if it has the label and all terms, was made after the send, was not known before, and no other one fits.
 * Absence proves only what can't come any more: after the deadline, read twice over a connection that is not the one it
 * was sent on. Reports one verdict, unless the task is given up. Never throws.
 */
export async function verifyPlacedOrder(ports: ReconcilerPorts, task: ReconcileTask): Promise<void> {
  const verdict = await settle(ports, task);
  if (!task.signal.aborted) task.onVerdict(verdict);
}

async function settle(ports: ReconcilerPorts, task: ReconcileTask): Promise<OrderVerdict> {
  const { clock, session } = ports;
  const sought = soughtOf(task);
  const budget = startBudget(task.signal, BUDGET_MS);
  let dueMs = task.sentAtMs + SETTLE_MS;
  let latest: Look | undefined;
  let absences = 0;
  try {
    for (;;) {
      const trouble = await waitForReady(session, task.identity, budget.signal);
      if (trouble !== undefined) return unverified(ports, trouble);
      budget.arm(clock);
      await pause(clock, Math.max(0, dueMs - clock.monotonicMs()), budget.signal);
      if (budget.signal.aborted) return unverified(ports, reasonOf(latest, task));
      if (troubleOf(session.state, task.identity) !== undefined) continue;
      const look = await lookFor(ports, task, sought);
      dueMs = clock.monotonicMs() + SETTLE_MS;
      if (look === undefined) continue;
      latest = look;
      if (look.kind === "barred") return unverified(ports, reasonOf(look, task));
      if (look.waitMs > 0) dueMs = clock.monotonicMs() + look.waitMs;
      if (look.waitMs > 0) continue;
      const [only, ...others] = look.labelled;
      if (only !== undefined)
        return only.isMatch && others.length === 0 ? placed(ports, only) : unverified(ports, reasonOf(look, task));
      absences += 1;
      if (absences < 2) continue;
      return sought.deadlineMs !== undefined && look.isNewLink && !sought.isTrigger
        ? { kind: "notApplied", atMs: clock.now(), state: l10n.t("not placed") }
        : unverified(ports, reasonOf(look, task));
    }
  } finally {
    budget.dispose();
  }
}

/** What is known of the order that is looked for. */
interface Sought {
  readonly instrument: string;
  readonly label: string;
  readonly fields: Fields;
  /** The time after which the exchange refuses it, in ms since the Unix epoch; undefined where it never does. */
  readonly deadlineMs: number | undefined;
  /** The time at the exchange before it was sent; undefined where that was not read. */
  readonly beforeMs: number | undefined;
  readonly knownIds: ReadonlySet<string>;
  /** Whether it waits for a trigger: once triggered, it is another order. */
  readonly isTrigger: boolean;
}

function soughtOf({ intent: { method, paramsText, before } }: ReconcileTask): Sought {
  const params = JSON.parse(paramsText) as Members;
  const { instrument_name: instrument, [DEADLINE_PARAM]: deadline, type } = params;
  const beforeMs = before?.[BEFORE_PLACING.exchangeMs];
  return {
    instrument: String(instrument),
    label: orderLabelOf(paramsText) ?? "",
    fields: placementFields(method, params),
    deadlineMs: typeof deadline === "number" ? deadline : undefined,
    beforeMs: beforeMs === undefined ? undefined : Number(beforeMs),
    knownIds: new Set(before?.[BEFORE_PLACING.orderIds]?.split(" ")),
    isTrigger: typeof type === "string" && /^(?:stop|take|trailing)_/.test(type),
  };
}

/** The result of one round of reads. */
type Look =
  | {
      readonly kind: "read";
      /** The orders that may be the one: with its label, not known before, and not made before. */
      readonly labelled: readonly Candidate[];
      /** How long the order can still arrive, in ms. */
      readonly waitMs: number;
      /** Whether it was read over another connection than the one that the order was sent on. */
      readonly isNewLink: boolean;
    }
  | { readonly kind: "barred" };

interface Candidate {
  readonly id: string;
  /** Whether it has all terms of the order that is looked for. */
  readonly isMatch: boolean;
  readonly row: Members;
}

/** Makes one round of reads; undefined where one failed that may not fail again, or the session changed meanwhile. */
async function lookFor(ports: ReconcilerPorts, task: ReconcileTask, sought: Sought): Promise<Look | undefined> {
  const { clock, session, log } = ports;
  const { state: before } = session;
  if (before.status !== "ready") return undefined;
  try {
    const exchangeMs = await session.reader.read(SESSION_CALLS.tellTime, {}, READ);
    const earliestMs = sought.beforeMs ?? exchangeMs - (clock.monotonicMs() - task.sentAtMs) - CLOCK_DOUBT_MS;
    const waitMs = Math.max(0, (sought.deadlineMs ?? 0) + 1 - exchangeMs);
    const rows = waitMs > 0 ? [] : await readRows(ports, sought);
    const { state: after } = session;
    if (after.status !== "ready" || after.generation !== before.generation) return undefined;
    task.onRead();
    const labelled = candidates(rows, sought, earliestMs);
    return { kind: "read", labelled, waitMs, isNewLink: task.generation !== before.generation };
  } catch (thrown) {
    const failure = toFailure(thrown);
    log.debug(`a placed order could not be looked for: ${failure.kind}`);
    return isBarred(failure) ? { kind: "barred" } : undefined;
  }
}

/** Reads the open orders, the ended ones, and the trades of the instrument. Trades carry the ID and label of an order. */
async function readRows({ session: { reader } }: ReconcilerPorts, { instrument }: Sought): Promise<readonly Members[]> {
  const about = { instrument_name: instrument };
  const [open, ended, trades] = await Promise.all([
    reader.readResponse("private/get_open_orders_by_instrument", about, READ),
    reader.readResponse(
      "private/get_order_history_by_instrument",
      { ...about, count: MOST_ROWS, include_unfilled: true },
      READ,
    ),
    reader.readResponse("private/get_user_trades_by_instrument", { ...about, count: MOST_ROWS, sorting: "desc" }, READ),
  ]);
  const traded = isObject(trades.result) ? trades.result["trades"] : undefined;
  return [
    ...rowsOf(open.result),
    ...rowsOf(ended.result),
    // The price and amount of a trade are not those of its order.
    ...rowsOf(traded).map(({ order_id, label, instrument_name, direction, timestamp }) => ({
      ...{ order_id, label, instrument_name, direction },
      last_update_timestamp: timestamp,
      isTrade: true,
    })),
  ];
}

/** Returns a list of rows. One that names no order may be the one that is looked for: then nothing is proved. */
function rowsOf(result: unknown): readonly Members[] {
  if (!Array.isArray(result) || !result.every((row) => isObject(row) && typeof row["order_id"] === "string"))
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("items without an ID") });
  return result as readonly Members[];
}

/** Returns the orders that may be the one, each once: as an order where it is one, else as its trade. */
function candidates(rows: readonly Members[], sought: Sought, earliestMs: number): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  for (const row of rows) {
    const id = String(row["order_id"]);
    const { label = sought.label, creation_timestamp: madeMs, last_update_timestamp: changedMs } = row;
    const latestMs = [madeMs, changedMs].find((each) => typeof each === "number");
    const isEarlier = latestMs !== undefined && latestMs < earliestMs;
    if (label !== sought.label || sought.knownIds.has(id) || isEarlier || found.has(id)) continue;
    found.set(id, { id, isMatch: isMatching(row, sought), row });
  }
  return [...found.values()];
}

/** Whether an order has all terms that were asked for. What it does not tell is not proved. */
function isMatching(row: Members, { fields, label }: Sought): boolean {
  if (row["isTrade"] === true) return row["label"] === label && row["direction"] === fields["direction"];
  const present = presentFields(row, fields);
  const isTold = Object.keys(fields).every((name) => name in present);
  return isTold && typeof row["creation_timestamp"] === "number" && areAs(fields, present);
}

function placed({ clock }: ReconcilerPorts, { id, row }: Candidate): OrderVerdict {
  const state = row["order_state"];
  const fill = fillOf(row);
  return {
    kind: "applied",
    atMs: clock.now(),
    cause: undefined,
    isLate: false,
    state:
      typeof state === "string"
        ? l10n.t("placed as order {0}, which is {1}", plain.name(id), plain.name(state))
        : l10n.t("placed as order {0}, which has traded", plain.name(id)),
    objectId: id,
    ...(fill === undefined ? {} : { fill }),
  };
}

/** Returns why nothing is proved, as a sentence. */
function reasonOf(look: Look | undefined, { intent: { paramsText } }: ReconcileTask): string {
  if (look === undefined) return l10n.t("No response proved the outcome within 60 seconds.");
  if (look.kind === "barred")
    return l10n.t("This server or API key doesn't support the read requests that would show it.");
  const [only, ...others] = look.labelled;
  if (others.length > 0) return l10n.t("More than one order has its label: {0}.", candidateNames(look.labelled));
  if (only !== undefined) return l10n.t("An order with its label has other terms: {0}.", candidateNames(look.labelled));
  if ((JSON.parse(paramsText) as Members)[DEADLINE_PARAM] === undefined)
    return l10n.t("No order with its label is listed. Without a deadline (valid_until), it can still be placed.");
  return look.isNewLink
    ? l10n.t("No order with its label is listed, but a trigger may have placed it under another ID.")
    : l10n.t("No order with its label is listed. Reconnecting proves whether it was placed.");
}

const MOST_NAMED = 5;

function candidateNames(labelled: readonly Candidate[]): string {
  const names = labelled.slice(0, MOST_NAMED).map(({ id, row }) => {
    const { direction = "", amount = "", price = "" } = fieldsOf(row);
    return amount === ""
      ? plain.name(id)
      : l10n.t("{0} ({1})", plain.name(id), plain.name(`${direction} ${amount} @ ${price}`));
  });
  return [...names, ...(labelled.length > MOST_NAMED ? ["…"] : [])].join(", ");
}

function unverified({ clock }: ReconcilerPorts, reason: string): OrderVerdict {
  return { kind: "unverified", atMs: clock.now(), reason };
}
