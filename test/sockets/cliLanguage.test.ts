import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { foreign, plainWords } from "../pseudoLocale.ts";

/* The terminal runner as it ships, with a translation into an artificial language next to it. */

describe("the terminal runner in another language", () => {
  let folder = "";
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "language-"));
    fs.mkdirSync(path.join(folder, "dist"));
    fs.mkdirSync(path.join(folder, "l10n"));
    for (const file of fs.readdirSync("dist").filter((name) => name.endsWith(".js")))
      fs.copyFileSync(path.join("dist", file), path.join(folder, "dist", file));
    fs.copyFileSync("package.json", path.join(folder, "package.json"));
    const sentences = JSON.parse(fs.readFileSync("l10n/bundle.l10n.json", "utf8")) as Readonly<Record<string, string>>;
    fs.writeFileSync(
      path.join(folder, "l10n", "bundle.l10n.qaa.json"),
      JSON.stringify(Object.fromEntries(Object.entries(sentences).map(([key, text]) => [key, foreign(text)]))),
    );
    fs.writeFileSync(path.join(folder, "a.rpc.json"), '{ "method": "public/test", "$run": { "name": "one" } }');
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const run = async (language: string, ...args: readonly string[]): Promise<string> =>
    await new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [path.join(folder, "dist", "cli.js"), ...args],
        { cwd: folder, env: { LC_ALL: language, NO_COLOR: "1" } },
        (error, out, err) => {
          if (error === null) resolve(out + err);
          else reject(new Error(out + err));
        },
      );
    });

  test("a report of a run is all in that language; where there is none it is in English", async () => {
    const [others, english, region] = await Promise.all([
      run("qaa_QM.UTF-8", "run", "a.rpc.json", "--env", "sim"),
      run("xx_XX.UTF-8", "run", "a.rpc.json", "--env", "sim"),
      run("qaa", "--help"),
    ]);
    assert.match(english, /\bpassed\b/);
    const same = new Set(["rpc", "json", "one", "public", "test", "ms", "run", "trading", "sim"]);
    assert.deepEqual(plainWords(others, same), [], others);
    assert.equal(others.split("\n").length, english.split("\n").length);
    assert.ok(region.startsWith(foreign("trading-rpc runs request files")), region.slice(0, 200));
  });
});
