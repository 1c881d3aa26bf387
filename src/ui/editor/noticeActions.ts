import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Log } from "../../base/log.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Times } from "../../present/text/times.ts";
import type { Dialogs, NoticeAction } from "./dialogs.ts";
import type { OwnCommand, RunCommand } from "./handler.ts";
import { isRealMoney } from "../../state/records.ts";

/** What notices need of the window. */
export interface NoticeUi {
  readonly dialogs: Dialogs;
  readonly times: Times;
  readonly clock: Clock;
  readonly log: Log;
  readonly run: RunCommand;
}

/** The time that the success of a change stays in the status bar, in ms. */
export const GOOD_NEWS_MS = 8000;

/** Writes the stack of an internal error to the log, for bug reports: the message has no room for it. */
export function logStack(failure: Failure, log: Log): void {
  if (failure.kind === "bug")
    log.error(plain`Internal error: ${plain.text([failure.detail, ...(failure.stack ?? [])].join(" "))}`);
}

/** Returns the action that switches the account again, which is always confirmed. */
export function switchAction(
  { run }: NoticeUi,
  live: LiveConnection,
  wish: { readonly subjectId: number; readonly name?: string | undefined },
): NoticeAction {
  return { title: l10n.t("Switch Again…"), run: () => run("tradingRpc.account.switch", live.record.id, wish) };
}

/** Returns the actions that can fix a failure. */
export function actionsFor(failure: Failure, ui: NoticeUi, live?: LiveConnection): readonly NoticeAction[] {
  const run = (title: Plain, command: OwnCommand): NoticeAction => ({
    title,
    run: () => ui.run(command, ...(live === undefined ? [] : [live.record.id])),
  });
  if (failure.kind === "notConnected") return [run(l10n.t("Connect…"), "tradingRpc.connection.connect")];
  if (failure.kind === "noKey") return [run(l10n.t("Edit Connection…"), "tradingRpc.connection.edit")];
  const isReadOnly = isRealMoney(live?.environment) && live.gate.changesAllowedUntilMs === undefined;
  if (failure.kind === "refused" && isReadOnly)
    return [run(l10n.t("Allow Changes…"), "tradingRpc.connection.allowChanges")];
  return SAYS_ALL.has(failure.kind) ? [] : [logAction(ui)];
}

/** The failures about which the log has nothing beyond their sentence. */
const SAYS_ALL: ReadonlySet<Failure["kind"]> = new Set([
  "refused",
  "declined",
  "situationChanged",
  "invalidParams",
  "tooLarge",
  "stopped",
]);

export function logAction({ run }: NoticeUi): NoticeAction {
  return { title: l10n.t("Show Log"), run: () => run("tradingRpc.log.show") };
}
