import assert from "node:assert/strict";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "vitest";
import { WebSocketServer } from "ws";
import { createSystemClock } from "../../src/base/clock.ts";
import type { Failure } from "../../src/base/failure.ts";
import { silentLog } from "../../src/base/log.ts";
import { failureSentences } from "../../src/present/text/failureText.ts";
import { checkFile } from "../../src/requests/checking/check.ts";
import { placeOf } from "../../src/requests/text/place.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import { checkAddress } from "../../src/rpc/address.ts";
import { createExchange } from "../../src/simulator/wire/exchange.ts";
import { startServer } from "../../src/simulator/wire/server.ts";
import { createSocketSession } from "./socketSession.ts";

/* What the user reads when something is wrong, sentence by sentence. */

describe("a request file", () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ["syntax error", '{ "method": "public/test", "params": { "a": } }', ["1:45 error: Expected a value."]],
    [
      "unknown method",
      '{ "method": "private/withdrow" }',
      ["1:13 warning: Unknown method private/withdrow. It is treated as a write and needs confirmation."],
    ],
    [
      "wrong type",
      '{ "method": "private/cancel", "params": { "order_id": 5 } }',
      ["1:55 error: order_id: expected a string, got 5"],
    ],
    ["missing parameter", '{ "method": "private/cancel", "params": {} }', ["1:41 error: order_id is missing"]],
    [
      "empty file",
      "",
      [
        '1:1 warning: This file has no requests yet. Add { "method": "public/get_time" }, for example, or several requests in an array [ … ].',
      ],
    ],
    [
      "20 MB",
      `{ "method": "public/test", "params": { "expected_result": "${"x".repeat(20_000_000)}" } }`,
      ["1:1 error: This file has 20 MiB. Request files can have up to 16 MiB. Split it into several files."],
    ],
  ];
  for (const [name, text, expected] of cases) {
    test(name, () => {
      const file = scanRequests(text);
      const sentences = checkFile(file).map(({ range, severity, message }) => {
        const { line, column } = placeOf(text, range.start);
        return `${line}:${column} ${severity}: ${message}`;
      });
      assert.deepEqual(sentences, expected);
    });
  }
});

describe("a connection", () => {
  const clock = createSystemClock();

  /** Tries to sign in and hands out why that did not work. */
  async function failureOf(url: string, clientSecret = "secret"): Promise<Failure> {
    const session = createSocketSession(url, { kind: "client_signature", clientId: "simulator", clientSecret }, clock);
    try {
      return await new Promise<Failure>((resolve) => {
        session.onDidChangeState((state) => {
          if (state.status === "waiting" || state.status === "locked") resolve(state.failure);
        });
        session.connect();
      });
    } finally {
      session.dispose();
    }
  }

  async function portOf(server: http.Server): Promise<number> {
    await new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        resolve(undefined);
      });
    });
    return (server.address() as AddressInfo).port;
  }

  test("a mistyped address", () => {
    const reasons = ["htps://x", "wss//host", "ws://www.example.org/ws", "wss://a:b@host/", "wss://host./"].map(
      (address) => {
        const check = checkAddress(address);
        return check.kind === "usable" ? "usable" : check.reason;
      },
    );
    assert.deepEqual(reasons, [
      "The address must start with wss://, or with https:// for an HTTP-only connection, not with htps://",
      "Not a valid address: wss//host. Use the form wss://host/ws/api/v2.",
      "Unencrypted connections are allowed to this computer only. Use wss:// or https://.",
      "The address must not contain a user name or password.",
      "The host must not end with a dot.",
    ]);
  });

  test("wrong secret", async () => {
    const exchange = createExchange({ clock, random: () => 0.5, still: true });
    const server = await startServer({ exchange, port: 0, controlToken: "t", limits: true, log: silentLog });
    try {
      assert.equal(
        failureSentences(await failureOf(server.addresses.webSocket, "wrong"), "read", "127.0.0.1").replaceAll(
          /:\d+(?=\))/g,
          ":PORT",
        ),
        "The exchange returned error 13004: invalid_credentials. The client ID or client secret (or login) was not accepted. Check the client ID and client secret (or private key), and that they belong to this environment. Testnet API keys don't work on production. Also check that the clock of this computer is right.",
      );
    } finally {
      await server.close();
    }
  });

  test("connection refused: no server listens on the port", async () => {
    const server = http.createServer();
    const port = await portOf(server);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    assert.equal(
      failureSentences(await failureOf(`ws://127.0.0.1:${port}/ws/api/v2`), "read", "127.0.0.1").replaceAll(
        /:\d+(?=\))/g,
        ":PORT",
      ),
      "Connection refused by 127.0.0.1 (connect ECONNREFUSED 127.0.0.1:PORT). Check the port in the address, and that the server is running.",
    );
  });

  test("a web server that is no exchange", async () => {
    const server = http.createServer((_request, response) => response.end("<h1>Hello</h1>"));
    const port = await portOf(server);
    try {
      assert.equal(
        failureSentences(await failureOf(`ws://127.0.0.1:${port}/ws/api/v2`), "read", "127.0.0.1").replaceAll(
          /:\d+(?=\))/g,
          ":PORT",
        ),
        "The response from 127.0.0.1 did not come from an exchange's WebSocket server (HTTP 200). Check the host and path. The path of this API is /ws/api/v2. A proxy may also have responded instead.",
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("a WebSocket server that does not speak JSON-RPC", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await new Promise((resolve) => {
      server.once("listening", resolve);
    });
    server.on("connection", (socket) => {
      socket.on("message", (data) => {
        socket.send(`echo: ${(data as Buffer).toString("utf8")}`);
      });
    });
    try {
      assert.equal(
        failureSentences(
          await failureOf(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`),
          "read",
          "127.0.0.1",
        ).replaceAll(/:\d+(?=\))/g, ":PORT"),
        "Couldn't parse the response from 127.0.0.1: the message is not valid JSON. The request was read-only, so nothing was changed. Try again. If it continues, use Save Support File… and attach the file when you report the problem.",
      );
    } finally {
      for (const client of server.clients) client.terminate();
      server.close();
    }
  });
});
