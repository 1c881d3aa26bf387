import type { ProblemCode } from "./file.ts";
import type { FileHint } from "./hints.ts";

/** The subject of a diagnostic of a request file or an environment file. */
export type DiagnosticCode = ProblemCode | FileHint["code"] | "expectation";

/** The headings of the README sections that explain the diagnostics. */
export const README_SECTIONS: Readonly<Record<DiagnosticCode, string>> = {
  fileTooLarge: "Requests of a file",
  fileEmpty: "Requests of a file",
  fileKind: "Requests of a file",
  separator: "Requests of a file",
  syntax: "Requests of a file",
  tooDeep: "Requests of a file",
  requestKind: "Requests of a file",
  duplicateKey: "Requests of a file",
  unknownMember: "Requests of a file",
  versionValue: "Requests of a file",
  idValue: "Requests of a file",
  sequence: "Requests of a file",
  methodMissing: "Methods and parameters",
  methodValue: "Methods and parameters",
  paramsKind: "Methods and parameters",
  unknownMethod: "Methods and parameters",
  sessionMethod: "Methods and parameters",
  params: "Methods and parameters",
  filePin: "Where a file may be sent",
  environment: "Where a file may be sent",
  placeholder: "Variables and responses",
  shadowed: "Variables and responses",
  runOptions: "How a request is run",
  repeatedName: "How a request is run",
  expectation: "How a request is run",
  secretLiteral: "Secrets in files",
};

/** The page of the project with these sections; the manifest names it too. */
export const README_ADDRESS = "https://github.com/trading-rpc/trading-rpc#readme";

/** Returns the address of the explanation, for a browser. */
export function helpAddress(code: DiagnosticCode): string {
  return README_ADDRESS.replace(/#.*$/, `#${anchorOf(README_SECTIONS[code])}`);
}

/**
 * Returns the anchor of a heading, as GitHub makes it:
 * https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links
 */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
