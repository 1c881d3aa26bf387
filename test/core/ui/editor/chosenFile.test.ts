import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type * as vscode from "vscode";
import { useEditor } from "../../../editorStandIn.ts";

const broken = async (): Promise<never> => await Promise.reject(new Error("EACCES: permission denied"));
const file = { scheme: "file", path: "/folder/orders.rpc.json" } as unknown as vscode.Uri;

describe("a file that the user chose", () => {
  useEditor({
    workspace: {
      fs: { writeFile: broken },
      openTextDocument: broken,
      asRelativePath: (uri: vscode.Uri) => uri.path.replace("/folder/", ""),
    },
  });

  test("cannot be written: told with its name and the reason, not as an error of ours", async () => {
    const { writeChosenFile } = await import("../../../../src/ui/editor/chosenFile.ts");
    await assert.rejects(writeChosenFile(file, "{}"), {
      failure: {
        kind: "refused",
        reason: "orders.rpc.json couldn't be saved: EACCES: permission denied. Choose another folder.",
      },
    });
  });

  test("cannot be opened: told with its place, not as an error of ours", async () => {
    const { openFile } = await import("../../../../src/ui/requests/files.ts");
    await assert.rejects(openFile(file), {
      failure: { kind: "refused", reason: "orders.rpc.json can't be opened. It may have been deleted or moved." },
    });
  });

  test("is opened by commands on requests in that way", async () => {
    const { documentOf } = await import("../../../../src/ui/requests/requestEditor.ts");
    await assert.rejects(documentOf(file), {
      failure: { kind: "refused", reason: "orders.rpc.json can't be opened. It may have been deleted or moved." },
    });
  });
});
