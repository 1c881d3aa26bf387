import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import type { Transport } from "../../../src/rpc/transport.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import { VIEW_NAMES } from "../../../src/base/viewNames.ts";
import { draw, flat, lookAtAll, messagesOf, shownOf, viewsOf, type Shown } from "../../everyView.ts";
import { createFakeRandom } from "../../fakeClock.ts";
import { createWorld, type World } from "../../world.ts";
import { anOrder } from "../actions/fakeSession.ts";
import { assertHarmless } from "../present/harmless.ts";
import { watch, type Watched } from "../session/world.ts";
import { makeFrame, pick, type FrameTopics } from "./frameMaker.ts";
import { simulatorFrames } from "./seeds.ts";
import { readStrict } from "./strictJson.ts";
import { rounds } from "../../rounds.mjs";
import { createQuotesStore } from "../../../src/state/quotes.ts";
import { createBlockTradesStore } from "../../../src/state/blockTrades.ts";
import { createMmpStore } from "../../../src/state/mmp.ts";

/*
 * The same texts to a whole connection: what its stores take from them, what its views show, what is said of a change.
 */

const ROUNDS = rounds({ short: 8, full: 16, long: 2000 });
const EVENTS_A_ROUND = 40;
const CANARY = "canary-secret-value-7f31";

/** A connection to the simulator with a hand in its line. */
interface Tapped {
  readonly world: World;
  /** Says a text as the server. */
  readonly say: (text: string) => void;
  /** Each text of the server, on its way; what comes of it arrives. */
  bend: (text: string) => string;
  /** Requests that the client sent, on their way; false: it never arrives. */
  isHeard: (text: string) => boolean;
}

function openTapped(): Tapped {
  const world = createWorld({ orders: 3 });
  const ends: Transport[] = [];
  const tapped: Tapped = { world, say: (text) => ends.at(-1)?.send(text), bend: (text) => text, isHeard: () => true };
  const accept = world.exchange.accept.bind(world.exchange);
  const tap = (end: Transport): void => {
    ends.push(end);
    const onText: Transport["onText"] = (listener) =>
      end.onText((text) => {
        if (tapped.isHeard(text)) listener(text);
      });
    accept({ ...end, onText, send: (text) => end.send(tapped.bend(text)) });
  };
  Object.assign(world.exchange, { accept: tap });
  return tapped;
}

/** Channels of the views, and what is said on them when all is well. */
function eventSeeds(channels: readonly string[]): readonly string[] {
  const data = [
    anOrder("O1"),
    { ...anOrder("O2"), label: "x" },
    [anOrder("O3")],
    { trades: [], orders: [anOrder("O4")], positions: [] },
    [],
    { state: "open" },
  ];
  return channels.flatMap((channel) =>
    data.map((each) => JSON.stringify({ jsonrpc: "2.0", method: "subscription", params: { channel, data: each } })),
  );
}

function channelsOf({ exchange }: World): readonly string[] {
  return exchange.control
    .ledger()
    .flatMap(({ method, text }) =>
      method?.endsWith("/subscribe") === true
        ? (JSON.parse(text) as { readonly params: { readonly channels: string[] } }).params.channels
        : [],
    );
}

/** All block trades have the same rows, and drawing them all takes most of the time. */
function fewTrades(shown: Shown): Shown {
  const { snapshot, hasMore, isLoadingMore, arrivals } = shown.blockTrades;
  return {
    ...shown,
    blockTrades: {
      hasMore,
      isLoadingMore,
      arrivals,
      snapshot: { ...snapshot, items: new Map([...snapshot.items].slice(0, 4)) },
    },
  };
}

function drawAll(world: World, about: string): number {
  const shown = fewTrades(shownOf(world));
  const trees = viewsOf([shown]);
  let count = 0;
  for (const view of VIEW_NAMES) {
    const rows = flat(draw(trees[view]));
    assert.equal(new Set(rows.map(({ row }) => row.id)).size, rows.length, `two rows with one id in ${view}, ${about}`);
    for (const { row, tooltip } of rows) {
      count++;
      const all = [
        row.label,
        row.description,
        row.spoken,
        ...tooltip.map(({ name, value }) => `${name ?? ""} ${value}`),
      ];
      const texts = all.join("\n");
      assert.equal(texts.split("\n").length, all.length, `a line too many in ${view}, ${about}: ${texts}`);
      assertHarmless(texts, `${view}, ${about}`, "several");
      if (texts.includes(CANARY)) assert.fail(`a secret in ${view}, ${about}: ${texts}`);
    }
  }
  for (const [view, text] of Object.entries(messagesOf(shown)))
    assertHarmless(text, `the heading of ${view}, ${about}`, "several");
  return count;
}

/**
 * What came back for a cancel: whether one text of it is its own valid response that says that the order is cancelled.
 */
function isProof(texts: readonly string[], wireId: string, orderId: string): boolean {
  return texts.some((text) => {
    const strict = readStrict(text);
    if (strict === undefined || strict.isRepeated || strict.members.get("id") !== wireId || strict.members.has("error"))
      return false;
    const result = strict.value["result"] as Readonly<Record<string, unknown>> | undefined;
    return result?.["order_id"] === orderId && result["order_state"] === "cancelled";
  });
}

interface Pressed {
  readonly wireId: string;
  readonly orderId: string;
  readonly outcome: Watched<Outcome>;
}

/** Presses Cancel; the request is swallowed on its way, so that whatever is said of it was not done. */
async function pressCancel(tapped: Tapped): Promise<Pressed | undefined> {
  const { world } = tapped;
  const { live, clock } = world;
  const [item] = live.orders.snapshot.items.values();
  if (item === undefined || live.state.status !== "ready") return undefined;
  let wireId: string | undefined;
  tapped.isHeard = (text) => {
    if (!text.includes('"private/cancel"')) return true;
    wireId = readStrict(text)?.members.get("id");
    return false;
  };
  const { order } = item;
  const outcome = watch(
    live.gate.submit(
      cancelOrder(order, {
        origin: "view",
        nowMs: clock.now(),
        ...orderLookups(live.orders),
      }),
    ),
  );
  await clock.settle();
  return wireId === undefined ? undefined : { wireId, orderId: order.order_id, outcome };
}

const seen = { rows: 0, events: 0, unknown: 0, confirmed: 0, readAgain: 0 };

async function play(seed: number, seeds: readonly string[]): Promise<void> {
  const about = `seed ${String(seed)}`;
  const random = createFakeRandom(seed);
  const tapped = openTapped();
  const { world, say } = tapped;
  const { live, clock } = world;
  await world.connect();
  await lookAtAll(world);
  const channels = channelsOf(world);
  assert.ok(channels.length > 0);
  const topics: FrameTopics = {
    ids: [1, 2, 99_999],
    seeds: [...seeds, ...eventSeeds(channels), ...eventSeeds(channels)],
    canary: CANARY,
    channels,
  };
  for (let sent = 0; sent < EVENTS_A_ROUND; sent++) {
    say(makeFrame(random, topics).text);
    if (sent % 8 === 7) await clock.advance(61_000);
  }
  seen.events += live.eventCount;
  seen.rows += drawAll(world, about);
  // Responses that come bent, until everything has been read again.
  tapped.bend = (text) => (random() < 0.5 ? makeFrame(random, { ...topics, seeds: [text] }).text : text);
  for (const store of [
    live.storeOf(createBlockTradesStore),
    live.storeOf(createMmpStore),
    live.storeOf(createQuotesStore),
    live.apiKeys,
    live.orders,
  ])
    void store.refresh();
  await clock.advance(15_000);
  drawAll(world, about);
  tapped.bend = (text) => text;
  await clock.advance(180_000);
  live.connect();
  await clock.advance(60_000);
  const pressed = await pressCancel(tapped);
  if (pressed !== undefined) {
    seen.readAgain++;
    await checkChange(tapped, pressed, { random, topics, about });
  }
  live.dispose();
  await clock.advance(3000);
  assert.equal(clock.pendingTimers, 0, `timers are left, ${about}`);
  assert.ok(
    !world.logged
      .filter((line) => !/^(?:←|→|received|sent)/.test(line))
      .join("\n")
      .includes(CANARY),
    about,
  );
}

/** Bent responses to the cancel, and perhaps one that is whole; then its time passes. */
async function checkChange(
  tapped: Tapped,
  { wireId, orderId, outcome }: Pressed,
  { random, topics, about }: { readonly random: () => number; readonly topics: FrameTopics; readonly about: string },
): Promise<void> {
  const { world, say } = tapped;
  const proofs = [
    { ...anOrder(orderId), order_state: "cancelled" },
    { ...anOrder("O9"), order_state: "cancelled" },
    anOrder(orderId),
  ];
  const seeds = proofs.map((order) => `{"jsonrpc":"2.0","id":${wireId},"result":${JSON.stringify(order)}}`);
  const texts = Array.from({ length: 3 }, () =>
    random() < 0.15 ? pick(random, seeds) : makeFrame(random, { ...topics, seeds, ids: [Number(wireId)] }).text,
  );
  // A proof among them is rare otherwise.
  if (random() < 0.4) texts.unshift(...seeds.slice(0, 1));
  for (const text of texts) say(text);
  await world.clock.advance(20_000);
  assert.ok(outcome.isSettled, about);
  if (outcome.value?.kind === "confirmed") {
    seen.confirmed++;
    assert.ok(isProof(texts, wireId, orderId), `done without a proof, ${about}: ${texts.join("\n")}`);
  }
  if (outcome.value?.kind !== "unknown") return;
  seen.unknown++;
  await world.clock.advance(120_000);
  const verdicts = world.live.gate.activity.flatMap((entry) => entry.verdicts.map(({ kind }) => kind));
  assert.ok(!verdicts.includes("applied"), `${verdicts.join(" ")}, ${about}`);
}

/** Plays rounds of texts that are bent out of what the simulator says and out of messages. */
export function describeScreens(messages: readonly string[]): void {
  describe("a connection that hears texts of every kind of wrongness", () => {
    let simulated: readonly string[] = [];
    const prototypeKeys = Reflect.ownKeys(Object.prototype);
    beforeAll(async () => {
      simulated = await simulatorFrames();
    });

    test(`${String(ROUNDS)} rounds: what is shown is harmless, and no change is said to be done without a proof`, async () => {
      for (let seed = 1; seed <= ROUNDS; seed++) await play(seed, [...simulated, ...messages]);
      assert.deepEqual(Reflect.ownKeys(Object.prototype), prototypeKeys);
      for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, what);
    });
  });
}
