import { sessionRefusal } from "../../actions/gate/policy.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { effectOf, methodFacts, type Service } from "../../catalogue/index.ts";
import { offerProblemText } from "../../catalogue/offerText.ts";
import type { FileProblem } from "../file/file.ts";

/** Returns what is wrong with the method of a request to a kind of server; undefined where nothing is. */
export function findMethodProblem(
  method: string,
  service: Service,
): Pick<FileProblem, "code" | "message" | "severity"> | undefined {
  const refusal = sessionRefusal(method);
  if (refusal !== undefined) return { code: "sessionMethod", message: refusal, severity: "error" };
  if (methodFacts(method) === undefined)
    return { code: "unknownMethod", message: unknownText(method), severity: "warning" };
  const message = offerProblemText(method, service);
  return message === undefined ? undefined : { code: "notOffered", message, severity: "warning" };
}

/** Returns a warning about a method that the exchange is not known to have. */
function unknownText(method: string): Plain {
  const name = plain.name(method);
  if (effectOf(method) === "read")
    return l10n.t("Unknown method {0}. Its name indicates a read, so it is sent without confirmation.", name);
  return l10n.t("Unknown method {0}. It is treated as a write and needs confirmation.", name);
}
