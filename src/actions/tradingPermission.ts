import * as l10n from "@vscode/l10n";
import type { Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import type { TradingSetting } from "./allowance.ts";
import { readOrderSize, type OrderSize } from "./changes/orderSize.ts";
import type { CheckedIntent } from "./check.ts";
import type { Intent } from "./intent.ts";

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
  /**
   * Sends a read for a trade. Resolves to its result, or to undefined where the server doesn't have the method. Throws
   * for every other failure.
   */
  readonly read: (read: Intent) => Promise<unknown>;
  /** Asks the user to allow trading; undefined where nobody can be asked. Resolves to whether it is allowed. */
  readonly allowTrading?: (() => Promise<boolean>) | undefined;
  readonly setting: TradingSetting;
  /** Returns the largest order in USD; undefined while trading is not allowed. */
  readonly limitUsd: () => number | undefined;
  /** The environment and the connection, in words. */
  readonly place: string;
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
 * user is asked for where there is none, and the largest order. Resolves to the reason where they may not. Throws what
 * `read` throws.
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
  if (ports.limitUsd() === undefined) {
    if (ports.allowTrading === undefined) return refused(tradingNeededText(ports.place));
    if (!(await ports.allowTrading())) return { kind: "declined" };
  }
  const limitUsd = ports.limitUsd();
  if (limitUsd === undefined) return { kind: "situationChanged", changed: "trading" };
  if (limitUsd === Infinity) return { limitUsd, isSizeUnknown: false };
  const size = await sizeOf(ports, trades);
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

/** Reads the size of the largest order that is asked for. */
async function sizeOf({ read }: TradePorts, trades: readonly CheckedIntent[]): Promise<OrderSize> {
  const sizes = await Promise.all(
    trades.map(
      async ({ intent: { transport: _way, ...intent }, params }) =>
        await readOrderSize(
          intent.method,
          params,
          async (method, asked) => await read({ ...intent, method, paramsText: JSON.stringify(asked) }),
        ),
    ),
  );
  return { usd: Math.max(...sizes.map(({ usd }) => usd)), isWhole: sizes.every(({ isWhole }) => isWhole) };
}

/** Returns the sentence about a trade whose size could not be read. */
export function sizeUnreadText(failure: Failure): string {
  return failure.kind === "exchange"
    ? l10n.t(
        "The size of the order in USD couldn't be read: the exchange returned error {0} ({1}).",
        failure.code,
        plain.text(failure.message, MAX_MESSAGE),
      )
    : l10n.t("The size of the order in USD couldn't be read from the exchange. Try again.");
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
