import * as l10n from "@vscode/l10n";
import { accountText } from "../actions/subaccounts.ts";
import type { Connection } from "../state/connections.ts";
import { allowanceText, connectionPlace, connectionStateText, hostOf, subjectOf } from "./connectionWords.ts";
import { linkFailureText } from "./failureText.ts";
import type { TooltipLine } from "./row.ts";
import { switchedMeaning } from "./subjectWords.ts";
import { durationText, type Times } from "./times.ts";

/** The one item in the status bar. */
export interface StatusBarItem {
  /** With icons in the editor's notation, e.g. `$(plug) TEST main`. */
  readonly text: string;
  readonly tooltip: readonly TooltipLine[];
  /** The only two coloured backgrounds that the editor has, or none. */
  readonly background: "none" | "warning" | "error";
  readonly spoken: string;
}

export interface StatusBarView {
  /** The active connection; undefined when none was chosen. */
  readonly active: Connection | undefined;
  /** Of the active connection, ms since the Unix epoch. */
  readonly changesAllowedUntilMs: number | undefined;
  /** Changes of any connection whose outcome nobody has proved. */
  readonly unknownOutcomes: number;
  readonly nowMs: number;
  readonly times: Times;
}

/** Environment and name of the active connection; an unknown outcome comes before everything else. */
export function statusBarItem(view: StatusBarView): StatusBarItem {
  const { icon, words, background } = faceOf(view);
  return { text: `$(${icon}) ${words}`, tooltip: tooltipOf(view), background, spoken: l10n.t("Trading RPC: {0}", words) };
}

interface Face {
  readonly icon: string;
  readonly words: string;
  readonly background: StatusBarItem["background"];
}

function faceOf({ active, changesAllowedUntilMs, unknownOutcomes, nowMs }: StatusBarView): Face {
  if (unknownOutcomes > 0) {
    const words = unknownOutcomes === 1 ? l10n.t("1 outcome unknown") : l10n.t("{0} outcomes unknown", unknownOutcomes);
    return { icon: "question", words: active === undefined ? words : l10n.t("{0} · {1}", words, connectionPlace(active)), background: "error" };
  }
  if (active === undefined) return { icon: "debug-disconnect", words: l10n.t("Not connected"), background: "none" };
  const place = connectionPlace(active);
  switch (active.state.status) {
    case "off":
      return { icon: "debug-disconnect", words: l10n.t("Not connected"), background: "none" };
    case "connecting":
    case "authenticating":
      return { icon: "sync~spin", words: place, background: "none" };
    case "waiting":
      return { icon: "debug-disconnect", words: l10n.t("{0} · trying again", place), background: "none" };
    case "locked":
      return { icon: "error", words: l10n.t("{0} · needs you", place), background: "none" };
    case "ready": {
      if (active.environment !== "production") return { icon: "plug", words: place, background: "none" };
      const left = allowanceText(active.environment, changesAllowedUntilMs, nowMs);
      return left === undefined ? { icon: "lock", words: place, background: "none" } : { icon: "unlock", words: l10n.t("{0} · changes {1}", place, left), background: "warning" };
    }
  }
}

function tooltipOf({ active, changesAllowedUntilMs, unknownOutcomes, nowMs, times }: StatusBarView): TooltipLine[] {
  const lines: TooltipLine[] = [];
  if (unknownOutcomes === 1) lines.push(sentence(l10n.t("What became of a change that was sent is not proved. Activity shows which one, and can check again.")));
  else if (unknownOutcomes > 1) lines.push(sentence(l10n.t("What became of {0} changes that were sent is not proved. Activity shows which, and can check again.", unknownOutcomes)));
  if (active === undefined) return [...lines, sentence(l10n.t("No connection is chosen. Click to connect."))];
  lines.push(sentence(l10n.t("{0}: {1}", connectionPlace(active), connectionStateText(active, nowMs))));
  lines.push(...subjectLines(active), ...idleLines(active));
  if (active.contradiction !== undefined) lines.push(sentence(active.contradiction));
  if (active.state.status !== "ready" && active.lastFailure !== undefined) lines.push(sentence(linkFailureText(active.lastFailure.failure, hostOf(active))));
  if (active.environment === "production" && active.state.status === "ready") {
    const isAllowed = allowanceText(active.environment, changesAllowedUntilMs, nowMs) !== undefined;
    lines.push(sentence(isAllowed ? l10n.t("Changes are allowed until {0}.", times.clock(changesAllowedUntilMs ?? 0)) : l10n.t("Read-only: changes are refused until they are allowed.")));
  }
  if (active.latencyMs !== undefined) lines.push({ name: l10n.t("network"), value: durationText(active.latencyMs) });
  if (active.state.status === "ready") lines.push({ name: l10n.t("session"), value: l10n.t("{0} old", durationText(nowMs - active.state.sinceMs)) });
  return lines;
}

function subjectLines({ state }: Connection): TooltipLine[] {
  const subject = subjectOf(state);
  return subject === undefined ? [] : [sentence(l10n.t("Switched to {0}. {1}", accountText(subject), switchedMeaning()))];
}

function idleLines({ state }: Connection): TooltipLine[] {
  if (state.status !== "off" || state.reason !== "idle") return [];
  return [sentence(l10n.t("It was disconnected because nobody used it for a while. It connects again as soon as you do."))];
}

function sentence(value: string): TooltipLine {
  return { name: undefined, value };
}
