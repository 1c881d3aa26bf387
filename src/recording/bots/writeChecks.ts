import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isObject } from "../../base/json.ts";
import { SETTLEMENT_IN_PROGRESS, SYSTEM_MAINTENANCE } from "../../catalogue/codes.ts";
import { provesRefusal } from "../../catalogue/errorCodes.ts";
import { effectOf } from "../../catalogue/index.ts";
import type { Check, BotFinding } from "./check.ts";
import {
  errorCodeOf,
  callInstrument,
  isDone,
  isOrder,
  isPlacing,
  callMeaning,
  callNumber,
  type BotCall,
  type Conversation,
} from "./conversation.ts";
import type { BotFrame, SentFrame } from "./frames.ts";

/** The methods that do the same once more when they are repeated: an edit or a cancel that is repeated does not. */
const ADDING: ReadonlySet<string> = new Set([
  "private/buy",
  "private/sell",
  "private/execute_block_trade",
  "private/submit_transfer_to_subaccount",
  "private/submit_transfer_to_user",
  "private/submit_transfer_between_subaccounts",
  "private/withdraw",
]);

/**
 * How long a bot has to wait for a response before an equal call counts as a repetition, in ms: orders of a grid can be
 * equal, and leave together.
 */
const SOONEST_REPETITION_MS = 500;

/** An equal change after a response that was lost, late, or proved nothing, without evidence in between. */
export const repeatedWrite: Check = (conversation) => {
  const { frames, calls } = conversation;
  const adding = calls.filter(({ frame }) => ADDING.has(frame.method) && frame.params["reduce_only"] !== true);
  const findings: BotFinding[] = [];
  let isExercised = false;
  for (const first of adding) {
    const unknownFromMs = unknownFrom(frames, first);
    if (unknownFromMs === undefined) continue;
    isExercised = true;
    const second = adding.find(
      ({ at, frame }) =>
        at > first.at &&
        frame.atMs >= unknownFromMs &&
        callMeaning(frame) === callMeaning(first.frame) &&
        (first.reply === undefined || isUnproved(first) || at < first.reply.at),
    );
    if (second === undefined || hasEvidence(frames, calls, { from: first.at, to: second.at })) continue;
    if (isCancelledWithItsConnection(conversation, first, second)) continue;
    findings.push({
      at: second.at,
      detail: l10n.t(
        "{0} was sent again after {1} ms, without a look whether the first one was carried out.",
        plain.name(second.frame.method),
        Math.round(second.frame.atMs - first.frame.atMs),
      ),
      stake: stakeOf(second.frame),
    });
  }
  return { isExercised, findings };
};

/** Returns from when on the bot can't know the outcome of a call, in ms; undefined where it is always told in time. */
function unknownFrom(frames: readonly BotFrame[], call: BotCall): number | undefined {
  const { frame, reply } = call;
  if (reply !== undefined && isUnproved(call)) return reply.frame.atMs;
  const closed = frames
    .slice(call.at, reply?.at)
    .find((each) => each.kind === "closed" && each.connection === frame.connection);
  const isLate = reply === undefined || reply.frame.atMs - frame.atMs >= SOONEST_REPETITION_MS;
  const fromMs = Math.min(closed?.atMs ?? Infinity, isLate ? frame.atMs + SOONEST_REPETITION_MS : Infinity);
  return Number.isFinite(fromMs) ? fromMs : undefined;
}

/** Whether a call was answered by something that proves nothing about it. */
function isUnproved({ frame, reply }: BotCall): boolean {
  if (reply === undefined) return false;
  const { error, isUnreadable } = reply.frame;
  if (isUnreadable === true) return true;
  const { method, params } = frame;
  return error !== undefined && !provesRefusal(error, { method, effect: effectOf(method), params });
}

/** Whether the exchange has cancelled what a call placed, because its connection was closed before another call. */
function isCancelledWithItsConnection(conversation: Conversation, { frame, at }: BotCall, next: BotCall): boolean {
  const { connection, link } = frame;
  return (
    link === "webSocket" &&
    isCancelledByDisconnect(conversation, at) &&
    conversation.frames.slice(at, next.at).some((each) => each.kind === "closed" && each.connection === connection)
  );
}

/** Methods whose results show whether an order was placed. */
const EVIDENCE =
  /^private\/get_(?:open_orders|order_|user_trades|positions?$|account_summar|trigger_order|transaction_log|transfers|withdrawals)/;
const EVIDENCE_CHANNEL = /^user\.(?:orders|changes|trades|portfolio)\b/;

/** Whether the bot was told something between two frames that shows the outcome of the first one. */
function hasEvidence(
  frames: readonly BotFrame[],
  calls: readonly BotCall[],
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const isRead = calls.some(
    (call) => call.at > from && (call.reply?.at ?? Infinity) < to && EVIDENCE.test(call.frame.method) && isDone(call),
  );
  return (
    isRead ||
    frames
      .slice(from, to)
      .some(
        (frame) => frame.kind === "received" && EVIDENCE_CHANNEL.test(frame.channel ?? "") && frame.data !== undefined,
      )
  );
}

function stakeOf(frame: SentFrame): BotFinding["stake"] {
  const instrument = callInstrument(frame);
  const amount = callNumber(frame, "amount") ?? callNumber(frame, "contracts");
  return instrument === undefined || amount === undefined ? undefined : { instrument, amount };
}

// Who has cancelled all orders knows them, too.
const ORDERS_READ = /^private\/(?:get_(?:open_orders|order_(?:state|history))|cancel_all)/;
const ORDERS_TOLD = /^user\.(?:orders|changes)\b/;
const POSITIONS_READ = /^private\/get_(?:positions?$|account_summar|subaccounts)/;
const POSITIONS_TOLD = /^user\.(?:changes|portfolio)\b/;

/** The first placing of a new connection before orders and positions were read or received. */
export const reconnectWithoutReading: Check = (conversation) => {
  const { frames, calls } = conversation;
  const findings: BotFinding[] = [];
  let isExercised = false;
  for (const [closedAt, closed] of frames.entries()) {
    if (closed.kind !== "closed" || closed.link !== "webSocket") continue;
    const earlier = calls.filter(
      ({ at, frame }) => at < closedAt && isPlacing(frame) && frame.connection === closed.connection,
    );
    const opened = frames.findIndex((each, at) => at > closedAt && each.kind === "opened" && each.link === "webSocket");
    const connection = frames[opened]?.connection;
    // A bot that lets the exchange cancel for it knows that it has no orders.
    if (connection === undefined || isCancelledByDisconnect(conversation, closedAt) || earlier.length === 0) continue;
    const first = calls.find(({ at, frame }) => at > opened && isPlacing(frame) && frame.connection === connection);
    if (first === undefined) continue;
    isExercised = true;
    const range = { from: closedAt, to: first.at };
    const isOrderless = earlier.every(({ frame }) => !canRest(frame));
    const missing = [
      ...(isOrderless || isKnown(conversation, range, [ORDERS_READ, ORDERS_TOLD]) ? [] : [l10n.t("orders")]),
      ...(isKnown(conversation, range, [POSITIONS_READ, POSITIONS_TOLD]) ? [] : [l10n.t("positions")]),
    ];
    if (missing.length > 0)
      findings.push({
        at: first.at,
        detail: l10n.t(
          "{0} is the first change after a reconnect. Not read before it: {1}.",
          plain.name(first.frame.method),
          plain.join(missing, ", "),
        ),
        stake: stakeOf(first.frame),
      });
  }
  return { isExercised, findings };
};

/** Whether an order can be open after it was sent. */
function canRest({ params }: SentFrame): boolean {
  return (
    !["fill_or_kill", "immediate_or_cancel"].includes(String(params["time_in_force"])) && params["type"] !== "market"
  );
}

function isCancelledByDisconnect({ calls }: Conversation, before: number): boolean {
  return calls.some(
    (call) => call.at < before && /enable_cancel_on_disconnect$/.test(call.frame.method) && isDone(call),
  );
}

/** Whether something was read or received between two frames: by a method or on a channel. */
function isKnown(
  { frames, calls }: Conversation,
  { from, to }: { readonly from: number; readonly to: number },
  [read, told]: readonly [RegExp, RegExp],
): boolean {
  return (
    calls.some(
      (call) => call.at > from && (call.reply?.at ?? Infinity) < to && read.test(call.frame.method) && isDone(call),
    ) || frames.slice(from, to).some((frame) => frame.kind === "received" && told.test(frame.channel ?? ""))
  );
}

/** How long after a gap an order may still have been on its way, in ms. */
const GAP_GRACE_MS = 2000;

/** Orders in an instrument after a gap in its book, without a new snapshot. */
export const gapInBook: Check = (conversation) => {
  const gaps = gapsIn(conversation);
  const findings = gaps.flatMap((gap): BotFinding[] => {
    const order = orderAfter(conversation, gap);
    return order === undefined
      ? []
      : [
          {
            at: order.at,
            detail: l10n.t(
              "An order in {0} was sent {1} ms after a gap in its book, without a new snapshot.",
              plain.name(gap.instrument),
              Math.round(order.frame.atMs - gap.atMs),
            ),
            stake: stakeOf(order.frame),
          },
        ];
  });
  return { isExercised: gaps.length > 0, findings };
};

interface Gap {
  /** The index of the first event after it. */
  readonly at: number;
  readonly atMs: number;
  readonly channel: string;
  readonly instrument: string;
}

/** Returns the places where an event of a book does not follow the last one. */
function gapsIn({ frames }: Conversation): readonly Gap[] {
  const last = new Map<string, number>();
  return frames.flatMap((frame, at): Gap[] => {
    if (frame.kind !== "received" || frame.channel?.startsWith("book.") !== true || !isObject(frame.data)) return [];
    const { channel, atMs } = frame;
    const { change_id: id, prev_change_id: previous } = frame.data;
    const place = `${frame.connection} ${channel}`;
    const known = last.get(place);
    if (typeof id === "number") last.set(place, id);
    const isGap = typeof previous === "number" && known !== undefined && previous !== known;
    return isGap ? [{ at, atMs, channel, instrument: channel.split(".")[1] ?? "" }] : [];
  });
}

/** Returns the first order that was sent after a gap and before the book was whole again. */
function orderAfter({ frames, calls }: Conversation, { at, atMs, channel, instrument }: Gap): BotCall | undefined {
  const repaired = frames.findIndex((each, index) => index > at && isSnapshot(each, channel));
  const read = calls.find(
    (call) =>
      call.at > at &&
      callInstrument(call.frame) === instrument &&
      /get_order_book/.test(call.frame.method) &&
      isDone(call),
  );
  const until = Math.min(repaired < 0 ? Infinity : repaired, read?.reply?.at ?? Infinity);
  return calls.find(
    (call) =>
      call.at > at &&
      call.at < until &&
      call.frame.atMs - atMs > GAP_GRACE_MS &&
      isOrder(call.frame) &&
      callInstrument(call.frame) === instrument,
  );
}

function isSnapshot(frame: BotFrame, channel: string): boolean {
  return (
    frame.kind === "received" && frame.channel === channel && isObject(frame.data) && frame.data["type"] === "snapshot"
  );
}

/** The errors of a book that is locked or halted, of a settlement, and of maintenance. */
const CLOSED: readonly number[] = [10012, 10019, SETTLEMENT_IN_PROGRESS, SYSTEM_MAINTENANCE];
/** How soon after a refusal another attempt is one that nothing can have changed for, in ms. */
const SOON_MS = 1000;
/** How many changes that are refused in a row are more than an attempt. */
const MANY_CLOSED = 4;

/** Changes that go on although the exchange says that it takes none. */
export const closedMarket: Check = ({ calls }) => {
  const refused = calls.filter((call) => isPlacing(call.frame) && CLOSED.includes(errorCodeOf(call) ?? 0));
  const findings: BotFinding[] = [];
  let run: BotCall[] = [];
  for (const call of calls.filter(({ frame }) => isPlacing(frame))) {
    const before = run.at(-1)?.reply?.frame.atMs ?? -Infinity;
    const isOn = refused.includes(call) && (run.length === 0 || isSoonAfter(call, before));
    run = isOn ? [...run, call] : refused.includes(call) ? [call] : [];
    if (run.length === MANY_CLOSED)
      findings.push({ at: call.at, detail: closedSentence(run.length, errorCodeOf(call) ?? 0) });
  }
  return { isExercised: refused.length > 0, findings };
};

function isSoonAfter({ frame }: BotCall, refusedMs: number): boolean {
  return frame.atMs - refusedMs < SOON_MS && frame.atMs > refusedMs;
}

function closedSentence(count: number, code: number): Plain {
  return l10n.t(
    "{0} changes in a row were refused with error {1}, each sent within 1 s of the last refusal.",
    count,
    code,
  );
}
