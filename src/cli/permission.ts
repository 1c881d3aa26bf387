import * as l10n from "@vscode/l10n";
import { effectOf } from "../catalogue/index.ts";
import { channelMethod } from "../actions/changes/changes.ts";
import type { FilePin } from "../requests/file/file.ts";
import type { Environment } from "../state/records.ts";
import type { RunWishes } from "./arguments.ts";

/** The facts that decide whether a run may change something. */
export interface WriteSituation {
  readonly writes: RunWishes["writes"];
  readonly environment: Environment;
  readonly pin: FilePin;
  /** Whether a user is there to confirm changes. */
  readonly isAttended: boolean;
}

/**
 * Returns a sentence if a request is not even handed to the gate; undefined if it is. The gate decides and asks as
 * always.
 */
export function writeRefusal(
  method: string,
  { writes, environment, pin, isAttended }: WriteSituation,
): string | undefined {
  const effect = effectOf(method);
  if (effect === "read" || channelMethod(method) !== undefined) return undefined;
  if (writes === "refused")
    return l10n.t("It changes something, and that is not allowed here. --allow-writes allows it.");
  if (environment !== "production") return undefined;
  if (writes !== "production")
    return l10n.t(
      "It changes something on production, which --allow-writes alone does not allow: --allow-writes prod does.",
    );
  if (pin.kind !== "only" || !pin.environments.includes("production"))
    return l10n.t(
      "It changes something on production, and its file does not say that it may be sent there: $file.env has to name prod.",
    );
  const isTyped = effect === "mass" || effect === "key" || effect === "money";
  return isTyped && !isAttended
    ? l10n.t("On production this has to be confirmed by typing, and nobody is there to do that: run it in a terminal.")
    : undefined;
}
