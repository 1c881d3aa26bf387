import { toldBy } from "../../actions/changes/changes.ts";
import type { ActivityEntry } from "../../actions/journal/activity.ts";
import { effectOfCall } from "../../actions/judge/check.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { isDeclined, isSettling, type Outcome, type Verdict } from "../../actions/judge/outcome.ts";
import { switchOf } from "../../actions/connection/subaccounts.ts";
import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { makesClientSecret } from "../../catalogue/oneTimeSecrets.ts";
import { keyRowId } from "../../present/apiKeys/apiKeyWords.ts";
import {
  hasNotes,
  isFilledOtherwise,
  outcomeText,
  verdictText,
  type OutcomeContext,
} from "../../present/outcomes/outcomeText.ts";
import {
  foundOutcomeLines,
  foundSummary,
  outcomesSummary,
  type FoundLine,
  type FoundOutcome,
} from "../../present/outcomes/severalOutcomes.ts";
import type { Dialogs, NoticeAction } from "./dialogs.ts";
import { actionsFor, GOOD_NEWS_MS, logAction, logStack, switchAction, type NoticeUi } from "./noticeActions.ts";

/** The notices of outcomes, loaded before the first request is sent. */
export interface OutcomeNotices {
  /**
   * Shows the outcome of one intent. `follow` shows an unknown outcome until reads have settled it. `again` starts the
   * action once more, if that makes sense.
   */
  showOutcome(live: LiveConnection, intent: Intent, outcome: Outcome, again?: () => void): void;
  /**
   * Shows the outcomes of several intents, in one message. `connections`: how many connections the action is about.
   * With several, each message stays: the status bar shows one line at a time.
   */
  showOutcomes(
    live: LiveConnection,
    sent: { readonly intents: readonly Intent[]; readonly connections: number },
    outcomes: readonly Outcome[],
  ): void;
  /** Shows what reads have found out about unknown outcomes of a connection. */
  showFound(live: LiveConnection, found: readonly FoundOutcome[]): void;
}

export function createOutcomeNotices(ui: NoticeUi): OutcomeNotices {
  const { times, log, dialogs } = ui;
  const contextOf = (live: LiveConnection, intent: Intent): OutcomeContext => ({ intent, place: live.place, times });
  const tellGood = (text: Plain, connections: number): void => {
    const list: NoticeAction = { title: l10n.t("Show Activity"), run: () => ui.run("tradingRpc.activity.focus") };
    if (connections > 1) dialogs.tell("information", text, [list]);
    else dialogs.tellInPassing(plain`$(check) ${text}`, GOOD_NEWS_MS);
  };
  const tellOutcome = (
    live: LiveConnection,
    intent: Intent,
    outcome: Outcome,
    { again, connections = 1 }: { readonly again?: (() => void) | undefined; readonly connections?: number },
  ): void => {
    const retry: readonly NoticeAction[] = again === undefined ? [] : [{ title: l10n.t("Try Again…"), run: again }];
    const text = outcomeText(outcome, contextOf(live, intent));
    log.info(text);
    switch (outcome.kind) {
      case "confirmed":
        if (isFilledOtherwise(outcome, intent) || hasNotes(outcome)) {
          dialogs.tell("warning", text, [logAction(ui)]);
          return;
        }
        if (effectOfCall(intent) !== "read") tellGood(text, connections);
        return;
      case "confirmedOther":
      case "challenge":
        dialogs.tell("warning", text, [...retry, logAction(ui)]);
        return;
      case "notSent":
      case "rejected":
      case "failed":
        if (outcome.failure.kind === "declined") return;
        logStack(outcome.failure, log);
        dialogs.tell("error", text, [...retry, ...actionsFor(outcome.failure, ui, live)]);
        return;
      case "unknown":
        return;
    }
  };
  const showOutcome: OutcomeNotices["showOutcome"] = (live, intent, outcome, again) =>
    tellOutcome(live, intent, outcome, { again });
  const tellOne = (live: LiveConnection, { entry, verdict }: FoundOutcome): void => {
    if (verdict === undefined) {
      if (entry.outcome !== undefined) showOutcome(live, entry.intent, entry.outcome);
      return;
    }
    const text = verdictText(verdict, contextOf(live, entry.intent));
    log.info(text);
    const wish = switchOf(entry.intent);
    const showLog = logAction(ui);
    const checkAgain: NoticeAction =
      wish !== undefined
        ? switchAction(ui, live, wish)
        : toldBy(entry.intent) === "nothing"
          ? showLog
          : { title: l10n.t("Check Again"), run: () => void live.gate.checkAgain(entry.id) };
    const next = keyActions(ui, live, entry, verdict);
    if (next.length > 0) dialogs.tell("warning", text, next);
    else showVerdict(verdict, text, dialogs, { checkAgain, showLog });
  };
  return {
    showOutcome,
    showOutcomes(live, { intents, connections }, outcomes) {
      const [intent] = intents;
      const [outcome] = outcomes;
      if (intents.length === 1 && intent !== undefined && outcome !== undefined) {
        tellOutcome(live, intent, outcome, { connections });
        return;
      }
      if (outcomes.every(isDeclined)) return;
      const text = outcomesSummary(outcomes, live.place);
      log.info(text);
      for (const [index, each] of outcomes.entries()) {
        if ("failure" in each) logStack(each.failure, log);
        const about = intents[index];
        if (about !== undefined && each.kind !== "confirmed") log.warn(outcomeText(each, contextOf(live, about)));
      }
      if (outcomes.every((each) => each.kind === "confirmed")) tellGood(text, connections);
      else dialogs.tell("warning", text, [logAction(ui)]);
    },
    showFound(live, found) {
      const [only] = found;
      if (only === undefined) return;
      if (found.length > 1 || only.verdict?.kind === "several") tellAll(ui, live, found);
      else tellOne(live, only);
    },
  };
}

/** Returns the ways on after the response with a client secret was lost; none for everything else. */
function keyActions(
  { run }: NoticeUi,
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

/** Shows what was found out about several outcomes, in one message, with an action that shows each of them. */
function tellAll(ui: NoticeUi, live: LiveConnection, found: readonly FoundOutcome[]): void {
  const { times, log, dialogs } = ui;
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

/** Shows every line in a list; choosing one does nothing. */
async function showLines(title: Plain, lines: readonly FoundLine[], dialogs: Dialogs): Promise<void> {
  await dialogs.askChoice({
    title,
    isFleeting: true,
    placeholder: l10n.t("Search outcomes by ID or text"),
    choices: lines.map(({ target, text }) => ({ label: target, detail: text, value: target })),
  });
}

/** Shows a verdict with a button: VS Code cuts a message without one after one line. */
function showVerdict(
  verdict: Verdict,
  text: Plain,
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
