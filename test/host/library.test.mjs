// @ts-check
/** The library of the npm package, installed where nothing else is: for ES modules, for require, and for Python. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, test } from "vitest";
import { npm, quietly } from "./npm.mjs";
import { root, tempDir } from "./process.mjs";
import { tarballUnderTest } from "./tarball.mjs";

const file = await tarballUnderTest();
const PYTHON = ["python3", "python"].find((name) => spawnSync(name, ["--version"]).status === 0);
const HAS_PYTEST = PYTHON !== undefined && spawnSync(PYTHON, ["-c", "import pytest"]).status === 0;

/** @param {string} heading @param {string} kind @returns {string[]} the blocks of a kind in a section of the docs */
function blocks(heading, kind) {
  const page = fs.readFileSync(path.join(root, "docs", "simulator.md"), "utf8");
  const [, section = ""] = new RegExp(`^#+ ${heading}\\n(.*?)^##`, "ms").exec(page) ?? [];
  return [...section.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

describe("the library", () => {
  const folder = path.join(tempDir(), "work");
  /** @param {string} name @param {string} text */
  const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
  /** @param {string} name the program @param {string[]} words */
  const node = (name, ...words) =>
    spawnSync(process.execPath, [name, ...words], { cwd: folder, encoding: "utf8", timeout: 60_000 });

  beforeAll(async () => {
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, "package.json"), "{}");
    await npm(["install", "--offline", ...quietly, file], folder, { ...process.env, NPM_CONFIG_CACHE: tempDir() });
    fs.symlinkSync(path.join(root, "node_modules", "@types"), path.join(folder, "node_modules", "@types"), "junction");
    fs.symlinkSync(
      path.join(root, "node_modules", "undici-types"),
      path.join(folder, "node_modules", "undici-types"),
      "junction",
    );
  });

  const USE = `
  const { webSocket, http } = simulator.address;
  const { clientId, clientSecret } = simulator.credentials;
  const basic = Buffer.from(clientId + ":" + clientSecret).toString("base64");
  const buy = async (): Promise<number> => {
    const url = http + "/private/buy?instrument_name=BTC-PERPETUAL&amount=10&type=limit&price=1000";
    return (await fetch(url, { headers: { authorization: "Basic " + basic } })).status;
  };
  const statuses: number[] = [await buy(), await buy()];
  const state: string | undefined = simulator.control.openOrders()[0]?.order_state;
  const log: readonly FaultUse[] = simulator.faults.log();
  const before: number = simulator.clock.now();
  await simulator.clock.advance(60_000);
  console.log(JSON.stringify({ statuses, state, log, passedMs: simulator.clock.now() - before, isLocal: webSocket.startsWith("ws://127.0.0.1:") }));
  await simulator.stop();
  await simulator.stop();`;
  const OPTIONS = `{ still: true, clock: "manual", startMs: 1795176000000, account: { balances: { BTC: 1 } }, faults: { faults: [{ do: "badGateway", method: "private/buy" }] } }`;
  const PRINTED = {
    ...{ statuses: [502, 200], state: "open", passedMs: 60_000, isLocal: true },
    log: [{ call: 1, method: "private/buy", fault: "badGateway" }],
  };

  /** Consumers by the name of their file. */
  const CONSUMERS = {
    "esm.mts": `import { startSimulator, type FaultUse, type Simulator } from "trading-rpc";\nconst simulator: Simulator = await startSimulator(${OPTIONS});\n${USE}\n`,
    "required.cts": `import { startSimulator, type FaultUse, type Simulator } from "trading-rpc";\nasync function main(): Promise<void> {\nconst simulator: Simulator = await startSimulator(${OPTIONS});\n${USE}\n}\nvoid main();\n`,
  };

  /** @param {string[]} names @returns what the compiler says of consumers, and the programs that it writes */
  const compile = async (...names) => {
    write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: {
          ...{ module: "nodenext", target: "es2023", strict: true, exactOptionalPropertyTypes: true, types: ["node"] },
          ...{ outDir: "out", rootDir: ".", skipLibCheck: false },
        },
        files: names,
      }),
    );
    const tsc = path.join(root, "node_modules", "typescript-7", "bin", "tsc");
    return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  };

  for (const [name, text] of Object.entries(CONSUMERS))
    test(`${name} is checked by tsc, runs, and ends when it has stopped`, async () => {
      write(name, text);
      const { status, stdout } = await compile(name);
      assert.equal(status, 0, stdout);
      const program = path.join("out", name.replace("ts", "js"));
      const ran = node(program);
      assert.deepEqual([ran.status, ran.signal], [0, null], ran.stderr);
      assert.deepEqual(JSON.parse(ran.stdout), PRINTED);
    });

  test("a wrong option is an error for the compiler, and says what is wrong where it runs", async () => {
    write(
      "wrong.mts",
      `import { startSimulator } from "trading-rpc";\nawait startSimulator({ faults: { faults: [{ do: "explode" }] } }).catch((error: Error) => console.log(error.message));\n`,
    );
    const { status, stdout } = await compile("wrong.mts");
    assert.notEqual(status, 0);
    assert.match(stdout, /"explode"/);
    assert.match(node(path.join("out", "wrong.mjs")).stdout, /^faults\[0\]\.do must be one of drop, /);
  });

  test("with a market that moves and a client that listens, nothing is left when it has stopped", () => {
    write(
      "handles.mjs",
      `import { createRequire } from "node:module";
import { startSimulator } from "trading-rpc";
const { WebSocket } = createRequire(${JSON.stringify(path.join(root, "package.json"))})("ws");
const simulator = await startSimulator({ orders: 5 });
const socket = new WebSocket(simulator.address.webSocket);
const events = new Promise((resolve) => socket.on("message", (text) => String(text).includes("subscription") && resolve()));
const closed = new Promise((resolve) => socket.on("close", resolve));
await new Promise((resolve) => socket.on("open", resolve));
const params = { channels: ["ticker.BTC-PERPETUAL.100ms"] };
socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "public/subscribe", params }));
await events;
await simulator.stop();
console.log(await closed, process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|Server/.test(name)).join());
`,
    );
    const { status, stdout, stderr } = node("handles.mjs");
    assert.deepEqual([status, stdout], [0, "1001 \n"], stderr);
  });

  test("ES modules and require get the same function", async () => {
    write(
      "both.mjs",
      `import { createRequire } from "node:module";\nimport { startSimulator } from "trading-rpc";\nconsole.log(createRequire(import.meta.url)("trading-rpc").startSimulator === startSimulator);\n`,
    );
    assert.equal(node("both.mjs").stdout, "true\n");
  });

  test(
    "the Vitest test of the docs passes, and fails without the fix of a bug in its bot",
    { timeout: 120_000 },
    async () => {
      const [bot = "", spec = ""] = blocks("Use it in Vitest", "js");
      assert.match(bot, /^\/\/ bot\.mjs\n/);
      assert.match(spec, /^\/\/ bot\.test\.mjs\n/);
      write("bot.test.mjs", spec);
      write("vitest.config.mjs", "export default { test: { include: ['bot.test.mjs'] } };\n");
      for (const name of ["vitest"])
        if (!fs.existsSync(path.join(folder, "node_modules", name)))
          fs.symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name), "junction");
      const vitest = () =>
        spawnSync(
          process.execPath,
          [path.join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--root", folder],
          {
            ...{ cwd: folder, encoding: "utf8", env: { ...process.env, VITEST: undefined, NO_COLOR: "1" } },
          },
        );
      write("bot.mjs", bot);
      const passed = vitest();
      assert.equal(passed.status, 0, `${passed.stdout}${passed.stderr}`);
      const bug = bot.replace(/^ *if \(await findOrder\(label\)\) return;.*\n/m, "");
      assert.notEqual(bug, bot);
      write("bot.mjs", bug);
      const failed = vitest();
      assert.equal(failed.status, 1, failed.stdout);
      assert.match(
        `${failed.stdout}${failed.stderr}`,
        /expected .*2.* to be 1|to have a length of 1 but got 2|AssertionError/,
      );
    },
  );

  describe("for Python", { skip: PYTHON === undefined }, () => {
    const [fixture = "", spec = ""] = blocks("Use it in Python", "python");
    const env = {
      ...process.env,
      PATH: [path.join(folder, "node_modules", ".bin"), process.env["PATH"]].join(path.delimiter),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const python = (/** @type {string[]} */ ...words) =>
      spawnSync(PYTHON ?? "", words, { cwd: folder, encoding: "utf8", env, timeout: 100_000 });

    test("the test of the docs passes, and fails without the fix of a bug in its bot", () => {
      assert.match(fixture, /^# simulator\.py\n/);
      assert.match(spec, /^# test_bot\.py\n/);
      write("simulator.py", fixture);
      write("test_bot.py", spec);
      const passed = python("-m", "unittest", "-v", "test_bot");
      assert.equal(passed.status, 0, passed.stderr);
      assert.doesNotMatch(passed.stderr, /ResourceWarning/);
      const bug = spec.replace(/^ +if find_order\(simulator, label\): *\n +return\n/m, "");
      assert.notEqual(bug, spec);
      write("test_bot.py", bug);
      const failed = python("-m", "unittest", "-v", "test_bot");
      assert.equal(failed.status, 1, failed.stderr);
      assert.match(failed.stderr, /AssertionError: 2 != 1/);
    });

    test("the fixture of the docs works in pytest", { skip: !HAS_PYTEST }, () => {
      write("simulator.py", fixture);
      write("test_bot.py", spec);
      const [, , conftest = "", pytestSpec = ""] = blocks("Use it in Python", "python");
      write("conftest.py", conftest);
      write("test_fixture.py", pytestSpec);
      const { status, stdout } = python("-m", "pytest", "-q", "test_fixture.py");
      assert.equal(status, 0, stdout);
    });
  });
});
