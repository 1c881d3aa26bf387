import { getNodePath, type Node } from "jsonc-parser";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { paramFactsOf, type ParamFacts } from "../../catalogue/reference/paramFacts.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import { cursorAt, type Cursor } from "../file/cursor.ts";
import { EXPECTATION_WORDS } from "../expectations/expectationProblems.ts";
import type { FileProblem, FileRequest, RequestFile, TextRange } from "../file/file.ts";
import { nearest } from "../text/nearest.ts";
import { namedRequests, outlineRequests } from "../file/outline.ts";
import { escapeBraces, findPlaceholders, type Placeholder } from "../values/placeholders.ts";
import { RUN_OPTIONS, TRANSPORTS_BY_NAME } from "../file/runOptions.ts";
import {
  addElement,
  addMember,
  nodeAt,
  removeAt,
  removeChild,
  type JsonPart,
  type TextEdit,
} from "../file/textEdits.ts";

/** A change that removes a problem. The user chooses it and sees its title first. */
export interface Fix {
  readonly title: Plain;
  readonly edits: readonly TextEdit[];
  /** Whether the fix is probably what was meant. */
  readonly isLikely: boolean;
}

/** The knowledge that fixes draw on. */
export interface FixKnowledge {
  /** Everything that a placeholder of the request may name. */
  readonly names: readonly string[];
  /** Returns the scope that an API key has now, as `max_scope` says it; undefined where it is not known. */
  readonly scopeOfKey: (id: unknown) => string | undefined;
}

/** Returns the fixes for a problem of a request; empty where there are none. */
export function fixesOf(file: RequestFile, problem: FileProblem, knowledge: FixKnowledge): readonly Fix[] {
  const request = problem.requestIndex === undefined ? undefined : file.request(problem.requestIndex);
  if (request === undefined) return [];
  const target: Target = {
    file,
    request,
    problem,
    knowledge,
    part: { text: file.text, range: request.range },
    cursor: cursorAt(file, problem.range.start + 1),
  };
  return (FIXES[problem.code]?.(target) ?? []).filter(({ edits }) => edits.length > 0);
}

/**
 * Returns a fix that puts an environment into `$file.env`. It has no edits where the file does not say where it is
 * sent.
 */
export function allowEnvironment({ text, request }: RequestFile, name: string): Fix {
  const range = request(0)?.range ?? { start: 0, end: 0 };
  return {
    title: l10n.t("Add {0} to $file.env so that this file can be sent there", plain.text(JSON.stringify(name))),
    edits: addElement({ text, range }, ["$file", "env"], JSON.stringify(name)),
    isLikely: false,
  };
}

interface Target {
  readonly file: RequestFile;
  readonly request: FileRequest;
  readonly problem: FileProblem;
  readonly knowledge: FixKnowledge;
  readonly part: JsonPart;
  /** The place where the problem begins. */
  readonly cursor: Cursor | undefined;
}

const FIXES: Partial<Readonly<Record<FileProblem["code"], (target: Target) => readonly Fix[]>>> = {
  placeholder: placeholderFixes,
  secretLiteral: secretFixes,
  idValue: ({ part }) => [
    { title: l10n.t("Remove the id"), edits: removeAt(part, ["id"]), isLikely: true },
    { title: l10n.t("Set the id to a number"), edits: replaced(part, ["id"], "1"), isLikely: false },
  ],
  versionValue: ({ part }) => [
    { title: l10n.t('Change to "2.0"'), edits: replaced(part, ["jsonrpc"], '"2.0"'), isLikely: true },
  ],
  methodPrefix: ({ problem: { range }, request: { method = "" } }) => [
    {
      title: l10n.t("Change to {0}", plain.text(method)),
      edits: [{ range, newText: JSON.stringify(method) }],
      isLikely: true,
    },
  ],
  paramsKind: paramsKindFixes,
  duplicateKey: duplicateFixes,
  unknownMember: ({ problem, cursor }) => renamed(problem, cursor?.path.at(-1), REQUEST_MEMBERS),
  params: paramFixes,
  runOptions: runOptionFixes,
  repeatedName: ({ file, problem, request: { run }, knowledge }) => {
    const free = freeName(
      run.name ?? "",
      new Set([...knowledge.names, ...namedRequests(outlineRequests(file)).keys()]),
    );
    return [
      {
        title: l10n.t("Rename to {0}", plain.text(free)),
        edits: [{ range: problem.range, newText: JSON.stringify(free) }],
        isLikely: true,
      },
    ];
  },
};

/** Returns a name with the next free number, no longer than names may be. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 2; ; count++) {
    const end = String(count);
    const free = name.slice(0, MAX_NAME_LENGTH - end.length) + end;
    if (!taken.has(free)) return free;
  }
}

const MAX_NAME_LENGTH = 64;

const REQUEST_MEMBERS: readonly string[] = ["jsonrpc", "id", "method", "params", "$run", "$file"];

/** Returns fixes for an unknown name: a similar name; else a variable of that name. */
function placeholderFixes({ file, request, problem, knowledge }: Target): readonly Fix[] {
  const { range } = problem;
  const isMeant = (place: TextRange): boolean => place.start < range.end && place.end > range.start;
  const nameOf = ({ path }: Placeholder): string => /^[\w$-]+/.exec(path)?.[0] ?? "";
  const meant = findPlaceholders(file.text.slice(request.range.start, request.range.end), request.range.start).filter(
    (each) => each.path !== "" && isMeant(each.range),
  );
  const found = meant.find((each) => !knowledge.names.includes(nameOf(each)));
  const name = found === undefined ? "" : nameOf(found);
  if (found === undefined || name === "") return [];
  const start = file.text.indexOf(name, found.range.start);
  const near = nearest(name, knowledge.names).map((each): Fix => ({
    title: l10n.t("Change to {0}", plain.text(each)),
    edits: [{ range: { start, end: start + name.length }, newText: each }],
    isLikely: true,
  }));
  const first = file.request(0);
  if (name.startsWith("$") || first === undefined) return near;
  const member = { name, valueText: '""' };
  return [
    ...near,
    {
      title: l10n.t("Define {0} in $file.vars", plain.text(name)),
      edits: addMember({ text: file.text, range: first.range }, ["$file", "vars"], member),
      isLikely: false,
    },
    ...(request.index === 0
      ? []
      : [
          {
            title: l10n.t("Define {0} in $run.vars of this request", plain.text(name)),
            edits: addMember({ text: file.text, range: request.range }, ["$run", "vars"], member),
            isLikely: false,
          },
        ]),
  ];
}

function secretFixes({ part, request, problem, cursor }: Target): readonly Fix[] {
  if (cursor === undefined) return [];
  const name = plain.name(String(cursor.path.at(-1)));
  const remove: Fix = {
    title: l10n.t("Remove {0} from the file", plain.text(name)),
    edits: removeAt(part, cursor.path),
    isLikely: problem.severity === "error",
  };
  if (!isSwitch(request.method ?? "") || cursor.path.join("/") !== "params/refresh_token") return [remove];
  return [
    {
      title: l10n.t("Use the connection's token: {0}", SESSION_REFRESH_TOKEN),
      edits: [{ range: problem.range, newText: JSON.stringify(SESSION_REFRESH_TOKEN) }],
      isLikely: true,
    },
  ];
}

/**
 * Returns fixes that turn the params into named ones. They take the only object of a list, or the values in the
 * documented order of the method's parameters.
 */
function paramsKindFixes({ part, request }: Target): readonly Fix[] {
  const node = nodeAt(part, ["params"]);
  const elements = node?.type === "array" ? (node.children ?? []) : [];
  if (node?.type !== "array")
    return [
      { title: l10n.t("Replace with an empty object"), edits: replaced(part, ["params"], "{}"), isLikely: false },
    ];
  const [only] = elements;
  if (elements.length === 0)
    return [{ title: l10n.t("Replace with an empty object"), edits: replaced(part, ["params"], "{}"), isLikely: true }];
  if (elements.length === 1 && only?.type === "object")
    return [
      {
        title: l10n.t("Remove the array around the object"),
        edits: replaced(part, ["params"], literalOf(part, only)),
        isLikely: true,
      },
    ];
  const names = paramFactsOf(request.method ?? "").map(({ name }) => name);
  if (elements.length > names.length) return [];
  const members = elements.map((each, index) => `${JSON.stringify(names[index])}: ${literalOf(part, each)}`);
  return [
    {
      title: l10n.t(
        "Convert to named parameters in documentation order: {0}",
        plain.text(names.slice(0, elements.length).join(", ")),
      ),
      edits: replaced(part, ["params"], `{ ${members.join(", ")} }`),
      isLikely: false,
    },
  ];
}

/** Returns fixes that remove either of two duplicates, because either may be the one that is meant. */
function duplicateFixes({ part, problem }: Target): readonly Fix[] {
  const start = problem.range.start - part.range.start;
  const holder = nodesOf(nodeAt(part, [])).find(
    ({ type, children = [] }) => type === "object" && children.some((property) => property.offset === start),
  );
  const properties = holder?.children ?? [];
  const index = properties.findIndex(({ offset }) => offset === start);
  const name: unknown = properties[index]?.children?.[0]?.value;
  const earlier = properties.findIndex(({ children }) => children?.[0]?.value === name);
  return [
    {
      title: l10n.t("Remove this {0}", plain.name(String(name))),
      edits: removeChild(part, properties, index),
      isLikely: false,
    },
    {
      title: l10n.t("Remove the earlier {0}", plain.name(String(name))),
      edits: removeChild(part, properties, earlier),
      isLikely: false,
    },
  ];
}

function paramFixes(target: Target): readonly Fix[] {
  const { part, request, problem, cursor } = target;
  const facts = paramFactsOf(request.method ?? "");
  if (isAtParams(target)) return missingFixes(target, facts);
  if (cursor === undefined || cursor.path[0] !== "params") return [];
  const name = cursor.path.at(-1);
  if (cursor.path.length !== 2)
    return problem.severity === "warning" && !cursor.isName
      ? numberFixes(problem, String(name), nodeAt(part, cursor.path)?.value)
      : [];
  if (cursor.isName)
    return renamed(
      problem,
      name,
      facts.map((each) => each.name),
    );
  const fact = facts.find((each) => each.name === name);
  return fact === undefined ? [] : valueFixes(problem, fact, nodeAt(part, cursor.path)?.value);
}

/** Returns fixes for the option, comparison or transport that was probably meant, and one that removes the member. */
function runOptionFixes({ part, problem }: Target): readonly Fix[] {
  const offset = problem.range.start - part.range.start;
  const node = nodesOf(nodeAt(part, [])).find((each) => each.offset === offset && each.type !== "property");
  const path = node === undefined ? [] : getNodePath(node);
  const name = path.at(-1);
  if (path[0] !== "$run" || typeof name !== "string") return [];
  const remove: Fix = {
    title: l10n.t("Remove {0}", plain.name(name)),
    edits: removeAt(part, path),
    isLikely: false,
  };
  const isName = node?.parent?.type === "property" && node.parent.children?.[0] === node;
  if (isName) return [...renamed(problem, name, path.length === 2 ? RUN_OPTIONS : EXPECTATION_WORDS), remove];
  const value: unknown = node?.value;
  if (path.length === 2 && name === "transport")
    return [...renamed(problem, value, [...TRANSPORTS_BY_NAME.keys()]), remove];
  return [...withoutQuotes(problem, name, value), remove];
}

/** Returns a fix for a number or a truth value that was written as a text. */
function withoutQuotes({ range }: FileProblem, name: string, value: unknown): readonly Fix[] {
  if (typeof value !== "string" || !/^(?:\d{1,9}|true|false)$/.test(value)) return [];
  return [
    {
      title: l10n.t("Remove the quotes around the value of {0}", plain.name(name)),
      edits: [{ range, newText: value }],
      isLikely: true,
    },
  ];
}

/**
 * Whether a problem stands at the parameters, or at the method where there are none, because what is missing has no
 * place.
 */
function isAtParams({ part, request, problem }: Target): boolean {
  const params = nodeAt(part, ["params"]);
  return [request.methodRange?.start, params === undefined ? undefined : request.range.start + params.offset].includes(
    problem.range.start,
  );
}

/** Returns a fix for a number in quotes. */
function numberFixes({ range }: Pick<FileProblem, "range">, name: string, value: unknown): readonly Fix[] {
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value)) return [];
  return [
    { title: l10n.t("Convert {0} to a number", plain.name(name)), edits: [{ range, newText: value }], isLikely: true },
  ];
}

function valueFixes(
  { range }: FileProblem,
  { type, least, most, values, name }: ParamFacts,
  value: unknown,
): readonly Fix[] {
  const put = (newText: string, title: Plain): Fix => ({ title, edits: [{ range, newText }], isLikely: true });
  if (typeof value === "number" && type === "number") {
    const allowed = Math.min(Math.max(Math.round(value), least ?? -Infinity), most ?? Infinity);
    return allowed === value
      ? []
      : [put(String(allowed), l10n.t("Change {0} to {1} (nearest allowed value)", plain.text(name), allowed))];
  }
  if (type === "number" && typeof value === "string") return numberFixes({ range }, name, value);
  if (typeof value === "number" && type === "string")
    return [put(`"${String(value)}"`, l10n.t("Convert {0} to a string", plain.text(name)))];
  if (typeof value === "string")
    return nearest(
      value,
      values.filter((each) => typeof each === "string"),
    ).map((each) => put(JSON.stringify(each), l10n.t("Change to {0}", plain.text(each))));
  return [];
}

/**
 * Returns one fix for all that is missing. The scope of a key is its present one where that is known, and otherwise to
 * be filled in.
 */
function missingFixes({ part, request, knowledge }: Target, facts: readonly ParamFacts[]): readonly Fix[] {
  const params = JSON.parse(request.paramsText) as Readonly<Record<string, unknown>>;
  const missing = facts.filter(({ name, isRequired }) => isRequired && params[name] === undefined);
  if (missing.length === 0) return [];
  const scope = missing.some(({ name }) => name === "max_scope") ? knowledge.scopeOfKey(params["id"]) : undefined;
  const scopeText = scope === undefined ? JSON.stringify(UNKNOWN_SCOPE) : escapeBraces(JSON.stringify(scope));
  const members = missing.map(({ name, type }) => ({
    name,
    valueText: name === "max_scope" ? scopeText : EMPTY_VALUES[type],
  }));
  // All of them are one insertion.
  const valueText = members
    .map((each, index) => (index === 0 ? each.valueText : `${JSON.stringify(each.name)}: ${each.valueText}`))
    .join(", ");
  const names = members.map(({ name }) => name).join(", ");
  const title =
    scope === undefined
      ? l10n.t("Add {0} for you to fill in", plain.text(names))
      : l10n.t("Add {0} with the current scope of the API key: {1}", plain.text(names), plain.name(scope));
  return [{ title, edits: addMember(part, ["params"], { name: members[0]?.name ?? "", valueText }), isLikely: true }];
}

const EMPTY_VALUES: Readonly<Record<ParamFacts["type"], string>> = {
  string: '""',
  number: "0",
  boolean: "false",
  array: "[]",
  object: "{}",
};

/**
 * The scope of a key whose scope is not known. An empty one would take everything from the key; an undefined variable
 * holds the request back.
 */
const UNKNOWN_SCOPE = "{{max_scope}}";

/** Returns fixes with the names that were probably meant. */
function renamed({ range }: FileProblem, name: unknown, names: readonly string[]): readonly Fix[] {
  return nearest(String(name), names).map((each) => ({
    title: l10n.t("Change to {0}", plain.text(each)),
    edits: [{ range, newText: JSON.stringify(each) }],
    isLikely: true,
  }));
}

function replaced(part: JsonPart, path: readonly string[], newText: string): readonly TextEdit[] {
  const node = nodeAt(part, path);
  const start = part.range.start + (node?.offset ?? 0);
  return node === undefined ? [] : [{ range: { start, end: start + node.length }, newText }];
}

function literalOf({ text, range }: JsonPart, { offset, length }: Node): string {
  return text.slice(range.start + offset, range.start + offset + length);
}

/** Returns a node and all below it. */
function nodesOf(node: Node | undefined): readonly Node[] {
  return node === undefined ? [] : [node, ...(node.children ?? []).flatMap(nodesOf)];
}
