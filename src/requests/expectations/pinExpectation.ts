import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import * as l10n from "../../base/l10n.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { checkExpectations, matchersOf, type Compared } from "./expect.ts";
import type { FileRequest, RequestFile } from "../file/file.ts";
import { stableParts, type Pin } from "./stableParts.ts";
import type { TextEdit } from "../file/textEdits.ts";

/** The edits of the file, or the reason why there are none, as a sentence. */
type Pinning =
  | { readonly kind: "edits"; readonly edits: readonly TextEdit[] }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Writes the stable parts of a response into `$run.expect` of its request. An expectation that holds stays as it is. So
 * do placeholders, and members that the response says nothing stable of. An expectation that does not hold is replaced;
 * a missing one is added after the others. Nothing else of the file is touched, comments included.
 */
export function pinExpectation(file: RequestFile, request: FileRequest, run: Compared): Pinning {
  const response = run.outcome.kind === "notSent" ? undefined : run.outcome.response;
  if (response === undefined)
    return refused(l10n.t("Can't create an expectation: no response to this request was received."));
  const { start, end } = request.range;
  const text = file.text.slice(start, end);
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (
    root === undefined ||
    request.problems.some(
      ({ severity, code }) => severity === "error" && ["syntax", "duplicateKey", "tooDeep"].includes(code),
    )
  )
    return refused(l10n.t("The request has an error. Correct it first."));
  const expect = findNodeAtLocation(root, ["$run", "expect"]);
  const other = response.error === undefined ? "error" : "result";
  if (expect?.type === "object" && findNodeAtLocation(expect, [other]) !== undefined) {
    return refused(
      other === "error"
        ? l10n.t("The request expects an error, but the response is a result. Remove $run.expect.error first.")
        : l10n.t("The request expects a result, but the response is an error. Remove $run.expect.result first."),
    );
  }
  const blocked = [findNodeAtLocation(root, ["$run"]), expect].some(
    (node) => node !== undefined && node.type !== "object",
  );
  if (blocked) return refused(l10n.t("$run and $run.expect must be objects. Correct them first."));
  const failing =
    request.run.expect === undefined ? [] : checkExpectations(request.run.expect, run).map(({ path }) => path);
  const merging: Merging = { text, style: styleOf(file.text, request), failing, edits: [] };
  const pin = expectationPin(response, expect);
  if (pin !== undefined)
    mergeObject(
      merging,
      { node: root, path: [] },
      { members: [{ name: "$run", pin: { members: [{ name: "expect", pin }] } }] },
    );
  if (merging.edits.length === 0) return refused(l10n.t("The expectation already covers this response."));
  return {
    kind: "edits",
    edits: merging.edits.map((edit) => ({
      ...edit,
      range: { start: edit.range.start + start, end: edit.range.end + start },
    })),
  };
}

function refused(reason: string): Pinning {
  return { kind: "refused", reason };
}

/** Returns the expectation for a response; for an error its code, because a message may change its words. */
function expectationPin({ bodyText, error }: MaskedResponse, expect: Node | undefined): Pin | undefined {
  const ok = expect === undefined ? undefined : findNodeAtLocation(expect, ["ok"]);
  const okMember = ok === undefined ? [] : [{ name: "ok", pin: String(error === undefined) }];
  if (error !== undefined)
    return { members: [...okMember, { name: "error", pin: { members: [{ name: "code", pin: String(error.code) }] } }] };
  const parts = stableParts(bodyText);
  return parts === undefined ? undefined : { members: [...okMember, { name: "result", pin: parts }] };
}

type Path = readonly (string | number)[];

interface Merging {
  readonly text: string;
  readonly style: Style;
  /** The paths in the response where the expectation does not hold. */
  readonly failing: readonly Path[];
  readonly edits: TextEdit[];
}

/** The indentation of the file. */
interface Style {
  readonly unit: string;
  readonly lineBreak: string;
}

/** An object of the file, and its place. */
interface Target {
  readonly node: Node;
  /** The path from the request on: `$run`, `expect`, `result`, … */
  readonly path: Path;
}

type ObjectPin = Exclude<Pin, string>;

function mergeObject(merging: Merging, { node, path }: Target, { members }: ObjectPin): void {
  const missing = members.filter(({ name, pin }) => {
    const child = findNodeAtLocation(node, [name]);
    if (child !== undefined) mergeValue(merging, { node: child, path: [...path, name] }, pin);
    return child === undefined;
  });
  if (missing.length > 0) add(merging, node, { members: missing });
}

function mergeValue(merging: Merging, target: Target, pin: Pin): void {
  const { node, path } = target;
  const isPlainObject = node.type === "object" && matchersOf(node).length === 0;
  if (isPlainObject && typeof pin !== "string" && !pin.members.some(({ name }) => name.startsWith("$")))
    mergeObject(merging, target, pin);
  else if (doesNotHold(merging, node, path))
    merging.edits.push({
      range: { start: node.offset, end: node.offset + node.length },
      newText: valueText(merging, pin, lineIndent(merging.text, node.offset)),
    });
}

function doesNotHold({ text, failing }: Merging, { offset, length }: Node, path: Path): boolean {
  if (text.slice(offset, offset + length).includes("{{")) return false;
  const inResponse = path.slice(EXPECT_LEVELS);
  return failing.some((each) => inResponse.every((step, index) => each[index] === step));
}

/** The number of levels before those of the response: `$run` and `expect`. */
const EXPECT_LEVELS = 2;

/** Adds a member. The comma stands right after the last value, so that a comment stays with its line. */
function add(merging: Merging, node: Node, pin: ObjectPin): void {
  const { text, style, edits } = merging;
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const isOneLine = !/[\r\n]/.test(text.slice(node.offset, close));
  const indent = isOneLine
    ? ""
    : last === undefined
      ? `${lineIndent(text, close)}${style.unit}`
      : lineIndent(text, last.offset);
  const members = memberTexts(merging, pin, { indent, isOneLine });
  const joined = members.join(isOneLine ? ", " : `,${style.lineBreak}${indent}`);
  const lastEnd = last === undefined ? node.offset + 1 : last.offset + last.length;
  const tail = text.slice(lastEnd, close);
  const contentEnd = lastEnd + tail.trimEnd().length;
  const comma = last === undefined || hasComma(tail) ? "" : ",";
  const newText = isOneLine ? ` ${joined}${/\s$/.test(tail) ? "" : " "}` : `${style.lineBreak}${indent}${joined}`;
  if (contentEnd === lastEnd) edits.push(insertion(lastEnd, `${comma}${newText}`));
  else edits.push(...(comma === "" ? [] : [insertion(lastEnd, comma)]), insertion(contentEnd, newText));
}

function insertion(at: number, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}

function hasComma(tail: string): boolean {
  return tail.replaceAll(/\/\/[^\r\n]*|\/\*[^]*?\*\//g, "").includes(",");
}

interface Layout {
  /** The indentation of the line that the value begins on. */
  readonly indent: string;
  readonly isOneLine: boolean;
}

function memberTexts({ style }: Merging, { members }: ObjectPin, layout: Layout): readonly string[] {
  return members.map(({ name, pin }) => `${JSON.stringify(name)}: ${pinText(pin, style, layout)}`);
}

function valueText({ text, style }: Merging, pin: Pin, indent: string): string {
  return pinText(pin, style, { indent, isOneLine: !/[\r\n]/.test(text) });
}

/** Returns the text of an expectation. A comparison stands on one line, as people write it. */
function pinText(pin: Pin, style: Style, { indent, isOneLine }: Layout): string {
  if (typeof pin === "string") return pin;
  if (isOneLine || pin.members.every(({ name }) => name.startsWith("$")))
    return pin.members.length === 0
      ? "{}"
      : `{ ${pin.members.map((each) => `${JSON.stringify(each.name)}: ${pinText(each.pin, style, { indent, isOneLine: true })}`).join(", ")} }`;
  const inner = `${indent}${style.unit}`;
  const lines = pin.members.map(
    (each) => `${inner}${JSON.stringify(each.name)}: ${pinText(each.pin, style, { indent: inner, isOneLine })}`,
  );
  return `{${style.lineBreak}${lines.join(`,${style.lineBreak}`)}${style.lineBreak}${indent}}`;
}

function lineIndent(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/** Returns the indentation of the members of the request below its brace. */
function styleOf(fileText: string, { range }: FileRequest): Style {
  const text = fileText.slice(range.start, range.end);
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const first = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? "";
  const own = lineIndent(fileText, range.start);
  const unit = first.startsWith(own) ? first.slice(own.length) : "";
  return { unit: unit === "" || unit.length > MAX_UNIT ? "  " : unit, lineBreak };
}

const MAX_UNIT = 8;
