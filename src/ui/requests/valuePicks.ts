import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { plain } from "../../base/plain.ts";
import { keyTitle, keyTraits } from "../../present/apiKeys/apiKeyWords.ts";
import { blockTradeTraits, idText } from "../../present/blockTrades/blockTradeWords.ts";
import { orderLabel, orderTraits } from "../../present/orders/orderWords.ts";
import { quoteText } from "../../present/quotes/quotes.ts";
import { createTimes } from "../../present/text/times.ts";
import { openOrders } from "../../state/orders.ts";
import { isOpenQuote } from "../../state/quotes.ts";
import { inUseClientId } from "../apiKeys/view.ts";
import { askChoice, askText, type Choice } from "../editor/steps.ts";

/**
 * Asks a person for the value of `$pick.…` or `$ask.…`. The result is a JSON literal; undefined when they left. Choices
 * are a snapshot: a list that moves while somebody chooses would end in the wrong choice.
 */
export async function askForValue(path: string, live: LiveConnection): Promise<string | undefined> {
  const [kind, name = ""] = path.split(/\.(.*)/s);
  if (kind === "$ask") return await askTyped(name, live);
  const pick = Object.hasOwn(PICKS, name) ? PICKS[name] : undefined;
  if (pick !== undefined) return await choose(await pick(live), live);
  tell(
    l10n.t(
      "{0} cannot be chosen: there are {1}.",
      plain.text(path),
      PICK_NAMES.map((each) => `$pick.${each}`).join(", "),
    ),
  );
  return undefined;
}

/** What can be chosen for a request. */
interface Pick {
  readonly title: string;
  readonly choices: readonly Choice<string>[];
  /** Said where there is nothing to choose. */
  readonly none: string;
}

const PICKS: Readonly<Record<string, (live: LiveConnection) => Promise<Pick>>> = {
  order: async (live) =>
    await Promise.resolve({
      title: l10n.t("Choose an Order"),
      none: l10n.t("There is no open order on {0}.", live.place),
      choices: openOrders(live.orders.snapshot).map((order) => ({
        label: `${plain.name(order.instrument_name)} ${orderLabel(order)}`,
        description: orderTraits(order).join(" · "),
        detail: plain.name(order.order_id),
        value: JSON.stringify(order.order_id),
      })),
    }),
  async apiKey(live) {
    await readWhere(live.apiKeys.snapshot.readAtMs === undefined, async () => await live.apiKeys.refresh());
    const choices = [...live.apiKeys.snapshot.items.values()].map((known) => ({
      label: keyTitle(known),
      description: keyTraits(known, inUseClientId(live)).join(" · "),
      value: String(known.id),
    }));
    return { title: l10n.t("Choose an API Key"), none: l10n.t("No API key is known on {0}.", live.place), choices };
  },
  async blockTrade(live) {
    await readWhere(live.blockTrades.snapshot.readAtMs === undefined, async () => await live.blockTrades.refresh());
    const times = createTimes();
    const choices = [...live.blockTrades.snapshot.items.values()].map((trade) => ({
      label: idText(trade),
      description: blockTradeTraits(trade, times).join(" · "),
      value: JSON.stringify(trade.id),
    }));
    return {
      title: l10n.t("Choose a Block Trade"),
      none: l10n.t("No block trades are listed on {0}.", live.place),
      choices,
    };
  },
  async instrument(live) {
    const { instruments } = await live.instruments.load();
    const choices = instruments.map(({ name, kind, isActive }) => ({
      label: plain.name(name),
      description: [kind, ...(isActive ? [] : [l10n.t("not active")])].map((word) => plain.name(word)).join(" · "),
      value: JSON.stringify(name),
    }));
    return {
      title: l10n.t("Choose an Instrument"),
      none: l10n.t("The instruments of {0} could not be read.", live.place),
      choices,
    };
  },
  async quote(live) {
    await readWhere(live.quotes.snapshot.readAtMs === undefined, async () => await live.quotes.refresh());
    const choices = [...live.quotes.snapshot.items.values()].filter(isOpenQuote).map((quote) => ({
      label: quoteText(quote),
      description: l10n.t("RFQ {0}", String(quote.block_rfq_id)),
      detail: String(quote.block_rfq_quote_id),
      value: String(quote.block_rfq_quote_id),
    }));
    return {
      title: l10n.t("Choose a Block RFQ Quote"),
      none: l10n.t("There is no open Block RFQ quote on {0}.", live.place),
      choices,
    };
  },
};

/** What can stand behind `$pick.`. */
export const PICK_NAMES: readonly string[] = Object.keys(PICKS);

async function readWhere(isNeeded: boolean, read: () => Promise<void>): Promise<void> {
  if (isNeeded)
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: l10n.t("Reading what there is to choose from…") },
      read,
    );
}

async function choose({ title, choices, none }: Pick, live: LiveConnection): Promise<string | undefined> {
  if (choices.length === 0) {
    tell(none);
    return undefined;
  }
  const result = await askChoice({
    title: l10n.t("{0} · {1}", title, live.place),
    step: 1,
    totalSteps: 1,
    placeholder: l10n.t("For the request; the choice counts for this run alone"),
    choices,
    isPresent: () => false,
  });
  return result.kind === "next" ? result.value : undefined;
}

/** Always a text: a filter in the placeholder makes a number of it. */
async function askTyped(name: string, live: LiveConnection): Promise<string | undefined> {
  const title = plain.name(name.replaceAll(/[_-]+/g, " ").trim()) || l10n.t("Value");
  const result = await askText({
    title: l10n.t("{0} · {1}", title, live.place),
    step: 1,
    totalSteps: 1,
    prompt: l10n.t("For the request; kept for this run alone"),
    value: "",
    problemOf: () => undefined,
  });
  return result.kind === "next" ? JSON.stringify(result.value) : undefined;
}

/** There is nobody to throw at: a request without its value is not sent, and this is why. */
function tell(reason: string): void {
  void vscode.window.showInformationMessage(reason);
}
