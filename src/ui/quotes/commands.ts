import * as vscode from "vscode";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Intent } from "../../actions/intent.ts";
import { quoteText } from "../../present/quotes/quotes.ts";
import { numberText } from "../../present/text/numbers.ts";
import type { Times } from "../../present/text/times.ts";
import { readIntent, showReading } from "../responses/readings.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { createQuoteCancels, quoteChoice, readUnread, type QuoteCancelsPorts } from "./cancels.ts";
import type { FoundQuote } from "./view.ts";
import type { Handlers } from "../editor/handler.ts";
import { QUOTES_METHOD, RFQS_METHOD } from "../../state/quotes.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";

interface QuotesCommandsPorts extends QuoteCancelsPorts {
  readonly responses: ResponseDocuments;
  readonly times: Times;
}

/** Makes the commands about Block RFQ quotes. VS Code hands them row ids, or nothing from the Command Palette. */
export function createQuotesCommands(ports: QuotesCommandsPorts): Handlers {
  return {
    ...createQuoteCancels(ports),
    "tradingRpc.quote.open": async (...args) => {
      const [found] = await quotesOrPick(args, l10n.t("Open Block RFQ Quote"), ports);
      if (found !== undefined) await openDocument(found, ports);
    },
    "tradingRpc.quote.copyId": async (...args) => {
      const chosen = await quotesOrPick(args, l10n.t("Copy Block RFQ Quote ID"), ports);
      if (chosen.length > 0) await vscode.env.clipboard.writeText(chosen.map(idOf).join("\n"));
    },
    "tradingRpc.quote.copyJson": async (...args) => {
      const chosen = await quotesOrPick(args, l10n.t("Copy Block RFQ Quote as JSON"), ports);
      const shown = chosen.map((found) => (found.kind === "quote" ? found.quote : (found.rfq ?? found.quotes)));
      if (shown.length > 0)
        await vscode.env.clipboard.writeText(JSON.stringify(shown.length === 1 ? shown[0] : shown, undefined, 2));
    },
  };
}

function idOf(found: FoundQuote): string {
  return String(found.kind === "quote" ? found.quote.block_rfq_quote_id : found.rfqId);
}

async function openDocument(found: FoundQuote, ports: QuotesCommandsPorts): Promise<void> {
  const name = `block-rfq/${found.kind === "rfq" ? "Block RFQ" : "quote"} ${idOf(found)}`;
  await showReading(found.live, name, readingOf(found), ports);
}

function readingOf(found: FoundQuote): Intent {
  if (found.kind === "rfq")
    return readIntent(RFQS_METHOD, { block_rfq_id: found.rfqId }, l10n.t("Read Block RFQ"), numberText(found.rfqId));
  const { quote } = found;
  const params = { block_rfq_quote_id: quote.block_rfq_quote_id };
  return readIntent(QUOTES_METHOD, params, l10n.t("Read Block RFQ Quote"), quoteText(quote));
}

/** Returns the quotes of rows; from the Command Palette, the user chooses one. */
async function quotesOrPick(
  args: readonly unknown[],
  title: Plain,
  ports: QuotesCommandsPorts,
): Promise<readonly FoundQuote[]> {
  const source = {
    find: (id: string) => ports.pane.find(id),
    keyOf: (found: FoundQuote) => `${found.live.record.id} ${found.kind} ${idOf(found)}`,
    gone: l10n.t("That quote is no longer open."),
  };
  return await rowsOrPick(args, source, async () => await pickQuote(title, ports));
}

async function pickQuote(
  title: Plain,
  { liveConnections, dialogs }: QuotesCommandsPorts,
): Promise<readonly FoundQuote[]> {
  await readUnread(liveConnections);
  const choices = liveConnections.all.flatMap((each) =>
    [...each.quotes.snapshot.items.values()].map((quote): Choice<FoundQuote> => ({
      ...quoteChoice(quote, each),
      value: { live: each, kind: "quote", quote },
    })),
  );
  const placeholder =
    choices.length === 0
      ? l10n.t("No Block RFQ quotes are listed.")
      : l10n.t("Search by side, price, Block RFQ, or ID");
  const result = await dialogs.askChoice({ title, placeholder, choices, isPresent: () => false });
  return result.kind === "next" ? [result.value] : [];
}
