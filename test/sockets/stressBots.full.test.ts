import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rounds } from "../rounds.mjs";
import { bundleCli, type CliProgram } from "./cliProgram.ts";

/*
 * Bots of `test/bots` under `trading-rpc stress`: each planted flaw is named, and bots that are right, however unusual,
 * have no finding. The whole number of schedules runs in `npm run test:long` only.
 */

const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

const bot = (file: string): string => path.resolve("test/bots", file);
const maker = (...words: readonly string[]): readonly string[] => [process.execPath, bot("maker.mjs"), ...words];
const poller = (...words: readonly string[]): readonly string[] => ["python3", bot("poller.py"), ...words];

interface Planted {
  readonly check: string;
  readonly command: readonly string[];
  /** The longest time of a run, in seconds, where a bot does not end. */
  readonly seconds?: number;
  /** The seed whose faults show it. */
  readonly seed: number;
}

const PLANTED: readonly Planted[] = [
  { check: "repeated-write", command: maker("sends-again"), seed: 1 },
  { check: "repeated-write", command: poller("buys-again"), seed: 1 },
  { check: "reconnect-without-reading", command: maker("forgets-orders"), seed: 2 },
  { check: "lost-channel", command: maker("forgets-channels", "12", "500"), seconds: 14, seed: 2 },
  { check: "gap-in-book", command: maker("ignores-gaps", "12", "400"), seconds: 14, seed: 8 },
  { check: "silent-heartbeat", command: maker("deaf", "55", "500"), seed: 1 },
  { check: "too-soon-after-10028", command: poller("hammers"), seed: 7 },
  { check: "sign-ins", command: poller("signs-in-always"), seed: 1 },
  { check: "same-refusal", command: maker("wrong-amount"), seed: 1 },
  { check: "same-id", command: maker("one-id"), seed: 1 },
  { check: "closed-market", command: maker("insists"), seed: 5 },
  { check: "dead-token", command: poller("keeps-token"), seed: 4 },
  { check: "crash", command: maker("aborts"), seed: 1 },
  { check: "hang", command: maker("waits-forever"), seconds: 14, seed: 1 },
];

/** Bots that are right. ccxt has tests of its own in `test/clients`. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  "a maker over WebSocket": maker(),
  "a bot that polls over HTTP": poller(),
  ...Object.fromEntries(
    Object.entries({
      "a grid with equal orders": "grid.mjs",
      "a maker that leaves its orders": "leaver.mjs",
      "a user of cancel-on-disconnect": "disconnect.mjs",
      "a mass quoter": "quoter.mjs",
      "no labels, but it reads back": "unlabelled.mjs",
      "fill-or-kill orders alone": "fillOrKill.mjs",
      "a slow reader": "slowReader.mjs",
      "a bot that ends at any error": "quitter.mjs",
    }).map(([name, file]) => [name, [process.execPath, bot(file)]]),
  ),
};

interface Report {
  readonly findings: readonly { readonly check: string; readonly detail: string }[];
  readonly summary: string;
}

describe("bots under stress", () => {
  let program: CliProgram;

  beforeAll(async () => {
    program = await bundleCli();
  });
  afterAll(() => program.remove());

  const stress = async (options: readonly string[], command: readonly string[]): Promise<Report> => {
    const { out, err } = await program.run(
      "stress",
      "--yes",
      "--jobs",
      "2",
      "--format",
      "json",
      ...options,
      "--",
      ...command,
    );
    if (out === "") throw new Error(err);
    return JSON.parse(out) as Report;
  };
  const usesPython = (command: readonly string[]): boolean => command[0] === "python3";

  describe.each(PLANTED)("planted: $check, $command.2", ({ check, command, seconds = 30, seed }) => {
    const isRun = rounds({ short: false, full: ["repeated-write", "dead-token"].includes(check), long: true });
    test.runIf(isRun && (HAS_PYTHON || !usesPython(command)))("is named, as often as it is run", async () => {
      const chosen = rounds({ short: [], full: ["--replay", String(seed)], long: ["--seeds", "20"] });
      for (let run = 0; run < rounds({ short: 1, full: 1, long: 2 }); run++) {
        const { findings } = await stress([...chosen, "--for", String(seconds)], command);
        expect(findings.map((each) => each.check)).toContain(check);
      }
    });
  });

  test.each(Object.entries(RIGHT))("right: %s", async (_name, command) => {
    if (!HAS_PYTHON && usesPython(command)) return;
    const { findings, summary } = await stress(["--seeds", rounds({ short: "1", full: "2", long: "20" })], command);
    expect(findings.map(({ check, detail }) => `${check}: ${detail}`)).toEqual([]);
    expect(summary).toMatch(/^No finding in \d+ schedules?; exercised \d+ of 18 checks\.$/);
  });
});
