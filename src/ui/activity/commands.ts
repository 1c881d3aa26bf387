import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Journals } from "../../actions/journals.ts";
import type { Ask } from "../../actions/question.ts";
import { isUnresolved, type RecordedIntent } from "../../actions/recordedIntents.ts";
import { CallError } from "../../base/failure.ts";
import { copiedIntent, exportedIntent } from "../../present/activity/activity.ts";
import { intentPlace, intentState, intentTitle } from "../../present/activity/activityWords.ts";
import type { Times } from "../../present/text/times.ts";
import type { ActivityPane } from "./view.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { documentUri, showDocument } from "../editor/documents.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";
import type { Handlers, RunCommand } from "../editor/handler.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";

export interface ActivityCommandsPorts {
  readonly dialogs: Dialogs;
  readonly pane: ActivityPane;
  readonly journals: Journals;
  readonly liveConnections: LiveConnections;
  readonly ask: Ask;
  readonly times: Times;
  readonly run: RunCommand;
}

/** Makes the commands about recorded intents. VS Code hands them row ids, or nothing from the Command Palette. */
export function createActivityCommands(ports: ActivityCommandsPorts): Handlers {
  const { pane, journals, times } = ports;
  return {
    "tradingRpc.activity.open": async (...args) => {
      for (const intent of await entriesOrPick(args, l10n.t("Open Activity Entry"), ports)) await openEntry(intent);
    },
    "tradingRpc.activity.checkAgain": async (...args) => {
      for (const intent of await entriesOrPick(args, l10n.t("Check Again"), ports, isUnresolved))
        await checkAgain(intent, ports);
    },
    "tradingRpc.activity.copy": async (...args) => {
      const entries = await entriesOrPick(args, l10n.t("Copy Activity Entry"), ports);
      if (entries.length > 0)
        await vscode.env.clipboard.writeText(entries.map((intent) => copiedIntent(intent, times)).join("\n\n"));
    },
    "tradingRpc.activity.export": async () => await exportAll(ports),
    "tradingRpc.activity.setAside": async (...args) => {
      for (const intent of await entriesOrPick(args, l10n.t("Stop Reminding"), ports, isUnresolved)) {
        const isYes = await ports.ask({
          kind: "modal",
          message: l10n.t("Stop reminding of {0} on {1}?", intentTitle(intent), intentPlace(intent)),
          detail: l10n.t(
            "Its outcome stays unknown in the list. Do this when you have looked at the exchange yourself.",
          ),
          confirm: l10n.t("Stop Reminding"),
          keep: l10n.t("Keep Reminding"),
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
  { liveConnections, journals, run, dialogs }: ActivityCommandsPorts,
): Promise<void> {
  const place = intentPlace(intent);
  const connection = liveConnections.find(intent.connectionId);
  if (connection?.state.status !== "ready") {
    const text = l10n.t(
      "{0} is not connected. When it is, with the same key, {1} is looked up by itself.",
      place,
      intentTitle(intent),
    );
    const connect = (): void => run("tradingRpc.connection.connect", intent.connectionId);
    dialogs.tell("information", text, [{ title: l10n.t("Connect…"), run: connect }]);
    return;
  }
  const isThere = (): boolean => connection.gate.activity.some(({ id }) => id === intent.id);
  if (!isThere()) connection.gate.resume(await journals.adopt(intent.connectionId));
  await connection.gate.checkAgain(intent.id);
  if (isThere()) return;
  const reason =
    journals.intents.find(({ id }) => id === intent.id)?.holder === "elsewhere"
      ? l10n.t("Another window looks after it.")
      : l10n.t("Another account is signed in now than the one that sent it.");
  throw new CallError({ kind: "refused", reason });
}

async function exportAll({ journals, times, dialogs }: ActivityCommandsPorts): Promise<void> {
  await journals.refresh();
  const { intents } = journals;
  if (intents.length === 0) throw new CallError({ kind: "refused", reason: l10n.t("There is nothing to export yet.") });
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
      "{0} entries were exported. They hold no secrets, but orders, parameters and the ids of keys.",
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
  title: string,
  ports: ActivityCommandsPorts,
  isOffered: (intent: RecordedIntent) => boolean = () => true,
): Promise<readonly RecordedIntent[]> {
  const source = { find: (id: string) => ports.pane.find(id), gone: l10n.t("That entry is not kept any more.") };
  return await rowsOrPick(args, source, async () => await pickEntry(title, ports, isOffered));
}

async function pickEntry(
  title: string,
  { journals, times, dialogs }: ActivityCommandsPorts,
  isOffered: (intent: RecordedIntent) => boolean,
): Promise<readonly RecordedIntent[]> {
  await journals.refresh();
  const choices = journals.intents.filter(isOffered).map((intent) => ({
    label: intentTitle(intent),
    description: [intentState(intent), intentPlace(intent)].join(" · "),
    detail: times.local(intent.note.askedAtMs),
    value: intent,
  }));
  if (choices.length === 0)
    throw new CallError({
      kind: "refused",
      reason: l10n.t("There is no such entry: nothing that was changed from here is open."),
    });
  const result = await dialogs.askChoice({ title, isFleeting: true, placeholder: l10n.t("Which entry?"), choices });
  return result.kind === "next" ? [result.value] : [];
}
