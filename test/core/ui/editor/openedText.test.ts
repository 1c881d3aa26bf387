import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import type * as vscode from "vscode";
import { useEditor } from "../../../editorStandIn.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "opened-text-"));
const inside = path.join(folder, "workspace");

const uriOf = (file: string, scheme = "file"): vscode.Uri =>
  ({ scheme, path: file, fsPath: file }) as unknown as vscode.Uri;

function write(file: string, text: string, mode: number): vscode.Uri {
  fs.writeFileSync(file, text);
  fs.chmodSync(file, mode);
  return uriOf(file);
}

describe("the text of a file that the user chose", () => {
  useEditor({
    workspace: {
      fs: {
        stat: async ({ path: file }: vscode.Uri) => await fs.promises.stat(file),
        readFile: async ({ path: file }: vscode.Uri) => await fs.promises.readFile(file),
      },
      getWorkspaceFolder: ({ path: file }: vscode.Uri) => (file.startsWith(inside) ? { name: "workspace" } : undefined),
    },
  });
  beforeAll(() => fs.mkdirSync(inside));
  afterAll(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const read = async (uri: vscode.Uri, maxBytes = 100): Promise<unknown> => {
    const { readChosenFile } = await import("../../../../src/ui/editor/chosenFile.ts");
    return await readChosenFile(uri, maxBytes);
  };
  const SAFE = { name: "key.pem", text: "žluť", isOpenToOthers: false, isInWorkspace: false };

  test("comes with its name, and with who else can get at it", async ({ skip }) => {
    const file = path.join(folder, "key.pem");
    assert.deepEqual(await read(write(file, "žluť", 0o600)), SAFE);
    assert.deepEqual(await read(write(path.join(inside, "key.pem"), "žluť", 0o600)), { ...SAFE, isInWorkspace: true });
    skip(process.platform === "win32", "Windows has no permissions of this kind");
    for (const mode of [0o644, 0o640, 0o604])
      assert.deepEqual(await read(write(file, "žluť", mode)), { ...SAFE, isOpenToOthers: true }, mode.toString(8));
    // Whoever may only run or change it cannot read it.
    for (const mode of [0o711, 0o622]) assert.deepEqual(await read(write(file, "žluť", mode)), SAFE, mode.toString(8));
    assert.deepEqual(await read(uriOf(write(file, "žluť", 0o644).path, "vscode-remote")), SAFE, "modes of elsewhere");
  });

  test("is empty where the file is larger than it may be", async () => {
    const uri = write(path.join(folder, "large"), "x".repeat(101), 0o600);
    assert.deepEqual(await read(uri), { ...SAFE, name: "large", text: "" });
    assert.deepEqual(await read(uri, 101), { ...SAFE, name: "large", text: "x".repeat(101) });
  });

  test("that cannot be read: told with its name and the reason, not as an error of ours", async () => {
    await assert.rejects(read(uriOf(path.join(folder, "gone.pem"))), ({ failure }: { failure: { reason: string } }) => {
      assert.match(failure.reason, /^gone\.pem couldn't be read: ENOENT: no such file or directory, .*\.$/);
      return true;
    });
  });
});
