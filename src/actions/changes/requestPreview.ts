import { productOf } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import { isInverse, type Instrument } from "../../state/instruments.ts";
import { ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import { POSITION_METHOD, positionSize } from "../../state/positions.ts";
import { decimalText, figureText } from "../intent/decimal.ts";
import type { Members } from "../intent/fields.ts";
import type { Intent, IntentPreview } from "../intent/intent.ts";
import { crossingText, editedRest } from "./editLine.ts";
import { changeLines, EDIT_FIELDS, queueLine, type EditWish } from "./editOrders.ts";
import { describeOrder } from "./orders.ts";
import { marketCostLines, readBestPrices, readMarketCost, readOrderPreview, type ReadFigures } from "./orderPreview.ts";
import type { TypedOrder } from "./placeOrder.ts";
import type { OrderSide } from "./placingNames.ts";

/* What the server says about a request that trades, as for the order of a command. Nothing is filled in for it. */

/** What is needed to read the figures of a request. */
export interface RequestPreviewPorts {
  readonly read: ReadFigures;
  /** Returns what is known of an instrument; undefined where nothing is. */
  readonly instrumentOf: (name: string) => Promise<Instrument | undefined>;
}

type ReadPreview = (params: Members, ports: RequestPreviewPorts) => Promise<IntentPreview>;

const PREVIEWS: Readonly<Record<string, ReadPreview>> = {
  "private/buy": async (params, ports) => await previewPlacement("buy", params, ports),
  "private/sell": async (params, ports) => await previewPlacement("sell", params, ports),
  "private/edit": previewEdit,
  "private/close_position": previewClose,
};

/** Returns what reads the figures of a request for its confirmation; undefined for one that does not trade. */
export function requestPreview(method: string, params: Members, ports: RequestPreviewPorts): Intent["preview"] {
  const read = Object.hasOwn(PREVIEWS, method) ? PREVIEWS[method] : undefined;
  return read && (async () => await read(params, ports));
}

const NOTHING: IntentPreview = { lines: [] };

/** Returns the text of a number, also of one in quotes. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return decimalText(value);
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? value : undefined;
}

async function previewPlacement(
  side: OrderSide,
  params: Members,
  { read, instrumentOf }: RequestPreviewPorts,
): Promise<IntentPreview> {
  const { instrument_name: name, type, trigger } = params;
  if (typeof name !== "string") return NOTHING;
  const instrument = await instrumentOf(name);
  const amount = textOf(params["amount"]) ?? amountOfContracts(params["contracts"], instrument);
  if (amount === undefined) return NOTHING;
  const price = textOf(params["price"]);
  return await previewOrder(
    {
      ...{ instrument: name, side },
      line: { amount, price, timing: undefined, isReduceOnly: params["reduce_only"] === true },
      options: {
        ...(typeof type === "string" ? { type } : {}),
        ...(typeof trigger === "string" ? { trigger } : {}),
      },
    },
    instrument,
    read,
  );
}

function amountOfContracts(contracts: unknown, instrument: Instrument | undefined): string | undefined {
  const [count, size] = [textOf(contracts), instrument?.steps.contractSize];
  return count === undefined || size === undefined ? undefined : productOf(count, decimalText(size));
}

async function previewOrder(
  draft: TypedOrder,
  instrument: Instrument | undefined,
  read: ReadFigures,
): Promise<IntentPreview> {
  const [cost, server] = await Promise.all([
    costLines(draft, instrument, read),
    readOrderPreview(draft, instrument, read),
  ]);
  const { price } = draft.line;
  return {
    lines: [...cost, ...server.lines],
    ...(server.isOutOfBand && price !== undefined ? { beyondBand: price } : {}),
  };
}

/** Returns what the book says about an order that trades at whatever it offers. */
async function costLines(
  { instrument: name, side, line, options }: TypedOrder,
  instrument: Instrument | undefined,
  read: ReadFigures,
): Promise<readonly Plain[]> {
  if (line.price !== undefined || options.trigger !== undefined || options.type !== "market") return [];
  const isOfInverse = instrument !== undefined && isInverse(instrument);
  const cost = await readMarketCost({ instrument: name, side, amount: line.amount }, isOfInverse, read);
  return marketCostLines(cost, line.amount, instrument);
}

async function previewEdit(params: Members, { read, instrumentOf }: RequestPreviewPorts): Promise<IntentPreview> {
  const order = readRow("order", await read(ORDER_STATE_METHOD, { order_id: params["order_id"] }));
  if (order?.order_id !== params["order_id"] || order?.instrument_name === undefined)
    return { lines: [l10n.t("The order couldn't be read, so what the edit changes isn't known.")] };
  const [instrument, prices] = await Promise.all([
    instrumentOf(order.instrument_name),
    readBestPrices(order.instrument_name, read, () => 0),
  ]);
  const { trigger_price: at, trigger_offset: offset } = params;
  const asked = { amount: params["amount"], price: params["price"], trigger: at ?? offset };
  const wish: EditWish = Object.fromEntries(
    EDIT_FIELDS.flatMap((field) => {
      const text = textOf(asked[field]);
      return text === undefined ? [] : [[field, text]];
    }),
  );
  const rest = editedRest(order, wish);
  const server = rest === undefined ? NOTHING : await previewOrder(rest, instrument, read);
  const crossing = crossingText({ ...order, ...flagsIn(params) }, wish, prices);
  const { beyondBand } = server;
  return {
    ...(wish.price === undefined || beyondBand === undefined ? {} : { beyondBand }),
    sentence: l10n.t("Edit {0}", describeOrder(order)),
    lines: [
      ...changeLines(order, wish),
      ...queueLine(order, wish),
      ...(crossing === undefined ? [] : [crossing]),
      ...server.lines,
    ],
  };
}

/** Returns the flags that decide whether an order may cross, as far as the request gives them. */
function flagsIn({ post_only: isPostOnly, reject_post_only: rejects }: Members): {
  readonly post_only?: boolean;
  readonly reject_post_only?: boolean;
} {
  return {
    ...(typeof isPostOnly === "boolean" ? { post_only: isPostOnly } : {}),
    ...(typeof rejects === "boolean" ? { reject_post_only: rejects } : {}),
  };
}

async function previewClose(params: Members, { read, instrumentOf }: RequestPreviewPorts): Promise<IntentPreview> {
  const { instrument_name: name, type } = params;
  if (typeof name !== "string") return NOTHING;
  const [result, instrument] = await Promise.all([
    read(POSITION_METHOD, { instrument_name: name }),
    instrumentOf(name),
  ]);
  const position = readRow("position", result);
  const { side, amount } = position === undefined ? {} : positionSize(position, instrument);
  if (position?.instrument_name !== name || amount === undefined || side === undefined)
    return { lines: [l10n.t("The position couldn't be read, so how much is closed isn't known.")] };
  if (side === "none") return { lines: [l10n.t("There is no position in this instrument now.")] };
  const closing = decimalText(amount);
  const order = await previewOrder(
    {
      ...{ instrument: name, side: side === "long" ? "sell" : "buy" },
      line: { amount: closing, price: textOf(params["price"]), timing: undefined, isReduceOnly: true },
      options: typeof type === "string" ? { type } : {},
    },
    instrument,
    read,
  );
  return {
    ...order,
    lines: [
      side === "long"
        ? l10n.t("Sells {0}, the whole position.", figureText(closing))
        : l10n.t("Buys {0}, the whole position.", figureText(closing)),
      ...order.lines,
    ],
  };
}
