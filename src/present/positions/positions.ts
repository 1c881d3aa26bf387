import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { figureText } from "../../actions/intent/decimal.ts";
import type { Instrument } from "../../state/instruments.ts";
import {
  isHeld,
  positionSize,
  type ListedPosition,
  type PositionSide,
  type PositionsStore,
} from "../../state/positions.ts";
import { fact, factNode, staleFact, type RowFact } from "../rows/facts.ts";
import type { RowNode } from "../rows/nodes.ts";
import { fieldLines, memberNodes, unreadableNodes } from "../rows/objectFields.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import type { RowIcon } from "../rows/row.ts";
import {
  compactText,
  countText,
  numberText,
  shortMoneyText,
  shortPriceText,
  signedText,
  sumText,
} from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import { instrumentKindOf, shortInstrumentName } from "../orders/instrumentKind.ts";
import { sortPositions, type PositionSorting } from "./positionsSorting.ts";

/* The Positions view: settlement currencies, below them the positions, below these every member. */

/** The data that the rows of one connection are made from. */
export type PositionsShown = Pick<PositionsStore, "snapshot" | "instrumentOf">;

export interface PositionsLook {
  readonly times: Times;
  /** The order of the positions of a group. */
  readonly sorting: PositionSorting;
  /** The places of the positions in an order of figures, which change too often to sort by them each time. */
  readonly places: ReadonlyMap<string, number>;
  /** Whether profit is also shown in USD. */
  readonly hasUsd: boolean;
  /** The present, in ms since the Unix epoch: what expires within a day is marked. */
  readonly nowMs: number;
}

export const POSITIONS_WORDS: ResourceWords = {
  scope: "trade:read",
  reading: (place) => l10n.t("Loading positions for {0}…", place),
  none: (place) => l10n.t("No positions on {0}.", place),
  notOffered: (place) => l10n.t("{0} doesn't support private/get_positions, so positions can't be listed.", place),
};

/** The nodes of positions as they were made last. Of thousands of positions, few change between two drawings. */
export type MadePositionNodes = WeakMap<ListedPosition, { readonly shown: ShownPosition; readonly node: RowNode }>;

export function positionNodes(
  { snapshot, instrumentOf }: PositionsShown,
  look: PositionsLook,
  made: MadePositionNodes = new WeakMap(),
): RowNode[] {
  const isStale = snapshot.status === "stale";
  const groups = new Map<string | undefined, ShownPosition[]>();
  for (const position of snapshot.items.values()) {
    const instrument = instrumentOf(position);
    const currency = instrument?.currencies.settlement;
    const group = groups.get(currency) ?? [];
    groups.set(currency, group);
    group.push({ position, instrument, look, isStale });
  }
  const named = [...groups].sort(([one], [other]) => compareNames(one, other));
  return [
    ...named.map(([currency, positions]) => groupNode(currency, positions, { look, made })),
    ...unreadableNodes(
      "positions",
      snapshot.unreadable,
      l10n.t("This response item has no instrument name. It is shown as received."),
      look.times,
    ),
  ];
}

/** Returns a position in a few words: `BTC-PERPETUAL long 185160 USD`. */
export function positionText(position: ListedPosition, instrument: Instrument | undefined): Plain {
  return l10n.t("{0} {1}", plain.name(position.instrument_name), holdingText(position, instrument));
}

/** Returns the profit of a position in its settlement currency: `+1.6971 BTC`. Empty where it is not known. */
export function profitText(
  { total_profit_loss: profit }: ListedPosition,
  instrument: Pick<Instrument, "currencies"> | undefined,
): Plain {
  return profit === undefined ? "" : moneyText(profit, instrument?.currencies.settlement);
}

/** A position with everything that its row shows. */
interface ShownPosition {
  readonly position: ListedPosition;
  /** What is known about its instrument; undefined until the instruments are read. */
  readonly instrument: Instrument | undefined;
  readonly look: PositionsLook;
  readonly isStale: boolean;
}

/** Compares names of currencies; what has no name comes last. */
function compareNames(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return one < other ? -1 : 1;
}

function groupNode(
  currency: string | undefined,
  all: readonly ShownPosition[],
  { look, made }: { readonly look: PositionsLook; readonly made: MadePositionNodes },
): RowNode {
  const held = all.filter(({ position }) => isHeld(position));
  const closed = all
    .filter(({ position }) => !isHeld(position))
    .map(({ position }) => plain.name(position.instrument_name));
  const label = currency === undefined ? l10n.t("Settlement currency unknown") : plain.name(currency);
  const sum = currency === undefined ? undefined : profitSum(held);
  return factNode({
    key: currency ?? "?",
    label,
    facts: [
      sum === undefined
        ? undefined
        : fact(
            // The label names the currency.
            moneyText(Number(sum), undefined),
            profitSentence(Number(sum), figureText(sum.replace("-", "")), currency),
          ),
      held.length === 1 ? l10n.t("1 position") : l10n.t("{0} positions", countText(held.length)),
      closed.length === 0
        ? undefined
        : fact(
            l10n.t("{0} closed", countText(closed.length)),
            l10n.t("closed, not listed: {0}", plain.join(closed, ", ")),
          ),
      staleFact(all.some(({ isStale }) => isStale)),
    ],
    contextValue: held.length === 0 ? "positions.kept" : "positions.group",
    copyText: sum ?? label,
    ...(held.length === 0
      ? {}
      : { isOpen: true, below: () => sortPositions(held, look).map((each) => keptNode(each, made)) }),
  });
}

/** Returns the exact sum of profits as text; undefined unless every position has one. */
function profitSum(held: readonly ShownPosition[]): string | undefined {
  const profits = held.flatMap(({ position }) => position.total_profit_loss ?? []);
  const isWhole = profits.length === held.length && held.length > 0 && profits.every((each) => Number.isFinite(each));
  return isWhole ? sumText(profits) : undefined;
}

/** Returns the node that was made of the same position, unless something else that it shows has changed. */
function keptNode(shown: ShownPosition, made: MadePositionNodes): RowNode {
  const { position, instrument, look, isStale } = shown;
  const known = made.get(position);
  if (
    known !== undefined &&
    known.shown.instrument === instrument &&
    known.shown.isStale === isStale &&
    known.shown.look.times === look.times &&
    known.shown.look.hasUsd === look.hasUsd &&
    isExpiring(known.shown) === isExpiring(shown)
  )
    return known.node;
  const node = positionNode(shown);
  made.set(position, { shown, node });
  return node;
}

function positionNode(shown: ShownPosition): RowNode {
  const { position, instrument, look, isStale } = shown;
  const { instrument_name: name, total_profit_loss: profit } = position;
  const unsized = unsizedText(position, instrument);
  return factNode({
    key: name,
    objectId: name,
    label: shortPositionText(position, instrument),
    subject: positionText(position, instrument),
    facts: [
      profit === undefined
        ? undefined
        : fact(
            // The group names the currency.
            moneyText(profit, undefined),
            profitSentence(profit, numberText(Math.abs(profit)), instrument?.currencies.settlement),
          ),
      fact(usdText(shown), ""),
      liquidationFact(position),
      expiryFact(shown),
      { sentence: valueSentence(position, instrument) },
      pricesFact(position),
      { sentence: unsized },
      staleFact(isStale),
    ],
    icon: { ...profitIcon(profit), ...(isStale ? { color: "disabledForeground" } : {}) },
    contextValue: unsized === "" ? "position" : "position.unsized",
    copyText: name,
    lines: () => fieldLines(position, look.times),
    below: () => memberNodes(position, look.times, name, POSITION_FIELDS),
  });
}

/** The members of a position that are shown first. */
const POSITION_FIELDS = [
  ...["total_profit_loss", "floating_profit_loss", "realized_profit_loss", "direction", "size", "size_currency"],
  ...["average_price", "mark_price", "index_price", "estimated_liquidation_price", "leverage"],
  ...["initial_margin", "maintenance_margin", "delta", "gamma", "vega", "theta", "realized_funding"],
];

/** Returns a position in few words, for its row: `BTC-PERP long 45k`. The tooltip has the whole. */
function shortPositionText(position: ListedPosition, instrument: Instrument | undefined): Plain {
  const { side, amount } = positionSize(position, instrument);
  const name = plain.name(nameInGroup(position.instrument_name, instrument?.currencies.settlement));
  return side === undefined || amount === undefined
    ? l10n.t("{0} {1}", name, holdingText(position, instrument))
    : l10n.t("{0} {1} {2}", name, SIDES[side](), compactText(amount));
}

/**
 * Returns the name of an instrument below its currency. A narrow sidebar has no room for an option's whole name beside
 * the profit: the currency is that of the group.
 */
function nameInGroup(name: string, currency: string | undefined): string {
  const isLong = instrumentKindOf(name) === "option" && name.startsWith(`${currency ?? ""}-`);
  return isLong ? name.slice(name.indexOf("-") + 1) : shortInstrumentName(name);
}

/** Whether the instrument of a position expires within a day. */
function isExpiring({ instrument, look }: ShownPosition): boolean {
  const leftMs = (instrument?.expiresAtMs ?? Infinity) - look.nowMs;
  return leftMs > 0 && leftMs <= DAY_MS;
}

function expiryFact(shown: ShownPosition): RowFact | undefined {
  if (!isExpiring(shown)) return undefined;
  const { instrument, look } = shown;
  const atMs = instrument?.expiresAtMs ?? 0;
  return fact(l10n.t("expires {0}", look.times.minute(atMs)), l10n.t("expires at {0}", look.times.local(atMs)));
}

const DAY_MS = 24 * 3_600_000;

/** Returns side and size of a position, e.g. `long 0.5 BTC`, in what an order for it counts. */
export function holdingText(position: ListedPosition, instrument: Instrument | undefined): Plain {
  const { side, amount, unit, quoteValue } = positionSize(position, instrument);
  if (side === undefined) return l10n.t("side and size unknown");
  if (amount !== undefined) return sizedText({ side, amount, unit });
  const word = SIDES[side]();
  if (instrument === undefined && quoteValue !== undefined)
    return l10n.t("{0} {1} in the quote currency", word, numberText(quoteValue));
  return unit === undefined
    ? l10n.t("{0}, size unknown", word)
    : l10n.t("{0}, size in {1} unknown", word, plain.name(unit));
}

/** Returns side and size where the size is known, e.g. `long 0.5 BTC`. */
export function sizedText({
  side,
  amount,
  unit,
}: {
  readonly side: PositionSide;
  readonly amount: number;
  readonly unit: string | undefined;
}): Plain {
  return unit === undefined
    ? l10n.t("{0} {1}", SIDES[side](), numberText(amount))
    : l10n.t("{0} {1} {2}", SIDES[side](), numberText(amount), plain.name(unit));
}

const SIDES: Readonly<Record<PositionSide, () => Plain>> = {
  long: () => l10n.t("long"),
  short: () => l10n.t("short"),
  none: () => l10n.t("closed"),
};

/** Returns why a position can't be closed or reduced; empty where the amount of the order for it is known. */
export function unsizedText(position: ListedPosition, instrument: Instrument | undefined): Plain {
  const { amount, unit } = positionSize(position, instrument);
  if (amount !== undefined) return "";
  return unit === undefined
    ? l10n.t("The currency that its orders count is unknown, so it can't be closed or reduced from here.")
    : l10n.t("The exchange reports no size in {0}, so it can't be closed or reduced from here.", plain.name(unit));
}

/** Returns the value of a linear future in a sentence; empty for everything else, whose size is a value or has none. */
function valueSentence(position: ListedPosition, instrument: Instrument | undefined): Plain {
  const { unit, quoteValue } = positionSize(position, instrument);
  const quote = instrument?.currencies.quote;
  return quoteValue === undefined || unit === undefined || quote === undefined || unit === quote
    ? ""
    : l10n.t("value {0} {1}", numberText(quoteValue), plain.name(quote));
}

function moneyText(value: number, currency: string | undefined): Plain {
  const digits = signedText(value, shortMoneyText);
  return currency === undefined ? digits : l10n.t("{0} {1}", digits, plain.name(currency));
}

/** Returns a profit in a sentence, with all its digits. */
function profitSentence(value: number, digits: Plain, currency: string | undefined): Plain {
  const unit = currency === undefined ? "" : plain.name(currency);
  const amount = unit === "" ? digits : l10n.t("{0} {1}", digits, unit);
  return value < 0 ? l10n.t("loss {0}", amount) : l10n.t("profit {0}", amount);
}

/**
 * Returns the profit in USD; empty where it is not wanted. The index price is the price of what is traded: it converts
 * a profit in that currency and no other.
 */
function usdText({ position, instrument, look }: ShownPosition): Plain {
  const { total_profit_loss: profit, index_price: index } = position;
  const { base, settlement } = instrument?.currencies ?? {};
  if (!look.hasUsd || profit === undefined || index === undefined || base === undefined || base !== settlement)
    return "";
  const value = profit * index;
  return l10n.t("≈ {0} USD", signedText(value, shortPriceText));
}

function pricesFact({ average_price: average, mark_price: mark }: ListedPosition): RowFact | undefined {
  if (average === undefined && mark === undefined) return undefined;
  const text = (price: number | undefined): Plain => (price === undefined ? numberText(price) : shortPriceText(price));
  return fact(
    l10n.t("{0} → {1}", text(average), text(mark)),
    l10n.t("average price {0}, mark price {1}", numberText(average), numberText(mark)),
    2,
  );
}

/** Returns the estimated liquidation price. The exchange sends 0 or -1 where there is none. */
function liquidationFact({
  estimated_liquidation_price: price = 0,
  mark_price: mark,
}: ListedPosition): RowFact | undefined {
  if (price <= 0) return undefined;
  const share = distanceOf(price, mark);
  const [short, digits] = [shortPriceText(price), numberText(price)];
  if (share === undefined) return fact(l10n.t("liq {0}", short), l10n.t("estimated liquidation price {0}", digits));
  return fact(
    l10n.t("liq {0} ({1} %)", short, signedText(share, numberText)),
    share < 0
      ? l10n.t("estimated liquidation price {0}, {1}% below the mark price", digits, -share)
      : l10n.t("estimated liquidation price {0}, {1}% above the mark price", digits, share),
  );
}

/** Returns how far a price is from the mark price, in whole percent of the mark price. */
function distanceOf(price: number, mark: number | undefined): number | undefined {
  return mark === undefined || mark === 0 ? undefined : Math.round(((price - mark) / mark) * 100);
}

function profitIcon(profit = 0): RowIcon {
  if (profit > 0) return { name: "triangle-up", color: "charts.green" };
  return profit < 0 ? { name: "triangle-down", color: "charts.red" } : { name: "circle-outline", color: undefined };
}
