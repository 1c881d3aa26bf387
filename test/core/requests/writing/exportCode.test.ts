import assert from "node:assert/strict";
import { describe, test } from "vitest";
import * as vm from "node:vm";
import fc from "fast-check";
import * as ts from "typescript";
import { toFailure } from "../../../../src/base/failure.ts";
import { pythonText, typeScriptText } from "../../../../src/requests/writing/exportCode.ts";
import { testInFull } from "../../../sizes.ts";
import { anyText } from "../../../anyText.ts";

const SERVER = { origin: "https://test.example", basePath: "/api/v2" };

/** The text of the parameters that an exported TypeScript program would send. */
function paramsInTypeScript(text: string, environment: Readonly<Record<string, string>> = {}): string {
  const template = /const paramsText = (`[^]*`);\n {2}const response/.exec(text)?.[1] ?? "";
  const fromEnvironment = (name: string): string => environment[name] ?? assert.fail(name);
  return vm.runInNewContext(template, { fromEnvironment }) as string;
}

describe("TypeScript", () => {
  test("a public request as it is written", () => {
    const text = typeScriptText(SERVER, {
      method: "public/get_last_trades_by_instrument",
      paramsText: '{"instrument_name":"BTC-PERPETUAL","count":1e1}',
    });
    assert.equal(
      text,
      `// public/get_last_trades_by_instrument, over HTTP. Requires Node 20 or later and no packages. Run: npx tsx FILE.ts, or node FILE.ts with Node 22.18 or later.

const address = "https://test.example/api/v2";

async function call(method: string, paramsText: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(address, {
    method: "POST",
    redirect: "error",
    headers: { "Content-Type": "application/json", ...headers },
    body: \`{"jsonrpc":"2.0","id":1,"method":\${JSON.stringify(method)},"params":\${paramsText}}\`,
  });
  return await response.text();
}

async function main(): Promise<void> {
  // The parameters are JSON text, so numbers are sent exactly as written here.
  const paramsText = \`{
  "instrument_name": "BTC-PERPETUAL",
  "count": 1e1
}\`;
  const response = await call("public/get_last_trades_by_instrument", paramsText);
  console.log(response);
  if ("error" in JSON.parse(response)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
`,
    );
  });

  test("where its values come from stands above it, a comment each that ends with its line", () => {
    const notes = ["max: from $file.vars.", "Fill in {{$pick.order}}: Chosen\nimport os"];
    for (const [text, sign] of [
      [typeScriptText(SERVER, { method: "public/test", paramsText: "{}", notes }), "//"],
      [pythonText(SERVER, { method: "public/test", paramsText: "{}", notes }), "#"],
    ] as const) {
      assert.deepEqual(text.split("\n").slice(1, 4), [
        `${sign} max: from $file.vars.`,
        `${sign} Fill in {{$pick.order}}: Chosen\\u000Aimport os`,
        "",
      ]);
    }
  });

  testInFull("a strict compiler has nothing to say", () => {
    const text = typeScriptText(SERVER, {
      method: "private/withdraw",
      paramsText: '{"amount":0.10,"tfa":"SECRETTFA"}',
    });
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      types: ["node"],
      skipLibCheck: true,
    };
    const base = ts.createCompilerHost(options);
    const host: ts.CompilerHost = {
      ...base,
      getSourceFile: (name, language) =>
        name === "exported.mts" ? ts.createSourceFile(name, text, language) : base.getSourceFile(name, language),
      fileExists: (name) => name === "exported.mts" || base.fileExists(name),
    };
    const program = ts.createProgram(["exported.mts"], options, host);
    assert.deepEqual(
      ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
      [],
    );
  });

  test("every JSON is sent as it was, whatever stands in its texts", () => {
    fc.assert(
      fc.property(
        fc.dictionary(anyText(), fc.jsonValue(), { maxKeys: 4 }),
        fc.constantFrom("1e-8", "0.10", "9007199254740993", "-0"),
        (members, number) => {
          const paramsText = `{"a":${number},${JSON.stringify({ ...members, t: "` ${x} \\ ''' \"\"\"" }).slice(1)}`;
          const sent = paramsInTypeScript(
            typeScriptText(SERVER, { method: "public/test", paramsText }),
            new Proxy({}, { get: () => "x" }),
          );
          assert.match(sent, new RegExp(`^\\{\\n {2}"a": ${number.replace(".", "\\.")},`));
          assert.deepEqual(Object.keys(JSON.parse(sent) as object), Object.keys(JSON.parse(paramsText) as object));
          assert.equal((JSON.parse(sent) as { t: string }).t, "` ${x} \\ ''' \"\"\"");
        },
      ),
    );
  });

  test("nothing in it is invisible", () => {
    const text = typeScriptText(SERVER, {
      method: "private/cancel_by_label",
      paramsText: JSON.stringify({ label: "a\u202Eb\u2028\u{E0041}\uD800" }),
    });
    assert.match(text, /a\\\\u202eb\\\\u2028\\\\udb40\\\\udc41\\\\ud800/);
    assert.deepEqual(JSON.parse(paramsInTypeScript(text)), { label: "a\u202Eb\u2028\u{E0041}\uD800" });
  });
});

describe("secrets", () => {
  const canary = "Zk3Qv9Xw2Lp7Rt5Yb8Nc4Mf6Hd1Gs0Ja";
  const paramsText = JSON.stringify({
    refresh_token: "{{$session.refreshToken}}",
    client_secret: canary,
    tfa: [canary, 123456],
    list: [{ private_key: `x ${canary}` }],
    password: "hunter2-and-more",
    label: "mm-1",
  });

  test("come from the environment, each from a variable of its own", () => {
    const request = { method: "private/anything", paramsText };
    const typeScript = typeScriptText(SERVER, request);
    assert.match(
      typeScript,
      /Set these environment variables: TRADING_RPC_CLIENT_ID, TRADING_RPC_CLIENT_SECRET, TRADING_RPC_REFRESH_TOKEN, TRADING_RPC_CLIENT_SECRET_2, /,
    );
    for (const text of [typeScript, pythonText(SERVER, request)])
      for (const secret of [canary, "123456", "hunter2-and-more"]) assert.equal(text.includes(secret), false, secret);
    const values = { TRADING_RPC_TFA: 'a"b', TRADING_RPC_TFA_2: "654321" };
    const sent = JSON.parse(
      paramsInTypeScript(
        typeScript,
        new Proxy({}, { get: (_, name) => (values as Record<string, string>)[String(name)] ?? "x" }),
      ),
    ) as Record<string, unknown>;
    assert.deepEqual([sent["label"], sent["client_secret"], sent["tfa"]], ["mm-1", "x", ['a"b', 654321]]);
  });

  test("those with a secret name anywhere; what only looks like one stays", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.constantFrom("label", "access_token", "API_KEY"), (json, name) => {
        const text = pythonText(SERVER, { method: "public/test", paramsText: `{"a":${json},"${name}":"${canary}"}` });
        assert.equal(text.includes(canary), name === "label");
      }),
    );
  });
});

test("what needs a WebSocket is not written as a program of HTTP", () => {
  for (const write of [typeScriptText, pythonText]) {
    let failure;
    try {
      write(SERVER, { method: "public/subscribe", paramsText: '{"channels":["ticker.BTC-PERPETUAL.100ms"]}' });
    } catch (thrown) {
      failure = toFailure(thrown);
    }
    assert.equal(failure?.kind, "invalidParams");
  }
});
