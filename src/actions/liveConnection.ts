import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Log } from "../base/log.ts";
import type { Session } from "../session/session.ts";
import { createOrdersStore, type OrdersStore } from "../state/orders.ts";
import { effectiveEnvironment, type ConnectionRecord, type Environment } from "../state/records.ts";
import { createGate, type Gate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import type { SafetySettings } from "./policy.ts";
import type { Ask } from "./question.ts";
import { createCancelReconciler } from "./reconcile.ts";

/**
 * A connection with all that belongs to it: session, stores, gate. What can send is inside; only the gate leads there.
 * It can be attached to `Connections` as it is.
 */
export interface LiveConnection extends Disposable, Pick<Session, "state" | "onDidChangeState" | "latencyMs" | "connect" | "disconnect"> {
  /** The saved connection as it is now. */
  readonly record: ConnectionRecord;
  /** What it counts as: what was declared until the session is ready, then what the server's answers allow. */
  readonly environment: Environment;
  readonly orders: OrdersStore;
  readonly gate: Gate;
}

export interface LiveConnectionPorts {
  /** Makes the session of the record; it is disposed with the connection. */
  readonly createSession: (record: ConnectionRecord) => Session;
  /** The record as it is saved now, so that a new name or class counts at once; undefined when it was forgotten. */
  readonly currentRecord: (id: string) => ConnectionRecord | undefined;
  /** The server was started from here, or has shown that it is our simulator. */
  readonly isOwnSimulator: boolean;
  /** Puts one question at a time, whichever connection asks. */
  readonly ask: Ask;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: () => SafetySettings;
  readonly log: Log;
}

/** Makes a connection; nothing is dialled before `connect`. */
export function createLiveConnection(record: ConnectionRecord, ports: LiveConnectionPorts): LiveConnection {
  const { clock, log, ask, journal, settings } = ports;
  const session = ports.createSession(record);
  const recordNow = (): ConnectionRecord => ports.currentRecord(record.id) ?? record;
  const environmentNow = (): Environment => {
    const { state } = session;
    return state.status === "ready" ? effectiveEnvironment(recordNow(), state.identity.testnet, ports.isOwnSimulator).environment : recordNow().declared;
  };
  const orders = createOrdersStore({ session, clock, log });
  const cancelReconciler = createCancelReconciler({ session, clock, log });
  const gate = createGate({
    connectionId: record.id,
    connectionName: () => recordNow().name,
    environment: environmentNow,
    session,
    ask,
    journal,
    clock,
    settings,
    reconcilerOf: (method) => (method === "private/cancel" ? cancelReconciler : undefined),
    log,
  });
  return {
    get record() {
      return recordNow();
    },
    get state() {
      return session.state;
    },
    get latencyMs() {
      return session.latencyMs;
    },
    get environment() {
      return environmentNow();
    },
    onDidChangeState: session.onDidChangeState,
    orders,
    gate,
    connect: () => session.connect(),
    disconnect: () => session.disconnect(),
    dispose() {
      gate.dispose();
      orders.dispose();
      session.dispose();
    },
  };
}
