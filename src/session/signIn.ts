import { momentNow, type Moment } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, toFailure, type Failure } from "../base/failure.ts";
import { parseObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import { INVALID_CREDENTIALS } from "../catalogue/codes.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { noteSent, type SecretValues } from "../rpc/maskSecrets.ts";
import type { UnmaskedResponse } from "../rpc/maskResponse.ts";
import {
  authParamsText,
  isForPerson,
  LONGEST_LIFE_SECONDS,
  readGatewayGrant,
  readGrant,
  refreshDelayMs,
  refreshParamsText,
  secretOf,
  type TokenGrant,
  type KeyCredentials,
} from "./auth.ts";
import { createHold } from "./callRules.ts";
import type { Credentials, Expiring, Identity, SessionPorts } from "./session.ts";

interface SignInPorts extends Pick<SessionPorts, "credentials" | "clock" | "random" | "log"> {
  /** The registry of secrets, which gets each secret before it goes over the wire. */
  readonly values: SecretValues;
  /** The name of the session to sign in to, over HTTP. */
  readonly sessionName: string | undefined;
  /** The scopes to ask for with that session. Without them, all that the key may do. */
  readonly scope?: readonly string[] | undefined;
  /** Makes a call past every queue. */
  readonly call: (method: string, paramsText: string, timeoutMs: number) => Promise<UnmaskedResponse>;
  /** Called with the granted scope, after each renewal. */
  readonly onScope: (scope: string) => void;
  /** Whether it is a socket, which is signed in itself; matters at the gateway only. */
  readonly isSocket?: boolean;
  /** Called when a sign-in at the gateway could not be renewed yet, and with undefined once it was. */
  readonly onExpiring?: (expiring: Expiring | undefined) => void;
  /** Called when a repeated sign-in failed; `isRefused`: only the user can help. */
  readonly onFailure: (failure: Failure, isRefused: boolean) => void;
}

const AUTH_TIMEOUT_MS = 10_000;
const TIME_TIMEOUT_MS = 5000;
/**
 * The pause between renewals, in ms, so that a server that refuses every token does not make us sign in again and
 * again.
 */
const RENEWAL_PAUSE_MS = 30_000;
/** The clock skew worth noting, in ms. The exchange takes signatures from within about 60 s of its own time. */
const NOTABLE_SKEW_MS = 30_000;

/** The pause after a renewal at the gateway that failed, in ms. */
const RETRY_MS = 60_000;

/** What a sign-in tells of our identity. */
type SignedIn = Pick<
  Identity,
  "authentication" | "clientId" | "scope" | "gatewayScope" | "keyFeatures" | "clockSkewMs"
>;

/** The proof of our identity to the server of one link, kept fresh. */
export class SignIn implements Disposable {
  readonly #ports: SignInPorts;
  /** The token for private calls; undefined without one. */
  accessToken: string | undefined;
  /** The token as JSON: it goes out with thousands of calls. */
  tokenLiteral = "";
  /**
   * A number that grows with each token. It shows a call whether there is a newer token than the one it was sent with.
   */
  tokenNumber = 0;
  /** The renewal that private calls wait for: the token they would carry is about to end. Never rejects. */
  renewal: Promise<void> | undefined;
  #refreshToken = "";
  #kind: Credentials["kind"] = "none";
  /** Whether the tokens are of another account than the key's own. */
  #isExchanged = false;
  #refreshTimer: Disposable | undefined;
  #renewedAtMs = -Infinity;
  /** The renewal under way at the gateway, while the present sign-in still holds. Never rejects. */
  #liveRenewal: Promise<void> | undefined;
  #endsAt: Moment = { atMs: Infinity, monotonicMs: Infinity };
  #renewal: { readonly dueMs: number; readonly dueWallMs: number } | undefined;
  #notableSkewMs: number | undefined;
  #isDisposed = false;

  constructor(ports: SignInPorts) {
    this.#ports = ports;
  }

  /** Signs in. Throws `CallError`. */
  async start(): Promise<SignedIn> {
    const credentials = await this.#ports.credentials();
    this.#kind = credentials.kind;
    switch (credentials.kind) {
      case "none":
        return { authentication: "none", clientId: undefined, scope: "" };
      case "token":
        this.#ports.values.keep(credentials.accessToken);
        this.#setToken(credentials.accessToken);
        return { authentication: "token", clientId: undefined, scope: "" };
      case "cdp_key": {
        const { scope: gatewayScope } = await this.#signIn(credentials);
        const { clientId } = credentials;
        const clockSkewMs = this.#notableSkewMs;
        return { authentication: "key", clientId, scope: "", gatewayScope, clockSkewMs };
      }
      case "client_signature":
      case "client_credentials":
      case "private_key": {
        const { scope, keyFeatures } = await this.#signIn(credentials);
        return {
          authentication: "key",
          clientId: credentials.clientId,
          scope,
          ...(keyFeatures === undefined ? {} : { keyFeatures }),
          clockSkewMs: this.#notableSkewMs,
        };
      }
    }
  }

  /** The token that is exchanged for tokens of another account; undefined without one. */
  get refreshToken(): string | undefined {
    return this.#refreshToken === "" ? undefined : this.#refreshToken;
  }

  /**
   * Renews the token with this number after the server refused it. Resolves to whether there is a newer one to try
   * with. Never rejects: if there will be none, `onFailure` hears why.
   */
  async renew(tokenNumber: number, failure: Failure): Promise<boolean> {
    if (this.#isDisposed) return false;
    if (this.#kind === "token") this.#ports.onFailure(failure, true);
    if (this.#kind === "token" || this.#kind === "none") return false;
    if (tokenNumber === this.tokenNumber && this.renewal === undefined && this.#liveRenewal === undefined) {
      if (this.#isExchanged) {
        this.#ports.onFailure(failure, false);
        return false;
      }
      if (this.#ports.clock.monotonicMs() - this.#renewedAtMs < RENEWAL_PAUSE_MS) return false;
      this.#ports.log.info(plain`The server no longer accepts the token; signing in again`);
      this.#startRenewal(async () => await this.#signInAgain());
    }
    await (this.renewal ?? this.#liveRenewal);
    return tokenNumber !== this.tokenNumber && !this.#isDisposed;
  }

  /** Runs something that may end the token; private calls wait for it as for a renewal. Throws what it throws. */
  async holdCalls<Result>(run: () => Promise<Result>): Promise<Result> {
    const hold = createHold();
    this.renewal = hold.promise;
    try {
      return await run();
    } finally {
      this.renewal = undefined;
      hold.end();
    }
  }

  /**
   * Goes on with the tokens of another account. The key would sign in as its own account: from now on these tokens are
   * renewed, and once they are invalid `onFailure` hears it.
   */
  adopt(grant: TokenGrant): void {
    this.#isExchanged = true;
    this.#keep(grant);
  }

  /** Starts a renewal when the token is old on any clock: the timer does not run while the computer sleeps. */
  renewIfDue(): void {
    const { clock } = this.#ports;
    const due = this.#renewal;
    if (due === undefined || this.renewal !== undefined || this.#isDisposed) return;
    if (clock.monotonicMs() < due.dueMs && clock.now() < due.dueWallMs) return;
    if (this.#kind === "cdp_key") this.#renewLive();
    else this.#startRenewal(async () => await this.#refresh());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#refreshTimer?.dispose();
    this.accessToken = undefined;
    this.tokenLiteral = "";
    this.#refreshToken = "";
  }

  async #signIn(credentials: KeyCredentials): Promise<TokenGrant> {
    const { values, clock, random, sessionName, scope } = this.#ports;
    values.keep(secretOf(credentials));
    const isSigned = credentials.kind !== "client_credentials";
    const skewMs = isSigned ? await this.#clockSkewMs() : 0;
    const signedAtMs = clock.now();
    try {
      return await this.#authenticate(
        authParamsText(credentials, { nowMs: signedAtMs + skewMs, random, sessionName, scope }),
      );
    } catch (thrown) {
      // The computer slept meanwhile: the signature was too old when it arrived, and a new one may be accepted.
      if (isSigned && clock.now() - signedAtMs > NOTABLE_SKEW_MS)
        throw new CallError({ kind: "timeout", timeoutMs: AUTH_TIMEOUT_MS });
      throw credentials.kind === "cdp_key" ? this.#withSkew(thrown) : thrown;
    }
  }

  /** Returns a refusal of the gateway with what may be its cause, where the clock of this computer is wrong. */
  #withSkew(thrown: unknown): unknown {
    const failure = toFailure(thrown);
    const skewMs = this.#notableSkewMs;
    if (failure.kind !== "exchange" || failure.code !== INVALID_CREDENTIALS || skewMs === undefined) return thrown;
    const seconds = Math.round(Math.abs(skewMs) / 1000);
    const reason =
      skewMs > 0
        ? l10n.t(
            "The server refused the sign-in (error {0}). The clock of this computer is {1} s slow, which may be the reason. Set it and connect again.",
            failure.code,
            seconds,
          )
        : l10n.t(
            "The server refused the sign-in (error {0}). The clock of this computer is {1} s fast, which may be the reason. Set it and connect again.",
            failure.code,
            seconds,
          );
    return new CallError({ kind: "refused", reason }, { cause: thrown });
  }

  /**
   * Signs in again at the gateway, on the live link, before the present sign-in ends. Calls go on meanwhile. Where it
   * fails it is told, and tried again until the end.
   */
  #renewLive(): void {
    const { onScope, onExpiring } = this.#ports;
    if (this.#liveRenewal !== undefined) return;
    this.#renewedAtMs = this.#ports.clock.monotonicMs();
    this.#liveRenewal = (async () => {
      try {
        await this.#signInAgain();
        if (this.#isDisposed) return;
        onExpiring?.(undefined);
        onScope("");
      } catch (thrown) {
        if (!this.#isDisposed) this.#postpone(toFailure(thrown));
      } finally {
        this.#liveRenewal = undefined;
      }
    })();
  }

  /** Tries a failed renewal again later. What has ended by then is over. */
  #postpone(failure: Failure): void {
    const { clock, log, onExpiring, onFailure } = this.#ports;
    const leftMs = Math.min(this.#endsAt.atMs - clock.now(), this.#endsAt.monotonicMs - clock.monotonicMs());
    if (leftMs <= 0) {
      onFailure(failure, isForPerson(failure));
      return;
    }
    log.warn(plain`The sign-in could not be renewed and ends in ${Math.round(leftMs / 1000)} s: ${failure.kind}`);
    onExpiring?.({ failure, endsAtMs: clock.now() + leftMs });
    this.#planRenewal(Math.min(RETRY_MS, leftMs));
  }

  async #signInAgain(): Promise<TokenGrant> {
    const credentials = await this.#ports.credentials();
    if (credentials.kind === "none" || credentials.kind === "token")
      throw new CallError({ kind: "bug", detail: l10n.t("the type of the credentials changed") });
    return await this.#signIn(credentials);
  }

  /**
   * Renews the tokens. A refresh token may be used up although its response was lost: it is tried once, then the key
   * signs in again.
   */
  async #refresh(): Promise<TokenGrant> {
    try {
      return await this.#authenticate(refreshParamsText(this.#refreshToken));
    } catch (thrown) {
      const { kind } = toFailure(thrown);
      if (kind === "connectionLost" || kind === "notConnected" || this.#isExchanged) throw thrown;
      this.#ports.log.info(plain`The token could not be refreshed (${kind}); signing in again`);
      return await this.#signInAgain();
    }
  }

  async #authenticate(paramsText: string): Promise<TokenGrant> {
    const { call, values } = this.#ports;
    noteSent(paramsText, values);
    // A token of the gateway is known by its value alone.
    const { token } = parseObject(paramsText) ?? {};
    if (typeof token === "string") values.add(token, "sent");
    const { result, error } = await call(SESSION_CALLS.signIn, paramsText, AUTH_TIMEOUT_MS);
    if (error !== undefined) throw new CallError(error);
    const isGateway = this.#kind === "cdp_key";
    const grant = isGateway ? readGatewayGrant(result, this.#ports.isSocket !== false) : readGrant(result);
    if (grant === undefined)
      throw new CallError({
        kind: "unreadableResult",
        detail: l10n.t("the response to public/auth has no usable access token"),
      });
    this.#keep(grant);
    return grant;
  }

  #keep(grant: TokenGrant): void {
    const { values } = this.#ports;
    if (grant.accessToken !== "") values.add(grant.accessToken);
    if (grant.refreshToken !== "") values.add(grant.refreshToken);
    if (!this.#isDisposed) this.#accept(grant);
  }

  #accept(grant: TokenGrant): void {
    // A socket of the gateway is signed in itself: nothing is added to its calls.
    if (this.#kind === "cdp_key" && this.#ports.isSocket !== false) this.tokenNumber++;
    else this.#setToken(grant.accessToken);
    this.#refreshToken = grant.refreshToken;
    const { clock, log } = this.#ports;
    const { sessionName } = this.#ports;
    if (
      grant.scope.split(/\s+/).some((entry) => entry.startsWith("session:") && entry !== `session:${sessionName ?? ""}`)
    )
      log.warn(plain`The server put us into a session that others with the same key can share`);
    if (grant.expiresIn > LONGEST_LIFE_SECONDS)
      log.warn(
        plain`The server reports a lifetime of the access token of more than ten years; it is renewed after eight`,
      );
    const { atMs, monotonicMs } = momentNow(clock);
    const lifeMs = Math.min(LONGEST_LIFE_SECONDS, grant.expiresIn) * 1000;
    this.#endsAt = { atMs: atMs + lifeMs, monotonicMs: monotonicMs + lifeMs };
    this.#planRenewal(refreshDelayMs(grant.expiresIn));
  }

  #planRenewal(delayMs: number): void {
    const { clock } = this.#ports;
    this.#renewal = { dueMs: clock.monotonicMs() + delayMs, dueWallMs: clock.now() + delayMs };
    this.#refreshTimer?.dispose();
    this.#refreshTimer = clock.after(delayMs, () => this.renewIfDue());
  }

  #setToken(token: string): void {
    this.accessToken = token;
    this.tokenLiteral = JSON.stringify(token);
    this.tokenNumber++;
  }

  #startRenewal(renew: () => Promise<TokenGrant>): void {
    const { clock, onScope, onFailure } = this.#ports;
    this.#renewedAtMs = clock.monotonicMs();
    this.renewal = (async () => {
      try {
        const { scope } = await renew();
        if (!this.#isDisposed) onScope(scope);
      } catch (thrown) {
        const failure = toFailure(thrown);
        if (!this.#isDisposed) onFailure(failure, isForPerson(failure) && !this.#isExchanged);
      } finally {
        this.renewal = undefined;
      }
    })();
  }

  /** Returns the lead of the server's clock over ours, in ms; 0 where it does not say. */
  async #clockSkewMs(): Promise<number> {
    const { clock, call, log } = this.#ports;
    const beforeMs = clock.now();
    try {
      const { result } = await call(SESSION_CALLS.tellTime, "{}", TIME_TIMEOUT_MS);
      if (typeof result !== "number" || !Number.isFinite(result)) return 0;
      const skewMs = result - (beforeMs + clock.now()) / 2;
      this.#notableSkewMs = Math.abs(skewMs) > NOTABLE_SKEW_MS ? Math.round(skewMs) : undefined;
      if (this.#notableSkewMs !== undefined)
        log.warn(plain`The clock of this computer differs from the server's by ${Math.round(skewMs / 1000)} s`);
      return skewMs;
    } catch (thrown) {
      if (toFailure(thrown).kind === "connectionLost") throw thrown;
      return 0;
    }
  }
}
