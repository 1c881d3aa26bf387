import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { allowedBy, readEnvironmentFile } from "../../../src/requests/values/environmentFile.ts";
import { planRun, type Wanted } from "../../../src/requests/running/plan.ts";
import { createResults } from "../../../src/requests/values/results.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runPlan } from "../../../src/requests/running/sequence.ts";
import type { Environment } from "../../../src/state/records.ts";
import { createWorld } from "../../world.ts";

/* `$allow` of rpc.env.json: whichever way a request is sent, its folder can forbid a place and cannot open one. */

const FILE =
  '[{ "method": "private/get_open_orders", "$run": { "name": "open" } }, { "method": "private/reset_mmp", "params": { "index_name": "btc_usd" } }, { "method": "public/get_time", "$run": { "expect": { "ok": true } } }]';

const ROUTES: readonly (readonly [string, Wanted])[] = [
  ["Send", { kind: "one", index: 0 }],
  ["Send, of a change", { kind: "one", index: 1 }],
  ["Send All, the tests of a file and the terminal", { kind: "all" }],
  ["Send Read Requests", { kind: "reads" }],
  ["Send from Here", { kind: "from", index: 1 }],
];

describe("$allow on every route", () => {
  const places: readonly (readonly [string, Environment])[] = [
    ["sim", "simulator"],
    ["test", "test"],
    ["prod", "production"],
  ];
  for (const [route, wanted] of ROUTES) {
    test(route, async () => {
      for (const [name, declared] of places) {
        const others = places.flatMap(([each]) => (each === name ? [] : [each]));
        const world = createWorld({ declared, orders: 3, answer: () => true });
        await world.connect();
        const sent = async (allow: readonly string[]): Promise<string> => {
          const files = [readEnvironmentFile("file:///w/rpc.env.json", JSON.stringify({ $allow: allow }))];
          world.exchange.control.clearRecords();
          const results = createResults();
          const { live, clock } = world;
          const steps = runPlan(planRun(scanRequests(FILE), wanted, results), {
            gate: live.gate,
            environment: () => live.environment,
            connectionId: "c",
            fileName: "a.rpc.json",
            clock,
            variables: { uuid: () => "u" },
            results,
            obstacle: () => allowedBy(files, live.environment),
          });
          await clock.advance(5000);
          await steps;
          return world.exchange.control
            .ledger()
            .flatMap(({ method = "" }) =>
              ["private/get_open_orders", "private/reset_mmp", "public/get_time"].includes(method) ? [method] : [],
            )
            .join();
        };
        assert.equal(await sent(others), "", `${name} is forbidden`);
        assert.equal(await sent([]), "", "nowhere");
        const open = await sent([name]);
        const isChangeFirst = "index" in wanted && wanted.index === 1;
        // What the connection refuses stays refused, and ends the run: a folder cannot allow changes.
        if (isChangeFirst && declared === "production") assert.equal(open, "");
        else assert.notEqual(open, "");
        if (declared === "production") assert.equal(open.includes("private/reset_mmp"), false);
        world.live.dispose();
      }
    });
  }

  test("nothing sends requests of files without asking the folder", () => {
    const senders: string[] = [];
    const careless: string[] = [];
    for (const folder of ["src/ui", "src/cli"]) {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) =>
        each.endsWith(".ts"),
      )) {
        const source = readFileSync(join(folder, name), "utf8");
        if (!/import \{[^}]*\b(?:runPlan|runRequest)\b[^}]*\} from "(?:\.\.\/)+requests\//.test(source)) continue;
        senders.push(name);
        if (!/\b(?:prepareRun|allowedBy|refusalOfFolder)\(/.test(source)) careless.push(name);
      }
    }
    assert.deepEqual(careless, []);
    assert.deepEqual(
      senders.sort(),
      ["requests/historyCommands.ts", "requests/requestRuns.ts", "requests/testRuns.ts", "run.ts"],
      "a new way to send has to be looked at",
    );
  });
});
