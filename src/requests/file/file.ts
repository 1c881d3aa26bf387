import type { Node } from "jsonc-parser";
import type { Problem } from "../../base/failure.ts";
import type { RequestTransport } from "../../rpc/httpRequest.ts";
import type { Environment } from "../../state/records.ts";

/** A place in a text: offsets in UTF-16 units, end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * One request object of a file. Everything but its place is read when it is first asked for, so that it must be handed
 * on as it is: a copy by spreading would be empty.
 */
export interface FileRequest {
  readonly index: number;
  readonly range: TextRange;
  /** Where the method's name stands, quotes included; undefined when there is none. */
  readonly methodRange: TextRange | undefined;
  readonly method: string | undefined;
  /** The id that the file gives it; undefined when there is none. */
  readonly id: number | string | undefined;
  /** The params as pure JSON: comments and trailing commas gone, every literal kept. `{}` when there are none. */
  readonly paramsText: string;
  /** How it is run, by `$run`. */
  readonly run: RunOptions;
  /** What its `$file` says; only that of the first request counts, and only there it is allowed. */
  readonly pin: FilePin;
  /** `$file.vars`, likewise. */
  readonly fileVars: readonly FileVariable[];
  /** What is wrong with it by itself; `checkRequest` adds what the catalogue says. */
  readonly problems: readonly FileProblem[];
  /** Found without reading it. */
  readonly outline: RequestOutline;
  /**
   * The same in every version of the file in which its text is the same: what is found out about it can be kept by
   * that.
   */
  readonly content: object;
}

/** What a request is called by. */
export interface RequestOutline {
  readonly index: number;
  readonly range: TextRange;
  readonly method: Quoted | undefined;
  /** As it is written in the file; undefined where there is none. */
  readonly idText: string | undefined;
  /** `$run.name`. */
  readonly name: Quoted | undefined;
}

/** A text and where it stands, quotes included. */
export interface Quoted {
  readonly value: string;
  readonly range: TextRange;
}

/** How a request is run: everything of `$run`. Nothing of it is sent. */
export interface RunOptions {
  /** Under which other requests of the folder take from its response; undefined without one. */
  readonly name: string | undefined;
  readonly vars: readonly FileVariable[];
  /** Shown in the question. */
  readonly note: string | undefined;
  readonly tags: readonly string[];
  readonly isSkipped: boolean;
  /** Names of requests that have to run before it. */
  readonly after: readonly string[];
  /** Waited before it is sent. */
  readonly delayMs: number;
  /** How often a read that gets no good response is sent again. */
  readonly retries: number;
  /** A read that is sent again until the expectation is met. */
  readonly until: Until | undefined;
  /** Whether a sequence goes on when it fails. */
  readonly goesOn: boolean;
  /** How old a named response may be without a hint. */
  readonly staleMs: number;
  /** Its params are sent as they stand: braces are text. */
  readonly isRaw: boolean;
  readonly expect: Expectation | undefined;
  /** How it travels; undefined leaves that to the connection. */
  readonly transport: RequestTransport | undefined;
}

export interface Until {
  readonly expect: Expectation;
  readonly everyMs: number;
  readonly maxTries: number;
}

/** A variable of a file. */
export interface FileVariable {
  readonly name: string;
  /** Pure JSON, every literal as it is written; it may hold placeholders. */
  readonly valueText: string;
  /** Where its name stands. */
  readonly range: TextRange;
}

/** What a response has to be, by `$run.expect` or `$run.until`. */
export interface Expectation {
  /** An object node. */
  readonly node: Node;
  /** The text that the node counts in. */
  readonly text: string;
  /** Where a node stands in the file. */
  readonly rangeOf: (node: Pick<Node, "offset" | "length">) => TextRange;
}

/** A problem of a file, at a place. */
export interface FileProblem extends Omit<Problem, "path"> {
  readonly range: TextRange;
  /** The request it belongs to; undefined when it concerns the file. */
  readonly requestIndex: number | undefined;
  readonly code: ProblemCode;
}

/** The rules of a request file by name. */
export type ProblemCode =
  | "fileTooLarge"
  | "fileEmpty"
  | "fileKind"
  | "separator"
  | "syntax"
  | "tooDeep"
  | "requestKind"
  | "duplicateKey"
  | "unknownMember"
  | "versionValue"
  | "idValue"
  | "methodMissing"
  | "methodValue"
  | "paramsKind"
  | "filePin"
  | "runOptions"
  | "repeatedName"
  | "unknownMethod"
  | "sessionMethod"
  | "secretLiteral"
  | "placeholder"
  | "params";

/** A `*.rpc.json` file, read. Reading never throws. */
export interface RequestFile {
  readonly text: string;
  /** How many requests there are. */
  readonly count: number;
  /** The request with this number. The others are not made for it: they are many objects for one keystroke. */
  readonly request: (index: number) => FileRequest | undefined;
  readonly requests: readonly FileRequest[];
  /** What is wrong between and around the requests. */
  readonly problems: readonly FileProblem[];
  readonly pin: FilePin;
  /** `$file.vars`. */
  readonly vars: readonly FileVariable[];
}

/** Where a file allows itself to be sent, by `$file.env`. It can only narrow what a connection allows. */
export type FilePin =
  | { readonly kind: "none" }
  | { readonly kind: "only"; readonly environments: readonly Environment[] }
  /** The place where it would stand cannot be read, so that nothing of the file may be sent. */
  | { readonly kind: "unreadable" };
