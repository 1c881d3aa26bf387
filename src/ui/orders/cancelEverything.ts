import * as l10n from "@vscode/l10n";
import {
  cancelEverything,
  everythingQuestions,
  type EverythingLine,
  type KnownEverything,
} from "../../actions/changes/cancelEverything.ts";
import { missingForCommand } from "../../actions/commandScopes.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import type { Ask } from "../../actions/question.ts";
import { submitTogether, type JointDecision } from "../../actions/together.ts";
import type { Clock } from "../../base/clock.ts";
import { everythingLine, isAllCancelled, type EverythingOutcomes } from "../../present/outcomes/everythingLines.ts";
import { failureText } from "../../present/text/failureText.ts";
import { openOrders } from "../../state/orders.ts";
import { isCountable } from "../../state/snapshot.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { GOOD_NEWS_MS } from "../editor/noticeActions.ts";
import type { Settings } from "../editor/settings.ts";

export interface CancelEverythingPorts {
  readonly dialogs: Dialogs;
  readonly liveConnections: Pick<LiveConnections, "all">;
  readonly settings: Pick<Settings, "connection">;
  /** Puts one confirmation at a time. */
  readonly ask: Ask;
  readonly clock: Clock;
}

/**
 * Cancels all orders and quotes of every connection with an account: one confirmation, then one call each at the same
 * time. A connection that refuses is in the confirmation and in the result, with its reason. Throws `CallError` where
 * no connection is open, or none has an API key.
 */
export async function runCancelEverything(ports: CancelEverythingPorts): Promise<void> {
  const parts = openAccounts(ports.liveConnections).map((live) => {
    const known = knownOf(live, ports.clock);
    return { live, known, gate: live.gate, several: cancelEverything(known, "palette") };
  });
  const outcomes = await submitTogether(parts, {
    ask: ports.ask,
    questions: (decisions) =>
      everythingQuestions(parts.flatMap(({ live, known }, index) => lineOf(live, known, decisions[index]))),
    options: { timeoutMs: ports.settings.connection().requestTimeoutMs },
  });
  showEverything(
    parts.map(({ live, several }, index) => ({
      place: live.place,
      intents: several.intents,
      outcomes: outcomes[index] ?? [],
    })),
    ports.dialogs,
  );
}

function knownOf(live: LiveConnection, clock: Clock): KnownEverything {
  const { orders, quotes } = live;
  const mayCancelQuotes = missingForCommand("quote.cancelAll", [live.state]) === undefined;
  return {
    orders: { orders: openOrders(orders.snapshot), isCounted: isCountable(orders.snapshot, clock), hiddenCount: 0 },
    quotes: mayCancelQuotes
      ? { quotes: [...quotes.snapshot.items.values()], isCounted: isCountable(quotes.snapshot, clock) }
      : undefined,
  };
}

function lineOf(
  live: LiveConnection,
  known: KnownEverything,
  decision: JointDecision | undefined,
): readonly EverythingLine[] {
  const { place } = live;
  if (decision === undefined) return [];
  if (decision.kind === "asks") return [{ place, known, refusal: undefined, question: decision.question }];
  const failure = decision.outcomes.flatMap((each) => (each.kind === "notSent" ? [each.failure] : []))[0];
  const refusal = failure === undefined ? undefined : failureText(failure, "mass", place).happened;
  return [{ place, known, refusal, question: undefined }];
}

function showEverything(all: readonly EverythingOutcomes[], dialogs: Dialogs): void {
  const isDeclined = all
    .flatMap(({ outcomes }) => outcomes)
    .some((each) => each.kind === "notSent" && each.failure.kind === "declined");
  // Who said no needs no list of what was not sent.
  if (isDeclined) return;
  const lines = all.map(everythingLine);
  const text = [l10n.t("Cancel Everything:"), ...lines].join(" ");
  if (all.every(isAllCancelled)) {
    dialogs.tellInPassing(`$(check) ${text}`, GOOD_NEWS_MS);
    return;
  }
  dialogs.tell("warning", text, [{ title: l10n.t("Show Each"), run: async () => await showLines(lines, dialogs) }]);
}

async function showLines(lines: readonly string[], dialogs: Dialogs): Promise<void> {
  await dialogs.askChoice({
    title: l10n.t("Cancel Everything"),
    isFleeting: true,
    placeholder: l10n.t("Search connections"),
    choices: lines.map((line) => ({ label: line, value: line })),
  });
}
