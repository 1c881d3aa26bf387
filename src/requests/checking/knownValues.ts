import type { Environment } from "../../state/records.ts";
import { namedRequests, outlineRequests } from "../file/outline.ts";
import type { RequestFile } from "../file/file.ts";
import { parsePath } from "../text/jsonPath.ts";
import { environmentVariables, type EnvironmentFile } from "../values/environmentFile.ts";
import { resultNameOf } from "../values/variables.ts";
import type { KnownValues } from "./checkPlaceholders.ts";

/**
 * Returns the values known outside of a file. `variables`: the names in its environment files. `hasResponse`: whether a
 * response of this name is there, or a request of another file of the folder has it. It is asked only for such names.
 */
export function knownValues(variables: ReadonlySet<string>, hasResponse: (name: string) => boolean): KnownValues {
  return {
    isKnown(path) {
      const [name] = parsePath(path) ?? [];
      if (typeof name !== "string") return false;
      return variables.has(name) || (resultNameOf(path) !== undefined && hasResponse(name));
    },
  };
}

/** Returns the names of the variables of an environment; where it is not known yet, those of every environment. */
export function variableNames(
  files: readonly EnvironmentFile[],
  environment: Environment | undefined,
): ReadonlySet<string> {
  return new Set(
    environment === undefined
      ? files.flatMap(({ sections }) => [...sections.values()].flat().map(({ name }) => name))
      : environmentVariables(files, environment).flatMap(({ values }) => [...values.keys()]),
  );
}

/** Returns the names that requests of a file have, by `$run.name`. */
export function requestNames(file: Pick<RequestFile, "requests">): readonly string[] {
  return [...namedRequests(outlineRequests(file)).keys()];
}
