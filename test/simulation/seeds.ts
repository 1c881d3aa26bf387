import type { Schedule } from "./schedule.ts";

/** A schedule that went wrong once. They run first, always. */
export interface KeptSchedule {
  readonly name: string;
  /** What it taught. */
  readonly lesson: string;
  readonly schedule: Schedule;
}

const SIMPLE = { environment: "simulator", orders: 4, network: "quick", journalMs: 0, hasOrderState: true } as const;

export const KEPT_SCHEDULES: readonly KeptSchedule[] = [
  {
    name: "seed 3, run 781: an odd event before the subscription was answered",
    lesson: "A list that is read before the answer to the subscription was shown as live, and what changed in between was missed for good: no reading before that answer, whoever asks for it.",
    schedule: {
      ...SIMPLE,
      seed: 2_147_483_638,
      steps: [
        { do: "fault", name: "skipped and lost", fault: { method: "private/subscribe", effect: "skipped", reply: "none" } },
        { do: "cut" },
        { do: "wait", ms: 2000 },
        { do: "garbage", text: "odd order event" },
        { do: "wait", ms: 1500 },
        { do: "cancel", pick: 0, from: "row", clicks: 1 },
        { do: "wait", ms: 500 },
      ],
    },
  },
  {
    name: "Refresh before the subscription was answered",
    lesson: "The same by a click: Refresh in the moment between signing in and the answer to the subscription.",
    schedule: {
      ...SIMPLE,
      seed: 11,
      steps: [
        { do: "fault", name: "held", fault: { method: "private/subscribe", effect: "skipped", reply: "none" } },
        { do: "cut" },
        { do: "wait", ms: 2000 },
        { do: "refresh" },
        { do: "wait", ms: 500 },
        { do: "fill", pick: 0, isWhole: true },
        { do: "wait", ms: 500 },
      ],
    },
  },
  {
    name: "seed 2, run 36: Check Again on what was proved, then Disconnect",
    lesson: "A look that came to nothing took back what an earlier one had proved: the screen said \"outcome still unknown\" after \"verified cancelled\". Such a look adds no verdict.",
    schedule: {
      ...SIMPLE,
      seed: 357_970_935,
      steps: [
        { do: "cancel", pick: 0, from: "row", clicks: 1 },
        { do: "closeByServer", code: 1000, reason: "" },
        { do: "wait", ms: 60_000 },
        { do: "checkAgain", pick: 0 },
        { do: "disconnect" },
      ],
    },
  },
  {
    name: "seed 21: the reading that was to see an order's end failed",
    lesson: "The row of an ended order is not taken away while a reading is under way; when that reading failed, nobody thought of the row again and it stayed greyed for ever. A failed reading arms the removal too.",
    schedule: {
      ...SIMPLE,
      seed: 407_593_777,
      steps: [
        { do: "cutAfter", messages: 1 },
        { do: "fault", name: "no id", fault: { method: "private/get_open_orders", mutate: { how: "id" } } },
        { do: "cancelSeveral", pick: 0, count: 2 },
        { do: "wait", ms: 6000 },
        { do: "fill", pick: 0, isWhole: true },
        { do: "cancel", pick: 19, from: "file", clicks: 1 },
        { do: "fault", name: "wrong type", fault: { method: "private/get_open_orders", mutate: { how: "wrongType" } } },
        { do: "wait", ms: 120 },
        { do: "wait", ms: 6000 },
        { do: "wait", ms: 6000 },
        { do: "move", count: 1 },
      ],
    },
  },
  {
    name: "the wall clock is set back while an ended order is in sight",
    lesson: "How long an ended row stays was reckoned by the wall clock: set back by two hours, the row stayed for two hours. The timer that was armed for it decides.",
    schedule: {
      ...SIMPLE,
      seed: 5,
      steps: [
        { do: "fill", pick: 0, isWhole: true },
        { do: "wait", ms: 3000 },
        { do: "jump", ms: -7_200_000 },
        { do: "wait", ms: 20_000 },
      ],
    },
  },
  {
    name: "seed 207780, run 458: 10028 and the end of the link in the same moment",
    lesson: "The answer 10028 was taken up after its link had ended: a pause began that belonged to nobody, and held back every read of the next link for ever. What is disposed of takes no answer.",
    schedule: {
      ...SIMPLE,
      seed: 13,
      network: "slow",
      steps: [
        { do: "wait", ms: 156_885 },
        { do: "move", count: 4 },
        { do: "wait", ms: 357_895 },
        { do: "wait", ms: 8766 },
        { do: "cancelByOther", pick: 0, reason: "user_request" },
        { do: "wait", ms: 17_619 },
        { do: "cut" },
        { do: "move", count: 5 },
        { do: "cancelByOther", pick: 0, reason: "user_request" },
        { do: "fault", name: "twice", fault: { method: "public/auth", mutate: { how: "twice" } } },
        { do: "connect" },
        { do: "sleep", ms: 2000, isCounted: false },
        { do: "wait", ms: 4901 },
        { do: "fault", name: "too many requests", fault: { method: "private/subscribe", effect: "skipped", reply: { code: 10028 } } },
        { do: "cancel", pick: 0, from: "row", clicks: 1 },
        { do: "cutAfter", messages: 2 },
        { do: "wait", ms: 6000 },
      ],
    },
  },
  {
    name: "seed 207780, run 877: an event comes again after its order has ended",
    lesson: "An order that was filled while the link was down, and whose row had left, was brought back by an old event that came once more: it stood there as open for good. What ended is remembered, and older news of it is no news.",
    schedule: {
      ...SIMPLE,
      seed: 145_050_411,
      steps: [
        { do: "fill", pick: 0, isWhole: true },
        { do: "sleep", ms: 2000, isCounted: false },
        { do: "place", pick: 0 },
        { do: "wait", ms: 60_000 },
        { do: "cut" },
        { do: "fault", name: "error after all", fault: { method: "private/cancel", reply: { code: 13888 } } },
        { do: "wait", ms: 1 },
        { do: "fill", pick: 19, isWhole: true },
        { do: "wait", ms: 10_465 },
        { do: "garbage", text: "event again" },
      ],
    },
  },
  {
    name: "seed 424242, run 1220: 13009 and the end of the link in the same moment, after sleep",
    lesson: "A read was refused with 13009 in the moment in which its link was found dead. Signing in again on that link saw that the computer had slept, and waited for a doubt that nobody would end: the look after a refused cancel never ended. What is over is not doubted, and does not sign in.",
    schedule: {
      ...SIMPLE,
      seed: 1_763_359_629,
      steps: [
        { do: "fault", name: "not offered", fault: { method: "private/get_order_state", effect: "skipped", reply: { code: -32601 } } },
        { do: "swallow", direction: "both" },
        { do: "wait", ms: 60_000 },
        { do: "cancel", pick: 0, from: "row", clicks: 1 },
        { do: "fault", name: "held", fault: { method: "private/get_open_orders", holdMs: 16_000 } },
        { do: "expireTokens", keepRefreshTokens: false },
        { do: "wait", ms: 120 },
        { do: "wait", ms: 0 },
        { do: "cutAfter", messages: 3 },
        { do: "sleep", ms: 900_000, isCounted: false },
        { do: "wait", ms: 0 },
      ],
    },
  },
];
