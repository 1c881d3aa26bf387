export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}
export interface Goal {
  readonly sense: "atMost" | "atLeast";
  readonly gate: number;
  readonly stretch: number;
}
export interface Trust {
  readonly nullRatio?: number;
  readonly tolerance?: number;
  readonly isComparable: boolean;
}
export type Verdict = "met" | "missed" | "missed (accepted)" | "void" | "not judged" | "reported";
export function quantile(values: readonly number[], share: number): number;
export function median(values: readonly number[]): number;
export function spreadOf(values: readonly number[]): Spread;
export function ratios(values: readonly number[], references: readonly number[]): number[];
export function exponentOf(sizes: readonly number[], times: readonly number[]): number;
export function judge(value: number, goal: Goal, trust: Trust): Verdict;
export function shuffled<T>(items: readonly T[], random: () => number): T[];
export function table(rows: readonly (readonly string[])[]): string;
