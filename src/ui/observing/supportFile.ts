import * as vscode from "vscode";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import { createEmitter, type DisposableList, type Emitter } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import {
  supportFileText,
  type ChangedSetting,
  type SupportedConnection,
  type SupportSource,
} from "../../present/observing/supportFile.ts";
import { switchedSubject } from "../../present/connections/connectionWords.ts";
import type { Connections } from "../../state/connections.ts";
import { openOrders } from "../../state/orders.ts";
import { documentUri, OWN_DOCUMENTS, partsOf, showDocument } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import type { MaskingLog } from "../editor/log.ts";
import { COLLAPSED_KINDS } from "../kinds/collapsedKinds.ts";
import { accountNames } from "../tree/screen.ts";
import type { Ui } from "../ui.ts";
import type { CommandId } from "../../manifest/contributes.ts";
import { createAccountStore } from "../../state/account.ts";

/** A file for support. It is shown before it can be saved, and saved as it was shown. */
interface SupportFile {
  readonly handlers: Handlers;
  /** Returns the text of the document. */
  text(): string;
}

type SupportUi = Pick<Ui, "clock" | "connections" | "dialogs" | "journals" | "liveConnections" | "times"> & {
  readonly log: MaskingLog;
  readonly extension: vscode.Extension<unknown>;
  readonly changes: vscode.EventEmitter<vscode.Uri>;
};

/** The folder of the document, by which menus recognize it. */
const FOLDER = "/trading-rpc-support";
const FILE_NAME = "trading-rpc-support.json";

export function createSupportFile(ui: SupportUi, disposables: DisposableList): SupportFile {
  const lensChanges: Emitter<void> = disposables.add(createEmitter());
  const title = l10n.t("Support File (preview)");
  const uri = documentUri("supportFile", title, {}, { folder: FOLDER, fileName: FILE_NAME });
  const shown = { areHostsShown: false, areFiguresShown: false };
  let text: string | undefined;
  const isOurs = (document: vscode.TextDocument): boolean => partsOf(document.uri).kind === "supportFile";
  const isOpen = (): boolean => vscode.workspace.textDocuments.some(isOurs);
  /** Writes the text again. */
  const write = async (): Promise<void> => {
    await ui.journals.refresh();
    text = supportFileText(sourceOf(ui, shown));
    ui.changes.fire(uri);
    lensChanges.fire();
  };
  const preview = async (): Promise<void> => {
    await write();
    await showDocument(uri, { preview: false });
  };
  const toggle = async (what: keyof typeof shown): Promise<void> => {
    if (!isOpen()) throw refused(l10n.t("The support file preview isn't open. Use Save Support File… first."));
    shown[what] = !shown[what];
    await write();
  };
  disposables.add(
    vscode.languages.registerCodeLensProvider(OWN_DOCUMENTS, {
      onDidChangeCodeLenses: lensChanges.event,
      provideCodeLenses: (document) => (isOurs(document) ? lenses(shown) : []),
    }),
  );
  return {
    handlers: {
      "tradingRpc.supportFile.preview": preview,
      "tradingRpc.supportFile.save": async () => {
        if (text === undefined || !isOpen()) {
          await preview();
          return;
        }
        // What is on the screen is what is written, also when more happens while the place is chosen.
        const seen = text;
        const file = {
          title: l10n.t("Save Support File"),
          folder: vscode.workspace.workspaceFolders?.[0]?.uri,
          name: FILE_NAME,
          types: { JSON: ["json"] },
        };
        if (!(await ui.dialogs.saveText(file, () => seen))) return;
        ui.dialogs.tell(
          "information",
          l10n.t("The support file was saved and not sent anywhere. Attach it where you ask for help."),
        );
      },
      "tradingRpc.supportFile.toggleHosts": async () => await toggle("areHostsShown"),
      "tradingRpc.supportFile.toggleFigures": async () => await toggle("areFiguresShown"),
    },
    text: () => text ?? `${l10n.t("This support file isn't available any more. Use Save Support File… again.")}\n`,
  };
}

/** What the user has chosen to see in the file. */
type Shown = Pick<SupportSource, "areHostsShown" | "areFiguresShown">;

function lenses({ areHostsShown, areFiguresShown }: Shown): vscode.CodeLens[] {
  const lens = (title: string, command: CommandId | ""): vscode.CodeLens =>
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command });
  return [
    lens(l10n.t("Save…"), "tradingRpc.supportFile.save"),
    lens(
      areHostsShown ? l10n.t("Hide Gateway Host Names") : l10n.t("Show Gateway Host Names"),
      "tradingRpc.supportFile.toggleHosts",
    ),
    lens(
      areFiguresShown ? l10n.t("Hide Amounts in the Log") : l10n.t("Show Amounts in the Log"),
      "tradingRpc.supportFile.toggleFigures",
    ),
    lens(l10n.t("Preview of everything that will be saved (nothing is saved yet)"), ""),
  ];
}

function sourceOf(ui: SupportUi, shown: Shown): SupportSource {
  const { connections, liveConnections, journals, log, clock, times, extension } = ui;
  return {
    ...shown,
    atMs: clock.now(),
    versions: versionsOf(extension),
    settings: changedSettings(extension),
    connections: connections.list.map((connection) => supported(connection, liveConnections)),
    intents: journals.intents,
    log: log.recent,
    hide: (text) => log.hide(text),
    names: [
      ...accountNames(connections, liveConnections),
      ...numbersOf(connections),
      ...journals.intents.map(({ note }) => note.connectionName),
    ],
    times,
  };
}

function supported(connection: SupportedConnection["connection"], open: LiveConnections): SupportedConnection {
  const live = open.find(connection.record.id);
  if (live === undefined) return { connection, live, counts: {} };
  const counts = {
    account: live.storeOf(createAccountStore).snapshot.items.size,
    positions: live.positions.snapshot.items.size,
    orders: openOrders(live.orders.snapshot).length,
    ...Object.fromEntries(
      Object.entries(COLLAPSED_KINDS).map(([name, { storeOf }]) => [name, storeOf(live).snapshot.items.size]),
    ),
  };
  return { connection, live, counts };
}

/** Returns the numbers of accounts, which can identify them too. */
function numbersOf({ list }: Connections): readonly string[] {
  return list
    .flatMap(({ state }) =>
      state.status === "ready" ? [state.identity.userId, switchedSubject(state)?.id, state.identity.clientId] : [],
    )
    .flatMap((each) => (each === undefined ? [] : [String(each)]));
}

function versionsOf({ packageJSON, extensionKind }: vscode.Extension<unknown>): SupportSource["versions"] {
  const { version } = packageJSON as { readonly version: string };
  return {
    extension: version,
    editor: vscode.version,
    host: `${vscode.env.appHost}, ${vscode.env.uiKind === vscode.UIKind.Web ? "in a browser" : "on the desktop"}`,
    runsOn: extensionKind === vscode.ExtensionKind.Workspace ? "the workspace's host" : "the computer of the editor",
    remote: remoteKind(vscode.env.remoteName),
    node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
    language: vscode.env.language,
    isTrusted: vscode.workspace.isTrusted,
    isProxySet: (vscode.workspace.getConfiguration("http").get<unknown>("proxy") ?? "") !== "",
  };
}

const REMOTE_KINDS = ["ssh-remote", "wsl", "dev-container", "attached-container", "codespaces", "tunnel"];

/** Returns the kind of the remote host: for some servers, VS Code gives the address instead. */
function remoteKind(remoteName: string | undefined): string {
  if (remoteName === undefined) return "none";
  return REMOTE_KINDS.includes(remoteName) ? remoteName : "another one";
}

interface Properties {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
  };
}

function changedSettings({ packageJSON }: vscode.Extension<unknown>): readonly ChangedSetting[] {
  const { contributes } = packageJSON as Properties;
  const configuration = vscode.workspace.getConfiguration();
  return contributes.configuration
    .flatMap(({ properties }) => Object.keys(properties))
    .flatMap((name): readonly ChangedSetting[] => {
      const found = configuration.inspect<unknown>(name);
      return [
        ...(found?.globalValue === undefined ? [] : [{ name, value: found.globalValue, from: "user" as const }]),
        ...(found?.workspaceValue === undefined
          ? []
          : [{ name, value: found.workspaceValue, from: "workspace" as const }]),
        ...(found?.workspaceFolderValue === undefined
          ? []
          : [{ name, value: found.workspaceFolderValue, from: "folder" as const }]),
      ];
    });
}
