import type { Clock, Random } from "../../base/clock.ts";
import type { WorldKey } from "./apiKeys.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { grantAreas, readScope, type RequestedScope } from "./scopes.ts";
import { randomText } from "../text/seededRandom.ts";

/** A pair of tokens and their permissions. */
export interface Authorisation {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The granted entries, sorted, separated by spaces. */
  readonly scope: string;
  readonly expiresInSeconds: number;
  /** The identifier of the session; undefined for tokens of a connection. */
  readonly sid: string | undefined;
  /** The key of the sign-in. */
  readonly key: WorldKey;
  /** The account that it is about. */
  readonly subject: number;
}

/** The place where a token is requested or used: tokens of a connection are not valid elsewhere. */
export interface TokenPlace {
  readonly number: number;
  readonly link: "webSocket" | "http";
}

/**
 * The issuer of tokens, which knows which are alive. Lifetimes: docs.deribit.com/articles/authentication, recorded
 * responses.
 */
export interface Tokens {
  /**
   * Returns a new pair for the main account. Over HTTP nothing can bind it to a connection: the session gets a name of
   * the server's choosing.
   */
  issue(key: WorldKey, scope: string | undefined, place: TokenPlace): Authorisation;
  /** Returns a new pair for an old one, which is invalid from then on. Refuses with 13009. */
  refresh(refreshToken: string, place: TokenPlace, scope?: string): Authorisation;
  /**
   * Returns a pair for another account. The old one is invalid from then on, unless the scope makes a session of its
   * own. Refuses with 13009, or -32602 for an account that does not belong to the caller.
   */
  exchange(
    refreshToken: string,
    wish: { readonly subject: number; readonly scope: string | undefined },
    place: TokenPlace,
  ): Authorisation;
  /**
   * Returns a pair of the same account and permissions for a new session, beside the old one. Refuses with 13009, and
   * with -32602 for a token of a connection.
   */
  fork(refreshToken: string, session: string, place: TokenPlace): Authorisation;
  /** Ends the validity of all tokens of the session that an access token is of; none for a token of a connection. */
  endSession(accessToken: string): void;
  /** Ends the validity of all tokens of a key. */
  revoke(key: WorldKey): void;
  /** Returns what an access token allows here; undefined when it is unknown, expired, or of another connection. */
  find(accessToken: string, place: TokenPlace): Authorisation | undefined;
  /** Forgets a closed connection, and its tokens with it. */
  forget(connectionNumber: number): void;
  /**
   * Ends the validity of all tokens, as after a release of the exchange; of refresh tokens too unless they are kept.
   */
  expireAll(options?: { readonly keepRefreshTokens?: boolean }): void;
}

const CONNECTION_LIFE_S = 31_536_000;
const SESSION_LIFE_S = 900;
const REFRESH_LIFE_MS = 7 * 24 * 3_600_000;
/** The maximum number of sessions of a key; beyond it the oldest one is removed. */
const MAX_SESSIONS = 16;

/** The purpose of a pair. */
interface Purpose {
  readonly key: WorldKey;
  readonly subject: number;
  readonly requested: RequestedScope;
  readonly session: string | undefined;
  /** The scope of the token that it was exchanged from; undefined where the key alone decides. */
  readonly ceiling: string | undefined;
}

interface Grant extends Purpose {
  readonly authorisation: Authorisation;
  /** The number of the connection that it is bound to; undefined for a session. */
  readonly connection: number | undefined;
  readonly expiresAtMs: number;
  readonly refreshExpiresAtMs: number;
}

interface TokenPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** The main account of the owner of the keys. */
  readonly mainAccount: number;
  /** Whether an account belongs to the owner. */
  readonly isOwn: (account: number) => boolean;
}

export function createTokens(ports: TokenPorts): Tokens {
  const { clock, random, mainAccount, isOwn } = ports;
  const byAccess = new Map<string, Grant>();
  const byRefresh = new Map<string, Grant>();

  const remove = (grant: Grant): void => {
    byAccess.delete(grant.authorisation.accessToken);
    byRefresh.delete(grant.authorisation.refreshToken);
  };
  const make = (purpose: Purpose, place: TokenPlace): Authorisation => {
    const { key, subject, requested, session } = purpose;
    const isBound = session === undefined;
    const expiresInSeconds = lifeOf(requested.expires, isBound);
    const expiresAtMs = clock.now() + expiresInSeconds * 1000;
    const refreshExpiresAtMs = clock.now() + (isBound ? CONNECTION_LIFE_S * 1000 : REFRESH_LIFE_MS);
    const authorisation: Authorisation = {
      accessToken: tokenText(expiresAtMs),
      refreshToken: tokenText(refreshExpiresAtMs),
      scope: scopeText(purpose, subject === mainAccount),
      expiresInSeconds,
      sid: isBound ? undefined : randomText(random, 12),
      key,
      subject,
    };
    const connection = isBound ? place.number : undefined;
    const grant: Grant = { ...purpose, authorisation, connection, expiresAtMs, refreshExpiresAtMs };
    byAccess.set(authorisation.accessToken, grant);
    byRefresh.set(authorisation.refreshToken, grant);
    if (!isBound) keepSessions(key);
    return authorisation;
  };
  const mustFind = (refreshToken: string, place: TokenPlace): Grant => {
    const grant = byRefresh.get(refreshToken);
    if (grant === undefined || grant.refreshExpiresAtMs <= clock.now() || isElsewhere(grant, place))
      throw refusal(13009);
    return grant;
  };
  const keepSessions = (key: WorldKey): void => {
    const sessions = [...byRefresh.values()].filter((grant) => grant.session !== undefined && grant.key === key);
    for (const grant of sessions.slice(0, Math.max(0, sessions.length - MAX_SESSIONS))) remove(grant);
  };
  /** Returns a token in the form of the exchange's: the instant of expiry in ms, a dot, and random characters. */
  const tokenText = (expiresAtMs: number): string =>
    `${expiresAtMs}.1${randomText(random, 7)}.${randomText(random, 86)}`;

  return {
    issue(key, scope, place) {
      const requested = readScope(scope ?? "");
      const isSession = requested.session !== undefined || (place.link === "http" && !requested.isConnection);
      if (!isSession && place.link === "http") throw refusal(-32602, { param: "scope", reason: "invalid scope" });
      const session = isSession ? (requested.session ?? `rest-${randomText(random, 11)}=`) : undefined;
      for (const grant of [...byRefresh.values()])
        if (session !== undefined && grant.session === session) remove(grant);
      return make({ key, subject: mainAccount, requested, session, ceiling: undefined }, place);
    },
    refresh(refreshToken, place, scope) {
      const grant = mustFind(refreshToken, place);
      remove(grant);
      const requested = scope === undefined ? grant.requested : { ...readScope(scope), session: grant.session };
      return make({ ...grant, requested }, place);
    },
    exchange(refreshToken, { subject, scope }, place) {
      const grant = mustFind(refreshToken, place);
      // A subaccount's token leads to no other account.
      const isAllowed = subject === grant.subject || (grant.subject === mainAccount && isOwn(subject));
      if (!isAllowed) throw invalidParam("subject_id", "invalid subject_id");
      const requested = readScope(scope ?? "");
      if (requested.session === undefined) remove(grant);
      const session = requested.session ?? grant.session;
      return make({ key: grant.key, subject, requested, session, ceiling: grant.authorisation.scope }, place);
    },
    fork(refreshToken, session, place) {
      const grant = mustFind(refreshToken, place);
      if (grant.session === undefined) throw invalidParam("refresh_token", "only for tokens of a session");
      for (const other of [...byRefresh.values()]) if (other.session === session) remove(other);
      return make({ ...grant, session, ceiling: grant.authorisation.scope }, place);
    },
    endSession(accessToken) {
      const { key, session } = byAccess.get(accessToken) ?? {};
      for (const grant of [...byRefresh.values(), ...byAccess.values()])
        if (session !== undefined && grant.session === session && grant.key === key) remove(grant);
    },
    revoke(key) {
      for (const grant of [...byRefresh.values(), ...byAccess.values()]) if (grant.key === key) remove(grant);
    },
    find(accessToken, place) {
      const grant = byAccess.get(accessToken);
      return grant === undefined || grant.expiresAtMs <= clock.now() || isElsewhere(grant, place)
        ? undefined
        : grant.authorisation;
    },
    forget(connectionNumber) {
      for (const grant of [...byRefresh.values(), ...byAccess.values()])
        if (grant.connection === connectionNumber) remove(grant);
    },
    expireAll(options = {}) {
      byAccess.clear();
      if (options.keepRefreshTokens !== true) byRefresh.clear();
    },
  };
}

/** Returns a lifetime in seconds. A request for 60000 gave 59999 in a recorded response. */
function lifeOf(expires: number | undefined, isBound: boolean): number {
  if (expires !== undefined) return Math.max(1, expires - 1);
  return isBound ? CONNECTION_LIFE_S : SESSION_LIFE_S - 1;
}

/** Returns the granted entries, sorted. Tokens of a subaccount do not say that they are the main account's. */
function scopeText({ key, requested, session, ceiling }: Purpose, isMain: boolean): string {
  const allowed = grantAreas(requested, key.max_scope);
  const areas =
    ceiling === undefined || allowed.length === 0 ? allowed : grantAreas(readScope(allowed.join(" ")), ceiling);
  const lifetime = session === undefined ? "connection" : `session:${session}`;
  return [...areas, lifetime, ...(isMain ? ["mainaccount"] : []), ...(key.name === "" ? [] : [`name:${key.name}`])]
    .sort()
    .join(" ");
}

function isElsewhere(grant: Grant, place: TokenPlace): boolean {
  return grant.connection !== undefined && grant.connection !== place.number;
}
