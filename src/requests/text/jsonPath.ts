import { parseTree, type Node } from "jsonc-parser";

/**
 * A step into a JSON value: a member, an index (negative ones count from the end), or the first element whose member
 * has a value.
 */
export type PathStep = string | number | { readonly member: string; readonly equals: string };

/**
 * Reads a path such as `open.result[0].order_id`, `list[-1]` or `orders[label=mm-1].price`; undefined when it is not
 * one. Nothing in it is evaluated.
 */
export function parsePath(text: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  let at = 0;
  while (at < text.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (match === null) return undefined;
    const [whole, name, index, member, equals] = match;
    // The first step is a name without a dot; each later name has one.
    const isFirst = steps.length === 0;
    if (name === undefined ? isFirst : name.startsWith(".") === isFirst) return undefined;
    steps.push(
      name !== undefined
        ? name.replace(/^\./, "")
        : index !== undefined
          ? Number(index)
          : { member: member ?? "", equals: equals ?? "" },
    );
    at += whole.length;
  }
  return steps.length === 0 ? undefined : steps;
}

/** A step: a name, with its dot where it is not the first; `[n]`; `[member=value]`. */
const STEP = /(\.?[A-Za-z_$][\w$-]*)|\[(-?\d+)\]|\[([A-Za-z_]\w*)=([^\]]*)\]/y;

/**
 * Returns the literal at a path of a JSON text, with every character as it stands there; undefined where there is none.
 */
export function literalAt(text: string, steps: readonly PathStep[]): string | undefined {
  return literalReader(() => text)(steps);
}

/**
 * Makes a function that returns the literals at any number of paths of one text. The text is made and parsed once, at
 * the first path.
 */
export function literalReader(textOf: () => string): (steps: readonly PathStep[]) => string | undefined {
  let parsed: { readonly text: string; readonly root: Node | undefined } | undefined;
  return (steps) => {
    if (parsed === undefined) {
      const text = textOf();
      parsed = { text, root: parseTree(text) };
    }
    const { text, root } = parsed;
    let node = root;
    for (const step of steps) node = node === undefined ? undefined : childAt(node, step);
    return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
  };
}

function childAt(node: Node, step: PathStep): Node | undefined {
  if (typeof step === "string") return memberOf(node, step);
  const elements = node.type === "array" ? (node.children ?? []) : [];
  if (typeof step === "number") return elements.at(step);
  return elements.find((each) => isText(memberOf(each, step.member), step.equals));
}

/** Returns the value of an object's first member with a name; undefined where there is none. */
export function memberOf(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== "object") return undefined;
  return node.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
}

/** Whether a node has a text as its value. Numbers and truth values are compared by how they are written. */
function isText(node: Node | undefined, text: string): boolean {
  return node !== undefined && ["string", "number", "boolean"].includes(node.type) && String(node.value) === text;
}
