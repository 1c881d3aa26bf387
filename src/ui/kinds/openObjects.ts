import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { receivedOf } from "../../catalogue/reading.ts";
import { positionText } from "../../present/positions/positions.ts";
import type { PositionSorting } from "../../present/positions/positionsSorting.ts";
import { digitsText } from "../../present/text/numbers.ts";
import { OWNED_ACCOUNTS_METHOD, SUMMARIES_METHOD, SUMMARY_METHOD } from "../../state/account.ts";
import { isIsolated, withSlots } from "../../state/isolated.ts";
import {
  heldPositions,
  loadInstrumentsOf,
  POSITION_METHOD,
  positionKey,
  type ListedPosition,
} from "../../state/positions.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import { chooseFrom, type ObjectKind, type ObjectList, readIntent } from "./objects.ts";
import type { InAccount } from "./openKinds.ts";
import type { Ui } from "../ui.ts";

/* The objects of the views that are open at first. */

export const ACCOUNT_OBJECTS: ObjectKind<InAccount> = {
  keyOf: (item) => readingOf(item).name,
  gone: () => l10n.t("That item isn't listed anymore."),
  readingOf: ({ item }) => readingOf(item),
  knownOf: (item) =>
    item.kind === "profile" ? item.profile : receivedOf(item.kind === "owned" ? item.account : item.summary),
  isCopiedAsKnown: ({ kind }) => kind === "owned",
  handlers: ({ open, copyJson }) => ({
    "tradingRpc.account.open": open(),
    "tradingRpc.account.copyJson": copyJson(),
  }),
};

function readingOf(item: InAccount): ReturnType<ObjectKind<InAccount>["readingOf"]> {
  switch (item.kind) {
    case "profile":
      return {
        name: "account/summaries",
        intent: readIntent(SUMMARIES_METHOD, { extended: true }, l10n.t("Read Account"), l10n.t("the account")),
      };
    case "owned": {
      const id = digitsText(item.account.id);
      return {
        name: "account/subaccounts",
        intent: readIntent(OWNED_ACCOUNTS_METHOD, { with_portfolio: true }, l10n.t("Read Subaccounts"), id),
      };
    }
    case "currency": {
      const { currency } = item.summary;
      const params = { currency, extended: true };
      return {
        name: `account/${currency}`,
        intent: readIntent(SUMMARY_METHOD, params, l10n.t("Read Account Summary"), plain.name(currency)),
      };
    }
  }
}

export const POSITION_LIST: ObjectList<ListedPosition> = {
  listed: ({ positions }) => heldPositions(positions.snapshot),
  storeOf: ({ positions }) => positions,
  // What a size counts is known by the instrument alone.
  read: loadInstrumentsOf,
  choice: ({ live, item }) => ({ label: positionText(item, live.positions.instrumentOf(item)), traits: [] }),
  search: () => l10n.t("Search by instrument"),
  none: () => l10n.t("No positions are listed."),
};

export const POSITION_OBJECTS: ObjectKind<ListedPosition> = {
  keyOf: positionKey,
  gone: () => l10n.t("That position isn't listed anymore."),
  readingOf: ({ live, item }) => {
    const { instrument_name: name } = item;
    const params = { instrument_name: name };
    const isOfSlot = isIsolated(item) && live.orders.hasSlots;
    return {
      name: `position/${positionKey(item).replace(" ", "/")}`,
      intent: readIntent(
        POSITION_METHOD,
        isOfSlot ? withSlots(params) : params,
        l10n.t("Read Position"),
        plain.name(name),
      ),
    };
  },
  knownOf: (item) => item,
  choose: async (title, ports) => await chooseFrom(POSITION_LIST, title, ports),
  handlers: ({ open, copyText, copyJson }) => ({
    "tradingRpc.position.open": open(l10n.t("Open Position")),
    "tradingRpc.position.copyName": copyText(l10n.t("Copy Instrument Name"), ({ instrument_name: name }) => name),
    "tradingRpc.position.copyJson": copyJson(l10n.t("Copy Position as JSON")),
  }),
};

/** Asks how positions are sorted, and keeps it as the setting. */
export async function pickPositionSorting({ settings, dialogs }: Pick<Ui, "settings" | "dialogs">): Promise<void> {
  const choices: readonly Choice<PositionSorting>[] = [
    { label: l10n.t("Instrument"), description: l10n.t("by instrument name"), value: "instrument" },
    { label: l10n.t("As Received"), description: l10n.t("in the order the exchange returns them"), value: "received" },
    { label: l10n.t("Profit"), description: l10n.t("largest first"), value: "profit" },
    { label: l10n.t("Initial Margin"), description: l10n.t("largest first"), value: "margin" },
  ];
  const result = await dialogs.askChoice({
    title: l10n.t("Sort Positions By"),
    placeholder: l10n.t("Sorting is applied now and on refresh, not on every update"),
    choices,
    isPresent: (value) => value === settings.positions().sortBy,
  });
  if (result.kind === "next") await settings.setPositionSorting(result.value);
}
