import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import { createAccountCommands, type AccountCommandsPorts } from "../../../../src/ui/connections/account.ts";
import { createWorld, type WorldOptions } from "../../../world.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

interface Switched {
  readonly shown: readonly string[];
  /** What the exchange was asked for. */
  readonly sent: readonly string[];
  /** What was told, besides a switch that came about. */
  readonly told: readonly Outcome["kind"][];
  readonly place: string;
}

/** Runs Switch Subaccount from the Command Palette with scripted answers. */
async function switched(options: WorldOptions, ...responses: readonly ScriptedAnswer[]): Promise<Switched> {
  const world = createWorld(options);
  await world.connect();
  const { dialogs, shown, done } = scriptedDialogs(...responses);
  const told: Outcome["kind"][] = [];
  const commands = createAccountCommands({
    dialogs,
    liveConnections: { all: [world.live], active: world.live },
    notices: { showOutcome: (_live: unknown, _intent: unknown, { kind }: Outcome) => told.push(kind) },
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) },
  } as unknown as AccountCommandsPorts);
  const running = commands["tradingRpc.account.switch"]?.();
  await world.clock.advance(5000);
  await running;
  done();
  const { place } = world.live;
  world.live.dispose();
  return { shown, sent: world.frames("public/exchange_token"), told, place };
}

describe("the steps of a switch to a sub-account", () => {
  test("lead from the account to its scope, and hand both on", async () => {
    const { shown, sent, place } = await switched({}, "$(person) simulator_options", "$(check) Same as the API Key");
    assert.match(sent[0] ?? "", /"subject_id":48602[^}]*\}/);
    assert.equal(place, "SIMULATOR lab ▸ simulator_options");
    assert.match(
      shown[1] ?? "",
      /^Switch Subaccount on SIMULATOR lab 1\/2: Select the account that everything on this connection will use/,
    );
    assert.match(shown[2] ?? "", /2\/2: Which scope\?/);
  });

  test("less scope by area: a level has a way back, and what is chosen is asked for", async () => {
    const { sent } = await switched(
      {},
      ...["$(person) simulator_options", "$(list-unordered) Reduce Scope", "block_rfq", BACK, "block_rfq", "none"],
      "$(check) Use This Scope",
    );
    assert.match(sent[0] ?? "", /"scope":"[^"]*block_rfq:none/);
  });

  test("have a way back to the account; left in the middle, nothing is sent", async () => {
    const { sent, shown } = await switched(
      {},
      "$(person) simulator_options",
      BACK,
      "$(edit) Enter an Account ID",
      BACK,
      LEAVE,
    );
    assert.deepEqual(sent, []);
    assert.match(shown.at(-1) ?? "", /Select the account that everything on this connection will use/);
  });

  test("a server that lists no accounts: the number is typed, a name will not do, and a refusal is told", async () => {
    const { shown, sent, told, place } = await switched(
      { methods: "contract" },
      ...["simulator_options", "102", "$(check) Same as the API Key"],
    );
    assert.match(shown[2] ?? "", /^refused: .*whole number/);
    assert.match(sent[0] ?? "", /"subject_id":102/);
    assert.deepEqual([told, place], [["rejected"], "SIMULATOR lab"]);
  });
});
