import type { Clock } from "../src/base/clock.ts";
import { silentLog } from "../src/base/log.ts";
import type { SessionPorts } from "../src/session/session.ts";
import { createFakeRandom } from "./fakeClock.ts";

/**
 * What sessions of tests are given alike, for one after another: without limits and without a log, and with ids that
 * all of them count together, so that none ever comes twice. What is a test's own it puts beside.
 */
export function sessionPorts(clock: Clock, firstId = 0): () => Omit<SessionPorts, "dial" | "credentials"> {
  let numbers = firstId;
  return () => ({
    client: { name: "test", version: "0" },
    clock,
    random: createFakeRandom(3),
    log: silentLog,
    nextWireId: () => ++numbers,
    nextGeneration: () => ++numbers,
    limits: "off",
    isTracing: () => false,
  });
}
