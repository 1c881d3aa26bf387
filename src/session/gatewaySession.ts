import type { Disposable } from "../base/emitter.ts";
import { isAboutMarketChannels } from "../catalogue/sessionCalls.ts";
import type { Dial } from "../rpc/transport.ts";
import { createSession } from "./createSession.ts";
import type { Caller, ChannelState, Session, SessionPorts } from "./session.ts";
import { isPrivateChannel } from "./subscriptions.ts";

/**
 * Makes a session at the partner's gateway, which is off. It has two links. Calls and the channels of the account go
 * over the first, which is the session's own as everywhere else. The channels of the market go over the second, which
 * is not signed in: it comes and goes on its own. `dialStreams`: undefined without a second link, as over HTTP.
 */
export function createGatewaySession(ports: SessionPorts, dialStreams: Dial | undefined): Session {
  const trading = createSession({ ...ports, gateway: "trading" });
  if (dialStreams === undefined) return trading;
  const streams = createSession({
    ...ports,
    dial: dialStreams,
    gateway: "streams",
    credentials: async () => await Promise.resolve({ kind: "none" }),
    httpSession: undefined,
  });
  return joined(trading, streams);
}

/** Makes a session at a server of either kind. `dialStreams`: as for `createGatewaySession`. */
export function createSessionAt(
  server: { readonly isGateway: boolean; readonly dialStreams: Dial | undefined },
  ports: SessionPorts,
): Session {
  return server.isGateway ? createGatewaySession(ports, server.dialStreams) : createSession(ports);
}

/** Returns both sessions as one. What belongs to an account is that of the first. */
function joined(trading: Session, streams: Session): Session {
  const market = followMarket(trading, streams);
  const both = (run: (session: Session) => void): void => {
    run(trading);
    run(streams);
  };
  return {
    get state() {
      return trading.state;
    },
    get epoch() {
      return trading.epoch;
    },
    get latencyMs() {
      return trading.latencyMs;
    },
    get timing() {
      return trading.timing;
    },
    get budgets() {
      return trading.budgets;
    },
    get eventCount() {
      return trading.eventCount + streams.eventCount;
    },
    streams,
    onDidChangeState: trading.onDidChangeState,
    reader: trading.reader,
    caller: routed(trading.caller, streams.caller),
    subscribe: (channel, listener, onState) =>
      isPrivateChannel(channel)
        ? trading.subscribe(channel, listener, onState)
        : market.subscribe(channel, listener, onState),
    connect: () => both((session) => session.connect()),
    disconnect: (reason) => both((session) => session.disconnect(reason)),
    backToMain: () => trading.backToMain(),
    signInAgain: () => both((session) => session.signInAgain()),
    dispose() {
      market.dispose();
      both((session) => session.dispose());
    },
  };
}

/** Returns a caller that makes each call where it is served. The generation is that of the account. */
function routed(trading: Caller, streams: Caller): Caller {
  return {
    get generation() {
      return trading.generation;
    },
    async call(method, paramsText, options = {}) {
      if (!isAboutMarketChannels(method)) return await trading.call(method, paramsText, options);
      // The second link acts for no account: its responses are the same for every account.
      const { generation: _, ...others } = options;
      return await streams.call(method, paramsText, others);
    },
    onLateResponse: trading.onLateResponse,
  };
}

/**
 * Follows channels of the market over the second link. Stores compare the generation of a channel with that of the
 * session: a channel that is accepted is told again for each generation of the first link.
 */
function followMarket(trading: Session, streams: Session): Pick<Session, "subscribe"> & Disposable {
  const accepted = new Set<() => void>();
  const hearing = trading.onDidChangeState(({ status }) => {
    // After the stores have heard of the new generation themselves.
    if (status === "ready") queueMicrotask(() => [...accepted].forEach((tell) => tell()));
  });
  return {
    subscribe(channel, listener, onState) {
      let told: number | undefined;
      const tell = (): void => {
        const { state } = trading;
        if (state.status !== "ready" || state.generation === told) return;
        told = state.generation;
        onState({ kind: "accepted", generation: told });
      };
      const hear = (state: ChannelState): void => {
        accepted.delete(tell);
        told = undefined;
        if (state.kind !== "accepted") {
          onState(state);
          return;
        }
        accepted.add(tell);
        tell();
      };
      const subscription = streams.subscribe(channel, listener, hear);
      return {
        dispose() {
          accepted.delete(tell);
          subscription.dispose();
        },
      };
    },
    dispose: () => hearing.dispose(),
  };
}
