import { isUnresolved } from "../../actions/journal/recordedIntents.ts";
import type { Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { journalTroubleText, leftOverText } from "../../present/activity/activityWords.ts";
import type { Ui } from "../ui.ts";

type ActivityNoticeUi = Pick<Ui, "dialogs" | "journals" | "log" | "run">;

/**
 * Tells once what earlier windows left with an unknown outcome. Also tells, each time it begins, that nothing can be
 * recorded.
 */
export function createActivityNotices(ui: ActivityNoticeUi): Disposable {
  const { journals, log } = ui;
  let trouble: Plain | undefined;
  void journals.refresh().then(() => tellLeftOver(ui));
  return journals.onDidChange(() => {
    if (journals.trouble === trouble) return;
    ({ trouble } = journals);
    if (trouble === undefined) return;
    const text = journalTroubleText(trouble);
    log.warn(text);
    ui.dialogs.tell("warning", text, [{ title: l10n.t("Show Log"), run: () => ui.run("tradingRpc.log.show") }]);
  });
}

function tellLeftOver({ journals, log, run, dialogs }: ActivityNoticeUi): void {
  const text = leftOverText(journals.intents);
  if (text === undefined) return;
  log.warn(text);
  const connections = [
    ...new Set(
      journals.intents
        .filter((intent) => isUnresolved(intent) && intent.holder !== "otherWindow")
        .map(({ connectionId }) => connectionId),
    ),
  ];
  const connect = (): void => run("tradingRpc.connection.connect", ...(connections.length === 1 ? connections : []));
  dialogs.tell("warning", text, [
    { title: l10n.t("Connect…"), run: connect },
    { title: l10n.t("Show Activity"), run: () => run("tradingRpc.activity.focus") },
  ]);
}
