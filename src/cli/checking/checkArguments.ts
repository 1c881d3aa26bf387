import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { formatSentence, readWords, textOfOption, unknownOption } from "../optionWords.ts";

/** The options of a check. */
export interface CheckWishes {
  /** Files, and folders in and below which all request files are meant; at least one. */
  readonly paths: readonly string[];
  readonly format: CheckFormat;
}

/** The form of the problems. `github`: annotations of a workflow. */
export type CheckFormat = "text" | "json" | "github";

const CHECK_FORMATS: readonly CheckFormat[] = ["text", "json", "github"];

/** Reads the words after the command. Returns a sentence where one of them is wrong. */
export function readCheck(words: readonly string[]): CheckWishes | Plain {
  const paths: string[] = [];
  let format: CheckFormat = "text";
  const problem = readWords(words, {
    name: (path) => void paths.push(path),
    option(name, source) {
      if (name !== "--format") return unknownOption(name, plain`check`);
      const value = textOfOption(name, source);
      if (value.problem !== undefined) return value.problem;
      const found = CHECK_FORMATS.find((each) => each === value.text);
      if (found === undefined) return formatSentence(CHECK_FORMATS, value.text);
      format = found;
      return undefined;
    },
  });
  if (problem !== undefined) return problem;
  return paths.length === 0
    ? l10n.t("Specify at least one request file or folder: trading-rpc check orders.rpc.json.")
    : { paths, format };
}
