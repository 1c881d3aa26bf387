import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, describe, test } from "node:test";

/* The list of all tests of a file, made without running one. */

describe("the titles of a test file", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "titles-"));
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const listed = (name: string, text: string): { readonly titles: readonly string[]; readonly error?: string } => {
    const [file, output] = [path.join(folder, name), path.join(folder, "titles.json")];
    fs.writeFileSync(file, text);
    execFileSync(process.execPath, [path.resolve("test/titles/collect.mjs"), output, file]);
    return (
      JSON.parse(fs.readFileSync(output, "utf8")) as Readonly<
        Record<string, { readonly titles: readonly string[]; readonly error?: string }>
      >
    )[file]!;
  };

  const BODY = `
    before(() => { throw new Error("a hook ran"); });
    describe("a", () => {
      for (const each of [1, 2]) test("b " + each, { timeout: 5 }, async () => { throw new Error("a test ran"); });
      describe("c", () => { test.skip("d", () => undefined); });
      describe("e", { skip: "why" }, () => { throw new Error("a skipped suite was entered"); });
    });
    test("f", () => undefined);`;
  const TITLES = ["a › b 1", "a › b 2", "a › c › d", "a › e", "f"];

  for (const [name, imports] of [
    ["one.mjs", 'import { before, describe, test } from "node:test";'],
    ["one.cjs", 'const { before, describe, test } = require("node:test");'],
  ] as const) {
    test(`${name}: suites are entered, tests and hooks are not run`, () =>
      assert.deepEqual(listed(name, imports + BODY), { titles: TITLES }));
  }

  test("a mocha file that imports the editor", () => {
    const text =
      'const vscode = require("vscode"); const { describe, it } = require("mocha"); class Item extends vscode.TreeItem {} describe("a", () => { it("b", () => vscode.window.show()); });';
    assert.deepEqual(listed("editor.cjs", text), { titles: ["a › b"] });
  });

  for (const [what, text, error] of [
    [
      "starts a program",
      'import { spawn } from "node:child_process"; spawn("true");',
      /a program is started while titles are listed/,
    ],
    [
      "opens a server",
      'import http from "node:http"; http.createServer().listen(0);',
      /a server is started while titles are listed/,
    ],
    [
      "opens a connection",
      'import net from "node:net"; net.connect(1, "127.0.0.1");',
      /a connection is opened while titles are listed/,
    ],
    [
      "uses the editor",
      'import vscode from "vscode"; vscode.window.show();',
      /vscode\.window\.show is used while titles are listed/,
    ],
    [
      "has an asynchronous suite",
      'import { describe } from "node:test"; describe("a", async () => undefined);',
      /asynchronous/,
    ],
  ] as const) {
    test(`a file that ${what} when it is loaded is an error`, () =>
      assert.match(listed("bad.mjs", text).error ?? "", error));
  }
});
