import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { cancelAllQuotes, cancelQuote, cancelQuotes, type QuotesScope } from "../../../src/actions/changes/quotes.ts";
import { recordedIntents } from "../../../src/actions/journal/recordedIntents.ts";
import { plain } from "../../../src/base/plain.ts";
import { intentState } from "../../../src/present/activity/activityWords.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { pendingOrders, pendingQuotes } from "../../../src/present/outcomes/pendingChanges.ts";
import { quoteNodes } from "../../../src/present/quotes/quotes.ts";
import { outcomesSummary } from "../../../src/present/outcomes/severalOutcomes.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createQuotesStore, type BlockRfqQuote } from "../../../src/state/quotes.ts";
import type { Fault, Mutation } from "../../../src/simulator/wire/faults.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* Cancelling Block RFQ quotes: what the exchange did stands in its own book and ledger, reliability F71–F75. */

const times = createTimes(0);
const PLACE = "SIMULATOR lab";
const ALL = "private/cancel_all_block_rfq_quotes";
const ONE = "private/cancel_block_rfq_quote";

async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  world.live.storeOf(createQuotesStore).setVisible(true);
  await world.clock.advance(1000);
  return world;
}

function shown(world: World): readonly BlockRfqQuote[] {
  return [...world.live.storeOf(createQuotesStore).snapshot.items.values()];
}

function openIds(world: World): number[] {
  return world.exchange.control
    .blockRfqQuotes()
    .map((quote) => Number(quote["block_rfq_quote_id"]))
    .sort((one, other) => one - other);
}

function wishForAll(world: World, scope: QuotesScope = { kind: "all" }): Intent {
  const quotes = shown(world).filter(({ block_rfq_id: id }) => scope.kind === "all" || id === scope.rfqId);
  return cancelAllQuotes(scope, { quotes, isCounted: true }, "palette");
}

function wishForOne(world: World, quote: BlockRfqQuote): Intent {
  return cancelQuote(quote, {
    origin: "view",
    nowMs: world.clock.now(),
    current: (id) => world.live.storeOf(createQuotesStore).snapshot.items.get(String(id)),
  });
}

async function submit(world: World, intent: Intent, runMs = 1000): Promise<Outcome> {
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(runMs);
  return await submitted;
}

function said(intent: Intent, outcome: Outcome): string {
  return outcomeText(outcome, { intent, place: plain`${PLACE}`, times }).replace(/\s+/g, " ");
}

function verdicts(world: World, intent: Intent): string[] {
  return (world.live.gate.activity[0]?.verdicts ?? []).map((verdict) =>
    verdictText(verdict, { intent, place: plain`${PLACE}`, times }),
  );
}

/** What the Activity view says of the newest intent. */
function activityState(world: World): string {
  const [newest] = recordedIntents(
    world.journal.records.map((record) => ({ record, holder: "here" as const, isKept: true })),
  );
  return newest === undefined ? "nothing" : intentState(newest);
}

function rowsOf(world: World): string[] {
  const pending = pendingQuotes(world.live.gate.activity, world.live.record.id);
  return quoteNodes(world.live.storeOf(createQuotesStore), { times, nowMs: world.clock.now(), pending }).flatMap(
    (node) =>
      (node.below?.() ?? [])
        .filter(({ contextValue }) => contextValue.startsWith("quotes.quote"))
        .map(({ label, description, contextValue }) => `${label} | ${description} | ${contextValue}`),
  );
}

describe("one call that cancels all quotes", () => {
  test("one question with the count, one frame, all end; the view follows the exchange", async () => {
    const world = await aWorld();
    const intent = wishForAll(world);
    const outcome = await submit(world, intent);
    assert.deepEqual(world.questions, [
      {
        kind: "modal",
        message: "Cancel all 4 Block RFQ quotes on SIMULATOR lab?",
        detail: [
          "Labels are ignored: all quotes of the account are cancelled, including quotes placed in the meantime.",
          ...intent.words.detail,
        ].join("\n"),
        confirm: "Cancel 4 Quotes",
        keep: "Keep Quotes",
        show: "Show Quotes",
        about: "quotes",
        isForCancels: true,
      },
    ]);
    assert.match(intent.words.detail[0] ?? "", /^RFQ 722 buy 25 @ 0\.0205 · ID \d+/);
    assert.equal(
      said(intent, outcome),
      "Cancel all 4 Block RFQ quotes on SIMULATOR lab: the exchange reports 4 cancelled.",
    );
    assert.equal(activityState(world), "4 cancelled");
    assert.equal(world.frames(ALL).length, 1);
    assert.deepEqual(openIds(world), []);
    assert.deepEqual(shown(world), []);
    assert.deepEqual(pluck(world.journal.records, "event"), ["intent", "sent", "outcome"]);
    world.live.dispose();
  });

  test("those of one Block RFQ: the others stay, also one with the same label", async () => {
    const world = await aWorld();
    const other = openIds(world).length;
    const intent = wishForAll(world, { kind: "rfq", rfqId: 722 });
    const outcome = await submit(world, intent);
    assert.equal(
      said(intent, outcome),
      "Cancel all 2 quotes of RFQ 722 on SIMULATOR lab: the exchange reports 2 cancelled.",
    );
    assert.equal(openIds(world).length, other - 2);
    assert.deepEqual(pluck(shown(world), "block_rfq_id"), [724, 724]);
    world.live.dispose();
  });

  test("on read-only production one step allows cancels and cancels, and so does the next attempt", async () => {
    const world = await aWorld({ declared: "production" });
    await submit(world, wishForAll(world, { kind: "rfq", rfqId: 722 }));
    await submit(world, wishForAll(world));
    assert.deepEqual(
      world.questions.map((question) => (question.kind === "modal" ? question.confirm : question.kind)),
      ["Allow Cancels and Cancel", "Cancel 2 Quotes"],
    );
    assert.deepEqual([openIds(world), world.live.gate.changesAllowedUntilMs], [[], undefined]);
    world.live.dispose();
  });

  test("on production the count is typed; where it cannot be known the connection's name", async () => {
    const world = await aWorld({ declared: "production" });
    await world.live.gate.allowChanges();
    await submit(world, cancelAllQuotes({ kind: "rfq", rfqId: 722 }, { quotes: [], isCounted: false }, "palette"));
    const question = world.questions.at(-1);
    assert.equal(question?.kind === "typed" ? question.expected : undefined, "lab");
    assert.match(question?.message ?? "", /The list is not up to date, so their number is unknown\.$/);
    await submit(world, wishForAll(world));
    assert.deepEqual(world.questions.at(-1), {
      kind: "typed",
      message:
        "Type 2 (the count) to confirm: Cancel all 2 Block RFQ quotes on PRODUCTION lab. Labels are ignored: all quotes of the account are cancelled, including quotes placed in the meantime.",
      expected: "2",
      isForCancels: true,
    });
    assert.deepEqual(openIds(world), []);
    world.live.dispose();
  });

  test("without the scope nothing is asked and nothing is sent", async () => {
    const world = await aWorld({ maxScope: "block_rfq:read trade:read_write" });
    const intent = wishForAll(world);
    const outcome = await submit(world, intent);
    assert.match(said(intent, outcome), /^Not sent to SIMULATOR lab, so nothing was changed: .*block_rfq:read_write/);
    assert.deepEqual([world.questions.length, world.frames(ALL).length], [0, 0]);
    world.live.dispose();
  });

  test("kept: nothing is sent", async () => {
    const world = await aWorld({ answer: () => false });
    assert.equal((await submit(world, wishForAll(world))).kind, "notSent");
    assert.deepEqual([world.frames(ALL).length, openIds(world).length], [0, 4]);
    world.live.dispose();
  });

  for (const [code, expected] of [
    [-32601, "rejected"],
    [13021, "unknown"],
  ] as const) {
    const isRead = expected === "unknown" ? " until the quotes are read" : "";
    test(`answered with ${String(code)}: ${expected}${isRead}, and nothing else is tried`, async () => {
      const world = await aWorld();
      world.exchange.control.setFault({ method: ALL, effect: "skipped", response: { code } });
      const outcome = await submit(world, wishForAll(world), 60_000);
      assert.deepEqual([outcome.kind, openIds(world).length, world.frames(ALL).length], [expected, 4, 1]);
      world.live.dispose();
    });
  }
});

describe("F74: the response is lost", () => {
  for (const link of ["keep", "reset"] as const) {
    test(`carried out, link ${link}, and a new quote since: the earlier ones are gone, the new one lives, one frame`, async () => {
      const world = await aWorld();
      world.exchange.control.setFault({ method: ALL, response: "none", link });
      const intent = wishForAll(world);
      const submitted = world.live.gate.submit(intent);
      await world.clock.advance(500);
      const { block_rfq_quote_id: newer } = world.exchange.control.placeBlockRfqQuote({
        block_rfq_id: 722,
        direction: "sell",
        price: 0.03,
        amount: 5,
      });
      await world.clock.advance(16_000);
      assert.equal((await submitted).kind, "unknown");
      await world.clock.advance(60_000);
      const [verdict, ...more] = verdicts(world, intent);
      assert.match(
        verdict ?? "",
        /^Cancel all 4 Block RFQ quotes on SIMULATOR lab: checked at \d\d:\d\d:\d\d: none of these quotes is open, but newer ones are \(1: RFQ 722 sell 5 @ 0\.03\)\.$/,
      );
      assert.deepEqual(more, []);
      assert.match(activityState(world), /^verified: none of these quotes is open/);
      assert.deepEqual([openIds(world), world.frames(ALL).length], [[newer], 1]);
      assert.deepEqual(pluck(world.journal.records, "event"), ["intent", "sent", "outcome", "verdict"]);
      world.live.dispose();
    });
  }

  test("carried out, and a quote of the same millisecond: whether it was meant too isn't known, and isn't claimed", async () => {
    const world = await aWorld();
    world.exchange.control.setFault({ method: ALL, response: "none", link: "reset" });
    const intent = wishForAll(world);
    const submitted = world.live.gate.submit(intent);
    while (world.frames(ALL).length === 0) await world.clock.settle();
    world.exchange.control.placeBlockRfqQuote({ block_rfq_id: 722, direction: "sell", price: 0.03, amount: 5 });
    await world.clock.advance(60_000);
    assert.equal((await submitted).kind, "unknown");
    assert.match(
      verdicts(world, intent)[0] ?? "",
      /still unknown at .*: One is listed, but its time doesn't show whether it is earlier than the request\. Check/,
    );
    world.live.dispose();
  });

  test("not carried out: the quotes that are left are named, and a late cancel is watched for", async () => {
    const world = await aWorld();
    world.exchange.control.setFault({ method: ALL, applyAfterMs: 40_000 });
    const intent = wishForAll(world, { kind: "rfq", rfqId: 722 });
    const outcome = await submit(world, intent, 16_000);
    assert.match(
      said(intent, outcome),
      /^Cancel all 2 quotes of RFQ 722 on SIMULATOR lab: outcome unknown, checking… /,
    );
    assert.deepEqual(
      rowsOf(world).filter((row) => row.includes("unknown")),
      [
        "buy 25 @ 0.0205 | outcome unknown | quotes.quote.pending",
        "sell 25 @ 0.0235 | outcome unknown | quotes.quote.pending",
      ],
    );
    const again = await submit(world, intent);
    assert.equal(again.kind, "notSent");
    await world.clock.advance(90_000);
    const [first, late] =
      world.live.gate.activity
        .at(-1)
        ?.verdicts.map((verdict) => verdictText(verdict, { intent, place: plain`${PLACE}`, times })) ?? [];
    assert.match(
      first ?? "",
      /^2 quotes of RFQ 722 on SIMULATOR lab: still open \(2 of them: RFQ 722 buy 25 @ 0\.0205, RFQ 722 sell 25 @ 0\.0235\) as of .*, not cancelled\. A late cancel is still possible\. Watching for 60 s\.$/,
    );
    assert.match(late ?? "", /checked at \d\d:\d\d:\d\d: no quotes are open\.$/);
    assert.equal(world.frames(ALL).length, 1);
    world.live.dispose();
  });

  test("a server that lists no quotes: still unknown, and said so", async () => {
    const world = createWorld({ methods: "contract" });
    await world.connect();
    world.exchange.control.setFault({ method: ALL, response: "none" });
    const intent = cancelAllQuotes({ kind: "all" }, { quotes: [], isCounted: false }, "palette");
    await submit(world, intent, 60_000);
    assert.match(
      verdicts(world, intent)[0] ?? "",
      /outcome still unknown at .* doesn't support the read request that would show the outcome\. Check on the exchange, or use Check Again\.$/,
    );
    world.live.dispose();
  });
});

describe("F75: the response is odd", () => {
  const listOf = (quotes: readonly BlockRfqQuote[]): Mutation => ({ how: "result", value: quotes as unknown as [] });
  const unreadable: readonly (readonly [string, (world: World) => Mutation])[] = [
    ["negative", () => ({ how: "result", value: -1 })],
    ["a fraction", () => ({ how: "result", value: 2.5 })],
    ["a string", () => ({ how: "result", value: "4" })],
    ["null", () => ({ how: "result", value: null })],
    ["an object", () => ({ how: "result", value: { count: 4 } })],
    ["an unrequested list", (world) => listOf(shown(world).map((quote) => ({ ...quote, quote_state: "cancelled" })))],
    ["an unrequested empty list", () => ({ how: "result", value: [] })],
  ];
  for (const [name, mutate] of unreadable) {
    for (const effect of ["applied", "skipped"] as const) {
      test(`${name}, ${effect}: proves nothing; reading tells what is left`, async () => {
        const world = await aWorld();
        const intent = wishForAll(world);
        const outcome = await answered(world, intent, effect, mutate(world));
        assert.equal(outcome.kind, "unknown");
        await world.clock.advance(10_000);
        const [verdict] = verdicts(world, intent);
        assert.match(verdict ?? "", effect === "applied" ? /: no quotes are open\.$/ : /still open \(4 of them: /);
        assert.deepEqual([openIds(world).length, world.frames(ALL).length], [effect === "applied" ? 0 : 4, 1]);
        world.live.dispose();
      });
    }
  }

  test("0, and none were shown: no quotes were cancelled, and nothing is looked up", async () => {
    const world = await aWorld();
    await submit(world, wishForAll(world));
    const intent = cancelAllQuotes({ kind: "all" }, { quotes: [], isCounted: false }, "palette");
    const outcome = await submit(world, intent);
    assert.equal(
      said(intent, outcome),
      "Cancel all Block RFQ quotes on SIMULATOR lab: the exchange reports that no quotes were cancelled.",
    );
    assert.equal(activityState(world), "none cancelled");
    assert.deepEqual(verdicts(world, intent), []);
    world.live.dispose();
  });

  test("0 although four were shown: nothing is said to be cancelled, and those that are left are named", async () => {
    const world = await aWorld();
    const intent = wishForAll(world);
    const outcome = await answered(world, intent, "skipped", { how: "result", value: 0 });
    assert.equal(
      said(intent, outcome),
      "Cancel all 4 Block RFQ quotes on SIMULATOR lab: the exchange reports that no quotes were cancelled. But 4 were shown. Checking the outcome of each…",
    );
    await world.clock.advance(10_000);
    assert.match(
      verdicts(world, intent)[0] ?? "",
      /^4 Block RFQ quotes on SIMULATOR lab: still open \(4 of them: .*, not cancelled\./,
    );
    world.live.dispose();
  });

  test("fewer than were shown: the count, then what is left after reading again", async () => {
    const world = await aWorld();
    const intent = wishForAll(world);
    const [gone, ...left] = openIds(world);
    world.exchange.control.cancelBlockRfqQuote(gone ?? 0);
    const outcome = await answered(world, intent, "skipped", { how: "result", value: 1 });
    assert.equal(
      said(intent, outcome),
      "Cancel all 4 Block RFQ quotes on SIMULATOR lab: the exchange reports 1 cancelled, but 4 were shown. Checking the outcome of each…",
    );
    await world.clock.advance(10_000);
    assert.match(verdicts(world, intent)[0] ?? "", /still open \(3 of them: /);
    assert.deepEqual(openIds(world), left);
    world.live.dispose();
  });

  const detailed: readonly (readonly ["list" | "batches" | "partial", string, string])[] = [
    ["list", "confirmed", "Cancel all 4 Block RFQ quotes on SIMULATOR lab: the exchange reports 4 cancelled."],
    ["batches", "confirmed", "Cancel all 4 Block RFQ quotes on SIMULATOR lab: the exchange reports 4 cancelled."],
    ["partial", "unknown", "outcome unknown, checking…"],
  ];
  for (const [form, kind, words] of detailed) {
    test(`asked for in detail, answered as ${form}`, async () => {
      const world = await aWorld();
      world.exchange.control.setDetailedForm(form);
      const intent = { ...wishForAll(world), paramsText: '{"detailed":true}' };
      const outcome = await submit(world, intent);
      assert.equal(outcome.kind, kind);
      assert.ok(said(intent, outcome).includes(words), said(intent, outcome));
      await world.clock.advance(10_000);
      if (form === "partial") assert.match(verdicts(world, intent)[0] ?? "", /still open \(2 of them: /);
      else assert.deepEqual(verdicts(world, intent), []);
      world.live.dispose();
    });
  }

  test("asked for in detail, answered with a number, or with a quote that was filled before: only what is cancelled counts", async () => {
    const world = await aWorld();
    const intent = { ...wishForAll(world), paramsText: '{"detailed":true}' };
    const number = await answered(world, intent, "applied", { how: "result", value: 4 });
    assert.match(said(intent, number), /reports 4 cancelled\.$/);
    world.live.dispose();
    const second = await aWorld();
    const wish = { ...wishForAll(second), paramsText: '{"detailed":true}' };
    const [first, ...others] = shown(second);
    assert.ok(first);
    const filled = await answered(
      second,
      wish,
      "applied",
      listOf([{ ...first, quote_state: "filled" }, ...others.map((quote) => ({ ...quote, quote_state: "cancelled" }))]),
    );
    assert.match(said(wish, filled), /reports 3 cancelled, but 4 were shown\. Checking/);
    second.live.dispose();
  });
});

/** A fault that answers with another result; what is skipped has no response to change, and is answered by hand. */
function oddResponse(effect: "applied" | "skipped", mutate: Mutation): Fault {
  return effect === "applied" ? { method: ALL, mutate } : { method: ALL, effect, response: "none" };
}

async function answered(
  world: World,
  intent: Intent,
  effect: "applied" | "skipped",
  mutate: Mutation,
): Promise<Outcome> {
  world.exchange.control.setFault(oddResponse(effect, mutate));
  const submitted = world.live.gate.submit(intent);
  await world.clock.settle();
  const { id } = JSON.parse(world.frames(ALL).at(-1) ?? "{}") as { readonly id: number };
  if (effect === "skipped" && mutate.how === "result")
    world.exchange.control.sendText(JSON.stringify({ jsonrpc: "2.0", id, result: mutate.value }));
  await world.clock.advance(100);
  return await submitted;
}

describe("cancelling single quotes", () => {
  test("sent without a question on the simulator; the exchange says cancelled; the row goes by its event", async () => {
    const world = await aWorld();
    const [quote] = shown(world);
    assert.ok(quote);
    const intent = wishForOne(world, quote);
    const outcome = await submit(world, intent);
    assert.equal(said(intent, outcome), "Cancelled on SIMULATOR lab: RFQ 722 buy 25 @ 0.0205.");
    assert.equal(activityState(world), "cancelled");
    assert.deepEqual(
      [world.questions.length, world.frames(ONE).length, openIds(world).length, shown(world).length],
      [0, 1, 3, 3],
    );
    world.live.dispose();
  });

  test("on test it is asked, with what is known of it; on production read-only the question also allows further cancels", async () => {
    const world = await aWorld({ declared: "production" });
    const [quote] = shown(world);
    assert.ok(quote);
    await submit(world, wishForOne(world, quote));
    const [question] = world.questions;
    assert.equal(question?.kind === "modal" ? question.confirm : undefined, "Allow Cancels and Cancel");
    assert.equal(question?.message, "Cancel quote RFQ 722 buy 25 @ 0.0205 on PRODUCTION lab?");
    assert.equal(openIds(world).length, 3);
    world.live.dispose();
  });

  test("its price changes while the person is asked: not sent, the situation changed", async () => {
    const world: World = await aWorld({
      declared: "production",
      answer: async () => {
        world.exchange.control.editBlockRfqQuote(openIds(world)[0] ?? 0, { price: 0.022 });
        await world.clock.settle();
        return true;
      },
    });
    const quote = shown(world).find(({ block_rfq_quote_id: id }) => id === openIds(world)[0]);
    assert.ok(quote);
    const intent = wishForOne(world, quote);
    const outcome = await submit(world, intent);
    assert.deepEqual(outcome, { kind: "notSent", failure: { kind: "situationChanged", changed: "quote" } });
    assert.deepEqual([world.frames(ONE).length, openIds(world).length], [0, 4]);
    world.live.dispose();
  });

  const refusals: readonly (readonly [string, (world: World, id: number) => void])[] = [
    ["filled", (world, id) => void world.exchange.control.fillBlockRfqQuote(id)],
    ["cancelled elsewhere", (world, id) => void world.exchange.control.cancelBlockRfqQuote(id)],
  ];
  for (const [name, end] of refusals) {
    test(`a quote that was ${name} before: refused, one frame`, async () => {
      const world = await aWorld();
      const [quote] = shown(world);
      assert.ok(quote);
      const intent = wishForOne(world, quote);
      end(world, quote.block_rfq_quote_id);
      const outcome = await submit(world, intent);
      assert.equal(outcome.kind, "rejected");
      assert.match(
        said(intent, outcome),
        /^Cancel quote RFQ 722 buy 25 @ 0\.0205 on SIMULATOR lab: refused by the exchange\. /,
      );
      assert.equal(world.frames(ONE).length, 1);
      world.live.dispose();
    });
  }

  test("F71: a double click is one frame", async () => {
    const world = await aWorld();
    const [quote] = shown(world);
    assert.ok(quote);
    const intent = wishForOne(world, quote);
    const both = Promise.all([world.live.gate.submit(intent), world.live.gate.submit(intent)]);
    await world.clock.advance(1000);
    assert.deepEqual(pluck(await both, "kind"), ["confirmed", "confirmed"]);
    assert.equal(world.frames(ONE).length, 1);
    world.live.dispose();
  });

  const lost: readonly (readonly ["applied" | "skipped", RegExp])[] = [
    [
      "applied",
      /^RFQ 722 buy 25 @ 0\.0205 on SIMULATOR lab: no longer open as of .*\. It may have been cancelled or filled\. Check the trade history\.$/,
    ],
    [
      "skipped",
      /^RFQ 722 buy 25 @ 0\.0205 on SIMULATOR lab: still open as of .*, not cancelled\. A late cancel is still possible\. Watching for 60 s\.$/,
    ],
  ];
  for (const [effect, words] of lost) {
    test(`no response, ${effect}: the row says so, then what reading proves and no more`, async () => {
      const world = await aWorld();
      const [quote] = shown(world);
      assert.ok(quote);
      world.exchange.control.setFault({ method: ONE, effect, response: "none" });
      const intent = wishForOne(world, quote);
      const submitted = world.live.gate.submit(intent);
      await world.clock.settle();
      if (effect === "skipped") assert.equal(rowsOf(world)[0], "buy 25 @ 0.0205 | cancelling… | quotes.quote.pending");
      assert.deepEqual([...pendingOrders(world.live.gate.activity, world.live.record.id)], []);
      await world.clock.advance(16_000);
      assert.equal((await submitted).kind, "unknown");
      if (effect === "skipped")
        assert.equal(rowsOf(world)[0], "buy 25 @ 0.0205 | outcome unknown | quotes.quote.pending");
      await world.clock.advance(30_000);
      assert.match(verdicts(world, intent)[0] ?? "", words);
      assert.equal(world.frames(ONE).length, 1);
      if (effect === "skipped")
        assert.equal(rowsOf(world)[0], "buy 25 @ 0.0205 | outcome unknown | quotes.quote.pending");
      world.live.dispose();
    });
  }

  test("the response is about another quote, or says that it is filled", async () => {
    const world = await aWorld();
    const [quote, other] = shown(world);
    assert.ok(quote && other);
    world.exchange.control.setFault({
      method: ONE,
      mutate: { how: "set", member: "block_rfq_quote_id", value: other.block_rfq_quote_id },
    });
    assert.equal((await submit(world, wishForOne(world, quote))).kind, "unknown");
    world.exchange.control.setFault({ method: ONE, mutate: { how: "set", member: "quote_state", value: "filled" } });
    const intent = wishForOne(world, other);
    const outcome = await submit(world, intent);
    assert.equal(said(intent, outcome), "RFQ 722 sell 25 @ 0.0235 on SIMULATOR lab: the exchange reports filled.");
    world.live.dispose();
  });

  test("several: one question with the count, a frame each, the others stay", async () => {
    const world = await aWorld();
    const chosen = shown(world).slice(0, 3);
    const { intents, describe: words } = cancelQuotes(chosen, {
      origin: "palette",
      nowMs: world.clock.now(),
      current: () => undefined,
    });
    const submitted = world.live.gate.submitAll(intents, words);
    await world.clock.advance(1000);
    const outcomes = await submitted;
    assert.equal(outcomesSummary(outcomes, plain`${PLACE}`), "3 of 3 cancelled on SIMULATOR lab.");
    const [question] = world.questions;
    assert.deepEqual(
      question?.kind === "modal"
        ? [question.message, question.show, question.about, question.confirm, question.keep]
        : [],
      ["Cancel 3 Block RFQ quotes on SIMULATOR lab?", "Show Quotes", "quotes", "Cancel 3 Quotes", "Keep Quotes"],
    );
    assert.deepEqual([world.frames(ONE).length, openIds(world).length], [3, 1]);
    world.live.dispose();
  });
});
