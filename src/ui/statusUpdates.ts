import * as vscode from "vscode";
import type { LiveConnection } from "../actions/connection/liveConnection.ts";
import type { LiveConnections } from "../actions/connection/liveConnections.ts";
import { isUnresolved } from "../actions/journal/recordedIntents.ts";
import { createCoalescer } from "../base/coalesce.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import { switchedSubject } from "../present/connections/connectionWords.ts";
import { statusBarItem, type OtherConnection } from "../present/connections/statusBar.ts";
import type { Connections } from "../state/connections.ts";
import { SIMULATOR_ID } from "../state/records.ts";
import { allowedUntilMs, createConnectionNotices } from "./connections/connectionNotices.ts";
import { canAllowChanges, isTrading, needsTradingPermission } from "./connections/permissions.ts";
import { createStatusBar } from "./connections/statusBar.ts";
import type { ConnectionsPane } from "./connections/view.ts";
import { whileOpen } from "./editor/whileOpen.ts";
import { createFillBadge } from "./orders/fillBadge.ts";
import type { TreeFrame } from "./tree/treeView.ts";
import type { Ui } from "./ui.ts";

type StatusUpdatesUi = Pick<
  Ui,
  | "clock"
  | "connections"
  | "dialogs"
  | "journals"
  | "liveConnections"
  | "notices"
  | "run"
  | "screen"
  | "setContext"
  | "settings"
  | "times"
> & {
  readonly connectionsPane: ConnectionsPane;
  readonly ordersView: TreeFrame["view"];
};

const REDRAW_MS = 250;
/** The interval without countdowns, in ms: countdowns are read to the second, ages are not. */
const TICK_MS = 5000;
const COUNTDOWN_TICK_MS = 1000;
/** The time that the end of the time for changes is shown, in ms, beside the item that shows it from then on. */
const END_TOLD_MS = 8000;
/** The last minute of a countdown and the pause before it, in ms, so that the seconds begin on time. */
const LAST_MINUTE_MS = 65_000;

/** Sets the context keys for the `when` clauses of the manifest about all connections. */
function showKeys(
  { connections, liveConnections, settings, setContext }: StatusUpdatesUi,
  intents: StatusUpdatesUi["journals"]["intents"],
): void {
  const has = (isFitting: (live: LiveConnection) => boolean): boolean => liveConnections.all.some(isFitting);
  setContext("isConnected", liveConnections.all.length > 0);
  setContext(
    "hasAccount",
    has(({ record }) => record.grant !== "none"),
  );
  setContext(
    "hasBuiltInSimulator",
    has(({ record }) => record.id === SIMULATOR_ID),
  );
  setContext("mayAllowChanges", has(canAllowChanges));
  setContext("mayAllowTrading", has(needsTradingPermission));
  setContext("tradingAllowed", has(isTrading));
  setContext("hasActivity", intents.length > 0);
  setContext("hasUnknownOutcome", intents.some(isUnresolved));
  setContext(
    "hasOwnConnection",
    connections.list.some(({ record }) => record.id !== SIMULATOR_ID),
  );
  setContext(
    "isSwitched",
    liveConnections.all.some(({ state }) => switchedSubject(state) !== undefined),
  );
  setContext("offersTrading", settings.safety().allowTrading !== "never");
  setContext(
    "changesAllowed",
    liveConnections.all.some(({ gate }) => allowedUntilMs(gate) !== undefined),
  );
}

/** Updates what is around the views: the status bar, the context keys, and what changes only with time. */
export function createStatusUpdates(ui: StatusUpdatesUi): Disposable {
  const { connections, liveConnections, settings, clock, journals, screen, connectionsPane } = ui;
  const disposables = new DisposableList();
  const statusBar = disposables.add(
    createStatusBar(l10n.t("Trading RPC Connection"), "tradingRpc.connection.showActions", (text) => screen.hide(text)),
  );
  disposables.add(createFillBadge({ view: ui.ordersView, window: vscode.window, liveConnections, settings }));
  let timer: { readonly pauseMs: number; readonly dispose: () => void } | undefined;

  const show = (): void => {
    const { active } = connections;
    const { intents } = journals;
    const open = active === undefined ? undefined : liveConnections.find(active.record.id);
    statusBar.show(
      statusBarItem({
        active,
        others: othersOf(liveConnections, connections),
        changesAllowedUntilMs: open?.gate.changesAllowedUntilMs,
        cancelsAllowedUntilMs: open?.gate.cancelsAllowedUntilMs,
        trading: open?.gate.trading,
        pace: open,
        confirmCancel: settings.safety().confirmCancel,
        unknownOutcomes: intents.filter((intent) => isUnresolved(intent) && intent.holder !== "otherWindow").length,
        nowMs: clock.now(),
        times: ui.times,
      }),
    );
    showKeys(ui, intents);
  };
  const redraw = disposables.add(createCoalescer(clock, REDRAW_MS, show));
  /** Arms the timer. A countdown that begins does not wait for the end of a longer pause. */
  const arm = (): void => {
    const pauseMs = liveConnections.all.some((each) => isCountingDown(each, clock.now())) ? COUNTDOWN_TICK_MS : TICK_MS;
    if (liveConnections.all.length === 0 || (timer !== undefined && pauseMs >= timer.pauseMs)) return;
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

  for (const listen of [journals.onDidChange, screen.onDidChange, settings.onDidChange, liveConnections.onDidClose])
    disposables.add(listen(() => redraw.request()));
  disposables.add(
    connections.onDidChange(() => {
      redraw.request();
      arm();
    }),
  );
  disposables.add(
    whileOpen(liveConnections, (live) => {
      const listeners = followLive(live, ui, changed);
      listeners.add(
        live.gate.onDidChangeAllowance(() => {
          changed();
          arm();
        }),
      );
      redraw.request();
      arm();
      return listeners;
    }),
  );
  disposables.add({ dispose: () => timer?.dispose() });
  redraw.request();
  return disposables;
}

/** Follows what is shown of a connection, and tells what the user has to know of it. */
function followLive(
  live: LiveConnection,
  { clock, dialogs, notices, run, times }: StatusUpdatesUi,
  changed: () => void,
): DisposableList {
  const listeners = new DisposableList();
  listeners.add(live.gate.onDidChangeActivity(changed));
  listeners.add(live.cancelOnDisconnect.onDidChange(changed));
  listeners.add(notices.follow(live));
  listeners.add(
    createConnectionNotices(live, {
      clock,
      times,
      tell: (text) => dialogs.tellInPassing(plain`$(lock) ${text}`, END_TOLD_MS),
      warn: (text, view) =>
        dialogs.tell("warning", text, [
          view === "orders"
            ? { title: l10n.t("Show Orders"), run: () => run("tradingRpc.orders.focus") }
            : { title: l10n.t("Show Connections"), run: () => run("tradingRpc.connections.focus") },
        ]),
    }),
  );
  return listeners;
}

/** Whether a text with a number of seconds is on the screen. */
function isCountingDown({ state, gate }: LiveConnection, nowMs: number): boolean {
  return state.status === "waiting" || (allowedUntilMs(gate) ?? Infinity) - nowMs <= LAST_MINUTE_MS;
}

function othersOf(liveConnections: LiveConnections, connections: Connections): OtherConnection[] {
  return liveConnections.all.flatMap(({ record, gate }) => {
    const connection = connections.find(record.id);
    return connection === undefined || connection.isActive
      ? []
      : [
          {
            connection,
            changesAllowedUntilMs: gate.changesAllowedUntilMs,
            cancelsAllowedUntilMs: gate.cancelsAllowedUntilMs,
          },
        ];
  });
}
