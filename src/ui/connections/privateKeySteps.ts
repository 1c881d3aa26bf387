import type { Ask } from "../../actions/question.ts";
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
import type { OpenedText } from "../editor/chosenFile.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { FileToOpen } from "../editor/dialogSteps.ts";

interface PrivateKeyPorts {
  readonly dialogs: Dialogs;
  readonly title: Plain;
  readonly ask: Ask;
  readonly mask: (secret: string) => void;
}

/** A private key as unencrypted PEM; or the box has to be shown again, with a reason unless the user went back. */
type TakenKey =
  | { readonly kind: "key"; readonly pem: string }
  | { readonly kind: "again"; readonly complaint?: Plain }
  | { readonly kind: "left" };

/** The steps that ask for a private key. */
export interface PrivateKeySteps {
  /** Returns what the box for a new private key asks. */
  readonly newKeyPrompt: () => Plain;
  /** Returns a sentence about why a text is not a private key; undefined for one, encrypted or not, and for no text. */
  readonly keyProblem: (text: string) => Plain | undefined;
  /**
   * Takes a private key from a pasted text, or from a file if that is empty. Asks for the passphrase, which is not
   * kept, and warns of a file that is not safe.
   */
  readonly takeKey: (pasted: string, ports: PrivateKeyPorts) => Promise<TakenKey>;
}

export const privateKeySteps: PrivateKeySteps = { newKeyPrompt, keyProblem, takeKey };

function newKeyPrompt(): Plain {
  return l10n.t("Private key of the API key (PEM). Paste it, or press Enter in the empty box to choose its file.");
}

function keyProblem(text: string): Plain | undefined {
  const reading = text === "" ? undefined : readPrivateKey(text);
  return reading === undefined || reading.kind === "key" || reading.kind === "encrypted"
    ? undefined
    : privateKeyProblemText(reading);
}

async function takeKey(pasted: string, ports: PrivateKeyPorts): Promise<TakenKey> {
  let file: OpenedText | undefined;
  try {
    file = pasted === "" ? await ports.dialogs.openText(keyFileChoice(), MAX_KEY_TEXT) : undefined;
  } catch (error) {
    const failure = toFailure(error);
    if (failure.kind !== "refused") throw error;
    return { kind: "again", complaint: plain.text(failure.reason) };
  }
  const text = file?.text ?? pasted;
  if (pasted === "" && file === undefined) return { kind: "again" };
  ports.mask(text);
  const reading = await decrypted(text, ports);
  if (reading === "left") return { kind: "left" };
  if (reading === "back") return { kind: "again" };
  if (reading.kind !== "key") return { kind: "again", complaint: privateKeyProblemText(reading) };
  ports.mask(reading.pem);
  return file === undefined || (await isWanted(file, ports.ask)) ? reading : { kind: "again" };
}

/** Key files have any name and any ending. */
function keyFileChoice(): FileToOpen {
  return {
    title: l10n.t("Choose a Private Key"),
    button: l10n.t("Use Private Key"),
    folder: undefined,
    name: "",
    types: {},
  };
}

/** Reads a key, and asks for its passphrase until that fits. */
async function decrypted(
  text: string,
  { dialogs, title, mask }: PrivateKeyPorts,
): Promise<Exclude<PrivateKeyReading, { readonly kind: "encrypted" }> | "left" | "back"> {
  let reading = readPrivateKey(text);
  let refused: PrivateKeyProblem | undefined;
  while (reading.kind === "encrypted" || reading.kind === "wrongPassphrase" || reading.kind === "notDecrypted") {
    const result = await dialogs.askText({
      title,
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
    mask(result.value);
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
