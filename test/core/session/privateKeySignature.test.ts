import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { constants, createPublicKey, verify, type KeyObject } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, test } from "vitest";
import { toFailure } from "../../../src/base/failure.ts";
import { authParamsText, signWithPrivateKey, type SignedText } from "../../../src/session/auth.ts";
import { createFakeRandom } from "../../fakeClock.ts";
import { makeKey, pkcs8, secretLines } from "../../privateKeys.ts";

/*
 * Signing in with a private key: the three lines that a client secret signs too, in base64url without padding.
 * https://docs.deribit.com/articles/asymmetric-api-keys
 */

const KEYS = [
  ["Ed25519", makeKey("ed25519"), null, 64],
  ["RSA", makeKey("rsa"), "sha256", 256],
] as const;

const TEXTS: readonly SignedText[] = [
  { timestamp: 1_576_074_319_000, nonce: "1iqt2wls", data: "" },
  { timestamp: 1_767_225_600_000, nonce: "n0nce123", data: "žluťoučký-🐎" },
  { timestamp: 1, nonce: "", data: "" },
];

const lines = ({ timestamp, nonce, data }: SignedText): string => `${String(timestamp)}\n${nonce}\n${data}`;

describe("a signature with a private key", () => {
  for (const [name, key, digest, length] of KEYS) {
    test(`${name}: is the one of the three lines, as node:crypto verifies it`, () => {
      for (const text of TEXTS) {
        const signature = signWithPrivateKey(pkcs8(key), text);
        assert.match(signature, /^[\w-]+$/, "base64url without padding");
        const bytes = Buffer.from(signature, "base64url");
        assert.equal(bytes.length, length);
        const isOf = (signed: string): boolean =>
          verify(
            digest,
            Buffer.from(signed, "utf8"),
            // Said in so many words: the signature must not depend on what Node takes where nothing is said.
            { key: createPublicKey(key), padding: constants.RSA_PKCS1_PADDING },
            bytes,
          );
        assert.equal(isOf(lines(text)), true);
        for (const other of [`${lines(text)}\n`, lines(text).replaceAll("\n", ""), lines({ ...text, timestamp: 2 })])
          assert.equal(isOf(other), false, JSON.stringify(other));
      }
    });

    test(`${name}: is the one of the three lines, as openssl verifies it`, (context) => {
      const version = spawnSync("openssl", ["version"], { encoding: "utf8" });
      // Others of this name, such as LibreSSL, have no option for texts that are not hashed before.
      if (version.status !== 0 || !/^OpenSSL (?:[3-9]|\d\d)\./.test(version.stdout)) {
        context.skip(`not run: openssl 3 is not installed (${version.error?.message ?? version.stdout.trim()})`);
        return;
      }
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signature-"));
      try {
        for (const text of TEXTS) {
          const signature = signWithPrivateKey(pkcs8(key), text);
          assert.equal(opensslVerifies(folder, key, { signed: lines(text), signature }), true);
          assert.equal(opensslVerifies(folder, key, { signed: `${lines(text)}\n`, signature }), false);
        }
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });

    test(`${name}: goes out with what it signs, and without the key`, () => {
      const privateKey = pkcs8(key);
      const params = authParamsText(
        { kind: "private_key", clientId: "AMANDA", privateKey },
        { nowMs: 1_576_074_319_000.4, random: createFakeRandom(), sessionName: "s1" },
      );
      const { signature, timestamp, nonce, data, ...others } = JSON.parse(params) as Record<string, unknown>;
      assert.deepEqual(others, { grant_type: "client_signature", client_id: "AMANDA", scope: "session:s1" });
      assert.match(String(nonce), /^[a-z0-9]{16}$/);
      assert.deepEqual([timestamp, data], [1_576_074_319_000, ""]);
      const signed = lines({ timestamp: Number(timestamp), nonce: String(nonce), data: String(data) });
      const bytes = Buffer.from(String(signature), "base64url");
      assert.equal(verify(digest, Buffer.from(signed), createPublicKey(key), bytes), true);
      for (const line of secretLines(privateKey)) assert.ok(!params.includes(line));
    });
  }

  test("a key that cannot be read is refused in a sentence, without a part of it", () => {
    const broken = pkcs8(KEYS[0][1]).replace("MC4", "MC5");
    for (const privateKey of [broken, "client-secret", ""])
      assert.throws(
        () => signWithPrivateKey(privateKey, TEXTS[0]!),
        (error) => {
          assert.deepEqual(toFailure(error), {
            kind: "refused",
            reason: "The saved private key can't be read. Use Edit Connection… to enter it again.",
          });
          assert.equal((error as Error).cause, undefined);
          return true;
        },
      );
  });
});

/** Whether the program openssl takes a signature for that of a text. */
function opensslVerifies(
  folder: string,
  key: KeyObject,
  { signed, signature }: { readonly signed: string; readonly signature: string },
): boolean {
  const file = (name: string, content: string | Uint8Array): string => {
    fs.writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const publicKey = createPublicKey(key).export({ type: "spki", format: "pem" });
  const way = key.asymmetricKeyType === "ed25519" ? ["-rawin"] : ["-rawin", "-digest", "sha256"];
  try {
    const told = execFileSync(
      "openssl",
      [
        ...["pkeyutl", "-verify", "-pubin", "-inkey", file("public.pem", publicKey), ...way],
        ...["-in", file("text", signed), "-sigfile", file("signature", Buffer.from(signature, "base64url"))],
      ],
      { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    );
    return told.includes("Signature Verified Successfully");
  } catch (error) {
    assert.match(String((error as { stdout?: string }).stdout), /Signature Verification Failure/);
    return false;
  }
}
