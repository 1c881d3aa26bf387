import * as l10n from "@vscode/l10n";
import { plain } from "../base/plain.ts";
import { checkRequest } from "../requests/checking/check.ts";
import {
  allowedBy,
  environmentFileUris,
  environmentVariables,
  readEnvironmentFile,
  type EnvironmentFile,
} from "../requests/values/environmentFile.ts";
import type { FileProblem, FileRequest, ProblemCode, RequestFile } from "../requests/file/file.ts";
import { placeOf } from "../requests/text/place.ts";
import { placeholderPaths, placeOfPlaceholder } from "../requests/values/references.ts";
import { MAX_FILE_LENGTH, scanRequests } from "../requests/file/scan.ts";
import { createLookup, resultNameOf, type LookupParts } from "../requests/values/variables.ts";
import type { Environment } from "../state/records.ts";
import { placeText } from "./textReport.ts";

/** The files of the machine, as far as a run needs them. Paths are absolute but where it says otherwise. */
export interface FileAccess {
  /** Where the program was started. */
  readonly workingFolder: string;
  /** A path as it was typed, made absolute. */
  resolve(path: string): string;
  /** Undefined where nothing is there. */
  look(
    path: string,
  ): Promise<{ readonly kind: "file"; readonly bytes: number } | { readonly kind: "folder" } | undefined>;
  /** Names in a folder. */
  list(folder: string): Promise<readonly string[]>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

/** A request file and what stands around it. */
export interface LoadedFile {
  /** As a person named it; has been through `plain()`. */
  readonly path: string;
  /** Files of one folder share their named responses. */
  readonly folder: string;
  readonly file: RequestFile;
  readonly environmentFiles: readonly EnvironmentFile[];
}

/** All files of a run, or what is wrong with them in sentences, each with its place. */
export type Loading =
  | { readonly kind: "loaded"; readonly files: readonly LoadedFile[] }
  | { readonly kind: "wrong"; readonly messages: readonly string[] };

/** Reads the files and those of the folders that were named, and checks them. Never rejects. */
export async function loadFiles(paths: readonly string[], access: FileAccess): Promise<Loading> {
  const files: LoadedFile[] = [];
  const messages: string[] = [];
  for (const path of paths) {
    const found = await expand(path, access).catch((error: unknown) => unreadable(path, error));
    const loading =
      typeof found === "string"
        ? [found]
        : await Promise.all(
            found.map(async (each) => await load(each, access).catch((error: unknown) => unreadable(each, error))),
          );
    for (const each of loading) {
      if (typeof each === "string") messages.push(each);
      else files.push(each);
    }
  }
  messages.push(...files.flatMap(mistakesOf));
  return messages.length > 0 ? { kind: "wrong", messages } : { kind: "loaded", files };
}

const SUFFIX = ".rpc.json";

/** A file is itself, whatever it is called; a folder stands for the request files in it. */
async function expand(path: string, access: FileAccess): Promise<readonly string[] | string> {
  const found = await access.look(access.resolve(path));
  if (found === undefined) return l10n.t("{0} does not exist.", plain.text(path));
  if (found.kind === "file") return [path];
  const names = (await access.list(access.resolve(path))).filter((name) => name.endsWith(SUFFIX)).sort();
  const folder = path.replace(/[\\/]+$/, "");
  return names.length === 0
    ? l10n.t("The folder {0} has no request files (*.rpc.json).", plain.text(path))
    : names.map((name) => `${folder}/${name}`);
}

async function load(path: string, access: FileAccess): Promise<LoadedFile | string> {
  const absolute = access.resolve(path);
  const found = await access.look(absolute);
  // A character takes at most three bytes for each of its UTF-16 units.
  if (found?.kind === "file" && found.bytes > 3 * MAX_FILE_LENGTH)
    return l10n.t("{0} is larger than request files may be.", plain.text(path));
  const file = scanRequests(await access.read(absolute));
  const environmentFiles: EnvironmentFile[] = [];
  for (const uri of environmentFileUris(absolute, access.workingFolder)) {
    if ((await access.look(uri))?.kind === "file")
      environmentFiles.push(readEnvironmentFile(uri, await access.read(uri)));
  }
  return { path: plain.text(path), folder: absolute.replace(/[\\/][^\\/]*$/, ""), file, environmentFiles };
}

function unreadable(path: string, error: unknown): string {
  return l10n.t(
    "{0} cannot be read: {1}",
    plain.text(path),
    plain.text(error instanceof Error ? error.message : String(error)),
  );
}

/**
 * Mistakes of a file that no run gets past. What is only not allowed, or wrong once it is filled in, its own request
 * tells.
 */
const TOLD_BY_REQUEST: readonly ProblemCode[] = ["params", "placeholder", "sessionMethod"];

function mistakesOf({ path, file }: LoadedFile): readonly string[] {
  const problems: readonly FileProblem[] = [
    ...file.problems,
    ...file.requests.flatMap((request) => checkRequest(file, request)),
  ];
  const mistakes = problems.filter(({ severity, code }) => severity === "error" && !TOLD_BY_REQUEST.includes(code));
  const told = mistakes
    .slice(0, MAX_MISTAKES)
    .map(({ range, message }) => `${placeText(path, placeOf(file.text, range.start))}  ${message}`);
  return mistakes.length > told.length
    ? [...told, l10n.t("{0}: {1} more mistakes.", path, mistakes.length - told.length)]
    : told;
}

const MAX_MISTAKES = 50;

/** Why nothing of a file may be sent in an environment, in a sentence. */
export function refusalOfFolder({ environmentFiles }: LoadedFile, environment: Environment): string | undefined {
  return allowedBy(environmentFiles, environment);
}

/** What the requests of a file take their values from, named responses left out. */
export function lookupPartsOf(
  { file, environmentFiles }: LoadedFile,
  request: FileRequest,
  run: Pick<LookupParts, "given" | "environment" | "clock" | "uuid">,
): LookupParts {
  return {
    ...run,
    runVars: request.run.vars,
    fileVars: file.vars,
    environmentVars: environmentVariables(environmentFiles, run.environment),
  };
}

/**
 * Variables of requests that nobody has a value for, in sentences that say how to give one. What comes from the
 * response of a request of the file is there once that was sent.
 */
export function missingVariables(
  loaded: LoadedFile,
  requests: readonly FileRequest[],
  run: Pick<LookupParts, "given" | "environment" | "clock" | "uuid">,
): readonly string[] {
  const { path, file, environmentFiles } = loaded;
  const names = new Set(file.requests.flatMap((request) => request.run.name ?? []));
  const variables = [
    ...file.vars,
    ...environmentVariables(environmentFiles, run.environment).flatMap(({ values }) =>
      [...values].map(([name, valueText]) => ({ name, valueText })),
    ),
  ];
  return requests.flatMap((request) => {
    const lookup = createLookup(lookupPartsOf(loaded, request, run));
    const missing = placeholderPaths(request, variables).filter(
      (each) => each !== SESSION_PATH && lookup(each) === undefined && !names.has(resultNameOf(each) ?? ""),
    );
    return missing.map((each) =>
      l10n.t(
        "{0}  {1} has no value. Give it one: --var '{1}=…'",
        placeText(path, placeOfPlaceholder(file, request, each)),
        plain.name(each),
      ),
    );
  });
}

/** Filled in by the session and nowhere else. */
const SESSION_PATH = "$session.refreshToken";
