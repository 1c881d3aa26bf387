import * as vscode from "vscode";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { plain } from "../../base/plain.ts";
import { channelSuggestions } from "../../present/requests/channelSuggestions.ts";
import { expectationSuggestions } from "../../present/requests/expectationSuggestions.ts";
import { catalogueMarkdown, methodMarkdown } from "../../present/requests/methodWords.ts";
import { neededLists } from "../../present/requests/neededLists.ts";
import { objectSuggestions } from "../../present/requests/objectSuggestions.ts";
import { placeholderSuggestions, requestNameSuggestions } from "../../present/requests/placeholderSuggestions.ts";
import { placeholderLines, timestampLines } from "../../present/requests/placeholderWords.ts";
import { methodNameSuggestions, requestSnippets } from "../../present/requests/requestSnippets.ts";
import type { Suggestion } from "../../present/text/suggestion.ts";
import { cursorAt, requestAt, requestPlaceAt } from "../../requests/file/cursor.ts";
import type { RequestFile } from "../../requests/file/file.ts";
import { namedRequests } from "../../requests/file/outline.ts";
import { findPlaceholders } from "../../requests/values/placeholders.ts";
import { createFixes } from "./authoringFixes.ts";
import { createNames } from "./authoringNames.ts";
import {
  askForLists,
  createOutlines,
  knownObjects,
  liveTarget,
  placeholderNames,
  plainLines,
  REQUEST_FILES,
  toRange,
  type AuthoringPorts,
  type OutlinedPorts,
} from "./authoringPlaces.ts";

/** Registers completion, hovers, names and fixes for `*.rpc.json` files. */
export function createAuthoring(ports: AuthoringPorts): Disposable {
  const disposables = new DisposableList();
  const outlinesOf = createOutlines();
  disposables.add(
    vscode.languages.registerCompletionItemProvider(
      REQUEST_FILES,
      {
        provideCompletionItems: (document, position) => completionsAt(document, position, { ...ports, outlinesOf }),
        resolveCompletionItem: explained,
      },
      ...['"', "{", ".", "[", "|"],
    ),
  );
  disposables.add(
    vscode.languages.registerHoverProvider(REQUEST_FILES, {
      provideHover: (document, position) => hoverAt(document, position, { ...ports, outlinesOf }),
    }),
  );
  disposables.add(createNames({ ...ports, outlinesOf }));
  disposables.add(createFixes({ ...ports, outlinesOf }));
  return disposables;
}

function completionsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  ports: OutlinedPorts,
): vscode.CompletionList | undefined {
  const file = ports.scans.of(document);
  const offset = document.offsetAt(position);
  const cursor = cursorAt(file, offset);
  if (cursor === undefined) return snippetsAt(document, position, file);
  const moment = { nowMs: ports.clock.now(), times: ports.times };
  const members = [...methodNameSuggestions(cursor), ...expectationSuggestions(file.text, cursor)];
  const isInMembers = cursor.path[0] === "params" || cursor.path[0] === "$run" || cursor.path[0] === "$file";
  if (cursor.isName || !isInMembers)
    return members.length === 0 ? undefined : new vscode.CompletionList(members.map((each) => itemOf(document, each)));
  const live = liveTarget(document.uri, ports);
  // What is known now is offered now; what is being read is there when the user types on.
  const isBeingRead = askForLists(neededLists(file.text, cursor), live);
  const known = knownObjects(live);
  const objects = objectSuggestions(file.text, cursor, known, moment);
  const channels = channelSuggestions(file.text, cursor, known);
  const outlines = ports.outlinesOf(file);
  const placeholders = placeholderSuggestions(
    file.text,
    cursor,
    placeholderNames(document.uri, { file, request: cursor.request, outlines }, ports),
    moment,
  );
  const names = requestNameSuggestions(cursor, [...namedRequests(outlines).keys()]);
  const items = [
    ...members,
    ...objects.items.map((each) => onScreen(each, ports.screen)),
    ...channels.items,
    ...placeholders.items,
    ...names,
  ];
  return new vscode.CompletionList(
    items.map((each) => itemOf(document, each)),
    [objects, channels, placeholders].some(({ isIncomplete }) => isIncomplete) || isBeingRead,
  );
}

/** Returns a suggestion whose figures others may see. What it writes into the file is shown as it is. */
function onScreen(suggestion: Suggestion, { hide }: AuthoringPorts["screen"]): Suggestion {
  const { description, lines } = suggestion;
  return {
    ...suggestion,
    description: plain.text(hide(description)),
    lines: lines.map((line) => plain.text(hide(line))),
  };
}

function snippetsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  file: RequestFile,
): vscode.CompletionList | undefined {
  const offset = document.offsetAt(position);
  const place = requestPlaceAt(file, offset);
  if (place === undefined) return undefined;
  const [typed = ""] = /[\w/]*$/.exec(document.lineAt(position).text.slice(0, position.character)) ?? [];
  const suggestions = requestSnippets(place, { start: offset - typed.length, end: offset }, file.count + 1);
  return new vscode.CompletionList(suggestions.map((each) => itemOf(document, each)));
}

const KINDS: Readonly<Record<Suggestion["kind"], vscode.CompletionItemKind>> = {
  object: vscode.CompletionItemKind.Reference,
  value: vscode.CompletionItemKind.Value,
  variable: vscode.CompletionItemKind.Variable,
  request: vscode.CompletionItemKind.Method,
  member: vscode.CompletionItemKind.Field,
  comparison: vscode.CompletionItemKind.Operator,
};

function itemOf(document: vscode.TextDocument, suggestion: Suggestion): vscode.CompletionItem {
  const { kind, label, description, lines, range, newText, isSnippet, filterText, sortText } = suggestion;
  const item = new vscode.CompletionItem({ label, description }, KINDS[kind]);
  item.range = toRange(document, range);
  item.insertText = isSnippet ? new vscode.SnippetString(newText) : newText;
  item.filterText = filterText;
  item.sortText = sortText;
  if (lines.length > 0) item.documentation = plainLines(lines);
  return item;
}

/** Explains the method that is selected in the list. All of them at once would take longer than the list itself. */
function explained(item: vscode.CompletionItem): vscode.CompletionItem {
  const name = typeof item.label === "string" ? item.label : item.label.label;
  const markdown = item.kind === KINDS.request ? methodMarkdown(name) : undefined;
  if (markdown !== undefined) item.documentation = new vscode.MarkdownString(markdown);
  return item;
}

/**
 * Returns the hover of a placeholder, with its value, of a timestamp, with its moment, or of a method or a parameter,
 * with what the catalogue knows of it.
 */
function hoverAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  ports: OutlinedPorts,
): vscode.Hover | undefined {
  const file = ports.scans.of(document);
  const offset = document.offsetAt(position);
  const request = requestAt(file, offset);
  const cursor = cursorAt(file, offset);
  if (request === undefined || cursor === undefined) return undefined;
  const moment = { nowMs: ports.clock.now(), times: ports.times };
  const name = String(cursor.path.at(-1));
  const { start, end } = request.range;
  const placeholder = findPlaceholders(file.text.slice(start, end), start).find(
    ({ range }) => range.start <= offset && offset <= range.end,
  );
  if (placeholder === undefined) {
    const lines = timestampLines(name, file.text.slice(cursor.literal.start, cursor.literal.end), moment);
    const markdown = catalogueMarkdown(cursor);
    const contents =
      lines !== undefined
        ? plainLines(lines)
        : markdown === undefined
          ? undefined
          : new vscode.MarkdownString(markdown);
    return contents === undefined ? undefined : new vscode.Hover(contents, toRange(document, cursor.literal));
  }
  const { lookup } = placeholderNames(document.uri, { file, request, outlines: ports.outlinesOf(file) }, ports);
  const lines = placeholderLines(placeholder, lookup, moment);
  const time = placeholder.isWhole ? timestampLines(name, lines[0] ?? "", moment) : undefined;
  return new vscode.Hover(plainLines([...lines, ...(time ?? [])]), toRange(document, placeholder.range));
}
