import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import { introduce } from "../../../src/session/account.ts";
import type { SessionState } from "../../../src/session/session.ts";
import { createExchange } from "../../../src/simulator/wire/exchange.ts";
import { isOwnSimulator } from "../../../src/state/records.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";

const CLIENT = { name: "test", version: "0" };

describe("which server it is", () => {
  test("over HTTP, where public/hello means nothing, the simulator is known by public/test", async () => {
    const exchange = createExchange({ clock: createFakeClock(), random: createFakeRandom(1), still: true });
    const asked: string[] = [];
    const call = async (method: string, paramsText: string): Promise<MaskedResponse> => {
      asked.push(method);
      const texts: string[] = [];
      exchange.respondOverHttp(
        { text: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${paramsText}}` },
        {
          send: (text) => {
            texts.push(text);
          },
          close: () => undefined,
          terminate: () => undefined,
        },
      );
      return await Promise.resolve(JSON.parse(texts[0] ?? "{}") as MaskedResponse);
    };
    const serverVersion = await introduce(CLIENT, false, call);
    assert.deepEqual(asked, ["public/test"]);
    const identity = {
      authentication: "key",
      clientId: exchange.clientId,
      scope: "",
      testnet: true,
      serverVersion,
    } as const;
    const state: SessionState = { status: "ready", generation: 1, isSuspect: false, identity, sinceMs: 0 };
    assert.equal(
      isOwnSimulator(
        {
          id: "x",
          name: "lab",
          declared: "simulator",
          url: "http://127.0.0.1:8765/api/v2",
          grant: "client_signature",
          clientId: exchange.clientId,
        },
        state,
      ),
      true,
    );
    exchange.dispose();
  });

  test("over a link we say who we are, and hear who the server is", async () => {
    const asked: string[] = [];
    const version = await introduce(
      CLIENT,
      true,
      async (method, paramsText) =>
        await Promise.resolve(
          (asked.push(`${method} ${paramsText}`), { result: { version: "1.2.26" } } as MaskedResponse),
        ),
    );
    assert.deepEqual([version, asked], ["1.2.26", ['public/hello {"client_name":"test","client_version":"0"}']]);
  });
});
