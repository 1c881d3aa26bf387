import { CallError } from "../../base/failure.ts";
import { ERROR_ROWS } from "../../catalogue/errorTable.ts";

const names: ReadonlyMap<number, string> = new Map([...ERROR_ROWS].reverse().map((row) => [row.code, row.name]));

/** Returns the exchange's name of an error; `error` for an undocumented code. */
export function errorName(code: number): string {
  return names.get(code) ?? "error";
}

/** Makes an error response: thrown where the reason is found, written where responses are written. */
export function refusal(
  code: number,
  data: { readonly param?: string; readonly reason?: string; readonly waitSeconds?: number } = {},
): CallError {
  return new CallError({ kind: "exchange", code, message: errorName(code), ...data });
}

/** A refusal whose data has members of its own. */
export class DetailedRefusal extends CallError {
  readonly data: { readonly [name: string]: number };

  constructor(code: number, data: DetailedRefusal["data"]) {
    super({ kind: "exchange", code, message: errorName(code) });
    this.data = data;
  }
}

/** Makes a -32602 error with the parameter and the reason. */
export function invalidParam(param: string, reason: string): CallError {
  return refusal(-32602, { param, reason });
}

/** Reads a parameter that is an object, or its JSON. `reason`: why text that is no JSON is refused. */
export function jsonParam(param: string, given: unknown, reason: string): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    throw invalidParam(param, reason);
  }
}
