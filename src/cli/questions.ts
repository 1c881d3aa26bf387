import * as l10n from "@vscode/l10n";
import type { Ask, AskCode, Question } from "../actions/question.ts";
import { plain } from "../base/plain.ts";
import { wholeRequestLines } from "../requests/writing/wholeRequest.ts";

/** The terminal at which the user can be asked. */
export interface Terminal {
  /** Whether a user is there: a terminal on both sides, and not a build server. */
  readonly isAttended: boolean;
  write(text: string): void;
  /** Reads a typed line; a hidden one is not shown. Undefined at the end of the input, or when it was interrupted. */
  readLine(prompt: string, isHidden: boolean): Promise<string | undefined>;
}

export interface TerminalQuestions {
  readonly ask: Ask;
  readonly askCode: AskCode;
}

/**
 * Asks at a terminal, one confirmation at a time. At an unattended terminal, `answersYes` says whether the command line
 * has confirmed in advance. That counts for confirmations with a button, never for those that need something typed. It
 * also never counts for repeating a change that may have been carried out already.
 */
export function createTerminalQuestions(terminal: Terminal, answersYes: () => boolean): TerminalQuestions {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(task: () => Promise<T>): Promise<T> => {
    const mine = last.then(task, task);
    last = mine.catch(() => undefined);
    return await mine;
  };
  return {
    ask: async (question) =>
      answersYes()
        ? question.kind === "modal" && question.isRepetition !== true
        : terminal.isAttended && (await inTurn(async () => await put(terminal, question))),
    askCode: async ({ sentence, place }) =>
      terminal.isAttended
        ? await inTurn(async () => await putCode(terminal, `${plain.text(sentence)} · ${plain.text(place)}`))
        : undefined,
  };
}

/** Asks for one confirmation. No is the default: anything that is not typed exactly means no. */
async function put(terminal: Terminal, question: Question): Promise<boolean> {
  terminal.write(`\n${plainLines(question.message)}\n`);
  if (question.kind === "typed") return (await terminal.readLine("> ", false))?.trim() === question.expected;
  if (question.detail !== "")
    terminal.write(
      `${plainLines(question.detail)
        .split("\n")
        .map((line) => `  ${line}`)
        .join("\n")}\n`,
    );
  // A terminal has room for what a dialog has none for.
  if (question.request !== undefined)
    terminal.write(
      `${wholeRequestLines(question.request)
        .map((line) => `  ${line}`)
        .join("\n")}\n`,
    );
  const response = await terminal.readLine(
    l10n.t("Type yes for: {0}. Anything else: {1}. ", plain.text(question.confirm), plain.text(question.keep)),
    false,
  );
  return response?.trim().toLowerCase() === "yes";
}

async function putCode(terminal: Terminal, sentence: string): Promise<string | undefined> {
  terminal.write(
    `\n${l10n.t("{0}: the exchange requires a 2FA code from your authenticator app. The code is not stored. Leave it empty to change nothing.", sentence)}\n`,
  );
  const code = (await terminal.readLine(l10n.t("2FA code: "), true))?.trim() ?? "";
  return /^\d{6,8}$/.test(code) ? code : undefined;
}

function plainLines(text: string): string {
  return text
    .split("\n")
    .map((line) => plain.text(line))
    .join("\n");
}
