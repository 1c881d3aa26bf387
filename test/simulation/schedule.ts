import fc from "fast-check";
import type { Fault, Mutation } from "../../src/simulator/faults.ts";

/** What happens in one run, from the first click to the last fault. Plain data: it can be printed, stored and replayed. */
export interface Schedule {
  /** Decides latencies, ties between timers, jitter, tokens. */
  readonly seed: number;
  readonly environment: "simulator" | "test" | "production";
  /** Orders that are open at the beginning. */
  readonly orders: number;
  readonly network: Network;
  /** How long the journal takes for a record, ms; it fails for a while where a step says so. */
  readonly journalMs: number;
  /** Whether the server has private/get_order_state at all. */
  readonly hasOrderState: boolean;
  readonly steps: readonly Step[];
}

export type Network = "quick" | "usual" | "slow";

/** `pick` chooses among what is there: modulo its count. Times are in ms. */
export type Step =
  | { readonly do: "nothing" }
  // What a person does.
  | { readonly do: "connect" }
  | { readonly do: "disconnect" }
  | { readonly do: "cancel"; readonly pick: number; readonly from: "row" | "palette" | "file"; readonly clicks: 1 | 2 }
  | { readonly do: "cancelSeveral"; readonly pick: number; readonly count: number }
  | { readonly do: "request"; readonly pick: number; readonly method: "private/get_order_state" | "private/get_open_orders" | "private/unheard_of" }
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
  | { readonly do: "network"; readonly network: Network }
  // Time.
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "jump"; readonly ms: number }
  | { readonly do: "sleep"; readonly ms: number; readonly isCounted: boolean };

export type FaultName =
  | "lost" | "skipped and lost" | "reset" | "skipped and reset" | "closed after" | "held" | "overtaken" | "late" | "late and reset" | "late error"
  | "error after all" | "error, skipped" | "refused" | "not signed in" | "too many requests" | "truncated" | "wrong type" | "member missing" | "odd state" | "other order"
  | "wrong id" | "no id" | "text id" | "twice" | "other text" | "second factor" | "short life" | "other account" | "bad credentials" | "not offered" | "any call lost" | "any call held" | "any call reset";

export type GarbageName = keyof typeof GARBAGE | "event again";

/** Texts that a server should not send, and some that it may. */
export const GARBAGE = {
  empty: "",
  null: "null",
  list: "[]",
  "half a frame": '{"jsonrpc":"2.0","id":',
  "no result": '{"jsonrpc":"2.0","id":3}',
  "unknown id": '{"jsonrpc":"2.0","id":987654321,"result":"ok"}',
  "error without id": '{"jsonrpc":"2.0","error":{"code":11044,"message":"not_open_order"}}',
  maintenance: '{"jsonrpc":"2.0","error":{"code":11051,"message":"system_maintenance"}}',
  "name twice": '{"jsonrpc":"2.0","id":4,"id":4,"result":{}}',
  "prototype": '{"jsonrpc":"2.0","method":"subscription","params":{"__proto__":{"channel":"x"},"channel":"user.orders.any.any.raw","data":[]}}',
  "unknown method": '{"jsonrpc":"2.0","method":"announcement","params":{"text":"[x](command:y)"}}',
  "other channel": '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"trades.any.any.raw","data":[]}}',
  "odd order event": '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":{"order_id":7}}}',
  "test request": '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}',
  heartbeat: '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}',
} as const;

const CANCEL = "private/cancel";
/** Codes that leave open what a cancel did; 77777 is one that nobody has seen. */
const OPEN_CODES = [13888, 11094, 13028, 10047, -32603, 77777] as const;
/** Codes that say that nothing was done. The simulator gives the true ones by itself. */
const REFUSALS = [10004, 10010, 10011, 11044, -32602, -32601, 13021] as const;
const READ_CODES = [13888, 13028, -32603, 11051, 10040, 77777] as const;

type Named = readonly [FaultName, Fault];

/** Faults of one method: what can happen to any answer. */
function answerFaults(method: string): readonly fc.Arbitrary<Named>[] {
  const mutated = (name: FaultName, mutate: Mutation): Named => [name, { method, mutate }];
  return [
    fc.constant<Named>(["lost", { method, reply: "none" }]),
    fc.constant<Named>(["skipped and lost", { method, effect: "skipped", reply: "none" }]),
    fc.constant<Named>(["reset", { method, reply: "none", link: "reset" }]),
    fc.constant<Named>(["skipped and reset", { method, effect: "skipped", reply: "none", link: "reset" }]),
    fc.constant<Named>(["closed after", { method, link: "close" }]),
    fc.constantFrom(300, 2000, 7000, 12_000, 16_000, 25_000, 45_000).map((holdMs): Named => ["held", { method, holdMs }]),
    fc.constant(mutated("truncated", { how: "truncate" })),
    fc.constant(mutated("wrong type", { how: "wrongType" })),
    fc.constant(mutated("wrong id", { how: "id", id: 987_654_321 })),
    fc.constant(mutated("no id", { how: "id" })),
    fc.constant(mutated("text id", { how: "id", id: "1" })),
    fc.constant(mutated("twice", { how: "twice" })),
    fc.constant(mutated("other text", { how: "text", text: GARBAGE["half a frame"] })),
    fc.constant<Named>(["too many requests", { method, effect: "skipped", reply: { code: 10028 } }]),
  ];
}

const lateMs = fc.constantFrom(200, 2500, 8000, 17_000, 30_000, 50_000, 90_000);

const cancelFault: fc.Arbitrary<Named> = fc.oneof(
  ...answerFaults(CANCEL),
  fc.constant<Named>(["overtaken", { method: CANCEL, effect: "overtaken" }]),
  fc.constant<Named>(["overtaken", { method: CANCEL, effect: "overtaken", reply: "none" }]),
  lateMs.map((applyAfterMs): Named => ["late", { method: CANCEL, applyAfterMs }]),
  lateMs.map((applyAfterMs): Named => ["late and reset", { method: CANCEL, applyAfterMs, link: "reset" }]),
  lateMs.map((applyAfterMs): Named => ["late error", { method: CANCEL, applyAfterMs, reply: { code: 13888 } }]),
  fc.constantFrom(...OPEN_CODES).map((code): Named => ["error after all", { method: CANCEL, reply: { code } }]),
  fc.constantFrom(...OPEN_CODES).map((code): Named => ["error, skipped", { method: CANCEL, effect: "skipped", reply: { code } }]),
  fc.constantFrom(...REFUSALS).map((code): Named => ["refused", { method: CANCEL, effect: "skipped", reply: { code } }]),
  fc.constant<Named>(["not signed in", { method: CANCEL, effect: "skipped", reply: { code: 13009 } }]),
  fc.constantFrom("order_id", "order_state", "last_update_timestamp").map((member): Named => ["member missing", { method: CANCEL, mutate: { how: "drop", member } }]),
  fc.constantFrom("order_id", "order_state").map((member): Named => ["wrong type", { method: CANCEL, mutate: { how: "wrongType", member } }]),
  fc.constantFrom("open", "archive", "zzz").map((value): Named => ["odd state", { method: CANCEL, mutate: { how: "set", member: "order_state", value } }]),
  fc.constant<Named>(["other order", { method: CANCEL, mutate: { how: "set", member: "order_id", value: "ETH-1" } }]),
  fc.constant<Named>(["second factor", { method: CANCEL, effect: "skipped", mutate: { how: "set", member: "security_key_authorization_required", value: true } }]),
  fc.constant<Named>(["skipped and lost", { method: CANCEL, effect: "skipped" }]),
);

function readFaults(method: string): fc.Arbitrary<Named> {
  return fc.oneof(
    ...answerFaults(method),
    fc.constantFrom(...READ_CODES).map((code): Named => ["error, skipped", { method, effect: "skipped", reply: { code } }]),
    fc.constant<Named>(["not signed in", { method, effect: "skipped", reply: { code: 13009 } }]),
    fc.constantFrom<Named>(["not offered", { method, effect: "skipped", reply: { code: -32601 } }], ["not offered", { method, effect: "skipped", reply: { code: 13021 } }]),
  );
}

const AUTH = "public/auth";

const authFault: fc.Arbitrary<Named> = fc.oneof(
  ...answerFaults(AUTH),
  fc.constantFrom(...READ_CODES).map((code): Named => ["error, skipped", { method: AUTH, effect: "skipped", reply: { code } }]),
  fc.constant<Named>(["bad credentials", { method: AUTH, effect: "skipped", reply: { code: 13004 } }]),
  fc.constant<Named>(["member missing", { method: AUTH, mutate: { how: "drop", member: "access_token" } }]),
  fc.constantFrom(2, 8, 40).map((value): Named => ["short life", { method: AUTH, mutate: { how: "set", member: "expires_in", value } }]),
  fc.constant<Named>(["other account", { method: AUTH, mutate: { how: "set", member: "scope", value: "name:other trade:read_write account:read_write" } }]),
);

const anyFault: fc.Arbitrary<Named> = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((times): Named => ["any call lost", { reply: "none", times }]),
  fc.constantFrom(400, 6000, 20_000).map((holdMs): Named => ["any call held", { holdMs, times: 2 }]),
  fc.constant<Named>(["any call reset", { link: "reset" }]),
);

const fault: fc.Arbitrary<Step> = fc
  .oneof(
    { weight: 10, arbitrary: cancelFault },
    { weight: 3, arbitrary: readFaults("private/get_order_state") },
    { weight: 4, arbitrary: readFaults("private/get_open_orders") },
    { weight: 2, arbitrary: readFaults("private/subscribe") },
    { weight: 2, arbitrary: authFault },
    { weight: 1, arbitrary: fc.constantFrom("public/test", "public/hello", "public/set_heartbeat", "public/get_time").chain(readFaults) },
    { weight: 1, arbitrary: anyFault },
  )
  .map(([name, what]) => ({ do: "fault", name, fault: what }));

const pick = fc.nat({ max: 40 });
const yes = fc.integer({ min: 0, max: 3 }).map((value) => value > 0);

const person = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant("cancel" as const), pick, from: fc.constantFrom("row" as const, "row" as const, "palette" as const, "file" as const), clicks: fc.constantFrom(1 as const, 1 as const, 1 as const, 2 as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancelSeveral" as const), pick, count: fc.integer({ min: 2, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("request" as const), pick, method: fc.constantFrom("private/get_order_state" as const, "private/get_open_orders" as const, "private/unheard_of" as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("answer" as const), yes }) },
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
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancelByOther" as const), pick, reason: fc.constantFrom("user_request", "mmp_trigger", "cancel_on_disconnect", "autoliquidation") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move" as const), count: fc.integer({ min: 1, max: 5 }) }) },
);

const network = fc.constantFrom<Network>("quick", "usual", "slow");

const trouble = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: "cut" as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("cutAfter" as const), messages: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("swallow" as const), direction: fc.constantFrom("toServer" as const, "toClient" as const, "both" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("closeByServer" as const), code: fc.constantFrom(1000, 1001, 1006, 1012, 1013), reason: fc.constantFrom("", "", "connection_too_slow", "too_many_requests") }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refuse" as const), how: fc.constantFrom("refused" as const, "hangs" as const, "accepts" as const, "accepts" as const, "accepts" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("expireTokens" as const), keepRefreshTokens: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("garbage" as const), text: fc.constantFrom<GarbageName>("event again", "event again", ...(Object.keys(GARBAGE) as (keyof typeof GARBAGE)[])) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("journalFails" as const), isFailing: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("network" as const), network }) },
  { weight: 1, arbitrary: fc.constant({ do: "clearFaults" as const }) },
);

const time = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 120 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 120, max: 6000 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 6000, max: 40_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 60_000, max: 400_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("jump" as const), ms: fc.constantFrom(-7_200_000, -20_000, 20_000, 7_200_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sleep" as const), ms: fc.constantFrom(2000, 40_000, 900_000), isCounted: fc.boolean() }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  // What is of no importance shrinks to nothing.
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "nothing" }) },
  { weight: 36, arbitrary: person },
  { weight: 22, arbitrary: fault },
  { weight: 8, arbitrary: trouble },
  { weight: 16, arbitrary: other },
  { weight: 26, arbitrary: time },
);

/** Between 34 and 60 steps, so that some may be nothing and 30 are left. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.noShrink(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  environment: fc.constantFrom("simulator" as const, "simulator" as const, "simulator" as const, "simulator" as const, "test" as const, "test" as const, "production" as const),
  orders: fc.constantFrom(4, 8, 14),
  network,
  journalMs: fc.constantFrom(0, 0, 5, 40, 400),
  hasOrderState: fc.constantFrom(true, true, true, false),
  steps: fc.array(step, { minLength: 34, maxLength: 60, size: "max" }),
});

/** A schedule as a person reads it, without what is nothing. */
export function describeSchedule(schedule: Schedule): string {
  const { steps, ...rest } = schedule;
  return [JSON.stringify(rest), ...effectiveSteps(steps).map((each, index) => `${String(index + 1).padStart(3)} ${describeStep(each)}`)].join("\n");
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
