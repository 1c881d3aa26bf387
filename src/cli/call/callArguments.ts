import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { textOfOption, unknownOption, type ValueSource } from "../optionWords.ts";

/** The request of a call, as it was typed. */
export interface CallWishes {
  readonly method: string;
  /** The words after the method. */
  readonly values: readonly string[];
  /** The text of `--json`; undefined where it was not given. */
  readonly json: string | undefined;
}

/** The options of a run that a call accepts. */
export const CALL_OPTIONS = [
  ...["--env", "--connection", "--scope", "--allow-writes", "--allow-cancels", "--allow-trading"],
  ...["--secret-file", "--limits", "--timeout", "--quiet", "--verbose"],
] as const;

/** What takes the words of a call, one after another. */
interface CallWords {
  readonly name: (word: string) => void;
  readonly option: (name: string, source: ValueSource) => Plain | undefined;
  /** Returns what was read, or a sentence about what is missing. */
  readonly wishes: () => CallWishes | Plain;
}

/** Makes a reader of a call. `readOption` takes the options that a run has too. */
export function createCallWords(readOption: CallWords["option"]): CallWords {
  const names: string[] = [];
  let json: string | undefined;
  return {
    name: (word) => void names.push(word),
    option(name, source) {
      if (name !== "--json")
        return CALL_OPTIONS.some((each) => each === name) ? readOption(name, source) : unknownOption(name, plain`call`);
      if (json !== undefined) return l10n.t("{0} is given twice.", plain`--json`);
      const value = textOfOption(name, source);
      if (value.problem !== undefined) return value.problem;
      json = value.text;
      return undefined;
    },
    wishes() {
      const [method, ...values] = names;
      return method === undefined
        ? l10n.t("Specify a method: trading-rpc call public/get_time --env sim.")
        : { method, values, json };
    },
  };
}
