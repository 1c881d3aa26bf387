// @ts-check
/**
 * Trading with a keyboard and a screen reader, without mouse and screen: what is done is done with
 * keys, and what each step says is what the browser hands to the screen reader.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { Keyboard } from "../keyboard.mjs";

const PLACE = "TESTNET main";
/** What VS Code says after the prompt of an input box. */
const TERMS = "limit · good_til_cancelled · post-only, rejected if it would trade at once";
/** What an instrument costs at the moment, as a pattern. */
const PRICES = String.raw`bid [\d. ]+ · ask [\d. ]+ · mark [\d. ]+ · tick [\d. ]+ · minimum \d+ · \d+ s ago`;

test.describe("trading by keyboard and screen reader alone", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "0", "--still"] });
  /** @type {Keyboard | undefined} */
  let made;
  const keyboard = () => (made ??= new Keyboard(shared.workbench));
  /** @returns {Promise<any[]>} what the simulator says is open */
  const openOrders = () => shared.simulator.run("openOrders");

  test.beforeAll(async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { name: "main", environment: "TESTNET" });
    await workbench.status(/TESTNET main/);
    await page.evaluate(() => {
      const pressed = () => {
        /** @type {any} */ (globalThis).isMouseUsed = true;
      };
      for (const kind of ["pointerdown", "mousedown", "wheel"]) window.addEventListener(kind, pressed, true);
    });
  });
  const isMouseless = async () =>
    assert.equal(await shared.page.evaluate(() => /** @type {any} */ (globalThis).isMouseUsed), undefined);

  test("an order is placed and edited, and each step says what it is", async () => {
    const k = keyboard();
    await k.command("Trading RPC: Place Order…");
    await k.hears([
      new RegExp(
        String.raw`^textbox \| Largest order in USD, for example 1000 - Allow Trading on ${PLACE}(?: \(1/2\))? \| Orders and quotes can then be placed and edited on this connection until you use Disallow Trading\. Each one still needs confirmation\. Enter the largest order in USD\. Larger ones are refused\. Press Escape to allow nothing\. `,
      ),
    ]);
    await k.input("1000000");
    await k.hears([
      new RegExp(
        String.raw`^textbox \| Total in USD, for example 10000 - Allow Trading on ${PLACE}(?: \(2/2\))? \| Enter the total of all orders in USD for the time in which trading is allowed\. When it is used, further orders are refused\. Reduce-only orders up to the position don't count\. `,
      ),
    ]);
    await k.input("2000000");
    await k.asked("Select an instrument");
    await k.type("ETH-PERPETUAL");
    await k.hears([
      `textbox | Select an instrument or enter its name - Place Order on ${PLACE} | ETH-PERPETUAL`,
      /^option \| ETH-PERPETUAL, (?:(?:long|short) [^·]+ USD · )?last [\d.]+ · future$/,
    ]);
    await k.press("Enter");
    const side = new RegExp(
      String.raw`^textbox \| Buy or sell\? Select one, or enter the whole order: buy amount @ price - Place Order in ETH-PERPETUAL on ${PLACE} · ${PRICES}`,
    );
    await k.hears([side, "option | warning Select a side. Nothing is selected yet."]);
    await k.press("ArrowDown");
    await k.hears([side, new RegExp(String.raw`^option \| Buy(?:, ${PRICES})?$`)]);
    await k.press("Enter");
    await k.asked("amount @ price");
    /** @param {string} typed the step of the line, which begins with the best price */
    const line = (typed) =>
      new RegExp(
        String.raw`^textbox \| amount @ price \[gtc\|ioc\|fok\] \[post\|taker\] \[reduce\] - Buy ETH-PERPETUAL on ${PLACE} · ${PRICES} \| ${typed}$`,
      );
    await k.hears([
      line(String.raw`1 @ [\d.]+`),
      /^option \| Buy 1 ETH-PERPETUAL @ [\d.]+, 1 USD ≈ 0\.\d+ ETH, limit · /,
    ]);
    await k.press("Control+A");
    await k.type("40 @ x");
    await k.hears([line("40 @ x"), "option | warning At x (character 6): Enter a number such as 40, 0.001, or 1e-8."]);
    await k.press("Control+A");
    await k.type("40 @ 2090.50");
    await k.hears([
      line(String.raw`40 @ 2090\.50`),
      `option | Buy 40 ETH-PERPETUAL @ 2090.50, 40 USD ≈ 0.01913417 ETH, ${TERMS}`,
    ]);
    await k.press("Enter");
    await k.hears([
      new RegExp(
        String.raw`^dialog \| Warning Buy 40 ETH-PERPETUAL @ 2090\.50 on ${PLACE}\? \| .*${TERMS} Order margin: .* Label: rpc-[0-9a-f]{16} The exchange refuses the order if it arrives more than 8 s after you confirm\. Counts 40 USD toward the total: .*$`,
      ),
      "button | Place Order",
    ]);
    await k.answer(/^Place Order$/);
    assert.match(
      await shared.workbench.status(/placed as order/),
      /^\s*Buy 40 ETH-PERPETUAL @ 2090\.50 on TESTNET main: placed as order ETH-\d+, which is open\. 0 of 40 filled\.$/,
    );
    const [order] = await openOrders();

    await k.command("Trading RPC: Edit Order…");
    await k.asked("Search by instrument");
    await k.press("ArrowDown");
    await k.hears([
      "listbox | Search by instrument, label, or ID, then select one or more - Edit Order",
      new RegExp(
        String.raw`^checkbox \| ETH-PERPETUAL buy 40 @ 2090\.5 · ${order.label}, ${PLACE} · post-only, ${order.order_id}`,
      ),
    ]);
    await k.press("Enter");
    await k.asked("amount @ price");
    /** @param {string} typed the line, which begins with the present terms */
    const edit = (typed) =>
      new RegExp(
        String.raw`^textbox \| amount @ price \[trigger price\] - Edit ETH-PERPETUAL buy 40 @ 2090\.5 on ${PLACE} · ${PRICES} \| ${typed}$`,
      );
    await k.hears([
      edit(String.raw`40 @ 2090\.5`),
      "option | warning Nothing is changed yet. The amount is the total, including what is filled.",
    ]);
    await k.press("Control+A");
    await k.type("40 @ 2080.25");
    await k.hears([
      edit(String.raw`40 @ 2080\.25`),
      /^option \| Edit price: 2090\.5 → 2080\.25, 40 USD ≈ 0\.\d+ ETH, The order loses its place in the queue\.$/,
    ]);
    await k.press("Enter");
    await k.hears([
      new RegExp(
        String.raw`^dialog \| Warning Edit ETH-PERPETUAL buy 40 @ 2090\.5 on ${PLACE}\? \| .* price: 2090\.5 → 2080\.25 The order loses its place in the queue\. Order margin: .* ID ${order.order_id} label ${order.label} stays post-only Counts 0 USD toward the total: .*$`,
      ),
      "button | Edit Order",
    ]);
    await k.answer(/^Edit Order$/);
    assert.match(
      await shared.workbench.status(/^\s*Edit ETH/),
      /^\s*Edit ETH-PERPETUAL buy 40 @ 2090\.5 on TESTNET main: confirmed by the exchange\. 0 of 40 filled\.$/,
    );
    const [edited] = await openOrders();
    assert.deepEqual([edited.order_id, edited.price], [order.order_id, 2080.25]);
    await isMouseless();
  });

  test("linked orders are heard below their parent, and a position is closed", async () => {
    const k = keyboard();
    const linked = { amount: 60, direction: "sell", reduce_only: true };
    const trigger = { type: "stop_market", trigger: "mark_price", trigger_price: 80_000 };
    const parent = await shared.simulator.run("place", {
      ...{ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 60, price: 85_000 },
      ...{ linked_order_type: "one_triggers_one_cancels_other", trigger_fill_condition: "complete_fill" },
      otoco_config: [
        { ...linked, type: "limit", price: 99_000 },
        { ...linked, ...trigger },
      ],
    });
    const [profit, stop] = parent.oto_order_ids;
    await k.goToRows("Open Orders");
    await shared.workbench.rowsWhen(
      (rows) => rows.some((row) => row.startsWith("order_state")),
      shared.workbench.pane("Open Orders"),
    );
    await k.rowWith(/^buy 60 @ 85\u202F000/);
    /** @type {[level: number, spoken: string][]} */
    const heard = [];
    // What follows the market is told of each order.
    const MARKET = /, [\d.]+% (?:below|above) the mark price, placed (?:just now|\d+ min ago)/;
    for (let rows = 0; rows < 4; rows++) {
      if (rows > 0) await k.down();
      heard.push([(await k.row()).level, (await k.heard()).join("; ").replace(MARKET, "")]);
    }
    const row = "tree | Open Orders; treeitem |";
    assert.deepEqual(heard, [
      [2, `${row} BTC-PERPETUAL: buy 60 @ 85000, ${parent.order_id}`],
      [3, `${row} BTC-PERPETUAL: sell 60 @ 99000, OTO, OCO, reduce-only, ${profit}`],
      [
        3,
        `${row} BTC-PERPETUAL: sell 60 @ market, stop market, triggers at 80000 (mark price), OTO, OCO, reduce-only, ${stop}`,
      ],
      [3, `${row} price: 85000`],
    ]);

    await k.command("Trading RPC: Close Position…");
    await k.asked("Search by instrument");
    await k.type("BTC-PERPETUAL");
    await k.hears([
      "textbox | Search by instrument - Close Position | BTC-PERPETUAL",
      `option | BTC-PERPETUAL long 45 000 USD, ${PLACE}`,
    ]);
    await k.press("Enter");
    await k.hears([
      new RegExp(
        String.raw`^textbox \| Sell 45 000 USD · BTC-PERPETUAL · ${PRICES} - Close BTC-PERPETUAL on ${PLACE}$`,
      ),
      /^option \| Sell at the Bid, [\d. ]+, limit, reduce-only, may trade at once, the rest stays open$/,
    ]);
    await k.press("Enter");
    await k.hears([
      new RegExp(
        String.raw`^dialog \| Warning Sell 45 000 BTC-PERPETUAL @ [\d. ]+ to close the position on ${PLACE}\? \| .*reduce-only`,
      ),
      "button | Close Position",
    ]);
    await k.answer(/^Close Position$/);
    await shared.workbench.status(
      /^\s*Sell 45\s000 BTC-PERPETUAL @ [\d.\s]+ to close the position on TESTNET main: placed/,
    );
    await isMouseless();
  });
});
