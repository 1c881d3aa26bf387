import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { createHistory, writeHistory } from "../../../src/requests/running/history.ts";
import { planRun } from "../../../src/requests/running/plan.ts";
import { runPlan, type StepResult } from "../../../src/requests/running/sequence.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createResults, type Results } from "../../../src/requests/values/results.ts";
import { responseDocument } from "../../../src/present/requests/responseText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { inspect } from "node:util";
import { formsOf } from "../../secretForms.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/*
 * A block trade from its verification to its execution, in one run of a request file: the signature goes from one
 * response into the next request, and is found in nothing else.
 */

const times = createTimes(0);
const LEGS = [
  { instrument_name: "ETH-PERPETUAL", price: 2100.5, amount: 40_000, direction: "buy" },
  { instrument_name: "ETH-26MAR27", price: 2150, amount: 40_000, direction: "sell" },
];

interface Ran {
  readonly world: World;
  readonly results: Results;
  readonly steps: readonly StepResult[];
  /** Everything that was shown, kept, or logged. */
  readonly told: string;
  /** The same, and what a look into the memory shows. */
  readonly written: string;
}

interface Asked extends WorldOptions {
  readonly fault?: Fault;
  readonly results?: Results;
  readonly asked?: string;
  /** Called once everything was sent. */
  readonly meanwhile?: (world: World) => void;
}

async function run(requests: (nowMs: number) => readonly object[], options: Asked = {}): Promise<Ran> {
  const { fault, results = createResults(), asked, meanwhile, ...rest } = options;
  const world = createWorld({ ...rest, declared: "production" });
  await world.connect();
  await world.live.gate.allowChanges();
  if (fault !== undefined) world.exchange.control.setFault(fault);
  const traffic: string[] = [];
  world.live.traffic.watch({
    onBegin: (_, text) => void traffic.push(text),
    onEnd: (_, text) => void traffic.push(text ?? ""),
    onEvent: (_channel, _length, text) => void traffic.push(text()),
  });
  const file = scanRequests(JSON.stringify(requests(world.clock.now())));
  const history = createHistory({ isOn: () => true });
  const running = runPlan(planRun(file, { kind: "all" }, results), {
    gate: world.live.gate,
    fileName: "block.rpc.json",
    environment: () => world.live.environment,
    connectionId: "lab",
    results,
    clock: world.clock,
    variables: { uuid: () => "u" },
    goesOn: true,
    ...(asked === undefined ? {} : { ask: async () => await Promise.resolve(JSON.stringify(asked)) }),
    onProgress: ({ result }) =>
      void history.record({
        result: result.run,
        endedAtMs: world.clock.now(),
        environment: world.live.environment,
        connectionId: "lab",
        connectionName: "lab",
        fileUri: "file:///block.rpc.json",
        name: result.step.request.run.name,
      }),
  });
  await world.clock.advance(5000);
  meanwhile?.(world);
  await world.clock.advance(60_000);
  const steps = await running;
  const documents = steps.map(
    ({ run: result }) =>
      responseDocument({
        result,
        environment: world.live.environment,
        connectionName: "lab",
        endedAtMs: world.clock.now(),
        verdicts: [],
        times,
      }).text,
  );
  const told = [
    ...[documents, traffic, world.logged, world.questions.map((each) => JSON.stringify(each))].flat(),
    writeHistory(history.entries),
    JSON.stringify(history.entries.map(({ isMasked }) => isMasked)),
    JSON.stringify(world.journal.records),
  ].join("\n");
  const written = [
    told,
    inspect([steps, world.live.gate.activity, results.all], { depth: 30, showHidden: true, getters: true }),
    JSON.stringify([world.live.gate.activity, results.all]),
  ].join("\n");
  return { world, results, steps, told, written };
}

const verify = (nowMs: number, role = "maker"): object => ({
  method: "private/verify_block_trade",
  params: { timestamp: nowMs, nonce: "n-1", role, trades: LEGS },
  $run: { name: "verify" },
});
const execute = (nowMs: number, signature = "{{verify.result.signature}}", role = "taker"): object => ({
  method: "private/execute_block_trade",
  params: { timestamp: nowMs, nonce: "n-1", role, trades: LEGS, counterparty_signature: signature },
  $run: { name: "execute" },
});
const invalidate = {
  method: "private/invalidate_block_trade_signature",
  params: { signature: "{{verify.result.signature}}" },
};

/** The signature, as the exchange has sent it. */
function signatureOf(world: World): string {
  const [frame = ""] = ["private/execute_block_trade", "private/invalidate_block_trade_signature"].flatMap((method) =>
    world.frames(method),
  );
  return /"(?:counterparty_)?signature":"([^"]+)"/.exec(frame)?.[1] ?? assert.fail(frame);
}

function outcomes({ steps }: Ran): string[] {
  return steps.map(({ run: { outcome }, verdict }) =>
    "failure" in outcome && outcome.failure.kind === "exchange"
      ? `${verdict} ${outcome.failure.code}`
      : `${verdict} ${outcome.kind}`,
  );
}

describe("a block trade in one run", () => {
  test("is verified and executed with the signature of the response, which is in nothing that is shown or kept", async () => {
    const ran = await run((nowMs) => [verify(nowMs), execute(nowMs)]);
    assert.deepEqual(outcomes(ran), ["passed confirmed", "passed confirmed"]);
    const signature = signatureOf(ran.world);
    assert.match(signature, /^\d+\.1[\w-]{7}\.[\w-]{86}$/);
    for (const form of formsOf(signature)) assert.ok(!ran.written.includes(form), form);
    const [trade] = ran.world.exchange.control.blockTrades();
    assert.deepEqual(
      (trade?.["trades"] as readonly Record<string, unknown>[]).map(({ direction, price, liquidity }) => [
        direction,
        price,
        liquidity,
      ]),
      [
        ["sell", 2100.5, "T"],
        ["buy", 2150, "T"],
      ],
    );
    ran.world.live.dispose();
  });

  test("its confirmation shows the parameters digit for digit, and where the signature comes from", async () => {
    const { world } = await run((nowMs) => [verify(nowMs), execute(nowMs)]);
    const asked = JSON.stringify(world.questions.at(-1));
    assert.match(asked, /counterparty_signature\\*": \\*"‹signature of verify›/);
    assert.match(asked, /2100\.5/);
    world.live.dispose();
  });

  test("a signature that was entered is hidden in the confirmation, and everywhere else", async () => {
    const entered = "1800000000000.1AbCdEf2.zYxWvUt9-87654321_abcdefGHIJKL";
    const ran = await run((nowMs) => [execute(nowMs, "{{$ask.signature}}")], { asked: entered });
    assert.deepEqual(outcomes(ran), ["failed 13009"]);
    assert.match(ran.world.frames("private/execute_block_trade")[0] ?? "", new RegExp(entered));
    for (const form of formsOf(entered)) assert.ok(!ran.told.includes(form), form);
    assert.match(JSON.stringify(ran.world.questions.at(-1)), /counterparty_signature\\*": ?\\*"‹hidden›/);
    ran.world.live.dispose();
  });

  test("it can be invalidated instead: then an execution with it is refused", async () => {
    const results = createResults();
    const ran = await run((nowMs) => [verify(nowMs), invalidate, execute(nowMs)], { results });
    assert.deepEqual(outcomes(ran), ["passed confirmed", "passed confirmed", "failed 13009"]);
    const signature = signatureOf(ran.world);
    for (const form of formsOf(signature)) assert.ok(!ran.written.includes(form), form);
    ran.world.live.dispose();
  });

  const elsewhere: readonly (readonly [string, object, RegExp])[] = [
    [
      "another parameter",
      { method: "private/get_block_trade", params: { id: "{{verify.result.signature}}" } },
      /verify\.result\.signature is a secret\. It can only be used as the whole value of a parameter for a signature\./,
    ],
    [
      "a text around it",
      { method: "private/get_block_trade", params: { id: "x {{verify.result.signature}}" } },
      /verify\.result\.signature is a secret, so it can only be used as the whole value\./,
    ],
    [
      "a variable of the request",
      {
        method: "private/get_block_trade",
        params: { id: "{{own}}" },
        $run: { vars: { own: "{{verify.result.signature}}" } },
      },
      /verify\.result\.signature is a secret\. It can only be used/,
    ],
    [
      "the whole result",
      { method: "private/get_block_trade", params: { id: "{{verify.result}}" } },
      /contains a hidden secret, so it can't be sent/,
    ],
    [
      "a number",
      {
        method: "private/invalidate_block_trade_signature",
        params: { signature: "{{verify.result.signature|number}}" },
      },
      /verify\.result\.signature is a secret, so it can only be used as the whole value\./,
    ],
  ];
  for (const [name, request, message] of elsewhere)
    test(`it goes nowhere but into a signature: ${name}`, async () => {
      const ran = await run((nowMs) => [verify(nowMs), request]);
      const { outcome } = ran.steps[1]?.run ?? assert.fail();
      assert.match(JSON.stringify(outcome), message);
      assert.equal(outcome.kind, "notSent");
      assert.deepEqual(ran.world.frames("private/get_block_trade"), []);
      ran.world.live.dispose();
    });

  test("a variable of the request may hold it where it belongs", async () => {
    const ran = await run((nowMs) => [
      verify(nowMs),
      { ...invalidate, params: { signature: "{{own}}" }, $run: { vars: { own: "{{verify.result.signature}}" } } },
    ]);
    assert.deepEqual(outcomes(ran), ["passed confirmed", "passed confirmed"]);
    ran.world.live.dispose();
  });

  test("text that only reads like it is refused", async () => {
    const ran = await run((nowMs) => [execute(nowMs, "‹signature of verify›")]);
    assert.match(
      JSON.stringify(ran.steps[0]?.run.outcome),
      /‹signature of verify› is a placeholder for a secret that isn't kept here\./,
    );
    assert.deepEqual(ran.world.frames("private/execute_block_trade"), []);
    ran.world.live.dispose();
  });

  test("the response is lost and the computer sleeps: nothing is said to be proved by a time that it doesn't know", async () => {
    const ran = await run((nowMs) => [verify(nowMs), execute(nowMs)], {
      fault: { method: "private/execute_block_trade", response: "none" },
      meanwhile: ({ clock }) => {
        clock.sleep(3_600_000);
      },
    });
    const entry = ran.world.live.gate.activity.find(({ intent }) => intent.method === "private/execute_block_trade");
    assert.deepEqual(
      entry?.verdicts.map((verdict) => [verdict.kind, "reason" in verdict && verdict.reason]),
      [["unverified", "One is listed, but its time doesn't show whether it is earlier than the request."]],
    );
    ran.world.live.dispose();
  });

  test("the response to the verification is lost: nothing was traded, and another signature can be had", async () => {
    const ran = await run((nowMs) => [verify(nowMs), execute(nowMs)], {
      fault: { method: "private/verify_block_trade", response: "none" },
    });
    const [first, second] = ran.steps;
    assert.equal(first?.run.outcome.kind, "unknown");
    assert.match(JSON.stringify(second?.run.outcome), /needs the result of verify, but there is none yet/);
    const entry = ran.world.live.gate.activity.find(({ intent }) => intent.method === "private/verify_block_trade");
    assert.match(JSON.stringify(entry?.verdicts), /nothing was traded\. Send the request again/);
    ran.world.live.dispose();
  });

  test("an exchange that repeats the signature elsewhere in its responses: it is hidden there too", async () => {
    const ran = await run((nowMs) => [verify(nowMs), execute(nowMs)], {
      alter: (text) =>
        text
          .replace(/"signature":"([^"]+)"/, '"signature":"$1","copy":"$1"')
          .replace(/"trades":\[/, '"note":"1","trades":['),
    });
    const signature = signatureOf(ran.world);
    for (const form of formsOf(signature)) assert.ok(!ran.written.includes(form), form);
    assert.match(ran.written, /"copy":\s*"‹hidden›"/);
    ran.world.live.dispose();
  });

  test("what the history keeps can't be sent again from there", async () => {
    const { written, world } = await run((nowMs) => [verify(nowMs), execute(nowMs)]);
    assert.match(written, /\n\[true,false\]\n/);
    world.live.dispose();
  });
});
