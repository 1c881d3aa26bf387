import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SelfTrading } from "../../../src/exchange/orders/desk.ts";
import type { OrderDraft, OrderType } from "../../../src/exchange/orders/order.ts";
import { rounds } from "../../rounds.mjs";
import { NaiveBook } from "./naiveBook.ts";
import type { NaiveDraft, NaiveLink } from "./naiveOrder.ts";
import { createWorld, INSTRUMENT } from "./world.ts";

const ROUNDS = rounds({ short: 300, full: 3000, long: 10_000 });
const STEPS = 60;
const MODES: Readonly<Record<string, SelfTrading["mode"]>> = { A: "reject_taker", B: "cancel_maker", C: "allow" };
const modeOf = (account: string): SelfTrading["mode"] => MODES[account] ?? "allow";

type Random = () => number;

function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a schedule does, in words that both books are told. */
type Step =
  | {
      readonly kind: "place";
      readonly draft: NaiveDraft;
      readonly link?: NaiveLink;
      readonly legs: readonly NaiveDraft[];
    }
  | { readonly kind: "edit"; readonly label: string; readonly amount: number; readonly price: number }
  | { readonly kind: "cancel"; readonly label: string }
  | { readonly kind: "price"; readonly source: "last_price" | "mark_price" | "index_price"; readonly price: number };

function createSchedule(seed: number): Step[] {
  const random = createRandom(seed);
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const pick = <Value>(values: readonly Value[]): Value => values[whole(0, values.length - 1)]!;
  const isSometimes = (share: number): boolean => random() < share;
  const labels: string[] = [];
  // A narrow market, so that orders meet.
  const price = (): number => whole(90, 110);
  const draft = (account: string, label: string, side: "buy" | "sell"): NaiveDraft => {
    const type = isSometimes(0.6)
      ? "limit"
      : pick<OrderType>([
          "market",
          "market_limit",
          "stop_limit",
          "stop_market",
          "take_limit",
          "take_market",
          "trailing_stop",
        ]);
    const hasLimit = type.endsWith("limit") && type !== "market_limit";
    const waits = type.startsWith("stop") || type.startsWith("take") || type === "trailing_stop";
    const timeInForce = isSometimes(0.75)
      ? "good_til_cancelled"
      : pick(["fill_or_kill", "immediate_or_cancel", "good_til_cancelled"]);
    const mayPost = hasLimit && timeInForce === "good_til_cancelled" && isSometimes(0.15);
    return {
      ...{
        label,
        account,
        side,
        type,
        timeInForce,
        mode: modeOf(account),
        amount: whole(1, 30),
        isReduceOnly: isSometimes(0.15),
      },
      ...(hasLimit ? { price: price() } : {}),
      ...(mayPost ? { post: pick(["reprice", "reject"]) } : {}),
      ...(hasLimit && isSometimes(0.2) ? { show: whole(0, 8) } : {}),
      ...(waits ? waitOf(type) : {}),
    };
  };
  const waitOf = (type: string): Partial<NaiveDraft> => ({
    source: pick(["last_price", "last_price", "mark_price", "index_price"]),
    ...(type === "trailing_stop" ? { offset: whole(1, 6) } : { stop: price() }),
  });
  const place = (at: number): Step => {
    const account = pick(["A", "B", "C", "D", "E", "F"]);
    const label = String(at);
    labels.push(label);
    const side = pick(["buy", "sell"] as const);
    const first = draft(account, label, side);
    if (isSometimes(0.75)) return { kind: "place", draft: first, legs: [] };
    const type = pick(["oto", "oco", "otoco"] as const);
    const legs = Array.from({ length: type === "otoco" ? 2 : 1 }, (_, leg) => {
      const name = `${label}.${String(leg + 1)}`;
      labels.push(name);
      const made = draft(account, name, type === "oco" ? side : side === "buy" ? "sell" : "buy");
      return { ...made, amount: isSometimes(0.7) ? first.amount : made.amount };
    });
    return {
      kind: "place",
      draft: first,
      link: { type, condition: pick(["first_hit", "complete_fill", "incremental"]) },
      legs,
    };
  };
  return Array.from({ length: STEPS }, (_, at): Step => {
    const chance = random();
    if (chance < 0.7 || labels.length === 0) return place(at);
    const label = pick(labels);
    if (chance < 0.8) return { kind: "cancel", label };
    if (chance < 0.9) return { kind: "edit", label, amount: whole(1, 30), price: price() };
    return { kind: "price", source: pick(["last_price", "mark_price", "index_price"]), price: price() };
  });
}

const LINK_TYPES = {
  oto: "one_triggers_other",
  oco: "one_cancels_other",
  otoco: "one_triggers_one_cancels_other",
} as const;

function draftOf(naive: NaiveDraft): OrderDraft {
  const { label, account, side: direction, type, amount, price, post, isReduceOnly: reduceOnly = false, show } = naive;
  return {
    ...{ label, account, direction, amount, reduceOnly, instrument: INSTRUMENT.name, type: type as OrderType },
    timeInForce: (naive.timeInForce ?? "good_til_cancelled") as NonNullable<OrderDraft["timeInForce"]>,
    ...(price === undefined ? {} : { price }),
    ...(post === undefined ? {} : { postOnly: true, rejectPostOnly: post === "reject" }),
    ...(show === undefined ? {} : { displayAmount: show }),
    ...(naive.source === undefined ? {} : { trigger: naive.source }),
    ...(naive.stop === undefined ? {} : { triggerPrice: naive.stop }),
    ...(naive.offset === undefined ? {} : { triggerOffset: naive.offset }),
  };
}

/** Runs a schedule on the engine, and says what became of it step by step. */
function runEngine(schedule: readonly Step[], check: (world: ReturnType<typeof createWorld>) => void): string[] {
  const lines: string[] = [];
  const labels = new Map<string, string>();
  const world = createWorld({
    mode: modeOf,
    take(fact) {
      if (fact.kind === "placed") labels.set(fact.order.id, fact.order.label);
      if (fact.kind !== "trade") return;
      const { taker, maker, direction, amount, price } = fact.trade;
      const named = (id: string): string => labels.get(id) ?? id;
      lines.push(
        `${named(taker.orderId)} ${direction} ${String(amount)} @ ${String(price)} of ${named(maker.orderId)}`,
      );
    },
  });
  const { engine } = world;
  const found = (label: string) => [...engine.open()].find((order) => order.label === label);
  const act = (step: Step): boolean => {
    if (step.kind === "place") {
      const { draft, link, legs } = step;
      const linked = link && {
        type: LINK_TYPES[link.type],
        fillCondition: link.condition as "first_hit",
        legs: legs.map((leg) => draftOf(leg)),
      };
      return engine.place({ ...draftOf(draft), ...(linked === undefined ? {} : { linked }) }, 0).isDone;
    }
    if (step.kind === "price") {
      engine.setPrices(INSTRUMENT.name, { [step.source.replace("_price", "")]: step.price }, 0);
      return true;
    }
    const order = found(step.label);
    if (order === undefined) return false;
    if (step.kind === "cancel") return engine.cancel(order.account, order.id, 0).isDone;
    const price = order.price === undefined ? {} : { price: step.price };
    return engine.edit(order.account, order.id, { amount: step.amount, ...price }, 0).isDone;
  };
  for (const step of schedule) {
    const isDone = act(step);
    lines.push(`${isDone ? "done" : "not"}: ${describeOpen([...engine.open()])}`);
    check(world);
  }
  return lines;
}

function describeOpen(orders: readonly { label: string; amount: number; filled: number; price: number | undefined }[]) {
  return orders
    .map(({ label, amount, filled, price }) => `${label} ${String(amount - filled)} @ ${String(price)}`)
    .join(", ");
}

function runNaive(schedule: readonly Step[]): string[] {
  const book = new NaiveBook();
  const lines: string[] = [];
  const act = (step: Step): boolean => {
    if (step.kind === "place") return book.place(step.draft, step.link, step.legs);
    if (step.kind === "cancel") return book.cancel(step.label);
    if (step.kind === "edit") return book.edit(step.label, step.amount, step.price);
    return book.setPrice(step.source, step.price);
  };
  for (const step of schedule) {
    const isDone = act(step);
    lines.push(...book.trades.splice(0), `${isDone ? "done" : "not"}: ${book.open().join(", ")}`);
  }
  return lines;
}

describe("random schedules", () => {
  const first = Number(process.env["RPC_SEED"] ?? Date.now() % 1_000_000_000);

  test(`${String(ROUNDS)} schedules from seed ${String(first)} trade as in the naive book`, () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const schedule = createSchedule(first + round);
      const expected = runNaive(schedule);
      const actual = runEngine(schedule, () => undefined);
      const at = actual.findIndex((line, index) => line !== expected[index]);
      if (at >= 0 || actual.length !== expected.length)
        assert.fail(
          `seed ${String(first + round)}, line ${String(at)}:\n${actual.slice(Math.max(0, at - 3), at + 2).join("\n")}\nnaive:\n${expected.slice(Math.max(0, at - 3), at + 2).join("\n")}`,
        );
    }
  });
});
