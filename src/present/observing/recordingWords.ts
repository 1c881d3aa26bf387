import * as l10n from "@vscode/l10n";

/** Returns what is in a recording and what is not, for the confirmation before production is recorded. */
export function recordingContents(): string {
  return l10n.t(
    "The recording has the requests, responses, and events with their amounts. Secrets, e-mail addresses, names, account IDs, addresses, and labels are replaced. Read it before you share it.",
  );
}

/** Returns what is said where a recording could not be finished. Both have been through `plain()`. */
export function unfinishedRecording(name: string, reason: string): string {
  return l10n.t(
    "The recording in {0} couldn't be finished: {1}. Personal data that was used before it was known may be in it.",
    name,
    reason,
  );
}
