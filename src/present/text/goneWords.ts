import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** Orders or quotes that were chosen and are no longer there. */
interface Gone {
  /** The environment and name of the connection. */
  readonly place: Plain;
  /** The name that tells the object apart. */
  readonly name: Plain;
}

const MAX_NAMED = 10;

/** Returns their names by connection: "A, B on TESTNET main; C on PRODUCTION desk". Of many the first ones. */
export function goneNames(gone: readonly Gone[]): Plain {
  const byPlace = new Map<Plain, Plain[]>();
  for (const { place, name } of gone.slice(0, MAX_NAMED)) byPlace.set(place, [...(byPlace.get(place) ?? []), name]);
  const texts = [...byPlace].map(([place, names]) => l10n.t("{0} on {1}", plain.join(names, ", "), place));
  return gone.length > MAX_NAMED ? l10n.t("{0}, …", plain.join(texts, "; ")) : plain.join(texts, "; ");
}
