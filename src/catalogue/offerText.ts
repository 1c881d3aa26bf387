import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { isOfferedAt, type Service } from "./index.ts";

/** Returns the sentence on a method that the partner's gateway does not offer. */
export function notOfferedText(method: string): Plain {
  return l10n.t("The Coinbase gateway doesn't offer {0}.", plain.name(method));
}

/** Returns the sentence on a parameter that one kind of server alone is known to take. */
export function paramOfOtherText(name: string, service: Service): Plain {
  return service === "gateway"
    ? l10n.t("The Coinbase gateway doesn't document {0}. It is sent as written.", plain.name(name))
    : l10n.t("Only the Coinbase gateway is known to take {0}. It is sent as written.", plain.name(name));
}

/** Returns the sentence on a method that a kind of server is not known to have; undefined where it has it. */
export function offerProblemText(method: string, service: Service): Plain | undefined {
  if (isOfferedAt(method, service)) return undefined;
  return service === "gateway"
    ? notOfferedText(method)
    : l10n.t("Only the Coinbase gateway is known to offer {0}.", plain.name(method));
}
