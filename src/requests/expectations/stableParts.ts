import { parseTree, type Node } from "jsonc-parser";
import { HIDDEN } from "../../rpc/maskSecrets.ts";
import { escapeBraces } from "../values/placeholders.ts";
import { isSecretMember } from "../text/secrets.ts";

/** The expectation of a value: a literal as it was received, or an object whose members are named. */
export type Pin = string | { readonly members: readonly PinMember[] };

interface PinMember {
  readonly name: string;
  readonly pin: Pin;
}

/**
 * Returns the parts of a response that may be expected to come again. Left out are times and identifiers, prices and
 * amounts that the market moves, secrets, and what expectations cannot say. Every literal keeps its characters. Short
 * lists of plain values are taken whole. Other lists count by their length, because their elements change places. A
 * value of which nothing is left is expected by its type.
 */
export function stableParts(bodyText: string): Pin | undefined {
  const root = parseTree(bodyText);
  return root === undefined ? undefined : (pinOf({ node: root, name: "", text: bodyText }, 0) ?? typePin(root));
}

/**
 * Whether a member of this name stays the same in a repeated response. False for times, identifiers and numbers of the
 * market.
 */
export function isStableName(name: string): boolean {
  return !CHANGING.some((pattern) => pattern.test(name));
}

const CHANGING: readonly RegExp[] = [
  // Times: when it was placed, until when it holds, how long a call took.
  /(?:^|_)(?:timestamp|time|date|nonce)$/,
  /_(?:at|until|in)$/,
  /^us(?:In|Out|Diff)$/,
  // Identifiers, and what counts on.
  /(?:^|_)(?:id|ids|seq|sid|uid|uuid|ref|continuation)$/,
  /^(?:ip|challenge|signature)$/,
  // Values that change with the market, without any action of the account.
  /(?:^|_)(?:mark|index|last|underlying|settlement|reference|estimated_delivery|best_bid|best_ask|min|max)_(?:price|prices|amount)$/,
  /(?:^|_)(?:iv|greeks|delta|gamma|theta|vega|rho|pl|equity|margin|balance|funds|funding|interest|stats|volume|profit_loss)$/,
  /^(?:funding_8h|open_interest|interest_value|tick_direction|bids|asks|rate)$/,
];

interface Part {
  readonly node: Node;
  /** The name of the member, or of the member around the list. */
  readonly name: string;
  readonly text: string;
}

const MAX_LEVELS = 6;
const MAX_MEMBERS = 60;
const MAX_ELEMENTS = 10;
const MAX_TEXT = 300;

function pinOf(part: Part, level: number): Pin | undefined {
  const { node, text } = part;
  switch (node.type) {
    case "object":
      return level < MAX_LEVELS ? objectPin(part, level) : undefined;
    case "array":
      return listPin(part);
    case "string":
      return isStableText(String(node.value), part.name)
        ? escapeBraces(text.slice(node.offset, node.offset + node.length))
        : undefined;
    case "number":
      return isTime(text.slice(node.offset, node.offset + node.length))
        ? undefined
        : text.slice(node.offset, node.offset + node.length);
    case "boolean":
    case "null":
      return text.slice(node.offset, node.offset + node.length);
    case "property":
      return undefined;
  }
}

function objectPin({ node, text }: Part, level: number): Pin | undefined {
  const members = (node.children ?? []).flatMap(({ children }): readonly PinMember[] => {
    const [key, value] = children ?? [];
    const name = String(key?.value);
    // A name with a dollar sign would be a comparison.
    if (value === undefined || name.startsWith("$") || !isStableName(name)) return [];
    const pin = pinOf({ node: value, name, text }, level + 1);
    return pin === undefined ? [] : [{ name, pin }];
  });
  return members.length === 0 ? undefined : { members: members.slice(0, MAX_MEMBERS) };
}

function listPin({ node, name, text }: Part): Pin {
  const elements = node.children ?? [];
  const pins =
    elements.length > MAX_ELEMENTS || elements.some(({ type }) => type === "object" || type === "array")
      ? []
      : elements.map((each) => pinOf({ node: each, name, text }, 0));
  const literals = pins.flatMap((pin) => (typeof pin === "string" ? [pin] : []));
  if (literals.length > 0 && literals.length === elements.length) return `[${literals.join(", ")}]`;
  return { members: [{ name: "$len", pin: String(elements.length) }] };
}

function typePin({ type }: Node): Pin {
  return { members: [{ name: "$type", pin: JSON.stringify(type) }] };
}

function isStableText(text: string, name: string): boolean {
  return text.length <= MAX_TEXT && !text.includes(HIDDEN) && !isSecretMember(name, text);
}

/** Whether a literal is milliseconds, microseconds or nanoseconds since the Unix epoch, of this century. */
function isTime(literal: string): boolean {
  return /^[1-3]\d{12}(?:\d{3}|\d{6})?$/.test(literal);
}
