import { generateKeyPairSync, type KeyObject } from "node:crypto";

/* Private keys of every sort that tests use, made afresh in each process. */

/** Makes a key; `bits` for RSA. */
export function makeKey(type: "ed25519" | "rsa", bits = 2048): KeyObject {
  return type === "rsa"
    ? generateKeyPairSync("rsa", { modulusLength: bits }).privateKey
    : generateKeyPairSync("ed25519").privateKey;
}

/** The PEM of a private key as PKCS#8; with a passphrase, encrypted. */
export function pkcs8(key: KeyObject, passphrase?: string): string {
  return key
    .export({
      type: "pkcs8",
      format: "pem",
      ...(passphrase === undefined ? {} : { cipher: "aes-256-cbc", passphrase }),
    })
    .toString();
}

/** The PEM of an RSA key as PKCS#1; with a passphrase, encrypted with a cipher of its own time. */
export function pkcs1(key: KeyObject, passphrase?: string, cipher = "aes-128-cbc"): string {
  return key
    .export({ type: "pkcs1", format: "pem", ...(passphrase === undefined ? {} : { cipher, passphrase }) })
    .toString();
}

/** The lines of a PEM that are secret. */
export function secretLines(pem: string): readonly string[] {
  return pem.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
}
