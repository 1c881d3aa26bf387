import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import type { RequestFile, TextRange } from "./file.ts";

/* Changes to the text of a request file. Each leaves every other character as it is, comments included. */

/** The new text of a range. */
export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** A part of a file's text that is one JSON value. */
export interface JsonPart {
  readonly text: string;
  readonly range: TextRange;
}

type Path = readonly (string | number)[];

/** Returns the value at a path of a part, as a tree whose offsets count from the start of the part. */
export function nodeAt(part: JsonPart, path: Path): Node | undefined {
  const tree = parseTree(part.text.slice(part.range.start, part.range.end), [], { allowTrailingComma: true });
  return tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
}

/**
 * Puts a member at the beginning of an object; the object too where its place is free. Empty where something else
 * stands there.
 */
export function addMember(
  part: JsonPart,
  path: Path,
  member: { readonly name: string; readonly valueText: string },
): readonly TextEdit[] {
  const node = nodeAt(part, path);
  const [last] = path.slice(-1);
  const literal = `${JSON.stringify(member.name)}: ${member.valueText}`;
  if (node === undefined)
    return typeof last === "string"
      ? addMember(part, path.slice(0, -1), { name: last, valueText: `{ ${literal} }` })
      : [];
  if (node.type !== "object") return [];
  const at = part.range.start + node.offset + 1;
  const [first] = node.children ?? [];
  if (first === undefined)
    return [{ range: { start: at, end: at }, newText: ` ${literal}${/\s/.test(part.text[at] ?? "") ? "" : " "}` }];
  return [
    {
      range: { start: at, end: at },
      newText: `${indentBefore(part.text, part.range.start + first.offset, at)}${literal},`,
    },
  ];
}

/**
 * Returns the white space between a brace and the first member, where there is nothing else. Else the indentation of
 * its line.
 */
function indentBefore(text: string, memberStart: number, braceEnd: number): string {
  const between = text.slice(braceEnd, memberStart);
  if (!/[\r\n]/.test(between)) return " ";
  const lineStart = Math.max(text.lastIndexOf("\n", memberStart - 1), text.lastIndexOf("\r", memberStart - 1)) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, memberStart))?.[0] ?? "";
  return `${between.includes("\r\n") ? "\r\n" : "\n"}${indent}`;
}

/** Removes a member or an element, with its comma. */
export function removeAt(part: JsonPart, path: Path): readonly TextEdit[] {
  const node = nodeAt(part, path);
  const own = node?.parent?.type === "property" ? node.parent : node;
  const siblings = own?.parent?.children ?? [];
  return own === undefined ? [] : removeChild(part, siblings, siblings.indexOf(own));
}

/** Removes one of the members or elements, with the comma after it, or before it where it is the last one. */
export function removeChild({ range }: JsonPart, siblings: readonly Node[], index: number): readonly TextEdit[] {
  const [own, before, after] = [siblings[index], siblings[index - 1], siblings[index + 1]];
  if (own === undefined) return [];
  const start = before !== undefined && after === undefined ? before.offset + before.length : own.offset;
  const end = after === undefined ? own.offset + own.length : after.offset;
  return [{ range: { start: range.start + start, end: range.start + end }, newText: "" }];
}

/** Puts an element at the end of a list. Empty where no list stands there. */
export function addElement(part: JsonPart, path: Path, valueText: string): readonly TextEdit[] {
  const node = nodeAt(part, path);
  if (node?.type !== "array") return [];
  const last = node.children?.at(-1);
  const at = part.range.start + (last === undefined ? node.offset + 1 : last.offset + last.length);
  return [{ range: { start: at, end: at }, newText: last === undefined ? valueText : `, ${valueText}` }];
}

/**
 * Puts a request after the last one. A single request becomes a list. Undefined for a file whose brackets are not in
 * order.
 */
export function appendRequest(
  { text, count, request, problems }: RequestFile,
  requestText: string,
): readonly TextEdit[] | undefined {
  if (problems.some(({ code }) => code !== "fileEmpty")) return undefined;
  const last = request(count - 1);
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const put = (at: number, newText: string): TextEdit => ({
    range: { start: at, end: at },
    newText: newText.replaceAll("\n", lineBreak),
  });
  if (last === undefined) {
    const open = text.lastIndexOf("]");
    return open < 0
      ? [put(text.length, `${text === "" || text.endsWith("\n") ? "" : "\n"}${requestText}\n`)]
      : [put(open, `\n${indented(requestText)}\n`)];
  }
  if (isListed(text, request(0)?.range.start ?? 0)) return [put(last.range.end, `,\n${indented(requestText)}`)];
  return [put(last.range.start, "[\n"), put(last.range.end, `,\n${requestText}\n]`)];
}

/** Whether the first request stands in a list. Otherwise only comments stand before it. */
function isListed(text: string, firstStart: number): boolean {
  return text
    .slice(0, firstStart)
    .replaceAll(/\/\/[^\r\n]*|\/\*[^]*?\*\//g, "")
    .includes("[");
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
