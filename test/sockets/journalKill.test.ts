import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import type { Fault } from "../../src/simulator/wire/faults.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { isFull } from "../rounds.mjs";
import { testInFull } from "../sizes.ts";
import type { KillPoint, Program, Told } from "./journalProgram.ts";
import { eventually } from "./windowOnSockets.ts";

/*
 * A process that cancels an order is killed at each point of the way, and another one starts: what it says before and
 * after it has signed in, and that nothing is ever sent again.
 */

interface Case {
  readonly name: string;
  readonly kill?: KillPoint;
  /** Killed from outside once the exchange has the request. */
  readonly isKilledWaiting?: boolean;
  readonly fault?: Fault;
  readonly isCancelled: boolean;
  readonly notice: RegExp | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const LEFT =
  /^Cancel \S+(?: (?:buy|sell) [\d.\s]+ @ [\d.\s]+)? on TESTNET main had an unknown outcome when its window closed\. It is checked when that connection is open\. Nothing is sent again\.$/;
const UNKNOWN = ["unknown · Cancel ID · time"];

const CASES: readonly Case[] = [
  {
    name: "before the journal",
    kill: "before the journal",
    isCancelled: false,
    notice: undefined,
    before: [],
    after: [],
  },
  {
    name: "between journal and send",
    kill: "after the journal",
    isCancelled: false,
    notice: LEFT,
    before: UNKNOWN,
    // It may still take effect.
    after: UNKNOWN,
  },
  {
    name: "between send and response, carried out",
    isKilledWaiting: true,
    fault: { response: "none" },
    isCancelled: true,
    notice: LEFT,
    before: UNKNOWN,
    after: ["verified cancelled · Cancel ID · time"],
  },
  {
    name: "between send and response, not carried out",
    isKilledWaiting: true,
    fault: { effect: "skipped", response: "none" },
    isCancelled: false,
    notice: LEFT,
    before: UNKNOWN,
    // It may still take effect.
    after: UNKNOWN,
  },
  {
    name: "between send and response, filled before",
    isKilledWaiting: true,
    fault: { effect: "overtaken", response: "none" },
    isCancelled: false,
    notice: LEFT,
    before: UNKNOWN,
    after: ["verified filled · Cancel ID · time"],
  },
  {
    name: "after the response",
    kill: "after the response",
    isCancelled: true,
    notice: LEFT,
    before: UNKNOWN,
    after: ["verified cancelled · Cancel ID · time"],
  },
  {
    name: "after the outcome is written",
    kill: "after the outcome",
    isCancelled: true,
    notice: undefined,
    before: ["cancelled · Cancel ID · time"],
    after: ["cancelled · Cancel ID · time"],
  },
];

/** Returns rows without what they call an order: its ID, or its terms. */
function withoutOrder(rows: readonly string[], orderId: string): readonly string[] {
  const terms = /(?<=Cancel )\S+ (?:buy|sell) [\d.\s]+ @ [\d.\s]+?(?= ·)/;
  return rows.map((row) => row.replaceAll(orderId, "ID").replace(terms, "ID"));
}

describe("a window that is killed while it cancels, and the next one", () => {
  let server: SimulatorServer;
  let exchange: Exchange;
  let folder = "";
  let bundle = "";
  const children = new Set<ChildProcess>();
  beforeAll(async () => {
    exchange = createExchange({ clock: createSystemClock(), random: createFakeRandom(11), still: true, limits: false });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-kill-"));
    bundle = path.join(folder, "program.cjs");
    const esbuild = createRequire(path.join(process.cwd(), "package.json"))("esbuild") as {
      build(options: object): Promise<unknown>;
    };
    await esbuild.build({
      entryPoints: ["test/sockets/journalProgram.ts"],
      bundle: true,
      platform: "node",
      format: "cjs",
      mainFields: ["module", "main"],
      outfile: bundle,
      logLevel: "error",
    });
  });
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await server.close();
    fs.rmSync(folder, { recursive: true });
  });

  let runs = 0;
  const start = (program: Partial<Program> & Pick<Program, "folder">): ChildProcess => {
    const whole: Program = {
      url: server.addresses.webSocket,
      clientId: exchange.clientId,
      clientSecret: exchange.clientSecret,
      ...program,
    };
    runs++;
    const child = spawn(process.execPath, [bundle, JSON.stringify(whole)], { stdio: ["ignore", "pipe", "inherit"] });
    children.add(child);
    return child;
  };
  const ended = async (child: ChildProcess): Promise<NodeJS.Signals | null> =>
    await new Promise((resolve) => {
      child.once("close", (_code, signal) => {
        resolve(signal);
      });
    });
  const look = async (journal: string, key: Partial<Program> = {}): Promise<Told> => {
    const child = start({ folder: journal, ...key });
    let text = "";
    child.stdout?.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
    await ended(child);
    return JSON.parse(text) as Told;
  };
  const framesOf = (orderId: string): number =>
    exchange.control.ledger().filter((entry) => entry.method === "private/cancel" && entry.text.includes(orderId))
      .length;

  /** The ID of an open order without a cancel request. */
  const freshOrder = (): string =>
    exchange.control.openOrders().find((order) => order.order_type === "limit" && framesOf(order.order_id) === 0)
      ?.order_id ?? assert.fail("no open order");

  for (const { name, kill, isKilledWaiting = false, fault, isCancelled, ...expected } of isFull
    ? CASES
    : CASES.slice(0, 2)) {
    test(`killed ${name}`, async () => {
      const journal = path.join(folder, `journal${runs}`);
      const orderId = freshOrder();
      if (fault !== undefined) exchange.control.setFault({ method: "private/cancel", ...fault });
      const child = start({ folder: journal, orderId, ...(kill === undefined ? {} : { kill }) });
      const end = ended(child);
      if (isKilledWaiting) {
        await received(exchange, orderId);
        child.kill("SIGKILL");
      }
      assert.equal(await end, "SIGKILL");
      const sent = framesOf(orderId);

      const { notice, before: rowsBefore, after: rowsAfter } = await look(journal);
      const masked = (rows: readonly string[]): readonly string[] => withoutOrder(rows, orderId);
      assert.deepEqual(masked(rowsBefore), expected.before);
      if (expected.notice === undefined) assert.equal(notice, undefined);
      else assert.match(notice ?? "", expected.notice);
      assert.deepEqual(masked(rowsAfter), expected.after);
      assert.equal(exchange.control.order(orderId)?.order_state === "cancelled", isCancelled);
      assert.equal(framesOf(orderId), sent, "nothing is sent again");
      assert.deepEqual(
        masked((await look(journal)).before),
        expected.after,
        "the verdict stays, and no second one comes",
      );
    });
  }

  testInFull(
    "killed between the send of one call for many orders and its response: each of them is looked up",
    async () => {
      const journal = path.join(folder, "journal-mass");
      const limits = exchange.control.openOrders().filter((order) => order.order_type === "limit");
      const coveredOf = (instrument: string): readonly string[] =>
        limits.filter((order) => order.instrument_name === instrument).map((order) => order.order_id);
      const { instrument_name: instrument = "", order_id: orderId } =
        limits.find((order) => coveredOf(order.instrument_name ?? "").length > 1) ??
        assert.fail("no instrument with several orders");
      const covered = coveredOf(instrument);
      exchange.control.setFault({ method: "private/cancel_all_by_instrument", response: "none" });
      const child = start({ folder: journal, orderId, isMass: true });
      const end = ended(child);
      const calls = (): number =>
        exchange.control.ledger().filter((entry) => entry.method === "private/cancel_all_by_instrument").length;
      await eventually(() => calls() === 1);
      child.kill("SIGKILL");
      await end;
      const { before: first, after: then } = await look(journal);
      const title = `Cancel all ${covered.length} open orders (${instrument})`;
      assert.deepEqual(first, [`unknown · ${title} · time`]);
      assert.deepEqual(then, [`${covered.length} verified cancelled · ${title} · time`]);
      assert.equal(calls(), 1);
    },
  );

  testInFull("under another key nothing is looked up; under the right one it is, by one of two windows", async () => {
    const journal = path.join(folder, "journal-other");
    const orderId = freshOrder();
    exchange.control.setFault({ method: "private/cancel", response: "none" });
    const child = start({ folder: journal, orderId });
    const end = ended(child);
    await received(exchange, orderId);
    child.kill("SIGKILL");
    await end;
    const reads = (): number =>
      exchange.control
        .ledger()
        .filter((entry) => entry.method === "private/get_order_state" && entry.text.includes(orderId)).length;
    const [, , other] = exchange.control.apiKeys();
    const told = await look(journal, {
      clientId: String(other?.["client_id"]),
      clientSecret: String(other?.["client_secret"]),
    });
    const found = withoutOrder(told.after, orderId);
    assert.deepEqual(found, UNKNOWN);
    assert.equal(reads(), 0);
    for (const each of await Promise.all([look(journal), look(journal)]))
      assert.deepEqual(withoutOrder(each.after, orderId), ["verified cancelled · Cancel ID · time"]);
    const lines = fs
      .readdirSync(path.join(journal, "main"))
      .flatMap((name) => fs.readFileSync(path.join(journal, "main", name, "records.jsonl"), "utf8").split("\n"));
    assert.equal(new Set(lines.filter((line) => line.includes('"event":"verdict"'))).size, 1);
  });
});

/** Resolves once the exchange has the request. */
async function received(exchange: Exchange, orderId: string): Promise<void> {
  await eventually(() =>
    exchange.control.ledger().some((entry) => entry.method === "private/cancel" && entry.text.includes(orderId)),
  );
}
