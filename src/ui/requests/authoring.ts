import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { DisposableList } from "../../base/emitter.ts";
import { plain } from "../../base/plain.ts";
import { channelSuggestions, neededLists, type NeededList } from "../../present/requests/channelSuggestions.ts";
import { expectationSuggestions } from "../../present/requests/expectationSuggestions.ts";
import { NOTHING_KNOWN, type KnownObjects } from "../../present/requests/knownObjects.ts";
import { catalogueMarkdown, methodMarkdown } from "../../present/requests/methodWords.ts";
import { objectSuggestions } from "../../present/requests/objectSuggestions.ts";
import { placeholderSuggestions, requestNameSuggestions } from "../../present/requests/placeholderSuggestions.ts";
import { placeholderLines, timestampLines } from "../../present/requests/placeholderWords.ts";
import { methodNameSuggestions, requestSnippets } from "../../present/requests/requestSnippets.ts";
import type { Suggestion } from "../../present/text/suggestion.ts";
import { serviceOfFile } from "../../requests/checking/serviceOfFile.ts";
import { cursorAt, requestAt, requestPlaceAt } from "../../requests/file/cursor.ts";
import type { RequestFile } from "../../requests/file/file.ts";
import { findPlaceholders } from "../../requests/values/placeholders.ts";
import { createFixes } from "./authoringFixes.ts";
import { createNames } from "./authoringNames.ts";
import { REQUEST_FILES, toRange } from "./requestDocuments.ts";
import { placeholderNames, type RequestUi } from "./requestUi.ts";
import { createKnownLists } from "../../state/knownList.ts";
import { createQuotesStore } from "../../state/quotes.ts";
import { createAccountStore } from "../../state/account.ts";
import { createBlockTradesStore } from "../../state/blockTrades.ts";
import { createMmpStore } from "../../state/mmp.ts";

/** Registers completion, hovers, names and fixes for `*.rpc.json` files. */
export function createAuthoring(ui: RequestUi, disposables: DisposableList): void {
  disposables.add(
    vscode.languages.registerCompletionItemProvider(
      REQUEST_FILES,
      {
        provideCompletionItems: (document, position) => completionsAt(document, position, ui),
        resolveCompletionItem: explained,
      },
      ...['"', "{", ".", "[", "|"],
    ),
  );
  disposables.add(
    vscode.languages.registerHoverProvider(REQUEST_FILES, {
      provideHover: (document, position) => hoverAt(document, position, ui),
    }),
  );
  createNames(ui, disposables);
  createFixes(ui, disposables);
}

function completionsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  ui: RequestUi,
): vscode.CompletionList | undefined {
  const file = ui.scans.of(document);
  const offset = document.offsetAt(position);
  const cursor = cursorAt(file, offset);
  const wishes = { recent: ui.recentMethods(), service: serviceOfFile(file, ui.targets.of(document.uri)) };
  if (cursor === undefined) return snippetsAt(document, position, file, wishes);
  const moment = { nowMs: ui.clock.now(), times: ui.times };
  const members = [...methodNameSuggestions(cursor, wishes), ...expectationSuggestions(file.text, cursor)];
  const isInMembers = cursor.path[0] === "params" || cursor.path[0] === "$run" || cursor.path[0] === "$file";
  if (cursor.isName || !isInMembers)
    return members.length === 0 ? undefined : new vscode.CompletionList(members.map((each) => itemOf(document, each)));
  const live = ui.targets.liveOf(document.uri);
  // What is known now is offered now; what is being read is there when the user types on.
  const isBeingRead = askForLists(neededLists(file.text, cursor), live);
  const known = knownObjects(live);
  const objects = objectSuggestions(file.text, cursor, known, moment);
  const channels = channelSuggestions(file.text, cursor, known);
  const sources = placeholderNames(document, cursor.request, ui);
  const placeholders = placeholderSuggestions(file.text, cursor, sources, moment);
  const names = requestNameSuggestions(cursor, [...ui.scans.named(document).keys()]);
  const items = [
    ...members,
    ...objects.items.map((each) => onScreen(each, ui.screen)),
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
function onScreen(suggestion: Suggestion, { hide }: RequestUi["screen"]): Suggestion {
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
  wishes: Parameters<typeof requestSnippets>[1],
): vscode.CompletionList | undefined {
  const offset = document.offsetAt(position);
  const place = requestPlaceAt(file, offset);
  if (place === undefined) return undefined;
  const [typed = ""] = /[\w/]*$/.exec(document.lineAt(position).text.slice(0, position.character)) ?? [];
  const range = { start: offset - typed.length, end: offset };
  const suggestions = requestSnippets({ ...place, range, nextId: file.count + 1 }, wishes);
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
  item.insertText = isSnippet === true ? new vscode.SnippetString(newText) : newText;
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
function hoverAt(document: vscode.TextDocument, position: vscode.Position, ui: RequestUi): vscode.Hover | undefined {
  const file = ui.scans.of(document);
  const offset = document.offsetAt(position);
  const request = requestAt(file, offset);
  const cursor = cursorAt(file, offset);
  if (request === undefined || cursor === undefined) return undefined;
  const moment = { nowMs: ui.clock.now(), times: ui.times };
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
  const { lookup } = placeholderNames(document, request, ui);
  const lines = placeholderLines(placeholder, lookup, moment);
  const time = placeholder.isWhole ? timestampLines(name, lines[0] ?? "", moment) : undefined;
  return new vscode.Hover(plainLines([...lines, ...(time ?? [])]), toRange(document, placeholder.range));
}

/** Returns lines of plain text for a hover or beside a choice: nothing in them is markup. */
function plainLines(lines: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  for (const [index, line] of lines.entries()) text.appendText(index === 0 ? line : `\n${line}`);
  return text;
}

/** Returns what the stores of a connection know now; without one, nothing. */
function knownObjects(live: LiveConnection | undefined): KnownObjects {
  if (live === undefined) return NOTHING_KNOWN;
  const { place, positions, orders, apiKeys, instruments, lastTrades } = live;
  const quotes = live.storeOf(createQuotesStore);
  const lists = live.storeOf(createKnownLists);
  return {
    place,
    summaries: live.storeOf(createAccountStore).snapshot,
    positions,
    orders: orders.snapshot,
    blockTrades: live.storeOf(createBlockTradesStore).snapshot,
    apiKeys: apiKeys.snapshot,
    quotes: quotes.snapshot,
    rfqs: quotes.rfqs,
    mmp: live.storeOf(createMmpStore).snapshot,
    instruments: instruments.snapshot,
    currencies: lists.currencies.snapshot,
    indexNames: lists.indexNames.snapshot,
    accounts: lists.accounts.snapshot,
    lastTrades: [...lastTrades].map(({ snapshot }) => snapshot),
  };
}

/**
 * Asks a connection for lists that are needed, and does not wait for them. In Restricted Mode nothing is asked for.
 * Whether one of them is not known yet.
 */
function askForLists(needed: readonly NeededList[], live: LiveConnection | undefined): boolean {
  if (live === undefined || !vscode.workspace.isTrusted) return false;
  const stores = needed.map((each) =>
    each === "instruments" ? live.instruments : live.storeOf(createKnownLists)[each],
  );
  for (const each of stores) void each.load();
  return stores.some(({ snapshot }) => snapshot.readAtMs === undefined && snapshot.failure === undefined);
}
