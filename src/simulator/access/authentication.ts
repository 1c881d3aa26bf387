import { createHmac, createPublicKey, verify, type KeyObject } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import type { ParamsOf } from "../../catalogue/index.ts";
import type { ApiKeys, WorldKey } from "./apiKeys.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { grantAreas, readScope } from "./scopes.ts";
import type { Authorisation, TokenPlace, Tokens } from "./tokens.ts";

/** The maximum distance of a signature's timestamp from the server's clock, in ms. */
const SIGNATURE_TOLERANCE_MS = 60_000;

interface KeyPorts {
  readonly clock: Clock;
  readonly apiKeys: ApiKeys;
}

/**
 * Checks the proof of a public/auth call and returns tokens. Refuses with 13004 for wrong credentials, 13009 for an
 * invalid refresh token, -32602 for what is missing. docs.deribit.com/articles/authentication
 */
export function authenticate(
  ports: KeyPorts & { readonly tokens: Tokens },
  params: ParamsOf<"public/auth">,
  place: TokenPlace,
): Authorisation {
  const { tokens } = ports;
  if (params.grant_type === "refresh_token")
    return tokens.refresh(needed(params.refresh_token, "refresh_token"), place, params.scope);
  return tokens.issue(proveKey(ports, params), params.scope, place);
}

/**
 * Returns the permissions of a single HTTP request that proves its key in its own header, instead of a token: all that
 * the key allows. It makes no session and takes none of the key's.
 */
export function authoriseRequest(ports: KeyPorts, proof: KeyProof, subject: number): Authorisation {
  const key = proveKey(ports, proof);
  const scope = grantAreas(readScope(""), key.max_scope).join(" ");
  return { accessToken: "", refreshToken: "", scope, expiresInSeconds: 0, sid: undefined, key, subject };
}

/** The caller's identity, and its proof. */
export type KeyProof = Omit<ParamsOf<"public/auth">, "refresh_token">;

function proveKey({ clock, apiKeys }: KeyPorts, params: KeyProof): WorldKey {
  switch (params.grant_type) {
    case "client_credentials": {
      const clientId = needed(params.client_id, "client_id");
      const clientSecret = needed(params.client_secret, "client_secret");
      const key = apiKeys.byClientId(clientId);
      // A key with a public key has no secret that could be sent.
      if (key === undefined || key.public_key !== undefined || clientSecret !== key.client_secret) throw refusal(13004);
      return key;
    }
    case "client_signature": {
      const clientId = needed(params.client_id, "client_id");
      const timestamp = needed(params.timestamp, "timestamp");
      const signature = needed(params.signature, "signature");
      const text = [timestamp, params.nonce ?? "", params.data ?? ""].join("\n");
      const isTimely = Math.abs(clock.now() - timestamp) <= SIGNATURE_TOLERANCE_MS;
      const key = apiKeys.byClientId(clientId);
      if (key === undefined || !isTimely || !isSigned(key, text, signature)) throw refusal(13004);
      return key;
    }
    default:
      throw invalidParam("grant_type", "invalid grant_type");
  }
}

/** Whether a signature of a text is that of a key. */
export function isSigned(
  { public_key: publicKey, client_secret: secret }: Pick<WorldKey, "public_key" | "client_secret">,
  text: string,
  signature: string,
): boolean {
  return publicKey === undefined ? signature === sign(secret, text) : isSignedBy(publicKey, text, signature);
}

/** Returns the HMAC-SHA256 in lower-case hexadecimal, as client_signature needs it. */
function sign(clientSecret: string, text: string): string {
  return createHmac("sha256", clientSecret).update(text, "utf8").digest("hex");
}

function needed<T>(value: T | undefined, param: string): T {
  if (value === undefined) throw invalidParam(param, "value required");
  return value;
}

/* The public keys of API keys whose private keys the exchange doesn't have. */

const MIN_RSA_BITS = 2048;

/**
 * Returns the public key in a text: PEM, or its base64 alone. Undefined where there is none, or it is neither Ed25519
 * nor RSA with at least 2048 bits. https://docs.deribit.com/articles/asymmetric-api-keys
 */
export function readPublicKey(text: string): KeyObject | undefined {
  // Node makes a public key of a private one, which has no business here.
  const [, body] =
    /^(?:-----BEGIN PUBLIC KEY-----)?([A-Za-z0-9+/=\s]+)(?:-----END PUBLIC KEY-----)?\s*$/.exec(text) ?? [];
  if (body === undefined) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(body, "base64"), format: "der", type: "spki" });
    const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} } = key;
    return type === "ed25519" || (type === "rsa" && modulusLength >= MIN_RSA_BITS) ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a signature, in base64url without padding, is that of a text: with Ed25519, or with RSA over its SHA-256,
 * padded as in PKCS#1 v1.5. https://docs.deribit.com/articles/asymmetric-api-keys
 */
function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPublicKey(publicKey);
  const bytes = Buffer.from(signature, "base64url");
  if (key === undefined || bytes.toString("base64url") !== signature) return false;
  return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", Buffer.from(text, "utf8"), key, bytes);
}
