import * as vscode from "vscode";
import type { Journals } from "../../actions/journals.ts";
import type { Clock } from "../../base/clock.ts";
import { createEmitter, DisposableList, type Disposable, type Emitter } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { ACCOUNT_VIEW_NAMES } from "../../base/viewNames.ts";
import {
  supportFileText,
  type ChangedSetting,
  type SupportedConnection,
  type SupportSource,
} from "../../present/observing/supportFile.ts";
import { switchedSubject } from "../../present/connections/connectionWords.ts";
import type { Times } from "../../present/text/times.ts";
import type { Connections } from "../../state/connections.ts";
import { openOrders } from "../../state/orders.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { documentUri, OWN_DOCUMENTS, partsOf, showDocument } from "../editor/documents.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";
import type { MaskingLog } from "../editor/log.ts";
import { accountNames } from "../tree/screen.ts";
import type { CommandId } from "../../manifest/contributes.ts";

/** A file for support. It is shown before it can be saved, and saved as it was shown. */
interface SupportFile extends Disposable {
  /** Writes the text again and shows it. Does not save anything. */
  preview(): Promise<void>;
  /** Saves the text that is shown; if it is not shown yet, shows it. */
  save(): Promise<void>;
  toggleHosts(): Promise<void>;
  toggleFigures(): Promise<void>;
  /** Returns the text of the document. */
  text(): string;
}

export interface SupportFilePorts {
  readonly dialogs: Dialogs;
  readonly connections: Connections;
  readonly liveConnections: LiveConnections;
  readonly journals: Journals;
  readonly log: Pick<MaskingLog, "hide" | "recent">;
  readonly clock: Clock;
  readonly times: Times;
  readonly extension: vscode.Extension<unknown>;
  readonly changes: vscode.EventEmitter<vscode.Uri>;
}

/** The folder of the document, by which menus recognize it. */
const FOLDER = "/trading-rpc-support";
const FILE_NAME = "trading-rpc-support.json";

export function createSupportFile(ports: SupportFilePorts): SupportFile {
  const { changes } = ports;
  const disposables = new DisposableList();
  const lensChanges: Emitter<void> = disposables.add(createEmitter());
  const title = l10n.t("Support File (preview)");
  const uri = documentUri("supportFile", title, {}, { folder: FOLDER, fileName: FILE_NAME });
  const shown = { areHostsShown: false, areFiguresShown: false };
  let text: string | undefined;
  const isOurs = (document: vscode.TextDocument): boolean => partsOf(document.uri).kind === "supportFile";
  const isOpen = (): boolean => vscode.workspace.textDocuments.some(isOurs);
  const write = async (): Promise<void> => {
    await ports.journals.refresh();
    text = supportFileText(sourceOf(ports, shown));
    changes.fire(uri);
    lensChanges.fire();
  };
  const preview = async (): Promise<void> => {
    await write();
    await showDocument(uri, { preview: false });
  };
  disposables.add(
    vscode.languages.registerCodeLensProvider(OWN_DOCUMENTS, {
      onDidChangeCodeLenses: lensChanges.event,
      provideCodeLenses: (document) => (isOurs(document) ? lenses(shown) : []),
    }),
  );
  return {
    preview,
    async save() {
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
      if (!(await ports.dialogs.saveText(file, () => seen))) return;
      ports.dialogs.tell(
        "information",
        l10n.t("The support file was saved and not sent anywhere. Attach it where you ask for help."),
      );
    },
    async toggleHosts() {
      requireOpen(isOpen());
      shown.areHostsShown = !shown.areHostsShown;
      await write();
    },
    async toggleFigures() {
      requireOpen(isOpen());
      shown.areFiguresShown = !shown.areFiguresShown;
      await write();
    },
    text: () => text ?? `${l10n.t("This support file isn't available any more. Use Save Support File… again.")}\n`,
    dispose: () => disposables.dispose(),
  };
}

function requireOpen(isOpen: boolean): void {
  if (!isOpen) throw refused(l10n.t("The support file preview isn't open. Use Save Support File… first."));
}

function lenses({
  areHostsShown,
  areFiguresShown,
}: Pick<SupportSource, "areHostsShown" | "areFiguresShown">): vscode.CodeLens[] {
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

function sourceOf(
  ports: SupportFilePorts,
  shown: Pick<SupportSource, "areHostsShown" | "areFiguresShown">,
): SupportSource {
  const { connections, liveConnections, journals, log, clock, times, extension } = ports;
  return {
    ...shown,
    atMs: clock.now(),
    versions: versionsOf(extension),
    settings: changedSettings(extension),
    connections: connections.list.map((connection) => supported(connection, liveConnections)),
    intents: journals.intents,
    log: log.recent,
    hide: log.hide,
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
  const counts = ACCOUNT_VIEW_NAMES.map((name): [string, number] => [
    name,
    name === "orders" ? openOrders(live.orders.snapshot).length : live[name].snapshot.items.size,
  ]);
  return { connection, live, counts: Object.fromEntries(counts) };
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
