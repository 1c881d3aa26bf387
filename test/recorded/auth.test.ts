import assert from "node:assert/strict";
import { test } from "vitest";
import { readGrant, sign } from "../../src/session/auth.ts";
import { dataFiles, describeRecorded, fileText } from "./data.ts";

/* Signatures that the exchange's documentation states, or that were computed by something that is not this program. */

interface Vector {
  readonly client_secret: string;
  readonly timestamp: number;
  readonly nonce: string;
  readonly data: string;
  readonly signature: string;
  readonly origin: string;
}

describeRecorded("client_signature", () => {
  const { client_signature: vectors } = JSON.parse(fileText("auth-vectors.json")) as {
    readonly client_signature: readonly Vector[];
  };

  test("there are vectors", () => {
    assert.ok(vectors.length >= 5);
  });

  for (const vector of vectors) {
    test(`${vector.origin}: ${JSON.stringify([vector.nonce, vector.data])}`, () => {
      assert.equal(sign(vector.client_secret, vector), vector.signature);
    });
  }
});

describeRecorded("recorded and documented grants", () => {
  const files = dataFiles().filter((file) => file.startsWith("public_auth.response."));
  for (const file of files) {
    test(file, () => {
      const { result } = JSON.parse(fileText(file)) as { readonly result?: unknown };
      const grant = readGrant(result);
      assert.ok(grant !== undefined && grant.expiresIn > 0 && grant.accessToken !== "" && grant.refreshToken !== "");
    });
  }
});
