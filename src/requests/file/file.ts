import type { Node } from "jsonc-parser";
import type { Problem } from "../../base/failure.ts";
import type { RequestTransport } from "../../rpc/httpRequest.ts";
import type { Environment } from "../../state/records.ts";
import type { Place } from "../text/place.ts";

/** A place in a text: offsets in UTF-16 units, end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A request object of a file. Everything but its place is read when it is first asked for. Do not copy it by spreading:
 * the copy would be empty.
 */
export interface FileRequest {
  readonly index: number;
  readonly range: TextRange;
  /** The place of the method's name, quotes included; undefined when there is none. */
  readonly methodRange: TextRange | undefined;
  readonly method: string | undefined;
  /** The ID in the file; undefined when there is none. */
  readonly id: number | string | undefined;
  /** The params as pure JSON: comments and trailing commas gone, every literal kept. `{}` when there are none. */
  readonly paramsText: string;
  /** The run options, by `$run`. */
  readonly run: RunOptions;
  /** The content of its `$file`. Only that of the first request counts, and it is allowed only there. */
  readonly pin: FilePin;
  /** The content of `$file.vars`, likewise. */
  readonly fileVars: readonly FileVariable[];
  /** The problems of the request alone; `checkRequest` adds what the catalogue says. */
  readonly problems: readonly FileProblem[];
  /** The outline, found without reading the request. */
  readonly outline: RequestOutline;
  /**
   * An object that is the same in every version of the file with the same text of the request. Facts about the request
   * can be kept by it.
   */
  readonly content: object;
}

/** The names and IDs of a request. */
export interface RequestOutline {
  readonly index: number;
  readonly range: TextRange;
  readonly method: Quoted | undefined;
  /** The ID as it is written in the file; undefined where there is none. */
  readonly idText: string | undefined;
  /** The value of `$run.name`. */
  readonly name: Quoted | undefined;
}

/** A text and its place, quotes included. */
export interface Quoted {
  readonly value: string;
  readonly range: TextRange;
}

/** The options of a run: everything of `$run`. Nothing of it is sent. */
export interface RunOptions {
  /** The name by which other requests of the folder take from the response; undefined without one. */
  readonly name: string | undefined;
  readonly vars: readonly FileVariable[];
  /** The note in the confirmation. */
  readonly note: string | undefined;
  readonly tags: readonly string[];
  readonly isSkipped: boolean;
  /** The names of requests that have to run before this one. */
  readonly after: readonly string[];
  /** The time to wait before the request is sent, in ms. */
  readonly delayMs: number;
  /** The number of times that a read with no good response is sent again. */
  readonly retries: number;
  /** The condition that a read is repeated for until it is met. */
  readonly until: Until | undefined;
  /** Whether a sequence continues if the request fails. */
  readonly goesOn: boolean;
  /** The age that a named response may have without a hint, in ms. */
  readonly staleMs: number;
  /** Whether the params are sent as they stand: braces are text. */
  readonly isRaw: boolean;
  readonly expect: Expectation | undefined;
  /** The transport; undefined leaves that to the connection. */
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
  /** The value as pure JSON, every literal as it is written; it may hold placeholders. */
  readonly valueText: string;
  /** The place of the name. */
  readonly range: TextRange;
}

/** An expectation of a response, by `$run.expect` or `$run.until`. */
export interface Expectation {
  /** An object node. */
  readonly node: Node;
  /** The text that the node counts in. */
  readonly text: string;
  /** Returns the place of a node in the file. */
  readonly rangeOf: (node: Pick<Node, "offset" | "length">) => TextRange;
}

/** A problem of a file, at a place. */
export interface FileProblem extends Omit<Problem, "path"> {
  readonly range: TextRange;
  /** The request that the problem belongs to; undefined when it concerns the file. */
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
  | "methodPrefix"
  | "methodValue"
  | "paramsKind"
  | "filePin"
  | "runOptions"
  | "repeatedName"
  | "notOffered"
  | "unknownMethod"
  | "sessionMethod"
  | "secretLiteral"
  | "placeholder"
  | "params";

/** A `*.rpc.json` file, read. Reading never throws. */
export interface RequestFile {
  readonly text: string;
  /** The number of requests. */
  readonly count: number;
  /** Returns the request with this number. The others are not made for it: they are many objects for one keystroke. */
  readonly request: (index: number) => FileRequest | undefined;
  readonly requests: readonly FileRequest[];
  /** Returns the number of the first request with a name; undefined where none has it. Reads the requests up to it. */
  readonly firstNamed: (name: string) => number | undefined;
  /** Returns the line and column of an offset. The line ends of the text are looked up once. */
  readonly placeAt: (offset: number) => Place;
  /** The problems between and around the requests. */
  readonly problems: readonly FileProblem[];
  readonly pin: FilePin;
  /** The variables of `$file.vars`. */
  readonly vars: readonly FileVariable[];
}

/**
 * The environments that a file allows itself to be sent to, by `$file.env`. It can only narrow what a connection
 * allows.
 */
export type FilePin =
  | { readonly kind: "none" }
  | { readonly kind: "only"; readonly environments: readonly Environment[] }
  /** The place of `$file.env` cannot be read, so nothing of the file may be sent. */
  | { readonly kind: "unreadable" };
