import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { createCoalescer } from "../../base/coalesce.ts";
import { createEmitter, type Disposable, type DisposableList, type Emitter } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { CommandId } from "../../manifest/contributes.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { chosenDocument, OWN_DOCUMENTS, showDocument, whenClosed } from "../editor/documents.ts";
import type { Handler } from "../editor/handler.ts";
import type { Settings } from "../editor/settings.ts";
import type { Times } from "../../present/text/times.ts";
import { responseColumn } from "./responseDocuments.ts";

/** A document whose text changes for as long as it is open: the events of channels, or the traffic of a connection. */
export interface LiveDocument extends Disposable {
  readonly uri: vscode.Uri;
  readonly connectionId: string;
  /** The state. A stopped document keeps its text and never changes again automatically. */
  readonly state: "running" | "paused" | "stopped";
  filter: string;
  text(): string;
  stop(): void;
  /** Pauses or resumes. */
  pause(): void;
  clear(): void;
  /** Returns the buttons of this kind alone, between Filter and Clear. */
  buttons(): readonly LiveButton[];
}

interface LiveButton {
  readonly title: string;
  readonly command: CommandId;
}

/** The ways in which a document says that its text has changed. */
export interface Drawing {
  /** Draws with the next update, at most four a second. */
  soon(): void;
  /** Draws at once, because the user did something to what is shown. */
  now(): void;
}

/** The differences between two kinds of live documents. */
interface LiveKind {
  /** The noun of the commands Stop, Pause, Filter, and Clear. */
  readonly noun: "channel" | "traffic";
  /**
   * The place of the newest line. Newest first: nothing is drawn while the head is out of sight, because lines would
   * move away under the reader. Newest last: a reader who sees the end continues to see it.
   */
  readonly newest: "first" | "last";
  /** The reason that is shown if a document is no longer kept. */
  readonly gone: string;
  readonly filterTitle: Plain;
  readonly filterPrompt: Plain;
}

/** What live documents need of the window. */
export interface LiveDocumentUi {
  readonly dialogs: Dialogs;
  /** Tells VS Code to read a document again. */
  readonly changes: vscode.EventEmitter<vscode.Uri>;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly times: Times;
}

/** The live documents of one kind that are open. Each is disposed when its last tab is closed. */
export interface LiveDocuments<D extends LiveDocument> {
  /** Shows the document at this address; makes it if there is none, or if it was stopped. */
  show(uri: vscode.Uri, create: (drawing: Drawing) => D, preserveFocus?: boolean): Promise<void>;
  readonly all: readonly D[];
  at(uri: vscode.Uri): D | undefined;
  /** Returns the document that a command is about (see `chosenDocument`). Throws if it is no longer kept. */
  find(argument: unknown): D;
  /** Draws a document at once. */
  draw(document: D): void;
  stop: Handler;
  pause: Handler;
  clear: Handler;
  filter: Handler;
}

const DRAW_PAUSE_MS = 250;

export function createLiveDocuments<D extends LiveDocument>(
  kind: LiveKind,
  { dialogs, changes, clock, settings }: LiveDocumentUi,
  disposables: DisposableList,
): LiveDocuments<D> {
  const open = new Map<string, { readonly document: D; readonly drawing: Drawing & Disposable }>();
  const lensChanges: Emitter<void> = disposables.add(createEmitter());
  const sight = disposables.add(kind.newest === "first" ? watchHead() : watchEnd());
  const drawingOf = (uri: vscode.Uri): Drawing & Disposable => {
    const now = (): void => {
      sight.drawn(uri);
      changes.fire(uri);
      lensChanges.fire();
    };
    const drawing = createCoalescer(clock, DRAW_PAUSE_MS, () => {
      if (sight.isReady(uri, () => drawing.request())) now();
    });
    return { now, soon: () => drawing.request(), dispose: () => drawing.dispose() };
  };
  const close = (key: string): void => {
    open.get(key)?.document.dispose();
    open.get(key)?.drawing.dispose();
    open.delete(key);
  };
  const at = (uri: vscode.Uri): D | undefined => open.get(uri.toString())?.document;
  const find = (argument: unknown): D => {
    const uri = chosenDocument(argument);
    const document = uri === undefined ? undefined : at(uri);
    if (document === undefined) throw refused(kind.gone);
    return document;
  };
  const draw = ({ uri }: D): void => open.get(uri.toString())?.drawing.now();
  disposables.add(
    vscode.languages.registerCodeLensProvider(OWN_DOCUMENTS, {
      onDidChangeCodeLenses: lensChanges.event,
      provideCodeLenses: ({ uri }) => lensesOf(kind, at(uri)),
    }),
  );
  disposables.add(whenClosed(close));
  disposables.add({ dispose: () => [...open.keys()].forEach(close) });
  return {
    async show(uri, create, preserveFocus = false) {
      const key = uri.toString();
      if ((at(uri)?.state ?? "stopped") === "stopped") {
        close(key);
        const drawing = drawingOf(uri);
        open.set(key, { document: create(drawing), drawing });
      }
      open.get(key)?.drawing.now();
      await showDocument(uri, { viewColumn: responseColumn(uri, settings), preserveFocus, preview: false });
      // VS Code misses what changes while it opens a document.
      open.get(key)?.drawing.now();
    },
    get all() {
      return [...open.values()].map(({ document }) => document);
    },
    at,
    find,
    draw,
    stop: (uri) => find(uri).stop(),
    pause: (uri) => find(uri).pause(),
    clear: (uri) => find(uri).clear(),
    async filter(uri) {
      const document = find(uri);
      const result = await dialogs.askText({
        title: kind.filterTitle,
        prompt: kind.filterPrompt,
        value: document.filter,
        isFleeting: true,
      });
      if (result.kind !== "next") return;
      document.filter = result.value;
      draw(document);
    },
  };
}

function lensesOf({ noun }: LiveKind, document: LiveDocument | undefined): vscode.CodeLens[] {
  if (document === undefined) return [];
  const { state, filter, uri } = document;
  const running: readonly LiveButton[] =
    state === "stopped"
      ? []
      : [
          { title: l10n.t("■ Stop"), command: `tradingRpc.${noun}.stop` },
          { title: state === "paused" ? l10n.t("▷ Resume") : l10n.t("‖ Pause"), command: `tradingRpc.${noun}.pause` },
        ];
  const filterTitle = filter === "" ? l10n.t("Filter…") : l10n.t("Filter: {0}", plain.name(filter));
  return [
    ...running,
    { title: filterTitle, command: `tradingRpc.${noun}.filter` as const },
    ...document.buttons(),
    { title: l10n.t("Clear"), command: `tradingRpc.${noun}.clear` as const },
  ].map((button) => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { ...button, arguments: [uri.toString()] }));
}

/** The visible part of a live document, which decides when it is drawn. */
interface Sight extends Disposable {
  /** Whether the document may be drawn now. If not, calls `later` once it may be. */
  isReady(uri: vscode.Uri, later: () => void): boolean;
  /** Called before VS Code is told that the text has changed. */
  drawn(uri: vscode.Uri): void;
}

function watchHead(): Sight {
  const waiting = new Map<string, () => void>();
  const scrolls = vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
    const key = textEditor.document.uri.toString();
    const later = waiting.get(key);
    waiting.delete(key);
    later?.();
  });
  return {
    isReady(uri, later) {
      const isHeadHidden = editorsOf(uri).some(({ visibleRanges }) => (visibleRanges[0]?.start.line ?? 0) > 1);
      if (isHeadHidden) waiting.set(uri.toString(), later);
      return !isHeadHidden;
    },
    drawn: (uri) => void waiting.delete(uri.toString()),
    dispose: () => void scrolls.dispose(),
  };
}

function watchEnd(): Sight {
  /** The documents whose end was in sight when they were drawn. */
  const atEnd = new Set<string>();
  const edits = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (!atEnd.delete(document.uri.toString())) return;
    const end = document.lineCount - 1;
    for (const editor of editorsOf(document.uri)) editor.revealRange(new vscode.Range(end, 0, end, 0));
  });
  return {
    isReady: () => true,
    drawn(uri) {
      const isEndShown = editorsOf(uri).some(
        ({ document, visibleRanges }) => (visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 3,
      );
      if (isEndShown) atEnd.add(uri.toString());
    },
    dispose: () => void edits.dispose(),
  };
}

function editorsOf(uri: vscode.Uri): readonly vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri.toString());
}
