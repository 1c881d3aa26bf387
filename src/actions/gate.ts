import { bugText, toFailure } from "../base/failure.ts";
import type { Disposable, Event } from "../base/emitter.ts";
import { once } from "../base/once.ts";
import { plain } from "../base/plain.ts";
import { bareMethod } from "../catalogue/index.ts";
import { createActivityList, type ActivityEntry } from "./activity.ts";
import { createAllowance, tradingIn, type TradingStore } from "./allowance.ts";
import type { TradingLimits } from "../state/records.ts";
import type { Intent, IntentWords } from "./intent.ts";
import type { Outcome } from "./outcome.ts";
import type { Reconciler } from "./reconcile.ts";
import type { RecordedIntent } from "./recordedIntents.ts";
import type { Submission, SubmissionPorts, SubmitOptions } from "./submission.ts";

export type { ActivityEntry };

/**
 * The only way out for requests of the user. It checks the parameters, decides by effect and environment, and asks.
 * Then it looks whether the situation is still the confirmed one, journals, and sends once.
 */
export interface Gate {
  /**
   * Runs an intent to its outcome. Never throws; never sends more than one frame. The same write, submitted again while
   * the first is pending, joins it. A write on an object whose last outcome is unknown is refused, except another
   * cancel after a first look, which needs a confirmation.
   */
  submit(intent: Intent, options?: SubmitOptions): Promise<Outcome>;
  /**
   * Runs several intents with one confirmation for all that change something. Then each is one frame with one outcome,
   * in the order of the intents. `describe` makes the words of that confirmation from its intents: not those already
   * under way, or refused without asking. Never throws.
   */
  submitAll(
    intents: readonly Intent[],
    describe: (intents: readonly Intent[]) => IntentWords,
    options?: SubmitOptions,
  ): Promise<Outcome[]>;
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
  /** Asks and then allows changes on production for a while. Resolves to whether they are allowed. */
  allowChanges(): Promise<boolean>;
  makeReadOnly(): void;
  /**
   * Asks for the limits and then allows trading until it is taken back. Resolves to whether trading is allowed. Throws
   * `refused` where the setting turns trading off.
   */
  allowTrading(): Promise<boolean>;
  /** Takes the permission to trade back. */
  disallowTrading(): Promise<void>;
  /** Looks again, for the user, at an entry whose outcome is unknown or unverified; resolves with the first verdict. */
  checkAgain(id: string): Promise<void>;
  /**
   * Reads the outcomes of intents of ended runs, newest first, and of this run's that an earlier session generation
   * left unproved. Asks for no confirmation. Leaves alone what an account other than the signed-in one has sent.
   */
  resume(intents: readonly RecordedIntent[]): Promise<void>;
}

/** What the gate needs of a connection, beside what it makes itself. */
export interface GatePorts extends Omit<SubmissionPorts, "activity" | "allowance" | "reconcilerOf"> {
  /** Letters and digits that make the ids of intents differ from those of every other run. */
  readonly runId?: string | undefined;
  /** The permission to trade; left out, there is none but on the simulator. */
  readonly trading?: TradingStore | undefined;
  /** Loads what returns the reconciler that reads the outcome of an intent; undefined where it cannot be read. */
  readonly reconcilers: () => Promise<(intent: Intent) => Reconciler | undefined>;
  /** Loads what tells the user of outcomes. Without it nothing is sent, because the outcome could not be told. */
  readonly loadOutcomes?: () => Promise<unknown>;
}

/**
 * Makes the gate of one connection. All that it does is loaded when something is submitted, allowed, or looked up for
 * the first time.
 */
export function createGate(ports: GatePorts): Gate & Disposable {
  const { clock, log, session } = ports;
  const activity = createActivityList({ connectionId: ports.connectionId, runId: ports.runId, clock, log });
  const allowance = createAllowance({
    clock,
    session,
    log,
    windowMinutes: () => ports.settings().allowChangesMinutes,
    trading: () => tradingIn(ports.environment(), ports.settings().allowTrading, ports.trading),
    keepTrading: ports.trading?.keep,
  });
  let isDisposed = false;
  let loaded: Submission | undefined;
  const submission = once(async (): Promise<Submission> => {
    const { createSubmission } = await import("./submission.ts");
    const [reconcilerOf] = await Promise.all([ports.reconcilers(), ports.loadOutcomes?.()]);
    loaded = createSubmission({ ...ports, activity, allowance, reconcilerOf });
    if (isDisposed) loaded.dispose();
    return loaded;
  });
  const submitAll: Gate["submitAll"] = async (intents, describe, options = {}) => {
    const work = await submission().catch(toFailure);
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
    allowChanges: async () => await (await submission()).allowChanges(),
    makeReadOnly: () => allowance.end(),
    get trading() {
      return allowance.trading;
    },
    allowTrading: async () => await (await submission()).allowTrading(),
    disallowTrading: async () => await allowance.allowTrading(undefined),
    checkAgain: async (id) => await (await submission()).checkAgain(id),
    async resume(intents) {
      if (intents.length === 0) return;
      await submission()
        .then((each) => intents.forEach((intent) => each.resume(intent)))
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
