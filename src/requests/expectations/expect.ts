import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { documentedProblems } from "../../catalogue/reference/reference.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { compareNumbers } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import type { Expectation, TextRange } from "../file/file.ts";
import { compilePattern } from "../text/pattern.ts";
import { resolveParams } from "../values/resolve.ts";
import type { Lookup } from "../values/variables.ts";

/** A difference between a response and its expectation. Every text has been through `plain()` and is short. */
export interface ExpectFailure {
  /** The path in the response, from `result` or `error` on; `ok`, `maxMs`, `schema` for these. */
  readonly path: readonly (string | number)[];
  /** A sentence with the path, the expected value and the actual one. */
  readonly message: string;
  readonly expected: Plain;
  readonly actual: Plain;
  /** The place of the expectation in the file. */
  readonly range: TextRange;
  /**
   * The weight of the difference. A `warning` fails nothing: the result differs from the known result of the method.
   */
  readonly severity: "error" | "warning";
}

/** A response to compare; a `RunResult` is one. */
export interface Compared {
  readonly intent: { readonly method: string };
  readonly outcome: Outcome;
}

/**
 * Compares a response with `$run.expect` or `$run.until`; empty when everything holds. Objects are compared in the
 * members that are named, lists element by element, numbers by their decimal value. `lookup` fills placeholders in;
 * left out, they are texts. `maxMs` does not count our own queue: it holds a call back to keep the exchange's limits.
 */
export function checkExpectations(
  expect: Expectation,
  { intent, outcome }: Compared,
  lookup?: Lookup,
): readonly ExpectFailure[] {
  const response = outcome.kind === "notSent" ? undefined : outcome.response;
  const range = expect.rangeOf(expect.node);
  if (response === undefined)
    return [failureOf({ path: [], expected: l10n.t("a response"), actual: NOTHING(), range })];
  const comparison: Comparison = { lookup, found: [], broken: [] };
  for (const { children } of expect.node.children ?? []) {
    const [key, node] = children ?? [];
    if (key === undefined || node === undefined) continue;
    const name = String(key.value);
    const wanted: Wanted = { node, text: expect.text, isData: false, rangeOf: expect.rangeOf };
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (check === undefined)
      reportBroken(
        comparison,
        { ...wanted, node: key },
        l10n.t("{0} is not a supported expectation.", plain.name(name)),
      );
    else check(comparison, wanted, { response, method: intent.method });
  }
  return [...comparison.broken, ...comparison.found].slice(0, MAX_FAILURES);
}

/** A part of a JSON text. */
interface Part {
  readonly node: Node;
  readonly text: string;
}

/** A part of the expectation, or the value of a placeholder in it. */
interface Wanted extends Part {
  /** Whether the part was filled in: everything in it is a value, never a comparison. */
  readonly isData: boolean;
  /** Returns the place of a node of the part in the file. */
  readonly rangeOf: (node: Node) => TextRange;
}

interface Comparison {
  readonly lookup: Lookup | undefined;
  readonly found: ExpectFailure[];
  /** The errors of the expectation itself. They are reported even where the opposite of a comparison is wanted. */
  readonly broken: ExpectFailure[];
}

interface Given {
  readonly response: MaskedResponse;
  readonly method: string;
}

type Path = readonly (string | number)[];

/** A place in the response, and the value there. */
interface Place {
  readonly path: Path;
  readonly part: Part | undefined;
}

const MAX_FAILURES = 100;
const MAX_SHOWN = 120;
const NOTHING = (): Plain => l10n.t("nothing");

const CHECKS: Readonly<Record<string, (comparison: Comparison, wanted: Wanted, given: Given) => void>> = {
  ok(comparison, wanted, { response }) {
    const isOk = response.error === undefined;
    if (wanted.node.type !== "boolean") reportBroken(comparison, wanted, l10n.t("{0} must be true or false.", "ok"));
    else if (wanted.node.value !== isOk)
      comparison.found.push(
        failureOf({
          path: ["ok"],
          expected: plain`${isOk ? "false" : "true"}`,
          actual: isOk ? plain`true` : plain`false: ${bodyStart(response)}`,
          range: wanted.rangeOf(wanted.node),
        }),
      );
  },
  result(comparison, wanted, { response }) {
    compareBody(comparison, wanted, { response, name: "result", isThere: response.error === undefined });
  },
  error(comparison, wanted, { response }) {
    compareBody(comparison, wanted, { response, name: "error", isThere: response.error !== undefined });
  },
  schema(comparison, wanted, { response, method }) {
    if (wanted.node.value !== true || response.error !== undefined) return;
    const problems = documentedProblems(method, response.result)?.map(({ path, message }) => {
      const [steps, actual] = [["result", ...path], plain.text(message, MAX_SHOWN)] as const;
      return { path: steps, actual, message: l10n.t("{0}: {1}.", pathText(steps), actual) };
    });
    const unchecked = l10n.t("schema: the result of {0} isn't documented, so nothing was checked.", plain.name(method));
    const expected = l10n.t("the documented format");
    const range = wanted.rangeOf(wanted.node);
    for (const each of problems ?? [{ path: ["schema"], actual: l10n.t("not checked"), message: unchecked }])
      comparison.found.push({ ...each, expected, range, severity: "warning" });
  },
  maxMs(comparison, given, { response: { timing } }) {
    const wanted = filledIn(comparison, given);
    if (wanted === undefined) return;
    const takenMs = Math.round(timing.totalMs - timing.queuedMs);
    if (wanted.node.type !== "number") reportBroken(comparison, wanted, l10n.t("{0} must be a number.", "maxMs"));
    else if (takenMs > Number(wanted.node.value))
      comparison.found.push(
        failureOf({
          path: ["maxMs"],
          expected: l10n.t("up to {0} ms", shown(wanted)),
          actual: l10n.t("{0} ms", takenMs),
          range: wanted.rangeOf(wanted.node),
        }),
      );
  },
};

interface Body {
  readonly response: MaskedResponse;
  readonly name: "result" | "error";
  readonly isThere: boolean;
}

function compareBody(comparison: Comparison, wanted: Wanted, { response, name, isThere }: Body): void {
  if (!isThere) {
    const actual =
      name === "result" ? l10n.t("an error: {0}", bodyStart(response)) : l10n.t("a result: {0}", bodyStart(response));
    comparison.found.push(
      failureOf({ path: [name], expected: shown(wanted), actual, range: wanted.rangeOf(wanted.node) }),
    );
    return;
  }
  const place = { path: [name], part: partOf(response.bodyText) };
  if (name === "result" || wanted.node.type !== "object") compare(comparison, wanted, place);
  else compareError(comparison, wanted, place);
}

/** Compares an error: its `message~` is a pattern; other named members are compared like a result. */
function compareError(comparison: Comparison, wanted: Wanted, place: Place): void {
  for (const { children } of wanted.node.children ?? []) {
    const [key, node] = children ?? [];
    if (key === undefined || node === undefined) continue;
    const name = String(key.value);
    if (name === PATTERN_OF_MESSAGE)
      applyMatcher(comparison, "$match", { wanted: { ...wanted, node }, place: memberOf(place, "message") });
    else if (ERROR_MEMBERS.includes(name)) compare(comparison, { ...wanted, node }, memberOf(place, name));
    else
      reportBroken(
        comparison,
        { ...wanted, node: key },
        l10n.t(
          "{0} is not a supported error expectation. Use one of {1}.",
          plain.name(name),
          plain.text([...ERROR_MEMBERS, PATTERN_OF_MESSAGE].join(", ")),
        ),
      );
  }
}

const PATTERN_OF_MESSAGE = "message~";
const ERROR_MEMBERS: readonly string[] = ["code"];

function compare(comparison: Comparison, given: Wanted, place: Place): void {
  const wanted = filledIn(comparison, given);
  if (wanted === undefined) return;
  const { node } = wanted;
  const matchers = wanted.isData ? [] : matchersOf(node);
  if (matchers.length > 0)
    for (const each of matchers)
      applyMatcher(comparison, each.name, { wanted: { ...wanted, node: each.operand }, place });
  else if (node.type === "object" && place.part?.node.type === "object") compareMembers(comparison, wanted, place);
  else if (node.type === "array" && place.part?.node.type === "array") compareElements(comparison, wanted, place);
  else if (place.part === undefined || !isSame(wanted, place.part))
    reportFound(comparison, wanted, { place, expected: shown(wanted) });
}

function compareMembers(comparison: Comparison, wanted: Wanted, place: Place): void {
  for (const { children } of wanted.node.children ?? []) {
    const [key, node] = children ?? [];
    if (key !== undefined && node !== undefined)
      compare(comparison, { ...wanted, node }, memberOf(place, String(key.value)));
  }
}

function compareElements(comparison: Comparison, wanted: Wanted, { path, part }: Place): void {
  const [elements, actual] = [wanted.node.children ?? [], part?.node.children ?? []];
  if (elements.length !== actual.length) {
    const expected = l10n.t("{0} elements", elements.length);
    comparison.found.push(
      failureOf({ path, expected, actual: l10n.t("{0} elements", actual.length), range: wanted.rangeOf(wanted.node) }),
    );
    return;
  }
  for (const [index, node] of elements.entries()) {
    const element = actual[index];
    compare(
      comparison,
      { ...wanted, node },
      {
        path: [...path, index],
        part: part === undefined || element === undefined ? undefined : { text: part.text, node: element },
      },
    );
  }
}

function memberOf({ path, part }: Place, name: string): Place {
  const node = part?.node.type === "object" ? findNodeAtLocation(part.node, [name]) : undefined;
  return {
    path: [...path, name],
    part: part === undefined || node === undefined ? undefined : { text: part.text, node },
  };
}

/** Whether two values that are not objects are the same; numbers by their decimal value, however they are written. */
function isSame(left: Part, right: Part): boolean {
  if (left.node.type !== right.node.type || left.node.type === "object" || left.node.type === "array") return false;
  return left.node.type === "number"
    ? compareNumbers(textOf(left), textOf(right)) === 0
    : left.node.value === right.node.value;
}

/** Returns the comparisons of an object such as `{ "$gt": 0 }`; none of an object that stands for itself. */
export function matchersOf(node: Node): readonly { readonly name: string; readonly operand: Node }[] {
  if (node.type !== "object") return [];
  const members = (node.children ?? []).flatMap(({ children }) => {
    const [key, operand] = children ?? [];
    return key === undefined || operand === undefined ? [] : [{ name: String(key.value), operand }];
  });
  return members.some(({ name }) => name.startsWith("$")) ? members : [];
}

/** The two sides of a comparison. */
interface Matching {
  readonly wanted: Wanted;
  readonly place: Place;
}

/** A comparison. True where it holds; undefined where the comparison itself is broken, which has been reported. */
type Matcher = (comparison: Comparison, matching: Matching) => boolean | undefined;

function applyMatcher(comparison: Comparison, name: string, { wanted: given, place }: Matching): void {
  const matcher = Object.hasOwn(MATCHERS, name) ? MATCHERS[name] : undefined;
  if (matcher === undefined) {
    reportBroken(comparison, given, unknownMatcherText(name));
    return;
  }
  const wanted = filledIn(comparison, given);
  if (wanted === undefined || matcher(comparison, { wanted, place }) !== false) return;
  const length = name === LENGTH ? lengthOf(place.part?.node) : undefined;
  reportFound(comparison, wanted, {
    place,
    expected: plain`${plain.name(name)} ${shown(wanted)}`,
    ...(length === undefined ? {} : { actual: l10n.t("a length of {0}", length) }),
  });
}

/**
 * The comparison of lengths. A value that has a length is reported by it, because the list itself says nothing to the
 * user.
 */
const LENGTH = "$len";

export function unknownMatcherText(name: string): Plain {
  return l10n.t(
    "{0} is not a comparison operator. Use one of {1}, without other properties in the same object.",
    plain.name(name),
    plain.text(Object.keys(MATCHERS).join(", ")),
  );
}

const MATCHERS: Readonly<Record<string, Matcher>> = {
  $gt: byNumber((order) => order > 0),
  $gte: byNumber((order) => order >= 0),
  $lt: byNumber((order) => order < 0),
  $lte: byNumber((order) => order <= 0),
  $len(comparison, { wanted, place }) {
    const length = lengthOf(place.part?.node);
    if (length === undefined) return false;
    return holds(comparison, wanted, { path: place.path, part: partOf(String(length)) });
  },
  $type: (_, { wanted, place }) => wanted.node.value === place.part?.node.type,
  $match(comparison, { wanted, place }) {
    const pattern = compilePattern(String(wanted.node.value));
    if ("problem" in pattern) {
      reportBroken(comparison, wanted, pattern.problem);
      return undefined;
    }
    return place.part?.node.type === "string" && pattern.matches(String(place.part.node.value));
  },
  $in: (comparison, { wanted, place }) =>
    (wanted.node.children ?? []).some((node) => holds(comparison, { ...wanted, node }, place)),
  $absent: (_, { wanted, place }) => wanted.node.value === (place.part === undefined),
  $not: (comparison, { wanted, place }) => !holds(comparison, wanted, place),
};

/** Whether a comparison holds. Nothing is reported where it does not. */
function holds({ lookup, broken }: Comparison, wanted: Wanted, place: Place): boolean {
  const attempt: Comparison = { lookup, broken, found: [] };
  compare(attempt, wanted, place);
  return attempt.found.length === 0;
}

function byNumber(isFit: (order: number) => boolean): Matcher {
  return (comparison, { wanted, place: { part } }) => {
    if (wanted.node.type !== "number") {
      reportBroken(
        comparison,
        wanted,
        l10n.t("A number can only be compared with a number, not with {0}.", shown(wanted)),
      );
      return undefined;
    }
    return part?.node.type === "number" && isFit(compareNumbers(textOf(part), textOf(wanted)));
  };
}

/** Returns the number of elements of a list, characters of a text, or members of an object. */
function lengthOf(node: Node | undefined): number | undefined {
  if (node?.type === "string") return Array.from(String(node.value)).length;
  return node?.type === "array" || node?.type === "object" ? (node.children ?? []).length : undefined;
}

/** Returns the value of a text with placeholders; the same part where there are none. */
function filledIn(comparison: Comparison, wanted: Wanted): Wanted | undefined {
  const { node, isData, rangeOf } = wanted;
  const literal = node.type === "string" && !isData ? textOf(wanted) : "";
  if (!literal.includes("{{") || comparison.lookup === undefined) return wanted;
  const resolution = resolveParams(literal, comparison.lookup);
  const part = resolution.kind === "resolved" ? partOf(resolution.paramsText) : undefined;
  if (part !== undefined) return { ...part, isData: true, rangeOf: () => rangeOf(node) };
  reportBroken(
    comparison,
    wanted,
    resolution.kind === "resolved" ? l10n.t("This is not valid JSON.") : (resolution.problems[0]?.message ?? ""),
  );
  return undefined;
}

function partOf(text: string): Part | undefined {
  const node = parseTree(text);
  return node === undefined ? undefined : { node, text };
}

function textOf({ text, node }: Part): string {
  return text.slice(node.offset, node.offset + node.length);
}

function shown(part: Part | undefined): Plain {
  return part === undefined
    ? NOTHING()
    : plain.text(
        part.text
          .slice(part.node.offset, part.node.offset + Math.min(part.node.length, MAX_SHOWN + 1))
          .replaceAll(/\s*\n\s*/g, " "),
        MAX_SHOWN,
      );
}

function bodyStart({ bodyText }: MaskedResponse): Plain {
  return plain.text(bodyText.slice(0, MAX_SHOWN + 1), MAX_SHOWN);
}

function pathText(path: Path): Plain {
  return plain.text(
    path
      .map((step, index) => (typeof step === "number" ? `[${String(step)}]` : index === 0 ? step : `.${step}`))
      .join(""),
    MAX_SHOWN,
  );
}

function reportFound(
  comparison: Comparison,
  wanted: Wanted,
  { place, expected, actual }: { readonly place: Place; readonly expected: Plain; readonly actual?: Plain },
): void {
  comparison.found.push(
    failureOf({ path: place.path, expected, actual: actual ?? shown(place.part), range: wanted.rangeOf(wanted.node) }),
  );
}

function reportBroken({ broken }: Comparison, wanted: Wanted, message: string): void {
  broken.push({
    path: [],
    message,
    expected: shown(wanted),
    actual: "",
    range: wanted.rangeOf(wanted.node),
    severity: "error",
  });
}

function failureOf(told: Pick<ExpectFailure, "path" | "expected" | "actual" | "range">): ExpectFailure {
  const { path, expected, actual } = told;
  const message =
    path.length === 0
      ? l10n.t("Expected {0}, got {1}.", expected, actual)
      : l10n.t("{0}: expected {1}, got {2}.", pathText(path), expected, actual);
  return { ...told, message, severity: "error" };
}
