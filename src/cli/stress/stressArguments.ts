import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { DeclaredBounds } from "../../recording/bots/frames.ts";
import { readWords, shown, textOfOption, unknownOption, type ValueSource } from "../optionWords.ts";

/** The options of a stress test. */
export interface StressWishes {
  /** The command of the bot. */
  readonly command: readonly [string, ...string[]];
  readonly seeds: number;
  /** One schedule instead: its seed, and the places of its faults, from 1; all when there are none. */
  readonly replayed: { readonly seed: number; readonly only: readonly number[] | undefined } | undefined;
  /** The number of bots that run at once. */
  readonly jobs: number;
  /** The time of a run, in ms. */
  readonly runMs: number;
  readonly isConfirmed: boolean;
  readonly bounds: DeclaredBounds;
  readonly format: StressFormat;
  /** The path of the report; undefined for the standard output. */
  readonly output: string | undefined;
}

export type StressFormat = (typeof FORMATS)[number];

const FORMATS = ["text", "json", "junit"] as const;
const EXITS = ["clean", "flat", "any"] as const;
const DEFAULT_SEEDS = 20;
const MAX_SEEDS = 10_000;
const MAX_JOBS = 32;
const MAX_SECONDS = 600;
const SECOND_MS = 1000;

/** The time of a run where none is chosen, in seconds. */
export const RUN_SECONDS = 30;

type Options = Omit<StressWishes, "command">;

const USUAL: Options = {
  seeds: DEFAULT_SEEDS,
  replayed: undefined,
  jobs: 1,
  runMs: RUN_SECONDS * SECOND_MS,
  isConfirmed: false,
  bounds: {},
  format: "text",
  output: undefined,
};

/** Reads a value; a sentence where it is wrong. */
type OptionReader = (options: Options, text: string, name: string) => Options | Plain;

/** Reads the words after `stress`. Returns a sentence about what is wrong. */
export function readStress(words: readonly string[]): StressWishes | Plain {
  const end = words.indexOf("--");
  const [program, ...rest] = end < 0 ? [] : words.slice(end + 1);
  let options = USUAL;
  let stray: string | undefined;
  const problem = readWords(end < 0 ? words : words.slice(0, end), {
    name: (word) => void (stray ??= word),
    option(name, source) {
      const read = readOption(options, name, source);
      if (typeof read === "string") return read;
      options = read;
      return undefined;
    },
  });
  if (problem !== undefined) return problem;
  if (program === undefined || stray !== undefined)
    return l10n.t("Specify the command of the bot after --: trading-rpc stress -- node bot.mjs.");
  return { ...options, command: [program, ...rest] };
}

/** The options of an audit. */
export interface AuditWishes extends Pick<StressWishes, "bounds" | "format" | "output"> {
  /** The path of the recording. */
  readonly file: string;
}

/** What can be decided of a recording, and how it is told. */
const OF_AUDIT = ["--max-order", "--max-data-age", "--format", "--output"];

/** Reads the words after `audit`. Returns a sentence about what is wrong. */
export function readAudit(words: readonly string[]): AuditWishes | Plain {
  const files: string[] = [];
  let options = USUAL;
  const problem = readWords(words, {
    name: (file) => void files.push(file),
    option(name, source) {
      const read = OF_AUDIT.includes(name) ? readOption(options, name, source) : unknownOption(name, plain`audit`);
      if (typeof read === "string") return read;
      options = read;
      return undefined;
    },
  });
  if (problem !== undefined) return problem;
  const [file, ...others] = files;
  const { bounds, format, output } = options;
  return file === undefined || others.length > 0
    ? l10n.t("Specify one recording: trading-rpc audit session.rpcrec.jsonl.")
    : { file, bounds, format, output };
}

function readOption(options: Options, name: string, source: ValueSource): Options | Plain {
  if (name === "--yes" && source.given === undefined) return { ...options, isConfirmed: true };
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (reader === undefined) return unknownOption(name, plain`stress`);
  const value = textOfOption(name, source);
  return value.problem ?? reader(options, value.text, name);
}

const bound =
  (member: "maxPosition" | "maxOpenOrders" | "maxOrder" | "maxDataAgeMs", factor = 1): OptionReader =>
  (options, text, name) => {
    const number = amountIn(text);
    return number === undefined
      ? l10n.t("{0} needs a number from {1}, not {2}.", plain.text(name), 0, shown(text))
      : { ...options, bounds: { ...options.bounds, [member]: number * factor } };
  };

const whole =
  (most: number, take: (options: Options, number: number) => Options): OptionReader =>
  (options, text, name) => {
    const number = amountIn(text);
    return number === undefined || !Number.isInteger(number) || number < 1 || number > most
      ? l10n.t("{0} needs a whole number from {1} to {2}, not {3}.", plain.text(name), 1, most, shown(text))
      : take(options, number);
  };

const oneOf =
  <T extends string>(values: readonly T[], take: (options: Options, value: T) => Options): OptionReader =>
  (options, text, name) => {
    const found = values.find((each) => each === text);
    return found === undefined
      ? l10n.t("{0} needs one of {1}, not {2}.", plain.text(name), plain.text(values.join(", ")), shown(text))
      : take(options, found);
  };

const READERS: Readonly<Record<string, OptionReader>> = {
  "--seeds": whole(MAX_SEEDS, (options, seeds) => ({ ...options, seeds })),
  "--jobs": whole(MAX_JOBS, (options, jobs) => ({ ...options, jobs })),
  "--for": whole(MAX_SECONDS, (options, seconds) => ({ ...options, runMs: seconds * SECOND_MS })),
  "--replay"(options, text) {
    const [, seed, places] = /^(\d{1,9})(?::(\d(?:,\d)*))?$/.exec(text) ?? [];
    return seed === undefined
      ? l10n.t("--replay needs a seed and its faults, such as 7 or 7:1,3, not {0}.", shown(text))
      : { ...options, replayed: { seed: Number(seed), only: places?.split(",").map(Number) } };
  },
  "--max-position": bound("maxPosition"),
  "--max-open-orders": bound("maxOpenOrders"),
  "--max-order": bound("maxOrder"),
  "--max-data-age": bound("maxDataAgeMs", SECOND_MS),
  "--exit": oneOf(EXITS, (options, exit) => ({
    ...options,
    bounds: { ...options.bounds, exit: exit === "any" ? undefined : exit },
  })),
  "--format": oneOf(FORMATS, (options, format) => ({ ...options, format })),
  "--output": (options, output) => ({ ...options, output }),
};

function amountIn(text: string): number | undefined {
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}
