import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { FileVariable, RequestFile, TextRange } from "../../requests/file/file.ts";
import { findPlaceholders } from "../../requests/values/placeholders.ts";
import { labelOf } from "../../requests/values/references.ts";
import { resolveParams } from "../../requests/values/resolve.ts";
import type { KeptResult } from "../../requests/values/results.ts";
import {
  createLookup,
  isBuiltIn,
  type EnvironmentVariables,
  type FoundValue,
  type LookupParts,
} from "../../requests/values/variables.ts";
import { foundValueLines, sentenceAtSending, type TextMoment } from "./placeholderWords.ts";

/* All that the placeholders of a file can name, in rows. */

/** A name, its value, and the source of the value. Every text is plain. */
export interface VariableRow {
  /** The name in a placeholder: `max`, `open.result`, `$pick.order`. */
  readonly name: Plain;
  /** The value, short; a secret is hidden. Empty where there is none yet. */
  readonly value: Plain;
  /** The source of the value, its age, and the sources that it hides; or the time when it comes. */
  readonly source: Plain;
  /** The place where the name gets its meaning. */
  readonly definition: VariableDefinition;
}

export type VariableDefinition =
  /** A place in this file. */
  | { readonly kind: "here"; readonly range: TextRange }
  | { readonly kind: "environment"; readonly uri: string; readonly section: string; readonly name: string }
  /** The request with this name, in this file or another one of its folder. */
  | { readonly kind: "result"; readonly name: string };

/** The data that the rows of a file are made of. */
interface VariableSources extends Pick<LookupParts, "clock" | "uuid" | "environment"> {
  readonly file: RequestFile;
  /** The environment variables, nearest folder first, as `environmentVariables` puts them. */
  readonly environmentVars: readonly EnvironmentVariables[];
  /** The responses that exist. */
  readonly results: readonly KeptResult[];
  /** The names of requests of the file that have no response yet, in its order. */
  readonly waiting: readonly string[];
}

/**
 * Returns the variables of a file. They are those of `$file.vars`, of each request's `$run.vars`, of the environment
 * files, the named responses, and what the user is asked for. A name that counts in several places stands once, with
 * the sources that it hides.
 */
export function variableRows(sources: VariableSources, moment: TextMoment): readonly VariableRow[] {
  return [
    ...fileRows(sources, moment),
    ...requestRows(sources, moment),
    ...resultRows(sources, moment),
    ...askedRows(sources),
  ];
}

/** Returns the names that hold in the whole file. */
function fileRows(sources: VariableSources, moment: TextMoment): readonly VariableRow[] {
  const { file, environmentVars } = sources;
  const lookup = createLookup({ ...sources, fileVars: file.vars });
  const names = [...file.vars.map(({ name }) => name), ...environmentVars.flatMap(({ values }) => [...values.keys()])];
  return [...new Set(names)].flatMap((name) => {
    const found = lookup(name);
    if (found === undefined) return [];
    const { source } = found;
    const own = file.vars.find((each) => each.name === name);
    const definition: VariableDefinition =
      source.kind === "environment"
        ? { kind: "environment", uri: source.uri, section: source.section, name }
        : { kind: "here", range: own?.range ?? { start: 0, end: 0 } };
    return [rowOf(name, filledIn(found, sources, []), definition, moment)];
  });
}

/** Returns the names of one request alone. */
function requestRows(sources: VariableSources, moment: TextMoment): readonly VariableRow[] {
  return sources.file.requests.flatMap((request) => {
    const { vars } = request.run;
    const lookup =
      vars.length === 0 ? undefined : createLookup({ ...sources, runVars: vars, fileVars: sources.file.vars });
    return vars.flatMap(({ name, range }) => {
      const found = lookup?.(name);
      if (found === undefined) return [];
      const row = rowOf(name, filledIn(found, sources, vars), { kind: "here", range }, moment);
      return [{ ...row, source: l10n.t("{0} ({1})", row.source, labelOf(request)) }];
    });
  });
}

/**
 * Returns the final value of a variable, which may be made of others. If one of them has no value, returns the parts.
 */
function filledIn(found: FoundValue, sources: VariableSources, runVars: readonly FileVariable[]): FoundValue {
  if (!found.valueText.includes("{{")) return found;
  const resultOf: LookupParts["resultOf"] = (name) => sources.results.find((each) => each.name === name);
  const resolution = resolveParams(
    found.valueText,
    createLookup({ ...sources, resultOf, runVars, fileVars: sources.file.vars }),
  );
  return resolution.kind === "resolved" ? { ...found, valueText: resolution.paramsText } : found;
}

function resultRows({ results, waiting }: VariableSources, moment: TextMoment): readonly VariableRow[] {
  return [
    ...results.toReversed().map((result) =>
      rowOf(
        `${result.name}.${result.isError ? "error" : "result"}`,
        {
          valueText: result.bodyText,
          source: { kind: "result", name: result.name },
          atMs: result.atMs,
          shadowed: [],
        },
        { kind: "result", name: result.name },
        moment,
      ),
    ),
    ...waiting.map((name): VariableRow => ({
      name: plain`${plain.name(name)}.result`,
      value: "",
      source: l10n.t("no response yet"),
      definition: { kind: "result", name },
    })),
  ];
}

/** Returns what the user chooses or types when it is sent, at its first place. */
function askedRows({ file: { text } }: VariableSources): readonly VariableRow[] {
  const asked = new Map<string, TextRange>();
  for (const { path, range } of findPlaceholders(text))
    if (isBuiltIn(path) && sentenceAtSending(path) !== undefined && !asked.has(path)) asked.set(path, range);
  return [...asked].map(([path, range]) => ({
    name: plain.name(path),
    value: "",
    source: sentenceAtSending(path) ?? "",
    definition: { kind: "here", range },
  }));
}

function rowOf(name: string, found: FoundValue, definition: VariableDefinition, moment: TextMoment): VariableRow {
  const [value = "", ...about] = foundValueLines(name, found, moment);
  return { name: plain.name(name), value, source: plain.join(about, " · "), definition };
}
