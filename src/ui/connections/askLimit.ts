import type { AskLimit } from "../../actions/intent/question.ts";
import { commaProblem } from "../../actions/changes/orderLine.ts";
import { figureText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { TakeTurns } from "../editor/ask.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { askThen, resultAs, answerOf } from "../editor/walkSteps.ts";

/** Makes the function that asks whether trading is allowed on a connection, and within which limits. */
export function createAskLimit(dialogs: Pick<Dialogs, "askText">, takeTurns: TakeTurns): AskLimit {
  return async ({ place, present }) =>
    await takeTurns(async () => {
      const frame = { title: l10n.t("Allow Trading on {0}", plain.text(place)), totalSteps: 2 };
      let largest = textOf(present?.largestOrderUsd);
      const asked = await askThen(
        async () =>
          await dialogs.askText({
            ...frame,
            step: 1,
            prompt: l10n.t(
              "Orders and quotes can then be placed and edited on this connection until you use Disallow Trading. Each one still needs confirmation. Enter the largest order in USD. Larger ones are refused. Press Escape to allow nothing.",
            ),
            placeholder: l10n.t("Largest order in USD, for example 1000"),
            value: largest,
            problemOf: amountProblem,
          }),
        async (typed) => {
          const largestOrderUsd = usdOf(typed);
          largest = textOf(largestOrderUsd);
          const total = await dialogs.askText({
            ...frame,
            step: 2,
            prompt: l10n.t(
              "Enter the total of all orders in USD for the time in which trading is allowed. When it is used, further orders are refused. Reduce-only orders up to the position don't count.",
            ),
            placeholder: l10n.t("Total in USD, for example 10000"),
            value: textOf(present?.totalUsd),
            problemOf: (text) =>
              amountProblem(text) ??
              (usdOf(text) < largestOrderUsd
                ? l10n.t("Enter at least the largest order, {0} USD.", figureText(largestOrderUsd))
                : undefined),
          });
          return resultAs(total, (text) => ({ largestOrderUsd, totalUsd: usdOf(text) }));
        },
      );
      return answerOf(asked);
    });
}

function textOf(usd: number | undefined): string {
  return usd === undefined ? "" : String(usd);
}

function amountProblem(text: string): Plain | undefined {
  if (usdOf(text) > 0) return undefined;
  return commaProblem(text) ?? l10n.t("Enter an amount above 0, with digits and a decimal point only.");
}

/** Returns an amount of USD; 0 for a text that is none. */
function usdOf(text: string): number {
  return /^\d{1,12}(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : 0;
}
