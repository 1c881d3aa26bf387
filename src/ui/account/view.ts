import * as l10n from "../../base/l10n.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { ACCOUNT_WORDS, accountNodes, OWNED_OBJECT, PROFILE_OBJECT } from "../../present/account/account.ts";
import { TEXT_FILTER, type ViewFilter } from "../../present/rows/viewFilter.ts";
import type { CurrencySummary, OwnedAccount } from "../../state/account.ts";
import { createResourcePane, type ResourcePane, type ResourcePanePorts } from "../tree/resourceView.ts";
import { isolatedRemark } from "../../present/rows/resourceHeading.ts";
import { createPaneFilter, type FilteredPane } from "../tree/viewFilters.ts";

/** The Account view. */
export interface AccountPane extends ResourcePane, FilteredPane<ViewFilter> {
  /** Returns what a row stands for, or is a part of; undefined when it is no longer known. */
  find(rowId: string): FoundInAccount | undefined;
}

export type FoundInAccount = { readonly live: LiveConnection } & (
  | { readonly kind: "currency"; readonly summary: CurrencySummary }
  | { readonly kind: "profile"; readonly profile: object }
  | { readonly kind: "owned"; readonly account: OwnedAccount }
);

export function createAccountPane(ports: ResourcePanePorts): AccountPane {
  const { liveConnections, times, setContext } = ports;
  const filter = createPaneFilter("account", TEXT_FILTER, setContext, () => ({
    title: l10n.t("Filter Account"),
    placeholder: l10n.t("Filter by currency, account, or name of a value"),
  }));
  const pane = createResourcePane<CurrencySummary>(
    {
      name: "account",
      filter,
      words: {
        ...ACCOUNT_WORDS,
        remark: ({ connectionId }) => isolatedRemark(ports.liveConnections.find(connectionId)?.isolatedMargin.isSeen),
      },
      alsoOn: (each) => [each.isolatedMargin.onDidChange],
      resourceOf: (each) => each.account,
      nodesOf: (_source, each) => accountNodes(each.account, times),
    },
    ports,
  );
  return {
    ...pane,
    filter,
    counts: (tried) => pane.countWords(tried),
    find(rowId) {
      const row = pane.row(rowId);
      const live = row === undefined ? undefined : liveConnections.find(row.connectionId);
      const objectId = row?.objectId;
      if (live === undefined || objectId === undefined) return undefined;
      const { snapshot, profile, owned } = live.account;
      if (objectId === PROFILE_OBJECT) return { live, kind: "profile", profile };
      const account = owned.accounts.find(({ id }) => `${OWNED_OBJECT}${String(id)}` === objectId);
      if (account !== undefined) return { live, kind: "owned", account };
      const summary = snapshot.items.get(objectId);
      return summary === undefined ? undefined : { live, kind: "currency", summary };
    },
  };
}
