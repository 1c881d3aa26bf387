import { createPublicKey, verify, type KeyObject } from "node:crypto";

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
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPublicKey(publicKey);
  const bytes = Buffer.from(signature, "base64url");
  if (key === undefined || bytes.toString("base64url") !== signature) return false;
  return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", Buffer.from(text, "utf8"), key, bytes);
}
