import * as l10n from "@vscode/l10n";

/** Orders or quotes that were chosen and are no longer there. */
export interface Gone {
  /** The environment and name of the connection. */
  readonly place: string;
  /** The name that tells the object apart; text from outside that was made plain. */
  readonly name: string;
}

const MAX_NAMED = 10;

/** Returns their names by connection: "A, B on TESTNET main; C on PRODUCTION desk". Of many the first ones. */
export function goneNames(gone: readonly Gone[]): string {
  const byPlace = new Map<string, string[]>();
  for (const { place, name } of gone.slice(0, MAX_NAMED)) byPlace.set(place, [...(byPlace.get(place) ?? []), name]);
  const texts = [...byPlace].map(([place, names]) => l10n.t("{0} on {1}", names.join(", "), place));
  return gone.length > MAX_NAMED ? l10n.t("{0}, …", texts.join("; ")) : texts.join("; ");
}
