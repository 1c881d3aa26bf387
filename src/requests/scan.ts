import * as l10n from "@vscode/l10n";
import type { FilePin, FileProblem, FileRequest, FileVariable, ProblemCode, RequestFile, RunOptions, TextRange } from "./file.ts";
import { readRequest, type RequestReading, type RequestSource } from "./readRequest.ts";
import { NO_RUN_OPTIONS } from "./runOptions.ts";
import { MAX_DEPTH, splitRequests, type RequestSplit, type SplitTrouble } from "./split.ts";

/** Larger files are not read at all. In UTF-16 units, which is what an editor counts. */
export const MAX_FILE_LENGTH = 16 * 1024 * 1024;

/**
 * Reads a request file. Never throws. Only the places of the requests are found at once, in one pass over the text;
 * the rest of a request is read when it is asked for.
 */
export function scanRequests(text: string): RequestFile {
  if (text.length > MAX_FILE_LENGTH) return fileWith(text, [], [tooLargeProblem(text)]);
  const split = splitRequests(text);
  const requests: FileRequest[] = [];
  const problems = rootProblems(text, split);
  for (const range of split.root === "other" ? [] : split.values) {
    const index = requests.length;
    if (split.tooDeepAt !== undefined && range.end > split.tooDeepAt) requests.push(createTooDeepRequest(index, range, split.tooDeepAt));
    else if (text[range.start] === "{") requests.push(new UnreadRequest({ text, range, index }));
    else problems.push(fileProblem("requestKind", range, l10n.t("A request is an object: { \"method\": …, \"params\": { … } }.")));
  }
  return fileWith(text, requests, problems);
}

function fileWith(text: string, requests: readonly FileRequest[], problems: readonly FileProblem[]): RequestFile {
  return {
    text,
    requests,
    problems,
    get pin() {
      return requests[0]?.pin ?? { kind: "none" };
    },
    get vars() {
      return requests[0]?.fileVars ?? [];
    },
  };
}

/** A request whose inside is read once, when it is first asked for. A class, because a file can hold many thousands. */
class UnreadRequest implements FileRequest {
  readonly index: number;
  readonly range: TextRange;
  readonly #text: string;
  #reading: RequestReading | undefined;

  constructor(source: RequestSource) {
    this.index = source.index;
    this.range = source.range;
    this.#text = source.text;
  }

  get #read(): RequestReading {
    return (this.#reading ??= readRequest({ text: this.#text, range: this.range, index: this.index }));
  }

  get methodRange(): TextRange | undefined {
    return this.#read.methodRange;
  }

  get method(): string | undefined {
    return this.#read.method;
  }

  get id(): number | string | undefined {
    return this.#read.id;
  }

  get paramsText(): string {
    return this.#read.paramsText;
  }

  get run(): RunOptions {
    return this.#read.run;
  }

  get fileVars(): readonly FileVariable[] {
    return this.#read.fileVars;
  }

  get pin(): FilePin {
    return this.#read.pin;
  }

  get problems(): readonly FileProblem[] {
    return this.#read.problems;
  }
}

/** Stands for a request that is not read, because readers of nested text are recursive. */
function createTooDeepRequest(index: number, range: TextRange, at: number): FileRequest {
  const message = l10n.t("Brackets are nested deeper than {0} levels here. Neither this request nor what follows is read.", MAX_DEPTH);
  const problem: FileProblem = { code: "tooDeep", message, severity: "error", range: { start: at, end: at + 1 }, requestIndex: index };
  const pin: FilePin = { kind: "unreadable" };
  return { index, range, methodRange: undefined, method: undefined, id: undefined, paramsText: "{}", run: NO_RUN_OPTIONS, pin, fileVars: [], problems: [problem] };
}

function rootProblems(text: string, split: RequestSplit): FileProblem[] {
  const whole = { start: 0, end: text.length };
  switch (split.root) {
    case "nothing":
      return [...separatorProblems(split, text.length), fileProblem("fileEmpty", whole, l10n.t("There is no request in this file yet. A request is { \"method\": \"public/get_time\" }; several of them stand in a list [ … ]."), "warning")];
    case "other":
      return [fileProblem("fileKind", split.values[0] ?? whole, l10n.t("A request file holds one request { … } or a list of requests [ … ]."))];
    case "object":
      return separatorProblems(split, text.length);
    case "array":
      if (split.values.length > 0 || split.trouble !== undefined) return separatorProblems(split, text.length);
      return [fileProblem("fileEmpty", whole, l10n.t("The list holds no request yet."), "warning")];
  }
}

function separatorProblems({ trouble, root }: RequestSplit, length: number): FileProblem[] {
  if (trouble === undefined) return [];
  const range = { start: trouble.at, end: Math.min(trouble.at + 1, length) };
  return [fileProblem(trouble.kind === "comment" ? "syntax" : "separator", range, separatorSentence(trouble.kind, root === "object"))];
}

function separatorSentence(kind: SplitTrouble["kind"], isObject: boolean): string {
  switch (kind) {
    case "comma":
      return l10n.t("A comma is missing between two requests.");
    case "value":
      return l10n.t("A request is missing between two commas.");
    case "bracket":
      return l10n.t("The list of requests is not closed: ] is missing.");
    case "comment":
      return l10n.t("The comment is not closed: */ is missing.");
    case "after":
      return isObject ? l10n.t("Only one request can stand by itself. Put several into a list: [ {…}, {…} ].") : l10n.t("Nothing is expected behind the list of requests.");
  }
}

function tooLargeProblem(text: string): FileProblem {
  const megabytes = Math.ceil(text.length / 1024 / 1024);
  return fileProblem("fileTooLarge", { start: 0, end: 0 }, l10n.t("This file has {0} MiB. Request files are read up to {1} MiB: split it into several.", megabytes, MAX_FILE_LENGTH / 1024 / 1024));
}

function fileProblem(code: ProblemCode, range: TextRange, message: string, severity: FileProblem["severity"] = "error"): FileProblem {
  return { code, range, message, severity, requestIndex: undefined };
}
