import { describe, expect, it } from "vitest";
import { variablesFor, wordsFor, type BotRun } from "../../../src/cli/stress/botRun.ts";
import { readAudit, readStress } from "../../../src/cli/stress/stressArguments.ts";
import {
  checkRows,
  factRows,
  framesAround,
  reportFinding,
  type StressReport,
} from "../../../src/cli/stress/stressReport.ts";
import { stressText } from "../../../src/cli/stress/stressTexts.ts";
import { checkConversation } from "../../../src/recording/bots/checks.ts";
import { conversationOf } from "../../../src/recording/bots/conversation.ts";
import type { BotEnd, BotFrame } from "../../../src/recording/bots/frames.ts";

const REACHED = { webSocket: "ws://127.0.0.1:1/ws/api/v2", clientId: "simulator", clientSecret: "s1" };

describe("the words of a stress test", () => {
  it("are options, and the command of the bot", () => {
    const words = ["--seeds", "5", "--max-data-age=2", "--exit", "flat", "--", "node", "bot.mjs", "--seeds", "9"];
    expect(readStress(words)).toMatchObject({
      command: ["node", "bot.mjs", "--seeds", "9"],
      seeds: 5,
      bounds: { maxDataAgeMs: 2000, exit: "flat" },
    });
    expect(readStress(["--replay", "7:1,3", "--", "bot"])).toMatchObject({ replayed: { seed: 7, only: [1, 3] } });
  });

  it.each([
    ["node bot.mjs", "Specify the command of the bot after --: trading-rpc stress -- node bot.mjs."],
    ["--", "Specify the command of the bot after --: trading-rpc stress -- node bot.mjs."],
    ["--seeds 0 -- bot", '--seeds needs a whole number from 1 to 10000, not "0".'],
    ["--max-order x -- bot", '--max-order needs a number from 0, not "x".'],
    ["--exit soon -- bot", '--exit needs one of clean, flat, any, not "soon".'],
    ["--replay x -- bot", '--replay needs a seed and its faults, such as 7 or 7:1,3, not "x".'],
    ["--bail -- bot", "--bail is not a trading-rpc stress option. Use --help to list the options."],
  ])("%s", (words, sentence) => {
    expect(readStress(words.split(" "))).toBe(sentence);
  });
});

describe("the words of an audit", () => {
  it("are a recording, bounds that frames decide, and the report", () => {
    expect(readAudit("--max-order 100 --max-data-age=2 bot.rpcrec.jsonl --format junit".split(" "))).toEqual({
      ...{ file: "bot.rpcrec.jsonl", format: "junit", output: undefined },
      bounds: { maxOrder: 100, maxDataAgeMs: 2000 },
    });
  });

  it.each([
    ["", "Specify one recording: trading-rpc audit session.rpcrec.jsonl."],
    ["a b", "Specify one recording: trading-rpc audit session.rpcrec.jsonl."],
    // A recording has no positions.
    ["a --max-position 1", "--max-position is not a trading-rpc audit option. Use --help to list the options."],
    ["a --seeds 3", "--seeds is not a trading-rpc audit option. Use --help to list the options."],
    ["a --format xml", '--format needs one of text, json, junit, not "xml".'],
  ])("%s", (words, sentence) => {
    expect(readAudit(words.split(" ").filter((word) => word !== ""))).toBe(sentence);
  });
});

describe("the bot", () => {
  it("gets the address by its command", () => {
    expect(wordsFor(["bot", "{ws}", "--http={http}", "{id}:{secret}", "{other}"], REACHED)).toEqual([
      "bot",
      "ws://127.0.0.1:1/ws/api/v2",
      "--http=http://127.0.0.1:1/api/v2",
      "simulator:s1",
      "{other}",
    ]);
  });

  it("gets no access of the user", () => {
    const variables = {
      PATH: "/bin",
      TRADING_RPC_PROD_CLIENT_SECRET: "real",
      TRADING_RPC_URL: "wss://exchange",
      trading_rpc_x: "1",
    };
    expect(variablesFor(variables, REACHED)).toEqual({
      PATH: "/bin",
      TRADING_RPC_SIM_URL: "ws://127.0.0.1:1/ws/api/v2",
      TRADING_RPC_SIM_HTTP_URL: "http://127.0.0.1:1/api/v2",
      TRADING_RPC_SIM_CLIENT_ID: "simulator",
      TRADING_RPC_SIM_CLIENT_SECRET: "s1",
    });
  });
});

const BUY = { instrument_name: "BTC-PERPETUAL", amount: 100, price: 60_000, unheard_of: "hidden" };

function buy(atMs: number, connection: number, isCarriedOut: boolean): BotFrame {
  const truth = { isCarriedOut, openOrders: connection, ...(connection === 1 ? { fault: "drop" } : {}) };
  return { kind: "sent", link: "http", connection, atMs, id: connection, method: "private/buy", params: BUY, truth };
}

const END: BotEnd = {
  atMs: 5000,
  how: "stopped",
  exitCode: undefined,
  signal: undefined,
  usualSilenceMs: 5000,
  account: { openOrders: 2, positions: {}, marks: { "BTC-PERPETUAL": { usdPerUnit: 1 } } },
};

function runOf(frames: readonly BotFrame[]): BotRun {
  const conversation = conversationOf(frames, { end: END });
  return {
    faults: { seed: 7, only: [1] },
    schedule: [{ do: "drop", method: "private/buy" }],
    ...{ conversation, results: checkConversation(conversation) },
    ...{ isConnected: true, isFlooded: false, problem: undefined, tail: "" },
  };
}

function reportOf(run: BotRun): StressReport {
  const finding = reportFinding("repeated-write", run, { times: 3, runs: 3 });
  return {
    ...{
      version: "1.0.0",
      command: ["node", "my bot.mjs"],
      bounds: { maxOrder: 500 },
      secondsPerRun: 30,
      schedules: 1,
      untestedSeeds: [],
    },
    checks: checkRows([run]),
    findings: finding === undefined ? [] : [finding],
    facts: factRows([run]),
  };
}

describe("the report", () => {
  const found = runOf([buy(10, 1, true), buy(3010, 2, true)]);
  const clean = runOf([buy(10, 1, true)]);

  it("tells the schedules that tested nothing, because the bot did not sign in", () => {
    const report = { ...reportOf(clean), schedules: 3, untestedSeeds: [2, 5] };
    const lines = stressText(report, "text").split("\n");
    expect(lines).toContain("  Not signed in in time, so that nothing was tested: seeds 2, 5");
    expect(lines.at(-2)).toBe("No finding in 3 schedules, 2 of them without a sign-in; exercised 3 of 18 checks.");
  });

  it("has the smallest schedule, two columns, the cost, and the command that runs it again", () => {
    const lines = stressText(reportOf(found), "text").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "A change sent again without a look (repeated-write)",
        '  Smallest schedule: seed 7, {"do":"drop","method":"private/buy"}',
        "  Seen in 3 of 3 runs.",
        "  Cost: 100 USD at the mark price.",
        "        10  carried out, fault drop, 1 open       > #1 private/buy instrument_name=BTC-PERPETUAL amount=100 price=60000",
        "  Run it again: trading-rpc stress --replay 7:1 --for 30 --max-order 500 -- node 'my bot.mjs'",
      ]),
    );
    expect(lines.at(-2)).toBe("1 finding in 1 schedule; exercised 3 of 18 checks.");
  });

  it("marks a finding that did not come again each time", () => {
    const [finding] = reportOf(found).findings;
    const seen = finding === undefined ? [] : [{ ...finding, seen: { times: 1, runs: 3 } }];
    expect(stressText({ ...reportOf(found), findings: seen }, "text")).toContain(
      "  Seen in 1 of 3 runs, so it depends on timing.\n",
    );
  });

  it("never says that a bot has passed", () => {
    const text = stressText(reportOf(clean), "text");
    expect(text).not.toMatch(/pass/i);
    expect(text.trimEnd().split("\n").at(-1)).toBe("No finding in 1 schedule; exercised 3 of 18 checks.");
  });

  it("has the same as JSON", () => {
    const read = JSON.parse(stressText(reportOf(found), "json")) as StressReport;
    expect(read).toMatchObject({
      schedules: 1,
      findings: [{ check: "repeated-write", seed: 7, places: [1], costUsd: 100 }],
    });
    expect(JSON.stringify(read)).not.toContain("hidden");
  });

  it("has a case for each check as JUnit", () => {
    const text = stressText(reportOf(found), "junit");
    expect([
      text.match(/<testcase /g)?.length,
      text.match(/<failure /g)?.length,
      text.match(/<skipped /g)?.length,
    ]).toEqual([18, 1, 15]);
  });

  it("shows ten frames at most, without the events of the market", () => {
    const event: BotFrame = {
      kind: "received",
      link: "webSocket",
      connection: 1,
      atMs: 1,
      channel: "ticker.BTC-PERPETUAL.raw",
    };
    const frames = Array.from({ length: 30 }, (_, index) => [buy(index, index + 1, true), event]).flat();
    const shown = framesAround(frames, 20);
    expect(shown.map(({ atMs }) => atMs)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
});
