import { isObject } from "../base/json.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import type { Instrument } from "./instruments.ts";
import { isIsolated, slotOf } from "./isolated.ts";
import type { MmpFreeze } from "./mmpGroups.ts";

/* What is worth an alarm, read out of events and responses. Pure: what was told before is known elsewhere. */

/** The families of alarms, each evaluated as a whole or not at all. */
export type AlarmFamily = "liquidation" | "fill" | "mmp" | "lock" | "margin" | "platform";

/** Returns the family of an alarm. */
function familyOf({ kind }: Pick<Alarm, "kind">): AlarmFamily {
  if (kind === "liquidationCancel" || kind === "isolatedLiquidation") return "liquidation";
  return kind === "maintenance" ? "platform" : kind;
}

/**
 * Something that the user has to know at once. `key` tells it from all others of the account, in every window. With
 * `againAfterMs`, the same key stands for another event after that time, in ms.
 */
export type Alarm = { readonly key: string; readonly againAfterMs?: number } & (
  | {
      readonly kind: "liquidation";
      readonly trade: Pick<UserTrade, "instrument_name" | "direction" | "amount" | "price">;
    }
  /** The exchange began to liquidate an isolated position. `slot`: the subaccount that has it, as far as it is told. */
  | { readonly kind: "isolatedLiquidation"; readonly slot: number | undefined; readonly currency: string | undefined }
  /** The exchange cancelled an order before it liquidates. */
  | { readonly kind: "liquidationCancel"; readonly instrument: string | undefined }
  | { readonly kind: "fill"; readonly trade: UserTrade; readonly usd: number }
  | { readonly kind: "mmp"; readonly freeze: MmpFreeze }
  /** `currency`: undefined for all of them. */
  | { readonly kind: "lock"; readonly currency: string | undefined }
  /** `currency`: undefined where all currencies share one margin. `share`: of the margin balance, 1 is all of it. */
  | {
      readonly kind: "margin";
      readonly currency: string | undefined;
      readonly share: number;
      readonly limit: number;
      /** The slot of isolated margin that it is about; undefined for the account itself. */
      readonly slot?: number | undefined;
    }
  /** `index`: undefined for the whole platform. */
  | { readonly kind: "platform"; readonly index: string | undefined }
  | { readonly kind: "maintenance" }
);

/** A condition that lasts. `between`: neither far enough above its limit nor far enough below to change anything. */
export interface AlarmCondition {
  readonly alarm: Alarm;
  readonly state: "raised" | "between" | "clear";
}

/** The limits of the user. */
export interface AlarmLimits {
  /** The share of the margin balance that maintenance margin may take, between 0 and 1. */
  readonly marginShare: number;
  /** The size of a fill, in USD, from which it is told; undefined for none. */
  readonly fillUsd: number | undefined;
}

/** The settings of alarms. */
export interface AlarmSettings extends AlarmLimits {
  readonly isOn: boolean;
  /** The families that are not told. */
  readonly off: ReadonlySet<AlarmFamily>;
  /** The duration from which a freeze of MMP is told, in ms. One without a known end always is. */
  readonly leastFreezeMs: number;
}

/**
 * Whether an alarm is to be told. On the built-in simulator, which trades automatically, only what concerns an order of
 * the user is.
 */
export function isWanted(alarm: Alarm, { off, leastFreezeMs }: AlarmSettings, isOwnSimulator: boolean): boolean {
  if (off.has(familyOf(alarm))) return false;
  if (isOwnSimulator)
    return (
      alarm.kind === "liquidation" ||
      alarm.kind === "isolatedLiquidation" ||
      (alarm.kind === "fill" && alarm.trade.label !== BOT_LABEL)
    );
  if (alarm.kind !== "mmp") return true;
  const { frozen_until: until = 0, heardAtMs } = alarm.freeze;
  return until === 0 || until - heardAtMs >= leastFreezeMs;
}

/** The label of the orders that the built-in simulator places in the user's account automatically. */
const BOT_LABEL = "demo";

type UserTrade = RowOf<"userTrade">;

/** The distance below the limit at which an alarm about margin is over. */
const MARGIN_HYSTERESIS = 0.05;
/** The time in which orders that liquidation cancels count as one event, in ms. */
const CANCELS_TOGETHER_MS = 600_000;
/** The currency that stands for all of them. https://docs.deribit.com/subscriptions/user/userlock */
const ALL_CURRENCIES = "ALL";
/** The key of the alarm about a lock of all currencies. */
export const LOCK_OF_ALL = `lock ${ALL_CURRENCIES}`;

/** Returns the trades of an event or a response that can be read. */
export function userTradesOf(data: unknown): readonly UserTrade[] {
  return listOf(data).flatMap((each) => readRow("userTrade", each) ?? []);
}

/**
 * Returns the alarm about a trade by which the exchange liquidated the account. `liquidation` says which side of the
 * trade was liquidated, and that may be the other one. https://docs.deribit.com/subscriptions/user/usertradesinstrument_nameinterval
 */
export function liquidationOfTrade(trade: UserTrade): Alarm | undefined {
  const { liquidation, liquidity, order_type: type, order_id: order, trade_id: id } = trade;
  const isOwn = liquidity !== undefined && liquidation?.includes(liquidity) === true;
  return isOwn || type === "liquidation"
    ? { kind: "liquidation", key: `liquidation ${order ?? id}`, trade }
    : undefined;
}

/**
 * Returns the alarm about a liquidation in isolated margin that begins. Only the state is sure: the other members are
 * told as far as they are there. https://docs.deribit.com/subscriptions/user/userliquidation
 */
export function isolatedLiquidationOf(data: unknown): Alarm | undefined {
  const { state, user_id: id, currency, timestamp } = isObject(data) ? data : {};
  if (state === "liquidation_ended") return undefined;
  const slot = typeof id === "number" ? id : undefined;
  return {
    kind: "isolatedLiquidation",
    key: `liquidation:${slot ?? ""}:${typeof timestamp === "number" ? timestamp : ""}`,
    slot,
    currency: typeof currency === "string" ? currency : undefined,
  };
}

/** Returns the alarms of an event of the account's orders: the exchange liquidates, or is about to. */
export function liquidationsOfOrders(data: unknown): readonly Alarm[] {
  return listOf(data).flatMap((each): Alarm[] => {
    const order = readRow("order", each);
    if (order === undefined) return [];
    const { instrument_name: instrument, cancel_reason: reason } = order;
    if (order.is_liquidation === true)
      return [
        {
          kind: "liquidation",
          key: `liquidation ${order.order_id}`,
          trade: {
            instrument_name: instrument,
            direction: order.direction,
            amount: order.amount,
            price: typeof order.price === "number" ? order.price : undefined,
          },
        },
      ];
    return reason === "autoliquidation"
      ? [{ kind: "liquidationCancel", key: "liquidationCancels", againAfterMs: CANCELS_TOGETHER_MS, instrument }]
      : [];
  });
}

/** Returns the alarm about a trade that is at least as large as the limit; undefined where its size is not known. */
export function largeFill(trade: UserTrade, instrument: Instrument | undefined, limitUsd: number): Alarm | undefined {
  const usd = usdOfTrade(trade, instrument);
  if (usd === undefined || usd < limitUsd) return undefined;
  // Both sides of a trade between an account and one of its slots have the same ID.
  const key = isIsolated(trade) ? `fill:${slotOf(trade) ?? ""}:${trade.trade_id}` : `fill ${trade.trade_id}`;
  return { kind: "fill", key, trade, usd };
}

/**
 * Returns the size of a trade in USD: the amount of an inverse future, the value of the underlying of an option, and
 * amount times price of everything that is priced in USD or in one of its stablecoins.
 */
export function usdOfTrade(trade: UserTrade, instrument: Instrument | undefined): number | undefined {
  const { amount, price, index_price: index } = trade;
  if (amount === undefined || instrument === undefined) return undefined;
  const { base, quote, settlement } = instrument.currencies;
  if (instrument.kind.startsWith("option")) return index === undefined ? undefined : amount * index;
  if (settlement !== undefined && settlement === base) return amount;
  return quote?.startsWith("USD") === true && price !== undefined ? amount * price : undefined;
}

/** Returns the locks that an event or a response tells of. A whole list in which everything is locked is one lock. */
export function lockConditions(data: unknown): readonly AlarmCondition[] {
  const rows = listOf(data).flatMap((each) => readRow("userLock", each) ?? []);
  const isLocked = ({ locked, enabled }: RowOf<"userLock">): boolean => locked ?? enabled ?? false;
  const together = rows.length > 1 && rows.every(isLocked) ? [{ currency: ALL_CURRENCIES, locked: true }] : rows;
  return together.map((row) => ({
    alarm: {
      kind: "lock",
      key: `lock ${row.currency}`,
      currency: row.currency === ALL_CURRENCIES ? undefined : row.currency,
    },
    state: isLocked(row) ? "raised" : "clear",
  }));
}

/** Returns the conditions of an event about the margin of slots: each row names its own. */
export function slotMarginConditions(data: unknown, limit: number): readonly AlarmCondition[] {
  return listOf(data).flatMap((row) => {
    const { user_id: slot } = isObject(row) ? row : {};
    return typeof slot === "number" ? marginConditions(row, limit, slot) : [];
  });
}

/**
 * Returns the shares of the margin balance that maintenance margin takes, from an event or from account summaries.
 * `slot`: the slot of isolated margin that has them (default: the account itself).
 */
export function marginConditions(data: unknown, limit: number, slot?: number): readonly AlarmCondition[] {
  const shares = new Map<string | undefined, number>();
  for (const each of listOf(data)) {
    const row = readRow("accountSummary", each);
    if (row === undefined) continue;
    const isCross = row.cross_collateral_enabled === true;
    const share = isCross
      ? shareOf(row.total_maintenance_margin_usd, row.total_margin_balance_usd)
      : shareOf(row.maintenance_margin, row.margin_balance);
    if (share !== undefined) shares.set(isCross ? undefined : row.currency, share);
  }
  return [...shares].map(([currency, share]) => ({
    alarm: {
      kind: "margin",
      key: slot === undefined ? `margin ${currency ?? "cross"}` : `margin:${slot}:${currency ?? "cross"}`,
      ...{ currency, share, limit, slot },
    },
    state: share >= limit ? "raised" : share <= limit - MARGIN_HYSTERESIS ? "clear" : "between",
  }));
}

/** Returns the currencies in which a summary or an event shows a balance or a margin. */
export function currenciesInUse(data: unknown): readonly string[] {
  return listOf(data).flatMap((each) => {
    const row = readRow("accountSummary", each);
    return row === undefined || ((row.margin_balance ?? 0) === 0 && (row.maintenance_margin ?? 0) === 0)
      ? []
      : [row.currency];
  });
}

/** Returns a share; without a balance, a margin takes all there is, and no margin takes nothing. */
function shareOf(margin: number | undefined, balance: number | undefined): number | undefined {
  if (margin === undefined || balance === undefined) return undefined;
  if (margin <= 0) return 0;
  return balance > 0 ? margin / balance : Infinity;
}

/** Returns the locks of the platform or an index that an event tells of. */
export function platformConditions(data: unknown): readonly AlarmCondition[] {
  return listOf(data).flatMap((each): AlarmCondition[] => {
    const event = readRow("platformState", each);
    if (event === undefined) return [];
    const { maintenance, locked, price_index: index } = event;
    return [
      ...(maintenance === undefined
        ? []
        : [{ alarm: { kind: "maintenance", key: "maintenance" } as const, state: stateOf(maintenance) }]),
      ...(locked === undefined ? [] : [{ alarm: platformAlarm(index), state: stateOf(locked) }]),
    ];
  });
}

/**
 * Returns the locks that public/status lists: the whole platform, or single indexes. Of `raised`, the keys of earlier
 * alarms, those that it does not list are over.
 */
export function statusConditions(
  {
    locked,
    locked_indices: indexes = [],
  }: { readonly locked?: unknown; readonly locked_indices?: readonly string[] | undefined },
  raised: readonly string[],
): readonly AlarmCondition[] {
  const isWhole = String(locked) === "true";
  const listed = isWhole ? [undefined] : indexes;
  const now = listed.map((index): AlarmCondition => ({ alarm: platformAlarm(index), state: "raised" }));
  const keys = new Set(now.map(({ alarm }) => alarm.key));
  const over = raised
    .filter((key) => key.startsWith(PLATFORM) && !keys.has(key))
    .map((key): AlarmCondition => {
      const index = key.slice(PLATFORM.length);
      return { alarm: platformAlarm(index === "" ? undefined : index), state: "clear" };
    });
  return isWhole || raised.includes(PLATFORM) ? [...now, ...over] : [...now, ...over, NOT_LOCKED];
}

const PLATFORM = "platform ";

function platformAlarm(index: string | undefined): Alarm {
  return { kind: "platform", key: `${PLATFORM}${index ?? ""}`, index };
}

const NOT_LOCKED: AlarmCondition = { alarm: platformAlarm(undefined), state: "clear" };

/** Returns the alarm about a freeze of market maker protection. */
export function freezeAlarm(freeze: MmpFreeze): Alarm {
  const { index_name: index, mmp_group: group, block_rfq: isRfq, frozen_until: until } = freeze;
  const hasEnd = until !== undefined && until !== 0;
  return {
    kind: "mmp",
    key: `mmp ${JSON.stringify([index, group, isRfq])} ${String(until)}`,
    // Without an end, only the moment tells one freeze from the next; other windows hear of it at about the same time.
    ...(hasEnd ? {} : { againAfterMs: FREEZES_APART_MS }),
    freeze,
  };
}

const FREEZES_APART_MS = 2000;

function stateOf(isRaised: boolean): AlarmCondition["state"] {
  return isRaised ? "raised" : "clear";
}

function listOf(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? (data as readonly unknown[]) : [data];
}
