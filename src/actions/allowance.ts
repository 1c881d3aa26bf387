import type { Clock } from "../base/clock.ts";
import { createEmitter, type Disposable, type Emitter, type Event } from "../base/emitter.ts";
import { bugText } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import type { Session } from "../session/session.ts";
import type { Environment } from "../state/records.ts";
import { identityKey, type Allowed } from "./situation.ts";

/** The permission to trade on one connection, where it is kept. */
export interface TradingStore {
  /** Returns the largest order in USD that the user allowed; undefined while trading is not allowed. */
  readonly largestOrderUsd: () => number | undefined;
  /** Keeps the largest order in USD; undefined takes the permission back. */
  readonly keep: (largestOrderUsd: number | undefined) => Promise<void>;
}

/** Whether users may allow trading, by the setting. */
export type TradingSetting = "ask" | "never";

/**
 * Returns the largest order in USD that may be sent; undefined while trading is not allowed. The simulator of this
 * extension takes orders of any size, `Infinity`: it trades no real money.
 */
export function tradingLimitUsd(
  environment: Environment,
  setting: TradingSetting,
  store: Pick<TradingStore, "largestOrderUsd"> | undefined,
): number | undefined {
  if (setting === "never") return undefined;
  return environment === "simulator" ? Infinity : store?.largestOrderUsd();
}

/** The kind of a change, or of several together. */
export interface ChangeKind {
  /** Whether it cancels and does nothing else. */
  readonly areCancels: boolean;
  /** Whether it needs Allow Trading. */
  readonly areTrades: boolean;
}

/**
 * The state of "Allow Changes…" and "Allow Trading…" on one connection. Production takes writes, or cancels alone, for
 * a while, then is read-only again. Trading is allowed until it is taken back, and none of these allows another.
 */
export interface Allowance extends Disposable {
  /** The time until which all changes are allowed, in ms since the Unix epoch; undefined while they are not. */
  readonly untilMs: number | undefined;
  /** The time until which only cancels are allowed, in ms since the Unix epoch; undefined while they are not. */
  readonly cancelsUntilMs: number | undefined;
  /** The largest order in USD that may be sent; undefined while trading is not allowed. */
  readonly tradingLimitUsd: number | undefined;
  readonly onDidChange: Event<void>;
  /** Returns what is allowed at this moment for a change. */
  allowed(kind: ChangeKind): Allowed;
  /**
   * Allows changes, or cancels alone, from now on, for the time in the settings. Does nothing unless the session is
   * ready.
   */
  allow(what: "changes" | "cancels"): void;
  /** Makes the connection read-only again. */
  end(): void;
  /** Allows trading with orders up to a size in USD; undefined takes the permission back. */
  allowTrading(largestOrderUsd: number | undefined): Promise<void>;
}

export interface AllowancePorts {
  readonly clock: Clock;
  readonly windowMinutes: () => number;
  readonly session: Pick<Session, "state" | "onDidChangeState">;
  readonly log: Log;
  /** Returns the largest order in USD, as the setting and the environment leave it. */
  readonly tradingLimitUsd: () => number | undefined;
  /** Keeps the permission to trade; left out, it can't be given. */
  readonly keepTrading?: TradingStore["keep"] | undefined;
}

interface Window {
  readonly what: "changes" | "cancels";
  readonly untilMs: number;
  /** The account that the allowance was meant for. */
  readonly identity: string;
  readonly timer: Disposable;
}

/**
 * Makes the allowance of a connection. It ends by time, on disconnect, when the session needs the user, and when
 * another account signs in.
 */
export function createAllowance(ports: AllowancePorts): Allowance {
  const { clock, windowMinutes, session, log, tradingLimitUsd, keepTrading } = ports;
  const changed: Emitter<void> = createEmitter((error) =>
    log.error(`a listener of the allowance failed: ${bugText(error)}`),
  );
  let window: Window | undefined;
  const end = (): void => {
    if (window === undefined) return;
    window.timer.dispose();
    window = undefined;
    changed.fire();
  };
  const stateListener = session.onDidChangeState((state) => {
    const isOver = state.status === "off" || state.status === "locked";
    const isOther = state.status === "ready" && identityKey(state.identity) !== window?.identity;
    if (isOver || isOther) end();
  });
  const untilMs = (what: Window["what"]): number | undefined => {
    if (window?.what !== what) return undefined;
    // A timer stands still while the computer sleeps; the wall clock does not.
    return clock.now() < window.untilMs ? window.untilMs : undefined;
  };
  return {
    get untilMs() {
      return untilMs("changes");
    },
    get cancelsUntilMs() {
      return untilMs("cancels");
    },
    get tradingLimitUsd() {
      return tradingLimitUsd();
    },
    allowed: ({ areCancels, areTrades }) => ({
      areChangesAllowed: untilMs("changes") !== undefined || (areCancels && untilMs("cancels") !== undefined),
      tradingLimitUsd: areTrades ? tradingLimitUsd() : undefined,
    }),
    onDidChange: changed.event,
    allow(what) {
      if (session.state.status !== "ready") return;
      window?.timer.dispose();
      const durationMs = windowMinutes() * 60_000;
      window = {
        what,
        untilMs: clock.now() + durationMs,
        identity: identityKey(session.state.identity),
        timer: clock.after(durationMs, end),
      };
      changed.fire();
    },
    end,
    async allowTrading(largestOrderUsd) {
      await keepTrading?.(largestOrderUsd);
      changed.fire();
    },
    dispose() {
      window?.timer.dispose();
      window = undefined;
      stateListener.dispose();
      changed.dispose();
    },
  };
}
