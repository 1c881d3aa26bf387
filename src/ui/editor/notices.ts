import * as l10n from "@vscode/l10n";
import type { ActivityEntry } from "../../actions/activity.ts";
import { makesClientSecret } from "../../catalogue/oneTimeSecrets.ts";
import type { Intent } from "../../actions/intent.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { effectOfCall } from "../../actions/check.ts";
import { parseObject } from "../../base/json.ts";
import { isSettling, type Outcome, type Verdict } from "../../actions/outcome.ts";
import { switchOf, unresolvedCount, type SubjectChange } from "../../actions/subaccounts.ts";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { toFailure, type Failure } from "../../base/failure.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import { failureSentences, linkFailureText } from "../../present/text/failureText.ts";
import { countText } from "../../present/text/numbers.ts";
import {
  isFilledOtherwise,
  outcomeText,
  verdictText,
  type OutcomeContext,
} from "../../present/outcomes/outcomeText.ts";
import {
  foundOutcomeLines,
  foundSummary,
  outcomesSummary,
  type FoundOutcome,
  type FoundLine,
} from "../../present/outcomes/severalOutcomes.ts";
import { narrowerText, subjectChangeText } from "../../present/connections/subjectWords.ts";
import { keyRowId } from "../../present/apiKeys/apiKeyWords.ts";
import type { Times } from "../../present/text/times.ts";
import type { Dialogs, NoticeAction } from "./dialogs.ts";
import { followUnknownOutcomes } from "./unknownOutcomes.ts";
import type { OwnCommand, RunCommand } from "./handler.ts";

/** Tells the user the outcome of each action once, and offers the next step. */
export interface Notices {
  /**
   * Shows the outcome of one intent. `follow` shows an unknown outcome until reads have settled it. `again` starts the
   * action once more, if that makes sense.
   */
  showOutcome(live: LiveConnection, intent: Intent, outcome: Outcome, again?: () => void): void;
  /** Shows the outcomes of several intents, in one message. */
  showOutcomes(live: LiveConnection, intents: readonly Intent[], outcomes: readonly Outcome[]): void;
  /** Shows why a connection could not be made, or was lost. `server`: its host, or environment and name. */
  showLinkFailure(failure: Failure, server: string): void;
  /** Shows an error. `isSending`: a request would have been sent, so the message says whether it was. */
  showError(thrown: unknown, options?: { readonly isSending: boolean }): void;
  /**
   * Tells of unknown outcomes of a connection, of what reads find out about them, and of the account that it acts as.
   */
  follow(live: LiveConnection): Disposable;
}

export interface NoticesPorts {
  readonly dialogs: Dialogs;
  readonly times: Times;
  readonly clock: Clock;
  readonly log: Log;
  readonly run: RunCommand;
}

/** The time that the success of a change stays in the status bar, in ms. */
export const GOOD_NEWS_MS = 8000;

export function createNotices(ports: NoticesPorts): Notices {
  const { times, log, dialogs } = ports;
  const contextOf = (live: LiveConnection, intent: Intent): OutcomeContext => ({ intent, place: live.place, times });
  const showFailure = (failure: Failure, text: string): void => {
    if (failure.kind === "declined") return;
    log.warn(text);
    logStack(failure, log);
    dialogs.tell("error", text, actionsFor(failure, ports));
  };
  const showOutcome = (live: LiveConnection, intent: Intent, outcome: Outcome, again?: () => void): void => {
    const retry: readonly NoticeAction[] = again === undefined ? [] : [{ title: l10n.t("Try Again…"), run: again }];
    const text = outcomeText(outcome, contextOf(live, intent));
    log.info(text);
    switch (outcome.kind) {
      case "confirmed":
        if (isFilledOtherwise(outcome, intent)) {
          dialogs.tell("warning", text, [logAction(ports)]);
          return;
        }
        if (effectOfCall(intent) !== "read") dialogs.tellInPassing(`$(check) ${text}`, GOOD_NEWS_MS);
        return;
      case "confirmedOther":
      case "challenge":
        dialogs.tell("warning", text, [...retry, logAction(ports)]);
        return;
      case "notSent":
      case "rejected":
      case "failed":
        if (outcome.failure.kind === "declined") return;
        logStack(outcome.failure, log);
        dialogs.tell("error", text, [...retry, ...actionsFor(outcome.failure, ports, live)]);
        return;
      case "unknown":
        return;
    }
  };
  const tellOne = (live: LiveConnection, { entry, verdict }: FoundOutcome): void => {
    if (verdict === undefined) {
      if (entry.outcome !== undefined) showOutcome(live, entry.intent, entry.outcome);
      return;
    }
    const text = verdictText(verdict, contextOf(live, entry.intent));
    log.info(text);
    const wish = switchOf(entry.intent);
    // No reading would show whether an account was switched.
    const checkAgain: NoticeAction =
      wish === undefined
        ? { title: l10n.t("Check Again"), run: () => void live.gate.checkAgain(entry.id) }
        : switchAction(ports, live, wish);
    const next = keyActions(ports, live, entry, verdict);
    if (next.length > 0) dialogs.tell("warning", text, next);
    else showVerdict(verdict, text, dialogs, { checkAgain, showLog: logAction(ports) });
  };
  return {
    showOutcome,
    showLinkFailure(failure, server) {
      const text = linkFailureText(failure, server);
      showFailure(failure, failure.kind === "exchange" ? l10n.t("{0}: {1}", server, text) : text);
    },
    showError(thrown, { isSending } = { isSending: false }) {
      const failure = toFailure(thrown);
      // A command may have done anything before: only what it has recorded tells what was changed.
      const saysMeaning = isSending && failure.kind !== "bug";
      showFailure(failure, saysMeaning ? failureSentences(failure, "read") : linkFailureText(failure));
    },
    showOutcomes(live, intents, outcomes) {
      const [intent] = intents;
      const [outcome] = outcomes;
      if (intents.length === 1 && intent !== undefined && outcome !== undefined) {
        showOutcome(live, intent, outcome);
        return;
      }
      if (outcomes.every((each) => each.kind === "notSent" && each.failure.kind === "declined")) return;
      const text = outcomesSummary(outcomes, live.place);
      log.info(text);
      for (const [index, each] of outcomes.entries()) {
        if ("failure" in each) logStack(each.failure, log);
        const about = intents[index];
        if (about !== undefined && each.kind !== "confirmed") log.warn(outcomeText(each, contextOf(live, about)));
      }
      if (outcomes.every((each) => each.kind === "confirmed")) dialogs.tellInPassing(`$(check) ${text}`, GOOD_NEWS_MS);
      else dialogs.tell("warning", text, [logAction(ports)]);
    },
    follow: (live) => followLive(ports, live, (only) => tellOne(live, only)),
  };
}

/** Writes the stack of an internal error to the log, for bug reports: the message has no room for it. */
function logStack(failure: Failure, log: Log): void {
  if (failure.kind === "bug") log.error(`Internal error: ${[failure.detail, ...(failure.stack ?? [])].join(" ")}`);
}

function followLive(ports: NoticesPorts, live: LiveConnection, tellOne: (only: FoundOutcome) => void): Disposable {
  const listeners = new DisposableList();
  let goodNews: Disposable | undefined;
  listeners.add(
    live.subject.onDidChange((change) => {
      goodNews = tellSubject(ports, live, change);
    }),
  );
  // What it says of the account ends with the link.
  listeners.add(
    live.onDidChangeState(({ status }) => {
      if (status !== "ready") goodNews?.dispose();
    }),
  );
  listeners.add(
    followUnknownOutcomes(live.gate, ports.clock, {
      checking: (entries) => showChecking(checkingText(entries, live.place), ports.dialogs),
      found(found) {
        const [only] = found;
        if (only === undefined) return;
        if (found.length > 1 || only.verdict?.kind === "several") tellAll(ports, live, found);
        else tellOne(only);
      },
    }),
  );
  return listeners;
}

/**
 * Tells that the account has changed. A change that the user wanted is shown in passing; an unexpected one offers an
 * action.
 */
function tellSubject(ports: NoticesPorts, live: LiveConnection, change: SubjectChange): Disposable | undefined {
  const unresolved = unresolvedCount(live.gate.activity);
  const text = subjectChangeText(change, live.place, unresolved);
  const { dialogs, log } = ports;
  log.info(text);
  const isGoodNews =
    unresolved === 0 &&
    (change.kind === "switched"
      ? narrowerText(change.scopeBefore, change.scope) === ""
      : change.kind === "returned" && change.why === "asked");
  if (isGoodNews) return dialogs.tellInPassing(`$(check) ${text}`, GOOD_NEWS_MS);
  dialogs.tell("warning", text, [subjectAction(ports, live, change)]);
  return undefined;
}

function subjectAction(ports: NoticesPorts, live: LiveConnection, change: SubjectChange): NoticeAction {
  const { id } = live.record;
  switch (change.kind) {
    case "switched":
      return { title: l10n.t("Switch to Main Account"), run: () => ports.run("tradingRpc.account.switchBack", id) };
    case "returned":
      return switchAction(ports, live, { subjectId: change.from.id, name: change.from.name });
    case "locked":
      return { title: l10n.t("Connect"), run: () => ports.run("tradingRpc.connection.connect", id) };
  }
}

/** Returns the ways on after the response with a client secret was lost; none for everything else. */
function keyActions(
  { run }: NoticesPorts,
  { record }: LiveConnection,
  { intent }: ActivityEntry,
  verdict: Verdict,
): readonly NoticeAction[] {
  const params = parseObject(intent.paramsText) ?? {};
  if (!makesClientSecret(intent.method, params)) return [];
  const made = verdict.kind === "applied" ? verdict.objectId : undefined;
  const keyId = made ?? params["id"];
  if (typeof keyId !== "string" && typeof keyId !== "number") return [];
  const row = keyRowId(record.id, keyId);
  return made === undefined
    ? [{ title: l10n.t("Reset Again…"), run: () => run("tradingRpc.apiKey.reset", row) }]
    : [
        { title: l10n.t("Reset Secret…"), run: () => run("tradingRpc.apiKey.reset", row) },
        { title: l10n.t("Delete API Key"), run: () => run("tradingRpc.apiKey.delete", row) },
      ];
}

/** Returns the action that switches the account again, which is always confirmed. */
function switchAction(
  { run }: NoticesPorts,
  live: LiveConnection,
  wish: { readonly subjectId: number; readonly name?: string | undefined },
): NoticeAction {
  return { title: l10n.t("Switch Again…"), run: () => run("tradingRpc.account.switch", live.record.id, wish) };
}

/** Shows what was found out about several outcomes, in one message, with an action that shows each of them. */
function tellAll(ports: NoticesPorts, live: LiveConnection, found: readonly FoundOutcome[]): void {
  const { times, log, dialogs } = ports;
  const [only] = found;
  const place = live.place;
  const text =
    found.length === 1 && only?.verdict !== undefined
      ? verdictText(only.verdict, { intent: only.entry.intent, place, times })
      : foundSummary(found, place);
  const lines = foundOutcomeLines(found, times);
  log.info(text);
  for (const line of lines) log.info(l10n.t("{0}: {1}", line.target, line.text));
  const open = found.filter(({ verdict }) => verdict !== undefined && !isSettling(verdict));
  const again: NoticeAction = {
    title: l10n.t("Check Again"),
    run: () => {
      for (const { entry } of open) void live.gate.checkAgain(entry.id);
    },
  };
  const list: NoticeAction = { title: l10n.t("Show Each"), run: () => void showLines(text, lines, dialogs) };
  dialogs.tell("warning", text, open.length > 0 ? [list, again] : [list]);
}

function checkingText(entries: readonly ActivityEntry[], place: string): string {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined)
    return l10n.t("{0} on {1}", plain.text(only.intent.words.sentence ?? only.intent.words.target), place);
  return l10n.t("{0} outcomes on {1}", countText(entries.length), place);
}

/** Shows every line in a list; choosing one does nothing. */
async function showLines(title: string, lines: readonly FoundLine[], dialogs: Dialogs): Promise<void> {
  await dialogs.askChoice({
    title,
    isFleeting: true,
    placeholder: l10n.t("Search outcomes by ID or text"),
    choices: lines.map(({ target, text }) => ({ label: target, detail: text, value: target })),
  });
}

/**
 * Shows a message with a progress bar until the result is called. The message has one line: the most important part
 * comes first.
 */
function showChecking(text: string, dialogs: Dialogs): () => void {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  void dialogs.progress({ where: "message", title: l10n.t("Outcome unknown, checking…") }, async (report) => {
    report(text);
    await finished;
  });
  return () => finish();
}

/** Shows a verdict with a button: VS Code cuts a message without one after one line. */
function showVerdict(
  verdict: Verdict,
  text: string,
  dialogs: Dialogs,
  { checkAgain, showLog }: Readonly<Record<"checkAgain" | "showLog", NoticeAction>>,
): void {
  switch (verdict.kind) {
    case "applied":
    case "other":
      dialogs.tell("information", text, [showLog]);
      return;
    case "notApplied":
    case "gone":
      dialogs.tell("warning", text, [showLog]);
      return;
    case "several":
    case "unverified":
      dialogs.tell("warning", text, [checkAgain]);
  }
}

/** Returns the actions that can fix a failure. */
function actionsFor(failure: Failure, ports: NoticesPorts, live?: LiveConnection): readonly NoticeAction[] {
  const run = (title: string, command: OwnCommand): NoticeAction => ({
    title,
    run: () => ports.run(command, ...(live === undefined ? [] : [live.record.id])),
  });
  if (failure.kind === "notConnected") return [run(l10n.t("Connect…"), "tradingRpc.connection.connect")];
  if (failure.kind === "noKey") return [run(l10n.t("Edit Connection…"), "tradingRpc.connection.edit")];
  const isReadOnly = live?.environment === "production" && live.gate.changesAllowedUntilMs === undefined;
  if (failure.kind === "refused" && isReadOnly)
    return [run(l10n.t("Allow Changes…"), "tradingRpc.connection.allowChanges")];
  return SAYS_ALL.has(failure.kind) ? [] : [logAction(ports)];
}

/** The failures about which the log has nothing beyond their sentence. */
const SAYS_ALL: ReadonlySet<Failure["kind"]> = new Set([
  "refused",
  "declined",
  "situationChanged",
  "invalidParams",
  "tooLarge",
  "stopped",
]);

function logAction({ run }: NoticesPorts): NoticeAction {
  return { title: l10n.t("Show Log"), run: () => run("tradingRpc.log.show") };
}
