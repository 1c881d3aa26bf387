import assert from "node:assert/strict";
import { createLiveConnection, type LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import { createMemoryJournal, type JournalRecord, type MemoryJournal } from "../../src/actions/journal/journal.ts";
import type { Question } from "../../src/actions/intent/question.ts";
import type { SessionPorts } from "../../src/session/session.ts";
import { createSession } from "../../src/session/createSession.ts";
import type { Credentials, Session, SessionState } from "../../src/session/session.ts";
import { createConnections, type Connection } from "../../src/state/connections.ts";
import { formatRecords, type ConnectionRecord, type Environment } from "../../src/state/records.ts";
import { createConnectionsTree } from "../../src/present/connections/connections.ts";
import { statusBarItem } from "../../src/present/connections/statusBar.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { CLIENT_ID, CLIENT_SECRET, createScriptedServer, type ScriptedServer } from "../scriptedServer.ts";
import { createLines } from "../core/session/world.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../fakeClock.ts";
import { nextTurn } from "./line.ts";
import { openLoopback } from "./server.ts";
import { openMemory } from "./memory.ts";
import type { Encounter, Wire } from "./wire.ts";

/**
 * `memory`: a linked pair. `loopback`: TCP with our own frames. `tls`: the same through TLS, by a throw-away authority.
 */
export type StageName = "memory" | "loopback" | "tls";

/** One fault: where it runs, what the dials meet, what is done, what must have come of it. */
export interface FaultRow {
  /** Of the fault matrix, e.g. `F14`; with a letter where a row has several cases, e.g. `F12 HTTP 403`. */
  readonly id: string;
  readonly title: string;
  readonly on: "both" | { readonly only: StageName; readonly why: string };
  /** Where the design decides otherwise than the matrix: what it decides. */
  readonly design?: string;
  /** What the first dials meet, in order; later ones meet the server. */
  readonly meets?: readonly Encounter[];
  /** Other ports of the session than usual. */
  readonly ports?: StageOptions;
  readonly run: (stage: Stage) => Promise<void>;
  /** What the user reads when `run` is over, and what has come of it all. */
  readonly expected?: Expected;
}

export interface Expected {
  readonly status?: SessionState["status"];
  /** The row of the connection, `{server}` standing for host and port. */
  readonly row?: string | RegExp;
  /** The sentences about it. */
  readonly sentences?: string | RegExp;
  /** Every status that the session went through, repeats left out. */
  readonly statuses?: readonly SessionState["status"][];
  readonly dials?: number;
  /** Methods of all requests that the server got. */
  readonly ledger?: readonly string[];
  /** Lines that the log must have, and must not have. */
  readonly logged?: RegExp;
  readonly notLogged?: RegExp;
}

export interface StageOptions {
  readonly credentials?: Credentials | (() => Promise<Credentials>);
  readonly limits?: SessionPorts["limits"];
  readonly isTracing?: boolean | (() => boolean);
  /** Seed of the jitter. */
  readonly seed?: number;
  readonly idleDisconnectMinutes?: number;
}

/** A session of the real code on a clock that only the test moves, and a server that does what it is told. */
export interface Stage {
  readonly on: StageName;
  readonly clock: FakeClock;
  readonly session: Session;
  /**
   * Responses like the exchange unless a handler is set: `server.on`, `server.requests` (the ledger),
   * `server.methods()`.
   */
  readonly server: ScriptedServer;
  /** The server's end of the latest open link. */
  readonly wire: Wire;
  readonly wires: readonly Wire[];
  /** Bytes that the server got, over all connections; 0 where there are none. */
  readonly heardBytes: number;
  /** What the next dials meet, after those that are waiting already. */
  meet(...encounters: readonly Encounter[]): void;
  readonly dials: number;
  /** Every state of the session, in order. */
  readonly states: readonly SessionState[];
  statuses(): readonly SessionState["status"][];
  /** Lines of the log. */
  readonly lines: readonly string[];
  /** Host and port of the server, as texts have it. */
  readonly address: string;
  /** The session with stores and gate around it; made at the first call. */
  live(): LiveConnection;
  /** The same in another window of the same person: a program of its own, with another session on the same server. */
  openWindow(): LiveConnection;
  readonly questions: readonly Question[];
  /** How a question is answered. At first: with yes, at once. */
  onQuestion: (question: Question) => Promise<boolean>;
  /** The code of a second factor that the user types. At first: none. */
  onCode: () => Promise<string | undefined>;
  readonly journal: MemoryJournal;
  /** What happens while a record is written into the journal. At first: nothing. */
  onRecord: (record: JournalRecord) => Promise<void>;
  /** Saves the connection with another class. */
  declare(environment: Environment): void;
  /** Connects and waits until the session is ready. */
  ready(): Promise<void>;
  /** Lets the ends talk, without moving the clock, until the condition holds. Fails after a bounded number of turns. */
  until(condition: () => boolean, what: string): Promise<void>;
  /** Moves the clock; before each timer that is due the ends talk until nothing more is under way. */
  advance(ms: number): Promise<void>;
  /** Lets the ends talk until nothing more is under way. */
  settle(): Promise<void>;
  /** What the user reads of the connection: its row, and the sentences of the status bar. */
  shown(): Shown;
  /** Ends everything and checks that nothing is left. */
  end(): Promise<void>;
}

export interface Shown {
  readonly row: string;
  readonly sentences: string;
  /** What stands below the row: `trade: read_write`. */
  readonly facts: readonly string[];
}

/** So many turns without the condition mean that it never comes. */
const MAX_TURNS = 20_000;
/** The same over sockets: a guard against a test that never ends, not a measure of speed. */
const SOCKETS_LIMIT_MS = 60_000;
const CONNECTION_ID = "stage";

export async function openStage(on: StageName, options: StageOptions = {}): Promise<Stage> {
  const clock = createFakeClock();
  const server = createScriptedServer(clock);
  const line = on === "memory" ? openMemory({ clock, server }) : await openLoopback({ clock, server }, on === "tls");
  const lines: string[] = [];
  const states: SessionState[] = [];
  const questions: Question[] = [];
  const journal = createMemoryJournal();
  const {
    credentials = { kind: "client_signature", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    limits = "exchange",
    isTracing = true,
    seed = 7,
  } = options;
  let dials = 0;
  let live: LiveConnection | undefined;
  const windows: LiveConnection[] = [];
  const log = createLines(lines);
  const openSession = (windowSeed: number): Session => {
    let wireId = 10_000;
    return createSession({
      dial: line.dial,
      credentials: typeof credentials === "function" ? credentials : async () => await Promise.resolve(credentials),
      client: { name: "trading-rpc", version: "0.1.0" },
      clock,
      random: createFakeRandom(windowSeed),
      log,
      nextWireId: () => ++wireId,
      nextGeneration: () => ++dials,
      limits,
      isTracing: typeof isTracing === "function" ? isTracing : () => isTracing,
    });
  };
  const session = openSession(seed);
  session.onDidChangeState((state) => states.push(state));
  let record: ConnectionRecord = {
    id: CONNECTION_ID,
    name: "main",
    declared: "test",
    url: line.url,
    grant: "client_signature",
    clientId: CLIENT_ID,
    trading: { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0, environment: "test" },
  };
  const stored = formatRecords({ records: [record], activeId: CONNECTION_ID, unreadable: [] });
  const connections = createConnections({
    storage: { load: () => stored, save: async () => await Promise.resolve() },
    now: () => clock.now(),
  });
  connections.attach(CONNECTION_ID, session, false);
  const connection = (): Connection => connections.find(CONNECTION_ID)!;

  const until = async (condition: () => boolean, what: string): Promise<void> => {
    const endMs = performance.now() + SOCKETS_LIMIT_MS;
    for (let turn = 0; !condition(); turn++) {
      // Turns end by themselves in memory; sockets also wait for threads, of which turns say nothing.
      if (on === "memory" ? turn === MAX_TURNS : performance.now() > endMs)
        assert.fail(
          `It did not come to this: ${what}\n${JSON.stringify(session.state)}\n${lines.slice(-20).join("\n")}`,
        );
      await clock.settle();
      if (on !== "memory") await nextTurn();
    }
  };

  const openLive = (own: Session): LiveConnection =>
    createLiveConnection(record, {
      createSession: () => own,
      currentRecord: () => record,
      isOwnSimulator: false,
      ask: async (question) => {
        questions.push(question);
        return await stage.onQuestion(question);
      },
      askCode: async () => await stage.onCode(),
      journal: {
        async append(entry) {
          await stage.onRecord(entry);
          await journal.append(entry);
        },
      },
      clock,
      idleDisconnectMinutes: () => options.idleDisconnectMinutes ?? 0,
      settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
      log,
    });

  const stage: Stage = {
    on,
    clock,
    session,
    server,
    get wire() {
      return line.wires.at(-1)!;
    },
    wires: line.wires,
    get heardBytes() {
      return line.heardBytes;
    },
    meet(...encounters) {
      for (const encounter of encounters) line.meet(encounter);
    },
    get dials() {
      return dials;
    },
    states,
    statuses: () => states.map((state) => state.status).filter((status, index, all) => status !== all[index - 1]),
    lines,
    address: line.address,
    live: () => (live ??= openLive(session)),
    openWindow() {
      const window = openLive(openSession(seed + windows.length + 1));
      windows.push(window);
      return window;
    },
    questions,
    onQuestion: async () => await Promise.resolve(true),
    onCode: async () => await Promise.resolve(undefined),
    journal,
    onRecord: async () => await Promise.resolve(),
    declare(environment) {
      record = { ...record, declared: environment };
    },
    async ready() {
      session.connect();
      await until(() => session.state.status === "ready", "the session is ready");
      await line.settle();
    },
    until,
    async advance(ms) {
      await line.settle();
      for (let leftMs = Math.ceil(ms); ;) {
        // Whole milliseconds: fractions do not add up exactly.
        const dueMs = Math.min(Math.ceil(clock.nextTimerMs ?? Infinity), leftMs);
        await clock.advance(dueMs);
        await line.settle();
        leftMs -= dueMs;
        if (leftMs <= 0) return;
      }
    },
    settle: async () => await line.settle(),
    shown() {
      const view = { nowMs: clock.now(), times: createTimes(0) };
      const tree = createConnectionsTree(() => ({
        connections: connections.list,
        changesAllowedUntilMs: new Map(),
        ...view,
      }));
      const [, row] = tree.children(undefined);
      const facts =
        row === undefined ? [] : tree.children(row.id).map(({ label, description }) => `${label}: ${description}`);
      const { tooltip } = statusBarItem({
        active: connection(),
        changesAllowedUntilMs: undefined,
        unknownOutcomes: 0,
        ...view,
      });
      const hidden = (text: string): string => text.replaceAll(line.address, "{server}");
      return {
        row: hidden(row?.description ?? ""),
        sentences: hidden(
          tooltip
            .filter(({ name }) => name === undefined)
            .map(({ value }) => value)
            .join(" "),
        ),
        facts,
      };
    },
    async end() {
      live?.dispose();
      for (const window of windows) window.dispose();
      session.dispose();
      const after = states.length;
      await line.settle();
      await clock.advance(2100);
      await line.settle();
      const leftovers = [...line.leftovers()];
      const timers = clock.pendingTimers;
      await clock.advance(3_600_000);
      await line.settle();
      await line.close();
      connections.dispose();
      assert.deepEqual(leftovers, [], "sockets and listeners are gone");
      assert.equal(timers, 0, "timers are gone");
      assert.equal(states.length, after, "a session that was disposed of says nothing more");
      const generations = states.flatMap((state) => ("generation" in state ? [state.generation] : []));
      assert.deepEqual(
        generations,
        [...generations].sort((a, b) => a - b),
        "no generation comes back",
      );
      const canaries = [
        CLIENT_SECRET,
        ...Array.from({ length: 9 }, (_, each) => [
          `canary-access-token-${String(each)}`,
          `canary-refresh-token-${String(each)}`,
        ]).flat(),
      ];
      const told = [...lines, JSON.stringify(states)].join("\n");
      assert.deepEqual(
        canaries.filter((canary) => told.includes(canary)),
        [],
        "no secret is in the log or in a state",
      );
    },
  };
  return stage;
}

/** Checks what a row expects, while its stage still stands. */
export function checkExpected(
  stage: Stage,
  { status, row, sentences, statuses, dials, ledger, logged, notLogged }: Expected,
): void {
  const shown = stage.shown();
  if (status !== undefined) assert.equal(stage.session.state.status, status);
  matches(shown.row, row);
  matches(shown.sentences, sentences);
  if (statuses !== undefined) assert.deepEqual(stage.statuses(), statuses);
  if (dials !== undefined) assert.equal(stage.dials, dials, "dials");
  if (ledger !== undefined) assert.deepEqual(stage.server.methods(), ledger);
  const log = stage.lines.join("\n");
  if (logged !== undefined) assert.match(log, logged);
  if (notLogged !== undefined) assert.doesNotMatch(log, notLogged);
}

function matches(actual: string, expected: string | RegExp | undefined): void {
  if (typeof expected === "string") assert.equal(actual, expected);
  else if (expected !== undefined) assert.match(actual, expected);
}
