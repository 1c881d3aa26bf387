import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/*
 * Certificates for one run of the tests. Node can check certificates but not make them, so the few lines of DER that
 * one consists of are written here. https://www.rfc-editor.org/rfc/rfc5280#section-4.1
 */

/** A certificate with its private key, both as PEM. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** An authority that only clients know that were configured with it. */
export interface Authority extends Certified {
  issue(subject: Subject): Certified;
}

export interface Subject {
  /** DNS names that the certificate is good for. */
  readonly names: readonly string[];
  /** Addresses that it is good for, e.g. `127.0.0.1`. */
  readonly addresses?: readonly string[];
  /** First and last year of its life. */
  readonly years?: readonly [number, number];
}

/** A life that covers every run of the tests. */
const LONG: readonly [number, number] = [2020, 2120];
/** Its end is long past. */
export const PAST: readonly [number, number] = [2019, 2020];

export function createAuthority(name: string): Authority {
  const keys = createKeys();
  const own = certify({
    issuer: name,
    issuerKey: keys.privateKey,
    subject: name,
    publicKey: keys.publicKey,
    years: LONG,
    extensions: [AUTHORITY],
  });
  let serial = 1;
  return {
    ...pem(own, keys.privateKey),
    issue({ names, addresses = [], years = LONG }) {
      const { privateKey, publicKey } = createKeys();
      serial++;
      const cert = certify({
        issuer: name,
        issuerKey: keys.privateKey,
        subject: names[0] ?? "unnamed",
        publicKey,
        years,
        extensions: [alternativeNames(names, addresses)],
        serial,
      });
      return pem(cert, privateKey);
    },
  };
}

/** A certificate that only its own key vouches for. */
export function createSelfSigned(name: string): Certified {
  const { privateKey, publicKey } = createKeys();
  return pem(
    certify({
      issuer: name,
      issuerKey: privateKey,
      subject: name,
      publicKey,
      years: LONG,
      extensions: [alternativeNames([name], [])],
    }),
    privateKey,
  );
}

interface Certificate {
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly years: readonly [number, number];
  readonly extensions: readonly Buffer[];
  readonly serial?: number;
}

function certify({ issuer, issuerKey, subject, publicKey, years, extensions, serial = 1 }: Certificate): Buffer {
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(serial),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer),
    sequence(moment(years[0]), moment(years[1])),
    distinguishedName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  );
  return sequence(body, ECDSA_WITH_SHA256, bitString(sign("sha256", body, issuerKey)));
}

function createKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

function pem(certificate: Buffer, key: KeyObject): Certified {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from(value < 0x80 ? [value] : [value >> 8, value & 0xff]));
}

function bitString(bits: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bits]));
}

/** From the first second of a year. */
function moment(year: number): Buffer {
  return tagged(0x18, Buffer.from(`${String(year)}0101000000Z`));
}

function distinguishedName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(name)))));
}

function alternativeNames(names: readonly string[], addresses: readonly string[]): Buffer {
  const entries = [
    ...names.map((name) => tagged(0x82, Buffer.from(name))),
    ...addresses.map((address) => tagged(0x87, Buffer.from(address.split(".").map(Number)))),
  ];
  return sequence(SUBJECT_ALTERNATIVE_NAME, tagged(0x04, sequence(...entries)));
}

/** Object identifiers, encoded: ecdsa-with-SHA256, commonName, subjectAltName, basicConstraints. */
const ECDSA_WITH_SHA256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
const COMMON_NAME = Buffer.from("0603550403", "hex");
const SUBJECT_ALTERNATIVE_NAME = Buffer.from("0603551d11", "hex");
/** Basic constraints: an authority, and that is critical. */
const AUTHORITY = sequence(
  Buffer.from("0603551d13", "hex"),
  Buffer.from("0101ff", "hex"),
  tagged(0x04, sequence(Buffer.from("0101ff", "hex"))),
);
