import * as l10n from "@vscode/l10n";
import type { Journals } from "../actions/journals.ts";
import type { LiveConnection } from "../actions/liveConnection.ts";
import type { Clock } from "../base/clock.ts";
import { isUnresolved } from "../actions/recordedIntents.ts";
import { createCoalescer } from "../base/coalesce.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { subjectOf } from "../present/connectionWords.ts";
import { statusBarItem } from "../present/statusBar.ts";
import type { Times } from "../present/times.ts";
import type { Connections } from "../state/connections.ts";
import type { ConnectionsPane } from "./connectionsView.ts";
import type { LiveConnections } from "./liveConnections.ts";
import type { Notices } from "./notices.ts";
import type { Screen } from "./screen.ts";
import { createStatusBar } from "./statusBar.ts";

export interface PulsePorts {
  readonly journals: Journals;
  readonly connections: Connections;
  readonly live: LiveConnections;
  readonly notices: Notices;
  readonly screen: Screen;
  readonly connectionsPane: ConnectionsPane;
  readonly clock: Clock;
  readonly times: Times;
  readonly setContext: (name: string, value: unknown) => void;
}

const REDRAW_MS = 250;
/** Countdowns are read to the second, ages are not. */
const TICK_MS = 5000;
const COUNTDOWN_TICK_MS = 1000;

/** Keeps in step what stands around the views: the status bar, the context keys, and texts that change with time alone. */
export function createPulse({ journals, connections, live, notices, screen, connectionsPane, clock, times, setContext }: PulsePorts): Disposable {
  const disposables = new DisposableList();
  const statusBar = disposables.add(createStatusBar(l10n.t("Trading RPC Connection"), "tradingRpc.showActions", (text) => screen.hide(text)));
  const followed = new Map<LiveConnection, Disposable>();
  let timer: { readonly pauseMs: number; readonly dispose: () => void } | undefined;

  const show = (): void => {
    const { active } = connections;
    const gates = live.all.map((each) => each.gate);
    statusBar.show(
      statusBarItem({
        active,
        changesAllowedUntilMs: active === undefined ? undefined : live.find(active.record.id)?.gate.changesAllowedUntilMs,
        unknownOutcomes: journals.intents.filter((intent) => isUnresolved(intent) && intent.holder !== "elsewhere").length,
        nowMs: clock.now(),
        times,
      }),
    );
    setContext("isConnected", gates.length > 0);
    setContext("isSwitched", live.all.some(({ state }) => subjectOf(state) !== undefined));
    setContext("changesAllowed", gates.some((gate) => gate.changesAllowedUntilMs !== undefined));
  };
  const redraw = disposables.add(createCoalescer(clock, REDRAW_MS, show));
  /** A countdown that begins does not wait for the end of a longer pause. */
  const arm = (): void => {
    const pauseMs = live.all.some(({ state }) => state.status === "waiting") ? COUNTDOWN_TICK_MS : TICK_MS;
    if (live.all.length === 0 || (timer !== undefined && pauseMs >= timer.pauseMs)) return;
    timer?.dispose();
    const armed = clock.after(pauseMs, () => {
      timer = undefined;
      connectionsPane.tick();
      redraw.request();
      arm();
    });
    timer = { pauseMs, dispose: () => armed.dispose() };
  };
  const changed = (): void => {
    connectionsPane.tick();
    redraw.request();
  };

  disposables.add(journals.onDidChange(() => redraw.request()));
  disposables.add(screen.onDidChange(() => redraw.request()));
  disposables.add(
    connections.onDidChange(() => {
      redraw.request();
      arm();
    }),
  );
  disposables.add(
    live.onDidOpen((each) => {
      const listeners = new DisposableList();
      listeners.add(each.gate.onDidChangeActivity(changed));
      listeners.add(each.gate.onDidChangeAllowance(changed));
      listeners.add(notices.follow(each));
      followed.set(each, listeners);
      redraw.request();
      arm();
    }),
  );
  disposables.add(
    live.onDidClose((each) => {
      followed.get(each)?.dispose();
      followed.delete(each);
      redraw.request();
    }),
  );
  disposables.add({
    dispose() {
      timer?.dispose();
      for (const each of followed.values()) each.dispose();
    },
  });
  redraw.request();
  return disposables;
}
