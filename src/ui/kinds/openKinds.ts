import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import * as l10n from "../../base/l10n.ts";
import { ACCOUNT_WORDS, accountNodes, OWNED_OBJECT, PROFILE_OBJECT, totalText } from "../../present/account/account.ts";
import { positionNodes, POSITIONS_WORDS, type MadePositionNodes } from "../../present/positions/positions.ts";
import { placesOf, type PositionSorting } from "../../present/positions/positionsSorting.ts";
import { isolatedRemark } from "../../present/rows/resourceHeading.ts";
import { TEXT_FILTER } from "../../present/rows/viewFilter.ts";
import { createAccountStore, type AccountStore, type CurrencySummary, type OwnedAccount } from "../../state/account.ts";
import type { ListedPosition } from "../../state/positions.ts";
import { createResourcePane, itemOf, type PanePorts, type ResourcePane, type ViewKind } from "../tree/resourceView.ts";
import { SELECT_ONLY } from "../tree/treeView.ts";
import type { Ui } from "../ui.ts";

/* The kinds of the views that are open at first. How their objects are chosen is in `openObjects.ts`, loaded later. */

/** What a row of the Account view stands for. */
export type InAccount =
  | { readonly kind: "currency"; readonly summary: CurrencySummary }
  | { readonly kind: "profile"; readonly profile: object }
  | { readonly kind: "owned"; readonly account: OwnedAccount };

function accountOf(live: LiveConnection): AccountStore {
  return live.storeOf(createAccountStore);
}

const ACCOUNT: ViewKind<CurrencySummary, InAccount> = {
  name: "account",
  movesWithMarket: true,
  filter: {
    rules: TEXT_FILTER,
    words: () => ({
      title: l10n.t("Filter Account"),
      placeholder: l10n.t("Filter by currency, account, or name of a value"),
    }),
  },
  words: ACCOUNT_WORDS,
  remark: (live) => isolatedRemark(live.isolatedMargin.isLeftOut(accountOf(live))),
  figures: (live) => totalText(accountOf(live)),
  storeOf: accountOf,
  nodesOf: (live, { times }) => accountNodes(accountOf(live), times),
  alsoOn: ({ isolatedMargin }) => [isolatedMargin.onDidChange],
  find(live, objectId) {
    const account = accountOf(live);
    const { profile, owned } = account;
    if (objectId === PROFILE_OBJECT) return [{ kind: "profile", profile }];
    const found = owned.accounts.find(({ id }) => `${OWNED_OBJECT}${String(id)}` === objectId);
    if (found !== undefined) return [{ kind: "owned", account: found }];
    return itemOf(account, objectId).map((summary) => ({ kind: "currency", summary }));
  },
};

export function createAccountPane(ports: PanePorts): ResourcePane<InAccount> {
  return createResourcePane(ACCOUNT, ports);
}

export function createPositionsPane(ports: PanePorts & Pick<Ui, "settings">): ResourcePane<ListedPosition> {
  return createResourcePane(positionsKind(ports), ports);
}

/** The places of positions in the order that was chosen, until it is made again. */
interface Sorted {
  readonly sorting: PositionSorting;
  readonly places: ReadonlyMap<string, number>;
}

/** Makes the kind of positions, which keep their places until they are sorted again. */
function positionsKind({ settings }: Pick<Ui, "settings">): ViewKind<ListedPosition> {
  let sorted = new WeakMap<LiveConnection, Sorted>();
  const made: MadePositionNodes = new WeakMap();
  const placesIn = (live: LiveConnection, sorting: PositionSorting): Sorted["places"] => {
    const known = sorted.get(live);
    if (known?.sorting === sorting && known.places.size > 0) return known.places;
    const places = placesOf(live.positions.snapshot.items.values(), sorting);
    sorted.set(live, { sorting, places });
    return places;
  };
  return {
    name: "positions",
    movesWithMarket: true,
    commandOf: ({ contextValue }) => (/^position(\.|$)/.test(contextValue) ? SELECT_ONLY : undefined),
    filter: {
      rules: TEXT_FILTER,
      words: () => ({
        title: l10n.t("Filter Positions"),
        placeholder: l10n.t("Filter by instrument, side, or currency"),
      }),
    },
    words: POSITIONS_WORDS,
    remark: ({ isolatedMargin, positions }) => isolatedRemark(isolatedMargin.isLeftOut(positions)),
    storeOf: ({ positions }) => positions,
    nodesOf(live, { times, nowMs }) {
      const { sortBy: sorting, hasUsd } = settings.positions();
      return positionNodes(live.positions, { times, sorting, places: placesIn(live, sorting), hasUsd, nowMs }, made);
    },
    alsoOn: ({ instruments, isolatedMargin }) => [
      instruments.onDidChange,
      isolatedMargin.onDidChange,
      settings.onDidChange,
    ],
    find: ({ positions }, key) => itemOf(positions, key),
    didRefresh: () => void (sorted = new WeakMap()),
  };
}
