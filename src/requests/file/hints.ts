import * as l10n from "../../base/l10n.ts";
import type { Steps } from "../../base/slices.ts";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { plain } from "../../base/plain.ts";
import type { Environment } from "../../state/records.ts";
import type { RequestFile, TextRange } from "./file.ts";
import { environmentName } from "./readRequest.ts";

/** A fact about a file that is worth knowing and is not an error. */
export interface FileHint {
  readonly code: "sequence" | "environment" | "shadowed" | "tickSize" | "amountStep";
  readonly message: string;
  readonly range: TextRange;
  /** The literals that could stand there instead, the most likely first; none where there are none. */
  readonly nearest?: readonly string[];
}

/**
 * Finds the hints for a file, a request at a step. `environment`: that of the connection that it would be sent to;
 * undefined without one.
 */
export function* hintsOf(file: RequestFile, environment: Environment | undefined): Steps<readonly FileHint[]> {
  return [...sequenceHint(file), ...environmentHint(file, environment), ...(yield* shadowHints(file))];
}

/** Returns a hint, once for each file: JSON-RPC 2.0 knows batches, the exchange does not. */
function sequenceHint({ text, count, request }: RequestFile): readonly FileHint[] {
  const first = request(0);
  if (first === undefined || count < 2) return [];
  const start = text.lastIndexOf("[", first.range.start);
  return [
    {
      code: "sequence",
      range: { start, end: start + 1 },
      message: l10n.t(
        "The exchange doesn't support batches. These requests are sent one after another, each as a separate message.",
      ),
    },
  ];
}

function environmentHint(
  { text, request, pin }: RequestFile,
  environment: Environment | undefined,
): readonly FileHint[] {
  const first = request(0);
  if (first === undefined || environment === undefined || pin.kind !== "only" || pin.environments.includes(environment))
    return [];
  const tree = parseTree(text.slice(first.range.start, first.range.end), [], { allowTrailingComma: true });
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, ["$file", "env"]);
  if (node === undefined) return [];
  const start = first.range.start + node.offset;
  const message = l10n.t(
    "Requests in this file are not sent to the connection in use ({0}).",
    environmentName(environment),
  );
  return [{ code: "environment", range: { start, end: start + node.length }, message }];
}

/** Finds hints on variables of a request that hide those of the file. Only requests that may have some are read. */
function* shadowHints(file: RequestFile): Steps<readonly FileHint[]> {
  const { text, vars } = file;
  const names = new Set(vars.map(({ name }) => name));
  const hints: FileHint[] = [];
  for (const request of names.size === 0 ? [] : file.requests) {
    yield undefined;
    const hidden = hasVars(text, request.range) ? request.run.vars.filter(({ name }) => names.has(name)) : [];
    hints.push(
      ...hidden.map(({ name, range }) => ({
        code: "shadowed" as const,
        range,
        message: l10n.t("In this request, this {0} overrides the one in $file.vars.", plain.name(name)),
      })),
    );
  }
  return hints;
}

function hasVars(text: string, { start, end }: TextRange): boolean {
  const part = text.slice(start, end);
  return part.includes("$run") && part.includes("vars");
}
