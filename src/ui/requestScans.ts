import type * as vscode from "vscode";
import type { RequestFile } from "../requests/file.ts";
import { scanRequests } from "../requests/scan.ts";

/** Request files as they stand in the editor, each version read once. */
export interface RequestScans {
  of(document: vscode.TextDocument): RequestFile;
}

export function createRequestScans(): RequestScans {
  const scans = new WeakMap<vscode.TextDocument, { readonly version: number; readonly file: RequestFile }>();
  return {
    of(document) {
      const before = scans.get(document);
      if (before?.version === document.version) return before.file;
      const file = scanRequests(document.getText());
      scans.set(document, { version: document.version, file });
      return file;
    },
  };
}
