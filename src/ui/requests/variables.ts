import * as vscode from "vscode";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { connectionPlace } from "../../present/connections/connectionWords.ts";
import { variableRows, type VariableDefinition, type VariableRow } from "../../present/requests/variableList.ts";
import type { FileRequest } from "../../requests/file/file.ts";
import { resolveKnown, type Filled } from "../../requests/values/resolve.ts";
import { definitionsOf } from "./authoringNames.ts";
import { openFile } from "./files.ts";
import { toRange } from "./requestDocuments.ts";
import { environmentsOf, placeholderNames, type RequestUi } from "./requestUi.ts";

/**
 * Shows everything that the placeholders of a request file can name, with its values; choosing a name goes to its
 * definition.
 */
export async function showVariables(document: vscode.TextDocument, ui: RequestUi): Promise<void> {
  const rows = rowsOf(document, ui);
  if (rows.length === 0)
    throw refused(
      l10n.t(
        "This file has no variables or named requests. Define them with $file.vars, $run.vars, $run.name, or rpc.env.json.",
      ),
    );
  const choices = rows.map((row) => ({ label: row.name, description: row.value, detail: row.source, value: row }));
  // Values depend on where requests are sent.
  const target = ui.targets.of(document.uri);
  const result = await ui.dialogs.askChoice({
    title: target === undefined ? l10n.t("File Variables") : l10n.t("File Variables for {0}", connectionPlace(target)),
    isFleeting: true,
    placeholder: l10n.t("Select an item to go to its definition"),
    choices,
  });
  if (result.kind !== "next") return;
  const place = await placeOf(document, result.value.definition, ui);
  if (place === undefined) throw refused(l10n.t("The definition doesn't exist any more."));
  await vscode.window.showTextDocument(place.uri, { selection: place.range });
}

/** Returns the parameters of a request, with placeholders filled in that have a value now. */
export function fillRequest(document: vscode.TextDocument, request: FileRequest, ui: RequestUi): Filled {
  return request.run.isRaw
    ? { text: request.paramsText, used: [], problems: [] }
    : resolveKnown(request.paramsText, placeholderNames(document, request, ui).lookup);
}

function rowsOf(document: vscode.TextDocument, ui: RequestUi): readonly VariableRow[] {
  const { scans, targets, clock, times } = ui;
  const { uri } = document;
  const results = ui.results.of(uri);
  // No row is about what is built in: neither a time nor an id is made here.
  return variableRows(
    {
      file: scans.of(document),
      environmentVars: environmentsOf(uri, ui),
      results: results.all,
      waiting: [...scans.named(document).keys()].filter((name) => results.get(name) === undefined),
      environment: targets.of(uri)?.environment ?? "simulator",
      clock,
      uuid: () => "",
    },
    { nowMs: clock.now(), times },
  );
}

async function placeOf(
  document: vscode.TextDocument,
  definition: VariableDefinition,
  ui: RequestUi,
): Promise<vscode.Location | undefined> {
  switch (definition.kind) {
    case "here":
      return new vscode.Location(document.uri, toRange(document, definition.range));
    case "result":
      return (await definitionsOf(document, { ...definition, ownerIndex: undefined }, ui))[0];
    case "environment": {
      const files = await ui.environments.load(document.uri);
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
