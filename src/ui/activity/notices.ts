import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Journals } from "../../actions/journals.ts";
import { isUnresolved } from "../../actions/recordedIntents.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Log } from "../../base/log.ts";
import { journalTroubleText, leftOverText } from "../../present/activity/activityWords.ts";
import type { Run } from "../editor/handler.ts";

export interface ActivityNoticesPorts {
  readonly journals: Journals;
  readonly log: Log;
  readonly run: Run;
}

/**
 * Tells once what earlier windows left with an unknown outcome, and, each time it begins, that nothing can be recorded.
 */
export function createActivityNotices(ports: ActivityNoticesPorts): Disposable {
  const { journals, log } = ports;
  let trouble: string | undefined;
  void journals.refresh().then(async () => {
    await tellLeftOver(ports);
  });
  return journals.onDidChange(() => {
    if (journals.trouble === trouble) return;
    ({ trouble } = journals);
    if (trouble === undefined) return;
    const text = journalTroubleText(trouble);
    log.warn(text);
    const showLog = l10n.t("Show Log");
    void vscode.window.showWarningMessage(text, showLog).then((chosen) => {
      if (chosen === showLog) ports.run("tradingRpc.log.show");
    });
  });
}

async function tellLeftOver({ journals, log, run }: ActivityNoticesPorts): Promise<void> {
  const text = leftOverText(journals.intents);
  if (text === undefined) return;
  log.warn(text);
  const connections = [
    ...new Set(
      journals.intents
        .filter((intent) => isUnresolved(intent) && intent.holder !== "elsewhere")
        .map(({ connectionId }) => connectionId),
    ),
  ];
  const connect = l10n.t("Connect…");
  const show = l10n.t("Show Activity");
  const chosen = await vscode.window.showWarningMessage(text, connect, show);
  if (chosen === show) run("tradingRpc.activity.focus");
  if (chosen === connect) run("tradingRpc.connection.connect", ...(connections.length === 1 ? connections : []));
}
