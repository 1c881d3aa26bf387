import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import * as l10n from "../../base/l10n.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { checkExpectations, matchersOf, type Compared } from "./expect.ts";
import type { FileRequest, RequestFile } from "../file/file.ts";
import type { TextEdit } from "../file/textEdits.ts";
import { HIDDEN } from "../../rpc/maskSecrets.ts";
import { escapeBraces } from "../values/placeholders.ts";
import { isSecretMember } from "../text/secrets.ts";

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
