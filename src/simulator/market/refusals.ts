import type { CallError } from "../../base/failure.ts";
import { ERROR_ROWS } from "../../catalogue/errorTable.ts";
import type { Refusal } from "../../exchange/refusal.ts";
import { refusal } from "../text/errors.ts";

/** Returns the error response that a refusal of the exchange becomes. */
export function errorOf({ word, detail, currency }: Refusal): CallError {
  const code = ERROR_ROWS.find(({ name }) => name === word)?.code ?? 10_001;
  const reason = detail ?? currency;
  return refusal(code, reason === undefined ? {} : { reason });
}
