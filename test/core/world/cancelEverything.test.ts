import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Question } from "../../../src/actions/question.ts";
import { runCancelEverything } from "../../../src/ui/orders/cancelEverything.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { scriptedDialogs } from "../ui/scriptedDialogs.ts";

/* One confirmation for all connections. What each exchange did stands in its own book. */

interface Run {
  readonly questions: readonly Question[];
  readonly shown: readonly string[];
}

/** Makes connections with these names, each to an exchange of its own. */
async function worlds(...all: readonly (readonly [name: string, options: WorldOptions])[]): Promise<World[]> {
  return await Promise.all(
    all.map(async ([name, options]) => {
      const world = createWorld({ orders: 6, maxScope: FULL_SCOPE, ...options });
      await world.connect();
      await world.live.quotes.refresh();
      return { ...world, live: Object.create(world.live, { place: { value: name } }) as typeof world.live };
    }),
  );
}

const FULL_SCOPE = "account:read_write trade:read_write wallet:none block_trade:read_write block_rfq:read_write";

async function run(all: readonly World[], answer: (question: Question) => boolean = () => true): Promise<Run> {
  const questions: Question[] = [];
  const { dialogs, shown } = scriptedDialogs();
  const running = runCancelEverything({
    dialogs,
    liveConnections: { all: all.map(({ live }) => live) },
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) as never },
    ask: async (question) => {
      questions.push(question);
      return await Promise.resolve(answer(question));
    },
    clock: all[0]?.clock ?? assert.fail("no world"),
  });
  for (let turn = 0; turn < 8; turn++) await Promise.all(all.map(async ({ clock }) => await clock.advance(1000)));
  await running;
  for (const { live } of all) live.dispose();
  return { questions, shown };
}

const openCount = (world: World): number => world.exchange.control.openOrders().length;

describe("Cancel Everything", () => {
  test("one question names every connection, the calls go out, and each has its line", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["SIMULATOR two", { orders: 3 }]);
    const { questions, shown } = await run(all);
    assert.equal(questions.length, 1);
    assert.deepEqual(questions, [
      {
        kind: "modal",
        message: "Cancel all orders and quotes on 2 connections?",
        detail: [
          "This includes orders and quotes placed elsewhere or in the meantime.",
          "SIMULATOR one: 6 open orders, 4 Block RFQ quotes",
          "SIMULATOR two: 3 open orders, 4 Block RFQ quotes",
        ].join("\n"),
        confirm: "Cancel Everything",
        keep: "Keep Orders",
        show: "Show Orders",
      },
    ]);
    for (const world of all) {
      assert.equal(world.frames("private/cancel_all").length, 1);
      assert.equal(world.frames("private/cancel_all_block_rfq_quotes").length, 1);
      assert.equal(openCount(world), 0);
      assert.deepEqual(world.questions, []);
    }
    assert.deepEqual(shown, [
      "passing: $(check) Cancel Everything: SIMULATOR one · orders: 6 cancelled · Block RFQ quotes: 4 cancelled. SIMULATOR two · orders: 3 cancelled · Block RFQ quotes: 4 cancelled.",
    ]);
  });

  test("a read-only production connection is refused, in the question and in the result; the others go on", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["PRODUCTION two", { declared: "production" }]);
    const { questions, shown } = await run(all);
    const reason = "PRODUCTION lab is read-only. Use Allow Changes… to allow changes for 30 minutes.";
    assert.match(
      questions[0]?.kind === "modal" ? questions[0].detail : "",
      new RegExp(`PRODUCTION two: nothing is sent. ${reason}`),
    );
    assert.equal(questions[0]?.message, "Cancel all orders and quotes on 1 connection?");
    assert.deepEqual(all.map(openCount), [0, 6]);
    assert.deepEqual(all[1]?.frames("private/cancel_all"), []);
    assert.match(
      shown[0] ?? "",
      new RegExp(`^warning: .*SIMULATOR one · orders: 6 cancelled .*PRODUCTION two · nothing was sent: ${reason}$`),
    );
  });

  test("where every connection refuses, nothing is asked, and each says why", async () => {
    const all = await worlds(["PRODUCTION two", { declared: "production" }]);
    const { questions, shown } = await run(all);
    assert.deepEqual(questions, []);
    assert.match(
      shown[0] ?? "",
      /^warning: Cancel Everything: PRODUCTION two · nothing was sent: PRODUCTION lab is read-only\./,
    );
  });

  test("on production the word is typed, whatever the other connections need", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["PRODUCTION two", { declared: "production" }]);
    await all[1]?.live.gate.allowChanges();
    const { questions } = await run(all);
    assert.deepEqual(questions, [
      {
        kind: "typed",
        message:
          "Type cancel to confirm: Cancel all orders and quotes on 2 connections. This includes orders and quotes placed elsewhere or in the meantime. SIMULATOR one: 6 open orders, 4 Block RFQ quotes · PRODUCTION two: 6 open orders, 4 Block RFQ quotes",
        expected: "cancel",
      },
    ]);
    assert.deepEqual(all.map(openCount), [0, 0]);
  });

  test("a list that has no room in the prompt comes first, as a dialog", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `PRODUCTION account number ${String(index)}`);
    const all = await worlds(...names.map((name) => [name, { declared: "production", orders: 1 }] as const));
    for (const { live } of all) await live.gate.allowChanges();
    const { questions } = await run(all);
    assert.deepEqual(pluck(questions, "kind"), ["modal", "typed"]);
    for (const name of names) assert.ok(questions[0]?.kind === "modal" && questions[0].detail.includes(name));
  });

  test("declined: nothing is sent anywhere", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["SIMULATOR two", {}]);
    const { shown } = await run(all, () => false);
    assert.deepEqual(all.map(openCount), [6, 6]);
    assert.deepEqual(shown, []);
  });

  test("a lost response is unknown and a server without quotes says so, each on its own line", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["SIMULATOR two", {}]);
    all[0]?.exchange.control.setFault({ method: "private/cancel_all", response: "none" });
    all[1]?.exchange.control.setFault({
      method: "private/cancel_all_block_rfq_quotes",
      effect: "skipped",
      response: { code: -32_601 },
    });
    const { shown } = await run(all);
    assert.match(
      shown[0] ?? "",
      /SIMULATOR one · orders: outcome unknown, being checked · Block RFQ quotes: 4 cancelled\./,
    );
    assert.match(
      shown[0] ?? "",
      /SIMULATOR two · orders: 6 cancelled · Block RFQ quotes: not supported by this server\.$/,
    );
  });

  test("a key without access to quotes cancels the orders, and the question says that it leaves the quotes", async () => {
    const all = await worlds(["SIMULATOR one", { maxScope: "account:read trade:read_write" }]);
    const { questions } = await run(all);
    assert.match(
      questions[0]?.kind === "modal" ? questions[0].detail : "",
      /6 open orders, no access to Block RFQ quotes$/,
    );
    assert.deepEqual(all[0]?.frames("private/cancel_all_block_rfq_quotes"), []);
    assert.deepEqual(all.map(openCount), [0]);
  });

  test("a connection that is lost while the question stands sends nothing, and says so", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["SIMULATOR two", {}]);
    const { shown } = await run(all, () => {
      all[0]?.live.disconnect();
      return true;
    });
    assert.deepEqual(all.map(openCount), [6, 0]);
    assert.match(shown[0] ?? "", /^warning: .*SIMULATOR one · nothing was sent: /);
  });
});
