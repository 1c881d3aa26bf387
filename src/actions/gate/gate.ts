import { bugText, toFailure } from "../../base/failure.ts";
import type { Disposable, Event } from "../../base/emitter.ts";
import { once } from "../../base/once.ts";
import { plain } from "../../base/plain.ts";
import { bareMethod } from "../../catalogue/index.ts";
import { createActivityList, type ActivityEntry } from "../journal/activity.ts";
import { createAllowance } from "./allowance.ts";
import type { GatePorts, SubmitOptions } from "./gatePorts.ts";
import type { TradingLimits } from "../../state/records.ts";
import type { Intent } from "../intent/intent.ts";
import type { Outcome } from "../judge/outcome.ts";
import type { RecordedIntent } from "../journal/recordedIntents.ts";
import type { Submission } from "./submission.ts";

export type { ActivityEntry };

/**
 * The only way out for requests of the user. It checks the parameters, decides by effect and environment, and asks.
 * Then it looks whether the situation is still the confirmed one, journals, and sends once.
 */
export interface Gate extends Omit<Submission, "dispose" | "resume"> {
  /**
   * Runs an intent to its outcome. Never throws; never sends more than one frame. The same write, submitted again while
   * the first is pending, joins it. A write on an object whose last outcome is unknown is refused, except another
   * cancel after a first look, which needs a confirmation.
   */
  submit(intent: Intent, options?: SubmitOptions): Promise<Outcome>;
  /** The intents of this window that change something, newest first: pending, settled, and what reading added. */
  readonly activity: readonly ActivityEntry[];
  readonly onDidChangeActivity: Event<ActivityEntry>;
  /**
   * The time until which all changes are allowed on production, in ms since the Unix epoch; undefined while read-only.
   */
  readonly changesAllowedUntilMs: number | undefined;
  /** The time until which only cancels are allowed on production, in ms since the Unix epoch. */
  readonly cancelsAllowedUntilMs: number | undefined;
  /** The limits of trading and what is used; undefined while it is not allowed, `Infinity` on the simulator. */
  readonly trading: TradingLimits | undefined;
  /** Fires when the permission to change something, or to trade, was given or ended here. */
  readonly onDidChangeAllowance: Event<void>;
  makeReadOnly(): void;
  /** Takes the permission to trade back. */
  disallowTrading(): Promise<void>;
  /** Reads the outcomes of intents as `Submission.resume` does, without counting as use. */
  resume(intents: readonly RecordedIntent[]): Promise<void>;
}

/**
 * Makes the gate of one connection. All that it does is loaded when something is submitted, allowed, or looked up for
 * the first time.
 */
export function createGate(ports: GatePorts): Gate & Disposable {
  const { log } = ports;
  const activity = createActivityList(ports);
  const allowance = createAllowance(ports);
  let isDisposed = false;
  let loaded: Submission | undefined;
  const submission = once(async (): Promise<Submission> => {
    const { createSubmission } = await import("./submission.ts");
    await ports.loadOutcomes?.();
    loaded = createSubmission({ ...ports, activity, allowance });
    if (isDisposed) loaded.dispose();
    return loaded;
  });
  /** Whatever the user asks for is use of the connection, and waits for a session that has to come back first. */
  const used = async (): Promise<Submission> => {
    await ports.use?.();
    return await submission();
  };
  const submitAll: Gate["submitAll"] = async (intents, describe, options) => {
    const work = await used().catch(toFailure);
    if ("kind" in work) return intents.map(() => ({ kind: "notSent", failure: work }));
    // Each method has one name from here on: what is checked, asked, sent, and written down is the same method.
    const named = intents.map((intent) => ({ ...intent, method: bareMethod(intent.method) }));
    return await work.submitAll(named, describe, options);
  };
  return {
    submit: async (intent, options) => (await submitAll([intent], () => intent.words, options))[0] ?? nothingSent(),
    submitAll,
    get activity() {
      return activity.entries;
    },
    onDidChangeActivity: activity.onDidChange,
    get changesAllowedUntilMs() {
      return allowance.untilMs;
    },
    get cancelsAllowedUntilMs() {
      return allowance.cancelsUntilMs;
    },
    onDidChangeAllowance: allowance.onDidChange,
    allowChanges: async () => await (await used()).allowChanges(),
    makeReadOnly: () => allowance.end(),
    get trading() {
      return allowance.trading;
    },
    allowTrading: async () => await (await used()).allowTrading(),
    disallowTrading: async () => await allowance.allowTrading(undefined),
    checkAgain: async (id) => await (await used()).checkAgain(id),
    async resume(intents) {
      if (intents.length === 0) return;
      await submission()
        .then((each) => each.resume(intents))
        .catch((error: unknown) => log.error(plain`Unknown outcomes can't be looked up: ${bugText(error)}`));
    },
    dispose() {
      isDisposed = true;
      loaded?.dispose();
      allowance.dispose();
      activity.dispose();
    },
  };
}

function nothingSent(): Outcome {
  return { kind: "notSent", failure: { kind: "bug", detail: "an intent without an outcome" } };
}
