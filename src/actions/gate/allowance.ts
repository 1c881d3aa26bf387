import { createEmitter, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import { bugText } from "../../base/failure.ts";
import { plain } from "../../base/plain.ts";
import type { TradingLimits } from "../../state/records.ts";
import type { GatePorts } from "./gatePorts.ts";
import { identityKey, type Allowed } from "../intent/situation.ts";

type AllowancePorts = Pick<GatePorts, "clock" | "session" | "log" | "settings" | "environment" | "trading">;

/**
 * Returns the limits of trading; undefined while it is not allowed. The simulator of this extension takes orders of any
 * size, `Infinity`: it trades no real money.
 */
function tradingIn({ environment, settings, trading }: AllowancePorts): TradingLimits | undefined {
  if (settings().allowTrading === "never") return undefined;
  return environment() === "simulator" ? UNLIMITED : trading?.limits();
}

const UNLIMITED: TradingLimits = { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0 };

/** An amount in USD that counts toward the total of trading. */
export interface CountedTrade {
  /** Takes it out of the total again, because nothing was traded. */
  giveBack(): void;
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
  /** The limits of trading; undefined while it is not allowed. */
  readonly trading: TradingLimits | undefined;
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
  /** Allows trading within limits, of which nothing is used; undefined takes the permission back. */
  allowTrading(limits: Omit<TradingLimits, "usedUsd"> | undefined): Promise<void>;
  /**
   * Counts an amount in USD toward the total, at once, and resolves when that is kept. Undefined where the total has no
   * room for it, or trading is not allowed.
   */
  countTrade(usd: number): Promise<CountedTrade | undefined>;
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
  const { clock, session, log } = ports;
  const changed: Emitter<void> = createEmitter((error) =>
    log.error(plain`a listener of the allowance failed: ${bugText(error)}`),
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
  const trading = createTradingTotal(ports, () => changed.fire());
  return {
    get untilMs() {
      return untilMs("changes");
    },
    get cancelsUntilMs() {
      return untilMs("cancels");
    },
    get trading() {
      return trading.limits();
    },
    allowed: ({ areCancels, areTrades }) => ({
      areChangesAllowed: untilMs("changes") !== undefined || (areCancels && untilMs("cancels") !== undefined),
      tradingLimitUsd: areTrades ? trading.limits()?.largestOrderUsd : undefined,
    }),
    onDidChange: changed.event,
    allow(what) {
      if (session.state.status !== "ready") return;
      window?.timer.dispose();
      const durationMs = ports.settings().allowChangesMinutes * 60_000;
      window = {
        what,
        untilMs: clock.now() + durationMs,
        identity: identityKey(session.state.identity),
        timer: clock.after(durationMs, end),
      };
      changed.fire();
    },
    end,
    allowTrading: trading.allowTrading,
    countTrade: trading.countTrade,
    dispose() {
      window?.timer.dispose();
      window = undefined;
      stateListener.dispose();
      changed.dispose();
    },
  };
}

/**
 * Counts what is traded. What is counted holds at once, also for a trade that is confirmed in the same moment, and is
 * kept one after another.
 */
function createTradingTotal(
  ports: AllowancePorts,
  onDidChange: () => void,
): Pick<Allowance, "allowTrading" | "countTrade"> & { readonly limits: () => TradingLimits | undefined } {
  /** What is counted and not kept yet. */
  let unkeptUsd = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** Marks the permission: what an earlier one has counted is not given back to a later one. */
  let permission = {};
  const limitsNow = (): TradingLimits | undefined => {
    const limits = tradingIn(ports);
    return limits && { ...limits, usedUsd: Math.max(0, limits.usedUsd + unkeptUsd) };
  };
  const inTurn = async (task: () => Promise<void>): Promise<void> => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    await mine;
  };
  const add = async (usd: number): Promise<void> => {
    unkeptUsd += usd;
    onDidChange();
    const given = permission;
    await inTurn(async () => {
      const limits = tradingIn(ports);
      if (given !== permission || limits === undefined || ports.trading === undefined) return;
      try {
        await ports.trading.keep({ ...limits, usedUsd: Math.max(0, limits.usedUsd + usd) });
        unkeptUsd -= usd;
      } catch (error) {
        ports.log.error(plain`the used total of trading was not kept: ${bugText(error)}`);
      }
    });
  };
  return {
    limits: limitsNow,
    async allowTrading(limits) {
      await inTurn(async () => {
        await ports.trading?.keep(limits && { ...limits, usedUsd: 0 });
        permission = {};
        unkeptUsd = 0;
      });
      onDidChange();
    },
    async countTrade(usd) {
      const limits = limitsNow();
      if (limits === undefined || (usd > 0 && usd > limits.totalUsd - limits.usedUsd)) return undefined;
      const given = permission;
      if (usd > 0 && limits.totalUsd < Infinity) await add(usd);
      return {
        giveBack() {
          if (usd > 0 && limits.totalUsd < Infinity && given === permission) void add(-usd);
        },
      };
    },
  };
}
