import { CallError } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { noteSecret } from "../rpc/maskResponse.ts";
import type { SecretValues } from "../rpc/maskSecrets.ts";
import type { OneTimeSecret } from "../rpc/oneTimeSecret.ts";
import { createJsonScanner } from "../rpc/scanJson.ts";

/**
 * Returns the parameters with each secret in the place of its stand-in; every other literal stays as it was. Throws
 * `invalidParams` for a secret that is no longer kept, or that has no place.
 */
export function fillIn(
  paramsText: string,
  fills: ReadonlyMap<string, OneTimeSecret> | undefined,
  values: SecretValues,
): string {
  let filled = paramsText;
  for (const [name, secret] of fills ?? []) {
    const span = createJsonScanner({ members: [name], secrets: [] })(filled).members.get(name);
    const value = noteSecret(secret, values);
    if (span === undefined || value === undefined) {
      const message = l10n.t(
        "The secret for this parameter is no longer kept. Send the request that returns it again.",
      );
      throw new CallError({ kind: "invalidParams", problems: [{ path: [name], message, severity: "error" }] });
    }
    filled = filled.slice(0, span.start) + JSON.stringify(value) + filled.slice(span.end);
  }
  return filled;
}
