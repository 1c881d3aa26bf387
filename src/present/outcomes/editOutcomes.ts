import type { Intent } from "../../actions/intent/intent.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { countText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import { outcomeText } from "./outcomeText.ts";

/* What became of the edits of several orders, counted, and one by one. */

/** Returns the outcomes of several edits, counted. `place` names environment and connection. */
export function editsSummary(outcomes: readonly Outcome[], place: Plain): Plain {
  const count = (...kinds: readonly Outcome["kind"][]): number =>
    outcomes.filter((each) => kinds.includes(each.kind)).length;
  const parts: readonly (readonly [count: number, sentence: (count: Plain) => Plain])[] = [
    [count("confirmedOther"), (n) => l10n.t("{0} with a different result than requested.", n)],
    [count("rejected", "failed", "challenge"), (n) => l10n.t("{0} refused by the exchange.", n)],
    [count("unknown"), (n) => l10n.t("{0} with unknown outcome, being checked.", n)],
    [count("notSent"), (n) => l10n.t("{0} not sent.", n)],
  ];
  return plain.join(
    [
      l10n.t("{0} of {1} edited on {2}.", countText(count("confirmed")), countText(outcomes.length), place),
      ...parts.flatMap(([n, sentence]) => (n === 0 ? [] : [sentence(countText(n))])),
    ],
    " ",
  );
}

/** Returns the orders of several edits with their outcomes, in the order of the intents. */
export function editLines(
  intents: readonly Intent[],
  outcomes: readonly Outcome[],
  context: { readonly place: Plain; readonly times: Times },
): readonly { readonly target: Plain; readonly text: Plain }[] {
  return intents.flatMap((intent, index) => {
    const outcome = outcomes[index];
    const target = l10n.t("{0} · {1}", plain.text(intent.words.target), stateText(outcome));
    return outcome === undefined ? [] : [{ target, text: outcomeText(outcome, { intent, ...context }) }];
  });
}

function stateText(outcome: Outcome | undefined): Plain {
  switch (outcome?.kind) {
    case "confirmed":
      return l10n.t("edited");
    case "confirmedOther":
      return l10n.t("different result");
    case "rejected":
    case "failed":
    case "challenge":
      return l10n.t("refused");
    case "unknown":
      return l10n.t("outcome unknown");
    case "notSent":
    case undefined:
      return l10n.t("not sent");
  }
}
