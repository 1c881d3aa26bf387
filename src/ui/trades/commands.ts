import { missingForCommand } from "../../actions/changes/commandScopes.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import { createTypedMoments } from "../../present/trades/tradesQuery.ts";
import { TRADES_METHOD, type PublicTrade, type TradesQuery } from "../../state/tradePages.ts";
import { readIntent } from "../kinds/objects.ts";
import { showReading } from "../responses/readings.ts";
import { pickConnection } from "../connections/picks.ts";
import { createLastTradesPanels } from "./panel.ts";
import { requireOpenConnection } from "../../actions/connection/liveConnections.ts";
import type { Handlers } from "../editor/handler.ts";
import type { RecentInstruments } from "./recentInstruments.ts";
import type { Ui } from "../ui.ts";
import { askInstrument, pickTradesQuery } from "./picks.ts";

/** The commands about public trades of an instrument, shown in a panel. */
interface LastTradesCommands extends Disposable {
  readonly handlers: Handlers;
}

/** The instrument of an order. */
interface TradedOrder {
  readonly instrument_name?: string | undefined;
}

/** The orders of the rows in a view. */
interface OrderRows {
  find(rowId: string): { readonly live: LiveConnection; readonly item: TradedOrder } | undefined;
  findGroup(rowId: string): { readonly live: LiveConnection; readonly orders: readonly TradedOrder[] } | undefined;
}

type LastTradesUi = Pick<
  Ui,
  "clock" | "dialogs" | "extensionUri" | "liveConnections" | "notices" | "responses" | "screen" | "settings" | "times"
> & {
  readonly orders: OrderRows;
  readonly recent: RecentInstruments;
  /** Asks for an order in the instrument of a trade, beginning with its price. */
  readonly placeOrder: (live: LiveConnection, trade: PublicTrade) => Promise<void>;
};

export function createLastTradesCommands(ui: LastTradesUi): LastTradesCommands {
  const { recent, notices, dialogs } = ui;
  const disposables = new DisposableList();
  const moments = createTypedMoments();
  const panels = disposables.add(
    createLastTradesPanels({
      ...ui,
      askParameters: async (query) =>
        await pickTradesQuery({ title: titleOf(query), present: query, dialogs, moments }),
      mayPlace: ({ state }) =>
        ui.settings.safety().allowTrading !== "never" && missingForCommand("order.place", [state]) === undefined,
      openTrade: async (connection, trade) => await openTrade(connection, trade, ui),
      showError: (error) => notices.showError(error),
    }),
  );
  const showPanel = async (connection: LiveConnection, query: TradesQuery): Promise<void> => {
    panels.show(connection, query);
    await recent.add(connection.record.id, query.instrument_name);
  };
  return {
    handlers: {
      /** Shows the newest trades: of an order's instrument from its row, otherwise of one that the user chooses. */
      "tradingRpc.lastTrades.show": async (...args) => {
        const title = l10n.t("Show Last Trades");
        const about = await aboutWhat(args, title, ui);
        if (about === undefined) return;
        const { connection } = about;
        const name = about.instrumentName ?? (await pickInstrument(connection, title, ui));
        if (name !== undefined) await showPanel(connection, { instrument_name: name });
      },
      /** Asks for every parameter of the method, then shows the trades. */
      "tradingRpc.lastTrades.showWithParameters": async (...args) => {
        const title = l10n.t("Show Last Trades with Options");
        const about = await aboutWhat(args, title, ui);
        if (about === undefined) return;
        const { connection, instrumentName = "" } = about;
        const pick = { live: connection, recent: recent.of(connection.record.id) };
        const query = await pickTradesQuery({
          title: l10n.t("{0} on {1}", title, connection.place),
          present: { instrument_name: instrumentName },
          dialogs,
          moments,
          ...(instrumentName === "" ? { instrument: pick } : {}),
        });
        if (query !== undefined) await showPanel(connection, query);
      },
    },
    dispose: () => disposables.dispose(),
  };

  function titleOf({ instrument_name: name }: TradesQuery): Plain {
    return l10n.t("Last Trades of {0}", plain.name(name));
  }
}

/** The subject of a command; the user has to be asked for a missing instrument. */
interface About {
  readonly connection: LiveConnection;
  readonly instrumentName?: string;
}

/**
 * Returns the subject of a row: an order's instrument, the instrument of a group whose orders have only one, or a
 * connection.
 */
async function aboutWhat([row]: readonly unknown[], title: Plain, ui: LastTradesUi): Promise<About | undefined> {
  const { liveConnections, orders } = ui;
  requireOpenConnection(liveConnections);
  if (typeof row !== "string") {
    const connection = await pickConnection(ui, { title, connections: liveConnections.all });
    return connection === undefined ? undefined : { connection };
  }
  const order = orders.find(row);
  if (order !== undefined) return aboutInstrument(order.live, order.item.instrument_name);
  const group = orders.findGroup(row);
  if (group !== undefined) {
    const [name, ...others] = new Set(group.orders.map((each) => each.instrument_name));
    return aboutInstrument(group.live, others.length > 0 ? undefined : name);
  }
  const connection = liveConnections.find(rowIdParts(row)[0] ?? "");
  if (connection === undefined) throw new CallError({ kind: "notConnected" });
  return { connection };
}

function aboutInstrument(connection: LiveConnection, instrumentName: string | undefined): About {
  return { connection, ...(instrumentName === undefined ? {} : { instrumentName }) };
}

async function pickInstrument(
  live: LiveConnection,
  title: Plain,
  { recent, dialogs }: LastTradesUi,
): Promise<string | undefined> {
  const result = await askInstrument(
    { title: l10n.t("{0} on {1}", title, live.place) },
    { live, recent: recent.of(live.record.id) },
    dialogs,
  );
  return result.kind === "next" ? result.value : undefined;
}

/** Shows a trade as the exchange writes it, read again: the panel has only the precision of a number. */
async function openTrade(
  live: LiveConnection,
  { instrument_name: name, trade_seq: seq, trade_id: id }: PublicTrade,
  ui: LastTradesUi,
): Promise<void> {
  const params = { instrument_name: name, start_seq: seq, end_seq: seq, count: 1 };
  const intent = readIntent(TRADES_METHOD, params, l10n.t("Read Trade"), plain.name(id));
  await showReading(live, `trade/${id ?? String(seq)}`, intent, ui);
}
