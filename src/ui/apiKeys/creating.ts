import { createKey, type NewKey, KEY_METHODS } from "../../actions/changes/apiKeys.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { type Outcome, isSettling } from "../../actions/judge/outcome.ts";
import { CallError, toFailure, type Failure, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { keyDiffLines } from "../../present/apiKeys/keyDiff.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import { isCodeRefused } from "../../present/outcomes/outcomeText.ts";
import type { ApiKey } from "../../state/apiKeys.ts";
import { pickConnection } from "../connections/picks.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { answerOf } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";
import { askNewKey, wishOf, type KeyForm } from "./steps.ts";
import { parseObject } from "../../base/json.ts";
import type { ActivityEntry } from "../../actions/journal/activity.ts";
import { DisposableList } from "../../base/emitter.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import type { OneTimeSecret } from "../../rpc/oneTimeSecret.ts";
import { createPrivateKeyPem, publicKeyOf } from "../../session/privateKey.ts";
import { SIMULATOR_ID } from "../../state/records.ts";
import { newName, saveAsConnection, type NewConnectionPorts } from "../connections/newSecrets.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import type { OneTimeSecrets } from "../editor/oneTimeSecrets.ts";

export type CreateKeyPorts = Pick<Ui, "dialogs" | "liveConnections"> & {
  readonly notices: Pick<Notices, "showOutcome" | "showError">;
  readonly settings: Pick<Settings, "connection">;
};

/** Makes the command that creates an API key: on the connection of a row, or on one that the user chooses. */
export function createKeyCreation(ports: CreateKeyPorts): Handlers {
  return {
    "tradingRpc.apiKey.create": async (row) => {
      const asked = await askForNewKey(l10n.t("Create API Key"), row, ports);
      if (asked !== undefined) await createApiKey(asked.live, asked.wanted, { origin: "palette" }, ports);
    },
  };
}

/** Asks what a new key is called and may do, and where it is created. Undefined when the user left. */
async function askForNewKey(
  title: Plain,
  row: unknown,
  ports: Pick<Ui, "liveConnections" | "dialogs">,
): Promise<{ readonly live: LiveConnection; readonly wanted: NewKey } | undefined> {
  const connections = openAccounts(ports.liveConnections);
  const [ofRow] = typeof row === "string" ? rowIdParts(row) : [];
  const live =
    connections.find(({ record }) => record.id === ofRow) ?? (await pickConnection(ports, { title, connections }));
  if (live === undefined) return undefined;
  const form: KeyForm = {
    title: l10n.t("{0} on {1}", title, live.place),
    key: { id: 0 },
    isWithin: false,
    caution: "",
  };
  const walked = await askNewKey(form, { fields: [], wish: {} }, ports.dialogs);
  if (walked.kind !== "next") return undefined;
  const { max_scope: scope = "", ...wish } = wishOf(walked.draft);
  return { live, wanted: { max_scope: scope, ...wish } };
}

/** What the creation of a key needs beside the key. */
export interface KeyCreation {
  readonly origin: Intent["origin"];
  /** Further lines of the confirmation. */
  readonly lines?: readonly Plain[];
  /** Called with the outcome of each attempt: the user may try again with another 2FA code. */
  readonly onOutcome?: (outcome: Outcome) => Promise<void>;
}

/**
 * Creates a key on a connection, after a confirmation, and shows the outcome. The client secret of the response goes to
 * the place that the user has chosen; a key with a public key has none.
 */
export async function createApiKey(
  live: LiveConnection,
  wanted: NewKey,
  creation: KeyCreation,
  ports: CreateKeyPorts,
): Promise<Outcome> {
  // A response that is lost is looked up by what was not listed before.
  await live.use();
  if (live.state.status !== "ready") throw new CallError({ kind: "notConnected" });
  await ports.dialogs.progress({ where: { viewId: "tradingRpc.apiKeys" } }, async () => await live.apiKeys.refresh());
  const { status, items } = live.apiKeys.snapshot;
  const listed = [...items.values()].flatMap(({ id, source }) => (source === "typed" ? [] : [id]));
  const intent = createKey(wanted, {
    origin: creation.origin,
    detail: [...newKeyLines(wanted), ...(creation.lines ?? [])],
    idsBefore: status === "live" ? listed : undefined,
  });
  return await submitKeyChange(live, intent, { ...ports, ...creation });
}

/** Hands a change of a key to the gate, shows its outcome, and hands that on. */
export async function submitKeyChange(
  live: LiveConnection,
  intent: Intent,
  ports: Pick<CreateKeyPorts, "notices" | "settings"> & Pick<KeyCreation, "onOutcome">,
): Promise<Outcome> {
  const { notices, settings } = ports;
  const outcome = await live.gate.submit(intent, { timeoutMs: settings.connection().requestTimeoutMs });
  // A new code needs a new challenge: the whole change is confirmed and sent again.
  const again = isCodeRefused(outcome)
    ? () => void submitKeyChange(live, intent, ports).catch((error: unknown) => notices.showError(error))
    : undefined;
  notices.showOutcome(live, intent, outcome, again);
  await ports.onOutcome?.(outcome);
  return outcome;
}

/** Returns what a new key may do and is called, a line for each field and area. */
function newKeyLines({ public_key: publicKey, ...wish }: Partial<NewKey>): Plain[] {
  return [
    ...keyDiffLines(NOTHING, wish, { isInUse: false, seenAt: undefined }),
    ...(publicKey === undefined ? [] : [plain`public_key: ${plain.text(publicKey.replaceAll(/\s+/g, " ").trim())}`]),
  ];
}

/** A key before it exists. */
const NOTHING: ApiKey = { id: 0, name: "", max_scope: "", enabled_features: [] };

type KeyPairPorts = CreateKeyPorts & NewConnectionPorts;

/** Where a private key goes: into a new connection, stored or in this window, or nowhere after the user has seen it. */
type KeyPlace = "stored" | "thisWindow" | "shown";

/** A key pair whose public key is on its way to the exchange. */
interface KeyPair {
  readonly live: LiveConnection;
  /** The name of the API key; may be empty. */
  readonly name: string;
  readonly publicKey: string;
  readonly privateKey: OneTimeSecret;
  readonly place: KeyPlace;
}

/**
 * Makes the command that creates an API key with an Ed25519 key pair. Only the public key leaves this computer; the
 * private key goes to its place once the exchange has made the API key.
 */
export function createKeyPairCreation(ports: KeyPairPorts): Handlers {
  return {
    "tradingRpc.apiKey.createKeyPair": async () => {
      const title = l10n.t("Create Key Pair");
      const asked = await askForNewKey(title, undefined, ports);
      if (asked === undefined) return;
      const { live, wanted } = asked;
      const place = await choosePlace(l10n.t("{0} on {1}", title, live.place), live, ports);
      if (place !== undefined) await createPair(live, wanted, place, ports);
    },
  };
}

async function choosePlace(title: Plain, live: LiveConnection, ports: KeyPairPorts): Promise<KeyPlace | undefined> {
  // A simulator ends with its connection: a saved one would lead nowhere.
  if (live.record.id === SIMULATOR_ID) return "shown";
  const choices: readonly Choice<KeyPlace>[] = [
    {
      label: plain`$(save) ${l10n.t("Save as a New Connection")}`,
      detail: l10n.t("Saves the private key in VS Code's secret storage. It isn't shown."),
      value: "stored",
    },
    {
      label: plain`$(clock) ${l10n.t("Keep Until This Window Closes")}`,
      detail: l10n.t("Keeps the private key in memory, as a new connection. The API key can't be used after that."),
      value: "thisWindow",
    },
  ];
  const placeholder = l10n.t("Where should the private key be kept?");
  return answerOf(await ports.dialogs.askChoice({ title, placeholder, choices }));
}

async function createPair(live: LiveConnection, wanted: NewKey, place: KeyPlace, ports: KeyPairPorts): Promise<void> {
  const pem = createPrivateKeyPem();
  const name = wanted.name ?? "";
  const pair: KeyPair = {
    live,
    name,
    publicKey: publicKeyOf(pem),
    privateKey: ports.oneTimeSecrets.enclose(pem),
    place,
  };
  await createApiKey(
    live,
    { ...wanted, public_key: pair.publicKey },
    {
      origin: "palette",
      lines: [placeLine(pair, ports)],
      onOutcome: async (outcome) => await settle(pair, outcome, ports),
    },
    ports,
  );
}

/** Returns what the confirmation says about the private key. */
function placeLine({ place, name }: KeyPair, ports: KeyPairPorts): Plain {
  switch (place) {
    case "stored":
      return l10n.t(
        "Only the public key is sent. The private key is saved in VS Code's secret storage, as the connection {0}.",
        plain.name(newName({ name }, ports)),
      );
    case "thisWindow":
      return l10n.t(
        "Only the public key is sent. The private key is kept until this window closes, as the connection {0}.",
        plain.name(newName({ name }, ports)),
      );
    case "shown":
      return l10n.t("Only the public key is sent. The private key is shown once and isn't saved.");
  }
}

/** Brings the private key to its place, or forgets it. While the outcome is unknown, the window keeps it. */
async function settle(pair: KeyPair, outcome: Outcome, ports: KeyPairPorts): Promise<void> {
  if (outcome.kind === "unknown") followOutcome(pair, ports);
  else if (isMade(outcome)) await bring(pair, clientIdIn(outcome), ports);
  // With another 2FA code the same public key is sent again.
  else if (!isCodeRefused(outcome)) ports.oneTimeSecrets.forget(pair.privateKey);
}

function isMade(outcome: Outcome): boolean {
  return outcome.kind === "confirmed" || outcome.kind === "confirmedOther";
}

/** Waits for what reading finds out, or a late response says, and offers to show the private key until then. */
function followOutcome(pair: KeyPair, ports: KeyPairPorts): void {
  const { live, privateKey } = pair;
  const { dialogs, oneTimeSecrets, liveConnections, notices } = ports;
  const disposables = new DisposableList();
  const fate = (): Fate | undefined => fateOf(live.gate.activity.find((entry) => isAbout(entry, pair)));
  const finish = (task: () => Promise<void>): void => {
    if (disposables.isDisposed) return;
    disposables.dispose();
    void task().catch((error: unknown) => notices.showError(error));
  };
  const forget = (): void => {
    disposables.dispose();
    oneTimeSecrets.forget(privateKey);
  };
  const look = (): void => {
    if (fate() === "made") finish(async () => await bring(pair, await findClientId(pair), ports));
    else if (fate() === "refused") forget();
  };
  const show = (reason: Plain): void => {
    finish(async () => {
      await oneTimeSecrets.show(privateKey, wordsOf(pair, undefined, [reason]));
    });
  };
  disposables.add(live.gate.onDidChangeActivity(look));
  disposables.add(
    liveConnections.onDidClose((closed) => {
      // Until then, a response that is late could still say otherwise.
      if (closed === live && fate() === "notListed") forget();
      else if (closed === live)
        show(l10n.t("The connection was closed before it was known whether the exchange created the API key."));
    }),
  );
  look();
  if (fate() !== undefined) return;
  dialogs.tell(
    "warning",
    l10n.t(
      "It is unknown whether the exchange created {0}. This window keeps the private key until that is known.",
      keyWords(pair),
    ),
    [
      {
        title: l10n.t("Show Private Key"),
        run: () => show(l10n.t("It isn't known yet whether the exchange created the API key.")),
      },
    ],
  );
}

function isAbout({ intent: { method, paramsText } }: ActivityEntry, { publicKey }: KeyPair): boolean {
  return method === KEY_METHODS.create && parseObject(paramsText)?.["public_key"] === publicKey;
}

/** Whether a key was made, as the exchange said, or as reading its list found out. */
type Fate = "made" | "refused" | "notListed";

/** Returns whether the key was made; undefined while that is unknown. */
function fateOf({ outcome, verdicts }: Partial<ActivityEntry> = {}): Fate | undefined {
  if (outcome !== undefined && outcome.kind !== "unknown") return isMade(outcome) ? "made" : "refused";
  const settled = verdicts?.findLast(isSettling);
  if (settled === undefined) return undefined;
  return settled.kind === "applied" ? "made" : "notListed";
}

function clientIdIn(outcome: Outcome | undefined): string | undefined {
  const { result } = outcome !== undefined && "response" in outcome ? (outcome.response ?? {}) : {};
  const { client_id: id } = (result ?? {}) as { readonly client_id?: unknown };
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Returns the client ID of the made key: from a late response, else that of the listed key with this public key. */
async function findClientId(pair: KeyPair): Promise<string | undefined> {
  const { live, publicKey } = pair;
  const told = clientIdIn(live.gate.activity.find((entry) => isAbout(entry, pair))?.outcome);
  if (told !== undefined) return told;
  const listed = (): string | undefined =>
    [...live.apiKeys.snapshot.items.values()].find(({ key }) => bareKey(key?.public_key ?? "") === bareKey(publicKey))
      ?.key?.client_id;
  if (listed() === undefined) await live.apiKeys.refresh();
  return listed();
}

/** Returns the base64 of a public key, which the exchange may show without the lines around it. */
function bareKey(pem: string): string {
  return pem.replaceAll(/-----[A-Z ]+-----|\s/g, "");
}

/** Brings the private key of a key that was made to its place. What cannot be kept is shown. */
async function bring(pair: KeyPair, clientId: string | undefined, ports: KeyPairPorts): Promise<void> {
  const { oneTimeSecrets } = ports;
  if (pair.place === "shown") {
    await oneTimeSecrets.show(pair.privateKey, wordsOf(pair, clientId, []));
    return;
  }
  const failure = await oneTimeSecrets
    .hand(pair.privateKey, async (pem) => await save(pem, pair, { clientId, ports }))
    .then(() => undefined, toFailure);
  if (failure === undefined) oneTimeSecrets.forget(pair.privateKey);
  else await oneTimeSecrets.show(pair.privateKey, wordsOf(pair, clientId, [notSavedText(failure)]));
}

function notSavedText(failure: Failure): Plain {
  return l10n.t("It couldn't be saved: {0}", linkFailureText(failure));
}

/** Saves a private key as a new connection to the server of the one that created it. */
async function save(
  pem: string,
  { live, name, place }: KeyPair,
  { clientId, ports }: { readonly clientId: string | undefined; readonly ports: KeyPairPorts },
): Promise<void> {
  if (clientId === undefined) throw refused(l10n.t("The client ID of the API key isn't known."));
  const isStored = place === "stored";
  const said = (connection: Plain): Plain =>
    isStored
      ? l10n.t("The private key was saved as the connection {0}.", connection)
      : l10n.t("The private key is kept until this window closes, as the connection {0}.", connection);
  await saveAsConnection({ live, name, clientId, grant: "private_key", isStored, said }, pem, ports);
}

function keyWords({ name }: KeyPair): Plain {
  return name === "" ? l10n.t("the new API key") : l10n.t("API key {0}", plain.name(name));
}

/** Returns the words of the dialog that shows the private key. */
function wordsOf(
  pair: KeyPair,
  clientId: string | undefined,
  reasons: readonly Plain[],
): Parameters<OneTimeSecrets["show"]>[1] {
  return {
    message: l10n.t("Private key of {0} on {1}", keyWords(pair), pair.live.place),
    detail: [
      ...reasons,
      l10n.t("Copy it now. Nothing can show it again after this dialog is closed."),
      ...(clientId === undefined ? [] : [l10n.t("Client ID: {0}", plain.name(clientId))]),
      l10n.t("Private key:"),
    ],
    closing: l10n.t("Close without copying the private key?"),
  };
}
