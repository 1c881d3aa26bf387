import type * as vscode from "vscode";
import type { RequestFile } from "../../requests/file/file.ts";
import { rescanRequests, scanRequests, type ScannedFile } from "../../requests/file/scan.ts";

/**
 * The request files as they are in VS Code; each version is read once, and only the part that differs from the previous
 * one.
 */
export interface RequestScans {
  of(document: vscode.TextDocument): RequestFile;
}

export function createRequestScans(): RequestScans {
  const scans = new WeakMap<vscode.TextDocument, { readonly version: number; readonly file: ScannedFile }>();
  return {
    of(document) {
      const before = scans.get(document);
      if (before?.version === document.version) return before.file;
      const text = document.getText();
      const file = before === undefined ? scanRequests(text) : rescanRequests(before.file, text);
      scans.set(document, { version: document.version, file });
      return file;
    },
  };
}
