import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "node:test";
import { authParamsText, readGrant, sign } from "../../src/session/auth.ts";
import { createFakeRandom } from "../fakeClock.ts";

/* Signatures that the exchange's documentation states, or that were computed by something that is not this program. */

interface Vector {
  readonly client_secret: string;
  readonly timestamp: number;
  readonly nonce: string;
  readonly data: string;
  readonly signature: string;
  readonly origin: string;
}

const folder = path.resolve("../shared/exchange/data");
const { client_signature: vectors } = JSON.parse(fs.readFileSync(path.join(folder, "auth-vectors.json"), "utf8")) as { readonly client_signature: readonly Vector[] };

describe("client_signature", () => {
  test("there are vectors", () => {
    assert.ok(vectors.length >= 5);
  });

  for (const vector of vectors) {
    test(`${vector.origin}: ${JSON.stringify([vector.nonce, vector.data])}`, () => {
      assert.equal(sign(vector.client_secret, vector), vector.signature);
    });
  }

  test("the parameters of a sign-in carry the signature of what they say", () => {
    const text = authParamsText({ kind: "client_signature", clientId: "AMANDA", clientSecret: "AMANDASECRECT" }, { nowMs: 1_576_074_319_000.4, random: createFakeRandom() });
    const { grant_type: type, client_id: id, timestamp, nonce, data, signature, ...others } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual([type, id, timestamp, data, others], ["client_signature", "AMANDA", 1_576_074_319_000, "", {}]);
    assert.match(String(nonce), /^[a-z0-9]{16}$/);
    assert.equal(signature, sign("AMANDASECRECT", { timestamp: Number(timestamp), nonce: String(nonce), data: String(data) }));
    assert.equal(text.includes("SECRECT"), false);
  });
});

describe("recorded and documented grants", () => {
  const files = fs.readdirSync(folder).filter((file) => file.startsWith("public_auth.response."));
  for (const file of files) {
    test(file, () => {
      const { result } = JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as { readonly result?: unknown };
      const grant = readGrant(result);
      assert.ok(grant !== undefined && grant.expiresIn > 0 && grant.accessToken !== "" && grant.refreshToken !== "");
    });
  }
});
