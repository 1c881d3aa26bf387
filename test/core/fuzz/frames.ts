import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { outcomeOf } from "../../../src/actions/judge/responseOutcome.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { effectOf } from "../../../src/catalogue/index.ts";
import { readFrame, type Frame } from "../../../src/rpc/frame.ts";
import { createInbox } from "../../../src/rpc/inbox.ts";
import { createSecretValues } from "../../../src/rpc/maskSecrets.ts";
import { createPeer, type Peer } from "../../../src/rpc/peer.ts";
import { maskEvent, maskResponse, type UnmaskedResponse } from "../../../src/rpc/maskResponse.ts";
import { anOrder } from "../actions/fakeSession.ts";
import { createLines, watch, type Watched } from "../session/world.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { makeFrame, pick, type FrameTopics, type MadeFrame } from "./frameMaker.ts";
import { simulatorFrames } from "./seeds.ts";
import { readStrict, type StrictObject } from "./strictJson.ts";
import { rounds } from "../../rounds.mjs";

/* Texts of every kind of wrongness to a conversation in which calls wait: reliability §5.2, G3. */

const FRAMES = rounds({ short: 2400, full: 24_000, long: 1_000_000 });
const FRAMES_A_ROUND = 12;
const TIMEOUT_MS = 15_000;
const CANARY = "canary-secret-value-7f31";

/** What waits, in the order of its ids; the writes are those that must never be said to be done without a proof. */
const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["private/cancel", { order_id: "O1" }],
  ["private/cancel_all_block_rfq_quotes", {}],
  ["private/edit_api_key", { id: 4, name: "desk", max_scope: "trade:read" }],
  ["private/get_open_orders", {}],
  ["public/get_time", {}],
  ["private/get_block_trade", { id: "61" }],
  ["private/cancel_block_rfq_quote", { block_rfq_quote_id: 5 }],
];
const FIRST_ID = 1001;
/** The last two belong to no call. */
const IDS = [...CALLS.map((_, index) => FIRST_ID + index), 7, 99_999];

/** Responses that would be the proof for one of the writes, and such that are nearly so. */
const PROOFS = [
  respond(0, { ...anOrder("O1"), order_state: "cancelled" }),
  respond(0, { ...anOrder("O2"), order_state: "cancelled" }),
  respond(0, anOrder("O1")),
  respond(1, 3),
  respond(1, -3),
  respond(2, {
    id: 4,
    name: "desk",
    max_scope: "trade:read",
    client_id: "c",
    client_secret: CANARY,
    enabled: true,
    timestamp: 1,
  }),
  respond(2, { security_key_authorization_required: true, challenge: "c" }),
  respond(4, 1_700_000_000_000),
];

function respond(call: number, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${String(FIRST_ID + call)},"result":${JSON.stringify(result)}}`;
}

/** What the reader has to make of a text, told from the text by another way. */
function expectedKind(strict: StrictObject | undefined): Frame["kind"] {
  if (
    strict === undefined ||
    strict.depth > 64 ||
    strict.names.has("__proto__") ||
    strict.isRepeated ||
    strict.members.get("jsonrpc") !== '"2.0"'
  )
    return "odd";
  return strict.members.has("result") || strict.members.has("error") ? responseKind(strict) : notificationKind(strict);
}

function responseKind(strict: StrictObject): Frame["kind"] {
  const { value, members } = strict;
  const isError = members.has("error");
  if (isError && (members.has("result") || !isErrorObject(value["error"]))) return "odd";
  if (idOf(strict) !== undefined) return "response";
  return isError && (value["id"] === undefined || value["id"] === null) ? "notice" : "odd";
}

function notificationKind({ value }: StrictObject): Frame["kind"] {
  const { method, params } = value as { readonly method?: unknown; readonly params?: unknown };
  if (typeof method !== "string") return "odd";
  if (method === "heartbeat") return "heartbeat";
  if (method !== "subscription") return "other";
  return typeof params === "object" &&
    params !== null &&
    "channel" in params &&
    typeof params.channel === "string" &&
    "data" in params &&
    !Array.isArray(params)
    ? "event"
    : "odd";
}

function isErrorObject(value: unknown): boolean {
  const { code, message } = (value ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return Number.isInteger(code) && typeof message === "string";
}

function idOf({ members }: StrictObject): number | undefined {
  const literal = members.get("id") ?? "";
  return /^(?:0|[1-9]\d*)$/.test(literal) && Number.isSafeInteger(Number(literal)) ? Number(literal) : undefined;
}

/** A text as the reader read it and as the grammar has it. */
interface Reading {
  readonly frame: Frame;
  readonly strict: StrictObject | undefined;
  readonly kind: Frame["kind"];
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly waiting: Watched<UnmaskedResponse>;
}

interface Round {
  readonly seed: number;
  readonly clock: FakeClock;
  readonly peer: Peer;
  readonly calls: readonly Call[];
  readonly lines: string[];
  /** What came while the conversation lasted. */
  readonly came: Reading[];
  /** Every masked text and value that left it. */
  readonly left: string[];
  deliver(text: string, reading: Reading): void;
  loseLink(): void;
}

function openRound(seed: number): Round {
  const clock = createFakeClock();
  const inbox = createInbox();
  const lines: string[] = [];
  const left: string[] = [];
  const came: Reading[] = [];
  let id = FIRST_ID;
  const values = createSecretValues();
  values.add(CANARY);
  const end = (): void => inbox.finish({ trouble: "closedByUs", detail: "" });
  const transport = {
    description: "",
    send: () => undefined,
    onText: inbox.onText,
    onClose: inbox.onClose,
    close: end,
    terminate: end,
    dispose: end,
  };
  const peer = createPeer({
    transport,
    clock,
    log: createLines(lines),
    nextWireId: () => id++,
    hide: (text) => values.hide(text),
  });
  let isOver = false;
  peer.onClose(() => {
    isOver = true;
  });
  // By their names alone: the values are not known.
  peer.onEvent((event) => {
    left.push(keep(maskEvent(event, createSecretValues())));
  });
  const calls = CALLS.map(([method, params], index) => ({
    id: FIRST_ID + index,
    method,
    params,
    waiting: watch(peer.call(method, JSON.stringify(params), { timeoutMs: TIMEOUT_MS })),
  }));
  return {
    seed,
    clock,
    peer,
    calls,
    lines,
    came,
    left,
    deliver(text, reading) {
      if (isOver) return;
      came.push(reading);
      inbox.receive(text);
    },
    loseLink: () => inbox.finish({ trouble: "closedByServer", detail: `\u001b[31m${CANARY}` }),
  };
}

function keep(value: unknown): string {
  return JSON.stringify(value);
}

/** What happened over all rounds: what the test would prove nothing without. */
const seen = { responses: 0, events: 0, odd: 0, confirmed: 0, unreadable: 0, timeouts: 0, lost: 0 };

async function play(seed: number, seeds: readonly string[]): Promise<void> {
  const random = createFakeRandom(seed);
  const topics: FrameTopics = {
    ids: IDS,
    seeds,
    canary: CANARY,
    channels: ["user.orders.any.any.raw", "trades.BTC-PERPETUAL.raw", "a.\u202e\r\n"],
  };
  const round = openRound(seed);
  const made = Array.from({ length: FRAMES_A_ROUND }, () =>
    random() < 0.1 ? { text: pick(random, PROOFS), isWhole: true } : makeFrame(random, topics),
  );
  for (const each of made) {
    round.deliver(each.text, checkReading(each, seed));
  }
  await round.clock.settle();
  const end = random();
  if (end < 0.2) round.loseLink();
  else if (end < 0.3) round.peer.close();
  await round.clock.advance(TIMEOUT_MS - 1);
  assert.equal(end < 0.3 ? round.peer.pendingCount : 0, 0, `pending after the end, seed ${String(seed)}`);
  await round.clock.advance(1);
  assert.equal(round.peer.pendingCount, 0, `a call still waits after its time, seed ${String(seed)}`);
  for (const call of round.calls) checkCall(call, round);
  const told = [...round.lines, ...round.left].join("\n");
  assert.doesNotMatch(round.lines.join(""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u, `seed ${String(seed)}`);
  assert.ok(!round.lines.join("\n").includes(CANARY), `a secret in the log, seed ${String(seed)}`);
  assert.equal(
    told.includes(CANARY) && made.every(({ isWhole }) => isWhole),
    false,
    `a secret has left, seed ${String(seed)}`,
  );
}

/** The reader against the grammar. */
function checkReading({ text, isWhole }: MadeFrame, seed: number): Reading {
  const strict = readStrict(text);
  const frame = readFrame(text);
  const kind = expectedKind(strict);
  const about = (): string => `seed ${String(seed)}: ${JSON.stringify(text)}`;
  if (frame.kind !== kind) assert.equal(frame.kind, kind, about());
  if (frame.kind === "odd") {
    seen.odd++;
    // Written as a whole number: at the end of the text it may be cut short.
    if (frame.id !== undefined && !new RegExp(`(?<![\\d.e"-])${String(frame.id)}(?![\\d.e"]|$)`).test(text))
      assert.fail(about());
  }
  if (frame.kind === "event" && isWhole) {
    seen.events++;
    if (keep(maskEvent(frame.event, createSecretValues())).includes(CANARY))
      assert.fail(`a secret in an event: ${about()}`);
  }
  if (frame.kind === "response" && strict !== undefined) {
    seen.responses++;
    const text = strict.members.get(strict.members.has("error") ? "error" : "result");
    if (frame.id !== idOf(strict) || frame.body.text !== text)
      assert.deepEqual([frame.id, frame.body.text], [idOf(strict), text], about());
  }
  return { frame, strict, kind };
}

/**
 * Settled once, by what is its own: the first valid response with its id, an unreadable text with its id, the end, its
 * time.
 */
function checkCall(call: Call, { came, clock, seed }: Round): void {
  const { waiting, id, method } = call;
  const about = `${method} ${String(id)}, seed ${String(seed)}`;
  assert.ok(waiting.isSettled, `never settled: ${about}`);
  const decisive = came.find(({ frame }) => (frame.kind === "response" || frame.kind === "odd") && frame.id === id);
  if (waiting.value !== undefined) {
    const strict = decisive?.strict;
    assert.ok(
      strict !== undefined && decisive?.kind === "response" && idOf(strict) === id,
      `not its own response: ${about}`,
    );
    assert.equal(waiting.value.bodyText, strict.members.get("result") ?? strict.members.get("error"), about);
    checkOutcome(call, waiting.value, strict, about);
    return;
  }
  const kind = waiting.failure?.kind;
  if (decisive !== undefined)
    assert.equal(kind, decisive.frame.kind === "odd" ? "unreadableResult" : "a response", about);
  else assert.ok(kind === "timeout" || kind === "connectionLost", `${String(kind)}: ${about}`);
  if (kind === "unreadableResult") seen.unreadable++;
  else if (kind === "timeout") seen.timeouts++;
  else seen.lost++;
  assert.ok(
    waiting.failure !== undefined &&
      outcomeOf(method, effectOf(method), waiting.failure, expectationsOf(call)).kind !== "confirmed",
    about,
  );
  assert.equal(clock.monotonicMs(), TIMEOUT_MS);
}

function expectationsOf({ params }: Call): Parameters<typeof outcomeOf>[3] {
  return { orderId: params["order_id"] as string | undefined, params };
}

/**
 * What a write is said to have done is what the response says, in the members that prove it; no secret is in what is
 * handed on.
 */
function checkOutcome(call: Call, response: UnmaskedResponse, { value }: StrictObject, about: string): void {
  const values = createSecretValues();
  values.add(CANARY);
  const masked = maskResponse(response, values);
  const kept = keep([masked.bodyText, masked.result, masked.error]);
  assert.ok(!kept.includes(CANARY), `a secret in a response: ${about}`);
  const outcome: Outcome = outcomeOf(call.method, effectOf(call.method), masked, expectationsOf(call));
  if (outcome.kind !== "confirmed" || effectOf(call.method) === "read") return;
  seen.confirmed++;
  const result = value["result"] as Readonly<Record<string, unknown>> | number;
  const proofs: Readonly<Record<string, () => boolean>> = {
    "private/cancel": () =>
      typeof result === "object" && result["order_id"] === "O1" && result["order_state"] === "cancelled",
    "private/cancel_all_block_rfq_quotes": () => typeof result === "number" && Number.isInteger(result) && result >= 0,
    "private/edit_api_key": () =>
      typeof result === "object" &&
      result["id"] === 4 &&
      result["name"] === "desk" &&
      result["max_scope"] === "trade:read",
    "private/cancel_block_rfq_quote": () =>
      typeof result === "object" && result["block_rfq_quote_id"] === 5 && result["quote_state"] === "cancelled",
  };
  assert.ok(
    value["error"] === undefined && proofs[call.method]?.() === true,
    `done without a proof: ${about} ${keep(value)}`,
  );
}

/** Rounds that once went wrong. */
const KEPT_SEEDS: readonly number[] = [];

/** Plays texts that are bent out of messages, and those of a grammar and of the simulator where `isWhole`. */
export function describeFrames({
  whose,
  messages,
  isWhole,
}: {
  readonly whose: string;
  readonly messages: readonly string[];
  readonly isWhole: boolean;
}): void {
  describe("texts of every kind of wrongness", () => {
    let simulated: readonly string[] = [];
    const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype].map(
      (each) => [each, Reflect.ownKeys(each)] as const,
    );
    beforeAll(async () => {
      simulated = await simulatorFrames();
    });

    const playAll = async (firstSeed: number, frames: number, seeds: readonly string[]): Promise<void> => {
      for (let seed = firstSeed; seed < firstSeed + frames / FRAMES_A_ROUND; seed++) await play(seed, seeds);
      for (const [prototype, keys] of prototypes)
        assert.deepEqual(Reflect.ownKeys(prototype), keys, "a prototype was changed");
    };

    if (isWhole) {
      test(`${String(FRAMES / 2)} made by a grammar or bent out of the simulator's`, async () => {
        for (const seed of KEPT_SEEDS) await play(seed, simulated);
        await playAll(1, FRAMES / 2, simulated);
      });
    }

    test(`${String(FRAMES / 2)} bent out of ${whose}`, async () => {
      await playAll(1_000_000, FRAMES / 2, messages);
    });

    test("among them are all ways in which a call can end", () => {
      for (const [what, count] of Object.entries(seen)) assert.ok(count > 20, `${what}: ${String(count)}`);
    });
  });
}
