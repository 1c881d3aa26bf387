import assert from "node:assert/strict";
import { withoutDigitSpaces } from "../../../src/base/decimal.ts";
import type { Dialogs } from "../../../src/ui/editor/dialogs.ts";
import type { Choice, Heading, StepFrame, DialogResult } from "../../../src/ui/editor/dialogSteps.ts";

/**
 * The answer to a step: a text that is entered, or the beginning of the label that is chosen; of several those that
 * are selected; a button that is pressed, by the beginning of its tooltip; the way back; or Escape.
 */
export type ScriptedAnswer = string | readonly string[] | { readonly press: string } | typeof BACK | typeof LEAVE;

export const BACK = { back: true } as const;
export const LEAVE = { left: true } as const;

export interface ScriptedDialogs {
  readonly dialogs: Dialogs;
  /** What was shown, in order: each step with its title, what it asks and what it offers, and what was said. */
  readonly shown: readonly string[];
  /** Everything was answered that was scripted. */
  readonly done: () => void;
}

/** Dialogs with the answers of the test. After an answer that a step refuses, the next one is taken for it. */
export function scriptedDialogs(...answers: readonly ScriptedAnswer[]): ScriptedDialogs {
  const shown: string[] = [];
  const left = [...answers];
  const frameText = ({ title, step, totalSteps }: StepFrame): string =>
    step === undefined ? title : `${title} ${step}/${totalSteps ?? 1}`;
  /** Answers a step until it is taken. */
  const ask = async <T>(
    frame: StepFrame,
    text: string,
    take: (answer: string | readonly string[]) => { readonly value: T } | string,
  ): Promise<DialogResult<T>> => {
    shown.push(`${frameText(frame)}: ${text}`);
    for (;;) {
      const answer = left.shift();
      assert.ok(answer !== undefined, `no answer to ${shown.at(-1) ?? ""}`);
      await Promise.resolve();
      if (answer === LEAVE) return { kind: "left" };
      if (answer === BACK) {
        assert.ok(frame.isWithin === true || (frame.step ?? 1) > 1, `no way back from ${frameText(frame)}`);
        return { kind: "back" };
      }
      const taken = take(answer as string | readonly string[]);
      if (typeof taken !== "string") return { kind: "next", value: taken.value };
      shown.push(`refused: ${taken}`);
    }
  };
  const told =
    (level: string) =>
    (text: string): void =>
      void shown.push(`${level}: ${text}`);
  return {
    shown,
    done: () => assert.deepEqual(left, [], "unused answers"),
    dialogs: {
      tell: (level, text) => told(level)(text),
      tellInPassing(text) {
        told("passing")(text);
        return { dispose: () => undefined };
      },
      askText: async (step) =>
        await ask(
          step,
          [step.prompt, ...(step.complaint === undefined ? [] : [step.complaint]), `[${step.value}]`].join(" "),
          (answer) => {
            const value = step.isVerbatim === true ? String(answer) : String(answer).trim();
            return step.problemOf?.(value) ?? { value };
          },
        ),
      async askTextOrButton(step, buttons) {
        const next = left[0];
        if (typeof next !== "object" || !("press" in next)) return await this.askText(step);
        left.shift();
        const [button] = buttons.filter(({ tooltip }) => tooltip.startsWith(next.press));
        assert.ok(
          button !== undefined,
          `${next.press} is not one of ${buttons.map(({ tooltip }) => tooltip).join(", ")}`,
        );
        shown.push(`${frameText(step)}: ${step.prompt} (${button.tooltip})`);
        return await Promise.resolve({ kind: "button", button, typed: step.value });
      },
      askChoice: async (step) =>
        await ask(step, `${step.placeholder} ${labelsOf(step.choices)}`, (answer) => ({
          value: chosen(step.choices, String(answer)),
        })),
      askSeveral: async (step) =>
        await ask(
          step,
          `${step.placeholder} ${labelsOf(step.choices)} ticked ${labelsOf(step.choices.filter(({ value }) => step.isTicked(value)))}`,
          (answer) => {
            const values = [answer].flat().map((label) => chosen(step.choices, label));
            return step.problemOf?.(values) ?? { value: values };
          },
        ),
      async askList({ title, ...step }) {
        await step.load?.();
        let typed = step.typed ?? "";
        return await ask({ ...step, title: title() }, `${step.placeholder} ${labelsOf(step.rows(typed))}`, (answer) => {
          if (typeof answer === "string" && answer.startsWith("type ")) {
            typed = answer.slice("type ".length);
            return labelsOf(step.rows(typed));
          }
          const rows = step.rows(typed);
          const selected = answer === "" ? [] : [answer].flat().map((label) => chosen(rows, label));
          const active = step.isMany === true ? [] : selected;
          const value = step.accept({ selected, active, typed });
          return value === undefined ? `${title()} ${labelsOf(step.rows(typed))}` : { value };
        });
      },
      async saveText({ name }, text) {
        shown.push(`saved ${name}: ${text()}`);
        return await Promise.resolve(true);
      },
      chooseNewFile: async () => await Promise.resolve(undefined),
      chooseFile: async () => await Promise.resolve(undefined),
      openText: async () => await Promise.resolve(undefined),
      async progress({ title = "" }, task) {
        shown.push(`progress: ${title}`);
        return await task(told("progress"));
      },
    },
  };
}

function labelsOf(rows: readonly (Choice<unknown> | Heading)[]): string {
  return `<${rows.map((row) => ("heading" in row ? `-- ${row.heading}` : row.label)).join(" | ")}>`;
}

/** The row that reads like this, else the only one that begins like this. Spaces between digits don't matter. */
function chosen<T>(rows: readonly (Choice<T> | Heading)[], label: string): T {
  const choices = rows.flatMap((row) => ("value" in row ? [{ ...row, label: withoutDigitSpaces(row.label) }] : []));
  const plainDigits = withoutDigitSpaces(label);
  const found = choices.filter((each) => each.label === plainDigits);
  const [only, ...others] = found.length > 0 ? found : choices.filter((each) => each.label.startsWith(plainDigits));
  assert.ok(only !== undefined && others.length === 0, `${label} is not one of ${labelsOf(rows)}`);
  return only.value;
}
