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
  /** The port of the proxy through which another program is recorded; undefined where no program is. */
  readonly proxyPort: number | undefined;
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
  const flags = new Set<string>();
  const values: Readonly<Record<string, string[]>> = { "--out": [], "--channel": [], "--port": [] };
  return {
    has: (name, { given }) => Object.hasOwn(values, name) || (FLAGS.includes(name) && given === undefined),
    take(name, source) {
      const known = values[name];
      if (known === undefined) {
        flags.add(name);
        return undefined;
      }
      const value = textOfOption(name, source);
      if (value.problem === undefined) known.push(value.text);
      return value.problem;
    },
    wishes() {
      const { "--out": outs = [], "--channel": channels = [], "--port": ports = [] } = values;
      const [out, ...others] = outs;
      if (out === undefined || others.length > 0)
        return l10n.t("Specify one file to write: --out session.rpcrec.jsonl.");
      const isProxy = flags.has("--proxy");
      if (ports.length > 0 && !isProxy) return l10n.t("{0} can be used only with {1}.", "--port", "--proxy");
      if (channels.length > 0 && isProxy) return l10n.t("{0} and {1} can't be used together.", "--channel", "--proxy");
      const port = isProxy ? readPort(ports.at(-1) ?? String(PROXY_PORT)) : undefined;
      return typeof port === "string" ? port : { out, channels, isConfirmed: flags.has("--yes"), proxyPort: port };
    },
  };
}

const FLAGS: readonly string[] = ["--yes", "--proxy"];

/** The port of a proxy where none is chosen. */
export const PROXY_PORT = 8767;

function readPort(value: string | undefined): number | Plain {
  return /^\d{1,5}$/.test(value ?? "") && Number(value) <= MAX_PORT
    ? Number(value)
    : l10n.t("{0} needs a whole number from {1} to {2}, not {3}.", "--port", 0, MAX_PORT, shown(value));
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
  "--port"(value) {
    const port = readPort(value);
    return typeof port === "string" ? port : { port };
  },
  "--speed"(value) {
    const speed = value === "max" ? Infinity : /^\d{1,6}(?:\.\d{1,6})?$/.test(value ?? "") ? Number(value) : 0;
    return speed >= MIN_SPEED
      ? { speed }
      : l10n.t("--speed needs a number from {0}, such as 1, or max, not {1}.", MIN_SPEED, shown(value));
  },
};

const MAX_PORT = 65_535;
const MIN_SPEED = 0.01;
