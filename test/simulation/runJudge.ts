import type { Intent } from "../../src/actions/intent/intent.ts";
import type { Plan, PlannedStep } from "../../src/requests/running/plan.ts";
import type { StepResult } from "../../src/requests/running/sequence.ts";
import type { FilledFile } from "./runFiles.ts";

/**
 * Watches one run of a request file: nothing behind the first failure, nothing after Stop, no write that was not
 * wanted.
 */
export interface RunJudge {
  /** The run submits something that changes something. */
  onSubmit(intent: Pick<Intent, "method" | "paramsText">): void;
  /** A frame with a mark has left; false where the mark is none of this run. */
  onMark(mark: number): boolean;
  onProgress(result: StepResult): void;
  onStopped(): void;
  onEnd(results: readonly StepResult[]): void;
}

export function createRunJudge(file: FilledFile, plan: Plan, complain: (text: string) => void): RunJudge {
  const sends = new Map<number, number>(file.marks.flatMap((mark) => (mark === undefined ? [] : [[mark, 0]])));
  const over = new Set<number>();
  const left = [...file.writes];
  let why: string | undefined;
  const markOf = (step: PlannedStep): number | undefined => file.marks[step.request.index];
  const batchOf = (step: PlannedStep): number => plan.batches.findIndex((batch) => batch.includes(step));
  const checkTold = (result: StepResult): void => {
    const { verdict, run } = result;
    const mark = markOf(result.step);
    const count = mark === undefined ? undefined : sends.get(mark);
    if (verdict === "notSent" && (count ?? 0) > 0) complain("the run says that a read was not sent, and it was");
    if (verdict === "passed" && count === 0) complain("the run says that a read passed, and it was not sent");
    if (verdict === "passed" && run.outcome.kind === "unknown") complain("the run says that an unknown outcome passed");
  };
  const isEnd = ({ verdict, step }: StepResult): boolean =>
    (verdict === "failed" || verdict === "notSent") && !step.request.run.goesOn;
  return {
    onSubmit({ method, paramsText }) {
      if (why !== undefined) complain(`the run went on with ${method} ${why}`);
      const index = left.findIndex(
        (each) => each.method === method && (each.params === "from a response" || isSame(each.params, paramsText)),
      );
      if (index < 0) complain(`the run sends a request that is not in the file: ${method} ${paramsText}`);
      else left.splice(index, 1);
    },
    onMark(mark) {
      const count = sends.get(mark);
      if (count === undefined) return false;
      sends.set(mark, count + 1);
      if (over.has(mark)) complain(`a read of the run left ${why ?? ""}`);
      return true;
    },
    onProgress(result) {
      if (!isEnd(result) || why !== undefined) return;
      why = `behind a failure: ${result.run.intent.method} ${result.verdict}`;
      const batch = batchOf(result.step);
      for (const step of plan.steps) {
        const mark = markOf(step);
        if (mark !== undefined && batchOf(step) > batch) over.add(mark);
      }
    },
    onStopped() {
      why ??= "after Stop";
      for (const mark of sends.keys()) over.add(mark);
    },
    onEnd(results) {
      if (results.length !== plan.steps.length)
        complain(`the run has ${results.length} results of ${plan.steps.length} requests`);
      const end = results.find(isEnd);
      for (const result of results) {
        if (
          end !== undefined &&
          batchOf(result.step) > batchOf(end.step) &&
          (result.verdict !== "notSent" || result.tries > 0)
        )
          complain(`the run says ${result.verdict} of a request behind a failure`);
        checkTold(result);
      }
    },
  };
}

function isSame(params: Readonly<Record<string, unknown>>, text: string): boolean {
  const sent = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return (
    Object.keys(sent).length === Object.keys(params).length &&
    Object.entries(params).every(([name, value]) => sent[name] === value)
  );
}
