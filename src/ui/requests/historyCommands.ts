import { tradePreviews } from "./tradePreviews.ts";
import * as vscode from "vscode";
import { isDeclined } from "../../actions/judge/outcome.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { environmentWord } from "../../present/connections/connectionWords.ts";
import { entryParams, entryTitle, entryTraits } from "../../present/requests/historyWords.ts";
import type { DocumentParts } from "../../present/text/documentAddress.ts";
import { scanRequests } from "../../requests/file/scan.ts";
import { historyText, type HistoryEntry } from "../../requests/running/history.ts";
import { runRequest } from "../../requests/running/run.ts";
import { allowedBy } from "../../requests/values/environmentFile.ts";
import type { Choice, ListButton } from "../editor/dialogSteps.ts";
import { documentUri, showDocument } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import type { RunUi } from "./preparedRun.ts";
import { sentResponse } from "./requestRuns.ts";

/** Makes the commands about requests that were sent before from request files. */
export function historyHandlers(ui: RunUi): Handlers {
  const { history, ask } = ui;
  return {
    /** Lets the user find a request, newest first, and open, compare or send it again. */
    "tradingRpc.history.show": async () => {
      await history.isRead;
      requireEntries(ui);
      const chosen = await pickEntry(l10n.t("Request History"), ui, [
        { icon: "diff", tooltip: l10n.t("Compare with Another…"), what: "compare" },
        { icon: "play", tooltip: l10n.t("Resend"), what: "resend" },
      ]);
      if (chosen === undefined) return;
      const { entry, what } = chosen;
      if (what === "compare") await compareWithAnother(entry, ui);
      else if (what === "resend") await sendAgain(entry, ui);
      else await showDocument(addressOf(entry), { preview: true });
    },
    "tradingRpc.history.clear": async () => {
      const isYes = await ask({
        kind: "modal",
        message: l10n.t("Clear the request history?"),
        detail: l10n.t(
          "This deletes {0} requests and their responses from the history. The Activity view keeps your changes.",
          history.entries.length,
        ),
        confirm: l10n.t("Clear History"),
        keep: l10n.t("Keep History"),
      });
      if (isYes) history.clear();
    },
  };
}

/** Returns the text of an entry's document. */
export async function historyEntryText({ history: id }: DocumentParts, { history, times }: RunUi): Promise<string> {
  await history.isRead;
  const entry = history.entries.find((each) => each.id === id);
  return entry === undefined
    ? `// ${l10n.t("This request isn't in the history any more.")}\n`
    : `// ${times.local(entry.atMs)}\n${historyText(entry)}`;
}

function requireEntries({ history, settings }: RunUi): void {
  if (history.entries.length > 0) return;
  throw new CallError({
    kind: "refused",
    reason:
      settings.history() === "off"
        ? l10n.t("The request history is turned off in the setting tradingRpc.requests.history.")
        : l10n.t("No requests have been sent from a request file yet."),
  });
}

interface ChosenEntry {
  readonly entry: HistoryEntry;
  readonly what: "open" | "compare" | "resend";
}

async function pickEntry(
  title: Plain,
  { history, times, dialogs }: RunUi,
  buttons: readonly (ListButton & Pick<ChosenEntry, "what">)[],
  except?: HistoryEntry,
): Promise<ChosenEntry | undefined> {
  const rows = history.entries
    .filter((entry) => entry !== except)
    .map((entry): Choice<ChosenEntry> => ({
      label: entryTitle(entry),
      description: entryTraits(entry),
      detail: plain.join(
        [times.local(entry.atMs), entryParams(entry)].filter((part) => part !== ""),
        " · ",
      ),
      buttons: buttons.map(({ what, ...button }) => ({ ...button, value: { entry, what } })),
      value: { entry, what: "open" },
    }));
  const result = await dialogs.askList<ChosenEntry, ChosenEntry>({
    title: () => title,
    isFleeting: true,
    placeholder: l10n.t("Search by name, method, parameters, connection, or time"),
    rows: () => rows,
    accept: ({ selected }) => selected[0],
  });
  return result.kind === "next" ? result.value : undefined;
}

/** Shows an entry beside another that the user chooses, the older one on the left. */
async function compareWithAnother(entry: HistoryEntry, ui: RunUi): Promise<void> {
  const other = await pickEntry(l10n.t("Compare {0} with…", entryTitle(entry)), ui, [], entry);
  if (other === undefined) return;
  const [left, right] = [entry, other.entry].sort((a, b) => a.atMs - b.atMs) as [HistoryEntry, HistoryEntry];
  await vscode.commands.executeCommand(
    "vscode.diff",
    addressOf(left),
    addressOf(right),
    l10n.t("{0}: {1} ↔ {2}", entryTitle(right), ui.times.clock(left.atMs), ui.times.clock(right.atMs)),
  );
}

/** Sends a request again as it was sent, over its connection, through the same gate with the same confirmations. */
async function sendAgain(entry: HistoryEntry, ui: RunUi): Promise<void> {
  const { liveConnections, responses, environments, settings, clock, history, dialogs } = ui;
  if (!vscode.workspace.isTrusted) throw refused(l10n.t("Requests can't be sent in Restricted Mode."));
  if (entry.isMasked)
    throw refused(
      l10n.t("This request contains a secret, which the history doesn't store. Send the request from its file."),
    );
  const connection = liveConnections.find(entry.connectionId);
  if (connection?.state.status !== "ready") throw new CallError({ kind: "notConnected" });
  const { environment, name } = connection;
  if (environment !== entry.environment)
    throw refused(
      l10n.t(
        "The original request went to {0}, but the connection is now {1}.",
        environmentWord(entry.environment),
        environmentWord(environment),
      ),
    );
  // What its folder says now counts, whatever it said when the request was sent.
  const obstacle = allowedBy(await environments.load(vscode.Uri.parse(entry.fileUri, true)), environment);
  if (obstacle !== undefined) throw refused(obstacle);
  const file = scanRequests(`{"method":${JSON.stringify(entry.method)},"params":${entry.paramsText}}`);
  const [request] = file.requests;
  if (request === undefined) throw refused(l10n.t("This request can't be read any more."));
  const result = await dialogs.progress(
    { where: "statusBar", title: l10n.t("Request to {0}…", connection.place) },
    async () =>
      await runRequest(file, request, {
        gate: connection.gate,
        environment,
        fileName: l10n.t("the request history"),
        timeoutMs: settings.connection().requestTimeoutMs,
        resolved: entry.paramsText,
        previewOf: tradePreviews(connection),
      }),
  );
  if (isDeclined(result.outcome)) return;
  history.record({
    result,
    endedAtMs: clock.now(),
    environment,
    connectionId: entry.connectionId,
    connectionName: name,
    fileUri: entry.fileUri,
    name: entry.name,
  });
  await responses.show({
    fileUri: entry.fileUri,
    part: l10n.t("again"),
    folder: undefined,
    ...sentResponse(connection, result, { environment, connectionName: name }, ui),
  });
}

function addressOf(entry: HistoryEntry): vscode.Uri {
  const title = l10n.t("{0} ▸ history", entryTitle(entry));
  return documentUri("history", title, { history: entry.id });
}
