import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { promisify } from "node:util";
import * as ts from "typescript";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import {
  CREDENTIAL_VARIABLES,
  pythonText,
  typeScriptText,
  type CodeRequest,
} from "../../src/requests/writing/exportCode.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createFakeRandom } from "../fakeClock.ts";

/* Exported programs, run as they stand against the simulator: what it received, what they print, how they end. */

let exchange: Exchange;
let server: SimulatorServer;
let folder: string;

beforeAll(async () => {
  exchange = createExchange({ clock: createSystemClock(), random: createFakeRandom(7), still: true, limits: false });
  server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "exported-"));
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const execute = promisify(execFile);

async function run(program: string, file: string, environment: NodeJS.ProcessEnv): Promise<Run> {
  try {
    return {
      code: 0,
      ...(await execute(program, [file], {
        env: {
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          SystemRoot: process.env["SystemRoot"],
          ...environment,
        },
      })),
    };
  } catch (thrown) {
    const { code, stdout = "", stderr = "" } = thrown as Partial<Run>;
    if (typeof code !== "number") throw thrown;
    return { code, stdout, stderr };
  }
}

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

const LANGUAGES = {
  TypeScript: async (request: CodeRequest, environment: NodeJS.ProcessEnv) => {
    const { outputText } = ts.transpileModule(typeScriptText(target(), request), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, strict: true },
    });
    return await run(process.execPath, write("program.cjs", outputText), environment);
  },
  Python: async (request: CodeRequest, environment: NodeJS.ProcessEnv) =>
    await run("python3", write("program.py", pythonText(target(), request)), environment),
} as const;

function target(): { readonly origin: string; readonly basePath: string } {
  const { origin, pathname } = new URL(server.addresses.http);
  return { origin, basePath: pathname };
}

async function hasPython(): Promise<boolean> {
  try {
    return /^Python 3\.(?:[89]|\d\d)/.test((await execute("python3", ["--version"])).stdout);
  } catch {
    return false;
  }
}

/** Method and parameters of what arrived since the last look. */
function arrived(): string[] {
  const lines = exchange.control
    .ledger()
    .map(({ method, paramsText = "" }) => `${method} ${paramsText.replaceAll(/\s+/g, "")}`);
  exchange.control.clearRecords();
  return lines.filter((line) => !line.startsWith("public/auth "));
}

for (const [language, send] of Object.entries(LANGUAGES)) {
  describe(language, () => {
    const credentials = (): NodeJS.ProcessEnv => ({
      [CREDENTIAL_VARIABLES.clientId]: server.addresses.clientId,
      [CREDENTIAL_VARIABLES.clientSecret]: server.addresses.clientSecret,
    });
    let isThere = true;
    beforeAll(async () => {
      isThere = language !== "Python" || (await hasPython());
    });

    test("a public request, every digit as it stands", async ({ skip }) => {
      skip(!isThere, "there is no python3");
      arrived();
      const paramsText = '{"instrument_name":"BTC-PERPETUAL","count":1e0,"start_seq":1.0}';
      const { code, stdout } = await send({ method: "public/get_last_trades_by_instrument", paramsText }, {});
      assert.deepEqual(arrived(), [`public/get_last_trades_by_instrument ${paramsText}`]);
      assert.equal(code, 0, stdout);
      assert.equal((JSON.parse(stdout) as { result: { trades: unknown[] } }).result.trades.length, 1);
    });

    test("a private one signs in from the environment, and nothing secret is printed", async ({ skip }) => {
      skip(!isThere, "there is no python3");
      arrived();
      const group = "it's ${x} `y` ''' \\ \"z\" \u{1F600}";
      const { code, stdout, stderr } = await send(
        { method: "private/get_mmp_config", paramsText: JSON.stringify({ index_name: "btc_usd", mmp_group: group }) },
        credentials(),
      );
      assert.deepEqual(
        exchange.control
          .ledger()
          .map(({ method, paramsText = "" }) => [
            method,
            method === "public/auth" || (JSON.parse(paramsText) as { mmp_group: string }).mmp_group,
          ]),
        [
          ["public/auth", true],
          ["private/get_mmp_config", group],
        ],
      );
      assert.equal(code, 0, stdout + stderr);
      assert.equal((stdout + stderr).includes(server.addresses.clientSecret), false);
    });

    test("without credentials, and with wrong ones, it says so", async ({ skip }) => {
      skip(!isThere, "there is no python3");
      arrived();
      const request = { method: "private/get_open_orders", paramsText: "{}" };
      const without = await send(request, {});
      assert.deepEqual(
        [without.code, without.stderr.trim()],
        [1, "Set the environment variable TRADING_RPC_CLIENT_ID."],
      );
      const wrong = await send(request, { ...credentials(), [CREDENTIAL_VARIABLES.clientSecret]: "wrong" });
      assert.equal(wrong.code, 1);
      assert.match(wrong.stderr, /^Sign-in failed: .*13004/);
      assert.deepEqual(arrived(), []);
    });

    test("an error of the exchange is printed, and is no success", async ({ skip }) => {
      skip(!isThere, "there is no python3");
      const { code, stdout } = await send(
        { method: "private/cancel", paramsText: '{"order_id":"ETH-999999999"}' },
        credentials(),
      );
      assert.equal(code, 1);
      assert.equal((JSON.parse(stdout) as { error: { code: number } }).error.code, 10004);
    });
  });
}
