import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { createApiKeyChanges, type ApiKeyChangesPorts } from "../../../../src/ui/apiKeys/changes.ts";
import { createWorld, type World } from "../../../world.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

interface Changed {
  readonly world: World;
  readonly shown: readonly string[];
  readonly told: readonly Outcome["kind"][];
}

/** Runs a command about API keys from the Command Palette with scripted answers. */
async function changed(
  command: "edit" | "changeScope" | "enable" | "disable",
  responses: readonly ScriptedAnswer[],
  { codes, code }: { readonly codes?: readonly string[]; readonly code?: string } = {},
): Promise<Changed> {
  const world = createWorld({ askCode: async () => await Promise.resolve(code) });
  await world.connect();
  if (codes !== undefined) world.exchange.control.requireSecondFactor(codes);
  const { dialogs, shown, done } = scriptedDialogs(...responses);
  const told: Outcome["kind"][] = [];
  const commands = createApiKeyChanges({
    dialogs,
    liveConnections: { all: [world.live], active: world.live },
    notices: { showOutcome: (_live: unknown, _intent: unknown, { kind }: Outcome) => told.push(kind) },
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) },
    clock: world.clock,
    times: createTimes(0),
  } as unknown as ApiKeyChangesPorts);
  const running = commands[`tradingRpc.apiKey.${command}`]?.();
  await world.clock.advance(10_000);
  await running;
  done();
  world.live.dispose();
  return { world, shown, told };
}

describe("changing an API key from the palette", () => {
  test("a key is chosen, its change confirmed and sent; another key can be chosen before, and loses no answer", async () => {
    const { world, shown, told } = await changed("edit", [
      ...["maker_1", ["Name", "Enabled"], "trading_bot", BACK, BACK, BACK, "reporting", BACK, "maker_1"],
      ...[["Name"], "trading_bot"],
    ]);
    const [frame, ...others] = world.frames("private/edit_api_key");
    assert.deepEqual([others, told], [[], ["confirmed"]]);
    assert.match(frame ?? "", /"name":"trading_bot"/);
    assert.match(shown.at(-1) ?? "", /\[trading_bot\]$/);
    assert.match(JSON.stringify(world.questions.at(-1)), /name: maker_1 → trading_bot/);
  });

  test("left in the middle, nothing is sent", async () => {
    const { world } = await changed("changeScope", ["maker_1", "trade", LEAVE]);
    assert.deepEqual(world.frames("private/edit_api_key").concat(world.frames("private/change_scope_in_api_key")), []);
  });

  test("only keys that are not so already are offered to be disabled", async () => {
    const { world, shown } = await changed("enable", [LEAVE]);
    assert.ok(!/reporting/.test(shown.at(-1) ?? ""), shown.join("\n"));
    assert.deepEqual(world.frames("private/enable_api_key"), []);
    const { world: other } = await changed("disable", ["reporting"]);
    assert.equal(other.frames("private/disable_api_key").length, 1);
  });

  test("where reading needs a second factor the person decides; an id that is not listed can be typed, and has to be one", async () => {
    const { shown, world } = await changed(
      "disable",
      ["Continue Without Reading", "$(edit) Enter an ID", "x", BACK, "$(edit) Enter an ID", "77"],
      { codes: ["123456"] },
    );
    assert.equal(shown.filter((each) => each.startsWith("refused: ")).length, 1);
    assert.match(world.questions.at(-1)?.message ?? "", /77/);
  });
});
