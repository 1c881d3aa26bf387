import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { ISOLATED_LIQUIDATION_CHANNEL } from "../../actions/connection/isolatedMargin.ts";
import type { Plain } from "../../base/plain.ts";
import { alarmGapText, alarmText } from "../../present/alarms/alarmText.ts";
import { freezeAlarm, isolatedLiquidationOf, isWanted, type Alarm } from "../../state/alarmRules.ts";
import { AlarmWatch, type AlarmGap } from "../../state/alarms.ts";
import { createInstrumentFinder } from "../../state/instruments.ts";
import { groupKey, type MmpFreeze, type MmpGroup } from "../../state/mmpGroups.ts";
import type { NoticeAction } from "../editor/dialogs.ts";
import type { Found } from "../tree/resourceView.ts";
import type { Ui } from "../ui.ts";
import { createAlarmClaims, type AlarmClaims } from "./alarmClaims.ts";
import { createMmpStore } from "../../state/mmp.ts";

type AlarmUi = Pick<Ui, "clock" | "log" | "run" | "times"> & {
  readonly liveConnections: Pick<Ui["liveConnections"], "all" | "onDidOpen" | "onDidClose">;
  readonly settings: Pick<Ui["settings"], "alarms" | "onDidChange">;
  readonly dialogs: Pick<Ui["dialogs"], "tell">;
  /** Returns the message about a freeze of MMP. */
  readonly freezeText: (freeze: MmpFreeze, place: Plain) => Plain;
  /** Whether a connection leads to the simulator of this window, which no other window has. */
  readonly isOwnSimulator: (live: LiveConnection) => boolean;
  /** The folder in which the windows of this computer agree on who tells an alarm. */
  readonly folder: string;
  /** Called when the user resets a group that has just been frozen. */
  readonly onReset: (found: Found<MmpGroup>) => void;
};

/**
 * Watches every open connection, whether or not a view is shown, and tells each alarm once: in one window, and not
 * again after a reconnect.
 */
export function createAlarms(ui: AlarmUi, claims: AlarmClaims = createAlarmClaims(ui)): Disposable {
  const { liveConnections, settings } = ui;
  const disposables = new DisposableList();
  const watched = new Map<LiveConnection, Disposable>();
  const takeSetting = (): void => {
    const wanted = settings.alarms().isOn ? liveConnections.all : [];
    for (const each of [...watched.keys()]) if (!wanted.includes(each)) leave(each);
    for (const each of wanted)
      if (!watched.has(each)) watched.set(each, watch(each, { claims, isOver: () => disposables.isDisposed }, ui));
  };
  const leave = (each: LiveConnection): void => {
    watched.get(each)?.dispose();
    watched.delete(each);
  };
  disposables.add(settings.onDidChange(takeSetting));
  disposables.add(liveConnections.onDidOpen(takeSetting));
  disposables.add(liveConnections.onDidClose(leave));
  disposables.add({
    dispose: () => {
      for (const each of watched.values()) each.dispose();
    },
  });
  takeSetting();
  return disposables;
}

/** `isOver`: whether this window tells nothing any more. */
function watch(
  live: LiveConnection,
  { claims, isOver }: { readonly claims: AlarmClaims; readonly isOver: () => boolean },
  ui: AlarmUi,
): Disposable {
  const disposables = new DisposableList();
  const { settings, dialogs, log, run } = ui;
  const findInstrument = createInstrumentFinder();
  const alarmWatch = disposables.add(
    live.createStore(
      (storePorts) =>
        new AlarmWatch({
          ...storePorts,
          limits: () => settings.alarms(),
          instrumentOf: async (name) => findInstrument(await live.instruments.load(), name),
        }),
    ),
  );
  const told = new Map<string, number>();
  const isOurs = async (event: Pick<Alarm, "key" | "againAfterMs">): Promise<boolean> => {
    const account = accountOf(live, ui);
    // The built-in simulator belongs to its window, and begins again with the IDs that it had.
    if (account === undefined) return isNew(told, event, ui.clock);
    const isClaimed = await claims.claim(account, event);
    // The window that claimed it tells it, also when the connection was closed meanwhile; no other window does.
    if (isClaimed && isOver()) await claims.release(account, event.key);
    return isClaimed && !isOver();
  };
  const raise = async (alarm: Alarm): Promise<void> => {
    if (!isWanted(alarm, settings.alarms(), ui.isOwnSimulator(live)) || !(await isOurs(alarm))) return;
    const text = alarmText(alarm, live.place, ui.freezeText);
    log.warn(text);
    dialogs.tell(isGrave(alarm) ? "error" : "warning", text, actionsOf(live, alarm, ui));
  };
  const clear = (key: string): void => {
    told.delete(key);
    const account = accountOf(live, ui);
    if (account !== undefined) void claims.release(account, key);
  };
  disposables.add(
    live.followChannel(
      ISOLATED_LIQUIDATION_CHANNEL,
      (data) => {
        live.isolatedMargin.takeLiquidation();
        const alarm = isolatedLiquidationOf(data);
        if (alarm !== undefined) void raise(alarm);
      },
      () => undefined,
    ),
  );
  disposables.add(alarmWatch.onDidRaise((alarm) => void raise(alarm)));
  disposables.add(alarmWatch.onDidClear(clear));
  disposables.add(live.storeOf(createMmpStore).onDidFreeze((freeze) => void raise(freezeAlarm(freeze))));
  const tellGap = async (missed: AlarmGap): Promise<void> => {
    const gap = { ...missed, families: missed.families.filter((family) => !settings.alarms().off.has(family)) };
    if (gap.families.length === 0 || ui.isOwnSimulator(live) || !(await isOurs(gapClaim(gap)))) return;
    const text = alarmGapText(gap, live.place, ui.times);
    log.warn(text);
    dialogs.tell("warning", text, [{ title: l10n.t("Show Log"), run: () => run("tradingRpc.log.show") }]);
  };
  disposables.add(alarmWatch.onDidMiss((gap) => void tellGap(gap)));
  return disposables;
}

/** Returns what names an account in every window; undefined for one that only this window has. */
function accountOf(live: LiveConnection, { isOwnSimulator }: AlarmUi): string | undefined {
  if (isOwnSimulator(live)) return undefined;
  const { record, state } = live;
  const subject = state.status === "ready" ? state.identity.subject?.id : undefined;
  return JSON.stringify([record.url, record.clientId === "" ? record.id : record.clientId, subject ?? ""]);
}

/**
 * Returns what tells a gap from others: a missing right is told once, an outage each time. A time that can't be read is
 * that of one window: another one may have been connected.
 */
function gapClaim({ families, failure, span, isOfSlots }: AlarmGap): Pick<Alarm, "key" | "againAfterMs"> {
  const names = [...families, ...(isOfSlots === true ? ["isolated"] : [])].join(" ");
  if (span !== undefined) return { key: `gap ${names} ${String(span.fromMs)}` };
  const lasts = ["missingScope", "notOffered", "refused"].includes(failure.kind);
  return lasts ? { key: `gap ${names} ${failure.kind}` } : { key: `gap ${names}`, againAfterMs: OUTAGES_APART_MS };
}

/** The time in which the outages of several windows count as one, in ms. */
const OUTAGES_APART_MS = 60_000;

/** Whether an alarm was not told in this window yet. The call notes it as told. */
function isNew(
  told: Map<string, number>,
  { key, againAfterMs = Infinity }: Pick<Alarm, "key" | "againAfterMs">,
  clock: Clock,
): boolean {
  const before = told.get(key);
  const nowMs = clock.monotonicMs();
  if (before !== undefined && nowMs - before <= againAfterMs) return false;
  told.set(key, nowMs);
  return true;
}

function isGrave({ kind }: Alarm): boolean {
  return GRAVE.has(kind);
}

const GRAVE: ReadonlySet<Alarm["kind"]> = new Set([
  "liquidation",
  "isolatedLiquidation",
  "liquidationCancel",
  "lock",
  "margin",
]);

/** Returns the next step after an alarm; none where there is nothing to do here. */
function actionsOf(live: LiveConnection, alarm: Alarm, { run, onReset }: AlarmUi): readonly NoticeAction[] {
  switch (alarm.kind) {
    case "mmp": {
      const { freeze } = alarm;
      const { index_name, mmp_group, block_rfq } = freeze;
      const reset = (): void => {
        const listed = live.storeOf(createMmpStore).snapshot.items.get(groupKey(freeze));
        onReset({ live, item: listed ?? { index_name, mmp_group, block_rfq, config: undefined, freeze } });
      };
      return [
        { title: l10n.t("Reset…"), run: reset },
        { title: l10n.t("Show MMP"), run: () => run("tradingRpc.mmp.focus") },
      ];
    }
    case "isolatedLiquidation":
      return [{ title: l10n.t("Show Positions"), run: () => run("tradingRpc.positions.focus") }];
    case "liquidation":
    case "liquidationCancel":
    case "fill":
    case "lock":
    case "margin":
      return [{ title: l10n.t("Show Orders"), run: () => run("tradingRpc.orders.focus") }];
    case "platform":
    case "maintenance":
      return [];
  }
}
