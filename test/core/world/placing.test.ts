import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { readOrderLine } from "../../../src/actions/changes/orderLine.ts";
import { placeTypedOrder } from "../../../src/actions/changes/placeOrder.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { OrderSpec } from "../../../src/simulator/methods/orderTerms.ts";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* Orders from commands against the simulator: what is said of them against what is true. */

const times = createTimes(0);
const INSTRUMENT = "ETH-PERPETUAL";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What a bot places that uses the same label. */
const BOT: OrderSpec = {
  ...{ instrument_name: INSTRUMENT, direction: "buy", amount: 1, price: 1000, label: "rpc-1" },
  ...{ post_only: true, reject_post_only: true },
};

async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  return world;
}

function intentOf(typed: string, label = "rpc-1", knownIds: readonly string[] = []): Intent {
  const line = readOrderLine(typed);
  assert.ok(!("problem" in line));
  return placeTypedOrder(
    { instrument: INSTRUMENT, side: "buy", line, options: {} },
    { origin: "palette", label, knownIds, preview: [], isOutOfBand: false },
  );
}

interface Placed {
  readonly outcome: Outcome;
  /** What is said at once, and what reading adds. */
  readonly said: readonly string[];
}

/** Places an order, with something that goes wrong meanwhile, and waits until nothing more is said. */
async function place(
  world: World,
  intent: Intent,
  { fault, meanwhile }: { readonly fault?: Fault; readonly meanwhile?: () => void } = {},
): Promise<Placed> {
  if (fault !== undefined) world.exchange.control.setFault({ method: intent.method, ...fault });
  const done = world.live.gate.submit(intent);
  await world.clock.advance(1000);
  meanwhile?.();
  await world.clock.advance(2 * MINUTE_MS);
  const outcome = await done;
  const [entry] = world.live.gate.activity;
  assert.ok(entry !== undefined);
  const context = { intent: entry.intent, place: plain`X`, times };
  const verdicts = entry.verdicts.map((verdict) => verdictText(verdict, context));
  return {
    outcome,
    said: [outcomeText(outcome, context), ...verdicts].map((text) => text.replaceAll(/\d\d:\d\d:\d\d/g, "T")),
  };
}

function ordersWith(world: World, label: string): number {
  const { control } = world.exchange;
  return [...control.openOrders(), ...control.closedOrders()].filter((order) => order.label === label).length;
}

describe("an order from a command", () => {
  test("goes out once, with the digits that were typed, its label, and a deadline that counts from the confirmation", async () => {
    let confirmedMs = 0;
    const answer = async (): Promise<boolean> => {
      await world.clock.advance(30_000);
      confirmedMs = world.clock.now();
      return true;
    };
    const world: World = await aWorld({ answer });
    const { outcome, said } = await place(world, intentOf("1.0 @ 1000.10"));
    assert.equal(outcome.kind, "confirmed");
    const [frame, ...others] = world.frames("private/buy");
    assert.equal(others.length, 0);
    assert.match(frame ?? "", /"amount":1\.0,"type":"limit","price":1000\.10,.*"label":"rpc-1","valid_until":\d+\}/);
    assert.equal(Number(/"valid_until":(\d+)/.exec(frame ?? "")?.[1]) - confirmedMs, 8000);
    assert.match(
      said[0] ?? "",
      /^Buy 1\.0 ETH-PERPETUAL @ 1000\.10 on X: placed as order ETH-\d+, which is open\. 0 of 1 filled\.$/,
    );
    assert.match(world.journal.records.map(({ paramsText }) => paramsText).join(" "), /"valid_until":\d+\}/);
    assert.equal(world.live.gate.activity[0]?.intent.paramsText.includes("valid_until"), true);
  });

  test("that never arrived stays unknown over the same connection", async () => {
    const world = await aWorld();
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { effect: "skipped", response: "none" },
    });
    assert.match(said[1] ?? "", /still unknown at T: No order with its label is listed\. Reconnecting proves/);
  });

  test("that is like one whose outcome is unknown is warned about, whatever its label; one of another size is not", async () => {
    const world = await aWorld();
    await place(world, intentOf("1 @ 1000"), { fault: { effect: "skipped", response: "none" } });
    const detailOf = async (typed: string, label: string): Promise<string> => {
      await place(world, intentOf(typed, label));
      const question = world.questions.at(-1);
      assert.ok(question?.kind === "modal");
      return question.detail;
    };
    const warning = /^The outcome of an earlier attempt is unknown\. The change may already have been made\.\n/;
    assert.match(await detailOf("1.0 @ 1000.0 ioc", "rpc-2"), warning);
    assert.doesNotMatch(await detailOf("2 @ 1000", "rpc-1"), warning);
    assert.doesNotMatch(await detailOf("1 @ 1000.05", "rpc-1"), warning);
  });

  test("that is held back for a minute is refused by the exchange, and nothing else is said", async () => {
    const world = await aWorld();
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { applyAfterMs: MINUTE_MS },
      meanwhile: () => world.exchange.control.disconnectAll(),
    });
    assert.match(said[1] ?? "", /not placed/);
    assert.equal(ordersWith(world, "rpc-1"), 0);
  });

  test("of which another one has the label, amount, and price stays unknown, and both are named", async () => {
    const world = await aWorld();
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { response: "none" },
      meanwhile: () => void world.exchange.control.place(BOT),
    });
    assert.match(
      said[1] ?? "",
      /still unknown at T: More than one order has its label: \S+ \(buy 1 @ 1000\), \S+ \(buy 1 @ 1000\)\./,
    );
  });

  test("that is held back for some seconds is not given up before its deadline", async () => {
    const world = await aWorld();
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { applyAfterMs: 7_500 },
      meanwhile: () => world.exchange.control.disconnectAll(),
    });
    assert.match(said[1] ?? "", /placed as order ETH-\d+, which is open \(0 of 1 filled\)\.$/);
    assert.equal(ordersWith(world, "rpc-1"), 1);
  });

  test("is not taken for one of the same label and terms that was there before: by its time, or by its ID", async () => {
    const lost = { effect: "skipped", response: "none" } as const;
    for (const how of ["time", "ID"] as const) {
      const world = await aWorld();
      const earlier = world.exchange.control.place(BOT);
      if (how === "time") await world.clock.advance(1000);
      const intent = intentOf("1 @ 1000", "rpc-1", how === "ID" ? [earlier.order_id] : []);
      const meanwhile = (): void => world.exchange.control.disconnectAll();
      const { said } = await place(world, intent, { fault: lost, meanwhile });
      assert.match(said[1] ?? "", /not placed/, how);
    }
  });

  test("is not taken for one of the same label and terms that came while its confirmation was open", async () => {
    const answer = async (): Promise<boolean> => {
      world.exchange.control.place(BOT);
      await world.clock.advance(500);
      return true;
    };
    const world: World = await aWorld({ answer });
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { effect: "skipped", response: "none" },
      meanwhile: () => world.exchange.control.disconnectAll(),
    });
    assert.match(said[1] ?? "", /not placed/);
  });

  test("stays unknown where others have used its label, although one order alone is like it", async () => {
    for (const isEarlierFilled of [false, true]) {
      const world = await aWorld();
      const { control } = world.exchange;
      const earlier = control.place({ ...BOT, amount: 3 });
      await world.clock.advance(1000);
      const { said } = await place(world, intentOf("1 @ 1000"), {
        fault: { effect: "skipped", response: "none" },
        meanwhile: () => {
          if (isEarlierFilled) control.fill(earlier.order_id);
          control.place(BOT);
        },
      });
      assert.match(said[1] ?? "", /others have used this label: \S+ \(buy 1 @ 1000\)\./);
    }
  });

  test("is not taken for an earlier one of its label that trades later", async () => {
    const world = await aWorld();
    const { control } = world.exchange;
    const earlier = control.place(BOT);
    await world.clock.advance(1000);
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { effect: "skipped", response: "none" },
      meanwhile: () => {
        control.fill(earlier.order_id);
        control.disconnectAll();
      },
    });
    assert.match(said[1] ?? "", /not placed/);
  });

  test("of a request file with its own deadline is never said to be not placed because the computer slept", async () => {
    const read = async (fault: Fault, meanwhile: (world: World) => void): Promise<string> => {
      const world = await aWorld();
      const params = { instrument_name: INSTRUMENT, amount: 1, price: 1000, type: "limit", label: "rpc-1" };
      const paramsText = JSON.stringify({ ...params, valid_until: world.clock.now() + 10_000 });
      const { words } = intentOf("1 @ 1000");
      const intent: Intent = { method: "private/buy", paramsText, words, origin: "requestFile" };
      const { said } = await place(world, intent, {
        fault,
        meanwhile: () => {
          meanwhile(world);
          world.exchange.control.disconnectAll();
        },
      });
      return said[1] ?? "";
    };
    const lost = { response: "none" } as const;
    const never = { ...lost, effect: "skipped" } as const;
    const sleep = ({ clock }: World): void => clock.sleep(HOUR_MS, "stops");
    assert.match(await read(never, sleep), /not placed/);
    assert.match(
      await read(lost, sleep),
      /still unknown at T: An order with its label is listed, but the computer slept or its clock was set meanwhile: it may be earlier: \S+ \(buy 1 @ 1000\)\./,
    );
  });

  test("is not taken for one of its label with other terms", async () => {
    const world = await aWorld();
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { effect: "skipped", response: "none" },
      meanwhile: () =>
        void world.exchange.control.place({
          instrument_name: INSTRUMENT,
          direction: "buy",
          amount: 2,
          price: 1000,
          label: "rpc-1",
        }),
    });
    assert.match(
      said[1] ?? "",
      /An order with its label has other terms: \S+ \(buy 2 @ 1000\), amount is 2 \(requested: 1\), post_only is false/,
    );
  });

  test("is told from one without a label that trades at the same time", async () => {
    const world = await aWorld();
    const { control } = world.exchange;
    const other = control.place({ ...BOT, label: "" });
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { response: "none" },
      meanwhile: () => void control.fill(other.order_id),
    });
    assert.match(said[1] ?? "", /placed as order ETH-\d+, which is open \(0 of 1 filled\)\.$/);
  });

  test("isn't taken for one of its label that has another flag, which is told", async () => {
    const world = await aWorld();
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { effect: "skipped", response: "none" },
      meanwhile: () => void world.exchange.control.place({ ...BOT, reject_post_only: false }),
    });
    assert.match(
      said[1] ?? "",
      /An order with its label has other terms: \S+ \(buy 1 @ 1000\), reject_post_only is false \(requested: true\)\./,
    );
  });

  test("that has a generated label is found whatever terms it has, which are told", async () => {
    const world = await aWorld();
    const label = "rpc-0123456789abcdef";
    const { said } = await place(world, intentOf("1 @ 1000", label), {
      fault: { effect: "skipped", response: "none" },
      meanwhile: () => void world.exchange.control.place({ ...BOT, amount: 2, price: 990, label }),
    });
    assert.match(
      said[1] ?? "",
      /placed as order \S+, which is open \(0 of 2 filled\), but not as requested: amount is 2 \(requested: 1\), price is 990 /,
    );
  });

  test("that was filled before the first read is found among the ended orders", async () => {
    const world = await aWorld();
    const { said } = await place(world, intentOf("1 @ 1000"), {
      fault: { response: "none" },
      meanwhile: () => {
        const [order] = world.exchange.control.openOrders().filter(({ label }) => label === "rpc-1");
        world.exchange.control.fill(order?.order_id ?? "");
      },
    });
    assert.match(said[1] ?? "", /placed as order ETH-\d+, which is filled \(1 of 1 filled\)\.$/);
  });

  test("whose response names another order, or none, is not believed", async () => {
    const world = await aWorld();
    for (const mutate of [
      { how: "set", member: "order", value: { order_id: "ETH-1", order_state: "open", label: "other" } },
      { how: "drop", member: "order" },
    ] as const) {
      const { outcome, said } = await place(world, intentOf("1 @ 1000", `rpc-${mutate.how}`), {
        fault: { mutate },
      });
      assert.equal(outcome.kind, "unknown");
      assert.match(said[1] ?? "", /placed as order/);
    }
  });

  test("that the exchange makes smaller, or ends at once, is not said to be as requested", async () => {
    const world = await aWorld();
    const order = { order_id: "ETH-1", label: "rpc-1", instrument_name: INSTRUMENT, direction: "buy", amount: 0.5 };
    const { outcome, said } = await place(world, intentOf("1 @ 1000"), {
      fault: { mutate: { how: "set", member: "order", value: { ...order, order_state: "cancelled" } } },
    });
    assert.equal(outcome.kind, "confirmedOther");
    assert.match(said[0] ?? "", /order ETH-1 is cancelled, amount is 0\.5 \(requested: 1\)/);
    const traded = { ...order, amount: 1, filled_amount: 0.3, order_state: "cancelled" };
    const partly = await place(world, intentOf("1 @ 1000 ioc"), {
      fault: { mutate: { how: "set", member: "order", value: traded } },
    });
    assert.match(partly.said[0] ?? "", /placed as order ETH-1, which is cancelled\. 0\.3 of 1 filled\.$/);
  });

  test("doubled responses and doubled clicks place one order", async () => {
    const world = await aWorld();
    const intent = intentOf("1 @ 1000");
    world.exchange.control.setFault({ method: "private/buy", mutate: { how: "twice" } });
    const both = [world.live.gate.submit(intent), world.live.gate.submit(intent)];
    await world.clock.advance(MINUTE_MS);
    assert.deepEqual(
      (await Promise.all(both)).map(({ kind }) => kind),
      ["confirmed", "confirmed"],
    );
    assert.equal(ordersWith(world, "rpc-1"), 1);
  });

  test("on production, Enter shows the orders instead of placing one", async () => {
    const world = await aWorld({ declared: "production", answer: () => true });
    const allowed = world.live.gate.allowChanges();
    await world.clock.advance(1000);
    await allowed;
    const done = world.live.gate.submit(intentOf("1 @ 1000"));
    await world.clock.advance(1000);
    await done;
    const question = world.questions.at(-1);
    assert.ok(question?.kind === "modal");
    assert.equal(question.show, "Show Orders");
    assert.match(question.message, /^Buy 1 ETH-PERPETUAL @ 1000 on PRODUCTION lab\?$/);
    assert.match(
      question.detail,
      /Label: rpc-1\nThe exchange refuses the order if it arrives more than 8 s after you confirm\.$/,
    );
  });
});
