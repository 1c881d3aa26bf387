import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { ENVIRONMENTS_BY_NAME } from "../../requests/file/readRequest.ts";
import type { Environment } from "../../state/records.ts";
import { otherEnvironment } from "../methodsArguments.ts";
import { readWords, shown, textOfOption, unknownOption } from "../optionWords.ts";

/** The options of a server for agents. */
export interface McpWishes {
  /** Never the gateway. */
  readonly environment: Exclude<Environment, "gateway">;
  /** The name of the connection of VS Code that is used; undefined where the process has its own access. */
  readonly connection: string | undefined;
}

/** Reads the words after the command. Returns a sentence about what is wrong. */
export function readMcp(words: readonly string[]): McpWishes | Plain {
  const given = new Map<string, string>();
  const problem = readWords(words, {
    // The reader of words goes on; what is no option is found below.
    name: (word) => void given.set("", word),
    option(name, source) {
      if (name !== "--env" && name !== "--connection") return unknownOption(name, plain`mcp`);
      if (given.has(name)) return l10n.t("{0} is given twice.", plain.name(name));
      const value = textOfOption(name, source);
      if (value.problem !== undefined) return value.problem;
      given.set(name, value.text);
      return undefined;
    },
  });
  if (problem !== undefined) return problem;
  const word = given.get("");
  if (word !== undefined) return l10n.t("trading-rpc mcp takes options only, not {0}.", shown(word));
  const name = given.get("--env");
  if (name === undefined)
    return l10n.t("Specify the environment: --env must be one of {0}.", plain.join(["sim", "test", "prod"], ", "));
  const environment = ENVIRONMENTS_BY_NAME.get(name);
  if (environment === undefined) return otherEnvironment(name);
  return environment === "gateway"
    ? l10n.t("trading-rpc mcp is not offered for the Coinbase gateway.")
    : { environment, connection: given.get("--connection") };
}
