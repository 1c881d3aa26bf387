import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { everythingQuestions, type EverythingLine } from "../../../src/actions/changes/cancelEverything.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import { plain } from "../../../src/base/plain.ts";
import type { Service } from "../../../src/catalogue/index.ts";
import { runCancelEverything } from "../../../src/ui/orders/cancelEverything.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { scriptedDialogs } from "../ui/scriptedDialogs.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";

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
      await world.live.storeOf(createQuotesStore).refresh();
      return { ...world, live: Object.create(world.live, { place: { value: name } }) as typeof world.live };
    }),
  );
}

const FULL_SCOPE = "account:read_write trade:read_write wallet:none block_trade:read_write block_rfq:read_write";

async function run(all: readonly World[], answer: (question: Question) => boolean = () => true): Promise<Run> {
  const questions: Question[] = [];
  const { dialogs, shown } = scriptedDialogs();
  const tell: typeof dialogs.tell = (level, text, actions = []) => {
    // Without a button, VS Code cuts what is longer than one line.
    assert.deepEqual(
      actions.map(({ title }) => title),
      ["Show Activity"],
    );
    dialogs.tell(level, text);
  };
  const running = runCancelEverything({
    dialogs: { ...dialogs, tell },
    run: () => undefined,
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

describe("the confirmation, with a gateway, which has no quotes of any kind", () => {
  const line = (place: string, service: Service): EverythingLine => ({
    ...{ place, service, refusal: undefined },
    known: { orders: { orders: [], isCounted: true, hiddenCount: 0 }, quotes: undefined },
    question: { kind: "modal", message: plain`Cancel?`, detail: "", confirm: plain`Cancel`, keep: plain`Keep` },
  });
  const said = (...lines: readonly EverythingLine[]): readonly string[] =>
    everythingQuestions(lines).flatMap((question) =>
      question.kind === "modal" ? [question.message, ...question.detail.split("\n")] : [question.message],
    );

  test("alone, the confirmation has orders only", () => {
    assert.deepEqual(said(line("COINBASE GATEWAY desk", "gateway")), [
      "Cancel all orders on 1 connection?",
      "This includes orders placed elsewhere or in the meantime.",
      "COINBASE GATEWAY desk: 0 open orders",
    ]);
  });

  test("next to another exchange, the note is for that one", () => {
    assert.deepEqual(said(line("COINBASE GATEWAY desk", "gateway"), line("PRODUCTION main", "native")), [
      "Cancel all orders and quotes on 2 connections?",
      "This includes orders and quotes placed elsewhere or in the meantime. New mass quotes are rejected for 1 s.",
      "COINBASE GATEWAY desk: 0 open orders",
      "PRODUCTION main: 0 open orders, no access to Block RFQ quotes",
    ]);
  });
});

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
          "This includes orders and quotes placed elsewhere or in the meantime. New mass quotes are rejected for 1 s.",
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
    assert.deepEqual([...shown].sort(), [
      "information: Cancel Everything: SIMULATOR one · orders: 6 cancelled · Block RFQ quotes: 4 cancelled · no open orders or quotes 2 s later.",
      "information: Cancel Everything: SIMULATOR two · orders: 3 cancelled · Block RFQ quotes: 4 cancelled · no open orders or quotes 2 s later.",
    ]);
  });

  test("a read-only production connection is in the one step, which allows cancels there and cancels", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["PRODUCTION two", { declared: "production" }]);
    const { questions, shown } = await run(all);
    assert.deepEqual(questions, [
      {
        kind: "modal",
        message: "Cancel all orders and quotes on 2 connections?",
        detail: [
          "This includes orders and quotes placed elsewhere or in the meantime. New mass quotes are rejected for 1 s.",
          "SIMULATOR one: 6 open orders, 4 Block RFQ quotes",
          "PRODUCTION two: 6 open orders, 4 Block RFQ quotes (read-only: confirming also allows further cancels, but no other changes)",
        ].join("\n"),
        confirm: "Allow Cancels and Cancel",
        keep: "Keep Orders",
        show: "Show Orders",
      },
    ]);
    assert.deepEqual(all.map(openCount), [0, 0]);
    assert.equal(shown.filter((line) => line.startsWith("information: ")).length, 2);
  });

  test("a connection that refuses is in the question and has its own result; the others go on", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["SIMULATOR two", { maxScope: "account:read trade:read" }]);
    const { questions, shown } = await run(all);
    assert.match(questions[0]?.kind === "modal" ? questions[0].detail : "", /^SIMULATOR two: nothing is sent\. /m);
    assert.equal(questions[0]?.message, "Cancel all orders and quotes on 1 connection?");
    assert.deepEqual(all.map(openCount), [0, 6]);
    assert.deepEqual(all[1]?.frames("private/cancel_all"), []);
    assert.equal(shown.length, 2);
    assert.match(
      shown.find((line) => line.includes("SIMULATOR two")) ?? "",
      /^warning: Cancel Everything: SIMULATOR two · nothing was sent: /,
    );
  });

  test("where every connection refuses, nothing is asked, and each says why", async () => {
    const all = await worlds(["SIMULATOR two", { maxScope: "account:read trade:read" }]);
    const { questions, shown } = await run(all);
    assert.deepEqual(questions, []);
    assert.match(shown[0] ?? "", /^warning: Cancel Everything: SIMULATOR two · nothing was sent: /);
  });

  test("on production the word is typed, whatever the other connections need", async () => {
    const all = await worlds(["SIMULATOR one", {}], ["PRODUCTION two", { declared: "production" }]);
    await all[1]?.live.gate.allowChanges();
    const { questions } = await run(all);
    assert.deepEqual(questions, [
      {
        kind: "typed",
        message:
          "Type cancel to confirm: Cancel all orders and quotes on 2 connections. This includes orders and quotes placed elsewhere or in the meantime. New mass quotes are rejected for 1 s. SIMULATOR one: 6 open orders, 4 Block RFQ quotes · PRODUCTION two: 6 open orders, 4 Block RFQ quotes",
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
    assert.deepEqual([...shown].sort(), [
      "warning: Cancel Everything: SIMULATOR one · orders: outcome unknown, being checked · Block RFQ quotes: 4 cancelled · no open orders or quotes 2 s later.",
      "warning: Cancel Everything: SIMULATOR two · orders: 6 cancelled · Block RFQ quotes: not supported by this server · Block RFQ quotes still open: 4.",
    ]);
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
    assert.ok(shown.some((line) => /^warning: Cancel Everything: SIMULATOR one · nothing was sent: /.test(line)));
  });
});

/** Makes a connection whose gate can't begin for a while, as one that has to be connected again. */
function slow(world: World, ms: number): World {
  const { gate } = world.live;
  const submitAll: typeof gate.submitAll = async (...given) => {
    await new Promise<void>((resolve) => {
      world.clock.after(ms, resolve);
    });
    return await gate.submitAll(...given);
  };
  const slowGate = Object.create(gate, { submitAll: { value: submitAll } }) as typeof gate;
  return { ...world, live: Object.create(world.live, { gate: { value: slowGate } }) as typeof world.live };
}

/** Places an order by another program with the same account. */
function placeElsewhere(world: World, price: number): void {
  const label = `bot-${price}`;
  world.exchange.control.place({ instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 40, price, label });
}

describe("the way out of read-only production", () => {
  test("two connections, one of them slow, and a bot that places again: what is sent, what is read, what remains", async () => {
    const [one, two] = await worlds(
      ["PRODUCTION one", { declared: "production", orders: 2 }],
      ["PRODUCTION two", { declared: "production", orders: 3 }],
    );
    assert.ok(one !== undefined && two !== undefined);
    const late = slow(two, 13_000);
    const said: string[] = [];
    let seconds = 0;
    const say = (text: string): void => void said.push(`${String(seconds)} s: ${text}`);
    const { dialogs, shown: kept } = scriptedDialogs();
    const shown = kept as string[];
    const running = runCancelEverything({
      dialogs,
      liveConnections: { all: [one.live, late.live] },
      settings: { connection: () => ({ requestTimeoutMs: 5000 }) as never },
      run: () => undefined,
      ask: async (question) => {
        say(
          `asked: ${question.kind === "modal" ? `${question.detail.split("\n").slice(1).join(" / ")} [${question.confirm}]` : ""}`,
        );
        return await Promise.resolve(true);
      },
      clock: one.clock,
    });
    const METHODS = [
      "private/cancel_all",
      "private/cancel_all_block_rfq_quotes",
      "private/get_open_orders",
      "private/buy",
    ];
    const seen = new Map<string, number>();
    const look = (): void => {
      for (const [name, world] of [
        ["one", one],
        ["two", two],
      ] as const)
        for (const method of METHODS) {
          const frames = world.frames(method);
          const key = `${name} ${method}`;
          for (const frame of frames.slice(seen.get(key) ?? frames.length)) {
            const { params } = JSON.parse(frame) as { readonly params: Record<string, unknown> };
            delete params["access_token"];
            say(`${key} ${JSON.stringify(params)}`);
          }
          seen.set(key, frames.length);
        }
      for (const line of shown.splice(0)) say(line);
    };
    look();
    while (seconds < 18) {
      seconds++;
      await Promise.all([one.clock.advance(1000), two.clock.advance(1000)]);
      look();
      if (seconds === 1) placeElsewhere(one, 1900);
      if (seconds === 2) placeElsewhere(one, 1950);
    }
    await running;
    assert.deepEqual(
      said.map((line) => line.replace(/ETH-\d+/g, "ID")),
      [
        "1 s: asked: PRODUCTION one: 2 open orders, 4 Block RFQ quotes (read-only: confirming also allows further cancels, but no other changes) / PRODUCTION two: not ready yet. It is confirmed separately. [Allow Cancels and Cancel]",
        '1 s: one private/cancel_all {"freeze_quotes":true}',
        "1 s: one private/cancel_all_block_rfq_quotes {}",
        "3 s: one private/get_open_orders {}",
        "3 s: warning: Cancel Everything: PRODUCTION one · orders: 2 cancelled · Block RFQ quotes: 4 cancelled · placed since and open: ETH-PERPETUAL buy 40 @ 1900 · ID, ETH-PERPETUAL buy 40 @ 1950 · ID.",
        "13 s: asked: PRODUCTION two: 3 open orders, 4 Block RFQ quotes (read-only: confirming also allows further cancels, but no other changes) [Allow Cancels and Cancel]",
        '13 s: two private/cancel_all {"freeze_quotes":true}',
        "13 s: two private/cancel_all_block_rfq_quotes {}",
        "15 s: two private/get_open_orders {}",
        "15 s: information: Cancel Everything: PRODUCTION two · orders: 3 cancelled · Block RFQ quotes: 4 cancelled · no open orders or quotes 2 s later.",
      ],
    );
    assert.deepEqual([openCount(one), openCount(two)], [2, 0]);
    for (const { live } of [one, two]) live.dispose();
  });
});
