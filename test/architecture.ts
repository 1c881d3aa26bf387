import * as ts from "typescript";

/*
 * The house rules as functions over a tree of source texts, so that a test can show each of them a violation.
 */

/** Source texts by path from the project's root, e.g. `src/rpc/peer.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Which floors a floor may import from, besides itself. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  // The manifest for the build: what ships takes types from it alone.
  manifest: ["base"],
  // Runs while it is built, and ships in no product.
  build: ["manifest", "catalogue", "simulator"],
  catalogue: ["base"],
  // Order book, matching, ledger, margin: it knows no JSON-RPC, the simulator translates.
  exchange: ["base"],
  rpc: ["catalogue", "base"],
  session: ["rpc", "catalogue", "base"],
  state: ["session", "rpc", "catalogue", "base"],
  actions: ["state", "session", "rpc", "catalogue", "base"],
  requests: ["actions", "state", "rpc", "catalogue", "base"],
  // A recording is data: what reads one has nothing to send by.
  recording: ["rpc", "catalogue", "base"],
  present: ["requests", "recording", "actions", "state", "rpc", "catalogue", "base"],
  // Runs in the webview's browser: what it takes from below are types and pure functions.
  panel: ["present", "base"],
  ui: [
    "manifest",
    "panel",
    "present",
    "requests",
    "recording",
    "actions",
    "state",
    "session",
    "rpc",
    "catalogue",
    "base",
  ],
  // The shell of the terminal, beside ui and over the same core.
  cli: ["present", "requests", "recording", "actions", "state", "session", "rpc", "catalogue", "base"],
  // It plays a recording as well: the same wire, other responses.
  simulator: ["exchange", "recording", "rpc", "catalogue", "base"],
};

/** Packages and who may import them; a folder stands for all its files. `node:` modules are packages here too. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  vscode: ["src/ui/", "src/extension.ts"],
  ws: ["src/rpc/webSocketTransport.ts", "src/simulator/wire/server.ts", "src/cli/machine/proxyServer.ts"],
  zod: ["src/catalogue/"],
  "jsonc-parser": ["src/requests/", "src/present/requests/recordedRequests.ts"],
  // The Model Context Protocol, for agents.
  "@modelcontextprotocol/sdk/shared/protocol.js": ["src/cli/mcp/protocol.ts"],
  "@modelcontextprotocol/sdk/shared/stdio.js": ["src/cli/mcp/protocol.ts"],
  "@modelcontextprotocol/sdk/shared/transport.js": ["src/cli/mcp/protocol.ts"],
  "@modelcontextprotocol/sdk/types.js": ["src/cli/mcp/protocol.ts"],
  "@vscode/l10n": ["src/base/l10n.ts"],
  uplot: ["src/panel/"],
  "node:crypto": ["src/session/", "src/simulator/", "src/simulator.ts", "src/ui/"],
  "node:http": [
    "src/simulator/wire/server.ts",
    "src/rpc/webSocketTransport.ts",
    "src/rpc/httpExchange.ts",
    "src/cli/machine/proxyServer.ts",
  ],
  "node:https": ["src/rpc/httpExchange.ts"],
  "node:net": [
    "src/simulator/access/apiKeys.ts",
    "src/rpc/webSocketTransport.ts",
    "src/rpc/httpExchange.ts",
    "src/ui/connections/runs.ts",
    "src/ui/terminal/tokenServer.ts",
    "src/cli/machine/privateSocket.ts",
  ],
  "node:fs": [
    "src/cli.ts",
    "src/build/",
    "src/actions/journal/journalFile.ts",
    "src/ui/connections/runs.ts",
    "src/ui/terminal/tokenServer.ts",
    "src/recording/recordingFile.ts",
    "src/simulator.ts",
  ],
  "node:fs/promises": [
    "src/actions/journal/journalFile.ts",
    "src/ui/alarms/alarmClaims.ts",
    "src/ui/connections/otherWindows.ts",
    "src/ui/connections/sharedList.ts",
    "src/ui/editor/chosenFile.ts",
    "src/ui/requests/historyStore.ts",
    "src/cli.ts",
    "src/cli/machine/privateFile.ts",
    "src/cli/machine/privateSocket.ts",
  ],
  "node:path": [
    "src/actions/journal/journalFile.ts",
    "src/ui/alarms/alarmClaims.ts",
    "src/ui/connections/otherWindows.ts",
    "src/ui/connections/runs.ts",
    "src/ui/connections/sharedList.ts",
    "src/ui/requests/historyStore.ts",
    "src/ui/terminal/",
    "src/cli.ts",
    "src/cli/machine/privateSocket.ts",
  ],
  "node:os": [
    "src/ui/connections/remoteHost.ts",
    "src/ui/requests/files.ts",
    "src/ui/connections/runs.ts",
    "src/ui/terminal/tokenServer.ts",
    "src/ui/editor/recordingFile.ts",
  ],
  "node:child_process": ["src/cli/machine/childProcess.ts"],
  "node:readline": ["src/cli/machine/typedLine.ts"],
  "node:stream": ["src/cli/machine/typedLine.ts"],
  "node:buffer": ["src/rpc/webSocketTransport.ts"],
  "node:worker_threads": ["src/simulator.ts", "src/session/simulatorWorker.ts"],
};

/** Imports that leave their floor's reach, type imports included. */
export function forbiddenImports(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    importsOf(file, text).flatMap((target) => importViolation(file, target) ?? []),
  );
}

function importViolation(file: string, target: string): string | undefined {
  if (target.startsWith("src/")) return floorViolation(file, target);
  const isAllowed = (PACKAGES[target] ?? []).some((allowed) =>
    allowed.endsWith("/") ? file.startsWith(allowed) : file === allowed,
  );
  return isAllowed ? undefined : `${file} imports ${target}`;
}

/** Returns unused permissions: each would allow a future import without a decision. */
export function unusedPermissions(sources: Sources): string[] {
  const imports = [...sources].flatMap(([file, text]) => importsOf(file, text).map((target) => ({ file, target })));
  return Object.entries(PACKAGES).flatMap(([name, places]) =>
    places
      .filter((place) => !imports.some(({ file, target }) => target === name && file.startsWith(place)))
      .map((place) => `${place} may import ${name} and does not`),
  );
}

function floorViolation(file: string, target: string): string | undefined {
  const from = floorOf(file);
  const to = floorOf(target);
  // `trading-rpc simulator` is the other root, loaded when it is asked for.
  if (file === "src/cli.ts" && target === "src/simulator.ts") return undefined;
  if (to === undefined) return `${file} imports the root ${target}`;
  if (from === undefined || from === to) return undefined;
  return (FLOORS[from] ?? []).includes(to) ? undefined : `${file} imports ${target}`;
}

/** The folder below `src`; undefined for the roots. */
function floorOf(file: string): string | undefined {
  const parts = file.split("/");
  return parts.length > 2 ? parts[1] : undefined;
}

/** Chains of imports that come back to where they started, type imports included. */
export function importCycles(sources: Sources): string[] {
  return cyclesOf(
    new Map([...sources].map(([file, text]) => [file, importsOf(file, text).filter((each) => sources.has(each))])),
  );
}

function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
      return;
    }
    if (finished.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

/**
 * Rooms of `ui`, lowest first: a room imports from rooms before it. Those of one rank know nothing of each other. The
 * folder itself comes last, but for the type of what the rooms share, which stands like a room of its own.
 */
const UI_ROOMS: readonly (readonly string[])[] = [
  ["editor"],
  ["tree"],
  ["responses"],
  ["ui"],
  ["connections"],
  ["kinds"],
  ["orders", "blockTrades", "mmp", "quotes", "apiKeys", "activity", "trades", "history"],
  ["alarms", "placing", "requests", "observing", "chat", "terminal"],
  [""],
];

/** What stands in `ui` itself: it puts the rooms together. */
const UI_HALL = [
  "collapsedViews",
  "commandScopes",
  "commands",
  "filterCommands",
  "lazily",
  "main",
  "statusUpdates",
  "viewCommands",
  "views",
  "window",
];

/** Rooms of `actions`, lowest first, like those of `ui`. */
const ACTION_ROOMS = ["intent", "changes", "judge", "journal", "proof", "gate", "connection"].map((room) => [room]);

/** Floors whose rooms have an order. */
const ORDERED_ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = { actions: ACTION_ROOMS, ui: UI_ROOMS };

/** Floors whose files all stand in rooms. */
const FLOORS_WITH_ROOMS = ["actions", "ui", "present", "requests", "simulator"];

export const MOST_FILES = 30;

/** Files that stand in no room, rooms that are too full, and imports between rooms that go up, or both ways. */
export function roomViolations(sources: Sources): string[] {
  const files = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
  return [
    ...strayFiles([...files.keys()]),
    ...crowdedRooms([...files.keys()]),
    ...arrowsUp(files),
    ...roomCycles(files),
  ];
}

function roomOf(file: string): string {
  if (file === "src/ui/ui.ts") return "ui/ui";
  return file.slice("src/".length, file.lastIndexOf("/"));
}

function strayFiles(files: readonly string[]): string[] {
  const isOfTheHall = (file: string): boolean => UI_HALL.some((name) => file === `src/ui/${name}.ts`);
  return files
    .filter((file) => FLOORS_WITH_ROOMS.includes(roomOf(file)) && !isOfTheHall(file))
    .map((file) => `${file} stands in no room`);
}

function crowdedRooms(files: readonly string[]): string[] {
  const rooms = new Map<string, number>();
  for (const file of files.filter((each) => floorOf(each) !== undefined))
    rooms.set(roomOf(file), (rooms.get(roomOf(file)) ?? 0) + 1);
  return [...rooms]
    .filter(([, count]) => count > MOST_FILES)
    .map(
      ([room, count]) =>
        `src/${room} has ${String(count)} files (limit ${String(MOST_FILES)}): join two, or give some a room of their own`,
    );
}

function arrowsUp(files: ReadonlyMap<string, readonly string[]>): string[] {
  return [...files].flatMap(([file, targets]) => {
    const floor = floorOf(file) ?? "";
    const rankOf = (each: string): number =>
      (ORDERED_ROOMS[floor] ?? []).findIndex((rooms) => rooms.includes(roomOf(each).slice(floor.length + 1)));
    return targets
      .filter((target) => floor in ORDERED_ROOMS && floorOf(target) === floor && roomOf(file) !== roomOf(target))
      .filter((target) => rankOf(target) >= rankOf(file))
      .map((target) => `${file} imports ${target}, which is not below it`);
  });
}

function roomCycles(files: ReadonlyMap<string, readonly string[]>): string[] {
  const rooms = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    if (!FLOORS_WITH_ROOMS.includes(floorOf(file) ?? "")) continue;
    const known = rooms.get(roomOf(file)) ?? new Set();
    rooms.set(roomOf(file), known);
    for (const target of targets)
      if (floorOf(target) === floorOf(file) && roomOf(target) !== roomOf(file)) known.add(roomOf(target));
  }
  return cyclesOf(rooms).map((cycle) => `rooms need each other: ${cycle}`);
}

/** Texts that must not stand in the sources at all, each with the reason. */
const FORBIDDEN_TEXTS: readonly {
  readonly pattern: RegExp;
  readonly except: readonly string[];
  readonly why: string;
}[] = [
  {
    pattern: /(?:es|ox)lint-disable/,
    except: [],
    why: "a rule is mended or changed for all, never switched off in place",
  },
  {
    pattern: /^(?=.{121}) *(?:\/\/|\/?\*)(?!.*https:)/,
    except: [],
    why: "a line of a comment has at most 120 characters, unless it holds an address",
  },
  {
    pattern: /\/\*\* (?:Of|Those|That|These|The same|Its?)\b/,
    except: [],
    why: "a doc comment is a sentence with a subject, which can be read alone",
  },
  { pattern: /export (?:let|var)\b/, except: [], why: "other files hold the value that it had when they were loaded" },
  {
    pattern: /process\.env/,
    except: ["src/cli.ts", "src/ui/connections/hostWarnings.ts", "src/requests/writing/exportCode.ts"],
    why: "the environment of the editor must not steer the core",
  },
  { pattern: /isTrusted\s*[:=]\s*true/, except: [], why: "text from outside could run commands" },
  {
    pattern: /isTrusted\s*[:=]\s*\{/,
    except: ["src/ui/connections/statusBar.ts"],
    why: "text from outside could run commands; the one tooltip with links of ours names them",
  },
  { pattern: /supportHtml\s*[:=]\s*true/, except: [], why: "text from outside could load pictures" },
  {
    pattern: /appendMarkdown\(/,
    except: ["src/ui/connections/statusBar.ts"],
    why: "text from outside could become links: appendText",
  },
  { pattern: /registerUriHandler|"onUri"/, except: [], why: "links must not be able to make the extension act" },
  {
    pattern: /createWebviewPanel|registerWebviewViewProvider|registerCustomEditorProvider/,
    except: ["src/ui/trades/panel.ts", "src/ui/history/panel.ts"],
    why: "two webviews exist, the chart of the last trades and the table of the history",
  },
  {
    pattern: /openTextDocument\(\s*\{/,
    except: [],
    why: "what comes from outside is shown read-only: an untitled document asks to be saved and is kept in backups",
  },
  {
    pattern: /export (?:async )?function activate\([^)]*\)(?!: void \{)/,
    except: [],
    why: "what it hands out every other extension can get at",
  },
  {
    pattern: /\bfetch\(/,
    except: ["src/requests/writing/exportCode.ts"],
    why: "it follows redirects and decodes more than we want",
  },
  {
    pattern: /setKeysForSync/,
    except: [],
    why: "connections must not travel to another computer: their secrets do not",
  },
  {
    pattern: /registerTool\(|\blm\./,
    except: ["src/extension.ts"],
    why: "what a language model may call stands in one place",
  },
  {
    pattern: /invokeTool|selectChatModels|registerChatParticipant|createChatParticipant|McpHttpServerDefinition/,
    except: [],
    why: "we hand nothing to a language model by ourselves",
  },
  {
    pattern: /registerMcpServerDefinitionProvider|McpStdioServerDefinition\(/,
    except: ["src/extension.ts", "src/ui/terminal/agentServers.ts"],
    why: "MCP servers are offered in one place, for connections that the user has shared",
  },
  {
    pattern:
      /window\.createTerminal|erminal\.sendText\(|environmentVariableCollection|registerTerminalLinkProvider|registerDocumentLinkProvider/,
    except: [],
    why: "text from outside must not become a link or a command line, and terminals that others open stay as they are",
  },
  {
    pattern: /registerTerminalProfileProvider|TerminalProfile\(/,
    except: ["src/extension.ts", "src/ui/terminal/terminals.ts"],
    why: "one terminal profile exists, and the user opens it",
  },
  {
    pattern: /openExternal|vscode\.open\b/,
    except: ["src/ui/requests/newRequests.ts"],
    why: "nothing that we are told may lead a browser somewhere; the catalogue's pages may",
  },
  {
    pattern: /\beval\(|new Function\(|runInNewContext|runInThisContext/,
    except: [],
    why: "nothing that is read is run",
  },
  {
    pattern: /tls\.connect|createConnection\s*[:(]|globalAgent|maxCachedSessions:\s*[1-9]/,
    except: [],
    why: "a resumed TLS session is not checked against the host again",
  },
  {
    pattern: /rejectUnauthorized:(?!\s*true\b)|checkServerIdentity\s*[:=]|strictSSL/,
    except: [],
    why: "a certificate is checked by Node, whatever settings say",
  },
  {
    pattern: /Object\.prototype|__defineGetter__|setPrototypeOf/,
    except: [],
    why: "objects that all share are not touched",
  },
  {
    pattern:
      /\b(?:show(?:(?:Information|Warning|Error)Message|QuickPick|InputBox|SaveDialog|OpenDialog)|create(?:QuickPick|InputBox)|withProgress|setStatusBarMessage)\b/,
    except: ["src/ui/editor/dialogs.ts", "src/ui/editor/ask.ts", "src/ui/editor/oneTimeSecrets.ts"],
    why: "there is one door to the user, which hides figures, and beside it the confirmations and a secret shown once",
  },
  { pattern: /clipboard\.writeText\([^;]*(?:secret|token|password)/i, except: [], why: "a secret is never copied" },
  {
    pattern:
      /import (?!type\b)[^;]*(?<!type )\bOneTimeSecret\b|import\(?[^;{}]*oneTimeSecret\.ts|\bOneTimeSecret\.open\b|\bnoteSecret\b/,
    except: [
      "src/rpc/oneTimeSecret.ts",
      "src/rpc/maskResponse.ts",
      "src/session/fillIn.ts",
      "src/ui/editor/oneTimeSecrets.ts",
      "src/cli/secretFile.ts",
    ],
    why: "a secret that exists once is opened where it is filled in, and where it goes to its place",
  },
  {
    pattern: /import (?!type\b)[^;]*\/manifest\//,
    except: ["src/build/"],
    why: "the manifest is for the build: what ships takes types from it",
  },
  {
    pattern: /\bas (?:unknown as )?(?:readonly )?Plain\b|\bis Plain\b/,
    except: ["src/base/plain.ts"],
    why: "text is plain because plain() made it, not because it is declared so",
  },
  {
    pattern: /\bas any\b(?! other)|: any\b|<any>/,
    except: ["src/catalogue/generated/", "src/catalogue/compile.ts"],
    why: "types are the first test",
  },
];

/**
 * Settings that only say how something is drawn. A folder may have its own; whatever else there is belongs to the user
 * alone.
 */
const DRAWING_SETTINGS: ReadonlySet<string> = new Set(
  [
    "positions.sortBy",
    "positions.showUsd",
    "orders.groupBy",
    "orders.sortBy",
    "orders.pageSize",
    "requests.codeLens",
    "requests.openResponseToTheSide",
    "requests.responseTab",
  ].map((name) => `tradingRpc.${name}`),
);

/**
 * Settings through which a folder, or another computer of the user, could reach network, consent or what is written
 * down.
 */
export function looseSettings({ contributes }: Manifest): string[] {
  const groups = [contributes.configuration].flat() as readonly {
    readonly properties: Readonly<
      Record<string, { readonly scope?: string; readonly ignoreSync?: boolean; readonly tags?: readonly string[] }>
    >;
  }[];
  return groups.flatMap(({ properties }) =>
    Object.entries(properties).flatMap(([name, { scope, ignoreSync, tags = [] }]) => [
      ...(scope !== "application" && !DRAWING_SETTINGS.has(name) ? [`${name} can be set by a folder`] : []),
      ...(tags.includes("usesOnlineServices") && ignoreSync !== true ? [`${name} makes another computer connect`] : []),
    ]),
  );
}

/** Parts of a manifest through which something else than the user could make the extension act. */
export function openDoors(
  manifest: Manifest & {
    readonly activationEvents?: readonly string[];
    readonly main?: string;
    readonly browser?: string;
  },
): string[] {
  const doors = [
    "chatParticipants",
    "languageModelChatProviders",
    "taskDefinitions",
    "debuggers",
    "customEditors",
    "authentication",
  ];
  return [
    ...doors.filter((door) => door in manifest.contributes).map((door) => `contributes ${door}`),
    ...(manifest.activationEvents ?? [])
      .filter((event) => !/^on(Language|FileSystem):/.test(event))
      .map((event) => `is activated by ${event}`),
    ...(manifest.browser === undefined ? [] : ["runs in a browser"]),
  ];
}

interface ToolOfManifest {
  readonly name: string;
  readonly when?: string;
  readonly modelDescription?: string;
}

/**
 * Tools of language models that offer too much, or that the code does not have. `texts`: those of package.nls.json.
 * A clause only hides a tool; the code refuses once more.
 */
export function looseTools(
  { contributes }: Manifest,
  handled: readonly string[],
  texts: Readonly<Record<string, string>>,
): string[] {
  const tools = (contributes.languageModelTools ?? []) as readonly ToolOfManifest[];
  const problems = tools.flatMap(({ name, when = "", modelDescription = "" }) => {
    const [, verb] = /^tradingRpc_(get|list|explain|cancel)_[a-z_]+$/.exec(name) ?? [];
    const wanted = {
      get: ["isWorkspaceTrusted", "chat.access != off"],
      list: ["isWorkspaceTrusted", "chat.access != off"],
      explain: [],
      cancel: ["isWorkspaceTrusted", "chat.access == readAndCancel"],
    }[verb ?? ""];
    const text = texts[modelDescription.replaceAll("%", "")] ?? "";
    return [
      ...(wanted === undefined
        ? [`${name} is no {verb}_{noun} of ours`]
        : wanted.filter((each) => !when.includes(each)).map((each) => `${name} is offered without ${each}`)),
      ...(/\b[Dd]o not use it\b/.test(text) ? [] : [`${name} does not say when it is not to be used`]),
    ];
  });
  const names = tools.map(({ name }) => name);
  return [
    ...problems,
    ...names.filter((name) => !handled.includes(name)).map((name) => `${name} has no code`),
    ...handled.filter((name) => !names.includes(name)).map((name) => `${name} does not stand in the manifest`),
  ];
}

/**
 * What a file that serves language models may not touch: of a connection it has the gate, which asks, and what is
 * known.
 */
const NOT_FOR_TOOLS =
  /\.(?:caller|reader|routes|followChannel|createStore|connect|disconnect|use|allowChanges|makeReadOnly|allowTrading|disallowTrading|checkAgain|resume|submitAll|secrets|globalState)\b|\.storeOf\((?!create\w+Store\))|sendAnyway/;

/** Places where what serves language models gets at more than the gate. */
export function toolsBesideTheGate(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!/\/chat\w*(?:\.ts$|\/)/.test(file)) return [];
    const line = text.split("\n").findIndex((each) => NOT_FOR_TOOLS.test(each));
    const imports = importsOf(file, text).filter((target) => /^src\/(?:session|rpc|simulator)\//.test(target));
    return [
      ...(line < 0 ? [] : [`${file}:${String(line + 1)} serves language models and goes beside the gate`]),
      ...imports.map((target) => `${file} serves language models and imports ${target}`),
    ];
  });
}

/** What a file that serves agents may not touch, and what only the file for simulators may. */
const NOT_FOR_AGENTS =
  /\.(?:caller|routes|submitAll|allowChanges|allowTrading|checkAgain|resume|followChannel|signInAgain)\b|sendAnyway/;
const FOR_SIMULATORS = /\.gate\b|\.orders\b/;

/** Places where what serves agents gets at more than a reader, or at a gate that is not a simulator's. */
export function agentsBesideTheReader(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!file.startsWith("src/cli/mcp/")) return [];
    const pattern =
      file === "src/cli/mcp/trading.ts"
        ? NOT_FOR_AGENTS
        : new RegExp(`${NOT_FOR_AGENTS.source}|${FOR_SIMULATORS.source}`);
    const line = text.split("\n").findIndex((each) => pattern.test(each));
    return line < 0 ? [] : [`${file}:${String(line + 1)} serves agents and has more than a reader`];
  });
}

/** Places in the sources where something stands that must not. */
export function forbiddenTexts(sources: Sources): string[] {
  const violations: string[] = [];
  for (const [file, text] of sources) {
    for (const { pattern, except, why } of FORBIDDEN_TEXTS) {
      if (except.some((each) => file.startsWith(each))) continue;
      const line = text.split("\n").findIndex((each) => pattern.test(each));
      if (line >= 0) violations.push(`${file}:${String(line + 1)} ${pattern.source}: ${why}`);
    }
  }
  return violations;
}

/** Where names of methods may stand: what is known of them, who plays them, what changes something, and who reads. */
const METHOD_NAMES_STAND_IN = [
  "src/catalogue/",
  "src/simulator",
  "src/actions/changes/",
  "src/actions/proof/placedOrders.ts",
  "src/state/",
  "src/cli/probe/points.ts",
  // A program and a sentence that are written for users.
  "src/requests/writing/exportCode.ts",
  // The conduct of a bot is judged by what it calls.
  "src/recording/bots/",
  "src/requests/file/scan.ts",
];

/** Names of methods elsewhere: what is known of a method would have one more place to be forgotten in. */
export function strayMethodNames(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    METHOD_NAMES_STAND_IN.some((place) => file.startsWith(place))
      ? []
      : text.split("\n").flatMap((line, index) => (namesMethod(line) ? [`${file}:${index + 1} names a method`] : [])),
  );
}

function namesMethod(line: string): boolean {
  const isComment = /^\s*(?:\/?\*|\/\/)/.test(line);
  return !isComment && /(["'`])(?:private|public)\/[\w/]*\1|(?:private|public)\\\/\w/.test(line);
}

/** Names that two files export: whoever meets one has to look which is meant. */
export function ambiguousNames(sources: Sources): string[] {
  const declared = new Map<string, string[]>();
  for (const [file, text] of sources) {
    if (file.startsWith("src/catalogue/generated/")) continue;
    for (const [, name = ""] of text.matchAll(EXPORTED_NAME)) declared.set(name, [...(declared.get(name) ?? []), file]);
  }
  return [...declared]
    .filter(([, files]) => new Set(files).size > 1)
    .map(([name, files]) => `${name} is exported by ${files.join(" and ")}`);
}

const EXPORTED_NAME = /^export (?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type|enum) (\w+)/gm;

/** Files over their budget of lines. A smell, not a law: a budget is raised in the commit that needs it. */
export function oversizedFiles(sources: Sources): string[] {
  const budgets: readonly [string, number][] = [
    ["src/extension.ts", 120],
    ["src/catalogue/generated/", Infinity],
    ["src/catalogue/errorTable.ts", 1000],
    ["src/", 450],
  ];
  const violations: string[] = [];
  for (const [file, text] of sources) {
    const budget = budgets.find(([prefix]) => file.startsWith(prefix))?.[1] ?? Infinity;
    const lines = text.split("\n").length;
    if (lines > budget) violations.push(`${file} has ${String(lines)} lines, budget ${String(budget)}`);
  }
  return violations;
}

/** Files named for nothing in particular, and files that only hand on what others export. */
export function vagueFiles(sources: Sources): string[] {
  const violations: string[] = [];
  for (const [file, text] of sources) {
    const name = file.split("/").at(-1) ?? "";
    if (/^(utils?|helpers?|common|misc|manager|shared)\.ts$/i.test(name))
      violations.push(`${file} has a name that says nothing`);
    if (name === "index.ts" && file !== "src/catalogue/index.ts") violations.push(`${file} is a barrel`);
    if (/^export \*/m.test(text)) violations.push(`${file} hands on everything of another file`);
  }
  return violations;
}

/** The part of a manifest that the rules read. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus?: Readonly<Record<string, readonly { readonly command?: string }[]>>;
    readonly keybindings?: readonly { readonly command: string }[];
    readonly configuration?: unknown;
    readonly languageModelTools?: readonly object[];
  };
}

/** Commands of the manifest and of the code that do not have their other half. */
export function unmatchedCommands(manifest: Manifest, handled: readonly string[]): string[] {
  const declared = new Set(manifest.contributes.commands.map((each) => each.command));
  const handlers = new Set(handled);
  const used = [...Object.values(manifest.contributes.menus ?? {}).flat(), ...(manifest.contributes.keybindings ?? [])]
    .map((each) => each.command)
    .filter((command): command is string => command?.startsWith("tradingRpc.") === true);
  return [
    ...[...declared]
      .filter((command) => !handlers.has(command))
      .map((command) => `${command} stands in the manifest and has no handler`),
    ...handled
      .filter((command, index) => handled.indexOf(command) !== index)
      .map((command) => `${command} has more than one handler`),
    ...[...handlers]
      .filter((command) => !declared.has(command))
      .map((command) => `${command} has a handler and does not stand in the manifest`),
    ...used
      .filter((command) => !declared.has(command))
      .map((command) => `${command} stands in a menu or key binding and is not a command`),
  ];
}

/** What a file imports: other sources by path from the root, packages by name. */
export function importsOf(file: string, text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => {
    if (!fileName.startsWith("."))
      return fileName.startsWith("node:") || fileName.startsWith("@") ? fileName : (fileName.split("/")[0] ?? fileName);
    const folder = file.split("/").slice(0, -1);
    for (const part of fileName.split("/")) {
      if (part === "..") folder.pop();
      else if (part !== ".") folder.push(part);
    }
    return folder.join("/");
  });
}
