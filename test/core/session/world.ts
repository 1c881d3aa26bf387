import type { Log } from "../../../src/base/log.ts";
import { toFailure, type Failure } from "../../../src/base/failure.ts";
import { createSession } from "../../../src/session/createSession.ts";
import type { ChannelState, Credentials, Session, SessionPorts, SessionState } from "../../../src/session/session.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { CLIENT_ID, CLIENT_SECRET, createScriptedServer, type ScriptedServer } from "../../scriptedServer.ts";

/** A session, the server it talks to, and everything that it says. */
export interface World {
  readonly clock: FakeClock;
  readonly server: ScriptedServer;
  readonly session: Session;
  readonly states: SessionState[];
  readonly lines: string[];
  /** Statuses since the beginning, without repeats. */
  statuses(): string[];
  /** Connects and waits until it is ready. */
  ready(): Promise<World>;
}

export const SIGNATURE: Credentials = { kind: "client_signature", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };

export function createWorld(
  options: Partial<Omit<SessionPorts, "credentials">> & {
    readonly credentials?: Credentials | (() => Promise<Credentials>);
  } = {},
): World {
  const clock = createFakeClock();
  const server = createScriptedServer(clock);
  const lines: string[] = [];
  const states: SessionState[] = [];
  const { credentials = SIGNATURE, ...ports } = options;
  let wireId = 10_000;
  let generation = 0;
  const session = createSession({
    dial: server.dial,
    credentials: typeof credentials === "function" ? credentials : async () => await Promise.resolve(credentials),
    client: { name: "trading-rpc", version: "0.1.0" },
    clock,
    random: createFakeRandom(7),
    log: createLines(lines),
    nextWireId: () => ++wireId,
    nextGeneration: () => ++generation,
    limits: "exchange",
    isTracing: () => true,
    ...ports,
  });
  session.onDidChangeState((state) => states.push(state));
  const world: World = {
    clock,
    server,
    session,
    states,
    lines,
    statuses: () => states.map((state) => state.status).filter((status, index, all) => status !== all[index - 1]),
    async ready() {
      session.connect();
      await clock.settle();
      if (session.state.status !== "ready")
        throw new Error(`not ready but ${JSON.stringify(session.state)}\n${lines.join("\n")}`);
      return world;
    },
  };
  return world;
}

export function createLines(lines: string[]): Log {
  const write =
    (level: string) =>
    (message: string): void => {
      lines.push(`${level} ${message}`);
    };
  return {
    trace: write("trace"),
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
}

/** A promise that is looked at from outside. */
export interface Watched<T> {
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  readonly isSettled: boolean;
}

export function watch<T>(promise: Promise<T>): Watched<T> {
  const watched: { value: T | undefined; failure: Failure | undefined; isSettled: boolean } = {
    value: undefined,
    failure: undefined,
    isSettled: false,
  };
  promise.then(
    (value) => {
      Object.assign(watched, { value, isSettled: true });
    },
    (thrown: unknown) => {
      Object.assign(watched, { failure: toFailure(thrown), isSettled: true });
    },
  );
  return watched;
}

/** A subscription and what it heard. */
export function hear(
  session: Session,
  channel: string,
): { readonly data: unknown[]; readonly states: ChannelState[]; dispose(): void } {
  const data: unknown[] = [];
  const states: ChannelState[] = [];
  const subscription = session.subscribe(
    channel,
    (each) => data.push(each),
    (state) => states.push(state),
  );
  return {
    data,
    states,
    dispose: () => {
      subscription.dispose();
    },
  };
}
