import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { createEmitter, type DisposableList, type Emitter, type Event } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { connectionPlace, connectionStateText } from "../../present/connections/connectionWords.ts";
import type { LensTarget } from "../../present/requests/requestLenses.ts";
import type { Connection, Connections } from "../../state/connections.ts";
import { fileWords } from "./files.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import type { Ui } from "../ui.ts";

/** The connections that the requests of documents are sent to. Kept for as long as the window lives, in no file. */
export interface RequestTargets {
  /** Returns the connection that was chosen for this document; else the active one. */
  of(uri: vscode.Uri): Connection | undefined;
  /** Returns the connection of a document if it is open. */
  liveOf(uri: vscode.Uri): LiveConnection | undefined;
  /** Returns the connection of a document in the words of a lens. */
  lensOf(uri: vscode.Uri): LensTarget | undefined;
  /** Sends the requests of this document alone to that connection from now on. */
  set(uri: vscode.Uri, connectionId: string): void;
  /** Lets the user choose a connection for this document alone. */
  choose(uri: vscode.Uri): Promise<void>;
  readonly onDidChange: Event<void>;
}

export function createRequestTargets(
  { connections, liveConnections, dialogs, clock }: Pick<Ui, "connections" | "liveConnections" | "dialogs" | "clock">,
  disposables: DisposableList,
): RequestTargets {
  const changes: Emitter<void> = disposables.add(createEmitter());
  /** The ids of connections by address of a document. */
  const chosen = new Map<string, string>();
  const ownOf = (uri: vscode.Uri): Connection | undefined => {
    const id = chosen.get(uri.toString());
    return id === undefined ? undefined : connections.find(id);
  };
  const of = (uri: vscode.Uri): Connection | undefined => ownOf(uri) ?? connections.active;
  disposables.add(connections.onDidChange(() => changes.fire()));
  disposables.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        const id = chosen.get(oldUri.toString());
        if (id !== undefined) chosen.set(newUri.toString(), id);
        chosen.delete(oldUri.toString());
      }
      changes.fire();
    }),
  );
  // Saving a new file opens another document, at the path that the new one had already.
  disposables.add(
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      const id = chosen.get(uri.with({ scheme: "untitled" }).toString());
      if (id === undefined || chosen.has(uri.toString())) return;
      chosen.set(uri.toString(), id);
      changes.fire();
    }),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      // A later one may have the same name. One that is another language from now on is closed as well, and still
      // there.
      if (document.isUntitled && !vscode.workspace.textDocuments.includes(document))
        chosen.delete(document.uri.toString());
    }),
  );
  return {
    of,
    liveOf(uri) {
      const target = of(uri);
      return target && liveConnections.find(target.record.id);
    },
    lensOf(uri) {
      const target = of(uri);
      if (target === undefined) return undefined;
      const { status } = target.state;
      return {
        place: connectionPlace(target),
        environment: target.environment,
        status: status === "ready" || status === "off" ? status : "connecting",
        isOwn: ownOf(uri) !== undefined,
      };
    },
    set(uri, connectionId) {
      chosen.set(uri.toString(), connectionId);
      changes.fire();
    },
    async choose(uri) {
      const result = await dialogs.askChoice({
        title: l10n.t("Select Connection for {0}", fileWords(uri)),
        placeholder: l10n.t("Applies to this file only. The active connection doesn't change"),
        choices: choicesOf(connections, clock.now()),
        isPresent: (id) => id === chosen.get(uri.toString()),
      });
      if (result.kind !== "next") return;
      if (result.value === undefined) chosen.delete(uri.toString());
      else chosen.set(uri.toString(), result.value);
      changes.fire();
    },
    onDidChange: changes.event,
  };
}

function choicesOf({ list, active }: Connections, nowMs: number): Choice<string | undefined>[] {
  const follow: Choice<string | undefined> = {
    label: l10n.t("$(circle-outline) The Active Connection"),
    description: active === undefined ? l10n.t("none yet") : connectionPlace(active),
    detail: l10n.t("always uses the active connection"),
    value: undefined,
  };
  return [
    follow,
    ...list.map((each): Choice<string> => ({
      label: plain`$(plug) ${connectionPlace(each)}`,
      description: connectionStateText(each, nowMs),
      value: each.record.id,
    })),
  ];
}
