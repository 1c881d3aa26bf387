import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isRealMoney, type TradingLimits } from "../../state/records.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { SafetySettings } from "../../actions/gate/policy.ts";
import { accountText } from "../../actions/connection/subaccounts.ts";
import { networkMs } from "../../rpc/response.ts";
import type { Connection } from "../../state/connections.ts";
import {
  allowanceText,
  connectionPlace,
  connectionStateText,
  hostOf,
  switchedSubject,
  tradingText,
  tradingUseText,
} from "./connectionWords.ts";
import { tiedCount, tiedText } from "./disconnectRisk.ts";
import { linkFailureText } from "../text/failureText.ts";
import { budgetLines } from "./rateBudget.ts";
import { sentenceLines, type TooltipLine } from "../rows/row.ts";
import { switchedMeaning } from "./subjectWords.ts";
import { durationText, type Times } from "../text/times.ts";

/** The only item in the status bar. */
export interface StatusBarItem {
  /** The text, with icons in the notation of VS Code, e.g. `$(plug) TESTNET main`. */
  readonly text: Plain;
  readonly tooltip: readonly TooltipLine[];
  /** The commands below the tooltip. Their titles are ours. */
  readonly links: readonly StatusBarLink[];
  /** The background: one of the two colored ones that VS Code has, or none. */
  readonly background: "none" | "warning" | "error";
  readonly spoken: Plain;
}

export interface StatusBarLink {
  readonly title: Plain;
  readonly command: StatusBarCommand;
}

/** The commands that the tooltip may run: each asks before it changes anything. */
export const STATUS_BAR_COMMANDS = [
  "tradingRpc.connection.connect",
  "tradingRpc.connection.disconnect",
  "tradingRpc.connection.allowChanges",
  "tradingRpc.connection.makeReadOnly",
  "tradingRpc.connection.disallowTrading",
  "tradingRpc.activity.focus",
  "tradingRpc.connections.focus",
  "tradingRpc.log.show",
] as const;
type StatusBarCommand = (typeof STATUS_BAR_COMMANDS)[number];

export interface StatusBarView {
  /** The active connection; undefined when none was chosen. */
  readonly active: Connection | undefined;
  /** The other connections that are open. */
  readonly others?: readonly OtherConnection[];
  /** The end of the time in which changes are allowed on the active connection, in ms since the Unix epoch. */
  readonly changesAllowedUntilMs: number | undefined;
  /** The end of the time in which only cancels are allowed on the active connection, in ms since the Unix epoch. */
  readonly cancelsAllowedUntilMs?: number | undefined;
  /** The limits of trading on the active connection; undefined while it is not allowed. */
  readonly trading?: TradingLimits | undefined;
  /** The times and limits of the active connection; undefined where it is not open. */
  readonly pace?: Pick<LiveConnection, "timing" | "budgets"> | undefined;
  /** The number of changes of any connection with an unproven outcome. */
  readonly unknownOutcomes: number;
  /** The confirmations that the user has chosen. */
  readonly confirmCancel?: SafetySettings["confirmCancel"];
  readonly nowMs: number;
  readonly times: Times;
}

export interface OtherConnection {
  readonly connection: Connection;
  readonly changesAllowedUntilMs: number | undefined;
  readonly cancelsAllowedUntilMs?: number | undefined;
}

/**
 * Returns the environment and name of the active connection. Production with an account has the error background,
 * anything else on which changes or trading are allowed the warning background. Warnings come with it: first an unknown
 * outcome, then production that takes changes, then orders that end with this window.
 */
export function statusBarItem(view: StatusBarView): StatusBarItem {
  const { icon, words, background, spoken = words } = faceOf(view);
  return {
    text: plain`$(${plain.name(icon)}) ${words}`,
    tooltip: tooltipOf(view),
    links: linksOf(view),
    background,
    spoken: l10n.t("Trading RPC: {0}", spoken),
  };
}

interface Face {
  readonly icon: string;
  readonly words: Plain;
  readonly background: StatusBarItem["background"];
  /** The text for screen readers; the words when left out. */
  readonly spoken?: Plain;
}

function faceOf(view: StatusBarView): Face {
  const { active, unknownOutcomes: count } = view;
  const isOff = active?.state.status === "off";
  const face = allowedFace(view);
  if (count === 0) return face;
  const words = count === 1 ? l10n.t("1 outcome unknown") : l10n.t("{0} outcomes unknown", count);
  // What is allowed, or ends with the window, still counts while an outcome is unknown.
  return {
    icon: "question",
    words: active === undefined ? words : l10n.t("{0} · {1}", words, isOff ? connectionPlace(active) : face.words),
    background: "error",
  };
}

function allowedFace(view: StatusBarView): Face {
  const face = connectionFace(view);
  const elsewhere = allowedElsewhere(view);
  const open: Face =
    elsewhere === undefined
      ? face
      : { ...withMore(face, elsewhere), icon: "unlock", background: face.background === "error" ? "error" : "warning" };
  const tied = tiedOrders(view).reduce((sum, { count }) => sum + count, 0);
  if (tied === 0) return open;
  return withMore(
    open,
    tied === 1 ? l10n.t("closing this window cancels 1 order") : l10n.t("closing this window cancels {0} orders", tied),
  );
}

function withMore(face: Face, more: Plain): Face {
  const { words, spoken = words } = face;
  return { ...face, words: l10n.t("{0} · {1}", words, more), spoken: l10n.t("{0}, {1}", spoken, more) };
}

function connectionFace(view: StatusBarView): Face {
  const { active, nowMs } = view;
  if (active === undefined || active.state.status === "off")
    return { icon: "debug-disconnect", words: l10n.t("Not connected"), background: "none" };
  const place = connectionPlace(active);
  const background = backgroundOf(active, view);
  const face = (icon: string, words = place): Face => ({
    icon,
    words,
    background,
    spoken: l10n.t("{0}, {1}", place, connectionStateText(active, nowMs)),
  });
  const unlocked = (words: Plain, spoken: Plain): Face => ({ icon: "unlock", words, background, spoken });
  switch (active.state.status) {
    case "connecting":
    case "authenticating":
      return face("sync~spin");
    case "waiting":
      return face("debug-disconnect", l10n.t("{0} · trying again", place));
    case "locked":
      return face("error", l10n.t("{0} · needs your input", place));
    case "ready": {
      if (!isGuarded(active)) return face("plug");
      const { changes, cancels } = leftOn(active, view, nowMs);
      if (cancels !== undefined)
        return unlocked(
          l10n.t("{0} · cancels: {1} left", place, cancels),
          l10n.t("{0}, only cancels are allowed for {1}", place, cancels),
        );
      return changes === undefined
        ? { ...face("lock"), spoken: l10n.t("{0}, read-only", place) }
        : unlocked(
            l10n.t("{0} · changes: {1} left", place, changes),
            l10n.t("{0}, changes are allowed for {1}", place, changes),
          );
    }
  }
}

/** Returns the background of a connection: what it says holds whether or not the link is up. */
function backgroundOf(active: Connection, { trading }: StatusBarView): Face["background"] {
  if (isGuarded(active)) return "error";
  return tradingText(trading) === undefined ? "none" : "warning";
}

/** Returns how long changes, or only cancels, are still allowed; undefined where they are not. */
function leftOn(
  { environment }: Connection,
  {
    changesAllowedUntilMs,
    cancelsAllowedUntilMs,
  }: Pick<StatusBarView, "changesAllowedUntilMs" | "cancelsAllowedUntilMs">,
  nowMs: number,
): { readonly changes: Plain | undefined; readonly cancels: Plain | undefined } {
  return {
    changes: allowanceText(environment, changesAllowedUntilMs, nowMs),
    cancels: allowanceText(environment, cancelsAllowedUntilMs, nowMs),
  };
}

/** Whether a connection is production that could take changes. If it has no key, there is nothing to allow. */
function isGuarded({ environment, record }: Connection): boolean {
  return isRealMoney(environment) && record.grant !== "none";
}

/**
 * Returns text about changes allowed on another connection. Production is never left open out of sight because another
 * connection is active.
 */
function allowedElsewhere({ others = [], nowMs }: StatusBarView): Plain | undefined {
  const open = others.flatMap((other) => {
    const { changes, cancels } = leftOn(other.connection, other, nowMs);
    const place = connectionPlace(other.connection);
    if (cancels !== undefined) return [l10n.t("{0} cancels: {1} left", place, cancels)];
    return changes === undefined ? [] : [l10n.t("{0} changes: {1} left", place, changes)];
  });
  return open.length === 0 ? undefined : plain.join(open, " · ");
}

/** Returns the tied orders of every open connection: a window that is reloaded ends them all. */
function tiedOrders({ active, others = [] }: StatusBarView): { readonly place: Plain; readonly count: number }[] {
  const all = [...(active === undefined ? [] : [active]), ...others.map(({ connection }) => connection)];
  return all
    .map((connection) => ({ place: connectionPlace(connection), count: tiedCount(connection.cancelOnDisconnect) }))
    .filter(({ count }) => count > 0);
}

function tooltipOf(view: StatusBarView): TooltipLine[] {
  const { active, others = [], unknownOutcomes: unknown, nowMs } = view;
  const told = sentenceLines([
    unknown === 1
      ? l10n.t("The outcome of a change that was sent is unknown. Open Activity to review it and check again.")
      : "",
    unknown > 1
      ? l10n.t(
          "The outcome of {0} changes that were sent is unknown. Open Activity to review them and check again.",
          unknown,
        )
      : "",
    ...(active === undefined
      ? [l10n.t("No connection is selected. Click to connect.")]
      : activeSentences(active, view)),
    ...tiedOrders(view).map(tiedText),
    ...others.map((other) => otherText(other, nowMs)),
  ]);
  if (active?.state.status !== "ready") return told;
  const age = l10n.t("{0} old", durationText(nowMs - active.state.sinceMs));
  return [...told, ...paceLines(view), { name: l10n.t("session"), value: age }];
}

function otherText(other: OtherConnection, nowMs: number): Plain {
  const { connection } = other;
  const [place, state] = [connectionPlace(connection), connectionStateText(connection, nowMs)];
  const { changes, cancels } = leftOn(connection, other, nowMs);
  if (cancels !== undefined)
    return l10n.t("Also open: {0}, {1}. Only cancels are allowed for {2}.", place, state, cancels);
  return changes === undefined
    ? l10n.t("Also open: {0}, {1}.", place, state)
    : l10n.t("Also open: {0}, {1}. Changes are allowed for {2}.", place, state, changes);
}

function activeSentences(active: Connection, view: StatusBarView): readonly Plain[] {
  const { confirmCancel, nowMs } = view;
  const { state, environment, contradiction, lastFailure } = active;
  const subject = switchedSubject(state);
  const trading = tradingUseText(view.trading);
  const isReady = state.status === "ready";
  return [
    l10n.t("{0}: {1}", connectionPlace(active), connectionStateText(active, nowMs)),
    subject === undefined ? "" : l10n.t("Switched to {0}. {1}", accountText(subject), switchedMeaning()),
    state.status === "off" && state.reason === "idle"
      ? l10n.t("Disconnected after a period of inactivity. It reconnects automatically when you use it.")
      : "",
    contradiction ?? "",
    isReady || lastFailure === undefined ? "" : linkFailureText(lastFailure.failure, hostOf(active)),
    isRealMoney(environment) && isReady ? guardText(active, view) : "",
    isReady && trading !== undefined ? l10n.t("Trading is allowed: {0}.", trading) : "",
    environment === "test" && confirmCancel === "productionOnly"
      ? l10n.t("Your settings allow cancelling a single order here without confirmation.")
      : "",
  ];
}

function guardText(active: Connection, view: StatusBarView): Plain {
  if (!isGuarded(active)) return l10n.t("No API key: public methods only.");
  const { changesAllowedUntilMs, cancelsAllowedUntilMs, nowMs, times } = view;
  const { changes, cancels } = leftOn(active, view, nowMs);
  if (cancels !== undefined)
    return l10n.t(
      "Only cancels are allowed until {0}. Other changes are refused.",
      times.clock(cancelsAllowedUntilMs ?? 0),
    );
  return changes === undefined
    ? l10n.t("Read-only: changes are refused until you allow them.")
    : l10n.t("Changes are allowed until {0}.", times.clock(changesAllowedUntilMs ?? 0));
}

/** Returns the timing of the latest call, and how many more calls are allowed. */
function paceLines({ pace, active }: StatusBarView): TooltipLine[] {
  const timing = pace?.timing;
  const network = timing === undefined ? active?.latencyMs : networkMs(timing);
  const isWhole = timing !== undefined && timing.exchangeMs === undefined;
  const line = (name: Plain, ms: number | undefined): TooltipLine[] =>
    ms === undefined ? [] : [{ name, value: durationText(ms) }];
  return [
    ...line(isWhole ? l10n.t("exchange and network") : l10n.t("network"), network),
    ...line(l10n.t("exchange"), timing?.exchangeMs),
    ...line(l10n.t("queue"), timing?.queuedMs),
    ...budgetLines(pace?.budgets ?? []),
  ];
}

function linksOf(view: StatusBarView): StatusBarLink[] {
  const { active, trading, unknownOutcomes, nowMs } = view;
  const links: StatusBarLink[] = [];
  const add = (title: Plain, command: StatusBarCommand): void => void links.push({ title, command });
  if (unknownOutcomes > 0) add(l10n.t("Show Activity"), "tradingRpc.activity.focus");
  const status = active?.state.status ?? "off";
  if (status === "off") add(l10n.t("Connect…"), "tradingRpc.connection.connect");
  else {
    if (active !== undefined && status === "ready" && isGuarded(active)) {
      const { changes, cancels } = leftOn(active, view, nowMs);
      if (changes === undefined) add(l10n.t("Allow Changes…"), "tradingRpc.connection.allowChanges");
      if (changes !== undefined || cancels !== undefined)
        add(l10n.t("Disallow Changes"), "tradingRpc.connection.makeReadOnly");
    }
    if (status === "ready" && tradingText(trading) !== undefined)
      add(l10n.t("Disallow Trading"), "tradingRpc.connection.disallowTrading");
    add(l10n.t("Show Connections"), "tradingRpc.connections.focus");
    add(l10n.t("Disconnect"), "tradingRpc.connection.disconnect");
  }
  add(l10n.t("Show Log"), "tradingRpc.log.show");
  return links;
}
