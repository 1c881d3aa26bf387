import { inspect } from "node:util";
import { createMemoryJournal } from "../../../../src/actions/journal/journal.ts";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import { createLiveConnections, type LiveConnections } from "../../../../src/actions/connection/liveConnections.ts";
import type { Question } from "../../../../src/actions/intent/question.ts";
import type { Log } from "../../../../src/base/log.ts";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { createLinkedPair } from "../../../linkedPair.ts";
import { createSession } from "../../../../src/session/createSession.ts";
import { createExchange, type Exchange } from "../../../../src/simulator/wire/exchange.ts";
import { createConnections, type Connections } from "../../../../src/state/connections.ts";
import { formatRecords, type ConnectionRecord } from "../../../../src/state/records.ts";
import { createApiKeyChanges, type ApiKeyChangesPorts } from "../../../../src/ui/apiKeys/changes.ts";
import { createKeyCreation, type CreateKeyPorts, createKeyPairCreation } from "../../../../src/ui/apiKeys/creating.ts";
import { createSecretStore, type SecretStore } from "../../../../src/ui/connections/credentials.ts";
import { createNewSecrets, type NewSecrets } from "../../../../src/ui/connections/newSecrets.ts";
import type { Handlers } from "../../../../src/ui/editor/handler.ts";
import { createNotices } from "../../../../src/ui/editor/notices.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../../fakeClock.ts";
import { sessionPorts } from "../../../sessionPorts.ts";
import { scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

/*
 * A window with saved connections to one exchange, the real stores of records and secrets, and everything that is
 * written down anywhere: where a client secret is looked for.
 */

/** The button that is pressed in a modal that shows a secret, by the beginning of its title; undefined: none. */
export type ModalAnswer = string | undefined;

export interface KeyLabOptions {
  /** What the connections are declared as. */
  readonly declared?: ConnectionRecord["declared"];
  /** Further connections, beside `main`, which uses the simulator's own key. */
  readonly records?: readonly Partial<ConnectionRecord>[];
  readonly answers?: readonly ScriptedAnswer[];
  readonly modals?: readonly ModalAnswer[];
  readonly confirm?: (question: Question) => boolean;
  readonly code?: string;
  /** Whether others see the screen. */
  readonly isPresenting?: boolean;
  /** What the encrypted storage does with a secret; it keeps it when left out. */
  readonly onStore?: (key: string, value: string) => Promise<"keep" | "lose">;
  /** Changes each text on its way from the exchange. */
  readonly alter?: (text: string) => string;
}

export interface KeyLab {
  readonly clock: FakeClock;
  readonly exchange: Exchange;
  readonly live: LiveConnection;
  readonly liveConnections: LiveConnections;
  readonly connections: Connections;
  readonly secrets: SecretStore;
  readonly newSecrets: NewSecrets;
  readonly handlers: Handlers;
  /** What the log was told to hide by the dialog that shows secrets. */
  readonly masked: readonly string[];
  /** What the creation of a key needs. */
  readonly creation: CreateKeyPorts;
  readonly questions: readonly Question[];
  readonly shown: readonly string[];
  /** Modals that showed a secret, or asked to confirm that one is closed. */
  readonly modals: readonly string[];
  readonly copied: readonly string[];
  /** The encrypted storage. */
  readonly kept: ReadonlyMap<string, string>;
  /** The commands that notices have run. */
  readonly ran: readonly (readonly unknown[])[];
  readonly done: () => void;
  /** Runs a command of the manifest and lets the time pass that it needs. */
  run(command: keyof Handlers, ...args: readonly unknown[]): Promise<void>;
  /** Presses a button of the last message that has it. */
  press(title: string): void;
  open(record: ConnectionRecord): LiveConnection;
  /** Everything that was written down, shown or logged, apart from the storage, the clipboard, and those modals. */
  written(): string;
  frames(method: string): readonly string[];
  /** The key of this name at the exchange. */
  key(name: string): Readonly<Record<string, unknown>> | undefined;
}

/** The parts of VS Code that show a secret: hand them to `useEditor`. */
export const editorParts: Readonly<Record<"env" | "window", unknown>> = {
  env: {
    clipboard: {
      writeText: async (text: string) => {
        desk.copied.push(text);
        await Promise.resolve();
      },
    },
  },
  window: {
    showInformationMessage: async (message: string, { detail }: { detail: string }, ...items: readonly Item[]) =>
      await answered(message, detail, items),
    showWarningMessage: async (message: string, { detail }: { detail: string }, ...items: readonly Item[]) =>
      await answered(message, detail, items),
  },
};

interface Item {
  readonly title: string;
  readonly isCloseAffordance?: boolean;
}

/** The editor's side of the lab that is at work. */
const desk = { modals: [] as string[], copied: [] as string[], answers: [] as ModalAnswer[] };

async function answered(message: string, detail: string, items: readonly Item[]): Promise<Item | undefined> {
  desk.modals.push([message, detail, ...items.map(({ title }) => `[${title}]`)].join("\n"));
  const answer = desk.answers.shift();
  await Promise.resolve();
  return answer === "Escape"
    ? items.find(({ isCloseAffordance }) => isCloseAffordance === true)
    : items.find(({ title }) => answer !== undefined && title.startsWith(answer));
}

export async function openKeyLab(options: KeyLabOptions = {}): Promise<KeyLab> {
  const {
    declared = "test",
    records = [],
    answers = [],
    modals = [],
    confirm = () => true,
    alter = (text: string) => text,
  } = options;
  desk.modals = [];
  desk.copied = [];
  desk.answers = [...modals];
  const { modals: shownModals, copied } = desk;
  const clock = createFakeClock();
  const exchange = createExchange({ clock, random: createFakeRandom(7), still: true, limits: false, orders: 3 });
  const main: ConnectionRecord = {
    ...{ id: "main", name: "main", declared, url: "wss://lab.example/ws/api/v2", grant: "client_signature" },
    clientId: exchange.clientId,
  };
  const all = [main, ...records.map((record) => ({ ...main, ...record }))];
  let stored: unknown = formatRecords({ records: all, activeId: "main", unreadable: [] });
  const logged: string[] = [];
  const note = (message: string): void => void logged.push(message);
  const log: Log = { trace: note, debug: note, info: note, warn: note, error: note };
  const connections = createConnections({
    storage: {
      load: () => stored,
      save: async (value) => {
        stored = await Promise.resolve(value);
      },
    },
    now: () => clock.now(),
  });
  const questions: Question[] = [];
  const ask = async (question: Question): Promise<boolean> => {
    questions.push(question);
    return await Promise.resolve(confirm(question));
  };
  const journal = createMemoryJournal();
  const portsOf = sessionPorts(clock);
  const traffic: string[] = [];
  const liveConnections = createLiveConnections({
    connections,
    placeFor: async (id, intent) => await newSecrets.prepare(id, intent),
    createSession: (_record, access, _way, recorder) =>
      createSession({
        ...portsOf(),
        log,
        isTracing: () => true,
        traffic: recorder,
        dial: async () => {
          const [client, server] = createLinkedPair();
          exchange.accept({ ...server, send: (text) => server.send(alter(text)) });
          return await Promise.resolve(client);
        },
        credentials: async () => await Promise.resolve(access.credentials),
      }),
    ask,
    askCode: async () => await Promise.resolve(options.code),
    journal,
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log,
  });
  const kept = new Map<string, string>();
  const state = new Map<string, unknown>();
  const secrets = createSecretStore({
    secrets: {
      get: async (key) => await Promise.resolve(kept.get(key)),
      store: async (key, value) => {
        if ((await options.onStore?.(key, value)) !== "lose") kept.set(key, value);
      },
      delete: async (key) => {
        kept.delete(key);
        await Promise.resolve();
      },
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
  const { dialogs: scripted, shown, done } = scriptedDialogs(...answers);
  const actions: { readonly title: Plain; readonly run: () => unknown }[] = [];
  const dialogs = {
    ...scripted,
    tell: (level: "information" | "warning" | "error", text: Plain, offered: typeof actions = []): void => {
      scripted.tell(level, plain.join([text, ...offered.map(({ title }) => plain`[${title}]`)], " "));
      actions.push(...offered);
    },
  };
  const ran: (readonly unknown[])[] = [];
  const times = createTimes(0);
  const notices = createNotices({ dialogs, times, clock, log, run: (...command) => void ran.push(command) });
  liveConnections.onDidOpen((live) => {
    notices.follow(live);
    live.traffic.watch({
      onBegin: (_, text) => void traffic.push(text),
      onEnd: (_, text) => void traffic.push(text ?? ""),
      onEvent: (_channel, _length, text) => void traffic.push(text()),
    });
  });
  const { createOneTimeSecrets } = await import("../../../../src/ui/editor/oneTimeSecrets.ts");
  const masked: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const oneTimeSecrets = createOneTimeSecrets({
    ask,
    takeTurns: async (task) => {
      const mine = last.then(task, task);
      last = mine.catch(() => undefined);
      return await mine;
    },
    isPresenting: () => options.isPresenting === true,
    mask: (secret) => void masked.push(secret),
  });
  let made = 0;
  const places = {
    connections,
    liveConnections,
    secrets,
    dialogs,
    oneTimeSecrets,
    connect: (id: string) => void ran.push(["connect", id]),
    newId: () => `new-${String(++made)}`,
  };
  const newSecrets = createNewSecrets(places);
  const ports = {
    dialogs,
    liveConnections,
    notices,
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) },
    ask,
    clock,
    times,
    pane: { find: () => [] },
    run: (...command: readonly unknown[]) => void ran.push(command),
  } as unknown as ApiKeyChangesPorts;
  const open = (record: ConnectionRecord): LiveConnection => {
    const [key] = exchange.control.apiKeys().filter((each) => each["client_id"] === record.clientId);
    const secret = String(key?.["client_secret"]);
    kept.set(`tradingRpc.secret.${record.id}`, JSON.stringify({ origin: new URL(record.url).origin, secret }));
    const live = liveConnections.create(record, {
      url: record.url,
      credentials: { kind: "client_signature", clientId: record.clientId, clientSecret: secret },
    });
    liveConnections.adopt(live);
    live.connect();
    return live;
  };
  const live = open(main);
  await clock.settle();
  await clock.advance(1000);
  if (live.environment === "production") {
    await live.gate.allowChanges();
    questions.length = 0;
  }
  const handlers = {
    ...createApiKeyChanges(ports),
    ...createKeyCreation(ports),
    ...createKeyPairCreation({ ...ports, ...places }),
  };
  return {
    clock,
    exchange,
    live,
    liveConnections,
    connections,
    secrets,
    newSecrets,
    handlers,
    creation: ports,
    masked,
    questions,
    shown,
    modals: shownModals,
    copied,
    kept,
    ran,
    done,
    async run(command, ...args) {
      const running = Promise.resolve(handlers[command]?.(...args));
      await clock.advance(30_000);
      await running;
    },
    press: (title) => void actions.findLast((each) => each.title === title)?.run(),
    open,
    written: () =>
      [
        ...[logged, traffic, shown, questions.map((each) => JSON.stringify(each))].flat(),
        JSON.stringify([journal.records, stored, [...state], ran]),
        inspect([liveConnections.all.map(({ gate }) => gate.activity), journal.records], {
          depth: 30,
          showHidden: true,
          getters: true,
        }),
        JSON.stringify(liveConnections.all.map(({ gate, apiKeys }) => [gate.activity, [...apiKeys.snapshot.items]])),
      ].join("\n"),
    frames: (method) =>
      exchange.control
        .ledger()
        .filter((entry) => entry.method === method)
        .map(({ text }) => text),
    key: (name) => exchange.control.apiKeys().find((each) => each["name"] === name),
  };
}
