import type { Problem } from "../base/failure.ts";
import { isObject, numberIn } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";

/** A JSON Schema node as far as the catalogue uses the language. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/**
 * Returns sentences about where and why a value breaks a schema of the catalogue; empty when it does not. `root` is the
 * document that references point into. A member that the schema does not know is a warning, everything else an error.
 * `isReading`: the value was received. In it a null is a missing member; in a value that we send it is wrong. There, a
 * number in quotes is a warning.
 */
export function findProblems(root: SchemaNode, schema: SchemaNode, value: unknown, isReading = false): Problem[] {
  const problems: Problem[] = [];
  visit({ root, problems, isReading, path: [] }, schema, value);
  return problems;
}

interface Visit {
  readonly root: SchemaNode;
  readonly problems: Problem[];
  readonly isReading: boolean;
  /** The path of the value that is visited: one list for the whole visit, because hardly any value has a problem. */
  readonly path: (string | number)[];
}

function visit(run: Visit, schema: SchemaNode, value: unknown): void {
  const reference = schema["$ref"];
  if (typeof reference === "string") visit(run, resolveReference(run.root, reference), value);
  const allOf = schema["allOf"];
  if (Array.isArray(allOf)) for (const branch of allOf) visit(run, branch as SchemaNode, value);
  if (!visitAlternatives(run, schema, value)) return;
  const type = schema["type"];
  if (typeof type === "string" && !isOfType(type, value)) {
    const number = run.isReading ? undefined : quotedNumber(type, value);
    const message = l10n.t("expected {0}, got {1}", typeWord(type), shown(value));
    if (number === undefined) report(run, message);
    else {
      run.problems.push({ path: [...run.path], message, severity: "warning", isQuotedNumber: true });
      visitBounds(run, schema, number);
    }
    return;
  }
  visitBounds(run, schema, value);
  visitSuggestion(run, schema, value);
  if (Array.isArray(value)) visitItems(run, schema, value);
  else if (typeof value === "object" && value !== null)
    visitMembers(run, schema, value as Readonly<Record<string, unknown>>);
}

/**
 * Checks a value against the alternatives of a schema. Returns whether the rest of the schema is still worth checking.
 */
function visitAlternatives(run: Visit, schema: SchemaNode, value: unknown): boolean {
  const allowed = schema["enum"] ?? ("const" in schema ? [schema["const"]] : undefined);
  if (Array.isArray(allowed) && !allowed.includes(value)) {
    report(run, l10n.t("expected one of {0}, got {1}", plain.text(allowed.join(", ")), shown(value)));
    return false;
  }
  const anyOf = schema["anyOf"];
  if (!Array.isArray(anyOf)) return true;
  const attempts = anyOf.map((branch) => findProblems(run.root, branch as SchemaNode, value, run.isReading));
  const fitting =
    attempts.find((problems) => problems.length === 0) ??
    attempts.find((problems) => problems.every(({ severity }) => severity === "warning"));
  if (fitting !== undefined) {
    for (const problem of fitting) run.problems.push({ ...problem, path: [...run.path, ...problem.path] });
    return true;
  }
  const closest = attempts.reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best));
  for (const problem of closest) run.problems.push({ ...problem, path: [...run.path, ...problem.path] });
  return false;
}

/** Returns the depth that a branch got to in the value. The deepest branch is the one that was meant. */
function depthOf(problems: readonly Problem[]): number {
  return Math.max(0, ...problems.map((problem) => problem.path.length));
}

function visitBounds(run: Visit, schema: SchemaNode, value: unknown): void {
  if (typeof value === "number") visitRange(run, schema, value);
  if (typeof value === "string" || Array.isArray(value)) visitLength(run, schema, value);
  const pattern = schema["pattern"];
  if (typeof value === "string" && typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) {
    report(
      run,
      PATTERN_SENTENCES[String(schema["patternName"])]?.(shown(value)) ??
        l10n.t("{0} does not match the pattern {1}", shown(value), plain.text(pattern)),
    );
  }
}

/** The meanings of the patterns that have a name in the catalogue. */
const PATTERN_SENTENCES: Readonly<Record<string, (value: Plain) => Plain>> = {
  keyName: (value) => l10n.t("must contain only letters, digits, and underscores, got {0}", value),
};

/** Warns about a text that is not a documented value. Lists of values grow without notice, so it is sent anyway. */
function visitSuggestion(run: Visit, schema: SchemaNode, value: unknown): void {
  const values = schema["suggestedValues"];
  if (!Array.isArray(values) || typeof value !== "string" || values.includes(value)) return;
  report(
    run,
    l10n.t("{0} is not one of the documented values: {1}", shown(value), plain.text(values.join(", "))),
    "warning",
  );
}

function visitRange(run: Visit, schema: SchemaNode, value: number): void {
  const least = limitOf(schema, "minimum");
  const most = limitOf(schema, "maximum");
  if (schema["type"] === "integer" && !Number.isSafeInteger(value))
    report(run, l10n.t("{0} is too large for an exact integer", value));
  else if ((least !== undefined && value < least) || (most !== undefined && value > most)) {
    report(run, rangeSentence(least, most, value));
  }
}

function visitLength(run: Visit, schema: SchemaNode, value: string | readonly unknown[]): void {
  const isText = typeof value === "string";
  const least = limitOf(schema, isText ? "minLength" : "minItems");
  const most = limitOf(schema, isText ? "maxLength" : "maxItems");
  if (least !== undefined && value.length < least) {
    report(
      run,
      value.length === 0 ? l10n.t("must not be empty") : l10n.t("needs at least {0}, has {1}", least, value.length),
    );
  }
  if (most !== undefined && value.length > most) report(run, l10n.t("allows at most {0}, has {1}", most, value.length));
}

function limitOf(schema: SchemaNode, name: string): number | undefined {
  const limit = schema[name];
  return typeof limit === "number" ? limit : undefined;
}

function rangeSentence(least: number | undefined, most: number | undefined, value: number): Plain {
  if (least !== undefined && most !== undefined) return l10n.t("must be from {0} to {1}, got {2}", least, most, value);
  if (least !== undefined) return l10n.t("must be at least {0}, got {1}", least, value);
  return l10n.t("must be at most {0}, got {1}", most ?? 0, value);
}

function visitItems(run: Visit, schema: SchemaNode, value: readonly unknown[]): void {
  const items = schema["items"];
  if (typeof items !== "object" || items === null) return;
  for (const [index, item] of value.entries()) {
    visitAt(run, index, items as SchemaNode, item);
    // A long list of bad elements must not become a longer list of sentences.
    if (run.problems.length >= MAX_PROBLEMS) return;
  }
}

const MAX_PROBLEMS = 20;

function visitMembers(run: Visit, schema: SchemaNode, value: Readonly<Record<string, unknown>>): void {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, SchemaNode>>;
  const required = (schema["required"] ?? []) as readonly string[];
  for (const name of required) {
    if (value[name] === undefined) report(run, l10n.t("{0} is missing", plain.text(name)));
  }
  for (const name of Object.keys(value)) {
    const member = value[name];
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) {
      const isAbsent = member === undefined || (member === null && run.isReading && !required.includes(name));
      if (!isAbsent) visitAt(run, name, known, member);
    } else if (schema["additionalProperties"] === false) {
      run.problems.push({
        path: [...run.path, name],
        message: l10n.t("{0} is not a parameter of this method", plain.name(name)),
        severity: "warning",
        isUnknownMember: true,
      });
    }
  }
}

/** Visits an element or a member. */
function visitAt(run: Visit, key: string | number, schema: SchemaNode, value: unknown): void {
  run.path.push(key);
  visit(run, schema, value);
  run.path.pop();
}

function report(run: Visit, message: Plain, severity: Problem["severity"] = "error"): void {
  run.problems.push({ path: [...run.path], message, severity });
}

/** Returns the node of the document that a reference points to. */
export function resolveReference(root: SchemaNode, reference: string): SchemaNode {
  let node = root;
  // Walked without a list of parts: the simulator checks the parameters of every call by this.
  for (let from = reference.startsWith("#/") ? 2 : 0; from <= reference.length;) {
    const slash = reference.indexOf("/", from);
    const until = slash < 0 ? reference.length : slash;
    node = node[reference.slice(from, until)] as SchemaNode;
    from = until + 1;
  }
  return node;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

/** Returns the number that a string of digits stands for, where the schema has a number. Documentation has both. */
function quotedNumber(type: string, value: unknown): number | undefined {
  const number = typeof value === "string" ? numberIn(value) : undefined;
  return number !== undefined && isOfType(type, number) ? number : undefined;
}

/**
 * Returns parameters as the exchange reads them: with the numbers that these problems find in quotes as numbers. The
 * same object where there are none.
 */
export function withNumbers(
  params: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
): Readonly<Record<string, unknown>> {
  const quoted = problems.filter(({ isQuotedNumber }) => isQuotedNumber === true);
  return quoted.reduce((read, { path }) => replacedAt(read, path) as typeof params, params);
}

function replacedAt(value: unknown, [key, ...rest]: Problem["path"]): unknown {
  if (key === undefined) return numberIn(value);
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? replacedAt(item, rest) : (item as unknown)));
  return isObject(value) ? { ...value, [key]: replacedAt(value[key], rest) } : value;
}

function typeWord(type: string): Plain {
  switch (type) {
    case "integer":
      return l10n.t("a whole number");
    case "number":
      return l10n.t("a number");
    case "boolean":
      return l10n.t("true or false");
    case "array":
      return l10n.t("an array");
    case "object":
      return l10n.t("an object");
    default:
      return l10n.t("a string");
  }
}

function shown(value: unknown): Plain {
  if (value === undefined) return l10n.t("nothing");
  if (Array.isArray(value)) return l10n.t("an array");
  if (typeof value === "object" && value !== null) return l10n.t("an object");
  return plain.name(JSON.stringify(value));
}
