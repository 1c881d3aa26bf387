import { messageOf } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { checkRequest } from "../requests/checking/check.ts";
import {
  allowedBy,
  environmentFileUris,
  environmentVariables,
  readEnvironmentFile,
  type EnvironmentFile,
} from "../requests/values/environmentFile.ts";
import type { FileProblem, FileRequest, ProblemCode, RequestFile } from "../requests/file/file.ts";
import { placeholderPaths, placeOfPlaceholder } from "../requests/values/references.ts";
import { MAX_FILE_LENGTH, scanRequests } from "../requests/file/scan.ts";
import { createLookup, resultNameOf, type LookupParts } from "../requests/values/variables.ts";
import type { Environment } from "../state/records.ts";
import type { PrivateFile } from "./secretFile.ts";
import { placeText } from "./report.ts";

/** The files of the machine, as far as a run needs them. Paths are absolute unless noted otherwise. */
export interface FileAccess {
  /** The folder in which the program was started. */
  readonly workingFolder: string;
  /** Makes a path absolute. */
  resolve(path: string): string;
  /** Looks at a path; undefined if nothing is there. `isOpenToOthers`: other users of this computer can read it. */
  look(
    path: string,
  ): Promise<
    | { readonly kind: "file"; readonly bytes: number; readonly isOpenToOthers: boolean }
    | { readonly kind: "folder" }
    | undefined
  >;
  /** Lists what is in a folder. A link to a folder does not count as one, so that no walk goes in circles. */
  list(folder: string): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** Tries whether a file can be written, and leaves everything as it was. Rejects with the reason where it can't. */
  tryWrite(path: string): Promise<void>;
  /** Creates a file that only this user may read, with room for a secret. Rejects where something is there. */
  createPrivate(path: string): Promise<PrivateFile>;
}

/** A request file with its folder and environment files. */
export interface LoadedFile {
  /** The path as the user typed it; has been through `plain()`. */
  readonly path: string;
  /** The folder of the file. Files of one folder share their named responses. */
  readonly folder: string;
  readonly file: RequestFile;
  readonly environmentFiles: readonly EnvironmentFile[];
}

/** All files of a run, or sentences about what is wrong with them, each with its place. */
type Loading =
  | { readonly kind: "loaded"; readonly files: readonly LoadedFile[] }
  | { readonly kind: "wrong"; readonly messages: readonly Plain[] };

/** Reads the named files, and those of the named folders, and checks them. Never rejects. */
export async function loadFiles(paths: readonly string[], access: FileAccess): Promise<Loading> {
  const files: LoadedFile[] = [];
  const messages: Plain[] = [];
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

/** Whether a file in a folder is a request file. A file that is named on its own can have any name. */
export function isRequestFileName(name: string): boolean {
  return name.endsWith(".rpc.json");
}

/** Whether a file has more bytes than the longest request file can have. */
export function isTooLarge(bytes: number): boolean {
  // A character takes at most three bytes for each of its UTF-16 units.
  return bytes > 3 * MAX_FILE_LENGTH;
}

/** Returns the folder of a file. */
export function folderOf(absolute: string): string {
  return absolute.replace(/[\\/][^\\/]*$/, "");
}

/**
 * Returns the files of a path. A file stands for itself, whatever its name; a folder stands for the request files in
 * it.
 */
async function expand(path: string, access: FileAccess): Promise<readonly string[] | Plain> {
  const found = await access.look(access.resolve(path));
  if (found === undefined) return l10n.t("{0} does not exist.", plain.text(path));
  if (found.kind === "file") return [path];
  const names = (await access.list(access.resolve(path)))
    .map(({ name }) => name)
    .filter(isRequestFileName)
    .sort();
  const folder = path.replace(/[\\/]+$/, "");
  return names.length === 0 ? noFilesSentence(path) : names.map((name) => `${folder}/${name}`);
}

export function noFilesSentence(folder: string): Plain {
  return l10n.t("The folder {0} has no request files (*.rpc.json).", plain.text(folder));
}

async function load(path: string, access: FileAccess): Promise<LoadedFile | Plain> {
  const absolute = access.resolve(path);
  const found = await access.look(absolute);
  if (found?.kind === "file" && isTooLarge(found.bytes))
    return l10n.t("{0} is too large for a request file.", plain.text(path));
  const file = scanRequests(await access.read(absolute));
  const environmentFiles: EnvironmentFile[] = [];
  for (const uri of environmentFileUris(absolute, access.workingFolder)) {
    if ((await access.look(uri))?.kind === "file")
      environmentFiles.push(readEnvironmentFile(uri, await access.read(uri)));
  }
  return { path: plain.text(path), folder: folderOf(absolute), file, environmentFiles };
}

/** Returns a sentence about a file that can't be read. */
export function unreadable(path: string, error: unknown): Plain {
  return l10n.t("{0} can't be read: {1}", plain.text(path), plain.text(messageOf(error)));
}

/** Problem codes that do not stop a run: the request itself reports them, as not allowed or as wrong once filled in. */
const TOLD_BY_REQUEST: readonly ProblemCode[] = ["params", "placeholder", "sessionMethod"];

/** Returns sentences about requests that the servers of an environment are not known to offer, each with its place. */
export function offerWarnings(
  files: readonly LoadedFile[],
  { environment }: { readonly environment: Environment },
): readonly Plain[] {
  const service = environment === "gateway" ? "gateway" : "native";
  return files.flatMap(({ path, file }) =>
    file.requests
      .flatMap((request) => checkRequest(file, request, { service }))
      .filter(({ code }) => code === "notOffered")
      .slice(0, MAX_MISTAKES)
      .map(({ range, message }) => plain`${placeText(plain.text(path), file.placeAt(range.start))}  ${message}`),
  );
}

function mistakesOf({ path, file }: LoadedFile): readonly Plain[] {
  const problems: readonly FileProblem[] = [
    ...file.problems,
    ...file.requests.flatMap((request) => checkRequest(file, request)),
  ];
  const mistakes = problems.filter(({ severity, code }) => severity === "error" && !TOLD_BY_REQUEST.includes(code));
  const told = mistakes
    .slice(0, MAX_MISTAKES)
    .map(({ range, message }) => plain`${placeText(plain.text(path), file.placeAt(range.start))}  ${message}`);
  return mistakes.length > told.length
    ? [...told, l10n.t("{0}: {1} more errors.", plain.text(path), mistakes.length - told.length)]
    : told;
}

const MAX_MISTAKES = 50;

/** Returns a sentence about why nothing of a file may be sent in an environment. */
export function refusalOfFolder({ environmentFiles }: LoadedFile, environment: Environment): Plain | undefined {
  return allowedBy(environmentFiles, environment);
}

/** Returns the sources of values for the requests of a file, except for named responses. */
function lookupPartsOf(
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
 * Returns sentences about variables that have no value yet, and how to give one. A value from the response of a request
 * of the file is there once that request was sent.
 */
export function missingVariables(
  loaded: LoadedFile,
  requests: readonly FileRequest[],
  run: Pick<LookupParts, "given" | "environment" | "clock" | "uuid">,
): readonly Plain[] {
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
        "{0}  {1} has no value. Set it with --var '{1}=…'",
        placeText(plain.text(path), placeOfPlaceholder(file, request, each)),
        plain.name(each),
      ),
    );
  });
}

/** A path that only the session fills in. */
const SESSION_PATH = "$session.refreshToken";
