import assert from "node:assert/strict";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
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

/* What a person reads when something is wrong, sentence by sentence. */

describe("a request file", () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ["syntax error", '{ "method": "public/test", "params": { "a": } }', ["1:45 error: A value is expected here."]],
    [
      "unknown method",
      '{ "method": "private/withdrow" }',
      ["1:13 warning: private/withdrow is not known to this extension; it counts as a write and is asked about."],
    ],
    [
      "wrong type",
      '{ "method": "private/cancel", "params": { "order_id": 5 } }',
      ["1:55 error: order_id: expected a text, got 5"],
    ],
    ["missing parameter", '{ "method": "private/cancel", "params": {} }', ["1:41 error: order_id is missing"]],
    [
      "empty file",
      "",
      [
        '1:1 warning: There is no request in this file yet. A request is { "method": "public/get_time" }; several of them stand in a list [ … ].',
      ],
    ],
    [
      "20 MB",
      `{ "method": "public/test", "params": { "expected_result": "${"x".repeat(20_000_000)}" } }`,
      ["1:1 error: This file has 20 MiB. Request files are read up to 16 MiB: split it into several."],
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
      "The address has to begin with wss://, or with https:// for a connection over HTTP alone, not with htps://",
      "An address looks like wss://host/ws/api/v2; this does not: wss//host",
      "Without encryption only this computer can be reached. Use wss:// or https://.",
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
        "The exchange answered with error 13004: invalid_credentials. Client id / secret (or login) not accepted. Check the client id and the secret, and that they belong to this environment: test keys do not work on production. The clock of this computer has to be right too.",
      );
    } finally {
      await server.close();
    }
  });

  test("nobody listens", async () => {
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
      "Nobody is listening at 127.0.0.1 (connect ECONNREFUSED 127.0.0.1:PORT). Check the port in the address, and that the server is running.",
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
        "A response came from 127.0.0.1, but not that of a WebSocket server of an exchange (HTTP 200). Check host and path; the path of this API is /ws/api/v2. A proxy on the way may also have answered in its place.",
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
        "The response of 127.0.0.1 could not be understood: the text is no JSON. Nothing was changed, since it was only a reading. Show Log has the details.",
      );
    } finally {
      for (const client of server.clients) client.terminate();
      server.close();
    }
  });
});
