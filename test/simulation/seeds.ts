import type { Schedule, Step } from "./schedule.ts";

/** A schedule that went wrong once. They run first, always. */
export interface KeptSchedule {
  readonly name: string;
  /** What it taught. */
  readonly lesson: string;
  readonly schedule: Schedule;
}

/** What a schedule of few steps starts from. */
export const SIMPLE = {
  environment: "simulator",
  orders: 4,
  network: "quick",
  journalMs: 0,
  server: "whole",
  way: "webSocket",
  isAllSeen: false,
} as const;

/** What is asked is confirmed, after some time and with some time after it. */
const YES: readonly Step[] = [
  { do: "wait", ms: 2500 },
  { do: "answer", yes: true },
  { do: "wait", ms: 2500 },
];

/** The same with a second factor. */
const YES_AND_CODE: readonly Step[] = [...YES, { do: "code", how: "right" }, { do: "wait", ms: 2500 }];

export const KEPT_SCHEDULES: readonly KeptSchedule[] = [
  {
    name: "seed 3, run 781: an odd event before the subscription was answered",
    lesson:
      "A list that is read before the response to the subscription was shown as live, and what changed in between was missed for good: no reading before that response, whoever asks for it.",
    schedule: {
      ...SIMPLE,
      seed: 2_147_483_638,
      steps: [
        {
          do: "fault",
          name: "skipped and lost",
          fault: { method: "private/subscribe", effect: "skipped", response: "none" },
        },
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
    lesson: "The same by a click: Refresh in the moment between signing in and the response to the subscription.",
    schedule: {
      ...SIMPLE,
      seed: 11,
      steps: [
        { do: "fault", name: "held", fault: { method: "private/subscribe", effect: "skipped", response: "none" } },
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
    lesson:
      'A look that came to nothing took back what an earlier one had proved: the screen said "outcome still unknown" after "verified cancelled". Such a look adds no verdict.',
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
    lesson:
      "The row of an ended order is not taken away while a reading is under way; when that reading failed, the removal was not scheduled again and the row stayed greyed for ever. A failed reading arms the removal too.",
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
    lesson:
      "How long an ended row stays was reckoned by the wall clock: set back by two hours, the row stayed for two hours. The timer that was armed for it decides.",
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
    lesson:
      "The response 10028 was taken up after its link had ended: a pause began without an owner, and held back every read of the next link for ever. What is disposed of takes no response.",
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
        {
          do: "fault",
          name: "too many requests",
          fault: { method: "private/subscribe", effect: "skipped", response: { code: 10028 } },
        },
        { do: "cancel", pick: 0, from: "row", clicks: 1 },
        { do: "cutAfter", messages: 2 },
        { do: "wait", ms: 6000 },
      ],
    },
  },
  {
    name: "seed 207780, run 877: an event comes again after its order has ended",
    lesson:
      "An order that was filled while the link was down, and whose row had left, was brought back by an old event that came once more: it stood there as open for good. What ended is remembered, and older news of it is no news.",
    schedule: {
      ...SIMPLE,
      seed: 145_050_411,
      steps: [
        { do: "fill", pick: 0, isWhole: true },
        { do: "sleep", ms: 2000, isCounted: false },
        { do: "place", pick: 0 },
        { do: "wait", ms: 60_000 },
        { do: "cut" },
        { do: "fault", name: "error after all", fault: { method: "private/cancel", response: { code: 13888 } } },
        { do: "wait", ms: 1 },
        { do: "fill", pick: 19, isWhole: true },
        { do: "wait", ms: 10_465 },
        { do: "garbage", text: "event again" },
      ],
    },
  },
  {
    name: "seed 424242, run 1220: 13009 and the end of the link in the same moment, after sleep",
    lesson:
      "A read was refused with 13009 in the moment in which its link was found dead. Signing in again on that link saw that the computer had slept, and waited for a doubt that would never end: the look after a refused cancel never ended. What is over is not doubted, and does not sign in.",
    schedule: {
      ...SIMPLE,
      seed: 1_763_359_629,
      steps: [
        {
          do: "fault",
          name: "not supported",
          fault: { method: "private/get_order_state", effect: "skipped", response: { code: -32601 } },
        },
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
  {
    name: "seed 1: the response to a sign-in over HTTP is cut in half",
    lesson:
      "What is no response was told by its first line, in the log and on the screen: half of a response to public/auth is a token. Where JSON cannot be read whole, none of it is shown.",
    schedule: {
      ...SIMPLE,
      seed: 16,
      orders: 14,
      network: "usual",
      server: "noOrderState",
      isAllSeen: true,
      steps: [
        { do: "run", pick: 4, file: "key and limits", way: "http" },
        { do: "fault", name: "truncated", fault: { method: "public/auth", mutate: { how: "truncate" } } },
        { do: "wait", ms: 251_754 },
      ],
    },
  },
  {
    name: "seed 9: Make Read-Only while a cancel waits for the journal",
    lesson:
      "Between the yes and the send lie the journal and the limits: a cancel left after production had been made read-only again. All that a consent is bound to is looked at once more at the moment of sending.",
    schedule: {
      ...SIMPLE,
      seed: 150_724_384,
      environment: "production",
      orders: 8,
      journalMs: 400,
      server: "contract",
      steps: [{ do: "cancel", pick: 33, from: "row", clicks: 1 }, { do: "answer", yes: true }, { do: "makeReadOnly" }],
    },
  },
  {
    name: "seed 3003: the sign-in of a request over HTTP fails",
    lesson:
      "A write over HTTP beside the link was told as unknown because its session could not sign in, although nothing had been sent: the kind of a failure does not say whose it was. What was never handed to a link was not sent.",
    schedule: {
      ...SIMPLE,
      seed: 1_501_272_833,
      orders: 14,
      network: "usual",
      server: "contract",
      isAllSeen: true,
      steps: [
        { do: "fault", name: "wrong type", fault: { method: "public/auth", mutate: { how: "wrongType" } } },
        { do: "run", pick: 31, file: "goes on", way: "http" },
        { do: "wait", ms: 4886 },
      ],
    },
  },
  {
    name: "seed 3003: the account is switched while a look waits for its time",
    lesson:
      "The look at an unknown outcome waited three seconds, and read as the account that had come meanwhile: a key of the main account was told as no longer listed. Whose reading it is is asked right before each read, and a look of several calls has to be of one sign-in.",
    schedule: {
      ...SIMPLE,
      seed: 885_054_831,
      orders: 14,
      network: "usual",
      journalMs: 400,
      way: "http",
      steps: [
        { do: "switchSubject", to: "options" },
        { do: "wait", ms: 15_757 },
        { do: "editKey", pick: 0, change: "name" },
        { do: "fault", name: "truncated", fault: { method: "private/edit_api_key", mutate: { how: "truncate" } } },
        { do: "wait", ms: 5228 },
        { do: "answer", yes: true },
        { do: "answer", yes: true },
        { do: "wait", ms: 3641 },
      ],
    },
  },
  {
    name: "seed 4004: the account is switched during a maintenance pause",
    lesson:
      "When a pause is over one call is let through to try it. It was a reading of the account before, which is not sent any more: its end was not reported, and every view of the new account was held back for ever. A call that gives up before it is sent says so.",
    schedule: {
      ...SIMPLE,
      seed: 915_019_720,
      orders: 8,
      network: "slow",
      journalMs: 40,
      server: "noOrderState",
      isAllSeen: true,
      steps: [
        {
          do: "fault",
          name: "error, skipped",
          fault: { method: "private/get_open_orders", effect: "skipped", response: { code: 11051 } },
        },
        { do: "network", network: "quick" },
        { do: "wait", ms: 2365 },
        { do: "switchSubject", to: "options" },
        { do: "answer", yes: true },
      ],
    },
  },
  {
    name: "seed 207790: the wall clock is set back after a key was seen in a response",
    lesson:
      "Which of two readings of a key is the later one was reckoned by the wall clock: set back by two hours, an old response stood before every list for two hours. The monotonic clock decides.",
    schedule: {
      ...SIMPLE,
      seed: 660_530_525,
      steps: [
        { do: "switchKey", pick: 0, isEnabled: false },
        { do: "wait", ms: 2500 },
        { do: "answer", yes: true },
        { do: "answer", yes: true },
        { do: "wait", ms: 2500 },
        { do: "jump", ms: -7_200_000 },
      ],
    },
  },
  {
    name: "seed 207850, run 2191: the wall clock is set forward while a cancel of all quotes is unknown",
    lesson:
      "The time may have passed while the computer slept: which of the quotes that were made meanwhile are older than the cancel can't be told, and the outcome stays unknown. That is the truth; the test had expected a verdict.",
    schedule: {
      ...SIMPLE,
      seed: 1_564_107_796,
      environment: "simulator",
      orders: 4,
      steps: [
        { do: "switchSubject", to: "unknown" },
        { do: "answer", yes: true },
        { do: "wait", ms: 3000 },
        { do: "secondFactor", isOn: true },
        { do: "editKey", pick: 1, change: "name" },
        ...YES,
        { do: "code", how: "right" },
        { do: "wait", ms: 2500 },
        { do: "cancelAllQuotes", pick: 0, isOfRfq: false },
        { do: "answer", yes: true },
        { do: "wait", ms: 2500 },
        { do: "closeByServer", code: 1000, reason: "" },
        { do: "answer", yes: true },
        { do: "jump", ms: 7_200_000 },
      ],
    },
  },
  {
    name: "seed 207850, run 2613: an order is amended and then cancelled by others while its cancel is confirmed",
    lesson:
      "Words that are not true any more void a yes while there is an order that can be cancelled. Of one that has ended nothing is shown that could be otherwise: its cancel is sent, and the exchange tells that there is nothing to cancel.",
    schedule: {
      ...SIMPLE,
      seed: 1_685_598_782,
      steps: [
        { do: "wait", ms: 3000 },
        { do: "cancelSeveral", pick: 0, count: 3 },
        { do: "amend", pick: 0 },
        { do: "cancelByOther", pick: 0, reason: "user_request" },
        ...YES,
      ],
    },
  },
  {
    name: "seed 9000300: the account is switched while a request waits for its connection",
    lesson:
      "Over HTTP a reading of the account before was given its token, waited for a connection, and left when another account was shown already. Whom a request is for is looked at once more when it leaves.",
    schedule: {
      ...SIMPLE,
      seed: 1_608_571_041,
      environment: "production",
      network: "slow",
      way: "http",
      isAllSeen: true,
      steps: [
        { do: "secondFactor", isOn: true },
        { do: "wait", ms: 2500 },
        { do: "wait", ms: 2500 },
        { do: "wait", ms: 2500 },
        { do: "cancel", pick: 10, from: "palette", clicks: 1 },
        { do: "secondFactor", isOn: false },
        { do: "editKey", pick: 2, change: "scope" },
        ...YES,
        { do: "wait", ms: 2500 },
        { do: "setLimits", pick: 21, limits: "wider" },
        { do: "editKey", pick: 23, change: "name" },
        { do: "run", pick: 10, file: "goes on", way: "own" },
        { do: "switchSubject", to: "empty" },
        { do: "answer", yes: true },
        { do: "wait", ms: 3000 },
        { do: "request", pick: 37, method: "private/get_open_orders" },
        { do: "closeByServer", code: 1000, reason: "too_many_requests" },
        { do: "changeScope", pick: 4, change: "more" },
        ...YES,
      ],
    },
  },
  {
    name: "seed 9000302: the exchange's time cannot be read after the wall clock was set back",
    lesson:
      "Which quotes are younger than a request to cancel all of them was reckoned by this computer's clock when the exchange did not tell the time: quotes that were never cancelled were told as newer ones, and the cancel as done. Without the exchange's time it is read again.",
    schedule: {
      ...SIMPLE,
      seed: 17,
      steps: [
        { do: "jump", ms: -7_200_000 },
        { do: "cancelAllQuotes", pick: 0, isOfRfq: false },
        {
          do: "fault",
          name: "skipped and lost",
          fault: { method: "private/cancel_all_block_rfq_quotes", effect: "skipped", response: "none" },
        },
        {
          do: "fault",
          name: "error, skipped",
          fault: { method: "public/get_time", effect: "skipped", response: { code: 11_051 } },
        },
        { do: "answer", yes: true },
        { do: "wait", ms: 30_000 },
      ],
    },
  },
  {
    name: "seed 9000314: limits are set with a code",
    lesson:
      "The simulator kept every member of a request as a limit: the challenge that went back with the code came again in each reading, and stood in a row. What it answers with is the limits alone.",
    schedule: {
      ...SIMPLE,
      seed: 1_372_598_112,
      steps: [
        {
          do: "fault",
          name: "second factor",
          fault: {
            method: "private/set_mmp_config",
            effect: "skipped",
            mutate: {
              how: "result",
              value: {
                security_key_authorization_required: true,
                security_keys: [{ type: "tfa", name: "k" }],
                rp_id: "x",
                challenge: "CANARY-challenge-8a1f",
              },
            },
          },
        },
        { do: "setLimits", pick: 40, limits: "wider" },
        ...YES,
        { do: "code", how: "right" },
      ],
    },
  },
  {
    name: "seed 9000466: the wall clock is set back while a group is frozen",
    lesson:
      "Whether a freeze was announced before a list was asked for was reckoned by the wall clock: set back by two hours, a freeze that had been reset stayed for two hours. What was known when the list was asked for, and has not come anew, is over when the list has it not.",
    schedule: {
      ...SIMPLE,
      seed: 1_651_957_580,
      isAllSeen: true,
      steps: [
        { do: "freeze", pick: 29 },
        { do: "wait", ms: 3000 },
        { do: "resetMmp", pick: 1 },
        { do: "wait", ms: 3000 },
        { do: "jump", ms: -7_200_000 },
        { do: "answer", yes: true },
      ],
    },
  },
  {
    name: "seed 1102085: two changes of a key that could not be read anew",
    lesson:
      "The two questions read alike where a change set what the key already had when it was last seen, so a yes to one could be taken for a yes to the other. What is sent for a key that could not be read anew is listed whole.",
    schedule: {
      ...SIMPLE,
      seed: 14,
      journalMs: 5,
      steps: [
        { do: "secondFactor", isOn: true },
        { do: "changeScope", pick: 4, change: "more" },
        ...YES_AND_CODE,
        { do: "secondFactor", isOn: true },
        { do: "changeScope", pick: 4, change: "more" },
        ...YES_AND_CODE,
        { do: "switchKey", pick: 0, isEnabled: false },
        { do: "cancelAll", pick: 0, scope: "all" },
        { do: "secondFactor", isOn: true },
        { do: "editKey", pick: 1, change: "scope" },
        ...YES_AND_CODE,
        { do: "setLimits", pick: 0, limits: "tighter" },
        { do: "switchSubject", to: "unknown" },
        { do: "answer", yes: true },
        { do: "wait", ms: 3000 },
        { do: "secondFactor", isOn: true },
        { do: "editKey", pick: 4, change: "enabled" },
        ...YES,
        { do: "code", how: "closed" },
        { do: "wait", ms: 2500 },
        { do: "secondFactor", isOn: false },
        { do: "changeScope", pick: 1, change: "less" },
        ...YES_AND_CODE,
        { do: "secondFactor", isOn: false },
        { do: "changeScope", pick: 1, change: "less" },
        ...YES_AND_CODE,
        { do: "answer", yes: true },
        { do: "answer", yes: true },
      ],
    },
  },
  {
    name: "seed 207790: signed in under another key's name, switched, and back",
    lesson:
      "Back from a subaccount the session was its own key again, which was new to it, and it stayed locked until the user connected, as it has to. The end of a schedule connects then.",
    schedule: {
      ...SIMPLE,
      seed: 1_923_581_605,
      way: "http",
      steps: [
        {
          do: "fault",
          name: "other account",
          fault: {
            method: "public/auth",
            mutate: { how: "set", member: "scope", value: "name:other trade:read_write account:read_write" },
          },
        },
        { do: "wait", ms: 6000 },
        { do: "run", pick: 0, file: "two writes", way: "own" },
        { do: "secondFactor", isOn: true },
        { do: "editKey", pick: 1, change: "name" },
        ...YES_AND_CODE,
        { do: "disconnect" },
        { do: "connect" },
        { do: "wait", ms: 120 },
        { do: "switchSubject", to: "options" },
        { do: "answer", yes: true },
        { do: "wait", ms: 3000 },
        { do: "answer", yes: false },
        { do: "secondFactor", isOn: false },
        { do: "changeScope", pick: 1, change: "less" },
        ...YES_AND_CODE,
      ],
    },
  },
];
