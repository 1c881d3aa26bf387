import { addDecimals, formatDecimal, parseDecimal, type Decimal } from "../base/decimal.ts";
import type { Clock } from "../base/clock.ts";
import { isObject } from "../base/json.ts";
import { RATE_BUDGETS } from "../catalogue/rates.ts";
import type { CallOptions, Reader } from "../session/session.ts";

/* What an account gained and paid since 08:00 UTC, when the day of the exchange begins, by its transaction log. */

const LOG_METHOD = "private/get_transaction_log";

/** What the transaction log of one currency says since 08:00 UTC. All sums are exact. */
export interface CurrencyDay {
  readonly currency: string;
  /** Whether it is of all slots of isolated margin together. Otherwise it is of the account without them. */
  readonly isIsolated?: true;
  /** The profit that trades of futures and perpetuals realized. Without fees, and without premiums of options. */
  readonly realized: string;
  readonly fees: string;
  /** The funding that was booked, that of the settlement at 08:00 UTC among it. */
  readonly funding: string;
  /** The profit of the session before, which the settlement and the deliveries at 08:00 UTC paid out. */
  readonly settled: string;
}

/** What was read of the day, and when. */
export interface DayResult {
  readonly currencies: readonly CurrencyDay[];
  /** The time of the exchange when it was read, in ms since the Unix epoch. */
  readonly atMs: number;
  /** Whether the log was read to its end. */
  readonly isWhole: boolean;
  /** Whether the logs of all slots of isolated margin were read; undefined on native connections. */
  readonly areSlotsRead: boolean | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the last 08:00 UTC, in ms since the Unix epoch. */
export function dayStartMs(nowMs: number): number {
  return Math.floor((nowMs - 8 * HOUR_MS) / DAY_MS) * DAY_MS + 8 * HOUR_MS;
}

/** The most entries that one call returns, and the most calls for a currency: each costs 10,000 credits. */
const PAGE_SIZE = 250;
const MOST_PAGES = 4;

/** The pause between two calls, in ms: the time in which the credits of one come back. */
const PAUSE_MS = RATE_BUDGETS.transactionLog.cost / RATE_BUDGETS.transactionLog.refillPerMs;

/** What the day is read with. */
interface DayReading {
  readonly reader: Reader;
  readonly options: CallOptions;
  readonly clock: Pick<Clock, "after">;
  /** The currencies of the account; the others have no entries. */
  readonly currencies: readonly string[];
  /** The slots of isolated margin, each with a log of its own; undefined on native connections. */
  readonly slots: SlotsOfDay | undefined;
  /** The exchange's time, in ms since the Unix epoch. */
  readonly nowMs: number;
}

/** The slots that are known. `isWhole`: whether these are all. */
export interface SlotsOfDay {
  readonly ids: readonly number[];
  readonly isWhole: boolean;
}

/**
 * Reads the day of currencies, slowly: a call costs an eighth of the credits of the log. The slots have results apart
 * from that of the account: when one is freed, both logs may have entries about it. Throws `CallError`.
 */
export async function readDayResult(reading: DayReading): Promise<DayResult> {
  const { currencies, slots, nowMs } = reading;
  const readLog = createLogReader(reading);
  const days: CurrencyDay[] = [];
  let isWhole = true;
  const readDay = async (
    currency: string,
    accounts: readonly (number | undefined)[],
  ): Promise<CurrencyDay | undefined> => {
    const entries: unknown[] = [];
    for (const account of accounts) {
      const log = await readLog(currency, account);
      entries.push(...log.entries);
      isWhole &&= log.isWhole;
    }
    return dayOf(currency, entries);
  };
  for (const currency of currencies) {
    const day = await readDay(currency, [undefined]);
    if (day !== undefined) days.push(day);
    const isolated = await readDay(currency, slots?.ids ?? []);
    if (isolated !== undefined) days.push({ ...isolated, isIsolated: true });
  }
  return { currencies: days, atMs: nowMs, isWhole, areSlotsRead: slots?.isWhole };
}

/** Returns what reads the log of a currency since 08:00 UTC: that of a slot, or of the account. */
function createLogReader({
  reader,
  options,
  clock,
  nowMs,
}: DayReading): (
  currency: string,
  slot: number | undefined,
) => Promise<{ readonly entries: readonly unknown[]; readonly isWhole: boolean }> {
  let isFirst = true;
  return async (currency, slot) => {
    const entries: unknown[] = [];
    let continuation: number | undefined;
    for (let page = 0; page < MOST_PAGES && (page === 0 || continuation !== undefined); page++) {
      if (!isFirst)
        await new Promise<void>((resolve) => {
          clock.after(PAUSE_MS, resolve);
        });
      isFirst = false;
      const range = { currency, start_timestamp: dayStartMs(nowMs), end_timestamp: nowMs, count: PAGE_SIZE };
      const { result } = await reader.readResponse(
        LOG_METHOD,
        {
          ...range,
          ...(continuation === undefined ? {} : { continuation }),
          ...(slot === undefined ? {} : { subaccount_id: slot }),
        },
        options,
      );
      const { logs, continuation: next }: Readonly<Record<string, unknown>> = isObject(result) ? result : {};
      entries.push(...(Array.isArray(logs) ? (logs as readonly unknown[]) : []));
      continuation = typeof next === "number" && next !== continuation ? next : undefined;
    }
    return { entries, isWhole: continuation === undefined };
  };
}

/**
 * Returns the sums of entries of the log; undefined where none of them is about trading. A settlement pays out
 * `session_rpl`, of which `total_interest_pl` is funding, and `session_upl`:
 * https://docs.deribit.com/api-reference/account-management/private-get_transaction_log
 */
export function dayOf(currency: string, entries: readonly unknown[]): CurrencyDay | undefined {
  const about = entries.filter(isObject).filter(({ type }) => TRADING.has(type));
  if (about.length === 0) return undefined;
  const of = (...types: readonly string[]): readonly Entry[] =>
    about.filter(({ type }) => types.includes(String(type)));
  const trades = of("trade");
  const ended = of("settlement", "delivery");
  return {
    currency,
    realized: sumOfMember(
      trades.filter((entry) => entry["profit_as_cashflow"] === true),
      "cashflow",
    ),
    fees: sumOfMember(about, "commission"),
    funding: formatDecimal(
      addDecimals(decimalSum(trades, "interest_pl"), decimalSum(of("settlement"), "total_interest_pl")),
    ),
    settled: sumOfMember(ended, "cashflow"),
  };
}

type Entry = Readonly<Record<string, unknown>>;

const TRADING: ReadonlySet<unknown> = new Set(["trade", "settlement", "delivery"]);
const NO_SUM: Decimal = { units: 0n, scale: 0 };

function sumOfMember(entries: readonly Entry[], name: string): string {
  return formatDecimal(decimalSum(entries, name));
}

function decimalSum(entries: readonly Entry[], name: string): Decimal {
  return entries
    .flatMap((entry) => (typeof entry[name] === "number" ? (parseDecimal(String(entry[name])) ?? []) : []))
    .reduce(addDecimals, NO_SUM);
}
