import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { methodTable, type ParamEntry } from "../../catalogue/reference/methodTable.ts";
import { checkAnyParams } from "../../catalogue/reference/reference.ts";
import { nearest } from "../../requests/text/nearest.ts";
import type { ListedTool } from "./protocol.ts";

/** What an agent gives a tool, by name. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** What a tool can be given, as JSON Schema by name. */
export type ToolParams = Readonly<Record<string, object>>;

/** Returns the schema of what a tool is given. */
export function inputSchema(params: ToolParams, required: readonly string[]): ListedTool["inputSchema"] {
  return {
    type: "object",
    properties: params,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Returns parameters of a method as JSON Schema, by name, from the table of methods. */
export function methodParams(method: string, names: readonly string[]): ToolParams {
  const entries = methodTable([method]).flatMap(({ params }) => params);
  return Object.fromEntries(
    names.flatMap((name) => {
      const entry = entries.find((each) => each.name === name);
      return entry === undefined ? [] : [[name, schemaOf(entry)]];
    }),
  );
}

/** Returns those of the names that a method requires. */
export function requiredParams(method: string, names: readonly string[]): readonly string[] {
  return methodTable([method]).flatMap(({ params }) =>
    params.filter(({ name, required }) => required && names.includes(name)).map(({ name }) => name),
  );
}

function schemaOf({ name: _name, required: _required, type, enum: known, enumIsOpen, ...rest }: ParamEntry): object {
  const types = type.split("|");
  return {
    type: types.length === 1 ? type : types,
    ...rest,
    // Values that the table doesn't know are the exchange's to refuse.
    ...(known === undefined ? {} : enumIsOpen === true ? { examples: known } : { enum: known }),
  };
}

/** Reads what an agent has given. Returns a sentence with its place where it is not an object. */
export function readInput(tool: string, given: unknown): ToolInput | Plain {
  if (given === undefined || given === null) return {};
  return isObject(given)
    ? given
    : l10n.t("{0}: the arguments must be a JSON object. Nothing was sent.", plain.name(tool));
}

/** Returns the first name that a tool does not have, or that it needs and was not given, as a sentence. */
export function argumentProblem(
  tool: string,
  input: ToolInput,
  { names, required }: { readonly names: readonly string[]; readonly required: readonly string[] },
): Plain | undefined {
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) return unknownName(plain`${plain.name(tool)}.${plain.name(unknown)}`, unknown, names);
  const missing = required.find((name) => !Object.hasOwn(input, name));
  return missing === undefined
    ? undefined
    : l10n.t("{0}.{1} is missing. Nothing was sent.", plain.name(tool), plain.name(missing));
}

function unknownName(place: Plain, name: string, names: readonly string[]): Plain {
  const near = nearest(name, names);
  if (names.length === 0) return l10n.t("{0}: the tool has no arguments. Nothing was sent.", place);
  return near.length === 0
    ? l10n.t("{0}: unknown argument. Use {1}. Nothing was sent.", place, plain.text(names.join(", ")))
    : l10n.t("{0}: unknown argument. Did you mean {1}? Nothing was sent.", place, plain.text(near.join(", ")));
}

/** Returns the first problem of the parameters of a method, with its place in what the agent has given. */
export function valueProblem(tool: string, method: string, params: ToolInput): Plain | undefined {
  const problem = checkAnyParams(method, params).find(
    ({ severity, isUnknownMember, isQuotedNumber }) =>
      severity === "error" || isUnknownMember === true || isQuotedNumber === true,
  );
  if (problem === undefined) return undefined;
  const place = plain.join(
    [tool, ...problem.path].map((part) => plain.name(String(part))),
    ".",
  );
  return l10n.t("{0}: {1}. Nothing was sent.", place, plain.text(problem.message.replace(/\.$/, "")));
}
