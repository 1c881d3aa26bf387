import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../../src/base/failure.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import type { LiveConnections } from "../../../../src/actions/connection/liveConnections.ts";
import {
  createPlacingCommands,
  type PlacingCommandsPorts,
  closeByHand,
  placeByHand,
  type PlacingPorts,
} from "../../../../src/ui/placing/placing.ts";
import type { Dialogs } from "../../../../src/ui/editor/dialogs.ts";
import type { World, WorldOptions } from "../../../world.ts";
import { LEAVE } from "../scriptedDialogs.ts";
import { aHand } from "./hand.ts";

/* From the first question to the exchange, against the simulator. */

const NAME = "ETH-PERPETUAL";

/** Numbers of which a program that reads and writes them would change a digit, and those with eight decimals. */
const DIGITS = ["0.12345678", "98765.43210000", "0.30000000000000004", "0.1", "0.2", "1e-8", "9007199254740993"];
/** The digits as they are shown, where they are long. */
const SHOWN: Readonly<Record<string, string>> = {
  "98765.43210000": "98\u202F765.43210000",
  "9007199254740993": "9\u202F007\u202F199\u202F254\u202F740\u202F993",
};

const place =
  (world: World, instrument = NAME) =>
  async (ports: PlacingPorts): Promise<void> =>
    await placeByHand({ connections: [world.live], start: { live: world.live, instrument } }, "view", ports);

const close =
  (world: World, purpose: "close" | "reduce" = "close", name = NAME) =>
  async (ports: PlacingPorts): Promise<void> =>
    await closeByHand({ live: world.live, name }, { purpose, origin: "view" }, ports);

function lastQuestion(world: World): { readonly message: string; readonly detail: string } {
  const question = world.questions.at(-1);
  return { message: question?.message ?? "", detail: question?.kind === "modal" ? question.detail : "" };
}

function frameOf(world: World, method: string): Readonly<Record<string, unknown>> {
  const [frame, ...others] = world.frames(method);
  assert.equal(others.length, 0);
  return (JSON.parse(frame ?? "{}") as { readonly params: Readonly<Record<string, unknown>> }).params;
}

/** A position in the form in which the exchange sends that of a linear future. */
const linearPosition = (members: Record<string, string | number>): Record<string, string | number> => ({
  instrument_name: "SOL_USDC-PERPETUAL",
  ...{ kind: "future", direction: "buy", size: 1420.3, size_currency: 10, average_price: 139.5, mark_price: 142.03 },
  ...{ index_price: 142.1, delta: 10, leverage: 25, estimated_liquidation_price: -1, ...members },
});

/** Dialogs that note what stands below the label of each choice. */
const withDetails = (dialogs: Dialogs, details: unknown[]): Dialogs => ({
  ...dialogs,
  async askChoice(step) {
    details.push(...step.choices.flatMap((each) => ("value" in each ? [each.description, each.detail] : [])));
    return await dialogs.askChoice(step);
  },
});

const askedLimit: WorldOptions["askLimit"] = async () =>
  await Promise.resolve({ largestOrderUsd: 5000, totalUsd: 50_000 });

const refusedWith =
  (reason: RegExp) =>
  (error: unknown): boolean =>
    error instanceof CallError && error.failure.kind === "refused" && reason.test(error.failure.reason);

describe("Place Order", () => {
  test("on read-only production asks for both permissions before the first step, and then places what was entered", async () => {
    const { world, said, run } = await aHand({
      declared: "production",
      largestOrderUsd: "notAllowed",
      askLimit: askedLimit,
    });
    const shown = await run(place(world), ["Buy", "type 2 @ 1000", "Buy 2"]);
    assert.match(world.questions[0]?.message ?? "", /^Allow changes on PRODUCTION lab for 30 minutes\?$/);
    assert.match(shown[0] ?? "", /Buy or sell\?/);
    assert.match(said[0] ?? "", /placed as order/);
    world.live.dispose();
  });

  test("on read-only production without changes allowed asks nothing more, for every command that trades", async () => {
    const { world, run } = await aHand({ declared: "production", answer: () => false });
    assert.deepEqual(await run(place(world), []), []);
    assert.deepEqual(await run(close(world), []), []);
    assert.deepEqual(
      world.questions.map(({ message }) => message),
      Array.from({ length: 2 }, () => "Allow changes on PRODUCTION lab for 30 minutes?"),
    );
    world.live.dispose();
  });

  test("refused by the exchange, Try Again… goes on at the line with what was typed", async () => {
    const { world, said, run } = await aHand({}, 1);
    world.exchange.control.setFault({ method: "private/buy", response: { code: 10009 } });
    const options = ["$(settings)", "label", "mine", "$(check)"];
    const shown = await run(place(world), [
      "Buy",
      "type 2.0 @ 1000",
      ...options,
      "Buy 2.0",
      "type 3.0 @ 1000",
      "Buy 3",
    ]);
    assert.match(said[0] ?? "", /refused by the exchange/);
    assert.match(shown.at(-2) ?? "", /^Buy ETH-PERPETUAL on .* 2\/2: .*<Buy 2\.0 ETH-PERPETUAL @ 1000 \|/);
    assert.match(said[1] ?? "", /placed as order/);
    assert.deepEqual(
      world.frames("private/buy").map((each) => /"label":"(\w+)"/.exec(each)?.[1]),
      ["mine", "mine"],
    );
    world.live.dispose();
  });

  test("is confirmed with what the server says, and goes out as it was confirmed", async () => {
    const { world, said, run } = await aHand();
    const shown = await run(place(world), ["Buy", LEAVE]);
    const bid = Number(/bid ([\d.]+)/.exec(shown[1] ?? "")?.[1]).toFixed(4);
    await run(place(world), ["Buy", `type 2.0 @ ${bid}`, "Buy 2.0"]);
    const { message, detail } = lastQuestion(world);
    assert.equal(message, `Buy 2.0 ETH-PERPETUAL @ ${bid} on SIMULATOR lab?`);
    assert.match(
      detail,
      /^limit · good_til_cancelled · post-only, rejected if it would trade at once\nOrder margin: [\d.]+ ETH \(private\/get_margins\)\nFee: /,
    );
    assert.match(detail, /\nPrice band: [\d.]+ to [\d.]+ \(private\/get_margins\)\n/);
    assert.match(
      detail,
      /\nIf filled completely: initial margin [\d.]+, .* ETH \(private\/simulate_portfolio\)\nLabel: rpc-[0-9a-f]{16}\n/,
    );
    const params = frameOf(world, "private/buy");
    assert.match(detail, new RegExp(`Label: ${String(params["label"])}\n`));
    assert.equal(params["post_only"], true);
    assert.ok((world.frames("private/buy")[0] ?? "").includes(`"amount":2.0,"type":"limit","price":${bid},`));
    assert.match(said[0] ?? "", /placed as order ETH-\d+, which is open\. 0 of 2 filled\.$/);
    world.live.dispose();
  });

  test("a price out of the server's band has to be typed where the exchange would not take it", async () => {
    const { world, run } = await aHand();
    await run(place(world), ["Buy", "type 1 @ 900000", "Buy 1"]);
    const typed = world.questions.at(-1);
    assert.ok(typed?.kind === "typed");
    assert.equal(typed.expected, "900000");
    await run(place(world), ["Sell", "type 1 @ 900000", "Sell 1"]);
    assert.equal(world.questions.at(-1)?.kind, "modal");
    world.live.dispose();
  });

  test("the list of instruments has recent ones first, then those with a position, each with position and last price", async () => {
    const { world, run } = await aHand();
    const rows: string[] = [];
    await run(
      async (ports) =>
        await placeByHand({ connections: [world.live], start: undefined }, "palette", {
          ...ports,
          recent: { of: () => ["ETH_USDC-PERPETUAL"], add: async () => await Promise.resolve() },
          dialogs: {
            ...ports.dialogs,
            askList: async (step) =>
              await ports.dialogs.askList({
                ...step,
                rows(typed) {
                  const shown = step.rows(typed);
                  rows.splice(
                    0,
                    Infinity,
                    ...shown.map((row) =>
                      "heading" in row ? `-- ${row.heading}` : `${row.label}: ${row.description ?? ""}`,
                    ),
                  );
                  return shown;
                },
              }),
          },
        }),
      [LEAVE],
    );
    const { control } = world.exchange;
    assert.equal(rows[0], "-- recent");
    assert.match(rows[1] ?? "", /^ETH_USDC-PERPETUAL: last \S+ · future$/);
    assert.equal(rows[2], "-- with a position");
    const held = rows.slice(3, rows.indexOf("-- tradable"));
    assert.ok(
      held.some((row) => /^BTC-PERPETUAL: (long|short) [\d.\u202F]+ USD · last [\d.\u202F]+ · future$/.test(row)),
      held.join("\n"),
    );
    for (const row of held) assert.notEqual(control.position(row.split(":")[0] ?? ""), 0, row);
    world.live.dispose();
  });

  test("a market order is confirmed with its average and worst price by the book", async () => {
    const { world, said, run } = await aHand();
    await run(place(world), ["Buy", "type 2 @ market", "Buy 2"]);
    const { message, detail } = lastQuestion(world);
    assert.equal(message, "Buy 2 ETH-PERPETUAL @ market on SIMULATOR lab?");
    assert.match(detail, /^market\nAverage price [\d.]+, worst price [\d.]+ \(public\/get_order_book\)\n/);
    assert.match(said[0] ?? "", /placed as order ETH-\d+, which is filled\. 2 of 2 filled\.$/);
    world.live.dispose();
  });

  test("a market order is refused if the other side of the book is empty: no confirmation is shown, and nothing is sent", async () => {
    const { world, run } = await aHand();
    const book = { how: "result", value: { bids: [[1, 1]], asks: [] } } as const;
    world.exchange.control.setFault({ method: "public/get_order_book", mutate: book });
    await assert.rejects(
      run(place(world), ["Buy", "type 2 @ market", "Buy 2"]),
      (error) =>
        error instanceof CallError &&
        error.failure.kind === "refused" &&
        error.failure.reason ===
          "The other side of the book of ETH-PERPETUAL on SIMULATOR lab is empty, so a market order would not trade.",
    );
    assert.deepEqual([world.questions, world.frames("private/buy")], [[], []]);
    world.live.dispose();
  });

  for (const digits of DIGITS)
    test(`digits: ${digits} as amount, price, trigger price, and display amount is sent byte for byte as it was typed`, async () => {
      const shownDigits = SHOWN[digits] ?? digits;
      const { world, run } = await aHand();
      // Nothing is known of its steps, so that every number is accepted here.
      await run(place(world, "NEW-PERPETUAL"), [
        ...["Sell", `type ${digits} @ ${digits}`, "$(settings)", "type", "stop_limit", "trigger", "mark_price"],
        ...["trigger_price", digits, "display_amount", digits, "$(check)", `Sell ${digits}`],
      ]);
      assert.equal(lastQuestion(world).message, `Sell ${shownDigits} NEW-PERPETUAL @ ${shownDigits} on SIMULATOR lab?`);
      const [frame = "", ...others] = world.frames("private/sell");
      assert.deepEqual(others, []);
      assert.deepEqual(
        [...frame.matchAll(/"(amount|price|trigger_price|display_amount)":([^,]*)/g)].map(([, ...each]) => each),
        ["amount", "price", "trigger_price", "display_amount"].map((name) => [name, digits]),
      );
      world.live.dispose();
    });

  test("a sum is not a number: 0.1 + 0.2 is refused where it was typed", async () => {
    const { world, run } = await aHand();
    const shown = await run(place(world), ["Buy", "type 0.1 + 0.2 @ 1000", "$(warning)", LEAVE]);
    assert.ok(shown.some((each) => each.includes("At + (character 5): Enter @ between the amount and the price.")));
    assert.deepEqual(world.frames("private/buy"), []);
    world.live.dispose();
  });

  test("a server without the methods is shown without figures, and the order goes out all the same", async () => {
    const { world, said, run } = await aHand();
    for (const method of ["private/get_margins", "private/simulate_portfolio", "public/ticker"])
      world.exchange.control.setFault({ method, response: { code: -32601 }, times: 9 });
    const shown = await run(place(world), ["Buy", "type 2 @ 1000", "Buy 2"]);
    assert.match(shown[1] ?? "", /no prices from this server/);
    const { detail } = lastQuestion(world);
    assert.equal(/\d/.test(detail.replace(/Label: .*|more than 8 s/g, "")), false);
    assert.match(said[0] ?? "", /placed as order/);
    world.live.dispose();
  });

  test("without the time of the exchange there is no deadline, and nothing is sent", async () => {
    const { world, said, run } = await aHand();
    world.exchange.control.setFault({ method: "public/get_time", response: { code: -32601 }, times: 9 });
    await run(place(world), ["Buy", "type 2 @ 1000", "Buy 2"]);
    assert.match(said.join("\n"), /Not sent to SIMULATOR lab.*The exchange's time couldn't be read/);
    assert.deepEqual(world.frames("private/buy"), []);
    world.live.dispose();
  });

  test("declined or opened as a request, nothing is sent", async () => {
    const { world, opened, run } = await aHand({ answer: () => false });
    await run(place(world), ["Buy", "type 2 @ 1000", "Buy 2"]);
    await run(place(world), ["Sell", "type 2.50 @ 1000.00", "$(go-to-file)"]);
    assert.deepEqual([world.frames("private/buy"), world.frames("private/sell")], [[], []]);
    assert.match(opened[0] ?? "", /"method": "private\/sell",[^]*"amount": 2\.50,[^]*"price": 1000\.00,/);
    world.live.dispose();
  });
});

describe("Close Position and Reduce Position", () => {
  const sizeOf = (world: World): number => world.exchange.control.position(NAME);

  test("takes the size that is read now, at the best price of the other side, and only reduces", async () => {
    const { world, said, run } = await aHand();
    const size = sizeOf(world);
    assert.notEqual(size, 0);
    const shown = await run(close(world), ["Limit at the Best"]);
    assert.match(shown[0] ?? "", /^Close ETH-PERPETUAL on SIMULATOR lab/);
    const method = size > 0 ? "private/sell" : "private/buy";
    const { reduce_only, post_only, amount, type, label } = frameOf(world, method);
    assert.deepEqual([reduce_only, post_only, amount, type], [true, undefined, Math.abs(size), "limit"]);
    assert.match(String(label), /^rpc-/);
    assert.match(lastQuestion(world).message, /to close the position on SIMULATOR lab\?$/);
    assert.equal(world.frames("private/close_position").length, 0);
    assert.equal(said.length, 1);
    world.live.dispose();
  });

  test("a market order is shown with its average, on the decimals of the tick, its worst price, and what the book lacks, each whole in its row", async () => {
    const { world, run } = await aHand();
    const size = String(Math.abs(sizeOf(world)));
    const method = sizeOf(world) > 0 ? "private/sell" : "private/buy";
    const side = [
      [2000.15, 7],
      [2000.2, 9],
      [2000.35, 3],
    ];
    world.exchange.control.setFault({
      method: "public/get_order_book",
      mutate: { how: "result", value: { bids: side, asks: side } as never },
    });
    const details: unknown[] = [];
    const shown = await run(
      async (ports) => await close(world)({ ...ports, dialogs: withDetails(ports.dialogs, details) }),
      ["Market", "Use a Market Order"],
    );
    assert.match(shown[1] ?? "", /: Use a market order\? <Select Another Price \| Use a Market Order>$/);
    assert.deepEqual(details.slice(-2), [
      "Average price 2000.2, worst price 2000.35 (public/get_order_book)",
      `$(warning) The book offers only 19 of ${size.replace(/(?=\d{3}$)/, "\u202F")} (public/get_order_book).`,
    ]);
    assert.match(lastQuestion(world).detail, /Average price [\d.]+, worst price [\d.]+ \(public\/get_order_book\)/);
    assert.equal(frameOf(world, method)["type"], "market");
    assert.equal(frameOf(world, method)["reduce_only"], true);
    world.live.dispose();
  });

  test("if the other side of the book is empty, no market order is offered", async () => {
    const { world, run } = await aHand();
    world.exchange.control.setFault({
      method: "public/get_order_book",
      mutate: { how: "result", value: { bids: [], asks: [] } },
    });
    const details: unknown[] = [];
    const shown = await run(
      async (ports) => await close(world)({ ...ports, dialogs: withDetails(ports.dialogs, details) }),
      ["Market", "Select Another Price", LEAVE],
    );
    assert.match(shown[1] ?? "", /: Use a market order\? <Select Another Price>$/);
    assert.ok(details.includes("$(warning) The other side of the book is empty, so a market order would not trade."));
    world.live.dispose();
  });

  test("reduces by what was typed, and by no more than there is", async () => {
    const { world, run } = await aHand();
    const size = Math.abs(sizeOf(world));
    const method = sizeOf(world) > 0 ? "private/sell" : "private/buy";
    const shown = await run(close(world, "reduce"), [
      String(size + 1),
      "0",
      "1.0",
      "Limit at Another",
      "1,5",
      "2000.0",
    ]);
    assert.ok(
      shown.includes(`refused: The position has only ${String(size).replace(/(?=\d{3}$)/, "\u202F")} USD.`),
      shown.join("\n"),
    );
    assert.match(world.frames(method)[0] ?? "", /"amount":1\.0,"type":"limit","price":2000\.0,/);
    assert.match(lastQuestion(world).message, /1\.0 ETH-PERPETUAL @ 2000\.0 to reduce the position/);
    world.live.dispose();
  });

  const LINEAR = "SOL_USDC-PERPETUAL";

  test("a linear future is closed with its coins: the value, which is its size, moves with the mark", async () => {
    const { world, run } = await aHand();
    world.exchange.control.setFault({
      method: "private/get_position",
      mutate: { how: "result", value: linearPosition({ size: 17_043.6075, size_currency: 120 }) },
    });
    const shown = await run(close(world, "close", LINEAR), ["Limit at the Best"]);
    assert.match(
      shown[0] ?? "",
      /^Close SOL_USDC-PERPETUAL on SIMULATOR lab 1\/1: Sell 120 SOL · SOL_USDC-PERPETUAL · /,
    );
    assert.equal(frameOf(world, "private/sell")["amount"], 120);
    assert.match(lastQuestion(world).message, /^Sell 120 SOL_USDC-PERPETUAL @ [\d.]+ to close the position/);
    world.live.dispose();
  });

  test("a linear future is reduced by coins, and by no more of them than there are", async () => {
    const { world, run } = await aHand();
    world.exchange.control.setFault({
      method: "private/get_position",
      mutate: { how: "result", value: linearPosition({ direction: "sell", size: -998.2, size_currency: -7.1 }) },
    });
    const shown = await run(close(world, "reduce", LINEAR), ["7.2", "0.3", "Limit at the Best"]);
    assert.match(shown[0] ?? "", /Amount by which to reduce the position of 7\.1 SOL \[\]$/);
    assert.ok(shown.includes("refused: The position has only 7.1 SOL."), shown.join("\n"));
    assert.equal(frameOf(world, "private/buy")["amount"], 0.3);
    world.live.dispose();
  });

  test("a linear future whose coins are not reported is not closed: nothing is divided by a price", async () => {
    for (const purpose of ["close", "reduce"] as const) {
      const { world, run } = await aHand();
      const { size_currency: _, ...value } = linearPosition({});
      world.exchange.control.setFault({ method: "private/get_position", mutate: { how: "result", value } });
      await assert.rejects(
        run(close(world, purpose, LINEAR), []),
        refusedWith(/The exchange reports no size in SOL\.$/),
      );
      assert.deepEqual([world.questions, world.frames("private/sell")], [[], []]);
      world.live.dispose();
    }
  });

  test("a future is not closed where nothing tells what its orders count", async () => {
    const { world, run } = await aHand();
    world.exchange.control.setFault({ method: "public/get_instruments", response: { code: -32601 }, times: 9 });
    await assert.rejects(run(close(world), []), refusedWith(/The currency that its orders count is unknown\.$/));
    assert.deepEqual(world.questions, []);
    world.live.dispose();
  });

  test("the position in another instrument is not believed", async () => {
    const { world, run } = await aHand();
    const mutate = { how: "result", value: linearPosition({}) } as const;
    world.exchange.control.setFault({ method: "private/get_position", mutate });
    await assert.rejects(run(close(world), []), refusedWith(/can't be read/));
    world.live.dispose();
  });

  test("the choice of a position has those alone that can be closed, and the refusal of a row says why", async () => {
    const { size_currency: _, ...unsized } = linearPosition({});
    const rows = [
      unsized,
      { instrument_name: "BTC-PERPETUAL", kind: "future", direction: "buy", size: 45_000, size_currency: 0.5 },
    ];
    const { world, run } = await aHand();
    world.exchange.control.setFault({
      method: "private/get_positions",
      mutate: { how: "result", value: rows },
      times: 99,
    });
    world.exchange.control.setFault({
      method: "private/get_position",
      mutate: { how: "result", value: unsized },
    });
    const commands = (ports: PlacingPorts): ReturnType<typeof createPlacingCommands> =>
      createPlacingCommands({
        ...ports,
        times: createTimes(0),
        liveConnections: { all: [world.live] } as unknown as LiveConnections,
        orders: { find: () => undefined },
        positions: {
          find: () => [{ live: world.live, item: unsized }],
        } as unknown as PlacingCommandsPorts["positions"],
      });
    for (const purpose of ["close", "reduce"] as const) {
      const shown = await run(
        async (ports) => void (await commands(ports)[`tradingRpc.position.${purpose}`]?.()),
        [LEAVE],
      );
      assert.match(shown[0] ?? "", /<BTC-PERPETUAL long 45\u202F000 USD>$/);
    }
    await assert.rejects(
      run(async (ports) => void (await commands(ports)["tradingRpc.position.close"]?.("row", undefined)), []),
      refusedWith(/^The position in SOL_USDC-PERPETUAL on SIMULATOR lab can't be closed or reduced from here\. /),
    );
    world.live.dispose();
  });

  test("an option is closed with its coins", async () => {
    const { world, run } = await aHand();
    const shown = await run(close(world, "close", "BTC-26MAR27-96000-C"), ["Limit at the Best"]);
    assert.match(shown[0] ?? "", /: Sell 2\.5 BTC · BTC-26MAR27-96000-C · /);
    assert.equal(frameOf(world, "private/sell")["amount"], 2.5);
    world.live.dispose();
  });

  test("1,000 ticks of the mark while the confirmation is open ask and change nothing", async () => {
    const answer = async (): Promise<boolean> => {
      const values = new Set<unknown>();
      for (let tick = 0; tick < 1000; tick++) {
        await world.clock.advance(100);
        values.add(world.live.positions.snapshot.items.get(LINEAR)?.size);
      }
      moved = values.size;
      return true;
    };
    let moved = 0;
    const { world, run, said } = await aHand({ answer, still: false });
    world.live.positions.setVisible(true);
    await run(close(world, "close", LINEAR), ["Limit at the Best"]);
    assert.ok(moved > 15, `the value of the position moved ${moved} times`);
    assert.deepEqual([world.questions.length, world.frames("private/get_position").length], [1, 1]);
    assert.equal(frameOf(world, "private/sell")["amount"], 120);
    assert.equal(said.length, 1);
    world.live.dispose();
  });

  test("without a position, or where it cannot be read, nothing is asked", async () => {
    const { world, run } = await aHand();
    world.exchange.control.setFault({
      method: "private/get_position",
      mutate: { how: "set", member: "size", value: 0 },
    });
    await assert.rejects(run(close(world), []), /refused/);
    world.exchange.control.setFault({ method: "private/get_position", response: { code: -32601 } });
    await assert.rejects(run(close(world), []), /refused/);
    assert.deepEqual(world.questions, []);
    world.live.dispose();
  });
});
