import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readFrame } from "../../../src/rpc/frame.ts";
import { rounds } from "../../rounds.mjs";

/* How much work a text costs, counted and not timed: each search by how far it looks, each parsing by its length. */

/** Counts characters that are looked at while something runs. Slices share their text and count once. */
function countWork(run: () => void): number {
  const prototype = String.prototype as unknown as Record<string, (this: string, ...args: unknown[]) => unknown>;
  const json = JSON as unknown as Record<string, (...args: unknown[]) => unknown>;
  const undo: (() => void)[] = [];
  let work = 0;
  const count = (
    name: "charCodeAt" | "slice" | "indexOf" | "includes" | "lastIndexOf",
    costOf: (text: string, args: readonly unknown[], result: unknown) => number,
  ): void => {
    const original = prototype[name]!;
    prototype[name] = function (...args: unknown[]) {
      const result = original.apply(this, args);
      work += costOf(this, args, result);
      return result;
    };
    undo.push(() => {
      prototype[name] = original;
    });
  };
  const parse = json["parse"]!;
  json["parse"] = (...args) => {
    work += String(args[0]).length;
    return parse(...args);
  };
  undo.push(() => {
    json["parse"] = parse;
  });
  count("charCodeAt", () => 1);
  count("slice", () => 1);
  count("includes", (text) => text.length);
  count(
    "indexOf",
    (text, [, from = 0], result) => (result === -1 ? text.length : (result as number)) - Number(from) + 1,
  );
  count("lastIndexOf", (text, _args, result) => text.length - (result as number));
  try {
    run();
  } finally {
    for (const each of undo) each();
  }
  return work;
}

/** Texts that grow with a number, each bad for another part of a reader. */
const GROWING: readonly (readonly [string, (count: number) => string])[] = [
  ["quotes", (count) => '"'.repeat(count)],
  ["backslashes", (count) => `{"a":"${"\\".repeat(count)}`],
  ["escaped quotes", (count) => `{"a":"${'\\"'.repeat(count)}"}`],
  ["brackets", (count) => "[".repeat(count)],
  ["brackets of both sorts", (count) => '{"a":['.repeat(count)],
  ["empty objects", (count) => `{"jsonrpc":"2.0","id":1,"result":[${"{},".repeat(count)}{}]}`],
  [
    "members",
    (count) =>
      `{"jsonrpc":"2.0","id":1,"result":{${Array.from({ length: count }, (_, each) => `"m${String(each)}":1`).join(",")}}}`,
  ],
  ["ids", (count) => `{"jsonrpc":"2.0",${'"id":1,'.repeat(count)}"result":1}`],
  ["secrets", (count) => `{"jsonrpc":"2.0","id":1,"result":[${'{"client_secret":"x"},'.repeat(count)}1]}`],
  ["open secrets", (count) => '{"client_secret":['.repeat(count)],
  ["spaces", (count) => `{"jsonrpc":"2.0","id":1,"result":${" ".repeat(count)}1${" ".repeat(count)}}`],
  ["colons in a text", (count) => `{"jsonrpc":"2.0","id":1,"result":"${":".repeat(count)}"}`],
  [
    "names that are written with escapes",
    (count) => `{"jsonrpc":"2.0","id":1,"result":[${'{"\\u0061":1},'.repeat(count)}1]}`,
  ],
  ["digits", (count) => `{"jsonrpc":"2.0","id":${"1".repeat(count)},"result":1}`],
];

describe("what a text costs", () => {
  for (const [name, make] of GROWING) {
    test(`${name}: four times as many cost four times as much`, () => {
      const lengthOfOne = make(1000).length / 1000;
      // Both lengths of a pair below the one up to which names are compared, or both above it.
      for (const length of rounds({ short: [16_000], full: [16_000, 300_000], long: [16_000, 300_000] })) {
        const count = Math.ceil(length / lengthOfOne) + 100;
        const [small, large] = [make(count), make(4 * count)];
        const [less, more] = [countWork(() => readFrame(small)), countWork(() => readFrame(large))];
        assert.ok(
          more <= 4.2 * less + 1000,
          `${String(less)} for ${String(small.length)}, ${String(more)} for ${String(large.length)}`,
        );
        assert.ok(more <= 12 * large.length + 1000, `${String(more)} for ${String(large.length)} characters`);
      }
    });
  }
});
