import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { describe, test } from "vitest";
import { cdpKeyProblemText, isKeyName, readCdpKey } from "../../../src/session/cdpKey.ts";
import { createJwt } from "../../../src/session/jwt.ts";
import { createFakeRandom } from "../../fakeClock.ts";

const EC = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const ED25519 = generateKeyPairSync("ed25519").privateKey;
const NAME = "organizations/1f0c6d1e/apiKeys/9ab2c3d4-1111-2222-3333-444455556666";

function pem(key: KeyObject, type: "pkcs8" | "sec1" = "pkcs8"): string {
  return key.export({ type, format: "pem" }).toString();
}

/** Returns the seed of an Ed25519 key, with its public key behind it or without, in base64. */
function base64(key: KeyObject, isWhole: boolean): string {
  const seed = key.export({ type: "pkcs8", format: "der" }).subarray(-32);
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-32);
  return (isWhole ? Buffer.concat([seed, publicKey]) : seed).toString("base64");
}

const FORMS: readonly (readonly [name: string, text: string, type: string, key: KeyObject])[] = [
  ["EC, SEC1", pem(EC, "sec1"), "ec", EC],
  ["EC, PKCS#8", pem(EC), "ec", EC],
  ["Ed25519, base64 of 64 bytes", base64(ED25519, true), "ed25519", ED25519],
  ["Ed25519, base64 of 32 bytes", base64(ED25519, false), "ed25519", ED25519],
  ["Ed25519, PKCS#8", pem(ED25519), "ed25519", ED25519],
];

const PARTS: readonly (readonly [name: string, change: (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["with escaped line breaks", (text) => text.replaceAll("\n", "\\n")],
  ["with escaped line breaks of Windows", (text) => text.replaceAll("\n", "\\r\\n")],
  ["without line breaks", (text) => text.replaceAll("\n", "")],
  ["with white space around and within", (text) => `  ${text.replaceAll(/(.{20})/g, "$1 ")}\n`],
];

describe("a key of the gateway", () => {
  for (const [name, text, type, key] of FORMS)
    for (const [how, change] of PARTS) {
      if (how.includes("within") && text.includes("-----")) continue;
      test(`${name}, ${how}: alone, and in a key file with its name`, () => {
        const written = text.includes("-----") ? text : text.replaceAll(/\s/g, "");
        const expected = { kind: "key", type, pem: pem(key), written };
        assert.deepEqual(readCdpKey(change(text)), { ...expected, name: undefined });
        const others = { nickname: "desk", scopes: ["rat#view"], allowedIps: [], enabled: true };
        for (const file of [{ name: NAME }, { id: NAME }])
          assert.deepEqual(readCdpKey(JSON.stringify({ ...others, ...file, privateKey: change(text) })), {
            ...expected,
            name: NAME,
          });
      });
    }

  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
  const encrypted = ED25519.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString();
  const other = base64(generateKeyPairSync("ed25519").privateKey, true);
  const mixed = Buffer.concat([
    Buffer.from(base64(ED25519, false), "base64"),
    Buffer.from(other, "base64").subarray(32),
  ]);
  const WRONG: readonly (readonly [text: string, kind: string])[] = [
    ["  ", "empty"],
    ["x".repeat(40_000), "tooLong"],
    ['{ "name": "a", "privateKey": ', "damagedJson"],
    ["{ 'name': 'a' }", "damagedJson"],
    [JSON.stringify({ name: NAME }), "noPrivateKey"],
    [JSON.stringify({ name: NAME, privateKey: 5 }), "noPrivateKey"],
    [JSON.stringify({ privateKey: pem(EC) }), "noName"],
    [JSON.stringify({ name: "two words", privateKey: pem(EC) }), "otherName"],
    [encrypted, "encrypted"],
    [createPublicKey(EC).export({ type: "spki", format: "pem" }).toString(), "publicKey"],
    ["-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "certificate"],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----", "openSsh"],
    [pem(EC) + pem(ED25519), "several"],
    [pem(EC).slice(0, 120), "damaged"],
    [pem(EC).replaceAll("M", "*"), "damaged"],
    ["not a key!", "notKey"],
    [pem(rsa), "otherType RSA"],
    [pem(p384), "otherType EC P-384"],
    [Buffer.alloc(40).toString("base64"), "otherLength 40"],
    [mixed.toString("base64"), "otherPublicKey"],
  ];
  test("that is wrong is named by its cause, each in a sentence of its own", () => {
    const sentences = new Set<string>();
    for (const [text, kind] of WRONG) {
      const reading = readCdpKey(text);
      assert.notEqual(reading.kind, "key", kind);
      if (reading.kind === "key") continue;
      const detail = "name" in reading ? ` ${reading.name}` : "bytes" in reading ? ` ${reading.bytes}` : "";
      assert.equal(reading.kind + detail, kind);
      sentences.add(cdpKeyProblemText(reading));
    }
    assert.equal(sentences.size, new Set(WRONG.map(([, kind]) => kind)).size);
  });

  test("has a name of the documented forms, or an ID alone", () => {
    assert.deepEqual(
      [NAME, "9ab2c3d4-1111-2222-3333-444455556666", "", "a b", "organizations/x", "x".repeat(201)].map(isKeyName),
      [true, true, false, false, false, false],
    );
  });
});

describe("the JWT of a sign-in", () => {
  const nowMs = Date.UTC(2026, 10, 29, 12, 0, 0, 750);

  for (const [type, key, alg] of [
    ["EC", EC, "ES256"],
    ["Ed25519", ED25519, "EdDSA"],
  ] as const)
    test(`with ${type}: header, claims, and a signature that the public key verifies`, () => {
      const random = createFakeRandom(3);
      const credentials = { clientId: NAME, privateKey: pem(key) };
      const [first, second] = [createJwt(credentials, { nowMs, random }), createJwt(credentials, { nowMs, random })];
      const [head = "", claims = "", signature = ""] = first.split(".");
      const read = (part: string): Record<string, unknown> =>
        JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
      const { nonce, ...rest } = read(head);
      assert.deepEqual(rest, { alg, typ: "JWT", kid: NAME });
      assert.match(String(nonce), /^[\da-f]{32}$/);
      const nbf = Math.floor(nowMs / 1000);
      assert.deepEqual(read(claims), { sub: NAME, iss: "cdp", nbf, exp: nbf + 120 });
      const bytes = Buffer.from(signature, "base64url");
      const verifying = createPublicKey(createPrivateKey(pem(key)));
      const isVerified =
        alg === "ES256"
          ? verify("sha256", Buffer.from(`${head}.${claims}`), { key: verifying, dsaEncoding: "ieee-p1363" }, bytes)
          : verify(null, Buffer.from(`${head}.${claims}`), verifying, bytes);
      assert.equal(isVerified, true);
      assert.equal(bytes.length, 64);
      assert.notEqual(first, second, "each has a nonce of its own");
    });

  test("can't be made with a saved key that is damaged", () => {
    assert.throws(() => createJwt({ clientId: NAME, privateKey: "x" }, { nowMs, random: () => 0.5 }), {
      failure: {
        kind: "refused",
        reason: "The saved private key can't be read. Use Edit Connection… to enter it again.",
      },
    });
  });
});
