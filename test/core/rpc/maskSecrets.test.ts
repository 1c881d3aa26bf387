import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods } from "../../../src/catalogue/index.ts";
import {
  createSecretValues,
  hideChallenge,
  isSecretName,
  maskNamed,
  maskSpans,
  maskWireText,
  scanWireText,
  secretForms,
} from "../../../src/rpc/maskSecrets.ts";

const mask = (text: string): string => maskSpans(text, scanWireText(text).secrets);

describe("the challenge of a second factor", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"challenge":"a","rp_id":"x"}', '{"challenge":"‹hidden›","rp_id":"x"}'],
    [
      '{"challenge" : "a\\"b\\\\" , "n":0.10,"challenge":""}',
      '{"challenge" : "‹hidden›" , "n":0.10,"challenge":"‹hidden›"}',
    ],
    ['{"challenge":null,"note":"\\"challenge\\":\\"a\\""}', '{"challenge":null,"note":"\\"challenge\\":\\"a\\""}'],
    ['{"challenge":"cut off', '{"challenge":"cut off'],
    ['"challenge":"at the beginning"', '"challenge":"‹hidden›"'],
    ['{"challenge":"\\"challenge":"y"}', '{"challenge":"‹hidden›":"y"}'],
  ];
  for (const [text, hidden] of cases)
    test(text, () => {
      assert.equal(hideChallenge(text), hidden);
    });

  test("may be of any length", () => {
    for (const piece of ["x", "\\n", "\\\\"])
      assert.equal(
        maskWireText(`{"challenge":"${piece.repeat(12_000_000 / piece.length)}","n":0.10}`, createSecretValues()),
        '{"challenge":"‹hidden›","n":0.10}',
      );
  });
});

describe("secrets that are known by name", () => {
  test("are hidden where the text repeats them too, unless they are short or no text", () => {
    const named = (text: string): string => maskNamed(text, scanWireText(text).secrets);
    assert.equal(
      named('{"client_secret":"abcdefghij","copy":"x abcdefghij"}'),
      '{"client_secret":"‹hidden›","copy":"x ‹hidden›"}',
    );
    assert.equal(named('{"password":"abc","copy":"abc"}'), '{"password":"‹hidden›","copy":"abc"}');
    assert.equal(named('{"password":1234567890123,"n":23456789012}'), '{"password":"‹hidden›","n":23456789012}');
    assert.equal(named('{"n":0.10}'), '{"n":0.10}');
  });

  test("have a name that says so", () =>
    assert.deepEqual(["client_secret", "clientSecret", "label"].map(isSecretName), [true, true, false]));

  test("are unknown in a text that cannot be read whole: all of it is hidden, with the reason", () =>
    assert.equal(maskWireText('{"__proto__":1}', createSecretValues()), '"‹hidden› a key is named __proto__"'));
});

test("what is no JSON any more without its secrets is hidden as a whole, and what never was is left", () => {
  const values = createSecretValues();
  values.keep("1234567890");
  assert.equal(maskWireText('{"n":1234567890}', values), '"‹hidden›"');
  assert.equal(maskWireText('{"n":', values), '{"n":');
});

describe("secrets that are known by value", () => {
  test("are hidden as a whole, and in lines only where they are a key", () => {
    const values = createSecretValues();
    values.keep("first line of it\nsecond line of it");
    assert.equal(values.hide("first line of it"), "first line of it");
    assert.equal(values.hide("x first line of it\nsecond line of it"), "x ‹hidden›");
    values.keep("-----BEGIN KEY-----\n  abcdefghijkl  \n-----END KEY-----");
    assert.equal(values.hide("x abcdefghijkl"), "x ‹hidden›");
  });

  test("are hidden as long as they are among the latest sixteen", () => {
    const values = createSecretValues();
    const tokens = Array.from({ length: 17 }, (_, index) => `token-number-${String(index + 1)}.`);
    for (const token of tokens) values.add(token);
    const found = tokens.filter((token) => values.hide(`"${token}"`) === '"‹hidden›"');
    assert.deepEqual(found, tokens.slice(1));
  });

  test("one that stays what it is is hidden for good, however many tokens come after it", () => {
    const values = createSecretValues();
    values.keep('client-"secret"');
    values.keep("other-secret");
    for (let index = 0; index < 100; index++) values.add(`token-number-${index}.`);
    assert.equal(
      values.hide(
        'client-"secret" client-\\"secret\\" other-secret token-number-99. token-number-84. token-number-83.',
      ),
      "‹hidden› ‹hidden› ‹hidden› ‹hidden› ‹hidden› token-number-83.",
    );
    values.keep("short");
    assert.equal(values.hide("short"), "short");
  });

  test("are hidden everywhere they stand, also as JSON writes them", () => {
    const values = createSecretValues();
    values.add('with "quotes"');
    assert.equal(
      values.hide('{"a":"with \\"quotes\\" and with \\"quotes\\""} with "quotes"'),
      '{"a":"‹hidden› and ‹hidden›"} ‹hidden›',
    );
  });

  test("one that is added again takes no second place", () => {
    const values = createSecretValues();
    values.add("first-one");
    for (let index = 0; index < 20; index++) values.add("second-one");
    assert.equal(values.hide("first-one second-one"), "‹hidden› ‹hidden›");
  });

  test("texts of less than six characters are none", () => {
    const values = createSecretValues();
    values.add("12345");
    values.add("123456");
    assert.equal(values.hide("12345 123456"), "12345 ‹hidden›");
  });

  test("where no text is that long a word is not looked for; what could stand between texts is", () => {
    const values = createSecretValues();
    values.add("abcdefgh");
    values.add("12345678");
    values.add("a,b:c{d}");
    values.add("e,f:ghij");
    assert.equal(values.hide("abcdefgh", 7), "abcdefgh");
    assert.equal(values.hide("abcdefgh", 8), "‹hidden›");
    assert.equal(values.hide("abcdefgh"), "‹hidden›");
    assert.equal(values.hide("[12345678]", 2), "[‹hidden›]");
    assert.equal(values.hide("a,b:c{d} e,f:ghij", 2), "‹hidden› ‹hidden›");
  });

  test("the shortest of several words decides whether a text is looked at, and a new one counts at once", () => {
    const values = createSecretValues();
    values.add("long-secret-word");
    assert.equal(values.hide("word-one long-secret-word", 15), "word-one long-secret-word");
    values.add("word-one");
    assert.equal(values.hide("word-one", 8), "‹hidden›");
    assert.equal(values.hide("long-secret-word word-one", 16), "‹hidden› ‹hidden›");
    values.add("{not-a-word}");
    assert.equal(values.hide("{not-a-word}", 2), "‹hidden›");
  });
});

describe("a private key as a secret", () => {
  const [first, second, last] = ["A".repeat(64), "b+/".repeat(21) + "c", "short="] as const;
  const pem = `-----BEGIN PRIVATE KEY-----\n${first}\n${second}\n${last}\n-----END PRIVATE KEY-----\n`;

  test("is each of its lines, and all of them in one, however its line breaks are written", () => {
    const forms = [first + second + last, first, second, last];
    assert.deepEqual(secretForms(pem), forms);
    assert.deepEqual(secretForms(pem.replaceAll("\n", "\r\n")), forms);
    const whole = `-----BEGIN PRIVATE KEY-----${first}-----END PRIVATE KEY-----`;
    assert.deepEqual([...new Set(secretForms(whole))], [first]);
    assert.deepEqual(secretForms("client-secret"), ["client-secret"]);
    assert.deepEqual(secretForms("five5"), []);
  });

  test("is hidden in every one of these forms, in a JSON text too, and a text without it is not looked through", () => {
    const values = createSecretValues();
    values.keep(pem);
    assert.equal(
      values.hide(JSON.stringify({ key: pem, line: second, joined: first + second + last })),
      '{"key":"-----BEGIN PRIVATE KEY-----\\n‹hidden›\\n‹hidden›\\n‹hidden›\\n-----END PRIVATE KEY-----\\n","line":"‹hidden›","joined":"‹hidden›"}',
    );
    assert.equal(values.hide(`"${last}"`, last.length - 1), `"${last}"`, "no string is that long");
  });
});

describe("secrets that are known by name", () => {
  const names = [
    "access_token",
    "refresh_token",
    "client_secret",
    "secret",
    "password",
    "private_key",
    "signature",
    "authorization_data",
    "api_secret",
    "api_key_secret",
    "passphrase",
    "tfa_code",
  ];
  for (const name of names) {
    test(`${name}, in the exchange's spelling and in a gateway's`, () => {
      const camel = name
        .split("_")
        .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
        .join("");
      assert.equal(
        mask(`{"a":[{"${name}":"x","${camel}":1.0}],"b":"x"}`),
        '{"a":[{"' + `${name}":"‹hidden›","${camel}":"‹hidden›"}],"b":"x"}`,
      );
    });
  }

  test("whatever the catalogue calls secret in a response or in parameters, by its last name", () => {
    const paths = allMethods().flatMap(({ resultSecrets, paramSecrets }) => [
      ...resultSecrets,
      ...paramSecrets.map((path) => path.split(".")),
    ]);
    const last = new Set(paths.map((path) => path.filter((part) => part !== "*").at(-1) ?? ""));
    assert.ok(last.size > 3);
    for (const name of last) assert.equal(mask(`{"${name}":"x"}`), `{"${name}":"‹hidden›"}`);
  });

  test("everything else stays, literal for literal", () => {
    const text = '{ "access": "x", "price": 1.0e2, "token_type": "bearer" }';
    assert.equal(mask(text), text);
  });
});
