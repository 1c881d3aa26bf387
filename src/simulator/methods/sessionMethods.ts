import { isChannelServed } from "../sessions/gatewayDoors.ts";
import { announcePortfolios } from "../accounts/portfolioEvents.ts";
import { authenticate } from "../access/authentication.ts";
import { findChannel } from "../sessions/channels.ts";
import { describeInstrument } from "./instrumentMethods.ts";
import { findMarketChannel } from "../sessions/marketChannels.ts";
import type { SimulatedConnection } from "../sessions/connection.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { handlersOf, type Call, type HandlerPorts } from "./handlers.ts";
import { writeJson } from "../text/json.ts";
import type { Authorisation } from "../access/tokens.ts";

/** The simulator's name in public/test and public/hello, so that it is never taken for the exchange. */
export const SIMULATOR_VERSION = "simulator 0.2.0";

/** Makes the methods for signing in, signs of life and subscriptions. */
export const sessionHandlers = handlersOf((ports) => {
  const { clock, publisher, heartbeats, tokens } = ports;
  const version = ports.gateway === undefined ? SIMULATOR_VERSION : `${SIMULATOR_VERSION} (gateway)`;
  const unsubscribeAll = ({ connection }: { readonly connection: SimulatedConnection }): string => {
    publisher.forget(connection);
    return writeJson("ok");
  };
  return {
    "public/auth": ({ params, connection }) => {
      if (ports.gateway !== undefined) return ports.gateway.signIn(params, connection);
      const authorisation = authenticate(ports, params, connection);
      // From now on the connection itself is authorised.
      if (connection.link === "webSocket") connection.authorisation = authorisation;
      return tokenText(authorisation, params.state);
    },
    "public/test": ({ params }) => {
      if (params.expected_result === "exception") throw refusal(10001);
      return writeJson({ version });
    },
    "public/get_time": () => String(Math.floor(clock.now())),
    "public/hello": ({ params, connection }) => {
      connection.client = `${params.client_name} ${params.client_version}`;
      return writeJson({ version });
    },
    "public/set_heartbeat": ({ params, connection }) => {
      heartbeats.start(connection, params.interval);
      return writeJson("ok");
    },
    "public/disable_heartbeat": ({ connection }) => {
      heartbeats.stop(connection);
      return writeJson("ok");
    },
    "public/fork_token": ({ params, connection }) =>
      tokenText(tokens.fork(params.refresh_token, params.session_name, connection), undefined),
    "private/logout": ({ params, connection, authorisation }) => {
      if (params.invalidate_token !== false) {
        tokens.forget(connection.number);
        if (authorisation !== undefined) tokens.endSession(authorisation.accessToken);
      }
      ports.disconnects.release(connection);
      connection.outlet.close();
      return writeJson("ok");
    },
    ...disconnectMethods(ports),
    "public/subscribe": ({ params, connection, authorisation }) =>
      subscribe(ports, { connection, authorisation, channels: params.channels, label: undefined }),
    "private/subscribe": ({ params, connection, authorisation }) =>
      subscribe(ports, { connection, authorisation, channels: params.channels, label: params.label }),
    "public/unsubscribe": ({ params, connection }) =>
      writeJson(params.channels.filter((channel) => publisher.unsubscribe(connection, channel))),
    "public/unsubscribe_all": unsubscribeAll,
    "private/unsubscribe_all": unsubscribeAll,
    "private/unsubscribe": ({ params, connection }) =>
      writeJson(params.channels.filter((channel) => publisher.unsubscribe(connection, channel))),
  };
});

/** Makes the cancel-on-disconnect methods of one account. */
const disconnectMethods = handlersOf(({ disconnects, id }) => {
  const isOfAccount = (scope: string | undefined, { link }: SimulatedConnection): boolean => {
    if (scope === "account") return true;
    if (scope !== undefined && scope !== "connection") throw invalidParam("scope", "must be connection or account");
    if (link === "http") throw invalidParam("scope", "connection can be used only over a WebSocket");
    return false;
  };
  const set =
    (isWanted: boolean) =>
    ({ params, connection }: Pick<Call<"private/enable_cancel_on_disconnect">, "params" | "connection">): string => {
      if (isOfAccount(params.scope, connection)) disconnects.setOfAccount(id, isWanted);
      else disconnects.set(connection, isWanted);
      return writeJson("ok");
    };
  return {
    "private/get_cancel_on_disconnect": ({ params, connection }) => {
      const isAccount = isOfAccount(params.scope, connection);
      return writeJson({
        scope: isAccount ? "account" : "connection",
        enabled: isAccount ? disconnects.isOnOfAccount(id) : disconnects.isOn(connection, id),
      });
    },
    "private/enable_cancel_on_disconnect": set(true),
    "private/disable_cancel_on_disconnect": set(false),
  };
});

/** Returns a pair of tokens as it goes over the wire. */
export function tokenText(authorisation: Authorisation, state: string | undefined): string {
  return writeJson({
    access_token: authorisation.accessToken,
    expires_in: authorisation.expiresInSeconds,
    refresh_token: authorisation.refreshToken,
    scope: authorisation.scope,
    enabled_features: authorisation.key.enabled_features,
    token_type: "bearer",
    sid: authorisation.sid,
    state,
  });
}

interface Subscribing {
  readonly connection: SimulatedConnection;
  readonly authorisation: Authorisation | undefined;
  readonly channels: readonly string[];
  readonly label: string | undefined;
}

/** Subscribes; returns the accepted channels only. Raw channels make the whole call fail without a sign-in. */
function subscribe(
  { world, venue, publisher, gateway }: HandlerPorts,
  { connection, authorisation, channels: wanted, label }: Subscribing,
): string {
  const channels = gateway === undefined ? wanted : wanted.filter((name) => isChannelServed(name, connection));
  if (authorisation === undefined && channels.some((name) => name.endsWith(".raw"))) throw refusal(13778);
  const accepted = [...new Set(channels)]
    .map(
      (name) =>
        findMarketChannel(name, world.market, (instrument) => describeInstrument(world.market, instrument)) ??
        findChannel(name, world.instruments, authorisation?.scope),
    )
    .filter((channel) => channel !== undefined);
  const owner = authorisation?.subject;
  for (const channel of accepted) {
    publisher.subscribe(connection, channel, { label, owner });
    if (owner !== undefined) announcePortfolios({ publisher, venue }, owner, channel);
  }
  return writeJson(accepted.map(({ name }) => name));
}
