import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { checkFile } from "../../requests/checking/check.ts";
import type { KnownValues } from "../../requests/checking/checkPlaceholders.ts";
import { knownValues, requestNames, variableNames } from "../../requests/checking/knownValues.ts";
import type { FileProblem, ProblemCode } from "../../requests/file/file.ts";
import { serviceOfFile } from "../../requests/checking/serviceOfFile.ts";
import { scanRequests } from "../../requests/file/scan.ts";
import { placeFinder, type Place } from "../../requests/text/place.ts";
import {
  ENVIRONMENT_FILE_NAMES,
  environmentFileUris,
  readEnvironmentFile,
  type EnvironmentFile,
} from "../../requests/values/environmentFile.ts";
import { folderOf, isRequestFileName, isTooLarge, noFilesSentence, unreadable, type FileAccess } from "../files.ts";

/** What a check needs of the files of the machine: it can't write. */
export type FileReading = Pick<FileAccess, "workingFolder" | "resolve" | "look" | "list" | "read">;

/** A problem of a file, at its place. */
export interface CheckedProblem {
  readonly start: Place;
  readonly end: Place;
  readonly severity: FileProblem["severity"];
  readonly code: ProblemCode;
  /** A sentence; has been through `plain()`. */
  readonly message: string;
}

/** A request file or an environment file, checked. */
export interface CheckedFile {
  /** The path as it was typed, or as found in a folder; has been through `plain()`. */
  readonly path: string;
  /** The problems in the order of their places. */
  readonly problems: readonly CheckedProblem[];
}

/** The files of a check, and sentences about those that could not be checked. */
export interface Checking {
  readonly files: readonly CheckedFile[];
  readonly notChecked: readonly Plain[];
}

/**
 * Checks the named files and those in and below the named folders like an editor without a connection. The environment
 * files around request files are checked too, because an error in one keeps its folder from being sent. Nothing is
 * sent. Never rejects. Ends early when `stop` fires.
 */
export async function checkFiles(paths: readonly string[], access: FileReading, stop: AbortSignal): Promise<Checking> {
  const read = createReader(access);
  const files = new Map<string, CheckedFile>();
  const notChecked: Plain[] = [];
  const found = await findFiles(paths, access, notChecked);
  const take = async (absolute: string, path: string): Promise<void> => {
    if (stop.aborted || files.has(absolute)) return;
    try {
      files.set(absolute, { path: plain.text(path), problems: await read.problems(absolute) });
    } catch (error) {
      notChecked.push(unreadable(path, error));
    }
  };
  for (const [absolute, path] of found) await take(absolute, path);
  for (const absolute of read.environmentFiles()) await take(absolute, shownPath(absolute, access));
  return { files: [...files.values()], notChecked };
}

/** Returns the files of the paths: the path to show by absolute path. */
async function findFiles(
  paths: readonly string[],
  access: FileReading,
  notChecked: string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const files = await filesOf(path, access).catch((error: unknown) => unreadable(path, error));
    if (typeof files === "string") notChecked.push(files);
    else for (const file of files) found.set(access.resolve(file), found.get(access.resolve(file)) ?? file);
  }
  return found;
}

/** Returns the files of a path, or a sentence about why there are none. */
async function filesOf(path: string, access: FileReading): Promise<readonly string[] | string> {
  const found = await access.look(access.resolve(path));
  if (found === undefined) return l10n.t("{0} does not exist.", plain.text(path));
  if (found.kind === "file") return [path];
  const files = await filesBelow(path, access);
  return files.length > 0 ? files : noFilesSentence(path);
}

/** Folders that hold the files of other programs. */
const SKIPPED_FOLDERS = ["node_modules", ".git"];

/** Returns the request files and environment files in a folder and below it, in the order of their names. */
async function filesBelow(folder: string, access: FileReading): Promise<readonly string[]> {
  const found: string[] = [];
  const entries = [...(await access.list(access.resolve(folder)))].sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );
  for (const { name, isFolder } of entries) {
    const path = folder === "." ? name : `${folder.replace(/[\\/]+$/, "")}/${name}`;
    if (isFolder) {
      if (!SKIPPED_FOLDERS.includes(name)) found.push(...(await filesBelow(path, access)));
    } else if (isRequestFileName(name) || isEnvironmentFileName(name)) found.push(path);
  }
  return found;
}

function isEnvironmentFileName(name: string): boolean {
  return ENVIRONMENT_FILE_NAMES.some((each) => each === name);
}

/** Reads files by absolute path, each environment file and the names of each folder once. */
interface Reader {
  /** Returns the problems of a file. Rejects if it can't be read. */
  problems(absolute: string): Promise<readonly CheckedProblem[]>;
  /** Returns the environment files that were found around the request files. */
  environmentFiles(): readonly string[];
}

function createReader(access: FileReading): Reader {
  const environments = new Map<string, EnvironmentFile | undefined>();
  const names = new Map<string, ReadonlySet<string>>();
  const readText = async (absolute: string): Promise<string> => {
    const found = await access.look(absolute);
    if (found?.kind === "file" && isTooLarge(found.bytes)) throw new Error(l10n.t("The file is too large."));
    return withoutMark(await access.read(absolute));
  };
  const environmentsAround = async (absolute: string): Promise<readonly EnvironmentFile[]> => {
    for (const uri of environmentFileUris(absolute, access.workingFolder)) {
      if (environments.has(uri)) continue;
      const isThere = (await access.look(uri))?.kind === "file";
      // One that can't be read has no values. It is reported as a file that could not be checked.
      const text = isThere ? await readText(uri).catch(() => "") : undefined;
      environments.set(uri, text === undefined ? undefined : readEnvironmentFile(uri, text));
    }
    return environmentFileUris(absolute, access.workingFolder).flatMap((uri) => environments.get(uri) ?? []);
  };
  const namesIn = async (folder: string): Promise<ReadonlySet<string>> => {
    const known = names.get(folder);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const { name, isFolder } of await access.list(folder === "" ? "/" : folder)) {
      if (isFolder || !isRequestFileName(name)) continue;
      const text = await readText(access.resolve(`${folder}/${name}`)).catch(() => "");
      for (const each of requestNames(scanRequests(text))) found.add(each);
    }
    names.set(folder, found);
    return found;
  };
  const knownFor = async (absolute: string, text: string): Promise<KnownValues> => {
    const variables = variableNames(await environmentsAround(absolute), undefined);
    const others = text.includes("{{") ? await namesIn(folderOf(absolute)) : new Set<string>();
    return knownValues(variables, (name) => others.has(name));
  };
  const requestProblems = async (absolute: string, text: string): Promise<readonly FileProblem[]> => {
    const file = scanRequests(text);
    return checkFile(file, await knownFor(absolute, text), serviceOfFile(file));
  };
  return {
    async problems(absolute) {
      const text = await readText(absolute);
      return isEnvironmentFileName(absolute.split(/[\\/]/).at(-1) ?? "")
        ? placed(text, readEnvironmentFile(absolute, text).problems)
        : placed(text, await requestProblems(absolute, text));
    },
    environmentFiles: () => [...environments].flatMap(([uri, file]) => (file === undefined ? [] : uri)),
  };
}

/** Removes the byte order mark, as VS Code does: it is in no column. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function placed(text: string, problems: readonly FileProblem[]): readonly CheckedProblem[] {
  if (problems.length === 0) return [];
  const placeAt = placeFinder(text);
  return [...problems]
    .sort((left, right) => left.range.start - right.range.start)
    .map(({ range, severity, code, message }) => ({
      start: placeAt(range.start),
      end: placeAt(range.end),
      severity,
      code,
      message,
    }));
}

/** Returns the path of a file to show: from the working folder, if it is below it. */
function shownPath(absolute: string, { workingFolder }: FileReading): string {
  const root = workingFolder.replace(/[\\/]$/, "");
  return absolute.startsWith(root) && /^[\\/]/.test(absolute.slice(root.length))
    ? absolute.slice(root.length + 1)
    : absolute;
}
