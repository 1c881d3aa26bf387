import { frameOf, type Reply } from "../../scriptedServer.ts";
import { LATE_MS, refusal, type Fate, type FatePorts } from "./fates.ts";

/*
 * What else can happen to the one order that a cancel names: it ends otherwise, the exchange says another cause, and
 * reads fail. Rows F58 to F67 of the fault matrix.
 */

/** The order ends or changes at the exchange, whatever the cancel does. */
type Happening = (ports: FatePorts) => void;

const cancelledBy =
  (cause: string): Happening =>
  ({ become }) =>
    become("cancelled", cause);
const cancelled = cancelledBy("user_request");
const becoming =
  (state: string): Happening =>
  ({ become }) =>
    become(state);
const nothing: Happening = () => undefined;

/** Returns a fate in which something happens before a reply. */
function after(name: string, happens: Happening, reply: Reply | ((ports: FatePorts) => Reply)): Fate {
  return {
    name,
    reply: (ports) => {
      happens(ports);
      return typeof reply === "function" ? reply(ports) : reply;
    },
  };
}

/** Returns a fate in which the link is cut and something happens later; `before` happens at once. */
function cutThen(name: string, afterMs: number, happens: Happening, before: Happening = nothing): Fate {
  return after(
    name,
    (ports) => {
      before(ports);
      ports.after(afterMs, () => happens(ports));
    },
    "close",
  );
}

const order = ({ orderText }: FatePorts, change: (text: string) => string = (text) => text): Reply => ({
  resultText: change(orderText()),
});

/** Something happens, and reads are refused until a time in ms, or for good. */
const unread =
  (happens: Happening, untilMs?: number): Happening =>
  (ports) => {
    ports.refuseReads(13_028);
    if (untilMs !== undefined) ports.after(untilMs, () => ports.refuseReads(undefined));
    happens(ports);
  };

const LINK: readonly Fate[] = [
  after("F58 cancelled, link cut", cancelled, "close"),
  ...["cancel_on_disconnect", "mmp_trigger", "liquidation"].map((cause) =>
    after(`F58 cancelled because of ${cause}, link cut`, cancelledBy(cause), "close"),
  ),
  after("F59 not cancelled, link cut", nothing, "close"),
  cutThen("F60 link cut, cancelled 8 s later", 8000, cancelled),
  cutThen("F60 link cut, filled 30 s later", 30_000, becoming("filled")),
  cutThen("F60 link cut, cancelled 90 s later", 90_000, cancelled),
  after("F61 filled before, link cut", becoming("filled"), "close"),
];

const lateOrder = (ports: FatePorts): Reply => ({ late: order(ports), afterMs: LATE_MS });
const lateOrderTwice = (ports: FatePorts): Reply => ({ late: { twice: order(ports) }, afterMs: LATE_MS });

const LATE: readonly Fate[] = [
  after("F62 cancelled, reply late", cancelled, lateOrder),
  after("F62 cancelled, reply late and twice", cancelled, lateOrderTwice),
  after("F62 cancelled, reply late, reads refused", unread(cancelled), lateOrder),
  after("F62 cancelled, reply late and twice, reads refused", unread(cancelled), lateOrderTwice),
  {
    name: "F62 cancelled 40 s later, reply then, after two reads that found it open",
    reply: (ports) => {
      ports.after(40_000, () => {
        unread(cancelled)(ports);
        ports.respond(order(ports));
      });
      return "silence";
    },
  },
  ...(
    [
      ["filled", 10_010, "already_closed"],
      ["cancelled", 11_044, "not_open_order"],
    ] as const
  ).map(([state, code, message]) =>
    after(
      `F62 ${state} otherwise, refusal ${String(code)} late, reads refused until then`,
      unread(becoming(state), LATE_MS - 1),
      { late: refusal(code, message), afterMs: LATE_MS },
    ),
  ),
  after("F62 cancelled, error 77777 late, reads refused until then", unread(cancelled, LATE_MS - 1), {
    late: refusal(77_777, "mystery"),
    afterMs: LATE_MS,
  }),
  cutThen(
    "F62 not cancelled, link cut, reply of the old link over the new one, reads refused",
    LATE_MS,
    (ports) => ports.respondOverNewLink(order(ports, (text) => text.replace('"open"', '"cancelled"'))),
    unread(nothing),
  ),
  after("F63 cancelled, no reply", cancelled, "silence"),
  after("F63 not cancelled, no reply", nothing, "silence"),
  {
    name: "F63 no reply, cancelled 30 s later, no read answered from then on",
    reply: (ports) => {
      ports.after(30_000, () => {
        cancelled(ports);
        ports.silenceReads();
      });
      return "silence";
    },
  },
  {
    name: "F63 no reply, only lists can be read, cancelled just before the last of them",
    reply: (ports) => {
      ports.refuseReads(-32_601, "private/get_order_state");
      ports.after(70_000, () => cancelled(ports));
      return "silence";
    },
  },
];

const REFUSED: readonly Fate[] = [
  ...(
    [
      [10_004, "order_not_found"],
      [10_010, "already_closed"],
      [10_011, "price_not_allowed"],
      [11_044, "not_open_order"],
    ] as const
  ).flatMap(([code, message]) =>
    ["filled", "cancelled", "open"].map((state) =>
      after(`F64 ${state}, refused with ${String(code)}`, becoming(state), refusal(code, message)),
    ),
  ),
  after("F64 forgotten, refused with 10004", ({ forget }) => forget(), refusal(10_004, "order_not_found")),
  {
    name: "F64 filled, refused with 10010, only lists can be read",
    reply: (ports) => {
      ports.refuseReads(-32_601, "private/get_order_state");
      ports.become("filled");
      return refusal(10_010, "already_closed");
    },
  },
  after("F64 open, refused with 13021", nothing, refusal(13_021, "forbidden")),
  {
    name: "F64 filled, refused with 10010, nothing can be read",
    reply: (ports) => {
      ports.refuseReads(13_021);
      ports.become("filled");
      return refusal(10_010, "already_closed");
    },
  },
];

const PROVING_NOTHING: readonly Fate[] = (
  [
    [13_888, "timed_out"],
    [11_094, "internal_server_error"],
    [13_028, "temporarily_unavailable"],
    [13_008, "request_failed"],
    [10_001, "error"],
    [-32_603, "Internal error"],
    [77_777, "mystery"],
  ] as const
).flatMap(([code, message]) => [
  after(`F65 cancelled, error ${String(code)}`, cancelled, refusal(code, message)),
  after(`F65 not cancelled, error ${String(code)}`, nothing, refusal(code, message)),
]);

const UNREADABLE: readonly Fate[] = [
  after("F66 cancelled, reply cut short", cancelled, ({ request, orderText }) => ({
    frame: (frameOf(request.id, { resultText: orderText() }) ?? "").slice(0, 80),
  })),
  ...(
    [
      ["a string", () => '"ok"'],
      ["a number", () => "7"],
      ["without order_id", (text) => text.replace('"order_id"', '"id"')],
      ["with a state that is a number", (text) => text.replace('"cancelled"', "1")],
      ["about another order", (text) => text.replace("ETH-331562", "ETH-331563")],
    ] satisfies readonly (readonly [string, (text: string) => string])[]
  ).map(([name, change]) => after(`F66 cancelled, reply ${name}`, cancelled, (ports) => order(ports, change))),
];

const OTHERWISE: readonly Fate[] = ["open", "filled", "archive", "zzz"].map((state) =>
  after(`F67 ${state}, and the reply says so`, becoming(state), (ports) => order(ports)),
);

/** Every fate of the order that a cancel names. */
export const CANCEL_FATES: readonly Fate[] = [
  ...LINK,
  ...LATE,
  ...REFUSED,
  ...PROVING_NOTHING,
  ...UNREADABLE,
  ...OTHERWISE,
];
