import * as l10n from "@vscode/l10n";
import type { Connection } from "../state/connections.ts";
import type { Environment } from "../state/records.ts";
import { durationText } from "./times.ts";

/* Words on connections that several surfaces share. */

/** The environment in one word, in capitals. */
export function environmentWord(environment: Environment): string {
  switch (environment) {
    case "simulator":
      return l10n.t("SIMULATOR");
    case "test":
      return l10n.t("TEST");
    case "production":
      return l10n.t("PRODUCTION");
  }
}

/** Where a connection stands, in a word or two. */
export function connectionStateText({ state }: Connection, nowMs: number): string {
  switch (state.status) {
    case "off":
      return l10n.t("not connected");
    case "connecting":
      return l10n.t("connecting…");
    case "authenticating":
      return l10n.t("signing in…");
    case "ready":
      return state.isSuspect ? l10n.t("no sign of life, checking…") : l10n.t("ready");
    case "waiting":
      return state.retryAtMs > nowMs ? l10n.t("next attempt in {0}", durationText(state.retryAtMs - nowMs)) : l10n.t("trying again…");
    case "locked":
      return l10n.t("needs you");
  }
}

/** The host and port of a connection; undefined for the built-in simulator, which has no fixed one. */
export function hostOf({ record }: Connection): string | undefined {
  return URL.canParse(record.url) ? new URL(record.url).host : undefined;
}

/** How much longer changes are allowed on production; undefined where they are not, or need not be. */
export function allowanceText(environment: Environment, changesAllowedUntilMs: number | undefined, nowMs: number): string | undefined {
  if (environment !== "production" || changesAllowedUntilMs === undefined || changesAllowedUntilMs <= nowMs) return undefined;
  return durationText(Math.max(1000, changesAllowedUntilMs - nowMs));
}
