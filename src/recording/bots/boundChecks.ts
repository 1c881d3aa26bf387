import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import type { Check, CheckResult, BotFinding } from "./check.ts";
import { callInstrument, callNumber, isKeepAlive, isOrder, type Conversation } from "./conversation.ts";
import type { SentFrame } from "./frames.ts";

const NOT_EXERCISED: CheckResult = { isExercised: false, findings: [] };

/** A process that was ended by a signal that was not sent on purpose. */
export const crash: Check = ({ end, frames }) => {
  if (end === undefined) return NOT_EXERCISED;
  const findings: BotFinding[] =
    end.how === "exited" && end.signal !== undefined
      ? [{ at: frames.length, detail: l10n.t("The process was ended by {0}.", plain.name(end.signal)) }]
      : [];
  return { isExercised: true, findings };
};

/** How much longer than usual a bot has to be silent to hang, and how long at least, in ms. */
const HANG_FACTOR = 3;
const LEAST_HANG_MS = 8000;

/** A process that runs and does nothing any more, or does not end when it is asked to. */
export const hang: Check = ({ end, frames, calls }) => {
  if (end === undefined) return NOT_EXERCISED;
  if (end.how === "killed")
    return {
      isExercised: true,
      findings: [{ at: frames.length, detail: l10n.t("The process did not end after SIGTERM, and was killed.") }],
    };
  const { usualSilenceMs } = end;
  if (end.how === "exited" || usualSilenceMs === undefined) return NOT_EXERCISED;
  const silentMs = end.atMs - (calls.findLast(({ frame }) => !isKeepAlive(frame))?.frame.atMs ?? 0);
  const isHung = silentMs >= Math.max(LEAST_HANG_MS, HANG_FACTOR * usualSilenceMs);
  return {
    isExercised: true,
    findings: isHung
      ? [
          {
            at: frames.length,
            detail: l10n.t(
              "The process ran on and sent nothing for {0} s. Without faults, it is silent for {1} s at most.",
              Math.round(silentMs / 1000),
              Math.ceil(usualSilenceMs / 1000),
            ),
          },
        ]
      : [],
  };
};

/** A position beyond the declared one. */
export const maxPosition: Check = ({ calls, bounds: { maxPosition: most }, frames, end }) => {
  if (most === undefined) return NOT_EXERCISED;
  const states = [
    ...calls.map(({ at, frame }) => ({ at, positions: frame.truth?.positions ?? {} })),
    { at: frames.length, positions: end?.account?.positions ?? {} },
  ];
  const beyond = states.flatMap(({ at, positions }) =>
    Object.entries(positions)
      .filter(([, size]) => Math.abs(size) > most)
      .map(([instrument, size]) => ({ at, instrument, size })),
  );
  const [first] = beyond;
  return {
    isExercised: states.some(({ positions }) => Object.keys(positions).length > 0),
    findings:
      first === undefined
        ? []
        : [
            {
              at: first.at,
              detail: l10n.t(
                "The position in {0} was {1}, beyond {2}.",
                plain.name(first.instrument),
                first.size,
                most,
              ),
              stake: { instrument: first.instrument, amount: Math.abs(first.size) - most },
            },
          ],
  };
};

/** More open orders than declared. */
export const maxOpenOrders: Check = ({ calls, bounds: { maxOpenOrders: most } }) => {
  const known = calls.filter(({ frame }) => frame.truth?.openOrders !== undefined);
  if (most === undefined) return NOT_EXERCISED;
  const first = known.find(({ frame }) => (frame.truth?.openOrders ?? 0) > most);
  return {
    isExercised: known.length > 0,
    findings:
      first === undefined
        ? []
        : [
            {
              at: first.at,
              detail: l10n.t("{0} orders were open, more than {1}.", first.frame.truth?.openOrders ?? 0, most),
            },
          ],
  };
};

/** An order that is larger than declared. */
export const maxOrder: Check = ({ calls, bounds: { maxOrder: most } }) => {
  const orders = calls.filter(({ frame }) => isOrder(frame));
  if (most === undefined) return NOT_EXERCISED;
  const findings = orders.flatMap(({ at, frame }): BotFinding[] => {
    const amount = callNumber(frame, "amount") ?? callNumber(frame, "contracts") ?? 0;
    const instrument = callInstrument(frame);
    return amount > most
      ? [
          {
            at,
            detail: l10n.t("{0} had the amount {1}, more than {2}.", plain.name(frame.method), amount, most),
            stake: instrument === undefined ? undefined : { instrument, amount: amount - most },
          },
        ]
      : [];
  });
  return { isExercised: orders.length > 0, findings: findings.slice(0, 1) };
};

/** An order with a price that was made of data that is older than declared. */
export const maxDataAge: Check = (conversation) => {
  const { calls, bounds } = conversation;
  const { maxDataAgeMs: most } = bounds;
  if (most === undefined) return NOT_EXERCISED;
  const orders = calls.filter(({ frame }) => isOrder(frame) && callInstrument(frame) !== undefined);
  const findings = orders.flatMap(({ at, frame }): BotFinding[] => {
    const ageMs = dataAge(conversation, at, frame);
    if (ageMs <= most) return [];
    const instrument = plain.name(callInstrument(frame) ?? "");
    return [
      {
        at,
        detail: Number.isFinite(ageMs)
          ? l10n.t("The latest market data of {0} was {1} ms old.", instrument, Math.round(ageMs))
          : l10n.t("No market data of {0} had been received.", instrument),
      },
    ];
  });
  return { isExercised: orders.length > 0, findings: findings.slice(0, 1) };
};

/** Returns how old the latest market data of an order's instrument was, in ms; Infinity where there was none. */
function dataAge({ frames, calls }: Conversation, before: number, order: SentFrame): number {
  const instrument = callInstrument(order) ?? "";
  const index = instrument.split("-")[0] ?? "";
  const isAbout = (frame: SentFrame): boolean =>
    frame.method.startsWith("public/") &&
    [instrument, index].some((name) => Object.values(frame.params).some((value) => String(value).includes(name)));
  const read = calls.findLast((call) => (call.reply?.at ?? Infinity) < before && isAbout(call.frame));
  const told = frames.findLast(
    (frame, at) =>
      at < before &&
      frame.kind === "received" &&
      /^(?:book|ticker|quote|trades|incremental_ticker)\./.test(frame.channel ?? "") &&
      (frame.channel?.includes(instrument) ?? false),
  );
  return order.atMs - Math.max(read?.reply?.frame.atMs ?? -Infinity, told?.atMs ?? -Infinity);
}

/** The account as the bot leaves it. */
export const accountAtExit: Check = ({ bounds, end, frames }) => {
  const account = end?.account;
  if (bounds.exit === undefined || account === undefined || end?.how === "killed") return NOT_EXERCISED;
  const open = Object.entries(account.positions).filter(([, size]) => size !== 0);
  const findings: BotFinding[] = [
    ...(account.openOrders === 0
      ? []
      : [{ at: frames.length, detail: l10n.t("Orders are open after the end: {0}.", account.openOrders) }]),
    ...(bounds.exit === "clean"
      ? []
      : open.map(([instrument, size]) => ({
          at: frames.length,
          detail: l10n.t("A position is open after the end: {0} of {1}.", size, plain.name(instrument)),
          stake: { instrument, amount: Math.abs(size) },
        }))),
  ];
  return { isExercised: true, findings };
};
