import {
  cancelEverything,
  everythingQuestions,
  leftOver,
  LOOK_AGAIN_MS,
  type EverythingLine,
  type KnownEverything,
  type LeftOver,
} from "../../actions/changes/cancelEverything.ts";
import { missingForCommand } from "../../actions/changes/commandScopes.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { openAccounts, type LiveConnections } from "../../actions/connection/liveConnections.ts";
import { submitJointly, type JointDecision } from "../../actions/connection/jointSubmit.ts";
import { isDeclined } from "../../actions/judge/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { everythingLine, isAllCancelled, type EverythingOutcomes } from "../../present/outcomes/everythingLines.ts";
import { failureText } from "../../present/text/failureText.ts";
import { serviceOf } from "../../session/session.ts";
import { openOrders } from "../../state/orders.ts";
import { isCountable } from "../../state/snapshot.ts";
import type { Settings } from "../editor/settings.ts";
import type { Ui } from "../ui.ts";
import { createQuotesStore } from "../../state/quotes.ts";

type CancelEverythingPorts = Pick<Ui, "dialogs" | "ask" | "clock" | "run"> & {
  readonly liveConnections: Pick<LiveConnections, "all">;
  readonly settings: Pick<Settings, "connection">;
};

/**
 * Cancels all orders and quotes of every connection with an account. Those that are ready share one confirmation; each
 * is sent, read again, and told on its own. A connection that refuses is in the confirmation, and its reason in its
 * result. Throws `CallError` where no connection is open, or none has an API key.
 */
export async function runCancelEverything(ports: CancelEverythingPorts): Promise<void> {
  const parts = openAccounts(ports.liveConnections).map((live) => {
    const known = knownOf(live, ports.clock);
    return { live, known, gate: live.gate, several: cancelEverything(known, "palette", serviceOf(live.state)) };
  });
  const running = submitJointly(parts, {
    ask: ports.ask,
    clock: ports.clock,
    questions: (decisions) =>
      everythingQuestions(parts.flatMap(({ live, known }, index) => lineOf(live, known, decisions[index]))),
    options: { timeoutMs: ports.settings.connection().requestTimeoutMs },
  });
  await Promise.all(
    parts.map(async ({ live, known, several }, index) => {
      const outcomes = (await running[index]) ?? [];
      // Who said no needs no list of what was not sent.
      if (outcomes.some(isDeclined)) return;
      const left = outcomes.every(({ kind }) => kind === "notSent") ? undefined : await lookAgain(live, known, ports);
      showEverything({ place: live.place, intents: several.intents, outcomes, left }, ports);
    }),
  );
}

/** Reads the connection again after a while, and returns what is open; `unread` where that can't be read whole. */
async function lookAgain(
  live: LiveConnection,
  known: KnownEverything,
  { clock }: Pick<CancelEverythingPorts, "clock">,
): Promise<LeftOver | "unread"> {
  await new Promise<void>((resolve) => {
    clock.after(LOOK_AGAIN_MS, resolve);
  });
  const fromMs = clock.now();
  const stores = [live.orders, ...(known.quotes === undefined ? [] : [live.storeOf(createQuotesStore)])];
  await Promise.all(
    stores.map(async (store) => {
      await store.refresh();
      // A reading that was under way before may have begun too early.
      if ((store.snapshot.readAtMs ?? 0) < fromMs) await store.refresh();
    }),
  );
  const isRead = stores.every(({ snapshot }) => isCountable(snapshot, clock) && (snapshot.readAtMs ?? 0) >= fromMs);
  return isRead ? leftOver(known, knownOf(live, clock)) : "unread";
}

function knownOf(live: LiveConnection, clock: Clock): KnownEverything {
  const { orders } = live;
  const quotes = live.storeOf(createQuotesStore);
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
  if (decision.kind === "waits") return [{ place, known, refusal: undefined, question: undefined, isWaiting: true }];
  if (decision.kind === "asks") return [{ place, known, refusal: undefined, question: decision.question }];
  const failure = decision.outcomes.flatMap((each) => (each.kind === "notSent" ? [each.failure] : []))[0];
  const refusal = failure === undefined ? undefined : failureText(failure, "mass", place).happened;
  return [{ place, known, refusal, question: undefined }];
}

/** Shows the result of one connection, with a button: VS Code cuts a notification without one after one line. */
function showEverything(result: EverythingOutcomes, { dialogs, run }: CancelEverythingPorts): void {
  dialogs.tell(isAllCancelled(result) ? "information" : "warning", everythingLine(result), [
    { title: l10n.t("Show Activity"), run: () => run("tradingRpc.activity.focus") },
  ]);
}
