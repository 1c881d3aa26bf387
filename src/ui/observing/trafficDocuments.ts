import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { environmentWord } from "../../present/connections/connectionWords.ts";
import {
  shownItems,
  trafficEntryText,
  trafficLabel,
  trafficText,
  type TrafficSource,
  type TrafficText,
} from "../../present/observing/trafficDocument.ts";
import { createTrafficList, type TrafficItem } from "../../present/observing/trafficList.ts";
import type { DocumentParts } from "../../present/text/documentAddress.ts";
import { documentUri, OWN_DOCUMENTS, partsOf, showDocument } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import {
  createLiveDocuments,
  type Drawing,
  type LiveDocument,
  type LiveDocuments,
  type LiveDocumentUi,
} from "../responses/liveDocuments.ts";
import { responseColumn } from "../responses/responseDocuments.ts";
import type { Ui } from "../ui.ts";

/**
 * Read-only documents that show the traffic of a connection, for as long as they are open. Sent and received messages
 * are kept for that time alone.
 */
interface TrafficDocuments {
  /** Shows the document of a connection; shows the existing one if there is one. */
  show(live: LiveConnection): Promise<void>;
  /** Returns the text of a document, or of one of its entries. */
  text(uri: vscode.Uri, parts: DocumentParts): string;
  readonly handlers: Handlers;
}

type TrafficUi = LiveDocumentUi & Pick<Ui, "liveConnections">;

/** The folder of all documents, by which menus recognize them; their language is that of logs. */
const FOLDER = "/trading-rpc-traffic";
/**
 * The folder of entries. Its last part gives them the language of responses; texts to save and compare are in another
 * folder.
 */
const ENTRY_FOLDER = "/trading-rpc-entry/trading-rpc-response";

/** The document of a connection. */
interface Feed extends LiveDocument {
  /** The parts that can be changed from outside, besides the filter. */
  readonly view: { isFailedOnly: boolean; areEventsListed: boolean };
  /** Returns the text as it is shown now. */
  read(): TrafficText;
  shown(): readonly TrafficItem[];
  find(id: string): TrafficItem | undefined;
  readonly place: string;
  attach(live: LiveConnection): void;
  detach(): void;
}

export function createTrafficDocuments(ui: TrafficUi, disposables: DisposableList): TrafficDocuments {
  const { liveConnections, settings, times } = ui;
  const gone = l10n.t("This traffic isn't recorded any more. Use Show Traffic… again.");
  const documents = createLiveDocuments<Feed>(
    {
      noun: "traffic",
      newest: "first",
      gone,
      filterTitle: l10n.t("Filter Traffic"),
      filterPrompt: l10n.t(
        "Show only requests with this text in their line, parameters, or response. Leave it empty to show all. Hidden requests are kept.",
      ),
    },
    ui,
    disposables,
  );
  const feedsOf = ({ record }: LiveConnection): readonly Feed[] =>
    documents.all.filter(({ connectionId }) => connectionId === record.id);
  disposables.add(
    liveConnections.onDidOpen((each) => {
      for (const feed of feedsOf(each)) if (feed.state !== "stopped") feed.attach(each);
    }),
  );
  disposables.add(
    liveConnections.onDidClose((each) => {
      for (const feed of feedsOf(each)) feed.detach();
    }),
  );
  disposables.add(registerDefinitions(documents));
  return {
    async show(connection) {
      const uri = addressOf(connection);
      await documents.show(uri, (drawing) => createFeed(uri, connection, { ...ui, drawing }));
    },
    text(uri, { traffic, entry }) {
      if (typeof entry !== "string") return documents.at(uri)?.text() ?? `${gone}\n`;
      const feed = documents.all.find(({ connectionId }) => connectionId === traffic);
      const item = feed?.find(entry);
      return feed === undefined || item === undefined
        ? `// ${l10n.t("This item isn't available any more. Its traffic tab was closed, or newer items replaced it.")}\n`
        : trafficEntryText(item, { place: feed.place, times });
    },
    handlers: {
      "tradingRpc.traffic.stop": documents.stop,
      "tradingRpc.traffic.pause": documents.pause,
      "tradingRpc.traffic.clear": documents.clear,
      "tradingRpc.traffic.filter": documents.filter,
      "tradingRpc.traffic.toggleFailed": (uri) => {
        const feed = documents.find(uri);
        feed.view.isFailedOnly = !feed.view.isFailedOnly;
        documents.draw(feed);
      },
      "tradingRpc.traffic.toggleEvents": (uri) => {
        const feed = documents.find(uri);
        feed.view.areEventsListed = !feed.view.areEventsListed;
        documents.draw(feed);
      },
      // A CodeLens, whose argument is a text, always asks; the Command Palette means the entry at the cursor.
      "tradingRpc.traffic.open": async (uri) => {
        const feed = documents.find(uri);
        const item = (typeof uri === "string" ? undefined : itemAtCursor(feed)) ?? (await pickItem(feed, ui));
        if (item === undefined) return;
        const address = entryUri(feed.connectionId, item);
        ui.changes.fire(address);
        await showDocument(address, { viewColumn: responseColumn(address, settings), preview: true });
      },
    },
  };
}

/** Makes Go to Definition lead from an entry's line to its document. */
function registerDefinitions(documents: LiveDocuments<Feed>): Disposable {
  return vscode.languages.registerDefinitionProvider(OWN_DOCUMENTS, {
    provideDefinition({ uri }, { line }) {
      const feed = documents.at(uri);
      const item = feed?.read().items.get(line);
      return feed === undefined || item === undefined
        ? undefined
        : new vscode.Location(entryUri(feed.connectionId, item), new vscode.Position(0, 0));
    },
  });
}

function createFeed(
  uri: vscode.Uri,
  first: LiveConnection,
  { clock, times, changes, drawing }: TrafficUi & { readonly drawing: Drawing },
): Feed {
  const list = createTrafficList();
  const view = { isFailedOnly: false, areEventsListed: false };
  let live = first;
  let attached: DisposableList | undefined;
  let paused: Pick<TrafficSource["list"], "items" | "total" | "events"> | undefined;
  let isStopped = false;
  const source = (): TrafficSource => ({
    ...view,
    filter: feed.filter,
    place: live.place,
    state: stateNow(),
    list: paused ?? list,
    sincePause: paused === undefined ? 0 : list.total - paused.total,
    budgets: live.budgets,
    times,
  });
  const stateNow = (): TrafficSource["state"] => {
    if (isStopped) return "stopped";
    if (paused !== undefined) return "paused";
    return attached !== undefined && live.state.status !== "off" ? "live" : "notConnected";
  };
  const feed: Feed = {
    uri,
    connectionId: first.record.id,
    filter: "",
    view,
    get place() {
      return live.place;
    },
    get state() {
      if (isStopped) return "stopped";
      return paused === undefined ? "running" : "paused";
    },
    read: () => trafficText(source()),
    text: () => trafficText(source()).text,
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
            drawing.soon();
          },
          onEnd(exchange, receivedText) {
            redrawEntry(changes, first.record.id, list.end(exchange, clock.now(), receivedText));
            drawing.soon();
          },
          onEvent(channel, length, text) {
            list.countEvent(channel);
            if (view.areEventsListed) list.addEvent({ channel, atMs: clock.now(), length, text: text() });
            drawing.soon();
          },
        }),
      );
      attached.add(each.onDidChangeState(() => drawing.soon()));
      drawing.soon();
    },
    detach() {
      attached?.dispose();
      attached = undefined;
      drawing.soon();
    },
    pause() {
      paused =
        paused === undefined
          ? { items: list.items.map(frozen), total: list.total, events: new Map(list.events) }
          : undefined;
      drawing.now();
    },
    stop() {
      isStopped = true;
      feed.detach();
      drawing.now();
    },
    clear() {
      list.clear();
      paused = undefined;
      drawing.now();
    },
    buttons: () => [
      {
        title: view.isFailedOnly ? l10n.t("Show All") : l10n.t("Failed Only"),
        command: "tradingRpc.traffic.toggleFailed",
      },
      {
        title: view.areEventsListed ? l10n.t("Count Events Only") : l10n.t("List Events"),
        command: "tradingRpc.traffic.toggleEvents",
      },
      { title: l10n.t("Open…"), command: "tradingRpc.traffic.open" },
    ],
    dispose: () => attached?.dispose(),
  };
  feed.attach(first);
  return feed;
}

/** Returns a copy to show while paused: responses are recorded in the entry itself. */
function frozen(item: TrafficItem): TrafficItem {
  return item.exchange === undefined ? item : { ...item, exchange: { ...item.exchange } };
}

/** Tells VS Code to read an entry's document again, if it is open. */
function redrawEntry(changes: vscode.EventEmitter<vscode.Uri>, connectionId: string, entryId: string): void {
  for (const { uri } of vscode.workspace.textDocuments) {
    const { kind, traffic, entry } = partsOf(uri);
    if (kind === "traffic" && traffic === connectionId && entry === entryId) changes.fire(uri);
  }
}

/** Returns the address of a document: one for each connection. */
function addressOf({ record, environment }: LiveConnection): vscode.Uri {
  const title = l10n.t("{0} ▸ traffic ({1})", plain.name(record.name), environmentWord(environment));
  return documentUri("traffic", title, { traffic: record.id }, { folder: FOLDER, fileName: `${title}.log` });
}

function entryUri(connectionId: string, item: TrafficItem): vscode.Uri {
  const name =
    item.exchange === undefined
      ? item.channel
      : item.exchange.wireId === undefined
        ? item.exchange.method
        : `${item.exchange.method} ${String(item.exchange.wireId)}`;
  const title = l10n.t("{0} ▸ traffic", plain.name(name));
  return documentUri("traffic", title, { traffic: connectionId, entry: item.id }, { folder: ENTRY_FOLDER });
}

function itemAtCursor(feed: Feed): TrafficItem | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === feed.uri.toString()
    ? feed.read().items.get(editor.selection.active.line)
    : undefined;
}

async function pickItem(feed: Feed, { times, dialogs }: TrafficUi): Promise<TrafficItem | undefined> {
  const choices = feed.shown().map((item) => ({ ...trafficLabel(item, times), value: item }));
  if (choices.length === 0)
    throw refused(l10n.t("No items to open. Nothing was sent or received, or no items match the filter."));
  const [title, placeholder] = [l10n.t("Open Traffic Entry"), l10n.t("Select an item (newest first).")];
  const result = await dialogs.askChoice({ title, isFleeting: true, placeholder, choices });
  return result.kind === "next" ? result.value : undefined;
}
