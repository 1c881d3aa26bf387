import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import {
  AUTHORIZATION_REQUIRED,
  INTERNAL_ERROR,
  INTERNAL_SERVER_ERROR,
  SETTLEMENT_IN_PROGRESS,
  SYSTEM_MAINTENANCE,
  TIMED_OUT,
  TOO_MANY_CONCURRENT_REQUESTS,
  TOO_MANY_REQUESTS,
  UNAUTHORIZED,
} from "../../catalogue/codes.ts";
import { rateClassOf } from "../../catalogue/index.ts";
import { RATE_BUDGETS } from "../../catalogue/rates.ts";
import type { Check, BotFinding } from "./check.ts";
import {
  subscribedChannels,
  errorCodeOf,
  isDone,
  isWrite,
  callMeaning,
  type BotCall,
  type Conversation,
} from "./conversation.ts";
import type { SentFrame } from "./frames.ts";

/** How long a bot must have been connected again before a channel counts as lost, in ms. */
const RESUBSCRIBE_MS = 3000;

/** Channels that were held before a drop, and neither subscribed nor polled again. */
export const lostChannel: Check = (conversation) => {
  const { frames, calls } = conversation;
  const findings: BotFinding[] = [];
  let isExercised = false;
  for (const [closedAt, closed] of frames.entries()) {
    if (closed.kind !== "closed" || closed.link !== "webSocket") continue;
    const held = channelsHeld(calls, closed.connection, closedAt);
    const opened = frames.findIndex((each, at) => at > closedAt && each.kind === "opened" && each.link === "webSocket");
    const again = frames[opened];
    if (held.length === 0 || again === undefined) continue;
    isExercised = true;
    const closedAgain = frames.find(
      (each, at) => at > opened && each.kind === "closed" && each.connection === again.connection,
    );
    const lastMs = closedAgain?.atMs ?? conversation.end?.atMs ?? frames.at(-1)?.atMs ?? 0;
    if (lastMs - again.atMs < RESUBSCRIBE_MS) continue;
    const lost = held.filter(
      (channel) => !isHeldOrPolled(calls, channel, { after: closedAt, besides: closed.connection }),
    );
    if (lost.length > 0)
      findings.push({
        at: opened,
        detail: l10n.t(
          "After the reconnect, nothing asks for {0} any more.",
          plain.join(
            lost.map((each) => plain.name(each)),
            ", ",
          ),
        ),
      });
  }
  return { isExercised, findings };
};

/** Returns the channels that a connection held when it was closed. */
function channelsHeld(calls: readonly BotCall[], connection: number, before: number): readonly string[] {
  const held = new Set<string>();
  for (const call of calls) {
    const { frame } = call;
    if (call.at > before || frame.connection !== connection || !isDone(call)) continue;
    if (/\/subscribe$/.test(frame.method)) for (const channel of subscribedChannels(frame)) held.add(channel);
    if (/\/unsubscribe$/.test(frame.method)) for (const channel of subscribedChannels(frame)) held.delete(channel);
    if (/\/unsubscribe_all$/.test(frame.method)) held.clear();
  }
  return [...held].filter((channel) => POLLED[familyOf(channel)] !== undefined);
}

function familyOf(channel: string): string {
  const [first = "", second = ""] = channel.split(".");
  return first === "user" ? `${first}.${second}` : first;
}

/** The methods that tell the same as a kind of channel. Channels of other kinds may be let go of. */
const POLLED: Readonly<Record<string, RegExp>> = {
  book: /get_order_book|\/ticker$/,
  ticker: /\/ticker$|get_order_book|get_book_summary/,
  quote: /\/ticker$|get_order_book|get_book_summary/,
  trades: /get_last_trades/,
  "user.orders": /get_open_orders|get_order_/,
  "user.trades": /get_user_trades/,
  "user.changes": /get_open_orders|get_order_|get_user_trades|get_positions?$/,
  "user.portfolio": /get_account_summar/,
};

function isHeldOrPolled(
  calls: readonly BotCall[],
  channel: string,
  { after, besides }: { readonly after: number; readonly besides: number },
): boolean {
  const family = familyOf(channel);
  return calls.some(({ at, frame }) => {
    if (POLLED[family]?.test(frame.method) === true) return at > after;
    // A connection beside the one that was closed can hold the same.
    return (
      (at > after || frame.connection !== besides) &&
      /\/subscribe$/.test(frame.method) &&
      subscribedChannels(frame).some((each) => familyOf(each) === family)
    );
  });
}

/** The shortest interval of heartbeats, and so the time to answer one, in ms. */
const ANSWER_MS = 10_000;

/** Heartbeats that ask back and are not answered. https://docs.deribit.com/api-reference/session-management/public-set_heartbeat */
export const silentHeartbeat: Check = (conversation) => {
  const { frames, calls, end } = conversation;
  const asked = frames.flatMap((frame, at) =>
    frame.kind === "received" && frame.isTestRequest === true ? [{ frame, at }] : [],
  );
  const findings = asked.flatMap(({ frame, at }): BotFinding[] => {
    const isAnswered = calls.some(
      (call) => call.at > at && call.frame.connection === frame.connection && call.frame.method === "public/test",
    );
    const closed = frames.find(
      (each, index) => index > at && each.kind === "closed" && each.connection === frame.connection,
    );
    const lastMs = closed?.atMs ?? end?.atMs ?? frames.at(-1)?.atMs ?? 0;
    return isAnswered || lastMs - frame.atMs < ANSWER_MS - CLOSE_GRACE_MS
      ? []
      : [
          {
            at,
            detail: l10n.t("A test_request got no public/test within {0} s.", Math.round((lastMs - frame.atMs) / 1000)),
          },
        ];
  });
  return { isExercised: asked.length > 0, findings };
};

/** By how much a timer of the exchange may be early, in ms. */
const CLOSE_GRACE_MS = 100;

/** Calls that come too soon after 10028: before the credits for one are there again. */
export const tooSoonAfterLimit: Check = ({ calls, frames }) => {
  const limited = calls.filter((call) => errorCodeOf(call) === TOO_MANY_REQUESTS);
  const findings = limited.flatMap((call): BotFinding[] => {
    const { reply, frame } = call;
    if (reply === undefined) return [];
    const { cost, refillPerMs } = RATE_BUDGETS[rateClassOf(frame.method)];
    const waitMs = Math.min(cost / refillPerMs, LONGEST_WAIT_MS);
    const isNew = (sent: SentFrame): boolean =>
      sent.link === "http"
        ? callMeaning(sent) === callMeaning(frame)
        : frames.findIndex((each) => each.kind === "opened" && each.connection === sent.connection) > reply.at;
    const next = calls.find(({ at, frame: sent }) => at > reply.at && isNew(sent));
    const afterMs = (next?.frame.atMs ?? Infinity) - reply.frame.atMs;
    return next === undefined || afterMs >= waitMs
      ? []
      : [
          {
            at: next.at,
            detail: l10n.t(
              "{0} was sent {1} ms after error 10028 (too_many_requests).",
              plain.name(next.frame.method),
              Math.round(afterMs),
            ),
          },
        ];
  });
  return { isExercised: limited.length > 0, findings };
};

/** The most time that a bot has to wait after 10028, in ms. */
const LONGEST_WAIT_MS = 1000;

const MINUTE_MS = 60_000;
/** The most sign-ins in a minute that are not the first ones of their connections. */
const MOST_SIGN_INS = 10;
/** The most sign-ins in a minute, those after reconnects included. */
const MOST_RECONNECTS = 60;

/** Sign-ins per minute. */
export const signIns: Check = ({ calls }) => {
  const all = calls.filter(({ frame }) => frame.method === "public/auth");
  const seen = new Set<number>();
  const more = all.filter(({ at, frame }) => {
    const isFirst = frame.link === "webSocket" && !seen.has(frame.connection);
    seen.add(frame.connection);
    // A token that was refused is a reason to sign in.
    const isAfterRefusal = calls.some(
      (call) =>
        (call.reply?.at ?? Infinity) < at &&
        isDeadToken(call) &&
        frame.atMs - (call.reply?.frame.atMs ?? 0) < SIGN_IN_MS,
    );
    return !isFirst && !isAfterRefusal;
  });
  const findings = [...mostInAMinute(more, MOST_SIGN_INS), ...mostInAMinute(all, MOST_RECONNECTS)].slice(0, 1);
  return { isExercised: all.length > 0, findings };
};

/** How long after a refused token a sign-in is because of it, in ms. */
const SIGN_IN_MS = 5000;

function mostInAMinute(calls: readonly BotCall[], most: number): readonly BotFinding[] {
  const late = calls.find((call, index) => {
    const first = calls[index - most];
    return first !== undefined && call.frame.atMs - first.frame.atMs <= MINUTE_MS;
  });
  return late === undefined ? [] : [{ at: late.at, detail: l10n.t("More than {0} sign-ins within a minute.", most) }];
}

/** How often the same request may be refused. */
const MOST_REFUSALS = 5;

/** Errors that go away by themselves: asking again is right. */
const PASSING: readonly number[] = [
  ...[TOO_MANY_REQUESTS, SYSTEM_MAINTENANCE, SETTLEMENT_IN_PROGRESS, TOO_MANY_CONCURRENT_REQUESTS, TIMED_OUT],
  ...[INTERNAL_ERROR, INTERNAL_SERVER_ERROR, UNAUTHORIZED, AUTHORIZATION_REQUIRED, 10012, 10019, 10040, 10047],
];

/**
 * Errors whose reason ends with a move of the market or of the account: funds, the best prices, and the limits of the
 * price. Asking again after a while is right, such as by a quoter that asks in each round.
 */
const OF_THE_MOMENT: readonly number[] = [10003, 10005, 10006, 10007, 10008, 10009, 10011, 11054];
/** How soon another attempt is one for which nothing can have changed, in ms. */
const SOON_MS = 1000;

/** A request that is refused again and again. */
export const sameRefusal: Check = ({ calls }) => {
  const counts = new Map<string, number>();
  const lastMs = new Map<string, number>();
  const findings: BotFinding[] = [];
  let isExercised = false;
  for (const call of calls) {
    const meaning = callMeaning(call.frame);
    const code = errorCodeOf(call);
    if (code === undefined || PASSING.includes(code)) {
      if (isDone(call)) counts.delete(meaning);
      continue;
    }
    isExercised = true;
    const isFresh = OF_THE_MOMENT.includes(code) && call.frame.atMs - (lastMs.get(meaning) ?? -Infinity) >= SOON_MS;
    const count = isFresh ? 1 : (counts.get(meaning) ?? 0) + 1;
    counts.set(meaning, count);
    lastMs.set(meaning, call.reply?.frame.atMs ?? call.frame.atMs);
    if (count === MOST_REFUSALS)
      findings.push({
        at: call.at,
        detail: l10n.t(
          "The same {0} was refused {1} times, with error {2}.",
          plain.name(call.frame.method),
          count,
          code,
        ),
      });
  }
  return { isExercised, findings };
};

/** Two requests of one connection that have the same ID and wait for a response at the same time. */
export const sameId: Check = ({ calls }) => {
  const sent = calls.filter(
    ({ frame }) =>
      frame.link === "webSocket" && frame.id !== undefined && !/^public\/(?:test|set_heartbeat)$/.test(frame.method),
  );
  const waiting = new Map<string, BotCall>();
  const findings: BotFinding[] = [];
  let isExercised = false;
  let lastReply = -1;
  for (const call of sent) {
    const { frame, at } = call;
    if (lastReply > at) isExercised = true;
    lastReply = Math.max(lastReply, call.reply?.at ?? Infinity);
    const place = `${frame.connection} ${typeof frame.id} ${String(frame.id)}`;
    const earlier = waiting.get(place);
    waiting.set(place, call);
    if (earlier === undefined || (earlier.reply?.at ?? Infinity) < at) continue;
    if (!isWrite(frame) && !isWrite(earlier.frame)) continue;
    findings.push({
      at,
      detail: l10n.t(
        "{0} and {1} were in flight with the ID {2}.",
        plain.name(earlier.frame.method),
        plain.name(frame.method),
        plain.text(String(frame.id)),
      ),
    });
  }
  return { isExercised, findings };
};

/** How often a token that was refused may be used, until all calls that were on their way are there. */
const MOST_DEAD_USES = 3;
/** The time in which a call was on its way when the token was refused, in ms. */
const ON_ITS_WAY_MS = 50;

/** A token that is used although it was refused. */
export const deadToken: Check = (conversation) => {
  const refused = conversation.calls.filter(isDeadToken);
  const counts = new Map<string, number>();
  const findings = refused.flatMap((call): BotFinding[] => {
    const place = credentialOf(call);
    const first = refused.find((each) => credentialOf(each) === place);
    if (first?.reply === undefined || call.frame.atMs - first.reply.frame.atMs < ON_ITS_WAY_MS) return [];
    if (isSignedInBetween(conversation, first, call)) return [];
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count === MOST_DEAD_USES
      ? [{ at: call.at, detail: l10n.t("{0} calls used a token that the exchange had refused.", count) }]
      : [];
  });
  return { isExercised: refused.length > 0, findings };
};

function isDeadToken(call: BotCall): boolean {
  return errorCodeOf(call) === UNAUTHORIZED && call.frame.method.startsWith("private/");
}

function credentialOf({ frame }: BotCall): string {
  return frame.token === undefined
    ? `connection ${frame.link === "http" ? "" : frame.connection}`
    : `token ${frame.token}`;
}

/** Whether a connection signed in after a refusal. A token in a call stays refused. */
function isSignedInBetween({ calls }: Conversation, first: BotCall, last: BotCall): boolean {
  return (
    last.frame.token === undefined &&
    calls.some(
      ({ at, frame }) =>
        at > first.at && at < last.at && frame.method === "public/auth" && frame.connection === last.frame.connection,
    )
  );
}
