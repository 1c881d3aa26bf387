import assert from "node:assert/strict";
import type { Reply } from "../../scriptedServer.ts";
import { frameOf } from "../../scriptedServer.ts";
import { mutationRow, recover, type Mutation, type MutationCase } from "../mutation.ts";
import type { FaultRow } from "../stage.ts";

/* Reliability §4.7, F58–F70: one cancel, whatever the server and the link do to it. */

const NAME = "ETH-PERPETUAL buy 40 @ 2100";
const TARGET = `${NAME} on TESTNET main`;
const UNKNOWN = `Cancel ${TARGET}: outcome unknown, checking…`;
const LINK_LOST = `${UNKNOWN} The connection was closed by TESTNET main (close code 1006).`;
const NO_RESPONSE = `${UNKNOWN} No response from TESTNET main within 15 s.`;
const CANCELLED_ROW = "buy 40 @ 2100 | cancelled · ETH-PERPETUAL";
const OPEN_ROW = `${NAME} | mm-1`;
/** The row of an order whose cancel does not show yet, and may still come. */
const WATCHED_ROW = "buy 40 @ 2100 | outcome unknown · ETH-PERPETUAL";
const KEPT: MutationCase["expected"] = { status: "ready", dials: 1 };
const BACK: MutationCase["expected"] = { status: "ready", dials: 2 };

const verified = (at: string, cause = "on request"): string =>
  `${TARGET}: verified cancelled at ${at} (the outcome was unknown, cause: ${cause}).`;
const stillOpen = (at: string): string =>
  `${TARGET}: still open as of ${at}, not cancelled. A late cancel is still possible. Watching for 60 s.`;
const notByThis = (at: string, state: string): string =>
  `${TARGET}: verified as ${state} at ${at}, but not because of this cancel.`;

/** The server has the frame, and the link is gone before it says anything. */
function cut({ stage }: Mutation): Reply {
  stage.wire.rst();
  return "silence";
}

/** Carried out, and the link is gone before it says so. */
function applyAndCut(mutation: Mutation, cause = "user_request"): Reply {
  mutation.become("cancelled", cause);
  return cut(mutation);
}

const error = (code: number): Reply => ({ error: { code, message: "refused" } });

/** Cancel is pressed, the link dies with it, and time enough for everything goes by. */
async function lostAndBack(mutation: Mutation, thenMs = 120_000): Promise<void> {
  mutation.press();
  await recover(mutation);
  await mutation.stage.advance(thenMs);
}

/** Cancel is pressed, and time enough for everything goes by. */
async function pressed(mutation: Mutation, thenMs = 120_000): Promise<void> {
  mutation.press();
  await mutation.stage.settle();
  await mutation.stage.advance(thenMs);
}

const LOST: readonly MutationCase[] = [
  {
    id: "F58",
    title: "carried out, and the link lost before the response",
    server: (mutation) => applyAndCut(mutation),
    play: async (mutation) => await lostAndBack(mutation, 10_000),
    came: ["unknown connectionLost", "applied, user_request"],
    told: [LINK_LOST, verified("12:00:03")],
    rows: [],
    reads: { single: 1, list: 2 },
    expected: BACK,
  },
  ...[
    ["cancel_on_disconnect", "disconnect"],
    ["mmp_trigger", "MMP"],
    ["liquidation", "liquidation"],
  ].map(([cause = "", words = ""]): MutationCase => ({
    id: `F58 ${cause}`,
    title: "the exchange names another cause",
    server: (mutation) => applyAndCut(mutation, cause),
    play: async (mutation) => await lostAndBack(mutation, 10_000),
    came: ["unknown connectionLost", `applied, ${cause}`],
    told: [LINK_LOST, verified("12:00:03", words)],
    rows: [],
    expected: BACK,
  })),
  {
    id: "F59",
    title: "not carried out, and the link lost",
    server: (mutation) => cut(mutation),
    play: async (mutation) => {
      await lostAndBack(mutation);
      assert.ok(mutation.watched.screen.isLive, mutation.watched.screen.heading());
    },
    came: ["unknown connectionLost", "notApplied open"],
    told: [LINK_LOST, stillOpen("12:00:06")],
    rows: [WATCHED_ROW],
    expected: BACK,
  },
  {
    id: "F60",
    title: "carried out after 8 s, and the link lost",
    server: (mutation) => {
      mutation.stage.clock.after(8000, () => mutation.become("cancelled", "user_request"));
      return cut(mutation);
    },
    play: async (mutation) => {
      await lostAndBack(mutation, 6000);
      assert.deepEqual(mutation.watched.rows(), [WATCHED_ROW]);
      await mutation.stage.advance(2000);
      assert.deepEqual(mutation.watched.rows(), [CANCELLED_ROW], "the exchange's event ends the row");
      await mutation.stage.advance(60_000);
    },
    came: ["unknown connectionLost", "notApplied open", "applied late, user_request"],
    told: [
      LINK_LOST,
      stillOpen("12:00:06"),
      `${TARGET}: cancelled after all, verified at 12:00:11 (cause: on request).`,
    ],
    rows: [],
    expected: BACK,
  },
  {
    id: "F61",
    title: "filled before the cancel arrived, and the link lost",
    server: (mutation) => {
      mutation.become("filled");
      return cut(mutation);
    },
    play: async (mutation) => await lostAndBack(mutation),
    came: ["unknown connectionLost", "other filled"],
    told: [LINK_LOST, notByThis("12:00:03", "filled")],
    rows: [],
    expected: BACK,
  },
];

const UNANSWERED: readonly MutationCase[] = [
  {
    id: "F62",
    title: "carried out, and the response held back for 20 s",
    server: (mutation, request) => {
      mutation.become("cancelled", "user_request");
      mutation.stage.clock.after(20_000, () =>
        request.connection.respond(request, { result: mutation.orders.byId.get("O1") }),
      );
      return "silence";
    },
    play: async (mutation) => await pressed(mutation),
    came: ["unknown timeout", "applied, user_request"],
    told: [NO_RESPONSE, verified("12:00:15")],
    rows: [],
    expected: KEPT,
  },
  {
    id: "F62 before the reading is through",
    title: "the late response comes while nothing can be read, and settles it",
    server: (mutation, request) => {
      for (const method of ["private/get_order_state", "private/get_open_orders"])
        mutation.stage.server.on(method, () => error(13028));
      mutation.become("cancelled", "user_request");
      mutation.stage.clock.after(20_000, () =>
        request.connection.respond(request, { result: mutation.orders.byId.get("O1") }),
      );
      return "silence";
    },
    play: async (mutation) => await pressed(mutation),
    came: ["unknown timeout", "confirmed"],
    told: [NO_RESPONSE, `Cancelled on TESTNET main: ${NAME}.`],
    rows: [],
    expected: KEPT,
  },
  {
    id: "F63 carried out",
    title: "carried out, and never answered, on a link that lives",
    server: (mutation) => {
      mutation.become("cancelled", "user_request");
      return "silence";
    },
    play: async (mutation) => await pressed(mutation),
    came: ["unknown timeout", "applied, user_request"],
    told: [NO_RESPONSE, verified("12:00:15")],
    rows: [],
    expected: KEPT,
  },
  {
    id: "F63 not carried out",
    title: "never answered and not carried out, on a link that lives",
    server: () => "silence",
    play: async (mutation) => await pressed(mutation),
    came: ["unknown timeout", "notApplied open"],
    told: [NO_RESPONSE, stillOpen("12:00:18")],
    rows: [WATCHED_ROW],
    expected: KEPT,
  },
];

/** What the words of a refusal say beyond the code. */
const REFUSALS: readonly (readonly [number, string, string])[] = [
  [
    10004,
    "order_not_found",
    "No order matches the given ID or label. This doesn't prove that the order is gone. It may belong to another account or to a quote. Refresh the open orders.",
  ],
  [
    10010,
    "already_closed",
    "The target order is already in a final state. The order was already filled or cancelled. Refresh the open orders.",
  ],
  [
    10011,
    "price_not_allowed",
    "The price was refused because of another rule. Change the request before you send it again. The same request will be refused again.",
  ],
  [
    11044,
    "not_open_order",
    "Operation needs an open order, but the order is not open. The order was already filled, triggered, or cancelled. Refresh the open orders.",
  ],
];

const REFUSED = REFUSALS.flatMap(([code, message, meaning]): MutationCase[] =>
  [["filled"], ["cancelled"], ["open"]].map(([state = ""]): MutationCase => ({
    id: `F64 (a) ${String(code)}, ${state}`,
    title: `refused with a code that proves it, the order ${state === "open" ? "still" : "already"} ${state}`,
    design: "the definitive refusals of a cancel are those of design §4, and the order is read once after them",
    server: (mutation) => {
      if (state !== "open") mutation.become(state, state === "cancelled" ? "user_request" : undefined);
      return { error: { code, message } };
    },
    play: async (mutation) => await pressed(mutation, 60_000),
    came: [`rejected exchange ${String(code)}`, ...(state === "open" ? [] : [`other ${state}`])],
    told: [
      `Cancel ${TARGET}: refused by the exchange. The exchange returned error ${String(code)}: ${message}. ${meaning}`,
      ...(state === "open" ? [] : [notByThis("12:00:00", state)]),
    ],
    rows: state === "open" ? [OPEN_ROW] : [],
    reads: { single: 1, list: 0 },
    expected: KEPT,
  })),
);

/** Codes of internal errors of the exchange, and one that no table has. */
const NOTHING_PROVED: readonly (readonly [code: number, message: string, whenRead: string, whenReadAgain: string])[] = [
  [13_888, "timed_out", "12:00:03", "12:00:06"],
  [11_094, "internal_server_error", "12:00:03", "12:00:06"],
  [13_028, "temporarily_unavailable", "12:00:03", "12:00:06"],
  [13_008, "request_failed", "12:00:03", "12:00:06"],
  [10_001, "error", "12:00:03", "12:00:06"],
  [-32_603, "Internal error", "12:00:03", "12:00:06"],
  [77_777, "mystery", "12:00:03", "12:00:06"],
];

const NOT_PROVED = NOTHING_PROVED.flatMap(([code, message, whenRead, whenReadAgain]): MutationCase[] => {
  const rest: Pick<MutationCase, "title" | "play" | "expected"> = {
    title: "answered with an error that proves nothing",
    play: async (mutation) => await pressed(mutation),
    expected: KEPT,
  };
  const told = `${UNKNOWN} The exchange returned error ${String(code)}: ${message}.`;
  return [
    {
      ...rest,
      id: `F65 ${String(code)} carried out`,
      server: (mutation) => {
        mutation.become("cancelled", "user_request");
        return { error: { code, message } };
      },
      came: [`unknown exchange ${String(code)}`, "applied, user_request"],
      told: [told, verified(whenRead)],
      rows: [],
    },
    {
      ...rest,
      id: `F65 ${String(code)} not carried out`,
      server: () => ({ error: { code, message } }),
      came: [`unknown exchange ${String(code)}`, "notApplied open"],
      told: [told, stillOpen(whenReadAgain)],
      rows: [WATCHED_ROW],
    },
  ];
});

const spoil: readonly (readonly [string, (text: string) => string, string])[] = [
  ["truncated", (text) => text.slice(0, text.indexOf("order_state")), "the message is not valid JSON"],
  [
    "of the wrong type",
    (text) => text.replace('"order_state":"cancelled"', '"order_state":1'),
    "order_state expected a string, got 1",
  ],
  ["without order_id", (text) => text.replace('"order_id":"O1",', ""), "order_id is missing"],
];

const MISSHAPEN = spoil.map(([name, change, detail]): MutationCase => ({
  id: `F66 ${name}`,
  title: "carried out, and the response cannot be read",
  server: (mutation, { id }) => {
    mutation.become("cancelled", "user_request");
    const whole = frameOf(id, { result: mutation.orders.byId.get("O1") })!;
    assert.notEqual(change(whole), whole);
    return { frame: change(whole) };
  },
  play: async (mutation) => await pressed(mutation),
  came: ["unknown unreadableResult", "applied, user_request"],
  told: [`${UNKNOWN} Couldn't parse the response from TESTNET main: ${detail}.`, verified("12:00:03")],
  rows: [],
  expected: KEPT,
}));

const OTHERWISE = (
  [
    ["open", ["notApplied open"], [stillOpen("12:00:06")], [OPEN_ROW]],
    ["filled", [], [], []],
    ["archive", ["other archive"], [notByThis("12:00:03", "archive")], []],
    // An unknown state is not an end state: the row stays, and its sentence has the exchange's word.
    ["zzz", ["other zzz"], [notByThis("12:00:03", "zzz")], [OPEN_ROW]],
  ] as const
).map(([state, came, told, rows]): MutationCase => ({
  id: `F67 ${state}`,
  title: "success, with another state than cancelled",
  server: (mutation) => {
    if (state !== "open") mutation.become(state);
    return { result: mutation.orders.byId.get("O1") };
  },
  play: async (mutation) => {
    await pressed(mutation);
    for (const { spoken } of mutation.watched.screen.rows())
      assert.ok(state === "open" || spoken.includes(state), spoken);
  },
  came: [`confirmedOther ${state}`, ...came],
  told: [`${TARGET}: the exchange reports ${state}.`, ...told],
  rows,
  expected: KEPT,
}));

export const MUTATION_ROWS: readonly FaultRow[] = [
  ...LOST,
  ...UNANSWERED,
  ...REFUSED,
  ...NOT_PROVED,
  ...MISSHAPEN,
  ...OTHERWISE,
].map(mutationRow);
