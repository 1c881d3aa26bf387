import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, describe, test } from "vitest";
import * as esbuild from "esbuild";
import { messageOf } from "../simulation/bundle.ts";
import type { Told, Wanted } from "./differentialWorker.ts";
import { rounds } from "../rounds.mjs";

/*
 * The schedules of the simulation once more, with a real WebSocket between the core and its wire (reliability G2): the
 * whole transcript has to be the same, each text, each state, each sentence and each moment.
 *
 * The clock of a run stands still until everything that left has arrived. What is left out: connections over HTTP
 * alone, which have no link; the exchange stands behind the wire in memory, so that its own server is not part of it.
 */

const SCHEDULES = rounds({ short: 5, full: 50, long: 1000 });
/** Fresh ones each day; the same ones all day, so that a failure stays where it is. */
const SEED = Math.floor(Date.now() / 86_400_000);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-differential-"));
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

/** A change of a source of the simulation: the pattern fits once. */
type Change = readonly [pattern: RegExp, replacement: string];

/**
 * In both programs each part of the world has a chance of its own: within a moment the core hears of an end sooner in
 * memory than over a socket, and what is drawn by one part must not be what another part gets.
 */
const CHANCES: Readonly<Record<string, readonly Change[]>> = {
  "stage.ts": [[/\brandom,(?=\s+log,\s+nextWireId)/, "random: createFakeRandom(schedule.seed + 1),"]],
  "time.ts": [
    [/^/, 'import { createFakeRandom } from "../fakeClock.ts";\n'],
    [/(?<=createSide\(\{ sleeps \}\) \{)/, " const own = createFakeRandom(Math.floor(random() * 2 ** 31));"],
    [/tie: random\(\)/, "tie: own()"],
  ],
};

const socketWire = path.resolve("test/sockets/socketWire.ts");

/** Time goes on when everything that left has arrived. */
const WAITS: readonly Change[] = [
  [/^/, `import { quiet } from ${JSON.stringify(socketWire)};\n`],
  [/(?<=await new Promise\(\(resolve\) => setImmediate\(resolve\)\);)/, " await quiet();"],
];

/** The simulation; with `isOnSockets` its wires are sockets. */
async function build(isOnSockets: boolean): Promise<string> {
  const outfile = path.join(folder, isOnSockets ? "sockets.cjs" : "memory.cjs");
  const plugin: esbuild.Plugin = {
    name: "sockets",
    setup(builder) {
      builder.onResolve({ filter: /^\.\/wire\.ts$/ }, ({ importer }) =>
        path.basename(importer) === "stage.ts"
          ? { path: isOnSockets ? socketWire : path.resolve("test/sockets/bookWire.ts") }
          : undefined,
      );
      builder.onLoad({ filter: /simulation[\\/](?:stage|time)\.ts$/ }, ({ path: file }) => {
        const name = path.basename(file);
        const changes = [...(CHANCES[name] ?? []), ...(isOnSockets && name === "time.ts" ? WAITS : [])];
        return {
          loader: "ts",
          contents: changes.reduce(
            (text, [pattern, replacement]) => changed(text, pattern, replacement),
            fs.readFileSync(file, "utf8"),
          ),
        };
      });
    },
  };
  await esbuild.build({
    entryPoints: ["test/sockets/differentialWorker.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    mainFields: ["module", "main"],
    logLevel: "warning",
    plugins: [plugin],
  });
  return outfile;
}

function changed(text: string, pattern: RegExp, replacement: string): string {
  assert.equal(
    [...text.matchAll(new RegExp(pattern.source, "g"))].length,
    1,
    `a place in the simulation: ${pattern.source}`,
  );
  return text.replace(pattern, () => replacement);
}

describe("random schedules in memory and over sockets", () => {
  test(`${SCHEDULES} of them are the same to the last line`, async () => {
    const files = await Promise.all([build(false), build(true)]);
    const [memory, sockets] = await Promise.all(
      files.map(async (file) => await messageOf<Told>(file, { seed: SEED, runs: SCHEDULES } satisfies Wanted)),
    );
    assert.ok(memory !== undefined && sockets !== undefined);
    const differing = memory.runs.findIndex(({ hash }, index) => hash !== sockets.runs[index]?.hash);
    if (differing >= 0) {
      const [left, right] = await Promise.all(
        files.map(
          async (file) =>
            await messageOf<Told>(file, { seed: SEED, runs: SCHEDULES, only: differing } satisfies Wanted),
        ),
      );
      assert.fail(differenceText(left, right));
    }
    // Whether a promise is kept is judged by the simulation itself; here the judgement has to be the same.
    assert.deepEqual(
      sockets.runs.map(({ violations }) => violations),
      memory.runs.map(({ violations }) => violations),
    );
    assert.ok(
      sockets.runs.length === SCHEDULES && memory.carried.texts === 0,
      "each of them was played, and the other ones without a socket",
    );
    const { texts, ends, byTheBook } = sockets.carried;
    process.stdout.write(
      `note: ${SCHEDULES} schedules, ${sockets.runs.reduce((sum, { lines }) => sum + lines, 0)} lines; over sockets ${texts} texts and ${ends} ends, ${byTheBook} texts by the book\n`,
    );
    assert.ok(byTheBook * 20 < texts, "almost everything went through sockets");
  });
});

function differenceText(left: Told | undefined, right: Told | undefined): string {
  const [one = [], other = []] = [left?.transcript, right?.transcript];
  const place = one.findIndex((line, index) => line !== other[index]);
  const around = (lines: readonly string[]): string =>
    lines
      .slice(Math.max(0, place - 12), place + 4)
      .map((line) => line.slice(0, 220))
      .join("\n");
  return [
    `line ${place}`,
    "in memory:",
    around(one),
    "over sockets:",
    around(other),
    ...(right?.runs.flatMap(({ violations }) => violations) ?? []),
    left?.schedule ?? "",
  ].join("\n");
}
