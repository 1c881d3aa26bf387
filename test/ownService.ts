import { isOfferedAt, type Service } from "../src/catalogue/index.ts";

/** Returns a kind of server that offers a method: the exchange itself, unless the gateway alone does. */
export function ownService(method: string): Service {
  return isOfferedAt(method, "native") ? "native" : "gateway";
}
