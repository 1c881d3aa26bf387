import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Question } from "../../actions/intent/question.ts";
import { type Failure, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { INVALID_CREDENTIALS } from "../../catalogue/codes.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import { isLoopback } from "../../rpc/address.ts";
import type { Credentials } from "../../session/session.ts";
import type { ReplayedFile } from "../../recording/recording.ts";
import { SIMULATOR_ID, simulatorRecord, type ConnectionRecord, type GrantType } from "../../state/records.ts";
import type { BuiltInSimulator } from "./builtInSimulator.ts";
import { connectionRecordOf, draftOfRecord, type ConnectionDraft } from "./draft.ts";
import type { AskedConnection, ConnectionForm, FormComplaint } from "./form.ts";
import type { SecretStore } from "./credentials.ts";
import type { Access } from "../../actions/connection/liveConnections.ts";
import type { Dialogs, ProgressFrame } from "../editor/dialogs.ts";
import type { Ui } from "../ui.ts";

/** Opens connections, with kept or with typed credentials, which are tried at the server before they are kept. */
export interface ConnectionSignIn {
  /**
   * Opens a saved connection and makes it the active one. Asks for its secret when none is kept. True once it is ready.
   */
  open(id: string): Promise<boolean>;
  /**
   * Opens the connection of the simulator with a replay, instead of the simulator or replay that is there. Throws
   * `cannotConnect` for a recording that is refused; what is there stays then.
   */
  openReplay(replay: ReplayedFile): Promise<boolean>;
  /** Opens a saved connection without asking; does nothing if it would have to ask. */
  openQuietly(id: string): Promise<void>;
  /** Asks for a new connection, or for changes of one, and opens it. */
  edit(start: ConnectionDraft, title: Plain): Promise<boolean>;
}

type ConnectionSignInPorts = Pick<Ui, "connections" | "liveConnections" | "dialogs" | "notices" | "ask" | "mask"> & {
  /** Asks for a connection step by step; that part of the program is loaded with its first use. */
  readonly askConnection: (form: ConnectionForm, dialogs: Dialogs) => Promise<AskedConnection | undefined>;
  readonly secrets: SecretStore;
  readonly simulator: Pick<BuiltInSimulator, "start">;
  /** Called before a secret is read or asked for. */
  readonly warnOfHost: () => void;
};

export function createConnectionSignIn(ports: ConnectionSignInPorts): ConnectionSignIn {
  const begin = (record: ConnectionRecord, access: Access): LiveConnection => {
    const live = ports.liveConnections.create(record, access);
    ports.liveConnections.adopt(live);
    live.connect();
    return live;
  };
  const signIn: ConnectionSignIn = {
    async open(id) {
      const { record } = ports.connections.find(id) ?? {};
      if (record === undefined) throw refused(l10n.t("This connection doesn't exist anymore."));
      const present = ports.liveConnections.find(id);
      if (present !== undefined && !isSecretRefused(present.state)) {
        await ports.connections.choose(id);
        present.connect();
        return await finish(present, ports);
      }
      if (present !== undefined && id === SIMULATOR_ID) {
        // Its key was made when it started, so the user cannot enter another one.
        if (!(await ports.ask(newSimulatorQuestion(present)))) return false;
        if (ports.liveConnections.find(id) === present) ports.liveConnections.close(id);
        return await signIn.open(id);
      }
      const access = present === undefined ? await accessOf(record, ports) : undefined;
      if (access === undefined) {
        await refuseOtherAddress(record, ports);
        return await askAgain(record, present, ports);
      }
      await ports.connections.choose(id);
      return await finish(begin(recordOf(record, access), access), ports);
    },
    async openReplay(replay) {
      const access = await simulatorAccess(ports, replay);
      await ports.connections.choose(SIMULATOR_ID);
      return await finish(begin({ ...simulatorRecord(), name: l10n.t("Replay") }, access), ports);
    },
    async openQuietly(id) {
      const { record } = ports.connections.find(id) ?? {};
      if (record === undefined || ports.liveConnections.find(id) !== undefined) return;
      const access = await accessOf(record, ports, true);
      if (access !== undefined) begin(recordOf(record, access), access);
    },
    edit: async (start, title) => await askAndOpen({ title, start }, ports),
  };
  return signIn;
}

/** Returns a record as it is while the connection is open: the simulator's says whether it plays the gateway. */
function recordOf(record: ConnectionRecord, { credentials }: Access): ConnectionRecord {
  if (record.id !== SIMULATOR_ID || credentials.kind !== "cdp_key") return record;
  return { ...record, name: l10n.t("Simulator (gateway)"), grant: "cdp_key", clientId: credentials.clientId };
}

/** Returns the confirmation before a simulator that refuses its own key ends, with everything in it. */
function newSimulatorQuestion({ state, record }: LiveConnection): Question {
  const refusal = state.status === "locked" ? sentenceOf(state.failure, record) : "";
  return {
    kind: "modal",
    message: l10n.t("Start a new simulator?"),
    detail: plain.text(
      l10n
        .t(
          "The running simulator rejects its own API key. Starting a new simulator deletes its orders and all its other data. {0}",
          refusal,
        )
        .trim(),
    ),
    confirm: l10n.t("Start New Simulator"),
    keep: l10n.t("Keep Simulator"),
  };
}

/**
 * Whether the exchange refused the secret, as only it can. If another account was signed in, the user's confirmation is
 * enough.
 */
function isSecretRefused(state: LiveConnection["state"]): boolean {
  return state.status === "locked" && state.failure.kind === "exchange";
}

/** Asks for a refused secret again; everything else of the connection stays as it is. */
async function askAgain(
  record: ConnectionRecord,
  refused: LiveConnection | undefined,
  ports: ConnectionSignInPorts,
): Promise<boolean> {
  const complaint = refused?.state.status === "locked" ? sentenceOf(refused.state.failure, record) : undefined;
  const title = l10n.t("Sign In to {0}", plain.text(record.name));
  return await askAndOpen({ title, start: draftOfRecord(record), only: ["secret", "keeping"], complaint }, ports);
}

/** Asks for a connection, tries it at the server, saves it, and opens it. False when the user left. */
async function askAndOpen(
  form: Pick<ConnectionForm, "title" | "start" | "only" | "complaint">,
  ports: ConnectionSignInPorts,
): Promise<boolean> {
  const { connections, liveConnections, secrets, ask, mask } = ports;
  const others = connections.list.filter(({ record }) => record.id !== form.start.id);
  const answered = await ports.askConnection(
    {
      ...{ ...form, ask, mask },
      takenNames: others.map(({ record }) => record.name),
      async hasSecretFor(draft) {
        const saved = connections.find(draft.id)?.record;
        if (saved === undefined || saved.clientId !== draft.clientId || draft.grant === "none") return false;
        if (secretKind(saved.grant) !== secretKind(draft.grant)) return false;
        // What cannot be read is typed again.
        return (await secrets.read(connectionRecordOf(draft)).catch(() => undefined)) !== undefined;
      },
      check: async (draft) => await tryOut(draft, ports),
    },
    ports.dialogs,
  );
  if (answered === undefined) return false;
  const { draft, keeping, live } = answered;
  const record = connectionRecordOf(draft);
  try {
    await connections.put(record);
    if (keeping === "stored") await secrets.store(record, draft.secret);
    else if (keeping === "thisWindow") await secrets.remember(record, draft.secret);
  } catch (error) {
    live.dispose();
    throw error;
  }
  liveConnections.adopt(live);
  await connections.choose(record.id);
  return true;
}

/** Returns the kind of the secret of a way to sign in: what is kept for one is not offered for another. */
function secretKind(grant: GrantType): "private_key" | "cdp_key" | "other" {
  return grant === "private_key" || grant === "cdp_key" ? grant : "other";
}

/** Signs in with a draft. Returns the connection, or why the server did not let it in. */
async function tryOut(draft: ConnectionDraft, ports: ConnectionSignInPorts): Promise<LiveConnection | FormComplaint> {
  const record = connectionRecordOf(draft);
  if (!isLoopback(record.url)) ports.warnOfHost();
  const secret = draft.secret === "" ? await ports.secrets.read(record) : draft.secret;
  if (secret !== undefined) ports.mask(secret);
  const live = ports.liveConnections.create(record, {
    url: record.url,
    credentials: credentialsOf(record, secret ?? ""),
  });
  const failure = await settle(live, record, "try", ports);
  if (failure === undefined) return live;
  live.dispose();
  return { failure, sentence: sentenceOf(failure, record) };
}

/**
 * Refuses an address that changed under a stored secret: this window did not change it, so the user has to type the
 * secret again. Throws `refused`, with both addresses.
 */
async function refuseOtherAddress(record: ConnectionRecord, { secrets }: ConnectionSignInPorts): Promise<void> {
  const origin = await secrets.otherOrigin(record);
  if (origin === undefined) return;
  const words = [
    plain.name(record.name),
    plain.text(new URL(origin).host),
    plain.text(new URL(record.url).host),
  ] as const;
  throw refused(
    l10n.t(
      "The secret of {0} was stored for {1}, but the connection now points to {2}. The secret was not sent there. If you didn't change the address, remove the connection and replace the API key. If you did, use Edit Connection… to enter it again.",
      ...words,
    ),
  );
}

/**
 * Returns the access; undefined if the user has to type a secret first. `isQuiet`: also undefined if the user would
 * have to be asked.
 */
async function accessOf(
  record: ConnectionRecord,
  ports: ConnectionSignInPorts,
  isQuiet = false,
): Promise<Access | undefined> {
  if (record.id === SIMULATOR_ID) return await simulatorAccess(ports);
  if (record.grant === "none") return { url: record.url, credentials: { kind: "none" } };
  if (!isLoopback(record.url)) ports.warnOfHost();
  const secret = await ports.secrets.read(record, isQuiet);
  return secret === undefined ? undefined : { url: record.url, credentials: credentialsOf(record, secret) };
}

async function simulatorAccess(
  { liveConnections, simulator, notices }: ConnectionSignInPorts,
  replay?: ReplayedFile,
): Promise<Access> {
  return await simulator.start(() => {
    liveConnections.close(SIMULATOR_ID);
    notices.showLinkFailure(
      { kind: "connectionLost", trouble: "other", detail: l10n.t("the simulator has stopped") },
      l10n.t("the simulator"),
    );
  }, replay);
}

function credentialsOf({ grant, clientId }: ConnectionRecord, secret: string): Credentials {
  switch (grant) {
    case "client_signature":
    case "client_credentials":
      return { kind: grant, clientId, clientSecret: secret };
    case "private_key":
    case "cdp_key":
      return { kind: grant, clientId, privateKey: secret };
    case "token":
      return { kind: "token", accessToken: secret };
    case "none":
      return { kind: "none" };
  }
}

/** Waits until the connection is ready, and says why if it is not. */
async function finish(live: LiveConnection, ports: ConnectionSignInPorts): Promise<boolean> {
  const failure = await settle(live, live.record, "open", ports);
  if (failure === undefined) return true;
  // What the exchange answers does not say to whom.
  if (failure.kind !== "stopped")
    ports.notices.showLinkFailure(failure, failure.kind === "exchange" ? live.place : serverOf(live.record));
  return false;
}

/** Resolves to undefined once it is ready, or to the reason why not. The user can give up a trial. */
async function settle(
  live: LiveConnection,
  record: ConnectionRecord,
  purpose: "try" | "open",
  { dialogs }: ConnectionSignInPorts,
): Promise<Failure | undefined> {
  const title = l10n.t("Connecting to {0}…", serverOf(record));
  const frame: ProgressFrame =
    purpose === "try"
      ? { where: "message", title, onCancel: () => live.disconnect() }
      : { where: { viewId: "tradingRpc.orders" }, title };
  return await dialogs.progress(
    frame,
    async () =>
      await new Promise<Failure | undefined>((resolve) => {
        const look = (): void => {
          const { state } = live;
          if (state.status === "ready") resolve(undefined);
          else if (state.status === "locked" || state.status === "waiting") resolve(state.failure);
          else if (state.status === "off") resolve({ kind: "stopped", wasSent: false });
          else return;
          listener.dispose();
        };
        const listener = live.onDidChangeState(look);
        if (live.state.status === "off") live.connect();
        else look();
      }),
  );
}

function sentenceOf(failure: Failure, record: ConnectionRecord): Plain {
  if (record.grant === "private_key" && failure.kind === "exchange" && failure.code === INVALID_CREDENTIALS)
    return l10n.t(
      "{0} rejected this private key for client ID {1} (error {2}). Check that the API key was created here with its public key. Also check that the clock of this computer is right.",
      serverOf(record),
      plain.name(record.clientId),
      failure.code,
    );
  if (record.grant === "cdp_key" && failure.kind === "exchange" && failure.code === INVALID_CREDENTIALS)
    return l10n.t(
      "{0} rejected the key {1} (error {2}). Check that the key is still there, is allowed from this IP address, and has the permissions view and trade.",
      serverOf(record),
      plain.name(record.clientId),
      failure.code,
    );
  return linkFailureText(failure, serverOf(record));
}

function serverOf(record: ConnectionRecord): Plain {
  return record.url === "" ? plain.text(record.name) : plain.text(new URL(record.url).host);
}
