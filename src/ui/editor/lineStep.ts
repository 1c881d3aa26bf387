import { withoutDigitSpaces } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Choice, DialogResult, Heading, StepFrame } from "./dialogSteps.ts";

/** What a typed line means, as a row; or the reason why it is not valid, as a sentence. */
export type LineMeaning = Pick<Choice<unknown>, "label" | "description" | "detail"> | { readonly problem: Plain };

interface LineStep<End> {
  readonly frame: StepFrame;
  readonly placeholder: Plain;
  readonly typed: string;
  /** Returns the prices, with their age. */
  readonly market: () => Plain;
  readonly meaningOf: (typed: string) => LineMeaning;
  /** Further ways on, below the prices. */
  readonly others: readonly Choice<End>[];
}

/**
 * Asks for the line of an order. What it means, or why it is not valid, follows what is typed, and Enter takes nothing
 * that is not valid.
 */
export async function askLineStep<End>(
  { frame, placeholder, typed: first, market, meaningOf, others }: LineStep<End>,
  dialogs: Pick<Dialogs, "askList">,
): Promise<DialogResult<{ readonly end: End | "order"; readonly typed: string }>> {
  const { title, ...step } = frame;
  const rows = (typed: string): readonly (Choice<End | "order"> | Heading)[] => {
    const meaning = meaningOf(withoutDigitSpaces(typed));
    const row =
      "problem" in meaning ? { label: warnedText(meaning.problem), description: "" as const } : { ...meaning };
    return [{ ...row, alwaysShow: true, value: "order" }, { heading: market() }, ...others];
  };
  return await dialogs.askList<End | "order", { readonly end: End | "order"; readonly typed: string }>({
    ...step,
    title: () => l10n.t("{0} · {1}", title, market()),
    placeholder,
    typed: first,
    isTypedForFirst: true,
    rows,
    accept({ selected: [end = "order"], typed: shown }) {
      // A number that is shown somewhere else has spaces between its digits.
      const typed = withoutDigitSpaces(shown);
      return end === "order" && "problem" in meaningOf(typed) ? undefined : { end, typed };
    },
  });
}

/** Returns a sentence with the sign of a warning. */
export function warnedText(sentence: Plain): Plain {
  return l10n.t("$(warning) {0}", sentence);
}
