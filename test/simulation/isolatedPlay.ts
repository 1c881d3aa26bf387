import { cancelMatching, cancelOneByOne, type CancelScope } from "../../src/actions/changes/cancelMany.ts";
import type { Intent } from "../../src/actions/intent/intent.ts";
import type { ActivityEntry } from "../../src/actions/journal/activity.ts";
import type { Outcome, OrderVerdict } from "../../src/actions/judge/outcome.ts";
import { toFailure } from "../../src/base/failure.ts";
import { plain } from "../../src/base/plain.ts";
import { createSeededRandom, randomInteger, randomOf } from "../../src/simulator/text/seededRandom.ts";
import type { Fault } from "../../src/simulator/wire/faults.ts";
import { openOrders, orderLookups, type Order } from "../../src/state/orders.ts";
import { createWorld, type World } from "../world.ts";

/*
 * Random schedules at the gateway: cross and isolated orders, cancels with every flag, lost and late responses and
 * events, slots that lists leave out, and other clients. Each outcome and verdict is judged by the simulator's own state.
 */

/** What one schedule came to. */
export interface PlayedSchedule {
  /** What was said that the simulator's state contradicts. */
  readonly wrong: readonly string[];
  /** How often each outcome and verdict was said. */
  readonly counts: ReadonlyMap<string, number>;
  /** The steps, to be read after a failure. */
  readonly steps: readonly string[];
}

const NAMES = ["SOL_USDC-PERPETUAL", "XRP_USDC-PERPETUAL", "ETH_USDC-PERPETUAL"] as const;
const SPECS = {
  "SOL_USDC-PERPETUAL": { amount: 10, price: 100 },
  "XRP_USDC-PERPETUAL": { amount: 100, price: 1 },
  "ETH_USDC-PERPETUAL": { amount: 1, price: 1500 },
} as const;
const LABELS = ["", "one", "two"] as const;
/** The codes that prove a refusal, and one that proves nothing. */
const REFUSALS = [10_009, 13_009, -32_603] as const;

type Random = () => number;

interface Play {
  readonly world: World;
  readonly random: Random;
  readonly steps: string[];
  /** The IDs of all orders that there ever were, in the order of their placing. */
  readonly ids: string[];
}

/** Plays the schedule of a seed. */
export async function playIsolated(seed: number): Promise<PlayedSchedule> {
  const random = createSeededRandom(seed);
  const gateway = {
    wrongKindCode: randomOf(random, [10_004, 10_029]),
    cancelsReachOmitted: random() < 0.5,
    disconnectReachesSlots: random() < 0.5,
  };
  const world = createWorld({ gateway, orders: 0, seed });
  const play: Play = { world, random, steps: [JSON.stringify(gateway)], ids: [] };
  for (let count = randomInteger(random, 1, 3); count > 0; count--) place(play, false);
  for (let count = randomInteger(random, 1, 4); count > 0; count--) place(play, true);
  await world.connect();
  for (let count = randomInteger(random, 2, 5); count > 0; count--) {
    step(play);
    await world.clock.advance(randomOf(random, [0, 50, 1000, 4000]));
  }
  // The time in which unknown outcomes are looked up and watched.
  await world.clock.advance(170_000);
  const { live, exchange } = world;
  exchange.control.clearFaults();
  await world.clock.advance(15_000);
  void live.orders.refresh();
  await world.clock.advance(5000);
  const counts = new Map<string, number>();
  const wrong = [...live.gate.activity.flatMap((entry) => wrongIn(world, entry, counts)), ...wrongList(world)];
  live.dispose();
  return { wrong, counts, steps: play.steps };
}

function place({ world, random, ids, steps }: Play, isIsolated: boolean): void {
  const { control } = world.exchange;
  const name = randomOf(random, NAMES);
  const label = randomOf(random, LABELS);
  const spec = { instrument_name: name, ...SPECS[name], type: "limit", direction: "buy", label } as const;
  const id = placedId(() => (isIsolated ? control.placeIsolated(spec) : control.place(spec)));
  if (id !== undefined) ids.push(id);
  steps.push(`${isIsolated ? "isolated" : "cross"} order ${id ?? "refused"} ${name} ${label}`);
}

/** Returns the ID of a new order; undefined where the exchange refuses it, as it may after a loss. */
function placedId(placing: () => { readonly order_id: string }): string | undefined {
  try {
    return placing().order_id;
  } catch (thrown) {
    if (toFailure(thrown).kind !== "exchange") throw thrown;
    return undefined;
  }
}

function step(play: Play): void {
  const { world, random, steps } = play;
  const kind = randomOf(random, [...OWN, ...OWN, ...OTHERS]);
  disturb(play);
  steps.push(`${world.clock.now() % 1e9}: ${kind(play)}`);
}

type Step = (play: Play) => string;

const known = ({ world }: Play): readonly Order[] => openOrders(world.live.orders.snapshot);

/** Hands a change to the gate, and does not wait for its outcome. */
function submit({ world }: Play, intents: readonly Intent[]): void {
  void world.live.gate.submitAll(intents, ([first]) => first?.words ?? EMPTY);
}

const EMPTY: Intent["words"] = { action: "", target: plain`orders`, detail: [], keep: "" };

function raw(method: string, params: object): Intent {
  return {
    method,
    paramsText: JSON.stringify(params),
    origin: "requestFile",
    words: { ...EMPTY, action: plain`Send` },
  };
}

/** What the user does. */
const OWN: readonly [Step, ...Step[]] = [
  (play) => {
    const orders = known(play).filter(() => play.random() < 0.5);
    const { live, clock } = play.world;
    submit(
      play,
      cancelOneByOne(orders, { origin: "view", nowMs: clock.now(), ...orderLookups(live.orders) }, undefined).intents,
    );
    return `cancel ${orders.map(({ order_id: id }) => id).join()}`;
  },
  (play) => {
    const scope = randomOf<CancelScope>(play.random, [
      { kind: "all" },
      { kind: "instrument", instrumentName: randomOf(play.random, NAMES) },
      { kind: "currency", currency: "USDC" },
      { kind: "label", label: "one" },
      { kind: "instrumentKind", instrumentKind: "future" },
    ]);
    const orders = known(play).filter(
      (order) =>
        (scope.kind !== "instrument" || order.instrument_name === scope.instrumentName) &&
        (scope.kind !== "label" || order.label === scope.label),
    );
    const counted = { orders, isCounted: true, hiddenCount: 0, flagsIsolated: play.world.live.orders.hasSlots };
    submit(play, [cancelMatching(scope, counted, "view")]);
    return `cancel all: ${JSON.stringify(scope)}`;
  },
  (play) => {
    const id = play.ids[Math.floor(play.random() * play.ids.length)] ?? "";
    const flag = randomOf(play.random, [{}, { isolated: true }]);
    submit(play, [raw("private/cancel", { order_id: id, ...flag })]);
    return `file: cancel ${id} ${JSON.stringify(flag)}`;
  },
  (play) => {
    const flag = randomOf(play.random, [{}, { include_isolated: true }]);
    submit(play, [raw("private/cancel_all", flag)]);
    return `file: cancel_all ${JSON.stringify(flag)}`;
  },
  (play) => {
    const name = randomOf(play.random, NAMES);
    const params = {
      instrument_name: name,
      ...SPECS[name],
      type: "limit",
      label: `mine ${play.steps.length}`,
      isolated: true,
    };
    const deadline = randomOf(play.random, [{}, { valid_until: play.world.clock.now() + 3000 }]);
    submit(play, [raw("private/buy", { ...params, ...deadline })]);
    return `file: isolated buy ${name}`;
  },
];

/** What others do, and what becomes of the link. */
const OTHERS: readonly Step[] = [
  (play) => {
    place(play, play.random() < 0.6);
    return "another client placed it";
  },
  ({ world, random, ids }) => {
    const id = ids[Math.floor(random() * ids.length)] ?? "";
    const { control } = world.exchange;
    if (control.order(id)?.order_state !== "open") return "nothing";
    if (random() < 0.5) control.cancel(id);
    else control.fill(id, random() < 0.5 ? undefined : 1);
    return `another client cancelled or filled ${id}`;
  },
  ({ world, random }) => {
    const { gateway, control } = world.exchange;
    const slots = control.slots().map(({ id }) => id);
    if (gateway !== undefined) gateway.omittedSlots = slots.filter(() => random() < 0.4);
    return `omitted: ${gateway?.omittedSlots.join() ?? ""}`;
  },
  ({ world, random }) => {
    world.exchange.control.disconnectAll(randomOf(random, ["close", "reset"]));
    return "disconnected";
  },
  ({ world }) => {
    void world.live.orders.refresh();
    return "refreshed";
  },
];

const CHANGES = [
  "private/cancel",
  "private/cancel_all",
  "private/cancel_all_by_instrument",
  "private/cancel_all_by_currency",
  "private/cancel_by_label",
  "private/buy",
] as const;
const READS = ["private/get_open_orders", "private/get_order_state", "private/get_subaccounts"] as const;

/** Lets something go wrong with the next calls, mostly. */
function disturb({ world, random, steps }: Play): void {
  const { control } = world.exchange;
  const add = (fault: Fault): void => {
    control.setFault(fault);
    steps.push(`fault: ${JSON.stringify(fault)}`);
  };
  if (random() < 0.5) {
    const how = randomOf<Fault>(random, [
      { response: "none" },
      { effect: "skipped", response: "none" },
      { holdMs: randomOf(random, [1000, 20_000, 40_000]) },
      { applyAfterMs: randomOf(random, [500, 20_000, 45_000]) },
      { effect: "skipped", response: { code: randomOf(random, REFUSALS) } },
      { response: { code: -32_603 } },
      { link: "reset", response: "none" },
      { effect: "skipped", link: "close", response: "none" },
    ]);
    add({ methods: CHANGES, times: randomInteger(random, 1, 2), ...how });
  }
  if (random() < 0.3) {
    const how = randomOf<Fault>(random, [
      { response: "none" },
      { effect: "skipped", response: { code: 10_047 } },
      { effect: "skipped", response: { code: 13_021 } },
      { effect: "skipped", response: { code: 10_004 } },
      { holdMs: 12_000 },
    ]);
    // A server that does not find an open order with the right flag is no gateway of the documents.
    const isLying = typeof how.response === "object" && how.response.code === 10_004;
    add({
      method: isLying ? "private/get_subaccounts" : randomOf(random, READS),
      times: randomInteger(random, 1, 4),
      ...how,
    });
  }
  if (random() < 0.3) add({ methods: CHANGES, event: { channel: "user.isolated.orders", how: "skip" } });
}

/** Judges what was said about one change. */
function wrongIn(world: World, entry: ActivityEntry, counts: Map<string, number>): readonly string[] {
  const { intent, outcome, targetId, verdicts } = entry;
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const say = (problem: string): string => `${intent.method} ${intent.paramsText}: ${problem}`;
  const wrong: string[] = [];
  if (outcome !== undefined) {
    count(outcome.kind);
    const problem = wrongOutcome(world, entry, outcome);
    if (problem !== undefined) wrong.push(say(problem));
  }
  for (const verdict of verdicts) {
    const orders = verdict.kind === "several" ? verdict.orders : [{ orderId: targetId ?? "", verdict }];
    for (const each of orders) {
      count(`verdict ${each.verdict.kind}`);
      const problem = wrongVerdict(world, each.orderId, each.verdict);
      if (problem !== undefined) wrong.push(say(`${each.orderId} ${JSON.stringify(each.verdict)}: ${problem}`));
    }
  }
  return wrong;
}

function wrongOutcome(world: World, { intent, targetId }: ActivityEntry, outcome: Outcome): string | undefined {
  if (!("response" in outcome) || outcome.response === undefined) return undefined;
  const { wireId } = outcome.response;
  const isApplied = world.exchange.control
    .ledger()
    .some((line) => line.id === wireId && line.method === intent.method && line.isApplied);
  if (outcome.kind === "rejected" && isApplied) return "said to be refused, and was carried out";
  if (outcome.kind !== "confirmed") return undefined;
  return isApplied
    ? wrongConfirmation(world, { intent, targetId }, outcome)
    : "said to be done, and was not carried out";
}

function wrongConfirmation(
  world: World,
  { intent, targetId = "" }: Pick<ActivityEntry, "intent" | "targetId">,
  { response, isolatedLeft }: Extract<Outcome, { readonly kind: "confirmed" }>,
): string | undefined {
  if (intent.method === "private/cancel" && stateOf(world, targetId) !== "cancelled")
    return `said to be cancelled, and is ${stateOf(world, targetId)}`;
  // A call for all that does not say that it leaves isolated orders open must not have left one that was listed.
  const isReaching = intent.paramsText.includes("include_isolated");
  if (intent.method !== "private/cancel_all" || isReaching || isolatedLeft !== undefined) return undefined;
  return isolatedOpenThroughout(world, response.timing.receivedAtMs)
    ? "an isolated order stayed open, and nothing said so"
    : undefined;
}

/** Whether an isolated order that the views show was open before a time and after it, for a while. */
function isolatedOpenThroughout({ exchange, live }: World, atMs: number): boolean {
  return exchange.control
    .slots()
    .flatMap((slot) => slot.open_orders)
    .some(
      ({ order_id: id, creation_timestamp: madeMs = Infinity }) =>
        madeMs < atMs - 60_000 && live.orders.snapshot.items.has(id) && atMs > 0,
    );
}

function stateOf({ exchange }: World, id: string): string {
  return exchange.control.order(id)?.order_state ?? "not there";
}

/** Returns what contradicts a verdict about an order; undefined where nothing does. */
function wrongVerdict(world: World, orderId: string, verdict: OrderVerdict): string | undefined {
  const order = world.exchange.control.order(orderId);
  const state = stateOf(world, orderId);
  switch (verdict.kind) {
    case "unverified":
      return undefined;
    case "applied":
      if (verdict.objectId !== undefined) return stateOf(world, verdict.objectId) === "not there" ? state : undefined;
      return state === "cancelled" ? undefined : `it is ${state}`;
    case "gone":
      return isOpenAt(order, verdict.atMs) ? `it was open then, and is ${state}` : undefined;
    case "other":
      return state === verdict.state.split(/[ ,(]/)[0] ? undefined : `it is ${state}`;
    case "notApplied":
      if (verdict.isFinal === true) return "an isolated order was said to be never placed";
      // It may have ended in the same millisecond, after it was read.
      return isOpenAt(order, verdict.atMs - 1) ? undefined : `it was not open then, and is ${state}`;
  }
}

type Described = ReturnType<World["exchange"]["control"]["order"]>;

function isOpenAt(order: Described, atMs: number): boolean {
  if (order === undefined) return false;
  const { order_state: state, last_update_timestamp: endedMs = Infinity } = order;
  return state === "open" || endedMs > atMs;
}

/**
 * Judges the list of open orders after everything is quiet. An order of a slot that the exchange leaves out, and that
 * nothing told of, can't be known.
 */
function wrongList({ live, exchange }: World): readonly string[] {
  const { orders } = live;
  if (orders.snapshot.status !== "live" || !orders.areSlotsRead) return [];
  const { control, gateway } = exchange;
  const omitted = new Set(gateway?.omittedSlots);
  const slots = control.slots();
  const truly = new Map([
    ...control.openOrders().map((order) => [order.order_id, false] as const),
    ...slots.flatMap(({ id, open_orders: open }) => open.map((order) => [order.order_id, omitted.has(id)] as const)),
  ]);
  const shown = new Set(openOrders(orders.snapshot).map(({ order_id: id }) => id));
  return [
    ...[...shown].filter((id) => !truly.has(id)).map((id) => `the list shows ${id}, which is not open`),
    ...[...truly].filter(([id, isOmitted]) => !isOmitted && !shown.has(id)).map(([id]) => `the list lacks ${id}`),
  ];
}
