import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { takesSlots } from "../changes/cancelMany.ts";
import { aboutOf } from "../changes/changes.ts";
import { describeOrder } from "../changes/orders.ts";
import type { Intent } from "../intent/intent.ts";
import type { SlotKnowledge } from "../intent/slotKnowledge.ts";
import { isolatedLeftText } from "../judge/outcome.ts";
import type { GatePorts } from "./gatePorts.ts";

/**
 * Returns the isolated orders that a request for several orders leaves open, as far as they are known. Undefined where
 * it leaves none.
 */
export function isolatedLeft(
  { hasIsolated, slots }: Pick<GatePorts, "hasIsolated" | "slots">,
  intent: Intent,
): readonly Plain[] | undefined {
  if (aboutOf(intent.method) !== "orders") return undefined;
  if (hasIsolated?.() === true) return [];
  const known = slots?.();
  return known && leftBy(known, intent);
}

function leftBy(slots: SlotKnowledge, { method, paramsText }: Intent): readonly Plain[] | undefined {
  const { include_isolated: isIncluding, instrument_name: name } = parseObject(paramsText) ?? {};
  if (isIncluding === true && takesSlots(method)) return undefined;
  const left = slots.open()?.filter((order) => name === undefined || order.instrument_name === name);
  if (left?.length === 0) return undefined;
  return (left ?? []).map((order) => l10n.t("{0} · {1}", describeOrder(order), plain.name(order.order_id)));
}

/** Returns an intent whose confirmation says which isolated orders it leaves open. */
export function withIsolatedNote(intent: Intent, left: readonly Plain[] | undefined): Intent {
  if (left === undefined) return intent;
  const { note = "" } = intent.words;
  const said = isolatedLeftText(left);
  return { ...intent, words: { ...intent.words, note: note === "" ? said : l10n.t("{0} {1}", note, said) } };
}
