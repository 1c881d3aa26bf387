import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { createPrivate } from "../../../../src/cli/machine/privateFile.ts";

describe("a file for this user only", () => {
  let folder: string;
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "trading-rpc-private-"));
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const inFolder = (name: string): string => path.join(folder, name);

  test("can't be read by other users, and has its size before the secret is written", async () => {
    const file = inFolder("secret.txt");
    const made = await createPrivate(file);
    const { mode, size } = fs.statSync(file);
    if (process.platform !== "win32") assert.equal(mode & 0o777, 0o600);
    assert.equal(size, 4096);
    assert.equal(fs.readFileSync(file, "utf8").trim(), "");
    await made.write("the secret\n");
    assert.equal(fs.readFileSync(file, "utf8"), "the secret\n");
    if (process.platform !== "win32") assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  test("takes the place of nothing", async () => {
    fs.writeFileSync(inFolder("mine.txt"), "mine");
    fs.mkdirSync(inFolder("folder"));
    for (const name of ["mine.txt", "folder", "none/secret.txt"]) await assert.rejects(createPrivate(inFolder(name)));
    assert.equal(fs.readFileSync(inFolder("mine.txt"), "utf8"), "mine");
    if (process.platform === "win32") return;
    fs.symlinkSync("nowhere", inFolder("link.txt"));
    await assert.rejects(createPrivate(inFolder("link.txt")));
    assert.equal(fs.existsSync(inFolder("nowhere")), false);
  });

  test("goes again where no secret came, also after it was written", async () => {
    const file = inFolder("gone.txt");
    const unused = await createPrivate(file);
    await unused.remove();
    assert.equal(fs.existsSync(file), false);
    const written = await createPrivate(file);
    await written.write("x\n");
    await written.remove();
    assert.equal(fs.existsSync(file), false);
  });
});
