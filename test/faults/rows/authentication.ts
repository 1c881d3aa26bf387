import assert from "node:assert/strict";
import { watch } from "../../core/session/world.ts";
import { countOf, grantFrame, plantOrders, withOrders } from "../orders.ts";
import type { FaultRow, Stage } from "../stage.ts";

const auths = (stage: Stage): number => countOf(stage, "public/auth");

const unanswered: FaultRow = {
  id: "F22",
  title: "public/auth is never answered",
  on: "both",
  async run(stage) {
    stage.server.on("public/auth", () => "silence");
    stage.session.connect();
    await stage.until(() => auths(stage) === 1, "the first signature");
    await stage.advance(9999);
    assert.equal(stage.session.state.status, "authenticating");
    await stage.advance(1);
    await stage.until(() => stage.session.state.status === "waiting", "10 s without a response");
    assert.match(stage.shown().sentences, /No response from \{server\} within 10 s/);
    await stage.advance(1000);
    await stage.until(() => auths(stage) === 2, "the second signature");
    const nonces = stage.server.requests
      .filter(({ method }) => method === "public/auth")
      .map(({ params }) => params["nonce"]);
    assert.equal(new Set(nonces).size, 2, "each generation signs afresh");
  },
  expected: { status: "authenticating", dials: 2 },
};

const refused: FaultRow = {
  id: "F23",
  title: "the key is refused (13004)",
  on: "both",
  ports: { credentials: { kind: "client_signature", clientId: "canary-client-id", clientSecret: "another" } },
  async run(stage) {
    stage.session.connect();
    await stage.until(() => stage.session.state.status === "locked", "the user has to act");
    await stage.advance(3_600_000);
    assert.equal(auths(stage), 1, "it is not tried again");
  },
  expected: {
    status: "locked",
    dials: 1,
    row: "TESTNET · needs your input",
    sentences: /error 13004.*Check the client ID and client secret/,
  },
};

/** The members of a grant that cannot be worked with. */
const BAD_GRANTS: readonly (readonly [string, string])[] = [
  ["no token", '"refresh_token":"r","expires_in":900,"scope":"","token_type":"bearer"'],
  ["an empty token", '"access_token":"","refresh_token":"r","expires_in":900,"scope":"","token_type":"bearer"'],
  ["a life of 0", '"access_token":"a-token","refresh_token":"r","expires_in":0,"scope":"","token_type":"bearer"'],
  ["a life of -1", '"access_token":"a-token","refresh_token":"r","expires_in":-1,"scope":"","token_type":"bearer"'],
  [
    "a life of 1e400",
    '"access_token":"a-token","refresh_token":"r","expires_in":1e400,"scope":"","token_type":"bearer"',
  ],
  [
    "a life in a string",
    '"access_token":"a-token","refresh_token":"r","expires_in":"900","scope":"","token_type":"bearer"',
  ],
  [
    "another kind of token",
    '"access_token":"a-token","refresh_token":"r","expires_in":900,"scope":"","token_type":"mac"',
  ],
];

const badGrants = BAD_GRANTS.map(([name, members]): FaultRow => ({
  id: `F24 ${name}`,
  title: "the grant cannot be worked with",
  design: "only refused credentials and a changed identity wait for the user; this is tried again, slowly",
  on: "both",
  async run(stage) {
    stage.server.on("public/auth", () => ({ resultText: `{${members}}` }));
    stage.session.connect();
    await stage.until(() => stage.session.state.status === "waiting", "the grant is not taken");
    assert.match(stage.shown().sentences, /the response to public\/auth has no usable access token/);
    await stage.advance(600_000);
    assert.ok(stage.dials > 2 && stage.dials <= 36, `${String(stage.dials)} dials in ten minutes`);
    assert.ok(auths(stage) <= stage.dials, "one attempt for each dial");
    assert.equal(stage.statuses().includes("ready"), false);
  },
}));

const longGrant: FaultRow = {
  id: "F24 a life of a year",
  title: "expires_in 31536000, the exchange's own example",
  on: "both",
  async run(stage) {
    await stage.ready();
    await stage.advance(120_000);
    assert.equal(auths(stage), 1, "no refresh in the first two minutes");
  },
  expected: { status: "ready", dials: 1 },
};

const noise: FaultRow = {
  id: "F25",
  title: "100 notifications, an unknown id and rubbish before the response to public/auth",
  design: "an odd frame is logged and the socket stays",
  on: "both",
  async run(stage) {
    stage.server.on("public/get_time", ({ connection }) => {
      for (let each = 0; each < 100; each++) connection.event("user.orders.any.any.raw", "[]");
      connection.send(
        '{"jsonrpc":"2.0","id":1,"result":{"access_token":"stolen","refresh_token":"r","expires_in":9,"scope":"","token_type":"bearer"}}',
      );
      connection.send("rubbish");
      return { result: stage.clock.now() };
    });
    await stage.ready();
    assert.equal(
      (await stage.session.caller.call("private/get_open_orders", "{}")).error,
      undefined,
      "the token is that of the real response",
    );
  },
  expected: {
    status: "ready",
    dials: 1,
    statuses: ["connecting", "authenticating", "ready"],
    logged: /belongs to nothing: an unexpected response to request ID 1$/m,
  },
};

const twice: FaultRow = {
  id: "F26",
  title: "the response to public/auth comes twice",
  on: "both",
  async run(stage) {
    stage.server.on("public/auth", (request) => {
      const frame = grantFrame(request, "canary-access-token-1");
      request.connection.send(frame);
      return { frame };
    });
    await withOrders(stage, "O1");
    assert.equal(countOf(stage, "private/get_open_orders"), 1, "the view is read once");
    assert.equal(countOf(stage, "private/subscribe"), 1);
  },
  expected: {
    status: "ready",
    statuses: ["connecting", "authenticating", "ready"],
    dials: 1,
    logged: /belongs to nothing/,
  },
};

const cutOff: FaultRow = {
  id: "F27",
  title: "the connection is cut off between public/auth and its response",
  on: "both",
  async run(stage) {
    let cuts = 0;
    stage.server.on("public/auth", (request) => {
      if (cuts++ > 0) return { frame: grantFrame(request, "canary-access-token-2") };
      stage.wire.rst();
      return "silence";
    });
    stage.session.connect();
    await stage.until(() => stage.session.state.status === "waiting", "the loss is noticed");
    await stage.advance(1000);
    await stage.until(() => stage.session.state.status === "ready", "it comes back");
  },
  expected: {
    statuses: ["connecting", "authenticating", "waiting", "connecting", "authenticating", "ready"],
    dials: 2,
  },
};

/** By the number of the account, and by the name in the scope where the server does not tell the number. */
const others = (["number", "name"] as const).map((told): FaultRow => ({
  id: `F28 told by its ${told}`,
  title: "after a reconnect the server signs in another account",
  on: "both",
  async run(stage) {
    if (told === "name") {
      stage.server.on("private/get_account_summaries", () => ({ error: { code: 13021, message: "forbidden" } }));
    }
    const orders = await withOrders(stage, "O1");
    const { orders: store } = stage.live();
    assert.equal(store.snapshot.items.size, 1);
    if (told === "number") stage.server.userId = 7002;
    else stage.server.scope = "account:read connection name:other trade:read_write";
    orders.byId.clear();
    stage.wire.fin();
    await stage.until(() => stage.session.state.status === "waiting", "the loss is noticed");
    await stage.advance(1000);
    await stage.until(() => stage.session.state.status === "locked", "the user has to look at that");
    assert.equal(store.snapshot.items.size, 0, "no row of the one stands under the other");
    assert.match(stage.shown().sentences, /signed you in with a different account or API key than before/);
    await stage.advance(3_600_000);
    assert.equal(stage.dials, 2);
    stage.session.connect();
    await stage.until(() => store.snapshot.status === "live", "the user has taken it");
  },
  expected: { status: "ready", dials: 3 },
}));

const numberLost: FaultRow = {
  id: "F28 the number is no longer told",
  title: "after a reconnect the server does not tell the account's number any more, and then another one",
  on: "both",
  async run(stage) {
    await stage.ready();
    stage.server.on("private/get_account_summaries", () => ({ error: { code: -32601, message: "Method not found" } }));
    stage.wire.fin();
    await stage.until(() => stage.session.state.status === "waiting", "the loss is noticed");
    await stage.advance(1000);
    await stage.until(() => stage.session.state.status === "ready", "what there is agrees");
    stage.server.on("private/get_account_summaries", () => ({ result: { id: 7002, summaries: [] } }));
    stage.wire.fin();
    await stage.until(() => stage.session.state.status === "waiting", "the loss is noticed");
    await stage.advance(1000);
    await stage.until(() => stage.session.state.status === "locked", "the number was not forgotten in between");
  },
  expected: { status: "locked", dials: 3 },
};

const scopeMissing: FaultRow = {
  id: "F29",
  title: "the granted scope lacks trade:read_write",
  on: "both",
  async run(stage) {
    stage.server.scope = "account:read connection mainaccount name:bot trade:read";
    const orders = await withOrders(stage, "O1");
    const outcome = orders.cancel("O1");
    await stage.until(() => outcome.isSettled, "it is refused here");
    assert.deepEqual(outcome.value, { kind: "notSent", failure: { kind: "missingScope", scope: "trade:read_write" } });
    assert.equal(orders.cancels, 0);
    assert.equal(stage.questions.length, 0, "nothing is offered that would fail");
  },
  expected: { status: "ready", dials: 1 },
};

const scopeWide: FaultRow = {
  id: "F30",
  title: "the key can do more than is needed",
  design: "the granted scope stands under the connection, entry by entry, without a warning",
  on: "both",
  async run(stage) {
    stage.server.scope = "account:read_write connection mainaccount name:bot trade:read_write wallet:read_write";
    stage.live();
    await stage.ready();
    const { state } = stage.session;
    assert.ok(state.status === "ready");
    assert.match(state.identity.scope, /wallet:read_write/);
    assert.ok(stage.shown().facts.includes("wallet: read_write"));
  },
  expected: { status: "ready", dials: 1 },
};

const impatient: FaultRow = {
  id: "F31",
  title: "five clicks on Connect while signing in; the scope names a session that others share",
  on: "both",
  async run(stage) {
    stage.server.scope = "account:read mainaccount session:bot trade:read_write";
    for (let click = 0; click < 5; click++) {
      stage.session.connect();
      await stage.settle();
    }
    await stage.ready();
    const methods = stage.server.methods();
    assert.ok(!methods.some((method) => /logout|fork/.test(method)));
    const asked = stage.server.requests.find(({ method }) => method === "public/auth");
    assert.equal(asked?.params["scope"], undefined, "no session is asked for");
    assert.ok(
      stage.shown().facts.some((fact) => /^scope: .*\bsession:bot\b/.test(fact)),
      stage.shown().facts.join("\n"),
    );
  },
  expected: { status: "ready", dials: 1, logged: /warn .*session that others with the same key can share/ },
};

const token: FaultRow = {
  id: "F31 a pasted token",
  title: "a pasted token that is worth nothing",
  on: "both",
  ports: { credentials: { kind: "token", accessToken: "canary-access-token-9" } },
  async run(stage) {
    plantOrders(stage, "O1");
    stage.session.connect();
    await stage.until(() => stage.session.state.status === "locked", "the server refuses it");
    const call = watch(stage.session.caller.call("private/get_open_orders", "{}"));
    await stage.settle();
    assert.deepEqual(call.failure, { kind: "notConnected" });
  },
  expected: { status: "locked", dials: 1, sentences: /error 13009/ },
};

export const AUTHENTICATION_ROWS: readonly FaultRow[] = [
  unanswered,
  refused,
  ...badGrants,
  longGrant,
  noise,
  twice,
  cutOff,
  ...others,
  numberLost,
  scopeMissing,
  scopeWide,
  impatient,
  token,
];
