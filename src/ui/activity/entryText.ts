import * as l10n from "../../base/l10n.ts";
import type { Journals } from "../../actions/journals.ts";
import { exportedIntent } from "../../present/activity/activity.ts";
import { intentSentences } from "../../present/activity/activityWords.ts";
import type { DocumentParts } from "../../present/text/documentAddress.ts";
import type { Times } from "../../present/text/times.ts";

/** Returns the text of an Activity entry's document. */
export function entryText(
  { activity: id }: DocumentParts,
  { journals, times }: { readonly journals: Pick<Journals, "intents">; readonly times: Times },
): string {
  const intent = journals.intents.find((each) => each.id === id);
  if (intent === undefined) return `// ${l10n.t("This item isn't available anymore.")}\n`;
  return [
    ...intentSentences(intent, times).map((sentence) => `// ${sentence}`),
    JSON.stringify(exportedIntent(intent, times), undefined, 2),
    "",
  ].join("\n");
}
