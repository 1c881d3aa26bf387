import type { ActivityEntry } from "../../actions/journal/activity.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { unresolvedCount, type SubjectChange } from "../../actions/connection/subaccounts.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { toFailure, type Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { once } from "../../base/once.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { narrowerText, subjectChangeText } from "../../present/connections/subjectWords.ts";
import type { FoundOutcome } from "../../present/outcomes/severalOutcomes.ts";
import { failureSentences, linkFailureText } from "../../present/text/failureText.ts";
import { countText } from "../../present/text/numbers.ts";
import type { Dialogs, NoticeAction } from "./dialogs.ts";
import { actionsFor, GOOD_NEWS_MS, logStack, switchAction, type NoticeUi } from "./noticeActions.ts";
import type { OutcomeNotices } from "./outcomeNotices.ts";
import type { Gate } from "../../actions/gate/gate.ts";
import { isWatched, type Verdict } from "../../actions/judge/outcome.ts";
import type { Clock } from "../../base/clock.ts";

/** Tells the user the outcome of each action once, and offers the next step. */
export interface Notices extends Pick<OutcomeNotices, "showOutcome" | "showOutcomes"> {
  /** Loads the sentences of outcomes. Without it, the first outcome loads them. */
  load(): Promise<unknown>;
  /** Shows why a connection could not be made, or was lost. `server`: its host, or environment and name. */
  showLinkFailure(failure: Failure, server: Plain): void;
  /** Shows an error. `isSending`: a request would have been sent, so the message says whether it was. */
  showError(thrown: unknown, options?: { readonly isSending: boolean }): void;
  /**
   * Tells of unknown outcomes of a connection, of what reads find out about them, and of the account that it acts as.
   */
  follow(live: LiveConnection): Disposable;
}

export function createNotices(ui: NoticeUi): Notices {
  const { log, dialogs } = ui;
  const showFailure = (failure: Failure, text: Plain): void => {
    if (failure.kind === "declined") return;
    // That there is nothing to do is an answer, no error.
    if (failure.kind === "refused" && failure.isIdle === true) {
      log.info(text);
      dialogs.tell("information", text, actionsFor(failure, ui));
      return;
    }
    log.warn(text);
    logStack(failure, log);
    dialogs.tell("error", text, actionsFor(failure, ui));
  };
  const showError: Notices["showError"] = (thrown, { isSending } = { isSending: false }) => {
    const failure = toFailure(thrown);
    // A command may have done anything before: only what it has recorded tells what was changed.
    const saysMeaning = isSending && failure.kind !== "bug";
    showFailure(failure, saysMeaning ? failureSentences(failure, "read") : linkFailureText(failure));
  };
  const outcomes = once(async () => (await import("./outcomeNotices.ts")).createOutcomeNotices(ui));
  const show = (tell: (outcomeNotices: OutcomeNotices) => void): void => void outcomes().then(tell).catch(showError);
  return {
    load: outcomes,
    showOutcome: (...told) => show((each) => each.showOutcome(...told)),
    showOutcomes: (...told) => show((each) => each.showOutcomes(...told)),
    showLinkFailure(failure, server) {
      const text = linkFailureText(failure, server);
      showFailure(failure, failure.kind === "exchange" ? l10n.t("{0}: {1}", server, text) : text);
    },
    showError,
    follow: (live) => followLive(ui, live, (found) => show((each) => each.showFound(live, found))),
  };
}

function followLive(ui: NoticeUi, live: LiveConnection, tell: (found: readonly FoundOutcome[]) => void): Disposable {
  const listeners = new DisposableList();
  let goodNews: Disposable | undefined;
  listeners.add(
    live.subject.onDidChange((change) => {
      goodNews = tellSubject(ui, live, change);
    }),
  );
  // What it says of the account ends with the link.
  listeners.add(
    live.onDidChangeState(({ status }) => {
      if (status !== "ready") goodNews?.dispose();
    }),
  );
  listeners.add(
    followUnknownOutcomes(live.gate, ui.clock, {
      checking: (entries) => showChecking(checkingText(entries, live.place), ui.dialogs),
      found: tell,
    }),
  );
  return listeners;
}

/**
 * Tells that the account has changed. A change that the user wanted is shown in passing; an unexpected one offers an
 * action.
 */
function tellSubject(ui: NoticeUi, live: LiveConnection, change: SubjectChange): Disposable | undefined {
  const unresolved = unresolvedCount(live.gate.activity);
  const text = subjectChangeText(change, live.place, unresolved);
  const { dialogs, log } = ui;
  log.info(text);
  const isGoodNews =
    unresolved === 0 &&
    (change.kind === "switched"
      ? narrowerText(change.scopeBefore, change.scope) === ""
      : change.kind === "returned" && change.why === "asked");
  if (isGoodNews) return dialogs.tellInPassing(plain`$(check) ${text}`, GOOD_NEWS_MS);
  dialogs.tell("warning", text, [subjectAction(ui, live, change)]);
  return undefined;
}

function subjectAction(ui: NoticeUi, live: LiveConnection, change: SubjectChange): NoticeAction {
  const { id } = live.record;
  switch (change.kind) {
    case "switched":
      return { title: l10n.t("Switch to Main Account"), run: () => ui.run("tradingRpc.account.switchBack", id) };
    case "returned":
      return switchAction(ui, live, { subjectId: change.from.id, name: change.from.name });
    case "locked":
      return { title: l10n.t("Connect"), run: () => ui.run("tradingRpc.connection.connect", id) };
  }
}

function checkingText(entries: readonly ActivityEntry[], place: Plain): Plain {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined)
    return l10n.t("{0} on {1}", plain.text(only.intent.words.sentence ?? only.intent.words.target), place);
  return l10n.t("{0} outcomes on {1}", countText(entries.length), place);
}

/**
 * Shows a message with a progress bar until the result is called. The message has one line: the most important part
 * comes first.
 */
function showChecking(text: Plain, dialogs: Dialogs): () => void {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  void dialogs.progress({ where: "message", title: l10n.t("Outcome unknown, checking…") }, async (report) => {
    report(text);
    await finished;
  });
  return () => finish();
}

/** Tells the user about outcomes that are not proved yet. */
interface UnknownTeller {
  /**
   * Shows that outcomes are being checked, until the result is called; further calls with other entries replace
   * nothing.
   */
  checking(entries: readonly ActivityEntry[]): () => void;
  /** Shows what was found out about all of them at once. */
  found(found: readonly FoundOutcome[]): void;
}

/** The time within which events are told together, in ms. */
const GATHER_MS = 300;

/**
 * Follows a gate: outcomes that become unknown together are told together, while they are open and when all of them are
 * settled. A link that is lost with fifty cancels under way makes one message, not fifty.
 */
export function followUnknownOutcomes(
  gate: Pick<Gate, "onDidChangeActivity">,
  clock: Clock,
  tell: UnknownTeller,
): Disposable {
  /** The verdicts that were told, by entry. A verdict that is found again is a new one. */
  const seen = new Map<string, readonly Verdict[]>();
  const open = new Map<string, ActivityEntry>();
  let found: FoundOutcome[] = [];
  let shown: { readonly count: number; readonly finish: () => void } | undefined;
  let timer: Disposable | undefined;

  const show = (): void => {
    timer = undefined;
    if (open.size > 0) {
      if (shown !== undefined && open.size <= shown.count) return;
      shown?.finish();
      shown = { count: open.size, finish: tell.checking([...open.values()]) };
      return;
    }
    shown?.finish();
    shown = undefined;
    const told = found;
    found = [];
    if (told.length > 0) tell.found(told);
  };

  const listener = gate.onDidChangeActivity((entry) => {
    const before = seen.get(entry.id);
    if (before === undefined && !isChecked(entry)) return;
    for (const verdict of entry.verdicts) if (before?.includes(verdict) !== true) found.push({ entry, verdict });
    seen.set(entry.id, entry.verdicts);
    // What a look has found is told at once, also where it goes on for a late effect.
    if (entry.phase === "verifying" && !entry.verdicts.some(isWatched)) open.set(entry.id, entry);
    else open.delete(entry.id);
    if (entry.outcome?.kind !== "unknown" && entry.verdicts.length === 0 && entry.phase === "done") {
      seen.delete(entry.id);
      found.push({ entry, verdict: undefined });
    }
    timer ??= clock.after(GATHER_MS, show);
  });
  return {
    dispose() {
      listener.dispose();
      timer?.dispose();
      shown?.finish();
    },
  };
}

/** Whether the outcome is open, or the exchange's number was not the expected one. */
function isChecked({ outcome, phase }: ActivityEntry): boolean {
  return outcome?.kind === "unknown" || (outcome?.kind === "confirmed" && phase === "verifying");
}
