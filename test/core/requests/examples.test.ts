import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "vitest";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { planRun } from "../../../src/requests/running/plan.ts";
import { createResults } from "../../../src/requests/values/results.ts";
import { NO_RUN_OPTIONS } from "../../../src/requests/file/runOptions.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { SESSION_REFRESH_TOKEN } from "../../../src/catalogue/values.ts";
import { runPlan } from "../../../src/requests/running/sequence.ts";
import { createWorld } from "../../world.ts";
import { createSituation, type Conversation } from "../simulator/conversation.ts";

const folder = path.resolve("examples");

async function send(conversation: Conversation, method: string, params: Record<string, unknown>): Promise<string> {
  const { error } = await conversation.call(method, params);
  return error === undefined ? "ok" : `${String(error.code)} ${error.message}`;
}

describe("the examples that ship", () => {
  for (const name of fs.readdirSync(folder)) {
    const file = scanRequests(fs.readFileSync(path.join(folder, name), "utf8"));

    test(`${name} has no mistakes`, () => {
      assert.match(name, /^\d\d-[a-z-]+\.rpc\.json$/);
      assert.deepEqual(checkFile(file), []);
      assert.ok(file.requests.length > 0);
    });

    if (file.requests.some(({ run }) => run !== NO_RUN_OPTIONS) || file.vars.length > 0) {
      test(`${name} runs on the simulator from its first request to its last`, async () => {
        const world = createWorld();
        await world.connect();
        const running = runPlan(planRun(file, { kind: "all" }, createResults()), {
          gate: world.live.gate,
          fileName: name,
          environment: () => world.live.environment,
          connectionId: "lab",
          results: createResults(),
          clock: world.clock,
          variables: { environmentVars: [], uuid: () => "00000000-0000-4000-8000-000000000000" },
        });
        await world.clock.advance(20_000);
        const steps = await running;
        assert.deepEqual(
          steps.map(({ verdict }) => verdict),
          file.requests.map(({ run }) => (run.isSkipped ? "skipped" : "passed")),
          JSON.stringify(steps.map(({ run, failures }) => [run.outcome, failures])),
        );
        world.live.dispose();
      });
      continue;
    }

    test(`${name} works on the simulator`, async () => {
      const conversation = createSituation().connect();
      const { access_token, refresh_token } = await conversation.signIn();
      for (const { method = "", paramsText } of file.requests) {
        const params = {
          ...(JSON.parse(paramsText.replace(SESSION_REFRESH_TOKEN, refresh_token)) as Record<string, unknown>),
          ...(method.startsWith("private/") ? { access_token } : {}),
        };
        assert.equal(await send(conversation, method, params), "ok");
      }
      conversation.close();
    });
  }
});
