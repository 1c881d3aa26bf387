import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { responseColumn } from "../responses/responseDocuments.ts";
import type { DocumentTexts } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import { pickConnection } from "../connections/picks.ts";
import { requireOpenConnection } from "../../actions/liveConnections.ts";
import type { Settings } from "../editor/settings.ts";
import { createRecordings, type RecordingsPorts } from "./recordings.ts";
import { createSupportFile, type SupportFilePorts } from "./supportFile.ts";
import { createTrafficDocuments } from "./trafficDocuments.ts";

/** The parts that show the traffic of connections and write support files; loaded on their first use. */
export interface Observing extends Disposable {
  readonly handlers: Handlers;
  readonly texts: Pick<DocumentTexts, "traffic" | "supportFile">;
}

export interface ObservingPorts extends SupportFilePorts, Omit<RecordingsPorts, keyof SupportFilePorts | "settings"> {
  readonly settings: Settings;
}

export function createObserving(ports: ObservingPorts): Observing {
  const { settings } = ports;
  const disposables = new DisposableList();
  const traffic = disposables.add(
    createTrafficDocuments({ ...ports, columnFor: (uri) => responseColumn(uri, settings) }),
  );
  const recordings = disposables.add(createRecordings(ports));
  const support = disposables.add(createSupportFile(ports));
  return {
    handlers: {
      "tradingRpc.traffic.show": async (argument) => {
        const connection = await connectionOf(argument, l10n.t("Show Traffic"), ports);
        if (connection !== undefined) await traffic.show(connection);
      },
      "tradingRpc.traffic.record": async (argument) => {
        const connection = await connectionOf(argument, l10n.t("Record Traffic"), ports);
        if (connection !== undefined) await recordings.start(connection);
      },
      "tradingRpc.traffic.stopRecording": async () => await recordings.stop(),
      ...traffic.handlers,
      "tradingRpc.supportFile.preview": async () => await support.preview(),
      "tradingRpc.supportFile.save": async () => await support.save(),
      "tradingRpc.supportFile.toggleHosts": async () => await support.toggleHosts(),
      "tradingRpc.supportFile.toggleFigures": async () => await support.toggleFigures(),
    },
    texts: { traffic: (uri, parts) => traffic.text(uri, parts), supportFile: () => support.text() },
    dispose: () => disposables.dispose(),
  };
}

/** Returns the connection of the row, else the only open one, else one that the user chooses. */
async function connectionOf(
  argument: unknown,
  title: Plain,
  ports: ObservingPorts,
): Promise<LiveConnection | undefined> {
  const { liveConnections } = ports;
  if (argument === undefined) {
    requireOpenConnection(liveConnections);
    return await pickConnection(ports, { title, connections: liveConnections.all });
  }
  const found = typeof argument === "string" ? liveConnections.find(rowIdParts(argument)[0] ?? "") : undefined;
  if (found === undefined) throw new CallError({ kind: "notConnected" });
  return found;
}
