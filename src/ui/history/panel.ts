import * as crypto from "node:crypto";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { createCoalescer, type Coalescer } from "../../base/coalesce.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  readFromHistoryPage,
  type FromHistoryPage,
  type HistoryPageWords,
  type ToHistoryPage,
} from "../../panel/historyMessages.ts";
import { historyListName } from "../../present/history/historyColumns.ts";
import { historyModel, readHistoryFilter } from "../../present/history/historyModel.ts";
import { createHistoryCells, historyCsv, historyDetails, historyJson } from "../../present/history/historyRows.ts";
import { createTypedMoments } from "../../present/trades/tradesQuery.ts";
import { createHistoryReader, type HistoryQuery, type HistoryRow } from "../../state/history.ts";
import { SLOT_MEMBER } from "../../state/isolated.ts";
import { createAccountStore } from "../../state/account.ts";
import { createHistoryPages, type HistoryPages } from "../../state/historyPages.ts";
import { pageHtml } from "../editor/pageHtml.ts";
import type { Ui } from "../ui.ts";
import { createKnownLists } from "../../state/knownList.ts";

/** The editor tabs with the history of an account, one for each connection. They end with the window. */
interface HistoryPanels {
  /** Shows the history of a connection: as it is where its tab is open, otherwise with this selection. */
  show(live: LiveConnection, query: HistoryQuery): void;
}

type HistoryPanelUi = Pick<
  Ui,
  "clock" | "dialogs" | "extensionUri" | "liveConnections" | "notices" | "screen" | "times"
> & {
  /** Shows what is known of an order. `slot`: the subaccount of an isolated one. */
  readonly openOrder: (live: LiveConnection, orderId: string, slot: number | undefined) => Promise<void>;
};

/** The interval between messages to the page, in ms. */
const SEND_MS = 100;

export function createHistoryPanels(ui: HistoryPanelUi, disposables: DisposableList): HistoryPanels {
  const panels = new Map<string, HistoryPanel>();
  const panelOf = ({ record }: LiveConnection): HistoryPanel | undefined => panels.get(record.id);
  disposables.add(ui.liveConnections.onDidOpen((live) => panelOf(live)?.connect(live)));
  disposables.add(ui.liveConnections.onDidClose((live) => panelOf(live)?.leave()));
  disposables.add({ dispose: () => [...panels.values()].forEach((panel) => panel.dispose()) });
  return {
    show(live, query) {
      const { id } = live.record;
      const panel = panels.get(id) ?? new HistoryPanel(live, query, { ...ui, onEnd: () => void panels.delete(id) });
      panels.set(id, panel);
      panel.reveal();
    },
  };
}

type OnePanelUi = HistoryPanelUi & { readonly onEnd: () => void };

class HistoryPanel implements Disposable {
  readonly #ui: OnePanelUi;
  readonly #panel: vscode.WebviewPanel;
  readonly #disposables = new DisposableList();
  readonly #sending: Coalescer;
  readonly #moments = createTypedMoments();
  readonly #cellsOf: ReturnType<typeof createHistoryCells>;
  #live: LiveConnection;
  #pages: HistoryPages;
  #filterProblem: Plain | undefined;
  /** The currencies of the account, once they are known. */
  #currencies: readonly string[] = [];
  #isPageReady = false;

  constructor(live: LiveConnection, query: HistoryQuery, ui: OnePanelUi) {
    this.#ui = ui;
    this.#cellsOf = createHistoryCells(ui.times);
    this.#live = live;
    const dist = vscode.Uri.joinPath(ui.extensionUri, "dist");
    this.#panel = vscode.window.createWebviewPanel(
      "tradingRpc.accountHistory",
      titleOf(live),
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [dist], enableCommandUris: false, enableFindWidget: false },
    );
    const { webview } = this.#panel;
    this.#sending = this.#disposables.add(createCoalescer(ui.clock, SEND_MS, () => this.#send()));
    this.#pages = this.#begin(query);
    this.#disposables.add(ui.screen.onDidChange(() => this.#sending.request()));
    this.#disposables.add(webview.onDidReceiveMessage((message) => this.#hear(message)));
    // In the background the page is gone. When it is back it says so, and gets everything again.
    this.#disposables.add(this.#panel.onDidChangeViewState(() => (this.#isPageReady &&= this.#panel.visible)));
    this.#disposables.add(this.#panel.onDidDispose(() => this.dispose()));
    const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
    webview.html = pageHtml({
      script: address("panel.history.js"),
      style: address("panel.history.css"),
      nonce: crypto.randomBytes(24).toString("base64url"),
      title: titleOf(live),
      language: vscode.env.language,
    });
  }

  reveal(): void {
    this.#panel.reveal();
    if (this.#pages.known.readAtMs === undefined) void this.#pages.reload();
    void this.#live
      .storeOf(createKnownLists)
      .currencies.load()
      .then(({ items }) => {
        this.#currencies = items;
        this.#sending.request();
      });
  }

  /** Called when the connection was opened again: the list is read on request. */
  connect(live: LiveConnection): void {
    this.#live = live;
    const { query } = this.#pages.known;
    this.#pages.dispose();
    this.#pages = this.#begin(query);
    this.#sending.request();
  }

  /** Called when the connection was closed. What was read stays. */
  leave(): void {
    this.#sending.request();
  }

  dispose(): void {
    if (this.#disposables.isDisposed) return;
    this.#disposables.dispose();
    this.#pages.dispose();
    this.#panel.dispose();
    this.#ui.onEnd();
  }

  #begin(query: HistoryQuery): HistoryPages {
    const pages = this.#live.createStore((ports) =>
      createHistoryPages(query, {
        ...ports,
        reader: createHistoryReader({
          ...ports,
          currencies: () => [...this.#live.storeOf(createAccountStore).snapshot.items.keys()],
        }),
      }),
    );
    pages.onDidChange(() => this.#sending.request());
    return pages;
  }

  #send(): void {
    if (!this.#isPageReady || !this.#panel.visible) return;
    const { screen, times } = this.#ui;
    const model = historyModel(
      { ...this.#pages.known, filterProblem: this.#filterProblem },
      {
        place: this.#live.place,
        currencies: this.#currencies,
        times,
        cellsOf: this.#cellsOf,
        moments: this.#moments,
        isIsolatedLeftOut: this.#live.isolatedMargin.isSeen,
        hide: (text) => plain.text(screen.hide(text)),
      },
    );
    this.#post({ kind: "history", model });
  }

  #post(message: ToHistoryPage): void {
    void this.#panel.webview.postMessage(message);
  }

  #hear(received: unknown): void {
    const message = readFromHistoryPage(received);
    if (message !== undefined) this.#obey(message).catch((error: unknown) => this.#ui.notices.showError(error));
  }

  async #obey(message: FromHistoryPage): Promise<void> {
    switch (message.kind) {
      case "ready":
        this.#isPageReady = true;
        this.#post({ kind: "setup", words: historyPageWords() });
        this.#send();
        return;
      case "filter": {
        const query = readHistoryFilter(message.filter, this.#moments);
        this.#filterProblem = typeof query === "string" ? query : undefined;
        if (typeof query === "string") this.#sending.request();
        else await this.#used(async () => await this.#pages.select(query));
        return;
      }
      case "loadMore":
        await this.#used(async () => await this.#pages.loadMore());
        return;
      case "reload":
        await this.#used(async () => await this.#pages.reload());
        return;
      case "details":
      case "copy":
      case "openOrder":
        await this.#obeyAbout(message.kind, message.row);
        return;
      case "exportCsv":
        await this.#export("csv", historyCsv);
        return;
      case "exportJson":
        await this.#export("json", historyJson);
    }
  }

  async #obeyAbout(kind: "details" | "copy" | "openOrder", index: number): Promise<void> {
    const row = this.#pages.known.rows[index];
    if (row === undefined) return;
    const { times, screen } = this.#ui;
    const { order_id: orderId, [SLOT_MEMBER]: slot } = row.value;
    if (kind === "copy") await vscode.env.clipboard.writeText(row.text);
    else if (kind === "openOrder") {
      if (typeof orderId === "string")
        await this.#ui.openOrder(this.#live, orderId, typeof slot === "number" ? slot : undefined);
    } else {
      const members = historyDetails(row, times).map(([name, value]) => [name, screen.hide(value)] as const);
      this.#post({ kind: "details", row: index, members });
    }
  }

  async #used(read: () => Promise<void>): Promise<void> {
    await this.#live.use();
    await read();
  }

  async #export(type: "csv" | "json", write: (rows: readonly HistoryRow[]) => string): Promise<void> {
    const { rows, query, hasMore, isIncomplete, isFull, isLoading, failure } = this.#pages.known;
    const isPart = hasMore || isIncomplete || isFull || isLoading || failure !== undefined;
    const name = [query.list, query.instrument ?? query.currency ?? "all", ...(isPart ? ["incomplete"] : [])]
      .join("-")
      .toLowerCase();
    await this.#ui.dialogs.saveText(
      {
        title: isPart
          ? l10n.t("Export {0}: only the {1} entries read so far", historyListName(query.list), rows.length)
          : l10n.t("Export {0}", historyListName(query.list)),
        folder: vscode.workspace.workspaceFolders?.[0]?.uri,
        name: `${name}.${type}`,
        types: { [type.toUpperCase()]: [type] },
      },
      () => write(rows),
    );
  }
}

function titleOf({ environment }: LiveConnection): Plain {
  return l10n.t("Account history ({0})", plain.text(environmentWords(environment, "").trim()));
}

/** Returns the texts of the page of History. */
function historyPageWords(): HistoryPageWords {
  return {
    list: l10n.t("List"),
    currency: l10n.t("Currency"),
    instrument: l10n.t("Instrument"),
    kind: l10n.t("Kind"),
    from: l10n.t("From"),
    to: l10n.t("To"),
    old: l10n.t("Older entries"),
    apply: l10n.t("Apply Filter"),
    reload: l10n.t("Refresh"),
    loadMore: l10n.t("Load More"),
    exportCsv: l10n.t("Export as CSV…"),
    exportJson: l10n.t("Export as JSON…"),
    copy: l10n.t("Copy as JSON"),
    openOrder: l10n.t("Show Order History"),
    filters: l10n.t("Filter"),
    actions: l10n.t("Actions"),
    table: l10n.t("Entries, newest first"),
    tableHelp: l10n.t("Arrow keys move between entries. Enter shows the details, and Ctrl+C copies the entry."),
    details: l10n.t("Details"),
    copied: l10n.t("The entry was copied as JSON."),
  };
}
