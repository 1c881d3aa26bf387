import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { inspect, format } from "node:util";
import { allMethods } from "../../../src/catalogue/index.ts";
import { makesClientSecret, oneTimeMember, oneTimeSecretIn } from "../../../src/catalogue/oneTimeSecrets.ts";
import { createSecretValues } from "../../../src/rpc/maskSecrets.ts";
import { maskResponse, noteSecret, type UnmaskedResponse } from "../../../src/rpc/maskResponse.ts";
import { isStandIn, isWithoutSecret, OneTimeSecret, standInFor, standInsIn } from "../../../src/rpc/oneTimeSecret.ts";
import { scanWireText } from "../../../src/rpc/maskSecrets.ts";
import { formsOf } from "../../secretForms.ts";

const VALUE = "Zk3-only_ONCE-9f8e7d6c5b4a";

/** A response as a peer hands it to its session. */
function received(method: string, bodyText: string, isError = false): UnmaskedResponse {
  return {
    ...{ wireId: 1, method, bodyText, testnet: undefined, longestText: Infinity },
    result: isError ? undefined : (JSON.parse(bodyText) as unknown),
    error: isError ? { kind: "exchange", ...(JSON.parse(bodyText) as { code: number; message: string }) } : undefined,
    timing: { receivedAtMs: 0, totalMs: 0, queuedMs: 0, exchangeMs: undefined },
    secrets: scanWireText(bodyText).secrets,
  };
}

describe("the secrets that exist in one response only", () => {
  test("are members of results that the catalogue calls secret, of three methods", () => {
    const found = allMethods().flatMap(({ name }) => {
      const member = oneTimeMember(name);
      return member === undefined ? [] : [`${name} ${member}`];
    });
    assert.deepEqual(found.sort(), [
      "private/create_api_key client_secret",
      "private/reset_api_key client_secret",
      "private/verify_block_trade signature",
    ]);
    for (const each of found) {
      const [name = "", member = ""] = each.split(" ");
      const facts = allMethods().find((one) => one.name === name);
      assert.equal(facts?.resultSecrets.filter((path) => path.join(".") === member).length, 1, each);
    }
  });

  test("a public key's fingerprint is none", () => {
    const result = { client_secret: VALUE, public_key: "-----BEGIN PUBLIC KEY-----" };
    assert.equal(oneTimeSecretIn("private/create_api_key", result), undefined);
    assert.equal(oneTimeSecretIn("private/create_api_key", { ...result, public_key: "" }), VALUE);
    assert.equal(makesClientSecret("private/create_api_key", { public_key: "x" }), false);
    assert.equal(makesClientSecret("private/create_api_key", { public_key: null }), true);
    assert.equal(makesClientSecret("private/create_api_key", { public_key: "" }), true, "an empty one is none");
    assert.equal(makesClientSecret("private/create_api_key", { public_key: " \n" }), true);
    assert.equal(makesClientSecret("private/reset_api_key", { id: 4, public_key: "x" }), true, "not its parameter");
    assert.equal(makesClientSecret("private/verify_block_trade", {}), false);
    for (const odd of [undefined, null, "x", [], {}, { client_secret: "" }, { client_secret: 5 }])
      assert.equal(oneTimeSecretIn("private/reset_api_key", odd), undefined);
  });
});

describe("a response with such a secret leaves the session", () => {
  const body = `{"id":7,"client_id":"abc","client_secret":"${VALUE}","note":"${VALUE} again"}`;

  test("masked, with the secret as an object that shows nothing of it", () => {
    const masked = maskResponse(received("private/reset_api_key", body), createSecretValues());
    assert.equal(masked.bodyText, '{"id":7,"client_id":"abc","client_secret":"‹hidden›","note":"‹hidden› again"}');
    const { oneTime } = masked;
    assert.ok(oneTime !== undefined);
    const forms = [
      JSON.stringify(masked),
      JSON.stringify({ deep: [oneTime] }),
      inspect(masked, { depth: 30, showHidden: true, getters: true }),
      inspect(oneTime, { showHidden: true, getters: true, customInspect: false }),
      format("%s %o %O %j %d", oneTime, oneTime, oneTime, oneTime, oneTime),
      String(oneTime),
      JSON.stringify(structuredClone({ a: oneTime })),
      JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(oneTime))),
      Reflect.ownKeys(oneTime).map(String).join(),
      JSON.stringify(Object.assign({}, oneTime)),
      new Error(String(oneTime)).message,
    ].join("\n");
    for (const form of formsOf(VALUE)) assert.ok(!forms.includes(form), form);
    assert.deepEqual([Object.keys(oneTime), Reflect.ownKeys(oneTime)], [[], []]);
    assert.equal(OneTimeSecret.open(oneTime), VALUE);
  });

  test("of any other method it is masked and gone", () => {
    for (const method of ["private/edit_api_key", "private/list_api_keys", "private/enable_api_key"]) {
      const masked = maskResponse(received(method, body), createSecretValues());
      assert.equal(masked.oneTime, undefined);
      assert.ok(!masked.bodyText.includes(`"client_secret":"${VALUE}"`));
    }
  });

  test("no other member is brought along: names are exact, and at the first level", () => {
    for (const text of [
      `{"key":{"client_secret":"${VALUE}"}}`,
      `[{"client_secret":"${VALUE}"}]`,
      `{"access_token":"${VALUE}"}`,
      `{"signature":"${VALUE}"}`,
    ])
      assert.equal(
        maskResponse(received("private/create_api_key", text), createSecretValues()).oneTime,
        undefined,
        text,
      );
  });

  test("an error object brings none, whatever is in it", () => {
    const text = `{"code":10041,"message":"x","client_secret":"${VALUE}","data":{"client_secret":"${VALUE}"}}`;
    const masked = maskResponse(received("private/reset_api_key", text, true), createSecretValues());
    assert.equal(masked.oneTime, undefined);
    assert.ok(!masked.bodyText.includes(VALUE));
  });

  test("from then on it is hidden by value; signatures replace each other and no token", () => {
    const values = createSecretValues();
    values.add("the-session-token");
    const secret = new OneTimeSecret("client_secret", VALUE);
    assert.equal(noteSecret(secret, values), VALUE);
    for (let index = 0; index < 40; index++)
      noteSecret(new OneTimeSecret("signature", `signature-number-${index}.`), values);
    assert.equal(
      values.hide(`${VALUE} the-session-token signature-number-39. signature-number-3.`),
      "‹hidden› ‹hidden› ‹hidden› signature-number-3.",
    );
  });

  test("forgotten, it is nowhere", () => {
    const secret = new OneTimeSecret("client_secret", VALUE);
    OneTimeSecret.forget(secret);
    assert.equal(OneTimeSecret.open(secret), undefined);
    assert.equal(noteSecret(secret, createSecretValues()), undefined);
  });
});

test("a stand-in is told from other text, and never taken for a secret", () => {
  const standIn = standInFor({ kind: "signature", source: "verify" });
  assert.equal(standIn, "‹signature of verify›");
  assert.deepEqual(
    [isStandIn(standIn), isStandIn(`${standIn} `), isStandIn("‹hidden›"), isStandIn(5)],
    [true, false, false, false],
  );
  assert.deepEqual(standInsIn(`a ${standIn} ${standIn} ‹signature› ‹token of x›`).length, 2);
  assert.deepEqual(
    [isWithoutSecret(`x${standIn}`), isWithoutSecret("‹hidden›"), isWithoutSecret("‹x›")],
    [true, true, false],
  );
});
