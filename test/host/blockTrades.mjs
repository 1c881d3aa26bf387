// @ts-check
/** Block trades for tests of windows: a simulator starts without any. */
import esbuild from "esbuild";
import { root } from "./process.mjs";

/**
 * Bundles two sources and loads them: neither Node nor Playwright loads TypeScript as ES modules here.
 * @returns {Promise<Pick<typeof import("../../src/simulator/market/listing.ts"), "createListing"> &
 * Pick<typeof import("../blockTradeSpecs.ts"), "addBlockTrades">>}
 */
async function sources() {
  const contents = 'export * from "./src/simulator/market/listing.ts";\nexport * from "./test/blockTradeSpecs.ts";\n';
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString("base64")}`);
}

/**
 * Executes block trades with the main account, and returns once they are made.
 * @param {import("./simulator.mjs").Simulator} simulator
 * @param {number} count
 */
export async function makeBlockTrades(simulator, count) {
  const { createListing, addBlockTrades } = await sources();
  const { quarterly } = createListing(Date.now());
  /** @type {any[]} */
  const specs = [];
  // What is returned is not needed to make the next one.
  addBlockTrades({ addBlockTrade: (spec) => /** @type {any} */ (specs.push(spec)) }, count);
  for (const spec of specs) {
    // Whole numbers that JSON can't carry are omitted.
    const text = JSON.stringify(spec, (_name, value) => (typeof value === "bigint" ? undefined : value))
      .replaceAll("26MAR27", quarterly(0))
      .replaceAll("25JUN27", quarterly(1));
    await simulator.run("addBlockTrade", JSON.parse(text));
  }
}
