import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../../src/base/failure.ts";
import type { SimulatorCommandsPorts } from "../../../../src/ui/connections/simulatorCommands.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { scriptedDialogs } from "../scriptedDialogs.ts";

describe("Toggle Demo Trading", () => {
  useEditor({});

  /** Runs the command, with a simulator that runs, replays, or neither; hands out what was told and asked of it. */
  const run = async (simulator: "off" | "replay" | "stopped" | "trading"): Promise<string[]> => {
    const { simulatorHandlers } = await import("../../../../src/ui/connections/simulatorCommands.ts");
    const said: string[] = [];
    const dialogs = scriptedDialogs([]);
    const ports = {
      simulator: {
        control:
          simulator === "off"
            ? undefined
            : async (name: string, body: object) => {
                said.push(`${name} ${JSON.stringify(body)}`);
                return await Promise.resolve(String(simulator === "stopped"));
              },
        isReplay: simulator === "replay",
      },
      dialogs: { ...dialogs, tell: (_: unknown, text: string) => void said.push(text) },
    } as unknown as SimulatorCommandsPorts;
    try {
      await simulatorHandlers(ports)["tradingRpc.simulator.toggleDemo"]?.();
    } catch (error) {
      if (!(error instanceof CallError) || error.failure.kind !== "refused") throw error;
      said.push(error.failure.reason);
    }
    return said;
  };

  test("says what is so now", async () => {
    assert.deepEqual(await run("stopped"), [
      "setDemo {}",
      "Simulator: demo trading is on. Its orders have the label demo.",
    ]);
    assert.deepEqual(await run("trading"), ["setDemo {}", "Simulator: demo trading is off. Its open orders stay."]);
  });

  test("needs a simulator with an account", async () => {
    assert.deepEqual(await run("off"), ["The built-in simulator isn't running. Use Start Simulator first."]);
    assert.deepEqual(await run("replay"), ["A replay has no demo trading. Use Start Simulator first."]);
  });
});
