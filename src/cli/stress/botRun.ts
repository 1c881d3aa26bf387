import type { Clock } from "../../base/clock.ts";
import { silentLog } from "../../base/log.ts";
import { conversationOf, type Conversation } from "../../recording/bots/conversation.ts";
import { checkConversation, type CheckName } from "../../recording/bots/checks.ts";
import type { CheckResult } from "../../recording/bots/check.ts";
import type { AccountAtEnd, BotEnd, BotFrame, DeclaredBounds } from "../../recording/bots/frames.ts";
import { startSimulatorThread, type RunningSimulator } from "../../session/simulatorWorker.ts";
import type { ProcessVariables } from "../access.ts";
import type { ProgramEnd, StartedProgram, StartProgram } from "../machine/childProcess.ts";

/** The faults of a run: a seed, and the places in its schedule, from 1. No seed: no faults. */
export interface ChosenFaults {
  readonly seed: number | undefined;
  readonly only?: readonly number[] | undefined;
}

/** What a run needs. */
export interface BotRunPorts {
  readonly clock: Clock;
  readonly simulatorFile: string;
  readonly startProgram: StartProgram;
  readonly variables: ProcessVariables;
  /** Fires when nothing is to be waited for. */
  readonly stop: AbortSignal;
}

/** The bot, and how it runs. */
export interface BotRunOptions {
  readonly command: readonly [string, ...string[]];
  readonly runMs: number;
  readonly bounds: DeclaredBounds;
  /** The longest time in which it sends nothing where there are no faults; undefined in the run that shows it. */
  readonly usualSilenceMs: number | undefined;
}

/** A run of the bot, and what was found. */
export interface BotRun {
  readonly faults: ChosenFaults;
  /** The faults, as a file describes them. */
  readonly schedule: readonly object[];
  readonly conversation: Conversation;
  readonly results: ReadonlyMap<CheckName, CheckResult>;
  /** Whether it signed in to the simulator in time; it was ended if it did not. */
  readonly isConnected: boolean;
  /** Whether it was ended because it wrote too much. */
  readonly isFlooded: boolean;
  /** The reason why it could not be started. */
  readonly problem: string | undefined;
  /** The end of what it wrote. */
  readonly tail: string;
}

/** The time in which a bot has to sign in, in ms. */
export const SIGN_IN_MS = 10_000;
/** The time in which a bot has to end when it is asked to, in ms. */
const END_MS = 5000;
const LOOK_MS = 250;
/** The most that a bot may write, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The seed of the market in the run without faults. */
const CONTROL_SEED = 1;

/** What the account of a bot begins with. */
const ACCOUNT = { balances: { BTC: 10, ETH: 100, USDC: 500_000, USDT: 500_000 } };

interface Observed {
  readonly frames: readonly BotFrame[];
  readonly account: AccountAtEnd;
}

/** Runs the bot once, against a simulator of its own. Throws where the simulator fails. */
export async function runBot(options: BotRunOptions, faults: ChosenFaults, ports: BotRunPorts): Promise<BotRun> {
  const { clock, simulatorFile, startProgram, variables } = ports;
  const { seed, only } = faults;
  const simulator = await startSimulatorThread(simulatorFile, silentLog, () => undefined, {
    seed: seed ?? CONTROL_SEED,
    observed: { account: ACCOUNT, schedule: seed, only },
  });
  const startMs = clock.monotonicMs();
  try {
    let onFlood: () => void = () => undefined;
    const flooded = new Promise<"flooded">((resolve) => {
      onFlood = () => resolve("flooded");
    });
    const program = startProgram(wordsFor(options.command, simulator), {
      variables: variablesFor(variables, simulator),
      ...{ onFlood, mostBytes: MOST_BYTES },
    });
    const why = await Promise.race([flooded, watch(program, simulator, { ...ports, runMs: options.runMs })]);
    const atMs = clock.monotonicMs() - startMs;
    const ended = await end(program, clock);
    const { frames, account } = JSON.parse(await simulator.control("observation", {})) as Observed;
    const conversation = conversationOf(frames, {
      bounds: options.bounds,
      end: botEnd(why === "ended", ended, { atMs, account, usualSilenceMs: options.usualSilenceMs }),
    });
    return {
      faults,
      schedule: seed === undefined ? [] : await scheduleOf(simulator, seed, only),
      conversation,
      results: checkConversation(conversation),
      isConnected: why !== "strange",
      isFlooded: why === "flooded",
      problem: ended?.problem,
      tail: program.tail(),
    };
  } finally {
    await simulator.stop();
  }
}

async function scheduleOf(
  simulator: RunningSimulator,
  seed: number,
  only: readonly number[] | undefined,
): Promise<readonly object[]> {
  const all = JSON.parse(await simulator.control("schedule", { seed })) as readonly object[];
  return all.filter((_, index) => only?.includes(index + 1) ?? true);
}

/**
 * Waits until the bot has ended, its time is over, or the user stops the test. `strange`: it has not signed in to the
 * simulator in time, or has ended before.
 */
async function watch(
  { ended }: StartedProgram,
  simulator: RunningSimulator,
  { clock, stop, runMs }: Pick<BotRunPorts, "clock" | "stop"> & { readonly runMs: number },
): Promise<"ended" | "over" | "strange"> {
  const startMs = clock.monotonicMs();
  const isSignedIn = async (): Promise<boolean> => (await simulator.control("isSignedIn", {})) === "true";
  let isKnown = false;
  for (;;) {
    const pause = new Promise<"pause">((resolve) => void clock.after(LOOK_MS, () => resolve("pause")));
    const hasEnded = (await Promise.race([ended, pause])) !== "pause";
    isKnown ||= await isSignedIn();
    const passedMs = clock.monotonicMs() - startMs;
    if (!isKnown && (hasEnded || passedMs >= Math.min(SIGN_IN_MS, runMs))) return "strange";
    if (hasEnded) return "ended";
    if (passedMs >= runMs || stop.aborted) return "over";
  }
}

/** Ends the bot and all that it started. Resolves to how it ended; to undefined where it had to be killed. */
async function end(program: StartedProgram, clock: Clock): Promise<ProgramEnd | undefined> {
  program.signal("SIGTERM");
  const late = new Promise<undefined>((resolve) => void clock.after(END_MS, () => resolve(undefined)));
  const ended = await Promise.race([program.ended, late]);
  program.signal("SIGKILL");
  return ended;
}

function botEnd(
  isOwn: boolean,
  ended: ProgramEnd | undefined,
  rest: Pick<BotEnd, "atMs" | "account" | "usualSilenceMs">,
): BotEnd {
  return {
    ...rest,
    how: ended === undefined ? "killed" : isOwn ? "exited" : "stopped",
    exitCode: ended?.exitCode,
    signal: isOwn ? ended?.signal : undefined,
  };
}

type Reached = Pick<RunningSimulator, "webSocket" | "clientId" | "clientSecret">;

function httpOf({ webSocket }: Reached): string {
  return webSocket.replace(/^ws:/, "http:").replace("/ws/", "/");
}

/** Returns the command with the address and the credentials in it. */
export function wordsFor(command: BotRunOptions["command"], reached: Reached): [string, ...string[]] {
  const values: Readonly<Record<string, string>> = {
    ws: reached.webSocket,
    http: httpOf(reached),
    id: reached.clientId,
    secret: reached.clientSecret,
  };
  const filled = (word: string): string =>
    word.replaceAll(/\{(ws|http|id|secret)\}/g, (_, name: string) => values[name] ?? "");
  const [program, ...words] = command;
  return [filled(program), ...words.map(filled)];
}

/** Returns the environment of the bot: that of this process, with no other access than that to the simulator. */
export function variablesFor(variables: ProcessVariables, reached: Reached): Record<string, string | undefined> {
  return {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => !/^TRADING_RPC_/i.test(name))),
    TRADING_RPC_SIM_URL: reached.webSocket,
    TRADING_RPC_SIM_HTTP_URL: httpOf(reached),
    TRADING_RPC_SIM_CLIENT_ID: reached.clientId,
    TRADING_RPC_SIM_CLIENT_SECRET: reached.clientSecret,
  };
}
