import type { Journals } from "../../actions/journal/journals.ts";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Connections } from "../../state/connections.ts";
import type { ConnectionRecord } from "../../state/records.ts";
import { connectionOfSecret, type SecretStore } from "./credentials.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";

interface RemovedSecretsPorts {
  /** Registers a listener for changes of stored secrets; VS Code reports each change to every window. */
  readonly onDidChange: (listener: (event: { readonly key: string }) => void) => Disposable;
  readonly secrets: Pick<SecretStore, "read" | "otherOrigin">;
  readonly connections: Pick<Connections, "find" | "isForgotten" | "isMissing" | "put">;
  readonly liveConnections: Pick<LiveConnections, "find" | "close" | "useSecret" | "onDidOpen" | "onDidClose">;
  readonly journals: Pick<Journals, "forget">;
  readonly clock: Pick<Clock, "after">;
  readonly tell: (sentence: Plain) => void;
}

/** The interval at which saved connections are checked, in ms: VS Code does not report that one is gone. */
const LOOK_MS = 1000;

/**
 * Closes a connection that was forgotten, or whose secret was removed, in another window: the user does not want it
 * used. One whose secret was replaced there signs in again with the new one. The exchange is not informed, because a
 * logout would end the sessions of other programs too.
 */
export function followRemovedSecrets({
  onDidChange,
  secrets,
  connections,
  liveConnections,
  journals,
  clock,
  tell,
}: RemovedSecretsPorts): Disposable {
  const disposables = new DisposableList();
  const openIds = new Set<string>();
  let timer: Disposable | undefined;
  const close = (id: string, sentence: (place: Plain) => Plain): void => {
    const open = liveConnections.find(id);
    if (open === undefined) return;
    const { place } = open;
    liveConnections.close(id);
    tell(sentence(place));
  };
  const lookForForgotten = (): void => {
    timer = undefined;
    for (const id of [...openIds].filter((each) => connections.isForgotten(each))) {
      close(id, (place) =>
        l10n.t(
          "{0} was removed in another window, so the connection is closed here. Nothing was changed on the exchange.",
          place,
        ),
      );
      // That is for the window that forgot it to tell.
      void journals.forget(id).catch(() => undefined);
    }
    for (const id of openIds) {
      const record = connections.isMissing(id) ? liveConnections.find(id)?.record : undefined;
      // Two windows that saved at the same time: the later one did not know of this connection.
      if (record !== undefined) void connections.put(record).catch(() => undefined);
    }
    arm();
  };
  const arm = (): void => {
    if (openIds.size > 0) timer ??= clock.after(LOOK_MS, lookForForgotten);
  };
  // A storage that cannot be read just now has not lost the secret; one for another address was put there by an edit.
  const isElsewhere = async (record: ConnectionRecord): Promise<boolean> =>
    (await secrets.otherOrigin(record).catch(() => "")) !== undefined;
  const lookForSecret = async (id: string): Promise<void> => {
    const record = connections.find(id)?.record;
    const live = liveConnections.find(id);
    if (live === undefined || record === undefined || record.grant === "none") return;
    const secret = await secrets.read(record, true).catch(() => "");
    // Another window may have reset the secret of the key: the old one opens nothing any more.
    if (secret !== undefined && secret !== "") liveConnections.useSecret(live, record.clientId, secret);
    if (secret !== undefined || (await isElsewhere(record))) return;
    close(id, (place) =>
      l10n.t(
        "The secret of {0} was removed in another window, so the connection is closed here. Nothing was changed on the exchange.",
        place,
      ),
    );
  };
  disposables.add(
    liveConnections.onDidOpen(({ record }) => {
      openIds.add(record.id);
      arm();
    }),
  );
  disposables.add(
    liveConnections.onDidClose(({ record }) => {
      openIds.delete(record.id);
    }),
  );
  disposables.add(
    onDidChange(({ key }) => {
      const id = connectionOfSecret(key);
      if (id !== undefined) void lookForSecret(id);
    }),
  );
  disposables.add({ dispose: () => timer?.dispose() });
  return disposables;
}
