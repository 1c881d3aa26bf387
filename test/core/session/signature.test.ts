import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { authParamsText, readGrant, sign } from "../../../src/session/auth.ts";
import { createFakeRandom } from "../../fakeClock.ts";

/* Signing in with a signature, as the facts about the exchange describe it (§2.1, §2.2). */

/** Secret, time, nonce, data, and the signature that the exchange's documentation or another program computed. */
const VECTORS: readonly (readonly [
  secret: string,
  timestamp: number,
  nonce: string,
  data: string,
  signature: string,
])[] = [
  [
    "AMANDASECRECT",
    1_576_074_319_000,
    "1iqt2wls",
    "",
    "56590594f97921b09b18f166befe0d1319b198bbcdad7ca73382de2f88fe9aa1",
  ],
  [
    "Sup3rS3cret_-KEY",
    1_767_225_600_000,
    "n0nce123",
    "",
    "b15321ee21f11292ba1cedb1d80615193be7a698aa1bbc7ff15dd4f490cc2ec7",
  ],
  [
    "Sup3rS3cret_-KEY",
    1_767_225_600_000,
    "n0nce123",
    "žluťoučký-🐎",
    "7f4c0a0290d184c714e2ee16aec573fd75bacdb679864a5b1cf263b96ea2ba5e",
  ],
  ["AMANDASECRECT", 1_576_074_319_000, "", "", "232cca3f048ad2cdf6fdf9b1852832e29f177546f16f321f61b8fca38a12553d"],
];

describe("client_signature", () => {
  for (const [secret, timestamp, nonce, data, signature] of VECTORS) {
    test(`${secret} signs ${JSON.stringify([timestamp, nonce, data])}`, () =>
      assert.equal(sign(secret, { timestamp, nonce, data }), signature));
  }

  test("the parameters of a sign-in carry the signature of what they say", () => {
    const text = authParamsText(
      { kind: "client_signature", clientId: "AMANDA", clientSecret: "AMANDASECRECT" },
      { nowMs: 1_576_074_319_000.4, random: createFakeRandom() },
    );
    const {
      grant_type: type,
      client_id: id,
      timestamp,
      nonce,
      data,
      signature,
      ...others
    } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual([type, id, timestamp, data, others], ["client_signature", "AMANDA", 1_576_074_319_000, "", {}]);
    assert.match(String(nonce), /^[a-z0-9]{16}$/);
    assert.equal(
      signature,
      sign("AMANDASECRECT", { timestamp: Number(timestamp), nonce: String(nonce), data: String(data) }),
    );
    assert.equal(text.includes("SECRECT"), false);
  });
});

describe("grants", () => {
  const grant = {
    access_token: "1790000000000.own.ACCESS",
    token_type: "bearer",
    expires_in: 900,
    refresh_token: "1790000000000.own.REFRESH",
    scope: "account:read connection",
  };

  test("the five members that each has, and further ones", () => {
    for (const result of [
      grant,
      {
        ...grant,
        sid: "main",
        state: "x",
        enabled_features: [],
        mandatory_tfa_status: "inactive",
        google_login: false,
      },
    ]) {
      const read = readGrant(result);
      assert.deepEqual(
        [read?.accessToken, read?.refreshToken, read?.expiresIn, read?.scope],
        ["1790000000000.own.ACCESS", "1790000000000.own.REFRESH", 900, "account:read connection"],
      );
    }
  });
});
