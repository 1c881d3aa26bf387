import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { aboutOf } from "../changes/changes.ts";
import type { Intent } from "../intent/intent.ts";
import { isolatedLeftText } from "../judge/outcome.ts";
import type { GatePorts } from "./gatePorts.ts";

/** Returns the isolated orders that a request for several orders leaves open, as far as they are known. */
export function isolatedLeft(
  { hasIsolated, slots }: Pick<GatePorts, "hasIsolated" | "slots">,
  intent: Intent,
): readonly Plain[] | undefined {
  if (aboutOf(intent.method) !== "orders") return undefined;
  return hasIsolated?.() === true ? [] : slots?.()?.leftBy(intent);
}

/** Returns an intent whose confirmation says which isolated orders it leaves open. */
export function withIsolatedNote(intent: Intent, left: readonly Plain[] | undefined): Intent {
  if (left === undefined) return intent;
  const { note = "" } = intent.words;
  const said = isolatedLeftText(left);
  return { ...intent, words: { ...intent.words, note: note === "" ? said : l10n.t("{0} {1}", note, said) } };
}
