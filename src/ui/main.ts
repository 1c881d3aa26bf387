import * as crypto from "node:crypto";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { createJournals, type Journals } from "../actions/journals.ts";
import type { Ask, AskCode } from "../actions/question.ts";
import { createSystemClock, type Clock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { bugText } from "../base/failure.ts";
import { logOf, type Log } from "../base/log.ts";
import { createTimes } from "../present/text/times.ts";
import { httpServerOf, isHttpAddress, webSocketAddressOf } from "../rpc/address.ts";
import { dialWebSocket } from "../rpc/webSocketTransport.ts";
import { createSession } from "../session/createSession.ts";
import { createConnections, type Connections } from "../state/connections.ts";
import type { RecordStorage } from "../state/records.ts";
import { createApiKeysPane } from "./apiKeys/view.ts";
import { createActivityCommands } from "./activity/commands.ts";
import { createActivityNotices } from "./activity/notices.ts";
import { createActivityPane } from "./activity/view.ts";
import { createAnswerDocuments, type AnswerDocuments } from "./responses/answerDocuments.ts";
import { createAsk, createAskCode, createTurns, type Asked } from "./editor/ask.ts";
import { createBlockTradesPane } from "./blockTrades/view.ts";
import { createBuiltInSimulator } from "./connections/builtInSimulator.ts";
import type { ChatTools } from "./chat/tools.ts";
import { createCommands, runCommand } from "./commands.ts";
import type { Handler } from "./editor/handler.ts";
import { createCommandScopes } from "./commandScopes.ts";
import { createConnectionCommands } from "./connections/commands.ts";
import { createConnectionsPane } from "./connections/view.ts";
import { createSecretStore, type SecretStore } from "./connections/credentials.ts";
import { createEditorSecrets } from "./connections/editorSecrets.ts";
import { createHostWarnings } from "./connections/hostWarnings.ts";
import { createKnownKeyIds } from "./apiKeys/knownKeyIds.ts";
import { lazily } from "./lazily.ts";
import { createLiveConnections, type LiveConnections, type LiveConnectionsPorts } from "../actions/liveConnections.ts";
import { createMaskingLog, type MaskingLog } from "./editor/log.ts";
import { createMmpPane } from "./mmp/view.ts";
import { createNotices } from "./editor/notices.ts";
import { createOrdersPane } from "./orders/view.ts";
import { createOtherWindows, type OtherWindows } from "./connections/otherWindows.ts";
import { createQuotesPane } from "./quotes/view.ts";
import { createPulse } from "./pulse.ts";
import { createRecentInstruments } from "./trades/recentInstruments.ts";
import { isRequestFile, REQUEST_FILE_PATTERN } from "./requests/files.ts";
import { createRun } from "./connections/runs.ts";
import { createHostConsent } from "./connections/remoteHost.ts";
import { followRemovedSecrets } from "./connections/removedSecrets.ts";
import { accountNames, createScreen, type Screen } from "./tree/screen.ts";
import { createSettings, type Settings } from "./editor/settings.ts";
import { createSignIn, type SignIn } from "./connections/signIn.ts";
import type { TreeFrame } from "./tree/treeView.ts";
import type { ViewName } from "./tree/viewNames.ts";

/* Parts that the benchmark measures by themselves, in the file that ships. Nothing here and no editor looks at them. */
export { createGate } from "../actions/gate.ts";
export { createRoutes } from "../actions/route.ts";
export { isResult } from "../catalogue/index.ts";
export { createOrdersStore } from "../state/orders.ts";
export { createOrdersPane, createSession, createSystemClock, createTimes, dialWebSocket };

/** The program behind what is registered at activation. */
export interface Main extends Disposable {
  readonly providers: Readonly<Record<ViewName, vscode.TreeDataProvider<string>>>;
  /** Runs a command of the manifest. Never throws. */
  run(command: string, args: readonly unknown[]): Promise<void>;
  /** The text of an answer document. */
  answerText(uri: vscode.Uri): Promise<string>;
  /** What a language model may call, loaded when one does. */
  tools(): Promise<ChatTools>;
}

/** What had to be there before the program. */
export interface MainFrames {
  readonly views: Readonly<Record<ViewName, TreeFrame>>;
  readonly answerChanges: vscode.EventEmitter<vscode.Uri>;
}

async function showAsked(shown: Asked, answers: AnswerDocuments): Promise<void> {
  if (typeof shown === "string") await vscode.commands.executeCommand(`tradingRpc.${shown}.focus`);
  else await answers.showRequest(shown);
}

/** Builds the program. Nothing is connected, and nothing asks. */
export function createMain(context: vscode.ExtensionContext, given: MainFrames): Main {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  const disposables = new DisposableList();
  const channel = disposables.add(vscode.window.createOutputChannel("Trading RPC", { log: true }));
  const clock = createSystemClock();
  const log = createMaskingLog(channel, () => clock.now());
  const times = createTimes();
  const settings = createSettings();
  const setContext = createContextKeys();
  const takeTurns = createTurns();
  const ask = createAsk(
    takeTurns,
    (shown) => void showAsked(shown, answers).catch((error: unknown) => notices.showError(error)),
  );
  const run = (command: string, ...args: readonly unknown[]): void =>
    void vscode.commands.executeCommand(command, ...args);
  const notices = createNotices({ times, clock, log, run });

  const connections = disposables.add(
    createConnections({ storage: recordStorage(context.globalState), now: () => clock.now() }),
  );
  const { journals, live, windows } = createWindow(
    {
      context,
      connections,
      clock,
      log,
      settings,
      ask,
      askCode: createAskCode(takeTurns),
      level: () => channel.logLevel,
    },
    disposables,
  );
  const screen = disposables.add(
    createScreen({ window: vscode.window, settings, names: () => accountNames(connections, live) }),
  );
  const frames = { ...given, views: screen.frames(given.views) };
  const secrets = createSecrets(context, log, ask, clock);
  disposables.add(
    followRemovedSecrets({
      onDidChange: context.secrets.onDidChange,
      secrets,
      connections,
      live,
      journals,
      clock,
      tell: (sentence) => {
        log.warn(sentence);
        void vscode.window.showWarningMessage(sentence);
      },
    }),
  );
  const simulator = createBuiltInSimulator({
    file: context.asAbsolutePath("dist/simulator.js"),
    log,
    mask: (secret) => log.mask(secret),
  });
  const signIn = createSignIn({
    connections,
    live,
    secrets,
    notices,
    log,
    simulator,
    ask,
    mask: (secret) => log.mask(secret),
    warnOfHost: createHostWarnings(log, context.globalState),
  });

  const answers = disposables.add(createAnswerDocuments(frames.answerChanges, settings));
  const pane = disposables.add(
    createOrdersPane({ frame: frames.views.orders, live, settings, clock, times, setContext }),
  );
  const blockTradesPane = disposables.add(
    createBlockTradesPane({ frame: frames.views.blockTrades, live, clock, times, setContext }),
  );
  const mmpPane = disposables.add(
    createMmpPane({
      frame: frames.views.mmp,
      live,
      clock,
      times,
      setContext,
      onReset: (found) =>
        void views()
          .then(async ({ resetGroup }) => await resetGroup(found))
          .catch((error: unknown) => notices.showError(error)),
    }),
  );
  const quotesPane = disposables.add(createQuotesPane({ frame: frames.views.quotes, live, clock, times, setContext }));
  const apiKeysPane = disposables.add(
    createApiKeysPane({ frame: frames.views.apiKeys, live, clock, times, setContext }),
  );
  const scopes = disposables.add(createCommandScopes({ live, setContext }));
  const activityPane = disposables.add(
    createActivityPane({ frame: frames.views.activity, journals, clock, times, setContext }),
  );
  disposables.add(createActivityNotices({ journals, log, run }));
  const connectionsPane = disposables.add(
    createConnectionsPane({
      frame: frames.views.connections,
      connections,
      live,
      settings,
      windows,
      clock,
      times,
      setContext,
    }),
  );
  const connectionCommands = createConnectionCommands({ connections, live, signIn, secrets, journals, ask, clock });
  const requests = lazily(async () =>
    disposables.add(
      (await import("./requests/requests.ts")).createRequests({
        ...{
          live,
          connections,
          orders: pane,
          blockTrades: blockTradesPane,
          apiKeys: apiKeysPane,
          answers,
          notices,
          settings,
          ask,
          clock,
          times,
          log,
          setContext,
        },
        answerChanges: frames.answerChanges,
        hide: (text) => log.hide(text),
        storage: context.globalStorageUri,
        connect: async (id) => await connectionCommands.connect(id),
        revealOrder: (id) => frames.views.orders.view.reveal(id, { select: true, focus: true }),
      }),
    ),
  );
  const observing = lazily(async () =>
    disposables.add(
      (await import("./observing/observing.ts")).createObserving({
        connections,
        live,
        journals,
        log,
        clock,
        times,
        settings,
        extension: context.extension,
        changes: frames.answerChanges,
      }),
    ),
  );
  const views = lazily(async () =>
    disposables.add(
      (await import("./viewCommands.ts")).createViewCommands({
        ...{ live, answers, notices, screen, settings, ask, clock, times, run, setContext, simulator },
        panes: {
          connections: connectionsPane,
          orders: pane,
          blockTrades: blockTradesPane,
          mmp: mmpPane,
          quotes: quotesPane,
          apiKeys: apiKeysPane,
          activity: activityPane,
        },
        state: context.globalState,
        recent: createRecentInstruments(context.globalState, connections),
        extensionUri: context.extensionUri,
      }),
    ),
  );
  disposables.add(
    whenRequestFilesAppear(
      () =>
        void requests().catch((error: unknown) => log.error(`Request files cannot be worked with: ${bugText(error)}`)),
    ),
  );
  disposables.add(
    createPulse({
      journals,
      connections,
      live,
      notices,
      screen,
      connectionsPane,
      ordersView: frames.views.orders.view,
      settings,
      clock,
      times,
      setContext,
    }),
  );
  disposables.add(whenViewIsShown(Object.values(frames.views), () => void openLast({ connections, settings, signIn })));

  const activity = createActivityCommands({ pane: activityPane, journals, live, ask, times, run });
  const commands = createCommands({
    ...{ activity, activityPane, notices, settings },
    connections: connectionCommands,
    extensionUri: context.extensionUri,
    showLog: () => channel.show(),
    row: (id) =>
      connectionsPane.row(id) ??
      pane.row(id) ??
      blockTradesPane.row(id) ??
      mmpPane.row(id) ??
      quotesPane.row(id) ??
      activityPane.row(id) ??
      apiKeysPane.row(id),
  });
  const handlerOf = async (command: string): Promise<Handler | undefined> =>
    commands[command] ??
    (ABOUT_REQUESTS.test(command) ? await requests() : ABOUT_WIRE.test(command) ? await observing() : await views())
      .handlers[command];
  const providers = {
    connections: connectionsPane.provider,
    orders: pane.provider,
    blockTrades: blockTradesPane.provider,
    mmp: mmpPane.provider,
    quotes: quotesPane.provider,
    activity: activityPane.provider,
    apiKeys: apiKeysPane.provider,
  };
  return {
    providers: shownProviders(providers, screen),
    async run(command, args) {
      // What is done with orders and requests is use of the connections, also where it needs no call at first.
      if (ABOUT_ACCOUNT.test(command) || ABOUT_REQUESTS.test(command)) for (const each of live.all) void each.use();
      await runCommand(handlerOf, command, args, { notices, scopes });
    },
    answerText: async (uri) =>
      activity.text(uri) ??
      answers.text(uri) ??
      (IS_OF_WIRE.test(uri.query) ? (await observing()).text(uri) : undefined) ??
      (await (await requests()).text(uri)),
    tools: lazily(async () =>
      (await import("./chat/tools.ts")).createChatTools({
        connections,
        live,
        notices,
        screen,
        settings,
        isTrusted: () => vscode.workspace.isTrusted,
        clock,
        times,
        log,
      }),
    ),
    dispose: () => disposables.dispose(),
  };
}

/*
 * Commands by what they are about: what serves requests, and most of what serves the views, is loaded on its first use.
 */
const ABOUT_REQUESTS = /^tradingRpc\.(?:request|response|channel|history)\./;
const ABOUT_WIRE = /^tradingRpc\.(?:showTraffic|traffic\.|saveSupportFile|support\.)/;
/** The addresses of its documents say so. */
const IS_OF_WIRE = /"(?:traffic|support)":/;
const ABOUT_ACCOUNT = /^tradingRpc\.(?:orders|blockTrades|mmp|quotes|apiKeys|trades)\./;

/** Once: when one is open, or as soon as it is known that the folder has some, for their tests. */
function whenRequestFilesAppear(load: () => void): Disposable {
  const opened = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
    if (isRequestFile(uri)) load();
  });
  if (vscode.workspace.textDocuments.some(({ uri }) => isRequestFile(uri))) load();
  else
    void vscode.workspace.findFiles(REQUEST_FILE_PATTERN, undefined, 1).then((found) => {
      if (found.length > 0) load();
    });
  return opened;
}

function shownProviders(providers: Main["providers"], screen: Screen): Main["providers"] {
  return Object.fromEntries(
    Object.entries(providers).map(([name, provider]) => [name, screen.provider(provider)]),
  ) as Record<ViewName, vscode.TreeDataProvider<string>>;
}

function createSecrets(
  { extension, secrets, globalState: state }: vscode.ExtensionContext,
  log: MaskingLog,
  ask: Ask,
  clock: Clock,
): SecretStore {
  const remoteName = extension.extensionKind === vscode.ExtensionKind.Workspace ? vscode.env.remoteName : undefined;
  return createSecretStore({
    secrets: createEditorSecrets(secrets, clock),
    state,
    mask: (secret) => log.mask(secret),
    host: createHostConsent({ remoteName, state, ask }),
  });
}

interface WindowPorts {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: MaskingLog;
  readonly settings: Settings;
  readonly ask: Ask;
  readonly askCode: AskCode;
  /** What the log shows. */
  readonly level: () => vscode.LogLevel;
}

/** What this window connects to, and the journal of what it changes there. */
function createWindow(
  { context, connections, clock, log, settings, ask, askCode, level }: WindowPorts,
  disposables: DisposableList,
): { readonly journals: Journals; readonly live: LiveConnections; readonly windows: OtherWindows } {
  const { id: runId, isAlive } = disposables.add(
    createRun({ folder: vscode.Uri.joinPath(context.globalStorageUri, "runs").fsPath, clock, log }),
  );
  const run = { runId, isAlive, log };
  const windows = disposables.add(
    createOtherWindows({ ...run, folder: vscode.Uri.joinPath(context.globalStorageUri, "windows").fsPath }),
  );
  const journals = disposables.add(
    createJournals({ folder: vscode.Uri.joinPath(context.globalStorageUri, "journal").fsPath, ...run, clock }),
  );
  const live = createLiveConnections({
    connections,
    createSession: createSessionMaker({
      runId,
      clock,
      log,
      version: versionOf(context),
      isTracing: () => level() === vscode.LogLevel.Trace,
    }),
    isDebugging: () => level() === vscode.LogLevel.Debug || level() === vscode.LogLevel.Trace,
    ask,
    askCode,
    journal: journals,
    runId,
    adoptPast: async (id) => await journals.adopt(id),
    openElsewhere: async (id) => await journals.openElsewhere(id),
    clock,
    settings: () => settings.safety(),
    keyIdsOf: createKnownKeyIds(context.globalState, connections),
    idleDisconnectMinutes: () => settings.connection().idleDisconnectMinutes,
    log,
  });
  return { journals, windows, live: disposables.add(live) };
}

/** Sets a key for `when` clauses when it changes. */
function createContextKeys(): (name: string, value: unknown) => void {
  const present = new Map<string, unknown>();
  return (name, value) => {
    if (present.get(name) === value) return;
    present.set(name, value);
    void vscode.commands.executeCommand("setContext", `tradingRpc.${name}`, value);
  };
}

const RECORDS_KEY = "tradingRpc.connections";

function recordStorage(state: vscode.Memento): RecordStorage {
  return {
    load: () => state.get(RECORDS_KEY),
    save: async (value) => {
      await state.update(RECORDS_KEY, value);
    },
  };
}

interface SessionMakerPorts {
  readonly runId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly isTracing: () => boolean;
}

/** Ids and generations are counted over all connections, so that none ever comes twice. */
function createSessionMaker({
  runId,
  clock,
  log,
  version,
  isTracing,
}: SessionMakerPorts): LiveConnectionsPorts["createSession"] {
  let wireId = 0;
  let generation = 0;
  return ({ id, name }, access, way, traffic) =>
    createSession({
      dial: async (signal) =>
        way === "http" || isHttpAddress(access.url)
          ? httpServerOf(access.url)
          : await dialWebSocket(access.url, { clock }, signal),
      credentials: async () => await Promise.resolve(access.credentials),
      httpSession: {
        name: `trading-rpc-${crypto.createHash("sha256").update(`${runId}/${id}`).digest("hex").slice(0, 16)}`,
        dial: async (signal) => await dialWebSocket(webSocketAddressOf(access.url), { clock }, signal),
      },
      client: { name: "trading-rpc", version },
      clock,
      random: () => crypto.randomInt(RANDOM_STEPS) / RANDOM_STEPS,
      log: logOf(log, name),
      nextWireId: () => ++wireId,
      nextGeneration: () => ++generation,
      limits: "exchange",
      isTracing,
      traffic,
    });
}

const RANDOM_STEPS = 2 ** 47;

function versionOf(context: vscode.ExtensionContext): string {
  return String((context.extension.packageJSON as { readonly version?: unknown }).version);
}

/** Once, when the first of our views is in sight. */
function whenViewIsShown(frames: readonly TreeFrame[], open: () => void): Disposable {
  const listeners = new DisposableList();
  const look = (): void => {
    if (!frames.some(({ view }) => view.visible)) return;
    listeners.dispose();
    open();
  };
  for (const { view } of frames) listeners.add(view.onDidChangeVisibility(look));
  look();
  return listeners;
}

async function openLast({
  connections,
  settings,
  signIn,
}: {
  readonly connections: Connections;
  readonly settings: Settings;
  readonly signIn: SignIn;
}): Promise<void> {
  const { active } = connections;
  if (settings.connection().reconnectLastOnViewOpen && active !== undefined) await signIn.openQuietly(active.record.id);
}
