import * as vscode from "vscode";
import { createSystemClock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { bugText } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { CommandId } from "../manifest/contributes.ts";
import { freezeNotice } from "../present/mmp/freezeNotice.ts";
import { createTimes } from "../present/text/times.ts";
import { SIMULATOR_ID } from "../state/records.ts";
import { createActivityNotices } from "./activity/notices.ts";
import type { ChatTools } from "./chat/tools.ts";
import { createCommands, runCommand, titleHandler } from "./commands.ts";
import { createCommandScopes } from "./commandScopes.ts";
import { createAgentAccess } from "./connections/agentAccess.ts";
import { createBuiltInSimulator } from "./connections/builtInSimulator.ts";
import { createSecretStore, type SecretStore } from "./connections/credentials.ts";
import { createEditorSecrets } from "./connections/editorSecrets.ts";
import { createHostWarnings } from "./connections/hostWarnings.ts";
import { createHostConsent } from "./connections/remoteHost.ts";
import { followRemovedSecrets } from "./connections/removedSecrets.ts";
import { createConnectionSignIn } from "./connections/signIn.ts";
import { createStartPane } from "./connections/startView.ts";
import { createAsk, createAskCode, createTurns, type Asked } from "./editor/ask.ts";
import { createContextKeys } from "./editor/contextKeys.ts";
import { partsOf, type DocumentTexts } from "./editor/documents.ts";
import { createDialogs } from "./editor/dialogs.ts";
import type { Handler, Handlers, RunCommand } from "./editor/handler.ts";
import { createMaskingLog } from "./editor/log.ts";
import { createNotices } from "./editor/notices.ts";
import { createSettings } from "./editor/settings.ts";
import { lazily } from "./lazily.ts";
import { leftRecording } from "./observing/lastRecording.ts";
import { createStatusUpdates } from "./statusUpdates.ts";
import { isRequestFile, REQUEST_FILE_PATTERN } from "./requests/files.ts";
import type { ResponseDocuments } from "./responses/responseDocuments.ts";
import { createRecentInstruments } from "./trades/recentInstruments.ts";
import { createDrawingPause, SELECT_ONLY, type TreeFrame } from "./tree/treeView.ts";
import { createHiddenNames, createScreen } from "./tree/screen.ts";
import { TREE_NAMES, type TreeName } from "../base/viewNames.ts";
import type { AgentServers } from "./terminal/agentServers.ts";
import type { Requests } from "./requests/requests.ts";
import type { Ui } from "./ui.ts";
import type { ViewCommands } from "./viewCommands.ts";
import { createPanes, OPEN_VIEWS, whenCollapsedViewsHaveNews, type Panes } from "./views.ts";
import { createWindow } from "./window.ts";

/** The program, apart from what is registered at activation. */
export interface Main extends Disposable {
  /** The functions that return what fills a view; what fills a collapsed one is loaded by the first call. */
  readonly providers: Readonly<Record<TreeName, () => Promise<vscode.TreeDataProvider<string>>>>;
  /** Runs a command of the manifest. Never throws. */
  run(command: CommandId, args: readonly unknown[]): Promise<void>;
  /** Returns the text of one of the extension's documents. */
  documentText(uri: vscode.Uri): Promise<string>;
  /** Returns the tools that a language model may call; they are loaded on the first call. */
  tools(): Promise<ChatTools>;
  /** Makes the profile of a new Trading RPC terminal. Throws where there can be none. */
  terminalProfile(): Promise<vscode.TerminalProfile>;
  /** Returns the MCP servers that VS Code offers to agents; they are loaded on the first call. */
  agentServers(): Promise<AgentServers>;
}

/** The objects that are made before the program. */
export interface MainFrames {
  readonly views: Readonly<Record<TreeName, TreeFrame>>;
  readonly documentChanges: vscode.EventEmitter<vscode.Uri>;
  /** Fires when other connections are shared with agents. */
  readonly agentChanges: vscode.EventEmitter<void>;
}

async function showAsked(shown: Asked, responses: () => Promise<ResponseDocuments>): Promise<void> {
  if (typeof shown === "string") await vscode.commands.executeCommand(`tradingRpc.${shown}.focus`);
  else await (await responses()).showRequest(shown);
}

/** Builds the program. Connects to nothing and asks nothing. */
export function createMain(context: vscode.ExtensionContext, given: MainFrames): Main {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  const disposables = new DisposableList();
  const base = createBase(context, given, disposables, async () => await later.views());
  const { liveConnections, screen, frames, log, notices, responses } = base;
  const start = disposables.add(createStartPane({ ...base, frame: frames.start }));
  const openPanes = createPanes(OPEN_VIEWS, base, disposables);
  const panes = lazily(async (): Promise<Panes> => ({
    ...openPanes,
    ...createPanes((await import("./collapsedViews.ts")).COLLAPSED_VIEWS, base, disposables),
  }));
  const providerOf = async (name: TreeName): Promise<vscode.TreeDataProvider<string>> => {
    if (name === "start") return start.provider;
    return (name in openPanes ? (openPanes as Panes) : await panes())[name].provider;
  };
  const later = createLaterParts(context, { ...base, panes }, disposables);
  /** Loads a part in the background; `logFailure` writes what can't be loaded to the log. */
  const loadAlone = (load: () => Promise<unknown>, logFailure: (detail: Plain) => void): void =>
    void load().catch((error: unknown) => logFailure(bugText(error)));
  disposables.add(
    whenCollapsedViewsHaveNews(base, () =>
      loadAlone(panes, (detail) => log.error(plain`Collapsed views don't work: ${detail}`)),
    ),
  );
  const scopes = createCommandScopes(base, disposables);
  disposables.add(createActivityNotices(base));
  disposables.add(
    liveConnections.onDidOpen(() =>
      loadAlone(later.alarms, (detail) => log.error(plain`Alarms don't work: ${detail}`)),
    ),
  );
  if (leftRecording(context.workspaceState) !== undefined)
    loadAlone(later.observing, (detail) => log.error(plain`Recordings don't work: ${detail}`));
  disposables.add(
    whenRequestFilesAppear(() =>
      loadAlone(later.requests, (detail) => log.error(plain`Request files cannot be worked with: ${detail}`)),
    ),
  );
  disposables.add(
    createStatusUpdates({ ...base, connectionsPane: openPanes.connections, ordersView: frames.orders.view }),
  );
  disposables.add(whenViewIsShown(Object.values(frames), () => void openLast(base)));
  const commands = createCommands(base);
  const handlerOf = async (command: CommandId): Promise<Handler | undefined> =>
    titleHandler(command) ?? commands[command] ?? (await later.partOf(command)).handlers[command];
  const texts: DocumentTexts = {
    response: async (uri) => (await responses()).text(uri),
    activity: async (_uri, parts) => (await later.views()).activityText(parts),
    channel: async (uri, parts) => await (await later.requests()).texts.channel(uri, parts),
    orderHistory: async (_uri, parts) => await (await later.views()).orderHistoryText(parts),
    history: async (uri, parts) => await (await later.requests()).texts.history(uri, parts),
    traffic: async (uri, parts) => await (await later.observing()).texts.traffic(uri, parts),
    supportFile: async (uri, parts) => await (await later.observing()).texts.supportFile(uri, parts),
  };
  return {
    providers: Object.fromEntries(
      TREE_NAMES.map((name) => [name, lazily(async () => screen.provider(await providerOf(name)))]),
    ) as Main["providers"],
    async run(command, args) {
      // What is done with orders and requests is use of the connections, also where it needs no call at first.
      const about = aboutOf(command);
      if (about === "account" || about === "requests") for (const each of liveConnections.all) void each.use();
      await runCommand(handlerOf, command, args, { notices, scopes, extension: context.extension });
    },
    documentText: async (uri) => {
      const parts = partsOf(uri);
      return await texts[parts.kind ?? "response"](uri, parts);
    },
    tools: later.tools,
    terminalProfile: async () => await (await later.terminals()).profile(),
    agentServers: later.agents,
    dispose: () => disposables.dispose(),
  };
}

type Base = ReturnType<typeof createBase>;

/** Makes the base of all parts of the program: log and settings, the connections of this window, and notices. */
function createBase(
  context: vscode.ExtensionContext,
  given: MainFrames,
  disposables: DisposableList,
  views: () => Promise<ViewCommands>,
) {
  const channel = disposables.add(vscode.window.createOutputChannel("Trading RPC", { log: true }));
  const clock = createSystemClock();
  const log = createMaskingLog(channel, () => clock.now());
  const settings = createSettings();
  const takeTurns = createTurns();
  const ask = createAsk(
    takeTurns,
    (shown) => void showAsked(shown, responses).catch((error: unknown) => notices.showError(error)),
  );
  const run: RunCommand = (command, ...args) => void vscode.commands.executeCommand(command, ...args);
  const window = createWindow(
    {
      ...{ context, clock, log, settings, ask, askCode: createAskCode(takeTurns) },
      askLimit: async (question) => await (await views()).askLimit(question),
      loadOutcomes: async () => await notices.load(),
      placeFor: async (id, intent) => await (await views()).newSecrets.prepare(id, intent),
      level: () => channel.logLevel,
    },
    disposables,
  );
  const { connections, liveConnections } = window;
  const drawingPause = createDrawingPause(() => vscode.commands.executeCommand(SELECT_ONLY.command));
  const hiddenNames = disposables.add(createHiddenNames(connections, liveConnections));
  const screen = disposables.add(createScreen(settings, drawingPause, () => hiddenNames.all()));
  const dialogs = createDialogs(screen.hide, async (show) => await drawingPause.open(show));
  const times = createTimes();
  const notices = createNotices({ dialogs, times, clock, log, run });
  const ui = {
    ...{ ...window, clock, log, times, settings, ask, takeTurns, run, dialogs, notices, screen },
    mask: (secret: string): void => log.mask(secret),
    setContext: createContextKeys(),
    extensionUri: context.extensionUri,
    changes: given.documentChanges,
  };
  const secrets = createSecrets(context, ui);
  disposables.add(
    followRemovedSecrets({
      ...ui,
      onDidChange: context.secrets.onDidChange,
      secrets,
      tell: (sentence) => {
        log.warn(sentence);
        dialogs.tell("warning", sentence);
      },
    }),
  );
  const agentAccess = createAgentAccess({ ...ui, state: context.globalState });
  disposables.add(agentAccess.onDidChange(() => given.agentChanges.fire()));
  const simulator = createBuiltInSimulator(context.asAbsolutePath("dist/simulator.js"), ui);
  const signIn = createConnectionSignIn({
    ...ui,
    secrets,
    simulator,
    warnOfHost: createHostWarnings(dialogs, log, context.globalState),
    askConnection: async (form, dialogs) => await (await views()).askConnection(form, dialogs),
  });
  // A request shows the first one, and a document of an earlier window has no more than its text.
  const responses = lazily(async () =>
    disposables.add((await import("./responses/responseDocuments.ts")).createResponseDocuments(ui)),
  );
  return {
    ...{ ...ui, secrets, simulator, signIn, responses, agentAccess },
    frames: screen.frames(given.views),
    showLog: () => channel.show(),
  };
}

/** Makes the parts of the program that are loaded when they are used for the first time. */
function createLaterParts(
  context: vscode.ExtensionContext,
  base: Base & { readonly panes: () => Promise<Panes> },
  disposables: DisposableList,
) {
  const { connections, notices, times, panes, frames } = base;
  const requests = lazily(async (): Promise<Requests> => {
    const { orders, blockTrades, apiKeys } = await panes();
    return disposables.add(
      (await import("./requests/requests.ts")).createRequests({
        ...{ ...base, orders, blockTrades, apiKeys },
        responses: await base.responses(),
        storage: context.globalStorageUri,
        connect: async (id) => await (await views()).connectTo(id),
        oneTimeSecrets: async () => (await views()).oneTimeSecrets,
        revealOrder: (id) => frames.orders.view.reveal(id, { select: true, focus: true }),
      }),
    );
  });
  const observing = lazily(async () =>
    disposables.add(
      (await import("./observing/observing.ts")).createObserving({
        ...base,
        extension: context.extension,
        state: context.workspaceState,
      }),
    ),
  );
  const views = lazily(async () =>
    disposables.add(
      (await import("./viewCommands.ts")).createViewCommands({
        ...base,
        panes: await panes(),
        responses: await base.responses(),
        state: context.globalState,
        recent: createRecentInstruments(context.globalState, connections),
        openRequest: async (live, text) => await (await requests()).openRequest(live, text),
      }),
    ),
  );
  const alarms = lazily(async () =>
    disposables.add(
      (await import("./alarms/alarms.ts")).createAlarms({
        ...base,
        folder: vscode.Uri.joinPath(context.globalStorageUri, "alarms").fsPath,
        freezeText: (freeze, place) => freezeNotice(freeze, place, times),
        isOwnSimulator: ({ record }) => record.id === SIMULATOR_ID,
        onReset: (found) =>
          void views()
            .then(async (commands) => await commands.resetGroup(found))
            .catch((error: unknown) => notices.showError(error)),
      }),
    ),
  );
  const tools = lazily(async () =>
    (await import("./chat/tools.ts")).createChatTools({
      ...base,
      isTrusted: () => vscode.workspace.isTrusted,
      explainMethods: async (asked) => (await import("./requests/requests.ts")).explainedMethods(asked),
    }),
  );
  const terminals = lazily(async () => {
    const isOnThisSide = context.extension.extensionKind === vscode.ExtensionKind.UI;
    return disposables.add(
      (await import("./terminal/terminals.ts")).createTerminals({
        ...base,
        programFolder: context.asAbsolutePath("bin"),
        isElsewhere: isOnThisSide && vscode.env.remoteName !== undefined,
      }),
    );
  });
  const agents = lazily(async () =>
    disposables.add(
      (await import("./terminal/terminals.ts")).createAgentServers({
        ...base,
        onDidChangeSettings: base.settings.onDidChange,
        programFile: context.asAbsolutePath("dist/cli.js"),
        version: String((context.extension.packageJSON as { readonly version?: unknown }).version),
      }),
    ),
  );
  return {
    ...{ requests, observing, views, alarms, tools, terminals, agents },
    /** Returns the part with the handler of a command. */
    partOf: async (command: CommandId): Promise<{ readonly handlers: Handlers }> => {
      const about = aboutOf(command);
      return await (about === "requests" ? requests() : about === "observing" ? observing() : views());
    },
  };
}

type NounOf<Id> = Id extends `tradingRpc.${infer Noun}.${string}` ? Noun : never;

/**
 * The subject of the commands of each noun that is not about something of the account: requests, observation, or the
 * window alone. The part for requests, and most of the part for the views, is loaded on its first use.
 */
const ABOUT: Readonly<Partial<Record<NounOf<CommandId>, "requests" | "observing" | "window">>> = {
  request: "requests",
  method: "requests",
  response: "requests",
  channel: "requests",
  history: "requests",
  traffic: "observing",
  supportFile: "observing",
  connections: "window",
  connection: "window",
  account: "window",
  activity: "window",
  simulator: "window",
  row: "window",
  example: "window",
  walkthrough: "window",
  presentation: "window",
  log: "window",
};

function aboutOf(command: CommandId): "account" | "requests" | "observing" | "window" {
  const [, noun] = command.split(".") as [string, NounOf<CommandId>];
  return ABOUT[noun] ?? "account";
}

/** Calls back once, when a request file is open, or as soon as the folder is known to contain one, for their tests. */
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

function createSecrets(
  { extension, secrets, globalState: state }: vscode.ExtensionContext,
  { mask, ask, clock }: Pick<Ui, "mask" | "ask" | "clock">,
): SecretStore {
  const remoteName = extension.extensionKind === vscode.ExtensionKind.Workspace ? vscode.env.remoteName : undefined;
  return createSecretStore({
    secrets: createEditorSecrets(secrets, clock),
    state,
    mask,
    host: createHostConsent({ remoteName, state, ask }),
  });
}

/** Calls back once, when the first of our views is in sight. */
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

async function openLast({ connections, settings, signIn }: Base): Promise<void> {
  const { active } = connections;
  if (settings.connection().autoReconnect && active !== undefined) await signIn.openQuietly(active.record.id);
}
