import * as l10n from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Journals } from "../../actions/journals.ts";
import { exportedIntent } from "../../present/activity/activity.ts";
import { intentSentences } from "../../present/activity/activityWords.ts";
import type { Times } from "../../present/text/times.ts";

/** Returns the text of an Activity entry's document; undefined where the address is not one of these. */
export function entryText(
  uri: vscode.Uri,
  { journals, times }: { readonly journals: Pick<Journals, "intents">; readonly times: Times },
): string | undefined {
  const id = entryIdOf(uri);
  if (id === undefined) return undefined;
  const intent = journals.intents.find((each) => each.id === id);
  if (intent === undefined) return `// ${l10n.t("This entry is not kept any more.")}\n`;
  return [
    ...intentSentences(intent, times).map((sentence) => `// ${sentence}`),
    JSON.stringify(exportedIntent(intent, times), undefined, 2),
    "",
  ].join("\n");
}

function entryIdOf(uri: vscode.Uri): string | undefined {
  try {
    const { activity } = JSON.parse(uri.query) as { readonly activity?: unknown };
    return typeof activity === "string" ? activity : undefined;
  } catch {
    return undefined;
  }
}
