import * as l10n from "@vscode/l10n";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import { plain } from "../../base/plain.ts";
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

/** A problem of a placeholder. */
export interface PlaceholderProblem {
  readonly range: TextRange;
  readonly message: string;
}

/**
 * Returns the problems of the placeholders of a request. `params` is the place of its parameters, `refreshToken` that
 * of the token of an account switch. If `known` is missing, a name that the file lacks may stand in a folder's files.
 * Missing values are then reported on sending.
 */
export function placeholderProblems(
  file: RequestFile,
  request: FileRequest,
  {
    params,
    refreshToken,
    known,
  }: {
    readonly params: TextRange;
    readonly refreshToken: TextRange | undefined;
    readonly known?: KnownValues | undefined;
  },
): readonly PlaceholderProblem[] {
  if (request.run.isRaw) return [];
  const names = new Set([...request.run.vars, ...file.vars].map(({ name }) => name));
  return findPlaceholders(file.text.slice(params.start, params.end), params.start).flatMap((placeholder) => {
    const message = isSessionToken(placeholder)
      ? tokenProblem(request, placeholder, refreshToken)
      : problemOf(placeholder, { file, names, known });
    return message === undefined ? [] : [{ range: placeholder.literal, message }];
  });
}

function isSessionToken({ path }: Placeholder): boolean {
  return `{{${path}}}` === SESSION_REFRESH_TOKEN;
}

/** Reports a token that the session fills in, outside of the only place where it is not a leak. */
function tokenProblem(
  { method }: FileRequest,
  { isWhole, isInName, filter, literal }: Placeholder,
  place: TextRange | undefined,
): string | undefined {
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

interface Names {
  readonly file: RequestFile;
  /** The variables of the request and of its file. */
  readonly names: ReadonlySet<string>;
  readonly known: KnownValues | undefined;
}

function problemOf({ path, filter, isInName }: Placeholder, { file, names, known }: Names): string | undefined {
  const name = plain.name(path);
  if (isInName) return l10n.t("{0} is in a parameter name. Placeholders are only replaced in values.", name);
  if (filter !== undefined && !FILTERS.includes(filter))
    return l10n.t("Unknown filter {0}. Use one of {1}.", plain.name(filter), FILTERS.join(", "));
  if (!path.startsWith("$")) return unknownName(path, { file, names, known });
  return isBuiltIn(path)
    ? undefined
    : l10n.t(
        "Unknown built-in variable {0}. Use one of these: $now (milliseconds), $now-1h, $uuid, $env, $pick.KIND (such as $pick.order), $ask.LABEL.",
        name,
      );
}

function unknownName(path: string, { file, names, known }: Names): string | undefined {
  const name = plain.name(path);
  const [first] = parsePath(path) ?? [];
  if (typeof first !== "string")
    return l10n.t(
      "{0} is not a valid name or path. Example of a path: open.result[0].order_id.",
      name === "" ? "{{}}" : name,
    );
  if (names.has(first) || known?.isKnown(path) === true) return undefined;
  const result = resultNameOf(path);
  // What the response will hold is known when it is there.
  if (result !== undefined && file.requests.some(({ run }) => run.name === result)) return undefined;
  return known === undefined
    ? undefined
    : l10n.t(
        "{0} has no value. No request or variable in this file, its folders, or the environment is named {1}.",
        name,
        plain.name(first),
      );
}
