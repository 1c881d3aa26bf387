import assert from "node:assert/strict";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { SESSION_REFRESH_TOKEN } from "../../../src/catalogue/values.ts";
import type { SessionState } from "../../../src/session/session.ts";
import type { Reply, ReceivedRequest } from "../../scriptedServer.ts";
import { assertTold, recover, watchConnection, type WatchedConnection } from "../mutation.ts";
import type { FaultRow, Stage } from "../stage.ts";

/* Reliability §4.7, F81–F83: switching to a sub-account, whatever the server and the link do to it. */

const MAIN = 7001;
const SUB = 7002;
const METHOD = "public/exchange_token";
const SCOPE = "account:read connection name:bot trade:read_write";
const USED_TOKEN = "canary-refresh-token-1";

interface World {
  readonly stage: Stage;
  readonly watched: WatchedConnection;
  /** Switches and lets it go out. */
  press(): Promise<void>;
}

interface Case extends Pick<FaultRow, "id" | "title" | "design" | "expected"> {
  readonly server: (world: World, request: ReceivedRequest) => Reply;
  readonly play: (world: World) => Promise<void>;
  readonly came: readonly string[];
  readonly told: readonly (string | RegExp)[];
}

const WISH = "Switch to subaccount maker";
const LOST = `${WISH} on TESTNET main: outcome unknown, checking… The connection was closed by TESTNET main (close code 1006).`;
const NOT_READ =
  "No request can check this. The connection signs in again with its API key and uses that key's account. A token of the other account may remain valid until it expires.";
const UNREAD = `${WISH} on TESTNET main: the outcome is unknown. ${NOT_READ}`;

function switchRow({ server, play, came, told, ...row }: Case): FaultRow {
  return {
    ...row,
    on: "both",
    async run(stage) {
      const world = await openWorld(stage);
      stage.server.on(METHOD, (request) => server(world, request));
      await play(world);
      assertTold(world.watched.told(), told);
      assert.deepEqual(world.watched.came, came);
      const exchanges = stage.server.requests.filter(({ method }) => method === METHOD);
      assert.deepEqual(
        exchanges.map(({ params }) => params["refresh_token"]),
        [USED_TOKEN],
        "one frame, with the session's own token",
      );
      const later = stage.server.requests.slice(stage.server.requests.indexOf(exchanges[0]!) + 1);
      assert.ok(
        !later.some(({ text }) => text.includes(USED_TOKEN)),
        "a refresh token that may be used up is not used again",
      );
      assert.ok(!stage.server.requests.some(({ text }) => text.includes("$session")), "no placeholder goes out");
    },
  };
}

async function openWorld(stage: Stage): Promise<World> {
  const { server } = stage;
  const watched = watchConnection(stage.live(), stage);
  server.on("public/unsubscribe_all", () => ({ result: "ok" }));
  server.on("private/get_account_summaries", ({ params }) => ({
    result: {
      id: String(params["access_token"]).startsWith("sub") ? SUB : MAIN,
      username: String(params["access_token"]).startsWith("sub") ? "maker" : "desk",
      summaries: [],
    },
  }));
  await stage.ready();
  const intent: Intent = {
    method: METHOD,
    paramsText: JSON.stringify({ refresh_token: SESSION_REFRESH_TOKEN, subject_id: SUB }),
    words: {
      action: plain`Switch`,
      target: plain`subaccount maker`,
      sentence: plain`${WISH}`,
      detail: [],
      keep: plain`Stay`,
    },
    origin: "palette",
  };
  return {
    stage,
    watched,
    async press() {
      void stage.live().gate.submit(intent);
      await stage.until(() => server.methods().includes(METHOD), "the exchange goes out");
      await stage.settle();
    },
  };
}

/** The exchange hands out tokens of the sub-account; those of before are worth nothing. */
function grant({ connection }: ReceivedRequest, scope = SCOPE): Reply {
  connection.tokens.clear();
  connection.tokens.add("sub-access-token-9");
  return {
    result: {
      access_token: "sub-access-token-9",
      refresh_token: "sub-refresh-token-9",
      expires_in: 31_536_000,
      scope,
      token_type: "bearer",
    },
  };
}

function subjectOf({ state }: { readonly state: SessionState }): number | undefined {
  return state.status === "ready" ? state.identity.subject?.id : undefined;
}

/** Asserts that in the end the session is on the account of the key, without a switched account. */
function assertMain({ stage }: World): void {
  assert.equal(stage.session.state.status, "ready");
  assert.equal(subjectOf(stage.session), undefined);
  assert.equal(stage.live().place, "TESTNET main");
  const ready = stage.states.filter((state) => state.status === "ready");
  assert.ok(
    ready.every((state) => state.identity.subject === undefined),
    "it was never shown as the other account",
  );
}

const CASES: readonly Case[] = [
  {
    id: "F81",
    title: "the switch is carried out, and the link lost before the response",
    server(world, request) {
      grant(request);
      world.stage.wire.rst();
      return "silence";
    },
    play: async (world) => {
      await world.press();
      await recover(world);
      await world.stage.advance(120_000);
      assertMain(world);
    },
    came: ["unknown connectionLost", `unverified: ${NOT_READ}`],
    told: [LOST, UNREAD],
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F81 no response",
    title: "the switch is not answered, and the link is fine",
    server: () => "silence",
    play: async (world) => {
      await world.press();
      await world.stage.advance(15_000);
      await world.stage.until(
        () => world.stage.session.state.status !== "ready",
        "the connection that may be signed in to another account is closed",
      );
      await world.stage.advance(120_000);
      assertMain(world);
    },
    came: ["unknown timeout", `unverified: ${NOT_READ}`],
    told: [`${WISH} on TESTNET main: outcome unknown, checking… No response from TESTNET main within 15 s.`, UNREAD],
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F81 an error that says nothing",
    title: "the response to the switch is an error that leaves the outcome unknown",
    server: () => ({ error: { code: 13888, message: "timed_out" } }),
    play: async (world) => {
      await world.press();
      await world.stage.until(() => world.stage.session.state.status !== "ready", "the link is given up");
      await world.stage.advance(120_000);
      assertMain(world);
    },
    came: ["unknown exchange 13888", `unverified: ${NOT_READ}`],
    told: [/outcome unknown, checking… The exchange returned error 13888/, UNREAD],
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F82",
    title: "the switch is answered, and the server says that it is a third account",
    server(world, request) {
      world.stage.server.on("private/get_account_summaries", () => ({
        result: { id: 9999, username: "stranger", summaries: [] },
      }));
      return grant(request);
    },
    play: async (world) => {
      await world.press();
      await world.stage.until(() => world.stage.session.state.status === "locked", "it waits for the user");
      const before = world.stage.server.requests.length;
      await world.stage.advance(600_000);
      assert.equal(world.stage.server.requests.length, before, "nothing is done as that account");
    },
    came: ["unknown unreadableResult", `unverified: ${NOT_READ}`],
    told: [/outcome unknown, checking… .*the exchange reports a different account than requested/, UNREAD],
    expected: { status: "locked", sentences: /signed you in as account 9999 instead of the selected account 7002/ },
  },
  {
    id: "F82 narrower scope",
    title: "the switch is answered with fewer rights than asked for",
    server: (_world, request) => grant(request, "account:read connection name:bot trade:read"),
    play: async (world) => {
      await world.press();
      await world.stage.until(() => subjectOf(world.stage.session) === SUB, "it is the other account");
      const outcome = await world.stage.live().gate.submit({
        method: "private/cancel",
        paramsText: '{"order_id":"O1"}',
        words: { action: plain`Cancel Order`, target: plain`O1`, detail: [], keep: plain`Keep Order` },
        origin: "view",
      });
      assert.deepEqual(outcome, { kind: "notSent", failure: { kind: "missingScope", scope: "trade:read_write" } });
      assert.equal(world.stage.live().place, "TESTNET main ▸ maker");
    },
    came: ["confirmed"],
    told: ["Switched to TESTNET main ▸ maker."],
    expected: { status: "ready", statuses: ["connecting", "authenticating", "ready", "authenticating", "ready"] },
  },
  {
    id: "F83",
    title: "the switch is answered, and the link lost before the new token was used",
    server(world, request) {
      const response = grant(request);
      world.stage.server.on("public/unsubscribe_all", () => {
        world.stage.wire.rst();
        return "silence";
      });
      return response;
    },
    play: async (world) => {
      await world.press();
      await recover(world);
      await world.stage.advance(120_000);
      assertMain(world);
    },
    came: ["unknown connectionLost", `unverified: ${NOT_READ}`],
    told: [LOST, UNREAD],
    expected: {
      status: "ready",
      statuses: [
        "connecting",
        "authenticating",
        "ready",
        "authenticating",
        "waiting",
        "connecting",
        "authenticating",
        "ready",
      ],
    },
  },
];

/** F81 to F83. */
export const SWITCHING_ROWS: readonly FaultRow[] = CASES.map(switchRow);
