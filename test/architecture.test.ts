import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "vitest";
import { generatedFiles } from "../src/build/generated.ts";
import { CHAT_TOOL_NAMES } from "../src/ui/chat/tools.ts";
import { VIEW_NAMES } from "../src/base/viewNames.ts";
import {
  agentsBesideTheReader,
  ambiguousNames,
  forbiddenImports,
  forbiddenTexts,
  importCycles,
  looseSettings,
  looseTools,
  MOST_FILES,
  openDoors,
  oversizedFiles,
  roomViolations,
  strayMethodNames,
  toolsBesideTheGate,
  unmatchedCommands,
  unusedPermissions,
  vagueFiles,
  type Manifest,
  type Sources,
} from "./architecture.ts";
import { EXTENSION, foreignFiles, foreignParts, NPM_PACKAGE, type Output } from "./products.mjs";

/* The rules of the house, over the tree as it is, and over planted violations to see that each rule bites. */

const sources = readSources("src");
const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest & { readonly dependencies?: unknown };

const rules: readonly [string, (tree: Sources) => string[]][] = [
  ["imports keep to the floors", forbiddenImports],
  ["every permission to import is used", unusedPermissions],
  ["no import cycles", importCycles],
  ["nothing stands in the sources that must not", forbiddenTexts],
  ["what serves language models has the gate and nothing else to send by", toolsBesideTheGate],
  ["what serves agents has a reader, and the gate of a simulator alone", agentsBesideTheReader],
  ["rooms keep to their walls", roomViolations],
  ["methods are named where they are known, and nowhere else", strayMethodNames],
  ["an exported name has one meaning", ambiguousNames],
  ["files keep to their budgets", oversizedFiles],
  ["files are named for what they hold", vagueFiles],
];

describe("architecture", () => {
  for (const [name, rule] of rules) {
    test(name, () => {
      assert.deepEqual(rule(sources), []);
    });
  }

  test("every command of the manifest has a handler and the other way round", () => {
    assert.deepEqual(unmatchedCommands(manifest, handledCommands()), []);
  });

  test("generated files are fresh", () => {
    for (const [file, text] of Object.entries(generatedFiles())) {
      assert.equal(fs.readFileSync(file, "utf8"), text, `${file} is stale: npm run build`);
    }
  });

  test("every sentence is one text, so that it can be translated", () => {
    const composed = [...sources].flatMap(([file, text]) =>
      [...text.matchAll(/\bl10n\s*\.t\(\s*(?![\s"'])(.{0,40})/g)].map((match) => `${file}: ${String(match[1])}`),
    );
    assert.deepEqual(composed, []);
  });

  test("every sentence of the manifest is translated", () => {
    const nls = JSON.parse(fs.readFileSync("package.nls.json", "utf8")) as Record<string, unknown>;
    const used = [
      ...new Set(
        [...fs.readFileSync("package.json", "utf8").matchAll(/%([A-Za-z][\w.]*)%/g)].map((match) => String(match[1])),
      ),
    ];
    assert.deepEqual(
      used.filter((key) => !(key in nls)),
      [],
      "keys without a sentence",
    );
    assert.deepEqual(
      Object.keys(nls).filter((key) => !used.includes(key)),
      [],
      "unused sentences",
    );
  });

  test("settings that touch safety, network or what is written down belong to the user alone", () => {
    assert.deepEqual(looseSettings(manifest), []);
    // The manifest's word is not enough: the program itself does not look at a folder's value.
    const read = [
      ...(sources.get("src/ui/editor/settings.ts") ?? "").matchAll(/configuration\.get(?:<\w+>)?\("([\w.]+)"/g),
    ].map(([, name = ""]) => name);
    assert.deepEqual(
      read.filter(
        (name) =>
          !/^(positions\.(sortBy|showUsd)|orders\.(groupBy|sortBy|pageSize)|requests\.(codeLens|openResponseToTheSide|responseTab)|noProxy|proxy|proxySupport)$/.test(
            name,
          ),
      ),
      [],
    );
  });

  test("tools of language models are named, hidden and described as they have to be, and each has its code", () => {
    assert.deepEqual(
      looseTools(
        manifest,
        CHAT_TOOL_NAMES,
        JSON.parse(fs.readFileSync("package.nls.json", "utf8")) as Record<string, string>,
      ),
      [],
    );
  });

  test("no link, tool, task or file can make the extension act", () => {
    assert.deepEqual(openDoors(manifest), []);
  });

  test("what activation hands out is nothing", () => {
    assert.match(
      sources.get("src/extension.ts") ?? "",
      /export function activate\(context: vscode\.ExtensionContext\): void \{/,
    );
    assert.deepEqual([...(sources.get("src/extension.ts") ?? "").matchAll(/^export (.*)/gm)].length, 1);
  });

  test("docs/settings.md lists every setting with its default", () => {
    const configuration = manifest.contributes.configuration as readonly {
      properties: Record<string, { default: unknown }>;
    }[];
    const declared = [configuration].flat().flatMap((group) => Object.entries(group.properties));
    const rows = [
      ...fs.readFileSync("docs/settings.md", "utf8").matchAll(/^\| `(tradingRpc\.[\w.]+)` \| (.*?) \|/gm),
    ].map(([, name, value]) => `${String(name)} ${String(value)}`);
    assert.deepEqual(
      rows.sort(),
      declared
        .map(
          ([name, setting]) =>
            `${name} ${typeof setting.default === "object" ? "all" : `\`${JSON.stringify(setting.default).replaceAll('"', "")}\``}`,
        )
        .sort(),
    );
  });

  test("the editor's types are those of the oldest editor that is supported", () => {
    const { engines, devDependencies } = manifest as unknown as {
      engines: { vscode: string };
      devDependencies: Record<string, string>;
    };
    assert.equal(engines.vscode, `^${String(devDependencies["@types/vscode"])}`);
  });
});

describe("architecture: planted violations", () => {
  const planted: readonly [string, (tree: Sources) => string[], Record<string, string>, RegExp][] = [
    [
      "vscode in the core",
      forbiddenImports,
      { "src/state/orders.ts": 'import type { Uri } from "vscode";' },
      /src\/state\/orders\.ts imports vscode/,
    ],
    [
      "a floor that looks up",
      forbiddenImports,
      { "src/rpc/peer.ts": 'import type { Gate } from "../actions/gate/gate.ts";' },
      /src\/rpc\/peer\.ts imports src\/actions\/gate\/gate\.ts/,
    ],
    [
      "a terminal that knows the editor",
      forbiddenImports,
      { "src/cli/main.ts": 'import { x } from "../ui/ask.ts";' },
      /src\/cli\/main\.ts imports src\/ui\/ask\.ts/,
    ],
    [
      "an exchange that knows JSON-RPC",
      forbiddenImports,
      { "src/exchange/book.ts": 'import type { Frame } from "../rpc/frame.ts";' },
      /src\/exchange\/book\.ts imports src\/rpc\/frame\.ts/,
    ],
    [
      "an exchange that is asked by others than the simulator",
      forbiddenImports,
      { "src/state/orders.ts": 'import { createBook } from "../exchange/book.ts";' },
      /src\/state\/orders\.ts imports src\/exchange\/book\.ts/,
    ],
    [
      "a recording that sends",
      forbiddenImports,
      { "src/recording/replay.ts": 'import type { Gate } from "../actions/gate/gate.ts";' },
      /src\/recording\/replay\.ts imports src\/actions\/gate\/gate\.ts/,
    ],
    [
      "request files that know recordings",
      forbiddenImports,
      { "src/requests/running/run.ts": 'import { replay } from "../../recording/replay.ts";' },
      /run\.ts imports src\/recording\/replay\.ts/,
    ],
    [
      "a part of the build that ships",
      forbiddenImports,
      { "src/present/text/times.ts": 'import { thirdPartyNotices } from "../../build/products.ts";' },
      /times\.ts imports src\/build\/products\.ts/,
    ],
    [
      "rows that know the session",
      forbiddenImports,
      { "src/present/orders/orders.ts": 'import { x } from "../../session/session.ts";' },
      /imports src\/session/,
    ],
    [
      "a second file with ws",
      forbiddenImports,
      { "src/session/session.ts": 'import { WebSocket } from "ws";' },
      /imports ws/,
    ],
    [
      "a cycle of types",
      importCycles,
      { "src/rpc/a.ts": 'import type { B } from "./b.ts";', "src/rpc/b.ts": 'import type { A } from "./a.ts";' },
      /a\.ts → src\/rpc\/b\.ts → src\/rpc\/a\.ts/,
    ],
    ["the environment", forbiddenTexts, { "src/rpc/a.ts": "const x = process.env.HOME;" }, /process/],
    [
      "an export that changes",
      forbiddenTexts,
      { "src/rpc/a.ts": "export let count = 0;" },
      /other files hold the value/,
    ],
    ["a rule that is switched off", forbiddenTexts, { "src/rpc/a.ts": "// oxlint-disable-next-line" }, /lint-disable/],
    ["a long comment", forbiddenTexts, { "src/rpc/a.ts": `/*\n * ${"long ".repeat(24)}\n */` }, /at most 120/],
    [
      "Markdown that is put together",
      forbiddenTexts,
      { "src/ui/a.ts": "text.appendMarkdown(`**${name}**`);" },
      /appendMarkdown/,
    ],
    ["HTML in a tooltip", forbiddenTexts, { "src/ui/a.ts": "text.supportHtml = true;" }, /supportHtml/],
    [
      "a second door to the user",
      forbiddenTexts,
      { "src/ui/a.ts": "void vscode.window.showInformationMessage(text);" },
      /there is one door to the user/,
    ],
    [
      "a doc comment that needs the one before it",
      forbiddenTexts,
      { "src/ui/a.ts": "/** The same for keys. */" },
      /read alone/,
    ],
    [
      "a handler of links",
      forbiddenTexts,
      { "src/ui/a.ts": "vscode.window.registerUriHandler(handler);" },
      /registerUriHandler/,
    ],
    [
      "a second webview",
      forbiddenTexts,
      { "src/ui/a.ts": "vscode.window.createWebviewPanel(id);" },
      /createWebviewPanel/,
    ],
    ["fetch", forbiddenTexts, { "src/rpc/a.ts": "await fetch(url);" }, /fetch/],
    [
      "a part of the manifest that ships",
      forbiddenTexts,
      { "src/ui/a.ts": 'import { ordersCommands } from "../manifest/orders.ts";' },
      /the manifest is for the build/,
    ],
    ["any", forbiddenTexts, { "src/rpc/a.ts": "const x: any = 1;" }, /any/],
    ["text that is declared plain", forbiddenTexts, { "src/ui/a.ts": "show(name as Plain);" }, /plain\(\) made it/],
    [
      "text that is declared plain by a detour",
      forbiddenTexts,
      { "src/ui/a.ts": "show(names as unknown as readonly Plain[]);" },
      /plain\(\) made it/,
    ],
    [
      "a translation whose parts are not checked",
      forbiddenImports,
      { "src/present/a.ts": 'import * as l10n from "@vscode/l10n";' },
      /a\.ts imports @vscode\/l10n/,
    ],
    [
      "settings that travel",
      forbiddenTexts,
      { "src/ui/a.ts": "context.globalState.setKeysForSync([key]);" },
      /setKeysForSync/,
    ],
    [
      "a tool for language models",
      forbiddenTexts,
      { "src/ui/a.ts": "vscode.lm.registerTool(name, tool);" },
      /registerTool/,
    ],
    [
      "something that is handed to a language model",
      forbiddenTexts,
      { "src/extension.ts": "await vscode.lm.selectChatModels();" },
      /selectChatModels/,
    ],
    [
      "a tool that calls by itself",
      toolsBesideTheGate,
      { "src/ui/chat/tools.ts": "await live.caller.call(method);" },
      /beside the gate/,
    ],
    [
      "a tool that allows changes",
      toolsBesideTheGate,
      { "src/ui/chat/tools.ts": "await live.gate.allowChanges();" },
      /beside the gate/,
    ],
    [
      "a tool that makes a store of its own",
      toolsBesideTheGate,
      { "src/ui/chat/tools.ts": "live.storeOf(({ session }) => session.reader);" },
      /beside the gate/,
    ],
    ["a tool that connects", toolsBesideTheGate, { "src/ui/chat/tools.ts": "live.connect();" }, /beside the gate/],
    [
      "a tool that knows the session",
      toolsBesideTheGate,
      { "src/present/requests/chatText.ts": 'import { createSession } from "../../session/createSession.ts";' },
      /imports src\/session/,
    ],
    [
      "an agent that sends by itself",
      agentsBesideTheReader,
      { "src/cli/mcp/trading.ts": "await session.caller.call(method, text);" },
      /more than a reader/,
    ],
    [
      "an agent at the gate of any server",
      agentsBesideTheReader,
      { "src/cli/mcp/tools.ts": "await live.gate.submit(intent);" },
      /more than a reader/,
    ],
    [
      "a second place that offers MCP servers",
      forbiddenTexts,
      { "src/ui/a.ts": "vscode.lm.registerMcpServerDefinitionProvider(id, provider);" },
      /offered in one place/,
    ],
    ["a terminal", forbiddenTexts, { "src/ui/a.ts": "vscode.window.createTerminal(name);" }, /createTerminal/],
    ["a command line in a terminal", forbiddenTexts, { "src/ui/a.ts": "terminal.sendText(name);" }, /sendText/],
    [
      "an environment for all terminals",
      forbiddenTexts,
      { "src/ui/a.ts": "context.environmentVariableCollection.prepend(name, folder);" },
      /environmentVariableCollection/,
    ],
    [
      "a second terminal profile",
      forbiddenTexts,
      { "src/ui/a.ts": "vscode.window.registerTerminalProfileProvider(id, provider);" },
      /registerTerminalProfileProvider/,
    ],
    ["a browser", forbiddenTexts, { "src/ui/a.ts": "await vscode.env.openExternal(uri);" }, /openExternal/],
    ["code from text", forbiddenTexts, { "src/requests/a.ts": "eval(text);" }, /eval/],
    ["a shared agent", forbiddenTexts, { "src/rpc/a.ts": "const agent = https.globalAgent;" }, /globalAgent/],
    [
      "a certificate that is not checked",
      forbiddenTexts,
      { "src/rpc/a.ts": "const options = { rejectUnauthorized: strict };" },
      /rejectUnauthorized/,
    ],
    ["a prototype that all share", forbiddenTexts, { "src/base/a.ts": "Object.prototype.x = 1;" }, /prototype/],
    [
      "a copied secret",
      forbiddenTexts,
      { "src/ui/a.ts": "await vscode.env.clipboard.writeText(credentials.clientSecret);" },
      /clipboard/,
    ],
    [
      "a one-time secret taken by name",
      forbiddenTexts,
      { "src/actions/a.ts": 'import { isStandIn, OneTimeSecret } from "../rpc/oneTimeSecret.ts";' },
      /exists once/,
    ],
    [
      "a one-time secret taken with its file",
      forbiddenTexts,
      { "src/actions/a.ts": 'import * as secrets from "../rpc/oneTimeSecret.ts";' },
      /exists once/,
    ],
    [
      "a one-time secret opened",
      forbiddenTexts,
      { "src/actions/a.ts": "const text = OneTimeSecret.open(secret);" },
      /exists once/,
    ],
    [
      "a one-time secret noted",
      forbiddenTexts,
      { "src/actions/a.ts": 'import { noteSecret } from "../rpc/maskResponse.ts";' },
      /exists once/,
    ],
    ["trusted Markdown", forbiddenTexts, { "src/ui/a.ts": "text.isTrusted = true;" }, /isTrusted/],
    [
      "Markdown that is trusted with some commands",
      forbiddenTexts,
      { "src/ui/a.ts": "text.isTrusted = { enabledCommands: [] };" },
      /isTrusted/,
    ],
    [
      "something handed out at activation",
      forbiddenTexts,
      { "src/extension.ts": "export function activate(context: Context): Api {" },
      /activate/,
    ],
    [
      "a response as an untitled document",
      forbiddenTexts,
      { "src/ui/a.ts": "openTextDocument({ content: text })" },
      /openTextDocument/,
    ],
    ["a file in no room", roomViolations, { "src/present/a.ts": "" }, /stands in no room/],
    [
      "a room that is too full",
      roomViolations,
      Object.fromEntries(Array.from({ length: MOST_FILES + 1 }, (_, index) => [`src/rpc/a${String(index)}.ts`, ""])),
      /src\/rpc has \d+ files \(limit/,
    ],
    [
      "a view that knows another one",
      roomViolations,
      { "src/ui/mmp/a.ts": 'import { x } from "../orders/b.ts";', "src/ui/orders/b.ts": "" },
      /mmp\/a\.ts imports src\/ui\/orders\/b\.ts, which is not below it/,
    ],
    [
      "rooms that need each other",
      roomViolations,
      {
        "src/present/rows/a.ts": 'import { x } from "../text/b.ts";',
        "src/present/rows/c.ts": "",
        "src/present/text/b.ts": 'import { x } from "../rows/c.ts";',
      },
      /rooms need each other: present\/rows → present\/text → present\/rows/,
    ],
    [
      "a method that is known in one more place",
      strayMethodNames,
      { "src/present/orders/a.ts": 'if (method === "private/cancel") return;' },
      /orders\/a\.ts:1 names a method/,
    ],
    [
      "a method that is known by its type",
      strayMethodNames,
      { "src/ui/a.ts": 'type Kind = ParamsOf<"private/get_open_orders">["kind"];' },
      /names a method/,
    ],
    [
      "methods that are known by their beginning",
      strayMethodNames,
      { "src/present/a.ts": "if (/^private\\/cancel/.test(method)) return;" },
      /names a method/,
    ],
    [
      "a name with two meanings",
      ambiguousNames,
      { "src/rpc/a.ts": "export interface Order {}", "src/ui/b.ts": "export type Order = string;" },
      /Order is exported by src\/rpc\/a.ts and src\/ui\/b.ts/,
    ],
    ["a file that grew", oversizedFiles, { "src/rpc/a.ts": "\n".repeat(451) }, /budget/],
    ["a drawer for everything", vagueFiles, { "src/base/utils.ts": "" }, /says nothing/],
    ["a barrel", vagueFiles, { "src/rpc/index.ts": "" }, /barrel/],
  ];
  for (const [name, rule, tree, expected] of planted) {
    test(`${name} is caught`, () => {
      assert.match(rule(new Map(Object.entries(tree))).join("\n"), expected);
    });
  }

  test("a file that is no part of a product is caught", () => {
    const foreign = [
      "test/core/state/orders.test.ts",
      "dist/test/core1.cjs",
      "dist/main.js.map",
      "dist/meta.json",
      "node_modules/ws/index.js",
      "src/ui/main.ts",
      ".env",
    ];
    assert.deepEqual(
      foreignFiles(EXTENSION, ["package.json", "dist/main.js", "dist/chunk-A1.js", ...foreign]),
      foreign,
    );
    assert.deepEqual(foreignFiles(NPM_PACKAGE, ["dist/cli.js", "dist/main.js", ...foreign]), [
      "dist/main.js",
      ...foreign,
    ]);
  });

  test("a program that is made of what its product may not contain is caught", () => {
    const planted = (
      program: string,
      inputs: readonly string[],
      packages: readonly string[],
    ): Record<string, Output> => ({
      [program]: { imports: [{ path: "dist/chunk-A1.js" }], inputs: {} },
      "dist/chunk-A1.js": {
        imports: packages.map((path) => ({ path, external: true })),
        inputs: Object.fromEntries(inputs.map((input) => [input, {}])),
      },
    });
    const foreign = [
      "test/fakeClock.ts",
      "src/build/products.ts",
      "src/manifest/views.ts",
      "node_modules/zod/index.js",
    ];
    const ofNeither = ["left-pad", ...foreign];
    assert.deepEqual(
      foreignParts(
        EXTENSION,
        planted("dist/main.js", ["src/ui/main.ts", ...foreign], ["vscode", "node:fs", "left-pad"]),
      ),
      ofNeither,
    );
    const ofTheEditor = [
      "src/ui/main.ts",
      "src/panel/messages.ts",
      "src/extension.ts",
      "node_modules/uplot/dist/uPlot.js",
    ];
    assert.deepEqual(
      foreignParts(
        NPM_PACKAGE,
        planted("dist/cli.js", ["src/cli.ts", ...foreign, ...ofTheEditor], ["left-pad", "vscode"]),
      ),
      ["left-pad", "vscode", ...foreign, ...ofTheEditor],
    );
  });

  test("a setting that a folder could set, or that travels and connects, is caught, and so is a door", () => {
    const configuration = {
      properties: {
        "tradingRpc.safety.x": { scope: "window" },
        "tradingRpc.y": {},
        "tradingRpc.orders.groupBy": { scope: "window" },
        "tradingRpc.z": { scope: "application", tags: ["usesOnlineServices"] },
      },
    };
    assert.deepEqual(looseSettings({ contributes: { commands: [], configuration } }), [
      "tradingRpc.safety.x can be set by a folder",
      "tradingRpc.y can be set by a folder",
      "tradingRpc.z makes another computer connect",
    ]);
    const contributes = { commands: [], chatParticipants: [], customEditors: [] };
    assert.deepEqual(
      openDoors({ contributes, activationEvents: ["onUri", "*", "onLanguage:jsonc"], browser: "x.js" }),
      [
        "contributes chatParticipants",
        "contributes customEditors",
        "is activated by onUri",
        "is activated by *",
        "runs in a browser",
      ],
    );
  });

  test("a tool that is offered too freely, described too little or not there is caught", () => {
    const languageModelTools = [
      {
        name: "tradingRpc_cancel_order",
        when: "isWorkspaceTrusted && config.tradingRpc.chat.access != off",
        modelDescription: "%a%",
      },
      { name: "buy", modelDescription: "%b%" },
    ];
    assert.deepEqual(
      looseTools(
        { contributes: { commands: [], languageModelTools } },
        ["tradingRpc_cancel_order", "tradingRpc_get_time"],
        { a: "Do not use it for fun.", b: "Buys." },
      ),
      [
        "tradingRpc_cancel_order is offered without chat.access == readAndCancel",
        "buy is no {verb}_{noun} of ours",
        "buy does not say when it is not to be used",
        "buy has no code",
        "tradingRpc_get_time does not stand in the manifest",
      ],
    );
  });

  test("a command without a handler is caught, or with two, and a handler without a command", () => {
    const contributes = {
      commands: [{ command: "tradingRpc.a" }],
      menus: { "view/title": [{ command: "tradingRpc.c" }] },
    };
    assert.deepEqual(unmatchedCommands({ contributes }, ["tradingRpc.b", "tradingRpc.b"]), [
      "tradingRpc.a stands in the manifest and has no handler",
      "tradingRpc.b has more than one handler",
      "tradingRpc.b has a handler and does not stand in the manifest",
      "tradingRpc.c stands in a menu or key binding and is not a command",
    ]);
  });
});

/** The ids of the command table, read from its text: the file itself can only be loaded inside the editor. */
function handledCommands(): string[] {
  const titles = new Set(manifest.contributes.commands.map(({ command }) => command));
  const named = [...sources]
    .filter(([file]) => file.startsWith("src/ui/"))
    .flatMap(([, text]) => [...text.matchAll(/(?:^|\{)\s*"(tradingRpc\.[\w.]+)":/gm)].map((match) => String(match[1])));
  // These are made for all views in a loop; what the Connections view shows is read from nowhere.
  const ofViews = VIEW_NAMES.flatMap((view) => ["filter", "clearFilter", "refresh"].map((each) => `${view}.${each}`));
  // In the title of a view it runs as from the Command Palette.
  const inTitles = named.map((each) => `${each}FromTitle`).filter((each) => titles.has(each));
  return [
    ...named,
    ...inTitles,
    ...ofViews.filter((each) => each !== "connections.refresh").map((each) => `tradingRpc.${each}`),
  ];
}

function readSources(folder: string): Sources {
  const entries = fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name).split(path.sep).join("/");
      return [file, fs.readFileSync(file, "utf8")];
    }),
  );
}
