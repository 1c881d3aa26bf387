// @ts-check
/** Block trades for click tests: a simulator starts without any. */
import { createListing } from "../../src/simulator/market/listing.ts";
import { addBlockTrades } from "../blockTradeSpecs.ts";

/**
 * Executes block trades with the main account, and returns once they are made.
 * @param {import("./simulator.mjs").Simulator} simulator
 * @param {number} count
 */
export async function makeBlockTrades(simulator, count) {
  const { quarterly } = createListing(Date.now());
  /** @type {any[]} */
  const specs = [];
  // What is returned is not needed to make the next one.
  addBlockTrades({ addBlockTrade: (spec) => /** @type {any} */ (specs.push(spec)) }, count);
  for (const spec of specs) {
    // Whole numbers that JSON can't carry are left out.
    const text = JSON.stringify(spec, (_name, value) => (typeof value === "bigint" ? undefined : value))
      .replaceAll("26MAR27", quarterly(0))
      .replaceAll("25JUN27", quarterly(1));
    await simulator.run("addBlockTrade", JSON.parse(text));
  }
}
