import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Question } from "../../../src/actions/intent/question.ts";
import { readArguments, type RunWishes } from "../../../src/cli/arguments.ts";
import { loadFiles, missingVariables, type FileAccess, type LoadedFile } from "../../../src/cli/files.ts";
import {
  writeRefusal,
  type WriteSituation,
  runFiles,
  type FilesResult,
  type TerminalRun,
} from "../../../src/cli/run.ts";
import { createTerminalQuestions, isConfirmedBy, type Terminal } from "../../../src/cli/questions.ts";
import { exitCodeOf, type StepReport, type StepVerdict } from "../../../src/cli/report.ts";
import { toFailure } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World } from "../../world.ts";

const TIMES = createTimes(0);

/** A build server: nothing is asked there, and nothing that it says is heard. */
const NO_USER: Terminal = {
  isAttended: false,
  readLine: async () => await Promise.resolve("yes"),
};

/** Files by absolute path, as a disk would have them. */
function disk(texts: Readonly<Record<string, string>>): FileAccess & { readonly written: Map<string, string> } {
  const written = new Map<string, string>();
  const folders = new Set(Object.keys(texts).map((name) => name.replace(/\/[^/]*$/, "")));
  return {
    written,
    workingFolder: "/work",
    resolve: (path) => (path.startsWith("/") ? path : `/work/${path}`).replace(/\/+$/, ""),
    look: async (path) =>
      await Promise.resolve(
        texts[path] !== undefined
          ? { kind: "file", bytes: texts[path].length, isOpenToOthers: false }
          : folders.has(path)
            ? { kind: "folder" }
            : undefined,
      ),
    list: async (folder) =>
      await Promise.resolve(
        Object.keys(texts)
          .filter((name) => name.startsWith(`${folder}/`))
          .map((name) => ({ name: name.slice(folder.length + 1), isFolder: false })),
      ),
    read: async (path) => await Promise.resolve(texts[path] ?? ""),
    write: async (path, text) => {
      written.set(path, text);
      await Promise.resolve();
    },
    tryWrite: async () => await Promise.resolve(),
    createPrivate: async () => await Promise.reject(new Error("no place")),
  };
}

async function loaded(
  texts: Readonly<Record<string, string>>,
  ...paths: readonly string[]
): Promise<readonly LoadedFile[]> {
  const loading = await loadFiles(paths, disk(texts));
  assert.ok(loading.kind === "loaded", JSON.stringify(loading));
  return loading.files;
}

function wishesOf(line: string): RunWishes {
  const read = readArguments(line.split(" "));
  assert.ok(read.kind === "run", JSON.stringify(read));
  return read.wishes;
}

interface Played extends FilesResult {
  readonly told: readonly StepReport[];
}

/** Runs files over a world, letting the time pass that they need. */
async function play(
  world: World,
  files: readonly LoadedFile[],
  line: string,
  more: Partial<TerminalRun> = {},
): Promise<Played> {
  const told: StepReport[] = [];
  const never = new AbortController().signal;
  const running = runFiles(files, {
    wishes: wishesOf(line),
    live: world.live,
    clock: world.clock,
    uuid: () => "u",
    times: TIMES,
    isAttended: false,
    allowChanges: async () => await world.live.gate.allowChanges(),
    stop: never,
    stopWaiting: never,
    unread: never,
    onFile: () => undefined,
    onStep: (_file, report) => {
      told.push(report);
    },
    onEvent: () => undefined,
    onNote: () => undefined,
    ...more,
  });
  for (let turn = 0; turn < 30; turn++) await world.clock.advance(5000);
  return { ...(await running), told };
}

function verdictsOf({ files }: FilesResult): readonly string[] {
  return files.flatMap(({ steps }) => steps.map(({ verdict }) => verdict));
}

const CANCEL = (orderId: string, more = ""): string =>
  `{ ${more} "method": "private/cancel", "params": { "order_id": "${orderId}" } }`;
const TIME = '{ "method": "public/get_time" }';

describe("files of a run", () => {
  test("a folder stands for its request files in the order of their names; what is wrong is told for all of them", async () => {
    const files = disk({
      "/work/all/b.rpc.json": TIME,
      "/work/all/a.rpc.json": TIME,
      "/work/all/rpc.env.json": "{}",
      "/work/none/x.txt": "",
    });
    const loading = await loadFiles(["all/"], files);
    assert.deepEqual(
      loading.kind === "loaded" && loading.files.map(({ path, environmentFiles }) => [path, environmentFiles.length]),
      [
        ["all/a.rpc.json", 1],
        ["all/b.rpc.json", 1],
      ],
    );
    const wrong = await loadFiles(
      ["gone.rpc.json", "none", "all"],
      disk({
        "/work/none/x.txt": "",
        "/work/all/a.rpc.json": "[1]",
        "/work/all/b.rpc.json": '{ "method": "public/get_time", "$run": { "nam": 1 } }',
      }),
    );
    assert.ok(wrong.kind === "wrong");
    assert.equal(wrong.messages[0], "gone.rpc.json does not exist.");
    assert.match(wrong.messages[1] ?? "", /The folder none has no request files/);
    assert.match(wrong.messages.join("\n"), /^all\/a\.rpc\.json:1:2 {2}/m);
    assert.match(wrong.messages.join("\n"), /^all\/b\.rpc\.json:1:\d+ {2}nam is not a \$run option/m);
  });

  test("a secret in a file is a mistake of the file, and is not repeated", async () => {
    const wrong = await loadFiles(
      ["a.rpc.json"],
      disk({
        "/work/a.rpc.json":
          '{ "method": "private/edit_api_key", "params": { "id": 1, "client_secret": "canary-7f3a9c51d2" } }',
      }),
    );
    assert.ok(wrong.kind === "wrong");
    assert.ok(!wrong.messages.join().includes("canary"));
  });

  test("variables come from the request, the file, the folders and the command line; the rest is missing", async () => {
    const [file] = await loaded(
      {
        "/work/sub/a.rpc.json":
          '[{ "$file": { "vars": { "a": 1, "made": "{{$ask.Deep}}" } }, "method": "public/get_time", "params": { "a": "{{a}}", "b": "{{b}}", "c": "{{c}}", "d": "{{$pick.order}}", "e": "{{made}}", "f": "{{x.result.y}}", "g": "{{absent.result.y}}", "h": "{{$now}}" }, "$run": { "vars": { "b": 2 }, "name": "x" } }]',
        "/work/rpc.env.json": '{ "test": { "c": 3 } }',
      },
      "sub/a.rpc.json",
    );
    assert.ok(file !== undefined);
    const missing = (environment: "test" | "simulator", given: ReadonlyMap<string, string>): readonly string[] =>
      missingVariables(file, file.file.requests, { given, environment, clock: { now: () => 0 }, uuid: () => "u" }).map(
        (each) => /^sub\/a\.rpc\.json:1:\d+ {2}(\S+) has no value/.exec(each)?.[1] ?? each,
      );
    assert.deepEqual([...missing("test", new Map())].sort(), ["$ask.Deep", "$pick.order", "absent.result.y"]);
    assert.deepEqual(
      [
        ...missing(
          "simulator",
          new Map([
            ["$pick.order", '"O"'],
            ["$ask.Deep", "1"],
          ]),
        ),
      ].sort(),
      ["absent.result.y", "c"],
    );
  });
});

const LIMITS = { largestOrderUsd: 1000, totalUsd: 5000 };

describe("what a run may change", () => {
  const pinned = { kind: "only", environments: ["production"] } as const;
  const cases: readonly (readonly [string, Partial<WriteSituation>, string, RegExp | undefined])[] = [
    ["a read, always", { writes: "refused" }, "private/get_open_orders", undefined],
    ["without the option", { writes: "refused" }, "private/cancel", /Use --allow-writes to allow them/],
    ["with it, on test", {}, "private/cancel", undefined],
    ["with it, an order", {}, "private/buy", /Use --allow-trading with the largest order and the total in USD/],
    ["with it, an unknown method", {}, "private/new_one", /Use --allow-trading/],
    ["with it, an order on the simulator", { environment: "simulator" }, "private/buy", undefined],
    ["with a largest order alone", { writes: "refused", trading: LIMITS }, "private/buy", /Use --allow-writes/],
    ["with both, an order", { trading: LIMITS }, "private/buy", undefined],
    ["with both, an unknown method", { trading: LIMITS }, "private/new_one", undefined],
    [
      "with both, an order on production without a terminal",
      { environment: "production", writes: "production", pin: pinned, trading: LIMITS },
      "private/buy",
      /need a confirmation\. Run them in a terminal/,
    ],
    [
      "with both, an order on production at a terminal",
      { environment: "production", writes: "production", pin: pinned, trading: LIMITS, isAttended: true },
      "private/buy",
      undefined,
    ],
    [
      "with it alone, on production",
      { environment: "production", pin: pinned },
      "private/cancel",
      /require --allow-writes prod\./,
    ],
    [
      "named, on production",
      { environment: "production", writes: "production", pin: pinned },
      "private/cancel",
      undefined,
    ],
    [
      "named, and a file that says nothing",
      { environment: "production", writes: "production" },
      "private/cancel",
      /\$file\.env includes prod/,
    ],
    [
      "named, and a file for test",
      { environment: "production", writes: "production", pin: { kind: "only", environments: ["test"] } },
      "private/cancel",
      /\$file\.env includes prod/,
    ],
    [
      "named, a mass cancel without a terminal",
      { environment: "production", writes: "production", pin: pinned },
      "private/cancel_all",
      /a change of many orders or quotes at once requires a typed confirmation.*--allow-cancels prod/,
    ],
    [
      "cancels alone, a mass cancel on production without a terminal and a pin",
      { environment: "production", writes: "refused", cancels: "production" },
      "private/cancel_all",
      undefined,
    ],
    [
      "cancels alone, an order on production",
      { environment: "production", writes: "refused", cancels: "production", trading: LIMITS },
      "private/buy",
      /Use --allow-writes/,
    ],
    [
      "cancels alone, on production where it is not named",
      { environment: "production", writes: "refused", cancels: "notProduction" },
      "private/cancel",
      /Use --allow-writes/,
    ],
    [
      "named, a key without a terminal",
      { environment: "production", writes: "production", pin: pinned },
      "private/edit_api_key",
      /a change of API keys requires a typed/,
    ],
    [
      "named, money without a terminal",
      { environment: "production", writes: "production", pin: pinned },
      "private/withdraw",
      /a transfer requires a typed/,
    ],
    [
      "named, a mass cancel at a terminal",
      { environment: "production", writes: "production", pin: pinned, isAttended: true },
      "private/cancel_all",
      undefined,
    ],
  ];
  for (const [name, more, method, refusal] of cases) {
    test(name, () => {
      const reason = writeRefusal(method, {
        writes: "notProduction",
        cancels: "refused",
        trading: undefined,
        environment: "test",
        pin: { kind: "none" },
        isAttended: false,
        ...more,
      });
      if (refusal === undefined) assert.equal(reason, undefined);
      else assert.match(reason ?? "", refusal);
    });
  }
});

describe("questions at a terminal", () => {
  const MODAL: Question = {
    kind: "modal",
    message: plain`Cancel \u001b[2JX?`,
    detail: plain`one\ntwo`,
    confirm: plain`Cancel Order`,
    keep: plain`Keep Order`,
  };
  const TYPED: Question = { kind: "typed", message: plain`Type 7.`, expected: "7" };
  const terminalOf = (
    lines: readonly (string | undefined)[],
    isAttended = true,
  ): Terminal & { readonly shown: string[]; readonly hidden: boolean[] } => {
    const left = [...lines];
    const shown: string[] = [];
    const hidden: boolean[] = [];
    return {
      isAttended,
      shown,
      hidden,
      readLine: async (prompt, isHidden) => {
        shown.push(prompt);
        hidden.push(isHidden);
        return await Promise.resolve(left.shift());
      },
    };
  };

  test("only the word itself is a yes; an end of the input is none", async () => {
    for (const [line, isYes] of [
      ["yes", true],
      [" YES ", true],
      ["y", false],
      ["", false],
      ["no", false],
      [undefined, false],
    ] as const) {
      assert.equal(await createTerminalQuestions(terminalOf([line]), () => false).ask(MODAL), isYes, String(line));
    }
    for (const [line, isYes] of [
      ["7", true],
      ["yes", false],
      ["77", false],
      [undefined, false],
    ] as const)
      assert.equal(await createTerminalQuestions(terminalOf([line]), () => false).ask(TYPED), isYes, String(line));
  });

  test("message, detail, button and way out are shown, and nothing that a terminal acts on", async () => {
    const terminal = terminalOf(["no"]);
    await createTerminalQuestions(terminal, () => false).ask(MODAL);
    const text = terminal.shown.join("");
    assert.equal(text, "\nCancel \\u001B[2JX?\n  one\n  two\nType yes for: Cancel Order. Anything else: Keep Order. ");
  });

  test("a request that does not fit into a dialog is shown whole", async () => {
    const terminal = terminalOf(["no"]);
    const paramsText = JSON.stringify(
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`name_${String(index)}`, index])),
    );
    await createTerminalQuestions(terminal, () => false).ask({
      ...MODAL,
      show: plain`Show Request`,
      request: { method: "private/buy", paramsText },
    });
    const text = terminal.shown.join("");
    for (let index = 0; index < 40; index++)
      assert.ok(text.includes(`"name_${String(index)}": ${String(index)}`), text);
    assert.ok(text.endsWith("Type yes for: Cancel Order. Anything else: Keep Order. "));
  });

  test("two questions are put one after the other", async () => {
    const terminal = terminalOf(["yes", "7"]);
    const { ask } = createTerminalQuestions(terminal, () => false);
    assert.deepEqual(await Promise.all([ask(MODAL), ask(TYPED)]), [true, true]);
    assert.ok(
      terminal.shown.findIndex((each) => each.includes("Type yes")) <
        terminal.shown.findIndex((each) => each.includes("Type 7.")),
    );
  });

  const UNATTENDED = {
    button: "This request requires a confirmation. Run it in a terminal.",
    typed: "This request requires a typed confirmation. Run it in a terminal.",
    repetition:
      "The outcome of an earlier attempt is unknown. The change may already have been made. Check it on the exchange, or confirm it in a terminal.",
    method:
      "This method is not known, so nothing tells what it does or how large it is. It requires a typed confirmation. Run it in a terminal.",
    parameter:
      "The method is not known to have one of these parameters, so nothing tells how large the request is. It requires a typed confirmation. Remove the parameter, or run it in a terminal.",
    size: "The size of this request in USD can't be determined, so it can't be compared with --allow-trading. It requires a typed confirmation. Run it in a terminal.",
  } as const;
  for (const [name, line, question, expected] of [
    ["a button, after --allow-writes", "--allow-writes", MODAL, true],
    ["a button, without it", "", MODAL, UNATTENDED.button],
    ["a text to be typed, after --allow-writes", "--allow-writes", TYPED, UNATTENDED.typed],
    ["a repetition, after --allow-writes", "--allow-writes", { ...MODAL, isRepetition: true }, UNATTENDED.repetition],
    ["an unknown method, after --allow-writes", "--allow-writes", { ...TYPED, unsized: "method" }, UNATTENDED.method],
    ["an unknown parameter", "--allow-writes", { ...TYPED, unsized: "parameter" }, UNATTENDED.parameter],
    ["an unknown size", "--allow-writes", { ...TYPED, unsized: "size" }, UNATTENDED.size],
    ["a change that is no cancel, after --allow-cancels", "--allow-cancels", MODAL, UNATTENDED.button],
    ["a cancel, after --allow-cancels", "--allow-cancels", { ...MODAL, isForCancels: true }, true],
    ["a mass cancel, after --allow-cancels", "--allow-cancels", { ...TYPED, isForCancels: true }, true],
    ["a cancel, without an option", "", { ...MODAL, isForCancels: true }, UNATTENDED.button],
  ] as const)
    test(`without a terminal nothing is asked: ${name}`, async () => {
      const wishes = wishesOf(`run x --env test ${line}`.trim());
      const terminal = terminalOf([], false);
      const { ask, askCode } = createTerminalQuestions(terminal, (each) => isConfirmedBy(wishes, each));
      const answer = await ask(question).catch((error: unknown) => toFailure(error));
      assert.deepEqual(answer, expected === true ? true : { kind: "declined", reason: expected });
      assert.equal(await askCode({ sentence: plain`Cancel X`, place: plain`TESTNET main` }), undefined);
      assert.deepEqual(terminal.shown, []);
    });

  test("a code is typed hidden; what is none is not sent", async () => {
    const terminal = terminalOf([" 123456 ", "12", undefined]);
    const { askCode } = createTerminalQuestions(terminal, () => false);
    const question = { sentence: plain`Change \u202ekey`, place: plain`TESTNET main` };
    assert.deepEqual(
      [await askCode(question), await askCode(question), await askCode(question)],
      ["123456", undefined, undefined],
    );
    assert.deepEqual(terminal.hidden, [true, true, true]);
    assert.ok(!terminal.shown.join("").includes("\u202e"));
  });
});

describe("a run of files", () => {
  test("files of a folder share their named responses, those of another do not", async () => {
    const world = createWorld();
    await world.connect();
    const files = await loaded(
      {
        "/work/a/1.rpc.json": '{ "method": "private/get_open_orders", "$run": { "name": "open" } }',
        "/work/a/2.rpc.json":
          '{ "method": "private/get_order_state", "params": { "order_id": "{{open.result[0].order_id}}" } }',
        "/work/b/3.rpc.json":
          '{ "method": "private/get_order_state", "params": { "order_id": "{{open.result[0].order_id}}" } }',
      },
      "a",
      "b",
    );
    const result = await play(world, files, "run x --env sim");
    assert.deepEqual(verdictsOf(result), ["passed", "passed", "failed"]);
    assert.match(result.files[2]?.steps[0]?.sentence ?? "", /needs the result of open/);
    assert.equal(world.frames("private/get_order_state").length, 1);
  });

  test("with cancel-on-disconnect on, the report of an open order says that it ends with the program", async () => {
    const order = (price: number, type: string): string =>
      `{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 1, "type": "${type}"${type === "market" ? "" : `, "price": ${String(price)}`} } }`;
    const files = await loaded(
      {
        "/work/a.rpc.json": `[${order(1200, "limit")}, { "method": "private/enable_cancel_on_disconnect" }, ${order(1201, "limit")}, ${order(0, "market")}]`,
      },
      "a.rpc.json",
    );
    const world = createWorld({ declared: "simulator", orders: 0 });
    await world.connect();
    const { told } = await play(world, files, "run a.rpc.json --env sim --allow-writes");
    const note = "Cancel-on-disconnect (COD) is on. The exchange cancels the order when this program ends.";
    assert.deepEqual(
      told.map(({ verdict, sentence }) => [verdict, sentence.includes(note)]),
      [
        ["passed", false],
        ["passed", false],
        ["passed", true],
        ["passed", false],
      ],
    );
    world.live.dispose();
  });

  test("--bail ends it behind the first file with a failure", async () => {
    const world = createWorld();
    await world.connect();
    const files = await loaded(
      {
        "/work/1.rpc.json": '{ "method": "public/get_time", "$run": { "expect": { "ok": false } } }',
        "/work/2.rpc.json": TIME,
      },
      "1.rpc.json",
      "2.rpc.json",
    );
    assert.deepEqual(verdictsOf(await play(world, files, "run x --env sim")), ["failed", "passed"]);
    assert.deepEqual(verdictsOf(await play(world, files, "run x --env sim --bail")), ["failed"]);
  });

  test("on production: refused without the option and without the file's word; with both one frame", async () => {
    const world = createWorld({ declared: "production" });
    await world.connect();
    const orderId = world.exchange.control.openOrders()[0]?.order_id ?? "";
    const [unpinned] = await loaded({ "/work/1.rpc.json": CANCEL(orderId) }, "1.rpc.json");
    const [pinned] = await loaded(
      { "/work/2.rpc.json": CANCEL(orderId, '"$file": { "env": ["prod"] },') },
      "2.rpc.json",
    );
    assert.ok(unpinned !== undefined && pinned !== undefined);
    for (const [file, line] of [
      [pinned, "run x --env prod"],
      [pinned, "run x --env prod --allow-writes"],
      [unpinned, "run x --env prod --allow-writes prod"],
    ] as const) {
      assert.deepEqual(verdictsOf(await play(world, [file], line)), ["refused"], line);
    }
    assert.deepEqual([world.frames("private/cancel").length, world.questions.length], [0, 0]);
    assert.deepEqual(verdictsOf(await play(world, [pinned], "run x --env prod --allow-writes prod")), ["passed"]);
    assert.equal(world.frames("private/cancel").length, 1);
    const found = world.questions.map(({ message }) => message.split(" ")[0]);
    assert.deepEqual(found, ["Allow", "Send"]);
  });

  test("a no is said as such, and what comes behind it is not run", async () => {
    const world = createWorld({ declared: "test", answer: () => false });
    await world.connect();
    const orderId = world.exchange.control.openOrders()[0]?.order_id ?? "";
    const files = await loaded({ "/work/1.rpc.json": `[${CANCEL(orderId)}, ${TIME}]` }, "1.rpc.json");
    assert.deepEqual(verdictsOf(await play(world, files, "run x --env test --allow-writes")), ["declined", "notRun"]);
    assert.equal(world.frames("private/cancel").length, 0);
  });

  test("an unknown outcome is told when it comes and again when reading has settled it, before the next file", async () => {
    const world = createWorld();
    await world.connect();
    const orderId = world.exchange.control.openOrders()[0]?.order_id ?? "";
    world.exchange.control.setFault({ method: "private/cancel", response: "none" });
    const files = await loaded(
      { "/work/1.rpc.json": CANCEL(orderId), "/work/2.rpc.json": TIME },
      "1.rpc.json",
      "2.rpc.json",
    );
    const { told, ...result } = await play(world, files, "run x --env sim --allow-writes --timeout 1000");
    assert.deepEqual(pluck(told, "verdict"), ["unknown", "passed", "passed"]);
    assert.deepEqual(pluck(told, "isProvedByReading"), [false, true, false]);
    assert.match(told[0]?.sentence ?? "", /outcome unknown, checking/);
    assert.match(told[1]?.sentence ?? "", /verified cancelled/);
    assert.deepEqual(verdictsOf(result), ["passed", "passed"]);
    assert.equal(world.frames("private/cancel").length, 1);
  });

  describe("a change whose response is lost", () => {
    const BUY = (more = ""): string =>
      `{ ${more} "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 10, "type": "market", "label": "lost-7" } }`;
    const run = async (fault: Fault, method: string, text: string): Promise<Played> => {
      const world = createWorld();
      await world.connect();
      world.exchange.control.setFault({ method, ...fault });
      const orderId =
        world.exchange.control.openOrders().find(({ price }) => typeof price === "number")?.order_id ?? "";
      const files = await loaded({ "/work/a.rpc.json": text.replaceAll("ORDER", orderId) }, "a.rpc.json");
      const played = await play(world, files, "run x --env sim --allow-writes --allow-trading 100000 --timeout 3000");
      assert.equal(world.frames(method).length, 1);
      world.live.dispose();
      return played;
    };
    const exit = (played: Played): number =>
      exitCodeOf(verdictsOf(played) as readonly StepReport["verdict"][], {
        isStopped: false,
        isLinkLost: played.isLinkLost,
        allowsNothing: false,
      });

    test("and that was made passes, proved by reading, and what comes after it runs", async () => {
      const played = await run({ response: "none" }, "private/buy", `[${BUY()}, ${TIME}]`);
      assert.deepEqual([verdictsOf(played), exit(played)], [["passed", "passed"], 0]);
      const [buy] = played.files[0]?.steps ?? [];
      assert.deepEqual([buy?.isProvedByReading, buy?.response], [true, undefined]);
      assert.match(buy?.sentence ?? "", /placed as order \S+, which is filled/);
    });

    test("and that has an expectation fails, because there is nothing to compare", async () => {
      const expecting = BUY('"$run": { "expect": { "result": { "order": { "amount": 10 } } } },');
      const played = await run({ response: "none" }, "private/buy", `[${expecting}, ${TIME}]`);
      assert.deepEqual([verdictsOf(played), exit(played)], [["failed", "notRun"], 1]);
      assert.match(
        played.files[0]?.steps[0]?.sentence ?? "",
        /which is filled.* The response didn't arrive, so the expectation couldn't be checked\.$/,
      );
    });

    test("and that was not made is watched, is unknown after that, and nothing comes after it", async () => {
      const played = await run(
        { effect: "skipped", response: "none" },
        "private/cancel",
        `[${CANCEL("ORDER")}, ${TIME}]`,
      );
      assert.deepEqual([verdictsOf(played), exit(played)], [["unknown", "notRun"], 4]);
    });
  });

  describe("a plain refusal", () => {
    for (const [name, text, code] of [
      [
        "of an order for an instrument that does not exist",
        '{ "method": "private/buy", "params": { "instrument_name": "BTC-3JAN20-1000-C", "amount": 1, "type": "limit", "price": 0.5 } }',
        13020,
      ],
      ...["remove", "enable", "disable"].map(
        (each) =>
          [
            `of ${each}_api_key with an ID that no key has`,
            `{ "method": "private/${each}_api_key", "params": { "id": 4242 } }`,
            13020,
          ] as const,
      ),
      [
        "of edit_api_key with an ID that no key has",
        '{ "method": "private/edit_api_key", "params": { "id": 4242, "max_scope": "trade:read" } }',
        13020,
      ],
      [
        "of change_scope_in_api_key with an ID that no key has",
        '{ "method": "private/change_scope_in_api_key", "params": { "id": 4242, "max_scope": "trade:read" } }',
        13020,
      ],
    ] as const) {
      test(`${name} fails at once, and nothing is looked up`, async () => {
        const world = createWorld();
        await world.connect();
        const files = await loaded({ "/work/a.rpc.json": text }, "a.rpc.json");
        const played = await play(world, files, "run x --env sim --allow-writes --allow-trading 100000");
        assert.deepEqual(pluck(played.told, "verdict"), ["failed"]);
        assert.match(
          played.told[0]?.sentence ?? "",
          new RegExp(`: refused by the exchange\\. The exchange returned error ${code}: not_found\\.`),
        );
        world.live.dispose();
      });
    }
  });

  describe("a change with a number in quotes whose response is lost", () => {
    for (const [method, params, effect, verdict, sentence] of [
      ["private/disable_api_key", '{ "id": "3" }', "applied", "passed", /took effect/],
      ["private/remove_api_key", '{ "id": "3" }', "skipped", "unknown", /had no effect after/],
      [
        "private/buy",
        '{ "instrument_name": "ETH-PERPETUAL", "amount": "40.0", "price": "1000", "label": "quoted" }',
        "applied",
        "passed",
        /placed as order/,
      ],
    ] as const)
      test(`${method} is proved as with one without: ${verdict}`, async () => {
        const world = createWorld();
        await world.connect();
        await world.live.apiKeys.refresh();
        world.exchange.control.setFault({ method, response: "none", ...(effect === "skipped" ? { effect } : {}) });
        const files = await loaded(
          { "/work/a.rpc.json": `{ "method": "${method}", "params": ${params} }` },
          "a.rpc.json",
        );
        const played = await play(world, files, "run x --env sim --allow-writes --allow-trading 100000 --timeout 3000");
        assert.deepEqual(verdictsOf(played), [verdict], JSON.stringify(played.told));
        assert.match(played.told.map((each) => each.sentence).join("\n"), sentence);
        world.live.dispose();
      });
  });

  test("an order that was never seen is not gone because it is not listed", async () => {
    const world = createWorld();
    await world.connect();
    world.exchange.control.setFault({ method: "private/cancel", response: "none" });
    const files = await loaded({ "/work/a.rpc.json": CANCEL("ETH-987654") }, "a.rpc.json");
    const played = await play(world, files, "run x --env sim --allow-writes --timeout 3000");
    assert.deepEqual(verdictsOf(played), ["unknown"]);
    assert.match(played.told.at(-1)?.sentence ?? "", /isn't listed, but it wasn't seen before the request either/);
    world.live.dispose();
  });

  test("a method that acts on the session is refused, and a parameter that breaks a rule is a failure", async () => {
    const world = createWorld();
    await world.connect();
    const files = await loaded(
      {
        "/work/1.rpc.json": '{ "method": "private/logout" }',
        "/work/2.rpc.json": '{ "method": "private/get_open_orders", "params": { "kind": "fut" } }',
      },
      "1.rpc.json",
      "2.rpc.json",
    );
    const result = await play(world, files, "run x --env sim --allow-writes");
    assert.deepEqual(verdictsOf(result), ["refused", "failed"]);
    assert.match(result.files[0]?.steps[0]?.sentence ?? "", /private\/logout can't be sent because/);
  });

  test("without a terminal, a change that may have been carried out already is not sent again", async () => {
    const line = "run x --env test --allow-writes --allow-trading 1000";
    const { ask } = createTerminalQuestions(NO_USER, (question) => isConfirmedBy(wishesOf(line), question));
    const world = createWorld({ declared: "test", answer: ask });
    await world.connect();
    world.exchange.control.setFault({ method: "private/buy", response: "none", times: 9 });
    const order = '{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 40 } }';
    const played = await play(
      world,
      await loaded({ "/work/a.rpc.json": order, "/work/b.rpc.json": order }, "a.rpc.json", "b.rpc.json"),
      line,
    );
    assert.deepEqual([verdictsOf(played), world.frames("private/buy").length], [["unknown", "refused"], 1]);
    assert.equal(
      played.told.at(-1)?.sentence,
      "The outcome of an earlier attempt is unknown. The change may already have been made. Check it on the exchange, or confirm it in a terminal.",
    );
    assert.match(JSON.stringify(world.questions.at(-1)), /The outcome of an earlier attempt is unknown/);
    world.live.dispose();
  });

  for (const [environment, line, sentence] of [
    ["test", "run x --env test --allow-writes", /Use --allow-trading with the largest order and the total in USD/],
    [
      "production",
      "run x --env prod --allow-writes prod",
      /Use --allow-trading with the largest order and the total in USD/,
    ],
    ["production", "run x --env prod --allow-writes prod --allow-trading 1000", /Run them in a terminal/],
  ] as const)
    test(`an order is not sent by: ${line}, also after a cancel was`, async () => {
      const world = createWorld({ declared: environment, largestOrderUsd: "notAllowed" });
      await world.connect();
      const orderId = String(world.exchange.control.openOrders()[0]?.order_id);
      const buy = '{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 1 } }';
      const file = `[${CANCEL(orderId, '"$file": { "env": ["test", "prod"] },')}, ${buy}]`;
      const played = await play(world, await loaded({ "/work/a.rpc.json": file }, "a.rpc.json"), line);
      assert.deepEqual(verdictsOf(played), ["passed", "refused"]);
      assert.match(played.told.at(-1)?.sentence ?? "", sentence);
      assert.deepEqual([world.frames("private/cancel").length, world.frames("private/buy")], [1, []]);
      world.live.dispose();
    });

  for (const [name, params, frames] of [
    [
      "an unknown parameter of an order",
      '{ "instrument_name": "ETH-PERPETUAL", "amount": 1, "type": "limit", "price": 2000, "iceberg": true }',
      0,
    ],
    [
      "the same order without it",
      '{ "instrument_name": "ETH-PERPETUAL", "amount": 1, "type": "limit", "price": 2000 }',
      1,
    ],
  ] as const)
    test(`without a terminal, ${name} on the testnet ${frames === 0 ? "is refused, with exit code 3" : "is sent"}`, async () => {
      const line = "run x --env test --allow-writes --allow-trading 100,1000";
      const { ask } = createTerminalQuestions(NO_USER, (question) => isConfirmedBy(wishesOf(line), question));
      const world = createWorld({ declared: "test", answer: ask, largestOrderUsd: 100, totalUsd: 1000 });
      await world.connect();
      const text = `{ "method": "private/buy", "params": ${params} }`;
      const played = await play(world, await loaded({ "/work/a.rpc.json": text }, "a.rpc.json"), line);
      const verdicts = verdictsOf(played);
      assert.equal(world.frames("private/buy").length, frames);
      assert.deepEqual(verdicts, [frames === 0 ? "refused" : "passed"]);
      assert.equal(
        exitCodeOf(verdicts as StepVerdict[], { isStopped: false, isLinkLost: false, allowsNothing: false }),
        frames === 0 ? 3 : 0,
      );
      if (frames === 0)
        assert.match(played.told.at(-1)?.sentence ?? "", /^The method is not known to have one of these parameters/);
      world.live.dispose();
    });

  test("an order above --allow-trading is refused here, with its own sentence", async () => {
    const line = "run x --env test --allow-writes --allow-trading 100";
    const { ask } = createTerminalQuestions(NO_USER, (question) => isConfirmedBy(wishesOf(line), question));
    const world = createWorld({ declared: "test", answer: ask, largestOrderUsd: 100, totalUsd: 100 });
    await world.connect();
    const text =
      '{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 200, "type": "market" } }';
    const played = await play(world, await loaded({ "/work/a.rpc.json": text }, "a.rpc.json"), line);
    assert.deepEqual([verdictsOf(played), world.frames("private/buy")], [["refused"], []]);
    assert.match(played.told[0]?.sentence ?? "", /200 USD.*100 USD/);
    world.live.dispose();
  });

  test("a no to changes on production is a refusal, and a cancel is asked for all the same", async () => {
    const world = createWorld({
      declared: "production",
      answer: ({ message }) => !message.startsWith("Allow changes"),
    });
    await world.connect();
    const orderId = world.exchange.control.openOrders()[0]?.order_id ?? "";
    const mmp =
      '{ "method": "private/set_mmp_config", "params": { "index_name": "btc_usd", "interval": 0, "frozen_time": 0 } }';
    const files = await loaded(
      { "/work/1.rpc.json": `[${CANCEL(orderId, '"$file": { "env": ["prod"] },')}, ${mmp}]` },
      "1.rpc.json",
    );
    const played = await play(world, files, "run x --env prod --allow-writes prod", { isAttended: true });
    assert.deepEqual(verdictsOf(played), ["passed", "refused"]);
    assert.equal(played.told.at(-1)?.sentence, `You didn't allow changes on ${world.live.place}.`);
    assert.equal(world.frames("private/set_mmp_config").length, 0);
  });

  test("without a terminal, --allow-cancels prod cancels orders, all of them too, and nothing else", async () => {
    const line = "run x --env prod --allow-cancels prod";
    const { ask } = createTerminalQuestions(NO_USER, (question) => isConfirmedBy(wishesOf(line), question));
    const world = createWorld({ declared: "production", answer: ask, orders: 3 });
    await world.connect();
    const orderId = String(world.exchange.control.openOrders()[0]?.order_id);
    const requests = [
      `{ "method": "private/cancel", "params": { "order_id": "${orderId}" } }`,
      '{ "method": "private/cancel_all", "params": {} }',
      '{ "method": "private/cancel_all", "params": { "detailed": true } }',
      '{ "method": "private/set_mmp_config", "params": { "index_name": "btc_usd", "interval": 0, "frozen_time": 0 } }',
      '{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 1 } }',
    ];
    const files = await loaded(
      Object.fromEntries(requests.map((text, index) => [`/work/${index}.rpc.json`, text])),
      ...requests.map((_text, index) => `${index}.rpc.json`),
    );
    const played = await play(world, files, line);
    assert.deepEqual(verdictsOf(played), ["passed", "passed", "passed", "refused", "refused"]);
    assert.deepEqual(
      ["private/cancel", "private/cancel_all", "private/set_mmp_config", "private/buy"].map(
        (method) => world.frames(method).length,
      ),
      [1, 2, 0, 0],
    );
    assert.equal(world.exchange.control.openOrders().length, 0);
    assert.equal(world.live.gate.changesAllowedUntilMs, undefined);
    world.live.dispose();
  });

  test("responses of before are forgotten when it becomes another account", async () => {
    const world = createWorld();
    await world.connect();
    const subaccounts = '{ "method": "private/get_subaccounts", "$run": { "name": "accounts" } }';
    const toOther =
      '{ "method": "public/exchange_token", "params": { "refresh_token": "{{$session.refreshToken}}", "subject_id": "{{accounts.result[-1].id}}" }, "$run": { "name": "switch" } }';
    const after =
      '{ "method": "private/get_order_state", "params": { "order_id": "{{accounts.result[0].id|string}}" } }';
    const files = await loaded({ "/work/1.rpc.json": `[${subaccounts}, ${toOther}, ${after}]` }, "1.rpc.json");
    const result = await play(world, files, "run x --env sim --allow-writes");
    assert.deepEqual(verdictsOf(result).slice(0, 2), ["passed", "passed"]);
    assert.match(result.files[0]?.steps[2]?.sentence ?? "", /needs the result of accounts/);
  });
});

describe("channels that a run follows", () => {
  const CHANNEL = "trades.BTC-PERPETUAL.100ms";
  const SUBSCRIBE = `{ "method": "public/subscribe", "params": { "channels": ["${CHANNEL}"] } }`;
  const event = (data: string): string =>
    `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"${CHANNEL}","data":${data}}}`;

  interface FollowPlay {
    readonly world: World;
    readonly events: string[];
    readonly notes: string[];
    readonly stop: AbortController;
    readonly unread: AbortController;
    readonly ended: Promise<FilesResult>;
    /** Whether all is over. */
    isOver: boolean;
    /** The exchange sends an event with this payload. */
    say(data: string): Promise<void>;
  }

  const following = async (text: string, options = "", world = createWorld()): Promise<FollowPlay> => {
    await world.connect();
    const files = await loaded({ "/work/1.rpc.json": text }, "1.rpc.json");
    const [stop, unread, never] = [new AbortController(), new AbortController(), new AbortController()];
    const events: string[] = [];
    const notes: string[] = [];
    const ended = runFiles(files, {
      wishes: wishesOf(`run x --env sim${options}`),
      live: world.live,
      clock: world.clock,
      uuid: () => "u",
      times: TIMES,
      isAttended: false,
      allowChanges: async () => await Promise.resolve(false),
      stop: stop.signal,
      stopWaiting: never.signal,
      unread: unread.signal,
      onFile: () => undefined,
      onStep: () => undefined,
      onEvent: ({ channel, payloadText }) => {
        events.push(`${channel} ${payloadText}`);
      },
      onNote: (sentence) => {
        notes.push(sentence);
      },
    });
    const played: FollowPlay = {
      world,
      events,
      notes,
      stop,
      unread,
      ended,
      isOver: false,
      async say(data) {
        world.exchange.control.sendText(event(data));
        await world.clock.advance(500);
      },
    };
    void ended.then(() => {
      played.isOver = true;
    });
    await world.clock.advance(2000);
    return played;
  };
  const isFollowed = ({ exchange }: World): boolean =>
    exchange.control.connections().some(({ channels }) => channels.includes(CHANNEL));

  test("events keep their digits; Ctrl+C ends it without a failure, and the exchange is told", async () => {
    const played = await following(`[${SUBSCRIBE}, ${TIME}]`);
    assert.equal(isFollowed(played.world), true);
    assert.equal(played.world.frames("public/get_time").length > 0, true, "the requests behind it are sent meanwhile");
    await played.say('[{"price":0.10,"amount":9007199254740993,"tiny":1e-8}]');
    assert.deepEqual(played.events, [`${CHANNEL} [{"price":0.10,"amount":9007199254740993,"tiny":1e-8}]`]);
    assert.equal(played.isOver, false);
    played.stop.abort();
    await played.world.clock.advance(500);
    const { isInterrupted, isLinkLost, notes, ...result } = await played.ended;
    assert.deepEqual(
      [isInterrupted, isLinkLost, notes, verdictsOf({ isInterrupted, isLinkLost, notes, ...result })],
      [false, false, [`${CHANNEL}: 1 event.`], ["passed", "passed"]],
    );
    assert.equal(isFollowed(played.world), false);
    await played.say("[]");
    assert.equal(played.events.length, 1);
  });

  test("it ends after --events, after --for, and when its output is no longer read", async () => {
    const byEvents = await following(SUBSCRIBE, " --events 2");
    for (const data of ["1", "2", "3"]) await byEvents.say(data);
    assert.deepEqual([byEvents.isOver, byEvents.events.length, isFollowed(byEvents.world)], [true, 2, false]);
    const byTime = await following(SUBSCRIBE, " --for 30");
    await byTime.world.clock.advance(25_000);
    assert.equal(byTime.isOver, false);
    await byTime.world.clock.advance(10_000);
    assert.deepEqual([byTime.isOver, isFollowed(byTime.world)], [true, false]);
    const unread = await following(SUBSCRIBE);
    unread.unread.abort();
    await unread.world.clock.advance(500);
    assert.equal(unread.isOver, true);
  });

  test("an unsubscribe request ends it, and one of something else is refused", async () => {
    const end = (channel: string): string =>
      `{ "method": "public/unsubscribe", "params": { "channels": ["${channel}"] } }`;
    const ended = await following(`[${SUBSCRIBE}, ${end(CHANNEL)}]`);
    assert.deepEqual(
      [ended.isOver, verdictsOf(await ended.ended), isFollowed(ended.world)],
      [true, ["passed", "passed"], false],
    );
    const other = await following(`[${SUBSCRIBE}, ${end("trades.ETH-PERPETUAL.100ms")}]`);
    const { files } = await other.ended;
    assert.equal(
      files[0]?.steps[1]?.sentence.includes("No request in this run is subscribed to trades.ETH-PERPETUAL.100ms."),
      true,
      files[0]?.steps[1]?.sentence,
    );
    assert.equal(isFollowed(other.world), false, "where something failed nothing is followed on");
  });

  test("what the exchange does not accept is a failure, and so is a list that is none", async () => {
    const refused = await following(
      '{ "method": "public/subscribe", "params": { "channels": ["trades.BTC-PERPETUAL.100ms", "no.such.channel"] } }',
    );
    assert.deepEqual(
      [refused.isOver, verdictsOf(await refused.ended), isFollowed(refused.world)],
      [true, ["failed"], false],
    );
    assert.equal(
      (await refused.ended).files[0]?.steps[0]?.sentence.replace(/^.*(?=Not subscribed)/, ""),
      "Not subscribed to no.such.channel: the exchange didn't list it as an accepted channel. Check the name of the channel.",
    );
    const none = await following('{ "method": "public/subscribe", "params": { "channels": [] } }');
    assert.deepEqual(verdictsOf(await none.ended), ["failed"]);
  });

  test("a lost link is told, and events go on when it is back", async () => {
    const played = await following(SUBSCRIBE);
    played.world.exchange.control.disconnectAll("reset");
    await played.world.clock.advance(30_000);
    await played.say("7");
    assert.deepEqual(played.notes, [
      "The connection was lost. Channel events are missed until it is restored.",
      `Subscribed to ${CHANNEL} again.`,
    ]);
    assert.deepEqual(played.events, [`${CHANNEL} 7`]);
    played.world.live.disconnect();
    await played.world.clock.advance(500);
    assert.deepEqual([played.isOver, (await played.ended).isLinkLost], [true, true]);
  });

  test("Ctrl+C that leaves requests unsent is an interruption", async () => {
    const played = await following(`[${SUBSCRIBE}, { "method": "public/get_time", "$run": { "delayMs": 60000 } }]`);
    played.stop.abort();
    await played.world.clock.advance(500);
    assert.deepEqual(
      [(await played.ended).isInterrupted, verdictsOf(await played.ended)],
      [true, ["passed", "notRun"]],
    );
  });
});
