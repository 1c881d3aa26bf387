import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ActivityEntry } from "../actions/activity.ts";
import { effectOfMethod } from "../actions/effects.ts";
import type { Intent } from "../actions/intent.ts";
import type { LiveConnection } from "../actions/liveConnection.ts";
import type { Outcome, Verdict } from "../actions/outcome.ts";
import { environmentWords } from "../actions/policy.ts";
import type { Disposable } from "../base/emitter.ts";
import { toFailure, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { failureSentences, failureText } from "../present/failureText.ts";
import { outcomeText, verdictText, type OutcomeContext } from "../present/outcomeText.ts";
import type { Times } from "../present/times.ts";

/** Tells a person what became of what they did, once, and offers the next step. */
export interface Notices {
  /** What became of one intent. An unknown outcome is told by `follow`, until reading has settled it. */
  showOutcome(live: LiveConnection, intent: Intent, outcome: Outcome): void;
  /** What became of several, in one message. */
  showOutcomes(live: LiveConnection, intents: readonly Intent[], outcomes: readonly Outcome[]): void;
  /** Why a connection could not be made, or was lost. */
  showLinkFailure(failure: Failure, server: string): void;
  showError(thrown: unknown): void;
  /** Tells of unknown outcomes of a connection, and of what reading finds out about them. */
  follow(live: LiveConnection): Disposable;
}

export interface NoticesPorts {
  readonly times: Times;
  readonly log: Log;
  /** Runs a command of ours. */
  readonly run: (command: string, ...args: readonly unknown[]) => void;
}

/** How long the good news of a single change stays in the status bar. */
const GOOD_NEWS_MS = 8000;

export function createNotices(ports: NoticesPorts): Notices {
  const { times, log } = ports;
  const contextOf = (live: LiveConnection, intent: Intent): OutcomeContext => ({ intent, place: environmentWords(live.environment, live.record.name), times });
  const showFailure = (failure: Failure, text: string): void => {
    if (failure.kind === "declined") return;
    log.warn(text);
    showWith(actionsFor(failure, ports), async (titles) => await vscode.window.showErrorMessage(text, ...titles));
  };
  const showOutcome = (live: LiveConnection, intent: Intent, outcome: Outcome): void => {
    const text = outcomeText(outcome, contextOf(live, intent));
    log.info(text);
    switch (outcome.kind) {
      case "confirmed":
        if (effectOfMethod(intent.method) !== "read") vscode.window.setStatusBarMessage(`$(check) ${text}`, GOOD_NEWS_MS);
        return;
      case "confirmedOther":
      case "challenge":
        showWith([logAction(ports)], async (titles) => await vscode.window.showWarningMessage(text, ...titles));
        return;
      case "notSent":
      case "rejected":
      case "failed":
        if (outcome.failure.kind === "declined") return;
        showWith(actionsFor(outcome.failure, ports, live), async (titles) => await vscode.window.showErrorMessage(text, ...titles));
        return;
      case "unknown":
        return;
    }
  };
  return {
    showOutcome,
    showLinkFailure: (failure, server) => showFailure(failure, linkFailureText(failure, server)),
    showError(thrown) {
      const failure = toFailure(thrown);
      showFailure(failure, failureSentences(failure, "read"));
    },
    showOutcomes(live, intents, outcomes) {
      const [intent] = intents;
      const [outcome] = outcomes;
      if (intents.length === 1 && intent !== undefined && outcome !== undefined) {
        showOutcome(live, intent, outcome);
        return;
      }
      if (outcomes.every((each) => each.kind === "notSent" && each.failure.kind === "declined")) return;
      const text = summary(outcomes, environmentWords(live.environment, live.record.name));
      log.info(text);
      for (const [index, each] of outcomes.entries()) {
        const about = intents[index];
        if (about !== undefined && each.kind !== "confirmed") log.warn(outcomeText(each, contextOf(live, about)));
      }
      if (outcomes.every((each) => each.kind === "confirmed")) vscode.window.setStatusBarMessage(`$(check) ${text}`, GOOD_NEWS_MS);
      else showWith([logAction(ports)], async (titles) => await vscode.window.showWarningMessage(text, ...titles));
    },
    follow: (live) => followUnknown(live, {
      checking: ({ intent: { words } }) => l10n.t("{0} on {1}", plain(words.sentence ?? words.target), environmentWords(live.environment, live.record.name)),
      settled: (entry, outcome) => showOutcome(live, entry.intent, outcome),
      verdict(entry, verdict) {
        const text = verdictText(verdict, contextOf(live, entry.intent));
        log.info(text);
        showVerdict(verdict, text, { checkAgain: { title: l10n.t("Check Again"), run: () => void live.gate.checkAgain(entry.id) }, showLog: logAction(ports) });
      },
    }),
  };
}

/** What happened and what to do. Nothing was wanted but a connection, so nothing needs to be said of changes. */
export function linkFailureText(failure: Failure, server: string): string {
  const { happened, meaning, advice } = failureText(failure, "read", server);
  return [happened, ...(failure.kind === "exchange" ? [meaning] : []), advice].filter((sentence) => sentence !== "").join(" ");
}

interface UnknownTold {
  /** What it is about, in words, while it is being checked. */
  readonly checking: (entry: ActivityEntry) => string;
  /** An answer came late and settled it. */
  readonly settled: (entry: ActivityEntry, outcome: Outcome) => void;
  readonly verdict: (entry: ActivityEntry, verdict: Verdict) => void;
}

/** A message stays until something is known: nobody should have to remember that an outcome is open. */
function followUnknown(live: LiveConnection, tell: UnknownTold): Disposable {
  const open = new Map<string, { verdicts: number; readonly finish: () => void }>();
  const listener = live.gate.onDidChangeActivity((entry) => {
    const before = open.get(entry.id);
    const { outcome } = entry;
    if (outcome === undefined || (before === undefined && outcome.kind !== "unknown")) return;
    if (before === undefined) {
      open.set(entry.id, { verdicts: entry.verdicts.length, finish: showChecking(tell.checking(entry)) });
      return;
    }
    if (outcome.kind !== "unknown" || entry.verdicts.length > 0 || entry.phase === "done") before.finish();
    for (const verdict of entry.verdicts.slice(before.verdicts)) tell.verdict(entry, verdict);
    before.verdicts = entry.verdicts.length;
    if (outcome.kind === "unknown") return;
    open.delete(entry.id);
    tell.settled(entry, outcome);
  });
  return {
    dispose() {
      listener.dispose();
      for (const { finish } of open.values()) finish();
      open.clear();
    },
  };
}

/** Shows a message with a moving bar until the result is called. It has one line: what matters most comes first. */
function showChecking(text: string): () => void {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: l10n.t("Outcome unknown, checking…") }, async (progress) => {
    progress.report({ message: text });
    await finished;
  });
  return () => finish();
}

/** A message without a button is cut after one line. */
function showVerdict(verdict: Verdict, text: string, { checkAgain, showLog }: Readonly<Record<"checkAgain" | "showLog", NoticeAction>>): void {
  switch (verdict.kind) {
    case "applied":
    case "other":
      showWith([showLog], async (titles) => await vscode.window.showInformationMessage(text, ...titles));
      return;
    case "notApplied":
    case "gone":
      showWith([showLog], async (titles) => await vscode.window.showWarningMessage(text, ...titles));
      return;
    case "unverified":
      showWith([checkAgain], async (titles) => await vscode.window.showWarningMessage(text, ...titles));
  }
}

interface NoticeAction {
  readonly title: string;
  readonly run: () => void;
}

/** The way out that a failure leaves. */
function actionsFor(failure: Failure, ports: NoticesPorts, live?: LiveConnection): readonly NoticeAction[] {
  const run = (title: string, command: string): NoticeAction => ({ title, run: () => ports.run(command, ...(live === undefined ? [] : [live.record.id])) });
  if (failure.kind === "notConnected") return [run(l10n.t("Connect…"), "tradingRpc.connect")];
  const isReadOnly = live?.environment === "production" && live.gate.changesAllowedUntilMs === undefined;
  if (failure.kind === "refused" && isReadOnly) return [run(l10n.t("Allow Changes…"), "tradingRpc.allowChanges")];
  return SAYS_ALL.has(failure.kind) ? [] : [logAction(ports)];
}

/** Failures of which the log knows no more than their sentence. */
const SAYS_ALL: ReadonlySet<Failure["kind"]> = new Set(["refused", "declined", "situationChanged", "invalidParams", "tooLarge", "stopped"]);

function logAction({ run }: NoticesPorts): NoticeAction {
  return { title: l10n.t("Show Log"), run: () => run("tradingRpc.showLog") };
}

function showWith(actions: readonly NoticeAction[], show: (titles: readonly string[]) => Promise<string | undefined>): void {
  void show(actions.map((action) => action.title)).then((title) => actions.find((action) => action.title === title)?.run());
}

function summary(outcomes: readonly Outcome[], place: string): string {
  const count = (kinds: readonly Outcome["kind"][]): number => outcomes.filter((each) => kinds.includes(each.kind)).length;
  const parts = [
    l10n.t("{0} of {1} cancelled on {2}.", count(["confirmed"]), outcomes.length, place),
    ...sentenceIf(count(["confirmedOther"]), (n) => l10n.t("{0} ended otherwise.", n)),
    ...sentenceIf(count(["rejected", "failed", "challenge"]), (n) => l10n.t("{0} refused by the exchange.", n)),
    ...sentenceIf(count(["notSent"]), (n) => l10n.t("{0} not sent.", n)),
    ...sentenceIf(count(["unknown"]), (n) => l10n.t("{0} unknown, being checked.", n)),
  ];
  return parts.join(" ");
}

function sentenceIf(count: number, sentence: (count: number) => string): readonly string[] {
  return count === 0 ? [] : [sentence(count)];
}
