import type { Ask } from "../../actions/intent/question.ts";
import { toFailure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  MAX_KEY_TEXT,
  openKeyFileText,
  privateKeyProblemText,
  readPrivateKey,
  type PrivateKeyProblem,
  type PrivateKeyReading,
} from "../../session/privateKey.ts";
import { cdpKeyProblemText, readCdpKey } from "../../session/cdpKey.ts";
import { credentialProblem } from "../../state/records.ts";
import type { OpenedText } from "../editor/chosenFile.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { DialogResult, ListButton, PressedButton, StepFrame } from "../editor/dialogSteps.ts";
import { resultAs } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";
import { hasKey, type ConnectionDraft, type Keeping } from "./draft.ts";

/* The steps of a connection that ask for its secret, and where to keep it. */

export interface SecretForm extends Pick<Ui, "ask" | "mask"> {
  /** Whether a secret is already kept for an address; it need not be typed again then. */
  hasSecretFor(draft: ConnectionDraft): Promise<boolean>;
}

/** A step, with the draft so far and the error of the last attempt. */
export interface SecretStep {
  readonly dialogs: Dialogs;
  readonly form: SecretForm;
  readonly frame: StepFrame;
  readonly draft: ConnectionDraft;
  readonly complaint: Plain | undefined;
  /** Whether the server said no to the secret that is kept, so that another one has to be entered. */
  readonly isSecretRefused: boolean;
}

/** Asks for the secret. Buttons in the same box choose its kind, and where it is kept. */
export async function askSecret(step: SecretStep): Promise<DialogResult<ConnectionDraft>> {
  const { form, draft, isSecretRefused } = step;
  return await showBox({ ...step, isKept: !isSecretRefused && (await form.hasSecretFor(draft)) });
}

/** The box for the secret; `draft` has what is in it. */
interface SecretBox extends SecretStep {
  readonly isKept: boolean;
}

async function showBox(box: SecretBox): Promise<DialogResult<ConnectionDraft>> {
  const { dialogs, frame, draft, complaint, isKept } = box;
  const isPrivateKey = isKey(draft);
  const result = await dialogs.askTextOrButton(
    {
      ...frame,
      prompt: promptOf(box),
      value: draft.secret,
      isSecret: true,
      complaint,
      problemOf: isPrivateKey
        ? (text) => keyProblem(text, draft)
        : (text) => (text === "" && !isKept ? l10n.t("Enter the secret.") : undefined),
    },
    buttonsOf(draft),
  );
  if (result.kind === "button") return await press(result, box);
  if (result.kind !== "next") return result;
  return isPrivateKey && !(result.value === "" && isKept)
    ? await enterKey(result.value, box)
    : { kind: "next", value: { ...draft, secret: result.value } };
}

function promptOf({ draft, isKept }: SecretBox): Plain {
  const word = secretWord(draft);
  if (isKept) return l10n.t("{0} Leave it empty to keep the saved one.", word);
  const place = isPlaceChosenHere(draft)
    ? keepingText(draft.keeping)
    : l10n.t("It is verified with the server before it is kept.");
  const prompt =
    draft.grant === "private_key"
      ? l10n.t("Private key of the API key (PEM). Paste it, or press Enter in the empty box to choose its file.")
      : draft.grant === "cdp_key"
        ? l10n.t("Key file (JSON). Paste its text, or press Enter in the empty box to choose the file.")
        : word;
  return plain`${prompt} ${place}`;
}

async function press(
  { button, typed }: PressedButton<SecretButton>,
  box: SecretBox,
): Promise<DialogResult<ConnectionDraft>> {
  const { keeping, grant } = box.draft;
  const draft = { ...box.draft, secret: typed };
  switch (button.leadsTo) {
    case "keyFile":
      return await enterKey("", box);
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

/** Whether the box for the secret also chooses where it is kept; among More Options… that is a step of its own. */
function isPlaceChosenHere({ grant, isDetailed }: ConnectionDraft): boolean {
  return hasKey(grant) && !isDetailed;
}

/** A button of the box for the secret. */
type SecretButton = ListButton & { readonly leadsTo: "keyFile" | "otherPlace" | "otherSecret" | "more" };

function buttonsOf(draft: ConnectionDraft): readonly SecretButton[] {
  const isPrivateKey = isKey(draft);
  // The empty box leads to the file too: the keyboard doesn't reach the buttons.
  const file: SecretButton = { icon: "folder-opened", tooltip: l10n.t("Choose File…"), leadsTo: "keyFile" };
  const other: SecretButton =
    draft.grant === "private_key"
      ? { icon: "lock", tooltip: l10n.t("Use Client Secret…"), leadsTo: "otherSecret" }
      : { icon: "key", tooltip: l10n.t("Use Private Key…"), leadsTo: "otherSecret" };
  return [
    ...(isPrivateKey ? [file] : []),
    ...(isPlaceChosenHere(draft) ? [otherPlace(draft.keeping)] : []),
    // The gateway takes nothing else.
    ...(isPlaceChosenHere(draft) && draft.grant !== "cdp_key" ? [other] : []),
    ...moreOptions(draft),
  ];
}

/** Returns the button that adds the other steps; none where they are there. */
export function moreOptions({ isDetailed }: ConnectionDraft): readonly SecretButton[] {
  return isDetailed ? [] : [{ icon: "ellipsis", tooltip: l10n.t("More Options…"), leadsTo: "more" }];
}

/** Whether the secret is a private key, which may come in a file. */
function isKey({ grant }: ConnectionDraft): boolean {
  return grant === "private_key" || grant === "cdp_key";
}

function secretWord({ grant }: ConnectionDraft): Plain {
  if (grant === "cdp_key") return l10n.t("Key file.");
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
export async function askKeeping({
  dialogs,
  frame,
  draft,
}: SecretStep): Promise<DialogResult<Pick<ConnectionDraft, "keeping">>> {
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
  return resultAs(result, (keeping) => ({ keeping }));
}

/** Returns a sentence about why a text is not a private key; undefined for one, encrypted or not, and for no text. */
function keyProblem(text: string, { grant }: ConnectionDraft): Plain | undefined {
  if (grant === "cdp_key") {
    const file = text === "" ? undefined : readCdpKey(text);
    return file === undefined || file.kind === "key" ? undefined : cdpKeyProblemText(file);
  }
  const reading = text === "" ? undefined : readPrivateKey(text);
  return reading === undefined || reading.kind === "key" || reading.kind === "encrypted"
    ? undefined
    : privateKeyProblemText(reading);
}

/**
 * Takes a private key that was pasted, or from a file if nothing was. Asks for the passphrase, which is not kept, and
 * warns of a file that is not safe. What cannot be used leads back to the box.
 */
async function enterKey(pasted: string, box: SecretBox): Promise<DialogResult<ConnectionDraft>> {
  const { dialogs, form, draft } = box;
  const again = async (complaint?: Plain): Promise<DialogResult<ConnectionDraft>> =>
    await showBox({ ...box, draft: { ...draft, secret: "" }, complaint });
  let file: OpenedText | undefined;
  try {
    // Key files have any name and any ending.
    const choice = { ...fileWords(draft), name: "", types: {} };
    file = pasted === "" ? await dialogs.openText({ ...choice, folder: undefined }, MAX_KEY_TEXT) : undefined;
  } catch (error) {
    const failure = toFailure(error);
    if (failure.kind !== "refused") throw error;
    return await again(plain.text(failure.reason));
  }
  const text = file?.text ?? pasted;
  if (pasted === "" && file === undefined) return await again();
  form.mask(text);
  const taken = draft.grant === "cdp_key" ? takeKeyFile(text, box) : await takePrivateKey(text, box);
  if (taken === "left") return { kind: "left" };
  if (taken === "back") return await again();
  if ("complaint" in taken) return await again(taken.complaint);
  return file === undefined || (await isWanted(file, form.ask)) ? { kind: "next", value: taken } : await again();
}

function fileWords({ grant }: ConnectionDraft): { readonly title: Plain; readonly button: Plain } {
  return grant === "cdp_key"
    ? { title: l10n.t("Choose a Key File"), button: l10n.t("Use Key File") }
    : { title: l10n.t("Choose a Private Key"), button: l10n.t("Use Private Key") };
}

/** Returns the draft with a private key, or why that can't be used. */
async function takePrivateKey(
  text: string,
  step: SecretStep,
): Promise<ConnectionDraft | { readonly complaint: Plain } | "left" | "back"> {
  const reading = await decrypted(text, step);
  if (reading === "left" || reading === "back") return reading;
  if (reading.kind !== "key") return { complaint: privateKeyProblemText(reading) };
  step.form.mask(reading.pem);
  return { ...step.draft, secret: reading.pem };
}

/** Returns the draft with the key of a key file and its name, or why that can't be used. */
function takeKeyFile(text: string, { form, draft }: SecretStep): ConnectionDraft | { readonly complaint: Plain } {
  const reading = readCdpKey(text);
  if (reading.kind !== "key") return { complaint: cdpKeyProblemText(reading) };
  form.mask(reading.written);
  form.mask(reading.pem);
  const { name = draft.clientId } = reading;
  const complaint = name === "" ? undefined : credentialProblem({ ...draft, clientId: name });
  return complaint === undefined
    ? { ...draft, secret: reading.pem, clientId: name, isNamedByFile: reading.name !== undefined }
    : { complaint };
}

/** Reads a key, and asks for its passphrase until that fits. */
async function decrypted(
  text: string,
  { dialogs, form, frame }: SecretStep,
): Promise<Exclude<PrivateKeyReading, { readonly kind: "encrypted" }> | "left" | "back"> {
  let reading = readPrivateKey(text);
  let refused: PrivateKeyProblem | undefined;
  while (reading.kind === "encrypted" || reading.kind === "wrongPassphrase" || reading.kind === "notDecrypted") {
    const result = await dialogs.askText({
      title: frame.title,
      isWithin: true,
      prompt: l10n.t(
        "Passphrase of the private key. It is used once and not saved. The key itself is kept without it.",
      ),
      value: "",
      isSecret: true,
      isVerbatim: true,
      complaint: refused === undefined ? undefined : privateKeyProblemText(refused),
      problemOf: (passphrase) => (passphrase === "" ? l10n.t("Enter the passphrase.") : undefined),
    });
    if (result.kind !== "next") return result.kind;
    form.mask(result.value);
    reading = readPrivateKey(text, result.value);
    refused = reading.kind === "key" || reading.kind === "encrypted" ? undefined : reading;
  }
  return reading;
}

/** Whether a file may be used; asks only where others can get at it. */
async function isWanted({ name, isOpenToOthers, isInWorkspace }: OpenedText, ask: Ask): Promise<boolean> {
  if (!isOpenToOthers && !isInWorkspace) return true;
  return await ask({
    kind: "modal",
    message: l10n.t("Use the private key in {0}?", plain.name(name)),
    detail: plain.join(
      [
        ...(isOpenToOthers
          ? [openKeyFileText(name), l10n.t("Restrict the file to yourself, for example with chmod 600.")]
          : []),
        ...(isInWorkspace ? [l10n.t("The file is in the workspace, where it may be shared or committed.")] : []),
      ],
      "\n",
    ),
    confirm: l10n.t("Use Private Key"),
    keep: l10n.t("Choose Another Key"),
  });
}
