import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { OrderContext } from "../../../src/actions/changes/orders.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { isSettling, type Outcome } from "../../../src/actions/judge/outcome.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import { CallError } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { pendingOrders } from "../../../src/present/outcomes/pendingChanges.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { OrderSpec } from "../../../src/simulator/methods/orderTerms.ts";
import { orderLookups, type Order } from "../../../src/state/orders.ts";
import { runEdit } from "../../../src/ui/orders/edits.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../ui/scriptedDialogs.ts";

/* Edits of one order, from the dialogs to the frame: what the exchange did stands in its own book. */

const times = createTimes(0);
const PLACED: OrderSpec = {
  instrument_name: "BTC-PERPETUAL",
  direction: "buy",
  amount: 40,
  price: 1000,
  label: "mine",
  post_only: true,
};

interface Lab {
  readonly world: World;
  readonly order: Order;
}

async function aLab(spec: Partial<OrderSpec> = {}, options: WorldOptions = {}): Promise<Lab> {
  const world = createWorld({ orders: 0, ...options });
  const { order_id: id } = world.exchange.control.place({ ...PLACED, ...spec });
  await world.connect();
  return { world, order: knownOrder(world, id) };
}

function knownOrder(world: World, id: string): Order {
  return world.live.orders.snapshot.items.get(id)?.order ?? assert.fail(`no order ${id}`);
}

interface Told {
  readonly shown: readonly string[];
  readonly outcomes: readonly Outcome[];
  readonly intents: readonly Intent[];
}

/** Edits the order with what is entered, and runs until the command is over. */
async function edit({ world, order }: Lab, ...answers: readonly ScriptedAnswer[]): Promise<Told> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  let tries = answers.filter((each) => each === TAKE).length - 1;
  const [outcomes, intents]: [Outcome[], Intent[]] = [[], []];
  const context: OrderContext = {
    origin: "view",
    nowMs: world.clock.now(),
    ...orderLookups(world.live.orders),
  };
  const running = runEdit(world.live, order, context, {
    dialogs,
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) as never },
    notices: {
      showOutcome(_live, intent, outcome, again) {
        outcomes.push(outcome);
        intents.push(intent);
        if (tries-- > 0) again?.();
      },
      showError: (error) => assert.fail(String(error)),
    },
    clock: world.clock,
  });
  const ended = running.then(
    () => undefined,
    (error: unknown) => error,
  );
  await world.clock.advance(8000);
  const error = await ended;
  done();
  if (error !== undefined) throw error as Error;
  return { shown, outcomes, intents };
}

/** Takes the line as it was typed. */
const TAKE = "Edit ";

const frameOf = (world: World): string => world.frames("private/edit").at(-1) ?? "";
const now = (world: World, { order_id: id }: Order): Record<string, unknown> | undefined =>
  world.exchange.control.order(id);

function said({ outcomes, intents }: Told): string {
  const [outcome, intent] = [outcomes.at(-1), intents.at(-1)];
  assert.ok(outcome !== undefined && intent !== undefined, "no outcome was shown");
  return outcomeText(outcome, { intent, place: plain`SIMULATOR lab`, times });
}

async function refuses(editing: Promise<unknown>, reason: RegExp): Promise<void> {
  await assert.rejects(
    editing,
    (error) => error instanceof CallError && error.failure.kind === "refused" && reason.test(error.failure.reason),
  );
}

function isModal(question: Question | undefined): question is Extract<Question, { kind: "modal" }> {
  return question?.kind === "modal";
}

describe("Edit Order", () => {
  test("a price: one question with what changes, one frame with the flags of the order, proved by the response", async () => {
    const lab = await aLab();
    const told = await edit(lab, "type 40 @ 1001", TAKE);
    const [question, ...others] = lab.world.questions;
    assert.deepEqual(others, []);
    assert.ok(isModal(question));
    const { detail, ...frame } = question;
    assert.deepEqual(frame, {
      kind: "modal",
      message: "Edit BTC-PERPETUAL buy 40 @ 1000 on SIMULATOR lab?",
      confirm: "Edit Order",
      keep: "Keep Order",
    });
    const figures =
      /^(?:Order margin|Fee|Price band|If filled completely): .* \(private\/(?:get_margins|simulate_portfolio)\)$/;
    const lines = detail.split("\n");
    assert.equal(lines.filter((line) => figures.test(line)).length, 4);
    assert.deepEqual(
      lines.filter((line) => !figures.test(line)),
      [
        "price: 1000 → 1001",
        "The order loses its place in the queue.",
        `ID ${lab.order.order_id}`,
        "label mine",
        "stays post-only",
      ],
    );
    assert.equal(lab.world.frames("private/edit").length, 1);
    assert.match(
      frameOf(lab.world),
      new RegExp(
        `"order_id":"${lab.order.order_id}","amount":40,"price":1001,"post_only":true,.*"valid_until":\\d{13}\\}`,
      ),
    );
    assert.deepEqual(pluck([now(lab.world, lab.order) ?? {}], "price"), [1001]);
    assert.equal(now(lab.world, lab.order)?.["post_only"], true);
    assert.equal(
      said(told),
      "Edit BTC-PERPETUAL buy 40 @ 1000 on SIMULATOR lab: confirmed by the exchange. 0 of 40 filled.",
    );
    lab.world.live.dispose();
  });

  test("the form has the line of Place Order with the present terms, its market, and what a line changes; Escape sends nothing", async () => {
    const lab = await aLab();
    lab.world.exchange.control.fill(lab.order.order_id, 10);
    await lab.world.clock.advance(1000);
    const filled = { ...lab, order: knownOrder(lab.world, lab.order.order_id) };
    const { shown, outcomes } = await edit(filled, "type 60 @ 1002.5", LEAVE);
    assert.match(
      shown[0] ?? "",
      /^Edit BTC-PERPETUAL buy 40 @ 1000 on SIMULATOR lab · bid [\d.\u202F]+ · ask [\d.\u202F]+ · mark [\d.\u202F]+ · tick 0\.5 · minimum 10 · \d+ s ago: amount @ price \[trigger price\] <\$\(warning\) Nothing is changed yet\. The amount is the total, including what is filled\. \| -- bid /,
    );
    assert.match(
      shown[1] ?? "",
      /^refused: <Edit price: 1000 → 1002\.5 · amount: 40 → 60 \(10 filled, 50 remaining\) \| -- bid /,
    );
    assert.deepEqual([outcomes, lab.world.frames("private/edit")], [[], []]);
    lab.world.live.dispose();
  });

  for (const [line, problem] of Object.entries({
    "40 @ 1000.3": "Price 1000.3 isn't a multiple of the tick size 0.5. Nearest: 1000.0 and 1000.5.",
    "45 @ 1000": "Amount 45 isn't a multiple of 10. Nearest: 40 and 50.",
    "9 @ 1000": "10 is filled already. Enter a larger total, or cancel the order.",
    "40 @ 1,000": "At 1,000 (character 6): Use a point for decimals and no separator for thousands.",
    "40 @ market": "Enter a price instead of market.",
    "40 @ 1001 ioc": "An edit changes only the amount, the price, and the trigger. Remove what follows the price.",
    "40 @ 1001 trigger 5": "This order has no trigger that can be edited.",
    "40.0 @ 1000.00": "Nothing is changed yet. The amount is the total, including what is filled.",
  }))
    test(`"${line}" is told while it is typed, and Enter sends nothing and loses nothing`, async () => {
      const lab = await aLab();
      lab.world.exchange.control.fill(lab.order.order_id, 10);
      await lab.world.clock.advance(1000);
      const filled = { ...lab, order: knownOrder(lab.world, lab.order.order_id) };
      const { shown, outcomes } = await edit(filled, `type ${line}`, "$(warning)", LEAVE);
      assert.equal(/^refused: <\$\(warning\) (.*?) \| /.exec(shown[1] ?? "")?.[1], problem);
      assert.match(shown[2] ?? "", /^refused: /);
      assert.deepEqual([outcomes, lab.world.questions, lab.world.frames("private/edit")], [[], [], []]);
      lab.world.live.dispose();
    });

  test("refused by the exchange, Try Again… opens the form with what was typed; what others changed meanwhile is not undone", async () => {
    const lab: Lab = await aLab(
      {},
      {
        answer: async () => {
          if (lab.world.questions.length === 1) {
            lab.world.exchange.control.amend(lab.order.order_id, { amount: 30 });
            await lab.world.clock.advance(500);
          }
          return true;
        },
      },
    );
    lab.world.exchange.control.setFault({ method: "private/edit", effect: "skipped", response: { code: 10009 } });
    const { shown, outcomes } = await edit(lab, "type 40 @ 1001", TAKE, TAKE);
    assert.deepEqual(pluck(outcomes, "kind"), ["rejected", "confirmed"]);
    assert.match(shown[2] ?? "", /^Edit BTC-PERPETUAL buy 30 @ 1000 .*<Edit price: 1000 → 1001 \| /);
    assert.deepEqual(pluck([now(lab.world, lab.order) ?? {}], "amount"), [30]);
    assert.equal(now(lab.world, lab.order)?.["price"], 1001);
    lab.world.live.dispose();
  });

  test("a price that would trade at once is told before the yes: the exchange cancels an order that is post-only with reject", async () => {
    const sentence =
      "At this price the order would trade at once. It is post-only with reject, so the exchange cancels it.";
    for (const [rejects, expected] of [
      [true, true],
      [false, false],
    ] as const) {
      const lab = await aLab({ reject_post_only: rejects }, { answer: () => false });
      await edit(lab, "type 40 @ 92900", TAKE);
      const [question] = lab.world.questions;
      assert.ok(isModal(question));
      assert.equal(question.detail.includes(sentence), expected);
      lab.world.live.dispose();
    }
  });

  test("a buy above the price band is told with what the exchange does, and its price is typed again", async () => {
    const lab = await aLab();
    await edit(lab, "type 40 @ 900000", TAKE);
    const [modal, typed] = lab.world.questions;
    assert.ok(isModal(modal));
    assert.match(modal.detail, /The price is above the maximum for buy orders\. The exchange lowers it to/);
    assert.ok(typed?.kind === "typed");
    assert.equal(typed.expected, "900000");
    lab.world.live.dispose();
  });

  test("a server without figures and instruments is worked with all the same", async () => {
    const lab = await aLab();
    for (const method of [
      "private/get_margins",
      "private/simulate_portfolio",
      "public/ticker",
      "public/get_instruments",
    ])
      lab.world.exchange.control.setFault({ method, response: { code: -32601 }, times: 9 });
    const told = await edit(lab, "type 40 @ 1001", TAKE);
    assert.match(told.shown[0] ?? "", / · no prices from this server: /);
    assert.match(said(told), /confirmed by the exchange/);
    lab.world.live.dispose();
  });

  test("a smaller amount keeps the place in the queue", async () => {
    const lab = await aLab();
    await edit(lab, "type 30 @ 1000", TAKE);
    const [question] = lab.world.questions;
    assert.ok(isModal(question));
    assert.match(
      question.detail,
      /^amount: 40 → 30 \(0 filled, 30 remaining\)\nThe order keeps its place in the queue\./,
    );
    lab.world.live.dispose();
  });

  for (const digits of ["1000.12345678", "1e-8", "9007199254740993", "0.30000000000000004", "1000.10"]) {
    test(`digits: ${digits} goes out byte for byte`, async () => {
      const lab = await aLab();
      // Nothing is known of its steps, so that every number is accepted here.
      lab.world.exchange.control.setFault({ method: "public/get_instruments", response: { code: -32601 }, times: 9 });
      await edit(lab, `type ${digits} @ ${digits}`, TAKE);
      assert.ok(frameOf(lab.world).includes(`"amount":${digits},"price":${digits},`), frameOf(lab.world));
      lab.world.live.dispose();
    });
  }

  test("the deadline is 8 s after the send in the exchange's time, whatever the clock of this computer says", async () => {
    const lab = await aLab();
    lab.world.exchange.control.setFault({
      method: "public/get_time",
      mutate: { how: "result", value: 1_700_000_000_000 },
    });
    await edit(lab, "type 40 @ 1001", TAKE);
    assert.match(frameOf(lab.world), /"valid_until":170000000[89]\d{3}\}/);
    lab.world.live.dispose();
  });

  test("without the exchange's time nothing is asked and nothing is sent", async () => {
    const lab = await aLab();
    lab.world.exchange.control.setFault({ method: "public/get_time", effect: "skipped", response: { code: -32_601 } });
    const { outcomes } = await edit(lab, "type 40 @ 1001", TAKE);
    assert.deepEqual(pluck(outcomes, "kind"), ["notSent"]);
    assert.deepEqual([lab.world.questions, lab.world.frames("private/edit")], [[], []]);
    lab.world.live.dispose();
  });

  test("an order that fills while the confirmation is open needs a second confirmation, with its present values", async () => {
    const lab: Lab = await aLab(
      {},
      {
        answer: async () => {
          if (lab.world.questions.length === 1) {
            lab.world.exchange.control.fill(lab.order.order_id, 10);
            await lab.world.clock.advance(500);
          }
          return true;
        },
      },
    );
    const told = await edit(lab, "type 60 @ 1000", TAKE);
    assert.equal(lab.world.questions.length, 2);
    const again = lab.world.questions[1];
    assert.ok(isModal(again));
    assert.match(
      again.detail,
      /^The order changed while the confirmation was open\. These are its present values\.\namount: 40 → 60 \(10 filled, 50 remaining\)/,
    );
    assert.equal(lab.world.frames("private/edit").length, 1);
    assert.match(said(told), /confirmed by the exchange\. 10 of 60 filled\.$/);
    lab.world.live.dispose();
  });

  test("what the user left as it was follows the order: a bot that makes it smaller is not undone, and the change is shown", async () => {
    const lab = await aLab();
    lab.world.exchange.control.amend(lab.order.order_id, { amount: 10 });
    await lab.world.clock.advance(1000);
    await edit(lab, "type 40 @ 1001", TAKE);
    const [question] = lab.world.questions;
    assert.ok(isModal(question));
    assert.match(
      question.detail,
      /^The order changed after the form opened\. What you didn't type keeps its present value\.\nprice: 1000 → 1001\namount was 40 when the form opened, and is 10 now\n/,
    );
    assert.match(frameOf(lab.world), /"amount":10,"price":1001,"post_only":true,/);
    assert.equal(now(lab.world, lab.order)?.["amount"], 10);
    lab.world.live.dispose();
  });

  test("what others changed without an event is read in the last moment, and is confirmed again before it is sent", async () => {
    const lab = await aLab();
    const smaller = { ...lab.order, amount: 10, reduce_only: true };
    const value = { ...smaller, last_update_timestamp: Number(lab.order.last_update_timestamp) + 500 };
    lab.world.exchange.control.setFault({
      method: "private/get_order_state",
      mutate: { how: "result", value: value as never },
    });
    await edit(lab, "type 40 @ 1001", TAKE);
    assert.equal(lab.world.questions.length, 2);
    const again = lab.world.questions[1];
    assert.ok(isModal(again));
    assert.match(
      again.detail,
      /^The order changed while the confirmation was open\. These are its present values\.\nprice: 1000 → 1001\namount was 40 when the form opened, and is 10 now\nreduce_only was false when the form opened, and is true now\n/,
    );
    assert.equal(lab.world.frames("private/edit").length, 1);
    assert.match(frameOf(lab.world), /"amount":10,"price":1001,"post_only":true,.*"reduce_only":true,/);
    lab.world.live.dispose();
  });

  test("an order that ended without an event is not edited, and one that can't be read is not either", async () => {
    for (const [fault, sentence] of [
      [{ mutate: { how: "set", member: "order_state", value: "filled" } }, /That order is no longer open\./],
      [{ response: "none" }, /couldn't send the request within 8 s|No response/],
    ] as const) {
      const lab = await aLab();
      lab.world.exchange.control.setFault({ method: "private/get_order_state", ...fault });
      assert.match(said(await edit(lab, "type 40 @ 1001", TAKE)), sentence);
      assert.deepEqual(lab.world.frames("private/edit"), []);
      lab.world.live.dispose();
    }
  });

  test("where the server doesn't offer the last read, what the view knows is sent", async () => {
    const lab = await aLab();
    lab.world.exchange.control.setFault({ method: "private/get_order_state", response: { code: -32601 } });
    assert.match(said(await edit(lab, "type 40 @ 1001", TAKE)), /confirmed by the exchange/);
    lab.world.live.dispose();
  });

  test("a trigger that fires while the question stands voids it, and the new ID is named", async () => {
    let fired: string | undefined;
    const lab: Lab = await aLab(
      { type: "take_limit", trigger: "mark_price", trigger_price: 900, post_only: false },
      {
        answer: async () => {
          fired = lab.world.exchange.control.fire(lab.order.order_id).order_id;
          await lab.world.clock.advance(500);
          return true;
        },
      },
    );
    const told = await edit(lab, "type 40 @ 1000 trigger 910", TAKE);
    assert.equal(lab.world.frames("private/edit").length, 0);
    assert.match(
      said(told),
      new RegExp(
        `Order ${lab.order.order_id} was triggered and goes on as ${String(fired)}\\. Edit the new order instead\\.`,
      ),
    );
    lab.world.live.dispose();
  });

  test("a trigger price is edited too, and nothing is said of a queue", async () => {
    const lab = await aLab({ type: "take_limit", trigger: "mark_price", trigger_price: 900, post_only: false });
    await edit(lab, "type 40 @ 1000 trigger 910", TAKE);
    const [question] = lab.world.questions;
    assert.ok(isModal(question));
    assert.match(question.detail, /^trigger price: 900 → 910\nOrder margin: /);
    assert.ok(frameOf(lab.world).includes('"trigger_price":910'));
    assert.equal(now(lab.world, lab.order)?.["trigger_price"], 910);
    lab.world.live.dispose();
  });

  test("a fill that overtakes the edit is told: refused, and the order was filled", async () => {
    const lab = await aLab();
    lab.world.exchange.control.setFault({ method: "private/edit", effect: "overtaken" });
    const told = await edit(lab, "type 40 @ 1001", TAKE);
    assert.match(said(told), /refused by the exchange\. .*already_filled|refused by the exchange\. .*filled/);
    await lab.world.clock.advance(5000);
    const verdict = lab.world.live.gate.activity[0]?.verdicts[0];
    assert.ok(verdict?.kind === "other" && verdict.state === "filled", JSON.stringify(verdict));
    lab.world.live.dispose();
  });

  test("more was filled than the question showed: the outcome says both", async () => {
    const lab = await aLab();
    lab.world.exchange.control.setFault({
      method: "private/edit",
      mutate: {
        how: "result",
        value: { order: { ...lab.order, price: 1001, filled_amount: 15 } as never, trades: [] },
      },
    });
    const told = await edit(lab, "type 40 @ 1001", TAKE);
    assert.match(said(told), /confirmed by the exchange\. 15 of 40 filled\. You saw 0 filled\.$/);
    lab.world.live.dispose();
  });

  for (const [name, changes, text] of [
    ["another order", { order_id: "BTC-1" }, /outcome unknown/],
    ["another price", { price: 999.5 }, /different result than requested: price is 999\.5 \(requested: 1001\)/],
    [
      "a cancelled order",
      { order_state: "cancelled", cancel_reason: "edit_post_only_reject" },
      /cancelled \(edit_post_only_reject\)/,
    ],
    ["no price", { price: null }, /outcome unknown/],
  ] as const) {
    test(`a response with ${name} is not taken for the edit`, async () => {
      const lab = await aLab();
      const order = { ...lab.order, price: 1001, ...changes };
      lab.world.exchange.control.setFault({
        method: "private/edit",
        mutate: { how: "result", value: { order: order as never, trades: [] } },
      });
      assert.match(said(await edit(lab, "type 40 @ 1001", TAKE)), text);
      lab.world.live.dispose();
    });
  }

  test("of a request file too, a response that names another instrument is not taken for it", async () => {
    const lab = await aLab();
    const send = async (instrument: string): Promise<string> => {
      const order = { ...lab.order, instrument_name: instrument, price: 1001 };
      lab.world.exchange.control.setFault({
        method: "private/edit",
        mutate: { how: "result", value: { order: order as never, trades: [] } },
      });
      const done = lab.world.live.gate.submit({
        method: "private/edit",
        paramsText: JSON.stringify({ order_id: lab.order.order_id, amount: 40, price: 1001 }),
        origin: "requestFile",
        words: { action: plain`Send`, target: plain`edit`, detail: [], keep: plain`Don't Send` },
      });
      await lab.world.clock.advance(1000);
      return (await done).kind;
    };
    assert.equal(await send("BTC-PERPETUAL"), "confirmed");
    assert.equal(await send("ETH-PERPETUAL"), "unknown");
    lab.world.live.dispose();
  });

  test("an edit that never arrived may have been edited back where something has changed since: its outcome stays unknown", async () => {
    const lab = await aLab();
    const { control } = lab.world.exchange;
    control.setFault({ method: "private/edit", effect: "skipped", response: "none", link: "reset" });
    await edit(lab, "type 40 @ 1001", TAKE);
    control.fill(lab.order.order_id, 10);
    await lab.world.clock.advance(20_000);
    const [entry] = lab.world.live.gate.activity;
    const verdict = entry?.verdicts[0];
    assert.ok(entry !== undefined && verdict !== undefined);
    assert.match(
      verdictText(verdict, { intent: entry.intent, place: plain`SIMULATOR lab`, times }),
      /: no effect yet at .*\(open, 10 of 40 filled, price 1000\)\. It may still take effect\./,
    );
    assert.equal(isSettling(verdict), false);
    const sending = pendingOrders([{ ...entry, phase: "sending" }], entry.connectionId);
    assert.deepEqual([...sending], [[lab.order.order_id, "editing"]]);
    lab.world.live.dispose();
  });

  test("an edit that can still arrive is not said to have left the order unchanged", async () => {
    const lab = await aLab();
    lab.world.exchange.control.setFault({ method: "private/edit", applyAfterMs: 7500, link: "reset" });
    assert.match(said(await edit(lab, "type 40 @ 1001", TAKE)), /outcome unknown, checking…/);
    await lab.world.clock.advance(20_000);
    const [entry] = lab.world.live.gate.activity;
    assert.deepEqual(
      entry?.verdicts.map(({ kind }) => kind),
      ["applied"],
    );
    assert.equal(now(lab.world, lab.order)?.["price"], 1001);
    lab.world.live.dispose();
  });

  test("read-only production refuses; with changes allowed it asks", async () => {
    const lab = await aLab({}, { declared: "production" });
    assert.match(said(await edit(lab, "type 40 @ 1001", TAKE)), /read-only/);
    await lab.world.live.gate.allowChanges();
    const told = await edit(lab, "type 40 @ 1001", TAKE);
    assert.equal(lab.world.questions.at(-1)?.message, "Edit BTC-PERPETUAL buy 40 @ 1000 on PRODUCTION lab?");
    assert.match(said(told), /confirmed by the exchange/);
    lab.world.live.dispose();
  });

  test("an order of a mass quote can't be edited: the exchange would refuse it or cancel the quote", async () => {
    const lab = await aLab();
    await refuses(edit({ ...lab, order: { ...lab.order, quote: true } }), /part of a mass quote/);
    lab.world.live.dispose();
  });
});
