import * as vscode from "vscode";
import type { DisposableList } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { pasteRequest } from "../../requests/writing/paste.ts";
import { requestPlaceAt } from "../../requests/file/cursor.ts";
import type { Handlers } from "../editor/handler.ts";
import { openUntitled } from "./files.ts";
import { isRequestDocument, REQUEST_FILES } from "./requestDocuments.ts";
import type { RequestUi } from "./requestUi.ts";

/** The maximum length of a text that is converted on pasting; longer texts are pasted as they are. */
const MAX_LENGTH = 200_000;

/**
 * Turns a documentation example, a curl command and the like into requests when they are pasted. Makes the command that
 * inserts the request from the clipboard into the active request file, or into a new one.
 */
export function createPasteRequests(
  { scans, dialogs }: Pick<RequestUi, "scans" | "dialogs">,
  disposables: DisposableList,
): Handlers {
  const kind = vscode.DocumentDropOrPasteEditKind.Text.append("tradingRpc", "request");
  disposables.add(
    vscode.languages.registerDocumentPasteEditProvider(
      REQUEST_FILES,
      {
        async provideDocumentPasteEdits(document, ranges, data) {
          const text = await data.get("text/plain")?.asString();
          const [range] = ranges;
          if (text === undefined || range === undefined || ranges.length !== 1 || text.length > MAX_LENGTH)
            return undefined;
          // JSON is pasted as it is. Text that holds more than a request is too, so that nothing of it is lost.
          const pasted = /^\s*[[{]/.test(text) ? undefined : pasteRequest(text);
          const placed = pasted?.isWhole === true ? placedText(document, range, pasted.text, scans) : undefined;
          return placed === undefined
            ? undefined
            : [new vscode.DocumentPasteEdit(placed, l10n.t("Paste as Request"), kind)];
        },
      },
      { providedPasteEditKinds: [kind], pasteMimeTypes: ["text/plain"] },
    ),
  );
  return {
    "tradingRpc.request.paste": async () => {
      const pasted = pasteRequest(await vscode.env.clipboard.readText());
      if (pasted === undefined)
        throw refused(
          l10n.t(
            "The clipboard doesn't contain a request. Copy a documentation example, a command, a log line, or a request from a .http file or Postman collection.",
          ),
        );
      if (pasted.notes.length > 0) dialogs.tell("information", plain.join(pasted.notes, " "));
      if (pasted.text === "") return;
      const editor = vscode.window.activeTextEditor;
      const isRequestFile = editor !== undefined && isRequestDocument(editor.document);
      const placed = isRequestFile ? placedText(editor.document, editor.selection, pasted.text, scans) : undefined;
      if (isRequestFile && placed !== undefined) await editor.edit((edit) => edit.replace(editor.selection, placed));
      else await openUntitled("pasted", `${pasted.text}\n`);
    },
  };
}

/** Returns the request with the commas that its place needs; undefined inside another request. */
function placedText(
  document: vscode.TextDocument,
  range: vscode.Range,
  text: string,
  scans: RequestUi["scans"],
): string | undefined {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const whole = document.getText();
  if (whole.slice(0, start).trim() === "" && whole.slice(end).trim() === "") return text;
  const place = start === end ? requestPlaceAt(scans.of(document), start) : undefined;
  if (place === undefined) return undefined;
  // Several of them come into the list that is there.
  const requests = text.startsWith("[") ? text.slice(1, -1).trim() : text;
  return `${place.needsCommaBefore ? ",\n" : ""}${requests}${place.needsCommaAfter ? "," : ""}`;
}
