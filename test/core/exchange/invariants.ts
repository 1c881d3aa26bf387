import type { BookChange, Fact, LevelChange } from "../../../src/exchange/facts.ts";
import type { OrderView } from "../../../src/exchange/orders/order.ts";
import { modeOf } from "./schedule.ts";
import { INSTRUMENT, type World } from "./world.ts";

/** What the facts so far say, added up by hand. */
export interface Tally {
  /** The orders by their latest fact. */
  readonly orders: Map<string, OrderView>;
  readonly filled: Map<string, number>;
  readonly positions: Map<string, number>;
  /** The book as rebuilt from its changes. */
  readonly levels: { readonly bids: Map<number, number>; readonly asks: Map<number, number> };
  changeId: number | undefined;
}

export function createTally(): Tally {
  return {
    orders: new Map(),
    filled: new Map(),
    positions: new Map(),
    levels: { bids: new Map(), asks: new Map() },
    changeId: undefined,
  };
}

/** Adds the facts of an operation, and returns what does not hold after it. */
export function checkStep(tally: Tally, world: World, facts: readonly Fact[]): string[] {
  return [...facts.flatMap((fact) => addFact(tally, fact)), ...checkBook(tally, world), ...checkOrders(tally, world)];
}

function addFact(tally: Tally, fact: Fact): string[] {
  if (fact.kind === "book") return addChange(tally, fact);
  if (fact.kind === "trade") return addTrade(tally, fact);
  const before = tally.orders.get(fact.order.id)?.state ?? "open";
  tally.orders.set(fact.order.id, fact.order);
  const isOver = before !== "open" && before !== "untriggered";
  return isOver ? [`${fact.order.id} was ${before}, and then ${fact.kind}`] : [];
}

function addTrade(tally: Tally, { trade }: Fact & { readonly kind: "trade" }): string[] {
  const { taker, maker, direction, amount, price } = trade;
  const isOwn = taker.account === maker.account && modeOf(taker.account) !== "allow";
  return [
    ...addFill(tally, taker.orderId, { side: direction, amount, price }),
    ...addFill(tally, maker.orderId, { side: direction === "buy" ? "sell" : "buy", amount, price }),
    ...(isOwn ? [`${taker.account} traded with itself`] : []),
  ];
}

function addFill(
  { orders, filled, positions }: Tally,
  id: string,
  { side, amount, price }: { readonly side: "buy" | "sell"; readonly amount: number; readonly price: number },
): string[] {
  const order = orders.get(id);
  if (order === undefined) return [`${id} traded before it was placed`];
  filled.set(id, (filled.get(id) ?? 0) + amount);
  const before = positions.get(order.account) ?? 0;
  const after = before + (side === "buy" ? amount : -amount);
  positions.set(order.account, after);
  const limit = order.price ?? price;
  const isReducing = Math.abs(after) < Math.abs(before) && before * after >= 0;
  return [
    ...(order.direction === side ? [] : [`${id} traded on the other side`]),
    ...((side === "buy" ? price <= limit : price >= limit) ? [] : [`${id} traded beyond its price`]),
    ...(isReducing || !order.reduceOnly ? [] : [`${id} may only reduce a position, and did not`]),
  ];
}

function addChange(tally: Tally, { changeId, prevChangeId, bids, asks }: BookChange): string[] {
  const isNext = prevChangeId === tally.changeId;
  tally.changeId = changeId;
  const apply = (levels: Map<number, number>, { action, price, amount }: LevelChange): string[] => {
    const isKnown = levels.has(price);
    if (action === "delete") levels.delete(price);
    else levels.set(price, amount);
    return isKnown === (action !== "new") ? [] : [`${action} of ${String(price)} does not fit what was there`];
  };
  return [
    ...(isNext ? [] : [`change ${String(changeId)} does not name the one before it`]),
    ...bids.flatMap((each) => apply(tally.levels.bids, each)),
    ...asks.flatMap((each) => apply(tally.levels.asks, each)),
  ];
}

function checkBook({ levels, changeId }: Tally, { engine }: World): string[] {
  const depth = engine.depth(INSTRUMENT.name, Infinity);
  const told = [levels.bids, levels.asks].map((side) => [...side].sort(([one], [other]) => one - other));
  const seen = [depth.bids.toReversed(), depth.asks].map((side) => side.map(({ price, amount }) => [price, amount]));
  const resting = [...engine.open()].filter(({ state }) => state === "open");
  const prices = (side: string): number[] =>
    resting.flatMap(({ direction, price }) => (direction === side && price !== undefined ? [price] : []));
  return [
    ...(JSON.stringify(told) === JSON.stringify(seen) ? [] : ["the changes of the book do not add up to it"]),
    ...(depth.changeId === changeId ? [] : ["the book has another change ID than its latest change"]),
    ...(Math.max(...prices("buy")) < Math.min(...prices("sell")) ? [] : ["the book is crossed"]),
  ];
}

function checkOrders({ orders, filled, positions }: Tally, { engine, positions: kept }: World): string[] {
  const problems = [...orders.values()].flatMap((told) => {
    const order = engine.find(told.id);
    if (order === undefined) return [`${told.id} is forgotten`];
    return [...checkFills(order, filled.get(order.id) ?? 0), ...checkState(order)].map((each) => `${order.id} ${each}`);
  });
  const open = [...engine.open()].map(({ id }) => id);
  const expected = [...orders.keys()].filter((id) => ["open", "untriggered"].includes(engine.find(id)?.state ?? ""));
  const isSame = JSON.stringify([...open].sort()) === JSON.stringify(expected.sort());
  const isLedgerRight = JSON.stringify([...positions].sort()) === JSON.stringify([...kept].sort());
  return [
    ...problems,
    ...(isSame ? [] : ["the open orders are others than those that were placed"]),
    ...(isLedgerRight ? [] : ["the ledger was told other trades"]),
  ];
}

function checkFills({ amount, filled, state, timeInForce }: OrderView, traded: number): string[] {
  const isKilled = timeInForce === "fill_or_kill" && state === "cancelled" && filled > 0;
  return [
    ...(traded === filled ? [] : ["has other fills than its trades"]),
    ...(filled <= amount ? [] : ["is filled beyond its amount"]),
    ...((filled === amount) === (state === "filled") ? [] : ["is filled and does not say so"]),
    ...(isKilled ? ["was filled in part, though it wanted all or nothing"] : []),
  ];
}

function checkState({ state, price, type, timeInForce, amount }: OrderView): string[] {
  const isResting = state === "open";
  return [
    ...(amount > 0 ? [] : ["has no amount"]),
    ...(isResting && price === undefined ? ["rests without a price"] : []),
    ...(isResting && type === "market" ? ["is a market order and rests"] : []),
    ...(isResting && timeInForce !== "good_til_cancelled" ? ["rests though it should not"] : []),
  ];
}
