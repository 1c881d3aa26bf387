import { parseTree, type Node } from "jsonc-parser";
import { plain, type Plain } from "../../base/plain.ts";
import { indentJson } from "../text/indent.ts";

/** The parameters as a confirmation lists them. */
interface AskedParams {
  readonly lines: readonly Plain[];
  /** Whether some lines, or the ends of some, are missing: the user did not agree to what is missing. */
  readonly isCut: boolean;
}

/** The most lines of a confirmation. More would push the buttons out of a small window. */
const MAX_LINES = 30;
const MAX_LINE_LENGTH = 160;

/**
 * Returns the lines of a JSON object, the weightiest members first: amounts, prices and addresses. Linked orders and
 * the like follow, then the rest.
 */
export function askedParams(paramsText: string): AskedParams {
  const root = parseTree(paramsText);
  const lines = indentJson(root === undefined ? paramsText : weightiestFirst(paramsText, root)).text.split("\n");
  const shown = lines.slice(0, MAX_LINES);
  return {
    lines: shown.map((line) => plain.text(line, MAX_LINE_LENGTH)),
    isCut: lines.length > MAX_LINES || shown.some((line) => line.length > MAX_LINE_LENGTH),
  };
}

/** The names of members that say what a request costs, moves or gives away, from where and to whom. */
const WEIGHTY = new RegExp(
  [
    "amount|price|contracts|quantity|size|trigger|linked|direction|^type$",
    "address|source|destination|instrument|currency|margin_model",
    "scope|email|public_key|accounts|enabled$|_uid$|^sid$|(?:user|subaccount|member|order)_id$",
  ].join("|"),
  "i",
);

/** Returns the same value with every literal as it stands in the text; only the order of members changes. */
function weightiestFirst(text: string, node: Node): string {
  const { type, children = [], offset, length } = node;
  if (type === "array") return `[${children.map((each) => weightiestFirst(text, each)).join(",")}]`;
  if (type !== "object") return text.slice(offset, offset + length);
  const members = children.flatMap(({ children: pair }) => {
    const [key, value] = pair ?? [];
    return key === undefined || value === undefined
      ? []
      : [
          {
            weight: weightOf(String(key.value), value),
            text: `${text.slice(key.offset, key.offset + key.length)}:${weightiestFirst(text, value)}`,
          },
        ];
  });
  return `{${members
    .sort((one, other) => one.weight - other.weight)
    .map((each) => each.text)
    .join(",")}}`;
}

/** Returns the weight of a member. The least weight comes first. */
function weightOf(name: string, value: Node): number {
  const isContainer = value.type === "object" || value.type === "array";
  if (!isContainer) return WEIGHTY.test(name) ? 0 : 2;
  return WEIGHTY.test(name) || holdsWeight(value) ? 1 : 2;
}

function holdsWeight({ type, children = [] }: Node): boolean {
  return type === "property"
    ? WEIGHTY.test(String(children[0]?.value)) || children.slice(1).some(holdsWeight)
    : children.some(holdsWeight);
}
