import * as crypto from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { createManualClock } from "../../base/manualClock.ts";
import { toFailure } from "../../base/failure.ts";
import { silentLog } from "../../base/log.ts";
import { createListing } from "../market/listing.ts";
import { describeAccount } from "../wire/accountFile.ts";
import { createExchange, type Exchange } from "../wire/exchange.ts";
import { startServer, type SimulatorServer } from "../wire/server.ts";
import type { Simulator, SimulatorClock, StartOptions } from "./library.ts";

/** Starts a simulator in this process. `clock`: that of the machine. */
export async function startInProcess(options: StartOptions, clock: Clock): Promise<Simulator> {
  const { port = 0, seed = 1, still = false, limits = true, orders = 0, account, faults } = options;
  const time = timeOf(options, clock);
  const exchange = createExchange({
    ...{
      clock: time.clock,
      random: () => crypto.randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
      seed,
      still,
      limits,
      orders,
    },
    ...(account === undefined
      ? {}
      : { account: describeAccount(account, createListing(time.clock.now()).instruments) }),
  });
  try {
    if (faults !== undefined) withReason(() => exchange.control.addFaults(faults));
    const controlToken = crypto.randomBytes(24).toString("base64url");
    const server = await startServer({ exchange, port, limits, log: silentLog, controlToken });
    return simulatorOf(exchange, server, time.own);
  } catch (error) {
    exchange.dispose();
    throw error;
  }
}

interface SimulatorTime {
  readonly clock: Clock;
  /** The time as the test has it. */
  readonly own: SimulatorClock;
}

function timeOf({ clock: kind = "real", startMs }: StartOptions, clock: Clock): SimulatorTime {
  const wait = async (ms: number): Promise<void> => {
    await new Promise<void>((resolve) => void clock.after(ms, resolve));
  };
  const manual = kind === "manual" ? createManualClock(startMs ?? clock.now(), async () => await wait(0)) : undefined;
  return {
    clock: manual ?? clock,
    own: {
      now: () => (manual ?? clock).now(),
      async advance(ms) {
        if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`A time in ms is a number from 0, not ${String(ms)}.`);
        await (manual === undefined ? wait(ms) : manual.advance(ms));
      },
    },
  };
}

function simulatorOf({ control }: Exchange, server: SimulatorServer, clock: SimulatorClock): Simulator {
  const { webSocket, http, clientId, clientSecret } = server.addresses;
  let stopping: Promise<void> | undefined;
  return {
    address: { webSocket, http },
    credentials: { clientId, clientSecret },
    control: withReasons(control),
    faults: {
      add: (description) => withReason(() => control.addFaults(description)),
      clear: () => control.clearFaults(),
      log: () => control.faultLog(),
    },
    clock,
    stop: async () => await (stopping ??= server.close()),
  };
}

/** Returns the control with errors that say what is wrong. */
function withReasons<C extends object>(control: C): C {
  const members = Object.entries(control).map(([name, act]) => [
    name,
    (...given: readonly unknown[]): unknown =>
      withReason(() => (act as (...all: readonly unknown[]) => unknown)(...given)),
  ]);
  return Object.fromEntries(members) as C;
}

/** Runs something, and gives what it throws a message for the reader of a test. */
function withReason<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const failure = toFailure(error);
    if (failure.kind === "refused") throw new Error(failure.reason, { cause: error });
    if (failure.kind !== "exchange") throw error;
    const { code, message, param, reason } = failure;
    const details = [param, reason].filter((each) => each !== undefined).map((each) => ` ${each}`);
    throw new Error(`${String(code)} ${message}${details.join("")}`, { cause: error });
  }
}
