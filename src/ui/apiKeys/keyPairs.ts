import { parseObject } from "../../base/json.ts";
import type { ActivityEntry } from "../../actions/activity.ts";
import { KEY_METHODS, type NewKey } from "../../actions/changes/apiKeys.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { isSettling, type Outcome } from "../../actions/outcome.ts";
import { DisposableList } from "../../base/emitter.ts";
import { toFailure, type Failure, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isCodeRefused } from "../../present/outcomes/outcomeText.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import type { OneTimeSecret } from "../../rpc/oneTimeSecret.ts";
import { createPrivateKeyPem, publicKeyOf } from "../../session/privateKey.ts";
import { SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";
import { inWindowAtLeast, newName, type NewConnectionPorts } from "../connections/newSecrets.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import type { Handlers } from "../editor/handler.ts";
import type { SecretDoor } from "../editor/secretDoor.ts";
import { askForNewKey, createApiKey, type CreateKeyPorts } from "./creating.ts";

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
  const result = await ports.dialogs.askChoice({ title, placeholder, choices });
  return result.kind === "next" ? result.value : undefined;
}

async function createPair(live: LiveConnection, wanted: NewKey, place: KeyPlace, ports: KeyPairPorts): Promise<void> {
  const pem = createPrivateKeyPem();
  const name = wanted.name ?? "";
  const pair: KeyPair = { live, name, publicKey: publicKeyOf(pem), privateKey: ports.door.enclose(pem), place };
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
  else if (!isCodeRefused(outcome)) ports.door.forget(pair.privateKey);
}

function isMade(outcome: Outcome): boolean {
  return outcome.kind === "confirmed" || outcome.kind === "confirmedOther";
}

/** Waits for what reading finds out, or a late response says, and offers to show the private key until then. */
function followOutcome(pair: KeyPair, ports: KeyPairPorts): void {
  const { live, privateKey } = pair;
  const { dialogs, door, liveConnections, notices } = ports;
  const disposables = new DisposableList();
  const fate = (): Fate | undefined => fateOf(live.gate.activity.find((entry) => isAbout(entry, pair)));
  const finish = (task: () => Promise<void>): void => {
    if (disposables.isDisposed) return;
    disposables.dispose();
    void task().catch((error: unknown) => notices.showError(error));
  };
  const forget = (): void => {
    disposables.dispose();
    door.forget(privateKey);
  };
  const look = (): void => {
    if (fate() === "made") finish(async () => await bring(pair, await findClientId(pair), ports));
    else if (fate() === "refused") forget();
  };
  const show = (reason: Plain): void => {
    finish(async () => {
      await door.show(privateKey, wordsOf(pair, undefined, [reason]));
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
  const { door } = ports;
  if (pair.place === "shown") {
    await door.show(pair.privateKey, wordsOf(pair, clientId, []));
    return;
  }
  const failure = await door
    .hand(pair.privateKey, async (pem) => await save(pem, pair, { clientId, ports }))
    .then(() => undefined, toFailure);
  if (failure === undefined) door.forget(pair.privateKey);
  else await door.show(pair.privateKey, wordsOf(pair, clientId, [notSavedText(failure)]));
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
  const { connections, secrets, dialogs, connect, newId } = ports;
  const { declared, url } = live.record;
  const record: ConnectionRecord = {
    ...{ id: newId(), name: plain.name(newName({ name }, ports)), declared, url, clientId },
    grant: "private_key",
  };
  await connections.put(record);
  if (place === "thisWindow") await secrets.remember(record, pem);
  else await inWindowAtLeast(record, pem, secrets, async () => await secrets.store(record, pem));
  dialogs.tell(
    "information",
    place === "thisWindow"
      ? l10n.t("The private key is kept until this window closes, as the connection {0}.", plain.name(record.name))
      : l10n.t("The private key was saved as the connection {0}.", plain.name(record.name)),
    [{ title: l10n.t("Connect"), run: () => connect(record.id) }],
  );
}

function keyWords({ name }: KeyPair): Plain {
  return name === "" ? l10n.t("the new API key") : l10n.t("API key {0}", plain.name(name));
}

/** Returns the words of the dialog that shows the private key. */
function wordsOf(
  pair: KeyPair,
  clientId: string | undefined,
  reasons: readonly Plain[],
): Parameters<SecretDoor["show"]>[1] {
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
