import * as l10n from "@vscode/l10n";
import { plain } from "../base/plain.ts";

/** The options of a recording, besides those of its run. */
export interface RecordWishes {
  /** The path of the recording. */
  readonly out: string;
  /** Whether a file that is there already is replaced. */
  readonly overwrites: boolean;
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
}

const DEFAULT_PORT = 8766;

/** Takes the options of a recording out of words. Returns them and the words of its run, or a sentence. */
export function readRecordOptions(
  words: readonly string[],
): { readonly record: RecordWishes; readonly rest: readonly string[] } | string {
  const rest: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string[]>([
    ["--out", []],
    ["--channel", []],
  ]);
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [name, given] = split(word);
    const known = values.get(name);
    if (word === "--") rest.push(word, ...left.splice(0));
    else if (word === "--overwrite" || word === "--yes") flags.add(word);
    else if (known === undefined) rest.push(word);
    else {
      const value = given ?? left.shift() ?? "";
      if (value === "") return l10n.t("{0} needs a value.", name);
      known.push(value);
    }
  }
  const [out, ...others] = values.get("--out") ?? [];
  if (out === undefined || others.length > 0) return l10n.t("Specify one file to write: --out session.rpcrec.jsonl.");
  const channels = values.get("--channel") ?? [];
  return { record: { out, channels, overwrites: flags.has("--overwrite"), isConfirmed: flags.has("--yes") }, rest };
}

/** Reads the words of a replay. Returns its options, or a sentence. */
export function readReplay(words: readonly string[]): ReplayWishes | string {
  const files: string[] = [];
  let options = { port: DEFAULT_PORT, speed: 1 };
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [name, given] = split(word);
    if (word === "--") files.push(...left.splice(0));
    else if (!word.startsWith("-")) files.push(word);
    else {
      const read = Object.hasOwn(REPLAY_OPTIONS, name) ? REPLAY_OPTIONS[name] : undefined;
      if (read === undefined)
        return l10n.t(
          "{0} is not a trading-rpc {1} option. Use --help to list the options.",
          plain.name(name),
          "replay",
        );
      const reading = read(given ?? left.shift() ?? "");
      if (typeof reading === "string") return reading;
      options = { ...options, ...reading };
    }
  }
  const [file, ...others] = files;
  return file === undefined || others.length > 0
    ? l10n.t("Specify one recording: trading-rpc replay session.rpcrec.jsonl.")
    : { file, ...options };
}

const REPLAY_OPTIONS: Readonly<Record<string, (value: string) => { port?: number; speed?: number } | string>> = {
  "--port": (value) =>
    /^\d{1,5}$/.test(value) && Number(value) <= MAX_PORT
      ? { port: Number(value) }
      : l10n.t("{0} needs a whole number from {1} to {2}, not {3}.", "--port", 0, MAX_PORT, shown(value)),
  "--speed"(value) {
    const speed = value === "max" ? Infinity : /^\d{1,6}(?:\.\d{1,6})?$/.test(value) ? Number(value) : 0;
    return speed >= MIN_SPEED
      ? { speed }
      : l10n.t("--speed needs a number from {0}, such as 1, or max, not {1}.", MIN_SPEED, shown(value));
  },
};

const MAX_PORT = 65_535;
const MIN_SPEED = 0.01;

function split(word: string): readonly [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 || !word.startsWith("--") ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function shown(value: string): string {
  return value === "" ? l10n.t("nothing") : `"${plain.name(value)}"`;
}
