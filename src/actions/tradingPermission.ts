import * as l10n from "@vscode/l10n";
import type { Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import type { CallOptions } from "../session/session.ts";
import type { Allowance, TradingSetting } from "./allowance.ts";
import { readOrderSize, type OrderSize } from "./changes/orderSize.ts";
import type { CheckedIntent } from "./check.ts";
import type { Intent } from "./intent.ts";
import type { Routes } from "./route.ts";

/*
 * Allow Trading: the permission to place and edit orders and quotes, and to trade in other ways (`isTrade` of the
 * catalogue). It is kept with a connection, with the largest order in USD, until it is taken back. Most changes are no
 * trades: this is loaded with the first one.
 */

/** The part of the gate of a connection that is about the permission. */
interface TradingGate {
  readonly tradingLimitUsd: number | undefined;
  allowTrading(): Promise<boolean>;
}

/**
 * Whether trades are allowed on a connection; asks the user where they are not yet. Commands that place or edit call it
 * before they ask for anything else. Throws `refused` where a setting turns trading off.
 */
export async function ensureTradingAllowed({ gate }: { readonly gate: TradingGate }): Promise<boolean> {
  return gate.tradingLimitUsd !== undefined || (await gate.allowTrading());
}

/** What is needed to check trades. */
export interface TradePorts {
  readonly routes: Pick<Routes, "call">;
  /** Asks the user to allow trading; undefined if no confirmation can be shown. Resolves to whether it is allowed. */
  readonly allowTrading?: (() => Promise<boolean>) | undefined;
  readonly allowance: Pick<Allowance, "tradingLimitUsd">;
  readonly setting: TradingSetting;
  /** The environment and the connection, in words. */
  readonly place: string;
  /** The options of a read. */
  readonly options: CallOptions;
  /** The error code of a server that doesn't have a method. */
  readonly notOfferedCode: number;
}

/** Trades that are not larger than the largest order. */
export interface CheckedTrades {
  /** The largest order in USD that they were compared with. */
  readonly limitUsd: number;
  /** Whether nothing tells how large one of them is. */
  readonly isSizeUnknown: boolean;
}

/**
 * Checks that trades may be sent, apart from their confirmation: their origin, the setting, the permission, which the
 * user is asked for where there is none, and the largest order. Resolves to the reason where they may not.
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
  if (allowance.tradingLimitUsd === undefined) {
    if (ports.allowTrading === undefined) return refused(tradingNeededText(ports.place));
    if (!(await ports.allowTrading())) return { kind: "declined" };
  }
  const limitUsd = allowance.tradingLimitUsd;
  if (limitUsd === undefined) return { kind: "situationChanged", changed: "trading" };
  if (limitUsd === Infinity) return { limitUsd, isSizeUnknown: false };
  const size = await sizeOf(ports, trades);
  if ("kind" in size) return size;
  return size.usd <= limitUsd ? { limitUsd, isSizeUnknown: !size.isWhole } : refused(tooLargeText(size.usd, limitUsd));
}

/** Returns what is in the way of trades wherever they go: their origin, or the setting. */
function tradeRefusal(intents: readonly Intent[], setting: TradingSetting): string | undefined {
  const ofModel = intents.find(({ origin }) => origin === "chat");
  if (ofModel !== undefined)
    return l10n.t(
      "Language models can't place or edit orders and quotes, and can't trade. Send {0} yourself.",
      plain.name(ofModel.method),
    );
  return setting === "never" ? tradingOffText() : undefined;
}

/** Reads the size of the largest order that is asked for. Resolves to the failure where it could not be read. */
async function sizeOf(
  { routes, options, notOfferedCode }: TradePorts,
  trades: readonly CheckedIntent[],
): Promise<OrderSize | Failure> {
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
    const isWhole = sizes.every((size) => size.isWhole);
    return failed ?? { usd: Math.max(...sizes.map(({ usd }) => usd)), isWhole };
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

function tooLargeText(usd: number, limitUsd: number): string {
  return l10n.t(
    "The order is for {0} USD, but the largest order that is allowed on this connection is {1} USD. Use a smaller amount, or change the limit with Allow Trading….",
    String(usd),
    String(limitUsd),
  );
}

function tradingNeededText(place: string): string {
  return l10n.t("Trading is not allowed on {0}. Use Allow Trading… to allow it.", place);
}

/** Returns the sentence about trades where a setting turns trading off. */
export function tradingOffText(): string {
  return l10n.t(
    "Orders, quotes, and trades are turned off by the setting tradingRpc.safety.allowTrading. Change the setting to allow them.",
  );
}

function refused(reason: string): Failure {
  return { kind: "refused", reason };
}
