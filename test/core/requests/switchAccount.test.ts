import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { responseDocument } from "../../../src/present/requests/responseText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { runRequest, type RunResult } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

const TIMES = createTimes(0);

/* public/exchange_token from a request file is Switch Subaccount, by the same way through the house. */

const SUB = 48_602;
const PLACEHOLDER = "{{$session.refreshToken}}";

function switching(params: object = {}, more: object = {}): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "public/exchange_token",
    params: { refresh_token: PLACEHOLDER, subject_id: SUB, ...params },
    ...more,
  });
}

async function open(options: WorldOptions = {}): Promise<World> {
  const world = createWorld({ orders: 5, ...options });
  await world.connect();
  return world;
}

interface Sent {
  readonly result: RunResult;
  /** The lines of the response document. */
  readonly lines: readonly string[];
}

async function send({ live, clock }: World, text: string): Promise<Sent> {
  const file = scanRequests(text);
  const request = file.requests[0];
  assert.ok(request !== undefined);
  const { environment, name, gate } = live;
  const running = runRequest(file, request, { gate, environment, fileName: "switch.rpc.json" });
  await clock.advance(3000);
  const result = await running;
  const source = {
    result,
    environment,
    connectionName: name,
    placeAfter: live.place,
    endedAtMs: clock.now(),
    verdicts: gate.activity.find(({ id }) => id === result.activityId)?.verdicts ?? [],
    times: TIMES,
  };
  return { result, lines: responseDocument(source).text.split("\n") };
}

function problems(text: string): string[] {
  return checkFile(scanRequests(text)).map(
    ({ severity, code, range, message }) => `${severity} ${code} ‹${text.slice(range.start, range.end)}› ${message}`,
  );
}

describe("a request that switches the account", () => {
  test("asks in the words of Switch Subaccount, switches, and the document says so without tokens", async () => {
    const world = await open();
    const before = world.exchange.control.connections().map(({ number }) => number);
    const { result, lines } = await send(world, switching());
    assert.deepEqual(world.questions, [
      {
        kind: "modal",
        message: "Switch to account 48602 on SIMULATOR lab?",
        detail:
          "All views, commands, and request files of this connection then use that account. This lasts until Switch to Main Account or until the connection ends.\nFrom switch.rpc.json.",
        confirm: "Switch Subaccount",
        keep: "Do Not Switch",
      },
    ]);
    assert.equal(result.outcome.kind, "confirmed");
    assert.equal(world.live.place, "SIMULATOR lab ▸ simulator_options");
    assert.equal(world.live.orders.snapshot.items.size, 2);
    assert.match(lines[0] ?? "", /^\/\/ SIMULATOR lab · ok · /);
    assert.equal(lines[1], "// Switched to SIMULATOR lab ▸ simulator_options.");
    const body = JSON.parse(lines.slice(2).join("\n")) as Readonly<Record<string, unknown>>;
    assert.deepEqual(
      [body["access_token"], body["refresh_token"], body["token_type"]],
      ["‹hidden›", "‹hidden›", "bearer"],
    );
    assert.deepEqual(pluck(world.exchange.control.connections(), "number"), before, "the same link");
    assert.deepEqual(world.journal.records.map(({ event, paramsText }) => [event, paramsText]).slice(0, 1), [
      ["intent", `{"refresh_token":"${PLACEHOLDER}","subject_id":48602}`],
    ]);
  });

  test("the token is in the frame and nowhere else", async () => {
    const world = await open();
    await send(world, switching());
    const [frame = ""] = world.frames("public/exchange_token");
    const token = (JSON.parse(frame) as { readonly params: { readonly refresh_token: string } }).params.refresh_token;
    assert.ok(token.length > 20 && token !== PLACEHOLDER);
    for (const text of [
      JSON.stringify(world.questions),
      JSON.stringify(world.journal.records),
      ...world.logged,
      JSON.stringify(world.live.gate.activity),
    ])
      assert.ok(!text.includes(token));
  });

  test("a no changes nothing", async () => {
    const world = await open({ answer: () => false });
    const { lines } = await send(world, switching());
    assert.equal(lines[1], "// You chose not to send it.");
    assert.deepEqual([world.frames("public/exchange_token"), world.live.place], [[], "SIMULATOR lab"]);
  });

  test("a refusal is a response, and everything stays", async () => {
    const world = await open();
    const { result, lines } = await send(world, switching({ subject_id: 102 }));
    assert.equal(result.outcome.kind, "rejected");
    assert.match(lines[0] ?? "", /^\/\/ SIMULATOR lab · error -32602/);
    assert.equal(world.live.place, "SIMULATOR lab");
    assert.equal(world.live.orders.snapshot.items.size, 5);
  });

  test("an unknown outcome: the document says what happened, and the account is the key's own", async () => {
    const world = await open();
    world.exchange.control.setFault({ method: "public/exchange_token", response: "none", link: "reset" });
    const { result, lines } = await send(world, switching());
    await world.clock.advance(10_000);
    assert.equal(result.outcome.kind, "unknown");
    assert.ok(
      lines.some((line) =>
        /^\/\/ Switch to account 48602 on SIMULATOR lab: the outcome is unknown\. No request can check this\./.test(
          line,
        ),
      ),
      lines.join("\n"),
    );
    assert.deepEqual([world.live.place, world.frames("public/exchange_token").length], ["SIMULATOR lab", 1]);
  });

  test("over another way than the connection's own link it is refused", async () => {
    const world = await open();
    const { result } = await send(world, switching({}, { $run: { transport: "http" } }));
    assert.ok(result.outcome.kind === "notSent" && result.outcome.failure.kind === "refused");
    assert.match(result.outcome.failure.reason, /over the connection's own WebSocket/);
  });

  test("without an account no confirmation is shown", async () => {
    const world = await open();
    for (const params of [{ subject_id: undefined }, { subject_id: "48602x" }])
      assert.equal((await send(world, switching(params))).result.outcome.kind, "notSent");
    assert.deepEqual(world.questions, []);
  });

  test("what changes have an unknown outcome stands in the question", async () => {
    const world = await open();
    world.exchange.control.setFault({ method: "private/cancel", effect: "skipped", response: "none" });
    world.exchange.control.setFault({
      method: "private/get_order_state",
      effect: "skipped",
      response: { code: 11_044 },
      times: 1000,
    });
    const [order] = world.exchange.control.openOrders();
    const words = { action: plain`Cancel`, target: plain`it`, detail: [], keep: plain`Keep` };
    void world.live.gate.submit(
      { method: "private/cancel", paramsText: JSON.stringify({ order_id: order!.order_id }), words, origin: "view" },
      { timeoutMs: 500 },
    );
    await world.clock.advance(600);
    await send(world, switching());
    const question = world.questions.at(-1);
    assert.ok(
      question?.kind === "modal" &&
        question.detail.includes(
          "\nThe outcome of 1 change is still unknown. It can only be checked as the account that sent it.\n",
        ),
      JSON.stringify(question),
    );
  });
});

describe("a refresh token that stands in the file", () => {
  const literal = "1767225600000.1abcdefg.SECRET-of-another-session";

  test("has a warning, needs confirmation, is sent as it is, and is not shown anywhere", async () => {
    const text = switching({ refresh_token: literal });
    assert.deepEqual(problems(text), [
      `warning secretLiteral ‹"${literal}"› refresh_token is a secret. Don't put secrets in files, because files get shared and committed. Use ${PLACEHOLDER} for the connection's token. This value is sent as written.`,
    ]);
    const world = await open();
    const { lines } = await send(world, text);
    const [question] = world.questions;
    assert.ok(
      question?.kind === "modal" &&
        question.detail.includes("\nUses the refresh token in the file instead of the connection's refresh token.\n"),
      JSON.stringify(question),
    );
    assert.match(world.frames("public/exchange_token")[0] ?? "", /SECRET-of-another-session/);
    for (const shown of [
      JSON.stringify(world.questions),
      JSON.stringify(world.journal.records),
      lines.join("\n"),
      ...world.logged,
    ])
      assert.ok(!shown.includes(literal), shown.slice(0, 300));
  });

  test("of another request refuses it", () => {
    assert.match(
      problems(JSON.stringify({ method: "public/get_time", params: { refresh_token: literal } }))[0] ?? "",
      /^error secretLiteral/,
    );
  });
});

describe("the name of the session's token", () => {
  test("stands in its one place without a word", () => {
    assert.deepEqual(problems(switching()), []);
    assert.deepEqual(problems(switching().replace("{{", "\\u007b{")), []);
  });

  const only = "can only be used as the whole refresh_token value of public/exchange_token.";
  const elsewhere: readonly [string, string, string][] = [
    [
      "another method",
      JSON.stringify({ method: "public/fork_token", params: { refresh_token: PLACEHOLDER } }),
      `error placeholder ‹"${PLACEHOLDER}"› ${PLACEHOLDER} ${only}`,
    ],
    [
      "an undescribed method",
      JSON.stringify({ method: "private/new_one", params: { refresh_token: PLACEHOLDER } }),
      `error placeholder ‹"${PLACEHOLDER}"› ${PLACEHOLDER} ${only}`,
    ],
    [
      "another member",
      switching({ scope: PLACEHOLDER }),
      `error placeholder ‹"${PLACEHOLDER}"› ${PLACEHOLDER} ${only}`,
    ],
    [
      "deeper",
      switching({ refresh_token: { refresh_token: PLACEHOLDER } }),
      `error placeholder ‹"${PLACEHOLDER}"› ${PLACEHOLDER} ${only}`,
    ],
    [
      "a part of a text",
      switching({ refresh_token: `x${PLACEHOLDER}` }),
      `error placeholder ‹"x${PLACEHOLDER}"› ${PLACEHOLDER} ${only}`,
    ],
  ];
  for (const [name, text, expected] of elsewhere) {
    test(`in ${name} refuses, with the place`, async () => {
      assert.ok(problems(text).includes(expected), problems(text).join("\n"));
      const world = await open();
      const { result } = await send(world, text);
      assert.ok(result.outcome.kind === "notSent" && result.outcome.failure.kind === "refused");
      assert.match(result.outcome.failure.reason, /^Line 1, column \d+: /);
      assert.deepEqual(world.questions, []);
    });
  }
});
