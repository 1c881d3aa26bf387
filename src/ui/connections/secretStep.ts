import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Ask } from "../../actions/question.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { DialogResult, ListButton, PressedButton, StepFrame } from "../editor/dialogSteps.ts";
import { hasKey, type ConnectionDraft, type Keeping } from "./draft.ts";
import type { PrivateKeySteps } from "./privateKeySteps.ts";

/* The steps of a connection that ask for its secret, and where to keep it. */

export interface SecretPorts {
  /** Returns the part of the program for private keys, which is loaded with its first use. */
  privateKeys(): Promise<PrivateKeySteps>;
  /** Whether a secret is already kept for an address; it need not be typed again then. */
  hasSecretFor(draft: ConnectionDraft): Promise<boolean>;
  /** Asks whether a key is used in spite of a warning. */
  readonly ask: Ask;
  /** Takes each text with a key, and each passphrase, so that the log can mask it. */
  readonly mask: (secret: string) => void;
}

interface SecretStep {
  readonly dialogs: Dialogs;
  readonly form: SecretPorts;
  readonly frame: StepFrame;
  readonly draft: ConnectionDraft;
  readonly complaint: Plain | undefined;
}

/** Asks for the secret. Buttons in the same box choose its kind, and where it is kept. */
export async function askSecret(step: SecretStep): Promise<DialogResult<ConnectionDraft>> {
  const { form, draft, complaint } = step;
  const keySteps = draft.grant === "private_key" ? await form.privateKeys() : undefined;
  const isKept = complaint === undefined && (await form.hasSecretFor(draft));
  return await showBox({
    ...step,
    keySteps,
    isKept,
    draft: complaint === undefined ? draft : { ...draft, secret: "" },
  });
}

/** The box for the secret; `draft` has what is in it. */
interface SecretBox extends SecretStep {
  /** What is done with private keys; undefined where another secret is asked for. */
  readonly keySteps: PrivateKeySteps | undefined;
  readonly isKept: boolean;
}

async function showBox(box: SecretBox): Promise<DialogResult<ConnectionDraft>> {
  const { dialogs, frame, draft, complaint, keySteps, isKept } = box;
  const result = await dialogs.askTextOrButton(
    {
      ...frame,
      prompt: promptOf(box),
      value: draft.secret,
      isSecret: true,
      complaint,
      problemOf: keySteps?.keyProblem ?? ((text) => (text === "" && !isKept ? l10n.t("Enter the secret.") : undefined)),
    },
    buttonsOf(draft),
  );
  if (result.kind === "button") return await press(result, box);
  if (result.kind !== "next") return result;
  const isDone = keySteps === undefined || (result.value === "" && isKept);
  return isDone ? { kind: "next", value: { ...draft, secret: result.value } } : await takeKey(result.value, box);
}

function promptOf({ draft, keySteps, isKept }: SecretBox): Plain {
  const word = secretWord(draft);
  if (isKept) return l10n.t("{0} Leave it empty to keep the saved one.", word);
  const place = isPlaceChosenHere(draft)
    ? keepingText(draft.keeping)
    : l10n.t("It is verified with the server before it is kept.");
  return plain`${keySteps?.newKeyPrompt() ?? word} ${place}`;
}

async function press(
  { button, typed }: PressedButton<SecretButton>,
  box: SecretBox,
): Promise<DialogResult<ConnectionDraft>> {
  const { keeping, grant } = box.draft;
  const draft = { ...box.draft, secret: typed };
  switch (button.leadsTo) {
    case "keyFile":
      return await takeKey("", box);
    case "otherPlace":
      return await showBox({
        ...box,
        draft: { ...draft, keeping: keeping === "stored" ? "thisWindow" : "stored" },
        complaint: undefined,
      });
    case "otherSecret":
      // What was entered for the one is not taken for the other.
      return await askSecret({
        ...box,
        draft: { ...draft, grant: grant === "private_key" ? "client_signature" : "private_key", secret: "" },
        complaint: undefined,
      });
    case "more":
      return { kind: "next", value: { ...draft, isDetailed: true } };
  }
}

/** Takes a private key that was pasted; from a file where nothing was. What cannot be used leads back to the box. */
async function takeKey(pasted: string, box: SecretBox): Promise<DialogResult<ConnectionDraft>> {
  const { dialogs, form, frame, draft, keySteps } = box;
  const taken = await keySteps?.takeKey(pasted, { ...form, dialogs, title: frame.title });
  if (taken?.kind === "key") return { kind: "next", value: { ...draft, secret: taken.pem } };
  if (taken?.kind === "left") return taken;
  return await showBox({ ...box, draft: { ...draft, secret: "" }, complaint: taken?.complaint });
}

/** Whether the box for the secret also chooses where it is kept; among More Options… that is a step of its own. */
function isPlaceChosenHere({ grant, isDetailed }: ConnectionDraft): boolean {
  return hasKey(grant) && !isDetailed;
}

/** A button of the box for the secret. */
type SecretButton = ListButton & { readonly leadsTo: "keyFile" | "otherPlace" | "otherSecret" | "more" };

function buttonsOf(draft: ConnectionDraft): readonly SecretButton[] {
  const isPrivateKey = draft.grant === "private_key";
  // The empty box leads to the file too: the keyboard doesn't reach the buttons.
  const file: SecretButton = { icon: "folder-opened", tooltip: l10n.t("Choose File…"), leadsTo: "keyFile" };
  const other: SecretButton = isPrivateKey
    ? { icon: "lock", tooltip: l10n.t("Use Client Secret…"), leadsTo: "otherSecret" }
    : { icon: "key", tooltip: l10n.t("Use Private Key…"), leadsTo: "otherSecret" };
  return [
    ...(isPrivateKey ? [file] : []),
    ...(isPlaceChosenHere(draft) ? [otherPlace(draft.keeping), other] : []),
    ...moreOptions(draft),
  ];
}

/** Returns the button that adds the other steps; none where they are there. */
export function moreOptions({ isDetailed }: ConnectionDraft): readonly SecretButton[] {
  return isDetailed ? [] : [{ icon: "ellipsis", tooltip: l10n.t("More Options…"), leadsTo: "more" }];
}

function secretWord({ grant }: ConnectionDraft): Plain {
  if (grant === "private_key") return l10n.t("Private key of the API key.");
  return grant === "token" ? l10n.t("Access token.") : l10n.t("Client secret of the API key.");
}

function keepingText(keeping: Keeping): Plain {
  if (keeping === "thisWindow") return l10n.t("It is verified with the server and kept until this window closes.");
  return process.platform === "linux"
    ? l10n.t(
        "It is verified with the server, then saved in VS Code's secret storage. On Linux, encryption is weak without a keyring.",
      )
    : l10n.t("It is verified with the server, then saved in VS Code's secret storage.");
}

/** Returns what a choice of where to keep the secret is called. */
function keepingTitle(keeping: Keeping): Plain {
  return keeping === "stored" ? l10n.t("Save in VS Code's Secret Storage") : l10n.t("Keep Until This Window Closes");
}

/** Returns the button that takes the other place. */
function otherPlace(keeping: Keeping): SecretButton {
  return keeping === "stored"
    ? { icon: "clock", tooltip: keepingTitle("thisWindow"), leadsTo: "otherPlace" }
    : { icon: "save", tooltip: keepingTitle("stored"), leadsTo: "otherPlace" };
}

/** Asks where to keep the secret, as a step of its own among More Options…. */
export async function askKeeping({ dialogs, frame, draft }: SecretStep): Promise<DialogResult<ConnectionDraft>> {
  const result = await dialogs.askChoice<Keeping>({
    ...frame,
    placeholder: l10n.t("Where should the secret be kept?"),
    choices: (["stored", "thisWindow"] as const).map((value) => ({
      label: keepingTitle(value),
      ...(value === "stored" ? { description: l10n.t("for {0} only", plain.text(new URL(draft.url).host)) } : {}),
      detail: keepingText(value),
      value,
    })),
    isPresent: (value) => value === draft.keeping,
  });
  return result.kind === "next" ? { kind: "next", value: { ...draft, keeping: result.value } } : result;
}
