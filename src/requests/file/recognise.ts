import { isOpenState } from "../../catalogue/orderStates.ts";
import { parseTree, type Node } from "jsonc-parser";
import type { TextRange } from "./file.ts";

/** An object of the account in a response. */
export interface RecognisedObject {
  readonly kind: "order" | "apiKey" | "blockTrade" | "quote";
  /** The ID as a text: `order_id`, the number of a key, the ID of a block trade, `block_rfq_quote_id`. */
  readonly id: string;
  /** Whether the exchange still works on the object, so that it can be cancelled. */
  readonly isOpen: boolean;
  /** The place in the text. */
  readonly range: TextRange;
}

/** A number that is a moment. */
interface Timestamp {
  /** The end of the number in the text. */
  readonly end: number;
  /** The moment in ms since the Unix epoch. */
  readonly atMs: number;
}

/** The most objects that get lenses. More would hide more than they help. */
const MAX_OBJECTS = 200;
/** The longest text that is searched, in UTF-16 units. VS Code has no lenses in longer texts either. */
const MAX_RECOGNISED_LENGTH = 2_000_000;

/** Finds orders, API keys, block trades and quotes in a JSON text, comments allowed. Never throws. */
export function recognise(text: string): readonly RecognisedObject[] {
  if (text.length > MAX_RECOGNISED_LENGTH) return [];
  const found: RecognisedObject[] = [];
  const visit = (node: Node): void => {
    if (found.length >= MAX_OBJECTS) return;
    const object = node.type === "object" ? objectAt(node) : undefined;
    if (object !== undefined) found.push(object);
    // What stands in an order or a block trade is its own part.
    else
      for (const child of node.children ?? [])
        visit(child.type === "property" ? (child.children?.[1] ?? child) : child);
  };
  const root = parseTree(text);
  if (root !== undefined) visit(root);
  return found;
}

/**
 * Returns the members of a stretch of JSON text whose value is a moment in ms. Such a member is a number of 13 digits
 * under a name that says so.
 */
export function timestampsIn(text: string, start: number, end: number): readonly Timestamp[] {
  return [...text.slice(start, end).matchAll(MOMENT)].map((match) => ({
    end: start + match.index + match[0].length,
    atMs: Number(match[1]),
  }));
}

/** The names of moments, or their ends. A fact of the exchange: moments are ms since the epoch under such names. */
const MOMENT =
  /"(?:[a-z_]*timestamp|[a-z_]*time|[a-z_]*_until|[a-z_]*_ms|valid_until|frozen_until)"\s*:\s*(1\d{12})(?![\d.eE])/g;

function objectAt(node: Node): RecognisedObject | undefined {
  const members = new Map<string, unknown>();
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (key !== undefined && value !== undefined)
      members.set(String(key.value), value.type === "array" ? [] : value.value);
  }
  const thing = thingOf(members);
  return thing === undefined ? undefined : { ...thing, range: { start: node.offset, end: node.offset + node.length } };
}

function thingOf(members: ReadonlyMap<string, unknown>): Omit<RecognisedObject, "range"> | undefined {
  const [id, orderId, quoteId] = [members.get("id"), members.get("order_id"), members.get("block_rfq_quote_id")];
  if (typeof orderId === "string" && members.has("order_state"))
    return { kind: "order", id: orderId, isOpen: isOpenState(members.get("order_state")) };
  if (Number.isSafeInteger(id) && members.has("max_scope")) return { kind: "apiKey", id: String(id), isOpen: true };
  if (typeof id === "string" && Array.isArray(members.get("trades"))) return { kind: "blockTrade", id, isOpen: false };
  if (Number.isSafeInteger(quoteId) && members.has("quote_state"))
    return { kind: "quote", id: String(quoteId), isOpen: members.get("quote_state") === "open" };
  return undefined;
}
