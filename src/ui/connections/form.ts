import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { checkAddress, isLoopback } from "../../rpc/address.ts";
import { isGatewayHost } from "../../rpc/gateway.ts";
import { isKeyName } from "../../session/cdpKey.ts";
import {
  credentialProblem,
  freeName,
  isNameTaken,
  MAX_NAME_LENGTH,
  nameProblem,
  presets,
  type Environment,
  type GrantType,
  type Preset,
} from "../../state/records.ts";
import { addressText, environmentWord } from "../../present/connections/connectionWords.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult, StepFrame } from "../editor/dialogSteps.ts";
import { hasKey, type ConnectionDraft, type Keeping } from "./draft.ts";
import { resultAs, walkSteps, type StepAnswer } from "../editor/walkSteps.ts";
import { askKeeping, askSecret, moreOptions, type SecretForm, type SecretStep } from "./secretStep.ts";

export interface ConnectionForm extends SecretForm {
  readonly title: Plain;
  readonly start: ConnectionDraft;
  /** The only steps to show; everything else stays as it is. */
  readonly only?: readonly StepName[];
  /** The error of the last attempt, shown with the first step. */
  readonly complaint?: Plain | undefined;
  /** The names of the other connections. */
  readonly takenNames: readonly string[];
  /** Tries to sign in at the server. Returns the connection, or why it was refused. */
  check(draft: ConnectionDraft): Promise<LiveConnection | FormComplaint>;
}

/** The reason why the server refused the sign-in. */
export interface FormComplaint {
  readonly failure: Failure;
  readonly sentence: Plain;
}

type StepName = "kind" | "url" | "declared" | "name" | "grant" | "clientId" | "secret" | "keeping";

interface Run extends SecretStep {
  readonly form: ConnectionForm;
}

/** The responses, the connection that signed in with them, and the place to keep a new secret, if there is one. */
export interface AskedConnection {
  readonly live: LiveConnection;
  readonly draft: ConnectionDraft;
  readonly keeping: Keeping | undefined;
}

/**
 * Asks for a connection step by step and tries it at the server before anything is kept. Undefined when the user left.
 * Three steps are enough for the usual case: the exchange, the client ID, and the secret. More Options… adds the
 * others: as a button of the text boxes, and in the first list for the keyboard, which doesn't reach such buttons.
 */
export async function askConnection(form: ConnectionForm, dialogs: Dialogs): Promise<AskedConnection | undefined> {
  let draft = form.start;
  let { complaint } = form;
  // The box has what was entered until the server says no to it: a network that fails says nothing about it.
  let isSecretRefused = complaint !== undefined;
  let first: StepName | undefined;
  const ask = async (
    name: StepName,
    before: ConnectionDraft,
    numbers: Omit<StepFrame, "title">,
  ): Promise<StepAnswer<ConnectionDraft, StepName>> => {
    const told = complaint;
    complaint = undefined;
    const frame = { title: form.title, ...numbers };
    const result = await ASK[name]({ dialogs, form, frame, draft: before, complaint: told, isSecretRefused });
    const isMoreWanted = result.kind === "next" && result.value.isDetailed === true && !before.isDetailed;
    return isMoreWanted ? { ...result, to: firstDetail(before, name) } : result;
  };
  for (;;) {
    const walked = await walkSteps(draft, (now) => stepsOf(form, now), ask, first);
    if (walked.kind !== "next") return undefined;
    draft = { ...walked.draft, name: freeName(walked.draft.name, form.takenNames) };
    const checked = await form.check(draft);
    if (!("sentence" in checked)) return { draft, live: checked, keeping: keepingOf(draft) };
    first = form.only?.[0] ?? stepToCorrect(draft, checked.failure);
    complaint = checked.sentence;
    isSecretRefused = !isLinkTrouble(checked.failure);
    if (isSecretRefused) draft = { ...draft, secret: "" };
  }
}

/** What a step changes, if it was answered. */
type Change = DialogResult<Partial<ConnectionDraft>>;

/** Returns the steps that these responses call for. */
function stepsOf(form: ConnectionForm, draft: ConnectionDraft): readonly StepName[] {
  if (form.only !== undefined) return form.only.filter((step) => step !== "keeping" || hasChoice(draft));
  const isCustom = draft.kind === "custom";
  return [
    ...(form.start.kind === undefined ? (["kind"] as const) : []),
    ...(isCustom ? (["url"] as const) : []),
    // More Options… adds these.
    ...(draft.isDetailed && isCustom ? (["declared"] as const) : []),
    ...(draft.isDetailed ? (["name", "grant"] as const) : []),
    ...credentialSteps(draft),
    ...(draft.isDetailed && hasChoice(draft) ? (["keeping"] as const) : []),
  ];
}

function credentialSteps({ grant, secret, isNamedByFile }: ConnectionDraft): readonly StepName[] {
  if (grant === "none") return [];
  if (grant !== "cdp_key") return hasKey(grant) ? ["clientId", "secret"] : ["secret"];
  // A key file has the name of the key; a private key that was pasted alone has not.
  return secret === "" || isNamedByFile === true ? ["secret"] : ["secret", "clientId"];
}

/** Returns the step after More Options… was chosen. In the first list the exchange is still to be chosen. */
function firstDetail(draft: ConnectionDraft, step: StepName): StepName {
  return step === "kind" ? step : draft.kind === "custom" ? "declared" : "name";
}

/** Whether there is a choice where to keep the secret. A token expires within the hour and is never stored. */
function hasChoice({ grant, secret }: ConnectionDraft): boolean {
  return hasKey(grant) && secret !== "";
}

/** Returns the place to keep a new secret; undefined if there is none. */
function keepingOf(draft: ConnectionDraft): Keeping | undefined {
  if (hasChoice(draft)) return draft.keeping;
  return draft.secret === "" ? undefined : "thisWindow";
}

/** Whether the server was not reached, so that it said nothing about the secret. */
function isLinkTrouble({ kind }: Failure): boolean {
  return kind === "cannotConnect" || kind === "connectionLost" || kind === "timeout";
}

/** Returns the step at which the user can correct what the server refused. */
function stepToCorrect(draft: ConnectionDraft, failure: Failure): StepName {
  if (isLinkTrouble(failure) && draft.kind === "custom") return "url";
  return draft.grant === "none" ? "name" : "secret";
}

const ASK: Readonly<Record<StepName, (run: Run) => Promise<Change>>> = {
  kind: askKind,
  url: askUrl,
  declared: askDeclared,
  name: askName,
  grant: askGrant,
  clientId: askClientId,
  secret: askSecret,
  keeping: askKeeping,
};

async function askKind({ dialogs, frame, draft }: Run): Promise<Change> {
  const more: Choice<Preset | "more"> = {
    label: l10n.t("$(ellipsis) More Options…"),
    detail: l10n.t("Also asks for the name, the way to sign in, and where to keep the secret"),
    value: "more",
  };
  const result = await dialogs.askChoice<Preset | "more">({
    ...frame,
    placeholder: l10n.t("Which exchange?"),
    choices: [...presetChoices(), ...(draft.isDetailed ? [] : [more])],
    isPresent: (preset) => preset !== "more" && preset.kind === draft.kind,
  });
  return resultAs(result, (preset) => (preset === "more" ? { isDetailed: true } : draftOf(draft, preset)));
}

/** Returns a draft that begins with a preset. */
export function draftOf(draft: ConnectionDraft, preset: Preset): ConnectionDraft {
  if (draft.kind === preset.kind) return draft;
  return {
    ...draft,
    kind: preset.kind,
    declared: preset.declared,
    url: preset.url,
    ...(preset.kind === "gateway"
      ? { grant: "cdp_key", clientId: "" }
      : draft.grant === "cdp_key"
        ? { grant: "client_signature", clientId: "" }
        : {}),
    secret: "",
    name: preset.kind === "custom" ? "" : preset.kind === "gateway" ? "coinbase" : preset.name.toLowerCase(),
  };
}

/** Returns the presets that can be saved, without the simulator, which is always there. */
export function presetChoices(): readonly Choice<Preset>[] {
  return presets()
    .filter((preset) => preset.kind !== "simulator")
    .map((preset) => ({
      label: l10n.t("{0}…", plain.text(preset.name)),
      description: preset.kind === "custom" ? l10n.t("any wss:// address") : environmentWord(preset.declared),
      detail: presetDetail(preset),
      value: preset,
    }));
}

function presetDetail({ kind, url }: Preset): Plain {
  if (kind === "custom") return l10n.t("Another exchange with this API");
  return kind === "gateway"
    ? l10n.t("{0} · Built from documents, not yet tried against the real gateway.", addressText(url))
    : addressText(url);
}

async function askUrl({ dialogs, frame, draft, complaint }: Run): Promise<Change> {
  const result = await dialogs.askText({
    ...frame,
    prompt: l10n.t(
      "WebSocket address, or the HTTP base address (https://) if the server has no WebSocket. Unencrypted connections are allowed to this computer only.",
    ),
    placeholder: plain`wss://host/ws/api/v2`,
    value: draft.url,
    complaint,
    problemOf: (text) => {
      const check = checkAddress(text);
      if (check.kind === "unusable") return check.reason;
      return isGatewayHost(check.url)
        ? l10n.t("This is the Coinbase gateway. Add a connection of the kind Coinbase (Deribit gateway) instead.")
        : undefined;
    },
  });
  return resultAs(result, (text) => {
    const check = checkAddress(text);
    const url = check.kind === "usable" ? check.url : text;
    // A secret that was typed for another address is not offered to this one.
    const moved = { url, secret: url === draft.url ? draft.secret : "" };
    if (draft.isDetailed) return moved;
    const { host } = new URL(url);
    return { ...moved, declared: likelyEnvironment(url), name: host.slice(0, MAX_NAME_LENGTH) };
  });
}

/**
 * Returns the environment that an address suggests. A wrong guess is safe: a server counts as production until it says
 * itself that it is another.
 */
function likelyEnvironment(url: string): Environment {
  if (isLoopback(url)) return "simulator";
  return /\btest(?:net)?\b/.test(new URL(url).host) ? "test" : "production";
}

async function askDeclared({ dialogs, frame, draft }: Run): Promise<Change> {
  const choices: Choice<Environment>[] = [
    {
      label: environmentWord("production"),
      detail: l10n.t("Real money: read-only until you use Allow Changes…, and every change needs confirmation."),
      value: "production",
    },
    {
      label: environmentWord("test"),
      detail: l10n.t("Treated as PRODUCTION unless the server reports that it is a testnet."),
      value: "test",
    },
  ];
  if (isLoopback(draft.url)) {
    choices.push({
      label: environmentWord("simulator"),
      detail: l10n.t(
        "A Trading RPC simulator that you started manually. Treated as PRODUCTION unless the server proves that it is one.",
      ),
      value: "simulator",
    });
  }
  const result = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("Which environment is it?"),
    choices,
    isPresent: (value) => value === draft.declared,
  });
  return resultAs(result, (declared) => ({ declared }));
}

async function askName({ dialogs, form, frame, draft, complaint }: Run): Promise<Change> {
  const problemOf = (name: string): Plain | undefined =>
    nameProblem(name) ??
    (isNameTaken(name, form.takenNames) ? l10n.t("Another connection already has this name.") : undefined);
  const result = await dialogs.askText({
    ...frame,
    prompt: l10n.t(
      "A short name for the account, for example main or desk. It is shown in every item and confirmation.",
    ),
    value: freeName(draft.name, form.takenNames),
    complaint,
    problemOf,
  });
  return resultAs(result, (name) => ({ name: name.trim() }));
}

async function askGrant({ dialogs, frame, draft }: Run): Promise<Change> {
  const result = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("How does this connection sign in?"),
    choices: grantChoices(draft),
    isPresent: (value) => value === draft.grant,
  });
  return resultAs(result, (grant) =>
    grant === draft.grant
      ? {}
      : { grant, secret: "", ...(hasKey(grant) && !isOtherKey(grant, draft) ? {} : { clientId: "" }) },
  );
}

/** Whether a way to sign in has another kind of key than that of a draft. */
function isOtherKey(grant: GrantType, draft: ConnectionDraft): boolean {
  return (grant === "cdp_key") !== (draft.grant === "cdp_key");
}

function grantChoices({ kind, url }: ConnectionDraft): readonly Choice<GrantType>[] {
  const keyFile: Choice<GrantType> = {
    label: l10n.t("Key File"),
    description: l10n.t("EC P-256 or Ed25519"),
    detail: l10n.t("Each sign-in uses a signed token of its own. The private key is never sent."),
    value: "cdp_key",
  };
  const none: Choice<GrantType> = {
    label: l10n.t("Without an API Key"),
    detail: l10n.t("Public methods only: market data."),
    value: "none",
  };
  if (kind === "gateway") return [keyFile, none];
  return [
    {
      label: l10n.t("API Key with Signature"),
      description: l10n.t("recommended"),
      detail: l10n.t("Each sign-in uses a signature. The client secret is never sent."),
      value: "client_signature",
    },
    {
      label: l10n.t("API Key with Secret"),
      detail: l10n.t(
        "The client secret is sent to the server over the encrypted connection. For servers that don't support signatures.",
      ),
      value: "client_credentials",
    },
    {
      label: l10n.t("API Key with Private Key"),
      description: l10n.t("Ed25519 or RSA"),
      detail: l10n.t("Each sign-in uses a signature. The private key is never sent, and the exchange doesn't have it."),
      value: "private_key",
    },
    {
      label: l10n.t("Access Token"),
      detail: l10n.t("An access token from another source. It is kept in this window only and can't be renewed."),
      value: "token",
    },
    // A simulator can play the gateway.
    ...(isLoopback(url) ? [keyFile] : []),
    none,
  ];
}

async function askClientId({ dialogs, frame, draft, complaint }: Run): Promise<Change> {
  const more = moreOptions(draft);
  const isFile = draft.grant === "cdp_key";
  const result = await dialogs.askTextOrButton(
    {
      ...frame,
      prompt: isFile
        ? l10n.t("Name of the key: organizations/…/apiKeys/…, or its ID.")
        : l10n.t("Client ID of the API key. trade:read is enough to show orders, trade:read_write also cancels them."),
      value: draft.clientId,
      complaint,
      problemOf: (text) => (isFile ? keyNameProblem(text, draft) : clientIdProblem(text)),
    },
    more,
  );
  if (result.kind === "button") return { kind: "next", value: { clientId: result.typed, isDetailed: true } };
  return resultAs(result, (clientId) => ({ clientId }));
}

function clientIdProblem(text: string): Plain | undefined {
  if (text === "") return l10n.t("Enter the client ID.");
  return /\s/.test(text) ? l10n.t("A client ID has no spaces.") : undefined;
}

function keyNameProblem(text: string, draft: ConnectionDraft): Plain | undefined {
  if (!isKeyName(text)) return l10n.t("Enter the name of the key: organizations/…/apiKeys/…, or its ID.");
  return credentialProblem({ ...draft, clientId: text });
}
