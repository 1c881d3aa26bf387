import assert from "node:assert/strict";
import { askedFields } from "../../../src/actions/changes/changes.ts";
import { presentFields } from "../../../src/actions/intent/fields.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Responder, Reply, ReceivedRequest } from "../../scriptedServer.ts";
import { plain } from "../../../src/base/plain.ts";
import { pluck } from "../../pluck.ts";
import { assertTold, recover, watchConnection, type WatchedConnection } from "../mutation.ts";
import type { FaultRow, Stage } from "../stage.ts";

/* Reliability §4.7, F74–F80: changes of quotes and of keys in flight, whatever the server and the link do to them. */

const SCOPE = "account:read_write block_rfq:read_write connection mainaccount name:bot trade:read_write";
const SECRET = "canary-key-secret-91b2";
const CODE = "482913";
const CHALLENGE = {
  security_key_authorization_required: true,
  security_keys: [{ type: "tfa", name: "phone" }],
  rp_id: "test.example",
  challenge: "challenge-1",
};

interface Key {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly max_scope: string;
  readonly timestamp: number;
}

const K1: Key = {
  id: 4,
  client_id: "Kq31",
  client_secret: SECRET,
  name: "reporter",
  enabled: true,
  max_scope: "account:read trade:read_write",
  timestamp: 1_700_000_000_000,
};

interface Quote {
  readonly block_rfq_quote_id: number;
  readonly block_rfq_id: number;
  readonly quote_state: string;
  readonly direction: string;
  readonly price: number;
  readonly amount: number;
  readonly creation_timestamp: number;
}

/** A server with one key and some quotes, and what became of the changes that were sent to it. */
interface World {
  readonly stage: Stage;
  readonly watched: WatchedConnection;
  key: Key;
  quotes: Quote[];
  /** Submits the change and lets it go out. */
  press(intent: Intent): Promise<void>;
  /** Frames of a method. */
  frames(method: string): readonly ReceivedRequest[];
}

interface Case extends Pick<FaultRow, "id" | "title" | "design" | "expected"> {
  readonly on:
    | "private/edit_api_key"
    | "private/change_scope_in_api_key"
    | "private/cancel_all_block_rfq_quotes"
    | "private/cancel_block_rfq_quote";
  /** What the server does with each frame of the change. */
  readonly server: (world: World, request: ReceivedRequest) => Reply;
  readonly play: (world: World) => Promise<void>;
  readonly came: readonly string[];
  readonly told: readonly (string | RegExp)[];
  /** Frames of the change that the server got. */
  readonly frames: number;
}

function changeRow({ on, server, play, came, told, frames, ...row }: Case): FaultRow {
  return {
    ...row,
    on: "both",
    async run(stage) {
      const world = await openWorld(stage);
      stage.server.on(on, (request) => server(world, request));
      await play(world);
      assertTold(world.watched.told(), told);
      assert.deepEqual(world.watched.came, came);
      assert.equal(world.frames(on).length, frames, "frames");
      const kept = [...stage.lines, JSON.stringify([stage.journal.records, stage.live().gate.activity])].join("\n");
      for (const secret of [CODE, SECRET]) assert.ok(!kept.includes(secret), "neither a code nor a secret is kept");
    },
  };
}

async function openWorld(stage: Stage): Promise<World> {
  const { server } = stage;
  server.scope = SCOPE;
  const watched = watchConnection(stage.live(), stage);
  const world: World = {
    stage,
    watched,
    key: K1,
    quotes: [1, 2, 3, 4, 5].map((number) => quote(number, stage.clock.now() - 60_000)),
    async press(intent) {
      void stage.live().gate.submit(intent);
      await stage.until(() => world.frames(intent.method).length > 0, "the change goes out");
      await stage.settle();
    },
    frames: (method) => server.requests.filter((request) => request.method === method),
  };
  server.on("private/list_api_keys", () => ({ result: [world.key] }));
  server.on("private/get_block_rfq_quotes", () => ({ result: world.quotes }));
  await stage.ready();
  return world;
}

function quote(number: number, createdAtMs: number): Quote {
  return {
    block_rfq_quote_id: number,
    block_rfq_id: 3,
    quote_state: "open",
    direction: "buy",
    price: 0.01,
    amount: 10,
    creation_timestamp: createdAtMs,
  };
}

/** Cancels every quote that is there, as they are shown. */
function cancelAll(world: World): Intent {
  return {
    method: "private/cancel_all_block_rfq_quotes",
    paramsText: "{}",
    words: {
      action: plain`Cancel 5 Quotes`,
      target: plain`5 quotes`,
      sentence: plain`Cancel all 5 Block RFQ quotes`,
      detail: [],
      keep: plain`Keep Quotes`,
    },
    origin: "palette",
    covers: world.quotes.map(({ block_rfq_quote_id: id }) => ({ orderId: String(id), target: `quote ${String(id)}` })),
  };
}

function changeScope(world: World, maxScope: string): Intent {
  const params = { id: 4, max_scope: maxScope };
  const method = "private/change_scope_in_api_key";
  return {
    method,
    paramsText: JSON.stringify(params),
    words: {
      action: plain`Change Scope`,
      target: plain`API key reporter`,
      sentence: plain`Change the scope of API key reporter`,
      detail: [],
      keep: plain`Keep Scope`,
    },
    origin: "palette",
    before: presentFields({ ...world.key }, askedFields(method, params) ?? {}),
  };
}

const WISH = "Change the scope of API key reporter on TESTNET main";
const UNKNOWN = `${WISH}: outcome unknown, checking…`;
const LOST = `${UNKNOWN} The connection was closed by TESTNET main (close code 1006).`;
const NO_RESPONSE = `${UNKNOWN} No response from TESTNET main within 15 s.`;
const QUOTES = "Cancel all 5 Block RFQ quotes on TESTNET main";

/** The key becomes as the frame asks. */
function apply(world: World, { params }: ReceivedRequest): Reply {
  world.key = { ...world.key, max_scope: String(params["max_scope"]) };
  return { result: world.key };
}

function cut(world: World): Reply {
  world.stage.wire.rst();
  return "silence";
}

const NARROW = "account:read trade:read";

async function pressed(world: World, intent: Intent, thenMs = 120_000): Promise<void> {
  await world.press(intent);
  await world.stage.advance(thenMs);
}

async function lostAndBack(world: World, intent: Intent): Promise<void> {
  void world.stage.live().gate.submit(intent);
  await recover(world);
  await world.stage.advance(120_000);
}

const QUOTE_CASES: readonly Case[] = [
  {
    id: "F74",
    title: "all quotes cancelled, the link lost before the response, and a new quote made since",
    on: "private/cancel_all_block_rfq_quotes",
    server(world) {
      world.quotes = [];
      world.stage.clock.after(500, () => {
        world.quotes = [quote(9, world.stage.clock.now())];
      });
      return cut(world);
    },
    play: async (world) => {
      await lostAndBack(world, cancelAll(world));
      assert.deepEqual(pluck(world.quotes, "block_rfq_quote_id"), [9], "the new quote lives");
    },
    came: ["unknown connectionLost", "applied, no cause"],
    told: [
      `${QUOTES}: outcome unknown, checking… The connection was closed by TESTNET main (close code 1006).`,
      `${QUOTES}: checked at 12:00:03: none of these quotes is open, but newer ones are (1: RFQ 3 buy 10 @ 0.01).`,
    ],
    frames: 1,
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F75 none",
    title: "the exchange says that it cancelled none, and they are all there",
    on: "private/cancel_all_block_rfq_quotes",
    server: () => ({ result: 0 }),
    play: async (world) => await pressed(world, cancelAll(world)),
    came: [
      "confirmed",
      "notApplied open (5 of them: RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01)",
    ],
    told: [
      `${QUOTES}: the exchange reports that no quotes were cancelled. But 5 were shown. Checking the outcome of each…`,
      "5 quotes on TESTNET main: still open (5 of them: RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01) as of 12:00:06, not cancelled. A late cancel is still possible. Watching for 60 s.",
    ],
    frames: 1,
  },
  {
    id: "F75 none there",
    title: "the exchange says that it cancelled none, and there were none",
    on: "private/cancel_all_block_rfq_quotes",
    server: () => ({ result: 0 }),
    play: async (world) => {
      world.quotes = [];
      await pressed(world, cancelAll(world));
    },
    came: ["confirmed"],
    told: [`${QUOTES}: the exchange reports that no quotes were cancelled.`],
    frames: 1,
  },
  {
    id: "F75 three of five",
    title: "the exchange says that it cancelled three of the five that were shown",
    on: "private/cancel_all_block_rfq_quotes",
    server(world) {
      world.quotes = world.quotes.slice(3);
      return { result: 3 };
    },
    play: async (world) => await pressed(world, cancelAll(world)),
    came: ["confirmed", "notApplied open (2 of them: RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01)"],
    told: [
      `${QUOTES}: the exchange reports 3 cancelled, but 5 were shown. Checking the outcome of each…`,
      "5 quotes on TESTNET main: still open (2 of them: RFQ 3 buy 10 @ 0.01, RFQ 3 buy 10 @ 0.01) as of 12:00:06, not cancelled. A late cancel is still possible. Watching for 60 s.",
    ],
    frames: 1,
  },
  ...(
    [
      ["an unrequested list", [quote(1, 0)]],
      ["a negative number", -1],
      ["a broken number", 2.5],
      ["a string", "5"],
    ] as const
  ).map(([name, result]): Case => ({
    id: `F75 ${name}`,
    title: `the response is ${name}, and the quotes are gone`,
    on: "private/cancel_all_block_rfq_quotes",
    server(world) {
      world.quotes = [];
      return { result };
    },
    play: async (world) => {
      await pressed(world, cancelAll(world));
    },
    came: ["unknown unreadableResult", "applied, no cause"],
    // What exactly is wrong with the response is for the log and the details.
    told: [
      /outcome unknown, checking… Couldn't parse the response from TESTNET main: /,
      `${QUOTES}: checked at 12:00:03: no quotes are open.`,
    ],
    frames: 1,
  })),
];

const rejected =
  (reason: string): Responder =>
  () => ({ error: { code: 13668, message: "security_key_authorization_error", data: { reason } } });

/** Asks for a code; then the second frame. */
const challenging =
  (second: (world: World, request: ReceivedRequest) => Reply) =>
  (world: World, request: ReceivedRequest): Reply =>
    request.params["authorization_data"] === undefined ? { result: CHALLENGE } : second(world, request);

const KEY_CASES: readonly Case[] = [
  {
    id: "F76",
    title: "a second factor is asked for, and the box is closed",
    on: "private/change_scope_in_api_key",
    server: challenging(apply),
    play: async (world) => {
      await pressed(world, changeScope(world, NARROW));
      assert.equal(world.key.max_scope, K1.max_scope);
    },
    came: ["challenge"],
    told: [`${WISH}: 2FA is required. Nothing has been changed yet.`],
    frames: 1,
  },
  {
    id: "F76 wrong code",
    title: "a second factor is asked for, and the code is wrong",
    on: "private/change_scope_in_api_key",
    server: challenging((_world, request) => rejected("tfa_code_not_matched")(request)),
    play: async (world) => {
      world.stage.onCode = async () => await Promise.resolve(CODE);
      await pressed(world, changeScope(world, NARROW));
      assert.equal(world.key.max_scope, K1.max_scope);
    },
    came: ["rejected exchange 13668"],
    told: [/^Change the scope of API key reporter on TESTNET main: refused by the exchange\..*13668/],
    frames: 2,
  },
  {
    id: "F76 slow code",
    title: "a second factor is asked for, and the code is typed after 40 s",
    on: "private/change_scope_in_api_key",
    server: challenging(apply),
    play: async (world) => {
      world.stage.onCode = async () =>
        await new Promise((resolve) => {
          world.stage.clock.after(40_000, () => resolve(CODE));
        });
      await pressed(world, changeScope(world, NARROW));
      assert.equal(world.key.max_scope, NARROW);
      const found = world.frames("private/change_scope_in_api_key").map(({ params }) => params["challenge"]);
      assert.deepEqual(found, [undefined, "challenge-1"]);
    },
    came: ["confirmed"],
    told: [`${WISH}: confirmed by the exchange.`],
    frames: 2,
  },
  {
    id: "F77",
    title: "carried out, and the link lost before the response; listing the keys needs a code",
    on: "private/change_scope_in_api_key",
    server(world, request) {
      apply(world, request);
      return cut(world);
    },
    play: async (world) => {
      world.stage.onCode = async () => await Promise.resolve(CODE);
      world.stage.server.on("private/list_api_keys", ({ params }) => ({
        result: params["authorization_data"] === undefined ? CHALLENGE : [world.key],
      }));
      await lostAndBack(world, changeScope(world, NARROW));
      // Nothing is asked before the user wants to know.
      const { gate } = world.stage.live();
      await Promise.all([gate.checkAgain(gate.activity[0]?.id ?? ""), world.stage.advance(5000)]);
    },
    came: ["unknown connectionLost", "unverified: Listing the API keys requires a 2FA code.", "applied, no cause"],
    told: [
      LOST,
      `${WISH}: outcome still unknown at 12:00:03: Listing the API keys requires a 2FA code. Check on the exchange, or use Check Again.`,
      new RegExp(`^${WISH}: verified at 12:\\d\\d:\\d\\d that it took effect \\(the outcome was unknown\\)\\.$`),
    ],
    frames: 1,
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F77 no code",
    title:
      "carried out, and the connection lost before the response; listing the keys needs a code that is not entered",
    on: "private/change_scope_in_api_key",
    server(world, request) {
      apply(world, request);
      return cut(world);
    },
    play: async (world) => {
      world.stage.server.on("private/list_api_keys", () => ({ result: CHALLENGE }));
      await lostAndBack(world, changeScope(world, NARROW));
    },
    came: ["unknown connectionLost", "unverified: Listing the API keys requires a 2FA code."],
    told: [
      LOST,
      `${WISH}: outcome still unknown at 12:00:03: Listing the API keys requires a 2FA code. Check on the exchange, or use Check Again.`,
    ],
    frames: 1,
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F78",
    title: "carried out without a response, and changed elsewhere before it is read",
    on: "private/change_scope_in_api_key",
    server(world, request) {
      apply(world, request);
      world.stage.clock.after(2000, () => {
        world.key = { ...world.key, max_scope: "wallet:read" };
      });
      return "silence";
    },
    play: async (world) => await pressed(world, changeScope(world, NARROW)),
    came: ["unknown timeout", "other max_scope is wallet:read (requested: account:read trade:read)"],
    told: [
      NO_RESPONSE,
      "API key reporter on TESTNET main: not as requested at 12:00:15: max_scope is wallet:read (requested: account:read trade:read). It was changed by another client or not applied.",
    ],
    frames: 1,
    expected: { status: "ready", dials: 1 },
  },
  {
    id: "F78 back to what it was",
    title: "carried out without a response, and changed back elsewhere before it is read",
    design: "equal to before is told as that: not changed, or changed back",
    on: "private/change_scope_in_api_key",
    server(world, request) {
      apply(world, request);
      world.stage.clock.after(2000, () => {
        world.key = K1;
      });
      return "silence";
    },
    play: async (world) => await pressed(world, changeScope(world, NARROW)),
    came: ["unknown timeout", "notApplied max_scope account:read trade:read_write"],
    told: [
      NO_RESPONSE,
      "API key reporter on TESTNET main: no effect yet at 12:00:18 (max_scope account:read trade:read_write). It may still take effect. Watching for 60 s.",
    ],
    frames: 1,
    expected: { status: "ready", dials: 1 },
  },
  {
    id: "F79",
    title: "the key in use loses what it needs, and the server refuses its token and ends the link",
    on: "private/change_scope_in_api_key",
    server: apply,
    play: async (world) => {
      const { stage } = world;
      await world.press(changeScope(world, "account:none"));
      assert.deepEqual(world.watched.came, ["confirmed"]);
      stage.server.on("public/auth", () => ({ error: { code: 13004, message: "invalid_credentials" } }));
      stage.wire.close(1000, "");
      await stage.until(() => stage.session.state.status !== "ready", "the end of the link is noticed");
      await stage.advance(600_000);
      assert.equal(world.key.max_scope, "account:none", "the scope is not restored");
    },
    came: ["confirmed"],
    told: [`${WISH}: confirmed by the exchange.`],
    frames: 1,
    expected: { status: "locked", dials: 2 },
  },
  {
    id: "F80",
    title: "the response has another scope than the one asked for, and a secret",
    on: "private/change_scope_in_api_key",
    server(world) {
      world.key = { ...world.key, max_scope: "account:read" };
      return { result: world.key };
    },
    play: async (world) => await pressed(world, changeScope(world, NARROW)),
    came: ["confirmedOther max_scope is account:read (requested: account:read trade:read)"],
    told: [
      `${WISH}: the exchange returned a different result than requested: max_scope is account:read (requested: account:read trade:read).`,
    ],
    frames: 1,
  },
  {
    id: "F80 another key",
    title: "the response is about another key",
    on: "private/change_scope_in_api_key",
    server(world, request) {
      apply(world, request);
      return { result: { ...world.key, id: 5 } };
    },
    play: async (world) => await pressed(world, changeScope(world, NARROW)),
    came: ["unknown unreadableResult", "applied, no cause"],
    told: [
      `${UNKNOWN} Couldn't parse the response from TESTNET main: the response is for a different object.`,
      `${WISH}: verified at 12:00:03 that it took effect (the outcome was unknown).`,
    ],
    frames: 1,
  },
];

/** F74 to F80. */
export const CHANGE_ROWS: readonly FaultRow[] = [...QUOTE_CASES, ...KEY_CASES].map(changeRow);
