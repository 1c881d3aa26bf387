import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";

/*
 * The private keys of API keys, as PEM. The exchange supports Ed25519, and RSA from 2048 bits:
 * https://docs.deribit.com/articles/asymmetric-api-keys
 */

/** The result of reading a private key. */
export type PrivateKeyReading =
  /** A key that can sign. `pem`: the key alone, unencrypted, as PKCS#8. */
  | { readonly kind: "key"; readonly type: "ed25519" | "rsa"; readonly pem: string }
  /** A key that needs its passphrase. */
  | { readonly kind: "encrypted" }
  | PrivateKeyProblem;

/** The reason why a text is not a private key that can be used. */
export type PrivateKeyProblem =
  | {
      readonly kind:
        | "notPem"
        | "publicKey"
        | "certificate"
        | "openSsh"
        | "several"
        | "damaged"
        | "wrongPassphrase"
        | "notDecrypted";
    }
  /** A private key of another type; `name` is the type's usual name. */
  | { readonly kind: "otherType"; readonly name: string }
  | { readonly kind: "shortRsa"; readonly bits: number };

/** The maximum length of a text that is looked at, in characters. The PEM of an RSA key with 16384 bits has 13,000. */
export const MAX_KEY_TEXT = 32_768;

const MIN_RSA_BITS = 2048;

/**
 * Reads a private key in PEM, as PKCS#8 or PKCS#1, encrypted or not. Other text around it does not matter, and neither
 * do missing line breaks, which a box of one line removes. Never throws.
 */
export function readPrivateKey(text: string, passphrase?: string): PrivateKeyReading {
  // JSON, and files of environment variables, write line breaks so.
  const blocks = text.length > MAX_KEY_TEXT ? [] : pemBlocks(text.replaceAll("\\n", "\n"));
  const [block, ...others] = blocks.filter(({ label }) => label.endsWith("PRIVATE KEY"));
  if (block === undefined) return { kind: kindWithoutKey(text, blocks) };
  if (others.length > 0) return { kind: "several" };
  if (block.label === "OPENSSH PRIVATE KEY") return { kind: "openSsh" };
  if (isEncrypted(block) && passphrase === undefined) return { kind: "encrypted" };
  try {
    return readingOf(createPrivateKey({ key: pemText(block), ...(passphrase === undefined ? {} : { passphrase }) }));
  } catch (error) {
    if (isEncrypted(block)) return { kind: isBadDecrypt(error) ? "wrongPassphrase" : "notDecrypted" };
    const name = typeNameIn(block);
    return name === undefined ? { kind: "damaged" } : { kind: "otherType", name };
  }
}

/** Returns why a text cannot be used as a private key, and what to use instead. */
export function privateKeyProblemText(problem: PrivateKeyProblem): Plain {
  switch (problem.kind) {
    case "notPem":
      return l10n.t("This is not a private key in PEM format. Such a key begins with -----BEGIN PRIVATE KEY-----.");
    case "publicKey":
      return l10n.t("This is a public key. Use the private key that belongs to it.");
    case "certificate":
      return l10n.t("This is a certificate. Use the private key of an API key.");
    case "openSsh":
      return l10n.t("This is an OpenSSH key, which is not supported. Use a key in PKCS#8 or PKCS#1 format.");
    case "several":
      return l10n.t("There is more than one private key. Use a file with one key.");
    case "damaged":
      return l10n.t("This private key is damaged or incomplete.");
    case "wrongPassphrase":
      return l10n.t("The passphrase is wrong.");
    case "notDecrypted":
      return l10n.t(
        "This private key couldn't be decrypted. The passphrase is wrong, or its encryption or type isn't supported.",
      );
    case "otherType":
      return l10n.t("This is a key of type {0}. The exchange supports Ed25519 and RSA.", plain.name(problem.name));
    case "shortRsa":
      return l10n.t("This RSA key has {0} bits. The exchange requires at least 2048 bits.", problem.bits);
  }
}

/** Returns a warning about a key file that others can read. `name`: of the file. */
export function openKeyFileText(name: string): Plain {
  return l10n.t("Other users of this computer can read {0}.", plain.name(name));
}

/** Returns the public key of a private one as PEM, as the exchange takes it. `pem`: as `readPrivateKey` returns it. */
export function publicKeyOf(pem: string): string {
  return createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" }).toString().trim();
}

/** Makes an Ed25519 key in memory and returns it as PEM, like `readPrivateKey`. */
export function createPrivateKeyPem(): string {
  return pkcs8(generateKeyPairSync("ed25519").privateKey);
}

/** A block of a PEM text. */
export interface PemBlock {
  readonly label: string;
  readonly body: string;
}

/** Returns the blocks of a text in PEM, also without line breaks. */
export function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----([^]*?)-----END \1-----/g)].map(
    ([, label = "", body = ""]) => ({ label, body }),
  );
}

/** Returns what a text without a private key is instead. */
export function kindWithoutKey(text: string, blocks: readonly PemBlock[]): "publicKey" | "certificate" | "notPem" {
  if (/^\s*(?:ssh-|ecdsa-)/.test(text) || blocks.some(({ label }) => label.endsWith("PUBLIC KEY"))) return "publicKey";
  return blocks.some(({ label }) => label.includes("CERTIFICATE")) ? "certificate" : "notPem";
}

function isEncrypted({ label, body }: PemBlock): boolean {
  return label === "ENCRYPTED PRIVATE KEY" || ENCRYPTION.test(body);
}

/**
 * The header of an encrypted PKCS#1 key: RFC 1421 §4.6. Without its line breaks only the length of the initialization
 * vector shows where the key begins: 16 bytes for AES, 8 for DES.
 */
const ENCRYPTION = /Proc-Type:\s*4,ENCRYPTED\s*DEK-Info:\s*((?:AES-\d+-CBC),[\dA-F]{32}|[A-Z\d-]+,[\dA-F]{16})/;

/** Returns a block with its line breaks in place. */
export function pemText({ label, body }: PemBlock): string {
  const [header, encryption] = ENCRYPTION.exec(body) ?? [];
  const base64 = body.replace(header ?? "", "").replaceAll(/\s/g, "");
  return [
    `-----BEGIN ${label}-----`,
    ...(encryption === undefined ? [] : ["Proc-Type: 4,ENCRYPTED", `DEK-Info: ${encryption}`, ""]),
    ...(base64.match(/.{1,64}/g) ?? []),
    `-----END ${label}-----`,
    "",
  ].join("\n");
}

function readingOf(key: KeyObject): PrivateKeyReading {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} } = key;
  if (type === "ed25519") return { kind: "key", type, pem: pkcs8(key) };
  if (type !== "rsa") return { kind: "otherType", name: typeName(key) };
  return modulusLength < MIN_RSA_BITS
    ? { kind: "shortRsa", bits: modulusLength }
    : { kind: "key", type, pem: pkcs8(key) };
}

/** Returns the usual name of the type of a key. */
export function typeName(key: KeyObject): string {
  const { asymmetricKeyType: type = "unknown", asymmetricKeyDetails: { namedCurve = "" } = {} } = key;
  return type === "ec" ? `EC ${CURVES[namedCurve] ?? namedCurve}` : (NAMES[type] ?? type);
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The usual names of curves that OpenSSL calls otherwise. */
const CURVES: Readonly<Record<string, string>> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

/** The usual names of Node's types of keys. */
const NAMES: Readonly<Record<string, string>> = {
  rsa: "RSA",
  ed448: "Ed448",
  x25519: "X25519",
  x448: "X448",
  "rsa-pss": "RSA-PSS",
  dsa: "DSA",
  dh: "Diffie-Hellman",
};

function isBadDecrypt(error: unknown): boolean {
  return (
    error instanceof Error && /bad.?decrypt/i.test(`${"code" in error ? String(error.code) : ""} ${error.message}`)
  );
}

/**
 * Returns the type of a key that Node does not read: VS Code's own knows fewer types than others. Undefined where the
 * text does not say. The type is the object identifier at the beginning of PKCS#8: RFC 5958 §2, RFC 8410 §3.
 */
function typeNameIn({ label, body }: PemBlock): string | undefined {
  if (label !== "PRIVATE KEY")
    return label === "EC PRIVATE KEY" ? "EC" : label === "DSA PRIVATE KEY" ? "DSA" : undefined;
  const start = Buffer.from(body, "base64").subarray(0, 40).toString("hex");
  return OBJECT_IDENTIFIERS.find(([hex]) => start.includes(`06${hex}`))?.[1];
}

/** The object identifiers of types, with their lengths, in hexadecimal. */
const OBJECT_IDENTIFIERS: readonly (readonly [hex: string, name: string])[] = [
  ["032b656e", "X25519"],
  ["032b656f", "X448"],
  ["032b6571", "Ed448"],
  ["072a8648ce3d0201", "EC"],
  ["072a8648ce380401", "DSA"],
  ["092a864886f70d01010a", "RSA-PSS"],
];
