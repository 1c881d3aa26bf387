import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isObject, parseJson } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { kindWithoutKey, MAX_KEY_TEXT, pemBlocks, pemText, privateKeyProblemText, typeName } from "./privateKey.ts";

/*
 * The keys of the Coinbase Developer Platform (CDP), with which the partner's gateway is signed in to. A key comes as a
 * JSON file with its name and its private key: EC P-256 as PEM, or Ed25519 as base64 or PEM.
 * https://docs.cdp.coinbase.com/get-started/authentication/jwt-authentication
 */

/** The result of reading a key file, or a private key alone. */
export type CdpKeyReading =
  | {
      readonly kind: "key";
      readonly type: "ec" | "ed25519";
      /** The private key as unencrypted PKCS#8 in PEM. */
      readonly pem: string;
      /** The private key as it was written, with line breaks in place: nothing may show that either. */
      readonly written: string;
      /** The name of the key; undefined where the text is the private key alone. */
      readonly name: string | undefined;
    }
  | CdpKeyProblem;

/** The reason why a text is not such a key. */
export type CdpKeyProblem =
  | {
      readonly kind:
        | "empty"
        | "tooLong"
        | "damagedJson"
        | "noPrivateKey"
        | "noName"
        | "otherName"
        | "encrypted"
        | "publicKey"
        | "certificate"
        | "openSsh"
        | "several"
        | "damaged"
        | "notKey"
        | "otherPublicKey";
    }
  /** A private key of another type. */
  | { readonly kind: "otherType"; readonly name: string }
  /** A text in base64 with another number of bytes than an Ed25519 key has. */
  | { readonly kind: "otherLength"; readonly bytes: number };

/**
 * Reads a key file, or a private key alone. Line breaks may be written as `\n`, or be missing. Which of the two types a
 * key is of is found out from the key. Never throws.
 */
export function readCdpKey(text: string): CdpKeyReading {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "empty" };
  if (trimmed.length > MAX_KEY_TEXT) return { kind: "tooLong" };
  if (!trimmed.startsWith("{")) return readKey(trimmed, undefined);
  const file = parseJson(trimmed);
  if (!isObject(file)) return { kind: "damagedJson" };
  const { name = file["id"], privateKey } = file;
  if (typeof privateKey !== "string" || privateKey.trim() === "") return { kind: "noPrivateKey" };
  if (typeof name !== "string" || name.trim() === "") return { kind: "noName" };
  return isKeyName(name.trim()) ? readKey(privateKey.trim(), name.trim()) : { kind: "otherName" };
}

/** Whether a text can be the name of a key: `organizations/…/apiKeys/…`, or its ID alone. */
export function isKeyName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && /^(?:organizations\/[\w-]+\/apiKeys\/)?[\w-]+$/.test(text);
}

const MAX_NAME_LENGTH = 200;

/** Returns why a text cannot be used as a key, and what to use instead. */
export function cdpKeyProblemText(problem: CdpKeyProblem): Plain {
  if (problem.kind === "otherType")
    return l10n.t("This is a key of type {0}. The gateway takes EC P-256 and Ed25519.", plain.name(problem.name));
  if (problem.kind === "otherLength")
    return l10n.t("This text in base64 has {0} bytes. An Ed25519 key has 64 or 32.", problem.bytes);
  return PROBLEMS[problem.kind]();
}

const PROBLEMS: Readonly<Record<Exclude<CdpKeyProblem["kind"], "otherType" | "otherLength">, () => Plain>> = {
  empty: () => l10n.t("The key file is empty."),
  tooLong: () => l10n.t("This is too long for a key file."),
  damagedJson: () =>
    l10n.t("This begins like a key file, but it is not valid JSON. Use the file as it was downloaded."),
  noPrivateKey: () => l10n.t("The key file has no privateKey. Use the file as it was downloaded."),
  noName: () => l10n.t("The key file has no name and no id. Use the file as it was downloaded."),
  otherName: () => l10n.t("The name in the key file is not that of a key: organizations/…/apiKeys/…, or its ID."),
  encrypted: () => l10n.t("This private key is encrypted. Use the key file as it was downloaded."),
  publicKey: () => privateKeyProblemText({ kind: "publicKey" }),
  certificate: () => privateKeyProblemText({ kind: "certificate" }),
  openSsh: () => privateKeyProblemText({ kind: "openSsh" }),
  several: () => privateKeyProblemText({ kind: "several" }),
  damaged: () => privateKeyProblemText({ kind: "damaged" }),
  notKey: () =>
    l10n.t(
      "This is neither a key file (JSON) nor a private key: PEM, or an Ed25519 key in base64 with 64 or 32 bytes.",
    ),
  otherPublicKey: () => l10n.t("The two halves of this Ed25519 key don't belong together. It is damaged."),
};

function readKey(text: string, name: string | undefined): CdpKeyReading {
  const written = text.replaceAll("\\r", "").replaceAll("\\n", "\n");
  if (!written.includes("-----")) return readBase64(written, name);
  const blocks = pemBlocks(written);
  const [block, ...others] = blocks.filter(({ label }) => label.endsWith("PRIVATE KEY"));
  if (block === undefined) {
    const kind = kindWithoutKey(written, blocks);
    return { kind: kind === "notPem" ? "damaged" : kind };
  }
  if (others.length > 0) return { kind: "several" };
  if (block.label === "OPENSSH PRIVATE KEY") return { kind: "openSsh" };
  if (block.label.startsWith("ENCRYPTED") || block.body.includes("ENCRYPTED")) return { kind: "encrypted" };
  try {
    return readingOf(createPrivateKey(pemText(block)), pemText(block), name);
  } catch {
    return { kind: "damaged" };
  }
}

function readBase64(text: string, name: string | undefined): CdpKeyReading {
  const base64 = text.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return { kind: "notKey" };
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== SEED_BYTES && bytes.length !== 2 * SEED_BYTES)
    return { kind: "otherLength", bytes: bytes.length };
  const seed = bytes.subarray(0, SEED_BYTES);
  const key = createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-SEED_BYTES);
  if (bytes.length > SEED_BYTES && !publicKey.equals(bytes.subarray(SEED_BYTES))) return { kind: "otherPublicKey" };
  return readingOf(key, base64, name);
}

/** The length of the seed of an Ed25519 key, and of its public key. */
const SEED_BYTES = 32;
/** The bytes before the seed of an Ed25519 key in PKCS#8: RFC 8410 §7. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

function readingOf(key: KeyObject, written: string, name: string | undefined): CdpKeyReading {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve } = {} } = key;
  const isTaken = type === "ed25519" || (type === "ec" && namedCurve === "prime256v1");
  if (!isTaken) return { kind: "otherType", name: typeName(key) };
  return { kind: "key", type, pem: key.export({ type: "pkcs8", format: "pem" }).toString(), written, name };
}
