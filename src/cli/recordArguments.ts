import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { readWords, shown, unknownOption, textOfOption, type ValueSource } from "./optionWords.ts";

/** The options of a recording, besides those of its run. */
export interface RecordWishes {
  /** The path of the recording. */
  readonly out: string;
  /** The channels to follow, besides those of the request files. */
  readonly channels: readonly string[];
  /** Whether recording production is confirmed in advance. */
  readonly isConfirmed: boolean;
}

/** The options of a replay. */
export interface ReplayWishes {
  /** The path of the recording. */
  readonly file: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** How many times faster than it was recorded; Infinity sends everything at once. */
  readonly speed: number;
  /** Whether the recording is printed as a request file, and not replayed. */
  readonly isForRequests: boolean;
}

/** The port of a replay where none is chosen. */
export const REPLAY_PORT = 8766;

/** The options of a recording that were read so far, besides those of its run. */
interface RecordOptions {
  has(name: string, source: ValueSource): boolean;
  /** Takes an option in. Returns a sentence where that is not possible. */
  take(name: string, source: ValueSource): Plain | undefined;
  /** Returns what was chosen, or a sentence about what is missing. */
  wishes(): RecordWishes | Plain;
}

export function createRecordOptions(): RecordOptions {
  let isConfirmed = false;
  const values: Readonly<Record<string, string[]>> = { "--out": [], "--channel": [] };
  return {
    has: (name, { given }) => Object.hasOwn(values, name) || (name === "--yes" && given === undefined),
    take(name, source) {
      const known = values[name];
      if (known === undefined) {
        isConfirmed = true;
        return undefined;
      }
      const value = textOfOption(name, source);
      if (value.problem === undefined) known.push(value.text);
      return value.problem;
    },
    wishes() {
      const [out, ...others] = values["--out"] ?? [];
      if (out === undefined || others.length > 0)
        return l10n.t("Specify one file to write: --out session.rpcrec.jsonl.");
      return { out, channels: values["--channel"] ?? [], isConfirmed };
    },
  };
}

/** Reads the words of a replay. Returns its options, or a sentence. */
export function readReplay(words: readonly string[]): ReplayWishes | Plain {
  const files: string[] = [];
  let options = { port: REPLAY_PORT, speed: 1, isForRequests: false };
  const problem = readWords(words, {
    name: (file) => void files.push(file),
    option(name, { given, rest }) {
      if (name === "--requests" && given === undefined) {
        options = { ...options, isForRequests: true };
        return undefined;
      }
      const read = Object.hasOwn(REPLAY_OPTIONS, name) ? REPLAY_OPTIONS[name] : undefined;
      if (read === undefined) return unknownOption(name, plain`replay`);
      const value = given ?? rest.shift();
      const reading = read(value === "" ? undefined : value);
      if (typeof reading === "string") return reading;
      options = { ...options, ...reading };
      return undefined;
    },
  });
  if (problem !== undefined) return problem;
  const [file, ...others] = files;
  return file === undefined || others.length > 0
    ? l10n.t("Specify one recording: trading-rpc replay session.rpcrec.jsonl.")
    : { file, ...options };
}

const REPLAY_OPTIONS: Readonly<
  Record<string, (value: string | undefined) => { port?: number; speed?: number } | Plain>
> = {
  "--port": (value) =>
    /^\d{1,5}$/.test(value ?? "") && Number(value) <= MAX_PORT
      ? { port: Number(value) }
      : l10n.t("{0} needs a whole number from {1} to {2}, not {3}.", "--port", 0, MAX_PORT, shown(value)),
  "--speed"(value) {
    const speed = value === "max" ? Infinity : /^\d{1,6}(?:\.\d{1,6})?$/.test(value ?? "") ? Number(value) : 0;
    return speed >= MIN_SPEED
      ? { speed }
      : l10n.t("--speed needs a number from {0}, such as 1, or max, not {1}.", MIN_SPEED, shown(value));
  },
};

const MAX_PORT = 65_535;
const MIN_SPEED = 0.01;
