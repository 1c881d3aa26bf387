import type { Clock, Random } from "../base/clock.ts";
import { refusal } from "./errors.ts";
import { grantAreas, readScope, type RequestedScope } from "./scopes.ts";
import { randomText } from "./seededRandom.ts";

/** A pair of tokens and what they allow. */
export interface Authorisation {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Granted entries, sorted, separated by spaces. */
  readonly scope: string;
  readonly expiresInSeconds: number;
  /** Identifier of the session; undefined for tokens of a connection. */
  readonly sid: string | undefined;
}

/** An API key: who may ask for tokens, and for how much at most. */
export interface Key {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly maxScope: string;
}

/** Where a token is asked for or used: tokens of a connection are worth nothing elsewhere. */
export interface TokenPlace {
  readonly number: number;
  readonly link: "webSocket" | "http";
}

/** Hands out tokens and knows which are alive. Lifetimes: docs.deribit.com/articles/authentication, recorded answers. */
export interface Tokens {
  /** A new pair. Over HTTP there is no connection to bind it to: the session gets a name of the server's choosing. */
  issue(scope: string | undefined, place: TokenPlace): Authorisation;
  /** A new pair for an old one, which is worth nothing from then on. Refuses with 13009. */
  refresh(refreshToken: string, place: TokenPlace, scope?: string): Authorisation;
  /** What an access token allows here; undefined when it is unknown, expired, or of another connection. */
  find(accessToken: string, place: TokenPlace): Authorisation | undefined;
  /** A connection is gone, and its tokens with it. */
  forget(connectionNumber: number): void;
  /** All tokens stop being valid, as after a release of the exchange; refresh tokens too unless they are kept. */
  expireAll(options?: { readonly keepRefreshTokens?: boolean }): void;
}

const CONNECTION_LIFE_S = 31_536_000;
const SESSION_LIFE_S = 900;
const REFRESH_LIFE_MS = 7 * 24 * 3_600_000;
/** Beyond this many sessions of a key the oldest one is removed. */
const MAX_SESSIONS = 16;

interface Grant {
  readonly authorisation: Authorisation;
  /** Number of the connection that it is bound to; undefined for a session. */
  readonly connection: number | undefined;
  readonly requested: RequestedScope;
  readonly session: string | undefined;
  readonly expiresAtMs: number;
  readonly refreshExpiresAtMs: number;
}

export function createTokens(ports: { readonly clock: Clock; readonly random: Random; readonly key: Key }): Tokens {
  const { clock, random, key } = ports;
  const byAccess = new Map<string, Grant>();
  const byRefresh = new Map<string, Grant>();

  const remove = (grant: Grant): void => {
    byAccess.delete(grant.authorisation.accessToken);
    byRefresh.delete(grant.authorisation.refreshToken);
  };
  const make = (requested: RequestedScope, session: string | undefined, place: TokenPlace): Authorisation => {
    const isBound = session === undefined;
    const usual = isBound ? CONNECTION_LIFE_S : SESSION_LIFE_S - 1;
    // Asking for 60000 gave 59999 in a recorded answer.
    const expiresInSeconds = requested.expires === undefined ? usual : Math.max(1, requested.expires - 1);
    const expiresAtMs = clock.now() + expiresInSeconds * 1000;
    const refreshExpiresAtMs = clock.now() + (isBound ? CONNECTION_LIFE_S * 1000 : REFRESH_LIFE_MS);
    const entries = [...grantAreas(requested, key.maxScope), isBound ? "connection" : `session:${session}`, "mainaccount", `name:${key.name}`];
    const authorisation: Authorisation = {
      accessToken: tokenText(expiresAtMs),
      refreshToken: tokenText(refreshExpiresAtMs),
      scope: entries.sort().join(" "),
      expiresInSeconds,
      sid: isBound ? undefined : randomText(random, 12),
    };
    const connection = isBound ? place.number : undefined;
    const grant: Grant = { authorisation, connection, requested, session, expiresAtMs, refreshExpiresAtMs };
    byAccess.set(authorisation.accessToken, grant);
    byRefresh.set(authorisation.refreshToken, grant);
    if (!isBound) keepSessions();
    return authorisation;
  };
  const keepSessions = (): void => {
    const sessions = [...byRefresh.values()].filter((grant) => grant.session !== undefined);
    for (const grant of sessions.slice(0, Math.max(0, sessions.length - MAX_SESSIONS))) remove(grant);
  };
  /** As the exchange's tokens look: the instant of expiry in ms, a dot, and random characters. */
  const tokenText = (expiresAtMs: number): string => `${expiresAtMs}.1${randomText(random, 7)}.${randomText(random, 86)}`;

  return {
    issue(scope, place) {
      const requested = readScope(scope ?? "");
      const isSession = requested.session !== undefined || (place.link === "http" && !requested.isConnection);
      if (!isSession && place.link === "http") throw refusal(-32602, { param: "scope", reason: "invalid scope" });
      const session = isSession ? (requested.session ?? `rest-${randomText(random, 11)}=`) : undefined;
      for (const grant of [...byRefresh.values()]) if (session !== undefined && grant.session === session) remove(grant);
      return make(requested, session, place);
    },
    refresh(refreshToken, place, scope) {
      const grant = byRefresh.get(refreshToken);
      if (grant === undefined || grant.refreshExpiresAtMs <= clock.now() || isElsewhere(grant, place)) throw refusal(13009);
      remove(grant);
      const asked = scope === undefined ? grant.requested : { ...readScope(scope), session: grant.session };
      return make(asked, grant.session, place);
    },
    find(accessToken, place) {
      const grant = byAccess.get(accessToken);
      return grant === undefined || grant.expiresAtMs <= clock.now() || isElsewhere(grant, place) ? undefined : grant.authorisation;
    },
    forget(connectionNumber) {
      for (const grant of [...byRefresh.values(), ...byAccess.values()]) if (grant.connection === connectionNumber) remove(grant);
    },
    expireAll(options = {}) {
      byAccess.clear();
      if (options.keepRefreshTokens !== true) byRefresh.clear();
    },
  };
}

function isElsewhere(grant: Grant, place: TokenPlace): boolean {
  return grant.connection !== undefined && grant.connection !== place.number;
}
