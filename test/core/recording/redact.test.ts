import assert from "node:assert/strict";
import { describe, test } from "vitest";
import * as fc from "fast-check";
import { readRecording } from "../../../src/recording/read.ts";
import { textOf as entryText } from "../../../src/recording/record.ts";
import type { Recording, RecordingEntry } from "../../../src/recording/recording.ts";
import { createRedactor } from "../../../src/recording/redact.ts";
import type { ExchangeEnd, RecordedCall } from "../../../src/rpc/traffic.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { recordInMemory } from "../../recordingInMemory.ts";

type Recorded = Omit<Recording, "isFinished">;

const FAILED: ExchangeEnd = {
  ...{ atMs: 0, totalMs: 0, timing: undefined, receivedLength: 0, isExpectedShape: false, isLate: false },
  failure: { kind: "notConnected" },
};

/** Returns a file with these entries, recorded one after the other at the same time. */
function textOf({ startedAtMs, environment, entries }: Recorded): string {
  const { recorder, file, finish } = recordInMemory(createFakeClock(startedAtMs), { environment });
  const calls = new Map<number, RecordedCall & { end: ExchangeEnd | undefined }>();
  for (const entry of entries) {
    if (entry.kind === "event") {
      const { channel, dataText } = entry;
      recorder.onEvent(
        channel,
        dataText.length,
        () => `{"params":{"channel":${JSON.stringify(channel)},"data":${dataText}}}`,
      );
    } else if (entry.kind === "call") {
      const { id, method } = entry;
      const call = {
        ...{ method, asker: "requestFile" as const, way: "webSocket" as const, sentLength: 2, wireId: id },
        end: undefined,
      };
      calls.set(id, call);
      recorder.onBegin(call, entry.paramsText);
    } else if (entry.kind === "response") {
      const call = calls.get(entry.id);
      assert.ok(call !== undefined);
      if (entry.member === "error") call.end = FAILED;
      recorder.onEnd(call, entry.bodyText);
    }
  }
  assert.equal(finish().kind, "finished");
  return file.text;
}

/** The names under which values are planted, by what they share: one value has one replacement within a line. */
const PLACES = {
  secret: ["access_token", "refresh_token", "client_secret", "signature", "tfa_code", "challenge", "clientSecret"],
  account: ["user_id", "subaccount_id", "subject_id", "member_id", "uid", "source_uid", "userId"],
  client: ["client_id", "clientId"],
  email: ["email", "not_confirmed_email"],
  name: ["username", "system_name", "beneficiary_first_name", "originator", "other_side", "name", "systemName"],
  address: ["address", "deposit_address", "transaction_id"],
  key: ["public_key", "proof_id"],
  label: ["label", "note", "mmp_group", "quote_set_id", "client_info"],
  place: ["ip", "city", "country"],
} as const;
type Kind = keyof typeof PLACES;
const KINDS = Object.keys(PLACES) as Kind[];

const words = (prefix: string): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(...Array.from("abcdefghkmnpqrstuvwxyzÄé'\"\\/+=€")), minLength: 6, maxLength: 24 })
    .map((rest) => `${prefix}${rest}z`);
const VALUES: Readonly<Record<Kind, fc.Arbitrary<string>>> = {
  secret: words("Sq"),
  account: fc.integer({ min: 10_000, max: 8_999_999 }).map(String),
  client: words("Cq"),
  email: fc
    .tuple(fc.stringMatching(/^[a-z]{3,12}$/), fc.stringMatching(/^[a-z]{3,12}$/))
    .map(([a, b]) => `q${a}.q@q${b}.example.com`),
  name: words("Nq").map((name) => `${name} Q${name}`),
  address: words("Aq"),
  key: words("Kq"),
  label: words("Lq"),
  place: words("Pq"),
};

/** Returns a JSON string in one of the forms in which a text can be written. */
const literalOf = (value: string, form: number): string =>
  form === 0
    ? JSON.stringify(value)
    : `"${Array.from(value, (each) => (each.length > 1 || form === 2 ? JSON.stringify(each).slice(1, -1) : `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)).join("")}"`;

interface Planted {
  readonly kind: Kind;
  readonly value: string;
}

const people = fc
  .tuple(...KINDS.map((kind) => fc.uniqueArray(VALUES[kind], { minLength: 2, maxLength: 3 })))
  .map((lists) =>
    lists.flatMap((values, index) => values.map((value): Planted => ({ kind: KINDS[index] ?? "name", value }))),
  );

/** A member with a planted value, under its own name, or in words under any name. */
const memberOf = (planted: readonly Planted[]): fc.Arbitrary<string> =>
  fc
    .record({
      who: fc.constantFrom(...planted),
      place: fc.nat(20),
      form: fc.nat(2),
      isInWords: fc.boolean(),
      depth: fc.nat(3),
    })
    .map(({ who: { kind, value }, place, form, isInWords, depth }) => {
      // A label is the user's own text, and stands under the names of labels alone.
      const inWords = isInWords && kind !== "label";
      const name = inWords ? "message" : (PLACES[kind][place % PLACES[kind].length] ?? "label");
      const text = inWords ? `x ${value}: refused` : value;
      const literal = kind === "account" && !inWords && form === 0 ? value : literalOf(text, form);
      return `${'{"in":['.repeat(depth)}{"${name}" :\n ${literal}}${"]}".repeat(depth)}`;
    });

const session = people.chain((planted) =>
  fc
    .array(fc.array(memberOf(planted), { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 12 })
    .map((lines) => ({ planted, lines })),
);

/** Every value stands under its own name once, as the exchange tells it at some time. */
function recordingOf(planted: readonly Planted[], lines: readonly (readonly string[])[]): Recorded {
  const told = planted.map(({ kind, value }) => `{${JSON.stringify(PLACES[kind][0])}:${JSON.stringify(value)}}`);
  const entries = [...lines, told].flatMap((items, index): RecordingEntry[] => {
    const [id, atMs] = [index + 1, index * 10];
    const text = `[${items.join(",")}]`;
    return [
      {
        kind: "call",
        atMs,
        id,
        method: "private/get_account_summary",
        paramsText: `{"list":${text}}`,
        isOfProgram: false,
      },
      index % 2 === 0
        ? { kind: "response", atMs, id, member: "result", bodyText: text }
        : { kind: "response", atMs, id, member: "error", bodyText: `{"code":1,"message":"no","data":${text}}` },
      { kind: "event", atMs, channel: "user.changes.any.any.raw", dataText: text },
    ];
  });
  return { startedAtMs: 1_700_000_000_000, environment: "test", entries };
}

function contentOf(text: string): Recording {
  const reading = readRecording(text);
  assert.ok(reading.kind === "read", JSON.stringify(reading));
  return reading.recording;
}

const SEED = 20_261_127;

describe("personal data in a recording", () => {
  test(`500 sessions with seed ${String(SEED)}: no planted value is in the file, in any form; the same value has the same replacement, others have others`, () => {
    let found = 0;
    fc.assert(
      fc.property(session, ({ planted, lines }) => {
        const recording = recordingOf(planted, lines);
        const text = textOf(recording);
        const decoded = JSON.stringify(contentOf(text).entries.map((entry) => JSON.stringify(entry)));
        for (const { value } of planted) {
          const forms = [value, JSON.stringify(value).slice(1, -1), literalOf(value, 1).slice(1, -1)];
          assert.ok(!forms.some((form) => text.includes(form) || decoded.includes(form)), value);
          found++;
        }
        // The told line is the last call: its values in order, each with its replacement.
        const last = contentOf(text).entries.at(-1);
        assert.ok(last?.kind === "event");
        const replacements = (JSON.parse(last.dataText) as Record<string, string>[]).map(
          (each) => Object.values(each)[0],
        );
        assert.equal(new Set(replacements).size, planted.length, text);
        const byValue = new Map(planted.map(({ value }, index) => [value, replacements[index]]));
        const before = recording.entries.map((entry) => leavesOf(entry));
        const after = contentOf(text).entries.map((entry) => leavesOf(entry));
        assert.deepEqual(
          after,
          before.map((leaves) =>
            leaves.map((leaf) => {
              const [, words = ""] = /^x (.*): refused$/s.exec(leaf) ?? [];
              return words === "" ? (byValue.get(leaf) ?? leaf) : `x ${byValue.get(words) ?? words}: refused`;
            }),
          ),
        );
      }),
      { numRuns: 500, seed: SEED, endOnFailure: true },
    );
    assert.ok(found > 500 * 18);
  });

  test(`500 sessions with seed ${String(SEED)}: what was redacted stays as it is when it is redacted again, whatever was learned by then, but for what is known only now`, () => {
    fc.assert(
      fc.property(session, ({ planted, lines }) => {
        const origin = "private/get_account_summary";
        const redactor = createRedactor();
        const texts = lines.map((items) => `[${items.join(",")}]`);
        const first = texts.map((text) => redactor.redact(text, origin));
        for (const { kind, value } of planted) redactor.know(kind, value);
        const second = first.map((text) => redactor.redact(text, origin));
        const { known } = redactor;
        assert.deepEqual(
          second.map((text) => redactor.redact(text, origin)),
          second,
        );
        assert.equal(redactor.known, known);
        for (const { kind, value } of planted)
          assert.ok(kind === "label" || !second.some((text) => decodedOf(text).includes(value)), value);
      }),
      { numRuns: 500, seed: SEED, endOnFailure: true },
    );
  });

  test("a value is found where a part of it was replaced before it was known, and a replacement is no place of a value", () => {
    const redactor = createRedactor();
    const texts = ["to Ann Smith-Jones of Berlin-Mitte", "client-1 of place-1 at x@y.example", "client of client-1"];
    redactor.know("client", "ab12cd34");
    redactor.know("place", "Berlin-Mitte");
    redactor.know("name", "Smith-Jones");
    const first = texts.map((text) => redactor.redactWords(text));
    assert.deepEqual(first, [
      "to Ann name-1 of place-1",
      "client-1 of place-1 at user-1@example.invalid",
      "client of client-1",
    ]);
    redactor.know("name", "Ann Smith-Jones of Berlin-Mitte");
    redactor.know("name", "client");
    redactor.know("name", "example");
    assert.deepEqual(
      first.map((text) => redactor.redactWords(text)),
      ["to name-2", "client-1 of place-1 at user-1@example.invalid", "name-3 of client-1"],
    );
    // The name of a member that was replaced says nothing about its value.
    const named = redactor.redact('{"x@y.example":"BTC","x z@y.example":"ETH"}', "private/x");
    assert.equal(named, '{"user-1@example.invalid":"BTC","x user-2@example.invalid":"ETH"}');
    assert.equal(redactor.redact(named, "private/x"), named);
  });

  test("numbers keep their digits, everything else its text, and a line its line", () => {
    const text = textOf({
      startedAtMs: 0,
      environment: "sim",
      entries: [
        {
          kind: "call",
          isOfProgram: false,
          atMs: 0,
          id: 1,
          method: "private/get_positions",
          paramsText: '{ "instrument_name"\r\n: "BTC-PERPETUAL" }',
        },
        {
          kind: "response",
          atMs: 1,
          id: 1,
          member: "result",
          bodyText:
            '{"price":1.50000000000000000001,"a":[-1.0e-8,12345678901234567890,true,null],"fees":{"maker":-0.00010}}',
        },
      ],
    });
    assert.deepEqual(text.split("\n").slice(1), [
      '{"ms":0,"call":1,"method":"private/get_positions","params":{ "instrument_name" : "BTC-PERPETUAL" }}',
      '{"ms":0,"response":1,"result":{"price":1.50000000000000000001,"a":[-1.0e-8,12345678901234567890,true,null],"fees":{"maker":-0.00010}}}',
      "",
    ]);
  });

  test("an account's ID stays a number, and joins id with user_id; the name of an index is not personal", () => {
    const entries: readonly RecordingEntry[] = [
      { kind: "call", atMs: 0, id: 1, method: "private/get_subaccounts", paramsText: "{}", isOfProgram: false },
      { kind: "response", atMs: 0, id: 1, member: "result", bodyText: '[{"id":48601,"username":"jo"},{"id":48602}]' },
      { kind: "event", atMs: 0, channel: "user.trades", dataText: '{"user_id":48602,"text":"jo@home.example wrote"}' },
      { kind: "call", atMs: 0, id: 2, method: "public/get_index_price_names", paramsText: "{}", isOfProgram: false },
      { kind: "response", atMs: 0, id: 2, member: "result", bodyText: '[{"name":"btc_usd","id":48601}]' },
    ];
    assert.deepEqual(textOf({ startedAtMs: 0, environment: "sim", entries }).split("\n").slice(2, 6), [
      '{"ms":0,"response":1,"result":[{"id":900000001,"username":"name-1"},{"id":900000002}]}',
      '{"ms":0,"event":"user.trades","data":{"user_id":900000002,"text":"user-1@example.invalid wrote"}}',
      '{"ms":0,"call":2,"method":"public/get_index_price_names","params":{}}',
      '{"ms":0,"response":2,"result":[{"name":"btc_usd","id":48601}]}',
    ]);
  });

  test("the same value has the same replacement under names of all kinds, and is found in texts if one of them is sought", () => {
    const entries: readonly RecordingEntry[] = [
      { kind: "event", atMs: 0, channel: "user.a", dataText: '{"label":"bc1qxyz","note":"48601","tag":48602}' },
      { kind: "event", atMs: 0, channel: "user.b", dataText: '{"other_side":"bc1qxyz","user_id":48601}' },
      { kind: "event", atMs: 0, channel: "user.c", dataText: '{"address":"bc1qxyz","text":"to bc1qxyz of 48601"}' },
      { kind: "event", atMs: 0, channel: "user.d", dataText: '{"subaccount_id":48602,"label":"x"}' },
    ];
    assert.deepEqual(textOf({ startedAtMs: 0, environment: "sim", entries }).split("\n").slice(1, 5), [
      '{"ms":0,"event":"user.a","data":{"label":"label-1","note":"900000001","tag":900000002}}',
      '{"ms":0,"event":"user.b","data":{"other_side":"label-1","user_id":900000001}}',
      '{"ms":0,"event":"user.c","data":{"address":"label-1","text":"to label-1 of 900000001"}}',
      '{"ms":0,"event":"user.d","data":{"subaccount_id":900000002,"label":"label-2"}}',
    ]);
  });
});

/** Returns the strings of a text of JSON, one after the other. */
function decodedOf(text: string): string {
  const strings: string[] = [];
  JSON.parse(text, (_name, value: unknown) => {
    if (typeof value === "string") strings.push(value);
    return value;
  });
  return strings.join("\n");
}

/** Returns the strings and numbers of an entry, as texts. */
function leavesOf(entry: RecordingEntry): readonly string[] {
  const text = entryText(entry);
  const leaves: string[] = [];
  JSON.parse(text, (_name, value: unknown) => {
    if (typeof value === "string" || typeof value === "number") leaves.push(String(value));
    return value;
  });
  return leaves;
}
