import { mayNameSecret } from "../../rpc/maskSecrets.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { blockTradeTraits, idText } from "../../present/blockTrades/blockTradeWords.ts";
import { positionText, profitText } from "../../present/positions/positions.ts";
import { quoteText } from "../../present/quotes/quotes.ts";
import { createTimes } from "../../present/text/times.ts";
import { openOrders } from "../../state/orders.ts";
import { heldPositions, loadInstrumentsOf } from "../../state/positions.ts";
import { isOpenQuote } from "../../state/quotes.ts";
import type { Resource } from "../../state/resource.ts";
import { asOfMs } from "../../state/snapshot.ts";
import { keyChoice } from "../apiKeys/picks.ts";
import { orderChoice } from "../orders/picks.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";

/**
 * Asks the user for the value of `$pick.…` or `$ask.…`. The result is a JSON literal; undefined when the user left.
 * Choices are a snapshot, because a moving list would lead to wrong choices.
 */
export async function askForValue(path: string, live: LiveConnection, dialogs: Dialogs): Promise<string | undefined> {
  const [kind, name = ""] = path.split(/\.(.*)/s);
  if (kind === "$ask") return await askTyped(name, live, dialogs);
  const pick = Object.hasOwn(PICKS, name) ? PICKS[name] : undefined;
  if (pick !== undefined) return await choose(await pick(live, dialogs), live, dialogs);
  dialogs.tell(
    "information",
    l10n.t(
      "{0} isn't supported. Use one of {1}.",
      plain.text(path),
      plain.join(
        PICK_NAMES.map((each) => plain`$pick.${plain.name(each)}`),
        ", ",
      ),
    ),
  );
  return undefined;
}

/** The choices for a placeholder. */
interface ValuePick {
  readonly title: Plain;
  readonly choices: readonly Choice<string>[];
  /** The reason that is shown if there is nothing to choose. */
  readonly none: Plain;
}

const PICKS: Readonly<Record<string, (live: LiveConnection, dialogs: Dialogs) => Promise<ValuePick>>> = {
  order: async (live) =>
    await Promise.resolve({
      title: l10n.t("Choose an Order"),
      none: l10n.t("There are no open orders on {0}.", live.place),
      choices: openOrders(live.orders.snapshot).map((order) => {
        const { label, traits, id } = orderChoice(order);
        return { label, description: plain.join(traits, " · "), detail: id, value: JSON.stringify(order.order_id) };
      }),
    }),
  async apiKey(live, dialogs) {
    await readFirst(live.apiKeys, dialogs);
    const choices = [...live.apiKeys.snapshot.items.values()].map((known) => ({
      ...keyChoice({ known, live }),
      value: String(known.id),
    }));
    return { title: l10n.t("Choose an API Key"), none: l10n.t("No API keys are listed on {0}.", live.place), choices };
  },
  async blockTrade(live, dialogs) {
    await readFirst(live.blockTrades, dialogs);
    const times = createTimes();
    const choices = [...live.blockTrades.snapshot.items.values()].map((trade) => ({
      label: idText(trade),
      description: plain.join(blockTradeTraits(trade, times), " · "),
      value: JSON.stringify(trade.id),
    }));
    return {
      title: l10n.t("Choose a Block Trade"),
      none: l10n.t("No block trades are listed on {0}.", live.place),
      choices,
    };
  },
  async instrument(live) {
    const { items } = await live.instruments.load();
    const choices = items.map(({ name, kind, isActive }) => ({
      label: plain.name(name),
      description: plain.join([plain.name(kind), ...(isActive ? [] : [l10n.t("inactive")])], " · "),
      value: JSON.stringify(name),
    }));
    return {
      title: l10n.t("Choose an Instrument"),
      none: l10n.t("Couldn't load the instruments from {0}.", live.place),
      choices,
    };
  },
  async position(live, dialogs) {
    const { positions, place } = live;
    // No event brings profit, so it is as old as the last reading.
    await readList(dialogs, async () => {
      await positions.refresh();
      // The unit of a size is known by the instrument alone.
      await loadInstrumentsOf(live);
    });
    const { snapshot } = positions;
    const { status, readAtMs } = snapshot;
    const title = l10n.t("Choose a Position");
    return {
      title: status === "live" ? title : l10n.t("{0} · as of {1}", title, createTimes().clock(asOfMs(snapshot))),
      none:
        readAtMs === undefined
          ? l10n.t("Couldn't load the positions from {0}.", place)
          : l10n.t("There are no open positions on {0}.", place),
      choices: heldPositions(snapshot).map((position) => {
        const instrument = positions.instrumentOf(position);
        return {
          label: positionText(position, instrument),
          description: profitText(position, instrument),
          value: JSON.stringify(position.instrument_name),
        };
      }),
    };
  },
  async quote(live, dialogs) {
    await readFirst(live.quotes, dialogs);
    const choices = [...live.quotes.snapshot.items.values()].filter(isOpenQuote).map((quote) => ({
      label: quoteText(quote),
      description: l10n.t("RFQ {0}", quote.block_rfq_id ?? NOT_KNOWN),
      detail: plain.name(String(quote.block_rfq_quote_id)),
      value: String(quote.block_rfq_quote_id),
    }));
    return {
      title: l10n.t("Choose a Block RFQ Quote"),
      none: l10n.t("There are no open Block RFQ quotes on {0}.", live.place),
      choices,
    };
  },
};

/** The names that can follow `$pick.`. */
const PICK_NAMES: readonly string[] = Object.keys(PICKS);

/** Reads a list that was not read yet. */
async function readFirst(resource: Pick<Resource<unknown>, "snapshot" | "refresh">, dialogs: Dialogs): Promise<void> {
  if (resource.snapshot.readAtMs === undefined) await readList(dialogs, async () => await resource.refresh());
}

async function readList(dialogs: Dialogs, read: () => Promise<void>): Promise<void> {
  await dialogs.progress({ where: "statusBar", title: l10n.t("Loading the list…") }, read);
}

async function choose(
  { title, choices, none }: ValuePick,
  live: LiveConnection,
  dialogs: Dialogs,
): Promise<string | undefined> {
  if (choices.length === 0) {
    // Nothing catches an error here: a request without its value is not sent, and this is why.
    dialogs.tell("information", none);
    return undefined;
  }
  const result = await dialogs.askChoice({
    title: l10n.t("{0} · {1}", title, live.place),
    placeholder: l10n.t("Used in the request for this run only"),
    choices,
    isPresent: () => false,
  });
  return result.kind === "next" ? result.value : undefined;
}

/** Asks for a value, which is always text: a filter in the placeholder makes a number of it. */
async function askTyped(name: string, live: LiveConnection, dialogs: Dialogs): Promise<string | undefined> {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  const title = words === "" ? l10n.t("Value") : plain.name(words);
  const result = await dialogs.askText({
    title: l10n.t("{0} · {1}", title, live.place),
    prompt: l10n.t("Used in the request for this run only"),
    value: "",
    isSecret: mayNameSecret(name),
  });
  return result.kind === "next" ? JSON.stringify(result.value) : undefined;
}
