import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { checkFiles, type Checking } from "../../../src/cli/checking/checkFiles.ts";
import { checkReport, exitCodeOfCheck } from "../../../src/cli/checking/check.ts";
import { disk } from "./disk.ts";

const never = new AbortController().signal;

async function checked(
  texts: Readonly<Record<string, string | undefined>>,
  ...paths: readonly string[]
): Promise<Checking> {
  return await checkFiles(paths, disk(texts), never);
}

/** Returns the lines of a check without the help and the summary. */
async function linesOf(
  texts: Readonly<Record<string, string | undefined>>,
  ...paths: readonly string[]
): Promise<readonly string[]> {
  const text = checkReport(await checked(texts, ...paths), "text", false);
  return text.split("\n").filter((line) => /^\S+:\d+:\d+ /.test(line));
}

const GOOD = '{ "method": "public/get_time" }';

describe("trading-rpc check", () => {
  test("each problem is a line with its place, its severity, a sentence, and its code", async () => {
    const texts = {
      "/work/a.rpc.json": `[\n  { "id": 1, "id": 2, "method": "public/get_time" },\n  { "method": "public/get_tim" }\n]\n`,
    };
    assert.equal(
      checkReport(await checked(texts, "a.rpc.json"), "text", false),
      [
        "a.rpc.json:2:14 error Duplicate key id: only one of the values would be used. Remove or rename one of them. [duplicateKey]",
        "a.rpc.json:3:15 warning Unknown method public/get_tim. Its name indicates a read, so it is sent without confirmation. [unknownMethod]",
        "",
        "docs/problems.md#duplicatekey",
        "docs/problems.md#unknownmethod",
        "",
        "Files checked: 1, errors: 1, warnings: 1",
        "",
      ].join("\n"),
    );
  });

  test("a file without problems is counted and not listed", async () => {
    const checking = await checked({ "/work/a.rpc.json": GOOD }, "a.rpc.json");
    assert.equal(checkReport(checking, "text", false), "Files checked: 1, errors: 0, warnings: 0\n");
  });

  const KINDS: readonly (readonly [name: string, text: string, line: RegExp])[] = [
    ["JSON that can't be read", '{ "method": }', /^a\.rpc\.json:1:13 error .* \[syntax\]$/],
    ["a missing comma", `[${GOOD} ${GOOD}]`, /^a\.rpc\.json:1:\d+ (?:error|warning) .* \[separator\]$/],
    ["no request", "[1]", /^a\.rpc\.json:1:2 error .* \[requestKind\]$/],
    ["an unknown member", '{ "method": "public/get_time", "extra": 1 }', /^a\.rpc\.json:1:32 .* \[unknownMember\]$/],
    [
      "a missing parameter of a write",
      '{ "method": "private/cancel" }',
      /^a\.rpc\.json:1:13 error order_id.* \[params\]$/,
    ],
    [
      "a parameter of another type",
      '{ "method": "private/cancel", "params": { "order_id": 1 } }',
      /^a\.rpc\.json:1:55 error order_id: .* \[params\]$/,
    ],
    [
      "a parameter of a read",
      '{ "method": "private/get_order_state", "params": { "order_id": 1 } }',
      /^a\.rpc\.json:1:64 warning order_id: .* \[params\]$/,
    ],
    ["a method that ends the session", '{ "method": "private/logout" }', /1:13 error .* \[sessionMethod\]$/],
    [
      "an option that there is not",
      '{ "method": "public/get_time", "$run": { "nam": "x" } }',
      /1:42 error nam is not a \$run option.* \[runOptions\]$/,
    ],
    [
      "an expectation that can't be",
      '{ "method": "public/get_time", "$run": { "expect": { "result": { "$gtt": 1 } } } }',
      /error .* \[runOptions\]$/,
    ],
    [
      "an environment that there is not",
      '{ "$file": { "env": ["live"] }, "method": "public/get_time" }',
      /error .* \[filePin\]$/,
    ],
    [
      "a secret",
      '{ "method": "public/get_time", "params": { "client_secret": "canary8Kq2Vx5Lr9Tz4Wm7" } }',
      /error client_secret is a secret\..* \[secretLiteral\]$/,
    ],
    [
      "a name twice",
      `[{ "method": "public/get_time", "$run": { "name": "n" } }, { "method": "public/get_time", "$run": { "name": "n" } }]`,
      /error Another request in this file is also named n,.* \[repeatedName\]$/,
    ],
    [
      "a value from nowhere",
      '{ "method": "private/cancel", "params": { "order_id": "{{open.result[0].order_id}}" } }',
      /1:55 error open\.result\[0\]\.order_id has no value\..* \[placeholder\]$/,
    ],
    ["nothing", "", /^a\.rpc\.json:1:1 .* \[fileEmpty\]$/],
  ];
  for (const [name, text, line] of KINDS)
    test(`found: ${name}`, async () => {
      const lines = await linesOf({ "/work/a.rpc.json": text }, "a.rpc.json");
      assert.ok(
        lines.some((each) => line.test(each)),
        lines.join("\n"),
      );
    });

  test("a secret in a file is not repeated in any form", async () => {
    const checking = await checked(
      { "/work/a.rpc.json": '{ "method": "public/get_time", "params": { "password": "canary8Kq2Vx5Lr9Tz4Wm7" } }' },
      "a.rpc.json",
    );
    for (const format of ["text", "json", "github"] as const)
      assert.ok(!checkReport(checking, format, false).includes("canary"), format);
  });

  test("a folder means the files in it and below, each once, without those of other programs", async () => {
    const texts = {
      "/work/all/b.rpc.json": GOOD,
      "/work/all/a.rpc.json": GOOD,
      "/work/all/rpc.env.json": "{}",
      "/work/all/other.json": "{",
      "/work/all/deep/er/c.rpc.json": GOOD,
      "/work/all/node_modules/x/d.rpc.json": "{",
      "/work/all/.git/e.rpc.json": "{",
    };
    const pathsOf = async (...paths: readonly string[]): Promise<readonly string[]> =>
      (await checked(texts, ...paths)).files.map(({ path }) => path);
    const all = ["all/a.rpc.json", "all/b.rpc.json", "all/deep/er/c.rpc.json", "all/rpc.env.json"];
    assert.deepEqual(await pathsOf("all"), all);
    assert.deepEqual(await pathsOf("all/"), all);
    assert.deepEqual(await pathsOf("."), all);
    assert.deepEqual(await pathsOf("all/b.rpc.json", "all"), [
      "all/b.rpc.json",
      ...all.filter((each) => !each.includes("b.")),
    ]);
    assert.deepEqual(
      await pathsOf("/work/all/deep"),
      ["/work/all/deep/er/c.rpc.json", "all/rpc.env.json"],
      "the environment file above it is checked too",
    );
  });

  test("exit codes: files that could not be checked weigh most, then errors; warnings are allowed", async () => {
    const texts = {
      "/work/good.rpc.json": GOOD,
      "/work/warned.rpc.json": '{ "method": "public/unheard_of" }',
      "/work/wrong.rpc.json": "[1]",
    };
    const codeOf = async (...paths: readonly string[]): Promise<number> =>
      exitCodeOfCheck(await checked(texts, ...paths));
    assert.equal(await codeOf("good.rpc.json"), 0);
    assert.equal(await codeOf("good.rpc.json", "warned.rpc.json"), 0);
    assert.equal(await codeOf("wrong.rpc.json", "good.rpc.json"), 1);
    assert.equal(await codeOf("wrong.rpc.json", "gone.rpc.json"), 2);
    assert.equal(await codeOf("gone.rpc.json"), 2);
  });

  test("a file that is named can have any name", async () => {
    assert.deepEqual(await linesOf({ "/work/a.jsonc": "[1]" }, "a.jsonc").then((lines) => lines.length), 1);
  });

  test("what is missing or can't be read is told, and the others are checked", async () => {
    const { files, notChecked } = await checked(
      {
        "/work/a.rpc.json": GOOD,
        "/work/locked.rpc.json": undefined,
        "/work/huge.rpc.json": GOOD,
        "/work/none/x.txt": "",
      },
      ...["gone.rpc.json", "locked.rpc.json", "huge.rpc.json", "none", "a.rpc.json"],
    );
    assert.deepEqual(
      files.map(({ path }) => path),
      ["a.rpc.json"],
    );
    assert.deepEqual(notChecked, [
      "gone.rpc.json does not exist.",
      "The folder none has no request files (*.rpc.json).",
      "locked.rpc.json can't be read: EACCES: permission denied",
      "huge.rpc.json can't be read: The file is too large.",
    ]);
  });

  test("environment files give values, and are checked themselves", async () => {
    const request = '{ "method": "private/get_order_state", "params": { "order_id": "{{order}}" } }';
    const lines = async (environment: string | undefined): Promise<readonly string[]> =>
      await linesOf(
        {
          "/work/deep/a.rpc.json": request,
          ...(environment === undefined ? {} : { "/work/rpc.env.json": environment }),
        },
        "deep/a.rpc.json",
      );
    assert.match((await lines(undefined)).join("\n"), /^deep\/a\.rpc\.json:1:64 error order has no value\./);
    assert.deepEqual(await lines('{ "prod": { "order": "ETH-1" } }'), []);
    const wrong = await lines('{ "*": { "order": "ETH-1", "order": "ETH-2" } }');
    assert.match(wrong.join("\n"), /^rpc\.env\.json:1:28 error Duplicate key order: .* \[duplicateKey\]$/);
    assert.match(
      (await linesOf({ "/work/rpc.env.json": '{ "$allow": ["live"] }' }, "rpc.env.json")).join("\n"),
      /^rpc\.env\.json:1:13 error \$allow must be an array/,
    );
  });

  test("a request of another file of the folder gives values, one of another folder does not", async () => {
    const named = '{ "method": "private/get_open_orders", "$run": { "name": "open" } }';
    const user = '{ "method": "private/get_order_state", "params": { "order_id": "{{open.result[0].order_id}}" } }';
    assert.deepEqual(await linesOf({ "/work/a.rpc.json": named, "/work/b.rpc.json": user }, "b.rpc.json"), []);
    assert.equal((await linesOf({ "/work/c/a.rpc.json": named, "/work/b.rpc.json": user }, "b.rpc.json")).length, 1);
    assert.deepEqual(await linesOf({ "/a.rpc.json": named, "/b.rpc.json": user }, "/b.rpc.json"), []);
  });

  test("places count like VS Code: line ends of each kind, and no byte order mark", async () => {
    assert.match(
      (await linesOf({ "/work/a.rpc.json": `\uFEFF[1]` }, "a.rpc.json")).join("\n"),
      /^a\.rpc\.json:1:2 error/,
    );
    assert.match(
      (await linesOf({ "/work/a.rpc.json": `[\r\n\r\n${GOOD},\r1,\n"x"]` }, "a.rpc.json")).join("\n"),
      /^a\.rpc\.json:4:1 error .*\na\.rpc\.json:5:1 error/,
    );
  });

  test("for programs: everything about a problem, on a line of its own", async () => {
    const checking = await checked({ "/work/a.rpc.json": `[1,\n${GOOD}]` }, "a.rpc.json", "gone.rpc.json");
    const text = checkReport(checking, "json", false);
    assert.deepEqual(JSON.parse(text), {
      version: 1,
      files: 1,
      errors: 1,
      warnings: 0,
      notChecked: ["gone.rpc.json does not exist."],
      problems: [
        {
          file: "a.rpc.json",
          line: 1,
          column: 2,
          endLine: 1,
          endColumn: 3,
          severity: "error",
          code: "requestKind",
          message: 'A request must be an object: { "method": …, "params": { … } }.',
          help: "docs/problems.md#requestkind",
        },
      ],
    });
    assert.equal(text.split("\n").filter((line) => line.includes('"file"')).length, 1);
    assert.deepEqual(JSON.parse(checkReport({ files: [], notChecked: [] }, "json", false)), {
      version: 1,
      files: 0,
      errors: 0,
      warnings: 0,
      notChecked: [],
      problems: [],
    });
  });

  test("for a workflow: annotations, in which nothing of a file can begin a command of its own", () => {
    const place = { line: 1, column: 2 };
    const problem = {
      start: place,
      end: { line: 1, column: 9 },
      severity: "warning",
      code: "params",
      message: "100%\n::error::forged",
    } as const;
    const files = [
      {
        path: "a:b,c.rpc.json",
        problems: [problem, { ...problem, end: { line: 2, column: 1 }, message: "two lines" }],
      },
    ];
    const help = "docs/problems.md#params";
    assert.equal(
      checkReport({ files, notChecked: [] }, "github", true),
      `::warning file=a%3Ab%2Cc.rpc.json,line=1,endLine=1,col=2,endColumn=9,title=params::100%25%0A::error::forged ${help}\n` +
        `::warning file=a%3Ab%2Cc.rpc.json,line=1,endLine=2,title=params::two lines ${help}\n`,
    );
  });

  test("a file for the gateway alone is checked by what the gateway offers", async () => {
    const request = (env: string): string => `{ "method": "private/get_mmp_config", "$file": { "env": ["${env}"] } }`;
    const texts = { "/work/a.rpc.json": request("gateway"), "/work/b.rpc.json": request("prod") };
    assert.deepEqual(await linesOf(texts, "a.rpc.json", "b.rpc.json"), [
      "a.rpc.json:1:13 warning The Coinbase gateway doesn't offer private/get_mmp_config. [notOffered]",
    ]);
    assert.equal(exitCodeOfCheck(await checked(texts, "a.rpc.json")), 0);
  });

  test("a file that is stopped at is not checked any further", async () => {
    const stop = new AbortController();
    stop.abort();
    assert.deepEqual(await checkFiles(["a.rpc.json"], disk({ "/work/a.rpc.json": GOOD }), stop.signal), {
      files: [],
      notChecked: [],
    });
  });
});
