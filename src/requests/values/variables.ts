import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { OneTimeSecret } from "../../rpc/oneTimeSecret.ts";
import type { Environment } from "../../state/records.ts";
import type { FileVariable } from "../file/file.ts";
import { literalAt, parsePath, type PathStep } from "../text/jsonPath.ts";
import { environmentName } from "../file/readRequest.ts";
import type { KeptResult } from "./results.ts";

/** The source of a value. */
export type VariableSource =
  /** A value for this run: a choice, an input, an option of the command line. */
  | { readonly kind: "given" }
  /** The response of a request with this name. */
  | { readonly kind: "result"; readonly name: string }
  /** `$run.vars` of the request. */
  | { readonly kind: "run" }
  /** `$file.vars`. */
  | { readonly kind: "file" }
  /** An `rpc.env.json`; `section` is `*` or an environment as files call it. */
  | { readonly kind: "environment"; readonly uri: string; readonly section: string }
  | { readonly kind: "builtIn" };

/** Returns the source of a value as text. */
export function sourceText(source: VariableSource): Plain {
  switch (source.kind) {
    case "given":
      return l10n.t("set for this run");
    case "result":
      return l10n.t("from the response of {0}", plain.name(source.name));
    case "run":
      return l10n.t("from $run.vars of this request");
    case "file":
      return l10n.t("from $file.vars");
    case "environment":
      return l10n.t("from {0}, section {1}", plain.name(decodedName(source.uri)), plain.name(source.section));
    case "builtIn":
      return l10n.t("computed when the request is sent");
  }
}

/** Returns the last two parts of an address: the file and its folder. */
function decodedName(uri: string): string {
  return uri.split(/[\\/]/).slice(-2).join("/");
}

/** A value, and its source. */
export interface FoundValue {
  /** A JSON literal, as it is written in its source. */
  readonly valueText: string;
  readonly source: VariableSource;
  /** The time when the response came that it is taken from, in ms since the Unix epoch. */
  readonly atMs?: number;
  /** The secret of the response that stands at the path, closed: `valueText` hides it. */
  readonly oneTime?: OneTimeSecret;
  /** The sources that have the name too and are ignored because of the order. */
  readonly shadowed: readonly VariableSource[];
}

/** A function that returns the value of a path; undefined where no source has one. */
export type Lookup = (path: string) => FoundValue | undefined;

/** Everything that can have values, in no order: the order is that of `createLookup`. */
export interface LookupParts {
  /** The values by path, e.g. `$pick.order`, or by name. */
  readonly given?: ReadonlyMap<string, string>;
  /** Returns a named response: a path continues with its member `result` or `error`. */
  readonly resultOf?: (name: string) => Pick<KeptResult, "literalAt" | "atMs" | "oneTime"> | undefined;
  readonly runVars?: readonly FileVariable[];
  readonly fileVars?: readonly FileVariable[];
  /** The variables of environment files: nearest folder first, in each the section of the environment before `*`. */
  readonly environmentVars?: readonly EnvironmentVariables[];
  readonly environment: Environment;
  readonly clock: Pick<Clock, "now">;
  /** Makes the value of `$uuid`. */
  readonly uuid: () => string;
}

/** A section of an environment file. */
export interface EnvironmentVariables {
  readonly source: Extract<VariableSource, { kind: "environment" }>;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Makes a lookup. The first source that has the name counts: values for this run, named responses, `$run.vars`,
 * `$file.vars`, environment files, built-ins.
 */
export function createLookup(parts: LookupParts): Lookup {
  return (path) => {
    const all = candidates(path, parts);
    const [first, ...others] = all;
    return first === undefined ? undefined : { ...first, shadowed: others.map(({ source }) => source) };
  };
}

type Candidate = Omit<FoundValue, "shadowed">;

function candidates(path: string, parts: LookupParts): readonly Candidate[] {
  const given = parts.given?.get(path);
  const own: readonly Candidate[] = given === undefined ? [] : [{ valueText: given, source: { kind: "given" } }];
  if (path.startsWith("$")) {
    const valueText = builtIn(path, parts);
    return valueText === undefined ? own : [...own, { valueText, source: { kind: "builtIn" } }];
  }
  const [name, ...steps] = parsePath(path) ?? [];
  if (typeof name !== "string") return own;
  return [...own, ...fromResult(name, steps, parts), ...fromVariables(name, steps, parts)];
}

/** Returns the values of `name.result…` and `name.error…` of a response. */
function fromResult(name: string, steps: readonly PathStep[], { resultOf }: LookupParts): readonly Candidate[] {
  if (steps[0] !== "result" && steps[0] !== "error") return [];
  const result = resultOf?.(name);
  const valueText = result === undefined ? undefined : result.literalAt(steps);
  if (result === undefined || valueText === undefined) return [];
  const { atMs, oneTime } = result;
  const isSecret = oneTime !== undefined && steps.length === 2 && steps[1] === oneTime.kind;
  return [{ valueText, source: { kind: "result", name }, atMs, ...(isSecret ? { oneTime } : {}) }];
}

function fromVariables(
  name: string,
  steps: readonly PathStep[],
  { runVars = [], fileVars = [], environmentVars = [] }: LookupParts,
): readonly Candidate[] {
  const inFile = (kind: "run" | "file", variables: readonly FileVariable[]): readonly Candidate[] =>
    variables.filter((each) => each.name === name).map(({ valueText }) => ({ valueText, source: { kind } }));
  const inFolders = environmentVars.flatMap(({ source, values }): readonly Candidate[] => {
    const valueText = values.get(name);
    return valueText === undefined ? [] : [{ valueText, source }];
  });
  return [...inFile("run", runVars), ...inFile("file", fileVars), ...inFolders].flatMap((each) => {
    const valueText = steps.length === 0 ? each.valueText : literalAt(each.valueText, steps);
    return valueText === undefined ? [] : [{ ...each, valueText }];
  });
}

/** Whether a path with a dollar sign has a value when it is sent: built in, chosen, or asked for. */
export function isBuiltIn(path: string): boolean {
  return path === "$uuid" || path === "$env" || NOW.test(path) || /^\$(?:pick|ask)\.[^.\s][^.]*$/.test(path);
}

const NOW = /^\$now(?:\s*([+-])\s*(\d{1,9})(ms|s|m|h|d))?$/;

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the value of `$now`, `$now-1h`, `$now+30s`, `$uuid`, `$env`. */
function builtIn(path: string, { clock, uuid, environment }: LookupParts): string | undefined {
  if (path === "$uuid") return JSON.stringify(uuid());
  if (path === "$env") return JSON.stringify(environmentName(environment));
  const match = NOW.exec(path);
  if (match === null) return undefined;
  const [, sign, count = "0", unit = "ms"] = match;
  const distanceMs = Number(count) * (UNITS_MS[unit] ?? 0);
  return String(clock.now() + (sign === "-" ? -distanceMs : distanceMs));
}

/**
 * Returns the names of responses that a path may take from. Whether they are responses or variables is known on lookup.
 */
export function resultNameOf(path: string): string | undefined {
  const [name, member] = parsePath(path) ?? [];
  return typeof name === "string" && (member === "result" || member === "error") ? name : undefined;
}
