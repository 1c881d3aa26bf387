import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Disposable } from "../../../src/base/emitter.ts";
import { silentLog } from "../../../src/base/log.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import type { Transport } from "../../../src/rpc/transport.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { SESSION_REFRESH_TOKEN } from "../../../src/catalogue/values.ts";
import { isOfOtherSubject, type Session } from "../../../src/session/session.ts";
import { createExchange, type Exchange } from "../../../src/simulator/wire/exchange.ts";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { ApiKeysStore } from "../../../src/state/apiKeys.ts";
import { createBlockTradesStore, type BlockTradesStore } from "../../../src/state/blockTrades.ts";
import { MmpStore } from "../../../src/state/mmp.ts";
import { createOrdersStore, type OrderItem, type OrdersStore } from "../../../src/state/orders.ts";
import { createQuotesStore, type QuotesStore } from "../../../src/state/quotes.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { watch, type Watched } from "../session/world.ts";
import { sessionPorts } from "../../sessionPorts.ts";

/* Sub-accounts of the simulator: what the stores show against whose it is. */

const METHOD = "public/exchange_token";
const MAIN = 48_595;
const SUB = 48_602;
const EMPTY = 48_604;

type Store = OrdersStore | BlockTradesStore | MmpStore | QuotesStore | ApiKeysStore;

interface Desk extends Disposable {
  readonly clock: FakeClock;
  readonly exchange: Exchange;
  readonly session: Session;
  readonly stores: {
    readonly orders: OrdersStore;
    readonly blockTrades: BlockTradesStore;
    readonly mmp: MmpStore;
    readonly quotes: QuotesStore;
    readonly apiKeys: ApiKeysStore;
  };
  /** Whose rows were seen under whose name: "48595 as 48602" must never be. */
  readonly mixed: string[];
  /** Ids that the user typed, as they are kept. */
  readonly typed: number[];
  switchTo(subject: number, more?: object): Promise<Watched<unknown>>;
  rows(): Record<string, number>;
  subject(): string;
}

async function openDesk(): Promise<Desk> {
  const clock = createFakeClock();
  const exchange = createExchange({ clock, random: createFakeRandom(7), still: true, limits: false });
  addBlockTrades(exchange.control, 3);
  const portsOf = sessionPorts(clock);
  const session = createSession({
    ...portsOf(),
    dial: async (): Promise<Transport> => {
      const [client, server] = createLinkedPair();
      exchange.accept(server);
      return await Promise.resolve(client);
    },
    credentials: async () =>
      await Promise.resolve({
        kind: "client_signature",
        clientId: exchange.clientId,
        clientSecret: exchange.clientSecret,
      }),
    isTracing: () => true,
  });
  const typed = [7];
  const ports = { session, clock, log: silentLog };
  const ids = {
    load: () => [...typed],
    save: async (next: readonly number[]) => {
      await Promise.resolve();
      typed.splice(0, typed.length, ...next);
    },
  };
  const stores = {
    orders: createOrdersStore(ports),
    blockTrades: createBlockTradesStore(ports),
    mmp: new MmpStore(ports),
    quotes: createQuotesStore(ports),
    apiKeys: new ApiKeysStore({ ...ports, ids }),
  };
  const truth = ownerOf(exchange);
  const mixed: string[] = [];
  const look = (store: Store): void => {
    const { state } = session;
    // Without a sign-in, rows are shown under the account of the API key.
    const shownAs = state.status === "ready" ? (state.identity.subject?.id ?? MAIN) : MAIN;
    for (const [key, item] of store.snapshot.items)
      if (truth(key, item) !== undefined && truth(key, item) !== shownAs)
        mixed.push(`${String(truth(key, item))} as ${String(shownAs)}: ${key}`);
  };
  for (const store of Object.values(stores))
    store.onDidChange(() => {
      look(store);
    });
  session.onDidChangeState((state) => {
    for (const store of Object.values(stores)) {
      if (isOfOtherSubject(state))
        assert.deepEqual(
          [...store.snapshot.items].filter(([key, item]) => truth(key, item) !== undefined),
          [],
          "rows of another account are gone when others hear of it",
        );
      look(store);
    }
  });
  session.connect();
  for (const store of [stores.blockTrades, stores.mmp, stores.quotes, stores.apiKeys]) store.setVisible(true);
  await clock.advance(1000);
  return {
    clock,
    exchange,
    session,
    stores,
    mixed,
    typed,
    async switchTo(subject, more = {}) {
      const call = watch(
        session.caller.call(
          METHOD,
          JSON.stringify({ refresh_token: SESSION_REFRESH_TOKEN, subject_id: subject, ...more }),
        ),
      );
      await clock.advance(1000);
      return call;
    },
    rows: () => Object.fromEntries(Object.entries(stores).map(([name, { snapshot }]) => [name, snapshot.items.size])),
    subject: () =>
      session.state.status === "ready"
        ? `${session.state.identity.subject?.name ?? "own"} ${String(session.state.identity.userId)}`
        : session.state.status,
    dispose() {
      for (const store of Object.values(stores)) store.dispose();
      session.dispose();
      exchange.dispose();
    },
  };
}

/** The account that a row is of; undefined for an id that the user typed. Only orders are there in more than one. */
function ownerOf({ control }: Exchange): (key: string, item: object) => number | undefined {
  const keys = new Set(control.apiKeys().map(({ id }) => String(id)));
  return (key, item) => {
    if ("order" in item) return (item as OrderItem).order.user_id;
    return "isTyped" in item && !keys.has(key) ? undefined : MAIN;
  };
}

/** The text of each frame that was sent after the exchange, in order. */
function framesAfter({
  exchange,
}: Desk): { readonly method: string; readonly params: Readonly<Record<string, unknown>>; readonly text: string }[] {
  const all = exchange.control
    .ledger()
    .map(({ text }) => ({ ...(JSON.parse(text) as { method: string; params: Record<string, unknown> }), text }));
  for (const { text } of all) assert.doesNotMatch(text, /\$session/);
  return all.slice(1 + all.findLastIndex(({ method }) => method === METHOD));
}

function tokens(desk: Desk): Set<unknown> {
  return new Set(
    framesAfter(desk)
      .filter(({ method }) => method.startsWith("private/"))
      .map(({ params }) => params["access_token"]),
  );
}

describe("sub-accounts of the simulator", () => {
  test("orders, block trades, protection, quotes and keys are those of the account, and nothing of the other for a moment", async () => {
    const desk = await openDesk();
    const own = desk.rows();
    for (const [name, count] of Object.entries(own)) assert.ok(count > 2, `${name}: ${String(count)}`);
    assert.equal(desk.stores.apiKeys.snapshot.items.get("7")?.isTyped, true);
    const first = tokens(desk);

    assert.equal((await desk.switchTo(SUB)).failure, undefined);
    assert.deepEqual(
      [desk.rows(), desk.subject()],
      [{ orders: 2, blockTrades: 0, mmp: 0, quotes: 0, apiKeys: 0 }, "simulator_options 48602"],
    );
    for (const { snapshot } of Object.values(desk.stores)) assert.equal(snapshot.status, "live");
    assert.deepEqual(
      [...desk.stores.orders.snapshot.items.values()].map(({ order }) => order.label),
      ["sub", "sub"],
    );
    assert.equal(tokens(desk).size, 1, "one token, the new one, after the exchange");
    for (const token of tokens(desk)) assert.ok(!first.has(token));

    // Changes of the main account are not shown; changes of this one are.
    desk.exchange.control.cancel(desk.exchange.control.openOrders()[0]!.order_id);
    await desk.clock.advance(100);
    assert.equal(desk.rows()["orders"], 2);
    const [mine] = desk.stores.orders.snapshot.items.keys();
    await desk.session.caller.call("private/cancel", JSON.stringify({ order_id: mine }));
    await desk.clock.advance(100);
    assert.equal(desk.stores.orders.snapshot.items.get(mine!)?.order.order_state, "cancelled");

    desk.session.backToMain();
    await desk.clock.advance(1000);
    assert.deepEqual([desk.rows(), desk.subject()], [{ ...own, orders: own["orders"]! - 1 }, "own 48595"]);
    assert.deepEqual(desk.mixed, []);
    desk.dispose();
  });

  test("ids that were typed belong to the key's own account", async () => {
    const desk = await openDesk();
    await desk.switchTo(SUB);
    await desk.stores.apiKeys.addId(9);
    assert.deepEqual([[...desk.stores.apiKeys.snapshot.items.keys()], desk.typed], [["9"], [7]]);
    desk.session.backToMain();
    await desk.clock.advance(1000);
    assert.ok(desk.stores.apiKeys.snapshot.items.has("7") && !desk.stores.apiKeys.snapshot.items.has("9"));
    assert.deepEqual([desk.typed, desk.mixed], [[7], []]);
    desk.dispose();
  });

  test("a lost link while it is switched: the main account is back, and nothing of the other stands under its name", async () => {
    const desk = await openDesk();
    const own = desk.rows();
    await desk.switchTo(SUB);
    desk.exchange.control.disconnectAll("reset");
    await desk.clock.settle();
    assert.deepEqual([desk.session.state.status, desk.rows()["orders"]], ["waiting", 0]);
    await desk.clock.advance(30_000);
    assert.deepEqual([desk.rows(), desk.subject(), desk.mixed], [own, "own 48595", []]);
    desk.dispose();
  });

  test("tokens that the exchange drops while it is switched: the main account is back", async () => {
    const desk = await openDesk();
    await desk.switchTo(SUB);
    desk.exchange.control.expireTokens();
    void desk.stores.orders.refresh();
    await desk.clock.advance(30_000);
    assert.deepEqual([desk.subject(), desk.rows()["orders"], desk.mixed], ["own 48595", 24, []]);
    assert.equal(desk.exchange.control.ledger().filter(({ method }) => method === "public/auth").length, 2);
    desk.dispose();
  });

  test("tokens that end while it is switched are renewed as the same account", async () => {
    const desk = await openDesk();
    await desk.switchTo(SUB, { scope: "account:read trade:read session:desk" });
    const before = tokens(desk);
    await desk.clock.advance(800_000);
    await desk.session.caller.call("private/get_open_orders", "{}");
    const renewed = [...tokens(desk)].filter((token) => !before.has(token));
    assert.ok(renewed.length > 0);
    assert.deepEqual([desk.subject(), desk.rows()["orders"], desk.mixed], ["simulator_options 48602", 2, []]);
    desk.dispose();
  });

  test("an account that is not the caller's: refused, and everything stays", async () => {
    const desk = await openDesk();
    const own = desk.rows();
    const { generation } = desk.session.caller;
    assert.match(JSON.stringify((await desk.switchTo(5)).value), /invalid subject_id/);
    assert.deepEqual([desk.rows(), desk.subject(), desk.session.caller.generation], [own, "own 48595", generation]);
    desk.dispose();
  });

  test("a narrower scope is shown as granted, and what it does not allow is not asked", async () => {
    const desk = await openDesk();
    await desk.switchTo(EMPTY, { scope: "account:read trade:read" });
    assert.ok(desk.session.state.status === "ready");
    assert.equal(desk.session.state.identity.scope, "account:read connection name:simulator trade:read");
    assert.equal(desk.stores.quotes.snapshot.failure?.kind, "missingScope");
    assert.deepEqual([desk.rows()["orders"], desk.rows()["quotes"], desk.mixed], [0, 0, []]);
    desk.dispose();
  });

  const faults: readonly (readonly [string, Omit<Fault, "method">])[] = [
    ["carried out, and the link is cut in place of the response", { response: "none", link: "reset" }],
    ["not carried out, and the link is cut", { effect: "skipped", response: "none", link: "reset" }],
    ["carried out, and never answered", { response: "none" }],
    ["carried out, and answered too late", { holdMs: 16_000 }],
    ["carried out, and answered with an error that proves nothing", { response: { code: 10001 } }],
    ["carried out, and answered with half a text", { mutate: { how: "truncate" } }],
    ["carried out, and its token is no text", { mutate: { how: "wrongType", member: "access_token" } }],
  ];
  for (const [name, fault] of faults) {
    test(`${name}: the main account through its key, the old refresh token never again`, async () => {
      const desk = await openDesk();
      const own = desk.rows();
      desk.exchange.control.setFault({ method: METHOD, ...fault });
      const call = await desk.switchTo(SUB);
      await desk.clock.advance(60_000);
      assert.ok(call.isSettled);
      assert.notEqual(call.failure?.kind, "refused");
      assert.deepEqual([desk.rows(), desk.subject(), desk.mixed], [own, "own 48595", []]);
      const exchanges = desk.exchange.control.ledger().filter(({ method }) => method === METHOD);
      assert.equal(exchanges.length, 1);
      const { refresh_token: used } = (JSON.parse(exchanges[0]!.text) as { params: { refresh_token: string } }).params;
      assert.equal(desk.exchange.control.ledger().filter(({ text }) => text.includes(used)).length, 1);
      desk.dispose();
    });
  }

  test("the link is lost between the exchange and the first use of its token: the main account, not the other by itself", async () => {
    const desk = await openDesk();
    desk.exchange.control.setFault({ method: "public/unsubscribe_all", response: "none", link: "reset" });
    const call = await desk.switchTo(SUB);
    assert.equal(call.failure?.kind, "connectionLost");
    await desk.clock.advance(60_000);
    assert.deepEqual([desk.subject(), desk.rows()["orders"], desk.mixed], ["own 48595", 24, []]);
    desk.dispose();
  });

  test("the exchange signs in another account: locked, nothing is shown, nothing can be done", async () => {
    const desk = await openDesk();
    desk.exchange.control.setFault({
      method: "private/get_account_summaries",
      mutate: { how: "set", member: "id", value: EMPTY },
    });
    const call = await desk.switchTo(SUB);
    assert.equal(call.failure?.kind, "unreadableResult");
    assert.ok(desk.session.state.status === "locked" && desk.session.state.isOtherSubject === true);
    assert.deepEqual(Object.values(desk.rows()).slice(0, 4), [0, 0, 0, 0]);
    const cancel = watch(desk.session.caller.call("private/cancel", "{}"));
    await desk.clock.settle();
    assert.equal(cancel.failure?.kind, "notConnected");
    desk.dispose();
  });

  test("a reading of the main account that hangs does not hold the other one's back", async () => {
    const desk = await openDesk();
    for (const method of ["private/get_block_trades", "private/get_block_rfq_quotes", "private/get_open_orders"])
      desk.exchange.control.setFault({ method, holdMs: 9000 });
    for (const store of [desk.stores.blockTrades, desk.stores.quotes, desk.stores.orders]) void store.refresh();
    await desk.clock.settle();
    await desk.switchTo(SUB);
    assert.deepEqual(desk.rows(), { orders: 2, blockTrades: 0, mmp: 0, quotes: 0, apiKeys: 0 });
    for (const { snapshot } of Object.values(desk.stores)) assert.equal(snapshot.status, "live");
    await desk.clock.advance(20_000);
    assert.deepEqual(
      [desk.rows(), desk.stores.blockTrades.hasMore, desk.stores.quotes.rfqs.size, desk.mixed],
      [{ orders: 2, blockTrades: 0, mmp: 0, quotes: 0, apiKeys: 0 }, false, 0, []],
    );
    desk.dispose();
  });

  test("a key that is changed as the main account while the switch is under way is not shown as the other's", async () => {
    const desk = await openDesk();
    const key = desk.exchange.control.apiKeys()[2]!;
    desk.exchange.control.setFault({ method: "private/change_scope_in_api_key", holdMs: 5000 });
    const change = watch(
      desk.session.caller.call(
        "private/change_scope_in_api_key",
        JSON.stringify({ id: key["id"], max_scope: "account:read" }),
      ),
    );
    await desk.clock.settle();
    await desk.switchTo(SUB);
    await desk.clock.advance(5000);
    assert.equal(change.failure, undefined);
    desk.stores.apiKeys.take(change.value!);
    assert.deepEqual([desk.rows()["apiKeys"], desk.mixed], [0, []]);
    desk.dispose();
  });
});
