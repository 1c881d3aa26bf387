import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { allMethods } from "../../../src/catalogue/index.ts";
import { xmlText } from "../../../src/cli/safeText.ts";
import {
  mayNameSecret,
  createSecretValues,
  hideChallenge,
  isSecretName,
  maskNamed,
  maskSpans,
  maskWireText,
  scanWireText,
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

describe("names that may stand for a secret", () => {
  const judged = (...names: readonly string[]): readonly boolean[] => names.map(mayNameSecret);

  test("a word of secrets makes one, wherever it is in the name", () => {
    assert.deepEqual(judged("my_token", "tokenIdentity", "apiKey", "api_key", "oldPassword", "id_token"), [
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  test("IDs, addresses, labels, and places of a list are none, nor is what the catalogue documents with data", () => {
    for (const name of [
      ...["token_id", "token-ids", "tokenId", "tokenIds", "token_address", "tokenLabel"],
      ...["continuation_token", "cursor_token", "page_token", "token_type", "invalidate_token", "is_password"],
      ...["price", "amount"],
    ])
      assert.deepEqual([name, ...judged(name)], [name, false]);
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

  test("texts of less than eight characters are none", () => {
    const values = createSecretValues();
    values.add("1234567");
    values.add("12345678");
    assert.equal(values.hide("1234567 12345678"), "1234567 ‹hidden›");
  });

  /** Ways to write a text, by their names; `x` is one that needs no escape. */
  const WAYS: Readonly<Record<string, (text: string) => string>> = {
    "as it is": (text) => text,
    "as JSON writes it": (text) => JSON.stringify(text).slice(1, -1),
    "as JSON writes it in JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
    "with a slash escaped": (text) => text.replaceAll("/", "\\/"),
    "as numbers of JSON": (text) => text.replaceAll(/[^]/g, (each) => `\\u${hex(each).padStart(4, "0")}`),
    "as numbers of JSON, in capitals": (text) =>
      text.replaceAll(/[^]/g, (each) => `\\u${hex(each).padStart(4, "0").toUpperCase()}`),
    "percent-encoded": encodeURIComponent,
    "percent-encoded, every character": (text) =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    "percent-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
    "JSON, percent-encoded": (text) => encodeURIComponent(JSON.stringify(text).slice(1, -1)),
    "in a form": (text) => new URLSearchParams({ x: text }).toString().slice(2),
    "in XML": xmlText,
    "in the log": (text) => plain.text(text),
  };
  const hex = (character: string): string => character.charCodeAt(0).toString(16);
  const SECRETS = [
    "plainSecret0123",
    'with "quotes" and \\ and /',
    "a%41b+c d&e<f>g'h",
    "ümläut-€-😀-x",
    "`tick` $(x) ](y) ://z",
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\nBCIEIAbcdefg+/xx\nab==\n-----END PRIVATE KEY-----\n",
  ];
  for (const [way, write] of Object.entries(WAYS))
    test(`are hidden ${way}, and nothing else is`, () => {
      for (const secret of SECRETS) {
        const values = createSecretValues();
        values.keep(secret);
        const rest = ['{"label":"mm-1","note":"a%41 &amp; \\u0041 \\\\ ', ' z\\n"}'] as const;
        const written = write(secret.replaceAll(/-----[A-Z ]+-----/g, "").trim());
        assert.equal(values.hide(rest.join(written)), rest.join("‹hidden›"), secret);
      }
    });

  test("are hidden in the header Basic, with the run of base64 that they are a part of", () => {
    for (const encoding of ["base64", "base64url"] as const)
      for (const id of ["a", "ab", "abc", ""])
        for (const secret of ["eight-ch", "a/b?c>d~e", "ümläut-€-x"]) {
          const values = createSecretValues();
          values.keep(secret);
          const header = `Basic ${Buffer.from(`${id}:${secret}`).toString(encoding)}`;
          assert.equal(values.hide(`authorization: ${header}, x`), "authorization: Basic ‹hidden›, x");
          const inJson = JSON.stringify({ text: header.replaceAll("/", "\\/") });
          assert.doesNotMatch(values.hide(inJson), new RegExp(header.slice(9, -4).replaceAll(/[+/]/g, "\\$&")));
        }
  });

  test("a text with thousands of escapes is searched once for all of them", () => {
    const values = createSecretValues();
    for (let index = 0; index < 16; index++) values.add(`token-number-${index}-${"x".repeat(400)}`);
    const text = "\\u0041%41\\\\".repeat(200_000);
    assert.equal(values.hide(text), text);
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

  test("is hidden whole and by each of its lines, in a JSON text too, and a text without it is not looked through", () => {
    for (const text of [pem, pem.replaceAll("\n", "\r\n")]) {
      const values = createSecretValues();
      values.keep(text);
      const end = text.includes("\r") ? "\\r\\n" : "\\n";
      assert.equal(
        values.hide(JSON.stringify({ key: text, line: second, joined: first + second + last })),
        `{"key":"-----BEGIN PRIVATE KEY-----${end}‹hidden›${end}-----END PRIVATE KEY-----${end}","line":"‹hidden›","joined":"‹hidden›"}`,
      );
    }
    const values = createSecretValues();
    values.keep(`-----BEGIN PRIVATE KEY-----${first}-----END PRIVATE KEY-----`);
    assert.equal(values.hide(first), "‹hidden›");
    assert.equal(values.hide("short="), "short=");
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
    // That of the gateway's sign-in is known by its value: a member of this name is a currency elsewhere.
    assert.ok(last.delete("token"));
    assert.equal(mask('{"token":"USDC"}'), '{"token":"USDC"}');
    for (const name of last) assert.equal(mask(`{"${name}":"x"}`), `{"${name}":"‹hidden›"}`);
  });

  test("everything else stays, literal for literal", () => {
    const text = '{ "access": "x", "price": 1.0e2, "token_type": "bearer" }';
    assert.equal(mask(text), text);
  });
});
