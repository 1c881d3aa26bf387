import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { ENVIRONMENTS_BY_NAME } from "../../requests/file/readRequest.ts";
import type { Environment } from "../../state/records.ts";
import { otherEnvironment } from "../methodsArguments.ts";
import { readWords, shown, textOfOption, unknownOption } from "../optionWords.ts";

/** The options of a probe. */
export interface ProbeWishes {
  readonly environment: Extract<Environment, "gateway" | "simulator">;
  /** The path of the report. */
  readonly out: string;
}

/** The path of the report where none is chosen. */
export const PROBE_REPORT = "trading-rpc-gateway.md";

/** Reads the words of a probe. Returns its options, or a sentence. */
export function readProbe(words: readonly string[]): ProbeWishes | Plain {
  let environment: Environment | undefined;
  let out = PROBE_REPORT;
  const names: string[] = [];
  const problem = readWords(words, {
    name: (word) => void names.push(word),
    option(name, source) {
      if (name !== "--env" && name !== "--out") return unknownOption(name, plain`probe`);
      const value = textOfOption(name, source);
      if (value.problem !== undefined) return value.problem;
      if (name === "--out") out = value.text;
      else environment = ENVIRONMENTS_BY_NAME.get(value.text);
      return name === "--env" && environment === undefined ? otherEnvironment(value.text) : undefined;
    },
  });
  if (problem !== undefined) return problem;
  if (names.length > 0) return l10n.t("trading-rpc probe takes options only, not {0}.", shown(names[0]));
  return environment === "gateway" || environment === "simulator"
    ? { environment, out }
    : l10n.t("trading-rpc probe needs --env gateway, or --env sim for a simulator that plays the gateway.");
}
