import { createPrivateKey, type KeyObject } from "node:crypto";
import { CallError } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";

/** Returns the key in a saved PEM. Throws `refused` where it can't be read. */
export function openSavedKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new CallError({
      kind: "refused",
      reason: l10n.t("The saved private key can't be read. Use Edit Connection… to enter it again."),
    });
  }
}
