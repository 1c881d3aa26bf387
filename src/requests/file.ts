import type { Problem } from "../base/failure.ts";

/** A place in a text: offsets in UTF-16 units, end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** One request object of a file. */
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
}

/** A problem of a file, at a place. */
export interface FileProblem extends Omit<Problem, "path"> {
  readonly range: TextRange;
  /** The request it belongs to; undefined when it concerns the file. */
  readonly requestIndex: number | undefined;
  /** Stable name of the rule, e.g. `unknownMethod`. */
  readonly code: string;
}

/** A `*.rpc.json` file, read. Reading never throws. */
export interface RequestFile {
  readonly requests: readonly FileRequest[];
  readonly problems: readonly FileProblem[];
}
