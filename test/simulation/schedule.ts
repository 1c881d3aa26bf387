import fc from "fast-check";
import type { Fault } from "../../src/simulator/wire/faults.ts";
import { namedFault } from "./scheduleFaults.ts";
import { GARBAGE, type FaultName, type GarbageName } from "./scheduleTexts.ts";

/**
 * What happens in one run, from the first click to the last fault. Plain data: it can be printed, stored and replayed.
 */
export interface Schedule {
  /** Decides latencies, ties between timers, jitter, tokens. */
  readonly seed: number;
  readonly environment: "simulator" | "test" | "production";
  /** Orders that are open at the beginning. */
  readonly orders: number;
  readonly network: Network;
  /** How long the journal takes for a record, ms; it fails for a while where a step says so. */
  readonly journalMs: number;
  readonly server: ServerKind;
  /** Whether a share of its responses and events has new words and members of another type. */
  readonly isOdd?: boolean;
  /** Over which way the connection speaks. */
  readonly way: "webSocket" | "http";
  /** Whether every view is looked at, or only that of the orders. */
  readonly isAllSeen: boolean;
  readonly steps: readonly Step[];
}

/**
 * `contract`: the methods of the core specification, and public/auth. `noChannels`: nothing is pushed, all has to be
 * read again and again.
 */
export type ServerKind = "whole" | "noOrderState" | "noChannels" | "contract";

export type Network = "quick" | "usual" | "slow";

/** `pick` chooses among what is there: modulo its count. Times are in ms. */
export type Step =
  | { readonly do: "nothing" }
  // What the user does.
  | { readonly do: "connect" }
  | { readonly do: "disconnect" }
  | { readonly do: "cancel"; readonly pick: number; readonly from: "row" | "palette" | "file"; readonly clicks: 1 | 2 }
  | { readonly do: "cancelSeveral"; readonly pick: number; readonly count: number }
  | { readonly do: "cancelAll"; readonly pick: number; readonly scope: "all" | "instrument" | "currency" | "label" }
  | { readonly do: "cancelQuote"; readonly pick: number; readonly count: number }
  | { readonly do: "cancelAllQuotes"; readonly pick: number; readonly isOfRfq: boolean }
  | { readonly do: "editKey"; readonly pick: number; readonly change: KeyChange }
  | { readonly do: "changeScope"; readonly pick: number; readonly change: "less" | "more" }
  | { readonly do: "switchKey"; readonly pick: number; readonly isEnabled: boolean }
  | { readonly do: "setLimits"; readonly pick: number; readonly limits: LimitsChange }
  | { readonly do: "resetMmp"; readonly pick: number }
  | { readonly do: "switchSubject"; readonly to: Subject }
  | { readonly do: "backToMain" }
  | { readonly do: "allowChanges" }
  | { readonly do: "makeReadOnly" }
  | {
      readonly do: "request";
      readonly pick: number;
      readonly method: "private/get_order_state" | "private/get_open_orders" | "private/unheard_of";
    }
  | { readonly do: "run"; readonly pick: number; readonly file: RunFile; readonly way: "own" | "http" }
  | { readonly do: "stopRun" }
  /** Into the box that asks for the second factor. */
  | { readonly do: "code"; readonly how: "right" | "wrong" | "used" | "closed" }
  | { readonly do: "answer"; readonly yes: boolean }
  | { readonly do: "checkAgain"; readonly pick: number }
  | { readonly do: "refresh" }
  // What others do.
  | { readonly do: "place"; readonly pick: number }
  | { readonly do: "fill"; readonly pick: number; readonly isWhole: boolean }
  | { readonly do: "amend"; readonly pick: number }
  | { readonly do: "fire"; readonly pick: number }
  | { readonly do: "cancelByOther"; readonly pick: number; readonly reason: string }
  | { readonly do: "move"; readonly count: number }
  | { readonly do: "moveAccount"; readonly count: number }
  | { readonly do: "placeQuote"; readonly pick: number }
  | { readonly do: "editQuote"; readonly pick: number }
  | { readonly do: "endQuote"; readonly pick: number; readonly how: "cancelled" | "filled" | "expired" }
  | { readonly do: "editKeyByOther"; readonly pick: number; readonly change: KeyChange }
  | { readonly do: "freeze"; readonly pick: number }
  | { readonly do: "resetByOther"; readonly pick: number }
  | { readonly do: "limitsByOther"; readonly pick: number; readonly limits: LimitsChange }
  /** The owner switches the second factor of key changes on or off. */
  | { readonly do: "secondFactor"; readonly isOn: boolean }
  // What goes wrong.
  | { readonly do: "fault"; readonly name: FaultName; readonly fault: Fault }
  | { readonly do: "clearFaults" }
  | { readonly do: "cut" }
  | { readonly do: "cutAfter"; readonly messages: number }
  | { readonly do: "swallow"; readonly direction: "toServer" | "toClient" | "both" }
  | { readonly do: "closeByServer"; readonly code: number; readonly reason: string }
  | { readonly do: "refuse"; readonly how: "refused" | "hangs" | "accepts" }
  | { readonly do: "expireTokens"; readonly keepRefreshTokens: boolean }
  | { readonly do: "garbage"; readonly text: GarbageName }
  | { readonly do: "journalFails"; readonly isFailing: boolean }
  /** From now on a record waits until the disk goes on. */
  | { readonly do: "diskStalls"; readonly ms: number }
  | { readonly do: "network"; readonly network: Network }
  // Time.
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "jump"; readonly ms: number }
  | { readonly do: "sleep"; readonly ms: number; readonly isCounted: boolean };

export type KeyChange = "name" | "scope" | "features" | "addresses" | "enabled";

export type LimitsChange = "tighter" | "wider" | "without delta" | "none";

export type Subject = "options" | "empty" | "unknown";

/** What stands in a request file that is sent as a whole. */
export type RunFile = keyof typeof RUN_FILES;

/** The files, with what each is about. Their requests are made by `runFiles.ts`. */
export const RUN_FILES = {
  "a write in the middle": "reads around a cancel",
  chained: "a cancel of what a read before it has listed",
  expectation: "a cancel behind a read that may not be what is expected",
  "reference to a write": "a read that uses the response of a cancel that was not requested",
  "two writes": "a cancel, all quotes, a read",
  "goes on": "a cancel of an unknown order, after which the run goes on",
  "key and limits": "the scope of a key, the limits of a group",
} as const;

const fault: fc.Arbitrary<Step> = namedFault.map(([name, what]) => ({ do: "fault", name, fault: what }));

const pick = fc.nat({ max: 40 });
const yes = fc.integer({ min: 0, max: 3 }).map((value) => value > 0);

const keyChange = fc.constantFrom<KeyChange>("name", "scope", "scope", "features", "addresses", "enabled");
const limitsChange = fc.constantFrom<LimitsChange>("tighter", "wider", "without delta", "none");

const person = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      pick,
      from: fc.constantFrom("row" as const, "row" as const, "palette" as const, "file" as const),
      clicks: fc.constantFrom(1 as const, 1 as const, 1 as const, 2 as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("cancelSeveral" as const), pick, count: fc.integer({ min: 2, max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("cancelAll" as const),
      pick,
      scope: fc.constantFrom("all" as const, "instrument" as const, "currency" as const, "label" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("cancelQuote" as const), pick, count: fc.constantFrom(1, 1, 2) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancelAllQuotes" as const), pick, isOfRfq: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("editKey" as const), pick, change: keyChange }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("changeScope" as const),
      pick,
      change: fc.constantFrom("less" as const, "more" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("switchKey" as const), pick, isEnabled: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("setLimits" as const), pick, limits: limitsChange }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resetMmp" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("switchSubject" as const),
      to: fc.constantFrom<Subject>("options", "options", "empty", "unknown"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "backToMain" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "allowChanges" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "makeReadOnly" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("run" as const),
      pick,
      file: fc.constantFrom(...(Object.keys(RUN_FILES) as RunFile[])),
      way: fc.constantFrom("own" as const, "own" as const, "http" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "stopRun" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("code" as const),
      how: fc.constantFrom(
        "right" as const,
        "right" as const,
        "right" as const,
        "wrong" as const,
        "used" as const,
        "closed" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("request" as const),
      pick,
      method: fc.constantFrom(
        "private/get_order_state" as const,
        "private/get_open_orders" as const,
        "private/unheard_of" as const,
      ),
    }),
  },
  { weight: 14, arbitrary: fc.record({ do: fc.constant("answer" as const), yes }) },
  { weight: 6, arbitrary: fc.constant({ do: "connect" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "disconnect" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("checkAgain" as const), pick }) },
  { weight: 1, arbitrary: fc.constant({ do: "refresh" as const }) },
);

const other = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("place" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fill" as const), pick, isWhole: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("amend" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fire" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("cancelByOther" as const),
      pick,
      reason: fc.constantFrom("user_request", "mmp_trigger", "cancel_on_disconnect", "autoliquidation"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move" as const), count: fc.integer({ min: 1, max: 5 }) }) },
);

const otherAccount = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("moveAccount" as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("placeQuote" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("editQuote" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("endQuote" as const),
      pick,
      how: fc.constantFrom("cancelled" as const, "filled" as const, "expired" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("editKeyByOther" as const), pick, change: keyChange }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("freeze" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resetByOther" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("limitsByOther" as const), pick, limits: limitsChange }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("secondFactor" as const),
      isOn: fc.integer({ min: 0, max: 3 }).map((value) => value > 0),
    }),
  },
);

const network = fc.constantFrom<Network>("quick", "usual", "slow");

const trouble = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: "cut" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("cutAfter" as const), messages: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("swallow" as const),
      direction: fc.constantFrom("toServer" as const, "toClient" as const, "both" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("closeByServer" as const),
      code: fc.constantFrom(1000, 1001, 1006, 1012, 1013),
      reason: fc.constantFrom("", "", "connection_too_slow", "too_many_requests"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("refuse" as const),
      how: fc.constantFrom(
        "refused" as const,
        "hangs" as const,
        "accepts" as const,
        "accepts" as const,
        "accepts" as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("expireTokens" as const), keepRefreshTokens: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("garbage" as const),
      text: fc.constantFrom<GarbageName>(
        "event again",
        "event again",
        ...(Object.keys(GARBAGE) as (keyof typeof GARBAGE)[]),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("journalFails" as const), isFailing: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("diskStalls" as const), ms: fc.constantFrom(500, 7000, 9000, 600_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("network" as const), network }) },
  { weight: 1, arbitrary: fc.constant({ do: "clearFaults" as const }) },
);

const time = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 120 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 120, max: 6000 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 6000, max: 40_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 60_000, max: 400_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("jump" as const),
      ms: fc.constantFrom(-7_200_000, -20_000, 20_000, 7_200_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("sleep" as const),
      ms: fc.constantFrom(2000, 40_000, 900_000),
      isCounted: fc.boolean(),
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  // What is of no importance shrinks to nothing.
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "nothing" }) },
  { weight: 40, arbitrary: person },
  { weight: 22, arbitrary: fault },
  { weight: 8, arbitrary: trouble },
  { weight: 12, arbitrary: other },
  { weight: 8, arbitrary: otherAccount },
  { weight: 26, arbitrary: time },
);

/**
 * What the user does in one go, up to the code of the second factor or the other account: by chance alone it hardly
 * ever comes about.
 */
const inOneGo: fc.Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        change: fc.oneof(
          fc.record({ do: fc.constant("editKey" as const), pick: fc.integer({ min: 1, max: 4 }), change: keyChange }),
          fc.record({
            do: fc.constant("changeScope" as const),
            pick: fc.integer({ min: 1, max: 4 }),
            change: fc.constantFrom("less" as const, "more" as const),
          }),
        ),
        how: fc.constantFrom("right" as const, "right" as const, "wrong" as const, "used" as const, "closed" as const),
        isOn: fc.integer({ min: 0, max: 3 }).map((value) => value > 0),
      })
      .map(({ change, how, isOn }): readonly Step[] => [
        { do: "secondFactor", isOn },
        change,
        { do: "wait", ms: 2500 },
        { do: "answer", yes: true },
        { do: "wait", ms: 2500 },
        { do: "code", how },
        { do: "wait", ms: 2500 },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Subject>("options", "empty", "unknown").map((to): readonly Step[] => [
      { do: "switchSubject", to },
      { do: "answer", yes: true },
      { do: "wait", ms: 3000 },
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.record({ pick, limits: limitsChange }).map(({ pick: at, limits }): readonly Step[] => [
      { do: "setLimits", pick: at, limits },
      { do: "wait", ms: 2500 },
      { do: "answer", yes: true },
      { do: "wait", ms: 2500 },
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.record({ pick, isOfRfq: fc.boolean() }).map(({ pick: at, isOfRfq }): readonly Step[] => [
      { do: "cancelAllQuotes", pick: at, isOfRfq },
      { do: "answer", yes: true },
      { do: "wait", ms: 2500 },
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.record({ pick, count: fc.constant(1) }).map(({ pick: at, count }): readonly Step[] => [
      { do: "cancelQuote", pick: at, count },
      { do: "wait", ms: 2500 },
    ]),
  },
);

/** More than 30 steps, so that some may be nothing and 30 are left. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.noShrink(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  environment: fc.constantFrom(
    "simulator" as const,
    "simulator" as const,
    "simulator" as const,
    "simulator" as const,
    "test" as const,
    "test" as const,
    "production" as const,
  ),
  orders: fc.constantFrom(4, 8, 14),
  network,
  journalMs: fc.constantFrom(0, 0, 5, 40, 400),
  server: fc.constantFrom<ServerKind>("whole", "whole", "whole", "whole", "noOrderState", "noChannels", "contract"),
  isOdd: fc.integer({ min: 0, max: 3 }).map((value) => value === 3),
  way: fc.constantFrom(
    "webSocket" as const,
    "webSocket" as const,
    "webSocket" as const,
    "webSocket" as const,
    "http" as const,
  ),
  isAllSeen: fc.boolean(),
  steps: fc
    .array(
      fc.oneof(
        { weight: 14, arbitrary: step.map((each): readonly Step[] => [each]) },
        { weight: 3, arbitrary: inOneGo },
      ),
      { minLength: 28, maxLength: 48, size: "max" },
    )
    .map((parts) => parts.flat()),
});

/** A schedule as the user reads it, without what is nothing. */
export function describeSchedule(schedule: Schedule): string {
  const { steps, ...rest } = schedule;
  return [
    JSON.stringify(rest),
    ...effectiveSteps(steps).map((each, index) => `${String(index + 1).padStart(3)} ${describeStep(each)}`),
  ].join("\n");
}

export function effectiveSteps(steps: readonly Step[]): readonly Step[] {
  return steps.filter((each) => each.do !== "nothing");
}

export function describeStep(each: Step): string {
  if (each.do === "fault") return `fault: ${each.name} ${JSON.stringify(each.fault)}`;
  const { do: what, ...rest } = each;
  const text = JSON.stringify(rest);
  return text === "{}" ? what : `${what} ${text.slice(1, -1).replaceAll('"', "")}`;
}
