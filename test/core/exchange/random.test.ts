import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Fact } from "../../../src/exchange/facts.ts";
import type { OrderView } from "../../../src/exchange/orders/order.ts";
import { rounds } from "../../rounds.mjs";
import { NaiveBook } from "./naiveBook.ts";
import { checkStep, createTally } from "./invariants.ts";
import { createSchedule, FIRST_SEED, playSchedule, type Step } from "./schedule.ts";

/* Random schedules: the engine trades as the naive book does, and keeps to what must always hold. */

const ROUNDS = rounds({ short: 20, full: 1000, long: 10_000 });
const SEEDS = Array.from({ length: ROUNDS }, (_, round) => FIRST_SEED + round);

describe("random schedules", () => {
  test("the engine trades as the naive book, and leaves the same orders", () => {
    for (const seed of SEEDS) {
      const schedule = createSchedule(seed);
      const actual = engineLines(schedule);
      const expected = naiveLines(schedule);
      const at = actual.findIndex((line, index) => line !== expected[index]);
      const shown = (lines: readonly string[]): string => lines.slice(Math.max(0, at - 3), at + 1).join("\n");
      assert.equal(shown(at < 0 ? [] : actual), shown(at < 0 ? [] : expected), `seed ${String(seed)}`);
      assert.equal(actual.length, expected.length, `seed ${String(seed)}`);
    }
  });

  test("what must always hold holds after each operation", () => {
    const kinds = new Set<string>();
    for (const seed of SEEDS) {
      const tally = createTally();
      playSchedule(createSchedule(seed), (world, { facts }) => {
        for (const fact of facts) kinds.add(fact.kind === "cancelled" ? `cancelled ${fact.reason}` : fact.kind);
        assert.deepEqual(checkStep(tally, world, facts), [], `seed ${String(seed)}`);
      });
    }
    // The schedules would prove little without one of these.
    const wanted = [
      ...["placed", "edited", "reduced", "triggered", "rejected", "filled", "trade", "book"],
      ...[
        "oco_other_closed",
        "order_overlap",
        "oto_primary_closed",
        "reduce_only",
        "time_in_force",
        "user_request",
      ].map((reason) => `cancelled ${reason}`),
    ];
    assert.deepEqual(
      wanted.filter((kind) => !kinds.has(kind)),
      [],
    );
  });

  test("the same seed gives the same bytes", () => {
    const bytes = (seed: number): string => {
      const facts: (readonly Fact[])[] = [];
      playSchedule(createSchedule(seed), (_, played) => facts.push(played.facts));
      return JSON.stringify(facts);
    };
    for (const seed of SEEDS.slice(0, 20)) assert.equal(bytes(seed), bytes(seed), `seed ${String(seed)}`);
  });
});

function engineLines(schedule: readonly Step[]): string[] {
  const lines: string[] = [];
  const labels = new Map<string, string>();
  playSchedule(schedule, ({ engine }, { isDone, facts }) => {
    for (const fact of facts) {
      if (fact.kind === "placed") labels.set(fact.order.id, fact.order.label);
      if (fact.kind !== "trade") continue;
      const { taker, maker, direction, amount, price } = fact.trade;
      const [own, other] = [labels.get(taker.orderId), labels.get(maker.orderId)];
      lines.push(`${String(own)} ${direction} ${String(amount)} @ ${String(price)} of ${String(other)}`);
    }
    lines.push(`${String(isDone)}: ${[...engine.open()].map(describeOpen).join(", ")}`);
  });
  return lines;
}

function describeOpen({ label, amount, filled, price }: OrderView): string {
  return `${label} ${String(amount - filled)} @ ${String(price)}`;
}

function naiveLines(schedule: readonly Step[]): string[] {
  const book = new NaiveBook();
  const act = (step: Step): boolean => {
    if (step.kind === "place") return book.place(step.draft, step.link, step.legs);
    if (step.kind === "cancel") return book.cancel(step.label);
    if (step.kind === "edit") return book.edit(step.label, step.amount, step.price);
    return book.setPrice(step.source, step.price);
  };
  return schedule.flatMap((step) => {
    const isDone = act(step);
    return [...book.trades.splice(0), `${String(isDone)}: ${book.open().join(", ")}`];
  });
}
