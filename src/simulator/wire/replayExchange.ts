import type { Clock } from "../../base/clock.ts";
import { INVALID_CREDENTIALS, NOT_IN_RECORDING, UNAUTHORIZED } from "../../catalogue/codes.ts";
import { isPrivate } from "../../catalogue/index.ts";
import { SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import type { Disposable } from "../../base/emitter.ts";
import { createReplay, type Replay, type ReplayStep } from "../../recording/replay.ts";
import { channelChange, isAboutAccount, type Recording } from "../../recording/recording.ts";
import type { Transport } from "../../rpc/transport.ts";
import { TELLING_TOKENS, type ReplayAccess } from "../access/replayAccess.ts";
import { connectionsFromOne, type SimulatedConnection } from "../sessions/connection.ts";
import { createHeartbeats, type Heartbeats } from "../sessions/heartbeat.ts";
import { errorName } from "../text/errors.ts";
import { errorBodyText, errorText, successText, toWireError, type WireError } from "./envelope.ts";
import type { Control } from "./control.ts";
import { createOutlet } from "./switchboard.ts";
import { createSeededRandom } from "../text/seededRandom.ts";
import { createFaults, type Fault, type Faults } from "./faults.ts";
import { readCall, type IncomingFrame, type IncomingRequest } from "./requests.ts";
import type { ServedExchange } from "./server.ts";

interface ReplayOptions {
  readonly recording: Recording;
  readonly clock: Clock;
  /** How many times faster than it was recorded; Infinity sends everything at once. */
  readonly speed: number;
  /** What signs in to this start of the replay. */
  readonly access: ReplayAccess;
}

/** A replay, and the faults that can be put on top of it: of responses and of connections. */
export type ReplayExchange = ServedExchange & {
  readonly control: Pick<Control, "setFault" | "faults" | "clearFaults" | "disconnectAll">;
};

/**
 * Makes an exchange that knows a recording and nothing else: the same calls get the same responses, with the IDs of
 * their caller. It says that it is testnet, whatever was recorded.
 */
export function createReplayExchange({ recording, clock, speed, access }: ReplayOptions): ReplayExchange {
  const replay = createReplay(recording);
  const faults = createFaults(createSeededRandom(1));
  const heartbeats = createHeartbeats(clock);
  const players = new Set<Player>();
  const open = connectionsFromOne();
  const start = (connection: SimulatedConnection): Player => {
    const player = new Player({
      connection,
      replay,
      faults,
      heartbeats,
      clock,
      speed,
      access,
      startedAtMs: recording.startedAtMs,
    });
    players.add(player);
    return player;
  };
  return {
    clientId: access.clientId,
    clientSecret: access.clientSecret,
    isRefusing: false,
    control: {
      setFault: (fault) => faults.add(fault),
      faults: () => faults.waiting(),
      clearFaults: () => faults.clear(),
      disconnectAll(how = "close") {
        for (const player of [...players]) player.cut(how);
      },
    },
    accept(transport: Transport) {
      const connection = open("webSocket", createOutlet(transport));
      const player = start(connection);
      heartbeats.watch(connection, () => connection.outlet.close());
      transport.onText((text) => player.receive({ text }));
      transport.onClose(() => {
        heartbeats.forget(connection);
        player.dispose();
        players.delete(player);
      });
    },
    respondOverHttp(frame, outlet) {
      const connection = open("http", {
        ...outlet,
        // An HTTP request has one response, and is over with it.
        send(text, errorCode) {
          outlet.send(text, errorCode);
          players.delete(player);
        },
      });
      const player = start(connection);
      player.receive({ ...frame, isIdOptional: true });
    },
    dispose() {
      for (const player of players) player.dispose();
    },
  };
}

interface PlayerPorts extends Pick<ReplayOptions, "clock" | "speed" | "access"> {
  readonly connection: SimulatedConnection;
  readonly replay: Replay;
  readonly faults: Faults;
  readonly heartbeats: Heartbeats;
  readonly startedAtMs: number;
}

/** What is sent over one connection, and when. */
class Player {
  readonly #ports: PlayerPorts;
  readonly #timers = new Set<Disposable>();
  /** The channels that are followed, each with the subscription that its events come from. */
  readonly #followed = new Map<string, object>();
  /** Whether the connection itself is signed in. */
  #isSignedIn = false;

  constructor(ports: PlayerPorts) {
    this.#ports = ports;
  }

  receive(frame: IncomingFrame): void {
    const { connection, faults, heartbeats } = this.#ports;
    const call = readCall(frame);
    const { id, method = "", params, refusal } = call;
    heartbeats.sawRequest(connection, method);
    if (refusal?.failure.kind === "exchange") {
      this.#refuse(id, toWireError(refusal.failure));
      return;
    }
    const code = this.#refusalOf(call);
    if (code !== undefined) {
      this.#refuse(id, { code, message: errorName(code) });
      return;
    }
    const fault = faults.take(method) ?? {};
    if (typeof fault.response === "object") {
      const { code, message = errorName(code) } = fault.response;
      this.#refuse(id, { code, message });
    } else this.#respond(id, { method, params }, fault);
  }

  /** Returns the code of the error for a caller that did not prove to know this start; undefined for all others. */
  #refusalOf({ method = "", params, accessToken, proof }: IncomingRequest): number | undefined {
    const { access, connection } = this.#ports;
    if (TELLING_TOKENS.includes(method)) {
      if (!access.proves(params)) return method === SESSION_CALLS.signIn ? INVALID_CREDENTIALS : UNAUTHORIZED;
      this.#isSignedIn = connection.link === "webSocket";
      return undefined;
    }
    const { channels } = params;
    const isOfAccount =
      isPrivate(method) || (Array.isArray(channels) && channels.some((each) => isAboutAccount(String(each))));
    const isKnown = this.#isSignedIn || access.isToken(accessToken) || (proof !== undefined && access.proves(proof));
    return isOfAccount && !isKnown ? UNAUTHORIZED : undefined;
  }

  #respond(
    id: number | string | undefined,
    { method, params }: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
    fault: Fault,
  ): void {
    const { connection, replay, heartbeats } = this.#ports;
    const replayed = replay.call(method, params);
    if (replayed.kind !== "recorded") {
      this.#refuse(id, missing(method, replayed.kind));
      return;
    }
    const { interval } = params;
    if (method === "public/set_heartbeat" && typeof interval === "number") heartbeats.start(connection, interval);
    if (method === "public/disable_heartbeat") heartbeats.stop(connection);
    const subscription = this.#follow(method, params);
    const steps = faultySteps(replayed.steps, fault).map((step) => this.#withTokens(step, method));
    const play = (): void => this.#play(steps, id, subscription);
    if (fault.holdMs === undefined) play();
    else this.#later(fault.holdMs, play);
    if (fault.link === "close" || fault.link === "reset") this.cut(fault.link);
  }

  #withTokens(step: ReplayStep, method: string): ReplayStep {
    return step.kind === "response" && step.member === "result"
      ? { ...step, bodyText: this.#ports.access.withTokens(method, step.bodyText) }
      : step;
  }

  /** Ends the connection as a fault wants it. */
  cut(how: "close" | "reset"): void {
    const { outlet } = this.#ports.connection;
    if (how === "close") outlet.close();
    else outlet.terminate();
  }

  #refuse(id: number | string | undefined, error: WireError): void {
    const { startedAtMs, connection } = this.#ports;
    connection.outlet.send(errorText(id, error, timing(startedAtMs, startedAtMs)), error.code);
  }

  /** Begins or ends channels. Returns the subscription; a channel that is followed already stays with its own. */
  #follow(method: string, { channels }: Readonly<Record<string, unknown>>): object {
    const subscription = {};
    const change = channelChange(method);
    const names = Array.isArray(channels) ? channels.map(String) : [...this.#followed.keys()];
    for (const name of change === undefined ? [] : names) {
      if (change === "end") this.#followed.delete(name);
      else if (!this.#followed.has(name)) this.#followed.set(name, subscription);
    }
    return subscription;
  }

  /** Sends the steps at their times, one timer at a time. */
  #play(steps: readonly ReplayStep[], id: number | string | undefined, subscription: object): void {
    const { clock, speed } = this.#ports;
    const startMs = clock.monotonicMs();
    let next = 0;
    const goOn = (): void => {
      for (let step = steps[next]; step !== undefined; step = steps[next]) {
        const delayMs = step.afterMs / speed - (clock.monotonicMs() - startMs);
        if (delayMs > 0) {
          this.#later(delayMs, goOn);
          return;
        }
        next++;
        this.#send(step, id, subscription);
      }
    };
    goOn();
  }

  #later(delayMs: number, run: () => void): void {
    const timer = this.#ports.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      run();
    });
    this.#timers.add(timer);
  }

  #send(step: ReplayStep, id: number | string | undefined, subscription: object): void {
    const { outlet } = this.#ports.connection;
    if (step.kind === "response") {
      const times = timing(step.sentAtMs, step.receivedAtMs);
      const write = step.member === "result" ? successText : errorBodyText;
      outlet.send(write(id, step.bodyText, times), step.code);
    } else if (this.#followed.get(step.channel) === subscription)
      outlet.send(
        `{"jsonrpc":"2.0","method":"subscription","params":{"channel":${JSON.stringify(step.channel)},"data":${step.dataText}}}`,
      );
  }

  /** Ends the connection, and with it all that is still to be sent. */
  dispose(): void {
    this.#ports.connection.outlet.close();
    for (const timer of this.#timers) timer.dispose();
    this.#timers.clear();
    this.#followed.clear();
  }
}

/** Returns what is left to send of what was recorded: a response can be lost. */
function faultySteps(steps: readonly ReplayStep[], { response }: Fault): readonly ReplayStep[] {
  return response === "none" ? steps.filter(({ kind }) => kind !== "response") : steps;
}

/** Returns the members with which a response ends: the times of the recording, so that two replays are the same. */
function timing(sentAtMs: number, receivedAtMs: number): string {
  const tookUs = Math.max(1, (receivedAtMs - sentAtMs) * 1000);
  return `"usIn":${sentAtMs * 1000},"usOut":${sentAtMs * 1000 + tookUs},"usDiff":${tookUs},"testnet":true`;
}

/** Returns the error of a call that the recording has no response for. */
function missing(method: string, kind: "notRecorded" | "exhausted"): WireError {
  const reason =
    kind === "notRecorded"
      ? `${method} with these parameters is not in the recording`
      : `${method} was not called that often with these parameters; start the replay again`;
  return { code: NOT_IN_RECORDING, message: "not_in_recording", data: { reason } };
}
