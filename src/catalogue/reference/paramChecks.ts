import type { Problem } from "../../base/failure.ts";
import { methodFacts } from "../index.ts";
import { checkParams } from "../params.ts";

/** Returns the problems of the parameters of a method; empty for a method that the exchange is not known to have. */
export type ParamCheck = (method: string, params: unknown) => Problem[];

/**
 * Returns the check of the parameters of these methods. The schemas of methods that no view or command sends are loaded
 * the first time that one is sent.
 */
export async function paramCheckFor(methods: readonly string[]): Promise<ParamCheck> {
  if (!methods.some((method) => methodFacts(method)?.isHinted === true)) return checkParams;
  const reference = await import("./reference.ts");
  return reference.checkAnyParams;
}
