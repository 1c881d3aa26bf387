import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { API_KEYS_WORDS, apiKeyNodes } from "../../present/apiKeys/apiKeys.ts";
import { pendingKeys } from "../../present/outcomes/pendingChanges.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import { TEXT_FILTER, type ViewFilter } from "../../present/rows/viewFilter.ts";
import { inUseClientId } from "./picks.ts";
import { createResourcePane, type ResourcePane, type ResourcePanePorts } from "../tree/resourceView.ts";
import { createPaneFilter, type FilteredPane } from "../tree/viewFilters.ts";

/** The API Keys view. */
export interface ApiKeysPane extends ResourcePane, FilteredPane<ViewFilter> {
  /** Returns the key that a row stands for, or is a part of; undefined when it is no longer known. */
  find(rowId: string): FoundKey | undefined;
}

export interface FoundKey {
  readonly live: LiveConnection;
  readonly known: KnownKey;
}

/** The interval at which ages are drawn again, in ms: they are read to the day, sometimes to the minute. */
const AGE_MS = 60_000;

export function createApiKeysPane(ports: ResourcePanePorts): ApiKeysPane {
  const { liveConnections, clock, times, frame, setContext } = ports;
  const filter = createPaneFilter("apiKeys", TEXT_FILTER, setContext, () => ({
    title: l10n.t("Filter API Keys"),
    placeholder: l10n.t("Filter by name, ID, scope, or address"),
  }));
  const pane = createResourcePane<KnownKey>(
    {
      name: "apiKeys",
      filter,
      words: API_KEYS_WORDS,
      resourceOf: (each) => each.apiKeys,
      nodesOf: ({ snapshot }, each) =>
        apiKeyNodes(snapshot, {
          times,
          nowMs: clock.now(),
          inUseClientId: inUseClientId(each),
          grantedScope: each.state.status === "ready" ? each.state.identity.scope : undefined,
          pending: pendingKeys(each.gate.activity, each.record.id),
        }),
      alsoOn: (each) => [each.onDidChangeState, each.gate.onDidChangeActivity],
    },
    ports,
  );
  const arm = (): Disposable =>
    clock.after(AGE_MS, () => {
      if (frame.view.visible && liveConnections.all.length > 0) pane.redraw();
      timer = arm();
    });
  let timer = arm();
  return {
    ...pane,
    filter,
    counts: (tried) => pane.countWords(tried),
    find(rowId) {
      const row = pane.row(rowId);
      const connection = row === undefined ? undefined : liveConnections.find(row.connectionId);
      const known = row?.objectId === undefined ? undefined : connection?.apiKeys.snapshot.items.get(row.objectId);
      return connection === undefined || known === undefined ? undefined : { live: connection, known };
    },
    dispose() {
      timer.dispose();
      pane.dispose();
    },
  };
}
