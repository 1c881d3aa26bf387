import type { Random } from "../../../src/base/clock.ts";

/*
 * Texts that a server could send: made by a grammar, or out of messages that were seen, with something wrong in them.
 */

/** What the frames of one round are about. */
export interface FrameTopics {
  /** IDs that calls wait for, and unknown IDs. */
  readonly ids: readonly number[];
  /** Messages to be bent. */
  readonly seeds: readonly string[];
  /** Stands under names that are secret, and nowhere else. */
  readonly canary: string;
  readonly channels: readonly string[];
}

export interface MadeFrame {
  readonly text: string;
  /** Nothing was bent after it was made: its secrets stand under their names. */
  readonly isWhole: boolean;
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

export function makeFrame(random: Random, topics: FrameTopics): MadeFrame {
  const isMade = topics.seeds.length === 0 || random() < 0.5;
  const text = isMade ? envelope(random, topics) : withId(random, pick(random, topics.seeds), topics);
  if (random() < (isMade ? 0.4 : 0.2)) return { text, isWhole: isMade };
  let bent = text;
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--)
    bent = pick(random, BENDINGS)(random, bent, topics);
  return { text: bent, isWhole: false };
}

/** Mostly an envelope as it should be, with something else in one of its places now and then. */
function envelope(random: Random, topics: FrameTopics): string {
  const kind = random();
  const members = [`"jsonrpc":${random() < 0.96 ? '"2.0"' : pick(random, ['"1.0"', "2.0", "null", '"2.0 "'])}`];
  if (kind < 0.6) {
    members.push(`"id":${idLiteral(random, topics)}`);
    if (random() < 0.85) members.push(`"result":${value(random, topics, 0)}`);
    if (random() < 0.2) members.push(`"error":${errorObject(random, topics)}`);
  } else if (kind < 0.8)
    members.push(
      '"method":"subscription"',
      `"params":{"channel":${JSON.stringify(pick(random, topics.channels))},"data":${value(random, topics, 0)}}`,
    );
  else if (kind < 0.86)
    members.push(
      '"method":"heartbeat"',
      `"params":{"type":${pick(random, ['"heartbeat"', '"test_request"', "7", "null"])}}`,
    );
  else if (kind < 0.93) members.push(`"error":${errorObject(random, topics)}`);
  else
    members.push(
      `"method":${pick(random, ['"x"', "7", "null", '"subscription"', '"a\\u202eb"'])}`,
      `"params":${value(random, topics, 0)}`,
    );
  if (random() < 0.3)
    members.push(
      `"usIn":1700000000000000`,
      `"usDiff":${pick(random, ["12", "-1", "1e400", '"x"'])}`,
      `"testnet":${pick(random, ["true", "false", "1"])}`,
    );
  if (random() < 0.05) members.push(pick(random, members));
  if (random() < 0.2) members.sort(() => random() - 0.5);
  return `{${members.join(random() < 0.1 ? " ,\n" : ",")}}`;
}

function idLiteral(random: Random, { ids }: FrameTopics): string {
  const id = String(pick(random, ids));
  return random() < 0.85
    ? id
    : pick(random, [
        `"${id}"`,
        `${id}.0`,
        `${id}e0`,
        `-${id}`,
        `0${id}`,
        "null",
        `[${id}]`,
        "9007199254740993",
        "1e400",
        `${id} `,
      ]);
}

function errorObject(random: Random, topics: FrameTopics): string {
  const code = pick(random, [
    "10004",
    "10028",
    "-32600",
    "-32601",
    "-32602",
    "11044",
    "13009",
    "13888",
    "11051",
    "77777",
    "1.5",
    '"1"',
    "1e400",
  ]);
  const members = [
    `"code":${code}`,
    `"message":${pick(random, ['"refused"', '"\\u001b[31mred"', '"a\\r\\nb"', "7", '"[x](command:y)"'])}`,
    `"data":{"reason":"r","param":"p","wait":${pick(random, ["1", "-1", "1e400", "{}"])},"client_secret":"${topics.canary}"}`,
  ];
  return random() < 0.9 ? `{${members.slice(random() < 0.1 ? 1 : 0).join(",")}}` : value(random, topics, 1);
}

const SECRET_NAMES = ["access_token", "refresh_token", "client_secret", "clientSecret", "signature", "password"];
const ODD_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "",
  "id",
  "result",
  "\\u0069d",
  "\\u005f_proto__",
  "length",
];
const NAMES = [
  "order_id",
  "order_state",
  "amount",
  "price",
  "instrument_name",
  "label",
  "direction",
  "trades",
  "name",
  "max_scope",
  "timestamp",
];

function value(random: Random, topics: FrameTopics, depth: number): string {
  const kind = random();
  if (depth > 5 || kind < 0.35) return simple(random);
  if (kind < 0.55) return `[${list(random, () => value(random, topics, depth + 1)).join(",")}]`;
  if (kind < 0.57) return deep(random);
  return `{${list(random, () => member(random, topics, depth)).join(",")}}`;
}

function member(random: Random, topics: FrameTopics, depth: number): string {
  const kind = random();
  if (kind < 0.12)
    return `"${pick(random, SECRET_NAMES)}":${pick(random, [`"${topics.canary}"`, `{"deep":["${topics.canary}"]}`, `["${topics.canary}"]`, "null"])}`;
  return `"${pick(random, kind < 0.17 ? ODD_NAMES : NAMES)}":${value(random, topics, depth + 1)}`;
}

function simple(random: Random): string {
  const literals = [
    '"open"',
    '"cancelled"',
    '"O1"',
    '""',
    "0",
    "-0",
    "1e400",
    "9007199254740993",
    "0.1",
    "true",
    "null",
    '"\\ud800"',
    '"\\u202e"',
    '"\\u0000"',
    '"a\\\\"',
    '":,{"',
    '"2.0"',
    "1700000000000",
  ];
  return pick(random, literals);
}

function deep(random: Random): string {
  const depth = pick(random, [3, 60, 61, 62, 63, 64, 65, 66, 200]);
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

function list(random: Random, make: () => string): string[] {
  return Array.from({ length: Math.floor(random() * 4) }, make);
}

/** Half of what was seen becomes a response to a call that waits. */
function withId(random: Random, seed: string, topics: FrameTopics): string {
  return random() < 0.7 ? seed.replace(/"id"\s*:\s*\d+/, `"id":${idLiteral(random, topics)}`) : seed;
}

type Bending = (random: Random, text: string, topics: FrameTopics) => string;

const INSERTED = [
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  " ",
  "\u0000",
  "\ud800",
  "\ufeff",
  "\u2028",
  "1",
  "-",
  "e",
  "null",
  "NaN",
  '"__proto__":{"polluted":1},',
  '"id":1,',
  '"result":1,',
  '"error":null,',
  '"constructor":{"prototype":{}},',
  "//",
  "[".repeat(70),
  "😀",
];

const BENDINGS: readonly Bending[] = [
  (random, text) => spliced(text, at(random, text), 1, String.fromCharCode(Math.floor(random() * 256))),
  (random, text) => spliced(text, at(random, text), 0, pick(random, INSERTED)),
  (random, text) => spliced(text, at(random, text), 1 + Math.floor(random() * 8), ""),
  (random, text) => text.slice(0, at(random, text)),
  (random, text) => text.slice(at(random, text)),
  (random, text) => {
    const from = at(random, text);
    return spliced(text, at(random, text), 0, text.slice(from, from + Math.floor(random() * 40)));
  },
  // One member more, which may be there already.
  (random, text, { ids }) =>
    text.replace(
      "{",
      `{${pick(random, [`"id":${String(pick(random, ids))},`, '"result":{},', '"jsonrpc":"2.0",', '"error":{"code":1,"message":""},', '"method":"subscription",'])}`,
    ),
  (random, text, topics) =>
    text.slice(0, at(random, text)) +
    pick(random, topics.seeds.length > 0 ? topics.seeds : [text]).slice(at(random, text)),
  (random, text) => text.replace(/\d+/, pick(random, ["1e400", "-0", "9007199254740993", "01", "0x1", ".5"])),
  (_, text) => `${text}${text}`,
  // The bytes were not UTF-8: what a decoder makes of them.
  (random, text) => {
    const bytes = Buffer.from(text);
    if (bytes.length > 0) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return bytes.toString();
  },
];

function at(random: Random, text: string): number {
  return Math.floor(random() * (text.length + 1));
}

function spliced(text: string, start: number, removed: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(start + removed);
}
