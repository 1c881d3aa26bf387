import * as vscode from "vscode";
import { plain } from "../../base/plain.ts";
import type { DisposableList } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import type { Steps } from "../../base/slices.ts";
import type { RequestFile, RequestOutline, TextRange } from "../../requests/file/file.ts";
import { nameAt, usesOf, type NamedThing, type NameUse } from "../../requests/values/names.ts";
import { NAME_FORM } from "../../requests/file/runOptions.ts";
import { foundInSlices } from "../editor/documentWork.ts";
import { filesOfFolder, isRequestDocument, REQUEST_FILES, toRange } from "./requestDocuments.ts";
import type { RequestUi } from "./requestUi.ts";

/** What is known of the names in request files. */
type NameUi = Pick<RequestUi, "scans" | "environments">;

/** Registers definitions, references, renaming and the outline of request files. */
export function createNames(ui: NameUi & Pick<RequestUi, "clock">, disposables: DisposableList): void {
  const useAt = (document: vscode.TextDocument, position: vscode.Position): NameUse | undefined =>
    nameAt(ui.scans.of(document), document.offsetAt(position));
  const { languages } = vscode;
  disposables.add(
    languages.registerDefinitionProvider(REQUEST_FILES, {
      async provideDefinition(document, position) {
        const use = useAt(document, position);
        return use === undefined ? [] : await definitionsOf(document, use.thing, ui);
      },
    }),
  );
  disposables.add(
    languages.registerReferenceProvider(REQUEST_FILES, {
      async provideReferences(document, position, { includeDeclaration }) {
        const use = useAt(document, position);
        if (use === undefined) return [];
        const found = await placesOf(document, use.thing, ui);
        return found.filter(({ isDefinition }) => includeDeclaration || !isDefinition).map(({ location }) => location);
      },
    }),
  );
  disposables.add(
    languages.registerRenameProvider(REQUEST_FILES, {
      prepareRename(document, position) {
        const use = useAt(document, position);
        if (use === undefined)
          throw new Error(l10n.t("Only request names and variables can be renamed, and the cursor isn't on one."));
        requireDefinitionHere(ui.scans.of(document), use.thing);
        return toRange(document, use.range);
      },
      async provideRenameEdits(document, position, newName) {
        const use = useAt(document, position);
        return use === undefined ? undefined : await renameEdits(document, { thing: use.thing, newName }, ui);
      },
    }),
  );
  disposables.add(
    languages.registerDocumentSymbolProvider(
      REQUEST_FILES,
      {
        provideDocumentSymbols: async (document, token) =>
          await foundInSlices(ui.clock, symbolsOf(document, ui), token),
      },
      { label: "Trading RPC" },
    ),
  );
}

/** Makes a flat list with a symbol for each request, a request at a step. */
function* symbolsOf(document: vscode.TextDocument, { scans }: NameUi): Steps<vscode.DocumentSymbol[]> {
  const symbols: vscode.DocumentSymbol[] = [];
  for (const { outline } of scans.of(document).requests) {
    symbols.push(symbolOf(document, outline));
    yield undefined;
  }
  return symbols;
}

/** Returns the symbol of a request: its name or its method, and its id. */
function symbolOf(
  document: vscode.TextDocument,
  { index, range, method, name, idText }: RequestOutline,
): vscode.DocumentSymbol {
  const called = name ?? method;
  const title = plain.name(called?.value ?? l10n.t("request {0}", index + 1));
  const detail = [
    ...(name === undefined || method === undefined ? [] : [plain.name(method.value)]),
    ...(idText === undefined ? [] : [l10n.t("ID {0}", plain.name(idText))]),
  ].join(" · ");
  return new vscode.DocumentSymbol(
    title === "" ? "?" : title,
    detail,
    vscode.SymbolKind.Method,
    toRange(document, range),
    toRange(document, called?.range ?? { start: range.start, end: range.start }),
  );
}

interface Place {
  readonly location: vscode.Location;
  readonly isDefinition: boolean;
}

/** Returns the places that define a name: in the file, in another one of its folder, in an environment file. */
export async function definitionsOf(
  document: vscode.TextDocument,
  thing: NamedThing,
  ui: NameUi,
): Promise<vscode.Location[]> {
  const own = usesIn(document, thing, ui).filter(({ isDefinition }) => isDefinition);
  if (own.length > 0) return own.map(({ location }) => location);
  if (thing.kind === "variable") return await environmentPlaces(document, thing, ui);
  return (await placesOf(document, thing, ui))
    .filter(({ isDefinition }) => isDefinition)
    .map(({ location }) => location);
}

async function environmentPlaces(
  document: vscode.TextDocument,
  { name }: NamedThing,
  { environments }: NameUi,
): Promise<vscode.Location[]> {
  const files = await environments.load(document.uri);
  const places = files.flatMap(({ uri, sections }) =>
    [...sections.values()]
      .flat()
      .filter((each) => each.name === name)
      .map(({ range }) => ({ uri, range })),
  );
  return await Promise.all(
    places.map(async ({ uri, range }) =>
      locationOf(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)), {
        start: range.start + 1,
        end: range.end - 1,
      }),
    ),
  );
}

/**
 * Returns every place of a name. Responses and variables of environment files are known in the whole folder; other
 * names only in their file.
 */
async function placesOf(document: vscode.TextDocument, thing: NamedThing, ui: NameUi): Promise<readonly Place[]> {
  const own = usesIn(document, thing, ui);
  const isOfFile = thing.kind === "variable" && own.some(({ isDefinition }) => isDefinition);
  if (thing.ownerIndex !== undefined || isOfFile) return own;
  const others = await neighbours(document);
  const inFolder = others.flatMap((each) =>
    thing.kind === "variable" && ui.scans.of(each).vars.some(({ name }) => name === thing.name)
      ? []
      : usesIn(each, thing, ui),
  );
  const inEnvironment = thing.kind === "result" ? [] : await environmentPlaces(document, thing, ui);
  return [...own, ...inFolder, ...inEnvironment.map((location) => ({ location, isDefinition: true }))];
}

function usesIn(document: vscode.TextDocument, thing: NamedThing, { scans }: NameUi): readonly Place[] {
  return usesOf(scans.of(document), thing).map(({ range, isDefinition }) => ({
    location: locationOf(document, range),
    isDefinition,
  }));
}

function locationOf(document: vscode.TextDocument, range: TextRange): vscode.Location {
  return new vscode.Location(document.uri, toRange(document, range));
}

/** Returns the other request files of the folder. Unsaved files share one folder. */
async function neighbours(document: vscode.TextDocument): Promise<readonly vscode.TextDocument[]> {
  if (document.isUntitled)
    return vscode.workspace.textDocuments.filter(
      (each) => each.isUntitled && each !== document && isRequestDocument(each),
    );
  const others = (await filesOfFolder(document.uri)).filter((uri) => uri.toString() !== document.uri.toString());
  return await Promise.all(others.map(async (uri) => await vscode.workspace.openTextDocument(uri)));
}

/** Throws if the name is not defined in this file: other folders may use it too, and must not be changed from here. */
function requireDefinitionHere(file: RequestFile, thing: NamedThing): void {
  if (thing.kind === "result" || usesOf(file, thing).some(({ isDefinition }) => isDefinition)) return;
  throw new Error(
    l10n.t(
      "{0} isn't defined in this file. Rename variables of an environment file there, because other folders may use them.",
      plain.text(thing.name),
    ),
  );
}

async function renameEdits(
  document: vscode.TextDocument,
  { thing, newName }: { readonly thing: NamedThing; readonly newName: string },
  ui: NameUi,
): Promise<vscode.WorkspaceEdit> {
  const file = ui.scans.of(document);
  requireDefinitionHere(file, thing);
  if (!NAME_FORM.test(newName))
    throw new Error(
      l10n.t("Start the name with a letter or _. Use only letters a to z, digits, _, and -, up to 64 characters."),
    );
  const taken = (["result", "variable"] as const).some(
    (kind) => usesOf(file, { ...thing, kind, name: newName }).length > 0,
  );
  if (taken) throw new Error(l10n.t("{0} is already used as a name in this file.", plain.text(newName)));
  const edit = new vscode.WorkspaceEdit();
  for (const { location } of await placesOf(document, thing, ui)) edit.replace(location.uri, location.range, newName);
  return edit;
}
