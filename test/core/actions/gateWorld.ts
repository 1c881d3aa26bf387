import assert from "node:assert/strict";
import type { ActivityEntry } from "../../../src/actions/journal/activity.ts";
import { createRoutes } from "../../../src/actions/gate/route.ts";
import { createGate, type Gate } from "../../../src/actions/gate/gate.ts";
import type { GatePorts } from "../../../src/actions/gate/gatePorts.ts";
import { createMemoryJournal, type JournalRecord, type MemoryJournal } from "../../../src/actions/journal/journal.ts";
import {
  cancelOrder,
  cancelOrders,
  type OrderContext,
  type SeveralIntents,
} from "../../../src/actions/changes/orders.ts";
import type { Outcome, Verdict } from "../../../src/actions/judge/outcome.ts";
import type { SafetySettings } from "../../../src/actions/gate/policy.ts";
import type { CodeQuestion, Question } from "../../../src/actions/intent/question.ts";
import type { Disposable } from "../../../src/base/emitter.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Identity } from "../../../src/session/session.ts";
import type { Environment } from "../../../src/state/records.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { anOrder, createFakeSession, type FakeSession } from "./fakeSession.ts";

/** A gate on a fake session and a fake clock, with everything that a test wants to see or change. */
export interface GateWorld {
  readonly clock: FakeClock;
  readonly fake: FakeSession;
  readonly gate: Gate & Disposable;
  readonly journal: MemoryJournal;
  readonly questions: Question[];
  readonly logged: string[];
  environment: Environment;
  connectionName: string;
  settings: SafetySettings;
  /** How questions are answered. At first: yes. */
  answer: (question: Question) => boolean | Promise<boolean>;
  readonly codeQuestions: CodeQuestion[];
  /** How codes are given. At first: none is. */
  code: () => Promise<string | undefined>;
  /** What happens when a record is appended, beside keeping it. */
  onAppend: (record: JournalRecord) => Promise<void>;
  cancel(orderId?: string, more?: Partial<OrderContext>): Intent;
  cancelAll(orderIds: readonly string[]): SeveralIntents;
  /** Submits a cancel and lets it settle without waiting for its outcome. */
  start(intent?: Intent): Started;
  entry(index?: number): ActivityEntry;
  /** Verdicts of an entry without their times. */
  verdicts(index?: number): unknown[];
}

export interface Started {
  readonly promise: Promise<Outcome>;
  outcome: Outcome | undefined;
}

export function createGateWorld(identity: Partial<Identity> = {}, ports: Partial<GatePorts> = {}): GateWorld {
  const clock = createFakeClock();
  const fake = createFakeSession(clock);
  fake.becomeReady(identity);
  fake.put("O1", "open");
  const memory = createMemoryJournal();
  const logged: string[] = [];
  const write = (message: string): void => {
    logged.push(message);
  };
  const log = { trace: write, debug: write, info: write, warn: write, error: write };
  const questions: Question[] = [];
  const world: GateWorld = {
    clock,
    fake,
    journal: memory,
    questions,
    codeQuestions: [],
    code: async () => await Promise.resolve(undefined),
    logged,
    environment: "test",
    connectionName: "main",
    settings: { confirmCancel: "always", allowChangesMinutes: 30 },
    answer: () => true,
    onAppend: async () => {
      await Promise.resolve();
    },
    gate: createGate({
      connectionId: "c1",
      connectionName: () => world.connectionName,
      environment: () => world.environment,
      session: fake.session,
      routes: createRoutes({
        session: fake.session,
        isHttpOnly: false,
        createHttpSession: () => assert.fail("nothing here goes over HTTP"),
      }),
      ask: async (question) => {
        questions.push(question);
        return await world.answer(question);
      },
      askCode: async (question) => {
        world.codeQuestions.push(question);
        return await world.code();
      },
      journal: {
        append: async (record) => {
          const reaction = world.onAppend(record);
          await memory.append(record);
          await reaction;
        },
      },
      clock,
      settings: () => world.settings,
      isSeen: () => true,
      trading: {
        limits: () => ({ largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0 }),
        keep: () => assert.fail("the limits are not changed here"),
      },
      log,
      ...ports,
    }),
    cancel: (orderId = "O1", more = {}) => cancelOrder(fake.orders.get(orderId) ?? anOrder(orderId), contextOf(more)),
    cancelAll: (orderIds) =>
      cancelOrders(
        orderIds.map((id) => fake.orders.get(id) ?? anOrder(id)),
        contextOf({}),
      ),
    start(intent = world.cancel()) {
      const promise = world.gate.submit(intent);
      const started: Started = { promise, outcome: undefined };
      void promise.then((outcome) => {
        started.outcome = outcome;
      });
      return started;
    },
    entry: (index = 0) => {
      const entry = world.gate.activity[index];
      if (entry === undefined) throw new Error(`no entry ${String(index)}`);
      return entry;
    },
    verdicts: (index = 0) => world.entry(index).verdicts.map(withoutTime),
  };
  const contextOf = (more: Partial<OrderContext>): OrderContext => ({
    origin: "view",
    nowMs: clock.now(),
    current: (id) => fake.orders.get(id),
    ...more,
  });
  return world;
}

function withoutTime(verdict: Verdict): unknown {
  return Object.fromEntries(Object.entries(verdict).filter(([name]) => name !== "atMs"));
}
