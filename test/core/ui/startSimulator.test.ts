import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createMemoryJournal } from "../../../src/actions/journal/journal.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import { CallError } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import { connectionPlace } from "../../../src/present/connections/connectionWords.ts";
import { readRecording } from "../../../src/recording/read.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { createExchange, type Exchange } from "../../../src/simulator/wire/exchange.ts";
import { OPEN_REPLAY } from "../../openReplay.ts";
import { createReplayExchange } from "../../../src/simulator/wire/replayExchange.ts";
import { createConnections, type Connections } from "../../../src/state/connections.ts";
import { SIMULATOR_ID } from "../../../src/state/records.ts";
import { createConnectionCommands, type ConnectionCommandsPorts } from "../../../src/ui/connections/commands.ts";
import { createSecretStore } from "../../../src/ui/connections/credentials.ts";
import { createLiveConnections, type LiveConnections } from "../../../src/actions/connection/liveConnections.ts";
import { askConnection } from "../../../src/ui/connections/form.ts";
import { createConnectionSignIn, type ConnectionSignIn } from "../../../src/ui/connections/signIn.ts";
import type { Handlers } from "../../../src/ui/editor/handler.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { sessionPorts } from "../../sessionPorts.ts";
import { scriptedDialogs } from "./scriptedDialogs.ts";

interface Lab {
  readonly clock: FakeClock;
  readonly connections: Connections;
  readonly liveConnections: LiveConnections;
  readonly signIn: ConnectionSignIn;
  /** The worlds so far, in the order in which they were started. */
  readonly worlds: Exchange[];
  readonly questions: Question[];
  /** Runs a command and lets the time pass that it needs. */
  run<T>(action: () => Promise<T>): Promise<T>;
  readonly commands: Handlers;
  /** What the dialogs have said. */
  readonly shown: readonly string[];
}

function createLab(response: boolean): Lab {
  const clock = createFakeClock();
  const worlds: Exchange[] = [];
  const questions: Question[] = [];
  let stored: unknown;
  const connections = createConnections({
    storage: {
      load: () => stored,
      save: async (value) => {
        stored = await Promise.resolve(value);
      },
    },
    now: () => clock.now(),
  });
  const ask = async (question: Question): Promise<boolean> => {
    questions.push(question);
    return await Promise.resolve(response);
  };
  const portsOf = sessionPorts(clock);
  const liveConnections = createLiveConnections({
    connections,
    createSession: (_record, access) =>
      createSession({
        ...portsOf(),
        dial: async () => {
          const [client, server] = createLinkedPair();
          worlds[Number(new URL(access.url).port) - 1]?.accept(server);
          return await Promise.resolve(client);
        },
        credentials: async () => await Promise.resolve(access.credentials),
      }),
    ask,
    journal: createMemoryJournal(),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  const state = new Map<string, unknown>();
  const secrets = createSecretStore({
    secrets: {
      get: async () => await Promise.resolve(undefined),
      store: async () => await Promise.resolve(),
      delete: async () => await Promise.resolve(),
    },
    state: {
      get: (key) => state.get(key),
      update: async (key, value) => {
        state.set(key, value);
        await Promise.resolve();
      },
    },
    mask: () => undefined,
    host: { mayRead: async () => await Promise.resolve(true), typedHere: async () => await Promise.resolve() },
  });
  const { dialogs, shown } = scriptedDialogs();
  const signIn = createConnectionSignIn({
    ...{ connections, liveConnections, secrets, ask, dialogs, mask: () => undefined, warnOfHost: () => undefined },
    askConnection,
    notices: {
      showOutcome: () => undefined,
      load: async () => await Promise.resolve(),
      showOutcomes: () => undefined,
      showLinkFailure: () => undefined,
      showError: () => undefined,
      follow: () => ({ dispose: () => undefined }),
    },
    simulator: {
      async start(_onEnd, replay) {
        if (replay !== undefined) {
          const reading = readRecording(replay.file);
          if (reading.kind === "wrong")
            throw new CallError({ kind: "cannotConnect", trouble: "other", detail: reading.message });
          const exchange = createReplayExchange({
            ...{ recording: reading.recording, clock, speed: replay.speed, access: OPEN_REPLAY },
          });
          worlds.push(exchange as unknown as Exchange);
          return await Promise.resolve({
            url: `ws://127.0.0.1:${worlds.length}/ws/api/v2`,
            credentials: { kind: "client_signature" as const, clientId: "replay", clientSecret: "any" },
            end: () => exchange.dispose(),
          });
        }
        const world = createExchange({
          clock,
          random: createFakeRandom(7),
          still: true,
          limits: false,
          seed: worlds.length + 1,
          orders: 3,
        });
        worlds.push(world);
        return await Promise.resolve({
          url: `ws://127.0.0.1:${worlds.length}/ws/api/v2`,
          credentials: {
            kind: "client_signature" as const,
            clientId: world.clientId,
            clientSecret: world.clientSecret,
          },
          end: () => world.dispose(),
        });
      },
    },
  });
  const none = (): { dispose(): void } => ({ dispose: () => undefined });
  const journals = {
    intents: [],
    forget: async () => await Promise.resolve(),
  } satisfies ConnectionCommandsPorts["journals"];
  return {
    ...{ clock, connections, liveConnections, signIn, worlds, questions, shown },
    commands: createConnectionCommands({
      connections,
      liveConnections,
      signIn,
      secrets,
      journals,
      agentAccess: { isShared: () => false, share: async () => await Promise.resolve(), onDidChange: none },
      ask,
      dialogs,
      clock,
      run: () => undefined,
    }),
    async run(action) {
      const running = action();
      await clock.advance(5000);
      return await running;
    },
  };
}

/** Disables the key with which the simulator was opened, as a command does. */
async function disableOwnKey({ liveConnections, worlds, clock }: Lab): Promise<void> {
  const world = worlds.at(-1);
  const own = world?.control.apiKeys().find((key) => key["client_id"] === world.clientId);
  world?.control.editApiKey(Number(own?.["id"]), { enabled: false });
  world?.control.expireTokens();
  world?.control.disconnectAll("reset");
  await clock.advance(60_000);
  assert.equal(liveConnections.find(SIMULATOR_ID)?.state.status, "locked");
}

describe("Allow Trading and Disallow Trading on the simulator", () => {
  test("say that trading is always allowed there, and are no error", async () => {
    const lab = createLab(true);
    await lab.run(async () => await lab.signIn.open(SIMULATOR_ID));
    for (const command of ["allowTrading", "disallowTrading"] as const)
      await lab.run(async () => await lab.commands[`tradingRpc.connection.${command}`]?.());
    const sentence = "information: SIMULATOR: trading is always allowed on the simulator, without real money.";
    assert.deepEqual(lab.shown.slice(-2), [sentence, sentence]);
  });
});

describe("Start Simulator, after the simulator's own key was disabled", () => {
  test("asks, and then starts a new simulator", async () => {
    const lab = createLab(true);
    assert.equal(await lab.run(async () => await lab.signIn.open(SIMULATOR_ID)), true);
    await disableOwnKey(lab);
    assert.equal(await lab.run(async () => await lab.signIn.open(SIMULATOR_ID)), true);
    assert.equal(lab.worlds.length, 2);
    assert.equal(lab.liveConnections.find(SIMULATOR_ID)?.state.status, "ready");
    const found = lab.questions.map((each) => each.kind === "modal" && [each.message, each.confirm, each.keep]);
    assert.deepEqual(found, [["Start a new simulator?", "Start New Simulator", "Keep Simulator"]]);
  });

  test("keeps it where that is wished, and asks the next time again", async () => {
    const lab = createLab(false);
    await lab.run(async () => await lab.signIn.open(SIMULATOR_ID));
    await disableOwnKey(lab);
    assert.equal(await lab.run(async () => await lab.signIn.open(SIMULATOR_ID)), false);
    assert.equal(await lab.run(async () => await lab.signIn.open(SIMULATOR_ID)), false);
    assert.deepEqual([lab.worlds.length, lab.questions.length], [1, 2]);
  });

  test("two presses lead to a simulator that runs", async () => {
    const lab = createLab(true);
    await lab.run(async () => await lab.signIn.open(SIMULATOR_ID));
    await disableOwnKey(lab);
    await lab.run(async () => await Promise.all([lab.signIn.open(SIMULATOR_ID), lab.signIn.open(SIMULATOR_ID)]));
    assert.equal(lab.liveConnections.find(SIMULATOR_ID)?.state.status, "ready");
  });
});

describe("the simulator, from a recording", () => {
  const HEAD = '{"tradingRpcRecording":1,"environment":"prod","startedAtMs":0}';

  test("is the simulator's connection under the name of a replay, also of production, until it is closed", async () => {
    const lab = createLab(true);
    await lab.run(async () => await lab.signIn.openReplay({ file: HEAD, speed: 1 }));
    const live = lab.liveConnections.find(SIMULATOR_ID);
    assert.deepEqual([live?.state.status, live?.place, live?.environment], ["ready", "SIMULATOR Replay", "simulator"]);
    const shown = lab.connections.find(SIMULATOR_ID);
    assert.ok(shown !== undefined);
    assert.deepEqual([connectionPlace(shown), shown.isActive], ["SIMULATOR Replay", true]);
    lab.liveConnections.close(SIMULATOR_ID);
    assert.equal(lab.connections.find(SIMULATOR_ID)?.record.name, "Simulator");
    await lab.run(async () => await lab.signIn.open(SIMULATOR_ID));
    assert.equal(lab.liveConnections.find(SIMULATOR_ID)?.place, "SIMULATOR");
  });

  test("takes the place of the one that runs; where it is refused, that one stays", async () => {
    const lab = createLab(true);
    await lab.run(async () => await lab.signIn.open(SIMULATOR_ID));
    const before = lab.liveConnections.find(SIMULATOR_ID);
    await assert.rejects(
      lab.run(async () => await lab.signIn.openReplay({ file: "none", speed: 1 })),
      { failure: { kind: "cannotConnect", trouble: "other", detail: "Line 1: Expected a JSON object." } },
    );
    assert.deepEqual([lab.liveConnections.find(SIMULATOR_ID), before?.state.status], [before, "ready"]);
    await lab.run(async () => await lab.signIn.openReplay({ file: HEAD, speed: 1 }));
    assert.equal(before?.state.status, "off");
    assert.equal(lab.liveConnections.find(SIMULATOR_ID)?.place, "SIMULATOR Replay");
  });
});

describe("the simulator's row", () => {
  test("is neither edited nor forgotten, and an open simulator stays open", async () => {
    const lab = createLab(true);
    await lab.run(async () => await lab.signIn.open(SIMULATOR_ID));
    await assert.rejects(
      lab.run(async () => await lab.commands["tradingRpc.connection.edit"]?.(SIMULATOR_ID)),
      { failure: { kind: "refused", reason: "The built-in simulator can't be changed." } },
    );
    await assert.rejects(
      lab.run(async () => await lab.commands["tradingRpc.connection.forget"]?.(SIMULATOR_ID)),
      { failure: { kind: "refused", reason: "The built-in simulator can't be removed." } },
    );
    assert.deepEqual([lab.liveConnections.find(SIMULATOR_ID)?.state.status, lab.questions.length], ["ready", 0]);
  });
});
