import fc from "fast-check";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import type { Network } from "../schedule.ts";
import type { Habits, Untruth } from "./middle.ts";

/**
 * What happens while a user places, edits, closes, and cancels with the commands: a bot and the market trade, too, and
 * links, responses, and tokens are lost. Plain data: it can be printed and played again.
 */
export interface TradingSchedule {
  /** Decides latencies, ties between timers, and the market. */
  readonly seed: number;
  readonly environment: "simulator" | "test" | "production";
  readonly network: Network;
  /** Whether trading is allowed within limits alone; on the simulator it never is. Left out, it is not. */
  readonly isLimited?: boolean;
  readonly steps: readonly TradingStep[];
}

/** How an order is typed: beside its price and amount. `crossing` is post-only at a price that would trade at once. */
export type Terms = "resting" | "crossing" | "taking" | "market" | "ioc" | "fok" | "reduce";

/** What a request file says of an order: any term, also such as no command gives. */
export type FileTerms = "plain" | "repriced" | "iceberg" | "stop" | "market" | "reduce";

/** `pick` chooses among what is there: modulo its count. Times are in ms. */
export type TradingStep =
  | { readonly do: "nothing" }
  // What the user does.
  | {
      readonly do: "place";
      readonly pick: number;
      readonly side: "buy" | "sell";
      readonly terms: Terms;
      readonly lots: number;
      /** Left out, one is generated. */
      readonly label?: string;
      readonly answer: Answer;
    }
  | {
      readonly do: "close";
      readonly pick: number;
      readonly way: "best" | "price" | "market";
      readonly purpose: "close" | "reduce";
      readonly answer: Answer;
    }
  | {
      readonly do: "edit";
      readonly pick: number;
      readonly what: "price" | "amount" | "both";
      readonly by: number;
      readonly answer: Answer;
    }
  /** A request of a file. `hasLabel`, `hasDeadline`: whether it says so. */
  | {
      readonly do: "send";
      readonly pick: number;
      readonly side: "buy" | "sell";
      readonly terms: FileTerms;
      readonly lots: number;
      readonly hasLabel: boolean;
      readonly hasDeadline: boolean;
      readonly answer: Answer;
    }
  | { readonly do: "shift"; readonly by: "ticks" | "percent"; readonly text: string; readonly answer: Answer }
  | { readonly do: "cancel"; readonly pick: number; readonly answer: Answer }
  | { readonly do: "cancelEverything"; readonly answer: Answer }
  | { readonly do: "checkAgain"; readonly pick: number }
  | { readonly do: "connect" }
  // What others do.
  /** The bot places what the person wished last, with the same label where that was not generated. */
  | { readonly do: "twin"; readonly end: "open" | "filled" | "partly" | "cancelled" }
  /** The bot places an order of its own under a label that the person uses, too. */
  | { readonly do: "botPlaces"; readonly pick: number; readonly label: string }
  | { readonly do: "fill"; readonly pick: number; readonly isWhole: boolean }
  | { readonly do: "amend"; readonly pick: number }
  | { readonly do: "cancelByOther"; readonly pick: number }
  | { readonly do: "movePrices" }
  // What goes wrong.
  | { readonly do: "fault"; readonly fault: Fault }
  /** What the server between the links and the exchange does. */
  | { readonly do: "untruth"; readonly untruth: Untruth }
  | { readonly do: "habits"; readonly habits: Habits }
  | { readonly do: "cut" }
  | { readonly do: "cutAfter"; readonly messages: number }
  | { readonly do: "swallow"; readonly direction: "toServer" | "toClient" | "both" }
  | { readonly do: "refuse"; readonly how: "refused" | "hangs" | "accepts" }
  | { readonly do: "expireTokens"; readonly keepRefreshTokens: boolean }
  | { readonly do: "network"; readonly network: Network }
  /** The journal takes its next records so much later. */
  | { readonly do: "diskStalls"; readonly ms: number }
  // Time.
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "sleep"; readonly ms: number; readonly isCounted: boolean }
  | { readonly do: "jump"; readonly ms: number };

export interface Answer {
  readonly isYes: boolean;
  /** From the question to the answer. */
  readonly thinkMs: number;
}

const pick = fc.nat({ max: 40 });
const answer: fc.Arbitrary<Answer> = fc.record({
  isYes: fc.integer({ min: 0, max: 11 }).map((value) => value > 0),
  thinkMs: fc.constantFrom(0, 50, 400, 2000, 9000),
});
const label = fc.constantFrom("desk", "hedge", '8 €"\\');
const side = fc.constantFrom("buy" as const, "sell" as const);
const terms = fc.constantFrom<Terms>("resting", "resting", "crossing", "taking", "market", "ioc", "fok", "reduce");
const place = fc.record(
  { do: fc.constant("place" as const), pick, side, terms, lots: fc.integer({ min: 1, max: 60 }), label, answer },
  { requiredKeys: ["do", "pick", "side", "terms", "lots", "answer"] },
);

const person: fc.Arbitrary<TradingStep> = fc.oneof(
  { weight: 12, arbitrary: place },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("close" as const),
      pick,
      way: fc.constantFrom("best" as const, "price" as const, "market" as const),
      purpose: fc.constantFrom("close" as const, "reduce" as const),
      answer,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      pick,
      what: fc.constantFrom("price" as const, "amount" as const, "both" as const),
      by: fc.integer({ min: 1, max: 9 }),
      answer,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("shift" as const),
      by: fc.constantFrom("ticks" as const, "percent" as const),
      text: fc.constantFrom("-2", "3"),
      answer,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const), pick, answer }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      pick,
      side,
      terms: fc.constantFrom<FileTerms>("plain", "repriced", "iceberg", "stop", "market", "reduce"),
      lots: fc.integer({ min: 1, max: 60 }),
      hasLabel: fc.integer({ min: 0, max: 5 }).map((value) => value > 0),
      hasDeadline: fc.integer({ min: 0, max: 3 }).map((value) => value > 0),
      answer,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancelEverything" as const), answer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("checkAgain" as const), pick }) },
  { weight: 2, arbitrary: fc.constant({ do: "connect" as const }) },
);

const end = fc.constantFrom("open" as const, "filled" as const, "partly" as const, "cancelled" as const);

const others: fc.Arbitrary<TradingStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("twin" as const), end }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("botPlaces" as const), pick, label }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("fill" as const), pick, isWhole: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("amend" as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancelByOther" as const), pick }) },
  { weight: 2, arbitrary: fc.constant({ do: "movePrices" as const }) },
);

/** Codes that leave open whether a write was made. 13888, the end of `valid_until`, says that it was not. */
const OPEN_CODES = [13028, -32603, 77777] as const;
const HELD_MS = [300, 2000, 7500, 9000, 60_000] as const;

/** What can happen to a write. Nothing of it is a lie: what says that it was done, or was not, is true. */
const writeFault = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Fault>(
      { response: "none" },
      { response: "none", link: "reset" },
      { effect: "skipped", response: "none" },
      { effect: "skipped", response: "none", link: "reset" },
      { link: "close" },
      { mutate: { how: "twice" } },
      { mutate: { how: "truncate" } },
      { mutate: { how: "wrongType" } },
      { mutate: { how: "id" } },
      { mutate: { how: "drop", member: "order" } },
      { effect: "skipped", response: { code: 13009 } },
      { effect: "skipped", response: { code: 10028 } },
      { effect: "overtaken" },
      { effect: "overtaken", response: "none" },
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(300, 7000, 16_000, 45_000).map((holdMs): Fault => ({ holdMs })) },
  { weight: 2, arbitrary: fc.constantFrom(...HELD_MS).map((applyAfterMs): Fault => ({ applyAfterMs })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...HELD_MS).map((applyAfterMs): Fault => ({ applyAfterMs, link: "reset" })),
  },
  { weight: 2, arbitrary: fc.constantFrom(...OPEN_CODES).map((code): Fault => ({ response: { code } })) },
);

const WRITES = ["private/buy", "private/sell", "private/edit", "private/cancel", "private/cancel_all"] as const;
const READS = [
  "public/get_time",
  "private/get_position",
  "private/get_open_orders_by_instrument",
  "private/get_order_history_by_instrument",
  "private/get_user_trades_by_instrument",
  "private/get_order_state",
  "private/get_margins",
  "public/ticker",
] as const;

/** More than the table has rows. */
const row = fc.nat({ max: 9999 });
const untruth: fc.Arbitrary<Untruth> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("error" as const),
      method: fc.constantFrom(...WRITES.slice(0, 3), ...WRITES),
      row,
      done: fc.constantFrom("not" as const, "part" as const, "whole" as const),
      isWithoutId: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("error" as const),
      method: fc.constantFrom(...READS),
      row,
      done: fc.constant("not" as const),
      isWithoutId: fc.constant(false),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant("term" as const),
      method: fc.constantFrom("private/buy", "private/sell", "private/edit"),
      term: fc.nat({ max: 59 }),
      how: fc.constantFrom("told" as const, "kept" as const, "kept" as const, "lost" as const),
    }),
  },
);
const habits: fc.Arbitrary<Habits> = fc.record(
  {
    pageRows: fc.integer({ min: 1, max: 4 }),
    hasContinuation: fc.boolean(),
    hasBook: fc.integer({ min: 0, max: 6 }).map((value) => value === 6),
    heldMs: fc.constantFrom(0, 40, 900, 4000),
  },
  { requiredKeys: ["hasContinuation", "hasBook", "heldMs"] },
);

const trouble: fc.Arbitrary<TradingStep> = fc.oneof(
  { weight: 20, arbitrary: untruth.map((each): TradingStep => ({ do: "untruth", untruth: each })) },
  { weight: 4, arbitrary: habits.map((each): TradingStep => ({ do: "habits", habits: each })) },
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.constantFrom(...WRITES.slice(0, 3), ...WRITES), writeFault)
      .map(([method, fault]): TradingStep => ({ do: "fault", fault: { method, ...fault } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...READS),
        fc.constantFrom<Fault>(
          { response: "none" },
          { holdMs: 4000 },
          { effect: "skipped", response: { code: 13888 } },
          { mutate: { how: "wrongType" } },
        ),
      )
      .map(([method, fault]): TradingStep => ({ do: "fault", fault: { method, ...fault } })),
  },
  { weight: 4, arbitrary: fc.constant({ do: "cut" as const }) },
  {
    weight: 3,
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
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("refuse" as const),
      how: fc.constantFrom("refused" as const, "accepts" as const, "accepts" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("expireTokens" as const), keepRefreshTokens: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("network" as const),
      network: fc.constantFrom<Network>("quick", "usual", "slow"),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom(300, 5000, 9000).map((ms) => ({ do: "diskStalls" as const, ms })) },
);

const wait = (min: number, max: number): fc.Arbitrary<TradingStep> =>
  fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min, max }) });

const time: fc.Arbitrary<TradingStep> = fc.oneof(
  { weight: 6, arbitrary: wait(0, 300) },
  { weight: 8, arbitrary: wait(300, 6000) },
  { weight: 3, arbitrary: wait(6000, 40_000) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("sleep" as const),
      ms: fc.constantFrom(3000, 40_000),
      isCounted: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom(-3_600_000, 90_000).map((ms) => ({ do: "jump" as const, ms })) },
);

/** An order whose response is lost, and a bot that places the same one in the same second. */
const race: fc.Arbitrary<readonly TradingStep[]> = fc
  .record({
    order: place,
    label,
    fault: writeFault,
    beforeMs: fc.constantFrom(0, 500, 3000),
    afterMs: fc.constantFrom(30, 300, 900),
    thinkMs: fc.constantFrom(0, 400, 2000),
    isShared: fc.boolean(),
    isCut: fc.boolean(),
    end,
  })
  .map(({ order, fault, beforeMs, afterMs, thinkMs, isShared, isCut, ...rest }): readonly TradingStep[] => [
    ...(isShared ? [{ do: "botPlaces" as const, pick: order.pick, label: rest.label }] : []),
    { do: "fault", fault: { method: `private/${order.side}`, ...fault } },
    { ...order, label: rest.label, answer: { isYes: true, thinkMs } },
    { do: "wait", ms: beforeMs },
    { do: "twin", end: rest.end },
    { do: "wait", ms: afterMs },
    ...(isCut ? [{ do: "cut" as const }] : []),
  ]);

/** What changes something, and what it is answered with. */
const answered: fc.Arbitrary<readonly TradingStep[]> = fc
  .tuple(
    person.filter((step) => methodOf(step) !== undefined),
    untruth,
    wait(300, 4000),
  )
  .map(([step, { method, ...how }, pause]): readonly TradingStep[] => [
    { do: "untruth", untruth: { ...how, method: methodOf(step) ?? method } },
    step,
    pause,
  ]);

/** Returns the method that a step calls to change something; undefined for several, and for none. */
function methodOf(step: TradingStep): string | undefined {
  if (step.do === "place" || step.do === "send") return `private/${step.side}`;
  if (step.do === "cancelEverything") return "private/cancel_all";
  return step.do === "edit" || step.do === "cancel" ? `private/${step.do}` : undefined;
}

const single = fc
  .oneof(
    // What is of no importance shrinks to nothing.
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant<TradingStep>({ do: "nothing" }) },
    { weight: 34, arbitrary: person },
    { weight: 14, arbitrary: others },
    { weight: 18, arbitrary: trouble },
    { weight: 24, arbitrary: time },
  )
  .map((step): readonly TradingStep[] => [step]);

export const tradingSchedules: fc.Arbitrary<TradingSchedule> = fc.record({
  seed: fc.noShrink(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  environment: fc.constantFrom("simulator" as const, "simulator" as const, "test" as const, "production" as const),
  network: fc.constantFrom<Network>("quick", "usual", "usual", "slow"),
  isLimited: fc.boolean(),
  steps: fc
    .tuple(
      habits.map((each): readonly TradingStep[] => [{ do: "habits", habits: each }]),
      fc
        .array(
          fc.oneof(
            { weight: 7, arbitrary: single },
            { weight: 3, arbitrary: answered },
            { weight: 1, arbitrary: race },
          ),
          { minLength: 8, maxLength: 20, size: "max" },
        )
        .map((parts) => parts.flat()),
    )
    .map((parts) => parts.flat()),
});

/** A schedule as the user reads it, without what is nothing. */
export function describeTradingSchedule({ steps, ...rest }: TradingSchedule): string {
  return [
    JSON.stringify(rest),
    ...steps
      .filter((each) => each.do !== "nothing")
      .map((each, index) => `${String(index + 1).padStart(3)} ${JSON.stringify(each)}`),
  ].join("\n");
}
