import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { isJournalRecord } from "../../src/actions/journal/journal.ts";
import { isSettling, isWatched, type Verdict } from "../../src/actions/judge/outcome.ts";
import { isUnresolved, type RecordedIntent } from "../../src/actions/journal/recordedIntents.ts";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { leftOverText } from "../../src/present/activity/activityWords.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import type { LedgerEntry } from "../../src/simulator/wire/ledger.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import type { ApiKey } from "../../src/state/apiKeys.ts";
import { groupOf } from "../../src/state/mmpGroups.ts";
import type { BlockRfqQuote } from "../../src/state/quotes.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { pluck } from "../pluck.ts";
import type { Crash, CrashPoint, Wishes } from "./crashProgram.ts";
import { createRacingClock, eventually, openWindow, until, type SocketWindow } from "./windowOnSockets.ts";
import { rounds } from "../rounds.mjs";

/*
 * `kill -9` between every two effects of a change (reliability G1b), and at random instants: a process changes
 * everything that can be changed at once and is killed when all of it has come to the same point. Then a window of
 * another key and two windows of the right one start over the same journals.
 */

/** Each is eight changes at each of five points. */
const ROUNDS = rounds({ short: 1, full: 1, long: 7 });
const RANDOM_KILLS = rounds({ short: 1, full: 4, long: 100 });
const SEED = 20_261_122;

const RFQ = 722;
const SUB_ACCOUNT = 48_602;
const EDITED_KEY = 3;
const SCOPED_KEY = 5;
const ENABLED_KEY = 4;
const NARROW = "custody:read trade:read";
const WIDE = "custody:read trade:read_write";
const LIMITED = { index_name: "btc_usd", mmp_group: "g1", block_rfq: false };
const FROZEN = { index_name: "eth_usd", mmp_group: "g2", block_rfq: false };

const SWITCH = "public/exchange_token";
const METHODS = [
  "private/cancel",
  "private/cancel_all_block_rfq_quotes",
  "private/edit_api_key",
  "private/change_scope_in_api_key",
  "private/set_mmp_config",
  "private/reset_mmp",
  "private/enable_api_key",
];
const WRITES: readonly string[] = [...METHODS, SWITCH];

/** When every change has come to which point, and what of it has to be known then. */
interface Point {
  readonly name: string;
  readonly point?: CrashPoint;
  readonly isListed: boolean;
  readonly isSent: boolean;
  /** The outcome stands in the journal. */
  readonly isSettled: boolean;
}

const POINTS: readonly Point[] = [
  { name: "before the journal", point: "before the journal", isListed: false, isSent: false, isSettled: false },
  { name: "after the journal", point: "after the journal", isListed: true, isSent: false, isSettled: false },
  { name: "after the send", isListed: true, isSent: true, isSettled: false },
  { name: "after the response", point: "after the response", isListed: true, isSent: true, isSettled: false },
  { name: "after the outcome", point: "after the outcome", isListed: true, isSent: true, isSettled: true },
];

describe("windows that are killed while they change everything", () => {
  let server: SimulatorServer;
  let exchange: Exchange;
  let root = "";
  let bundle = "";
  let runs = 0;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    exchange = createExchange({
      clock: createSystemClock(),
      random: createFakeRandom(11),
      still: true,
      limits: false,
      orders: 3,
    });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    root = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-crash-"));
    bundle = path.join(root, "program.cjs");
    const esbuild = createRequire(path.join(process.cwd(), "package.json"))("esbuild") as {
      build(options: object): Promise<unknown>;
    };
    await esbuild.build({
      entryPoints: ["test/sockets/crashProgram.ts"],
      bundle: true,
      platform: "node",
      format: "cjs",
      mainFields: ["module", "main"],
      outfile: bundle,
      logLevel: "error",
    });
  });
  afterAll(async () => {
    for (const end of ends) end();
    await server.close();
    fs.rmSync(root, { recursive: true });
  });

  const writes = (): readonly LedgerEntry[] =>
    exchange.control.ledger().filter(({ method = "" }) => WRITES.includes(method));

  /** What can be changed is there again, and no two changes are alike. */
  const prepare = (): Wishes => {
    const { control } = exchange;
    const number = ++runs;
    control.clearFaults();
    control.clearRecords();
    control.editApiKey(ENABLED_KEY, { enabled: false });
    control.freezeMmp(FROZEN, 0);

    control.placeBlockRfqQuote({ block_rfq_id: RFQ, direction: "buy", price: 0.02, amount: 25, label: `q${number}` });
    const keyOf = (id: number): ApiKey => control.apiKeys().find((key) => key["id"] === id) as unknown as ApiKey;
    const groups = (selection: typeof LIMITED): ReturnType<typeof groupOf> =>
      groupOf(control.mmpConfigs(selection)[0] as never, false);
    return {
      order: control.place({
        instrument_name: "ETH-PERPETUAL",
        direction: "buy",
        amount: 10 + number,
        price: 1500,
        label: `o${number}`,
      }),
      quotes: control.blockRfqQuotes() as unknown as readonly BlockRfqQuote[],
      editedKey: keyOf(EDITED_KEY),
      name: `k${number}`,
      scopedKey: keyOf(SCOPED_KEY),
      maxScope: keyOf(SCOPED_KEY).max_scope === NARROW ? WIDE : NARROW,
      limited: groups(LIMITED),
      interval: String(100 + number),
      frozen: { ...groups(FROZEN), freeze: { ...groups(FROZEN), frozen_until: 0 } as never },
      file: `// @connection main\n{"jsonrpc":"2.0","id":1,"method":"private/enable_api_key","params":{"id":${ENABLED_KEY}}}`,
    };
  };

  const start = (
    folder: string,
    wishes: Wishes,
    point?: CrashPoint,
  ): { readonly kill: () => void; readonly ended: Promise<NodeJS.Signals | null> } => {
    const crash: Crash = {
      url: server.addresses.webSocket,
      clientId: exchange.clientId,
      clientSecret: exchange.clientSecret,
      folder,
      wishes,
      ...(point === undefined ? {} : { point }),
    };
    runs++;
    const child = spawn(process.execPath, [bundle, JSON.stringify(crash)], { stdio: ["ignore", "ignore", "inherit"] });
    const kill = (): void => {
      child.kill("SIGKILL");
    };
    ends.push(kill);
    return {
      kill,
      ended: new Promise((resolve) => {
        child.once("close", (_code, signal) => {
          resolve(signal);
        });
      }),
    };
  };

  const window = (
    folder: string,
    key?: Readonly<Record<string, unknown>>,
  ): SocketWindow & { readonly end: () => void } => {
    const { clientId, clientSecret } =
      key === undefined ? exchange : { clientId: String(key["client_id"]), clientSecret: String(key["client_secret"]) };
    runs++;
    const opened = openWindow(
      { url: server.addresses.webSocket, clientId, clientSecret, folder },
      { clock: createRacingClock(20), log: silentLog },
    );
    const end = (): void => {
      opened.live.dispose();
      opened.journals.dispose();
      opened.run.dispose();
    };
    ends.push(end);
    return { ...opened, end };
  };

  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, point, ...expected } of POINTS) {
      test(`F103 killed ${name}, round ${round + 1} of ${ROUNDS}`, async () => {
        const folder = path.join(root, `point${runs}`);
        const wishes = prepare();
        // Of what is sent and not answered, every other change is carried out.
        if (point === undefined)
          WRITES.forEach((method, index) => {
            exchange.control.setFault({
              method,
              response: "none",
              effect: (index + round) % 2 === 0 ? "applied" : "skipped",
            });
          });
        for (const each of [wishes, { subjectId: SUB_ACCOUNT }]) {
          const child = start(folder, each, point);
          const sentBefore = writes().length;
          if (point === undefined) {
            await eventually(() => writes().length === sentBefore + (each === wishes ? METHODS.length : 1));
            child.kill();
          }
          assert.equal(await child.ended, "SIGKILL");
        }
        const sent = writes();
        assert.deepEqual(sent.map(({ method }) => method).sort(), expected.isSent ? [...WRITES].sort() : []);
        const told = await startAgain(folder);
        assert.deepEqual(told.map(({ method }) => method).sort(), expected.isListed ? [...WRITES].sort() : []);
        const found = told.filter(({ outcome }) => outcome?.failure?.kind === "programEnded").length;
        assert.deepEqual(found, expected.isListed && !expected.isSettled ? WRITES.length : 0);
        assert.deepEqual(
          told
            .filter(
              (intent) =>
                (intent.method === SWITCH || expected.isSettled) !== (intent.verdicts.find(isTelling) === undefined),
            )
            .map(words),
          [],
          "all that can be read was looked up, and no more",
        );
        if (expected.isSettled)
          assert.deepEqual(new Set(told.map(({ outcome }) => outcome?.kind)), new Set(["confirmed"]));
      });
    }
  }

  test(`F103 killed at ${RANDOM_KILLS} random instants`, async () => {
    const random = createFakeRandom(SEED);
    const reached = new Map<string, number>();
    for (let kill = 0; kill < RANDOM_KILLS; kill++) {
      const folder = path.join(root, `random${runs}`);
      const wishes = prepare();
      const child = start(folder, wishes);
      // From the first write on; then so many turns of the loop, in which answers leave and arrive.
      const frames = 1 + Math.floor(random() * METHODS.length);
      let turns = Math.floor(random() * 4000);
      await eventually(() => writes().length >= frames);
      await eventually(() => turns-- <= 0);
      child.kill();
      await child.ended;
      const sent = writes();
      const told = await startAgain(folder);
      assert.deepEqual(
        sent.filter(({ method }) => !told.some((intent) => intent.method === method)),
        [],
        "everything that was sent is listed",
      );
      for (const { outcome } of told)
        reached.set(
          outcome?.failure?.kind ?? outcome?.kind ?? "none",
          (reached.get(outcome?.failure?.kind ?? outcome?.kind ?? "none") ?? 0) + 1,
        );
    }
    process.stdout.write(
      `note: ${RANDOM_KILLS} random kills: ${[...reached].map(([kind, count]) => `${kind} ${count}`).join(", ")}\n`,
    );
  });

  /**
   * What the next windows tell, having checked on the way that nothing is lost, sent, or looked up by the wrong one.
   */
  async function startAgain(folder: string): Promise<readonly RecordedIntent[]> {
    const sent = writes().map(({ text }) => text);
    assert.equal(
      new Set(sent.map((text) => text.replace(/"id":\d+/, ""))).size,
      sent.length,
      "at most one frame for each change",
    );
    checkFiles(folder);

    const other = window(folder, exchange.control.apiKeys()[2]);
    await other.journals.refresh();
    const left = other.journals.intents.filter(isUnresolved);
    assert.equal(leftOverText(other.journals.intents) === undefined, left.length === 0);
    await signedIn(other);
    assert.deepEqual(pluck(other.live.gate.activity, "id"), [], "not under another account");
    const found = other.journals.intents.flatMap(({ verdicts }) => verdicts);
    assert.deepEqual(found, []);
    other.end();

    const windows = [window(folder), window(folder)];
    await Promise.all(windows.map(signedIn));
    const own = ({ journals }: SocketWindow): readonly RecordedIntent[] =>
      journals.intents.filter(({ holder }) => holder === "here");
    await Promise.all(
      windows.map(async (each) => {
        await until(
          () => own(each).every(isLookedUp),
          (look) => {
            each.journals.onDidChange(look);
          },
        );
      }),
    );
    const told = windows.flatMap(own);
    assert.deepEqual(
      left.filter(({ id }) => !told.some((intent) => intent.id === id)).map(words),
      [],
      "each is taken over by one of the two",
    );
    assert.equal(new Set(told.map(({ id }) => id)).size, told.length, "and by no more than one");
    for (const intent of told) checkVerdict(intent);
    assert.deepEqual(pluck(writes(), "text"), sent, "nothing is sent after a restart");
    checkFiles(folder);
    for (const { end } of windows) end();
    return told;
  }

  async function signedIn({ live, journals }: SocketWindow): Promise<void> {
    live.connect();
    await until(
      () => live.state.status === "ready",
      (look) => {
        live.onDidChangeState(look);
      },
    );
    // Adoptions are done in turn: with this one the window's own is done too.
    await journals.adopt("main");
    await journals.adopt("main");
  }

  /** Every line is a record, but for the last one of a file, which may be torn. */
  function checkFiles(folder: string): void {
    const main = path.join(folder, "main");
    for (const name of fs.existsSync(main)
      ? fs.readdirSync(main, { recursive: true, encoding: "utf8" }).filter((each) => each.endsWith(".jsonl"))
      : []) {
      const lines = fs.readFileSync(path.join(main, name), "utf8").split("\n");
      assert.ok(
        lines.slice(0, -1).every((line) => isJournalRecord(JSON.parse(line))),
        name,
      );
    }
  }

  /** A verdict says what the exchange knows. */
  function checkVerdict(intent: RecordedIntent): void {
    const told = intent.verdicts.find(isTelling);
    const isApplied = writes().some(({ method, isApplied: isDone }) => method === intent.method && isDone);
    if (intent.outcome?.kind === "confirmed") assert.ok(isApplied, words(intent));
    if (told !== undefined) assert.equal(told.kind, isApplied ? "applied" : "notApplied", words(intent));
  }
});

/** Whether no further check is pending. */
function isLookedUp({ outcome, verdicts }: RecordedIntent): boolean {
  return (
    outcome !== undefined &&
    (outcome.kind !== "unknown" || verdicts.some((verdict) => isTelling(verdict) || verdict.kind === "unverified"))
  );
}

/** Whether a look has found something: that it is proved, or that it does not show yet. */
function isTelling(verdict: Verdict): boolean {
  return isSettling(verdict) || isWatched(verdict);
}

function words({ method, outcome, verdicts }: RecordedIntent): string {
  return `${method}: ${outcome?.kind ?? "no outcome"}, ${JSON.stringify(verdicts)}`;
}
