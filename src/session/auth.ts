import { createHmac, sign as signText } from "node:crypto";
import type { Random } from "../base/clock.ts";
import type { Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as codes from "../catalogue/codes.ts";
import { readResult } from "../catalogue/index.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { createJwt } from "./jwt.ts";
import { openSavedKey } from "./savedPrivateKey.ts";
import type { Credentials, Identity } from "./session.ts";

/** A pair of tokens and their permissions. Never leaves the session. */
export interface TokenGrant {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The granted entries as received. */
  readonly scope: string;
  /** The advanced features of the key; undefined where there are none, or the server does not report them. */
  readonly keyFeatures?: readonly string[];
  /** The lifetime, in seconds. */
  readonly expiresIn: number;
}

/** A signature and its signed input. `nowMs` is the server's time. */
interface Signing {
  readonly nowMs: number;
  readonly random: Random;
  /** The session to sign in to, over HTTP; undefined where the connection itself is signed in. */
  readonly sessionName?: string | undefined;
  /** The scopes to ask for; undefined where all that the key may do is wanted. */
  readonly scope?: readonly string[] | undefined;
}

/** The credentials of an API key. */
export type KeyCredentials = Extract<Credentials, { readonly clientId: string }>;

/** Returns the secret of an API key: the client secret, or the private key. */
export function secretOf(credentials: KeyCredentials): string {
  return "privateKey" in credentials ? credentials.privateKey : credentials.clientSecret;
}

/**
 * Returns the parameters, as JSON, of a public/auth call that proves our identity. The secret itself travels with
 * `client_credentials` only. Throws `refused` for a private key that cannot be read.
 * https://docs.deribit.com/articles/authentication
 */
export function authParamsText(
  credentials: KeyCredentials,
  { nowMs, random, sessionName, scope: areas = [] }: Signing,
): string {
  if (credentials.kind === "cdp_key")
    return JSON.stringify({ grant_type: "coinbase_cdp", token: createJwt(credentials, { nowMs, random }) });
  const client_id = credentials.clientId;
  // Without an area it asks for all that the key may do, as without a scope.
  const scope = sessionName === undefined ? {} : { scope: [`session:${sessionName}`, ...areas].join(" ") };
  if (credentials.kind === "client_credentials")
    return JSON.stringify({
      grant_type: credentials.kind,
      client_id,
      client_secret: credentials.clientSecret,
      ...scope,
    });
  const signed: SignedText = { timestamp: Math.round(nowMs), nonce: randomText(random), data: "" };
  const signature =
    credentials.kind === "private_key"
      ? signWithPrivateKey(credentials.privateKey, signed)
      : sign(credentials.clientSecret, signed);
  return JSON.stringify({ grant_type: "client_signature", client_id, ...signed, signature, ...scope });
}

/** Returns the parameters, as JSON, of the public/auth call that exchanges a refresh token for a new pair. */
export function refreshParamsText(refreshToken: string): string {
  return JSON.stringify({ grant_type: "refresh_token", refresh_token: refreshToken });
}

/** The parts of a signed text; `timestamp` in ms since the Unix epoch. */
export interface SignedText {
  readonly timestamp: number;
  readonly nonce: string;
  readonly data: string;
}

/** Returns the HMAC-SHA256 of timestamp, nonce and data, each on a line of its own, in lower-case hexadecimal. */
export function sign(clientSecret: string, signed: SignedText): string {
  return createHmac("sha256", clientSecret).update(linesOf(signed), "utf8").digest("hex");
}

/**
 * Returns the signature of the same three lines with a private key, in base64url without padding. An Ed25519 key signs
 * the text itself, an RSA key its SHA-256 with the padding of PKCS#1 v1.5, which is Node's default. `privateKey`: an
 * unencrypted PEM. Throws `refused` where it cannot be read. https://docs.deribit.com/articles/asymmetric-api-keys
 */
export function signWithPrivateKey(privateKey: string, signed: SignedText): string {
  const key = openSavedKey(privateKey);
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return signText(digest, Buffer.from(linesOf(signed), "utf8"), key).toString("base64url");
}

function linesOf({ timestamp, nonce, data }: SignedText): string {
  return `${timestamp}\n${nonce}\n${data}`;
}

/** Returns the tokens of a public/auth response; undefined when it is not a usable one. */
export function readGrant(result: unknown): TokenGrant | undefined {
  const grant = readResult(SESSION_CALLS.signIn, result);
  if (grant === undefined) return undefined;
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    scope,
    expires_in: expiresIn,
    token_type: tokenType = "bearer",
    enabled_features: features = [],
  } = grant;
  // A life of 0 or of 1e400 seconds would make us ask again and again, or never.
  const isUsable =
    accessToken !== "" && tokenType.toLowerCase() === "bearer" && Number.isFinite(expiresIn) && expiresIn > 0;
  return isUsable
    ? { accessToken, refreshToken, scope, expiresIn, ...(features.length === 0 ? {} : { keyFeatures: features }) }
    : undefined;
}

/**
 * Returns the sign-in of a public/auth response of the gateway; undefined when it is not a usable one. There is no
 * refresh token. On a socket, the socket itself is signed in: a token that comes with it is not needed. Over HTTP there
 * has to be one.
 */
export function readGatewayGrant(result: unknown, isSocket: boolean): TokenGrant | undefined {
  if (!isObject(result)) return undefined;
  const { access_token: token, expires_in: seconds, scope } = result;
  const accessToken = typeof token === "string" ? token : "";
  if (!isSocket && accessToken === "") return undefined;
  const isLife = typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0;
  return {
    accessToken,
    refreshToken: "",
    scope: typeof scope === "string" ? scope : "",
    expiresIn: isLife ? seconds : GATEWAY_LIFE_SECONDS,
  };
}

/** The life of a sign-in at the gateway that does not say how long it lasts: that of a token over HTTP, the shorter. */
const GATEWAY_LIFE_SECONDS = 900;

/** The longest life of a token that is believed, in seconds: ten years. */
export const LONGEST_LIFE_SECONDS = 315_360_000;

/** Returns the delay of a token's renewal, in ms: four fifths of its life, but never in a storm, nor never. */
export function refreshDelayMs(expiresIn: number): number {
  return Math.max(1000, Math.min(LONGEST_LIFE_SECONDS, expiresIn) * 800);
}

/**
 * Whether only the user can fix a failed sign-in. The credentials are invalid, forbidden, malformed or unavailable; or
 * we have a defect, which trying again does not fix.
 */
export function isForPerson(failure: Failure): boolean {
  return failure.kind === "exchange"
    ? REFUSALS.has(failure.code)
    : failure.kind === "refused" || failure.kind === "bug";
}

const REFUSALS: ReadonlySet<number> = new Set([
  codes.INVALID_CREDENTIALS,
  codes.UNAUTHORIZED,
  codes.FORBIDDEN,
  codes.SCOPE_EXCEEDED,
  codes.PERMISSION_DENIED,
  codes.AUTHORIZATION_REQUIRED,
  codes.INVALID_PARAMS,
  codes.MISSING_PARAMS,
]);

/** The account whose data a session shows. */
export interface Subject {
  /** The key, and the parts of the granted scope that name the subject and not its permissions. */
  readonly key: string;
  /** The name of the key, as the granted scope has it. */
  readonly name: string;
  readonly userId: number | undefined;
}

/**
 * Returns what is compared over reconnects. A number that was once reported stays known when the server does not repeat
 * it. https://docs.deribit.com/articles/access-scope
 */
export function identifySubject({ authentication, clientId, scope, userId }: Identity, before?: Subject): Subject {
  const entries = scope.split(/\s+/);
  const named = entries.filter((entry) => entry === "mainaccount" || entry.startsWith("app_id:"));
  return {
    key: JSON.stringify([authentication, clientId ?? null, ...named.sort()]),
    name: entries.find((entry) => entry.startsWith("name:")) ?? "",
    userId: userId ?? before?.userId,
  };
}

/**
 * Whether the subject is still the same, as far as both sides say. A switched-to account has to be the requested one.
 * Exchanged tokens have other words in their scope than the key.
 */
export function isSameSubject(before: Subject | undefined, identity: Identity): boolean {
  if (identity.subject !== undefined) return identity.userId === undefined || identity.userId === identity.subject.id;
  if (before === undefined) return true;
  const now = identifySubject(identity, before);
  // Two keys of one account have different names, and its number is read: that alone decides.
  if (identity.isGateway === true && before.userId !== undefined && identity.userId !== undefined)
    return now.userId === before.userId;
  // The name of a key can be changed, also from here: where the server tells the number of the account, that decides.
  const isNamedAlike = now.name === before.name || (before.userId !== undefined && identity.userId === before.userId);
  return now.key === before.key && isNamedAlike && (before.userId === undefined || now.userId === before.userId);
}

/**
 * Returns the parameters with the token as the first member; every present literal stays as it is. `tokenLiteral`: the
 * token as JSON.
 */
export function spliceToken(paramsText: string, tokenLiteral: string): string {
  const inside = paramsText.slice(paramsText.indexOf("{") + 1);
  const isEmpty = !inside.startsWith('"') && inside.trimStart().startsWith("}");
  return `{"access_token":${tokenLiteral}${isEmpty ? "" : ","}${inside}`;
}

function randomText(random: Random): string {
  return Array.from({ length: 16 }, () => NONCE_LETTERS[Math.floor(random() * NONCE_LETTERS.length)] ?? "").join("");
}

const NONCE_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
