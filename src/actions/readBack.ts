import { toFailure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import { isBarred } from "./orderReads.ts";
import type { OrderVerdict } from "./outcome.ts";
import { isAborted, pause, startBudget, troubleOf, waitForReady } from "./readiness.ts";
import {
  notReadText,
  SETTLE_MS,
  WATCH_PAUSES_MS,
  WATCH_S,
  type Reconciler,
  type ReconcilerPorts,
  type ReconcileTask,
} from "./reconcile.ts";

/** The result of one read about a change; `state` in words, e.g. `max_scope trade:read`. */
export type Shown =
  /** The requested state. `objectId`: the ID of what the change has made. */
  | { readonly kind: "asAsked"; readonly state?: string; readonly objectId?: string }
  /** A state that does not show the change yet: the previous one, or where that is not known, not the requested one. */
  | { readonly kind: "asBefore"; readonly state: string }
  /** A state in which the change can't come any more. */
  | { readonly kind: "never"; readonly state: string }
  /** A state that another party has set: neither the requested nor the previous one. */
  | { readonly kind: "other"; readonly state: string }
  /** A missing object, which does not say why it is gone. */
  | { readonly kind: "gone" }
  /** A read that is not possible, and the reason. */
  | { readonly kind: "barred"; readonly reason: string };

/**
 * The span in which a request was sent, in ms since the Unix epoch on the exchange's clock. Its two ends differ most
 * where the computer slept or its clock was set since: what was made between them may be earlier or later than the
 * request.
 */
export interface SentSpan {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Reads what a change was about. Throws `CallError`; what the server does not offer ends the looking. */
export type ReadBack = (task: ReconcileTask) => Promise<Shown>;

/** The time that reading is tried once the session is ready again, in ms. Reliability §2.1. */
const BUDGET_MS = 60_000;

/**
 * Makes the reconciler of a change whose object can be read whole. One read proves that it is as requested, or as
 * another party made it. That it still is as before needs two, well apart, and is watched for a while; after that it is
 * unknown, unless the change can't come any more. Reliability §2.4.
 */
export function createReadBackReconciler(ports: ReconcilerPorts, readBack: ReadBack): Reconciler {
  return {
    async verify(task) {
      const verdict = await settle(ports, readBack, task);
      if (task.signal.aborted) return;
      task.onVerdict(verdict);
      if (verdict.kind === "notApplied") await watch(ports, readBack, task, verdict.isFinal === true);
    },
    // The refusal says that it is as it was.
    look: async () => await Promise.resolve(undefined),
  };
}

async function settle(ports: ReconcilerPorts, readBack: ReadBack, task: ReconcileTask): Promise<OrderVerdict> {
  const { clock, session } = ports;
  const budget = startBudget(task.signal, BUDGET_MS);
  let dueMs = task.sentAtMs + SETTLE_MS;
  let isSeenUnchanged = false;
  try {
    for (;;) {
      const trouble = await waitForReady(session, task.identity, budget.signal);
      if (trouble !== undefined) return { kind: "unverified", atMs: clock.now(), reason: trouble };
      budget.arm(clock);
      await pause(clock, Math.max(0, dueMs - clock.monotonicMs()), budget.signal);
      if (budget.signal.aborted)
        return {
          kind: "unverified",
          atMs: clock.now(),
          reason: l10n.t("No response proved the outcome within 60 seconds."),
        };
      // Another account may have come while it waited: what that one sees says nothing of ours.
      if (troubleOf(session.state, task.identity) !== undefined) continue;
      // A response may come late, as after a sleep: what it says is as old as the question.
      const askedAtMs = clock.now();
      const shown = await read(ports, readBack, task);
      dueMs = clock.monotonicMs() + SETTLE_MS;
      if (shown === undefined) continue;
      if (!isUnchanged(shown) || isSeenUnchanged) return verdictOf(shown, askedAtMs, false);
      isSeenUnchanged = true;
    }
  } finally {
    budget.dispose();
  }
}

/**
 * Looks now and then, after "as before", whether the change took effect late after all, or can't any more. Until then
 * it is unknown.
 */
async function watch(ports: ReconcilerPorts, readBack: ReadBack, task: ReconcileTask, isFinal: boolean): Promise<void> {
  // Why the last look showed nothing; undefined where it showed no effect.
  let doubt: string | undefined;
  for (const pauseMs of WATCH_PAUSES_MS) {
    await pause(ports.clock, pauseMs, task.signal);
    if (task.signal.aborted) return;
    doubt = notReadText();
    if (troubleOf(ports.session.state, task.identity) !== undefined) continue;
    const askedAtMs = ports.clock.now();
    const shown = await read(ports, readBack, task);
    if (isAborted(task.signal)) return;
    if (shown === undefined) continue;
    doubt = shown.kind === "barred" ? shown.reason : undefined;
    // Over a new link it may have become certain that it can't come any more.
    if (shown.kind === "barred" || (isUnchanged(shown) && (isFinal || shown.kind !== "never"))) continue;
    task.onVerdict(verdictOf(shown, askedAtMs, true));
    return;
  }
  if (isFinal || troubleOf(ports.session.state, task.identity) !== undefined) return;
  const reason = doubt ?? l10n.t("It had no effect after {0} s of watching, but it may still take effect.", WATCH_S);
  task.onVerdict({ kind: "unverified", atMs: ports.clock.now(), reason });
}

function isUnchanged({ kind }: Shown): boolean {
  return kind === "asBefore" || kind === "never";
}

/** Returns the result of one read; undefined when it failed and another one may not. */
async function read(
  { log, session }: ReconcilerPorts,
  readBack: ReadBack,
  task: ReconcileTask,
): Promise<Shown | undefined> {
  const { state: before } = session;
  try {
    const shown = await readBack(task);
    // It may take several calls, and a typed code: all of them have to be of one sign-in.
    const { state: after } = session;
    if (before.status !== "ready" || after.status !== "ready" || before.generation !== after.generation)
      return undefined;
    task.onRead();
    return shown;
  } catch (thrown) {
    const failure = toFailure(thrown);
    log.debug(plain`the outcome of ${plain.text(task.intent.method)} could not be read: ${failure.kind}`);
    return isBarred(failure)
      ? {
          kind: "barred",
          reason: l10n.t("This server or API key doesn't support the read request that would show the outcome."),
        }
      : undefined;
  }
}

function verdictOf(shown: Shown, atMs: number, isLate: boolean): OrderVerdict {
  switch (shown.kind) {
    case "asAsked":
      return {
        kind: "applied",
        atMs,
        cause: undefined,
        isLate,
        ...(shown.state === undefined ? {} : { state: shown.state }),
        ...(shown.objectId === undefined ? {} : { objectId: shown.objectId }),
      };
    case "asBefore":
      return { kind: "notApplied", atMs, state: shown.state };
    case "never":
      return { kind: "notApplied", atMs, state: shown.state, isFinal: true };
    case "other":
      return { kind: "other", atMs, state: shown.state };
    case "gone":
      return { kind: "gone", atMs };
    case "barred":
      return { kind: "unverified", atMs, reason: shown.reason };
  }
}
