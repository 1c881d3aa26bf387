import { describe, expect, it } from "vitest";
import { CHECKS, checkConversation, type CheckName } from "../../../../src/recording/bots/checks.ts";
import { conversationOf } from "../../../../src/recording/bots/conversation.ts";
import type {
  BotEnd,
  BotFrame,
  CallTruth,
  DeclaredBounds,
  ReceivedFrame,
  SentFrame,
} from "../../../../src/recording/bots/frames.ts";

/*
 * Each check over conversations that are written down by hand: one that shows the fault, and those next to it that are
 * right. A conversation is written as lines; their times are in ms.
 */

const BUY = { instrument_name: "BTC-PERPETUAL", amount: 100, price: 60_000 };

type Line = BotFrame;
type Place = Pick<SentFrame, "connection" | "link">;
const ONE: Place = { connection: 1, link: "webSocket" };
const TWO: Place = { connection: 2, link: "webSocket" };

/** A line with a call. */
function call(
  atMs: number,
  id: number,
  method: string,
  more: { params?: object; on?: Place; truth?: CallTruth; token?: number } = {},
): Line {
  const { params = {}, on = ONE, truth, token } = more;
  return { kind: "sent", ...on, atMs, id, method, params: { ...params }, truth, token };
}

function result(atMs: number, id: number, value: unknown = "ok", on = ONE): Line {
  return { kind: "received", ...on, atMs, id, result: value };
}

function error(atMs: number, id: number, code: number, on = ONE): Line {
  return { kind: "received", ...on, atMs, id, error: { code, message: MESSAGES[code] ?? "error" } };
}

/** The names of errors, by https://docs.deribit.com/articles/errors. */
const MESSAGES: Readonly<Record<number, string>> = {
  10002: "qty_too_low",
  10009: "not_enough_funds",
  10028: "too_many_requests",
  10041: "settlement_in_progress",
  11094: "internal_server_error",
  13009: "unauthorized",
};

function event(atMs: number, channel: string, data: unknown, on = ONE): Line {
  return { kind: "received", ...on, atMs, channel, data };
}

const opened = (atMs: number, on = ONE): Line => ({ kind: "opened", ...on, atMs });
const closed = (atMs: number, on = ONE): Line => ({ kind: "closed", ...on, atMs, by: "exchange" });

const STOPPED: BotEnd = {
  atMs: 30_000,
  how: "stopped",
  exitCode: undefined,
  signal: undefined,
  usualSilenceMs: 1000,
  account: { openOrders: 0, positions: {}, marks: {} },
};

interface Row {
  readonly check: CheckName;
  readonly name: string;
  readonly lines: readonly Line[];
  readonly end?: Partial<BotEnd>;
  readonly bounds?: DeclaredBounds;
  /** The index of the frame of the finding; undefined for none. */
  readonly found?: number;
  /** Whether the situation was there, where nothing is found. */
  readonly isExercised?: boolean;
}

const buyOn = (atMs: number, id: number, on = ONE, params: object = BUY): Line =>
  call(atMs, id, "private/buy", { params, on });

const AUTH: readonly Line[] = [opened(0), call(1, 1, "public/auth"), result(2, 1)];
const RECONNECT: readonly Line[] = [
  ...AUTH,
  buyOn(10, 2),
  result(11, 2),
  closed(100),
  opened(200, TWO),
  call(201, 1, "public/auth", { on: TWO }),
  result(202, 1, "ok", TWO),
];
const BOOK = "book.BTC-PERPETUAL.100ms";
const GAP: readonly Line[] = [
  ...AUTH,
  event(10, BOOK, { type: "snapshot", change_id: 1 }),
  event(110, BOOK, { type: "change", prev_change_id: 1, change_id: 2 }),
  event(210, BOOK, { type: "change", prev_change_id: 3, change_id: 4 }),
];
const HELD: readonly Line[] = [
  ...AUTH,
  call(3, 2, "private/subscribe", { params: { channels: ["user.orders.any.any.raw"] } }),
  result(4, 2, ["user.orders.any.any.raw"]),
  closed(100),
  opened(200, TWO),
];

const refusals = (count: number, stepMs: number, code: number): Line[] =>
  Array.from({ length: count }, (_, index) => [
    buyOn(10 + index * stepMs, index + 2),
    error(11 + index * stepMs, index + 2, code),
  ]).flat();

const deadCalls = (count: number, token?: number): Line[] =>
  Array.from({ length: count }, (_, index) => [
    call(10 + index * 100, index + 2, "private/get_positions", token === undefined ? {} : { token }),
    error(11 + index * 100, index + 2, 13009),
  ]).flat();

const signIn = (atMs: number, id: number, on = ONE): Line[] => [
  call(atMs, id, "public/auth", { on }),
  result(atMs + 1, id, "ok", on),
];

const asked = (atMs: number): ReceivedFrame => ({ kind: "received", ...ONE, atMs, isTestRequest: true });

const ROWS: readonly Row[] = [
  {
    check: "repeated-write",
    name: "a buy again after silence",
    lines: [...AUTH, buyOn(10, 2), buyOn(3010, 3)],
    found: 4,
  },
  {
    check: "repeated-write",
    name: "a buy again after an error that proves nothing",
    lines: [...AUTH, buyOn(10, 2), error(20, 2, 11094), buyOn(30, 3)],
    found: 5,
  },
  {
    check: "repeated-write",
    name: "a buy again after a page of HTML",
    lines: [
      { kind: "sent", connection: 1, link: "http", atMs: 0, id: 1, method: "private/buy", params: BUY },
      { kind: "received", connection: 1, link: "http", atMs: 1, isUnreadable: true },
      { kind: "sent", connection: 2, link: "http", atMs: 2, id: 2, method: "private/buy", params: BUY },
    ],
    found: 2,
  },
  {
    check: "repeated-write",
    name: "a buy again on the next connection",
    lines: [...AUTH, buyOn(10, 2), closed(20), opened(30, TWO), ...signIn(31, 1, TWO), buyOn(40, 2, TWO)],
    found: 8,
  },
  {
    check: "repeated-write",
    name: "a buy again after silence, on a connection that is closed later",
    lines: [...AUTH, buyOn(10, 2), buyOn(3010, 3), result(3011, 3), closed(9000)],
    found: 4,
  },
  {
    check: "repeated-write",
    name: "a buy again after the end of its connection has cancelled the first one",
    lines: [
      ...[...AUTH, call(5, 9, "private/enable_cancel_on_disconnect"), result(6, 9), buyOn(10, 2), closed(20)],
      ...[opened(30, TWO), ...signIn(31, 1, TWO), buyOn(40, 2, TWO)],
    ],
    isExercised: true,
  },
  {
    check: "repeated-write",
    name: "a buy again on a connection that stays open, although its end would cancel",
    lines: [...AUTH, call(5, 9, "private/enable_cancel_on_disconnect"), result(6, 9), buyOn(10, 2), buyOn(3010, 3)],
    found: 6,
  },
  {
    check: "repeated-write",
    name: "a buy again after its open orders were read",
    lines: [...AUTH, buyOn(10, 2), call(3000, 3, "private/get_open_orders"), result(3001, 3, []), buyOn(3010, 4)],
    isExercised: true,
  },
  {
    check: "repeated-write",
    name: "a read that was refused is no look",
    lines: [...AUTH, buyOn(10, 2), call(3000, 3, "private/get_open_orders"), error(3001, 3, 11094), buyOn(3010, 4)],
    found: 6,
  },
  {
    check: "repeated-write",
    name: "a buy again after an event of its order",
    lines: [...AUTH, buyOn(10, 2), event(20, "user.orders.any.any.raw", [{ order_id: "1" }]), buyOn(3010, 4)],
    isExercised: true,
  },
  {
    check: "repeated-write",
    name: "equal orders of a grid, all answered",
    lines: [...AUTH, buyOn(10, 2), result(11, 2), buyOn(3010, 3), result(3011, 3)],
  },
  {
    check: "repeated-write",
    name: "equal orders of a grid that leave together",
    lines: [...AUTH, buyOn(10, 2), buyOn(11, 3), buyOn(12, 4), result(13, 2), result(14, 3), result(15, 4)],
  },
  {
    check: "repeated-write",
    name: "another label is another order",
    lines: [...AUTH, buyOn(10, 2, ONE, { ...BUY, label: "a" }), buyOn(3010, 3, ONE, { ...BUY, label: "b" })],
    isExercised: true,
  },
  {
    check: "repeated-write",
    name: "a refusal that proves that nothing was done",
    lines: [...AUTH, buyOn(10, 2), error(11, 2, 10009), buyOn(3010, 3), result(3011, 3)],
  },
  {
    check: "repeated-write",
    name: "a cancel can be sent again",
    lines: [
      ...AUTH,
      call(10, 2, "private/cancel", { params: { order_id: "1" } }),
      call(3010, 3, "private/cancel", { params: { order_id: "1" } }),
    ],
  },
  { check: "reconnect-without-reading", name: "a buy at once", lines: [...RECONNECT, buyOn(210, 2, TWO)], found: 9 },
  {
    check: "reconnect-without-reading",
    name: "only orders were read",
    lines: [
      ...RECONNECT,
      call(203, 2, "private/get_open_orders", { on: TWO }),
      result(204, 2, [], TWO),
      buyOn(210, 3, TWO),
    ],
    found: 11,
  },
  {
    check: "reconnect-without-reading",
    name: "orders and positions were read",
    lines: [
      ...RECONNECT,
      call(203, 2, "private/get_open_orders", { on: TWO }),
      call(203, 3, "private/get_positions", { on: TWO }),
      result(204, 2, [], TWO),
      result(204, 3, [], TWO),
      buyOn(210, 4, TWO),
    ],
    isExercised: true,
  },
  {
    check: "reconnect-without-reading",
    name: "the reads were not answered yet",
    lines: [
      ...RECONNECT,
      call(203, 2, "private/get_open_orders", { on: TWO }),
      call(203, 3, "private/get_positions", { on: TWO }),
      buyOn(204, 4, TWO),
      result(205, 2, [], TWO),
      result(205, 3, [], TWO),
    ],
    found: 11,
  },
  {
    check: "reconnect-without-reading",
    name: "a cancel comes first",
    lines: [...RECONNECT, call(203, 2, "private/cancel_all", { on: TWO }), result(204, 2, 1, TWO)],
  },
  {
    check: "reconnect-without-reading",
    name: "all orders were cancelled, and positions read",
    lines: [
      ...RECONNECT,
      call(203, 2, "private/cancel_all", { on: TWO }),
      result(204, 2, 1, TWO),
      call(205, 3, "private/get_positions", { on: TWO }),
      result(206, 3, [], TWO),
      buyOn(210, 4, TWO),
    ],
    isExercised: true,
  },
  {
    check: "reconnect-without-reading",
    name: "the exchange cancels on disconnect",
    lines: [
      ...AUTH,
      call(3, 9, "private/enable_cancel_on_disconnect"),
      result(4, 9),
      ...RECONNECT.slice(3),
      buyOn(210, 2, TWO),
    ],
  },
  {
    check: "reconnect-without-reading",
    name: "orders that never rest need positions alone",
    lines: [
      ...AUTH,
      buyOn(10, 2, ONE, { ...BUY, time_in_force: "fill_or_kill" }),
      result(11, 2),
      closed(100),
      opened(200, TWO),
      call(203, 3, "private/get_position", { on: TWO }),
      result(204, 3, {}, TWO),
      buyOn(210, 4, TWO, { ...BUY, time_in_force: "fill_or_kill" }),
    ],
    isExercised: true,
  },
  {
    check: "reconnect-without-reading",
    name: "a connection without orders was lost",
    lines: [...AUTH, closed(100), opened(200, TWO), buyOn(210, 2, TWO)],
  },
  { check: "lost-channel", name: "not subscribed again", lines: [...HELD, ...signIn(201, 1, TWO)], found: 6 },
  {
    check: "lost-channel",
    name: "subscribed again",
    lines: [...HELD, call(210, 2, "private/subscribe", { params: { channels: ["user.orders.any.any.raw"] }, on: TWO })],
    isExercised: true,
  },
  {
    check: "lost-channel",
    name: "polled instead",
    lines: [...HELD, call(210, 2, "private/get_open_orders", { on: TWO })],
    isExercised: true,
  },
  {
    check: "lost-channel",
    name: "the bot ended soon",
    lines: HELD,
    end: { atMs: 900, how: "exited", exitCode: 1 },
    isExercised: true,
  },
  {
    check: "lost-channel",
    name: "let go of before",
    lines: [
      ...HELD.slice(0, 5),
      call(50, 3, "private/unsubscribe", { params: { channels: ["user.orders.any.any.raw"] } }),
      result(51, 3),
      ...HELD.slice(5),
    ],
  },
  { check: "gap-in-book", name: "an order long after it", lines: [...GAP, buyOn(5000, 2)], found: 6 },
  { check: "gap-in-book", name: "an order that was on its way", lines: [...GAP, buyOn(400, 2)], isExercised: true },
  {
    check: "gap-in-book",
    name: "a new snapshot came",
    lines: [...GAP, event(400, BOOK, { type: "snapshot", change_id: 5 }), buyOn(5000, 2)],
    isExercised: true,
  },
  {
    check: "gap-in-book",
    name: "the book was read",
    lines: [
      ...GAP,
      call(400, 2, "public/get_order_book", { params: { instrument_name: "BTC-PERPETUAL" } }),
      result(401, 2, {}),
      buyOn(5000, 3),
    ],
    isExercised: true,
  },
  {
    check: "gap-in-book",
    name: "an order in another instrument",
    lines: [...GAP, buyOn(5000, 2, ONE, { ...BUY, instrument_name: "ETH-PERPETUAL" })],
    isExercised: true,
  },
  { check: "gap-in-book", name: "no gap", lines: [...GAP.slice(0, 5), buyOn(5000, 2)] },
  { check: "silent-heartbeat", name: "no answer", lines: [...AUTH, asked(10_000)], found: 3 },
  {
    check: "silent-heartbeat",
    name: "an answer",
    lines: [...AUTH, asked(10_000), call(10_001, 2, "public/test")],
    isExercised: true,
  },
  {
    check: "silent-heartbeat",
    name: "the connection was lost before one was due",
    lines: [...AUTH, asked(10_000), closed(10_500)],
    isExercised: true,
  },
  {
    check: "too-soon-after-10028",
    name: "a new connection at once",
    lines: [
      ...AUTH,
      call(10, 2, "private/get_positions"),
      error(11, 2, 10028),
      closed(11),
      opened(12, TWO),
      ...signIn(13, 1, TWO),
    ],
    found: 7,
  },
  {
    check: "too-soon-after-10028",
    name: "a new connection after a pause",
    lines: [
      ...AUTH,
      call(10, 2, "private/get_positions"),
      error(11, 2, 10028),
      closed(11),
      opened(1000, TWO),
      ...signIn(1001, 1, TWO),
    ],
    isExercised: true,
  },
  {
    check: "too-soon-after-10028",
    name: "what was on its way",
    lines: [...AUTH, call(10, 2, "private/get_positions"), error(11, 2, 10028), call(11, 3, "public/test"), closed(11)],
    isExercised: true,
  },
  {
    check: "sign-ins",
    name: "twelve on one connection",
    lines: [opened(0), ...Array.from({ length: 12 }, (_, index) => signIn(index * 1000, index + 1)).flat()],
    found: 23,
  },
  {
    check: "sign-ins",
    name: "one for each of twelve connections",
    lines: Array.from({ length: 12 }, (_, index) =>
      signIn(index * 1000, 1, { connection: index + 1, link: "webSocket" }),
    ).flat(),
    isExercised: true,
  },
  { check: "same-refusal", name: "five times", lines: [...AUTH, ...refusals(5, 2000, 10002)], found: 11 },
  { check: "same-refusal", name: "four times", lines: [...AUTH, ...refusals(4, 2000, 10002)], isExercised: true },
  { check: "same-refusal", name: "missing funds, at once", lines: [...AUTH, ...refusals(5, 200, 10009)], found: 11 },
  {
    check: "same-refusal",
    name: "missing funds, after a while each time",
    lines: [...AUTH, ...refusals(9, 2000, 10009)],
    isExercised: true,
  },
  { check: "same-refusal", name: "an error that goes away", lines: [...AUTH, ...refusals(9, 2000, 10041)] },
  {
    check: "same-id",
    name: "two orders with one ID",
    lines: [...AUTH, buyOn(10, 2), buyOn(11, 2), result(12, 2)],
    found: 4,
  },
  {
    check: "same-id",
    name: "an ID again after its response",
    lines: [...AUTH, buyOn(10, 2), result(11, 2), buyOn(12, 2)],
  },
  {
    check: "same-id",
    name: "one ID on two connections",
    lines: [...AUTH, buyOn(10, 2), opened(11, TWO), buyOn(12, 2, TWO), result(13, 2)],
    isExercised: true,
  },
  {
    check: "same-id",
    name: "answers to heartbeats with a fixed ID",
    lines: [...AUTH, call(10, 2, "public/test"), call(11, 2, "public/test")],
  },
  {
    check: "closed-market",
    name: "four changes without a pause",
    lines: [...AUTH, ...refusals(4, 100, 10041)],
    found: 9,
  },
  {
    check: "closed-market",
    name: "attempts with a pause",
    lines: [...AUTH, ...refusals(6, 1500, 10041)],
    isExercised: true,
  },
  { check: "closed-market", name: "an attempt", lines: [...AUTH, ...refusals(2, 100, 10041)], isExercised: true },
  { check: "dead-token", name: "a token again and again", lines: deadCalls(4, 1), found: 6 },
  { check: "dead-token", name: "a connection without a new sign-in", lines: deadCalls(4), found: 6 },
  { check: "dead-token", name: "one refusal", lines: [...deadCalls(1), ...signIn(20, 9)], isExercised: true },
  {
    check: "dead-token",
    name: "a sign-in between",
    lines: [...deadCalls(1), ...signIn(50, 9), ...deadCalls(4).slice(2)],
    isExercised: true,
  },
  { check: "crash", name: "ended by a signal", lines: AUTH, end: { how: "exited", signal: "SIGSEGV" }, found: 3 },
  { check: "crash", name: "an exit with a code", lines: AUTH, end: { how: "exited", exitCode: 1 }, isExercised: true },
  { check: "crash", name: "ended because it was asked to", lines: AUTH, end: { signal: "SIGTERM" }, isExercised: true },
  { check: "hang", name: "silent for long", lines: AUTH, found: 3 },
  {
    check: "hang",
    name: "its library answers heartbeats alone",
    lines: [...AUTH, call(10_000, 2, "public/test"), result(10_001, 2), call(20_000, 3, "public/test")],
    found: 6,
  },
  { check: "hang", name: "as silent as usual", lines: AUTH, end: { usualSilenceMs: 15_000 }, isExercised: true },
  { check: "hang", name: "it does not end", lines: AUTH, end: { how: "killed", usualSilenceMs: 30_000 }, found: 3 },
  { check: "hang", name: "it ended on its own", lines: AUTH, end: { how: "exited", exitCode: 0 } },
  {
    check: "max-position",
    name: "beyond",
    lines: [
      ...AUTH,
      call(10, 2, "private/buy", { params: BUY, truth: { isCarriedOut: true, positions: { "BTC-PERPETUAL": -300 } } }),
    ],
    bounds: { maxPosition: 200 },
    found: 3,
  },
  {
    check: "max-position",
    name: "at the bound",
    lines: [
      ...AUTH,
      call(10, 2, "private/buy", { params: BUY, truth: { isCarriedOut: true, positions: { "BTC-PERPETUAL": 200 } } }),
    ],
    bounds: { maxPosition: 200 },
    isExercised: true,
  },
  {
    check: "max-position",
    name: "at the end",
    lines: AUTH,
    end: { account: { openOrders: 0, positions: { "BTC-PERPETUAL": 300 }, marks: {} } },
    bounds: { maxPosition: 200 },
    found: 3,
  },
  {
    check: "max-open-orders",
    name: "beyond",
    lines: [...AUTH, call(10, 2, "private/buy", { params: BUY, truth: { isCarriedOut: true, openOrders: 3 } })],
    bounds: { maxOpenOrders: 2 },
    found: 3,
  },
  {
    check: "max-open-orders",
    name: "at the bound",
    lines: [...AUTH, call(10, 2, "private/buy", { params: BUY, truth: { isCarriedOut: true, openOrders: 2 } })],
    bounds: { maxOpenOrders: 2 },
    isExercised: true,
  },
  { check: "max-order", name: "beyond", lines: [...AUTH, buyOn(10, 2)], bounds: { maxOrder: 99 }, found: 3 },
  {
    check: "max-order",
    name: "at the bound",
    lines: [...AUTH, buyOn(10, 2)],
    bounds: { maxOrder: 100 },
    isExercised: true,
  },
  {
    check: "max-order",
    name: "an amount in quotes",
    lines: [...AUTH, buyOn(10, 2, ONE, { ...BUY, amount: "100" })],
    bounds: { maxOrder: 99 },
    found: 3,
  },
  {
    check: "max-data-age",
    name: "old data",
    lines: [...AUTH, event(10, "ticker.BTC-PERPETUAL.100ms", {}), buyOn(5010, 2)],
    bounds: { maxDataAgeMs: 4000 },
    found: 4,
  },
  {
    check: "max-data-age",
    name: "fresh data of another instrument",
    lines: [...AUTH, event(5000, "ticker.ETH-PERPETUAL.100ms", {}), buyOn(5010, 2)],
    bounds: { maxDataAgeMs: 4000 },
    found: 4,
  },
  {
    check: "max-data-age",
    name: "a ticker that was read",
    lines: [
      ...AUTH,
      call(4000, 2, "public/ticker", { params: { instrument_name: "BTC-PERPETUAL" } }),
      result(4001, 2, {}),
      buyOn(5010, 3),
    ],
    bounds: { maxDataAgeMs: 4000 },
    isExercised: true,
  },
  {
    check: "exit",
    name: "open orders",
    lines: AUTH,
    end: { account: { openOrders: 1, positions: {}, marks: {} } },
    bounds: { exit: "clean" },
    found: 3,
  },
  {
    check: "exit",
    name: "a position where it may have one",
    lines: AUTH,
    end: { account: { openOrders: 0, positions: { "BTC-PERPETUAL": 100 }, marks: {} } },
    bounds: { exit: "clean" },
    isExercised: true,
  },
  {
    check: "exit",
    name: "a position where it has to be flat",
    lines: AUTH,
    end: { account: { openOrders: 0, positions: { "BTC-PERPETUAL": 100 }, marks: {} } },
    bounds: { exit: "flat" },
    found: 3,
  },
];

describe("the conduct of a bot", () => {
  const named = ROWS.map((row) => [`${row.check}: ${row.name}`, row] as const);
  it.each(named)("%s", (_name, { check, lines, end = {}, bounds = {}, found, isExercised = false }) => {
    const results = checkConversation(conversationOf(lines, { end: { ...STOPPED, ...end }, bounds }));
    const { findings, isExercised: wasExercised } = results.get(check) ?? { findings: [], isExercised: false };
    expect({ found: findings.map(({ at }) => at), isExercised: wasExercised }).toEqual({
      found: found === undefined ? [] : [found],
      isExercised: found !== undefined || isExercised,
    });
  });

  it("has a conversation with a finding, and one without, for each check", () => {
    const found = new Set(ROWS.flatMap(({ check, found: at }) => (at === undefined ? [] : [check])));
    const clean = new Set(ROWS.flatMap(({ check, found: at }) => (at === undefined ? [check] : [])));
    expect([[...CHECKS].toSorted(), [...CHECKS].toSorted()]).toEqual([[...found].toSorted(), [...clean].toSorted()]);
  });

  it("checks nothing of the end, and no bound, where only frames are known", () => {
    const results = checkConversation(conversationOf([...AUTH, buyOn(10, 2), buyOn(3010, 3)]));
    const exercised = CHECKS.filter((check) => results.get(check)?.isExercised === true);
    expect(exercised).toEqual(["repeated-write", "sign-ins", "same-id"]);
  });
});
