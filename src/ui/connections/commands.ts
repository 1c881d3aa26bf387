import * as crypto from "node:crypto";
import type { ActivityEntry } from "../../actions/journal/activity.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Journals } from "../../actions/journal/journals.ts";
import { isUnresolved } from "../../actions/journal/recordedIntents.ts";
import { isToBeLookedUp } from "../../actions/connection/subaccounts.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { intentTitle } from "../../present/activity/activityWords.ts";
import {
  addressText,
  connectionPlace,
  connectionStateText,
  switchedSubject,
} from "../../present/connections/connectionWords.ts";
import { tiedCount, tiedQuestion } from "../../present/connections/disconnectRisk.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import type { Connection, Connections } from "../../state/connections.ts";
import { isRealMoney, SIMULATOR_ID, type Preset } from "../../state/records.ts";
import { pickConnection } from "./picks.ts";
import { draftOfRecord, type ConnectionDraft } from "./draft.ts";
import { draftOf, presetChoices } from "./form.ts";
import type { SecretStore } from "./credentials.ts";
import type { AgentAccess } from "./agentAccess.ts";
import { askAboutAgents } from "./agentSharing.ts";
import { allowedUntilMs } from "./connectionNotices.ts";
import { canAllowChanges, isTrading, needsTradingPermission } from "./permissions.ts";
import type { ConnectionSignIn } from "./signIn.ts";
import type { Ui } from "../ui.ts";
import type { Choice, Heading } from "../editor/dialogSteps.ts";
import { answerOf } from "../editor/walkSteps.ts";
import type { Handlers, RunCommand } from "../editor/handler.ts";

export type ConnectionCommandsPorts = Pick<
  Ui,
  "connections" | "liveConnections" | "ask" | "dialogs" | "clock" | "run"
> & {
  readonly journals: Pick<Journals, "intents" | "forget">;
  readonly signIn: ConnectionSignIn;
  readonly secrets: SecretStore;
  readonly agentAccess: AgentAccess;
};

/**
 * Makes the commands about connections. An argument is the id of a row or of a connection; without one, the commands
 * ask for a connection.
 */
export function createConnectionCommands(ports: ConnectionCommandsPorts): Handlers {
  const { connections, liveConnections, signIn } = ports;
  const tell = (text: Plain): void => ports.dialogs.tell("information", text);
  return {
    "tradingRpc.connection.connect": async (argument) => await connectTo(argument, ports),
    "tradingRpc.connection.use": async (argument) => await connectTo(argument, ports),
    "tradingRpc.connection.disconnect": async (argument) => {
      const open = connections.list.filter((each) => liveConnections.find(each.record.id) !== undefined);
      const only = argument === undefined && open.length === 1 ? open[0] : undefined;
      const chosen = only ?? (await givenOrPick(argument, open, l10n.t("Disconnect"), ports));
      if (chosen !== undefined && (await mayClose(chosen, ports))) liveConnections.close(chosen.record.id);
    },
    "tradingRpc.connection.add": async () => await add(undefined, ports),
    "tradingRpc.connection.edit": async (argument) => {
      const chosen = await givenOrPick(argument, savedOf(connections), l10n.t("Edit Connection"), ports);
      if (chosen?.record.id === SIMULATOR_ID) throw refused(l10n.t("The built-in simulator can't be changed."));
      if (chosen !== undefined)
        await signIn.edit(draftOfRecord(chosen.record), l10n.t("Edit {0}", plain.name(chosen.record.name)));
    },
    "tradingRpc.connection.forget": async (argument) => {
      const chosen = await givenOrPick(argument, savedOf(connections), l10n.t("Remove Connection"), ports);
      if (chosen === undefined) return;
      const { id } = chosen.record;
      if (id === SIMULATOR_ID) throw refused(l10n.t("The built-in simulator can't be removed."));
      const isSure = await ports.ask({
        kind: "modal",
        message: l10n.t("Remove {0}?", connectionPlace(chosen)),
        detail: forgetDetail(
          ports.journals.intents
            .filter((intent) => intent.connectionId === id && isUnresolved(intent))
            .map(intentTitle),
        ),
        confirm: l10n.t("Remove Connection"),
        keep: l10n.t("Keep Connection"),
      });
      if (!isSure) return;
      liveConnections.close(id);
      await ports.secrets.remove(id);
      await connections.remove(id);
      // Last of all: as long as the connection is there, what it changes is recorded.
      await ports.journals.forget(id);
    },
    "tradingRpc.connection.allowChanges": async (argument) => {
      const live = await withKey(argument, { title: l10n.t("Allow Changes"), isFitting: canAllowChanges }, ports);
      if (isRealMoney(live?.environment)) await live.gate.allowChanges();
      else if (live !== undefined)
        tell(
          l10n.t(
            "{0} does not trade real money, so Allow Changes… is not needed. Changes are confirmed one by one.",
            live.place,
          ),
        );
    },
    "tradingRpc.connection.makeReadOnly": async (argument) => {
      const isFitting = ({ gate }: LiveConnection): boolean => allowedUntilMs(gate) !== undefined;
      const live = await oneOf(argument, { title: l10n.t("Disallow Changes"), isFitting }, ports);
      if (live === undefined) return;
      if (!isFitting(live)) tell(l10n.t("{0}: Allow Changes… is not active.", live.place));
      live.gate.makeReadOnly();
    },
    "tradingRpc.connection.allowTrading": async (argument) => {
      const wanted = { title: l10n.t("Allow Trading"), isFitting: needsTradingPermission };
      const live = await withKey(argument, wanted, ports);
      if (live?.environment === "simulator") tell(alwaysAllowedText(live));
      else await live?.gate.allowTrading();
    },
    "tradingRpc.connection.disallowTrading": async (argument) => {
      const live = await oneOf(argument, { title: l10n.t("Disallow Trading"), isFitting: isTrading }, ports);
      if (live === undefined) return;
      if (live.environment === "simulator") tell(alwaysAllowedText(live));
      else {
        if (!isTrading(live)) tell(l10n.t("{0}: Allow Trading… is not active.", live.place));
        await live.gate.disallowTrading();
      }
    },
    "tradingRpc.connection.shareWithAgents": async (argument) => {
      const title = l10n.t("Share Connection with Agents");
      const chosen = await givenOrPick(argument, connections.list, title, ports);
      if (chosen !== undefined) await askAboutAgents(chosen.record, ports);
    },
    /** Shows the actions of the connection at the moment, for the item in the status bar. */
    "tradingRpc.connection.showActions": async () => await showActions(ports),
  };
}

/** Opens the given connection, or asks for one. Resolves to whether there is a connection that can be used. */
export async function connectTo(argument: unknown, ports: ConnectionCommandsPorts): Promise<boolean> {
  const chosen = givenConnection(argument, ports.connections) ?? (await pickTarget(ports));
  if (chosen === undefined) return false;
  return "record" in chosen ? await ports.signIn.open(chosen.record.id) : await add(chosen, ports);
}

async function add(preset: Preset | undefined, { signIn }: ConnectionCommandsPorts): Promise<boolean> {
  const start = newDraft();
  return await signIn.edit(preset === undefined ? start : draftOf(start, preset), l10n.t("Add Connection"));
}

/** Returns a text about what is deleted with a connection, and which outcomes can no longer be looked up then. */
function forgetDetail(unresolved: readonly Plain[]): Plain {
  const deleted = l10n.t(
    "The address, client ID, client secret or private key, and Activity items of this connection are deleted from VS Code. The API key itself stays on the exchange.",
  );
  if (unresolved.length === 0) return deleted;
  return plain.join(
    [
      l10n.t(
        "The outcome of these changes is still unknown and won't be checked anymore. To check it first, keep the connection and use Check Unknown Outcome… in Activity.",
      ),
      ...unresolved,
      deleted,
    ],
    "\n",
  );
}

function newDraft(): ConnectionDraft {
  return {
    id: crypto.randomUUID(),
    kind: undefined,
    name: "",
    declared: "production",
    url: "",
    grant: "client_signature",
    clientId: "",
    secret: "",
    keeping: "stored",
    isDetailed: false,
  };
}

function savedOf(connections: Connections): readonly Connection[] {
  return connections.list.filter(({ record }) => record.id !== SIMULATOR_ID);
}

/**
 * Returns the connection of an argument; undefined without one. An argument that leads nowhere must not turn into a
 * choice.
 */
function givenConnection(argument: unknown, connections: Connections): Connection | undefined {
  if (argument === undefined) return undefined;
  const found = typeof argument === "string" ? connections.find(rowIdParts(argument)[0] ?? "") : undefined;
  if (found === undefined) throw refused(l10n.t("This connection doesn't exist anymore."));
  return found;
}

function connectionChoice(connection: Connection, { clock }: ConnectionCommandsPorts): Choice<Connection> {
  const { record, isActive } = connection;
  const state = connectionStateText(connection, clock.now());
  return {
    label: connectionPlace(connection),
    description: isActive ? l10n.t("{0} · active", state) : state,
    detail: record.id === SIMULATOR_ID ? l10n.t("Built in, needs no account or network") : addressText(record.url),
    value: connection,
  };
}

async function givenOrPick(
  argument: unknown,
  choices: readonly Connection[],
  title: Plain,
  ports: ConnectionCommandsPorts,
): Promise<Connection | undefined> {
  const given = givenConnection(argument, ports.connections);
  if (given !== undefined) return given;
  if (choices.length === 0) throw refused(l10n.t("No matching connections. Use Connect… or Add Connection… first."));
  return await pick(
    title,
    choices.map((each) => connectionChoice(each, ports)),
    ports,
  );
}

async function pick<T>(
  title: Plain,
  choices: readonly (Choice<T> | Heading)[],
  { dialogs }: ConnectionCommandsPorts,
): Promise<T | undefined> {
  const placeholder = l10n.t("Which connection?");
  return answerOf(await dialogs.askChoice({ title, isFleeting: true, placeholder, choices }));
}

/** Asks for a connection: an existing one, or a preset that can be added. */
async function pickTarget(ports: ConnectionCommandsPorts): Promise<Connection | Preset | undefined> {
  return await pick<Connection | Preset>(
    l10n.t("Connect"),
    [
      ...ports.connections.list.map((each) => connectionChoice(each, ports)),
      { heading: l10n.t("New connection") },
      ...presetChoices(),
    ],
    ports,
  );
}

/**
 * Asks before closing a connection with unproved outcomes: they are looked up over the connection and would stay
 * unknown.
 */
async function mayClose(connection: Connection, { liveConnections, ask }: ConnectionCommandsPorts): Promise<boolean> {
  const found = liveConnections.find(connection.record.id);
  const tied = found === undefined ? 0 : tiedCount(found.cancelOnDisconnect);
  if (
    tied > 0 &&
    !(await ask({
      kind: "modal",
      ...tiedQuestion({ place: connectionPlace(connection), count: tied }),
      confirm: l10n.t("Disconnect and Cancel Orders"),
      keep: l10n.t("Stay Connected"),
    }))
  )
    return false;
  const open = found?.gate.activity.filter(isToBeLookedUp) ?? [];
  if (open.length === 0) return true;
  return await ask({
    kind: "modal",
    message: l10n.t("Disconnect {0} while outcomes are unknown?", connectionPlace(connection)),
    detail: plain.join(
      [
        l10n.t(
          "These outcomes are still being checked. After disconnecting, checking resumes when you connect again with the same API key:",
        ),
        ...open.map(({ intent: { words } }) => plain.name(words.sentence ?? words.target)),
      ],
      "\n",
    ),
    confirm: l10n.t("Disconnect"),
    keep: l10n.t("Stay Connected"),
  });
}

function alwaysAllowedText({ place }: LiveConnection): Plain {
  return l10n.t("{0}: trading is always allowed on the simulator, without real money.", place);
}

interface Wanted {
  readonly title: Plain;
  /** Whether the command makes sense for a connection. */
  readonly isFitting: (live: LiveConnection) => boolean;
}

/** Returns the given connection, else the active one if it fits, else one that does. The user chooses among several. */
async function oneOf(
  argument: unknown,
  { title, isFitting }: Wanted,
  ports: ConnectionCommandsPorts,
): Promise<LiveConnection | undefined> {
  const { connections, liveConnections } = ports;
  const given = givenConnection(argument, connections);
  const { active } = liveConnections;
  const found = given === undefined ? active : liveConnections.find(given.record.id);
  if (found !== undefined && (given !== undefined || isFitting(found))) return found;
  if (given !== undefined || liveConnections.all.length === 0) throw new CallError({ kind: "notConnected" });
  const fitting = liveConnections.all.filter(isFitting);
  // Where none fits, the command says of the active one why.
  return fitting.length === 0
    ? (active ?? liveConnections.all[0])
    : await pickConnection(ports, { title, connections: fitting });
}

/** Returns a connection like `oneOf`. Throws `noKey` for one without an API key. */
async function withKey(
  argument: unknown,
  wanted: Wanted,
  ports: ConnectionCommandsPorts,
): Promise<LiveConnection | undefined> {
  const live = await oneOf(argument, wanted, ports);
  if (live?.record.grant === "none") throw new CallError({ kind: "noKey" });
  return live;
}

/** An action as an item of a list: a command with its arguments, or a function. */
type Action = Choice<Readonly<Parameters<RunCommand>> | (() => Promise<void>)>;

async function showActions(ports: ConnectionCommandsPorts): Promise<void> {
  const { connections, liveConnections } = ports;
  const { active } = connections;
  const { active: live, all } = liveConnections;
  const items: readonly Action[] = [
    ...all.flatMap((each) => each.gate.activity.filter(isToBeLookedUp).map((entry) => checkAgainItem(each, entry))),
    ...(live === undefined ? [] : itemsOf(live)),
    ...all
      .filter((each) => each !== live && allowedUntilMs(each.gate) !== undefined)
      .map(({ place, record: { id } }) =>
        command(l10n.t("$(lock) Disallow Changes on {0}", place), "tradingRpc.connection.makeReadOnly", id),
      ),
    ...connections.list
      .filter((other) => !other.isActive && liveConnections.find(other.record.id) !== undefined)
      .map((other) => useItem(other, ports.clock.now())),
    command(l10n.t("$(list-unordered) Show Activity"), "tradingRpc.activity.focus"),
    command(l10n.t("$(shield) Open Confirmation Settings"), "workbench.action.openSettings", "tradingRpc.safety"),
    command(l10n.t("$(plug) Connect…"), "tradingRpc.connection.connect"),
    command(l10n.t("$(output) Show Log"), "tradingRpc.log.show"),
    ...(live === undefined
      ? []
      : [command(l10n.t("$(pulse) Show Traffic"), "tradingRpc.traffic.show", live.record.id)]),
    command(l10n.t("$(save) Save Support File…"), "tradingRpc.supportFile.preview"),
  ];
  const title =
    active === undefined
      ? l10n.t("Not connected")
      : l10n.t("{0}: {1}", connectionPlace(active), connectionStateText(active, ports.clock.now()));
  const placeholder = l10n.t("Select an action");
  const result = await ports.dialogs.askChoice({ title, isFleeting: true, placeholder, choices: items });
  if (result.kind !== "next") return;
  if (typeof result.value === "function") await result.value();
  else ports.run(...result.value);
}

function command(label: Plain, ...value: Parameters<RunCommand>): Action {
  return { label, value };
}

/** Returns the actions of an open connection. */
function itemsOf(live: LiveConnection): readonly Action[] {
  const {
    record: { id, grant },
    state,
    gate,
    place,
  } = live;
  const isReady = state.status === "ready";
  const items: readonly (readonly [isOffered: boolean, item: Action])[] = [
    [
      canAllowChanges(live) && gate.changesAllowedUntilMs === undefined,
      command(l10n.t("$(unlock) Allow Changes…"), "tradingRpc.connection.allowChanges", id),
    ],
    [
      canAllowChanges(live) && allowedUntilMs(gate) !== undefined,
      command(l10n.t("$(lock) Disallow Changes"), "tradingRpc.connection.makeReadOnly", id),
    ],
    [isTrading(live), command(l10n.t("$(lock) Disallow Trading"), "tradingRpc.connection.disallowTrading", id)],
    [isReady && grant !== "none", command(l10n.t("$(person) Switch Subaccount…"), "tradingRpc.account.switch", id)],
    [
      switchedSubject(state) !== undefined,
      command(l10n.t("$(home) Switch to Main Account"), "tradingRpc.account.switchBack", id),
    ],
    [!isReady, command(l10n.t("$(refresh) Try Now"), "tradingRpc.connection.connect", id)],
    [true, command(l10n.t("$(debug-disconnect) Disconnect {0}", place), "tradingRpc.connection.disconnect", id)],
  ];
  return items.flatMap(([isOffered, item]) => (isOffered ? [item] : []));
}

/**
 * Returns the action that makes another open connection the one for requests, and for commands that do not name one.
 */
function useItem(other: Connection, nowMs: number): Action {
  return {
    label: l10n.t("$(arrow-swap) Set {0} as Active Connection", connectionPlace(other)),
    description: connectionStateText(other, nowMs),
    value: ["tradingRpc.connection.use", other.record.id],
  };
}

function checkAgainItem(live: LiveConnection, entry: ActivityEntry): Action {
  return {
    label: l10n.t("$(question) Check Again: {0}", plain.name(entry.intent.words.target)),
    description: live.place,
    detail: l10n.t("The outcome is unknown."),
    value: async () => {
      await live.gate.checkAgain(entry.id);
    },
  };
}
