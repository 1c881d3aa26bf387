import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import * as l10n from "../../../src/base/l10n.ts";
import { plain, type Plain } from "../../../src/base/plain.ts";
import { runs } from "../../sizes.ts";
import { anyText } from "../../anyText.ts";

describe("plain", () => {
  const cases: readonly [string, string][] = [
    ["ETH-PERPETUAL", "ETH-PERPETUAL"],
    ["two\r\nlines\tand tab", "two\\u000D\\u000Alines\\u0009and tab"],
    ["a\u202Eb\u200Bc\u2066d", "a\\u202Eb\\u200Bc\\u2066d"],
    ["[Fix](command:workbench.action.reloadWindow)", "[Fix] (command:workbench.action.reloadWindow)"],
    ["$(verified) safe `code`", "$ (verified) safe 'code'"],
    ["see https://example.org", "see https:\\/\\/example.org"],
    ["e\u0301", "\u00e9"],
    ["\u{E0041}tag", "\\u{E0041}tag"],
    // Marks that belong to no category of the unseen and are drawn as nothing all the same.
    ["a\uFE0Fb\u034Fc\u17B4d\u{E0100}", "a\\uFE0Fb\\u034Fc\\u17B4d\\u{E0100}"],
  ];
  for (const [input, expected] of cases) {
    test(JSON.stringify(input), () => {
      assert.equal(plain.text(input), expected);
    });
  }

  test("what is not known is a question mark", () => {
    assert.deepEqual([plain.text(undefined), plain.name(undefined)], ["?", "?"]);
  });

  test("cuts with a visible mark and never in the middle of a character", () => {
    assert.equal(plain.text("abcdef", 3), "abc…");
    assert.equal(plain.text("ab\u{1F600}cd", 3), "ab…");
  });

  test("leaves nothing invisible and no link in any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const shown = plain.text(text);
        assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.doesNotMatch(shown, /\]\(|\$\(|`/);
      }),
      { numRuns: runs(500) },
    );
  });

  test("an ordinary text is shown as it is in front of an invisible character, which no short way lets pass", () => {
    const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).concat("\u00E9", "\u0301");
    const pairs = characters.flatMap((one) => characters.map((other) => one + other));
    for (const text of [...pairs, "://", "a://b"])
      assert.equal(`${plain.text(text)}\\u202E`, plain.text(`${text}\u202E`));
  });

  const cuts: readonly (readonly [string, string, number, string])[] = [
    ["a text of just that length is whole", "ab", 2, "ab"],
    ["a longer one is cut, and says so", "abc", 2, "ab…"],
    ["half of a character at the end is shown as it is", "a\uD800", 2, "a\\uD800"],
    ["no character is cut in two", "a\u{1F600}b", 2, "a…"],
    ["the first of two units that are halves", "\u{10000}b", 1, "…"],
    ["the last of them", "\u{10FC00}b", 1, "…"],
    ["behind a whole one the cut stays", "\u{1F600}bc", 2, "\u{1F600}…"],
  ];
  for (const [name, text, length, expected] of cuts) {
    test(`cut: ${name}`, () => assert.equal(plain.text(text, length), expected));
  }
});

describe("a sentence of the program", () => {
  test("has its parts in their places, as they are", () => {
    const count: number = 2;
    const side: "buy" | "sell" = count > 1 ? "buy" : "sell";
    assert.equal(plain``, "");
    assert.equal(plain`$(check) one\ntwo`, "$(check) one\ntwo");
    assert.equal(plain`${side} ${count}/${3n} of ${plain.name("a\u202Eb")}${""}.`, "buy 2/3 of a\\u202Eb.");
    assert.equal(plain.join([plain`a`, "b", plain.name("`c`"), 4], ", "), "a, b, 'c', 4");
    assert.equal(l10n.t("{0}: {1}", plain.name("`a`"), count), "'a': 2");
  });

  test("has no fourth dot after a part that was cut, and is otherwise as it is written", () => {
    const cut = plain.text("abcdef", 3);
    assert.equal(plain`Got ${cut}. Sent.`, "Got abc… Sent.");
    assert.equal(l10n.t("Expected {0}, got {1}.", "5", cut), "Expected 5, got abc…");
    assert.equal(l10n.t("Use Save… to keep {0}.", cut), "Use Save… to keep abc…");
    assert.equal(plain`${cut}.json`, "abc….json");
    assert.equal(plain.join([cut, "Sent", cut], ". "), "abc… Sent. abc…");
    assert.equal(plain`Got ${plain.text("a….")} `, "Got a…. ");
  });

  test("does not compile with a part that may be text from outside", () => {
    const outside = (text: string): string => text;
    const [text, pattern] = [outside("[a](command:b)"), outside("a") as `a${string}`];
    const missing = [plain`a`][1];
    const sentences: readonly Plain[] = [
      // @ts-expect-error: a text that is not plain
      plain`Order ${text}.`,
      // @ts-expect-error: a text that is not plain
      plain`Order ${text === "" ? "none" : text}.`,
      // @ts-expect-error: a text that is not plain
      plain`Order ${pattern}.`,
      // @ts-expect-error: a text that is not plain
      plain`Order ${missing}.`,
      // @ts-expect-error: a text that is not plain
      plain.join([text], ", "),
      // @ts-expect-error: a text that is not plain
      plain.join([plain`a`, ...[text]], ", "),
      // @ts-expect-error: a text that is not plain
      plain.join([plain`a`], text),
      // @ts-expect-error: a text that is not plain
      l10n.t("Order {0}.", text),
      // @ts-expect-error: a text that is not plain
      text,
      // @ts-expect-error: a text that is not plain
      `Order ${plain.name(text)}.`,
    ];
    assert.equal(sentences.length, 10);
  });
});

test("the narrow space stays between the digits of a number and before its percent sign alone", () => {
  assert.equal(plain.text("buy 94\u202F869.5"), "buy 94\u202F869.5");
  assert.equal(plain.text("10\u202F% a\u202F% 5\u202F5 \u202F%"), String.raw`10${"\u202F"}% a\u202F% 5\u202F5 \u202F%`);
  assert.equal(
    plain.text("a\u202Fb 5\u202F12 1\u202F2345 \u202F123"),
    String.raw`a\u202Fb 5\u202F12 1\u202F2345 \u202F123`,
  );
});
