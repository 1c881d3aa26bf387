import { mayNameSecret } from "../../rpc/maskSecrets.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { profitText } from "../../present/positions/positions.ts";
import { isOpenQuote } from "../../state/quotes.ts";
import { asOfMs } from "../../state/snapshot.ts";
import { API_KEY_LIST, BLOCK_TRADE_LIST, QUOTE_LIST } from "../kinds/collapsedObjects.ts";
import type { ObjectList } from "../kinds/objects.ts";
import { POSITION_LIST } from "../kinds/openObjects.ts";
import { ORDER_LIST } from "../orders/picks.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Ui } from "../ui.ts";
import type { Choice } from "../editor/dialogSteps.ts";

/**
 * Asks the user for the value of `$pick.…` or `$ask.…`. The result is a JSON literal; undefined when the user left.
 * Choices are a snapshot, because a moving list would lead to wrong choices.
 */
export async function askForValue(path: string, live: LiveConnection, ui: ValueUi): Promise<string | undefined> {
  const [kind, name = ""] = path.split(/\.(.*)/s);
  if (kind === "$ask") return await askTyped(name, live, ui.dialogs);
  const pick = Object.hasOwn(PICKS, name) ? PICKS[name] : undefined;
  if (pick !== undefined) return await choose(pick, live, ui);
  ui.dialogs.tell(
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

/** A list of values for a placeholder. */
interface ValuePick {
  readonly read: (live: LiveConnection, ui: ValueUi) => Promise<readonly Choice<string>[]>;
  readonly title: (live: LiveConnection, ui: ValueUi) => Plain;
  /** Returns the reason that is shown if there is nothing to choose. */
  readonly nothing: (live: LiveConnection) => Plain;
}

type ValueUi = Pick<Ui, "dialogs" | "times" | "clock">;

/** What differs between the values of a kind for a request, and its objects for a command. */
interface Values<T> extends Omit<ObjectList<T>, "search" | "none">, Omit<ValuePick, "read"> {
  /** Whether the list is read again in any case. */
  readonly isReadAnew?: boolean;
  readonly value: (item: T) => string;
}

const PICKS: Readonly<Record<string, ValuePick>> = {
  order: valuesOf({
    ...ORDER_LIST,
    title: () => l10n.t("Choose an Order"),
    nothing: ({ place }) => l10n.t("There are no open orders on {0}.", place),
    value: ({ order_id: id }) => JSON.stringify(id),
  }),
  apiKey: valuesOf({
    ...API_KEY_LIST,
    title: () => l10n.t("Choose an API Key"),
    nothing: ({ place }) => l10n.t("No API keys are listed on {0}.", place),
    value: ({ id }) => String(id),
  }),
  blockTrade: valuesOf({
    ...BLOCK_TRADE_LIST,
    title: () => l10n.t("Choose a Block Trade"),
    nothing: ({ place }) => l10n.t("No block trades are listed on {0}.", place),
    value: ({ id }) => JSON.stringify(id),
  }),
  instrument: {
    async read(live) {
      const { items } = await live.instruments.load();
      return items.map(({ name, kind, isActive }) => ({
        label: plain.name(name),
        description: plain.join([plain.name(kind), ...(isActive ? [] : [l10n.t("inactive")])], " · "),
        value: JSON.stringify(name),
      }));
    },
    title: () => l10n.t("Choose an Instrument"),
    nothing: ({ place }) => l10n.t("Couldn't load the instruments from {0}.", place),
  },
  position: valuesOf({
    ...POSITION_LIST,
    // No event brings profit, so it is as old as the last reading.
    isReadAnew: true,
    title({ positions: { snapshot } }, { times }) {
      const title = l10n.t("Choose a Position");
      return snapshot.status === "live" ? title : l10n.t("{0} · as of {1}", title, times.clock(asOfMs(snapshot)));
    },
    nothing: ({ positions, place }) =>
      positions.snapshot.readAtMs === undefined
        ? l10n.t("Couldn't load the positions from {0}.", place)
        : l10n.t("There are no open positions on {0}.", place),
    choice({ live, item }, ui) {
      const profit = profitText(item, live.positions.instrumentOf(item));
      return { ...POSITION_LIST.choice({ live, item }, ui), traits: [profit] };
    },
    value: ({ instrument_name: name }) => JSON.stringify(name),
  }),
  quote: valuesOf({
    ...QUOTE_LIST,
    listed: (live) => QUOTE_LIST.listed(live).filter(isOpenQuote),
    title: () => l10n.t("Choose a Block RFQ Quote"),
    nothing: ({ place }) => l10n.t("There are no open Block RFQ quotes on {0}.", place),
    value: ({ block_rfq_quote_id: id }) => String(id),
  }),
};

function valuesOf<T>({ title, nothing, value, isReadAnew, ...list }: Values<T>): ValuePick {
  return {
    async read(live, ui) {
      const store = list.storeOf?.(live);
      if (store !== undefined && (isReadAnew === true || store.snapshot.readAtMs === undefined))
        await ui.dialogs.progress({ where: "statusBar", title: l10n.t("Loading the list…") }, async () => {
          await store.refresh();
          await list.read?.(live);
        });
      return list.listed(live).map((item) => {
        const { traits, ...shown } = list.choice({ live, item }, ui);
        return { ...shown, description: plain.join(traits, " · "), value: value(item) };
      });
    },
    title,
    nothing,
  };
}

/** The names that can follow `$pick.`. */
const PICK_NAMES: readonly string[] = Object.keys(PICKS);

async function choose(pick: ValuePick, live: LiveConnection, ui: ValueUi): Promise<string | undefined> {
  const choices = await pick.read(live, ui);
  if (choices.length === 0) {
    // Nothing catches an error here: a request without its value is not sent, and this is why.
    ui.dialogs.tell("information", pick.nothing(live));
    return undefined;
  }
  const result = await ui.dialogs.askChoice({
    title: l10n.t("{0} · {1}", pick.title(live, ui), live.place),
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
