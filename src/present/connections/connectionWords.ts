import { connectionName, environmentWords } from "../../actions/intent/connectionNames.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { TOO_MANY_REQUESTS } from "../../catalogue/codes.ts";
import type { Connection, ConnectionState } from "../../state/connections.ts";
import { isRealMoney, type Environment, type TradingLimits } from "../../state/records.ts";
import { numberText } from "../text/numbers.ts";
import { durationText } from "../text/times.ts";

type Ready = Extract<ConnectionState, { status: "ready" }>;
type Pause = NonNullable<Ready["pause"]>;

/* Words on connections that several surfaces share. */

/** Returns the environment in one word, in capitals. */
export function environmentWord(environment: Environment): Plain {
  switch (environment) {
    case "simulator":
      return l10n.t("SIMULATOR");
    case "test":
      return l10n.t("TESTNET");
    case "production":
      return l10n.t("PRODUCTION");
    case "gateway":
      return l10n.t("COINBASE GATEWAY");
  }
}

/** Returns a place of real money, within a sentence. */
export function moneyPlace(environment: "production" | "gateway"): Plain {
  return environment === "gateway" ? l10n.t("the Coinbase gateway") : l10n.t("production");
}

/** Returns the name of a connection, with the account that it was switched to: "main ▸ sub_maker". */
export function connectionTitle({ record, state }: Pick<Connection, "record" | "state">): string {
  return connectionName(record.name, switchedSubject(state));
}

/** Returns environment and name, as the whole interface shows them: "TESTNET main ▸ sub_maker". */
export function connectionPlace(connection: Pick<Connection, "record" | "state" | "environment">): Plain {
  return environmentWords(connection.environment, connectionTitle(connection));
}

/** Returns the account that a connection was switched to; undefined on the key's own account. */
export function switchedSubject(state: ConnectionState): Ready["identity"]["subject"] {
  return state.status === "ready" ? state.identity.subject : undefined;
}

/** Returns the address of a server. Its scheme is one of ours: the rest can't become a link. */
export function addressText(url: string): Plain {
  return url.startsWith(SCHEME) ? plain`wss://${plain.text(url.slice(SCHEME.length))}` : plain.text(url);
}

const SCHEME = "wss://";

/** Returns the state of a connection, in a word or two. */
export function connectionStateText({ state }: Pick<Connection, "state">, nowMs: number): Plain {
  switch (state.status) {
    case "off":
      return state.reason === "idle" ? l10n.t("disconnected while idle") : l10n.t("not connected");
    case "connecting":
      return l10n.t("connecting…");
    case "authenticating":
      return l10n.t("signing in…");
    case "ready":
      if (state.isSuspect) return l10n.t("not responding, checking…");
      return state.pause === undefined ? l10n.t("ready") : pauseText(state.pause, nowMs);
    case "waiting":
      if (state.retryAtMs <= nowMs) return l10n.t("trying again…");
      return isLimited(state.failure)
        ? pauseText({ reason: "rateLimit", untilMs: state.retryAtMs }, nowMs)
        : l10n.t("next attempt in {0}", durationText(state.retryAtMs - nowMs));
    case "locked":
      return l10n.t("needs your input");
  }
}

/** Returns the wait that the server has asked for. */
function pauseText({ reason, untilMs }: Pause, nowMs: number): Plain {
  const left = durationText(Math.max(1000, untilMs - nowMs));
  switch (reason) {
    case "rateLimit":
      return l10n.t("rate limited, resuming in {0}", left);
    case "maintenance":
      return l10n.t("maintenance, checking again in {0}", left);
  }
}

function isLimited(failure: Failure): boolean {
  return failure.kind === "connectionLost"
    ? failure.trouble === "rateLimit"
    : failure.kind === "exchange" && failure.code === TOO_MANY_REQUESTS;
}

/** Returns the host and port of a connection; undefined for the built-in simulator, which has no fixed one. */
export function hostOf({ record }: Connection): string | undefined {
  return URL.canParse(record.url) ? new URL(record.url).host : undefined;
}

/**
 * Returns the remaining time in which changes are allowed on production. Undefined where they are not, or need not be.
 */
export function allowanceText(
  environment: Environment,
  changesAllowedUntilMs: number | undefined,
  nowMs: number,
): Plain | undefined {
  if (!isRealMoney(environment) || changesAllowedUntilMs === undefined || changesAllowedUntilMs <= nowMs)
    return undefined;
  return durationText(Math.max(1000, changesAllowedUntilMs - nowMs));
}

/** Returns the largest order that trading is allowed for; undefined where it is not, or needs no permission. */
export function tradingText(trading: TradingLimits | undefined): Plain | undefined {
  return trading === undefined || trading.totalUsd === Infinity
    ? undefined
    : l10n.t("orders up to {0} USD", numberText(trading.largestOrderUsd));
}

/** Returns the limits of trading, and what is used and left of the total; undefined like `tradingText`. */
export function tradingUseText(trading: TradingLimits | undefined): Plain | undefined {
  if (trading === undefined || trading.totalUsd === Infinity) return undefined;
  const { largestOrderUsd, totalUsd, usedUsd } = trading;
  return l10n.t(
    "orders up to {0} USD, {1} of {2} USD used, {3} USD left",
    numberText(largestOrderUsd),
    centsText(usedUsd),
    centsText(totalUsd),
    centsText(Math.max(0, totalUsd - usedUsd)),
  );
}

/** Returns an amount in USD, rounded to cents. */
function centsText(usd: number): Plain {
  return numberText(Math.round(usd * 100) / 100);
}

/** Returns the text that production no longer takes changes. `isOver`: because the time for them has run out. */
export function allowanceEndText(place: Plain, isOver: boolean): Plain {
  return isOver
    ? l10n.t("{0} is read-only again because the time for changes has expired.", place)
    : l10n.t("{0} is read-only again.", place);
}
