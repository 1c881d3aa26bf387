import { CallError } from "../../base/failure.ts";
import { ERROR_ROWS } from "../../catalogue/errorTable.ts";

const names: ReadonlyMap<number, string> = new Map([...ERROR_ROWS].reverse().map((row) => [row.code, row.name]));

/** The exchange's name of an error; `error` for a code that nobody documented. */
export function errorName(code: number): string {
  return names.get(code) ?? "error";
}

/** An error response: thrown where the reason is found, written where responses are written. */
export function refusal(
  code: number,
  data: { readonly param?: string; readonly reason?: string; readonly waitSeconds?: number } = {},
): CallError {
  return new CallError({ kind: "exchange", code, message: errorName(code), ...data });
}

/** -32602 with the parameter and the reason. */
export function invalidParam(param: string, reason: string): CallError {
  return refusal(-32602, { param, reason });
}
