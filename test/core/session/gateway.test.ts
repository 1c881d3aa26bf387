import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "vitest";
import { createIsolatedMargin } from "../../../src/actions/connection/isolatedMargin.ts";
import { cancelEverything } from "../../../src/actions/changes/cancelEverything.ts";
import { SIMULATOR_KEY_START } from "../../../src/rpc/gateway.ts";
import { readCdpKey } from "../../../src/session/cdpKey.ts";
import { serviceOf, type SessionState } from "../../../src/session/session.ts";
import { gatewayKey } from "../../../src/simulator/access/gatewayAccess.ts";
import { createGatewayLab, type GatewayLab } from "../../gatewayLab.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import { hear, watch } from "./world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function ready(state: SessionState | undefined): Extract<SessionState, { status: "ready" }> {
  assert.equal(state?.status, "ready", JSON.stringify(state));
  return state;
}

/** Returns the longest time without a message of the client on a socket that is open all the time, in ms. */
function longestSilenceMs({ exchange, clock }: GatewayLab, connection: number): number {
  const times = exchange.control
    .ledger()
    .filter((entry) => entry.connection === connection)
    .map(({ atMs }) => atMs);
  return Math.max(...[...times, clock.now()].map((atMs, index) => atMs - (times[index - 1] ?? atMs)));
}

const EC = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const ED25519 = generateKeyPairSync("ed25519").privateKey;
const SEED = ED25519.export({ type: "pkcs8", format: "der" }).subarray(-32);
const FORMS: readonly (readonly [name: string, privateKey: string])[] = [
  ["EC, SEC1", EC.export({ type: "sec1", format: "pem" }).toString()],
  ["EC, PKCS#8", EC.export({ type: "pkcs8", format: "pem" }).toString()],
  ["Ed25519, PKCS#8", ED25519.export({ type: "pkcs8", format: "pem" }).toString()],
  ["Ed25519, base64", SEED.toString("base64")],
];

describe("signing in at the gateway", () => {
  for (const [name, privateKey] of FORMS)
    test(`with a key file, ${name}`, async () => {
      const keyName = `${SIMULATOR_KEY_START}desk`;
      const reading = readCdpKey(JSON.stringify({ name: keyName, privateKey }));
      assert.ok(reading.kind === "key");
      const lab = createGatewayLab({
        key: gatewayKey(keyName, reading.pem),
        credentials: async () => await Promise.resolve({ kind: "cdp_key", clientId: keyName, privateKey: reading.pem }),
      });
      await lab.connect();
      const { identity } = ready(lab.session.state);
      assert.equal(identity.clientId, keyName);
      assert.equal(identity.scope, "", "its words are not those of the exchange");
      assert.equal(identity.gatewayScope, lab.behaviour.scope);
      assert.notEqual(identity.userId, undefined, "who it is was read");
      assert.equal(serviceOf(lab.session.state), "gateway");
      assert.equal(ready(lab.session.streams?.state).identity.authentication, "none");
      assert.equal(identity.serverVersion, "simulator 0.2.0 (gateway)");
    });

  test("adds nothing to the parameters of private calls, with a token in the response or without", async () => {
    for (const givesSocketToken of [false, true]) {
      const lab = createGatewayLab({ behaviour: { givesSocketToken } });
      await lab.connect();
      const { error } = await lab.session.caller.call("private/get_positions", '{"currency":"BTC"}');
      assert.equal(error, undefined);
      assert.deepEqual(lab.frames("access_token"), []);
      assert.equal(lab.frames('"params":{"currency":"BTC"}').length, 1);
    }
  });

  test("is not refused for scope words, and reads and cancels are sent", async () => {
    for (const scope of ["wallet:user:read", "", "rat#view"]) {
      const lab = createGatewayLab({ behaviour: { scope } });
      await lab.connect();
      for (const method of ["private/get_open_orders", "private/cancel_all"])
        assert.equal((await lab.session.caller.call(method, "{}")).error, undefined, `${method} with ${scope}`);
    }
  });

  test("goes on after a reconnect with other scope words", async () => {
    const lab = createGatewayLab();
    await lab.connect();
    lab.behaviour.scope = "wallet:something:else";
    lab.sockets.trading.at(-1)?.terminate();
    await lab.clock.advance(MINUTE_MS);
    assert.equal(ready(lab.session.state).identity.gatewayScope, "wallet:something:else");
  });

  test("with a key that the server doesn't know waits for the user", async () => {
    const lab = createGatewayLab({ key: gatewayKey(`${SIMULATOR_KEY_START}x`, pemOf(EC)), credentials: otherKey });
    await lab.connect();
    assert.deepEqual(lab.session.state, {
      status: "locked",
      failure: { kind: "exchange", code: 13004, message: "invalid_credentials" },
    });
  });
});

function pemOf(key: typeof EC): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

async function otherKey(): Promise<{ kind: "cdp_key"; clientId: string; privateKey: string }> {
  return await Promise.resolve({
    kind: "cdp_key",
    clientId: `${SIMULATOR_KEY_START}x`,
    privateKey: pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
  });
}

describe("hours at the gateway", () => {
  for (const [name, behaviour, minutes, signIns] of [
    ["six, with the life that it tells", {}, 360, 1 + 9],
    ["two, without a word on the life", { saysLife: false }, 125, 1 + 10],
    [
      "two, with a token in the response of the socket, and a JWT that is taken twice",
      { givesSocketToken: true, takesJwtOnce: false },
      125,
      1 + 3,
    ],
    ["two, where an expired socket would be closed", { closesExpired: true }, 125, 1 + 3],
    ["two, with public/hello on both sockets", { helloOnStreams: true }, 125, 1 + 3],
  ] as const)
    test(`${name}: no socket is dropped, and each sign-in has a JWT of its own`, async () => {
      const lab = createGatewayLab({ behaviour });
      const orders = hear(lab.session, "user.orders.any.any.raw");
      const book = hear(lab.session, "ticker.BTC-PERPETUAL.100ms");
      await lab.connect();
      for (let minute = 0; minute < minutes; minute++) await lab.clock.advance(MINUTE_MS);
      assert.deepEqual(lab.ends, []);
      assert.deepEqual([lab.sockets.trading.length, lab.sockets.streams.length], [1, 1]);
      const tokens = lab.frames("public/auth").map((text) => /"token":"([^"]+)"/.exec(text)?.[1]);
      assert.equal(tokens.length, signIns);
      assert.equal(new Set(tokens).size, signIns);
      for (const connection of [1, 2]) assert.ok(longestSilenceMs(lab, connection) <= 15_000);
      assert.deepEqual(
        lab.states.filter(({ status }) => status === "waiting"),
        [],
      );
      // What was subscribed to stays so over all renewals.
      assert.equal(orders.states.map(({ kind }) => kind).join(), "accepted");
      assert.equal(book.states.map(({ kind }) => kind).join(), "accepted");
      const before = orders.data.length;
      const placed = { instrument_name: "BTC-PERPETUAL", amount: 10, type: "limit", price: 1000 };
      const { error } = await lab.session.caller.call("private/buy", JSON.stringify(placed));
      await lab.clock.settle();
      assert.equal(error, undefined);
      assert.ok(orders.data.length > before, "an order is told over the renewed socket");
      lab.session.dispose();
    });

  test("a client without a message is closed with 1011 after 30 s, so the messages are needed", async () => {
    const lab = createGatewayLab();
    await lab.connect();
    lab.session.disconnect();
    const [client, server] = createLinkedPair();
    const ends: string[] = [];
    client.onClose(({ detail }) => ends.push(detail));
    lab.exchange.accept(server, "streams");
    client.send('{"jsonrpc":"2.0","id":1,"method":"public/test","params":{}}');
    await lab.clock.advance(29_000);
    assert.deepEqual(ends, []);
    await lab.clock.advance(2000);
    assert.deepEqual(ends, ["1011"]);
  });
});

describe("two links", () => {
  test("come and go on their own", async () => {
    const lab = createGatewayLab();
    const orders = hear(lab.session, "user.orders.any.any.raw");
    const ticker = hear(lab.session, "ticker.BTC-PERPETUAL.100ms");
    await lab.connect();
    const { generation } = ready(lab.session.state);
    lab.sockets.streams.at(-1)?.terminate();
    await lab.clock.settle();
    assert.deepEqual([lab.session.state.status, lab.session.streams?.state.status], ["ready", "waiting"]);
    assert.equal(ticker.states.at(-1)?.kind, "lost");
    assert.equal(orders.states.at(-1)?.kind, "accepted", "the account is not concerned");
    await lab.clock.advance(MINUTE_MS);
    assert.deepEqual(ticker.states.at(-1), { kind: "accepted", generation });
    assert.deepEqual([lab.sockets.trading.length, lab.sockets.streams.length], [1, 2]);

    lab.sockets.trading.at(-1)?.terminate();
    await lab.clock.settle();
    assert.deepEqual([lab.session.state.status, lab.session.streams?.state.status], ["waiting", "ready"]);
    assert.equal(orders.states.at(-1)?.kind, "lost");
    await lab.clock.advance(MINUTE_MS);
    const now = ready(lab.session.state);
    assert.notEqual(now.generation, generation);
    assert.equal(orders.states.at(-1)?.kind, "accepted");
    assert.deepEqual(ticker.states.at(-1), { kind: "accepted", generation: now.generation }, "told for the new one");
    assert.deepEqual([lab.sockets.trading.length, lab.sockets.streams.length], [2, 2]);
  });

  test("carry each channel by its prefix, and each call where it is served", async () => {
    const lab = createGatewayLab();
    hear(lab.session, "user.orders.any.any.raw");
    hear(lab.session, "ticker.BTC-PERPETUAL.100ms");
    await lab.connect();
    await lab.session.caller.call("public/subscribe", '{"channels":["quote.BTC-PERPETUAL"]}');
    const subscribed = lab.exchange.control
      .ledger()
      .filter(({ method = "" }) => method.endsWith("/subscribe"))
      .map(({ connection, method, errorCode }) => [connection, method, errorCode]);
    const connections = lab.exchange.control.connections();
    assert.deepEqual(
      connections.map(({ channels }) => channels),
      [["user.orders.any.any.raw"], ["ticker.BTC-PERPETUAL.100ms", "quote.BTC-PERPETUAL"]],
    );
    assert.deepEqual(subscribed.map(([, method, code]) => [method, code]).sort(), [
      ["private/subscribe", undefined],
      ["public/subscribe", undefined],
      ["public/subscribe", undefined],
    ]);
  });

  test("tell of channels that the gateway leaves out without a word", async () => {
    const lab = createGatewayLab();
    const heard = ["trades.BTC-PERPETUAL.raw", "user.mmp_trigger.any", "block_rfq.trades.any", "user.liquidation"].map(
      (channel) => hear(lab.session, channel),
    );
    const kept = hear(lab.session, "trades.BTC-PERPETUAL.100ms");
    await lab.connect();
    for (const { states } of heard) assert.deepEqual(states, [{ kind: "refused", failure: undefined }]);
    assert.equal(kept.states.at(-1)?.kind, "accepted");
    assert.equal(
      lab.logged.filter((line) => line.startsWith("The server did not accept the subscription to ")).length,
      4,
    );
  });

  test("answer a method that is not offered with the gateway's words", async () => {
    const lab = createGatewayLab();
    await lab.connect();
    for (const method of ["private/set_mmp_config", "private/list_api_keys", "private/mass_quote"])
      assert.deepEqual((await lab.session.caller.call(method, "{}")).error, {
        kind: "exchange",
        code: -32601,
        message: "method not in allowlist",
      });
  });
});

describe("a sign-in at the gateway that can't be renewed", () => {
  test("is told and tried again each minute; until its end calls go on, then the user is needed", async () => {
    const lab = createGatewayLab();
    await lab.connect();
    disable(lab);
    await lab.clock.advance(41 * MINUTE_MS);
    const { expiring } = ready(lab.session.state);
    assert.deepEqual(expiring?.failure, { kind: "exchange", code: 13004, message: "invalid_credentials" });
    assert.equal(expiring.endsAtMs - lab.clock.now() < 10 * MINUTE_MS, true);
    assert.equal((await lab.session.caller.call("private/get_open_orders", "{}")).error, undefined);
    const before = lab.frames("public/auth").length;
    await lab.clock.advance(5 * MINUTE_MS);
    assert.equal(lab.frames("public/auth").length - before, 5);
    await lab.clock.advance(5 * MINUTE_MS);
    assert.equal(lab.session.state.status, "locked");
    assert.equal(lab.session.streams?.state.status, "ready", "market data needs no sign-in");
  });

  test("goes on as if nothing had been once the key is back", async () => {
    const lab = createGatewayLab();
    await lab.connect();
    disable(lab);
    await lab.clock.advance(41 * MINUTE_MS);
    assert.notEqual(ready(lab.session.state).expiring, undefined);
    disable(lab, false);
    await lab.clock.advance(MINUTE_MS);
    assert.equal(ready(lab.session.state).expiring, undefined);
    await lab.clock.advance(HOUR_MS);
    assert.deepEqual(lab.ends, []);
  });

  for (const closesExpired of [false, true])
    test(`because the computer slept: ${closesExpired ? "the socket is closed" : "calls are refused"}, and it signs in again`, async () => {
      const lab = createGatewayLab({ behaviour: { closesExpired } });
      await lab.connect();
      lab.clock.sleep(55 * MINUTE_MS, "stops");
      await lab.clock.advance(MINUTE_MS);
      const read = watch(lab.session.caller.call("private/get_open_orders", "{}"));
      await lab.clock.advance(MINUTE_MS);
      assert.equal(read.value?.error, undefined, JSON.stringify(read.failure));
      assert.equal(read.isSettled, true);
      ready(lab.session.state);
    });

  test("on the server's side: 13009 on a read leads to a new sign-in on the live socket, and to one repetition", async () => {
    const lab = createGatewayLab();
    await lab.connect();
    await lab.clock.advance(MINUTE_MS);
    lab.exchange.control.expireTokens();
    const { error } = await lab.session.caller.call("private/get_open_orders", "{}");
    assert.equal(error, undefined);
    assert.equal(lab.frames("public/auth").length, 2);
    assert.equal(lab.frames("get_open_orders").length, 2);
    assert.equal(lab.sockets.trading.length, 1);
  });

  test("on the server's side: a change is refused and never repeated", async () => {
    const lab = createGatewayLab();
    await lab.connect();
    await lab.clock.advance(MINUTE_MS);
    lab.exchange.control.expireTokens();
    const { error } = await lab.session.caller.call("private/cancel_all", "{}");
    assert.deepEqual([error?.kind === "exchange" && error.code, lab.frames("cancel_all").length], [13009, 1]);
  });
});

/** Disables the key at the server, or enables it again. */
function disable({ exchange }: GatewayLab, isDisabled = true): void {
  exchange.control.editApiKey(1, { enabled: !isDisabled });
}

describe("a wrong clock", () => {
  for (const [aheadMs, seconds] of [
    [10 * MINUTE_MS, "fast"],
    [-10 * MINUTE_MS, "slow"],
  ] as const)
    test(`that is ten minutes ${seconds}: the JWT has the server's time, and the difference is told`, async () => {
      const lab = createGatewayLab({ aheadMs });
      await lab.connect();
      assert.equal(ready(lab.session.state).identity.clockSkewMs, -aheadMs);
    });

  test("is named where the server refuses the sign-in", async () => {
    const lab = createGatewayLab({ aheadMs: 10 * MINUTE_MS, behaviour: { toleranceS: -1e9 } });
    await lab.connect();
    assert.deepEqual(lab.session.state.status === "locked" && lab.session.state.failure, {
      kind: "refused",
      reason:
        "The server refused the sign-in (error 13004). The clock of this computer is 600 s fast, which may be the reason. Set it and connect again.",
    });
  });
});

test("every account may have isolated margin there, so that no list and no absence of an order covers all", async () => {
  const lab = createGatewayLab();
  const rows = { snapshot: { items: new Map() }, onDidChange: () => ({ dispose: () => undefined }) } as never;
  const isolated = createIsolatedMargin({ session: lab.session, orders: rows, positions: rows });
  assert.equal(isolated.isSeen, false);
  await lab.connect();
  assert.equal(isolated.isSeen, true);
});

test("Cancel Everything sends what the gateway offers: no quotes, and no freeze of them", () => {
  const order = (more: object): never => ({ orders: [{ quote: true }], ...more }) as never;
  const requests = (service: "native" | "gateway"): readonly string[] =>
    cancelEverything({ orders: order({}), quotes: { quotes: [], isCounted: false } }, "palette", service).intents.map(
      ({ method, paramsText }) => `${method} ${paramsText}`,
    );
  assert.deepEqual(requests("gateway"), ["private/cancel_all {}"]);
  assert.equal(requests("native")[0], 'private/cancel_all {"freeze_quotes":true}');
});

test("keys, JWTs, and tokens are in no log and no recording", async () => {
  const lab = createGatewayLab({ behaviour: { givesSocketToken: true } });
  await lab.connect();
  await lab.clock.advance(HOUR_MS);
  const secrets = lab.frames("public/auth").map((text) => /"token":"([^"]+)"/.exec(text)?.[1] ?? "?");
  const body = lab.key.privateKey.split("\n").slice(1, -2).join("");
  const told = [...lab.logged, ...lab.recorded, JSON.stringify(lab.states)].join("\n");
  assert.ok(told.includes("public/auth"));
  for (const secret of [...secrets, body, ...secrets.map((jwt) => jwt.split(".")[2] ?? "?")])
    assert.ok(secret.length > 20 && !told.includes(secret), "a secret was told");
  assert.doesNotMatch(told, /eyJ[\w-]{10,}/);
});
