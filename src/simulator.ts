import * as crypto from "node:crypto";
import * as fs from "node:fs";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { createSystemClock, type Clock } from "./base/clock.ts";
import { CallError, messageOf } from "./base/failure.ts";
import * as l10n from "./base/l10n.ts";
import { silentLog, type Log } from "./base/log.ts";
import { plain, type Plain } from "./base/plain.ts";
import type { Recording, ReplayedFile } from "./recording/recording.ts";
import { readRecordingFile } from "./recording/recordingFile.ts";
import { createReplayAccess } from "./simulator/access/replayAccess.ts";
import { readPublicKey } from "./simulator/access/authentication.ts";
import { describeAccount, readAccountFile, type DescribedAccount } from "./simulator/wire/accountFile.ts";
import {
  DEFAULT_OPTIONS,
  simulatorHelpText,
  readCommandLine,
  type ObservedStart,
  type SimulatorOptions,
} from "./simulator/wire/commandLine.ts";
import { scheduleOf } from "./simulator/library/faultSchedule.ts";
import { readFaultFile } from "./simulator/wire/faultFile.ts";
import { runControl } from "./simulator/wire/controlRoutes.ts";
import { createListing } from "./simulator/market/listing.ts";
import { createExchange, type Exchange } from "./simulator/wire/exchange.ts";
import { observeExchange, type ObservedExchange } from "./simulator/wire/observedExchange.ts";
import { createReplayExchange } from "./simulator/wire/replayExchange.ts";
import {
  startServer,
  type ServedExchange,
  type SimulatorAddresses,
  type SimulatorServer,
} from "./simulator/wire/server.ts";

/*
 * The simulator as a command of trading-rpc, and as a worker thread of whoever starts it: there it takes its options as
 * workerData, posts its addresses as one message once it accepts connections, or `{ error }` where it cannot, does what
 * it is told by `{ control, body, response }`, and ends when it is told "stop".
 */

const EXIT_ENDED = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

function random(): number {
  return crypto.randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
}

/** A log for the simulator's own defects alone. */
const stderrLog: Log = {
  ...silentLog,
  error: (message) => process.stderr.write(`${message}\n`),
};

interface RunningExchange {
  readonly server: SimulatorServer;
  readonly exchange: Exchange;
  /** What is noted of its conversations; undefined where nothing is. */
  readonly observed: ObservedExchange | undefined;
}

/** Starts an exchange and its server. `faults`: a description that is known to be right. */
async function start(options: SimulatorOptions, faults?: object): Promise<RunningExchange> {
  const { observed, port, orders, updatesPerSecond, still, limits, odd, routedSpot, gateway, publicKeyFile } = options;
  const clock = createSystemClock();
  const exchange = createExchange({
    clock,
    random,
    seed: options.seed ?? crypto.randomBytes(4).readUInt32BE(),
    still,
    limits,
    odd,
    routedSpot,
    methods: options.contractOnly ? "contract" : "all",
    ...(gateway ? { gateway: {} } : {}),
    log: stderrLog,
    ...(orders === undefined ? {} : { orders }),
    ...(updatesPerSecond === undefined ? {} : { updatesPerSecond }),
    account: accountOf(options, clock.now()),
    ...(publicKeyFile === undefined ? {} : { publicKey: publicKeyIn(publicKeyFile) }),
  });
  try {
    if (faults !== undefined) exchange.control.addFaults(faults);
    const watched = observed === undefined ? undefined : observe(exchange, observed, clock);
    return {
      exchange,
      observed: watched,
      server: await startServer({
        exchange: watched?.served ?? exchange,
        port,
        limits,
        log: stderrLog,
        controlToken: crypto.randomBytes(24).toString("base64url"),
      }),
    };
  } catch (error) {
    exchange.dispose();
    throw error;
  }
}

/** Observes an exchange, with the faults that a bot is to meet. */
function observe(exchange: Exchange, { schedule, only }: ObservedStart, clock: Clock): ObservedExchange {
  if (schedule !== undefined)
    exchange.control.addFaults({
      seed: schedule,
      faults: scheduleOf(schedule).filter((_, index) => only?.includes(index + 1) ?? true),
    });
  return observeExchange(exchange, clock);
}

/** Serves a recording, with credentials of this start. */
async function startReplay(
  { file, speed }: ReplayedFile,
  port: number,
): Promise<{ readonly server: SimulatorServer; readonly exchange: ServedExchange }> {
  const access = createReplayAccess();
  const exchange = createReplayExchange({ recording: recordingIn(file), clock: createSystemClock(), speed, access });
  const controlToken = crypto.randomBytes(24).toString("base64url");
  return { exchange, server: await startServer({ exchange, port, limits: true, log: stderrLog, controlToken }) };
}

/** Reads a recording of any origin. Throws `refused` where it is not as it has to be. */
function recordingIn(file: string): Recording {
  const reading = readRecordingFile(file);
  if (reading.kind === "read") return reading.recording;
  throw new CallError({ kind: "refused", reason: `${file}: ${reading.message}` });
}

/** Returns the text of a public key. Throws `refused` where the file has none that the exchange would take. */
function publicKeyIn(file: string): string {
  const text = fs.readFileSync(file, "utf8");
  if (readPublicKey(text) !== undefined) return text.trim();
  throw new CallError({
    kind: "refused",
    reason: l10n.t("{0} is not a public key in PEM format: Ed25519, or RSA with at least 2048 bits.", plain.text(file)),
  });
}

/** Returns the account that is described, if one is. */
function accountOf({ accountFile, observed }: SimulatorOptions, nowMs: number): DescribedAccount | undefined {
  if (observed !== undefined) return describeAccount(observed.account);
  return accountFile === undefined ? undefined : accountIn(accountFile, nowMs);
}

/** Returns the account of a file, in what is listed at a moment. Throws `refused` where the file is wrong. */
function accountIn(file: string, nowMs: number): DescribedAccount {
  const account = readAccountFile(fs.readFileSync(file, "utf8"), createListing(nowMs).instruments);
  if (typeof account === "string") throw new CallError({ kind: "refused", reason: `${file}: ${account}` });
  return account;
}

/** Returns the faults that a file describes, or a sentence with its name and the place where it is wrong. */
function faultsIn(file: string): object | Plain {
  try {
    const text = fs.readFileSync(file, "utf8");
    const found = readFaultFile(text);
    return typeof found === "string" ? plain`${plain.text(file)}: ${found}` : (JSON.parse(text) as object);
  } catch (error) {
    return l10n.t("{0} can't be read: {1}", plain.text(file), plain.text(messageOf(error)));
  }
}

function readableLines(
  { webSocket, http, clientId, clientSecret, streams, key }: SimulatorAddresses,
  { publicKeyFile }: SimulatorOptions,
): string {
  if (key !== undefined)
    return [
      l10n.t("The simulator plays the Coinbase gateway and is ready for connections."),
      `  WebSocket      ${webSocket}`,
      `  ${l10n.t("Market data")}    ${streams ?? ""}`,
      `  HTTP           ${http}`,
      `  ${l10n.t("Key file")}       ${JSON.stringify(key)}`,
      l10n.t("Press Ctrl+C to stop it."),
      "",
    ].join("\n");
  return [
    l10n.t("The simulator is ready for connections."),
    `  WebSocket      ${webSocket}`,
    `  HTTP           ${http}`,
    `  ${l10n.t("Client ID")}      ${clientId}`,
    publicKeyFile === undefined
      ? `  ${l10n.t("Client secret")}  ${clientSecret}`
      : `  ${l10n.t("Public key")}     ${publicKeyFile}`,
    l10n.t("Press Ctrl+C to stop it."),
    "",
  ].join("\n");
}

/** Returns a sentence about why the server could not start. */
function startFailure(error: unknown, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return l10n.t("Port {0} is in use. Use --port 0 to pick a free one.", port);
  if (error instanceof CallError && error.failure.kind === "refused") return error.failure.reason;
  if (code === "EACCES") return l10n.t("You don't have permission to use port {0}. Choose a port above 1023.", port);
  return l10n.t("The simulator couldn't start: {0}", messageOf(error));
}

/**
 * Runs the simulator with the words of its command line until `stop` fires. Resolves to the exit code of the program.
 */
export async function runSimulator(words: readonly string[], stop: AbortSignal): Promise<0 | 1 | 2> {
  const commandLine = readCommandLine(words);
  if (commandLine.kind === "help") {
    process.stdout.write(simulatorHelpText());
    return EXIT_ENDED;
  }
  if (commandLine.kind === "wrong") {
    process.stderr.write(`${commandLine.message}\n`);
    return EXIT_USAGE;
  }
  const { faultFile } = commandLine.options;
  const faults = faultFile === undefined ? undefined : faultsIn(faultFile);
  if (typeof faults === "string") {
    process.stderr.write(`${faults}\n`);
    return EXIT_USAGE;
  }
  try {
    const { server, exchange } = await start(commandLine.options, faults);
    const { addresses } = server;
    exchange.onFault(({ call, method, fault }) => {
      process.stderr.write(`${l10n.t("Call {0}, {1}: fault {2}.", call, plain.name(method), plain.text(fault))}\n`);
    });
    process.stdout.write(
      commandLine.json ? `${JSON.stringify(addresses)}\n` : readableLines(addresses, commandLine.options),
    );
    if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve));
    await server.close();
    return EXIT_ENDED;
  } catch (error) {
    process.stderr.write(`${startFailure(error, commandLine.options.port)}\n`);
    return EXIT_FAILED;
  }
}

/**
 * A request of the thread that started the simulator: see `Control`. One response is posted: `{ result }` as JSON, or
 * `{ problem }` with why it could not be done.
 */
interface ControlRequest {
  readonly control: string;
  /** The body as JSON. */
  readonly body: string;
  readonly response: MessagePort;
}

/** What a worker serves, and notes. */
interface Served {
  readonly exchange: ServedExchange;
  readonly observed?: ObservedExchange | undefined;
}

function responseTo(
  { control, body }: ControlRequest,
  { exchange, observed }: Served,
): { readonly result: string } | { readonly problem: string } {
  try {
    if (observed !== undefined && control === "isSignedIn") return { result: JSON.stringify(observed.isSignedIn()) };
    if (observed !== undefined && control === "schedule")
      return { result: JSON.stringify(scheduleOf(Number((JSON.parse(body) as { readonly seed?: unknown }).seed))) };
    if (observed !== undefined && control === "observation") return { result: JSON.stringify(observed.observation()) };
    const result = runControl(exchange.control ?? {}, control, body);
    return result === undefined ? { problem: `${control}?` } : { result };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

async function runAsWorker(port: NonNullable<typeof parentPort>): Promise<void> {
  const options: SimulatorOptions = {
    ...DEFAULT_OPTIONS,
    port: 0,
    ...(workerData as Partial<SimulatorOptions> | undefined),
  };
  try {
    const { server, ...served }: Served & { readonly server: SimulatorServer } =
      options.replay === undefined ? await start(options) : await startReplay(options.replay, options.port);
    port.on("message", (message: "stop" | ControlRequest) => {
      if (message === "stop") void server.close().then(() => port.close());
      else message.response.postMessage(responseTo(message, served));
    });
    port.postMessage(server.addresses);
  } catch (error) {
    port.postMessage({ error: startFailure(error, options.port) });
    port.close();
  }
}

if (parentPort !== null) void runAsWorker(parentPort);
