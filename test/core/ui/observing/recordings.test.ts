import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import type * as vscode from "vscode";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import { createEmitter } from "../../../../src/base/emitter.ts";
import type { Question } from "../../../../src/actions/intent/question.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { readRecording } from "../../../../src/recording/read.ts";
import { MAX_RECORDED_BYTES, type Recording } from "../../../../src/recording/recording.ts";
import type { TrafficWatcher } from "../../../../src/rpc/traffic.ts";
import type { FileChoice } from "../../../../src/ui/editor/dialogSteps.ts";
import type { Recordings } from "../../../../src/ui/observing/recordings.ts";
import { createWorld, type World } from "../../../world.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

interface Item {
  text: string;
  tooltip: string;
  command: string;
  isShown: boolean;
}

/** The items in the status bar. */
let items: Item[] = [];

function uriOf(file: string): vscode.Uri {
  return { scheme: "file", path: file, fsPath: file, toString: () => file } as unknown as vscode.Uri;
}

interface Lab {
  readonly recordings: Recordings;
  readonly live: LiveConnection;
  readonly world: World;
  readonly shown: readonly string[];
  readonly questions: readonly Question[];
  /** The keys of the context, and the storage of the window. */
  readonly context: ReadonlyMap<string, unknown>;
  readonly state: Map<string, unknown>;
  /** What the dialog of the file offered. */
  readonly offered: FileChoice[];
  readonly buttons: { readonly title: string; readonly run: () => unknown }[];
  /** Lets the file dialog answer with this name from now on. */
  place: string | undefined;
  isPresenting: boolean;
  environment: LiveConnection["environment"] | undefined;
  /** Replaces the traffic by one that the test makes. */
  watcher: TrafficWatcher | undefined;
  readonly closed: { fire(live: LiveConnection): void };
  /** Runs a command and lets the time pass that it needs. */
  run(action: () => Promise<unknown>): Promise<void>;
}

describe("Record Traffic", () => {
  let folder = "";
  let worlds: World[] = [];
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-record-"));
    items = [];
  });
  afterEach(() => {
    for (const { live, exchange } of worlds) {
      live.dispose();
      exchange.dispose();
    }
    worlds = [];
    fs.rmSync(folder, { recursive: true });
  });
  useEditor({
    Uri: { file: uriOf, parse: uriOf },
    window: {
      createStatusBarItem() {
        const item = {
          ...{ text: "", tooltip: "", command: "", isShown: false },
          show: () => void (item.isShown = true),
          dispose: () => void (item.isShown = false),
        };
        items.push(item);
        return item;
      },
    },
  });

  const file = (name = "s.rpcrec.jsonl"): string => path.join(folder, name);
  const saved = (): Recording => {
    const reading = readRecording(fs.readFileSync(file(), "utf8"));
    assert.ok(reading.kind === "read", JSON.stringify(reading));
    return reading.recording;
  };
  const methods = (): readonly string[] => saved().entries.flatMap((each) => (each.kind === "call" ? each.method : []));

  const open = async (
    options: Parameters<typeof createWorld>[0] & { readonly answers?: boolean } = {},
    ...answers: readonly ScriptedAnswer[]
  ): Promise<Lab> => {
    const { createRecordings } = await import("../../../../src/ui/observing/recordings.ts");
    const world = createWorld({ orders: 2, ...options });
    worlds.push(world);
    await world.connect();
    const { dialogs, shown } = scriptedDialogs(...answers);
    const [context, state] = [new Map<string, unknown>(), new Map<string, unknown>()];
    const closed = createEmitter<LiveConnection>();
    const presenting = createEmitter<undefined>();
    const questions: Question[] = [];
    const lab: Omit<Lab, "recordings"> = {
      ...{ world, shown, questions, context, state, closed, offered: [], buttons: [], watcher: undefined },
      ...{ place: file(), isPresenting: false, environment: undefined },
      live: Object.create(world.live, {
        environment: { get: () => lab.environment ?? world.live.environment },
      }) as LiveConnection,
      async run(action) {
        const running = action();
        await world.clock.advance(3000);
        await running;
      },
    };
    const recordings = createRecordings({
      ask: async (question) => {
        questions.push(question);
        return await Promise.resolve(options.answers ?? true);
      },
      clock: world.clock,
      dialogs: {
        ...dialogs,
        chooseNewFile: async (choice) => {
          lab.offered.push(choice);
          return await Promise.resolve(lab.place === undefined ? undefined : uriOf(lab.place));
        },
        tell(level, text, actions = []) {
          dialogs.tell(level, text);
          lab.buttons.splice(0, Infinity, ...actions);
        },
      },
      liveConnections: { find: () => lab.live, onDidClose: closed.event },
      log: { hide: (text) => text.replaceAll("canary", "hidden") },
      screen: {
        hide: (text) => (lab.isPresenting ? text.replaceAll("lab", "•••") : text),
        onDidChange: presenting.event,
      },
      setContext: (name, value) => void context.set(name, value),
      settings: { isPresenting: () => lab.isPresenting },
      state: {
        get: (key: string) => state.get(key) as never,
        update: async (key: string, value: unknown) => await Promise.resolve(void state.set(key, value)),
      },
      times: createTimes(0),
    });
    return Object.assign(lab, { recordings });
  };
  const start = async (lab: Lab): Promise<void> => await lab.run(async () => await lab.recordings.start(lab.live));

  test("reconnects, and saves sign-in and readings for this user alone; the status bar shows it meanwhile", async () => {
    const lab = await open({}, "Reconnect and Record");
    await start(lab);
    assert.deepEqual(
      items.map(({ text, tooltip, command, isShown }) => [text, tooltip, command, isShown]),
      [
        [
          "$(record) Recording SIMULATOR lab",
          "Traffic is being recorded. Select to stop.",
          "tradingRpc.traffic.stopRecording",
          true,
        ],
      ],
    );
    assert.equal(lab.context.get("isRecording"), true);
    assert.equal(saved().isFinished, false);
    assert.ok(!fs.readFileSync(file(), "utf8").includes(lab.world.exchange.clientId));
    await lab.run(async () => await lab.recordings.stop());
    assert.deepEqual([lab.context.get("isRecording"), items[0]?.isShown], [false, false]);
    assert.ok(methods().includes("public/auth") && methods().includes("private/get_open_orders"), methods().join());
    assert.deepEqual([saved().environment, saved().isFinished], ["sim", true]);
    assert.deepEqual(fs.readdirSync(folder), ["s.rpcrec.jsonl"]);
    assert.ok(!fs.readFileSync(file(), "utf8").includes(lab.world.exchange.clientId));
    if (process.platform !== "win32") assert.equal(fs.statSync(file()).mode & 0o777, 0o600);
    assert.match(
      lab.shown.at(-1) ?? "",
      /^information: The recording was saved as s\.rpcrec\.jsonl\. Requests: \d+\. Events: \d+\.$/,
    );
    assert.deepEqual(
      lab.buttons.map(({ title }) => title),
      ["Open Recording"],
    );
    assert.equal([...lab.state.values()].filter((each) => each !== undefined).length, 0);
  });

  test("from now on: the connection stays up, and only what comes next is in the file", async () => {
    const lab = await open({}, "Record from Now On");
    const sent = lab.world.frames("public/auth").length;
    await start(lab);
    await lab.run(async () => await lab.live.orders.refresh());
    await lab.run(async () => await lab.recordings.stop());
    assert.equal(lab.world.frames("public/auth").length, sent);
    assert.deepEqual([...new Set(methods())], ["private/get_open_orders"]);
  });

  test("the home folder is offered, with a name of this minute; a file that others could read is private afterwards", async () => {
    const lab = await open({}, "Record from Now On");
    fs.writeFileSync(file(), "old", { mode: 0o644 });
    await start(lab);
    const [{ folder: offered, name } = { folder: undefined, name: "" }] = lab.offered;
    assert.equal(offered?.fsPath, os.homedir());
    assert.match(name, /^recording-\d{4}(?:-\d\d){4}\.rpcrec\.jsonl$/);
    if (process.platform !== "win32") assert.equal(fs.statSync(file()).mode & 0o777, 0o600);
  });

  test("production needs a confirmation first; without it, nothing is recorded and no file is chosen", async () => {
    for (const answers of [false, true]) {
      const lab = await open({ declared: "production", answers }, "Record from Now On");
      await start(lab);
      const [question] = lab.questions;
      assert.ok(question?.kind === "modal");
      assert.deepEqual(
        [question.message, question.confirm, question.keep],
        ["Record traffic of PRODUCTION lab?", "Record Production", "Don't Record"],
      );
      assert.deepEqual([lab.offered.length, lab.context.get("isRecording") ?? false], [Number(answers), answers]);
    }
  });

  test("a connection that turns out to be production is not recorded any further, and that is said", async () => {
    const lab = await open({}, "Record from Now On");
    await start(lab);
    await lab.run(async () => await lab.live.orders.refresh());
    lab.environment = "production";
    lab.world.exchange.control.disconnectAll("reset");
    await lab.world.clock.advance(5000);
    assert.deepEqual([...new Set(methods())], ["private/get_open_orders"]);
    assert.match(lab.shown.at(-1) ?? "", /^warning: .* counts as production now, so the recording was stopped\. The/);
  });

  test("a lost connection goes on in the same recording", async () => {
    const lab = await open({}, "Record from Now On");
    await start(lab);
    lab.world.exchange.control.disconnectAll("reset");
    await lab.world.clock.advance(5000);
    assert.equal(lab.live.state.status, "ready");
    await lab.run(async () => await lab.recordings.stop());
    assert.ok(methods().includes("public/auth"));
  });

  test("a connection that is closed, and a window that is closed, leave a file that is complete", async () => {
    for (const close of ["connection", "window", "window after its connections"]) {
      const lab = await open({ orders: 300 }, "Record from Now On");
      await start(lab);
      for (let time = 0; time < 4; time++) await lab.run(async () => await lab.live.orders.refresh());
      if (close !== "window") lab.closed.fire(lab.live);
      if (close === "connection") {
        assert.equal(saved().isFinished, false, "a large one is finished in steps");
        await lab.world.clock.advance(1);
        assert.match(lab.shown.at(-1) ?? "", /^warning: SIMULATOR lab was disconnected, so the/);
      }
      // Not a turn later: the window may be gone.
      else lab.recordings.dispose();
      assert.ok(methods().length >= 4, close);
      assert.ok(saved().isFinished);
    }
  });

  test("one that is too large to be finished while its window closes stays as it is, and the next window says so", async () => {
    const lab = await open({ orders: 300 }, "Record from Now On");
    await start(lab);
    for (let time = 0; time < 4; time++) await lab.run(async () => await lab.live.orders.refresh());
    const { clock } = lab.world;
    let readings = 0;
    const slowMs = clock.monotonicMs.bind(clock);
    clock.monotonicMs = () => slowMs() + readings++ * 3000;
    lab.recordings.dispose();
    assert.deepEqual([saved().isFinished, fs.readdirSync(folder)], [false, ["s.rpcrec.jsonl"]]);
    assert.ok(methods().length >= 4);
    assert.deepEqual(await toldByNext(lab), [
      "warning: VS Code ended while SIMULATOR lab was recorded. s.rpcrec.jsonl has what was recorded until then. Personal data that was used before it was known may be in it.",
    ]);
  });

  /** Returns what the next window says first. */
  const toldByNext = async (lab: Lab): Promise<readonly string[]> => {
    const { createRecordings } = await import("../../../../src/ui/observing/recordings.ts");
    const told: string[] = [];
    createRecordings({
      dialogs: { tell: (level: string, words: string) => told.push(`${level}: ${words}`) },
      state: { get: (key: string) => lab.state.get(key), update: async () => await Promise.resolve() },
    } as never);
    return told;
  };

  test("a recording that VS Code did not finish is told about by the next window, and so is one that it did", async () => {
    const lab = await open({}, "Record from Now On");
    await start(lab);
    await lab.run(async () => await lab.live.orders.refresh());
    assert.match((await toldByNext(lab)).join(), /^warning: VS Code ended while SIMULATOR lab was recorded\./);
    fs.writeFileSync(file(), fs.readFileSync(file(), "utf8").replace(',"isFinished":false', ""));
    assert.deepEqual(await toldByNext(lab), [
      "information: The recording of SIMULATOR lab ended with the window. It is in s.rpcrec.jsonl.",
    ]);
  });

  test("a file that can't be written at the end is offered another place, and nothing is lost meanwhile", async () => {
    const lab = await open({}, "Record from Now On");
    lab.place = path.join(folder, "sub", "s.jsonl");
    fs.mkdirSync(path.dirname(lab.place));
    await start(lab);
    await lab.run(async () => await lab.live.orders.refresh());
    fs.rmSync(path.dirname(lab.place), { recursive: true });
    await lab.run(async () => await lab.recordings.stop());
    assert.match(
      lab.shown.at(-1) ?? "",
      /^error: The recording in s\.jsonl couldn't be finished: ENOENT.*\. Personal data that was used before it was known/,
    );
    assert.ok(
      [...lab.state.values()].some((each) => each !== undefined),
      "the next window would say so too",
    );
    lab.place = file();
    await lab.run(async () => await Promise.resolve(lab.buttons[0]?.run()));
    assert.ok(methods().length > 0 && saved().isFinished);
    assert.equal([...lab.state.values()].filter((each) => each !== undefined).length, 0);
  });

  test("a place that can't be written is told before anything is recorded", async () => {
    const lab = await open({}, "Record from Now On");
    lab.place = path.join(folder, "gone", "s.jsonl");
    await assert.rejects(lab.recordings.start(lab.live), ({ failure }: { failure: { reason: string } }) => {
      assert.match(failure.reason, /^s\.jsonl couldn't be saved: ENOENT/);
      return true;
    });
    assert.equal(lab.context.get("isRecording"), undefined);
  });

  test("without requests nothing is left on the disk; a second recording is refused; so is an end without one", async () => {
    const lab = await open({}, "Record from Now On");
    await assert.rejects(lab.recordings.stop(), {
      failure: { kind: "refused", reason: "No traffic is being recorded. Use Record Traffic… first.", isIdle: true },
    });
    await start(lab);
    await assert.rejects(lab.recordings.start(lab.live), {
      failure: { kind: "refused", reason: "Traffic of lab is already being recorded. Use Stop Recording first." },
    });
    const [item] = items;
    await lab.recordings.stop();
    assert.equal(lab.shown.at(-1), "warning: Nothing was recorded.");
    assert.deepEqual([fs.existsSync(file()), item?.isShown], [false, false]);
  });

  test("who leaves a step has recorded nothing", async () => {
    const left = await open({}, LEAVE);
    await start(left);
    assert.deepEqual([left.offered, left.context.size], [[], 0]);
    const noFile = await open({}, "Record from Now On");
    noFile.place = undefined;
    await start(noFile);
    assert.deepEqual([noFile.offered.length, noFile.context.size], [1, 0]);
  });

  test("at its largest size it ends on its own and is saved, and that is said", async () => {
    const lab = await open({}, "Record from Now On");
    let watcher: TrafficWatcher | undefined;
    Object.defineProperty(lab.live, "traffic", {
      value: {
        recent: [],
        watch: (each: TrafficWatcher) => {
          watcher = each;
          return { dispose: () => (watcher = undefined) };
        },
      },
    });
    await start(lab);
    const data = (text: string): string => `{"params":{"channel":"x","data":${text}}}`;
    watcher?.onEvent("x", 10, () => data("1"));
    watcher?.onEvent("x", MAX_RECORDED_BYTES, () => data("2"));
    assert.equal(watcher, undefined);
    await lab.world.clock.settle();
    assert.equal(saved().entries.length, 1);
    assert.match(
      lab.shown.at(-1) ?? "",
      /^warning: The recording reached its largest size or time, so it was stopped\. .* A part is missing: it was too large/,
    );
  });

  test("in presentation mode neither name, file, nor figures are shown", async () => {
    const lab = await open({}, "Record from Now On");
    lab.isPresenting = true;
    await start(lab);
    await lab.run(async () => await lab.live.orders.refresh());
    assert.equal(items[0]?.text, "$(record) Recording SIMULATOR •••");
    await lab.run(async () => await lab.recordings.stop());
    assert.deepEqual([lab.shown.at(-1), lab.buttons], ["information: The recording was saved.", []]);
  });

  test("orders that end with the connection need a confirmation before it reconnects; without it, nothing is recorded", async () => {
    const lab = await open({ answers: false }, "Reconnect and Record");
    Object.defineProperty(lab.live, "cancelOnDisconnect", { value: { isOn: true, placedOrders: 2 } });
    await start(lab);
    assert.deepEqual(
      lab.questions.map((each) => each.kind === "modal" && [each.message, each.confirm]),
      [["Disconnect SIMULATOR lab and cancel 2 orders?", "Reconnect and Cancel Orders"]],
    );
    assert.deepEqual([lab.offered, lab.context.size], [[], 0]);
  });
});
