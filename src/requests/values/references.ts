import { parseTree } from "jsonc-parser";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Expectation, FileRequest, FileVariable, RequestFile } from "../file/file.ts";
import { memberOf, parsePath } from "../text/jsonPath.ts";
import type { Place } from "../text/place.ts";
import { findPlaceholders } from "./placeholders.ts";
import { resultNameOf } from "./variables.ts";

/** Returns the label of a request in a sentence: its name, else its method. */
export function labelOf({ run: { name }, method = "", index }: FileRequest): Plain {
  if (name !== undefined) return plain.name(name);
  return method === "" ? l10n.t("request {0}", index + 1) : plain.name(method);
}

/**
 * Returns the paths of all placeholders of a request, in their order and each once. They come from its params, its
 * expectations, and the variables that these are made of.
 */
export function placeholderPaths(
  { paramsText, run }: Pick<FileRequest, "paramsText" | "run">,
  variables: readonly Pick<FileVariable, "name" | "valueText">[],
): readonly string[] {
  const texts = run.isRaw ? [] : [paramsText, ...expectationTexts(run.expect), ...expectationTexts(run.until?.expect)];
  const paths = new Set<string>();
  const open = pathsIn(texts);
  const known = open.length === 0 ? [] : [...run.vars, ...variables];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (paths.has(path)) continue;
    paths.add(path);
    const [name] = parsePath(path) ?? [];
    open.push(...pathsIn(known.filter((each) => each.name === name).map(({ valueText }) => valueText)));
  }
  return [...paths];
}

/**
 * Returns the place of the first placeholder with a path in the file: in the parameters, else anywhere in the request.
 * Its beginning where it comes from a variable.
 */
export function placeOfPlaceholder(
  { text, placeAt }: Pick<RequestFile, "text" | "placeAt">,
  { range }: Pick<FileRequest, "range">,
  path: string,
): Place {
  const requestText = text.slice(range.start, range.end);
  const found = findPlaceholders(requestText, range.start).filter((each) => each.path === path);
  const paramsStart =
    range.start + (memberOf(parseTree(requestText, [], { allowTrailingComma: true }), "params")?.offset ?? 0);
  return placeAt((found.find((each) => each.range.start >= paramsStart) ?? found[0])?.range.start ?? range.start);
}

/** Returns the names of responses that a request takes from, by `{{name.result…}}` and `{{name.error…}}`. */
export function resultNames(
  request: Pick<FileRequest, "paramsText" | "run">,
  variables: readonly FileVariable[],
): readonly string[] {
  return [...new Set(placeholderPaths(request, variables).flatMap((path) => resultNameOf(path) ?? []))];
}

function pathsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => findPlaceholders(text)).map(({ path }) => path);
}

function expectationTexts(expect: Expectation | undefined): readonly string[] {
  return expect === undefined ? [] : [expect.text.slice(expect.node.offset, expect.node.offset + expect.node.length)];
}
