import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { changeKeyScope } from "../../../src/actions/changes/apiKeys.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { resetMmp } from "../../../src/actions/changes/mmpLimits.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { cancelQuote } from "../../../src/actions/changes/quotes.ts";
import { rowDefinitions } from "../../../src/catalogue/definitions.ts";
import { receivedOf } from "../../../src/catalogue/reading.ts";
import { scopeText, withArea } from "../../../src/catalogue/scopeLines.ts";
import type { Row, RowTree } from "../../../src/present/rows/row.ts";
import { createTradesModels } from "../../../src/present/trades/lastTrades.ts";
import { LastTradesStore } from "../../../src/state/lastTrades.ts";
import { openOrders, orderLookups } from "../../../src/state/orders.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import type { ViewName } from "../../../src/base/viewNames.ts";
import { lookAtAll, shownOf, viewsOf } from "../../everyView.ts";
import { isFull } from "../../rounds.mjs";
import { createWorld, type World } from "../../world.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";
import { createBlockTradesStore } from "../../../src/state/blockTrades.ts";
import { createMmpStore } from "../../../src/state/mmp.ts";
import { createAccountStore } from "../../../src/state/account.ts";

/*
 * Generated from the catalogue: each member of each entity is missing, null, of another type, or a new word, in every
 * response and event. The rows are there all the same, they open, and what can be done with them is done and told
 * right.
 */

type Members = Readonly<Record<string, unknown>>;
type Change = (members: Members, name: string) => Members;

const CHANGES: Readonly<Record<string, Change>> = {
  "not there": (members, name) => Object.fromEntries(Object.entries(members).filter(([each]) => each !== name)),
  null: (members, name) => ({ ...members, [name]: null }),
  "of another type": (members, name) => ({ ...members, [name]: otherType(members[name]) }),
  "a list of objects": (members, name) => ({ ...members, [name]: [{ brand: "new" }] }),
  "a new word": (members, name) => ({
    ...members,
    [name]: typeof members[name] === "string" ? "unheard_of" : members[name],
  }),
};

function otherType(value: unknown): unknown {
  return typeof value === "string" ? 7 : "seven";
}

/** Changes every object of a kind, wherever in a text it stands. */
function alterAll(text: string, isMeant: (members: Members) => boolean, change: (members: Members) => Members): string {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each)]));
    return isMeant(members) ? change(members) : members;
  };
  return JSON.stringify(visit(JSON.parse(text)));
}

interface Entity {
  readonly row: keyof typeof rowDefinitions;
  /** What tells one from another, and what a response rests its verdict on: there it is strict. */
  readonly strict: readonly string[];
  readonly isMeant: (members: Members) => boolean;
  readonly view: ViewName;
  /** The rows that have to be there. */
  readonly contexts: RegExp;
  readonly refresh: (world: World) => Promise<void>;
  /**
   * Something that can be done with one of the rows; undefined where nothing can. `round`: a number of its own for each
   * case.
   */
  readonly act?: (world: World, round: number) => Intent | undefined;
}

const ENTITIES: readonly Entity[] = [
  {
    row: "order",
    strict: ["order_id", "order_state"],
    isMeant: (members) => "order_state" in members && "order_id" in members && !("trade_id" in members),
    view: "orders",
    contexts: /^order\.open\.cancellable/,
    refresh: async ({ live }) => {
      await live.orders.refresh();
    },
    act(world) {
      const [order] = openOrders(world.live.orders.snapshot);
      return order === undefined
        ? undefined
        : cancelOrder(order, {
            origin: "view",
            nowMs: world.clock.now(),
            ...orderLookups(world.live.orders),
          });
    },
  },
  {
    row: "blockRfqQuote",
    strict: ["block_rfq_quote_id", "quote_state"],
    isMeant: (members) => "quote_state" in members,
    view: "quotes",
    contexts: /^quotes\.quote/,
    refresh: async ({ live }) => {
      await live.storeOf(createQuotesStore).refresh();
    },
    act(world, round) {
      // There are four; only the last cases cancel one.
      const quote = [...world.live.storeOf(createQuotesStore).snapshot.items.values()][0];
      return quote === undefined || round >= 3
        ? undefined
        : cancelQuote(quote, { origin: "view", nowMs: world.clock.now(), current: () => quote });
    },
  },
  {
    row: "blockRfq",
    strict: ["block_rfq_id"],
    isMeant: (members) => "taker_rating" in members || "makers" in members,
    view: "quotes",
    contexts: /^quotes\.quote/,
    refresh: async ({ live }) => {
      await live.storeOf(createQuotesStore).refresh();
    },
  },
  {
    row: "apiKey",
    strict: ["id", "max_scope"],
    isMeant: (members) => "client_secret" in members,
    view: "apiKeys",
    contexts: /^apiKey\.(listed|seen)/,
    refresh: async ({ live }) => {
      await live.apiKeys.refresh();
    },
    act(world, round) {
      const known = [...world.live.apiKeys.snapshot.items.values()].at(-1);
      const wished =
        known?.key?.max_scope === undefined
          ? undefined
          : withArea(scopeText(known.key.max_scope), "wallet", round % 2 === 0 ? "read" : "none");
      return known === undefined || wished === undefined || wished === scopeText(known.key?.max_scope ?? "")
        ? undefined
        : changeKeyScope(known, wished, {
            origin: "view",
            isInUse: false,
            isCurrent: true,
            current: () => known,
            detail: [],
          });
    },
  },
  {
    row: "mmpConfig",
    strict: ["index_name", "mmp_group"],
    isMeant: (members) => "frozen_time" in members,
    view: "mmp",
    contexts: /^mmp\.group/,
    refresh: async ({ live }) => {
      await live.storeOf(createMmpStore).refresh();
    },
    act(world) {
      const group = [...world.live.storeOf(createMmpStore).snapshot.items.values()][0];
      return group === undefined
        ? undefined
        : resetMmp(group, { origin: "view", nowMs: () => world.clock.now(), current: () => group, detail: [] });
    },
  },
  {
    row: "mmpStatus",
    strict: ["index_name"],
    isMeant: (members) => "frozen_until" in members,
    view: "mmp",
    contexts: /^mmp\.group/,
    refresh: async ({ live }) => {
      await live.storeOf(createMmpStore).refresh();
    },
  },
  {
    row: "blockTrade",
    strict: ["id"],
    isMeant: (members) => "trades" in members && "id" in members,
    view: "blockTrades",
    contexts: /^blockTrade$/,
    refresh: async ({ live }) => {
      await live.storeOf(createBlockTradesStore).refresh();
    },
  },
  {
    row: "position",
    strict: ["instrument_name"],
    isMeant: (members) => "open_orders_margin" in members,
    view: "positions",
    contexts: /^position(\.unsized)?$/,
    refresh: async ({ live }) => {
      await live.positions.refresh();
    },
  },
  {
    row: "accountSummary",
    strict: ["currency"],
    isMeant: (members) => "margin_balance" in members && "currency" in members,
    view: "account",
    contexts: /^account\.currency$/,
    refresh: async ({ live }) => {
      await live.storeOf(createAccountStore).refresh();
    },
  },
  {
    row: "subaccount",
    strict: ["id"],
    isMeant: (members) => "security_keys_assignments" in members,
    view: "account",
    contexts: /^account\.ownedAccount$/,
    refresh: async ({ live }) => {
      await live.storeOf(createAccountStore).refresh();
    },
  },
];

/** All rows, opened as far as they go, with all that they say. */
function openAll(tree: RowTree, parentId?: string): Row[] {
  return tree.children(parentId).flatMap((row) => {
    assert.ok(
      row.spoken !== "" &&
        tree.tooltip(row.id).every(({ value }) => !value.includes("undefined") && !value.includes("NaN")),
      row.id,
    );
    assert.doesNotMatch([row.label, row.description, row.spoken].join(" "), /undefined|NaN|\[object/, row.id);
    return [row, ...(row.children === "none" ? [] : openAll(tree, row.id))];
  });
}

function rowsOf(world: World, { view, contexts }: Entity): Row[] {
  return openAll(viewsOf([shownOf(world)])[view]).filter(({ contextValue }) => contexts.test(contextValue));
}

function membersOf(row: keyof typeof rowDefinitions): readonly string[] {
  return [...new Set([...Object.keys((rowDefinitions[row] as { readonly shape: object }).shape), "brand_new"])];
}

async function settled(world: World): Promise<void> {
  await world.clock.advance(3000);
}

describe("whatever a member is, its row is there, opens, and can be acted on", () => {
  for (const entity of ENTITIES) {
    for (const [how, change] of Object.entries(CHANGES)) {
      test(`${entity.row}: each member ${how}`, async () => {
        let alter = (text: string): string => text;
        const world = createWorld({ orders: 3, alter: (text) => alter(text) });
        addBlockTrades(world.exchange.control, 3);
        await world.connect();
        await lookAtAll(world);
        assert.ok(rowsOf(world, entity).length > 0);
        for (const [index, name] of membersOf(entity.row).entries()) {
          // A short run looks at a fifth of the members, another one with each change.
          if (!isFull && (index + Object.keys(CHANGES).indexOf(how)) % 5 !== 0) continue;
          if (entity.strict[0] === name || name === "mmp_group") continue;
          const before = rowsOf(world, entity).length;
          alter = (text) => alterAll(text, entity.isMeant, (members) => change(members, name));
          await entity.refresh(world);
          await settled(world);
          const what = `${name} ${how}`;
          assert.equal(rowsOf(world, entity).length, before, what);
          const intent = entity.act?.(world, index);
          if (intent !== undefined) {
            const frames = world.frames(intent.method).length;
            const outcome = await world.live.gate.submit(intent);
            const expected = entity.strict.includes(name)
              ? how === "a new word" && entity.row !== "apiKey"
                ? "confirmedOther"
                : "unknown"
              : "confirmed";
            assert.equal(
              outcome.kind,
              expected,
              `${what}: ${JSON.stringify("failure" in outcome ? outcome.failure : "")}`,
            );
            assert.equal(world.frames(intent.method).length, frames + 1, what);
          }
          alter = (text) => text;
          if (entity.row === "order")
            world.exchange.control.place({
              instrument_name: "BTC-PERPETUAL",
              direction: "buy",
              amount: 10,
              price: 1000,
            });
          // What has ended leaves, and what is unknown is looked up.
          await world.clock.advance(15_000);
          await entity.refresh(world);
        }
        world.live.dispose();
      });
    }
  }

  test("a row without what tells it from others is shown raw, and the others live", async () => {
    for (const entity of ENTITIES) {
      // What is frozen and of no known group, and a Block RFQ without a number, have no row of their own.
      if (entity.row === "mmpStatus" || entity.row === "blockRfq") continue;
      for (const change of [CHANGES["not there"], CHANGES["null"]]) {
        let isFirst = false;
        const world = createWorld({
          orders: 12,
          alter: (text) =>
            alterAll(
              text,
              (members) => entity.isMeant(members) && isFirst,
              (members) => {
                isFirst = false;
                return change?.(members, entity.strict[0] ?? "") ?? members;
              },
            ),
        });
        addBlockTrades(world.exchange.control);
        await world.connect();
        await lookAtAll(world);
        const before = rowsOf(world, entity).length;
        isFirst = true;
        await entity.refresh(world);
        await world.clock.settle();
        const all = openAll(viewsOf([shownOf(world)])[entity.view]);
        // A page of block trades is filled up with the next one.
        assert.equal(
          all.filter(({ contextValue }) => entity.contexts.test(contextValue)).length,
          entity.row === "blockTrade" ? before : before - 1,
          entity.row,
        );
        assert.equal(all.filter(({ contextValue }) => contextValue.endsWith(".unreadable")).length, 1, entity.row);
        world.live.dispose();
      }
    }
  });

  test("limits of a group whose name cannot be read do not pass for those of regular orders", async () => {
    const world = createWorld({
      alter: (text) =>
        alterAll(
          text,
          (members) => "frozen_time" in members && members["mmp_group"] !== undefined,
          (members) => ({ ...members, mmp_group: 7 }),
        ),
    });
    await world.connect();
    await lookAtAll(world);
    assert.deepEqual(
      [...world.live.storeOf(createMmpStore).snapshot.items.values()].filter(
        ({ config }) => config !== undefined && JSON.stringify(receivedOf(config)).includes('"mmp_group":7'),
      ),
      [],
    );
    assert.ok(world.live.storeOf(createMmpStore).snapshot.unreadable.length > 0);
    world.live.dispose();
  });

  for (const [how, change] of Object.entries(CHANGES)) {
    test(`publicTrade: each member ${how}`, async () => {
      let alter = (text: string): string => text;
      const world = createWorld({ alter: (text) => alter(text) });
      await world.connect();
      const modelOf = createTradesModels(createTimes(0));
      for (const name of membersOf("publicTrade")) {
        if (name === "trade_seq") continue;
        alter = (text) =>
          alterAll(
            text,
            (members) => "trade_seq" in members,
            (members) => change(members, name),
          );
        const query = { instrument_name: "BTC-PERPETUAL", count: 20 };
        const store = world.live.createStore((ports) => new LastTradesStore(ports, query));
        await world.clock.advance(1000);
        const { rows, series } = modelOf({
          connectionName: "lab",
          environment: "simulator",
          query,
          snapshot: store.snapshot,
        });
        assert.deepEqual([rows.length, store.snapshot.unreadable], [20, 0], `${name} ${how}`);
        assert.doesNotMatch(JSON.stringify({ rows, series }), /undefined|NaN|\[object/, `${name} ${how}`);
        assert.ok(
          series.timesMs.every((atMs, index) => Number.isFinite(atMs) && atMs >= (series.timesMs[index - 1] ?? 0)),
          `${name} ${how}`,
        );
        store.dispose();
      }
      world.live.dispose();
    });
  }
});

describe("what could not be read", () => {
  test("is shown as it was received, and marked; null is shown and is no mark", async () => {
    const world = createWorld({
      orders: 4,
      alter: (text) =>
        alterAll(
          text,
          (members) => "order_state" in members && "order_id" in members,
          (members) => ({ ...members, amount: "forty", label: null }),
        ),
    });
    await world.connect();
    const entity = ENTITIES[0];
    assert.ok(entity);
    const tree = viewsOf([shownOf(world)]).orders;
    const [first] = rowsOf(world, entity);
    const all = tree.children(first?.id).find(({ contextValue }) => contextValue === "fields");
    const fields = tree.children(all?.id).filter(({ label }) => label === "amount" || label === "label");
    const found = fields.map(({ label, description }) => `${label}: ${description}`).sort();
    assert.deepEqual(found, ["amount: forty (not as documented)", "label: null"]);
    const amount = fields.find(({ label }) => label === "amount");
    assert.deepEqual(
      tree.tooltip(amount?.id ?? "").map(({ value }) => value),
      [
        "forty",
        "This value doesn't have the documented type. It is shown as received and not used for anything else here.",
      ],
    );
    world.live.dispose();
  });
});
