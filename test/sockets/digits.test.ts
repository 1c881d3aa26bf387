import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { test } from "vitest";
import { WebSocketServer } from "ws";
import { createGate } from "../../src/actions/gate/gate.ts";
import { createRoutes } from "../../src/actions/gate/route.ts";
import { createMemoryJournal } from "../../src/actions/journal/journal.ts";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { responseDocument } from "../../src/present/requests/responseText.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { runRequest } from "../../src/requests/running/run.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import { createSocketSession } from "./socketSession.ts";

/** Literals that a number of JavaScript does not keep. */
const DIGITS = '{"a":1e-8,"b":0.10,"c":9007199254740993,"d":[50000.50,-0.0,123456789012345678901234567890,6.4e4]}';

test("digits reach a raw socket as they stand in the file, and the document as they were received", async () => {
  const frames: string[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const text = (data as Buffer).toString("utf8");
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      frames.push(text);
      socket.send(
        method === "public/echo"
          ? `{"jsonrpc":"2.0","id":${id},"result":${DIGITS}}`
          : `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`,
      );
    });
  });
  await new Promise((resolve) => {
    server.once("listening", resolve);
  });
  const clock = createSystemClock();
  const session = createSocketSession(
    `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/api/v2`,
    { kind: "none" },
    clock,
  );
  const gate = createGate({
    connectionId: "raw",
    connectionName: () => "raw",
    environment: () => "test",
    session,
    routes: createRoutes({
      session,
      isHttpOnly: false,
      createHttpSession: () => assert.fail("nothing here goes over HTTP"),
    }),
    ask: async () => await Promise.resolve(true),
    askCode: async () => await Promise.resolve(undefined),
    journal: createMemoryJournal(),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  try {
    const ready = new Promise<void>((resolve) => {
      session.onDidChangeState((state) => {
        if (state.status === "ready") resolve();
      });
    });
    session.connect();
    await ready;
    const file = scanRequests(
      `// a comment\n{ "method": "public/echo", "params": ${DIGITS.replaceAll(",", ", /* here */ ")} }`,
    );
    const result = await runRequest(file, file.requests[0]!, {
      gate,
      environment: "test",
      fileName: "digits.rpc.json",
    });
    const sent = frames.find((each) => each.includes("public/echo")) ?? "";
    assert.equal(sent.slice(sent.indexOf('"params":')), `"params":${DIGITS}}`);
    const { text } = responseDocument({
      result,
      environment: "test",
      connectionName: "raw",
      endedAtMs: 0,
      verdicts: [],
      times: createTimes(0),
    });
    const body = text
      .split("\n")
      .filter((line) => !line.startsWith("//"))
      .join("\n");
    assert.equal(body.replaceAll(/\s+/g, ""), DIGITS);
  } finally {
    gate.dispose();
    session.dispose();
    server.close();
  }
});
