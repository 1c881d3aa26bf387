import { isObject, numberIn } from "../../base/json.ts";
import { type ParamsOf, readRow, type TradeMethod } from "../../catalogue/index.ts";
import { readTerms } from "../../state/instruments.ts";
import { isIsolated, withSlots } from "../../state/isolated.ts";
import { positionSize, type PositionSize } from "../../state/positions.ts";
import type { Members } from "../intent/fields.ts";

/* The size of what a trade asks for, in USD, from the request and from what the server says. Nothing is estimated. */

/** The size of a request in USD, as far as the request and the server tell it. */
export interface OrderSize {
  /** The largest single order, bid, ask, or leg. */
  readonly usd: number;
  /** What counts toward the total: all of them together, and of an edit only what it adds. */
  readonly countedUsd: number;
  /** Whether the size of every one is told. If not, a larger one may be among them. */
  readonly isWhole: boolean;
  /** Whether it can only make a position smaller, up to the position that was read. */
  readonly isReducing: boolean;
}

/**
 * Reads a result of the server. Resolves to undefined where the server doesn't have the method; throws `CallError` for
 * every other failure.
 */
type ReadResult = (method: string, params: Members) => Promise<unknown>;

/** One order, bid, ask, or leg, with the members that tell its size as they were received. */
interface Part {
  readonly instrumentName: unknown;
  readonly amount?: unknown;
  readonly contracts?: unknown;
  /** The amount that an edited order has already. */
  readonly presentAmount?: unknown;
}

/** The parameters of a method by their names, whatever their values are. */
type Own<M extends TradeMethod> = M extends TradeMethod ? Readonly<Partial<Record<keyof ParamsOf<M>, unknown>>> : never;

type Sizes = {
  readonly [M in TradeMethod]: (params: Own<M>, read: ReadResult) => readonly Part[] | Promise<readonly Part[]>;
};

/**
 * The parts of each trade, read from the parameters that its method has and from no others: the exchange ignores a
 * parameter that it doesn't know, whatever that one says. Nothing names the size of a block trade that is approved.
 */
const SIZES: Sizes = {
  "private/buy": orderParts,
  "private/sell": orderParts,
  async "private/edit"({ order_id: id, amount, contracts }, read) {
    const order = await read("private/get_order_state", { order_id: id });
    if (!isObject(order)) return [NOTHING_TOLD];
    const { instrument_name: instrumentName, amount: presentAmount } = order;
    const isResized = amount !== undefined || contracts !== undefined;
    return [{ instrumentName, presentAmount, ...(isResized ? { amount, contracts } : { amount: presentAmount }) }];
  },
  "private/edit_by_label": ({ instrument_name: instrumentName, amount, contracts }) => [
    { instrumentName, amount, contracts },
  ],
  async "private/close_position"(params, read) {
    const { instrument_name: instrumentName } = params;
    const held = await readPosition(params, read);
    return [{ instrumentName, amount: held }];
  },
  "private/mass_quote": ({ quotes }) =>
    rowsOf(quotes).flatMap(({ instrument_name: instrumentName, bid, ask }) =>
      [bid, ask].flatMap((side) => {
        if (side === undefined) return [];
        return [isObject(side) ? { instrumentName, amount: side["amount"] } : NOTHING_TOLD];
      }),
    ),
  "private/accept_block_rfq": structureParts,
  "private/add_block_rfq_quote": structureParts,
  "private/edit_block_rfq_quote": structureParts,
  "private/approve_block_trade": () => [],
  "private/execute_block_trade": ({ trades }) => rowsOf(trades).map(namedPart),
  "private/verify_block_trade": ({ trades }) => rowsOf(trades).map(namedPart),
};

const NOTHING_TOLD: Part = { instrumentName: undefined };

function orderParts({
  instrument_name: instrumentName,
  amount,
  contracts,
  otoco_config: linked,
}: Own<"private/buy">): Part[] {
  return [
    { instrumentName, amount, contracts },
    ...(linked === undefined ? [] : rowsOf(linked).map((order) => ({ instrumentName, amount: order["amount"] }))),
  ];
}

function structureParts({
  amount,
  legs,
  hedge,
}: Own<"private/accept_block_rfq" | "private/add_block_rfq_quote" | "private/edit_block_rfq_quote">): Part[] {
  return [
    ...rowsOf(legs).map(({ instrument_name: instrumentName, ratio }) => ({
      instrumentName,
      amount: times(amount, ratio),
    })),
    ...(hedge === undefined ? [] : [isObject(hedge) ? namedPart(hedge) : NOTHING_TOLD]),
  ];
}

function namedPart({ instrument_name: instrumentName, amount }: Members): Part {
  return { instrumentName, amount };
}

function isTradeMethod(method: string): method is TradeMethod {
  return Object.hasOwn(SIZES, method);
}

/**
 * Reads the size of a trade. A method that is not in the table tells nothing. Throws `CallError` where a read failed
 * that could tell it.
 */
export async function readOrderSize(method: string, params: Members, read: ReadResult): Promise<OrderSize> {
  const known = new Map<string, Promise<unknown>>();
  const once: ReadResult = async (name, asked) => {
    const key = JSON.stringify([name, asked]);
    const reading = known.get(key) ?? read(name, asked);
    known.set(key, reading);
    return await reading;
  };
  // The table takes each method's own parameters; which of them are there, and what they hold, it looks at itself.
  const parts = isTradeMethod(method) ? await SIZES[method](params, once) : [];
  const sizes = await Promise.all(parts.map(async (part) => await sizeOf(part, once)));
  const told = sizes.filter((size) => size !== undefined);
  return {
    usd: Math.max(0, ...told.map(({ usd }) => usd)),
    countedUsd: told.reduce((sum, { countedUsd }) => sum + countedUsd, 0),
    isWhole: sizes.length > 0 && told.length === sizes.length,
    isReducing: await isReducing(method, params, once),
  };
}

/**
 * Whether a trade can only make a position smaller: a close, or a reduce-only order against the position that is not
 * larger than it. The order that it cancels and that cancels it, if there is one, has to be such an order, too.
 */
async function isReducing(method: string, params: Members, read: ReadResult): Promise<boolean> {
  if (method === "private/close_position") return (await readPosition(params, read)) !== undefined;
  if (method !== "private/buy" && method !== "private/sell") return false;
  const orders = cancellingOrders(method, params);
  if (orders?.every(({ reduce_only: isReduceOnly }) => isReduceOnly === true) !== true) return false;
  const [held, instrument] = await Promise.all([
    readPosition(params, read),
    readInstrument(params["instrument_name"], read),
  ]);
  if (held === undefined || held === 0) return false;
  return orders.every(({ amount, contracts, direction }) => {
    const ordered = amountOf({ instrumentName: params["instrument_name"], amount, contracts }, instrument);
    const isAgainst = held > 0 === (direction === "sell");
    return isAgainst && ordered !== undefined && ordered <= Math.abs(held);
  });
}

/**
 * Returns the order of a request, with its side, and the one of which it cancels the other: of that one the request has
 * to say everything. Undefined where it has other links.
 */
function cancellingOrders(method: "private/buy" | "private/sell", params: Members): readonly Members[] | undefined {
  const { linked_order_type: linkedType, otoco_config: linked } = params;
  const order = { ...params, direction: method === "private/buy" ? "buy" : "sell" };
  if (linkedType === undefined && linked === undefined) return [order];
  const [other, ...more] = rowsOf(linked);
  return linkedType === "one_cancels_other" && other !== undefined && more.length === 0 ? [order, other] : undefined;
}

/**
 * Reads what the order for a position counts, below 0 if it is short. Undefined where the server doesn't tell. A
 * request about isolated margin is about the isolated position; without one, the exchange returns the cross one.
 */
async function readPosition(
  { instrument_name: name, isolated }: Members,
  read: ReadResult,
): Promise<number | undefined> {
  const asked = { instrument_name: name };
  const [position, instrument] = await Promise.all([
    read("private/get_position", isolated === true ? withSlots(asked) : asked),
    readInstrument(name, read),
  ]);
  if (isolated === true && !isIsolated(position)) return undefined;
  const row = readRow("position", position);
  const { side, amount } = row === undefined ? UNREAD : positionSize(row, readTerms(instrument));
  return amount === undefined || side === undefined ? undefined : side === "short" ? -amount : amount;
}

const UNREAD: Partial<PositionSize> = {};

async function readInstrument(name: unknown, read: ReadResult): Promise<Members | undefined> {
  const instrument = typeof name === "string" ? await read(INSTRUMENT_METHOD, { instrument_name: name }) : undefined;
  return isObject(instrument) ? instrument : undefined;
}

function isFuture({ kind }: Members): boolean {
  return typeof kind === "string" && kind.startsWith("future");
}

function isInverse(instrument: Members): boolean {
  return isFuture(instrument) && instrument["settlement_currency"] === instrument["base_currency"];
}

/**
 * Returns an amount in USD; undefined where the request or the server doesn't tell. Amounts of inverse futures are USD,
 * all others count the base currency, which the price index turns into USD:
 * https://docs.deribit.com/api-reference/trading/private-buy. A stablecoin whose name begins with USD counts as USD.
 */
async function sizeOf(
  part: Part,
  read: ReadResult,
): Promise<{ readonly usd: number; readonly countedUsd: number } | undefined> {
  const instrument = await readInstrument(part.instrumentName, read);
  const amount = amountOf(part, instrument);
  if (amount === undefined || instrument === undefined) return undefined;
  const { kind, base_currency: base, price_index: index } = instrument;
  if (typeof kind !== "string" || typeof base !== "string") return undefined;
  const price = isInverse(instrument) ? 1 : await priceOf(index, read);
  if (price === undefined) return undefined;
  const added = amount - (part.presentAmount === undefined ? 0 : (numberOf(part.presentAmount) ?? 0));
  return { usd: amount * price, countedUsd: Math.max(0, added) * price };
}

/** Returns the larger of the amounts that a part names; undefined where it names none, or one is not a number. */
function amountOf({ amount, contracts }: Part, instrument: Members | undefined): number | undefined {
  const given = [
    ...(amount === undefined ? [] : [numberOf(amount)]),
    ...(contracts === undefined ? [] : [times(contracts, positive(instrument?.["contract_size"]))]),
  ];
  const numbers = given.filter((each) => each !== undefined);
  return given.length === 0 || numbers.length < given.length ? undefined : Math.max(...numbers);
}

/** Returns the price in USD of the currency that an index is about; undefined where nothing tells it. */
async function priceOf(index: unknown, read: ReadResult): Promise<number | undefined> {
  const [traded = "", quote = ""] = typeof index === "string" ? index.split("_") : [];
  if (quote === "") return undefined;
  const price = await read(INDEX_PRICE_METHOD, { index_name: quote.startsWith("usd") ? index : `${traded}_usd` });
  return isObject(price) ? positive(price["index_price"]) : undefined;
}

const INSTRUMENT_METHOD = "public/get_instrument";
const INDEX_PRICE_METHOD = "public/get_index_price";

/** Returns a number of the server by which sizes are multiplied. With 0 every order would be small. */
function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

function times(one: unknown, other: unknown): number | undefined {
  const [first, second] = [numberOf(one), numberOf(other)];
  return first === undefined || second === undefined ? undefined : first * second;
}

/** Returns the magnitude of a number, also of one in quotes; undefined for everything else. */
function numberOf(value: unknown): number | undefined {
  const number = numberIn(value);
  return number === undefined ? undefined : Math.abs(number);
}

function rowsOf(list: unknown): readonly Members[] {
  return Array.isArray(list) ? (list as readonly unknown[]).map((row) => (isObject(row) ? row : {})) : [{}];
}
