export type Proof = readonly [layer: string, title: string];
export interface TestLine {
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly error?: string;
}
export interface Row {
  readonly title: string;
  readonly tests: readonly Proof[];
  readonly needsNone?: boolean;
}
export function checkRows(rows: readonly Row[], ran: ReadonlyMap<string, readonly TestLine[]>): TestLine[];
export function checkTitles(rows: readonly Row[], titles: ReadonlyMap<string, readonly string[]>): TestLine[];
