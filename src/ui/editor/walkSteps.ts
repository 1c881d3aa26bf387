import type { DialogResult, StepFrame } from "./dialogSteps.ts";

/** The result of a step: what it changes in the draft, also on the way back, and where it leads if not on. */
export interface StepAnswer<Draft, Name> {
  readonly kind: DialogResult<never>["kind"];
  readonly value?: Partial<Draft>;
  readonly to?: Name;
}

/** The result of all steps: `next` after the last one, `back` before the first one. */
export interface Walked<Draft> {
  readonly kind: DialogResult<never>["kind"];
  readonly draft: Draft;
}

/**
 * Asks step by step. `stepsOf` returns the steps that the responses so far call for, so that others are skipped; going
 * back loses nothing that was entered. `first`: the step to begin with, if not the first one.
 */
export async function walkSteps<Draft extends object, Name extends string>(
  start: Draft,
  stepsOf: (draft: Draft) => readonly Name[],
  ask: (
    step: Name,
    draft: Draft,
    numbers: Required<Pick<StepFrame, "step" | "totalSteps">>,
  ) => Promise<StepAnswer<Draft, Name>>,
  first?: Name,
): Promise<Walked<Draft>> {
  let draft = start;
  let name = first ?? stepsOf(draft)[0];
  while (name !== undefined) {
    const steps = stepsOf(draft);
    const { kind, value, to } = await ask(name, draft, { step: steps.indexOf(name) + 1, totalSteps: steps.length });
    draft = { ...draft, ...value };
    if (kind === "left") return { kind, draft };
    const now = stepsOf(draft);
    const index = now.indexOf(name) + (kind === "next" ? 1 : -1);
    if (index < 0) return { kind: "back", draft };
    name = to ?? now[index];
  }
  return { kind: "next", draft };
}

/** Asks for something, and then for what depends on it; Back from there leads to the first question again. */
export async function askThen<First, Last>(
  ask: () => Promise<DialogResult<First>>,
  then: (value: First) => Promise<DialogResult<Last>>,
): Promise<DialogResult<Last>> {
  for (;;) {
    const first = await ask();
    if (first.kind !== "next") return first;
    const last = await then(first.value);
    if (last.kind !== "back") return last;
  }
}

/** How a list that changes row by row was left, and what it had become. */
export interface ChangedRows<Value> {
  readonly kind: DialogResult<never>["kind"];
  readonly value: Value;
}

/**
 * Shows a list that changes row by row until the user takes it as it is, which is the value undefined. Back from a row
 * leads to the list again; what was changed is returned however the list was left.
 */
export async function askRows<Value, Row extends object | string>(
  start: Value,
  ask: (value: Value) => Promise<DialogResult<Row | undefined>>,
  change: (value: Value, row: Row) => Promise<DialogResult<Value>>,
): Promise<ChangedRows<Value>> {
  let value = start;
  for (;;) {
    const chosen = await ask(value);
    if (chosen.kind !== "next" || chosen.value === undefined) return { kind: chosen.kind, value };
    const changed = await change(value, chosen.value);
    if (changed.kind === "left") return { kind: "left", value };
    if (changed.kind === "next") ({ value } = changed);
  }
}

/** Returns the result of a step with its value as something else. */
export function resultAs<T, As>(result: DialogResult<T>, as: (value: T) => As): DialogResult<As> {
  return result.kind === "next" ? { kind: "next", value: as(result.value) } : result;
}

/** Returns the value of a step; undefined when the user went back or left. */
export function answerOf<T>(result: DialogResult<T>): T | undefined {
  return result.kind === "next" ? result.value : undefined;
}
