import { CallError } from "../base/failure.ts";
import { isObject, parseJson } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { createGlance } from "../rpc/glanceJson.ts";
import { createJsonScanner, hasRepeatedNames } from "../rpc/scanJson.ts";

const scan = createJsonScanner({ members: [], secrets: [] });
const glance = createGlance([]);

/**
 * Refuses parameters that would not go out as they read. The text becomes part of a request as it is, so that a second
 * brace would begin a request of its own. Of a repeated name it is not known which one counts. Throws `CallError` with
 * `invalidParams`.
 */
export function checkParamsText(paramsText: string): void {
  if (ONE_PLAIN_MEMBER.test(paramsText)) return;
  const params = parseJson(paramsText);
  const found = glance(paramsText, params) ? undefined : scan(paramsText);
  if (found?.problem !== undefined) throw invalid([], plain.text(found.problem, 200));
  if (!isObject(params)) throw invalid([], l10n.t("The parameters must be a JSON object."));
  if (found !== undefined && hasRepeatedNames(found, params))
    throw invalid([], l10n.t("Duplicate key in the parameters."));
  // The token is ours to add: one from elsewhere would speak for another session.
  if (Object.hasOwn(params, TOKEN))
    throw invalid([TOKEN], l10n.t("Remove the access token. The extension adds it automatically."));
}

const TOKEN = "access_token";

/** One flat member, as many calls have: that it is harmless is seen without parsing. */
const ONE_PLAIN_MEMBER =
  /^\{"(?!(?:access_token|__proto__)")\w+":(?:"[\w .,:/+-]*"|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?|true|false)\}$/;

function invalid(path: readonly string[], message: Plain): CallError {
  return new CallError({ kind: "invalidParams", problems: [{ path, message, severity: "error" }] });
}
