import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { ENVIRONMENTS_BY_NAME } from "../requests/file/readRequest.ts";
import type { Environment } from "../state/records.ts";
import { readWords, shown, textOfOption, unknownOption } from "./optionWords.ts";

/** The options of the list of methods. */
export interface MethodsWishes {
  /** The methods or channels to describe; a list of all when empty. */
  readonly names: readonly string[];
  /** Whether channels are meant instead of methods. */
  readonly isAboutChannels: boolean;
  /** The form of the list; `openrpc`: one document about all methods. */
  readonly format: "text" | "json" | "openrpc";
  /** The environment whose servers have to offer what is listed; undefined: all are listed. */
  readonly environment: Environment | undefined;
}

/** Reads the words after the command. Returns a sentence where one of them is wrong. */
export function readMethods(words: readonly string[]): MethodsWishes | Plain {
  const names: string[] = [];
  const flags = new Set<string>();
  let environment: Environment | undefined;
  const problem = readWords(words, {
    name: (name) => void names.push(name),
    option(name, source) {
      if (name === "--env") {
        const value = textOfOption(name, source);
        if (value.problem !== undefined) return value.problem;
        environment = ENVIRONMENTS_BY_NAME.get(value.text);
        flags.add(name);
        return environment === undefined ? otherEnvironment(value.text) : undefined;
      }
      if (!METHODS_FLAGS.includes(name)) return unknownOption(name, plain`methods`);
      flags.add(name);
      return source.given === undefined ? undefined : l10n.t("{0} doesn't accept a value.", plain.name(name));
    },
  });
  if (problem !== undefined) return problem;
  if (flags.has("--openrpc") && (flags.size > 1 || names.length > 0))
    return l10n.t("--openrpc describes all methods. Use it without names and other options.");
  const format = flags.has("--openrpc") ? "openrpc" : flags.has("--json") ? "json" : "text";
  return { names, isAboutChannels: flags.has("--channels"), format, environment };
}

/** Returns the sentence about a text that is not the name of an environment. */
export function otherEnvironment(name: string): Plain {
  const names = plain.text([...ENVIRONMENTS_BY_NAME.keys()].join(", "));
  return l10n.t("--env must be one of {0}, not {1}.", names, shown(name));
}

const METHODS_FLAGS = ["--json", "--channels", "--openrpc"];
