import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createStartTree, startCommand } from "../../../../src/present/connections/startRows.ts";
import type { Connection } from "../../../../src/state/connections.ts";
import { simulatorRecord } from "../../../../src/state/records.ts";

function saved(name: string, environment: "test" | "production", isActive = false): Connection {
  return {
    record: {
      id: name,
      name,
      declared: environment,
      url: `wss://${name}.example/ws/api/v2`,
      grant: "client_signature",
      clientId: "AbC",
    },
    isActive,
    state: { status: "off" },
    environment,
    contradiction: undefined,
    latencyMs: undefined,
    eventCount: 0,
    httpState: undefined,
    lastFailure: undefined,
  };
}

const SIMULATOR: Connection = { ...saved("", "test"), record: simulatorRecord(), environment: "simulator" };

describe("the view that connects", () => {
  test("has no rows without a saved connection: its text has the buttons", () => {
    assert.deepEqual(createStartTree(() => [SIMULATOR]).children(undefined), []);
  });

  test("has each saved connection, the one used last first, then the simulator and a new one, each with its command", () => {
    const tree = createStartTree(() => [SIMULATOR, saved("lab", "test"), saved("desk", "production", true)]);
    assert.deepEqual(
      tree.children(undefined).map((row) => [row.spoken, startCommand(row), row.connectionId, row.children]),
      [
        ["Connect to desk, PRODUCTION", "tradingRpc.connection.connect", "desk", "none"],
        ["Connect to lab, TESTNET", "tradingRpc.connection.connect", "lab", "none"],
        ["Start Simulator, no account or network needed", "tradingRpc.simulator.start", simulatorRecord().id, "none"],
        ["Add Connection…", "tradingRpc.connection.add", "add", "none"],
      ],
    );
    const [desk, , start] = tree.children(undefined);
    assert.deepEqual(
      tree.tooltip(desk?.id ?? "").map(({ value }) => value),
      ["Connects to PRODUCTION desk, desk.example."],
    );
    assert.deepEqual(tree.tooltip(start?.id ?? ""), []);
    assert.equal(tree.row(desk?.id ?? "")?.label, "Connect to desk");
  });
});
