import type { ProblemCode } from "./file.ts";
import type { FileHint } from "./hints.ts";

/** The subject of a diagnostic of a request file or an environment file. */
export type DiagnosticCode = ProblemCode | FileHint["code"] | "expectation";

/** The page that explains each diagnostic under a heading with its code. */
const PAGE = "https://github.com/trading-rpc/trading-rpc/blob/HEAD/docs/request-files.md";

/** Returns the address of the explanation, for a browser. GitHub writes the anchors of headings in lower case. */
export function helpAddress(code: DiagnosticCode): string {
  return `${PAGE}#${code.toLowerCase()}`;
}
