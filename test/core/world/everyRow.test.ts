import assert from "node:assert/strict";
import * as fs from "node:fs";
import { beforeAll, describe, test } from "vitest";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { Failure } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import type { Row } from "../../../src/present/rows/row.ts";
import type { SessionState } from "../../../src/session/session.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { TREE_NAMES, type TreeName } from "../../../src/base/viewNames.ts";
import { createStartTree } from "../../../src/present/connections/startRows.ts";
import { draw, flat, lookAtAll, shownOf, SPOKEN, viewsOf, withSnapshots, type Shown } from "../../everyView.ts";
import { createFillsStore } from "../../../src/state/fills.ts";
import { createWorld, type World } from "../../world.ts";

/*
 * Rows of every kind of every view: what is said of each to those who hear it, and that the keyboard reaches what can
 * be done with it.
 */

interface KindOfRow {
  readonly view: TreeName;
  readonly row: Row;
}

/** The first row of each kind that was seen, by view and kind; and all rows. */
const kinds = new Map<string, KindOfRow>();
const all: KindOfRow[] = [];

/** What a row is, without the state that it is in: the connection's other flags, and whether it is up to date. */
function kindOf({ contextValue }: Row): string {
  const [first = "", status = ""] = contextValue.split(".");
  return first === "connection" ? `${first}.${status}` : contextValue.replace(/\.stale$/, "");
}

function see(...shown: readonly Shown[]): void {
  const trees = { ...viewsOf(shown), start: createStartTree(() => shown.map(({ connection }) => connection)) };
  for (const view of TREE_NAMES) {
    for (const { row } of flat(draw(trees[view]))) {
      const name = `${view} ${kindOf(row)}`;
      if (!kinds.has(name)) kinds.set(name, { view, row });
      all.push({ view, row });
    }
  }
}

/** Sends a cancel that the simulator responses, or does not. */
async function cancel({ live, exchange, clock }: World, at: number, response: "sent" | "none"): Promise<void> {
  const { order } = [...live.orders.snapshot.items.values()][at]!;
  if (response === "none")
    exchange.control.setFault({ method: "private/cancel", times: 1, effect: "skipped", response });
  void live.gate.submit(
    cancelOrder(order, {
      origin: "view",
      nowMs: clock.now(),
      ...orderLookups(live.orders),
    }),
  );
  await clock.advance(1000);
}

/** Few enough block trades that all rows can be drawn in every state. */
function shortOf(world: World): Shown {
  const shown = shownOf(world);
  const { snapshot, hasMore, isLoadingMore, arrivals } = shown.blockTrades;
  const telling = [...snapshot.items.values()]
    .filter((trade) => (trade.trades ?? []).some((leg) => (leg.allocations ?? leg.trade_allocations ?? []).length > 0))
    .slice(0, 1);
  const items = new Map([...[...snapshot.items.values()].slice(0, 1), ...telling].map((trade) => [trade.id, trade]));
  return { ...shown, blockTrades: { snapshot: { ...snapshot, items }, hasMore, isLoadingMore, arrivals } };
}

/** The same connection without a key. */
function keylessOf(shown: Shown): Shown {
  const unread = withSnapshots(shown, () => ({
    status: "failed",
    items: new Map<string, never>(),
    readAtMs: undefined,
    failure: { kind: "noKey" },
    unreadable: [],
  }));
  return {
    ...unread,
    connectionId: "public",
    connectionName: "public",
    connection: {
      ...shown.connection,
      record: { ...shown.connection.record, id: "public", name: "public", grant: "none", clientId: "" },
      isActive: false,
    },
    account: {
      snapshot: unread.account.snapshot,
      profile: {},
      newest: undefined,
      owned: { ...shown.account.owned, accounts: [] },
    },
    mmp: { snapshot: unread.mmp.snapshot, parts: [] },
    apiKeys: { ...unread.apiKeys, inUseClientId: undefined, grantedScope: undefined },
  };
}

/** The same connection with collateral that all currencies share, and with positions, one of which is closed. */
function invested(shown: Shown): Shown {
  const { account, positions } = shown;
  const cross = { currency: "USDT", equity: 55, cross_collateral_enabled: true, total_equity_usd: 54.924283065 };
  const btc = { equity: 12.5, margin_balance: 12.5, initial_margin: 0.5, maintenance_margin: 0, available_funds: 12 };
  const summaries = [
    { currency: "BTC", ...btc, margin_model: "segregated_sm" },
    ...["EURR", "SOL"].map((currency) => ({ currency, equity: 0 })),
  ].map((each) => [each.currency, each] as const);
  const accounts = [
    { id: 48_595, username: "simulator", type: "main", portfolio: { btc: { currency: "btc", ...btc } } },
  ];
  const items = [
    { instrument_name: "BTC-PERPETUAL", direction: "buy", size: 10, total_profit_loss: -0.5, average_price: 15_000 },
    { instrument_name: "BTC-PERPETUAL-CLOSED", direction: "zero", size: 0 },
  ].map((each) => [each.instrument_name, each] as const);
  const steps = { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined };
  const known = { kind: "future", id: undefined, isActive: true, expiresAtMs: undefined, steps };
  return {
    ...shown,
    account: {
      ...account,
      snapshot: { ...account.snapshot, items: new Map(summaries) },
      newest: cross,
      owned: { ...account.owned, accounts: [...accounts, { id: 48_602, username: "simulator_options" }] },
    },
    positions: {
      snapshot: { ...positions.snapshot, items: new Map(items) },
      instrumentOf: ({ instrument_name: name }) => ({
        ...known,
        name,
        currencies: { base: "BTC", quote: "USD", settlement: name.endsWith("CLOSED") ? "ETH" : "BTC" },
      }),
    },
  };
}

const REFUSED: Failure = { kind: "cannotConnect", trouble: "refused", detail: "" };
const ODD = { order_id: 1, what: "else" };

async function seeWorld(): Promise<void> {
  const world = createWorld({ orders: 8 });
  const { control } = world.exchange;
  addBlockTrades(control);
  const partly = control.openOrders().find(({ display_amount: shown }) => shown !== undefined);
  control.fill(partly?.order_id ?? "", 3000);
  await world.connect();
  world.exchange.control.freezeMmp({ index_name: "btc_usd", mmp_group: "g1" }, world.clock.now() + 3_600_000);
  await lookAtAll(world);
  await world.live.apiKeys.addId(77);
  see(invested(shortOf(world)));
  see(shortOf(world));
  await cancel(world, 0, "sent");
  see(shortOf(world));
  world.exchange.control.setFault({ method: "private/get_order_state", times: 1000, response: { code: 10_041 } });
  await cancel(world, 1, "none");
  see(shortOf(world));
  await world.clock.advance(120_000);
  const shown = shortOf(world);
  see(shown);
  see(shown, { ...shown, connectionId: "desk", connectionName: "desk" });
  see(shown, keylessOf(shown));
  see({
    ...shown,
    intents: shown.intents.map((intent, at) =>
      at === 0 ? { ...intent, note: { ...intent.note, connectionName: "desk" } } : intent,
    ),
  });
  see({ ...shown, firstRows: 1 });
  const states: readonly SessionState[] = [
    { status: "off" },
    { status: "connecting", generation: 2 },
    { status: "authenticating", generation: 2 },
    { status: "waiting", retryAtMs: shown.nowMs + 8000, failure: REFUSED },
    { status: "locked", failure: REFUSED },
  ];
  for (const state of states) see({ ...shown, connection: { ...shown.connection, state, latencyMs: undefined } });
  const unread = withSnapshots(shown, (snapshot) => ({ ...snapshot, status: "stale", unreadable: [ODD] }));
  see({
    ...unread,
    mmp: {
      snapshot: unread.mmp.snapshot,
      parts: shown.mmp.parts.map((part) =>
        part.name === "orders"
          ? part
          : {
              ...part,
              snapshot: {
                ...part.snapshot,
                status: "failed",
                failure: { kind: "missingScope", scope: "block_rfq:read" },
              },
            },
      ),
    },
  });
  const resting = control.place({ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 100, price: 92_000 });
  for (const amount of [40, 60]) control.fill(resting.order_id, amount);
  const reading = world.live.storeOf(createFillsStore).refresh();
  await world.clock.advance(20_000);
  await reading;
  see(shortOf(world));
  world.live.dispose();
}

/** Where keys are not listed, one is in use and another one was seen in a response. */
async function seeBareServer(): Promise<void> {
  const world = createWorld({ methods: "contract" });
  addBlockTrades(world.exchange.control);
  await world.connect();
  await lookAtAll(world);
  void world.live.gate.submit({
    method: "private/change_scope_in_api_key",
    paramsText: '{"id":2,"max_scope":"trade:read"}',
    words: { action: plain`Change`, target: plain`key 2`, detail: [], keep: plain`Keep` },
    origin: "palette",
  });
  await world.clock.advance(1000);
  see(shortOf(world));
  world.live.dispose();
}

const looked = Promise.all([seeWorld(), seeBareServer()]);

describe("a sentence for every row", () => {
  beforeAll(async () => {
    await looked;
  });

  test("each kind has the one that stands here", () => {
    assert.deepEqual(Object.fromEntries([...kinds].map(([name, { row }]) => [name, row.spoken]).sort()), SPOKEN);
  });

  test("the kinds that the sources name are all among them", () => {
    const named = fs
      .readdirSync("src/present", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) =>
        [
          ...fs
            .readFileSync(`src/present/${name}`, "utf8")
            .matchAll(/contextValue: "([^"]+)"|_(?:CONTEXT|ACTIVITY) = "([^"]+)"/g),
        ].map((match) => match[1] ?? match[2] ?? ""),
      );
    const seen = new Set(all.map(({ row }) => kindOf(row)));
    assert.ok(named.length > 15);
    const found = named.filter((kind) => !seen.has(kind));
    assert.deepEqual(found, []);
  });

  test("no row of any state is silent, says its label alone, leaves its label out, or reads signs aloud", () => {
    assert.ok(all.length > 3000);
    for (const { view, row } of all) {
      const about = `${view} ${row.contextValue}: ${row.label} | ${row.spoken}`;
      assert.match(row.spoken, /\S/, about);
      assert.notEqual(row.spoken.replace(/\.$/, ""), row.label.replace(/…$/, ""), about);
      assert.doesNotMatch(row.spoken, / · |\$\(|undefined|\[object|\d[eE][+-]?\d/, about);
    }
  });

  test("what is to be seen of a row is to be heard: its state, and that it is not up to date", () => {
    assert.ok(all.some(({ row }) => /\bstale\b/.test(row.description)));
    for (const { view, row } of all) {
      if (/\bstale\b/.test(row.description))
        assert.match(row.spoken, /stale|[Nn]ot up to date/, `${view} ${row.label}`);
      if (/\bfrozen\b/.test(row.description)) assert.match(row.spoken, /frozen/, `${view} ${row.label}`);
      if (/\bunknown\b/.test(row.description) && view === "orders")
        assert.match(row.spoken, /unknown/, `${view} ${row.label}`);
    }
  });
});

interface MenuItem {
  readonly command: string;
  /** In the place of a command, for a menu within a menu. */
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

const { contributes } = JSON.parse(fs.readFileSync("package.json", "utf8")) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
  };
};

/** Whether a clause holds for a row, with every other context as it is where everything is allowed. */
function holds(when: string, view: TreeName, row: Row): boolean {
  return when.split(" && ").every((term) => {
    if (term.startsWith("view == ")) return term === `view == tradingRpc.${view}`;
    if (term.startsWith("viewItem == ")) return term === `viewItem == ${row.contextValue}`;
    if (term.startsWith("viewItem =~ "))
      return new RegExp(term.slice("viewItem =~ /".length, -1)).test(row.contextValue);
    assert.match(term, /^!?(?:tradingRpc\.|listMultiSelection$)/);
    return true;
  });
}

function itemsOf({ view, row }: KindOfRow): readonly MenuItem[] {
  return (contributes.menus["view/item/context"] ?? []).filter(({ when = "" }) => holds(when, view, row));
}

/**
 * Inline buttons that are commands of their own, because they mean their row and no selection; and what stands for them
 * elsewhere.
 */
const INLINE_ONLY: Readonly<Record<string, string>> = {
  "tradingRpc.order.cancelRow": "tradingRpc.order.cancel",
  "tradingRpc.quote.cancelRow": "tradingRpc.quote.cancel",
};

/** Kinds without a menu, and why. */
const WITHOUT_MENU: Readonly<Record<string, string>> = {
  "start start": "Enter runs it",
  "orders orders.more": "Enter runs it",
  ...Object.fromEntries(
    ["account", "blockTrades", "fills", "mmp", "orders", "positions", "quotes"].map((view) => [
      `${view} fields`,
      "only opens and closes",
    ]),
  ),
  "blockTrades blockTrades.more": "Enter runs it",
  "activity activity.more": "Enter runs it",
  "apiKeys apiKey.secret": "there is nothing to copy",
  "activity activity.connection": "only opens and closes",
};

/** Commands that are neither in the palette nor in the menu of a row, and where the keyboard finds them instead. */
const NOT_IN_PALETTE: Readonly<Record<string, string>> = {
  "tradingRpc.orders.loadMore": "Enter on its row",
  "tradingRpc.blockTrades.loadMore": "Enter on its row",
  "tradingRpc.activity.showMore": "Enter on its row",
  "tradingRpc.response.sendAnyway": "a lens of the response",
  "tradingRpc.response.act": "a lens of the response",
  "tradingRpc.response.checkAgain": "a lens of the response",
};

describe("every row's menu by keyboard", () => {
  beforeAll(async () => {
    await looked;
  });

  test("each kind has a menu, or a reason to have none", () => {
    const silent = [...kinds]
      .filter(([, kind]) => itemsOf(kind).filter(({ group = "" }) => !group.startsWith("inline")).length === 0)
      .map(([name]) => name);
    assert.deepEqual(silent.sort(), Object.keys(WITHOUT_MENU).sort());
  });

  test("what has a value has it copied from its menu", () => {
    for (const each of all) {
      if (each.row.copyText === "") continue;
      const isCopied = itemsOf(each).some(
        ({ command, group = "" }) => !group.startsWith("inline") && /copy/i.test(command),
      );
      assert.ok(
        isCopied || /^connection\.(?!fact)/.test(each.row.contextValue),
        `${each.view} ${each.row.contextValue}`,
      );
    }
  });

  test("each inline button of each kind is in its menu too", () => {
    let count = 0;
    for (const [name, kind] of kinds) {
      const items = itemsOf(kind);
      for (const { command } of items.filter(({ group = "" }) => group.startsWith("inline"))) {
        count++;
        const meant = INLINE_ONLY[command] ?? command;
        assert.ok(
          items.some((item) => item.command === meant && !(item.group ?? "").startsWith("inline")),
          `${name}: ${command}`,
        );
      }
    }
    assert.ok(count >= 8, String(count));
  });

  test("each entry of a row's menu belongs to a kind that there is", () => {
    const unused = (contributes.menus["view/item/context"] ?? []).filter(
      ({ when = "" }) => !all.some(({ view, row }) => holds(when, view, row)),
    );
    // Of production alone: whether changes are allowed; of no simulator: whether trading is; of a connection that was
    // switched: the way back.
    assert.deepEqual(unused.map(({ command }) => command).sort(), [
      "tradingRpc.account.switchBack",
      "tradingRpc.connection.allowChanges",
      "tradingRpc.connection.allowTrading",
      "tradingRpc.connection.disallowTrading",
      "tradingRpc.connection.makeReadOnly",
    ]);
  });

  test("each command is in the palette, or somewhere else where the keyboard finds it", () => {
    const hidden = new Set(
      (contributes.menus["commandPalette"] ?? []).filter(({ when }) => when === "false").map(({ command }) => command),
    );
    const commands = contributes.commands.map(({ command }) => command);
    const inPalette = new Set(commands.filter((command) => !hidden.has(command)));
    const inRowMenus = new Set(
      (contributes.menus["view/item/context"] ?? [])
        .filter(({ group = "" }) => !group.startsWith("inline"))
        .map(({ command }) => command),
    );
    // One of the two that a command is when it is in the title of a view too is enough, as is what an inline button means.
    const isReached = (command: string): boolean =>
      [command, `${command}FromTitle`, command.replace(/FromTitle$/, ""), INLINE_ONLY[command] ?? ""].some((each) =>
        inPalette.has(each),
      );
    assert.deepEqual(
      commands.filter((command) => !isReached(command) && !inRowMenus.has(command)).sort(),
      Object.keys(NOT_IN_PALETTE).sort(),
      "commands that only a mouse reaches: put them into the palette or the menu of a row in src/manifest, or say in NOT_IN_PALETTE of test/core/world/everyRow.test.ts where they are",
    );
    const titles = [
      ...(contributes.menus["view/title"] ?? []),
      ...(contributes.menus["tradingRpc.orders.arrange"] ?? []),
    ];
    for (const item of titles.filter(({ submenu }) => submenu === undefined))
      assert.ok(isReached(item.command), `${item.command} is a button that only a mouse reaches`);
  });
});
