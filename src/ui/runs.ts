import * as crypto from "node:crypto";
import * as os from "node:os";
import type { Clock } from "../base/clock.ts";

/* Runs of the program on this computer: each extension host is one. */

/** A name that no other run has: when it began, then chance. Letters and digits. */
export function createRunId(clock: Clock): string {
  return clock.now().toString(36) + crypto.randomInt(CHANCES).toString(36);
}

/** Whether the process of a run still lives. `runId` was made by `createRunId`. */
export function isRunAlive(clock: Clock, processId: number, runId: string): boolean {
  const startedAtMs = parseInt(runId.slice(0, clock.now().toString(36).length), 36);
  const bootedAtMs = clock.now() - os.uptime() * 1000;
  // Numbers of processes are given out anew after a restart of the computer. Its clock may have been set since.
  if (startedAtMs < bootedAtMs - CLOCK_TRUST_MS) return false;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // Of another user: it is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const CHANCES = 36 ** 5;
const CLOCK_TRUST_MS = 12 * 3_600_000;
