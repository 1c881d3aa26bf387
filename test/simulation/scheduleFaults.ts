import fc from "fast-check";
import type { Fault, Mutation } from "../../src/simulator/wire/faults.ts";
import { GARBAGE, type FaultName } from "./scheduleTexts.ts";

/* What can go wrong with a call, method by method, by the names that the table of coverage uses. */

export type Named = readonly [FaultName, Fault];

const CANCEL = "private/cancel";
/** Codes that leave open what a cancel did; 77777 is unknown. */
const OPEN_CODES = [13888, 11094, 13028, 13008, -32603, 77777] as const;
/** Codes that say of any change that nothing was done. The simulator gives the true ones by itself. */
const REFUSALS = [-32602, -32601, 13021] as const;
const CANCEL_REFUSALS = [10004, 10010, 10011, 11044, ...REFUSALS] as const;
const FACTOR_REFUSALS = [13668, 12998, 13904, 13403] as const;
const READ_CODES = [13888, 13028, -32603, 11051, 10040, 77777] as const;

/** Stands in no sink: where a challenge is made up, it carries this. */
export const MADE_UP_CHALLENGE = "CANARY-challenge-8a1f";

/** Faults of one method: what can happen to any response. */
function responseFaults(method: string): readonly fc.Arbitrary<Named>[] {
  const mutated = (name: FaultName, mutate: Mutation): Named => [name, { method, mutate }];
  return [
    fc.constant<Named>(["lost", { method, response: "none" }]),
    fc.constant<Named>(["skipped and lost", { method, effect: "skipped", response: "none" }]),
    fc.constant<Named>(["reset", { method, response: "none", link: "reset" }]),
    fc.constant<Named>(["skipped and reset", { method, effect: "skipped", response: "none", link: "reset" }]),
    fc.constant<Named>(["closed after", { method, link: "close" }]),
    fc
      .constantFrom(300, 2000, 7000, 12_000, 16_000, 25_000, 45_000)
      .map((holdMs): Named => ["held", { method, holdMs }]),
    fc.constant(mutated("truncated", { how: "truncate" })),
    fc.constant(mutated("wrong type", { how: "wrongType" })),
    fc.constant(mutated("wrong id", { how: "id", id: 987_654_321 })),
    fc.constant(mutated("no id", { how: "id" })),
    fc.constant(mutated("text id", { how: "id", id: "1" })),
    fc.constant(mutated("twice", { how: "twice" })),
    fc.constant(mutated("other text", { how: "text", text: GARBAGE["half a frame"] })),
    fc.constant<Named>(["too many requests", { method, effect: "skipped", response: { code: 10028 } }]),
  ];
}

const lateMs = fc.constantFrom(200, 2500, 8000, 17_000, 30_000, 50_000, 90_000);

/** What can happen to anything that changes something; `refusals` are codes after which nothing was done. */
function changeFaults(method: string, refusals: readonly number[]): readonly fc.Arbitrary<Named>[] {
  return [
    ...responseFaults(method),
    lateMs.map((applyAfterMs): Named => ["late", { method, applyAfterMs }]),
    lateMs.map((applyAfterMs): Named => ["late and reset", { method, applyAfterMs, link: "reset" }]),
    lateMs.map((applyAfterMs): Named => ["late error", { method, applyAfterMs, response: { code: 13888 } }]),
    fc.constantFrom(...OPEN_CODES).map((code): Named => ["error after all", { method, response: { code } }]),
    fc
      .constantFrom(...OPEN_CODES)
      .map((code): Named => ["error, skipped", { method, effect: "skipped", response: { code } }]),
    fc.constantFrom(...refusals).map((code): Named => ["refused", { method, effect: "skipped", response: { code } }]),
    fc.constant<Named>(["not signed in", { method, effect: "skipped", response: { code: 13009 } }]),
  ];
}

const cancelFault: fc.Arbitrary<Named> = fc.oneof(
  ...changeFaults(CANCEL, CANCEL_REFUSALS),
  fc.constant<Named>(["overtaken", { method: CANCEL, effect: "overtaken" }]),
  fc.constant<Named>(["overtaken", { method: CANCEL, effect: "overtaken", response: "none" }]),
  fc
    .constantFrom("order_id", "order_state", "last_update_timestamp")
    .map((member): Named => ["member missing", { method: CANCEL, mutate: { how: "drop", member } }]),
  fc
    .constantFrom("order_id", "order_state")
    .map((member): Named => ["wrong type", { method: CANCEL, mutate: { how: "wrongType", member } }]),
  fc
    .constantFrom("open", "archive", "zzz")
    .map((value): Named => ["odd state", { method: CANCEL, mutate: { how: "set", member: "order_state", value } }]),
  fc.constant<Named>(["other order", { method: CANCEL, mutate: { how: "set", member: "order_id", value: "ETH-1" } }]),
  fc.constant<Named>([
    "second factor",
    {
      method: CANCEL,
      effect: "skipped",
      mutate: { how: "set", member: "security_key_authorization_required", value: true },
    },
  ]),
  fc.constant<Named>(["skipped and lost", { method: CANCEL, effect: "skipped" }]),
);

/** A challenge in the envelope of a success, which has changed nothing; with `webauthn` no code answers it. */
function challengeFault(method: string): fc.Arbitrary<Named> {
  return fc.constantFrom("tfa", "webauthn").map((type): Named => [
    "second factor",
    {
      method,
      effect: "skipped",
      mutate: {
        how: "result",
        value: {
          security_key_authorization_required: true,
          security_keys: [{ type, name: "k" }],
          rp_id: "x",
          challenge: MADE_UP_CHALLENGE,
        },
      },
    },
  ]);
}

const keyFault = fc
  .constantFrom(
    "private/edit_api_key",
    "private/change_scope_in_api_key",
    "private/enable_api_key",
    "private/disable_api_key",
  )
  .chain((method) =>
    fc.oneof(
      ...changeFaults(method, [...REFUSALS, ...FACTOR_REFUSALS]),
      challengeFault(method),
      fc.constant<Named>(["skipped", { method, effect: "skipped" }]),
      fc
        .constantFrom("id", "max_scope", "client_id", "enabled")
        .map((member): Named => ["member missing", { method, mutate: { how: "drop", member } }]),
      fc
        .constantFrom("id", "max_scope")
        .map((member): Named => ["wrong type", { method, mutate: { how: "wrongType", member } }]),
      fc.constant<Named>(["other object", { method, mutate: { how: "set", member: "id", value: 99 } }]),
      fc.constantFrom<Named>(
        ["other value", { method, mutate: { how: "set", member: "max_scope", value: "account:read" } }],
        ["other value", { method, mutate: { how: "set", member: "name", value: "else" } }],
      ),
    ),
  );

const limitsFault = fc.oneof(
  ...changeFaults("private/set_mmp_config", REFUSALS),
  challengeFault("private/set_mmp_config"),
  fc.constant<Named>(["skipped", { method: "private/set_mmp_config", effect: "skipped" }]),
  fc.constantFrom<Named>(
    [
      "other object",
      {
        method: "private/set_mmp_config",
        mutate: { how: "result", value: [{ index_name: "sol_usdc", mmp_group: "g9", interval: 1, frozen_time: 1 }] },
      },
    ],
    ["other value", { method: "private/set_mmp_config", mutate: { how: "result", value: [] } }],
  ),
  ...changeFaults("private/reset_mmp", REFUSALS),
);

const quoteFault = fc.oneof(
  ...changeFaults("private/cancel_block_rfq_quote", CANCEL_REFUSALS),
  fc.constant<Named>(["overtaken", { method: "private/cancel_block_rfq_quote", effect: "overtaken" }]),
  fc.constant<Named>([
    "overtaken",
    { method: "private/cancel_block_rfq_quote", effect: "overtaken", response: "none" },
  ]),
  fc.constant<Named>(["skipped", { method: "private/cancel_block_rfq_quote", effect: "skipped" }]),
  fc
    .constantFrom("block_rfq_quote_id", "quote_state")
    .map((member): Named => [
      "member missing",
      { method: "private/cancel_block_rfq_quote", mutate: { how: "drop", member } },
    ]),
  fc.constant<Named>([
    "other object",
    { method: "private/cancel_block_rfq_quote", mutate: { how: "set", member: "block_rfq_quote_id", value: 7 } },
  ]),
  fc
    .constantFrom("open", "zzz")
    .map((value): Named => [
      "odd state",
      { method: "private/cancel_block_rfq_quote", mutate: { how: "set", member: "quote_state", value } },
    ]),
  ...changeFaults("private/cancel_all_block_rfq_quotes", REFUSALS),
  fc.constantFrom<Named>(
    ["skipped", { method: "private/cancel_all_block_rfq_quotes", effect: "skipped" }],
    ["other value", { method: "private/cancel_all_block_rfq_quotes", mutate: { how: "result", value: [] } }],
  ),
);

const massFault = fc
  .constantFrom(
    "private/cancel_all",
    "private/cancel_all_by_instrument",
    "private/cancel_all_by_currency",
    "private/cancel_by_label",
  )
  .chain((method) => fc.oneof(...changeFaults(method, REFUSALS)));

const EXCHANGE = "public/exchange_token";

const switchFault = fc.oneof(
  ...changeFaults(EXCHANGE, [...REFUSALS, 13004, 13403]),
  fc
    .constantFrom("access_token", "refresh_token")
    .map((member): Named => ["member missing", { method: EXCHANGE, mutate: { how: "drop", member } }]),
  fc
    .constantFrom(2, 8, 40)
    .map((value): Named => ["short life", { method: EXCHANGE, mutate: { how: "set", member: "expires_in", value } }]),
);

function readFaults(method: string): fc.Arbitrary<Named> {
  return fc.oneof(
    ...responseFaults(method),
    fc
      .constantFrom(...READ_CODES)
      .map((code): Named => ["error, skipped", { method, effect: "skipped", response: { code } }]),
    fc.constant<Named>(["not signed in", { method, effect: "skipped", response: { code: 13009 } }]),
    fc.constantFrom<Named>(
      ["not supported", { method, effect: "skipped", response: { code: -32601 } }],
      ["not supported", { method, effect: "skipped", response: { code: 13021 } }],
    ),
  );
}

const AUTH = "public/auth";

const authFault: fc.Arbitrary<Named> = fc.oneof(
  ...responseFaults(AUTH),
  fc
    .constantFrom(...READ_CODES)
    .map((code): Named => ["error, skipped", { method: AUTH, effect: "skipped", response: { code } }]),
  fc.constant<Named>(["bad credentials", { method: AUTH, effect: "skipped", response: { code: 13004 } }]),
  fc.constant<Named>(["member missing", { method: AUTH, mutate: { how: "drop", member: "access_token" } }]),
  fc
    .constantFrom(2, 8, 40)
    .map((value): Named => ["short life", { method: AUTH, mutate: { how: "set", member: "expires_in", value } }]),
  fc.constant<Named>([
    "other account",
    { method: AUTH, mutate: { how: "set", member: "scope", value: "name:other trade:read_write account:read_write" } },
  ]),
);

const anyFault: fc.Arbitrary<Named> = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((times): Named => ["any call lost", { response: "none", times }]),
  fc.constantFrom(400, 6000, 20_000).map((holdMs): Named => ["any call held", { holdMs, times: 2 }]),
  fc.constant<Named>(["any call reset", { link: "reset" }]),
);

/** Any fault of any method. */
export const namedFault: fc.Arbitrary<Named> = fc.oneof(
  { weight: 10, arbitrary: cancelFault },
  { weight: 8, arbitrary: keyFault },
  { weight: 5, arbitrary: limitsFault },
  { weight: 6, arbitrary: quoteFault },
  { weight: 3, arbitrary: massFault },
  { weight: 5, arbitrary: switchFault },
  { weight: 3, arbitrary: readFaults("private/get_order_state") },
  { weight: 4, arbitrary: readFaults("private/get_open_orders") },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        "private/list_api_keys",
        "private/get_mmp_config",
        "private/get_mmp_status",
        "private/get_block_rfq_quotes",
      )
      .chain(readFaults),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("private/get_account_summaries", "public/unsubscribe_all", "public/get_last_trades_by_instrument")
      .chain(readFaults),
  },
  { weight: 1, arbitrary: challengeFault("private/list_api_keys") },
  { weight: 2, arbitrary: readFaults("private/subscribe") },
  { weight: 2, arbitrary: authFault },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("public/test", "public/hello", "public/set_heartbeat", "public/get_time")
      .chain(readFaults),
  },
  { weight: 1, arbitrary: anyFault },
);
