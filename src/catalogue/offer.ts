import { once } from "../base/once.ts";
import { ONLY_AT } from "./generated/offer.ts";
import { bareMethod, type Service } from "./index.ts";

/* Which methods which kind of server offers. It is not in `index.ts`, because views load without it. */

const OTHERS: Readonly<Record<Service, Service>> = { native: "gateway", gateway: "native" };

const onlyAt = once((): Readonly<Record<Service, ReadonlySet<string>>> => ({
  native: new Set(ONLY_AT.native.split(" ")),
  gateway: new Set(ONLY_AT.gateway.split(" ")),
}));

/** Whether a kind of server is known to have a method. What the catalogue does not know may be there. */
export function isOfferedAt(name: string, service: Service): boolean {
  return !onlyAt()[OTHERS[service]].has(bareMethod(name));
}
