import type { Dialogs } from "../../../src/ui/editor/dialogs.ts";
import type { Choice, Heading } from "../../../src/ui/editor/dialogSteps.ts";

/** The input for the steps of a command; each step takes what is meant for it. */
export interface Entered {
  /** Choices, by their values: a step takes the first of them that it offers. */
  readonly choices: readonly unknown[];
  /** The line of an order. */
  readonly line?: string;
  /** Options that are opened before the order is entered, in this order. */
  readonly options?: readonly ("label" | "isTaking")[];
  /** Texts, each by a part of the question; where none fits, what stands in the box stays. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Dialogs that are answered at once. A step without input is left. */
export function personAt({ choices, line = "", options = [], texts = {} }: Entered): Dialogs {
  const open = [...options];
  const offered = <T>(rows: readonly (Choice<T> | Heading)[]): readonly T[] =>
    rows.flatMap((row) => ("value" in row ? [row.value] : []));
  const unexpected = (): never => {
    throw new Error("trading does not ask for this");
  };
  return {
    tell: () => undefined,
    tellInPassing: () => ({ dispose: () => undefined }),
    askText: async ({ prompt, value, problemOf }) => {
      const [, text = value] = Object.entries(texts).find(([part]) => prompt.includes(part)) ?? [];
      return await Promise.resolve(problemOf?.(text) === undefined ? { kind: "next", value: text } : { kind: "left" });
    },
    askTextOrButton: unexpected,
    askChoice: async (step) => {
      const values = offered(step.choices);
      const wanted: readonly unknown[] = values.includes("isTaking" as never) ? [open.shift()] : choices;
      const index = values.findIndex((value) => wanted.includes(value));
      return await Promise.resolve(index < 0 ? { kind: "left" } : { kind: "next", value: values[index] as never });
    },
    askSeveral: unexpected,
    askList: async (step) => {
      const rows = offered(step.rows(line));
      // The side is asked in a list, too.
      const side = rows.find((value) => choices.includes(value as never));
      const selected = side ?? rows.find((value) => value === (open.length > 0 ? "more" : "order"));
      const value = step.accept({ selected: selected === undefined ? [] : [selected], active: [], typed: line });
      return await Promise.resolve(value === undefined ? { kind: "left" } : { kind: "next", value });
    },
    saveText: unexpected,
    chooseNewFile: unexpected,
    chooseFile: unexpected,
    openText: unexpected,
    progress: async (_frame, task) => await task(() => undefined),
  };
}
