import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Connection } from "../../state/connections.ts";
import { isRealMoney, SIMULATOR_ID } from "../../state/records.ts";
import { rowId, sentenceLines, type Row, type RowTree } from "../rows/row.ts";
import { connectionPlace, environmentWord, hostOf } from "./connectionWords.ts";

/** The kind of the row that connects with a new connection, in place of the ID of one. */
const ADD = "add";

/**
 * Makes the rows of what connects: each saved connection, the one used last first, then the simulator and a new
 * connection. There is none without a saved connection: the welcome text of the view has buttons for the two.
 */
export function createStartTree(connections: () => readonly Connection[]): RowTree {
  const rows = (): readonly Row[] => {
    const saved = connections().filter(({ record }) => record.id !== SIMULATOR_ID);
    if (saved.length === 0) return [];
    const first = saved.filter(({ isActive }) => isActive);
    return [...first, ...saved.filter(({ isActive }) => !isActive)].map(savedRow).concat(simulatorRow(), addRow());
  };
  return {
    children: (parentId) => (parentId === undefined ? rows() : []),
    row: (id) => rows().find((row) => row.id === id),
    parentOf: () => undefined,
    tooltip(id) {
      const found = connections().find(({ record }) => startRowId(record.id) === id);
      if (found === undefined || found.record.id === SIMULATOR_ID) return [];
      const host = plain.name(hostOf(found) ?? found.record.url);
      return sentenceLines([l10n.t("Connects to {0}, {1}.", connectionPlace(found), host)]);
    },
  };
}

/** Returns the command that a click on a row runs. */
export function startCommand({ connectionId }: Row): StartCommand {
  if (connectionId === ADD) return "tradingRpc.connection.add";
  return connectionId === SIMULATOR_ID ? "tradingRpc.simulator.start" : "tradingRpc.connection.connect";
}

type StartCommand = "tradingRpc.connection.add" | "tradingRpc.simulator.start" | "tradingRpc.connection.connect";

function startRowId(connectionId: string): string {
  return rowId(connectionId, "start");
}

function savedRow({ record, environment }: Connection): Row {
  const label = l10n.t("Connect to {0}", plain.name(record.name));
  const place = environmentWord(environment);
  return {
    ...row(record.id, label, place),
    icon: { name: isRealMoney(environment) ? "lock" : "plug", color: undefined },
    spoken: l10n.t("{0}, {1}", label, place),
    contextValue: "start.saved",
  };
}

function simulatorRow(): Row {
  return {
    ...row(SIMULATOR_ID, l10n.t("Start Simulator"), l10n.t("no account or network needed")),
    icon: { name: "beaker", color: undefined },
  };
}

function addRow(): Row {
  return { ...row(ADD, l10n.t("Add Connection…"), ""), icon: { name: "add", color: undefined } };
}

function row(connectionId: string, label: Plain, description: Plain): Row {
  return {
    id: startRowId(connectionId),
    connectionId,
    objectId: undefined,
    label,
    description,
    icon: undefined,
    spoken: description === "" ? label : l10n.t("{0}, {1}", label, description),
    contextValue: "start",
    children: "none",
    copyText: "",
  };
}
