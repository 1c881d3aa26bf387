import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import type { DisposableList } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { environmentWord } from "../../present/connections/connectionWords.ts";
import { orderHistoryText } from "../../present/history/orderHistoryText.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import type { DocumentParts } from "../../present/text/documentAddress.ts";
import type { HistoryQuery } from "../../state/history.ts";
import { readOrderHistory } from "../../state/orderHistory.ts";
import { pickConnection } from "../connections/picks.ts";
import { documentUri, showDocument } from "../editor/documents.ts";
import type { Ui } from "../ui.ts";
import { createHistoryPanels } from "./panel.ts";

/** The commands about what happened to an account, loaded with the first of them. */
export interface AccountHistoryCommands {
  /** Shows the history of the connection of a row, or of one that the user chooses. */
  show(row: unknown): Promise<void>;
  /** Shows what is known of the order of a row, or of one whose ID the user enters. */
  showOrder(row: unknown): Promise<void>;
  /** Returns the text of the document about an order. */
  orderText(parts: DocumentParts): Promise<string>;
}

type HistoryUi = Pick<
  Ui,
  "clock" | "dialogs" | "extensionUri" | "journals" | "liveConnections" | "notices" | "screen" | "times"
> & {
  /** The orders of the rows in a view. */
  readonly orders: {
    find(rowId: string): { readonly live: LiveConnection; readonly item: { order_id: string } } | undefined;
  };
};

/** The folder of documents that are pages of words, and no responses with their language. */
const PAGES = "/trading-rpc-page";

/** The selection that a new tab begins with. */
const FIRST: HistoryQuery = {
  ...{ list: "orders", currency: undefined, isOld: false },
  ...{ instrument: undefined, kind: undefined, fromMs: undefined, toMs: undefined },
};

export function createAccountHistoryCommands(ui: HistoryUi, disposables: DisposableList): AccountHistoryCommands {
  const { liveConnections, journals, clock, times } = ui;
  const openOrder = async (live: LiveConnection, orderId: string, slot?: number): Promise<void> => {
    const title = l10n.t("{0} ▸ history ({1})", plain.name(orderId), environmentWord(live.environment));
    const parts = {
      connection: live.record.id,
      order: orderId,
      at: clock.now(),
      ...(slot === undefined ? {} : { slot }),
    };
    await showDocument(documentUri("orderHistory", title, parts, { folder: PAGES }), { preview: true });
  };
  const panels = createHistoryPanels({ ...ui, openOrder }, disposables);
  return {
    async show(row) {
      const live = await accountOfRow(row, l10n.t("Show Account History"), ui);
      if (live !== undefined) panels.show(live, FIRST);
    },
    async showOrder(row) {
      const chosen = typeof row === "string" ? ofRow(row, ui) : await askOrder(ui);
      if (chosen !== undefined) await openOrder(chosen.live, chosen.orderId);
    },
    async orderText({ connection, order: orderId, slot: knownSlot }) {
      const live = typeof connection === "string" ? liveConnections.find(connection) : undefined;
      if (live === undefined || typeof orderId !== "string") return l10n.t("This connection isn't open any more.");
      await live.use();
      await journals.refresh();
      const margin = live.isolatedMargin.slots?.marginOf(orderId);
      const ofMargin = margin === undefined || margin === "cross" ? undefined : margin.slot;
      const slot = typeof knownSlot === "number" ? knownSlot : ofMargin;
      const history = await live.createStore(async (storePorts) => await readOrderHistory(orderId, storePorts, slot));
      const { place, record } = live;
      const subject = { orderId, place, connectionId: record.id, nowMs: clock.now(), times };
      return orderHistoryText(history, journals.intents, subject);
    },
  };
}

interface ChosenHistory {
  readonly live: LiveConnection;
  readonly orderId: string;
}

function ofRow(rowId: string, { orders }: HistoryUi): ChosenHistory {
  const found = orders.find(rowId);
  if (found === undefined) throw refused(l10n.t("That order isn't in the view any more."));
  return { live: found.live, orderId: found.item.order_id };
}

async function askOrder(ui: HistoryUi): Promise<ChosenHistory | undefined> {
  const title = l10n.t("Show Order History");
  const live = await accountOfRow(undefined, title, ui);
  if (live === undefined) return undefined;
  const result = await ui.dialogs.askText({
    title: l10n.t("{0} on {1}", title, live.place),
    prompt: l10n.t("Order ID"),
    placeholder: plain`ETH-349280`,
    value: "",
    problemOf: (text) => (text.trim() === "" ? l10n.t("Enter an order ID.") : undefined),
  });
  return result.kind === "next" ? { live, orderId: result.value.trim() } : undefined;
}

/** Returns the connection of a row of any view; asks where several are open. Undefined when the user left. */
async function accountOfRow(row: unknown, title: Plain, ui: HistoryUi): Promise<LiveConnection | undefined> {
  const accounts = openAccounts(ui.liveConnections);
  const ofRow = typeof row === "string" ? ui.liveConnections.find(rowIdParts(row)[0] ?? "") : undefined;
  return ofRow ?? (await pickConnection(ui, { title, connections: accounts }));
}
