import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { beforeAll, describe, test } from "vitest";
import fc from "fast-check";
import * as ts from "typescript";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { anOrder } from "../actions/fakeSession.ts";
import { assertHarmless } from "./harmless.ts";
import { fileSinks, programsWith } from "./hostileFileSinks.ts";
import { questionsWith, questionTexts, serverSinks, type Sink } from "./hostileSinks.ts";
import { HOSTILE } from "./hostileStrings.ts";
import { rounds } from "../../rounds.mjs";
import { runs } from "../../sizes.ts";

/*
 * 400 texts that want to be more than text, in every place where one of another's making is read: reliability §5.2, G7.
 */

const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** In a short run a place meets every twentieth text, another one than its neighbour does. */
const SHARE = rounds({ short: 20, full: 1, long: 1 });

/** What is wrong with the first text that is more than text in a place; undefined where each stays text. */
async function problemOf(sink: Sink, turn: number): Promise<string | undefined> {
  for (const hostile of HOSTILE.filter((_, index) => index % SHARE === turn % SHARE)) {
    const problem = await look(sink, hostile).then(() => undefined, String);
    if (problem !== undefined) return `${sink.name} ${JSON.stringify(hostile).slice(0, 80)}: ${problem.slice(0, 600)}`;
  }
  return undefined;
}

async function look({ name, render, isOfLines }: Sink, hostile: string): Promise<void> {
  for (const text of await render(hostile))
    if (text !== undefined) assertHarmless(text, name, isOfLines === true ? "several" : "one");
}

describe("texts of another's making", () => {
  let sinks: readonly Sink[] = [];
  beforeAll(async () => {
    sinks = [...(await serverSinks()), ...fileSinks()];
  });

  test("are 400, each another one", () => {
    assert.equal(new Set(HOSTILE).size, 400);
  });

  test("stay texts in every place where the user reads them", async () => {
    const problems: string[] = [];
    for (const [turn, sink] of sinks.entries())
      problems.push(...[await problemOf(sink, turn)].filter((problem) => problem !== undefined));
    assert.equal(problems.join("\n"), "");
  });

  test("are literals and comments of exported programs, which still are programs", () => {
    const honest = programsWith("x");
    const shapeOf = (program: string): string =>
      program
        .replaceAll(/("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|'(?:[^'\\\n]|\\.)*')/g, "S")
        .replaceAll(/^(?:\/\/|#).*$/gm, "");
    const programs = HOSTILE.filter((_, index) => index % SHARE === 0).flatMap((hostile) =>
      programsWith(hostile).map((program, index) => ({
        ...program,
        hostile,
        wanted: shapeOf(honest[index]?.text ?? ""),
      })),
    );
    for (const { language, text, hostile, wanted } of programs) {
      assertHarmless(text.split("\n\n", 1)[0] ?? "", `the comments of ${language}`, "several");
      if (language === "ts") assert.equal(shapeOf(text), wanted, JSON.stringify(hostile));
    }
    // Blocks of one program: the compiler takes much longer to begin than to read.
    const all = programs.flatMap(({ language, text }) => (language === "ts" ? [`{\n${text}\n}`] : [])).join("\n");
    const { diagnostics } = ts.transpileModule(all, {
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2022 },
    });
    const found = diagnostics?.map(({ messageText, start = 0 }) => [messageText, all.slice(start - 80, start + 80)]);
    assert.deepEqual(found, []);
  });
});

describe("two orders", () => {
  const letters = fc.string({
    minLength: 1,
    maxLength: 40,
    unit: fc.constantFrom("A", "B", "C", "X", "0", "1", "8", "-", "_"),
  });
  const label = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 64 }));
  const order = fc.record({
    order_id: letters,
    label,
    instrument_name: fc.constantFrom("ETH-PERPETUAL", "BTC-PERPETUAL"),
    amount: fc.constantFrom(1, 40),
    price: fc.constantFrom(2100, 2101),
  });

  test("never have the same question, whatever their labels are", () => {
    const words = ({ order_id: id, ...members }: { readonly order_id: string }): string => {
      const one = anOrder(id, members);
      const intent = cancelOrder(one, { origin: "view", nowMs: NOW_MS, current: () => one });
      return questionsWith("main", [intent]).flatMap(questionTexts).join("\n");
    };
    fc.assert(
      fc.property(order, order, (one, other) => {
        fc.pre(one.order_id !== other.order_id);
        assert.notEqual(words(one), words(other));
        // The identifier and the instrument stand before the label, and a label is cut.
        assert.ok(words(one).indexOf(one.instrument_name) >= 0 && words(one).includes(one.order_id));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("functions that make texts", () => {
  /** These take nothing that another has made: numbers, times, our own enumerations, what the user types just now. */
  const OWN_WORDS = [
    "numbers",
    "times",
    "joined",
    "row",
    "scopes",
    "cancelReasons",
    "instrumentKind",
    "hostWarningText",
    "proxyText",
    "suggestion",
    "tradesDelta",
    "historyColumns",
    "rateBudget",
    "responseObjects",
    "responseWidth",
    "newRequests",
    "requestSnippets",
    "methodText",
    "methodWords",
    "methodChoices",
    "expectationSuggestions",
    "paramMeanings",
    "knownObjects",
    "pendingChanges",
    "placeholderSuggestions",
    "orderIndex",
    "ordersSorting",
    "rowFilter",
    "tradesQuery",
    "misbehaviours",
    "recordingWords",
  ];
  /** Drawn by a view or a text that is looked at as a whole. */
  const PARTS: Readonly<Record<string, string>> = {
    facts: "the tree views",
    mmpWords: "the tree views",
    objectFields: "the tree views",
    orderLevels: "the tree views",
    orderRow: "the tree views",
    orderWords: "the tree views",
    ordersGrouping: "orders in every grouping",
    trafficList: "documents of traffic",
    documentAddress: "the name of a response",
    askedFilter: "the filters of block trades and MMP",
    linkTroubleText: "failures",
    recordedRequests: "a request file, which holds data as data",
    positionsSorting: "the tree views",
    gatewayFacts: "the tree views",
    scopeFacts: "the tree views",
  };

  test("each file of them is looked at here, or has nothing of another's", () => {
    const files = fs
      .readdirSync("src/present", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((file) => path.basename(file, ".ts"));
    // Views are looked at as a whole.
    const looked = ["core/present/hostileSinks", "core/present/hostileFileSinks", "everyView"].flatMap((file) =>
      [...fs.readFileSync(`test/${file}.ts`, "utf8").matchAll(/src\/present\/(?:\w+\/)?(\w+)\.ts"/g)].map(
        ([, name = ""]) => name,
      ),
    );
    assert.deepEqual(
      files.filter((file) => !looked.includes(file) && !OWN_WORDS.includes(file) && PARTS[file] === undefined),
      [],
    );
    assert.deepEqual(
      [...OWN_WORDS, ...Object.keys(PARTS)].filter((file) => !files.includes(file)),
      [],
      "files that are gone",
    );
  });
});
