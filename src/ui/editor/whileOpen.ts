import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";

/** Follows each connection for as long as it is open; `follow` returns what ends then. */
export function whileOpen(
  { all, onDidOpen, onDidClose }: Pick<LiveConnections, "all" | "onDidOpen" | "onDidClose">,
  follow: (live: LiveConnection) => Disposable,
): Disposable {
  const disposables = new DisposableList();
  const followed = new Map<LiveConnection, Disposable>();
  const begin = (live: LiveConnection): void => void followed.set(live, follow(live));
  all.forEach(begin);
  disposables.add(onDidOpen(begin));
  disposables.add(
    onDidClose((live) => {
      followed.get(live)?.dispose();
      followed.delete(live);
    }),
  );
  disposables.add({ dispose: () => followed.forEach((each) => each.dispose()) });
  return disposables;
}
