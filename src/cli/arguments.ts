import { isJson } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { parsePath } from "../requests/text/jsonPath.ts";
import { ENVIRONMENTS_BY_NAME } from "../requests/file/readRequest.ts";
import { isAskable } from "../session/tokenRequest.ts";
import { isRealMoney, type Environment, type TradingLimits } from "../state/records.ts";
import { readProbe, type ProbeWishes } from "./probe/probeArguments.ts";
import { otherEnvironment, readMethods, type MethodsWishes } from "./methodsArguments.ts";
import type { FollowLimits } from "./follow.ts";
import { formatSentence, readWords, shown, unknownOption, textOfOption, type ValueSource } from "./optionWords.ts";
import { readCheck, type CheckWishes } from "./checking/checkArguments.ts";
import { createCallWords, type CallWishes } from "./call/callArguments.ts";
import { readMcp, type McpWishes } from "./mcp/mcpArguments.ts";
import { secretWordProblem } from "./secretWords.ts";
import { createRecordOptions, readReplay, type RecordWishes, type ReplayWishes } from "./recordArguments.ts";

/** The options of a run, as they were typed after the name of the program. */
export interface RunWishes {
  /** Files, and folders whose request files are meant, in their order; at least one. */
  readonly paths: readonly string[];
  readonly environment: Environment;
  /** The name of the connection of VS Code that is used; undefined where the process has its own access. */
  readonly connection: string | undefined;
  /** The scopes to ask VS Code for; empty for everything that the connection can read. */
  readonly scope: readonly string[];
  /** Whether changes may be sent: nowhere, on the simulator and on testnet, or on production too. */
  readonly writes: "refused" | "notProduction" | "production";
  /** Whether cancels may be sent, also where no other change may: like `writes`. */
  readonly cancels: "refused" | "notProduction" | "production";
  /** The limits of trading where it is allowed; undefined where it is not. The simulator takes any order. */
  readonly trading: Omit<TradingLimits, "usedUsd"> | undefined;
  /** Values given for this run: a JSON literal by name, including `$pick.order` and `$ask.Label`. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the run stops at the first file with a failure. */
  readonly bails: boolean;
  /** The tags that select requests, together with the reads that these take values from; all requests when empty. */
  readonly tags: readonly string[];
  /** Whether only requests that change nothing are sent. */
  readonly readsOnly: boolean;
  /** Whether a run that has nothing to send passes. */
  readonly allowsNothing: boolean;
  readonly format: ReportFormat;
  /** The path of the report; undefined for the standard output. */
  readonly output: string | undefined;
  /** The path of the new file that takes a client secret; undefined where none may be made. */
  readonly secretFile: string | undefined;
  /** Whether the run's own simulator has the exchange's rate limits; undefined where it isn't said. */
  readonly limits: boolean | undefined;
  /** The time to wait for a response, in ms. */
  readonly timeoutMs: number;
  /** The number of independent reads that are under way at once. */
  readonly concurrency: number;
  /** The limits after which followed channels are let go of; without them, Ctrl+C ends them. */
  readonly follow: FollowLimits;
  readonly verbosity: "quiet" | "normal" | "verbose";
}

type ReportFormat = "text" | "json" | "junit";

type CommandName =
  | "run"
  | "call"
  | "check"
  | "methods"
  | "record"
  | "replay"
  | "probe"
  | "simulator"
  | "stress"
  | "audit"
  | "mcp"
  | "completion";

/** The commands that read their words themselves. */
type OwnWords = "simulator" | "stress" | "audit";

/** A command whose help is in `help.ts`; the others have their own. */
export type HelpTopic = Exclude<CommandName, OwnWords>;

type CommandLine =
  | { readonly kind: "run"; readonly wishes: RunWishes }
  | { readonly kind: "call"; readonly wishes: RunWishes; readonly call: CallWishes }
  | { readonly kind: "completion" }
  | { readonly kind: "check"; readonly wishes: CheckWishes }
  | { readonly kind: "methods"; readonly wishes: MethodsWishes }
  | { readonly kind: "record"; readonly wishes: RunWishes; readonly record: RecordWishes }
  | { readonly kind: "replay"; readonly wishes: ReplayWishes }
  | { readonly kind: "probe"; readonly wishes: ProbeWishes }
  | { readonly kind: "mcp"; readonly wishes: McpWishes }
  /** The words after the command, which it reads itself. */
  | { readonly kind: "simulator"; readonly words: readonly string[] }
  | { readonly kind: "stress" | "audit"; readonly words: readonly string[] }
  | { readonly kind: "help"; readonly command: HelpTopic }
  | { readonly kind: "version" }
  /** A sentence that names the word, and no secret. */
  | { readonly kind: "wrong"; readonly message: Plain };

const USUAL: RunWishes = {
  paths: [],
  environment: "production",
  connection: undefined,
  scope: [],
  writes: "refused",
  cancels: "refused",
  trading: undefined,
  variables: new Map(),
  bails: false,
  tags: [],
  readsOnly: false,
  allowsNothing: false,
  format: "text",
  output: undefined,
  secretFile: undefined,
  limits: undefined,
  timeoutMs: 10_000,
  concurrency: 8,
  follow: { events: undefined, durationMs: undefined },
  verbosity: "normal",
};

/**
 * Reads the words after the name of the program. `--name value` and `--name=value` mean the same; files follow `--`.
 */
export function readArguments(words: readonly string[]): CommandLine {
  // What follows is the command of another program, which has options of its own.
  const secret = secretWordProblem(
    words[0] === "stress" && words.includes("--") ? words.slice(0, words.indexOf("--")) : words,
  );
  if (secret !== undefined) return wrong(secret);
  const asked = words[0] === "help" ? [...words.slice(1), "--help"] : words;
  const [command, ...rest] = asked;
  const name = commandOf(command);
  if (name === "simulator" || name === "stress" || name === "audit") return READERS[name](rest);
  const options = asked.includes("--") ? asked.slice(0, asked.indexOf("--")) : asked;
  if (command === undefined || options.some((word) => word === "--help" || word === "-h"))
    return { kind: "help", command: name ?? "run" };
  if (options.includes("--version")) return { kind: "version" };
  return name === undefined
    ? wrong(l10n.t("{0} is not a trading-rpc command. Use one of {1}.", shown(command), plain.join(COMMANDS, ", ")))
    : READERS[name](rest);
}

/** The commands of the program, the most usual one first. */
export const COMMANDS: readonly CommandName[] = [
  "run",
  "call",
  "check",
  "methods",
  "record",
  "replay",
  "probe",
  "simulator",
  "stress",
  "audit",
  "mcp",
  "completion",
];

const READERS: Readonly<Record<CommandName, (words: readonly string[]) => CommandLine>> = {
  run: readRun,
  call: readCallWords,
  check(words) {
    const wishes = readCheck(words);
    return typeof wishes === "string" ? wrong(wishes) : { kind: "check", wishes };
  },
  methods(words) {
    const wishes = readMethods(words);
    return typeof wishes === "string" ? wrong(wishes) : { kind: "methods", wishes };
  },
  record: readRecord,
  replay(words) {
    const wishes = readReplay(words);
    return typeof wishes === "string" ? wrong(wishes) : { kind: "replay", wishes };
  },
  probe(words) {
    const wishes = readProbe(words);
    return typeof wishes === "string" ? wrong(wishes) : { kind: "probe", wishes };
  },
  simulator: (words) => ({ kind: "simulator", words }),
  mcp(words) {
    const wishes = readMcp(words);
    return typeof wishes === "string" ? wrong(wishes) : { kind: "mcp", wishes };
  },
  stress: (words) => ({ kind: "stress", words }),
  audit: (words) => ({ kind: "audit", words }),
  completion: (words) =>
    words.length === 1 && words[0] === "bash"
      ? { kind: "completion" }
      : wrong(l10n.t("Specify the shell: trading-rpc completion bash.")),
};

function commandOf(word: string | undefined): CommandName | undefined {
  return COMMANDS.find((each) => each === word);
}

function wrong(message: Plain): CommandLine {
  return { kind: "wrong", message };
}

function readRun(words: readonly string[]): CommandLine {
  const reading: Reading = { wishes: USUAL, environment: undefined, writes: undefined, cancels: undefined };
  const problem = readWords(words, {
    name: (path) => addPath(reading, path),
    option: (name, source) => readOption(reading, name, source),
  });
  return problem === undefined ? finished(reading, true) : wrong(problem);
}

/** Reads a recording: the options of a run, and its own. Channels are enough to record. */
function readRecord(words: readonly string[]): CommandLine {
  const reading: Reading = { wishes: USUAL, environment: undefined, writes: undefined, cancels: undefined };
  const own = createRecordOptions();
  const problem = readWords(words, {
    name: (path) => addPath(reading, path),
    option: (name, source) => (own.has(name, source) ? own.take(name, source) : readOption(reading, name, source)),
  });
  if (problem !== undefined) return wrong(problem);
  const record = own.wishes();
  if (typeof record === "string") return wrong(record);
  const isProxy = record.proxyPort !== undefined;
  if (isProxy && reading.wishes.paths.length > 0)
    return wrong(l10n.t("--proxy records another program, so it can't be used with request files."));
  const run = finished(reading, record.channels.length === 0 && !isProxy);
  if (run.kind === "run" && isProxy && run.wishes.environment === "gateway")
    return wrong(l10n.t("--proxy can't be used with --env gateway."));
  return run.kind === "run" ? { kind: "record", wishes: run.wishes, record } : run;
}

/** Reads a call: its request, and the options of a run that one request can have. */
function readCallWords(words: readonly string[]): CommandLine {
  const reading: Reading = { wishes: USUAL, environment: undefined, writes: undefined, cancels: undefined };
  const own = createCallWords((name, source) => readOption(reading, name, source));
  const problem = readWords(words, own);
  const call = problem ?? own.wishes();
  if (typeof call === "string") return wrong(call);
  const run = finished(reading, false);
  return run.kind === "run" ? { kind: "call", wishes: run.wishes, call } : run;
}

function addPath(reading: Reading, path: string): void {
  add(reading, { paths: [...reading.wishes.paths, path] });
}

/** The options of a run that were read so far; which options were there decides more than their values. */
interface Reading {
  wishes: RunWishes;
  environment: string | undefined;
  writes: string | undefined;
  cancels: string | undefined;
}

/** Adds a change to the options. Always returns undefined, no problem, which its callers pass on. */
function add(reading: Reading, change: Partial<RunWishes>): Plain | undefined {
  reading.wishes = { ...reading.wishes, ...change };
  return undefined;
}

const FLAGS: Readonly<Record<string, Partial<RunWishes>>> = {
  "--bail": { bails: true },
  "--reads": { readsOnly: true },
  "--allow-empty": { allowsNothing: true },
  "--quiet": { verbosity: "quiet" },
  "--verbose": { verbosity: "verbose" },
};

/** The options that allow changes, with the name of an environment or without. */
const PERMISSIONS: Readonly<Record<string, "writes" | "cancels">> = {
  "--allow-writes": "writes",
  "--allow-cancels": "cancels",
};

/** Takes an option in. Returns a sentence where that is not possible. */
function readOption(reading: Reading, name: string, source: ValueSource): Plain | undefined {
  const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
  if (flag !== undefined)
    return source.given === undefined ? add(reading, flag) : l10n.t("{0} doesn't accept a value.", plain.name(name));
  const permission = Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name] : undefined;
  if (permission !== undefined) {
    reading[permission] = source.given ?? (ENVIRONMENTS_BY_NAME.has(source.rest[0] ?? "") ? source.rest.shift() : "");
    return undefined;
  }
  const read = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (read === undefined) return unknownOption(name, plain`run`);
  const value = textOfOption(name, source);
  return value.problem ?? read(reading, value.text);
}

const VALUES: Readonly<Record<string, (reading: Reading, value: string) => Plain | undefined>> = {
  "--env"(reading, value) {
    reading.environment = value;
    return undefined;
  },
  "--allow-trading"(reading, value) {
    const trading = readLimits(value);
    return trading === undefined
      ? l10n.t(
          "--allow-trading needs the largest order and the total in USD, for example --allow-trading 100,1000, not {0}.",
          shown(value),
        )
      : add(reading, { trading });
  },
  "--var": (reading, value) => readVariable(reading, value),
  "--connection": (reading, value) => add(reading, { connection: value }),
  "--scope"(reading, value) {
    const scope = listOf(value);
    const wrongOne = scope.find((entry) => !isAskable(entry));
    return wrongOne === undefined
      ? add(reading, { scope: [...reading.wishes.scope, ...scope] })
      : l10n.t("--scope needs scopes such as trade:read or trade:read_write, not {0}.", shown(wrongOne));
  },
  "--tag": (reading, value) => add(reading, { tags: [...reading.wishes.tags, ...listOf(value)] }),
  "--format"(reading, value) {
    const format = FORMATS.find((each) => each === value);
    return format === undefined ? formatSentence(FORMATS, value) : add(reading, { format });
  },
  "--output": (reading, value) => add(reading, { output: value }),
  "--secret-file": (reading, value) => add(reading, { secretFile: value }),
  "--limits": (reading, value) =>
    value === "on" || value === "off"
      ? add(reading, { limits: value === "on" })
      : l10n.t("--limits requires on or off, not {0}.", shown(value)),
  "--timeout": (reading, value) =>
    readNumber({ name: "--timeout", value, most: 600_000 }, (timeoutMs) => add(reading, { timeoutMs })),
  "--concurrency": (reading, value) =>
    readNumber({ name: "--concurrency", value, most: 64 }, (concurrency) => add(reading, { concurrency })),
  "--events": (reading, value) =>
    readNumber({ name: "--events", value, most: 1_000_000_000 }, (events) =>
      add(reading, { follow: { ...reading.wishes.follow, events } }),
    ),
  "--for": (reading, value) =>
    readNumber({ name: "--for", value, most: MAX_FOLLOW_S }, (seconds) =>
      add(reading, { follow: { ...reading.wishes.follow, durationMs: seconds * 1000 } }),
    ),
};

/** Reads the largest order and the total in USD. One amount is both: then no more than one such order is sent. */
function readLimits(value: string): RunWishes["trading"] {
  const [largest = "", total = largest, ...others] = value.split(",").map((each) => each.trim());
  const areAmounts = [largest, total].every((each) => /^\d{1,12}(\.\d{1,2})?$/.test(each) && Number(each) > 0);
  if (!areAmounts || others.length > 0 || Number(total) < Number(largest)) return undefined;
  return { largestOrderUsd: Number(largest), totalUsd: Number(total) };
}

function listOf(value: string): readonly string[] {
  return value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** A week, in seconds. */
const MAX_FOLLOW_S = 7 * 24 * 3600;

const FORMATS: readonly ReportFormat[] = ["text", "json", "junit"];

function readNumber(
  { name, value, most }: { readonly name: string; readonly value: string; readonly most: number },
  take: (number: number) => Plain | undefined,
): Plain | undefined {
  const number = Number(value);
  return /^\d+$/.test(value) && number >= 1 && number <= most
    ? take(number)
    : l10n.t("{0} needs a whole number from 1 to {1}, not {2}.", plain.text(name), most, shown(value));
}

/**
 * Reads `name=value`. A JSON value keeps its type and every digit; any other is text. The value of a pick is always
 * text.
 */
function readVariable(reading: Reading, text: string): Plain | undefined {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  if (at < 0) return l10n.t("--var requires a name and a value, for example --var max=5, not {0}.", shown(text));
  const isNamed =
    name.startsWith("$pick.") || name.startsWith("$ask.") ? name.length > name.indexOf(".") + 1 : isVariableName(name);
  if (!isNamed)
    return l10n.t("{0} is not a valid variable name. Use $pick.…, $ask.…, or a name from the file.", shown(name));
  const value = text.slice(at + 1);
  const isText = name.startsWith("$pick.") && !value.startsWith('"');
  return add(reading, {
    variables: new Map([
      ...reading.wishes.variables,
      [name, isText || !isJson(value) ? JSON.stringify(value) : value.trim()],
    ]),
  });
}

function isVariableName(name: string): boolean {
  return !name.startsWith("$") && parsePath(name)?.length === 1;
}

function finished({ wishes, environment: name, writes, cancels }: Reading, areFilesNeeded: boolean): CommandLine {
  if (wishes.paths.length === 0 && areFilesNeeded)
    return wrong(l10n.t("Specify at least one request file: trading-rpc run orders.rpc.json --env sim."));
  const names = plain.text([...ENVIRONMENTS_BY_NAME.keys()].join(", "));
  if (name === undefined) return wrong(l10n.t("Specify the environment: --env must be one of {0}.", names));
  const environment = ENVIRONMENTS_BY_NAME.get(name);
  if (environment === undefined) return wrong(otherEnvironment(name));
  if (isOtherName(writes, name))
    return wrong(
      l10n.t("--allow-writes {0} and --env {1} can't be used together.", plain.name(writes), plain.text(name)),
    );
  if (isOtherName(cancels, name))
    return wrong(
      l10n.t("--allow-cancels {0} and --env {1} can't be used together.", plain.name(cancels), plain.text(name)),
    );
  if (wishes.scope.length > 0 && wishes.connection === undefined)
    return wrong(l10n.t("--scope can be used only with --connection."));
  if (wishes.limits !== undefined && (environment !== "simulator" || wishes.connection !== undefined))
    return wrong(l10n.t("--limits can be used only with --env sim and without --connection."));
  if (wishes.readsOnly && wishes.tags.length > 0) return wrong(l10n.t("Use --reads or --tag, not both."));
  return {
    kind: "run",
    wishes: { ...wishes, environment, writes: allowedBy(writes), cancels: allowedBy(cancels) },
  };
}

/** Whether an option names an environment, and another one than that of the run. */
function isOtherName(given: string | undefined, name: string): given is string {
  return given !== undefined && given !== "" && given !== name;
}

function allowedBy(name: string | undefined): RunWishes["writes"] {
  if (name === undefined) return "refused";
  return isRealMoney(ENVIRONMENTS_BY_NAME.get(name)) ? "production" : "notProduction";
}
