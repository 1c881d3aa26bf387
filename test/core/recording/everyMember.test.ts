import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { recordWithoutSecrets, type JournalRecord } from "../../../src/actions/journal/journal.ts";
import { documentedKind, type PersonalKind } from "../../../src/catalogue/personal.ts";
import { CHANNEL_REFERENCES, NAMED_SHAPES } from "../../../src/catalogue/generated/reference.ts";
import type { SchemaNode } from "../../../src/catalogue/problems.ts";
import {
  methodReferences,
  paramsSchemaOf,
  resultSchemaOf,
  parseShape,
} from "../../../src/catalogue/reference/reference.ts";
import { shapeElement, shapeMembers, shapeTypes, shapeValues } from "../../../src/catalogue/reference/resultShape.ts";
import { supportFileText } from "../../../src/present/observing/supportFile.ts";
import { failureText } from "../../../src/present/text/failureText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { personalKind } from "../../../src/recording/personal.ts";
import { readRecording } from "../../../src/recording/read.ts";
import { textOf } from "../../../src/recording/record.ts";
import { isSecretName } from "../../../src/rpc/maskSecrets.ts";
import { TrafficRecorder } from "../../../src/rpc/traffic.ts";
import { createSecretValues } from "../../../src/rpc/maskSecrets.ts";
import { createMaskingLog } from "../../../src/ui/editor/log.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";
import { rounds } from "../../rounds.mjs";
import { recordInMemory } from "../../recordingInMemory.ts";
import { formsOf } from "../../secretForms.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../../scriptedServer.ts";
import { createLines, createWorld, hear, watch } from "../session/world.ts";
import { asPlain } from "../../asPlain.ts";

/*
 * Secret and personal data in every member of every method and channel, under unknown names, and in the texts of a
 * server: in no log, journal, recording, support file, report, or error.
 */

/** The members with text or IDs that carry no personal data, as the exchange documents them. */
const OF_OTHER_DATA = (
  "action advanced base_currency base_currency_uuid block_trade_id body cancel_reason channels client_version combo_id " +
  "combo_order_id combo_trade_id continuation currency currency_long currency_pair data date deposit_id direction " +
  "disabled_trading_products enabled_features end_id error_reason execution_instruction extra_currencies fee_currency " +
  "fee_group fee_role future hedge id identifier ids index_name initial_margin_currency instrument_name instrument_type kind " +
  "language liquidation liquidity locked locked_indices log mandatory_tfa_status margin_model matching_id max_scope " +
  "max_tradable_amount max_tradable_amount_reduce_only " +
  "message name network network_name nonce oco_ref option option_type order_id order_state order_type original_order_type " +
  "oto_order_ids post_only price price_currency price_index primary_order_id product quote_currency " +
  "quote_currency_uuid quote_id quote_state quote_state_reason reduce_only request role rp_id scope " +
  "security_keys_assignments self_trading_reject_mode settlement_currency side simulated_positions source start_id " +
  "state taker_rating time_in_force title token_type trade_id trigger trigger_fill_condition trigger_order_id type " +
  "underlying_index version"
).split(" ");

interface Place {
  readonly origin: string;
  readonly part: "params" | "result" | "event";
  readonly schema: SchemaNode;
}

const PLACES: readonly Place[] = [
  ...methodReferences().flatMap(({ name }): Place[] => [
    { origin: name, part: "params", schema: paramsSchemaOf(name) ?? {} },
    { origin: name, part: "result", schema: resultSchemaOf(name) ?? {} },
  ]),
  ...CHANNEL_REFERENCES.map(({ pattern, hint }): Place => ({
    origin: pattern.replaceAll(/\{\w+\}/g, "any"),
    part: "event",
    schema: hint === undefined ? {} : parseShape(hint, NAMED_SHAPES),
  })),
];

describe("the marks of the catalogue", () => {
  test("each member with text of every method and channel has a kind, or is listed as one with other data", () => {
    const open = new Set<string>();
    const look = (schema: SchemaNode, origin: string): void => {
      const element = shapeElement(schema);
      if (element !== undefined) look(element, origin);
      for (const { name, schema: member } of shapeMembers(schema)) {
        const types = [member, shapeElement(member) ?? member].flatMap((each) =>
          shapeValues(each).length > 0 ? [] : shapeTypes(each),
        );
        const isOpen = types.includes("string") || (types.length === 0 && shapeValues(member).length === 0);
        const hasMembers = shapeMembers(shapeElement(member) ?? member).length > 0;
        const isMarked = isSecretName(name) || documentedKind(name, origin) !== undefined;
        if (isOpen && !hasMembers && !isMarked && !OF_OTHER_DATA.includes(name)) open.add(`${name} of ${origin}`);
        // The look at the words of unknown names must not touch what is known.
        if (!isMarked) assert.equal(personalKind(name, origin), undefined, `${name} of ${origin}`);
        look(member, origin);
      }
    };
    for (const { schema, origin } of PLACES) look(schema, origin);
    assert.deepEqual([...open], []);
  });

  test("are found in any spelling, and unknown members by the words of their names", () => {
    const kinds: Readonly<Record<string, PersonalKind | undefined>> = {
      ...{ Client_Secret: "secret", "client-secret": "secret", clientSecret: "secret", bot_token: "secret" },
      ...{ main_uid: "account", mainUid: "account", ownerId: "account", referring_user_id: "account" },
      ...{ "external-id": "key", identity: "name", makers: "name", traderName: "name", user: "name" },
      ...{ contactEmail: "email", wallet_address: "address", tx_hash: "address", lastIp: "place" },
      ...{ order_id: undefined, instrument_name: undefined, trade_count: undefined, maker_fee: undefined },
      ...{ continuation_token: undefined, nextInstrumentName: undefined, user_trade_count: undefined },
    };
    for (const [name, kind] of Object.entries(kinds)) assert.equal(personalKind(name, "private/x"), kind, name);
  });
});

type Chance = () => number;

interface Planted {
  readonly kind: PersonalKind;
  readonly value: string;
}

/** The people and programs of a session, whose data is planted in it. Each value is found in no other text. */
class Cast {
  readonly values: Planted[] = [];
  readonly chance: Chance;

  constructor(chance: Chance) {
    this.chance = chance;
    const word = (length: number): string =>
      Array.from({ length }, () => LETTERS[Math.floor(chance() * LETTERS.length)] ?? "q").join("");
    const number = (): number => Math.floor(chance() * 250);
    for (let index = 0; index < 3; index++)
      this.values.push(
        { kind: "secret", value: `Sq${word(14)}/+"${index}` },
        { kind: "account", value: String(7_000_000 + Math.floor(chance() * 900_000) * 10 + index) },
        { kind: "client", value: `Cq${word(9)}${index}` },
        { kind: "email", value: `q${word(6)}${index}@q${word(5)}.example` },
        { kind: "name", value: `Nq${word(6)} Q"${word(6)}${index}` },
        {
          kind: "address",
          value: `bc1q${word(30)
            .toLowerCase()
            .replaceAll(/[bio1]/g, "q")}${index + 2}`,
        },
        { kind: "key", value: `Kq${word(16)}${index}` },
        { kind: "label", value: `Lq${word(12)}${index}` },
        { kind: "place", value: `10.${number()}.${number()}.${100 + index}` },
      );
  }

  pick(kind?: PersonalKind): Planted {
    const fitting = kind === undefined ? this.values : this.values.filter((each) => each.kind === kind);
    return fitting[Math.floor(this.chance() * fitting.length)] ?? { kind: "secret", value: "" };
  }
}

const LETTERS = "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789";

/** The forms in which a text may hold a value. */
const FORMS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => JSON.stringify(value).slice(1, -1),
  (value) => JSON.stringify({ inner: value }),
  (value) => encodeURIComponent(value),
  (value) => value.replaceAll(/[^]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`),
  (value) => `Basic ${Buffer.from(`some-id:${value}`).toString("base64")}`,
];

/** Names that the exchange does not document. */
const UNKNOWN: readonly (readonly [string, PersonalKind])[] = [
  ["Client_Secret", "secret"],
  ["client-secret", "secret"],
  ["CLIENT_SECRET", "secret"],
  ["owner_id", "account"],
  ["contactEmail", "email"],
  ["holder_name", "name"],
  ["wallet_addr", "address"],
  ["external-id", "key"],
  ["remarks", "label"],
  ["user_ip", "place"],
];

class Planter {
  readonly #cast: Cast;
  readonly #origin: string;
  constructor(cast: Cast, origin: string) {
    this.#cast = cast;
    this.#origin = origin;
  }

  /** Returns a value of this shape with data planted in every member that may carry some. */
  value(schema: SchemaNode, name = ""): unknown {
    const { chance } = this.#cast;
    // A challenge goes back to the server, which may repeat it: it is hidden by its member only.
    if (name === "challenge") return "x";
    const kind = name === "" ? undefined : personalKind(name, this.#origin);
    const element = shapeElement(schema);
    const members = shapeMembers(schema);
    if (element !== undefined)
      return [this.value(element, name), ...(chance() < 0.3 ? [this.value(element, name)] : [])];
    if (members.length > 0) {
      const own = members.map(({ name: each, schema: member }) => [each, this.value(member, each)] as const);
      const [unknown, unknownKind] = UNKNOWN[Math.floor(chance() * UNKNOWN.length)] ?? ["owner", "name"];
      return { ...Object.fromEntries(own), [unknown]: this.#cast.pick(unknownKind).value };
    }
    return this.#leaf(schema, name, kind);
  }

  #leaf(schema: SchemaNode, name: string, kind: PersonalKind | undefined): unknown {
    const types = shapeTypes(schema);
    const [known] = shapeValues(schema);
    if (kind !== undefined) {
      const { value } = this.#cast.pick(kind);
      const isNumber = !types.includes("string") && types.some((type) => type === "integer" || type === "number");
      return isNumber && /^\d+$/.test(value) ? Number(value) : isNumber ? 1.5 : value;
    }
    if (known !== undefined) return JSON.parse(known) as unknown;
    if (types.includes("integer") || types.includes("number")) return 1.5;
    if (types.includes("boolean")) return true;
    if (types.includes("array")) return [];
    return OF_TEXT.includes(name) ? this.text() : "x";
  }

  /** Returns words with a value in them, in any form: what the session holds, or what is personal. */
  text(): string {
    const { chance, values } = this.#cast;
    const told = [CLIENT_SECRET, ...values.filter(isToldInTexts).map(({ value }) => value)];
    const form = FORMS[Math.floor(chance() * FORMS.length)] ?? String;
    return `said ${form(told[Math.floor(chance() * told.length)] ?? "")} here`;
  }
}

/**
 * Whether a value may be in words. A new secret is known by its member only; a label is the user's own text, and stands
 * under the names of labels alone.
 */
function isToldInTexts({ kind }: Planted): boolean {
  return kind !== "secret" && kind !== "label";
}

/** The members of documented data that are free text. */
const OF_TEXT: readonly string[] = ["message", "body", "title", "data", "log", "request", "error_reason"];

/** Returns the strings and numbers of a text of JSON, in their order. */
function leavesOf(text: string): readonly string[] {
  const leaves: string[] = [];
  const take = (value: unknown): void => {
    if (typeof value === "object" && value !== null) for (const each of Object.values(value)) take(each);
    else if (typeof value === "string" || typeof value === "number") leaves.push(String(value));
  };
  take(JSON.parse(text));
  return leaves;
}

interface Played {
  /** Everything that is kept or shown of the session, by its name. */
  readonly outputs: Readonly<Record<"log" | "journal" | "errors" | "report" | "recording" | "supportFile", string>>;
  readonly planted: readonly Planted[];
  /** The texts that were recorded, in their order. */
  readonly recorded: readonly string[];
  readonly places: number;
}

/** Calls that a session makes itself, and those that are not sent for others. */
const OF_SESSION =
  /\/(?:auth|exchange_token|hello|test|set_heartbeat|disable_heartbeat|get_time|logout|get_account_summaries|(?:un)?subscribe\w*)$/;
/** The share of all methods and channels that a session has. */
const SHARE = 0.05;

/** Plays a session in which everything has planted data, and returns everything that is kept of it. */
async function play(seed: number): Promise<Played> {
  const chance = createFakeRandom(seed);
  const cast = new Cast(chance);
  const lines: string[] = [];
  const log = createMaskingLog(createLines(lines), () => 0);
  const clock = createFakeClock();
  const traffic = new TrafficRecorder({ clock, log });
  const world = createWorld({
    ...{ log, traffic },
    credentials: {
      kind: chance() < 0.5 ? "client_credentials" : "client_signature",
      ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    },
  });
  const { server, session } = world;
  await world.ready();
  log.mask(CLIENT_SECRET);
  const recording = recordInMemory(clock, { clientId: CLIENT_ID, masked: (text) => log.hide(text) });
  const recorded: string[] = [];
  traffic.watch(recording.recorder);
  traffic.watch({
    onBegin: (_, text) => void recorded.push(text),
    onEnd: (_, text) => void recorded.push(...(text === undefined ? [] : [text])),
    onEvent: (_channel, _length, text) =>
      void recorded.push(JSON.stringify((JSON.parse(text()) as { params: { data: unknown } }).params.data)),
  });
  const [told, errors, journal]: [string[], string[], string[]] = [[], [], []];
  const call = async (method: string, paramsText: string): Promise<void> => {
    const watched = watch(session.caller.call(method, paramsText));
    await world.clock.settle();
    told.push(JSON.stringify(watched.value));
    const failure = watched.value?.error ?? watched.failure;
    if (failure !== undefined)
      errors.push(JSON.stringify(failure), JSON.stringify(failureText(failure, "read", "TEST")));
    journal.push(JSON.stringify(recordWithoutSecrets({ ...RECORD, method, paramsText })));
  };
  // The exchange tells every personal value under a name of its own at some time: before it is used, or after.
  server.on("private/told", () => ({ result: cast.values.map(({ kind, value }) => ({ [OWN_NAME[kind]]: value })) }));
  const isToldFirst = chance() < 0.5;
  if (isToldFirst) await call("private/told", "{}");
  const places = PLACES.filter(({ origin }) => !OF_SESSION.test(origin) && chance() < SHARE);
  for (const { origin, part, schema } of places) {
    const planter = new Planter(cast, origin);
    if (part === "event") {
      hear(session, origin);
      await world.clock.settle();
      server.last.event(origin, JSON.stringify(planter.value(schema)));
      continue;
    }
    const resultText = JSON.stringify(planter.value(resultSchemaOf(origin) ?? {}));
    const labels = cast.values.filter(({ kind }) => kind === "label").map(({ value }) => value);
    server.on(origin, ({ text: whole }) => {
      // A label is sought under the names of labels alone.
      const text = labels.reduce((left, label) => left.replaceAll(label, ""), whole);
      return part === "result"
        ? { resultText }
        : {
            error: {
              ...{ code: 10_001, message: planter.text() },
              data: { reason: `${text} ${encodeURIComponent(text)} ${planter.text()}`, param: planter.text() },
            },
          };
    });
    await call(origin, JSON.stringify(planter.value(paramsSchemaOf(origin) ?? { properties: {} })));
  }
  if (!isToldFirst) await call("private/told", "{}");
  assert.equal(recording.finish().kind, "finished");
  const names = cast.values.filter(({ kind }) => OF_ACCOUNT.includes(kind)).map(({ value }) => value);
  const supportFile = supportFileText({
    ...{ atMs: 0, versions: {}, settings: [], intents: [], connections: [], times: createTimes(0) },
    ...{ names, areHostsShown: false, areFiguresShown: chance() < 0.5 },
    hide: (text) => log.hide(text),
    log: [...log.recent, { atMs: 0, level: "warn", text: asPlain(serverWords(cast)) }],
  });
  const secrets = createSecretValues();
  secrets.keep(CLIENT_SECRET);
  session.dispose();
  return {
    outputs: {
      log: lines.join("\n"),
      journal: journal.join("\n"),
      errors: errors.join("\n"),
      report: secrets.hide(told.join("\n")),
      recording: recording.file.text,
      supportFile,
    },
    planted: [...cast.values, { kind: "secret", value: CLIENT_SECRET }],
    recorded,
    places: places.length,
  };
}

const RECORD: JournalRecord = {
  ...{ schema: 1, intentId: "a1-1", atMs: 0, connectionId: "c1", event: "intent", method: "", paramsText: "" },
  result: undefined,
};

const OWN_NAME: Readonly<Record<PersonalKind, string>> = {
  ...{ secret: "client_secret", account: "user_id", client: "client_id", email: "email", name: "username" },
  ...{ address: "address", key: "public_key", label: "label", place: "ip" },
};
/** The values that the program knows of the account itself. */
const OF_ACCOUNT: readonly PersonalKind[] = ["account", "client", "name", "key"];

/** Returns a line of the log in which a server has said personal things of anyone. */
function serverWords(cast: Cast): string {
  const [email, address, place, name] = [
    cast.pick("email"),
    cast.pick("address"),
    cast.pick("place"),
    cast.pick("key"),
  ];
  return `${email.value} ${address.value} ${place.value} name:${name.value} ip:${place.value} session:${name.value} ${CLIENT_SECRET}`;
}

/** The outputs that must have no personal data. All must have no secrets. */
const WITHOUT_PERSONAL: readonly string[] = ["recording", "supportFile"];

function searchOutputs({ outputs, planted }: Played): readonly string[] {
  return Object.entries(outputs).flatMap(([name, text]) => {
    const sought = planted.filter(({ kind }) => kind === "secret" || WITHOUT_PERSONAL.includes(name));
    // A text in the output may be JSON in JSON: each level is looked at.
    const forms = sought.flatMap(({ kind, value }) =>
      formsOf(value)
        .slice(0, -3)
        .map((form) => [kind, value, form] as const),
    );
    return forms
      .filter(([, , form]) => form.length >= 6 && text.includes(form))
      .map(([kind, value, form]) => {
        const at = text.indexOf(form);
        return `${kind} ${value} in ${name}: ${text.slice(Math.max(0, at - 60), at + form.length + 20)}`;
      });
  });
}

/** Returns what is wrong with how the values of a recording belong together. */
function searchJoins({ outputs: { recording }, planted, recorded }: Played): readonly string[] {
  const reading = readRecording(recording);
  assert.ok(reading.kind === "read", JSON.stringify(reading));
  const { entries } = reading.recording;
  assert.equal(entries.length, recorded.length);
  const replacements = new Map<string, string>();
  const wrong: string[] = [];
  entries.forEach((entry, index) => {
    const text = textOf(entry);
    const before = leavesOf(recorded[index] ?? "null");
    leavesOf(text).forEach((leaf, at) => {
      const value = before[at] ?? "";
      if (!planted.some((each) => each.value === value)) return;
      const known = replacements.get(value) ?? leaf;
      if (known !== leaf || leaf === value) wrong.push(`${value}: ${known}, then ${leaf}`);
      replacements.set(value, leaf);
    });
  });
  const given = [...replacements.values()];
  return new Set(given).size === given.length ? wrong : [...wrong, `two values share a replacement: ${given.join()}`];
}

const BATCH = 25;
const BATCHES = rounds({ short: 1, full: 10, long: 40 });
const SEED = Number(process.env["RPC_SEED"] ?? 20_261_129);

describe("sessions with secret and personal data in every member", () => {
  for (let batch = 0; batch < BATCHES; batch++) {
    const first = SEED + batch * BATCH;
    test(`${BATCH} sessions from seed ${first}: none is found in any output, in any form, and what is the same has the same replacement`, async () => {
      const problems: string[] = [];
      let places = 0;
      for (let seed = first; seed < first + BATCH && problems.length < 20; seed++) {
        const played = await play(seed);
        places += played.places;
        problems.push(...[...searchOutputs(played), ...searchJoins(played)].map((each) => `seed ${seed}: ${each}`));
      }
      assert.ok(places > BATCH);
      assert.deepEqual(problems, []);
    });
  }
});
