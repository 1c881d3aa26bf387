import { methodFacts, type Service } from "../index.ts";
import { checkParams } from "../params.ts";
import type { ParamCheck } from "./gateway.ts";

/**
 * Returns the check of the parameters of these methods for a kind of server. The schemas of methods that no view or
 * command sends are loaded the first time that one is sent, and the gateway's parameters with the first request to it.
 */
export async function paramCheckFor(methods: readonly string[], service: Service = "native"): Promise<ParamCheck> {
  const isKnown = !methods.some((method) => methodFacts(method)?.isHinted === true);
  if (isKnown && service === "native") return checkParams;
  return (await import("./reference.ts")).paramCheckAt(service);
}
