import * as l10n from "@vscode/l10n";
import type { AskLimit } from "../../actions/question.ts";
import { plain } from "../../base/plain.ts";
import type { TakeTurns } from "../editor/ask.ts";
import type { Dialogs } from "../editor/dialogs.ts";

/** Makes the function that asks whether trading is allowed on a connection, and how large an order may be. */
export function createAskLimit(dialogs: Pick<Dialogs, "askText">, takeTurns: TakeTurns): AskLimit {
  return async ({ place, presentUsd }) =>
    await takeTurns(async () => {
      const typed = await dialogs.askText({
        title: l10n.t("Allow Trading on {0}", plain.text(place)),
        prompt: l10n.t(
          "Orders and quotes can then be placed and edited on this connection until you use Disallow Trading. Each one still needs confirmation. Enter the largest order in USD. Larger ones are refused. Press Escape to allow nothing.",
        ),
        placeholder: l10n.t("Largest order in USD, for example 1000"),
        value: presentUsd === undefined ? "" : String(presentUsd),
        problemOf: (text) =>
          usdOf(text) === undefined
            ? l10n.t("Enter an amount above 0, with digits and a decimal point only.")
            : undefined,
      });
      return typed.kind === "next" ? usdOf(typed.value) : undefined;
    });
}

function usdOf(text: string): number | undefined {
  const usd = /^\d{1,12}(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : 0;
  return usd > 0 ? usd : undefined;
}
