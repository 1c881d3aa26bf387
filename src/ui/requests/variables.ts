import * as vscode from "vscode";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { connectionPlace } from "../../present/connections/connectionWords.ts";
import { variableRows, type VariableDefinition, type VariableRow } from "../../present/requests/variableList.ts";
import type { FileRequest } from "../../requests/file/file.ts";
import { namedRequests, outlineRequests } from "../../requests/file/outline.ts";
import { resolveKnown, type Filled } from "../../requests/values/resolve.ts";
import type { Connection } from "../../state/connections.ts";
import { definitionsOf } from "./authoringNames.ts";
import { environmentsOf, placeholderNames, toRange, type AuthoringPorts } from "./authoringPlaces.ts";
import { openFile } from "./files.ts";

/** Everything that the placeholders of a request file can name, with its values. */
export interface RequestVariables {
  /** Shows the names in a list; choosing one goes to its definition. */
  show(document: vscode.TextDocument): Promise<void>;
  /** Returns the parameters of a request, with placeholders filled in that have a value now. */
  fill(document: vscode.TextDocument, request: FileRequest): Filled;
}

interface RequestVariablesPorts extends AuthoringPorts {
  readonly dialogs: Dialogs;
}

export function createRequestVariables(ports: RequestVariablesPorts): RequestVariables {
  return {
    async show(document) {
      const rows = rowsOf(document, ports);
      if (rows.length === 0)
        throw refused(
          l10n.t(
            "This file has no variables or named requests. Define them with $file.vars, $run.vars, $run.name, or rpc.env.json.",
          ),
        );
      const choices = rows.map((row) => ({ label: row.name, description: row.value, detail: row.source, value: row }));
      const result = await ports.dialogs.askChoice({
        title: titleOf(ports.targets.of(document.uri)),
        isFleeting: true,
        placeholder: l10n.t("Select an item to go to its definition"),
        choices,
      });
      if (result.kind === "next") await goTo(document, result.value.definition, ports);
    },
    fill(document, request) {
      const file = ports.scans.of(document);
      const { lookup } = placeholderNames(document.uri, { file, request, outlines: outlineRequests(file) }, ports);
      return request.run.isRaw
        ? { text: request.paramsText, used: [], problems: [] }
        : resolveKnown(request.paramsText, lookup);
    },
  };
}

/** Returns the title with the connection, because values depend on where requests are sent. */
function titleOf(target: Connection | undefined): Plain {
  return target === undefined ? l10n.t("File Variables") : l10n.t("File Variables for {0}", connectionPlace(target));
}

function rowsOf(document: vscode.TextDocument, ports: AuthoringPorts): readonly VariableRow[] {
  const { scans, targets, results, environments, clock, times } = ports;
  const { uri } = document;
  const file = scans.of(document);
  const target = targets.of(uri);
  const responses = target === undefined ? undefined : results.of(target.record.id, uri);
  const waiting = [...namedRequests(outlineRequests(file)).keys()].filter((name) => responses?.get(name) === undefined);
  const environmentVars = environmentsOf(uri, target, environments);
  // No row is about what is built in: neither a time nor an id is made here.
  return variableRows(
    {
      file,
      environmentVars,
      results: responses?.all ?? [],
      waiting,
      environment: target?.environment ?? "simulator",
      clock,
      uuid: () => "",
    },
    { nowMs: clock.now(), times },
  );
}

async function goTo(
  document: vscode.TextDocument,
  definition: VariableDefinition,
  ports: AuthoringPorts,
): Promise<void> {
  const place = await placeOf(document, definition, ports);
  if (place === undefined) throw refused(l10n.t("The definition doesn't exist any more."));
  await vscode.window.showTextDocument(place.uri, { selection: place.range });
}

async function placeOf(
  document: vscode.TextDocument,
  definition: VariableDefinition,
  ports: AuthoringPorts,
): Promise<vscode.Location | undefined> {
  switch (definition.kind) {
    case "here":
      return new vscode.Location(document.uri, toRange(document, definition.range));
    case "result":
      return (
        await definitionsOf(
          document,
          { kind: "result", name: definition.name, ownerIndex: undefined },
          { ...ports, outlinesOf: outlineRequests },
        )
      )[0];
    case "environment": {
      const files = await ports.environments.load(document.uri);
      const variable = files
        .find(({ uri }) => uri === definition.uri)
        ?.sections.get(definition.section)
        ?.find(({ name }) => name === definition.name);
      if (variable === undefined) return undefined;
      const opened = await openFile(vscode.Uri.parse(definition.uri, true));
      return new vscode.Location(opened.uri, toRange(opened, variable.range));
    }
  }
}
