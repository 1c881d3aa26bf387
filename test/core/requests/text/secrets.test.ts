import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseTree } from "jsonc-parser";
import { allMethods } from "../../../../src/catalogue/index.ts";
import { isDocumentedMember } from "../../../../src/catalogue/reference/reference.ts";
import { isSecretName } from "../../../../src/rpc/maskSecrets.ts";
import { looksLikeToken } from "../../../../src/rpc/tokenLook.ts";
import { REAL_IDS } from "../../../realIds.ts";
import {
  hiddenNodes,
  isSecretMember,
  secretNodes,
  shownParams,
  valueWithoutSecrets,
} from "../../../../src/requests/text/secrets.ts";

/* Which of the texts that the user writes, pastes or keeps count as secrets. */

/** Made by chance, of letters in both cases and digits. */
const TOKEN = "Zk3Qv9Xw2Lp7Rt5Yb8Nc4Mf6Hd1Gs0Ja";
const HIDDEN = "‹hidden›";

describe("a text that looks like a token", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["32 letters and digits", TOKEN, true],
    ["24 of them", TOKEN.slice(0, 24), true],
    ["23 of them", TOKEN.slice(0, 23), false],
    ["one in a sentence", `use ${TOKEN}, please`, true],
    ["one in quotes", `"${TOKEN}"`, true],
    ["with the signs of base64", "aB3+cD4/eF5=gH6+iJ7/kL8=", true],
    ["with the signs of addresses", "aB3-cD4_eF5~gH6-iJ7_kL8~", true],
    ["a token of three parts", `a.${TOKEN}.b`, true],
    ["three short parts", "aB3cD4eF5.gH6iJ7kL8.mN9oP1qR2", false],
    ["two parts, too short each", `${TOKEN.slice(0, 23)}.${TOKEN.slice(0, 23)}`, false],
    ["blanks within", "aB3cD4 eF5gH6 iJ7kL8 mN9oP1 qR2sT3", false],
    ["no capitals", TOKEN.toLowerCase(), false],
    ["no small letters", TOKEN.toUpperCase(), false],
    ["no digits", "aBcDeFgHiJkLmNoPqRsTuVwXyZaB", false],
    ["a word with few changes", "AccountSummaryRequestNumber12", false],
    ["changes at three of ten places", `Aaa1aaa1aaa1aaa1${"a".repeat(14)}`, true],
    ["changes at fewer", `Aaa1aaa1aaa1aaa1${"a".repeat(15)}`, false],
    ["changes at fewer, none of them at the beginning", `aaAa1a1a1a1${"1".repeat(20)}`, false],
    ["an instrument", "BTC-STRG-26MAR27-72000_80000", false],
    ["an instrument of two currencies", "XRP_USDC-30JUN23-0d625-C", false],
    ["an instrument with small letters in each part", "XRP_USDC-30jUN23-0d625aB-C1dE2fG", false],
    ["an instrument with small letters in each part, of one currency", "BTC-30jUN23-0d625aB-C1dE2fG", false],
    ["an instrument with two strikes", "BTC-aB2cD_e3Fg4H-5iJ6kL-7mN8", false],
    ["a small letter in the currency", "bTC-aB2cD3e-F4gH5iJ6k-L7mN", true],
    ["a small letter in the second currency", "XRP_uSDC-30jUN23-0d625aB-C1dE2", true],
    ["before an instrument stands more", "xBTC1-aB2cD-3eF4g-H5iJ6-k7L8m", true],
    ["after an instrument stands more", "BTC1-aB2cD-3eF4g-H5iJ6-k7L8m~", true],
    ["an instrument of too many parts", "BTC-1aB2c-3dE4f-5gH6i-7jK8l-9mN", true],
    ["a key block", "-----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY-----", true],
    ["a public key", `-----BEGIN PUBLIC KEY-----\n${TOKEN}\n-----END PUBLIC KEY-----\n`, false],
    ["a public key without line breaks", `-----BEGIN PUBLIC KEY-----${TOKEN}-----END PUBLIC KEY-----`, false],
    ["a public key with more", `-----BEGIN PUBLIC KEY-----\n${TOKEN}\n-----END PUBLIC KEY-----\n${TOKEN}`, true],
    ["a public key behind a token", `${TOKEN}-----BEGIN PUBLIC KEY-----\nMC4\n-----END PUBLIC KEY-----`, true],
    [
      "a private key that passes for a public one",
      `-----BEGIN PUBLIC KEY-----\n-----BEGIN PRIVATE KEY-----\nMC4\n-----END PUBLIC KEY-----`,
      true,
    ],
    ["nothing", "", false],
  ];
  for (const [name, text, expected] of rows) {
    test(`${name}: ${expected ? "yes" : "no"}`, () => {
      assert.equal(looksLikeToken(text), expected);
    });
  }
});

describe("a member that carries a secret", () => {
  test("names that are secret whatever stands in them; among them those of the catalogue's parameters, without their path", () => {
    for (const name of [
      "access_token",
      "client_secret",
      "Client_Secret",
      "client-secret",
      "CLIENT_SECRET",
      "clientSecret",
      "refresh_token",
      "password",
      "private_key",
      "authorization_data",
    ])
      assert.ok(isSecretMember(name, "x"), name);
    // A token of the gateway's sign-in is known by its value: elsewhere, a token may be a currency.
    for (const path of allMethods().flatMap(({ paramSecrets }) => paramSecrets.filter((name) => name !== "token")))
      assert.ok(isSecretMember(path.split(".").at(-1) ?? "", "x"), path);
    assert.ok(!isSecretMember("label", "x"));
  });

  test("a member that the exchange documents with other data never is, whatever stands in it", () => {
    const documented = [
      ...["label", "address", "order_id", "continuation", "note", "tag", "token_type", "client_order_id", "public_key"],
      ...["continuation_token", "nextPageToken", "token_id", "tokenAddress", "cursor"],
    ];
    for (const name of documented)
      for (const text of [...REAL_IDS, TOKEN]) assert.ok(!isSecretMember(name, text), `${name} ${text}`);
    for (const name of ["label", "address", "external_id", "continuation", "ip_whitelist", "makers"])
      assert.ok(isDocumentedMember(name) && !isSecretName(name), name);
    assert.ok(!isDocumentedMember("botToken"));
  });

  const rows: readonly (readonly [string, string, string, boolean])[] = [
    ["a secret name", "password", "x", true],
    ["a secret name, empty", "password", "", false],
    ["a placeholder", "password", "{{password}}", false],
    ["an empty placeholder", "password", "{{}}", false],
    ["a placeholder and more behind it", "password", "{{password}}x", true],
    ["a placeholder and more before it", "password", "x{{password}}", true],
    ["two placeholders", "password", "{{a}}{{b}}", true],
    ["a plain name", "label", "x", false],
    ["a plain name, the text a token", "label", TOKEN, false],
    ["a plain name, a text of two kinds", "label", "abcdefghijk1", false],
    ["a name that could mean one, a text of two kinds", "apiKey", "abcdefghijk1", true],
    ["a name that could mean one, too short", "apiKey", "abcdefghij1", false],
    ["a name that could mean one, of one kind", "apiKey", "abcdefghijkl", false],
    ["a name that could mean one, with a blank before", "apiKey", " abcdefghijk1", false],
    ["a name that could mean one, with a blank behind", "apiKey", "abcdefghijk1 ", false],
    ["a name that could mean one, with a sign", "apiKey", "abcdefghijk-", true],
    ["a name that could mean one, with an underscore", "apiKey", "abcdefghijk_", true],
    ["a name that could mean one, in words", "credential", "the one of my desk 1", false],
  ];
  for (const [name, member, value, expected] of rows)
    test(`${name}: ${expected ? "yes" : "no"}`, () => assert.equal(isSecretMember(member, value), expected));
});

describe("the secrets of a text", () => {
  const found = (text: string): unknown =>
    secretNodes(parseTree(text)).map(({ node, name, path }) => [
      text.slice(node.offset, node.offset + node.length),
      name,
      path.join("."),
    ]);
  const rows: readonly (readonly [string, string, unknown])[] = [
    [
      "of members, at any depth",
      '{"a":{"password":"x","b":1},"client_secret":"y"}',
      [
        ['"x"', "password", "a.password"],
        ['"y"', "client_secret", "client_secret"],
      ],
    ],
    [
      "of lists, by the name around them",
      '{"password":["x",["y"]]}',
      [
        ['"x"', "password", "password.0"],
        ['"y"', "password", "password.1.0"],
      ],
    ],
    ["of a list without a name, whatever they look like", `["x","${TOKEN}"]`, []],
    ["in an object within a list", '[{"password":"x"}]', [['"x"', "password", "0.password"]]],
    ["a member without a value", '{"password":', []],
    ["empty ones have none", '{"a":{},"b":[],"c":null,"password":7}', []],
    ["no text at all", "", []],
  ];
  for (const [name, text, expected] of rows) test(name, () => assert.deepEqual(found(text), expected));

  test("are found by another rule, which is given no name where there is none", () => {
    const isUnnamed = (name: string): boolean => name === "";
    const nodes = secretNodes(parseTree('["x", { "a": "y" }]'), undefined, isUnnamed);
    assert.deepEqual(
      nodes.map(({ node, name }): readonly unknown[] => [node.value, name]),
      [["x", ""]],
    );
  });

  test("are hidden in their place, and what is one itself is not shown", () => {
    assert.equal(
      valueWithoutSecrets("", `{"a": 1e1, "password":"x","b":["${TOKEN}", "y"]}`),
      `{"a": 1e1, "password":"${HIDDEN}","b":["${TOKEN}", "y"]}`,
    );
    assert.equal(valueWithoutSecrets("password", '"x"'), undefined);
    assert.equal(valueWithoutSecrets("label", '"x"'), '"x"');
    assert.equal(valueWithoutSecrets("password", '["x"]'), `["${HIDDEN}"]`);
  });
});

test("parameters are shown as they are sent, but for secrets that do not say where they come from", () => {
  const rows: readonly (readonly [string, string])[] = [
    ['{"a": 1e1, "client_secret": "abc"}', `{"a": 1e1, "client_secret": "${HIDDEN}"}`],
    ['{"client_secret": "‹client_secret of c›"}', '{"client_secret": "‹client_secret of c›"}'],
    ['{"refresh_token": "{{$session.refreshToken}}"}', '{"refresh_token": "{{$session.refreshToken}}"}'],
    ['{"refresh_token": "{{$session.refreshToken}}x"}', `{"refresh_token": "${HIDDEN}"}`],
    ['{"client_secret": "abc", "__proto__": 1}', `{"client_secret": "${HIDDEN}", "__proto__": 1}`],
  ];
  for (const [text, expected] of rows) assert.equal(shownParams(text), expected);
});

test("what was hidden before is found, by the name of its member", () => {
  const found = (text: string): readonly string[] =>
    hiddenNodes(parseTree(text), "outermost").map(({ node, name }) => `${name} ${String(node.value)}`);
  assert.deepEqual(found(`{"a":{"b":["x","${HIDDEN}"]},"c":"Bearer ${HIDDEN}","d":1,"e":[]}`), [
    `b ${HIDDEN}`,
    `c Bearer ${HIDDEN}`,
  ]);
  assert.deepEqual(found(JSON.stringify(HIDDEN)), [`outermost ${HIDDEN}`]);
  assert.deepEqual(hiddenNodes(undefined), []);
  const [only] = hiddenNodes(parseTree(JSON.stringify(HIDDEN)));
  assert.deepEqual([only?.name, only?.path], ["", []]);
});
