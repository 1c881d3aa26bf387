import type { Clock, Random } from "../base/clock.ts";
import type { Failure, LinkTrouble } from "../base/failure.ts";
import { readRetryOf } from "../catalogue/errorCodes.ts";

/** The wait before the next dial. Reliability §2.1 BACKOFF and COOLDOWN. */
export interface Backoff {
  /** Notes that a dial is made. */
  noteDial(): void;
  /** Notes that the session is ready. */
  noteReady(): void;
  /** Returns the ms until the next dial, after the link was lost or could not be made. */
  nextDelayMs(failure: Failure): number;
}

const BASE_MS = 500;
const SLOW_BASE_MS = 4000;
const FLOOR_MS = 250;
const CAP_MS = 30_000;
const COOLDOWN_BASE_MS = 10_000;
const COOLDOWN_CAP_MS = 300_000;
/** The lifetime below which a link counts as another failed attempt, in ms. */
const STEADY_MS = 60_000;
const MAX_DIALS = 36;
const DIALS_WINDOW_MS = 600_000;

type Pace =
  | "normal"
  /** A pace for a failure that the user has to fix first; another try is cheap but mostly pointless. */
  | "slow"
  /** A pace after all clients were sent away at once, so that they do not come back at once. */
  | "spread"
  /** A pace for a server that asked for less. */
  | "cooldown";

export function createBackoff(clock: Clock, random: Random): Backoff {
  let failures = 0;
  let cooldowns = 0;
  let readyAtMs: number | undefined;
  let dials: number[] = [];

  const jittered = (baseMs: number): number => {
    const fullMs = Math.min(CAP_MS, baseMs * 2 ** Math.min(failures, 20));
    return Math.max(FLOOR_MS, fullMs / 2 + (random() * fullMs) / 2);
  };
  const pacedMs = (failure: Failure): number => {
    switch (paceOf(failure)) {
      case "normal":
        return jittered(BASE_MS);
      case "slow":
        return jittered(SLOW_BASE_MS);
      case "spread":
        return failures === 0 ? 1000 + random() * 19_000 : jittered(BASE_MS);
      case "cooldown": {
        const restMs = Math.max(
          waitMsOf(failure),
          Math.min(COOLDOWN_CAP_MS, COOLDOWN_BASE_MS * 2 ** Math.min(cooldowns, 10)),
        );
        cooldowns++;
        // A little more, so that windows that were sent away together do not come back together.
        return restMs * (1 + random() / 10);
      }
    }
  };
  /** Returns the ms until the window of dials has room for one more. */
  const crowdedMs = (): number => {
    const first = dials.length < MAX_DIALS ? undefined : dials[dials.length - MAX_DIALS];
    return first === undefined ? 0 : first + DIALS_WINDOW_MS - clock.monotonicMs();
  };

  return {
    noteDial() {
      const nowMs = clock.monotonicMs();
      dials = [...dials.filter((atMs) => nowMs - atMs < DIALS_WINDOW_MS), nowMs];
      readyAtMs = undefined;
    },
    noteReady() {
      readyAtMs = clock.monotonicMs();
    },
    nextDelayMs(failure) {
      if (readyAtMs !== undefined && clock.monotonicMs() - readyAtMs >= STEADY_MS) {
        failures = 0;
        cooldowns = 0;
      }
      readyAtMs = undefined;
      const delayMs = Math.max(pacedMs(failure), crowdedMs());
      failures++;
      return delayMs;
    },
  };
}

const PACES: Readonly<Record<LinkTrouble, Pace>> = {
  address: "slow",
  dns: "slow",
  refused: "normal",
  unreachable: "normal",
  tls: "slow",
  wrongHost: "slow",
  redirect: "slow",
  portal: "slow",
  forbidden: "slow",
  unavailable: "slow",
  proxy: "slow",
  notWebSocket: "slow",
  tooManyConnections: "cooldown",
  connectTimeout: "normal",
  silent: "normal",
  protocol: "slow",
  tooSlow: "normal",
  rateLimit: "cooldown",
  maintenance: "spread",
  closedByServer: "normal",
  closedByUs: "normal",
  other: "normal",
};

function paceOf(failure: Failure): Pace {
  if (failure.kind === "connectionLost" || failure.kind === "cannotConnect") return PACES[failure.trouble];
  if (failure.kind === "exchange") return readRetryOf(failure.code) === "afterWait" ? "cooldown" : "slow";
  return failure.kind === "unreadableResult" ? "slow" : "normal";
}

function waitMsOf(failure: Failure): number {
  return failure.kind === "exchange" ? (failure.waitSeconds ?? 0) * 1000 : 0;
}
