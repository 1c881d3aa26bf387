import * as vscode from "vscode";
import { isUnresolved, type RecordedIntent } from "../../actions/journal/recordedIntents.ts";
import { nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { copiedIntent, exportedIntent, timelineLines } from "../../present/activity/activity.ts";
import { intentPlace, intentSentences, intentState, intentTitle } from "../../present/activity/activityWords.ts";
import type { DocumentParts } from "../../present/text/documentAddress.ts";
import type { ActivityPane } from "./view.ts";
import { documentUri, showDocument } from "../editor/documents.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Ui } from "../ui.ts";

type ActivityUi = Pick<Ui, "ask" | "dialogs" | "journals" | "liveConnections" | "run" | "times"> & {
  readonly pane: ActivityPane;
};

/** Makes the commands about recorded intents. VS Code hands them row ids, or nothing from the Command Palette. */
export function createActivityCommands(ui: ActivityUi): Handlers {
  const { pane, journals, times } = ui;
  return {
    "tradingRpc.activity.open": async (...args) => {
      for (const intent of await entriesOrPick(args, l10n.t("Open Activity Entry"), ui)) await openEntry(intent);
    },
    "tradingRpc.activity.checkAgain": async (...args) => {
      for (const intent of await entriesOrPick(args, l10n.t("Check Unknown Outcome…"), ui, isUnresolved))
        await checkAgain(intent, ui);
    },
    "tradingRpc.activity.copy": async (...args) => {
      const entries = await entriesOrPick(args, l10n.t("Copy Activity Entry"), ui);
      if (entries.length > 0)
        await vscode.env.clipboard.writeText(entries.map((intent) => copiedIntent(intent, times)).join("\n\n"));
    },
    "tradingRpc.activity.export": async () => await exportAll(ui),
    "tradingRpc.activity.setAside": async (...args) => {
      for (const intent of await entriesOrPick(args, l10n.t("Dismiss Unknown Outcome"), ui, isUnresolved)) {
        const isYes = await ui.ask({
          kind: "modal",
          message: l10n.t("Dismiss the unknown outcome of {0} on {1}?", intentTitle(intent), intentPlace(intent)),
          detail: l10n.t(
            "Its outcome stays unknown in the list. Only dismiss it after you have checked the exchange yourself.",
          ),
          confirm: l10n.t("Dismiss Unknown Outcome"),
          keep: l10n.t("Keep Reminder"),
        });
        if (isYes) await journals.setAside(intent);
      }
    },
    "tradingRpc.activity.showUnresolved": () => pane.filter.set({ text: "", isUnresolvedOnly: true }),
    "tradingRpc.activity.showMore": () => pane.showMore(),
  };
}

/** Looks an outcome up if its connection is open with the account that sent it; otherwise says what is missing. */
async function checkAgain(
  intent: RecordedIntent,
  { liveConnections, journals, run, dialogs }: ActivityUi,
): Promise<void> {
  const place = intentPlace(intent);
  const connection = liveConnections.find(intent.connectionId);
  if (connection?.state.status !== "ready") {
    const text = l10n.t(
      "{0} is not connected. When you connect with the same API key, {1} is checked automatically.",
      place,
      intentTitle(intent),
    );
    const connect = (): void => run("tradingRpc.connection.connect", intent.connectionId);
    dialogs.tell("information", text, [{ title: l10n.t("Connect…"), run: connect }]);
    return;
  }
  const isThere = (): boolean => connection.gate.activity.some(({ id }) => id === intent.id);
  if (!isThere()) await connection.gate.resume(await journals.adopt(intent.connectionId));
  await connection.gate.checkAgain(intent.id);
  if (isThere()) return;
  const reason =
    journals.intents.find(({ id }) => id === intent.id)?.holder === "otherWindow"
      ? l10n.t("Another window is already checking this outcome. The result appears in Activity.")
      : l10n.t("The connection is now signed in to a different account than the one that sent it.");
  throw refused(reason);
}

async function exportAll({ journals, times, dialogs }: ActivityUi): Promise<void> {
  await journals.refresh();
  const { intents } = journals;
  if (intents.length === 0) throw nothingToDo(l10n.t("There is nothing to export yet."));
  const file = {
    title: l10n.t("Export Activity"),
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
    name: "trading-rpc-activity.jsonl",
    types: { [l10n.t("JSON lines")]: ["jsonl"] },
  };
  const text = (): string => intents.map((intent) => `${JSON.stringify(exportedIntent(intent, times))}\n`).join("");
  if (!(await dialogs.saveText(file, text))) return;
  dialogs.tell(
    "information",
    l10n.t(
      "{0} items were exported. They contain orders, parameters, and API key IDs, but no secrets.",
      intents.length,
    ),
  );
}

async function openEntry(intent: RecordedIntent): Promise<void> {
  const title = l10n.t("{0} ▸ activity", intentTitle(intent)).slice(0, MAX_TITLE);
  const uri = documentUri("activity", title, { activity: intent.id });
  await showDocument(uri, { preserveFocus: true, preview: true });
}

const MAX_TITLE = 100;

/** Returns the entries of rows; from the Command Palette, the user chooses one. */
async function entriesOrPick(
  args: readonly unknown[],
  title: Plain,
  ui: ActivityUi,
  isOffered: (intent: RecordedIntent) => boolean = () => true,
): Promise<readonly RecordedIntent[]> {
  const source = { find: (id: string) => ui.pane.find(id), gone: l10n.t("That item isn't available anymore.") };
  return await rowsOrPick(args, source, async () => await pickEntry(title, ui, isOffered));
}

async function pickEntry(
  title: Plain,
  { journals, times, dialogs }: ActivityUi,
  isOffered: (intent: RecordedIntent) => boolean,
): Promise<readonly RecordedIntent[]> {
  await journals.refresh();
  const choices = journals.intents.filter(isOffered).map((intent) => ({
    label: intentTitle(intent),
    description: plain.join([intentState(intent), intentPlace(intent)], " · "),
    detail: times.local(intent.note.askedAtMs),
    value: intent,
  }));
  if (choices.length === 0) throw nothingToDo(l10n.t("No matching items in Activity."));
  const result = await dialogs.askChoice({ title, isFleeting: true, placeholder: l10n.t("Which item?"), choices });
  return result.kind === "next" ? [result.value] : [];
}

/** Returns the text of an Activity entry's document. */
export function entryText(
  { activity: id }: DocumentParts,
  { journals, times }: Pick<Ui, "journals" | "times">,
): string {
  const intent = journals.intents.find((each) => each.id === id);
  if (intent === undefined) return `// ${l10n.t("This item isn't available anymore.")}\n`;
  return [
    ...intentSentences(intent, times).map((sentence) => `// ${sentence}`),
    "//",
    ...timelineLines(intent, times).map((line) => `// ${line}`),
    JSON.stringify(exportedIntent(intent, times), undefined, 2),
    "",
  ].join("\n");
}
