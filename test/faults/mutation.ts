import assert from "node:assert/strict";
import type { ActivityEntry } from "../../src/actions/journal/activity.ts";
import type { LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import type { Outcome, Verdict } from "../../src/actions/judge/outcome.ts";
import type { Watched } from "../core/session/world.ts";
import { createScreen, type Screen } from "../simulation/screen.ts";
import { withOrders, type Orders } from "./orders.ts";
import type { Stage } from "./stage.ts";

/* Changes in flight: what the gate makes of the one frame of a cancel, and what the user reads, as it comes. */

/** A cancel of the order O1 on a stage. */
export interface Mutation {
  readonly stage: Stage;
  readonly orders: Orders;
  readonly watched: WatchedConnection;
  /** The order gets another state at the exchange, which pushes it to whoever still listens. */
  become(state: string, cause?: string, orderId?: string): void;
  /** Presses Cancel on O1. */
  press(): Watched<Outcome>;
}

/** What came of the changes of a connection, as a program and as the user sees it. */
export interface WatchedConnection {
  readonly screen: Screen;
  /** Each outcome and verdict, shortly, in order. */
  readonly came: readonly string[];
  /** The sentences about them, in order. */
  told(): readonly string[];
  /** The rows of Open Orders. */
  rows(): readonly string[];
}

export async function openMutation(stage: Stage, ...ids: readonly string[]): Promise<Mutation> {
  const orders = await withOrders(stage, ...(ids.length === 0 ? ["O1"] : ids));
  const watched = watchConnection(stage.live(), stage);
  return {
    stage,
    orders,
    watched,
    become(state, cause, orderId = "O1") {
      const order = {
        ...orders.byId.get(orderId)!,
        order_state: state,
        ...(cause === undefined ? {} : { cancel_reason: cause }),
        last_update_timestamp: stage.clock.now(),
      };
      orders.byId.set(orderId, order);
      for (const connection of stage.server.connections)
        if (!connection.isOver) connection.event("user.orders.any.any.raw", JSON.stringify(order));
    },
    press: () => orders.cancel("O1"),
  };
}

/** The end of a watch that saw no late effect: `core/actions/reconcile` and `readBack` say what comes of it. */
const WATCH_END = /after 60 s of watching|later update at [^:]+:\d\d:\d\d: \d+ still unknown\./;

/** Listens to a connection from now on. */
export function watchConnection(live: LiveConnection, stage: Stage): WatchedConnection {
  const screen = createScreen(
    live,
    () => stage.clock.now(),
    () => undefined,
  );
  const came: string[] = [];
  const known = new Map<string, ActivityEntry>();
  live.gate.onDidChangeActivity((entry) => {
    const before = known.get(entry.id);
    known.set(entry.id, entry);
    if (entry.outcome !== undefined && entry.outcome !== before?.outcome) came.push(shortly(entry.outcome));
    const added = entry.verdicts.filter((each) => before?.verdicts.includes(each) !== true).map(verdictShortly);
    came.push(...added.filter((each) => !WATCH_END.test(each)));
  });
  return {
    screen,
    came,
    told: () => screen.sentences.map(({ text }) => text).filter((text) => !WATCH_END.test(text)),
    rows: () => screen.rows().map((row) => [row.label, row.description].join(" | ")),
  };
}

/** Compares sentences; a pattern stands for one whose details are told elsewhere. */
export function assertTold(told: readonly string[], expected: readonly (string | RegExp)[]): void {
  assert.deepEqual(
    told.map((each, index) =>
      expected[index] instanceof RegExp && expected[index].test(each) ? expected[index] : each,
    ),
    expected,
  );
}

function shortly(outcome: Outcome): string {
  if (outcome.kind === "confirmedOther") return `confirmedOther ${outcome.state}`;
  if (!("failure" in outcome)) return outcome.kind;
  return [outcome.kind, outcome.failure.kind, ...("code" in outcome.failure ? [outcome.failure.code] : [])].join(" ");
}

function verdictShortly(verdict: Verdict): string {
  switch (verdict.kind) {
    case "applied":
      return `applied${verdict.isLate ? " late" : ""}, ${verdict.cause ?? "no cause"}`;
    case "notApplied":
    case "other":
      return `${verdict.kind} ${verdict.state}`;
    case "gone":
      return "gone";
    case "unverified":
      return `unverified: ${verdict.reason}`;
    case "several":
      return `${verdict.isLate ? "several late" : "several"}: ${verdict.orders.map((each) => `${each.orderId} ${verdictShortly(each.verdict)}`).join("; ")}`;
  }
}

/** The link is lost; after its pause the session is there again. */
export async function recover({ stage }: Pick<Mutation, "stage">): Promise<void> {
  await stage.until(() => stage.session.state.status === "waiting", "the loss is noticed");
  await stage.advance(1000);
  await stage.until(() => stage.session.state.status === "ready", "the next generation");
  await stage.settle();
}
