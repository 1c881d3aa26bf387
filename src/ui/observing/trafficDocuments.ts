import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { createCoalescer } from "../../base/coalesce.ts";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { CallError } from "../../base/failure.ts";
import { plain } from "../../base/plain.ts";
import { environmentWord } from "../../present/connections/connectionWords.ts";
import type { Times } from "../../present/text/times.ts";
import {
  shownItems,
  trafficEntryText,
  trafficLabel,
  trafficText,
  type TrafficSource,
  type TrafficText,
} from "../../present/observing/trafficDocument.ts";
import { createTrafficList, type TrafficItem } from "../../present/observing/trafficList.ts";
import { ANSWER_SCHEME } from "../responses/answerDocuments.ts";
import { whenClosed } from "../editor/closedTabs.ts";
import { documentOf } from "../editor/documentOf.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";
import type { CommandId } from "../../manifest/contributes.ts";

/**
 * Read-only documents that show what goes to and fro on a connection, for as long as they are open. What is sent and
 * received is kept for that time alone.
 */
export interface TrafficDocuments extends Disposable {
  /** Shows the document of a connection; where it is shown already, that one. */
  show(live: LiveConnection): Promise<void>;
  /** The text of a document, or of one of its entries; undefined where the address is none of these. */
  text(uri: vscode.Uri): string | undefined;
  stop(uri: unknown): void;
  pause(uri: unknown): void;
  clear(uri: unknown): void;
  toggleFailed(uri: unknown): void;
  toggleEvents(uri: unknown): void;
  filter(uri: unknown): Promise<void>;
  /**
   * Opens the entry in the line of the cursor, else one that is chosen. A lens, whose argument is a text, always asks.
   */
  open(uri: unknown): Promise<void>;
}

export interface TrafficDocumentsPorts {
  readonly dialogs: Dialogs;
  readonly live: LiveConnections;
  /** Tells the editor to read a document again. */
  readonly changes: vscode.EventEmitter<vscode.Uri>;
  readonly clock: Clock;
  readonly times: Times;
  /** Where a document is opened. */
  readonly columnFor: (uri: vscode.Uri) => vscode.ViewColumn;
}

/** A document is drawn anew at most this often, and not while its head is out of sight. */
const DRAW_PAUSE_MS = 250;

/** One folder for all, by which menus know them; their language is that of logs. */
const FOLDER = "/trading-rpc-traffic";
/** Its last part gives an entry the language of answers; what is saved and compared is in a folder of another name. */
const ENTRY_FOLDER = "/trading-rpc-entry/trading-rpc-answer";

interface Feed extends Disposable {
  readonly uri: vscode.Uri;
  readonly connectionId: string;
  /** What can be changed from outside; `draw` shows it. */
  readonly view: { filter: string; isFailedOnly: boolean; areEventsListed: boolean };
  /** As it is shown now. */
  read(): TrafficText;
  shown(): readonly TrafficItem[];
  find(id: string): TrafficItem | undefined;
  readonly place: string;
  readonly state: TrafficSource["state"];
  attach(live: LiveConnection): void;
  detach(): void;
  pause(): void;
  stop(): void;
  clear(): void;
  /** Now, whoever has scrolled down: a person did something to what is shown. */
  draw(): void;
  noteScroll(): void;
}

export function createTrafficDocuments(ports: TrafficDocumentsPorts): TrafficDocuments {
  const { live, times } = ports;
  const feeds = new Map<string, Feed>();
  const disposables = new DisposableList();
  const lensChanges: Emitter<void> = disposables.add(createEmitter());
  const changed = (uri: vscode.Uri): void => {
    ports.changes.fire(uri);
    lensChanges.fire();
  };
  const ended = (connectionId: string, id: string): void => {
    const open = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.scheme === ANSWER_SCHEME && partsOf(uri).traffic === connectionId && partsOf(uri).entry === id,
    );
    if (open !== undefined) ports.changes.fire(open.uri);
  };
  const feedOf = (uri: vscode.Uri | undefined): Feed | undefined =>
    uri === undefined ? undefined : feeds.get(uri.toString());
  const find = (argument: unknown): Feed => {
    const uri = documentOf(argument);
    const feed = feedOf(uri);
    if (feed === undefined)
      throw new CallError({
        kind: "refused",
        reason: l10n.t("This traffic is not recorded any more. Use Show Session Traffic… again."),
      });
    return feed;
  };
  disposables.add(
    live.onDidOpen((each) => {
      for (const feed of feeds.values())
        if (feed.connectionId === each.record.id && feed.state !== "stopped") feed.attach(each);
    }),
  );
  disposables.add(
    live.onDidClose((each) => {
      for (const feed of feeds.values()) if (feed.connectionId === each.record.id) feed.detach();
    }),
  );
  disposables.add(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => feedOf(textEditor.document.uri)?.noteScroll()),
  );
  disposables.add(registerFeatures(feedOf, lensChanges.event));
  disposables.add(
    whenClosed((key) => {
      feeds.get(key)?.dispose();
      feeds.delete(key);
    }),
  );
  disposables.add({
    dispose: () => {
      for (const feed of feeds.values()) feed.dispose();
    },
  });
  return {
    async show(connection) {
      const uri = addressOf(connection);
      const present = feedOf(uri);
      if (present === undefined || present.state === "stopped") {
        present?.dispose();
        feeds.set(uri.toString(), createFeed(uri, connection, { ...ports, changed, ended }));
      }
      changed(uri);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
        viewColumn: ports.columnFor(uri),
        preview: false,
      });
      // What changed while the editor was opening it was told to nobody.
      feedOf(uri)?.draw();
    },
    text(uri) {
      const { traffic, entry } = partsOf(uri);
      if (traffic === undefined) return undefined;
      const feed =
        entry === undefined ? feedOf(uri) : [...feeds.values()].find(({ connectionId }) => connectionId === traffic);
      if (entry === undefined)
        return (
          feed?.read().text ?? `${l10n.t("This traffic is not recorded any more. Use Show Session Traffic… again.")}\n`
        );
      const item = feed?.find(entry);
      return feed === undefined || item === undefined
        ? `// ${l10n.t("This entry is not kept any more: its document was closed, or newer ones took its place.")}\n`
        : trafficEntryText(item, { place: feed.place, times });
    },
    stop: (uri) => find(uri).stop(),
    pause: (uri) => find(uri).pause(),
    clear: (uri) => find(uri).clear(),
    toggleFailed(uri) {
      const feed = find(uri);
      feed.view.isFailedOnly = !feed.view.isFailedOnly;
      feed.draw();
    },
    toggleEvents(uri) {
      const feed = find(uri);
      feed.view.areEventsListed = !feed.view.areEventsListed;
      feed.draw();
    },
    async filter(uri) {
      const feed = find(uri);
      const result = await ports.dialogs.askText({
        title: l10n.t("Filter Traffic"),
        prompt: l10n.t(
          "Only requests that have this text in their line, their parameters or their answer are shown; empty for all. Those that are left out are kept.",
        ),
        value: feed.view.filter,
        isFleeting: true,
      });
      if (result.kind !== "next") return;
      feed.view.filter = result.value;
      feed.draw();
    },
    async open(uri) {
      const feed = find(uri);
      const item = (typeof uri === "string" ? undefined : itemAtCursor(feed)) ?? (await pickItem(feed, ports));
      if (item === undefined) return;
      const address = entryUri(feed, item);
      ports.changes.fire(address);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(address), {
        viewColumn: ports.columnFor(address),
        preview: true,
      });
    },
    dispose: () => disposables.dispose(),
  };
}

/** Lenses above the document, and Go to Definition from an entry's line to its document. */
function registerFeatures(
  feedOf: (uri: vscode.Uri) => Feed | undefined,
  onDidChangeCodeLenses: Event<void>,
): Disposable {
  const features = new DisposableList();
  features.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: ANSWER_SCHEME },
      { onDidChangeCodeLenses, provideCodeLenses: ({ uri }) => lensesOf(feedOf(uri)) },
    ),
  );
  features.add(
    vscode.languages.registerDefinitionProvider(
      { scheme: ANSWER_SCHEME },
      {
        provideDefinition({ uri }, { line }) {
          const feed = feedOf(uri);
          const item = feed?.read().items.get(line);
          return feed === undefined || item === undefined
            ? undefined
            : new vscode.Location(entryUri(feed, item), new vscode.Position(0, 0));
        },
      },
    ),
  );
  return features;
}

interface FeedPorts extends TrafficDocumentsPorts {
  readonly changed: (uri: vscode.Uri) => void;
  /** The entry with this id has more to tell than before. */
  readonly ended: (connectionId: string, id: string) => void;
}

function createFeed(uri: vscode.Uri, first: LiveConnection, { clock, times, changed, ended }: FeedPorts): Feed {
  const list = createTrafficList();
  let isBehind = false;
  const drawing = createCoalescer(clock, DRAW_PAUSE_MS, () => {
    // The newest comes first: lines would move away under whoever reads further down.
    isBehind = isScrolled(uri);
    if (!isBehind) changed(uri);
  });
  const view = { filter: "", isFailedOnly: false, areEventsListed: false };
  let live = first;
  let attached: DisposableList | undefined;
  let paused: Pick<TrafficSource["list"], "items" | "total" | "events"> | undefined;
  let isStopped = false;
  const source = (): TrafficSource => ({
    ...view,
    place: live.place,
    state: feed.state,
    list: paused ?? list,
    sincePause: paused === undefined ? 0 : list.total - paused.total,
    budgets: live.budgets,
    times,
  });
  const feed: Feed = {
    uri,
    connectionId: first.record.id,
    view,
    get place() {
      return live.place;
    },
    get state() {
      if (isStopped) return "stopped";
      if (paused !== undefined) return "paused";
      return attached !== undefined && live.state.status !== "off" ? "live" : "notConnected";
    },
    read: () => trafficText(source()),
    shown: () => shownItems(source()),
    find: (id) => (paused ?? list).items.find((each) => each.id === id) ?? list.items.find((each) => each.id === id),
    attach(each) {
      attached?.dispose();
      live = each;
      attached = new DisposableList();
      // What has just been is known, without its texts.
      for (const exchange of each.traffic.recent) list.end(exchange, exchange.end?.atMs ?? clock.now(), undefined);
      attached.add(
        each.traffic.watch({
          onBegin(exchange, sentText) {
            list.begin(exchange, clock.now(), sentText);
            drawing.request();
          },
          onEnd(exchange, receivedText) {
            ended(first.record.id, list.end(exchange, clock.now(), receivedText));
            drawing.request();
          },
          onEvent(channel, length, text) {
            list.countEvent(channel);
            if (view.areEventsListed) list.addEvent({ channel, atMs: clock.now(), length, text: text() });
            drawing.request();
          },
        }),
      );
      attached.add(each.onDidChangeState(() => drawing.request()));
      drawing.request();
    },
    detach() {
      attached?.dispose();
      attached = undefined;
      drawing.request();
    },
    pause() {
      paused =
        paused === undefined
          ? { items: list.items.map(frozen), total: list.total, events: new Map(list.events) }
          : undefined;
      changed(uri);
    },
    stop() {
      isStopped = true;
      feed.detach();
      changed(uri);
    },
    clear() {
      list.clear();
      paused = undefined;
      changed(uri);
    },
    draw: () => changed(uri),
    noteScroll: () => {
      if (isBehind) drawing.request();
    },
    dispose() {
      attached?.dispose();
      drawing.dispose();
    },
  };
  feed.attach(first);
  return feed;
}

/** Answers that come are noted in the entry itself: what is shown while it is paused is a copy. */
function frozen(item: TrafficItem): TrafficItem {
  return item.exchange === undefined ? item : { ...item, exchange: { ...item.exchange } };
}

/** Its head is out of sight. */
function isScrolled(uri: vscode.Uri): boolean {
  return vscode.window.visibleTextEditors.some(
    ({ document, visibleRanges }) =>
      document.uri.toString() === uri.toString() && (visibleRanges[0]?.start.line ?? 0) > 1,
  );
}

function lensesOf(feed: Feed | undefined): vscode.CodeLens[] {
  if (feed === undefined) return [];
  const { state, view } = feed;
  const lens = (title: string, command: CommandId): vscode.CodeLens =>
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [feed.uri.toString()] });
  const running =
    state === "stopped"
      ? []
      : [
          lens(l10n.t("■ Stop"), "tradingRpc.traffic.stop"),
          lens(state === "paused" ? l10n.t("▷ Resume") : l10n.t("‖ Pause"), "tradingRpc.traffic.pause"),
        ];
  return [
    ...running,
    lens(
      view.filter === "" ? l10n.t("Filter…") : l10n.t("Filter: {0}", plain.name(view.filter)),
      "tradingRpc.traffic.filter",
    ),
    lens(view.isFailedOnly ? l10n.t("Show All") : l10n.t("Failed Only"), "tradingRpc.traffic.toggleFailed"),
    lens(view.areEventsListed ? l10n.t("Only Count Events") : l10n.t("List Events"), "tradingRpc.traffic.toggleEvents"),
    lens(l10n.t("Open…"), "tradingRpc.traffic.open"),
    lens(l10n.t("Clear"), "tradingRpc.traffic.clear"),
  ];
}

/** One for each connection. */
function addressOf({ record, environment }: LiveConnection): vscode.Uri {
  const title = l10n.t("{0} ▸ traffic ({1})", plain.name(record.name), environmentWord(environment));
  return vscode.Uri.from({
    scheme: ANSWER_SCHEME,
    path: `${FOLDER}/${title.replaceAll(/[\\/]/g, "_")}.log`,
    query: JSON.stringify({ t: title, traffic: record.id }),
  });
}

function entryUri(feed: Feed, item: TrafficItem): vscode.Uri {
  const name =
    item.exchange === undefined
      ? item.channel
      : item.exchange.wireId === undefined
        ? item.exchange.method
        : `${item.exchange.method} ${String(item.exchange.wireId)}`;
  const title = l10n.t("{0} ▸ traffic", plain.name(name));
  return vscode.Uri.from({
    scheme: ANSWER_SCHEME,
    path: `${ENTRY_FOLDER}/${title.replaceAll(/[\\/]/g, "_")}`,
    query: JSON.stringify({ t: title, traffic: feed.connectionId, entry: item.id }),
  });
}

function partsOf({ query }: vscode.Uri): { readonly traffic?: string; readonly entry?: string } {
  try {
    return JSON.parse(query) as { readonly traffic?: string; readonly entry?: string };
  } catch {
    return {};
  }
}

function itemAtCursor(feed: Feed): TrafficItem | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === feed.uri.toString()
    ? feed.read().items.get(editor.selection.active.line)
    : undefined;
}

async function pickItem(feed: Feed, { times, dialogs }: TrafficDocumentsPorts): Promise<TrafficItem | undefined> {
  const choices = feed.shown().map((item) => ({ ...trafficLabel(item, times), value: item }));
  if (choices.length === 0)
    throw new CallError({
      kind: "refused",
      reason: l10n.t("There is no entry to open: nothing was sent or received, or the filter lets nothing through."),
    });
  const [title, placeholder] = [l10n.t("Open Traffic Entry"), l10n.t("Which request? The newest comes first.")];
  const result = await dialogs.askChoice({ title, isFleeting: true, placeholder, choices });
  return result.kind === "next" ? result.value : undefined;
}
