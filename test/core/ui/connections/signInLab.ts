import assert from "node:assert/strict";
import { createPublicKey, type KeyObject } from "node:crypto";
import { createMemoryJournal } from "../../../../src/actions/journal/journal.ts";
import type { Question } from "../../../../src/actions/intent/question.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { createLinkedPair } from "../../../linkedPair.ts";
import { createSessionAt } from "../../../../src/session/gatewaySession.ts";
import type { GatewayKey } from "../../../../src/simulator/access/gatewayAccess.ts";
import type { GatewayDoor } from "../../../../src/simulator/sessions/connection.ts";
import { createExchange, type Exchange } from "../../../../src/simulator/wire/exchange.ts";
import { createConnections, type Connections } from "../../../../src/state/connections.ts";
import { createLiveConnections, type LiveConnections } from "../../../../src/actions/connection/liveConnections.ts";
import { plain } from "../../../../src/base/plain.ts";
import { createSecretStore } from "../../../../src/ui/connections/credentials.ts";
import { isGatewayRecord, requireOwnCredentials } from "../../../../src/state/records.ts";
import type { ConnectionDraft } from "../../../../src/ui/connections/draft.ts";
import { askConnection } from "../../../../src/ui/connections/form.ts";
import { createConnectionSignIn, type ConnectionSignIn } from "../../../../src/ui/connections/signIn.ts";
import type { OpenedText } from "../../../../src/ui/editor/chosenFile.ts";
import type { Dialogs } from "../../../../src/ui/editor/dialogs.ts";
import { createMaskingLog } from "../../../../src/ui/editor/log.ts";
import { createFakeClock, createFakeRandom } from "../../../fakeClock.ts";
import { makeKey, secretLines } from "../../../privateKeys.ts";
import { sessionPorts } from "../../../sessionPorts.ts";
import { scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

/** The key that the exchange knows unless a test says otherwise. */
export const KEY = makeKey("ed25519");

export const START: ConnectionDraft = {
  ...{ id: "new", kind: undefined, name: "", declared: "production", url: "" },
  ...{ grant: "client_signature", clientId: "", secret: "", keeping: "stored", isDetailed: false },
};

export interface Lab {
  readonly signIn: ConnectionSignIn;
  readonly connections: Connections;
  readonly liveConnections: LiveConnections;
  readonly exchange: Exchange;
  /** What was asked and shown, one line each. */
  readonly shown: readonly string[];
  readonly questions: Question[];
  /** Everything in the encrypted storage, and in the rest of what VS Code keeps. */
  readonly stored: () => readonly string[];
  /** Hides what the log was told to hide. */
  readonly hide: (text: string) => string;
  readonly run: <T>(action: () => Promise<T>) => Promise<T>;
  readonly done: () => void;
}

/** A window with a user who does what the test says, and an exchange that has the public key of `key`. */
export function createLab(
  answers: readonly ScriptedAnswer[],
  {
    key = KEY,
    files = [],
    isYes = true,
    keepsSecrets = true,
    secrets = new Map<string, string>(),
    gateway,
  }: {
    readonly key?: KeyObject;
    /** The key of the gateway, where the exchange plays that. */
    readonly gateway?: GatewayKey;
    /** What the user chooses in the dialogs for files, one after another. */
    readonly files?: readonly (Partial<OpenedText> | Error | undefined)[];
    readonly isYes?: boolean;
    readonly keepsSecrets?: boolean;
    readonly secrets?: Map<string, string>;
  } = {},
): Lab {
  const clock = createFakeClock();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
  const random = createFakeRandom(7);
  const exchange = createExchange({
    ...{ clock, random, still: true, limits: false, orders: 3 },
    ...(gateway === undefined ? { publicKey } : { gateway: {}, gatewayKey: gateway }),
  });
  let records: unknown;
  const connections = createConnections({
    storage: {
      load: () => records,
      save: async (value) => {
        records = await Promise.resolve(value);
      },
    },
    now: () => clock.now(),
  });
  const questions: Question[] = [];
  const ask = async (question: Question): Promise<boolean> => {
    questions.push(question);
    return await Promise.resolve(isYes);
  };
  const portsOf = sessionPorts(clock);
  const liveConnections = createLiveConnections({
    connections,
    createSession: (record, access) => {
      const dialAt = (door: GatewayDoor) => async () => {
        const [client, server] = createLinkedPair();
        exchange.accept(server, door);
        return await Promise.resolve(client);
      };
      return createSessionAt(
        { isGateway: isGatewayRecord(record), dialStreams: dialAt("streams") },
        {
          ...portsOf(),
          dial: dialAt("trading"),
          credentials: async () => {
            requireOwnCredentials(record, access.url);
            return await Promise.resolve(access.credentials);
          },
        },
      );
    },
    ask,
    journal: createMemoryJournal(),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  const log = createMaskingLog(silentLog);
  const mask = (secret: string): void => log.mask(secret);
  const state = new Map<string, unknown>();
  const { dialogs: scripted, shown, done } = scriptedDialogs(...answers);
  const left = [...files];
  const dialogs: Dialogs = {
    ...scripted,
    async openText() {
      assert.ok(left.length > 0, "unexpected file dialog");
      const file = left.shift();
      if (file instanceof Error) throw file;
      const usual = { name: "key.pem", text: "", isOpenToOthers: false, isInWorkspace: false };
      return await Promise.resolve(file === undefined ? undefined : { ...usual, ...file });
    },
  };
  const signIn = createConnectionSignIn({
    ...{ connections, liveConnections, ask, dialogs, mask, warnOfHost: () => undefined },
    secrets: createSecretStore({
      secrets: {
        get: async (name) => await Promise.resolve(secrets.get(name)),
        store: async (name, value) => {
          if (keepsSecrets) secrets.set(name, value);
          await Promise.resolve();
        },
        delete: async (name) => {
          secrets.delete(name);
          await Promise.resolve();
        },
      },
      state: {
        get: (name) => state.get(name),
        update: async (name, value) => {
          state.set(name, value);
          await Promise.resolve();
        },
      },
      mask,
      host: { mayRead: async () => await Promise.resolve(true), typedHere: async () => await Promise.resolve() },
    }),
    askConnection,
    notices: {
      showOutcome: () => undefined,
      load: async () => await Promise.resolve(),
      showOutcomes: () => undefined,
      showLinkFailure: () => undefined,
      showError: () => undefined,
      follow: () => ({ dispose: () => undefined }),
    },
    simulator: { start: async () => await Promise.reject(new Error("not in this test")) },
  });
  return {
    ...{ signIn, connections, liveConnections, exchange, shown, questions },
    stored: () => [...secrets.values(), JSON.stringify([...state]), JSON.stringify(records ?? null)],
    hide: (text) => log.hide(text),
    async run(action) {
      const running = action();
      running.catch(() => undefined);
      // Each try to sign in takes its time, and the dialogs between them their turns.
      for (let turn = 0; turn < 20; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(1000);
      }
      return await running;
    },
    done: () => {
      done();
      assert.deepEqual(left, [], "files that were not requested");
    },
  };
}

/** Adds a connection, and returns whether it is there afterwards. */
export async function add(lab: Lab, start: ConnectionDraft = START): Promise<boolean> {
  const isAdded = await lab.run(async () => await lab.signIn.edit(start, plain`Add Connection`));
  assert.equal(lab.connections.list.length > 1, isAdded);
  lab.done();
  return isAdded;
}

/** Fails where a part of one of these private keys is anywhere but where it belongs. */
export function assertHidden(lab: Lab, pems: readonly string[], elsewhere: readonly string[]): void {
  for (const line of pems.flatMap(secretLines)) {
    assert.ok(!elsewhere.some((text) => text.includes(line)), line);
    assert.equal(lab.hide(`a line ${line} of the log`), "a line ‹hidden› of the log");
  }
}
