import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, test } from "vitest";
import { createPrivateKeyPem, publicKeyOf, readPrivateKey } from "../../../src/session/privateKey.ts";
import { makeKey, pkcs1, pkcs8 } from "../../privateKeys.ts";

const ED25519 = makeKey("ed25519");
const RSA = makeKey("rsa");
const PASSPHRASE = " correct horse ";

/** What is read of a text: a key that is the expected one, or the kind of problem with what belongs to it. */
function read(text: string, passphrase?: string): unknown {
  const reading = readPrivateKey(text, passphrase);
  return reading.kind === "key" ? [reading.type, reading.pem] : reading;
}

const PARTS: readonly (readonly [name: string, change: (pem: string) => string])[] = [
  ["as it is", (pem) => pem],
  ["with line breaks of Windows", (pem) => pem.replaceAll("\n", "\r\n")],
  ["without line breaks, as a box of one line takes it", (pem) => pem.replaceAll("\n", "")],
  ["with blanks in the place of line breaks", (pem) => pem.replaceAll("\n", " ")],
  ["with line breaks as JSON writes them, in quotes", (pem) => JSON.stringify(pem)],
  ["with text around it", (pem) => `Bag Attributes\n  name: x\n${pem}\nbye`],
  ["indented", (pem) => pem.replaceAll(/^/gm, "   ")],
  ["with its public key", (pem) => `${publicPem(createPrivateKey({ key: pem, passphrase: PASSPHRASE }))}${pem}`],
];

function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
}

describe("a private key", () => {
  const forms: readonly (readonly [name: string, pem: string, passphrase: string | undefined, expected: unknown])[] = [
    ["Ed25519", pkcs8(ED25519), undefined, ["ed25519", pkcs8(ED25519)]],
    ["RSA, PKCS#8", pkcs8(RSA), undefined, ["rsa", pkcs8(RSA)]],
    ["RSA, PKCS#1", pkcs1(RSA), undefined, ["rsa", pkcs8(RSA)]],
    ["Ed25519, encrypted", pkcs8(ED25519, PASSPHRASE), PASSPHRASE, ["ed25519", pkcs8(ED25519)]],
    ["RSA, PKCS#8, encrypted", pkcs8(RSA, PASSPHRASE), PASSPHRASE, ["rsa", pkcs8(RSA)]],
    ["RSA, PKCS#1, encrypted with AES", pkcs1(RSA, PASSPHRASE, "aes-256-cbc"), PASSPHRASE, ["rsa", pkcs8(RSA)]],
    ["RSA, PKCS#1, encrypted with DES", pkcs1(RSA, PASSPHRASE, "des-ede3-cbc"), PASSPHRASE, ["rsa", pkcs8(RSA)]],
  ];
  for (const [name, pem, passphrase, expected] of forms)
    for (const [how, change] of PARTS)
      test(`${name}, ${how}, is read as the key alone, unencrypted`, () => {
        assert.deepEqual(read(change(pem), passphrase), expected);
        if (passphrase === undefined) return;
        assert.deepEqual(read(change(pem)), { kind: "encrypted" });
      });

  test("that is read does not need its passphrase any more, whatever was given", () => {
    assert.deepEqual(read(pkcs8(ED25519), "anything"), ["ed25519", pkcs8(ED25519)]);
  });

  for (const [name, pem, passphrase] of forms)
    if (passphrase !== undefined)
      test(`${name}, is not read with a wrong passphrase, which nearly always shows as such`, () => {
        // One in 256 wrong passphrases leaves bytes that look decrypted by their padding, and then are no key.
        const wrong = [passphrase.trim(), ...Array.from({ length: 60 }, (_, number) => `wrong ${String(number)}`)];
        const kinds = wrong.map((each) => readPrivateKey(pem, each).kind);
        assert.deepEqual(
          kinds.filter((kind) => kind !== "wrongPassphrase" && kind !== "notDecrypted"),
          [],
        );
        assert.ok(kinds.filter((kind) => kind === "wrongPassphrase").length > 50, kinds.join(" "));
      });

  test("of RSA has at least 2048 bits", () => {
    for (const bits of [512, 1024, 2040])
      for (const pem of [pkcs8(makeKey("rsa", bits)), pkcs1(makeKey("rsa", bits))])
        assert.deepEqual(read(pem), { kind: "shortRsa", bits });
    assert.deepEqual(read(pkcs8(makeKey("rsa", 1024), PASSPHRASE), PASSPHRASE), { kind: "shortRsa", bits: 1024 });
  });
});

describe("what is no private key for the exchange", () => {
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const pss = generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).privateKey;
  const others: readonly (readonly [string, KeyObject])[] = [
    ["EC P-256", ec],
    ["EC P-384", generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey],
    ["EC secp256k1", generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey],
    ["Ed448", generateKeyPairSync("ed448").privateKey],
    ["X25519", generateKeyPairSync("x25519").privateKey],
    ["X448", generateKeyPairSync("x448").privateKey],
    ["RSA-PSS", pss],
  ];
  for (const [name, key] of others)
    test(`${name} is named, encrypted or not`, () => {
      assert.deepEqual(read(pkcs8(key)), { kind: "otherType", name });
      assert.deepEqual(read(pkcs8(key, PASSPHRASE), PASSPHRASE), { kind: "otherType", name });
    });

  test("an EC key in the form of its own is named too", () => {
    const pem = ec.export({ type: "sec1", format: "pem" }).toString();
    assert.deepEqual(read(pem), { kind: "otherType", name: "EC P-256" });
  });

  test("a type that Node cannot read is still named by what the key says of itself", () => {
    for (const [name, key] of others) {
      // Without the key itself the rest is what it was.
      const [, body = ""] = /-----\n([^]*)\n-----END/.exec(pkcs8(key)) ?? [];
      const cut = `-----BEGIN PRIVATE KEY-----\n${body.slice(0, 40)}\n-----END PRIVATE KEY-----\n`;
      assert.deepEqual(read(cut), { kind: "otherType", name: name.startsWith("EC ") ? "EC" : name });
    }
  });

  const damaged = pkcs8(ED25519).replace("MC4", "MC5");
  const block = (label: string): string => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
  const texts: readonly (readonly [string, string, string])[] = [
    ["a public key", publicPem(ED25519), "publicKey"],
    ["a public RSA key", publicPem(RSA), "publicKey"],
    ["a public key of PKCS#1", createPublicKey(RSA).export({ type: "pkcs1", format: "pem" }).toString(), "publicKey"],
    ["a public key of OpenSSH", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@here", "publicKey"],
    ["a certificate", block("CERTIFICATE"), "certificate"],
    ["a certificate request", block("CERTIFICATE REQUEST"), "certificate"],
    ["an OpenSSH key", block("OPENSSH PRIVATE KEY"), "openSsh"],
    ["two keys", pkcs8(ED25519) + pkcs8(RSA), "several"],
    ["a key with another length than it says", damaged, "damaged"],
    ["a key without its end", pkcs8(RSA).slice(0, 400), "notPem"],
    ["a key with nothing in it", block("PRIVATE KEY"), "damaged"],
    ["a client secret", "Sup3rS3cret_-KEY", "notPem"],
    ["nothing", "", "notPem"],
    ["a key of PGP", block("PGP PRIVATE KEY BLOCK"), "notPem"],
    ["a text that is too long", `${"x".repeat(40_000)}${pkcs8(ED25519)}`, "notPem"],
    ["beginnings without ends", "-----BEGIN PRIVATE KEY-----\n".repeat(1000), "notPem"],
  ];
  for (const [name, text, kind] of texts)
    test(`${name}: ${kind}`, () => {
      assert.deepEqual(read(text), { kind });
    });

  test("a certificate with its key is that key", () => {
    assert.deepEqual(read(block("CERTIFICATE") + pkcs8(ED25519)), ["ed25519", pkcs8(ED25519)]);
  });
});

describe("a key pair that is made here", () => {
  test("is another one each time, is read like any other, and has the public key that belongs to it", () => {
    const [one, other] = [createPrivateKeyPem(), createPrivateKeyPem()];
    assert.notEqual(one, other);
    assert.deepEqual(read(one), ["ed25519", one]);
    assert.equal(`${publicKeyOf(one)}\n`, publicPem(createPrivateKey(one)));
    assert.match(publicKeyOf(one), /^-----BEGIN PUBLIC KEY-----\n[\w+/=]{60}\n-----END PUBLIC KEY-----$/);
  });
});
