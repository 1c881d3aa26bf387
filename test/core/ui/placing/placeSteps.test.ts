import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { orderRequestText, placeTypedOrder } from "../../../../src/actions/changes/placeOrder.ts";
import { plain } from "../../../../src/base/plain.ts";
import { askOrder, type AskedOrder, type PlaceStepsPorts } from "../../../../src/ui/placing/placeSteps.ts";
import { createWorld, type World, type WorldOptions } from "../../../world.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

const NAME = "ETH-PERPETUAL";
const PRICES = { bid: 1999.5, ask: 2000, mark: 1999.77, readAtMs: 0 };

async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  const loading = world.live.instruments.load();
  await world.clock.advance(1000);
  await loading;
  return world;
}

interface Asked {
  readonly result: AskedOrder | undefined;
  readonly shown: readonly string[];
}

async function asked(
  world: World,
  answers: readonly ScriptedAnswer[],
  ports: Partial<PlaceStepsPorts> = {},
): Promise<Asked> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const result = await askOrder({
    ...{ dialogs, connections: [world.live], start: { live: world.live, instrument: NAME } },
    askInstrument: async (frame) => await dialogs.askText({ ...frame, prompt: plain`instrument`, value: "" }),
    instrumentOf: async (live, name) =>
      await Promise.resolve(live.instruments.snapshot.items.find((each) => each.name === name)),
    mayTrade: async () => await Promise.resolve(true),
    readPrices: async () => await Promise.resolve(PRICES),
    monotonicMs: () => 3000,
    ...ports,
  });
  done();
  return { result, shown };
}

const ORDER = "Buy ";

describe("the steps of Place Order", () => {
  test("begin where the connection may trade, and nowhere else", async () => {
    const world = await aWorld();
    const declined = await asked(world, [], { mayTrade: async () => await Promise.resolve(false) });
    assert.deepEqual([declined.result, declined.shown], [undefined, []]);
    world.live.dispose();
  });

  test("from a row: the side, and one line with prices, steps, and their age above it", async () => {
    const world = await aWorld();
    const typed = await asked(world, ["Buy", "type 3.0 @ 1999.50 ioc", "Buy 3.0 ETH-PERPETUAL @ 1999.50"]);
    assert.equal(typed.result?.kind, "order");
    assert.deepEqual(typed.result.draft.line, { amount: "3.0", price: "1999.50", timing: "ioc", isReduceOnly: false });
    assert.match(
      typed.shown[0] ?? "",
      /^Place Order in ETH-PERPETUAL on SIMULATOR lab · bid 1999\.5 · .* 1\/2: Buy or sell\? Select one, or enter the whole order: buy amount @ price <\$\(warning\) Select a side\. Nothing is selected yet\. \| -- bid .* \| Buy \| Sell>$/,
    );
    assert.match(
      typed.shown[1] ?? "",
      /^Buy ETH-PERPETUAL on SIMULATOR lab · bid 1999\.5 · ask 2000 · mark 1999\.77 · tick [\d.]+ · minimum \d+ · 3 s ago 2\/2: amount @ price/,
    );
    world.live.dispose();
  });

  test("the side has no default: Enter on the first choice asks again", async () => {
    const world = await aWorld();
    const { result, shown } = await asked(world, ["$(warning) Select a side", "Sell", LEAVE]);
    assert.equal(result, undefined);
    assert.match(shown[1] ?? "", /^refused: /);
    world.live.dispose();
  });

  test("a side in the line saves the step of the side; the side alone leads to it", async () => {
    const world = await aWorld();
    const { result, shown } = await asked(world, ["type buy 3.0 @ 1999.50 gtc taker", "Buy 3.0 ETH-PERPETUAL"]);
    assert.equal(shown.filter((each) => each.startsWith("Place Order")).length, 1);
    assert.equal(shown.length, 2);
    assert.deepEqual([result?.kind, result?.draft.side], ["order", "buy"]);
    const intent = placeTypedOrder(result?.draft ?? assert.fail(), {
      ...{ origin: "view", label: "l", knownIds: [], preview: [], isOutOfBand: false },
    });
    assert.equal(
      intent.paramsText,
      '{"instrument_name":"ETH-PERPETUAL","amount":3.0,"type":"limit","price":1999.50,"time_in_force":"good_til_cancelled","label":"l"}',
    );
    const alone = await asked(world, ["type sell", "", LEAVE]);
    assert.match(alone.shown[1] ?? "", /^refused: <Sell, then enter amount @ price \| /);
    world.live.dispose();
  });

  test("a line of the other side, or without one where it is asked, is not taken, and says why", async () => {
    const world = await aWorld();
    const { shown } = await asked(world, ["type 3 @ 1999.5", "$(warning)", "Buy", "type sell 3 @ 2000", LEAVE]);
    assert.match(shown[1] ?? "", /^refused: <\$\(warning\) Begin with buy or sell, or select a side below\. \|/);
    assert.match(
      shown.at(-1) ?? "",
      /^refused: <\$\(warning\) This order buys\. Go back to select the other side\. \|/,
    );
    world.live.dispose();
  });

  test("a buy above the band's maximum and a sell below its minimum are marked while they are typed", async () => {
    const world = await aWorld();
    const details: string[] = [];
    const { dialogs } = scriptedDialogs("type buy 1 @ 2100.05", "type sell 1 @ 1899.95", "type buy 1 @ 1899.95", LEAVE);
    await asked(world, [], {
      dialogs: {
        ...dialogs,
        askList: async (step) =>
          await dialogs.askList({
            ...step,
            rows(typed) {
              const rows = step.rows(typed);
              details.push(...rows.flatMap((row) => ("value" in row ? (row.detail ?? []) : [])).slice(0, 1));
              return rows;
            },
          }),
      },
      readPrices: async () => await Promise.resolve({ ...PRICES, band: { min: 1900, max: 2100 } }),
    });
    const terms = "limit · good_til_cancelled · post-only, rejected if it would trade at once";
    assert.deepEqual(details, [
      `$(warning) The price is above the maximum for buy orders. The exchange lowers it to 2100, or refuses the order (10007). · ${terms}`,
      `$(warning) The price is below the minimum for sell orders. The exchange raises it to 1900, or refuses the order (10005 or 10006). · ${terms}`,
      terms,
    ]);
    world.live.dispose();
  });

  test("elsewhere than on production the least order at the best price of its side is filled in", async () => {
    const world = await aWorld();
    const { result, shown } = await asked(world, ["Sell", BACK, "Buy", ORDER]);
    assert.match(shown[1] ?? "", /<Sell 1 ETH-PERPETUAL @ 2000 \|/);
    assert.equal(result?.draft.line.price, "1999.5");
    world.live.dispose();
  });

  test("from a trade its price is filled in, and stands above the line", async () => {
    const world = await aWorld();
    const start = { live: world.live, instrument: NAME, price: 1987.65 };
    const { result, shown } = await asked(world, ["Sell", BACK, "Buy", ORDER], { start });
    assert.match(shown[1] ?? "", / · trade 1987\.65 · bid 1999\.5 · .*<Sell 1 ETH-PERPETUAL @ 1987\.65 \|/);
    assert.equal(result?.draft.line.price, "1987.65");
    world.live.dispose();
  });

  test("on production the price of a trade is shown, and nothing is filled in", async () => {
    const world = await aWorld({ declared: "production" });
    const start = { live: world.live, instrument: NAME, price: 1987.65 };
    const { result, shown } = await asked(world, ["Buy", "", LEAVE], { start });
    assert.equal(result, undefined);
    assert.match(shown[1] ?? "", / · trade 1987\.65 · .*<\$\(warning\) Enter amount @ price/);
    world.live.dispose();
  });

  test("on production amount and price are empty, and Enter places nothing", async () => {
    const world = await aWorld({ declared: "production" });
    const { result, shown } = await asked(world, ["Buy", "", LEAVE]);
    assert.equal(result, undefined);
    assert.match(shown[1] ?? "", /<\$\(warning\) Enter amount @ price, for example 40 @ 2100\.5\. \|/);
    assert.match(shown[2] ?? "", /^refused: /);
    world.live.dispose();
  });

  test("a line that the exchange would not take is not accepted, and says why", async () => {
    const world = await aWorld();
    const { result, shown } = await asked(world, [
      "Buy",
      "type 1 @ 1999.51",
      "$(warning)",
      "type 1 @ 1,5",
      "$(warning)",
      LEAVE,
    ]);
    assert.equal(result, undefined);
    assert.ok(shown.some((each) => each.includes("isn't a multiple of the tick size")));
    assert.ok(shown.some((each) => each.includes("At 1,5 (character 5)")));
    world.live.dispose();
  });

  test("more options come back to the line with what was typed", async () => {
    const world = await aWorld();
    const { result } = await asked(world, [
      ...["Buy", "type 2 @ 1990", "$(settings)"],
      ...[
        "type",
        "stop_limit",
        "trigger",
        "mark_price",
        "trigger_price",
        "2001,5",
        "2001.50",
        "label",
        "x".repeat(65),
        "mine",
      ],
      ...["Post-Only", "$(check)", ORDER],
    ]);
    assert.deepEqual(result?.draft.options, {
      ...{ type: "stop_limit", trigger: "mark_price", trigger_price: "2001.50", label: "mine", isTaking: true },
    });
    assert.equal(result.draft.line.amount, "2");
    world.live.dispose();
  });

  test("Open as Request at the line, with what is known by then; before a side is chosen, nothing writes private/buy", async () => {
    const world = await aWorld();
    const production = await aWorld({ declared: "production" });
    const empty = await asked(production, ["Sell", "$(go-to-file)"], {
      start: { live: production.live, instrument: NAME },
    });
    assert.equal(empty.result?.kind, "request");
    const text = orderRequestText(empty.result.draft, undefined);
    assert.ok(text.includes("private/sell") && !text.includes("amount") && !text.includes('"price"'), text);
    production.live.dispose();
    const line = await asked(world, ["Sell", "type 2.50 @ 2100.0", "$(go-to-file)"]);
    assert.equal(line.result?.kind, "request");
    assert.match(
      orderRequestText(line.result.draft, undefined),
      /"method": "private\/sell",[^]*"amount": 2\.50,[^]*"price": 2100\.0,/,
    );
    world.live.dispose();
  });

  test("a server without public/ticker is worked with all the same", async () => {
    const world = await aWorld();
    const { result, shown } = await asked(world, ["Buy", "type 2 @ 1990", ORDER], {
      readPrices: async () => await Promise.resolve(undefined),
      instrumentOf: async () => await Promise.resolve(undefined),
    });
    assert.equal(result?.kind, "order");
    assert.match(shown[1] ?? "", /no prices from this server/);
    world.live.dispose();
  });

  test("from the Command Palette: the instrument first, and Back loses nothing", async () => {
    const world = await aWorld();
    const answers = ["BTC-PERPETUAL", BACK, NAME, "Buy", BACK, "Buy", ORDER];
    const { result } = await asked(world, answers, { start: undefined });
    assert.equal(result?.draft.instrument, NAME);
    const intent = placeTypedOrder(result.draft, {
      ...{ origin: "palette", label: "l", knownIds: [], preview: [], isOutOfBand: false },
    });
    assert.match(intent.paramsText, /^\{"instrument_name":"ETH-PERPETUAL","amount":1,"type":"limit","price":1999\.5,/);
    world.live.dispose();
  });
});
