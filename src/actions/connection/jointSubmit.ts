import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Gate } from "../gate/gate.ts";
import type { SubmitOptions } from "../gate/gatePorts.ts";
import type { SeveralIntents } from "../changes/orders.ts";
import type { Outcome } from "../judge/outcome.ts";
import type { Ask, JointAsk, Question } from "../intent/question.ts";

/* Several connections share one confirmation. Each gate still decides by its own policy whether it asks or refuses. */

/** The decision of one gate about its part, at the time of the confirmation. */
export type JointDecision =
  /** The question that the gate would ask on its own. */
  | { readonly kind: "asks"; readonly question: Question }
  /** The gate needs no confirmation, or refuses: these are the outcomes. */
  | { readonly kind: "ended"; readonly outcomes: readonly Outcome[] }
  /** The gate is not ready to decide: it asks later, in a confirmation of its own. */
  | { readonly kind: "waits" };

interface JointPorts {
  readonly ask: Ask;
  readonly clock: Pick<Clock, "after">;
  /**
   * Returns the questions that are asked instead of those of the gates, all of them in this order. Gets the decisions
   * by part; undefined for a part that an earlier confirmation was about.
   */
  readonly questions: (decisions: readonly (JointDecision | undefined)[]) => readonly Question[];
  readonly options?: Omit<SubmitOptions, "ask">;
}

/**
 * The time in which gates join the confirmation of the first one, in ms. A gate that is ready decides within it; one
 * that waits for its connection must not keep the others.
 */
const JOIN_MS = 250;

/**
 * Submits the intents of several connections at the same time. The gates that are ready together share one
 * confirmation; each later one has its own. Nothing is asked where no gate asks. Returns the outcomes of each part, in
 * the order of the parts: no part waits for another. They never reject.
 */
export function submitJointly(
  parts: readonly { readonly gate: Pick<Gate, "submitAll">; readonly several: SeveralIntents }[],
  { ask, clock, questions, options = {} }: JointPorts,
): readonly Promise<readonly Outcome[]>[] {
  const asked = parts.map(() => createAnswer());
  /** The decisions that no confirmation was about yet. */
  let joined = new Map<number, Exclude<JointDecision, { kind: "waits" }>>();
  const decided = new Set<number>();
  let joining: Disposable | undefined;
  const confirm = (): void => {
    joining?.dispose();
    joining = undefined;
    const group = joined;
    joined = new Map();
    if (![...group.values()].some(({ kind }) => kind === "asks")) return;
    const decisions = parts.map((_part, index) => {
      const waits: JointDecision = { kind: "waits" };
      return group.get(index) ?? (decided.has(index) ? undefined : waits);
    });
    void askAll(ask, questions(decisions))
      .catch(() => false)
      .then((isYes) => {
        for (const index of group.keys()) asked[index]?.settle(isYes);
      });
  };
  const decide = (index: number, decision: Exclude<JointDecision, { kind: "waits" }>): void => {
    if (decided.has(index)) return;
    decided.add(index);
    joined.set(index, decision);
    if (decided.size === parts.length) confirm();
    else joining ??= clock.after(JOIN_MS, confirm);
  };
  return parts.map(async ({ gate, several: { intents, describe } }, index) => {
    const put: Ask = async (question) => {
      decide(index, { kind: "asks", question });
      return (await asked[index]?.given) ?? false;
    };
    const outcomes = await gate.submitAll(intents, describe, { ...options, ask: put as JointAsk });
    decide(index, { kind: "ended", outcomes });
    return outcomes;
  });
}

interface Answer {
  readonly given: Promise<boolean>;
  readonly settle: (isYes: boolean) => void;
}

function createAnswer(): Answer {
  let settle: (isYes: boolean) => void = () => undefined;
  const given = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { given, settle };
}

async function askAll(ask: Ask, questions: readonly Question[]): Promise<boolean> {
  for (const question of questions) if (!(await ask(question))) return false;
  return questions.length > 0;
}
