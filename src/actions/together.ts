import type { Gate } from "./gate.ts";
import type { SubmitOptions } from "./submission.ts";
import type { SeveralIntents } from "./changes/orders.ts";
import type { Outcome } from "./outcome.ts";
import type { Ask, JointAsk, Question } from "./question.ts";

/* Several connections share one confirmation. Each gate still decides by its own policy whether it asks or refuses. */

/** The intents of one connection. */
export interface JointPart {
  readonly gate: Pick<Gate, "submitAll">;
  readonly several: SeveralIntents;
}

/** The decision of one gate about its part, at the time of the confirmation. */
export type JointDecision =
  /** The question that the gate would ask on its own. */
  | { readonly kind: "asks"; readonly question: Question }
  /** The gate needs no confirmation, or refuses: these are the outcomes. */
  | { readonly kind: "ended"; readonly outcomes: readonly Outcome[] };

export interface JointPorts {
  readonly ask: Ask;
  /** Returns the questions that are asked instead of those of the gates, all of them in this order. */
  readonly questions: (decisions: readonly JointDecision[]) => readonly Question[];
  readonly options?: Omit<SubmitOptions, "ask">;
}

/**
 * Submits the intents of several connections at the same time, with one confirmation for all that need one. Nothing is
 * asked where no gate asks. Returns the outcomes of each part, in the order of the parts. Never throws.
 */
export async function submitTogether(
  parts: readonly JointPart[],
  { ask, questions, options = {} }: JointPorts,
): Promise<readonly (readonly Outcome[])[]> {
  const decisions = new Map<number, JointDecision>();
  let settle: (isYes: boolean) => void = () => undefined;
  const consent = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const decide = (index: number, decision: JointDecision): void => {
    if (decisions.has(index)) return;
    decisions.set(index, decision);
    if (decisions.size < parts.length) return;
    const all = parts.flatMap((_part, each) => decisions.get(each) ?? []);
    if (!all.some(({ kind }) => kind === "asks")) return;
    void askAll(ask, questions(all)).then(settle, () => settle(false));
  };
  return await Promise.all(
    parts.map(async ({ gate, several: { intents, describe } }, index) => {
      const put: Ask = async (question) => {
        decide(index, { kind: "asks", question });
        return await consent;
      };
      const outcomes = await gate.submitAll(intents, describe, { ...options, ask: put as JointAsk });
      decide(index, { kind: "ended", outcomes });
      return outcomes;
    }),
  );
}

async function askAll(ask: Ask, questions: readonly Question[]): Promise<boolean> {
  for (const question of questions) if (!(await ask(question))) return false;
  return questions.length > 0;
}
