import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { ReplayedFile } from "../../recording/recording.ts";

/** The options of the command line, or of the worker. */
export interface SimulatorOptions {
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** The seed; undefined: another world, and another secret, at each start. */
  readonly seed: number | undefined;
  readonly orders: number | undefined;
  readonly updatesPerSecond: number | undefined;
  readonly still: boolean;
  readonly limits: boolean;
  /** Whether only the methods of the core specification, and public/auth, are there. */
  readonly contractOnly: boolean;
  /** Whether a share of what leaves has new words, and members of another type. */
  readonly odd: boolean;
  /** Whether spot is matched at the partner's exchange: acknowledged first, and filled later. */
  readonly routedSpot: boolean;
  /** Whether it plays the partner's gateway, at two ports in a row. */
  readonly gateway: boolean;
  /** The path of the public key that verifies sign-ins instead of the secret. */
  readonly publicKeyFile: string | undefined;
  /** The path of the file that describes what the main account begins with. */
  readonly accountFile: string | undefined;
  /** The path of the file with faults. */
  readonly faultFile: string | undefined;
  /**
   * The recording to replay instead of simulating an exchange; undefined for the simulator. Only who starts the worker
   * can ask for one.
   */
  readonly replay: ReplayedFile | undefined;
  /** The observation of a bot; undefined for none. Only who starts the worker can ask for one. */
  readonly observed: ObservedStart | undefined;
}

/** The start of an exchange that notes what a bot sends and is sent. */
export interface ObservedStart {
  /** The description of the account. */
  readonly account: object;
  /** The seed of the schedule of faults; undefined for a run without faults. */
  readonly schedule?: number | undefined;
  /** The places of the faults of the schedule that are used, from 1; all when left out. */
  readonly only?: readonly number[] | undefined;
}

type SimulatorCommandLine =
  | { readonly kind: "run"; readonly options: SimulatorOptions; readonly json: boolean }
  | { readonly kind: "help" }
  /** A wrong option. The message is a sentence that names it. */
  | { readonly kind: "wrong"; readonly message: string };

const DEFAULT_PORT = 8765;

export const DEFAULT_OPTIONS: SimulatorOptions = {
  port: DEFAULT_PORT,
  seed: undefined,
  orders: undefined,
  updatesPerSecond: undefined,
  still: false,
  limits: true,
  contractOnly: false,
  odd: false,
  routedSpot: false,
  gateway: false,
  publicKeyFile: undefined,
  accountFile: undefined,
  faultFile: undefined,
  replay: undefined,
  observed: undefined,
};

/** The options without a value, and what they set. */
const FLAGS: Readonly<Record<string, Partial<SimulatorOptions>>> = {
  "--still": { still: true },
  "--odd": { odd: true },
  "--routed-spot": { routedSpot: true },
  "--gateway": { gateway: true },
  "--contract-only": { contractOnly: true },
};

/** Reads the words after the program's name. `--name value` and `--name=value` are the same. */
export function readCommandLine(words: readonly string[]): SimulatorCommandLine {
  let options = DEFAULT_OPTIONS;
  let json = false;
  const rest = words.flatMap((word) =>
    word.startsWith("--") && word.includes("=")
      ? [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]
      : [word],
  );
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--help" || word === "-h") return { kind: "help" };
    if (word === "--json") json = true;
    else if (Object.hasOwn(FLAGS, word)) options = { ...options, ...FLAGS[word] };
    else {
      const reading = readValue(word, rest.shift());
      if (typeof reading === "string") return { kind: "wrong", message: reading };
      options = { ...options, ...reading };
    }
  }
  if (options.still && options.updatesPerSecond !== undefined)
    return { kind: "wrong", message: l10n.t("--still and --updates can't be used together.") };
  if (options.gateway && (options.publicKeyFile !== undefined || options.contractOnly))
    return {
      kind: "wrong",
      message: l10n.t("--gateway can't be used together with --public-key or --contract-only."),
    };
  return { kind: "run", options, json };
}

/** Reads an option that has a value. Returns what it sets, or a sentence. */
function readValue(name: string, value: string | undefined): Partial<SimulatorOptions> | Plain {
  switch (name) {
    case "--port":
      return readNumber({ name, value, most: 65_535 }, (port) => ({ port }));
    case "--seed":
      return readNumber({ name, value, most: 2 ** 32 - 1 }, (seed) => ({ seed }));
    case "--orders":
      return readNumber({ name, value, most: 100_000 }, (orders) => ({ orders }));
    case "--updates":
      return readNumber({ name, value, least: 1, most: 100_000 }, (updatesPerSecond) => ({ updatesPerSecond }));
    case "--public-key":
      return value === undefined ? l10n.t("{0} requires a file.", name) : { publicKeyFile: value };
    case "--account":
      return value === undefined ? l10n.t("{0} requires a file.", name) : { accountFile: value };
    case "--faults":
      return value === undefined ? l10n.t("{0} requires a file.", name) : { faultFile: value };
    case "--limits":
      if (value !== "on" && value !== "off") return l10n.t("--limits requires on or off, not {0}.", shown(value));
      return { limits: value === "on" };
    default:
      return l10n.t("{0} is not a simulator option. Use --help to list the options.", shown(name));
  }
}

interface NumberOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly least?: number;
  readonly most: number;
}

function readNumber(
  { name, value, least = 0, most }: NumberOption,
  make: (value: number) => Partial<SimulatorOptions>,
): Partial<SimulatorOptions> | Plain {
  const number = Number(value);
  if (value !== undefined && /^\d+$/.test(value) && number >= least && number <= most) return make(number);
  return l10n.t("{0} requires a whole number from {1} to {2}, not {3}.", plain.text(name), least, most, shown(value));
}

function shown(value: string | undefined): Plain {
  return value === undefined ? l10n.t("nothing") : plain.text(JSON.stringify(value));
}

/** Returns the output of `--help`. */
export function simulatorHelpText(): string {
  return [
    l10n.t("Exchange simulator, reachable from this computer only."),
    "",
    `  trading-rpc simulator [${l10n.t("options")}]`,
    "",
    `  --port N       ${l10n.t("port to listen on, 0 to pick a free one (default: {0})", DEFAULT_PORT)}`,
    `  --seed N       ${l10n.t("random seed for market data and the client secret (default: random)")}`,
    `  --orders N     ${l10n.t("number of open demo orders at the start (default: 24)")}`,
    `  --updates N    ${l10n.t("demo order updates per second (default: a human pace)")}`,
    `  --still        ${l10n.t("keep prices still and turn off demo trading")}`,
    `  --limits off   ${l10n.t("turn off the exchange's rate limits")}`,
    `  --contract-only  ${l10n.t("support only the ten core methods and public/auth")}`,
    `  --odd          ${l10n.t("send some responses and events with new values and properties of another type")}`,
    `  --routed-spot  ${l10n.t("match spot orders at a partner's exchange: acknowledged first, filled later")}`,
    `  --gateway      ${l10n.t("play the Coinbase gateway: two sockets at ports in a row, and a key file")}`,
    `  --public-key FILE  ${l10n.t("sign in with the private key of this public key (PEM) instead of the client secret")}`,
    `  --account FILE  ${l10n.t("start with the balances and positions of this file (JSON), without demo trading")}`,
    `  --faults FILE  ${l10n.t("simulate the faults of this file (JSON), and log each to the standard error")}`,
    `  --json         ${l10n.t("print one line of JSON when ready for connections")}`,
    `  --help         ${l10n.t("show this help")}`,
    "",
  ].join("\n");
}
