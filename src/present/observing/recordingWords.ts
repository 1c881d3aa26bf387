import * as l10n from "@vscode/l10n";

/** Returns what is in a recording and what is not, for the confirmation before production is recorded. */
export function recordingContents(): string {
  return l10n.t(
    "The recording has the requests, responses, and events with their amounts. Secrets, e-mail addresses, names, account IDs, addresses, and labels are replaced. Read it before you share it.",
  );
}
