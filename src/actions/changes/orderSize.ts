import { isObject } from "../../base/json.ts";
import { readRow } from "../../catalogue/index.ts";
import { readTerms } from "../../state/instruments.ts";
import { positionSize } from "../../state/positions.ts";
import type { Members } from "./fields.ts";

/* The size of what a trade asks for, in USD, from the request and from what the server says. Nothing is estimated. */

/**
 * The largest single order, bid, ask, or leg of a request, in USD. `isWhole`: false where the request or the server
 * doesn't tell the size of every one, and a larger one may be among them.
 */
export interface OrderSize {
  readonly usd: number;
  readonly isWhole: boolean;
}

/**
 * Reads a result of the server. Resolves to undefined where the server doesn't have the method; throws `CallError` for
 * every other failure.
 */
export type ReadResult = (method: string, params: Members) => Promise<unknown>;

/** An amount of an instrument, as a request or a result names it. */
type Part = Members;

/** Reads the size of a trade. Throws `CallError` where a read failed that could tell it. */
export async function readOrderSize(method: string, params: Members, read: ReadResult): Promise<OrderSize> {
  const known = new Map<string, Promise<unknown>>();
  const once: ReadResult = async (name, asked) => {
    const key = JSON.stringify([name, asked]);
    const reading = known.get(key) ?? read(name, asked);
    known.set(key, reading);
    return await reading;
  };
  const parts = await partsOf(method, params, once);
  const sizes = await Promise.all(parts.map(async (part) => await usdOf(part, once)));
  return {
    usd: Math.max(0, ...sizes.map((size) => size ?? 0)),
    isWhole: sizes.length > 0 && !sizes.includes(undefined),
  };
}

/** Returns the amounts that a request names; those of the order or position that it names where it has none itself. */
async function partsOf(method: string, params: Members, read: ReadResult): Promise<readonly Part[]> {
  const { amount, contracts, legs, hedge } = params;
  if (method === CLOSE_POSITION_METHOD) {
    const { instrument_name } = params;
    const [position, instrument] = await Promise.all([
      read("private/get_position", { instrument_name }),
      read(INSTRUMENT_METHOD, { instrument_name }),
    ]);
    const row = readRow("position", position);
    return [{ instrument_name, amount: row && positionSize(row, readTerms(instrument)).amount }];
  }
  if (typeof params["order_id"] === "string") {
    const order = await read("private/get_order_state", { order_id: params["order_id"] });
    if (!isObject(order)) return [params];
    const { instrument_name, amount: present } = order;
    const isResized = amount !== undefined || contracts !== undefined;
    return [isResized ? { amount, contracts, instrument_name } : { amount: present, instrument_name }];
  }
  if (legs !== undefined)
    return [
      ...rowsOf(legs).map((leg) => ({ ...leg, amount: times(amount, leg["ratio"] ?? 1) })),
      ...(hedge === undefined ? [] : [isObject(hedge) ? hedge : {}]),
    ];
  if (params["trades"] !== undefined) return rowsOf(params["trades"]);
  if (params["quotes"] !== undefined)
    return rowsOf(params["quotes"]).flatMap(({ instrument_name, bid, ask }) =>
      [bid, ask].flatMap((side) => (side === undefined ? [] : [isObject(side) ? { ...side, instrument_name } : {}])),
    );
  const { instrument_name } = params;
  return [params, ...rowsOf(params["otoco_config"] ?? []).map((linked) => ({ ...linked, instrument_name }))];
}

const CLOSE_POSITION_METHOD = "private/close_position";

/**
 * Returns an amount in USD; undefined where the request or the server doesn't tell. Amounts of inverse futures are USD,
 * all others count the base currency, which the price index turns into USD:
 * https://docs.deribit.com/api-reference/trading/private-buy. A stablecoin whose name begins with USD counts as USD.
 */
async function usdOf(
  { instrument_name: name, amount, contracts }: Part,
  read: ReadResult,
): Promise<number | undefined> {
  const instrument = typeof name === "string" ? await read(INSTRUMENT_METHOD, { instrument_name: name }) : undefined;
  if (!isObject(instrument)) return undefined;
  const { kind, base_currency: base, settlement_currency: settlement, price_index: index } = instrument;
  const size = largest(
    amount,
    contracts === undefined ? undefined : (times(contracts, instrument["contract_size"]) ?? NaN),
  );
  if (size === undefined || typeof kind !== "string" || typeof base !== "string") return undefined;
  return kind.startsWith("future") && settlement === base ? size : times(size, await priceOf(index, read));
}

/** Returns the price in USD of the currency that an index is about; undefined where nothing tells it. */
async function priceOf(index: unknown, read: ReadResult): Promise<unknown> {
  const [traded = "", quote = ""] = typeof index === "string" ? index.split("_") : [];
  if (quote === "") return undefined;
  const price = await read(INDEX_PRICE_METHOD, { index_name: quote.startsWith("usd") ? index : `${traded}_usd` });
  return isObject(price) ? price["index_price"] : undefined;
}

const INSTRUMENT_METHOD = "public/get_instrument";
const INDEX_PRICE_METHOD = "public/get_index_price";

/** Returns the larger of the given amounts; undefined where there is none, or one is not a number. */
function largest(...amounts: readonly unknown[]): number | undefined {
  const given = amounts.filter((amount) => amount !== undefined);
  const numbers = given.filter((amount) => typeof amount === "number" && Number.isFinite(amount)) as number[];
  return given.length === 0 || numbers.length < given.length ? undefined : Math.max(...numbers.map(Math.abs));
}

function times(one: unknown, other: unknown): number | undefined {
  return typeof one === "number" && typeof other === "number" ? Math.abs(one * other) : undefined;
}

function rowsOf(list: unknown): readonly Members[] {
  return Array.isArray(list) ? (list as readonly unknown[]).map((row) => (isObject(row) ? row : {})) : [{}];
}
