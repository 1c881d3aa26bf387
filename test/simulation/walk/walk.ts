import nodeCrypto from "node:crypto";
import type { ExtensionContext } from "vscode";
import { createEmitter } from "../../../src/base/emitter.ts";
import { activate } from "../../../src/extension.ts";
import { connectionRowId } from "../../../src/present/connections/connections.ts";
import { SIMULATOR_ID } from "../../../src/state/records.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { disk } from "./disk.ts";
import {
  closeDocument,
  createToken,
  desk,
  documents,
  FOLDER,
  openDesk,
  Position,
  runCommand,
  Selection,
  setSetting,
  showDocument,
  Uri,
  window,
  workspace,
  type Asked,
} from "./editor.ts";
import { net, SAVED } from "./net.ts";
import { createPerson, type Person } from "./person.ts";

/*
 * A walk: a user runs commands of the manifest in any order, on any row, and answers every dialog in any way,
 * while time passes and links are cut. The extension is the one that ships, from its activation on; the editor, the
 * network, the disk and the clock are played.
 */

/** Of the manifest, what a walk needs. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}

interface Setting {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

export interface WalkOptions {
  readonly seed: number;
  /** How many commands. */
  readonly steps: number;
  readonly manifest: Manifest;
  /** Request files that are in the folder, by name. */
  readonly files: Readonly<Record<string, string>>;
}

export interface WalkReport {
  readonly seed: number;
  readonly commands: number;
  /** How often each command was run. */
  readonly ran: Readonly<Record<string, number>>;
  readonly asked: number;
  /** What must not be; empty where all is well. */
  readonly problems: readonly string[];
  /** What happened last, for whoever looks for the cause. */
  readonly trail: readonly string[];
}

/** Lines that tell of a defect of ours. */
const INTERNAL = /Internal error|"kind":"bug"|^log error: (?!\S* ?Simulator)|could not be asked/;
/** More time than anything waits for that the user started. */
const PATIENCE_MS = 20 * 60_000;
const NOTICED_MS = 60_000;
const MAX_TRAIL = 60;
const MAX_ROWS = 60;

interface Row {
  readonly id: string;
  readonly view: string;
  readonly command: { readonly command: string; readonly arguments?: readonly unknown[] } | undefined;
}

/** The machine's time, chance and number of a process are the walk's, for everything in this thread. */
export function useMachine(clock: FakeClock, random: () => number): void {
  const RealDate = Date;
  const timers = new Map<number, { dispose(): void }>();
  let count = 0;
  class WalkDate extends RealDate {
    constructor(...parts: readonly unknown[]) {
      super(...((parts.length === 0 ? [clock.now()] : parts) as [number]));
    }
    static override now(): number {
      return clock.now();
    }
  }
  Object.assign(globalThis, {
    Date: WalkDate,
    performance: { now: () => clock.monotonicMs(), timeOrigin: 0 },
    setTimeout(run: () => void, ms: number): number {
      timers.set(++count, clock.after(ms, run));
      return count;
    },
    clearTimeout(id: number): void {
      timers.get(id)?.dispose();
    },
  });
  const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  Object.assign(nodeCrypto, {
    randomBytes: bytes,
    randomInt: (first: number, limit?: number) =>
      limit === undefined ? Math.floor(random() * first) : first + Math.floor(random() * (limit - first)),
    randomUUID: () =>
      bytes(16)
        .toString("hex")
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
  });
}

const RealDate = Date;

/** Walks once. Never throws. */
export async function walk({ seed, steps, manifest, files }: WalkOptions): Promise<WalkReport> {
  const random = createFakeRandom(seed);
  const fake = createFakeClock();
  // A machine's wall clock has no fractions.
  const clock: FakeClock = Object.create(fake, { now: { value: () => Math.floor(fake.now()) } }) as FakeClock;
  globalThis.Date = RealDate;
  useMachine(clock, createFakeRandom(seed + 1));
  const saved = net.open({ clock, random: createFakeRandom(seed + 2) });
  const problems: string[] = [];
  const trail: string[] = [];
  const ran: Record<string, number> = {};
  let asked = 0;
  const tell = (line: string): void => {
    trail.push(line);
    if (trail.length > MAX_TRAIL) trail.shift();
    if (line.startsWith("asked")) asked++;
    if (INTERNAL.test(line)) problems.push(line);
  };
  const fail = (what: string, error: unknown): void => {
    problems.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
  const unhandled = (error: unknown): void => fail("an unhandled rejection", error);
  process.on("unhandledRejection", unhandled);

  const settings = Object.entries(
    Object.assign({}, ...manifest.contributes.configuration.map(({ properties }) => properties)) as Record<
      string,
      Setting
    >,
  );
  openDesk(tell, new Map(settings.map(([name, each]) => [name, each.default])));
  disk.clear();
  workspace.isTrusted = true;
  for (const [name, text] of Object.entries(files)) {
    disk.write(`${FOLDER}/${name}`, Buffer.from(text));
    disk.write(`/extension/examples/${name}`, Buffer.from(text));
  }
  const rows: Row[] = [];
  const person = createPerson({
    random,
    seen: () => rows.map(({ id }) => id.split(/[\s"',:[\]]+/).at(-1) ?? ""),
    secrets: [saved.clientId, saved.clientSecret],
  });
  const context = createContext(manifest, person, saved.clientId, saved.clientSecret);
  activate(context);

  const rest = async (answer: (each: Asked) => Promise<string>): Promise<void> => {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS;) {
      for (let turn = 0; turn < 5; turn++) await clock.settle();
      // A notification waits as long as it likes, and a command may wait for it.
      const open = desk.asked.filter((each) => each.kind !== "message" || each.isModal || waitedMs > NOTICED_MS).at(-1);
      if (open !== undefined) tell(`  ${await answer(open)}`);
      else if (desk.running.size === 0) return;
      else {
        const stepMs = Math.min(30_000, Math.max(250, waitedMs / 4));
        waitedMs += stepMs;
        await clock.advance(stepMs);
      }
    }
    problems.push(`does not end within ${PATIENCE_MS / 60_000} minutes: ${[...desk.running.values()].join(", ")}`);
    desk.running.clear();
  };
  const start = (id: string, args: readonly unknown[]): void => {
    ran[id] = (ran[id] ?? 0) + 1;
    tell(`${id} ${JSON.stringify(args).slice(0, 200)}`);
    runCommand(id, args).catch((error: unknown) => fail(id, error));
  };
  const ids = manifest.contributes.commands.map(({ command }) => command);
  const walker: Walker = { clock, person, rows, tell, fail, start, ids, settings };
  try {
    if (person.chance(0.75)) start("tradingRpc.simulator.start", []);
    for (let step = 0; step < steps && problems.length === 0; step++) {
      if (step % 8 === 0) await lookAround(walker);
      if (person.chance(0.5)) await happen(walker);
      start(...nextCommand(walker));
      if (person.chance(0.05)) await clock.advance(random() * 100);
      else await rest(async (each) => await person.answer(each));
    }
    if (problems.length === 0) await startSimulator(walker, rest, problems);
  } catch (error) {
    fail("the walk", error);
  }
  for (const each of context.subscriptions) each.dispose();
  for (const document of [...documents]) closeDocument(document);
  await clock.advance(60_000);
  process.off("unhandledRejection", unhandled);
  return { seed, commands: Object.values(ran).reduce((sum, count) => sum + count, 0), ran, asked, problems, trail };
}

interface Walker {
  readonly clock: FakeClock;
  readonly person: Person;
  /** Rows that were on the screen when it was last looked. */
  readonly rows: Row[];
  readonly tell: (line: string) => void;
  readonly fail: (what: string, error: unknown) => void;
  readonly start: (id: string, args: readonly unknown[]) => void;
  readonly ids: readonly string[];
  readonly settings: readonly (readonly [string, Setting])[];
}

/** What the editor hands to `activate`; in some walks two connections and their secrets are kept from before. */
export function createContext(
  manifest: { readonly contributes: object },
  person: Pick<Person, "chance" | "one">,
  clientId: string,
  clientSecret: string,
): ExtensionContext {
  const records = ["production", "test"].map((declared) => ({
    id: declared,
    name: declared,
    declared,
    url: SAVED.url,
    grant: "client_signature",
    clientId,
  }));
  const state = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const secretChanges = createEmitter<{ readonly key: string }>();
  if (person.chance(0.6)) {
    state.set("tradingRpc.connections", {
      version: 1,
      connections: records,
      activeId: person.one(["production", "test", "simulator", undefined]),
    });
    state.set(
      "tradingRpc.secretIds",
      records.map(({ id }) => id),
    );
    for (const { id } of records)
      secrets.set(
        `tradingRpc.secret.${id}`,
        JSON.stringify({
          origin: new URL(SAVED.url).origin,
          secret: person.chance(0.8) ? clientSecret : "another secret",
        }),
      );
  }
  const memento = {
    get: (key: string, fallback: unknown) => state.get(key) ?? fallback,
    // As the editor keeps it: as JSON.
    update: async (key: string, value: unknown) => {
      state.set(key, value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
      await Promise.resolve();
    },
    keys: () => [...state.keys()],
  };
  return {
    subscriptions: [],
    extension: {
      id: "trading-rpc.trading-rpc",
      packageJSON: { ...manifest, contributes: { languageModelTools: [], ...manifest.contributes }, version: "0.0.0" },
      extensionKind: 1,
    },
    extensionUri: Uri.file("/extension"),
    globalStorageUri: Uri.file("/storage"),
    asAbsolutePath: (name: string) => `/extension/${name}`,
    globalState: memento,
    workspaceState: memento,
    secrets: {
      get: async (key: string) => await Promise.resolve(secrets.get(key)),
      store: async (key: string, value: string) => {
        secrets.set(key, value);
        await Promise.resolve();
        secretChanges.fire({ key });
      },
      delete: async (key: string) => {
        secrets.delete(key);
        await Promise.resolve();
        secretChanges.fire({ key });
      },
      onDidChange: secretChanges.event,
    },
  } as unknown as ExtensionContext;
}

/** Reads all views, as the editor does that shows them, and what stands in the editors. */
async function lookAround(walker: Walker): Promise<void> {
  const { rows, fail, clock, person } = walker;
  rows.length = 0;
  await clock.settle();
  for (const [view, { provider }] of desk.trees) {
    let count = 0;
    const visit = async (id: string | undefined, depth: number): Promise<void> => {
      for (const child of (await provider["getChildren"]?.(id)) as readonly string[]) {
        if (++count > MAX_ROWS) return;
        const item = (await provider["getTreeItem"]?.(child)) as {
          readonly collapsibleState?: number;
          readonly command?: Row["command"];
        };
        if (person.chance(0.2)) await provider["resolveTreeItem"]?.(item, child);
        rows.push({ id: child, view, command: item.command });
        if (depth < 4 && (item.collapsibleState ?? 0) > 0) await visit(child, depth + 1);
      }
    };
    await visit(undefined, 0).catch((error: unknown) => fail(view, error));
  }
  await look(walker);
}

/** Calls the language features that VS Code calls for the document that is being edited. */
async function look({ fail, person }: Walker): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (document === undefined) return;
  const position = document.positionAt(Math.floor((person.one([0.1, 0.3, 0.5, 0.9]) ?? 0) * document.getText().length));
  for (const { feature, provider } of desk.registered) {
    try {
      if (feature === "CompletionItem") await provider["provideCompletionItems"]?.(document, position, {}, {});
      if (feature === "Hover") await provider["provideHover"]?.(document, position, {});
      if (feature === "Definition") await provider["provideDefinition"]?.(document, position, {});
      if (feature === "DocumentSymbol") await provider["provideDocumentSymbols"]?.(document, createToken().token);
    } catch (error) {
      fail(`${feature} in ${document.uri.toString()}`, error);
    }
  }
}

/** Time passes, or something comes from outside, or something is done that is no command. */
async function happen({ clock, person, settings, tell, fail }: Walker): Promise<void> {
  const exchange = person.one(net.exchanges);
  const notice = person.one(desk.asked.filter((each) => each.kind === "message" && !each.isModal));
  const happenings: readonly (() => unknown)[] = [
    async () => await clock.advance(person.one([300, 2000, 12_000, 61_000, 5 * 60_000]) ?? 0),
    async () => await clock.advance(person.one([300, 2000, 12_000]) ?? 0),
    async () => {
      if (notice !== undefined) tell(`  ${await person.answer(notice)}`);
    },
    async () => {
      if (notice !== undefined) tell(`  ${await person.answer(notice)}`);
    },
    () => exchange?.control.disconnectAll(person.one(["close", "reset"])),
    () => exchange?.control.expireTokens(),
    () => exchange?.control.requireSecondFactor(person.one([undefined, ["123456"]])),
    () => exchange?.control.moveAccount(),
    () =>
      exchange?.control.setFault(
        person.one([
          { reply: "none" },
          { isChange: true, reply: "none" },
          { isChange: true, reply: { code: 10041 } },
          { isChange: true, link: "reset" },
          { isChange: true, holdMs: 20_000 },
        ]) as never,
      ),
    () => exchange?.control.clearFaults(),
    () => exchange?.control.refuseConnections(person.chance(0.3)),
    () => {
      if (person.chance(0.3)) net.crash();
    },
    () => net.breakSimulators(person.chance(0.2)),
    () => {
      const file = person.one(disk.paths);
      if (file !== undefined && person.chance(0.3)) disk.delete(file);
    },
    () => {
      workspace.isTrusted = !person.chance(0.1);
    },
    () => exchange?.control.setMethods(person.chance(0.2) ? "contract" : "all"),
    () => {
      const id = person.one(exchange?.control.apiKeys() ?? [])?.["id"];
      if (id !== undefined)
        exchange?.control.editApiKey(
          Number(id),
          person.one([
            { enabled: false },
            { enabled: true },
            { max_scope: "account:read" },
            {
              max_scope:
                "trade:read_write account:read_write wallet:read_write block_trade:read_write block_rfq:read_write",
            },
          ]) as never,
        );
    },
    () => {
      const [name, { enum: values, type, default: fallback }] = person.one(settings) ?? ["", {}];
      setSetting(name, type === "boolean" ? person.chance(0.5) : person.one([...(values ?? []), fallback, fallback]));
    },
    () => {
      for (const cancel of desk.tokens) if (person.chance(0.5)) cancel();
    },
    () => {
      for (const page of desk.pages)
        person.one([
          () => page.send({ kind: person.one(["ready", "loadMore", "pause", "resume", "reload", "changeParameters"]) }),
          () => page.send({ kind: "open", seq: 1 }),
          () => page.send({ kind: 5 }),
          () => page.close(),
          () => page.show(person.chance(0.5)),
        ])?.();
    },
    async () => {
      const file = person.one(disk.paths.filter((path) => path.startsWith(FOLDER)));
      if (file !== undefined) showDocument(await workspace.openTextDocument(Uri.file(file)));
    },
    () => {
      const document = person.one(documents);
      if (document !== undefined) showDocument(document);
    },
    () => {
      const document = person.one(documents);
      if (document !== undefined && person.chance(0.3)) closeDocument(document);
    },
    () => {
      if (window.activeTextEditor?.document.uri.path.endsWith(".rpc.json") === true && person.chance(0.3))
        window.activeTextEditor.document.become(
          person.one([
            "",
            "[",
            "[{}]",
            '{"method": "public/get_time"}',
            '[{"method": "private/cancel_all"}]',
            window.activeTextEditor.document.getText().slice(0, -20),
          ]) ?? "",
        );
    },
    () => {
      for (const { view } of desk.trees.values()) view.selection = [];
    },
  ];
  try {
    await person.one(happenings)?.();
  } catch (error) {
    fail("from outside", error);
  }
}

/**
 * A command with what the editor hands to it: nothing, a row with or without a selection, a document, what a lens says.
 */
function nextCommand(walker: Walker): [id: string, args: readonly unknown[]] {
  const { person, rows, ids } = walker;
  const own = person.one(rows)?.command;
  if (own !== undefined && person.chance(0.3)) return [own.command, own.arguments ?? []];
  const lens = person.chance(0.25) ? lensInSight(walker) : undefined;
  if (lens !== undefined) return [lens.command, lens.arguments ?? []];
  const id = person.chance(0.06) ? "tradingRpc.simulator.start" : (person.one(ids) ?? "");
  if (person.chance(0.4)) return [id, person.chance(0.05) ? [person.one(["", "gone", 5, null, {}, '["a"]'])] : []];
  return [id, ABOUT_DOCUMENTS.test(id) ? documentArguments(person) : rowArguments(id, walker)];
}

const ABOUT_DOCUMENTS = /^tradingRpc\.(?!traffic\.show$)(?:request|response|channel|traffic|history|supportFile)\./;

/** The address of a document, as menus and lenses hand it out, perhaps with the number of a request. */
function documentArguments(person: Person): readonly unknown[] {
  const document = person.one(documents);
  if (document === undefined) return [];
  return [
    person.chance(0.5) ? document.uri : document.uri.toString(),
    ...(person.chance(0.5) ? [person.one([0, 1, 7])] : []),
  ];
}

/** A row, mostly of the view that the command is about; perhaps with those that are selected. */
function rowArguments(id: string, { person, rows }: Walker): readonly unknown[] {
  // The noun is a view, or what stands in the view.
  const view = id.replace(/\.\w+$/, "");
  const fitting = rows.filter((each) => each.view === view || each.view === `${view}s`);
  const chosen = person.one(fitting.length > 0 && person.chance(0.85) ? fitting : rows);
  if (chosen === undefined) return [];
  if (person.chance(0.6)) return [chosen.id];
  const selection = fitting.filter(() => person.chance(0.2)).map((each) => each.id);
  const tree = desk.trees.get(chosen.view);
  if (tree !== undefined) tree.view.selection = selection;
  return [chosen.id, [...new Set([chosen.id, ...selection])]];
}

/** A lens of the document that is being edited; where it has none, the cursor goes somewhere else. */
function lensInSight({ person }: Walker): ReturnType<typeof lensesOf>[number] | undefined {
  const editor = window.activeTextEditor;
  if (editor === undefined) return undefined;
  const place = new Position(Math.floor(editor.document.lineCount * (person.one([0, 0.3, 0.6]) ?? 0)), 0);
  editor.selection = new Selection(place, place);
  return person.one(lensesOf(editor.document));
}

/** The commands of the lenses above a document. Lenses that resolve later have none yet. */
function lensesOf(
  document: (typeof documents)[number],
): readonly { readonly command: string; readonly arguments?: readonly unknown[] }[] {
  return desk.registered
    .filter(
      ({ feature, selector }) =>
        feature === "CodeLens" &&
        JSON.stringify(selector).includes(
          document.uri.scheme === "trading-rpc-response" ? "trading-rpc-response" : "rpc.json",
        ),
    )
    .flatMap(
      ({ provider }) => (provider["provideCodeLenses"]?.(document, {}) ?? []) as readonly Record<string, unknown>[],
    )
    .flatMap((lens) => (lens["command"] as { readonly command: string } | undefined) ?? [])
    .filter(({ command }) => command.startsWith("tradingRpc."));
}

/** Wherever a walk ends, Start Simulator leads to a simulator that is connected, for whoever agrees to what it asks. */
async function startSimulator(
  walker: Walker,
  rest: (answer: (each: Asked) => Promise<string>) => Promise<void>,
  problems: string[],
): Promise<void> {
  const { rows, start, clock } = walker;
  net.breakSimulators(false);
  for (const { control } of net.exchanges) {
    control.clearFaults();
    control.setMaintenance(false);
    control.refuseConnections(false);
  }
  // Another question that is still open is closed.
  await rest(async (each) => {
    if (each.kind === "message") each.choose(undefined);
    else if (each.kind === "file") each.choose(undefined);
    else each.hide();
    return await Promise.resolve("Escape");
  });
  // What was lost before does not come any more.
  await clock.advance(60_000);
  start("tradingRpc.connections.clearFilter", []);
  start("tradingRpc.simulator.start", []);
  await rest(async (each) => {
    if (each.kind === "message") each.choose(each.buttons[0]);
    else if (each.kind === "file") each.choose(undefined);
    else each.hide();
    return await Promise.resolve("agreed");
  });
  await clock.advance(1000);
  await lookAround(walker);
  const provider = desk.trees.get("tradingRpc.connections")?.provider;
  const row = rows.find(({ id }) => id === connectionRowId(SIMULATOR_ID));
  const item =
    row === undefined
      ? undefined
      : ((await provider?.["getTreeItem"]?.(row.id)) as {
          readonly label?: unknown;
          readonly description?: unknown;
          readonly contextValue?: string;
        });
  if (!/\.ready\b/.test(item?.contextValue ?? ""))
    problems.push(`after Start Simulator the simulator is not connected: ${JSON.stringify(item)}`);
}
