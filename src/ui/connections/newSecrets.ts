import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import { keyName } from "../../actions/changes/apiKeys.ts";
import { parseObject } from "../../base/json.ts";
import { wishText, type Intent } from "../../actions/intent/intent.ts";
import type { SecretPlace } from "../../actions/gate/secretPlace.ts";
import { toFailure, type Failure, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import type { Connections } from "../../state/connections.ts";
import { freeName, isSameKey, MAX_NAME_LENGTH, SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import type { OneTimeSecrets, SecretWords } from "../editor/oneTimeSecrets.ts";
import { answerOf } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";
import type { SecretStore } from "./credentials.ts";

/** The places of client secrets that requests make: a connection's stored secret, or a dialog that shows it once. */
export interface NewSecrets {
  /**
   * Asks where the secret of a request goes, and prepares that. Resolves to the reason why the request must not be
   * sent: the user left, or the connection is closed.
   */
  prepare(connectionId: string, intent: Intent): Promise<SecretPlace | Failure>;
}

/** What it takes to save a secret as a new connection. */
export interface NewConnectionPorts extends Pick<Ui, "dialogs"> {
  readonly connections: Pick<Connections, "list" | "put">;
  readonly secrets: Pick<SecretStore, "store" | "remember">;
  readonly oneTimeSecrets: OneTimeSecrets;
  /** Opens a saved connection. */
  readonly connect: (id: string) => void;
  /** Makes the id of a new connection. */
  readonly newId: () => string;
}

interface NewSecretsPorts extends NewConnectionPorts {
  readonly liveConnections: Pick<LiveConnections, "find" | "useSecret">;
  readonly secrets: Pick<SecretStore, "store" | "replace" | "remember">;
}

/** Where a secret goes: into a connection, an existing or a new one, or nowhere after the user has seen it. */
type Choosing = "save" | "show";

/** The key whose secret is made. */
interface Subject {
  readonly live: LiveConnection;
  readonly intent: Intent;
  /** The name of the key, else its ID; empty for a new key without a name. */
  readonly name: string;
  /** The client ID; undefined where it is not known before the response. */
  readonly clientId: string | undefined;
  readonly isNew: boolean;
}

export function createNewSecrets(ports: NewSecretsPorts): NewSecrets {
  return {
    async prepare(connectionId, intent) {
      const live = ports.liveConnections.find(connectionId);
      if (live === undefined) return { kind: "notConnected" };
      const subject = await subjectOf(live, intent);
      const chosen = await choose(subject, ports);
      if (chosen === undefined) return { kind: "declined" };
      return {
        lines: linesOf(subject, chosen, ports),
        ...(isInUse(subject) ? { typed: subject.name } : {}),
        take: async (response) => await take(response, subject, chosen, ports),
        release: async () => await Promise.resolve(),
      };
    },
  };
}

/** Returns the key of a request. One that no view has read is read first, so that the questions say whose it is. */
async function subjectOf(live: LiveConnection, intent: Intent): Promise<Subject> {
  const { id, name } = parseObject(intent.paramsText) ?? {};
  if (typeof id !== "number")
    return { live, intent, name: typeof name === "string" ? plain.name(name) : "", clientId: undefined, isNew: true };
  const known = (): KnownKey["key"] => live.apiKeys.snapshot.items.get(String(id))?.key;
  if (known() === undefined) await live.apiKeys.refresh();
  const key = known();
  return { live, intent, name: keyName({ id, key }), clientId: key?.client_id, isNew: false };
}

/** Whether the connection that sends it has signed in with the key, as far as that is known. */
function isInUse({ live: { state }, clientId }: Subject): boolean {
  return clientId !== undefined && state.status === "ready" && state.identity.clientId === clientId;
}

/** Returns the saved connections that sign in with a key at the server of the one that sends. */
function usersOf(
  live: LiveConnection,
  clientId: string | undefined,
  { connections }: NewSecretsPorts,
): ConnectionRecord[] {
  if (clientId === undefined) return [];
  return connections.list.flatMap(({ record }) => (isSameKey(record, { ...live.record, clientId }) ? [record] : []));
}

async function choose(subject: Subject, ports: NewSecretsPorts): Promise<Choosing | undefined> {
  const { live, intent } = subject;
  const users = usersOf(live, subject.clientId, ports);
  const isSimulator = live.record.id === SIMULATOR_ID;
  // A simulator ends with its connection: a saved one would lead nowhere.
  if (isSimulator && !isInUse(subject)) return "show";
  const save: Choice<Choosing> =
    users.length > 0 || isInUse(subject)
      ? {
          label: plain`$(save) ${l10n.t("Update {0}", isSimulator ? live.place : namesOf(users))}`,
          detail: isSimulator
            ? l10n.t("Keeps it until the simulator ends. It isn't shown.")
            : l10n.t("Replaces the saved client secret. It isn't shown."),
          value: "save",
        }
      : {
          label: plain`$(save) ${subject.isNew ? l10n.t("Save as a New Connection") : l10n.t("Save as a Connection")}`,
          detail: l10n.t("Saves it in VS Code's secret storage. It isn't shown."),
          value: "save",
        };
  const show: Choice<Choosing> = {
    label: plain`$(eye) ${l10n.t("Show It Once")}`,
    detail: l10n.t("Shows it in a dialog after the response. It isn't saved and can't be shown again."),
    value: "show",
  };
  return answerOf(
    await ports.dialogs.askChoice({
      title: l10n.t("{0} on {1}", plain.text(wishText(intent.words), MAX_TITLE), live.place),
      placeholder: l10n.t("Where should the new client secret go?"),
      choices: [save, show],
    }),
  );
}

const MAX_TITLE = 100;

/** Returns what the confirmation says about the secret. */
function linesOf(subject: Subject, chosen: Choosing, ports: NewSecretsPorts): Plain[] {
  const { live, clientId } = subject;
  const users = usersOf(live, clientId, ports);
  const isKept = isInUse(subject) ? [l10n.t("{0} signs in again with the new client secret.", live.place)] : [];
  if (chosen === "show")
    return [
      l10n.t("The new client secret is shown once and isn't saved. Nothing can show it again."),
      ...isKept,
      ...(users.length === 0
        ? []
        : [
            l10n.t(
              "The saved client secret of {0} stops working. Use Edit Connection… to enter the new one.",
              namesOf(users),
            ),
          ]),
    ];
  if (live.record.id === SIMULATOR_ID) return isKept;
  if (users.length > 0)
    return [l10n.t("The new client secret is saved for {0}. It isn't shown.", namesOf(users)), ...isKept];
  return [
    subject.isNew
      ? l10n.t(
          "The client secret is saved in VS Code's secret storage, as the connection {0}.",
          plain.name(newName(subject, ports)),
        )
      : l10n.t("The new client secret is saved in VS Code's secret storage. It isn't shown."),
    ...isKept,
  ];
}

function namesOf(records: readonly ConnectionRecord[]): Plain {
  return plain.join(
    records.map(({ name }) => plain.name(name)),
    ", ",
  );
}

/** Returns the name of a new connection for an API key; `name`: of the key, or empty. */
export function newName(
  { name }: Pick<Subject, "name">,
  { connections }: Pick<NewSecretsPorts, "connections">,
): string {
  const wanted = (name === "" ? l10n.t("key") : name).slice(0, MAX_NAME_LENGTH - 3);
  return freeName(
    wanted,
    connections.list.map(({ record }) => record.name),
  );
}

/** Brings the secret of a response to its place. What cannot be kept is shown. */
async function take(
  response: MaskedResponse,
  subject: Subject,
  chosen: Choosing,
  ports: NewSecretsPorts,
): Promise<void> {
  const { live } = subject;
  const { oneTime } = response;
  if (oneTime === undefined) {
    ports.dialogs.tell("warning", l10n.t("The response of {0} has no client secret.", live.place));
    return;
  }
  const { client_id: id } = (response.result ?? {}) as { readonly client_id?: unknown };
  const clientId = typeof id === "string" && id !== "" ? id : undefined;
  const used =
    clientId === undefined
      ? []
      : ports.oneTimeSecrets.hand(oneTime, (value) => ports.liveConnections.useSecret(live, clientId, value));
  let failure: Failure | undefined;
  try {
    if (chosen === "save")
      await ports.oneTimeSecrets.hand(oneTime, async (value) => await save(value, subject, clientId, ports));
  } catch (thrown) {
    failure = toFailure(thrown);
  }
  if (chosen === "save" && failure === undefined) ports.oneTimeSecrets.forget(oneTime);
  else await ports.oneTimeSecrets.show(oneTime, wordsOf(subject, clientId, failure));
  await Promise.all(used.map(async (each) => await signedInAgain(each, ports)));
}

/** Saves a secret for the connections that use its key, or as a new connection. `clientId`: as the response has it. */
async function save(
  value: string,
  subject: Subject,
  clientId: string | undefined,
  ports: NewSecretsPorts,
): Promise<void> {
  const { live } = subject;
  const { secrets, dialogs } = ports;
  if (clientId === undefined)
    throw refused(l10n.t("The response has no client ID, so there is no connection to save it for."));
  // The built-in simulator's connection keeps it as long as it is open.
  if (live.record.id === SIMULATOR_ID) return;
  const users = usersOf(live, clientId, ports);
  for (const record of users)
    await inWindowAtLeast(record, value, secrets, async () => await secrets.replace(record, value));
  if (users.length > 0) {
    dialogs.tell("information", l10n.t("The new client secret was saved for {0}.", namesOf(users)));
    return;
  }
  const { grant } = live.record;
  await saveAsConnection(
    {
      live,
      name: subject.name,
      clientId,
      grant: grant === "client_credentials" ? grant : "client_signature",
      isStored: true,
      said: (name) => l10n.t("The client secret was saved as the connection {0}.", name),
    },
    value,
    ports,
  );
}

/** A new connection to the server of another one, for an API key. */
interface NewConnection extends Pick<ConnectionRecord, "clientId" | "grant"> {
  readonly live: LiveConnection;
  /** The name of the API key; may be empty. */
  readonly name: string;
  /** Whether the secret is kept over restarts, or until this window closes. */
  readonly isStored: boolean;
  /** Returns the sentence that tells of the connection. */
  readonly said: (name: Plain) => Plain;
}

/** Saves a secret as a new connection, and offers to open it. Where it cannot be stored, this window keeps it. */
export async function saveAsConnection(
  { live, name, clientId, grant, isStored, said }: NewConnection,
  value: string,
  ports: NewConnectionPorts,
): Promise<void> {
  const { connections, secrets, dialogs, connect, newId } = ports;
  const { declared, url } = live.record;
  const record = { id: newId(), name: plain.name(newName({ name }, ports)), declared, url, grant, clientId };
  await connections.put(record);
  if (isStored) await inWindowAtLeast(record, value, secrets, async () => await secrets.store(record, value));
  else await secrets.remember(record, value);
  dialogs.tell("information", said(record.name), [{ title: l10n.t("Connect"), run: () => connect(record.id) }]);
}

/** Stores a secret; where that fails, this window keeps it, and the failure is thrown all the same. */
async function inWindowAtLeast(
  record: ConnectionRecord,
  value: string,
  secrets: Pick<SecretStore, "remember">,
  store: () => Promise<void>,
): Promise<void> {
  try {
    await store();
  } catch (thrown) {
    await secrets.remember(record, value).catch(() => undefined);
    throw thrown;
  }
}

function wordsOf({ live, name }: Subject, clientId: string | undefined, failure: Failure | undefined): SecretWords {
  const about = name === "" ? l10n.t("the new API key") : l10n.t("API key {0}", plain.text(name));
  return {
    message: l10n.t("Client secret of {0} on {1}", about, live.place),
    detail: [
      ...(failure === undefined ? [] : [l10n.t("It couldn't be saved: {0}", linkFailureText(failure))]),
      l10n.t("Copy it now. Nothing can show it again after this dialog is closed."),
      ...(clientId === undefined ? [] : [l10n.t("Client ID: {0}", plain.name(clientId))]),
      l10n.t("Client secret:"),
    ],
    closing: l10n.t("Close without copying the client secret?"),
  };
}

/** Waits until a connection has signed in with its new secret, and tells where that was refused. */
async function signedInAgain(live: LiveConnection, { dialogs }: NewSecretsPorts): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      const { status } = live.state;
      if (status === "connecting" || status === "authenticating") return;
      listener.dispose();
      resolve();
    };
    const listener = live.onDidChangeState(look);
    look();
  });
  if (live.state.status === "locked")
    dialogs.tell(
      "error",
      l10n.t("{0} couldn't sign in with the new client secret. {1}", live.place, linkFailureText(live.state.failure)),
    );
}
