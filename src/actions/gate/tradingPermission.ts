import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { CallOptions } from "../../session/session.ts";
import { isRealMoney, type Environment, type TradingLimits } from "../../state/records.ts";
import type { Allowance, CountedTrade } from "./allowance.ts";
import { readOrderSize, type OrderSize } from "../changes/orderSize.ts";
import type { CheckedIntent } from "../judge/check.ts";
import type { Intent } from "../intent/intent.ts";
import type { Outcome } from "../judge/outcome.ts";
import type { TradingSetting } from "./policy.ts";
import type { Routes } from "./route.ts";

/*
 * Allow Trading: the permission to place and edit orders and quotes, and to trade in other ways (`isTrade` of the
 * catalogue). It is kept with a connection, with the largest order and the total in USD, until it is taken back. Most
 * changes are no trades: this is loaded with the first one.
 */

/** The part of a connection that is about what it permits. */
interface TradingConnection {
  readonly environment: Environment;
  readonly gate: {
    readonly trading: TradingLimits | undefined;
    readonly changesAllowedUntilMs: number | undefined;
    allowTrading(): Promise<boolean>;
    allowChanges(): Promise<boolean>;
  };
}

/**
 * Whether trades are allowed on a connection; asks the user where they are not yet, and then for changes where
 * production is read-only. Commands that place or edit call it before they ask for anything else. Throws `refused`
 * where a setting turns trading off.
 */
export async function ensureTradingAllowed({ gate, environment }: TradingConnection): Promise<boolean> {
  if (gate.trading === undefined && !(await gate.allowTrading())) return false;
  return !isRealMoney(environment) || gate.changesAllowedUntilMs !== undefined || (await gate.allowChanges());
}

/** What is needed to check trades. */
export interface TradePorts {
  readonly routes: Pick<Routes, "call">;
  /** Asks the user to allow trading; undefined if no confirmation can be shown. Resolves to whether it is allowed. */
  readonly allowTrading?: (() => Promise<boolean>) | undefined;
  readonly allowance: Pick<Allowance, "trading">;
  readonly setting: TradingSetting;
  /** The environment and the connection, in words. */
  readonly place: Plain;
  /** The options of a read. */
  readonly options: CallOptions;
  /** The error code of a server that doesn't have a method. */
  readonly notOfferedCode: number;
}

/** Trades that are within the limits. */
export interface CheckedTrades {
  /** The largest order in USD that they were compared with. */
  readonly limitUsd: number;
  /** Whether nothing tells how large one of them is. */
  readonly isSizeUnknown: boolean;
  /** What each of them counts toward the total, in USD. */
  readonly countedUsd: ReadonlyMap<CheckedIntent, number>;
  /** The lines of the confirmation about the limits. */
  readonly lines: readonly Plain[];
}

/**
 * Checks that trades may be sent, apart from their confirmation: their origin, the setting, the permission, which the
 * user is asked for where there is none, and the limits. Resolves to the reason where they may not.
 */
export async function checkTrades(
  ports: TradePorts,
  trades: readonly CheckedIntent[],
): Promise<CheckedTrades | Failure> {
  const refusal = tradeRefusal(
    trades.map(({ intent }) => intent),
    ports.setting,
  );
  if (refusal !== undefined) return refused(refusal);
  const { allowance } = ports;
  if (allowance.trading === undefined) {
    if (ports.allowTrading === undefined) return refused(tradingNeededText(ports.place));
    if (!(await ports.allowTrading())) return { kind: "declined" };
  }
  const limitUsd = allowance.trading?.largestOrderUsd;
  if (limitUsd === undefined) return { kind: "situationChanged", changed: "trading" };
  if (limitUsd === Infinity) return { limitUsd, isSizeUnknown: false, countedUsd: new Map(), lines: [] };
  const sizes = await sizesOf(ports, trades);
  const limits = allowance.trading;
  if ("kind" in sizes) return sizes;
  if (limits === undefined) return { kind: "situationChanged", changed: "trading" };
  return judged(trades, sizes, { ...limits, largestOrderUsd: limitUsd });
}

/**
 * Compares the sizes of trades with the limits. What can only make a position smaller is within both, if its request
 * says nothing that is not understood.
 */
function judged(
  trades: readonly CheckedIntent[],
  sizes: readonly OrderSize[],
  limits: TradingLimits,
): CheckedTrades | Failure {
  const { largestOrderUsd: limitUsd, totalUsd, usedUsd } = limits;
  const counting = trades.flatMap((trade, index) => {
    const size = sizes[index];
    return size === undefined || (size.isReducing && !trade.isUnsized) ? [] : [{ trade, size }];
  });
  const usd = Math.max(0, ...counting.map(({ size }) => size.usd));
  if (usd > limitUsd) return refused(tooLargeText(usd, limitUsd));
  const addedUsd = counting.reduce((sum, { size }) => sum + size.countedUsd, 0);
  if (addedUsd > 0 && addedUsd > totalUsd - usedUsd) return refused(totalUsedText(addedUsd, limits));
  const isSizeUnknown = counting.some(({ trade, size }) => trade.isUnsized || !size.isWhole);
  return {
    limitUsd,
    isSizeUnknown,
    countedUsd: new Map(counting.map(({ trade, size }) => [trade, size.countedUsd])),
    lines: [
      ...(counting.length < trades.length
        ? [l10n.t("Reduce-only up to the position: the limits of trading don't apply.")]
        : []),
      ...(isSizeUnknown ? [l10n.t("The size in USD is unknown, so the limits of trading can't be checked.")] : []),
      ...(counting.length > 0 && !isSizeUnknown ? [countedText(addedUsd, limits)] : []),
    ],
  };
}

/** What was asked for the user's yes, and now has to hold once more. */
interface AskedTrades {
  readonly trades: readonly CheckedIntent[];
  readonly checked: CheckedTrades;
}

/** Trades that count toward the total, until their outcomes are known. */
export interface TakenTrades {
  /** Takes a trade out of the total again that was not sent, or was refused. */
  settle(trade: CheckedIntent, outcome: Outcome): void;
}

/**
 * Reads the sizes again after the confirmation, compares them with the limits as they are now, and counts them. The
 * position that an order reduces, prices, and what is left of the total may have changed meanwhile.
 */
export async function takeTrades(
  ports: Omit<TradePorts, "allowTrading" | "allowance"> & {
    readonly allowance: Pick<Allowance, "trading" | "countTrade">;
  },
  { trades, checked: before }: AskedTrades,
): Promise<TakenTrades | Failure> {
  const limitsNow = (): TradingLimits | undefined => ports.allowance.trading;
  if (limitsNow() === undefined) return { kind: "situationChanged", changed: "trading" };
  const now = await checkTrades({ ...ports, allowTrading: undefined }, trades);
  if ("kind" in now) return now;
  if (now.isSizeUnknown && !before.isSizeUnknown) return refused(sizeLostText());
  const taken = new Map<CheckedIntent, CountedTrade>();
  for (const [trade, usd] of now.countedUsd) {
    const counted = await ports.allowance.countTrade(usd);
    if (counted === undefined) {
      for (const each of taken.values()) each.giveBack();
      const limits = limitsNow();
      return limits === undefined
        ? { kind: "situationChanged", changed: "trading" }
        : refused(totalUsedText(usd, limits));
    }
    taken.set(trade, counted);
  }
  return {
    settle(trade, outcome) {
      if (outcome.kind === "notSent" || outcome.kind === "rejected") taken.get(trade)?.giveBack();
    },
  };
}

/** Returns what is in the way of trades wherever they go: their origin, or the setting. */
function tradeRefusal(intents: readonly Intent[], setting: TradingSetting): Plain | undefined {
  const ofModel = intents.find(({ origin }) => origin === "chat");
  if (ofModel !== undefined)
    return l10n.t(
      "Language models can't place or edit orders and quotes, and can't trade. Send {0} yourself.",
      plain.name(ofModel.method),
    );
  return setting === "never" ? tradingOffText() : undefined;
}

/** Reads the sizes of trades, in their order. Resolves to the failure where one could not be read. */
async function sizesOf(
  { routes, options, notOfferedCode }: TradePorts,
  trades: readonly CheckedIntent[],
): Promise<readonly OrderSize[] | Failure> {
  let failed: Failure | undefined;
  try {
    const sizes = await Promise.all(
      trades.map(
        async ({ intent: { method: traded, origin, words }, params }) =>
          await readOrderSize(traded, params, async (method, asked) => {
            const reading: Intent = { method, paramsText: JSON.stringify(asked), origin, words };
            const { error, result } = await routes.call(reading, options);
            if (error !== undefined && error.code !== notOfferedCode) failed ??= sizeUnread(error);
            return result;
          }),
      ),
    );
    return failed ?? sizes;
  } catch {
    if (options.signal?.aborted === true) return { kind: "stopped", wasSent: false };
    return refused(l10n.t("The size of the order in USD couldn't be read from the exchange. Try again."));
  }
}

function sizeUnread({ code, message }: Extract<Failure, { kind: "exchange" }>): Failure {
  return refused(
    l10n.t(
      "The size of the order in USD couldn't be read: the exchange returned error {0} ({1}).",
      code,
      plain.text(message, MAX_MESSAGE),
    ),
  );
}

const MAX_MESSAGE = 200;

function tooLargeText(usd: number, limitUsd: number): Plain {
  return l10n.t(
    "The order is for {0} USD, but the largest order that is allowed on this connection is {1} USD. Use a smaller amount, or Allow Trading… to change the limit.",
    usd,
    limitUsd,
  );
}

function totalUsedText(usd: number, { totalUsd, usedUsd }: TradingLimits): Plain {
  return l10n.t(
    "This counts {0} USD, but only {1} USD of the total of {2} USD are left on this connection. Use a smaller amount, or Allow Trading… to change the limits.",
    usdText(usd),
    usdText(Math.max(0, totalUsd - usedUsd)),
    usdText(totalUsd),
  );
}

function countedText(usd: number, { totalUsd, usedUsd }: TradingLimits): Plain {
  return l10n.t(
    "Counts {0} USD toward the total: {1} of {2} USD are used, {3} USD are left before it.",
    usdText(usd),
    usdText(usedUsd),
    usdText(totalUsd),
    usdText(Math.max(0, totalUsd - usedUsd)),
  );
}

function sizeLostText(): Plain {
  return l10n.t("Not sent: the size of the order in USD became unknown while the confirmation was open. Try again.");
}

/** Returns an amount in USD, rounded to cents. */
function usdText(usd: number): Plain {
  return plain`${Math.round(usd * 100) / 100}`;
}

function tradingNeededText(place: Plain): Plain {
  return l10n.t("Trading is not allowed on {0}. Use Allow Trading… to allow it.", place);
}

/** Returns the sentence about trades where a setting turns trading off. */
export function tradingOffText(): Plain {
  return l10n.t(
    "Orders, quotes, and trades are turned off by the setting tradingRpc.safety.allowTrading. Change the setting to allow them.",
  );
}

function refused(reason: string): Failure {
  return { kind: "refused", reason };
}
