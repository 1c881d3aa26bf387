import type { Ask, AskCode, Question, Unsized } from "../actions/intent/question.ts";
import { CallError } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { RunWishes } from "./arguments.ts";
import { wholeRequestLines } from "../requests/writing/wholeRequest.ts";

/** The terminal at which the user can be asked. */
export interface Terminal {
  /** Whether a user is there: a terminal on both sides, and not a build server. */
  readonly isAttended: boolean;
  /**
   * Shows a question, and reads the line that is typed after it; what was typed before counts for nothing. A hidden
   * line is not shown. Undefined at the end of the input, or when it was interrupted.
   */
  readLine(prompt: string, isHidden: boolean): Promise<string | undefined>;
}

export interface TerminalQuestions {
  readonly ask: Ask;
  readonly askCode: AskCode;
}

/**
 * Asks at a terminal, one confirmation at a time. `isConfirmed` says whether the command line has confirmed in advance
 * what is asked. Where it has not and no user is there, the confirmation is declined with its reason: it throws.
 */
export function createTerminalQuestions(
  terminal: Terminal,
  isConfirmed: (question: Question) => boolean,
): TerminalQuestions {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(task: () => Promise<T>): Promise<T> => {
    const mine = last.then(task, task);
    last = mine.catch(() => undefined);
    return await mine;
  };
  return {
    async ask(question) {
      if (isConfirmed(question)) return true;
      if (!terminal.isAttended) throw new CallError({ kind: "declined", reason: unattendedText(question) });
      return await inTurn(async () => await put(terminal, question));
    },
    askCode: async ({ sentence, place }) =>
      terminal.isAttended
        ? await inTurn(async () => await putCode(terminal, plain`${plain.text(sentence)} · ${plain.text(place)}`))
        : undefined,
  };
}

/**
 * Whether the command line has confirmed in advance what is asked. That a run may cancel confirms every cancel; that it
 * may write confirms a button, never a text to be typed, and never the repetition of a change that may have been made.
 */
export function isConfirmedBy({ writes, cancels }: Pick<RunWishes, "writes" | "cancels">, question: Question): boolean {
  if (question.isForCancels === true && cancels !== "refused") return true;
  return writes !== "refused" && question.kind === "modal" && question.isRepetition !== true;
}

/** Returns why a confirmation can't be given without a user, as sentences. */
function unattendedText(question: Question): string {
  if (question.isRepetition === true)
    return l10n.t(
      "The outcome of an earlier attempt is unknown. The change may already have been made. Check it on the exchange, or confirm it in a terminal.",
    );
  if (question.unsized !== undefined) return UNSIZED[question.unsized]();
  return question.kind === "typed"
    ? l10n.t("This request requires a typed confirmation. Run it in a terminal.")
    : l10n.t("This request requires a confirmation. Run it in a terminal.");
}

const UNSIZED: Readonly<Record<Unsized, () => string>> = {
  method: () =>
    l10n.t(
      "This method is not known, so nothing tells what it does or how large it is. It requires a typed confirmation. Run it in a terminal.",
    ),
  parameter: () =>
    l10n.t(
      "The method is not known to have one of these parameters, so nothing tells how large the request is. It requires a typed confirmation. Remove the parameter, or run it in a terminal.",
    ),
  size: () =>
    l10n.t(
      "The size of this request in USD can't be determined, so it can't be compared with --allow-trading. It requires a typed confirmation. Run it in a terminal.",
    ),
};

/** Asks for one confirmation. No is the default: anything that is not typed exactly means no. */
async function put(terminal: Terminal, question: Question): Promise<boolean> {
  const message = `\n${plainLines(question.message)}\n`;
  if (question.kind === "typed") return (await terminal.readLine(`${message}> `, false))?.trim() === question.expected;
  const lines = [
    ...(question.detail === "" ? [] : plainLines(question.detail).split("\n")),
    // A terminal has room for what a dialog has none for.
    ...(question.request === undefined ? [] : wholeRequestLines(question.request)),
  ].map((line) => `  ${line}\n`);
  const choice = l10n.t(
    "Type yes for: {0}. Anything else: {1}. ",
    plain.text(question.confirm),
    plain.text(question.keep),
  );
  const response = await terminal.readLine([message, ...lines, choice].join(""), false);
  return response?.trim().toLowerCase() === "yes";
}

async function putCode(terminal: Terminal, sentence: Plain): Promise<string | undefined> {
  const question = `\n${l10n.t("{0}: the exchange requires a 2FA code from your authenticator app. The code is not stored. Leave it empty to change nothing.", sentence)}\n`;
  const code = (await terminal.readLine(`${question}${l10n.t("2FA code: ")}`, true))?.trim() ?? "";
  return /^\d{6,8}$/.test(code) ? code : undefined;
}

function plainLines(text: string): string {
  return text
    .split("\n")
    .map((line) => plain.text(line))
    .join("\n");
}
