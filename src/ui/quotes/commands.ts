import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Intent } from "../../actions/intent.ts";
import { quoteText } from "../../present/quotes/quotes.ts";
import { numberText } from "../../present/text/numbers.ts";
import type { Times } from "../../present/text/times.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { createQuoteCancels, quoteChoice, readUnread, type QuoteCancelsPorts } from "./cancels.ts";
import type { FoundQuote } from "./view.ts";
import type { Handlers } from "../editor/handler.ts";
import { QUOTES_METHOD, RFQS_METHOD } from "../../state/quotes.ts";
import type { Choice } from "../editor/dialogs.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";

export interface QuotesCommandsPorts extends QuoteCancelsPorts {
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
      const chosen = await quotesOrPick(args, l10n.t("Copy Block RFQ Quote Id"), ports);
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

/** Shows the quote or Block RFQ as the exchange writes it, read again: rows have only the precision of a number. */
async function openDocument(found: FoundQuote, { responses, clock, times }: QuotesCommandsPorts): Promise<void> {
  const { live } = found;
  const intent = readIntent(found);
  const outcome = await live.gate.submit(intent);
  const result = {
    intent,
    effect: "read" as const,
    id: undefined,
    outcome,
    problems: [],
    canSendAnyway: false,
    activityId: undefined,
  };
  await responses.show({
    fileUri: `block-rfq/${found.kind === "rfq" ? "Block RFQ" : "quote"} ${idOf(found)}`,
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
    source: {
      result,
      environment: live.environment,
      connectionName: live.name,
      endedAtMs: clock.now(),
      verdicts: [],
      times,
    },
  });
}

function readIntent(found: FoundQuote): Intent {
  const common = { detail: [], keep: l10n.t("Cancel") };
  if (found.kind === "rfq") {
    return {
      method: RFQS_METHOD,
      paramsText: JSON.stringify({ block_rfq_id: found.rfqId }),
      words: { action: l10n.t("Read Block RFQ"), target: numberText(found.rfqId), ...common },
      origin: "view",
    };
  }
  const params = { block_rfq_quote_id: found.quote.block_rfq_quote_id };
  return {
    method: QUOTES_METHOD,
    paramsText: JSON.stringify(params),
    words: { action: l10n.t("Read Block RFQ Quote"), target: quoteText(found.quote), ...common },
    origin: "view",
  };
}

/** Returns the quotes of rows; from the Command Palette, the user chooses one. */
async function quotesOrPick(
  args: readonly unknown[],
  title: string,
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
  title: string,
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
    choices.length === 0 ? l10n.t("No Block RFQ quotes are listed.") : l10n.t("Search by side, price, Block RFQ or id");
  const result = await dialogs.askChoice({ title, placeholder, choices, isPresent: () => false });
  return result.kind === "next" ? [result.value] : [];
}
