import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readAccess } from "../../../src/cli/access.ts";
import { readArguments } from "../../../src/cli/arguments.ts";
import { writeRefusal, type WriteSituation } from "../../../src/cli/run.ts";
import { ENVIRONMENTS_BY_NAME } from "../../../src/requests/file/readRequest.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";

const KEY_FILE = { TRADING_RPC_GATEWAY_KEY_FILE: "key.json" };

describe("the access of --env gateway", () => {
  test("is a key file, or nothing", () => {
    const url = "wss://drb.coinbase.com/ws/api/v2";
    assert.deepEqual(readAccess("gateway", KEY_FILE), {
      ...{ kind: "cdpKeyFile", url, path: "key.json", keyName: "" },
      names: { path: "TRADING_RPC_GATEWAY_KEY_FILE", keyName: "TRADING_RPC_GATEWAY_KEY_NAME" },
    });
    assert.deepEqual(readAccess("gateway", {}), {
      ...{ kind: "server", url, credentials: { kind: "none" }, grant: "none", clientId: "" },
    });
  });

  test("reads no variable without GATEWAY_ in its name", () => {
    const others = {
      TRADING_RPC_CLIENT_ID: "id",
      TRADING_RPC_CLIENT_SECRET: "secret",
      TRADING_RPC_URL: "wss://example.com/ws/api/v2",
      TRADING_RPC_PROD_CLIENT_ID: "id",
      TRADING_RPC_ACCESS_TOKEN: "token",
      TRADING_RPC_KEY_FILE: "other.json",
    };
    assert.deepEqual(readAccess("gateway", others), readAccess("gateway", {}));
    assert.deepEqual(readAccess("gateway", { ...others, ...KEY_FILE }), readAccess("gateway", KEY_FILE));
    for (const environment of ["test", "production"] as const)
      assert.deepEqual(readAccess(environment, KEY_FILE), readAccess(environment, {}), "and the other way round");
  });

  for (const [environment, variables, sentence] of [
    [
      "gateway",
      { TRADING_RPC_GATEWAY_CLIENT_ID: "id", TRADING_RPC_GATEWAY_CLIENT_SECRET: "secret" },
      "TRADING_RPC_GATEWAY_CLIENT_ID can't be used: the Coinbase gateway takes key files only. Set TRADING_RPC_GATEWAY_KEY_FILE.",
    ],
    [
      "gateway",
      { ...KEY_FILE, TRADING_RPC_GATEWAY_URL: "wss://www.deribit.com/ws/api/v2" },
      "TRADING_RPC_GATEWAY_URL: this is not an address of the Coinbase gateway.",
    ],
    [
      "gateway",
      { ...KEY_FILE, TRADING_RPC_GATEWAY_URL: "ws://127.0.0.1:8765/ws/api/v2" },
      "TRADING_RPC_GATEWAY_URL: this is not an address of the Coinbase gateway.",
    ],
    [
      "production",
      { TRADING_RPC_PROD_URL: "wss://drb.coinbase.com/ws/api/v2" },
      "TRADING_RPC_PROD_URL: this is the Coinbase gateway. Use --env gateway.",
    ],
    [
      "test",
      { TRADING_RPC_URL: "wss://streams.drb.coinbase.com/ws/api/v2" },
      "TRADING_RPC_URL: this is the Coinbase gateway. Use --env gateway.",
    ],
    [
      "simulator",
      {
        TRADING_RPC_SIM_URL: "ws://127.0.0.1:8765/ws/api/v2",
        TRADING_RPC_SIM_KEY_FILE: "key.json",
        TRADING_RPC_SIM_CLIENT_ID: "id",
      },
      "TRADING_RPC_SIM_CLIENT_ID and TRADING_RPC_SIM_KEY_FILE can't be used together.",
    ],
  ] as const)
    test(sentence, () => {
      assert.deepEqual(readAccess(environment, variables), { kind: "wrong", message: sentence });
    });
});

describe("what a run sends to the gateway", () => {
  const situation = (change: Partial<WriteSituation>): WriteSituation => ({
    ...{ writes: "production", cancels: "refused", environment: "gateway", isAttended: true },
    pin: { kind: "only", environments: ["gateway"] },
    trading: { largestOrderUsd: 100, totalUsd: 100 },
    ...change,
  });

  test("is a file that is pinned to it: not one that is pinned to prod", () => {
    const refused = (...environments: readonly ("production" | "gateway")[]): string | undefined =>
      writeRefusal("private/buy", situation({ pin: { kind: "only", environments } }));
    assert.equal(
      refused("production"),
      "Write requests on the Coinbase gateway require a file whose $file.env includes gateway.",
    );
    assert.equal(refused("gateway"), undefined);
    const [pin] = [scanRequests('{"method":"private/buy","$file":{"env":["gateway"]}}').pin];
    assert.deepEqual(pin, { kind: "only", environments: ["gateway"] });
    assert.equal(ENVIRONMENTS_BY_NAME.get("gateway"), "gateway");
  });

  test("needs its name after --allow-writes, and for cancels alone after --allow-cancels", () => {
    const wishes = (...words: readonly string[]): unknown => {
      const read = readArguments(["run", "a.rpc.json", "--env", "gateway", ...words]);
      return read.kind === "run" ? [read.wishes.writes, read.wishes.cancels] : read;
    };
    assert.deepEqual(wishes("--allow-writes", "gateway"), ["production", "refused"]);
    assert.deepEqual(wishes("--allow-cancels", "gateway"), ["refused", "production"]);
    assert.deepEqual(wishes("--allow-writes"), ["notProduction", "refused"]);
    assert.deepEqual(wishes("--allow-writes", "prod"), {
      kind: "wrong",
      message: "--allow-writes prod and --env gateway can't be used together.",
    });
    assert.equal(
      writeRefusal("private/buy", situation({ writes: "notProduction" })),
      "Write requests on the Coinbase gateway require --allow-writes gateway.",
    );
    const unattended = { isAttended: false, writes: "refused", cancels: "production" } as const;
    assert.equal(writeRefusal("private/cancel_all", situation(unattended)), undefined);
    assert.notEqual(writeRefusal("private/buy", situation(unattended)), undefined);
  });
});
