import { toFailure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isBarred, type ReconcilerPorts } from "./orderReads.ts";
import type { OrderVerdict } from "../judge/outcome.ts";
import { isAborted } from "./readiness.ts";
import {
  afterRead,
  BUDGET_MS,
  noEffectText,
  notReadText,
  lookUntilSettled,
  unprovedText,
  unverified,
  watch,
  type Reconciler,
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
  | { readonly kind: "barred"; readonly reason: Plain };

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

/**
 * Makes the reconciler of a change whose object can be read whole. One read proves that it is as requested, or as
 * another party made it. That it still is as before needs two, well apart, and is watched for a while; after that it is
 * unknown, unless the change can't come any more. Reliability §2.4.
 */
export function createReadBackReconciler(ports: ReconcilerPorts, readBack: ReadBack): Reconciler {
  return {
    async verify(task) {
      const verdict = await settleShown(ports, readBack, task);
      if (task.signal.aborted) return;
      task.onVerdict(verdict);
      if (verdict.kind === "notApplied") await watchShown(ports, readBack, task, verdict.isFinal === true);
    },
  };
}

async function settleShown(ports: ReconcilerPorts, readBack: ReadBack, task: ReconcileTask): Promise<OrderVerdict> {
  const { clock } = ports;
  let isSeenUnchanged = false;
  return await lookUntilSettled<OrderVerdict>(ports, task, BUDGET_MS, {
    conclude: (trouble) => unverified(clock, trouble ?? unprovedText(BUDGET_MS)),
    async look() {
      // A response may come late, as after a sleep: what it says is as old as the question.
      const askedAtMs = clock.now();
      const shown = await read(ports, readBack, task);
      if (shown !== undefined && (!isUnchanged(shown) || isSeenUnchanged))
        return { result: verdictOf(shown, askedAtMs, false) };
      isSeenUnchanged ||= shown !== undefined;
      return afterRead(clock);
    },
  });
}

/** Watches, after "as before", whether the change took effect late after all, or can't any more. */
async function watchShown(
  ports: ReconcilerPorts,
  readBack: ReadBack,
  task: ReconcileTask,
  isFinal: boolean,
): Promise<void> {
  const { clock } = ports;
  const doubt = await watch(ports, task, async () => {
    const askedAtMs = clock.now();
    const shown = await read(ports, readBack, task);
    if (shown === undefined) return notReadText();
    if (shown.kind === "barred") return shown.reason;
    // Over a new link it may have become certain that it can't come any more.
    if (isUnchanged(shown) && (isFinal || shown.kind !== "never")) return noEffectText();
    if (!isAborted(task.signal)) task.onVerdict(verdictOf(shown, askedAtMs, true));
    return "over";
  });
  if (doubt !== undefined && !isFinal) task.onVerdict(unverified(clock, doubt));
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
