import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { requireOpenConnection } from "../../actions/connection/liveConnections.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import { pickConnection } from "../connections/picks.ts";
import type { DocumentTexts } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import type { MaskingLog } from "../editor/log.ts";
import type { Ui } from "../ui.ts";
import { createRecordings } from "./recordings.ts";
import { createSupportFile } from "./supportFile.ts";
import { createTrafficDocuments } from "./trafficDocuments.ts";

/** The parts that show the traffic of connections and write support files; loaded on their first use. */
export interface Observing extends Disposable {
  readonly handlers: Handlers;
  readonly texts: Pick<DocumentTexts, "traffic" | "supportFile">;
}

/** The window, and what only its observation needs. */
type ObservingUi = Omit<Ui, "responses"> & {
  readonly log: MaskingLog;
  readonly extension: vscode.Extension<unknown>;
  /** Tells VS Code to read a document again. */
  readonly changes: vscode.EventEmitter<vscode.Uri>;
  /** The storage of this window, in which a recording is noted until it is saved. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
};

export function createObserving(ui: ObservingUi): Observing {
  const disposables = new DisposableList();
  const traffic = createTrafficDocuments(ui, disposables);
  const recordings = disposables.add(createRecordings(ui));
  const support = createSupportFile(ui, disposables);
  return {
    handlers: {
      "tradingRpc.traffic.show": async (argument) => {
        const connection = await connectionOf(argument, l10n.t("Show Traffic"), ui);
        if (connection !== undefined) await traffic.show(connection);
      },
      "tradingRpc.traffic.record": async (argument) => {
        const connection = await connectionOf(argument, l10n.t("Record Traffic"), ui);
        if (connection !== undefined) await recordings.start(connection);
      },
      "tradingRpc.traffic.stopRecording": async () => await recordings.stop(),
      ...traffic.handlers,
      ...support.handlers,
    },
    texts: { traffic: (uri, parts) => traffic.text(uri, parts), supportFile: () => support.text() },
    dispose: () => disposables.dispose(),
  };
}

/** Returns the connection of the row, else the only open one, else one that the user chooses. */
async function connectionOf(
  argument: unknown,
  title: Plain,
  { liveConnections, dialogs }: ObservingUi,
): Promise<LiveConnection | undefined> {
  if (argument === undefined) {
    requireOpenConnection(liveConnections);
    return await pickConnection({ liveConnections, dialogs }, { title, connections: liveConnections.all });
  }
  const found = typeof argument === "string" ? liveConnections.find(rowIdParts(argument)[0] ?? "") : undefined;
  if (found === undefined) throw new CallError({ kind: "notConnected" });
  return found;
}
