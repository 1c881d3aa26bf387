import { parseTree, type Node } from "jsonc-parser";
import { requestAt } from "../file/cursor.ts";
import type { FileRequest, FileVariable, RequestFile, TextRange } from "../file/file.ts";
import { memberOf, parsePath } from "../text/jsonPath.ts";
import { findPlaceholders, type Placeholder } from "./placeholders.ts";
import { resultNameOf } from "./variables.ts";

/** The meaning of a name: the response of a request, or a variable. */
export interface NamedThing {
  readonly kind: "result" | "variable";
  readonly name: string;
  /** The request whose `$run.vars` has it; undefined for a name that is known in the whole file or beyond. */
  readonly ownerIndex: number | undefined;
}

/** A place where a name stands: its characters alone, without quotes and braces. */
export interface NameUse {
  readonly thing: NamedThing;
  readonly range: TextRange;
  /** Whether the name gets its meaning here: `$run.name`, a name in `$run.vars`, `$file.vars`. */
  readonly isDefinition: boolean;
}

/** Returns the name at an offset; undefined where none stands. */
export function nameAt(file: RequestFile, offset: number): NameUse | undefined {
  const request = requestAt(file, offset);
  return request === undefined
    ? undefined
    : usesIn(file, request).find(({ range }) => range.start <= offset && offset <= range.end);
}

/**
 * Returns every place of a file where a name with the same meaning stands. Only requests that hold its characters are
 * read.
 */
export function usesOf(file: RequestFile, { kind, name, ownerIndex }: NamedThing): readonly NameUse[] {
  return file.requests
    .filter(({ index, range }) => (ownerIndex === undefined || index === ownerIndex) && holds(file.text, range, name))
    .flatMap((request) =>
      usesIn(file, request).filter(
        ({ thing }) => thing.kind === kind && thing.name === name && thing.ownerIndex === ownerIndex,
      ),
    );
}

function holds(text: string, { start, end }: TextRange, name: string): boolean {
  const at = text.indexOf(name, start);
  return at >= 0 && at < end;
}

/** Returns all names that stand in a request, in no order. */
function usesIn(file: RequestFile, request: FileRequest): readonly NameUse[] {
  const text = file.text.slice(request.range.start, request.range.end);
  const root = parseTree(text, [], { allowTrailingComma: true });
  const run = memberOf(root, "$run");
  const read: Read = { file, request, own: new Set(request.run.vars.map(({ name }) => name)) };
  return [
    ...findPlaceholders(text, request.range.start).flatMap((each) => placeholderUse(read, each) ?? []),
    ...nodeUse(read, memberOf(run, "name"), true),
    ...afterNodes(memberOf(run, "after")).flatMap((node) => nodeUse(read, node, false)),
    ...request.run.vars.map((variable) => variableUse(variable, request.index)),
    ...(request.index === 0 ? request.fileVars.map((variable) => variableUse(variable, undefined)) : []),
  ];
}

interface Read {
  readonly file: RequestFile;
  readonly request: FileRequest;
  /** The names of its `$run.vars`. */
  readonly own: ReadonlySet<string>;
}

/**
 * Returns the place of the first name of a placeholder's path; undefined for a built-in one, which begins with a dollar
 * sign.
 */
function placeholderUse({ file, request, own }: Read, { path, range, isInName }: Placeholder): NameUse | undefined {
  const [name] = parsePath(path) ?? [];
  if (typeof name !== "string" || name.startsWith("$") || isInName || request.run.isRaw) return undefined;
  const start = file.text.indexOf(name, range.start + 2);
  const isResult = resultNameOf(path) !== undefined && !own.has(name) && !file.vars.some((each) => each.name === name);
  const thing: NamedThing = {
    kind: isResult ? "result" : "variable",
    name,
    ownerIndex: !isResult && own.has(name) ? request.index : undefined,
  };
  return { thing, range: { start, end: start + name.length }, isDefinition: false };
}

function nodeUse({ request }: Read, node: Node | undefined, isDefinition: boolean): readonly NameUse[] {
  if (node?.type !== "string" || node.value === "") return [];
  const start = request.range.start + node.offset + 1;
  return [
    {
      thing: { kind: "result", name: String(node.value), ownerIndex: undefined },
      range: { start, end: start + node.length - 2 },
      isDefinition,
    },
  ];
}

function variableUse({ name, range }: FileVariable, ownerIndex: number | undefined): NameUse {
  return {
    thing: { kind: "variable", name, ownerIndex },
    range: { start: range.start + 1, end: range.end - 1 },
    isDefinition: true,
  };
}

function afterNodes(node: Node | undefined): readonly Node[] {
  if (node === undefined) return [];
  return node.type === "array" ? (node.children ?? []) : [node];
}
