import * as vscode from "vscode";
import type { Intent } from "../../actions/intent.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Outcome } from "../../actions/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { blockTradeIdProblem, unknownBlockTradeText } from "../../present/blockTrades/blockTradeWords.ts";
import type { Times } from "../../present/text/times.ts";
import { copyJsonTexts, readIntent, readJson, showReading, type ReadingPorts } from "../responses/readings.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { pickBlockTrade } from "./picks.ts";
import type { BlockTradesPane, FoundBlockTrade } from "./view.ts";
import { pickConnection } from "../connections/picks.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import type { Handlers } from "../editor/handler.ts";
import { BLOCK_TRADE_METHOD } from "../../state/blockTrades.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";

interface BlockTradesCommandsPorts {
  readonly dialogs: Dialogs;
  readonly pane: BlockTradesPane;
  readonly liveConnections: LiveConnections;
  readonly responses: ResponseDocuments;
  readonly clock: Clock;
  readonly times: Times;
}

/**
 * Makes the commands about block trades, all of which read. VS Code hands them row ids, or nothing from the Command
 * Palette.
 */
export function createBlockTradesCommands(ports: BlockTradesCommandsPorts): Handlers {
  const { pane } = ports;
  return {
    "tradingRpc.blockTrades.loadMore": async (rowId) => {
      if (typeof rowId === "string") await pane.loadMore(rowId);
    },
    "tradingRpc.blockTrade.fetch": async () => await fetchById(ports),
    "tradingRpc.blockTrade.open": async (...args) => {
      for (const found of await blockTradesOrPick(args, l10n.t("Open Block Trade"), ports))
        await showBlockTrade(found.live, found.trade.id, ports);
    },
    "tradingRpc.blockTrade.copyId": async (...args) => {
      const chosen = await blockTradesOrPick(args, l10n.t("Copy Block Trade ID"), ports);
      if (chosen.length > 0) await vscode.env.clipboard.writeText(chosen.map(({ trade }) => trade.id).join("\n"));
    },
    "tradingRpc.blockTrade.copyJson": async (...args) => {
      const chosen = await blockTradesOrPick(args, l10n.t("Copy Block Trade as JSON"), ports);
      const texts = await Promise.all(
        chosen.map(async ({ live, trade }) => await readJson(live, blockTradeReading(trade.id), trade)),
      );
      await copyJsonTexts(texts);
    },
  };
}

/**
 * Asks for an id, and shows the response. For an id that the exchange does not know, the box stays open with the
 * exchange's message.
 */
async function fetchById(ports: BlockTradesCommandsPorts): Promise<void> {
  const title = l10n.t("Open Block Trade by ID");
  const live = await pickConnection(ports, { title, connections: openAccounts(ports.liveConnections) });
  if (live === undefined) return;
  const prompt = l10n.t("ID of the block trade on {0}", live.place);
  let typed = "";
  let complaint: Plain | undefined;
  for (;;) {
    const result = await ports.dialogs.askText({
      title,
      prompt,
      placeholder: plain`BLOCK-282155`,
      value: typed,
      complaint,
      problemOf: blockTradeIdProblem,
    });
    if (result.kind !== "next") return;
    typed = result.value;
    const outcome = await showBlockTrade(live, typed, ports);
    if (outcome.kind !== "rejected") return;
    complaint = unknownBlockTradeText(typed, outcome.failure, live.place);
    if (complaint === undefined) return;
  }
}

/** Shows a block trade as the exchange writes it. Returns the outcome of the reading. */
export async function showBlockTrade(live: LiveConnection, id: string, ports: ReadingPorts): Promise<Outcome> {
  return await showReading(live, `block-trade/${id}`, blockTradeReading(id), ports);
}

function blockTradeReading(id: string): Intent {
  return readIntent(BLOCK_TRADE_METHOD, { id }, l10n.t("Read Block Trade"), plain.name(id));
}

/** Returns the block trades of rows; from the Command Palette, the user chooses one. */
export async function blockTradesOrPick(
  args: readonly unknown[],
  title: Plain,
  { pane, liveConnections, ...ports }: Pick<BlockTradesCommandsPorts, "pane" | "liveConnections" | "times" | "dialogs">,
): Promise<readonly FoundBlockTrade[]> {
  const source = {
    find: (id: string) => pane.find(id),
    keyOf: ({ trade }: FoundBlockTrade) => trade,
    gone: l10n.t("That block trade isn't listed anymore."),
  };
  return await rowsOrPick(args, source, async () => await pickBlockTrade(title, openAccounts(liveConnections), ports));
}
