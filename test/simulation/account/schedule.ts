import fc from "fast-check";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import type { Network, Subject } from "../schedule.ts";

/**
 * What happens while Positions and Account are shown: others trade, edit, transfer, and move positions, the
 * market moves, sessions are settled, and links break. Plain data: it can be printed and played again.
 */
export interface AccountSchedule {
  /** Decides latencies, ties between timers, and the market. */
  readonly seed: number;
  readonly network: Network;
  readonly way: "webSocket" | "http";
  /** `noChannels`: nothing is pushed, all has to be read again and again. */
  readonly server: "whole" | "noChannels";
  /** How long before the settlement of 08:00 UTC it begins, ms. */
  readonly beforeSettlementMs: number;
  readonly steps: readonly AccountStep[];
}

/** `pick` chooses among what is there: modulo its count. Times are in ms. */
export type AccountStep =
  | { readonly do: "nothing" }
  // What others do with the account.
  | { readonly do: "trade"; readonly pick: number; readonly direction: "buy" | "sell"; readonly lots: number }
  | { readonly do: "close"; readonly pick: number }
  | { readonly do: "place"; readonly pick: number; readonly direction: "buy" | "sell"; readonly lots: number }
  | { readonly do: "edit"; readonly pick: number; readonly lots: number }
  | { readonly do: "cancel"; readonly pick: number }
  /** The market takes an order that rests. */
  | { readonly do: "fill"; readonly pick: number; readonly isWhole: boolean }
  | { readonly do: "transfer"; readonly pick: number; readonly share: number; readonly isBack: boolean }
  | { readonly do: "movePosition"; readonly pick: number; readonly isBack: boolean }
  | { readonly do: "deposit"; readonly pick: number }
  | { readonly do: "market"; readonly isMoving: boolean }
  /** Prices move to their present values without a trade. */
  | { readonly do: "movePrices" }
  // What the user does.
  | { readonly do: "show"; readonly view: "positions" | "account"; readonly isShown: boolean }
  | { readonly do: "refresh"; readonly view: "positions" | "account" }
  | { readonly do: "connect" }
  | { readonly do: "disconnect" }
  | { readonly do: "switchSubject"; readonly to: Subject }
  | { readonly do: "backToMain" }
  // What goes wrong.
  | { readonly do: "fault"; readonly fault: Fault }
  | { readonly do: "cut" }
  | { readonly do: "cutAfter"; readonly messages: number }
  | { readonly do: "swallow"; readonly direction: "toServer" | "toClient" | "both" }
  | { readonly do: "closeByServer"; readonly code: number }
  | { readonly do: "refuse"; readonly how: "refused" | "hangs" | "accepts" }
  | { readonly do: "expireTokens"; readonly keepRefreshTokens: boolean }
  | { readonly do: "network"; readonly network: Network }
  // Time.
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "sleep"; readonly ms: number; readonly isCounted: boolean }
  /** The computer sleeps until a moment after the next settlement. */
  | { readonly do: "night" }
  /** The market does not move and no client acts: everything that is shown as live has to be true then. */
  | { readonly do: "calm" };

const pick = fc.nat({ max: 40 });
const direction = fc.constantFrom("buy" as const, "sell" as const);
const lots = fc.integer({ min: 1, max: 60 });

const others: fc.Arbitrary<AccountStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("trade" as const), pick, direction, lots }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("close" as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("place" as const), pick, direction, lots }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("edit" as const), pick, lots }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), pick }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("fill" as const), pick, isWhole: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("transfer" as const),
      pick,
      share: fc.constantFrom(0.001, 0.05, 0.3),
      isBack: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("movePosition" as const), pick, isBack: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("deposit" as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("market" as const), isMoving: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constant({ do: "movePrices" as const }) },
);

const view = fc.constantFrom("positions" as const, "account" as const);

const person: fc.Arbitrary<AccountStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("show" as const),
      view,
      isShown: fc.integer({ min: 0, max: 2 }).map((value) => value > 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refresh" as const), view }) },
  { weight: 3, arbitrary: fc.constant({ do: "connect" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "disconnect" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("switchSubject" as const),
      to: fc.constantFrom<Subject>("options", "options", "empty"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "backToMain" as const }) },
);

const READS = ["private/get_positions", "private/get_account_summaries", "private/get_subaccounts"] as const;

const fault = fc
  .record({
    method: fc.constantFrom(...READS, "public/get_instruments", "private/subscribe"),
    how: fc.constantFrom<Omit<Fault, "method">>(
      { response: "none" },
      { response: "none", link: "reset" },
      { link: "close" },
      { holdMs: 2000 },
      { holdMs: 7000 },
      { holdMs: 16_000 },
      { mutate: { how: "truncate" } },
      { mutate: { how: "wrongType" } },
      { effect: "skipped", response: { code: 10028 } },
      { effect: "skipped", response: { code: 13888 } },
      { effect: "skipped", response: { code: 13009 } },
    ),
  })
  .map(({ method, how }): AccountStep => ({ do: "fault", fault: { method, ...how } }));

const network = fc.constantFrom<Network>("quick", "usual", "slow");

const trouble: fc.Arbitrary<AccountStep> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: "cut" as const }) },
  {
    weight: 5,
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
    arbitrary: fc.record({ do: fc.constant("closeByServer" as const), code: fc.constantFrom(1000, 1001, 1006, 1012) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("refuse" as const),
      how: fc.constantFrom("refused" as const, "hangs" as const, "accepts" as const, "accepts" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("expireTokens" as const), keepRefreshTokens: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("network" as const), network }) },
);

const time: fc.Arbitrary<AccountStep> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 200 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 200, max: 6000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 6000, max: 30_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("sleep" as const),
      ms: fc.constantFrom(2000, 40_000),
      isCounted: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "night" as const }) },
  { weight: 3, arbitrary: fc.constant({ do: "calm" as const }) },
);

export const accountSchedules: fc.Arbitrary<AccountSchedule> = fc.record({
  seed: fc.noShrink(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  network,
  way: fc.constantFrom("webSocket" as const, "webSocket" as const, "webSocket" as const, "http" as const),
  server: fc.constantFrom("whole" as const, "whole" as const, "whole" as const, "noChannels" as const),
  beforeSettlementMs: fc.constantFrom(10_000, 60_000, 3_600_000),
  steps: fc.array(
    fc.oneof(
      // What is of no importance shrinks to nothing.
      { withCrossShrink: true },
      { weight: 1, arbitrary: fc.constant<AccountStep>({ do: "nothing" }) },
      { weight: 34, arbitrary: others },
      { weight: 6, arbitrary: person },
      { weight: 6, arbitrary: fault },
      { weight: 10, arbitrary: trouble },
      { weight: 22, arbitrary: time },
    ),
    { minLength: 14, maxLength: 30, size: "max" },
  ),
});

/** A schedule as the user reads it, without what is nothing. */
export function describeAccountSchedule({ steps, ...rest }: AccountSchedule): string {
  return [
    JSON.stringify(rest),
    ...steps
      .filter((each) => each.do !== "nothing")
      .map((each, index) => `${String(index + 1).padStart(3)} ${JSON.stringify(each)}`),
  ].join("\n");
}
