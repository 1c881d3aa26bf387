import assert from "node:assert/strict";
import fs from "node:fs";
import { beforeAll, describe, test } from "vitest";
import { effectOfCall } from "../../../src/actions/judge/check.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import type { SecretPlace } from "../../../src/actions/gate/secretPlace.ts";
import { allMethods, methodFacts } from "../../../src/catalogue/index.ts";
import { isSwitch } from "../../../src/catalogue/sessionCalls.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/*
 * What is asked before a request of a file is sent, in each environment: all methods of the exchange, further shapes of
 * their parameters, and unknown names. everyConfirmation.txt has the requests, and what is expected of them,
 * so that a change of any confirmation is a change of a line.
 */

const TABLE = "test/core/world/everyConfirmation.txt";

interface Row {
  readonly method: string;
  readonly params: string;
  readonly expected: string;
}

const rows: readonly Row[] = [...fs.readFileSync(TABLE, "utf8").matchAll(/^(\S+) (\{.*\})\n((?: {2}.*\n)+)/gm)].map(
  ([, method = "", params = "", expected = ""]) => ({ method, params, expected }),
);

const READ_ONLY = "PRODUCTION lab is read-only. Use Allow Changes… to allow changes for 30 minutes.";

const FULL_SCOPE = ["account", "trade", "block_trade", "block_rfq", "wallet"]
  .map((area) => `${area}:read_write`)
  .join(" ");

/** A connection whose user confirms everything and stops the run at once: what was confirmed is not sent. */
interface Column {
  readonly name: string;
  readonly world: World;
  stop: AbortController;
}

async function column(name: string, options: WorldOptions, areChangesAllowed = false): Promise<Column> {
  const made: Column = {
    name,
    stop: new AbortController(),
    world: createWorld({
      maxScope: FULL_SCOPE,
      placeFor: async () => await Promise.resolve(PLACE),
      ...options,
      answer: () => {
        made.stop.abort();
        return true;
      },
    }),
  };
  await made.world.connect();
  if (areChangesAllowed) await made.world.live.gate.allowChanges();
  return made;
}

/** The place of the client secret of a new key. */
const PLACE: SecretPlace = {
  lines: [],
  take: async () => await Promise.resolve(),
  release: async () => await Promise.resolve(),
};

const SECRET = "{{$ask.secret}}";

/** The parameters as a file has them: a secret is entered when it is sent. */
function written({ method, params }: Row): string {
  const secrets = methodFacts(method)?.paramSecrets ?? [];
  return JSON.stringify(JSON.parse(params), (name, value: unknown) => (secrets.includes(name) ? SECRET : value));
}

/** Sends a request, and tells in a line what was asked and what became of it. */
async function told(made: Column, row: Row): Promise<string> {
  const { method, params } = row;
  const { world } = made;
  made.stop = new AbortController();
  // What the yes to a cancel has allowed is not for the next request.
  if (world.live.gate.cancelsAllowedUntilMs !== undefined) world.live.gate.makeReadOnly();
  const [asked, sent] = [world.questions.length, world.frames(method).length];
  const file = scanRequests(`{"method":${JSON.stringify(method)},"params":${written(row)}}`);
  const request = file.requests[0] ?? assert.fail(method);
  const running = runRequest(file, request, {
    gate: world.live.gate,
    environment: world.live.environment,
    fileName: "all.rpc.json",
    sendAnyway: true,
    resolved: params,
    stop: made.stop.signal,
  });
  await world.clock.advance(1000);
  const { outcome } = await running;
  const questions = world.questions.slice(asked).map(words);
  const frames = world.frames(method).length - sent;
  if (outcome.kind === "notSent" && outcome.failure.kind === "refused")
    return outcome.failure.reason === READ_ONLY
      ? "refused"
      : `refused: ${outcome.failure.reason.replace(/^Line 1, column \d+: /, "")}`;
  if (questions.length === 0) return frames > 0 ? "sent" : `not sent: ${JSON.stringify(outcome)}`;
  assert.deepEqual(outcome, { kind: "notSent", failure: { kind: "stopped", wasSent: false } }, method);
  const text = world.questions.slice(asked).map(textOf).join("\n");
  assert.ok(text.includes(world.live.place), `${method} names the connection`);
  if (!text.includes("Not all parameters fit here.") && !isSwitch(method))
    for (const value of leaves(JSON.parse(written(row))).filter((each) => each !== SECRET))
      assert.ok(text.includes(JSON.stringify(value)), `${method} shows ${value}`);
  return [...(frames > 0 ? ["dry run"] : []), ...questions].join(", then ");
}

function textOf(question: Question): string {
  return question.kind === "typed" ? question.message : `${question.message}\n${question.detail}`;
}

/** The values of a request: what is not shown is not consented to. */
function leaves(value: unknown): readonly (string | number | boolean)[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leaves);
  return [value as string | number | boolean];
}

function words(question: Question): string {
  if (question.kind === "typed")
    return `typed ${question.expected} ${/^Type .*? (\([^()]*\)) to confirm: /.exec(question.message)?.[1] ?? "?"}`;
  return `dialog${question.confirm === "Allow Cancels and Cancel" ? " that allows cancels" : ""}${question.show === undefined ? "" : ` [${question.show}]`}`;
}

describe("what is asked before a request of a file is sent", () => {
  let columns: readonly Column[] = [];
  beforeAll(async () => {
    columns = await Promise.all([
      column("simulator", {}),
      column("testnet", { declared: "test" }),
      column("production", { declared: "production" }, true),
      column("read-only", { declared: "production" }),
    ]);
  });

  test("the table has every method of the exchange, and 20 names that are not known", () => {
    const methods = new Set(rows.map(({ method }) => method));
    assert.deepEqual(
      allMethods().flatMap(({ name }) => (methods.has(name) ? [] : [name])),
      [],
    );
    assert.equal([...methods].filter((method) => methodFacts(method) === undefined).length, 20);
  });

  for (const row of rows)
    test(`${row.method} ${row.params}`, async () => {
      const cells: string[] = [];
      for (const each of columns) cells.push(`${each.name}: ${await told(each, row)}`);
      const same = new Set(cells.map((cell) => cell.replace(/^\S+: /, "")));
      const lines = same.size === 1 ? [`all: ${[...same].join("")}`] : cells;
      assert.equal(
        [effectOfCall({ method: row.method, paramsText: row.params }), ...lines].map((line) => `  ${line}\n`).join(""),
        row.expected,
      );
    });
});
