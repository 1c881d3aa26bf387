import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import {
  cancelAllQuotes,
  cancelQuotes,
  describeQuote,
  type QuoteContext,
  type QuotesScope,
} from "../../actions/changes/quotes.ts";
import { nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { goneNames } from "../../present/text/goneWords.ts";
import { countText, digitsText } from "../../present/text/numbers.ts";
import { isCountable } from "../../state/snapshot.ts";
import { createQuotesStore, quoteKey, type BlockRfqQuote } from "../../state/quotes.ts";
import { connectionOfRow, pickConnection } from "../connections/picks.ts";
import { openAccounts, type LiveConnections } from "../../actions/connection/liveConnections.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import type { InQuotes } from "../kinds/collapsedKinds.ts";
import { quoteChoice } from "../kinds/collapsedObjects.ts";
import { readOnce } from "../kinds/objects.ts";
import type { ResourcePane } from "../tree/resourceView.ts";
import { rowsOf, selectedRows } from "../tree/selectedRows.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult } from "../editor/dialogSteps.ts";
import { askThen, resultAs, answerOf } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";

type QuoteCancelsPorts = Pick<Ui, "dialogs" | "liveConnections" | "notices" | "settings" | "clock"> & {
  readonly pane: ResourcePane<InQuotes>;
};

interface ChosenQuote {
  readonly live: LiveConnection;
  readonly quote: BlockRfqQuote;
}

/**
 * Makes the commands that cancel Block RFQ quotes: one, several, or with one call all of a Block RFQ or of the account.
 */
export function createQuoteCancels(ports: QuoteCancelsPorts): Handlers {
  const { pane, clock } = ports;
  const contextOf = (connection: LiveConnection, origin: Intent["origin"]): QuoteContext => ({
    origin,
    nowMs: clock.now(),
    current: (id) => connection.storeOf(createQuotesStore).snapshot.items.get(quoteKey({ block_rfq_quote_id: id })),
  });
  const cancelThese = async (chosen: readonly ChosenQuote[], origin: Intent["origin"]): Promise<void> => {
    const { requestTimeoutMs: timeoutMs } = ports.settings.connection();
    // No connection waits for the responses of another one; their confirmations take turns.
    const open = [...stillOpen(chosen, ports.dialogs)];
    await Promise.all(
      open.map(async ([connection, quotes]) => {
        const { intents, describe } = cancelQuotes(quotes, contextOf(connection, origin));
        const outcomes = await connection.gate.submitAll(intents, describe, { timeoutMs });
        ports.notices.showOutcomes(connection, { intents, connections: open.length }, outcomes);
      }),
    );
  };
  const cancelScope = async (
    connection: LiveConnection,
    scope: QuotesScope,
    origin: Intent["origin"],
  ): Promise<void> => {
    const quotes = quotesOf(connection, scope);
    const isCounted = isCountable(connection.storeOf(createQuotesStore).snapshot, clock);
    if (isCounted && quotes.length === 0) throw nothingToDo(l10n.t("There are no open Block RFQ quotes to cancel."));
    await submitAndShow(connection, cancelAllQuotes(scope, { quotes, isCounted }, origin), ports);
  };
  return {
    /**
     * Cancels quotes. From a row: that one, or all selected ones if it is selected. From the Command Palette: asks
     * which ones.
     */
    "tradingRpc.quote.cancel": async (...args) => {
      if (args.length > 0) await cancelThese(quotesOfRows(args, pane), "view");
      else await cancelThese(await pickQuotes(ports), "palette");
    },
    /** Cancels the selected quotes. Called on a row, that row has to be one of them. */
    "tradingRpc.quote.cancelSelected": async (...args) =>
      await cancelThese(quotesOfRows(selectedRows(args, pane.selection), pane), args.length === 0 ? "palette" : "view"),
    /** Cancels the quote of the row whose button was pressed, whatever is selected. */
    "tradingRpc.quote.cancelRow": async (rowId) => await cancelThese(quotesOfRows([rowId], pane), "view"),
    /**
     * Asks whether to cancel all quotes or those of one Block RFQ: on the row's connection, or on one that the user
     * chooses.
     */
    "tradingRpc.quote.cancelAll": async (...args) => {
      const chosen = await pickScope(ports, connectionOf(args, ports));
      if (chosen !== undefined) await cancelScope(chosen.live, chosen.scope, args.length === 0 ? "palette" : "view");
    },
    /** Cancels the quotes of a Block RFQ's row. */
    "tradingRpc.quote.cancelAllOfRfq": async (rowId) => {
      const [found] = typeof rowId === "string" ? pane.find(rowId) : [];
      if (found?.item.kind !== "rfq") throw refused(l10n.t("That Block RFQ no longer has open quotes."));
      await cancelScope(found.live, { kind: "rfq", rfqId: found.item.rfqId }, "view");
    },
  };
}

/** Returns the connection of a row; undefined from the Command Palette. */
function connectionOf(
  args: readonly unknown[],
  { pane, liveConnections }: QuoteCancelsPorts,
): LiveConnection | undefined {
  return args.length === 0 ? undefined : connectionOfRow(args[0], { pane, liveConnections });
}

function quotesOf(live: LiveConnection, scope: QuotesScope): readonly BlockRfqQuote[] {
  return [...live.storeOf(createQuotesStore).snapshot.items.values()].filter(
    ({ block_rfq_id: id }) => scope.kind === "all" || id === scope.rfqId,
  );
}

/** Returns the quote of a context menu's row, and all selected ones if it is selected. */
function quotesOfRows(args: readonly unknown[], pane: ResourcePane<InQuotes>): readonly ChosenQuote[] {
  const find = (id: string): readonly ChosenQuote[] =>
    pane.find(id).flatMap(({ live, item }) => (item.kind === "quote" ? { live, quote: item.quote } : []));
  return rowsOf(args, { find, keyOf: ({ quote }) => quote, gone: l10n.t("That quote is no longer open.") });
}

/** Returns the chosen quotes that are still open. Tells which are not, and goes on with the others. */
function stillOpen(
  chosen: readonly ChosenQuote[],
  dialogs: Dialogs,
): ReadonlyMap<LiveConnection, readonly BlockRfqQuote[]> {
  const now = chosen.map((each) => ({
    ...each,
    open: each.live.storeOf(createQuotesStore).snapshot.items.get(quoteKey(each.quote)),
  }));
  const gone = now.filter(({ open }) => open === undefined);
  if (gone.length > 0 && gone.length === chosen.length)
    throw refused(
      gone.length === 1 ? l10n.t("That quote is no longer open.") : l10n.t("These quotes are no longer open."),
    );
  if (gone.length > 0)
    dialogs.tell(
      "warning",
      l10n.t(
        "{0} of {1} selected quotes are no longer open: {2}",
        gone.length,
        chosen.length,
        goneNames(gone.map(({ live, quote }) => ({ place: live.place, name: describeQuote(quote) }))),
      ),
    );
  const open = new Map<LiveConnection, BlockRfqQuote[]>();
  for (const { live, open: quote } of now) if (quote !== undefined) open.set(live, [...(open.get(live) ?? []), quote]);
  return open;
}

/** Lets the user choose quotes. The list is a snapshot, because moving rows would lead to wrong choices. */
async function pickQuotes({ liveConnections, dialogs }: QuoteCancelsPorts): Promise<readonly ChosenQuote[]> {
  await readUnread(liveConnections);
  const choices = liveConnections.all.flatMap((each) =>
    quotesOf(each, { kind: "all" }).map((quote): Choice<ChosenQuote> => {
      const { label, traits } = quoteChoice(quote);
      return { label, description: plain.join([each.place, ...traits], " · "), value: { live: each, quote } };
    }),
  );
  if (choices.length === 0) throw nothingToDo(l10n.t("No Block RFQ quotes are listed."));
  const result = await dialogs.askSeveral({
    title: l10n.t("Cancel Block RFQ Quotes"),
    placeholder: l10n.t("Search by side, price, Block RFQ, or ID, then select one or more"),
    choices,
    isTicked: () => choices.length === 1,
    problemOf: (values) => (values.length === 0 ? l10n.t("Select at least one quote to cancel.") : undefined),
  });
  return result.kind === "next" ? result.value : [];
}

/** Reads the quotes of connections whose quotes were not read yet. */
async function readUnread(liveConnections: LiveConnections): Promise<void> {
  await Promise.all(openAccounts(liveConnections).map(async (live) => await readOnce(live.storeOf(createQuotesStore))));
}

/** Asks for a connection and a scope: one call reaches one account. Undefined when the user left. */
async function pickScope(
  ports: QuoteCancelsPorts,
  given: LiveConnection | undefined,
): Promise<{ readonly live: LiveConnection; readonly scope: QuotesScope } | undefined> {
  const { liveConnections, dialogs } = ports;
  await readUnread(liveConnections);
  const connections = given === undefined ? openAccounts(liveConnections) : [given];
  const isAsked = connections.length > 1;
  const traits = (live: LiveConnection): Plain =>
    l10n.t("{0} open", countText(live.storeOf(createQuotesStore).snapshot.items.size));
  const asked = await askThen(
    async (): Promise<DialogResult<LiveConnection>> => {
      const live = await pickConnection(ports, { title: title(), connections, traits, totalSteps: 2 });
      return live === undefined ? { kind: "left" } : { kind: "next", value: live };
    },
    async (connection) =>
      resultAs(await askScope(connection, isAsked, dialogs), (scope) => ({ live: connection, scope })),
  );
  return answerOf(asked);
}

async function askScope(
  connection: LiveConnection,
  isSecond: boolean,
  dialogs: Dialogs,
): Promise<DialogResult<QuotesScope>> {
  const frame = {
    title: l10n.t("{0} on {1}", title(), connection.place),
    ...(isSecond ? { step: 2, totalSteps: 2 } : {}),
  };
  const all = quotesOf(connection, { kind: "all" });
  const counts = new Map<number, number>();
  for (const { block_rfq_id: id } of all) if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  const choices: Choice<QuotesScope | "typed">[] = [
    {
      label: l10n.t("All Block RFQ Quotes"),
      description: l10n.t("{0} listed · {1}", countText(all.length), connection.place),
      value: { kind: "all" },
    },
    ...[...counts].map(([rfqId, count]) => ({
      label: l10n.t("RFQ {0}", digitsText(rfqId)),
      description: l10n.t("{0} listed", countText(count)),
      value: { kind: "rfq" as const, rfqId },
    })),
    { label: l10n.t("Another Block RFQ…"), description: l10n.t("by ID"), value: "typed" },
  ];
  return await askThen(
    async () =>
      await dialogs.askChoice({
        ...frame,
        placeholder: l10n.t("Labels are ignored: all quotes of the selected item are cancelled"),
        choices,
        isPresent: () => false,
      }),
    async (chosen): Promise<DialogResult<QuotesScope>> => {
      if (chosen !== "typed") return { kind: "next", value: chosen };
      const typed = await dialogs.askText({
        ...frame,
        isWithin: true,
        prompt: l10n.t("Block RFQ ID (block_rfq_id)"),
        value: "",
        problemOf: (text) => (isId(text) ? undefined : l10n.t("Enter a Block RFQ ID, for example 722.")),
      });
      return resultAs(typed, (id) => ({ kind: "rfq", rfqId: Number(id) }));
    },
  );
}

function isId(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
}

function title(): Plain {
  return l10n.t("Cancel All Block RFQ Quotes");
}
