import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createBackoff } from "../../../src/session/backoff.ts";
import type { Failure, LinkTrouble } from "../../../src/base/failure.ts";
import { effectiveEnvironment } from "../../../src/state/records.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";
import { createWorld, hear, watch, type World } from "./world.ts";

describe("signs of life", () => {
  test("any text counts; after 30 s without one a probe goes out, after 5 s more the link is dead", async () => {
    const world = await createWorld().ready();
    const { clock, server, session, states } = world;
    server.on("public/test", () => "silence");
    await clock.advance(29_000);
    server.last.send('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}');
    await clock.advance(29_999);
    assert.equal(server.methods().includes("public/test"), false);
    await clock.advance(1);
    assert.equal(server.methods().at(-1), "public/test");
    assert.equal(session.state.status === "ready" && session.state.isSuspect, true);
    await clock.advance(4999);
    assert.equal(session.state.status, "ready");
    await clock.advance(1);
    assert.deepEqual(states.at(-1)?.status === "waiting" && states.at(-1), {
      ...states.at(-1),
      failure: { kind: "connectionLost", trouble: "silent", detail: "no messages received" },
    });
    assert.equal(server.last.isOver, true);
  });

  test("a response to the probe, an error too, ends the suspicion", async () => {
    const { clock, server, session, states } = await createWorld().ready();
    server.on("public/test", () => ({ error: { code: 10028, message: "too_many_requests" } }));
    const before = states.length;
    await clock.advance(35_000);
    assert.equal(session.state.status === "ready" && session.state.isSuspect, false);
    const found = states.slice(before).map((state) => state.status === "ready" && state.isSuspect);
    assert.deepEqual(found, [true, false]);
    await clock.advance(3_600_000);
    assert.equal(server.connections.length, 1);
  });

  test("while the server is silent a change waits: it goes out when the server lives, and not at all when it does not", async () => {
    const { clock, server, session } = await createWorld().ready();
    server.on("public/test", () => "silence");
    server.on("private/cancel", () => ({ result: {} }));
    await clock.advance(30_000);
    const first = watch(session.caller.call("private/cancel", '{"order_id":"1"}'));
    await clock.advance(1000);
    assert.equal(server.methods().includes("private/cancel"), false);
    server.last.send('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}');
    await clock.settle();
    assert.equal(first.value?.bodyText, "{}");
    await clock.advance(30_000);
    const second = watch(session.caller.call("private/cancel", '{"order_id":"2"}'));
    await clock.advance(5000);
    assert.deepEqual(second.failure, { kind: "notConnected" });
    assert.equal(server.requests.filter((request) => request.method === "private/cancel").length, 1);
  });

  test("a test request is answered at once, past a queue of reads; a flood of them with one response at a time", async () => {
    const { clock, server, session } = await createWorld().ready();
    const reads = Array.from({ length: 200 }, () => watch(session.caller.call("private/get_open_orders", "{}")));
    await clock.settle();
    assert.ok(reads.some((read) => !read.isSettled));
    const before = server.requests.length;
    for (let each = 0; each < 100; each++)
      server.last.send('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}');
    await clock.settle();
    const responses = server
      .methods()
      .slice(before)
      .filter((method) => method === "public/test").length;
    assert.ok(responses >= 1 && responses < 100, String(responses));
  });

  test("without set_heartbeat our own probes keep the link", async () => {
    const world = createWorld();
    world.server.on("public/set_heartbeat", () => ({ error: { code: -32601, message: "Method not found" } }));
    await world.ready();
    await world.clock.advance(3_600_000);
    assert.equal(world.server.connections.length, 1);
    assert.ok(world.server.methods().filter((method) => method === "public/test").length >= 100);
  });
});

describe("losing the link", () => {
  test("settles what waits: sent calls are lost, queued ones were not sent", async () => {
    const { clock, server, session } = await createWorld().ready();
    server.on("private/cancel", () => "silence");
    server.on("private/get_open_orders", () => "silence");
    const sent = watch(session.caller.call("private/cancel", '{"order_id":"1"}'));
    const reads = Array.from({ length: 100 }, () => watch(session.caller.call("private/get_open_orders", "{}")));
    await clock.settle();
    server.last.transport.terminate();
    await clock.settle();
    assert.deepEqual(sent.failure, {
      kind: "connectionLost",
      trouble: "closedByServer",
      detail: "closed by the other side",
    });
    const sentReads = server.requests.filter((request) => request.method === "private/get_open_orders").length;
    assert.equal(reads.filter((read) => read.failure?.kind === "connectionLost").length, sentReads);
    assert.equal(reads.filter((read) => read.failure?.kind === "notConnected").length, 100 - sentReads);
    assert.ok(sentReads < 100);
    await clock.advance(60_000);
    assert.equal(server.requests.filter((request) => request.method === "private/get_open_orders").length, sentReads);
    assert.equal(server.requests.filter((request) => request.method === "private/cancel").length, 1);
  });

  test("the next generation signs in afresh and is told apart", async () => {
    const world = await createWorld().ready();
    world.server.last.transport.terminate();
    await world.clock.advance(1000);
    assert.deepEqual(world.statuses(), [
      "connecting",
      "authenticating",
      "ready",
      "waiting",
      "connecting",
      "authenticating",
      "ready",
    ]);
    const found = world.states.flatMap((state) => (state.status === "ready" ? [state.generation] : []));
    assert.deepEqual(found, [1, 2]);
    await world.session.caller.call("private/get_open_orders", "{}");
    assert.equal(world.server.requests.at(-1)?.params["access_token"], "canary-access-token-2");
  });

  test("what an older link still says has no effect", async () => {
    const world = await createWorld().ready();
    const { server, session, clock, states } = world;
    const channel = hear(session, "user.orders.any.any.raw");
    server.on("private/cancel", () => "silence");
    const call = watch(session.caller.call("private/cancel", "{}"));
    await clock.settle();
    const old = server.last;
    const request = server.requests.at(-1)!;
    session.disconnect();
    session.connect();
    // Said before the old link has heard of its end.
    assert.throws(() => {
      old.event("user.orders.any.any.raw", '"old"');
      old.respond(request, { result: {} });
      old.transport.close();
      old.transport.send("{}");
    });
    await clock.settle();
    assert.equal(call.failure?.kind, "connectionLost");
    assert.deepEqual(channel.data, []);
    assert.equal(session.state.status, "ready");
    const count = states.length;
    await clock.advance(5000);
    assert.equal(states.length, count);
  });

  test("a late response of an earlier generation is not heard as one of this", async () => {
    const { server, session, clock } = await createWorld().ready();
    const late: unknown[] = [];
    session.caller.onLateResponse((response) => late.push(response));
    server.on("private/cancel", () => "silence");
    watch(session.caller.call("private/cancel", "{}", { timeoutMs: 100 }));
    await clock.advance(100);
    const request = server.requests.at(-1)!;
    server.last.transport.terminate();
    await clock.advance(1000);
    server.last.respond(request, { result: {} });
    await clock.settle();
    assert.deepEqual(late, []);
    assert.equal(session.state.status, "ready");
  });

  test("disconnecting in each state leaves nothing behind", async () => {
    const stages: readonly ((world: World) => Promise<void>)[] = [
      async (world) => {
        world.server.failDials("never");
        world.session.connect();
        await world.clock.settle();
        assert.equal(world.session.state.status, "connecting");
      },
      async (world) => {
        world.server.on("public/auth", () => "silence");
        world.session.connect();
        await world.clock.settle();
        assert.equal(world.session.state.status, "authenticating");
      },
      async (world) => {
        await world.ready();
        hear(world.session, "user.orders.any.any.raw");
        world.server.on("private/cancel", () => "silence");
        watch(world.session.caller.call("private/cancel", "{}"));
        for (let each = 0; each < 200; each++) watch(world.session.caller.call("private/get_open_orders", "{}"));
        await world.clock.settle();
      },
      async (world) => {
        await world.ready();
        world.server.on("public/test", () => "silence");
        await world.clock.advance(31_000);
      },
      async (world) => {
        world.server.failDials({ kind: "cannotConnect", trouble: "refused", detail: "ECONNREFUSED" });
        world.session.connect();
        await world.clock.settle();
        assert.equal(world.session.state.status, "waiting");
      },
    ];
    for (const [index, reach] of stages.entries()) {
      for (const end of ["disconnect", "dispose"] as const) {
        const world = createWorld();
        await reach(world);
        world.session[end]();
        await world.clock.settle();
        assert.equal(world.session.state.status, "off", `${String(index)} ${end}`);
        assert.equal(world.clock.pendingTimers, 0, `${String(index)} ${end}: timers`);
        assert.equal(world.server.listenerCount, 0, `${String(index)} ${end}: listeners`);
        assert.ok(world.server.connections.every((connection) => connection.isOver));
        const dials = world.server.connections.length;
        await world.clock.advance(3_600_000);
        assert.equal(world.server.connections.length, dials);
      }
    }
  });

  test("a dial that was given up hears of it, and a link that comes of it all the same is cut off", async () => {
    let finish = (): void => undefined;
    let signal: AbortSignal | undefined;
    const spare = createWorld();
    const world = createWorld({
      dial: async (given) => {
        signal = given;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return await spare.server.dial(given);
      },
    });
    world.session.connect();
    world.session.disconnect();
    assert.equal(signal?.aborted, true);
    finish();
    await world.clock.settle();
    assert.equal(spare.server.last.isOver, true);
    assert.equal(world.session.state.status, "off");
  });

  test("a disposed session stays off", async () => {
    const world = await createWorld().ready();
    world.session.dispose();
    world.session.dispose();
    world.session.connect();
    await world.clock.settle();
    assert.equal(world.session.state.status, "off");
  });

  test("connecting five times over dials once; while waiting it dials at once", async () => {
    const world = createWorld();
    for (let each = 0; each < 5; each++) world.session.connect();
    await world.clock.settle();
    assert.equal(world.server.connections.length, 1);
    world.server.failDials({ kind: "cannotConnect", trouble: "dns", detail: "ENOTFOUND" });
    world.server.last.transport.terminate();
    await world.clock.advance(1000);
    assert.equal(world.session.state.status, "waiting");
    world.session.connect();
    await world.clock.settle();
    assert.equal(world.session.state.status, "ready");
    assert.equal(world.server.connections.length, 2);
  });
});

describe("identity", () => {
  test("another account after a reconnect waits for the user, who may take it", async () => {
    const world = await createWorld().ready();
    const { server, session, clock } = world;
    server.scope = "account:read connection mainaccount name:other trade:read_write";
    server.userId = 7002;
    server.last.transport.terminate();
    await clock.advance(1000);
    assert.ok(session.state.status === "locked");
    assert.equal(session.state.failure.kind, "refused");
    assert.equal(server.last.isOver, true);
    assert.notEqual(session.epoch, 0, "nothing of the account before counts any more");
    await clock.advance(3_600_000);
    assert.equal(server.connections.length, 2);
    session.connect();
    await clock.settle();
    assert.equal(session.state.status, "ready");
  });

  test("its epoch is that of the account: it stays over outages, and is another one for another account", async () => {
    const { server, session, clock } = await createWorld().ready();
    server.last.transport.terminate();
    await clock.advance(1000);
    assert.deepEqual([session.state.status, session.epoch], ["ready", 0]);
    session.disconnect();
    session.connect();
    await clock.settle();
    assert.deepEqual([session.state.status, session.epoch], ["ready", 0]);
    session.disconnect();
    server.userId = 7002;
    const heard: number[] = [];
    session.onDidChangeState((state) => {
      if (state.status === "ready") heard.push(session.epoch);
    });
    session.connect();
    await clock.settle();
    assert.deepEqual(heard, [1], "known before anyone hears of the account");
  });

  test("a key with a new name, of the same account, is the same one", async () => {
    const { server, session, clock } = await createWorld().ready();
    server.scope = "account:read connection mainaccount name:renamed trade:read_write";
    server.last.transport.terminate();
    await clock.advance(1000);
    assert.equal(session.state.status === "ready" && session.state.identity.scope, server.scope);
  });

  test("another account after a refresh waits too", async () => {
    const world = createWorld();
    world.server.expiresIn = 100;
    await world.ready();
    world.server.scope = "account:read connection name:sub trade:read_write";
    await world.clock.advance(80_000);
    assert.equal(world.session.state.status, "locked");
  });

  test("a changed scope of the same account is shown, whatever its order", async () => {
    const world = createWorld();
    world.server.expiresIn = 100;
    await world.ready();
    world.server.scope = "trade:read name:bot mainaccount connection";
    await world.clock.advance(80_000);
    assert.equal(world.session.state.status === "ready" && world.session.state.identity.scope, world.server.scope);
  });

  test("what the server says of being a test server is heard when it changes", async () => {
    const { session, server, states } = await createWorld().ready();
    server.on("public/test", ({ id }) => ({
      frame: `{"jsonrpc":"2.0","id":${String(id)},"result":{"version":"1"},"testnet":false}`,
    }));
    const before = states.length;
    await session.caller.call("public/test", "{}");
    assert.equal(states.length, before + 1);
    assert.equal(session.state.status === "ready" && session.state.identity.testnet, false);
  });

  test("what has once denied to be a test server becomes none again, on the same link, over an outage, and when the user connects again", async () => {
    const { clock, session, server } = await createWorld().ready();
    const saysTestnet = (): boolean | undefined =>
      session.state.status === "ready" ? session.state.identity.testnet : undefined;
    const environment = (): string =>
      effectiveEnvironment(
        { id: "a", name: "a", declared: "test", url: "", grant: "none", clientId: "" },
        saysTestnet(),
        false,
      ).environment;
    const saying =
      (testnet: boolean) =>
      ({ id }: { readonly id: number }) => ({
        frame: `{"jsonrpc":"2.0","id":${String(id)},"result":{"version":"1"},"testnet":${String(testnet)}}`,
      });
    assert.equal(environment(), "test");
    server.on("public/test", saying(false));
    await session.caller.call("public/test", "{}");
    assert.equal(environment(), "production");
    server.on("public/test", saying(true));
    await session.caller.call("public/test", "{}");
    assert.deepEqual([saysTestnet(), environment()], [false, "production"]);

    server.last.transport.dispose();
    await clock.advance(60_000);
    assert.equal(server.connections.length, 2);
    assert.deepEqual([saysTestnet(), environment()], [false, "production"]);

    session.disconnect();
    session.connect();
    await clock.settle();
    assert.equal(server.connections.length, 3);
    assert.deepEqual([saysTestnet(), environment()], [false, "production"]);
  });
});

describe("pace of reconnecting", () => {
  const lost = (trouble: LinkTrouble): Failure => ({ kind: "connectionLost", trouble, detail: "" });

  test("grows with equal jitter from half a second to thirty", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const backoff = createBackoff(createFakeClock(), createFakeRandom(seed));
      for (let attempt = 0; attempt < 12; attempt++) {
        const fullMs = Math.min(30_000, 500 * 2 ** attempt);
        const delayMs = backoff.nextDelayMs(lost("closedByServer"));
        assert.ok(delayMs >= Math.max(250, fullMs / 2) && delayMs <= fullMs, `${String(attempt)}: ${String(delayMs)}`);
      }
    }
  });

  test("starts anew only after a minute of being ready", async () => {
    const clock = createFakeClock();
    const backoff = createBackoff(clock, () => 0.5);
    for (let attempt = 0; attempt < 8; attempt++) backoff.nextDelayMs(lost("closedByServer"));
    backoff.noteReady();
    await clock.advance(59_999);
    assert.equal(backoff.nextDelayMs(lost("closedByServer")), 22_500);
    backoff.noteReady();
    await clock.advance(60_000);
    assert.equal(backoff.nextDelayMs(lost("closedByServer")), 375);
  });

  test("a restart of the server spreads the first attempts over 1 to 20 s", () => {
    const delays = Array.from({ length: 200 }, (_, seed) =>
      createBackoff(createFakeClock(), createFakeRandom(seed + 1)).nextDelayMs(lost("maintenance")),
    );
    assert.ok(Math.min(...delays) >= 1000 && Math.max(...delays) <= 20_000);
    assert.ok(Math.max(...delays) - Math.min(...delays) > 15_000);
  });

  test("a rate limit and too many connections rest 10 s, then twice as long each time, up to 5 min", () => {
    const backoff = createBackoff(createFakeClock(), () => 0);
    assert.deepEqual(
      [
        lost("rateLimit"),
        lost("tooManyConnections"),
        lost("rateLimit"),
        lost("rateLimit"),
        lost("rateLimit"),
        lost("rateLimit"),
        lost("rateLimit"),
      ].map((each) => backoff.nextDelayMs(each)),
      [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000],
    );
    const hinted = createBackoff(createFakeClock(), () => 0);
    assert.equal(
      hinted.nextDelayMs({ kind: "exchange", code: 10028, message: "too_many_requests", waitSeconds: 25 }),
      25_000,
    );
  });

  test("failures that need a fix are retried slowly from the beginning", () => {
    for (const trouble of [
      "dns",
      "tls",
      "wrongHost",
      "redirect",
      "portal",
      "forbidden",
      "unavailable",
      "proxy",
      "notWebSocket",
    ] as const) {
      assert.ok(
        createBackoff(createFakeClock(), createFakeRandom()).nextDelayMs({
          kind: "cannotConnect",
          trouble,
          detail: "",
        }) >= 2000,
      );
    }
  });

  test("at most 36 dials in ten minutes, however short the delays", async () => {
    const world = createWorld({ random: () => 0 });
    let dials = 0;
    const { clock } = world;
    const crowded = createWorld({
      clock,
      dial: async (signal) => {
        dials++;
        const transport = await world.server.dial(signal);
        world.server.last.transport.close();
        return transport;
      },
    });
    crowded.session.connect();
    await clock.advance(600_000);
    assert.ok(dials <= 36 && dials > 15, String(dials));
    const backoff = createBackoff(clock, () => 0);
    for (let dial = 0; dial < 36; dial++) backoff.noteDial();
    assert.equal(backoff.nextDelayMs(lost("closedByServer")), 600_000);
  });

  test("10028 and then the end of the link rests; an end long after it does not", async () => {
    for (const [pauseMs, isRest] of [
      [0, true],
      [60_000, false],
    ] as const) {
      const { clock, server, session } = await createWorld().ready();
      server.on("private/get_open_orders", () => ({ error: { code: 10028, message: "too_many_requests" } }));
      await session.caller.call("private/get_open_orders", "{}");
      await clock.advance(pauseMs);
      server.last.transport.close();
      await clock.settle();
      const { state } = session;
      assert.ok(state.status === "waiting");
      assert.equal(state.retryAtMs - clock.now() >= 10_000, isRest);
    }
  });
});

describe("a pause that the server asked for", () => {
  test("is not waited for longer because the wall clock was set back", async () => {
    const { server, session, clock } = await createWorld().ready();
    server.on("private/get_open_orders", () => ({ error: { code: 10028, message: "too_many_requests" } }));
    await session.reader.read("private/get_open_orders", {}, { lane: "view" }).catch(() => undefined);
    clock.shiftWall(-3_600_000);
    server.last.transport.terminate();
    await clock.settle();
    const { state } = session;
    assert.equal(state.status, "waiting");
    await clock.advance(300_000);
    assert.equal(session.state.status, "ready");
  });
});
