import * as vscode from "vscode";
import type { Ask, Question } from "../../actions/intent/question.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { OneTimeSecret } from "../../rpc/oneTimeSecret.ts";
import type { TakeTurns } from "./ask.ts";

/**
 * The way of a one-time secret out of the session: to its place, to the user's eyes once, or to the clipboard. Only
 * here does the extension read its text.
 */
export interface OneTimeSecrets {
  /** Encloses a private key that was just made, until it has its place. */
  enclose(privateKey: string): OneTimeSecret;
  /** Hands the text to its place, and returns what that returns. Throws `refused` for a secret that was forgotten. */
  hand<T>(secret: OneTimeSecret, to: (value: string) => T): T;
  /** Forgets the text: it has arrived. */
  forget(secret: OneTimeSecret): void;
  /**
   * Shows the text in a modal dialog with a button that copies it, and forgets it after the dialog. Closing it without
   * copying needs a second look: nothing shows the secret again.
   */
  show(secret: OneTimeSecret, words: SecretWords): Promise<void>;
  /** Copies the text after a confirmation. Whether it was copied; the secret stays usable. */
  copy(secret: OneTimeSecret, question: Question): Promise<boolean>;
}

/** The words of the dialog that shows a secret. */
export interface SecretWords {
  readonly message: Plain;
  /** The lines before the secret. */
  readonly detail: readonly Plain[];
  /** The question for whoever closes the dialog without copying. */
  readonly closing: Plain;
}

/** What the way of a secret needs of the window. */
interface SecretUi {
  readonly ask: Ask;
  /** The turns of all modal dialogs: with two at once, one key press could answer both. */
  readonly takeTurns: TakeTurns;
  /** Whether others may see the screen: then the secret is not shown. */
  readonly isPresenting: () => boolean;
  /** Takes a secret before it is used, so that the log can mask it. */
  readonly mask: (secret: string) => void;
}

export function createOneTimeSecrets({ ask, takeTurns, isPresenting, mask }: SecretUi): OneTimeSecrets {
  const opened = (secret: OneTimeSecret): string => {
    const value = OneTimeSecret.open(secret);
    if (value === undefined) throw refused(l10n.t("The secret of this response isn't kept anymore."));
    mask(value);
    return value;
  };
  return {
    enclose(privateKey) {
      mask(privateKey);
      return new OneTimeSecret("private_key", privateKey);
    },
    hand: (secret, to) => to(opened(secret)),
    forget: (secret) => OneTimeSecret.forget(secret),
    async show(secret, words) {
      const value = opened(secret);
      await takeTurns(async () => await showOnce(value, words, isPresenting()));
      OneTimeSecret.forget(secret);
    },
    async copy(secret, question) {
      const value = opened(secret);
      if (!(await ask(question))) return false;
      await vscode.env.clipboard.writeText(value);
      return true;
    },
  };
}

async function showOnce(value: string, { message, detail, closing }: SecretWords, isHidden: boolean): Promise<void> {
  const shown = isHidden ? l10n.t("Hidden in presentation mode. Copying it works.") : value;
  for (let isCopied = false; ;) {
    const copy: vscode.MessageItem = { title: isCopied ? l10n.t("Copy Again") : l10n.t("Copy Secret") };
    const close: vscode.MessageItem = { title: l10n.t("Close"), isCloseAffordance: true };
    const lines = isCopied
      ? [l10n.t("Copied to the clipboard. Save it in a safe place before you close this dialog.")]
      : [];
    const chosen = await vscode.window.showInformationMessage(
      message,
      { modal: true, detail: [...lines, ...detail, "", shown].join("\n") },
      copy,
      close,
    );
    if (chosen === copy) {
      await vscode.env.clipboard.writeText(value);
      isCopied = true;
    } else if (chosen === undefined || isCopied || !(await isToBeShownAgain(closing))) return;
  }
}

/** Asks whoever closes the dialog without copying. Escape shows the secret again: it can't be had another time. */
async function isToBeShownAgain(closing: string): Promise<boolean> {
  const again: vscode.MessageItem = { title: l10n.t("Show Secret Again"), isCloseAffordance: true };
  const close: vscode.MessageItem = { title: l10n.t("Close Without Copying") };
  const chosen = await vscode.window.showWarningMessage(
    closing,
    { modal: true, detail: l10n.t("Nothing can show it again.") },
    again,
    close,
  );
  return chosen === again;
}
