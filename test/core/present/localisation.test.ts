import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { promisify } from "node:util";
import { build } from "esbuild";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { Changed, Failure, LinkTrouble } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { ERROR_ROWS } from "../../../src/catalogue/errorTable.ts";
import { describeErrorCode } from "../../../src/catalogue/errorCodes.ts";
import { createParamSchemas } from "../../../src/catalogue/generated/paramSchemas.ts";
import { CHANNEL_PATTERNS, createCheckedSchemas } from "../../../src/catalogue/generated/schemas.ts";
import { allMethods } from "../../../src/catalogue/index.ts";
import { methodReferences } from "../../../src/catalogue/reference/reference.ts";
import { auditHelp, stressHelp } from "../../../src/cli/stress/stressHelp.ts";
import { PROBE_REPORT } from "../../../src/cli/probe/probeArguments.ts";
import { HELP_TOPICS, helpText } from "../../../src/cli/help.ts";
import { failureSentences, linkFailureText } from "../../../src/present/text/failureText.ts";
import { linkTroubleText } from "../../../src/present/text/linkTroubleText.ts";
import { pageWords } from "../../../src/ui/trades/pageText.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { VIEW_NAMES } from "../../../src/base/viewNames.ts";
import { draw, flat, lookAtAll, shownOf, viewsOf } from "../../everyView.ts";
import {
  brokenSentences,
  goneFiles,
  languageDependent,
  sentencesIn,
  treesOf,
  untranslated,
  type Trees,
} from "../../sentences.ts";
import { createWorld } from "../../world.ts";
import { foreign, plainWords, speakForeign } from "../../pseudoLocale.ts";
import { fileSinks } from "./hostileFileSinks.ts";
import { allTexts, serverSinks, type Sink } from "./hostileSinks.ts";
import { isFull } from "../../rounds.mjs";
import { testInFull } from "../../sizes.ts";
import { asPlain } from "../../asPlain.ts";

/* Every word that the user reads can be translated, and every figure is the same in every language. */

const sources = new Map(
  fs
    .readdirSync("src", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.endsWith("generated"))
    .map(
      (entry) =>
        [
          path.join(entry.parentPath, entry.name).split(path.sep).join("/"),
          fs.readFileSync(path.join(entry.parentPath, entry.name), "utf8"),
        ] as const,
    ),
);

describe("the sentences of the sources", () => {
  let trees: Trees = [];
  beforeAll(() => {
    trees = treesOf(sources);
  });

  test("all go through the translation", () => {
    assert.deepEqual(untranslated(trees), []);
    assert.deepEqual(goneFiles(sources), ["src/catalogue/generated/"]);
  });

  test("are made when the language is known, and have a part for each place", () => {
    assert.deepEqual(brokenSentences(trees), []);
  });

  test("are those that translators get: none is missing, none is unused", () => {
    const bundle = Object.keys(JSON.parse(fs.readFileSync("l10n/bundle.l10n.json", "utf8")) as object);
    const said = sentencesIn(trees);
    assert.deepEqual(
      [...said].filter((sentence) => !bundle.includes(sentence)),
      [],
    );
    const found = bundle.filter((sentence) => !said.has(sentence));
    assert.deepEqual(found, []);
  });

  test("hold no figure that depends on the language of the computer", () => {
    assert.deepEqual(languageDependent(sources), []);
  });

  const planted: readonly (readonly [
    string,
    (file: ReadonlyMap<string, string>) => readonly string[],
    string,
    RegExp,
  ])[] = [
    [
      "a sentence that is not translated",
      (file) => untranslated(treesOf(file)),
      'const say = () => show("Nothing was sent.");',
      /"Nothing was sent\." is not translated/,
    ],
    [
      "a sentence of a template",
      (file) => untranslated(treesOf(file)),
      "const say = (n: number) => show(`There are ${n} orders`);",
      /is not translated/,
    ],
    [
      "a part of a translation",
      (file) => untranslated(treesOf(file)),
      'const say = () => l10n.t("{0}.", "nothing was sent");',
      /is not translated/,
    ],
    [
      "a sentence that is made too early",
      (file) => brokenSentences(treesOf(file)),
      'const WORDS = l10n.t("Cancel");',
      /before the language is known/,
    ],
    [
      "a place without a part",
      (file) => brokenSentences(treesOf(file)),
      'const say = () => l10n.t("{0} on {1}", place);',
      /2 places and 1 parts/,
    ],
    [
      "a number in the form of the computer",
      languageDependent,
      "const text = price.toLocaleString();",
      /depends on the language/,
    ],
    [
      "a format in the language of the computer",
      languageDependent,
      "const format = new Intl.NumberFormat();",
      /depends on the language/,
    ],
    [
      "an order of names in the language of the computer",
      languageDependent,
      "names.sort((a, b) => a.localeCompare(b));",
      /depends on the language/,
    ],
  ];
  for (const [name, rule, text, expected] of planted)
    test(`${name} is caught`, () => assert.match(rule(new Map([["src/present/a.ts", text]])).join("\n"), expected));

  test("what only those read who mend the program is left alone", () => {
    const text =
      'ports.log.warn(`The list of ${name} could not be read`); this.#ports.log.info("It was read."); throw new Error("This cannot be."); const failure = { kind: "bug", detail: "no such thing" };';
    assert.deepEqual(untranslated(treesOf(new Map([["src/present/a.ts", text]]))), []);
  });
});

describe("the sentences of the manifest", () => {
  /** Members that the editor or a language model shows. */
  const SHOWN =
    /^(?:title|name|description|displayName|userDescription|modelDescription|markdownDescription|label|contents|altText|category|shortTitle|tooltip|contextualTitle|enumDescriptions|markdownEnumDescriptions|enumItemLabels|deprecationMessage|markdownDeprecationMessage|patternErrorMessage)$/;

  /** Where texts stand, with the name of their member. */
  function textsOf(value: unknown, place = ""): [string, string][] {
    if (typeof value === "string") return [[place, value]];
    return typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, part]) =>
          textsOf(part, Array.isArray(value) ? place : `${place}.${name}`),
        )
      : [];
  }

  test("all stand in package.nls.json", () => {
    const { displayName, description, capabilities, contributes } = JSON.parse(
      fs.readFileSync("package.json", "utf8"),
    ) as Readonly<Record<string, unknown>>;
    const left = textsOf({ displayName, description, capabilities, contributes }).filter(
      ([place, text]) =>
        SHOWN.test(place.split(".").at(-1) ?? "") &&
        /[A-Za-z]{3,} [A-Za-z]{2,}/.test(text) &&
        !text.startsWith("%") &&
        text !== "Trading RPC",
    );
    assert.deepEqual(left, []);
  });
});

/** Words of the exchange's own: names of methods, members, values and channels. */
function wordsOfTheExchange(): Set<string> {
  const words = new Set<string>();
  const take = (text: string): void => {
    for (const word of text.match(/[A-Za-z]{2,}/g) ?? []) words.add(word);
  };
  const visit = (value: unknown): void => {
    if (typeof value === "string") take(value);
    if (typeof value !== "object" || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      take(name);
      visit(part);
    }
  };
  visit(createCheckedSchemas());
  visit(createParamSchemas());
  visit(CHANNEL_PATTERNS);
  for (const { name, scopes } of allMethods()) visit([name, scopes]);
  for (const { name } of ERROR_ROWS) take(name);
  return words;
}

/** What is the same in every language, each group with its reason. */
const SAME_EVERYWHERE: readonly string[] = [
  ...["null", "true", "false", "json", "http", "https", "wss", "HTTP", "JSON", "GET", "POST", "wallet"], // what stands in JSON, in addresses and in scopes
  ...["UTC", "GMT"],
  ...[
    "burst",
    "perpetual",
    "assignments",
    "guaranteed",
    "timeframe",
    "product",
    "overwriteable",
    "consent",
    "referrals",
  ], // members within members that the exchange sends, shown as JSON
  ...["BTC", "BLOCK", "SLMB", "mwoxfw", "mwoxh", "simulator", "untriggered", "buy", "sell"], // what the simulator calls its objects
  ...["TESTNET", "main", "Cancel", "trading", "rpc", "response", "made", "up", "progress", "Open", "orders", "on"], // what these sinks are given for connections, wishes, files and methods
];

const SERVER = "Ω";
const TROUBLES: Readonly<Record<LinkTrouble, true>> = {
  address: true,
  dns: true,
  refused: true,
  unreachable: true,
  tls: true,
  wrongHost: true,
  redirect: true,
  portal: true,
  forbidden: true,
  unavailable: true,
  proxy: true,
  notWebSocket: true,
  tooManyConnections: true,
  connectTimeout: true,
  silent: true,
  protocol: true,
  tooSlow: true,
  rateLimit: true,
  maintenance: true,
  closedByServer: true,
  closedByUs: true,
  other: true,
};
const CHANGED: Readonly<Record<Changed, true>> = {
  connection: true,
  account: true,
  environment: true,
  name: true,
  permission: true,
  trading: true,
  order: true,
  position: true,
  quote: true,
  apiKey: true,
  mmp: true,
  file: true,
};
const MORE_FAILURES: readonly Failure[] = [
  { kind: "tooLarge", bytes: 40_000, limitBytes: 32_768 },
  { kind: "declined" },
  { kind: "notConnected" },
  ...Object.keys(CHANGED).map((changed): Failure => ({ kind: "situationChanged", changed: changed as Changed })),
  { kind: "tooManyPending", limit: 256 },
  { kind: "stopped", wasSent: true },
  { kind: "stopped", wasSent: false },
  { kind: "timeout", timeoutMs: 5000 },
  { kind: "programEnded" },
  ...(["tfa_code_not_matched", "used_tfa_code", "challenge_timeout", "tfa_code_is_required"] as const).map(
    (reason): Failure => ({ kind: "exchange", code: 13_668, message: SERVER, reason }),
  ),
];

/** Places that no text of another's making reaches, so that they are not among the sinks. */
const OWN_SINKS: readonly Sink[] = [
  {
    name: "troubles of a link",
    render: () =>
      Object.keys(TROUBLES).flatMap((trouble) =>
        allTexts(linkTroubleText(trouble as LinkTrouble, plain`${SERVER}`, plain`${SERVER}`)),
      ),
  },
  {
    name: "failures without a text of their own",
    render: () =>
      MORE_FAILURES.flatMap((failure) => [
        failureSentences(failure, "read", SERVER),
        failureSentences(failure, "reduce", SERVER),
        linkFailureText(failure, SERVER),
      ]),
  },
  {
    name: "error codes",
    render: () =>
      ERROR_ROWS.flatMap(({ code, name }) => {
        const described = describeErrorCode(code, name);
        return [described?.meaning, described?.advice];
      }),
  },
  { name: "the page of Last Trades", render: () => allTexts(pageWords()) },
];

describe("in an artificial language", () => {
  let back: () => void = () => undefined;
  beforeAll(() => {
    back = speakForeign();
  });
  afterAll(() => back());

  test("places and icons stay, letters do not", () => {
    assert.equal(foreign("$(check) Cancel {0} Orders"), "$(check) Çáñçéł {0} Óřđéřš");
    assert.deepEqual(plainWords(`${foreign("Cancel")} all orders of BTC-PERPETUAL`, new Set(["BTC", "PERPETUAL"])), [
      "all",
      "orders",
      "of",
    ]);
  });

  test("no word of any view, question, notice, document, lens or report is left in English", async () => {
    const same = new Set([...wordsOfTheExchange(), ...SAME_EVERYWHERE]);
    const left = new Map<string, string>();
    // Summaries of methods are English everywhere, like the documentation of the exchange.
    const summaries = new Set(methodReferences().map(({ summary }) => summary));
    const look = (name: string, text: string): void => {
      const ours = text.split("\n").filter((line) => !summaries.has(line));
      for (const word of plainWords(ours.join("\n"), same))
        if (!left.has(word)) left.set(word, `${word}, in ${name}: ${text.slice(0, 160)}`);
    };
    // The log and support files are read by those who mend the program.
    for (const { name, render } of [...(await serverSinks()), ...fileSinks(), ...OWN_SINKS].filter(
      ({ name }) => name !== "the log" && name !== "support files",
    )) {
      for (let turn = 0; turn < TURNS; turn++)
        for (const text of await render(asPlain(SERVER.repeat(1 + (turn % 3))))) look(name, text ?? "");
    }
    assert.deepEqual([...left.values()], []);
  });

  test("what a terminal prints as help is foreign, but for commands and their options", () => {
    const isCommand =
      /^ {2}(?:trading-rpc (?:run|call|check|methods|record|replay|simulator|completion|stress|audit|probe|mcp)|eval|--|-h|TRADING_RPC_)/;
    const same = new Set([...SAME_EVERYWHERE, "NO", "COLOR", ...PROBE_REPORT.split(/\W/)]);
    const left = [...HELP_TOPICS.map(helpText), stressHelp(), auditHelp()]
      .flatMap((text) => text.split("\n"))
      .map((line) => (isCommand.test(line) ? line.replace(/^ {2}\S.*?(?: {2,}|$)/, "") : line))
      .flatMap((line) => plainWords(line, same));
    assert.deepEqual(left, []);
  });
});

/** So that whatever takes turns in the sinks has had its own. */
const TURNS = 12;

describe.runIf(isFull)("figures in other languages", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "locale-"));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  testInFull("rows, responses and times have the same digits wherever the computer is from", async () => {
    const outfile = path.join(folder, "figures.cjs");
    await build({
      entryPoints: ["test/core/present/figures.ts"],
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node20",
      mainFields: ["module", "main"],
      outfile,
      logLevel: "error",
    });
    const run = promisify(execFile);
    const [english = "", ...others] = await Promise.all(
      ["en_US.UTF-8", "de_DE.UTF-8", "ar_EG.UTF-8"].map(
        async (locale) =>
          (await run(process.execPath, [outfile], { env: { LC_ALL: locale, LANG: locale, LANGUAGE: locale } })).stdout,
      ),
    );
    const [language = "", ...lines] = english.split("\n");
    assert.match(language, /^en-US 1,234\.5$/);
    assert.ok(lines.length > 100, english);
    for (const other of others) {
      const [own = "", ...rest] = other.split("\n");
      assert.notEqual(
        own.split(" ")[1],
        "1,234.5",
        `${own}: the language of the computer does not reach the program, so that nothing is shown`,
      );
      assert.deepEqual(rest, lines, own);
    }
  });
});

test("a row that has a time of day says the moment in UTC when one points at it", async () => {
  const world = createWorld({ orders: 8 });
  addBlockTrades(world.exchange.control);
  await world.connect();
  const { live, exchange, clock } = world;
  exchange.control.freezeMmp({ index_name: "btc_usd", mmp_group: "g1" }, clock.now() + 3_600_000);
  await lookAtAll(world);
  const { order } = [...live.orders.snapshot.items.values()][0]!;
  void live.gate.submit(cancelOrder(order, { origin: "view", nowMs: clock.now(), current: () => order }));
  await clock.advance(1000);
  const views = viewsOf([shownOf(world)]);
  const timed = VIEW_NAMES.flatMap((view) =>
    flat(draw(views[view]))
      .filter(({ row }) => /\d\d:\d\d:\d\d/.test(`${row.label} ${row.description}`))
      .map((each) => ({ view, ...each })),
  );
  assert.ok(new Set(timed.map(({ view }) => view)).size >= 4 && timed.length > 50, String(timed.length));
  const without = timed.filter(
    ({ tooltip }) => !tooltip.some(({ value }) => /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC\b/.test(value)),
  );
  const found = without.map(({ view, row }) => `${view}: ${row.label} | ${row.description}`);
  assert.deepEqual(found, []);
  live.dispose();
});
