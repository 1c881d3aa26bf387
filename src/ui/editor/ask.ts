import * as vscode from "vscode";
import type { ShownView } from "../../actions/intent/intent.ts";
import type { Ask, AskCode, AskedRequest, Question } from "../../actions/intent/question.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** Runs tasks one after another: with two modals at once, one key press could answer both. */
export type TakeTurns = <T>(task: () => Promise<T>) => Promise<T>;

export function createTurns(): TakeTurns {
  let last: Promise<unknown> = Promise.resolve();
  return async (task) => {
    const mine = last.then(task, task);
    last = mine.catch(() => undefined);
    return await mine;
  };
}

/** The subject of a confirmation: a view, or a request of a file. */
export type Asked = ShownView | AskedRequest;

/**
 * Makes the function that confirms in dialogs of VS Code, one at a time. `onShow` brings the subject of a confirmation
 * into sight: a view, or a request.
 */
export function createAsk(takeTurns: TakeTurns, onShow: (shown: Asked) => void): Ask {
  return async (question) => await takeTurns(async () => await put(question, onShow));
}

/** Makes the function that asks for the 2FA code in a box that hides it. */
export function createAskCode(takeTurns: TakeTurns): AskCode {
  return async ({ sentence, place }) =>
    await takeTurns(async () => {
      const code = await vscode.window.showInputBox({
        title: l10n.t("2FA Code for {0}", plain.text(place)),
        prompt: l10n.t(
          "{0}. Enter the code from your authenticator. It is valid for about a minute and never stored. Press Escape to change nothing.",
          plain.text(sentence),
        ),
        placeHolder: l10n.t("6 digits"),
        password: true,
        ignoreFocusOut: true,
        validateInput: (value) =>
          CODE.test(value.trim()) || value === ""
            ? undefined
            : { message: l10n.t("A code has 6 to 8 digits."), severity: vscode.InputBoxValidationSeverity.Error },
      });
      return code === undefined || !CODE.test(code.trim()) ? undefined : code.trim();
    });
}

const CODE = /^\d{6,8}$/;

async function put(question: Question, onShow: (shown: Asked) => void): Promise<boolean> {
  switch (question.kind) {
    case "modal":
      return await putModal(question, onShow);
    case "typed":
      return await putTyped(question.message, question.expected);
  }
}

/**
 * Shows a modal. Enter presses the first button, Escape the one that closes. If many objects are at stake, the first
 * one is harmless.
 */
async function putModal(
  question: Extract<Question, { kind: "modal" }>,
  onShow: (shown: Asked) => void,
): Promise<boolean> {
  const confirm: vscode.MessageItem = { title: question.confirm };
  const keep: vscode.MessageItem = { title: question.keep, isCloseAffordance: true };
  const show: vscode.MessageItem | undefined = question.show === undefined ? undefined : { title: question.show };
  const buttons = show === undefined ? [confirm, keep] : [show, confirm, keep];
  const chosen = await vscode.window.showWarningMessage(
    question.message,
    { modal: true, detail: question.detail },
    ...buttons,
  );
  if (chosen !== undefined && chosen === show) onShow(question.request ?? question.about ?? "orders");
  return chosen === confirm;
}

async function putTyped(message: Plain, expected: string): Promise<boolean> {
  const typed = await vscode.window.showInputBox({
    prompt: message,
    ignoreFocusOut: true,
    // Only an error keeps Enter from accepting what is there. It takes the place of the prompt, so it says the same.
    validateInput: (value) =>
      value === expected
        ? undefined
        : {
            message: l10n.t("{0} Press Escape to change nothing.", message),
            severity: vscode.InputBoxValidationSeverity.Error,
          },
  });
  return typed === expected;
}
