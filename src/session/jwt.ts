import { sign } from "node:crypto";
import type { Random } from "../base/clock.ts";
import { openSavedKey } from "./savedPrivateKey.ts";

/*
 * The tokens with which the partner's gateway is signed in to: JSON Web Tokens (RFC 7519), signed with the key of a key
 * file. https://docs.cdp.coinbase.com/get-started/authentication/jwt-authentication
 */

/** What a JWT is made of. `nowMs` is the server's time. */
interface JwtPorts {
  readonly nowMs: number;
  readonly random: Random;
}

/**
 * Returns a new JWT for one sign-in. It names no address: the pages say that one for a socket has none, and the
 * partner's own client sends none over HTTP either. Throws `refused` for a private key that can't be read.
 */
export function createJwt(
  { clientId: name, privateKey }: { readonly clientId: string; readonly privateKey: string },
  { nowMs, random }: JwtPorts,
): string {
  const key = openSavedKey(privateKey);
  const isEd25519 = key.asymmetricKeyType === "ed25519";
  const nbf = Math.floor(nowMs / 1000);
  const head = { alg: isEd25519 ? "EdDSA" : "ES256", typ: "JWT", kid: name, nonce: randomHex(random) };
  const claims = { sub: name, iss: "cdp", nbf, exp: nbf + LIFE_S };
  const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = isEd25519
    ? sign(null, Buffer.from(text), key)
    : sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** The longest life of a JWT that the gateway takes, in seconds. */
const LIFE_S = 120;

function randomHex(random: Random): string {
  return Array.from({ length: NONCE_DIGITS }, () => Math.floor(random() * 16).toString(16)).join("");
}

const NONCE_DIGITS = 32;
