import * as l10n from "@vscode/l10n";
import type { Failure } from "../../base/failure.ts";
import { checkAddress, isLoopback } from "../../rpc/address.ts";
import {
  freeName,
  isNameTaken,
  nameProblem,
  presets,
  type ConnectionRecord,
  type Environment,
  type GrantType,
  type Preset,
} from "../../state/records.ts";
import { environmentWord } from "../../present/connections/connectionWords.ts";
import type { Choice, Dialogs, StepFrame, DialogResult } from "../editor/dialogs.ts";

/** The responses so far. Going back, or a refusal by the server, loses none of them. */
export interface ConnectionDraft {
  readonly id: string;
  readonly kind: Preset["kind"] | undefined;
  readonly name: string;
  readonly declared: Environment;
  readonly url: string;
  readonly grant: GrantType;
  readonly clientId: string;
  /** The secret; empty to use a kept one again. */
  readonly secret: string;
}

/** The place to keep a secret once the server has accepted it. */
export type Keeping = "stored" | "thisWindow";

export interface ConnectionForm {
  readonly title: string;
  readonly start: ConnectionDraft;
  /** The only steps to show; everything else stays as it is. */
  readonly only?: readonly StepName[];
  /** The error of the last attempt, shown with the first step. */
  readonly complaint?: string | undefined;
  /** The names of the other connections. */
  readonly takenNames: readonly string[];
  /** Whether a secret is already kept for an address; it need not be typed again then. */
  hasSecretFor(draft: ConnectionDraft): Promise<boolean>;
  /** Tries to sign in at the server; undefined when it succeeded. */
  check(draft: ConnectionDraft): Promise<FormComplaint | undefined>;
}

/** The reason why the server refused the sign-in. */
export interface FormComplaint {
  readonly failure: Failure;
  readonly sentence: string;
}

export type StepName = "kind" | "url" | "declared" | "name" | "grant" | "clientId" | "secret" | "keeping";

interface Run {
  readonly dialogs: Dialogs;
  readonly form: ConnectionForm;
  readonly frame: StepFrame;
  readonly draft: ConnectionDraft;
  readonly complaint: string | undefined;
}

/** The responses, and the place to keep a new secret; undefined if there is none. */
export interface AskedConnection {
  readonly draft: ConnectionDraft;
  readonly keeping: Keeping | undefined;
}

/**
 * Asks for a connection step by step and tries it at the server before anything is kept. Undefined when the user left.
 */
export async function askConnection(form: ConnectionForm, dialogs: Dialogs): Promise<AskedConnection | undefined> {
  let draft = form.start;
  let complaint = form.complaint;
  let step = stepsOf(form, draft)[0];
  while (step !== undefined) {
    const run: Run = { dialogs, form, frame: frameOf(form, draft, step), draft, complaint };
    complaint = undefined;
    if (step === "keeping") {
      const kept = await askKeeping(run);
      if (kept.kind === "next") return { draft, keeping: kept.value };
      if (kept.kind === "left") return undefined;
      step = stepBefore(form, draft, step);
      continue;
    }
    const result: DialogResult<ConnectionDraft> = await ASK[step](run);
    if (result.kind === "left") return undefined;
    if (result.kind === "next") draft = result.value;
    step = result.kind === "next" ? stepAfter(form, draft, step) : stepBefore(form, draft, step);
    const refusal = step === "keeping" && result.kind === "next" ? await form.check(draft) : undefined;
    if (refusal === undefined) continue;
    step = form.only?.[0] ?? stepToCorrect(draft, refusal.failure);
    complaint = refusal.sentence;
  }
  return undefined;
}

/** Returns the steps that these responses call for; the last one follows the check at the server. */
function stepsOf(form: ConnectionForm, draft: ConnectionDraft): readonly StepName[] {
  if (form.only !== undefined) return form.only;
  const isCustom = draft.kind === "custom";
  return [
    ...(form.start.kind === undefined ? (["kind"] as const) : []),
    ...(isCustom ? (["url", "declared"] as const) : []),
    "name",
    "grant",
    ...(hasKey(draft.grant) ? (["clientId"] as const) : []),
    ...(draft.grant === "none" ? [] : (["secret"] as const)),
    "keeping",
  ];
}

function stepBefore(form: ConnectionForm, draft: ConnectionDraft, step: StepName): StepName | undefined {
  const steps = stepsOf(form, draft);
  return steps[steps.indexOf(step) - 1];
}

function stepAfter(form: ConnectionForm, draft: ConnectionDraft, step: StepName): StepName | undefined {
  const steps = stepsOf(form, draft);
  return steps[steps.indexOf(step) + 1];
}

function frameOf(form: ConnectionForm, draft: ConnectionDraft, step: StepName): StepFrame {
  const steps = stepsOf(form, draft).filter((each) => each !== "keeping" || needsKeeping(draft));
  return { title: form.title, step: steps.indexOf(step) + 1, totalSteps: steps.length };
}

/** Returns the step at which the user can correct what the server refused. */
function stepToCorrect(draft: ConnectionDraft, failure: Failure): StepName {
  const isLinkTrouble =
    failure.kind === "cannotConnect" || failure.kind === "connectionLost" || failure.kind === "timeout";
  if (isLinkTrouble && draft.kind === "custom") return "url";
  return draft.grant === "none" ? "name" : "secret";
}

function hasKey(grant: GrantType): boolean {
  return grant === "client_signature" || grant === "client_credentials";
}

function needsKeeping(draft: ConnectionDraft): boolean {
  return hasKey(draft.grant) && draft.secret !== "";
}

const ASK: Readonly<Record<Exclude<StepName, "keeping">, (run: Run) => Promise<DialogResult<ConnectionDraft>>>> = {
  kind: askKind,
  url: askUrl,
  declared: askDeclared,
  name: askName,
  grant: askGrant,
  clientId: askClientId,
  secret: askSecret,
};

/** Takes a step's response into the draft. */
function into<T>(result: DialogResult<T>, change: (value: T) => ConnectionDraft): DialogResult<ConnectionDraft> {
  return result.kind === "next" ? { kind: "next", value: change(result.value) } : result;
}

async function askKind({ dialogs, frame, draft }: Run): Promise<DialogResult<ConnectionDraft>> {
  const choices = presetChoices();
  const result = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("Which exchange?"),
    choices,
    isPresent: (preset) => preset.kind === draft.kind,
  });
  return into(result, (preset) => draftOf(draft, preset));
}

/** Returns a draft that begins with a preset. */
export function draftOf(draft: ConnectionDraft, preset: Preset): ConnectionDraft {
  if (draft.kind === preset.kind) return draft;
  return {
    ...draft,
    kind: preset.kind,
    declared: preset.declared,
    url: preset.url,
    name: preset.kind === "custom" ? "" : preset.name.toLowerCase(),
  };
}

/** Returns the presets that can be saved, without the simulator, which is always there. */
export function presetChoices(): readonly Choice<Preset>[] {
  return presets()
    .filter((preset) => preset.kind !== "simulator")
    .map((preset) => ({
      label: l10n.t("{0}…", preset.name),
      description: preset.kind === "custom" ? l10n.t("any wss:// address") : environmentWord(preset.declared),
      detail: preset.kind === "custom" ? l10n.t("A gateway or another exchange with this API") : preset.url,
      value: preset,
    }));
}

async function askUrl({ dialogs, frame, draft, complaint }: Run): Promise<DialogResult<ConnectionDraft>> {
  const result = await dialogs.askText({
    ...frame,
    prompt: l10n.t(
      "Address of its WebSocket, or with https:// the base address of its HTTP interface where there is no WebSocket. Without encryption only this computer can be reached.",
    ),
    placeholder: "wss://host/ws/api/v2",
    value: draft.url,
    complaint,
    problemOf: (text) => {
      const check = checkAddress(text);
      return check.kind === "usable" ? undefined : check.reason;
    },
  });
  return into(result, (text) => {
    const check = checkAddress(text);
    const url = check.kind === "usable" ? check.url : text;
    return { ...draft, url, name: draft.name === "" ? new URL(url).host : draft.name };
  });
}

async function askDeclared({ dialogs, frame, draft }: Run): Promise<DialogResult<ConnectionDraft>> {
  const choices: Choice<Environment>[] = [
    {
      label: environmentWord("production"),
      detail: l10n.t("Real money: read-only until Allow Changes…, and every change is asked about."),
      value: "production",
    },
    {
      label: environmentWord("test"),
      detail: l10n.t("Counts as PRODUCTION unless the server itself says that it is a test server."),
      value: "test",
    },
  ];
  if (isLoopback(draft.url)) {
    choices.push({
      label: environmentWord("simulator"),
      detail: l10n.t(
        "Our own simulator, started by hand. Counts as PRODUCTION unless the server shows that it is one.",
      ),
      value: "simulator",
    });
  }
  const result = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("What is at stake there?"),
    choices,
    isPresent: (value) => value === draft.declared,
  });
  return into(result, (declared) => ({ ...draft, declared }));
}

async function askName({ dialogs, form, frame, draft, complaint }: Run): Promise<DialogResult<ConnectionDraft>> {
  const problemOf = (name: string): string | undefined =>
    nameProblem(name) ??
    (isNameTaken(name, form.takenNames) ? l10n.t("Another connection has this name already.") : undefined);
  const result = await dialogs.askText({
    ...frame,
    prompt: l10n.t("A short name for the account, for example main or desk. It stands in every row and question."),
    value: freeName(draft.name, form.takenNames),
    complaint,
    problemOf,
  });
  return into(result, (name) => ({ ...draft, name: name.trim() }));
}

async function askGrant({ dialogs, frame, draft }: Run): Promise<DialogResult<ConnectionDraft>> {
  const choices: readonly Choice<GrantType>[] = [
    {
      label: l10n.t("API Key with Signature"),
      description: l10n.t("recommended"),
      detail: l10n.t("Each sign-in is signed here; the secret never travels."),
      value: "client_signature",
    },
    {
      label: l10n.t("API Key with Secret"),
      detail: l10n.t(
        "The secret is sent to the server, over the encrypted connection. For servers that do not take signatures.",
      ),
      value: "client_credentials",
    },
    {
      label: l10n.t("Access Token"),
      detail: l10n.t("A token that you got elsewhere. It is kept in this window only and cannot be renewed."),
      value: "token",
    },
    { label: l10n.t("Without a Key"), detail: l10n.t("Public methods only: market data."), value: "none" },
  ];
  const result = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("How does it sign in?"),
    choices,
    isPresent: (value) => value === draft.grant,
  });
  return into(result, (grant) =>
    grant === draft.grant ? draft : { ...draft, grant, secret: "", ...(hasKey(grant) ? {} : { clientId: "" }) },
  );
}

async function askClientId({ dialogs, frame, draft, complaint }: Run): Promise<DialogResult<ConnectionDraft>> {
  const result = await dialogs.askText({
    ...frame,
    prompt: l10n.t(
      "Client id of the API key. A key with few rights is enough: trade:read shows orders, trade:read_write cancels them.",
    ),
    value: draft.clientId,
    complaint,
    problemOf: (text) =>
      text === ""
        ? l10n.t("The client id is missing.")
        : /\s/.test(text)
          ? l10n.t("A client id has no spaces.")
          : undefined,
  });
  return into(result, (clientId) => ({ ...draft, clientId }));
}

async function askSecret({ dialogs, form, frame, draft, complaint }: Run): Promise<DialogResult<ConnectionDraft>> {
  const isKept = complaint === undefined && (await form.hasSecretFor(draft));
  const what = draft.grant === "token" ? l10n.t("Access token.") : l10n.t("Client secret of the API key.");
  const result = await dialogs.askText({
    ...frame,
    prompt: isKept
      ? l10n.t("{0} Leave it empty to use the one that is kept already.", what)
      : l10n.t("{0} It is tried at the server before you choose where it is kept.", what),
    value: "",
    isSecret: true,
    complaint,
    problemOf: (text) => (text === "" && !isKept ? l10n.t("It is missing.") : undefined),
  });
  return into(result, (secret) => ({ ...draft, secret }));
}

/**
 * Asks where to keep a secret. A token expires within the hour and is never stored; a kept secret stays where it is.
 */
async function askKeeping({ dialogs, frame, draft }: Run): Promise<DialogResult<Keeping | undefined>> {
  if (!needsKeeping(draft)) return { kind: "next", value: draft.secret === "" ? undefined : "thisWindow" };
  const isWeak = process.platform === "linux";
  const choices: readonly Choice<Keeping | undefined>[] = [
    {
      label: l10n.t("Store"),
      description: l10n.t("for {0} only", new URL(draft.url).host),
      detail: isWeak
        ? l10n.t("Encrypted by the editor; on Linux only weakly unless a keyring is running")
        : l10n.t("Encrypted by the editor and the operating system"),
      value: "stored",
    },
    {
      label: l10n.t("This Window Only"),
      detail: l10n.t("In memory; you type it again after a restart or a reload"),
      value: "thisWindow",
    },
  ];
  return await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("The server accepted it. Where is the secret kept?"),
    choices,
    isPresent: (value) => value === "stored",
  });
}

/** Returns the record that a draft becomes. */
export function connectionRecordOf(draft: ConnectionDraft): ConnectionRecord {
  const { id, name, declared, url, grant, clientId } = draft;
  return { id, name, declared, url, grant, clientId };
}
