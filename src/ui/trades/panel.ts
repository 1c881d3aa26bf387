import * as crypto from "node:crypto";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { createCoalescer, type Coalescer } from "../../base/coalesce.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { readFromPage, type FromPage, type ToPage, type TradeAction } from "../../panel/messages.ts";
import { createTradesModels, type TradesModel } from "../../present/trades/lastTrades.ts";
import { tradesDelta } from "../../present/trades/tradesDelta.ts";
import { tradesQueryText } from "../../present/trades/tradesQuery.ts";
import { LastTradesStore } from "../../state/lastTrades.ts";
import type { PublicTrade, TradesQuery } from "../../state/tradePages.ts";
import { pageHtml } from "../editor/pageHtml.ts";
import { pageWords } from "./pageText.ts";
import type { Ui } from "../ui.ts";

/**
 * The panels with the last trades: one for each connection and instrument. They end with the window; they are not
 * restored automatically.
 */
export interface LastTradesPanels extends Disposable {
  /** Shows the given trades in the panel of their connection and instrument. */
  show(live: LiveConnection, query: TradesQuery): void;
}

export type LastTradesPanelUi = Pick<Ui, "clock" | "extensionUri" | "liveConnections" | "screen" | "times"> & {
  /** Asks the user for other parameters. Resolves to them; undefined when they stay. */
  readonly askParameters: (query: TradesQuery) => Promise<TradesQuery | undefined>;
  /** Shows a trade as the exchange writes it. */
  readonly openTrade: (live: LiveConnection, trade: PublicTrade) => Promise<void>;
  /** Whether orders can be placed on a connection: the setting offers it, and its API key may. */
  readonly mayPlace: (live: LiveConnection) => boolean;
  /** Asks for an order in the instrument of a trade, beginning with its price. */
  readonly placeOrder: (live: LiveConnection, trade: PublicTrade) => Promise<void>;
  readonly settings: Pick<Ui["settings"], "onDidChange">;
  /** Shows an error. */
  readonly showError: (error: unknown) => void;
};

/** The interval between messages to the page, in ms: more updates than the user can see would be wasted. */
const SEND_MS = 250;

export function createLastTradesPanels(ui: LastTradesPanelUi): LastTradesPanels {
  const panels = new Map<string, Panel>();
  const disposables = new DisposableList();
  disposables.add(
    ui.liveConnections.onDidOpen((live) => {
      for (const panel of panels.values()) panel.connect(live);
    }),
  );
  disposables.add(
    ui.liveConnections.onDidClose((live) => {
      for (const panel of panels.values()) panel.leave(live);
    }),
  );
  return {
    show(live, query) {
      const key = JSON.stringify([live.record.id, query.instrument_name]);
      const panel = panels.get(key);
      if (panel === undefined) panels.set(key, new Panel(live, query, { ...ui, onEnd: () => panels.delete(key) }));
      else panel.show(live, query);
    },
    dispose() {
      disposables.dispose();
      for (const panel of [...panels.values()]) panel.dispose();
    },
  };
}

type PanelUi = LastTradesPanelUi & { readonly onEnd: () => void };

/** The data of a connection, kept after the connection was closed. */
interface Shown {
  readonly live: LiveConnection;
  readonly store: LastTradesStore;
  readonly disposables: DisposableList;
}

class Panel implements Disposable {
  readonly #ui: PanelUi;
  readonly #panel: vscode.WebviewPanel;
  readonly #disposables = new DisposableList();
  readonly #sending: Coalescer;
  readonly #modelOf: ReturnType<typeof createTradesModels>;
  #shown: Shown;
  #query: TradesQuery;
  /** The time when the connection was closed; undefined while it is open. */
  #closedAtMs: number | undefined;
  /** The content of the page; undefined while it has none, or there is no page. */
  #sent: TradesModel | undefined;
  #isPageReady = false;

  constructor(live: LiveConnection, query: TradesQuery, ui: PanelUi) {
    this.#ui = ui;
    this.#query = query;
    this.#modelOf = createTradesModels(ui.times);
    const dist = vscode.Uri.joinPath(ui.extensionUri, "dist");
    this.#panel = vscode.window.createWebviewPanel(
      "tradingRpc.lastTrades",
      titleOf(live, query),
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [dist], enableCommandUris: false, enableFindWidget: false },
    );
    const { webview } = this.#panel;
    const icon = (name: string): vscode.Uri => vscode.Uri.joinPath(ui.extensionUri, "media", name);
    this.#panel.iconPath = { light: icon("trades-light.svg"), dark: icon("trades-dark.svg") };
    this.#sending = this.#disposables.add(createCoalescer(ui.clock, SEND_MS, () => this.#send()));
    this.#disposables.add(ui.screen.onDidChange(() => this.#sending.request()));
    this.#disposables.add(ui.settings.onDidChange(() => this.#sending.request()));
    this.#disposables.add(webview.onDidReceiveMessage((message) => this.#hear(message)));
    this.#disposables.add(this.#panel.onDidChangeViewState(() => this.#look()));
    this.#disposables.add(this.#panel.onDidDispose(() => this.dispose()));
    this.#shown = this.#begin(live);
    const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
    webview.html = pageHtml({
      script: address("panel.js"),
      style: address("panel.css"),
      nonce: crypto.randomBytes(24).toString("base64url"),
      title: titleOf(live, query),
      language: vscode.env.language,
    });
  }

  show(live: LiveConnection, query: TradesQuery): void {
    this.#panel.reveal();
    if (live === this.#shown.live && this.#closedAtMs === undefined && isSame(query, this.#query)) return;
    this.#query = query;
    this.#restart(live);
  }

  /** Called when a connection was opened: if it belongs to this panel, its trades are read again. */
  connect(live: LiveConnection): void {
    if (this.#closedAtMs !== undefined && live.record.id === this.#shown.live.record.id) this.#restart(live);
  }

  /** Called when a connection was closed. The panel keeps its content, and says so. */
  leave(live: LiveConnection): void {
    if (live !== this.#shown.live) return;
    this.#closedAtMs = this.#ui.clock.now();
    this.#shown.disposables.dispose();
    this.#sending.request();
  }

  dispose(): void {
    if (this.#disposables.isDisposed) return;
    this.#disposables.dispose();
    this.#shown.disposables.dispose();
    this.#panel.dispose();
    this.#ui.onEnd();
  }

  #begin(live: LiveConnection): Shown {
    const disposables = new DisposableList();
    const store = disposables.add(
      live.createStore((ports) => new LastTradesStore(ports, this.#query, live.lastTrades)),
    );
    disposables.add(store.onDidChange(() => this.#sending.request()));
    disposables.add(live.onDidChangeState(() => this.#sending.request()));
    return { live, store, disposables };
  }

  #restart(live: LiveConnection): void {
    this.#shown.disposables.dispose();
    this.#closedAtMs = undefined;
    this.#shown = this.#begin(live);
    this.#sending.request();
  }

  /**
   * Forgets the content of the page in the background, where the page is gone. When the page is back it says so, and
   * gets everything once.
   */
  #look(): void {
    if (this.#panel.visible) return;
    this.#isPageReady = false;
    this.#sent = undefined;
  }

  #send(): void {
    const { live, store } = this.#shown;
    this.#panel.title = titleOf(live, this.#query);
    if (!this.#isPageReady || !this.#panel.visible) return;
    const model = this.#modelOf({
      connectionName: this.#ui.screen.hide(live.name),
      environment: live.environment,
      query: this.#query,
      snapshot: store.snapshot,
    });
    const shown = this.#closedAtMs === undefined ? model : this.#asClosed(model, this.#closedAtMs);
    const delta =
      this.#sent === undefined ? ({ kind: "reset", model: shown } as const) : tradesDelta(this.#sent, shown);
    this.#sent = shown;
    this.#post({
      kind: "trades",
      parameters: tradesQueryText(this.#query, this.#ui.times),
      isConnected: this.#isConnected,
      canPlace: this.#canPlace,
      delta,
    });
  }

  /** Returns the model of a closed connection: nothing more can be loaded; trades that were read stay. */
  #asClosed(model: TradesModel, closedAtMs: number): TradesModel {
    const status = l10n.t(
      "Disconnected at {0}. The trades are as of that time and are refreshed when {1} connects again.",
      this.#ui.times.clock(closedAtMs),
      plain.text(this.#ui.screen.hide(this.#shown.live.place)),
    );
    return { ...model, status, isLive: false, isPaused: false, canPause: false, canLoadMore: false, isLoading: false };
  }

  get #isConnected(): boolean {
    return this.#closedAtMs === undefined && this.#shown.live.state.status === "ready";
  }

  get #canPlace(): boolean {
    return this.#isConnected && this.#ui.mayPlace(this.#shown.live);
  }

  #post(message: ToPage): void {
    void this.#panel.webview.postMessage(message);
  }

  #hear(received: unknown): void {
    const message = readFromPage(received);
    if (message === undefined) return;
    this.#obey(message).catch(this.#ui.showError);
  }

  async #obeyAbout(action: TradeAction, trade: PublicTrade): Promise<void> {
    const { live } = this.#shown;
    if (action === "copy") await vscode.env.clipboard.writeText(JSON.stringify(trade, undefined, 2));
    else if (action === "open") await this.#ui.openTrade(live, trade);
    // The page may be older than what is allowed.
    else if (this.#canPlace) await this.#ui.placeOrder(live, trade);
  }

  async #obey(message: FromPage): Promise<void> {
    const { live, store } = this.#shown;
    if (message.kind === "ready") {
      this.#isPageReady = true;
      this.#sent = undefined;
      this.#post({ kind: "setup", words: pageWords(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
      this.#sending.request();
      return;
    }
    if ("seq" in message) {
      const trade = store.snapshot.trades.find((each) => each.trade_seq === message.seq);
      if (trade !== undefined) await this.#obeyAbout(message.kind, trade);
      return;
    }
    if (message.kind === "changeParameters") {
      const query = await this.#ui.askParameters(this.#query);
      if (query !== undefined) this.show(this.#ui.liveConnections.find(live.record.id) ?? live, query);
      return;
    }
    if (this.#closedAtMs !== undefined) return;
    await live.use();
    await ASKED[message.kind](store);
  }
}

const ASKED: Readonly<
  Record<"loadMore" | "pause" | "resume" | "reload", (store: LastTradesStore) => Promise<void> | void>
> = {
  loadMore: async (store) => await store.loadMore(),
  pause: (store) => store.pause(),
  resume: (store) => store.resume(),
  reload: async (store) => await store.refresh(),
};

function titleOf(live: LiveConnection, { instrument_name: name }: TradesQuery): Plain {
  return l10n.t("{0} trades ({1})", plain.name(name), plain.text(environmentWords(live.environment, "").trim()));
}

function isSame(one: TradesQuery, other: TradesQuery): boolean {
  const text = (query: TradesQuery): string =>
    JSON.stringify(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}
