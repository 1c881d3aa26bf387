import * as l10n from "@vscode/l10n";
import { plain } from "../base/plain.ts";
import { CallError, type Failure } from "../base/failure.ts";
import type { Environment } from "../state/records.ts";
import type { OrderSize } from "./changes/orderSize.ts";
import { decimalText } from "./decimal.ts";
import type { Intent } from "./intent.ts";

/*
 * Allow Trading: the permission to place and edit orders and quotes, and to trade in other ways (`isTrade` of the
 * catalogue). It is kept with a connection, with the largest order in USD, until it is taken back.
 */

/** The permission of one connection, where it is kept. */
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
 * extension takes orders of any size, `Infinity`: there is no real money behind it.
 */
export function tradingLimitUsd(
  environment: Environment,
  setting: TradingSetting,
  store: Pick<TradingStore, "largestOrderUsd"> | undefined,
): number | undefined {
  if (setting === "never") return undefined;
  return environment === "simulator" ? Infinity : store?.largestOrderUsd();
}

/**
 * Whether trades are allowed on a connection; asks the user where they are not yet. Commands that place or edit call it
 * before they ask for anything else. Throws `refused` where a setting turns trading off.
 */
export async function ensureTradingAllowed({ gate }: { readonly gate: TradingGate }): Promise<boolean> {
  return gate.tradingLimitUsd !== undefined || (await gate.allowTrading());
}

/** The part of the gate of a connection that is about the permission. */
interface TradingGate {
  readonly tradingLimitUsd: number | undefined;
  allowTrading(): Promise<boolean>;
}

/** The facts that decide whether a trade may be sent. */
export interface TradeFacts {
  /** The largest order in USD; undefined while trading is not allowed. */
  readonly limitUsd: number | undefined;
  /** The size of what it asks for; undefined before it was read, and where any size is allowed. */
  readonly size?: OrderSize | undefined;
}

/** What is in the way of a trade: a refusal with its sentence, or a permission that the user has to give first. */
export type TradeObstacle = { readonly kind: "refuse"; readonly reason: string } | { readonly kind: "allowTrading" };

/** Returns what is in the way of a trade wherever it goes: its origin, or the setting. */
export function tradeRefusal(
  { method, origin }: Pick<Intent, "method" | "origin">,
  setting: TradingSetting,
): TradeObstacle | undefined {
  if (origin === "chat")
    return refuse(
      l10n.t(
        "Language models can't place or edit orders and quotes, and can't trade. Send {0} yourself.",
        plain.name(method),
      ),
    );
  return setting === "never" ? refuse(tradingOffText()) : undefined;
}

/** Returns what is in the way of a trade on a connection; undefined where it may be sent, with a confirmation. */
export function tradeObstacle({ limitUsd, size }: TradeFacts): TradeObstacle | undefined {
  if (limitUsd === undefined) return { kind: "allowTrading" };
  if (size === undefined || size.usd <= limitUsd) return undefined;
  return refuse(
    l10n.t(
      "The order is for {0} USD, but the largest order that is allowed on this connection is {1} USD. Use a smaller amount, or change the limit with Allow Trading….",
      decimalText(size.usd),
      decimalText(limitUsd),
    ),
  );
}

/** Returns the failure of a trade whose size could not be read. */
export function sizeUnread(failure: Failure): Failure {
  const reason =
    failure.kind === "exchange"
      ? l10n.t(
          "The size of the order in USD couldn't be read: the exchange returned error {0} ({1}).",
          failure.code,
          plain.text(failure.message, MAX_MESSAGE),
        )
      : l10n.t("The size of the order in USD couldn't be read from the exchange. Try again.");
  return { kind: "refused", reason };
}

const MAX_MESSAGE = 200;

/** Throws `refused` where a setting turns trading off. */
export function requireTradingOffered(setting: TradingSetting): void {
  if (setting === "never") throw new CallError({ kind: "refused", reason: tradingOffText() });
}

/** Returns the sentence about a trade that nobody can allow here. */
export function tradingNeededText(place: string): string {
  return l10n.t("Trading is not allowed on {0}. Use Allow Trading… to allow it.", place);
}

function tradingOffText(): string {
  return l10n.t(
    "Orders, quotes, and trades are turned off by the setting tradingRpc.safety.allowTrading. Change the setting to allow them.",
  );
}

function refuse(reason: string): TradeObstacle {
  return { kind: "refuse", reason };
}
