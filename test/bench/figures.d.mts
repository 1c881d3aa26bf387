import type { Goal, Spread, Verdict } from "./statistics.mjs";

export interface Figure extends Goal {
  readonly goal: string;
  readonly what: string;
  readonly limit: string;
  readonly peer: string;
  readonly us: Spread;
  readonly unit: string;
  readonly nullTest?: Spread;
  readonly tolerance: number;
  readonly isComparable: boolean;
  readonly isOk: boolean;
  readonly isReported: boolean;
  readonly felt?: string;
  readonly runs: readonly number[];
  readonly verdict: Verdict;
}
export const TIGHT: number;
export function judged(
  parts: Omit<Figure, "verdict" | "tolerance" | "isOk" | "isReported" | "runs"> &
    Partial<Pick<Figure, "tolerance" | "isOk" | "isReported" | "runs">>,
): Figure;
export interface Bounds {
  readonly guards: Readonly<Record<string, number>>;
  readonly accepted: Readonly<Record<string, string>>;
}
export function held(figure: Figure, bounds: Bounds): Figure;
export function merged(runs: readonly (readonly Figure[])[]): Figure[];
export function ratio(value: number): string;
export function row(figure: Figure): string[];
