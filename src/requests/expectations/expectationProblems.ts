import type { Node } from "jsonc-parser";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { matchersOf, unknownMatcherText } from "./expect.ts";
import type { Expectation, TextRange } from "../file/file.ts";
import { compilePattern } from "../text/pattern.ts";

/** A part of an expectation that nothing can be compared with. It is an error of the file, not of a response. */
interface ExpectationProblem {
  readonly range: TextRange;
  readonly message: Plain;
}

/** Returns the problems of an expectation alone, before anything is sent. Placeholders are taken to be right. */
export function expectationProblems(expect: Expectation): readonly ExpectationProblem[] {
  const problems: ExpectationProblem[] = [];
  const report: Report = (at, message) => problems.push({ range: expect.rangeOf(at), message });
  for (const { key, value, name } of membersOf(expect.node)) {
    const check = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    if (check === undefined)
      report(
        key,
        l10n.t(
          "{0} is not a supported expectation. Use one of {1}.",
          plain.name(name),
          plain.text(Object.keys(MEMBERS).join(", ")),
        ),
      );
    else check(value, report);
  }
  return problems;
}

type Report = (at: Node, message: Plain) => void;
type Check = (value: Node, report: Report) => void;

function membersOf(node: Node): readonly { readonly key: Node; readonly value: Node; readonly name: string }[] {
  return (node.type === "object" ? (node.children ?? []) : []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value, name: String(key.value) }];
  });
}

function isFilledIn({ type, value }: Node): boolean {
  return type === "string" && String(value).includes("{{");
}

/** Makes a check for a value of one of these types, or a placeholder. */
function ofType(types: readonly Node["type"][], sentence: () => Plain): Check {
  return (value, report) => {
    if (!types.includes(value.type) && !isFilledIn(value)) report(value, sentence());
  };
}

const truth: Check = (value, report) => {
  if (value.type !== "boolean") report(value, l10n.t("Expected true or false."));
};

const number = ofType(["number"], () => l10n.t("Expected a number."));

const pattern: Check = (value, report) => {
  if (isFilledIn(value)) return;
  if (value.type !== "string") {
    report(value, l10n.t("Expected a string with a pattern."));
    return;
  }
  const compiled = compilePattern(String(value.value));
  if ("problem" in compiled) report(value, compiled.problem);
};

const expected: Check = (value, report) => {
  const matchers = matchersOf(value);
  for (const { name, operand } of matchers) {
    const check = Object.hasOwn(OPERANDS, name) ? OPERANDS[name] : undefined;
    if (check === undefined) report(operand.parent?.children?.[0] ?? operand, unknownMatcherText(name));
    else check(operand, report);
  }
  if (matchers.length > 0) return;
  for (const each of value.type === "array" ? (value.children ?? []) : membersOf(value).map((member) => member.value))
    expected(each, report);
};

const TYPES: readonly string[] = ["string", "number", "boolean", "object", "array", "null"];

const OPERANDS: Readonly<Record<string, Check>> = {
  $gt: number,
  $gte: number,
  $lt: number,
  $lte: number,
  $len(value, report) {
    if (value.type === "object") expected(value, report);
    else
      ofType(["number"], () => l10n.t('Expected a length: a number, or a comparison such as { "$gt": 0 }.'))(
        value,
        report,
      );
  },
  $type(value, report) {
    if (!TYPES.includes(String(value.value)) && !isFilledIn(value))
      report(value, l10n.t("Expected one of these types: {0}.", plain.text(TYPES.join(", "))));
  },
  $match: pattern,
  $in(value, report) {
    ofType(["array"], () => l10n.t("Expected an array of the accepted values."))(value, report);
    if (value.type === "array") expected(value, report);
  },
  $absent: truth,
  $not: expected,
};

const MEMBERS: Readonly<Record<string, Check>> = {
  ok: truth,
  error(value, report) {
    if (value.type !== "object")
      report(value, l10n.t("{0} must be an object, for example {1}.", "error", '{ "code": 10004 }'));
    for (const { key, value: member, name } of membersOf(value)) {
      if (name === "code") expected(member, report);
      else if (name === "message~") pattern(member, report);
      else
        report(
          key,
          l10n.t("{0} is not a supported error expectation. Use one of {1}.", plain.name(name), "code, message~"),
        );
    }
  },
  result: expected,
  schema: truth,
  maxMs: number,
};

/** All words of an expectation: the parts that are compared, and the comparisons. */
export const EXPECTATION_WORDS: readonly string[] = [
  ...Object.keys(MEMBERS),
  ...Object.keys(OPERANDS),
  "code",
  "message~",
];
