import { plain, type Plain } from "../../base/plain.ts";
import type { ProblemCode } from "./file.ts";
import type { FileHint } from "./hints.ts";

/** The subject of a diagnostic of a request file or an environment file. */
export type DiagnosticCode = ProblemCode | FileHint["code"] | "expectation";

/** The page that explains each diagnostic under a heading with its code. It ships with the extension. */
export const HELP_PAGE = "docs/problems.md";

/** Every code, in the order of the page. */
const CODES: readonly DiagnosticCode[] = [
  "amountStep",
  "duplicateKey",
  "environment",
  "expectation",
  "fileEmpty",
  "fileKind",
  "filePin",
  "fileTooLarge",
  "idValue",
  "methodMissing",
  "methodPrefix",
  "methodValue",
  "notOffered",
  "params",
  "paramsKind",
  "placeholder",
  "repeatedName",
  "requestKind",
  "runOptions",
  "secretLiteral",
  "separator",
  "sequence",
  "sessionMethod",
  "shadowed",
  "syntax",
  "tickSize",
  "tooDeep",
  "unknownMember",
  "unknownMethod",
  "versionValue",
];
/** The page begins with a title and a sentence. An entry is a heading and a paragraph. An empty line follows each. */
const FIRST_LINE = 5;
const LINES_OF_ENTRY = 4;

/** Returns the page and the heading of the explanation. Headings are linked in lower case. */
export function helpAddress(code: DiagnosticCode): Plain {
  return plain`${HELP_PAGE}#${plain.text(code.toLowerCase())}`;
}

/** Returns the line of the explanation in the page, from 1. */
export function helpLine(code: DiagnosticCode): number {
  return FIRST_LINE + LINES_OF_ENTRY * CODES.indexOf(code);
}
