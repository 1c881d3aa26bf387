import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { silentLog, type Log } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import {
  exchangeOutcome,
  trafficEntryText,
  trafficText,
  type TrafficSource,
} from "../../../src/present/observing/trafficDocument.ts";
import { createTrafficList, type TrafficList } from "../../../src/present/observing/trafficList.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { TrafficRecorder, RECENT_EXCHANGES, type RecordedCall } from "../../../src/rpc/traffic.ts";
import type { HttpServer } from "../../../src/rpc/transport.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { openOrders, type Order } from "../../../src/state/orders.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { asPlain } from "../../asPlain.ts";

/* What goes to and fro on a connection to the simulator: request and response joined, and nothing of it secret. */

const times = createTimes(0);

interface Watched extends World {
  readonly list: TrafficList;
  stop(): void;
}

/** Connected, and watched as a document does it: from the beginning, the sign-in too. */
async function watched(options: WorldOptions = {}): Promise<Watched> {
  const world = createWorld({ orders: 3, ...options });
  const list = createTrafficList();
  const watching = world.live.traffic.watch({
    onBegin: (exchange, text) => list.begin(exchange, world.clock.now(), text),
    onEnd: (exchange, text) => void list.end(exchange, world.clock.now(), text),
    onEvent(channel, length, text) {
      list.countEvent(channel);
      list.addEvent({ channel, atMs: world.clock.now(), length, text: text() });
    },
  });
  await world.connect();
  return { ...world, list, stop: () => watching.dispose() };
}

function request(method: string, params: object, more: Partial<Intent> = {}): Intent {
  return {
    method,
    paramsText: JSON.stringify(params),
    origin: "requestFile",
    words: { action: plain`Send`, target: asPlain(method), detail: [], keep: plain`Keep` },
    ...more,
  };
}

const firstOrder = ({ live }: World): Order => {
  const [order] = openOrders(live.orders.snapshot);
  assert.ok(order);
  return order;
};

const cancel = (world: World, order: Order): Intent =>
  cancelOrder(order, { origin: "palette", nowMs: world.clock.now(), current: () => order });

const of = ({ list }: Watched, method: string): RecordedCall[] =>
  list.items.flatMap(({ exchange }) => (exchange?.method === method ? [exchange] : []));

const source = ({ list, live }: Watched, more: Partial<TrafficSource> = {}): TrafficSource => ({
  place: live.place,
  state: "live",
  list,
  filter: "",
  isFailedOnly: false,
  areEventsListed: false,
  sincePause: 0,
  budgets: [],
  times,
  ...more,
});

describe("the traffic of a connection", () => {
  test("a request and its response are one entry, with who asked, the id on the wire, sizes and where the time went", async () => {
    const world = await watched();
    const read = world.live.gate.submit(request("private/get_open_orders", { kind: "future" }));
    await world.clock.advance(1000);
    assert.equal((await read).kind, "confirmed");
    const [ofView, ofFile, ...more] = of(world, "private/get_open_orders");
    assert.deepEqual(more, []);
    assert.deepEqual([ofView?.asker, ofFile?.asker], ["view", "requestFile"]);
    assert.ok(ofFile?.end?.timing && ofView?.end?.timing);
    const [frame] = world.frames("private/get_open_orders").slice(-1);
    assert.equal(ofFile.wireId, (JSON.parse(frame ?? "{}") as { readonly id?: number }).id);
    assert.equal(exchangeOutcome(ofFile), "answered");
    const item = world.list.items.find(({ exchange }) => exchange === ofFile);
    assert.equal(item?.sentText, '{"access_token":"‹hidden›","kind":"future"}');
    assert.equal(item.receivedText?.length, ofFile.end.receivedLength);
    const outcome = await read;
    assert.ok(
      outcome.kind === "confirmed" && item.receivedText === outcome.response.bodyText,
      "the same digits as in the response",
    );
    assert.deepEqual(ofFile.end.timing, outcome.response.timing);
    world.live.dispose();
  });

  test("the session's own calls, those of views and of commands are told apart; subscriptions are calls, their events are counted", async () => {
    const world = await watched();
    const order = firstOrder(world);
    const cancelling = world.live.gate.submit(cancel(world, order));
    await world.clock.advance(1000);
    assert.equal((await cancelling).kind, "confirmed");
    const askers = Object.fromEntries(
      world.list.items.flatMap(({ exchange }) => (exchange === undefined ? [] : [[exchange.method, exchange.asker]])),
    );
    assert.deepEqual(
      [askers["public/auth"], askers["private/subscribe"], askers["private/cancel"]],
      ["session", "view", "command"],
    );
    assert.equal(of(world, "private/cancel").length, 1);
    const [channel, count] = [...world.list.events].find(([name]) => name.startsWith("user.orders")) ?? [];
    assert.ok(channel !== undefined && count !== undefined && count > 0);
    const event = world.list.items.find((item) => item.exchange === undefined && item.channel === channel);
    assert.match(event?.receivedText ?? "", new RegExp(`"method":"subscription".*${order.order_id}`));
    world.live.dispose();
  });

  const cases: readonly [
    string,
    "read" | "cancel",
    Parameters<World["exchange"]["control"]["setFault"]>[0],
    string,
    RegExp,
  ][] = [
    ["a read without a response", "read", { response: "none" }, "noResponse", /no response · 10 s$/],
    ["a cancel without a response", "cancel", { response: "none" }, "unknown", /outcome unknown · 15 s$/],
    ["a cancel, the link goes", "cancel", { link: "close", response: "none" }, "unknown", /outcome unknown · /],
    ["a read, the link goes", "read", { link: "close", response: "none" }, "noResponse", /no response · /],
    [
      "a refused cancel",
      "cancel",
      { effect: "skipped", response: { code: 11044 } },
      "error",
      /error 11044 not_open_order · /,
    ],
    [
      "a cancel with an error that proves nothing",
      "cancel",
      { effect: "applied", response: { code: 13888 } },
      "unknown",
      /error 13888 timed_out, outcome unknown · /,
    ],
    [
      "a cancel whose response cannot be read",
      "cancel",
      { mutate: { how: "drop", member: "order_id" } },
      "unknown",
      /outcome unknown · /,
    ],
    [
      "a read whose response has another shape",
      "read",
      { mutate: { how: "wrongType" } },
      "odd",
      /response not as documented · /,
    ],
  ];
  for (const [name, what, fault, outcome, words] of cases) {
    test(`${name}: ${outcome}`, async () => {
      const world = await watched();
      const method = what === "cancel" ? "private/cancel" : "private/get_open_orders";
      world.exchange.control.setFault({ ...fault, method });
      const submitted = world.live.gate.submit(
        what === "cancel" ? cancel(world, firstOrder(world)) : request(plain`${asPlain(method)}`, { kind: "future" }),
      );
      await world.clock.advance(500);
      await world.clock.advance(20_000);
      await submitted;
      const exchange = of(world, method).find(({ asker }) => asker !== "view");
      assert.ok(exchange);
      assert.equal(exchangeOutcome(exchange), outcome);
      assert.equal(typeof exchange.wireId, "number");
      const { text, items } = trafficText(source(world, { isFailedOnly: true }));
      const line = [...items].find(([, item]) => item.exchange === exchange)?.[0] ?? 0;
      assert.match(text.split("\n")[line] ?? "", words);
      world.live.dispose();
    });
  }

  test("while it waits it says so; a response after the time-out joins its request", async () => {
    const world = await watched();
    world.exchange.control.setFault({ method: "private/cancel", holdMs: 16_000 });
    const cancelling = world.live.gate.submit(cancel(world, firstOrder(world)));
    await world.clock.advance(5000);
    const [exchange] = of(world, "private/cancel");
    assert.ok(exchange);
    assert.equal(exchangeOutcome(exchange), "waiting");
    assert.match(trafficText(source(world)).text, /private\/cancel .*pending\n/);
    await world.clock.advance(10_000);
    assert.equal((await cancelling).kind, "unknown");
    assert.equal(exchangeOutcome(exchange), "unknown");
    await world.clock.advance(2000);
    assert.equal(exchangeOutcome(exchange), "answered");
    assert.match(
      trafficText(source(world)).text,
      /private\/cancel .*response received · late, no longer awaited · 16\u202F000 ms \(/,
    );
    assert.equal(of(world, "private/cancel").length, 1);
    world.live.dispose();
  });

  test("what was refused here is shown as not sent", async () => {
    const world = await watched();
    const sent = world.live.gate.submit(
      request("public/get_instrument", { instrument_name: "x".repeat(40_000) }, { origin: "palette" }),
      { sendAnyway: true },
    );
    await world.clock.advance(1000);
    await sent;
    const [exchange] = of(world, "public/get_instrument");
    assert.ok(exchange);
    assert.equal(exchangeOutcome(exchange), "notSent");
    assert.equal(exchange.wireId, undefined);
    world.live.dispose();
  });

  test("without a watcher a limited number of requests is kept, without their texts; a disposed watcher gets no more calls", async () => {
    const world = createWorld({ orders: 3 });
    await world.connect();
    for (let round = 0; round < RECENT_EXCHANGES + 10; round++) {
      void world.live.gate.submit(request("public/test", { expected_result: "canary-text" }));
      await world.clock.settle();
    }
    assert.equal(world.live.traffic.recent.length, RECENT_EXCHANGES);
    assert.deepEqual(new Set(world.live.traffic.recent.map(({ method }) => method)), new Set(["public/test"]));
    const ids = world.live.traffic.recent.map(({ wireId }) => wireId ?? 0);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.doesNotMatch(JSON.stringify(world.live.traffic.recent), /canary-text/);
    const seen: string[] = [];
    const watching = world.live.traffic.watch({
      onBegin: ({ method }) => seen.push(method),
      onEnd: () => undefined,
      onEvent: () => undefined,
    });
    void world.live.gate.submit(request("public/test", {}));
    await world.clock.settle();
    watching.dispose();
    void world.live.gate.submit(request("public/get_time", {}));
    await world.clock.settle();
    assert.deepEqual(seen, ["public/test"]);
    world.live.dispose();
  });

  test("a watcher that throws does not disturb the session", async () => {
    const world = createWorld({ orders: 3 });
    const fail = (): never => {
      throw new Error("broken view");
    };
    world.live.traffic.watch({ onBegin: fail, onEnd: fail, onEvent: fail });
    await world.connect();
    assert.equal(world.live.state.status, "ready");
    assert.ok(world.logged.some((line) => line.includes("broken view")));
    world.live.dispose();
  });
});

describe("no secret is in the traffic", () => {
  test("of the sign-in, of tokens, of an error that repeats what it was sent, of a second factor", async () => {
    const world = await watched({
      clientSecret: "canary-secret-4711",
      credentials: { kind: "client_credentials", clientId: "canary-id", clientSecret: "canary-secret-4711" },
      clientId: "canary-id",
    });
    world.exchange.control.setFault({
      method: "private/get_open_orders",
      effect: "skipped",
      response: { code: 11050, message: "bad_request canary-secret-4711" },
    });
    void world.live.gate.submit(request("private/get_open_orders", { kind: "future" }));
    world.exchange.control.setFault({
      method: "public/get_time",
      mutate: {
        how: "result",
        value: { security_key_authorization_required: true, rp_id: "x", challenge: "canary-challenge-99" },
      },
    });
    void world.live.gate.submit(request("public/get_time", {}));
    world.exchange.control.sendText(
      '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":{"api_secret":"canary-of-an-event"}}}',
    );
    await world.clock.advance(1000);
    const tokens = world
      .frames("private/get_open_orders")
      .flatMap(
        (frame) =>
          (JSON.parse(frame) as { readonly params: { readonly access_token?: string } }).params.access_token ?? [],
      );
    assert.ok(tokens.length > 0 && tokens.every((token) => token.length > 10));
    const texts = [
      trafficText(source(world, { areEventsListed: true })).text,
      ...world.list.items.map((item) => trafficEntryText(item, { place: "TESTNET lab", times })),
      JSON.stringify(world.live.traffic.recent),
    ];
    assert.ok(
      texts.some((text) => text.includes("client_credentials")) && texts.some((text) => text.includes("‹hidden›")),
      "there is something to hide",
    );
    for (const secret of ["canary-secret-4711", "canary-challenge-99", "canary-of-an-event", ...tokens])
      assert.deepEqual(
        texts.filter((text) => text.includes(secret)),
        [],
        secret,
      );
    world.live.dispose();
  });

  test("what cannot be read whole is not shown", async () => {
    const world = await watched();
    world.exchange.control.setFault({
      method: "public/test",
      mutate: { how: "text", text: '{"jsonrpc":"2.0","id":1,"result":{"client_secret":"canary-cut' },
    });
    void world.live.gate.submit(request("public/test", {}));
    await world.clock.advance(20_000);
    for (const item of world.list.items)
      assert.doesNotMatch(trafficEntryText(item, { place: "TESTNET lab", times }), /canary-cut/);
    world.live.dispose();
  });
});

describe("over HTTP", () => {
  test("each request is an entry of its own, and so is one whose connection is refused", async () => {
    const clock = createFakeClock();
    const lines: string[] = [];
    const log: Log = {
      ...silentLog,
      debug: (text) => {
        lines.push(text);
      },
    };
    let isDebugging = false;
    const traffic = new TrafficRecorder({ clock, log, isDebugging: () => isDebugging });
    let isDown = false;
    const server: HttpServer = {
      origin: "http://127.0.0.1:1",
      basePath: "/api/v2",
      openExchange: () => ({
        async send(_request, { onSend }) {
          onSend();
          await Promise.resolve();
          if (isDown) throw new Error("ECONNREFUSED");
          return {
            status: 200,
            location: undefined,
            text: '{"jsonrpc":"2.0","result":{"version":"1"},"usIn":1000,"usOut":3000,"usDiff":2000}',
          };
        },
        dispose: () => undefined,
      }),
    };
    let ids = 0;
    const session = createSession({
      dial: async () => await Promise.resolve(server),
      credentials: async () => await Promise.resolve({ kind: "none" }),
      ...{
        client: { name: "test", version: "0" },
        clock,
        random: createFakeRandom(1),
        log: silentLog,
        nextWireId: () => ++ids,
        nextGeneration: () => ++ids,
        limits: "off",
        isTracing: () => false,
        traffic,
      },
    });
    session.connect();
    await clock.settle();
    await session.caller.call("public/test", "{}");
    isDown = true;
    isDebugging = true;
    await assert.rejects(session.caller.call("public/test", "{}"));
    const [answered, failed] = traffic.recent.slice(-2);
    assert.deepEqual(
      [answered?.way, answered && exchangeOutcome(answered), answered?.end?.timing?.exchangeMs],
      ["http", "answered", 2],
    );
    assert.equal(failed && exchangeOutcome(failed), "noResponse");
    // At level debug the log has a line for each, without its texts; above it none is made.
    assert.deepEqual(lines, ["public/test by session over http · wire 4 · 0 ms · sent 2, received 0 · bug"]);
    session.dispose();
  });
});
