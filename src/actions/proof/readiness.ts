import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Session, SessionState } from "../../session/session.ts";
import { identityKey } from "../intent/situation.ts";

/* Waiting until it can be read as the account that wrote, and no longer than it is worth. */

type WaitingSession = Pick<Session, "state" | "onDidChangeState">;

type Trouble = { readonly kind: "wait" } | { readonly kind: "over"; readonly reason: Plain };

/** Returns what prevents reading as the account that sent the write; undefined when nothing does. */
export function troubleOf(state: SessionState, identity: string): Trouble | undefined {
  switch (state.status) {
    case "ready":
      return identityKey(state.identity) === identity
        ? undefined
        : { kind: "over", reason: l10n.t("A different account is signed in now.") };
    case "connecting":
    case "authenticating":
    case "waiting":
      return { kind: "wait" };
    case "off":
      return { kind: "over", reason: l10n.t("The connection was closed.") };
    case "locked":
      return {
        kind: "over",
        reason: l10n.t("The connection is stopped, because signing in again needs your input. Use Connect… first."),
      };
  }
}

/** Waits until reading is possible. Resolves to the reason when it will not be, and to undefined also when aborted. */
export async function waitForReady(
  session: WaitingSession,
  identity: string,
  signal: AbortSignal,
): Promise<Plain | undefined> {
  const first = troubleOf(session.state, identity);
  if (first?.kind !== "wait" || signal.aborted) return first?.kind === "over" ? first.reason : undefined;
  return await new Promise((resolve) => {
    const finish = (reason: Plain | undefined): void => {
      listener.dispose();
      signal.removeEventListener("abort", onAbort);
      resolve(reason);
    };
    const onAbort = (): void => finish(undefined);
    const listener = session.onDidChangeState((state) => {
      const trouble = troubleOf(state, identity);
      if (trouble?.kind !== "wait") finish(trouble?.reason);
    });
    signal.addEventListener("abort", onAbort);
  });
}

/** Whether a signal has fired. The type checker's narrowing of `aborted` misses an abort during an `await`. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

export async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      timer.dispose();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = clock.after(delayMs, finish);
    signal.addEventListener("abort", finish);
  });
}

/** Returns a signal that fires with the outer one, or when the budget is spent after it was armed. */
export function startBudget(
  outer: AbortSignal,
  budgetMs: number,
): { readonly signal: AbortSignal; arm(clock: Clock): void; dispose(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer: { dispose(): void } | undefined;
  if (outer.aborted) abort();
  outer.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    arm(clock) {
      timer ??= clock.after(budgetMs, abort);
    },
    dispose() {
      timer?.dispose();
      outer.removeEventListener("abort", abort);
    },
  };
}
