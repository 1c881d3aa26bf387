import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Environment } from "../../state/records.ts";

/** Returns what is in a recording and what is not, for the confirmation before production is recorded. */
export function recordingContents(): Plain {
  return l10n.t(
    "The recording has the requests, responses, and events with their amounts. Secrets, e-mail addresses, names, account IDs, addresses, and labels are replaced. Read it before you share it.",
  );
}

/** Returns the button of that confirmation. */
export function recordButton(environment: Environment): Plain {
  return environment === "gateway" ? l10n.t("Record Coinbase Gateway") : l10n.t("Record Production");
}

/** Returns what is said where a recording could not be finished. Both have been through `plain()`. */
export function unfinishedRecording(name: Plain, reason: Plain): Plain {
  return l10n.t(
    "The recording in {0} couldn't be finished: {1}. Personal data that was used before it was known may be in it.",
    name,
    reason,
  );
}
