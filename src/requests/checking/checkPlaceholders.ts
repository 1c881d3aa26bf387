import { isSwitch } from "../../catalogue/sessionCalls.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { FileRequest, RequestFile, TextRange } from "../file/file.ts";
import { parsePath } from "../text/jsonPath.ts";
import { findPlaceholders, type Placeholder } from "../values/placeholders.ts";
import { FILTERS } from "../values/resolve.ts";
import { isBuiltIn, resultNameOf } from "../values/variables.ts";

/** The values known outside of the file: responses of other files, environment files. */
export interface KnownValues {
  /** Whether a path such as `{{instrument}}` or `{{open.result[0]}}` has a value. */
  readonly isKnown: (path: string) => boolean;
}

/** A placeholder of a request that is wrong in itself, or names something that must have a value elsewhere. */
export type PlaceholderFinding = { readonly range: TextRange } & (
  | { readonly kind: "wrong"; readonly message: Plain }
  | {
      readonly kind: "named";
      readonly path: string;
      /** The first name of the path. */
      readonly name: string;
      /** The name of the response that it takes from; undefined where it is a variable. */
      readonly result: string | undefined;
    }
);

/**
 * Returns what is found in the placeholders of a request, whatever else is in its file. `paramsText` is the text of its
 * parameters as it stands in the file, from `start` on; `refreshToken` is the place of the token of an account switch.
 */
export function placeholderFindings(
  request: FileRequest,
  {
    paramsText,
    start,
    refreshToken,
  }: { readonly paramsText: string; readonly start: number; readonly refreshToken: TextRange | undefined },
): readonly PlaceholderFinding[] {
  if (request.run.isRaw) return [];
  const own = new Set(request.run.vars.map(({ name }) => name));
  return findPlaceholders(paramsText, start).flatMap((placeholder) => {
    const found = isSessionToken(placeholder)
      ? tokenProblem(request, placeholder, refreshToken)
      : findingOf(placeholder, own);
    if (found === undefined) return [];
    const range = placeholder.literal;
    return [typeof found === "string" ? { kind: "wrong", range, message: found } : { ...found, range }];
  });
}

/**
 * Returns what is wrong with a placeholder; undefined where nothing is. If `known` is missing, a name that the file
 * lacks may stand in a folder's files. Missing values are then reported on sending.
 */
export function placeholderMessage(
  file: Pick<RequestFile, "vars" | "firstNamed">,
  finding: PlaceholderFinding,
  known: KnownValues | undefined,
): Plain | undefined {
  if (finding.kind === "wrong") return finding.message;
  const { path, name, result } = finding;
  if (known === undefined || file.vars.some((each) => each.name === name)) return undefined;
  // What the response will hold is known when it is there.
  if ((result !== undefined && file.firstNamed(result) !== undefined) || known.isKnown(path)) return undefined;
  return l10n.t(
    "{0} has no value. No request or variable in this file, its folders, or the environment is named {1}.",
    plain.name(path),
    plain.name(name),
  );
}

function isSessionToken({ path }: Placeholder): boolean {
  return `{{${path}}}` === SESSION_REFRESH_TOKEN;
}

/** Reports a token that the session fills in, outside of the only place where it is not a leak. */
function tokenProblem(
  { method }: FileRequest,
  { isWhole, isInName, filter, literal }: Placeholder,
  place: TextRange | undefined,
): Plain | undefined {
  const isThere =
    method !== undefined &&
    isSwitch(method) &&
    place?.start === literal.start &&
    isWhole &&
    !isInName &&
    filter === undefined;
  return isThere
    ? undefined
    : l10n.t("{0} can only be used as the whole refresh_token value of public/exchange_token.", SESSION_REFRESH_TOKEN);
}

/** Returns what is wrong with a placeholder, or what it names; undefined where its value is known. */
function findingOf(
  { path, filter, isInName }: Placeholder,
  own: ReadonlySet<string>,
): Plain | Omit<PlaceholderFinding & { kind: "named" }, "range"> | undefined {
  if (isInName)
    return l10n.t("{0} is in a parameter name. Placeholders are only replaced in values.", plain.name(path));
  if (filter !== undefined && !FILTERS.includes(filter))
    return l10n.t("Unknown filter {0}. Use one of {1}.", plain.name(filter), plain.text(FILTERS.join(", ")));
  if (path.startsWith("$"))
    return isBuiltIn(path)
      ? undefined
      : l10n.t(
          "Unknown built-in variable {0}. Use one of these: $now (milliseconds), $now-1h, $uuid, $env, $pick.KIND (such as $pick.order), $ask.LABEL.",
          plain.name(path),
        );
  const [name] = parsePath(path) ?? [];
  if (typeof name !== "string")
    return l10n.t(
      "{0} is not a valid name or path. Example of a path: open.result[0].order_id.",
      path === "" ? "{{}}" : plain.name(path),
    );
  return own.has(name) ? undefined : { kind: "named", path, name, result: resultNameOf(path) };
}
