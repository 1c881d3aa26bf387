import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { SimulatedConnection } from "./connection.ts";

/**
 * The watch over connections without a sign of life.
 * docs.deribit.com/articles/connection-management-best-practices
 */
export interface Heartbeats {
  /** Watches a new connection. `onSilent`: called after ten minutes without traffic, or a heartbeat without answer. */
  watch(connection: SimulatedConnection, onSilent: () => void): void;
  /**
   * Starts heartbeats at a connection's request. Each one asks back, and has to be answered with public/test until the
   * next.
   */
  start(connection: SimulatedConnection, intervalSeconds: number): void;
  /** Stops heartbeats. */
  stop(connection: SimulatedConnection): void;
  /** Notes a request; public/test answers the heartbeat. */
  sawRequest(connection: SimulatedConnection, method: string | undefined): void;
  forget(connection: SimulatedConnection): void;
}

/** The time without traffic after which a connection is closed. */
export const SILENCE_MS = 600_000;

interface Pulse {
  readonly onSilent: () => void;
  lastTrafficMs: number;
  isAsked: boolean;
  idle: Disposable | undefined;
  beat: Disposable | undefined;
}

/** `silenceMs`: the time without traffic after which a connection is closed (default: ten minutes). */
export function createHeartbeats(clock: Clock, silenceMs = SILENCE_MS): Heartbeats {
  const pulses = new Map<SimulatedConnection, Pulse>();
  const send = (connection: SimulatedConnection, type: "heartbeat" | "test_request"): void =>
    connection.outlet.send(`{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"${type}"}}`);
  const watchIdle = (pulse: Pulse): void => {
    pulse.idle = clock.after(Math.max(0, pulse.lastTrafficMs + silenceMs - clock.monotonicMs()), () => {
      if (clock.monotonicMs() - pulse.lastTrafficMs >= silenceMs) pulse.onSilent();
      else watchIdle(pulse);
    });
  };
  const beat = (connection: SimulatedConnection, pulse: Pulse, intervalMs: number): void => {
    pulse.beat = clock.after(intervalMs, () => {
      if (pulse.isAsked) {
        pulse.onSilent();
        return;
      }
      send(connection, "heartbeat");
      send(connection, "test_request");
      pulse.isAsked = true;
      beat(connection, pulse, intervalMs);
    });
  };
  return {
    watch(connection, onSilent) {
      const lastTrafficMs = clock.monotonicMs();
      const pulse: Pulse = { onSilent, lastTrafficMs, isAsked: false, idle: undefined, beat: undefined };
      pulses.set(connection, pulse);
      watchIdle(pulse);
    },
    start(connection, intervalSeconds) {
      const pulse = pulses.get(connection);
      if (pulse === undefined) return;
      pulse.beat?.dispose();
      pulse.isAsked = false;
      beat(connection, pulse, intervalSeconds * 1000);
    },
    stop: (connection) => pulses.get(connection)?.beat?.dispose(),
    sawRequest(connection, method) {
      const pulse = pulses.get(connection);
      if (pulse === undefined) return;
      pulse.lastTrafficMs = clock.monotonicMs();
      if (method === "public/test") pulse.isAsked = false;
    },
    forget(connection) {
      const pulse = pulses.get(connection);
      pulse?.idle?.dispose();
      pulse?.beat?.dispose();
      pulses.delete(connection);
    },
  };
}
