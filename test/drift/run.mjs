// @ts-check
/**
 * Compares an OpenAPI or AsyncAPI document (JSON) or a recording with what the catalogue knows of a kind of server:
 *
 *   npm run drift -- FILE                  the exchange itself
 *   npm run drift -- FILE --env gateway    the Coinbase gateway
 *
 * Prints a line for each difference. Ends with 0 where there is none, with 1 for differences, with 2 where the file is
 * none of these. Sends nothing.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const { file, service } = readWords(process.argv.slice(2));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "drift-"));
try {
  process.exitCode = await run();
} finally {
  fs.rmSync(folder, { recursive: true });
}

/** @param {readonly string[]} words */
function readWords(words) {
  const [name, option, environment, ...others] = words;
  const isNative = option === undefined || (option === "--env" && ["prod", "test"].includes(environment ?? ""));
  const isGateway = option === "--env" && environment === "gateway";
  if (name === undefined || others.length > 0 || (!isNative && !isGateway)) {
    console.error("Usage: npm run drift -- FILE [--env test|prod|gateway]");
    process.exit(2);
  }
  return { file: name, service: /** @type {const} */ (isGateway ? "gateway" : "native") };
}

async function run() {
  const outfile = path.join(folder, "differences.cjs");
  const entry = path.join(import.meta.dirname, "differences.ts");
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "cjs", outfile, logLevel: "error" });
  /** @type {typeof import("./differences.ts")} */
  const { differences } = await import(pathToFileURL(outfile).href);
  try {
    const found = differences(fs.readFileSync(file, "utf8"), service);
    for (const line of found) console.log(line);
    console.log(`${found.length} differences from the catalogue (${service})`);
    return found.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}
