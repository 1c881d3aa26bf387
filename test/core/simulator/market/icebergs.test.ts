import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { PERPETUAL, startTrader, type Params, type Trader, type WireOrder } from "../trader.ts";

/*
 * Iceberg orders. https://docs.deribit.com/changelogs/jsonrpc (release of 10 June 2025)
 * "Has to be at least 100 times minimum amount for instrument and ratio of hidden part vs visible part has to be less
 * than 100 as well": https://docs.deribit.com/api-reference/trading/private-buy. The smallest amount of the perpetual is
 * 10 USD.
 */

/** What an order shows now, and each time: `1000 of 1000`; `plain` where it has neither member. */
function shownOf(order: WireOrder): string {
  const { display_amount: shown, refresh_amount: each } = order;
  return shown === undefined && each === undefined ? "plain" : `${String(shown)} of ${String(each)}`;
}

/** The amount at a price, as the book tells it. */
async function amountAt({ client }: Trader, price: number): Promise<number | undefined> {
  const book = await client.result<{ bids: [number, number][] }>("public/get_order_book", {
    instrument_name: PERPETUAL,
    depth: 1000,
  });
  return book.bids.find(([each]) => each === price)?.[1];
}

const price = 90_000.5;

describe("an iceberg order", () => {
  test.for<[string, Params, string]>([
    ["shows a part", { amount: 5000, display_amount: 1000 }, "1000 of 1000"],
    ["by the former name", { amount: 5000, max_show: 2000 }, "2000 of 2000"],
    ["of which 0 is shown hides nothing", { amount: 5000, display_amount: 0 }, "plain"],
    ["that shows all of it is a plain order", { amount: 5000, display_amount: 5000 }, "plain"],
    ["that shows all of a small one as well", { amount: 50, display_amount: 50 }, "plain"],
    ["hides less than a hundred times what it shows", { amount: 100_990, display_amount: 1000 }, "1000 of 1000"],
    [
      "waits for a price",
      {
        ...{ amount: 5000, display_amount: 1000 },
        ...{ type: "stop_limit", price: 95_000, trigger: "mark_price", trigger_price: 94_000 },
      },
      "1000 of 1000",
    ],
  ])("that %s", async ([, params, expected]) => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", { price, ...params });
    assert.equal(shownOf(order), expected);
    const state = await trader.client.result<WireOrder>("private/get_order_state", { order_id: order.order_id });
    assert.equal(shownOf(state), expected);
  });

  test.for<[Params, string]>([
    [{ amount: 5000, display_amount: 10 }, "10036 invalid_max_show_amount 1000"],
    [{ amount: 5000, display_amount: 990 }, "10036 invalid_max_show_amount 1000"],
    [{ amount: 101_000, display_amount: 1000 }, "10036 invalid_max_show_amount 1010"],
    [{ amount: 5000, display_amount: -1000 }, "10036 invalid_max_show_amount"],
    [{ amount: 5000, display_amount: 1005 }, "10036 invalid_max_show_amount"],
    [{ amount: 5000, display_amount: 1000, type: "market", price: undefined }, "11047 unsupported_arg_combination"],
  ])("%o is refused: %s", async ([params, expected]) => {
    const trader = await startTrader();
    assert.equal(await trader.refused("private/buy", { instrument_name: PERPETUAL, price, ...params }), expected);
    assert.deepEqual(await trader.open(), []);
  });

  test("of 10,000 that shows 1,000 and has 9,500 filled shows 500, as the release has it", async () => {
    const trader = await startTrader();
    const { control } = trader.situation.exchange;
    const { order } = await trader.place("buy", { amount: 10_000, price, display_amount: 1000 });
    const fill = async (amount: number): Promise<string> => {
      control.fill(order.order_id, amount);
      const state = await trader.client.result<WireOrder>("private/get_order_state", { order_id: order.order_id });
      return `${String(state.filled_amount)}: ${shownOf(state)}, book ${String(await amountAt(trader, price))}`;
    };
    assert.equal(await amountAt(trader, price), 1000);
    assert.equal(await fill(300), "300: 700 of 1000, book 700");
    assert.equal(await fill(700), "1000: 1000 of 1000, book 1000");
    assert.equal(await fill(8500), "9500: 500 of 1000, book 500");
    assert.equal(await fill(500), "10000: 0 of 1000, book undefined");
  });

  test("shows its next part behind the others at its price", async () => {
    const trader = await startTrader();
    const { control } = trader.situation.exchange;
    const iceberg = await trader.place("buy", { amount: 3000, price, display_amount: 1000 });
    const plain = await trader.place("buy", { amount: 500, price });
    control.fill(iceberg.order.order_id, 1000);
    // The next ones are those of the plain order.
    control.fill(plain.order.order_id, 10);
    assert.equal(control.order(iceberg.order.order_id)?.filled_amount, 1000);
  });
});

describe("an edit", () => {
  const edited = async (given: Params, ...edits: readonly Params[]): Promise<string[]> => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", { price, ...given });
    const found: string[] = [];
    for (const edit of edits) {
      const { result, error } = await trader.client.call("private/edit", { order_id: order.order_id, ...edit });
      const shown = error === undefined ? shownOf((result as { order: WireOrder }).order) : String(error.code);
      found.push(`${shown}, book ${String(await amountAt(trader, price))}`);
    }
    return found;
  };

  test("makes a plain order an iceberg, and an iceberg a plain order", async () => {
    assert.deepEqual(
      await edited(
        { amount: 5000 },
        { amount: 5000, display_amount: 1000 },
        { amount: 5000, display_amount: 2000 },
        { amount: 5000, display_amount: 0 },
        { amount: 5000, max_show: 1000 },
      ),
      ["1000 of 1000, book 1000", "2000 of 2000, book 2000", "plain, book 5000", "1000 of 1000, book 1000"],
    );
  });

  test("without display_amount leaves it: less of the order is hidden first", async () => {
    assert.deepEqual(
      await edited({ amount: 5000, display_amount: 2000 }, { amount: 3000 }, { amount: 1500 }, { amount: 4000 }),
      ["2000 of 2000, book 2000", "1500 of 2000, book 1500", "2000 of 2000, book 2000"],
    );
  });

  test("is refused where too little would be shown, and changes nothing", async () => {
    assert.deepEqual(
      await edited(
        { amount: 5000, display_amount: 1000 },
        { amount: 5000, display_amount: 500 },
        { amount: 101_000 },
        { amount: 100_990 },
      ),
      ["10036, book 1000", "10036, book 1000", "1000 of 1000, book 1000"],
    );
  });

  test("of a stop changes what it will show", async () => {
    const stop = { type: "stop_limit", price: 95_000, trigger: "mark_price", trigger_price: 94_000 };
    const shown = await edited(
      { amount: 5000, ...stop },
      { amount: 5000, display_amount: 2000 },
      { amount: 1500 },
      { amount: 5000, display_amount: 0 },
    );
    assert.deepEqual(shown, ["2000 of 2000, book undefined", "1500 of 2000, book undefined", "plain, book undefined"]);
  });
});
