import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { isDeepStrictEqual } from "node:util";
import type { Random } from "../../../src/base/clock.ts";
import { readFrame, readPlainFrame, type Frame } from "../../../src/rpc/frame.ts";
import { scanWireText } from "../../../src/rpc/maskSecrets.ts";
import { hasRepeatedNames, MAX_DEPTH } from "../../../src/rpc/scanJson.ts";
import { createFakeRandom } from "../../fakeClock.ts";
import { rounds } from "../../rounds.mjs";
import { pick } from "../fuzz/frameMaker.ts";
import { simulatorFrames, specifiedFrames } from "../fuzz/seeds.ts";

/* The quick reading of a message against the whole one: what it takes for plain, the other finds nothing in. */

const TEXTS = rounds({ short: 5000, full: 100_000, long: 10_000_000 });
const SEED = Number(process.env["RPC_SEED"] ?? 1);
const TAIL = ',"usIn":1,"usOut":2,"usDiff":412,"testnet":true}';
const EVENT = '{"jsonrpc":"2.0","method":"subscription","params":{';

/** What is put into a text: pieces of JSON that mean something else in another place. */
const PIECES = [
  ...['"', "\\", "{", "}", "[", "]", ",", ":", " ", "0", "-", "e", ".", "\n", '\\"', "\\u0061", "null"],
  ...['"a":1,', ',"a":1', '"id":2,', '"result":{},', '"error":{"code":1,"message":"m"},', '"__proto__":{},', "{},"],
  ...['"access_token":"a-secret-value",', ',"secret":"x"', '"\\u0073ecret":"x",', TAIL, ',"usIn":1', '"usDiff":1,'],
];
const NAMES = ["a", "b", "order_id", "label", "1", "secret", "__proto__", "usIn", "id"];
const VALUES = ['"x"', '"a:b"', '"}"', '""', "1", "-0.50", "1e400", "null", "true", '"\\n"', '"access_token"'];

function madeValue(random: Random, depth: number): string {
  const kind = depth > 3 ? 1 : random();
  const items = (make: () => string): string => Array.from({ length: Math.floor(random() * 5) }, make).join(",");
  if (kind < 0.25)
    return `{${items(() => `"${pick(random, NAMES.slice(0, random() < 0.9 ? 5 : undefined))}":${madeValue(random, depth + 1)}`)}}`;
  return kind < 0.35 ? `[${items(() => madeValue(random, depth + 1))}]` : pick(random, VALUES);
}

function madeEvent(random: Random): string {
  const channel = pick(random, ["user.orders.any.any.raw", "a", "", "a\\u0062", "access_token"]);
  return `${EVENT}"channel":"${channel}","data":${madeValue(random, random() < 0.9 ? 0 : 4)}}}`;
}

function madeResponse(random: Random): string {
  const members = [...new Set(NAMES.slice(0, 5))].filter(() => random() < 0.6);
  const result = members.map((name) => `"${name}":${madeValue(random, 1)}`).join(",");
  const id = pick(
    random,
    ["7", "1000001", "0", "07", "9007199254740993", "-1"].slice(0, random() < 0.9 ? 2 : undefined),
  );
  return `{"jsonrpc":"2.0","id":${id},"result":${random() < 0.8 ? `{${result}}` : madeValue(random, 0)}${TAIL}`;
}

/** Takes something out of a text, doubles it, or puts something in. */
function bent(random: Random, text: string): string {
  const at = Math.floor(random() * text.length);
  const end = at + 1 + Math.floor(random() * random() * 40);
  const kind = random();
  if (kind < 0.5) return text.slice(0, at) + pick(random, PIECES) + text.slice(at);
  return kind < 0.75 ? text.slice(0, at) + text.slice(end) : text.slice(0, end) + text.slice(at);
}

/** Returns a message as the whole reading returns it, which also counts its names and the space at its end. */
function wholeOf(quick: Frame, text: string): Frame {
  if (quick.kind === "event") return { ...quick, event: { ...quick.event, text: `${text} ` } };
  if (quick.kind !== "response") return quick;
  const longestText = Math.max("jsonrpc".length, quick.body.longestText);
  return { ...quick, body: { ...quick.body, longestText } };
}

/** Whether a text was read quickly. Then the whole reading, which a space at the end enforces, has to be the same. */
function isReadQuickly(text: string): boolean {
  const quick = readPlainFrame(text);
  if (quick === undefined) return false;
  const spaced = `${text} `;
  const whole = readFrame(spaced);
  const scan = scanWireText(text);
  const isPlain = scan.problem === undefined && scan.secrets.length === 0 && !hasRepeatedNames(scan, JSON.parse(text));
  const isSame = readPlainFrame(spaced) === undefined && isDeepStrictEqual(wholeOf(quick, text), whole);
  if (!isPlain || !isSame) assert.fail(`Read quickly, but not plain, seed ${String(SEED)}: ${JSON.stringify(text)}`);
  return true;
}

describe("the quick reading of a message", () => {
  let seeds: readonly string[] = [];
  beforeAll(async () => {
    const received = [...(await simulatorFrames()), ...specifiedFrames()];
    seeds = received.filter((text) => readPlainFrame(text) !== undefined);
  });

  test("in what it takes for plain, a whole scan finds nothing, and it reads the same", async ({ annotate }) => {
    await annotate(`${String(TEXTS)} texts, RPC_SEED=${String(SEED)}`);
    assert.ok(seeds.length > 5, `only ${String(seeds.length)} of the messages are plain`);
    const random = createFakeRandom(SEED);
    let quick = 0;
    let notQuick = 0;
    for (let number = 0; number < TEXTS; number++) {
      let text = pick(random, [pick(random, seeds), madeResponse(random), madeResponse(random), madeEvent(random)]);
      for (let times = Math.floor(random() * 3); times > 0; times--) text = bent(random, text);
      if (isReadQuickly(text)) quick++;
      else notQuick++;
    }
    assert.ok(quick > TEXTS / 10 && notQuick > TEXTS / 10, `${String(quick)} quick, ${String(notQuick)} not`);
  });

  test("it refuses what only a whole reading can judge", () => {
    const response = (result: string, { id = "7", tail = TAIL } = {}): string =>
      `{"jsonrpc":"2.0","id":${id},"result":${result}${tail}`;
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    assert.equal(isReadQuickly(response('{"a":1}')), true);
    assert.equal(isReadQuickly(response(nested(MAX_DEPTH - 1))), true);
    const refused = {
      "a name twice": response('{"a":1,"a":2}'),
      "a secret name": response('{"secret":"x"}'),
      __proto__: response('{"__proto__":{}}'),
      "an escape": response('{"a":"\\u0061"}'),
      "too deep": response(nested(MAX_DEPTH)),
      "no id": response("{}", { id: "" }),
      "another id": response("{}", { id: "07" }),
      "two results": response('{},"result":{}'),
      "a member that is unknown": response("{}", { tail: TAIL.replace("}", ',"more":1}') }),
      "an error": response('{},"error":{}'),
      "a result that is a text": response('"ok"'),
      "a number that is none": response("{}", { tail: TAIL.replace("412", "0412") }),
      "what is no JSON": response("{1}"),
      "a space": response(" {}"),
    };
    const event = (data: string, { channel = '"channel":"a",', tail = "}}" } = {}): string =>
      `${EVENT}${channel}"data":${data}${tail}`;
    assert.equal(isReadQuickly(event('{"a":1}')), true);
    assert.equal(isReadQuickly(event(nested(MAX_DEPTH - 2))), true);
    const refusedEvents = {
      "data that are a text": event('"ok"'),
      "data with a name twice": event('{"a":1,"a":2}'),
      "data with a secret name": event('{"secret":"x"}'),
      "data that are too deep": event(nested(MAX_DEPTH - 1)),
      "a channel with an escape": event("{}", { channel: '"channel":"\\u0061",' }),
      "two channels": event("{}", { channel: '"channel":"a","channel":"b",' }),
      "no channel": event("{}", { channel: "" }),
      "a member after the data": event("{}", { tail: ',"label":"x"}}' }),
      "a member after the parameters": event("{}", { tail: '},"id":7}' }),
      "an end that is missing": event("{}", { tail: "}" }),
      "an end too many": event("{}", { tail: "}}}" }),
    };
    for (const [why, text] of Object.entries({ ...refused, ...refusedEvents }))
      assert.equal(isReadQuickly(text), false, why);
  });
});
