import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { BlockTradesViewFilter } from "../../present/blockTrades/blockTradesFilter.ts";
import { blockTradeIdProblem, unknownBlockTradeText } from "../../present/blockTrades/blockTradeWords.ts";
import { createBlockTradesStore, type BlockTrade } from "../../state/blockTrades.ts";
import { pickConnection } from "../connections/picks.ts";
import type { Handlers } from "../editor/handler.ts";
import { blockTradeReading } from "../kinds/collapsedObjects.ts";
import { showReading } from "../responses/readings.ts";
import type { ResourcePane } from "../tree/resourceView.ts";
import type { Ui } from "../ui.ts";

type BlockTradesCommandsUi = Pick<Ui, "dialogs" | "liveConnections" | "responses" | "clock" | "times"> & {
  readonly pane: ResourcePane<BlockTrade, BlockTradesViewFilter>;
};

/** Makes the commands that list more block trades, or open one that is not listed. */
export function createBlockTradesCommands(ui: BlockTradesCommandsUi): Handlers {
  const { pane, liveConnections } = ui;
  return {
    "tradingRpc.blockTrades.loadMore": async (rowId) => {
      const row = typeof rowId === "string" ? pane.row(rowId) : undefined;
      const live = liveConnections.find(row?.connectionId ?? "");
      const reading = live?.storeOf(createBlockTradesStore).loadMore();
      pane.redraw();
      await reading;
      pane.redraw();
    },
    "tradingRpc.blockTrade.fetch": async () => await fetchById(ui),
  };
}

/**
 * Asks for an id, and shows the response. For an id that the exchange does not know, the box stays open with the
 * exchange's message.
 */
async function fetchById(ui: BlockTradesCommandsUi): Promise<void> {
  const title = l10n.t("Open Block Trade by ID");
  const live = await pickConnection(ui, { title, connections: openAccounts(ui.liveConnections) });
  if (live === undefined) return;
  const prompt = l10n.t("ID of the block trade on {0}", live.place);
  let typed = "";
  let complaint: Plain | undefined;
  for (;;) {
    const result = await ui.dialogs.askText({
      title,
      prompt,
      placeholder: plain`BLOCK-282155`,
      value: typed,
      complaint,
      problemOf: blockTradeIdProblem,
    });
    if (result.kind !== "next") return;
    typed = result.value;
    const outcome = await showBlockTrade(live, typed, ui);
    if (outcome.kind !== "rejected") return;
    complaint = unknownBlockTradeText(typed, outcome.failure, live.place);
    if (complaint === undefined) return;
  }
}

/** Shows a block trade as the exchange writes it. Returns the outcome of the reading. */
export async function showBlockTrade(
  live: LiveConnection,
  id: string,
  ports: Pick<Ui, "responses" | "clock" | "times">,
): Promise<Outcome> {
  const { name, intent } = blockTradeReading(id);
  return await showReading(live, name, intent, ports);
}
