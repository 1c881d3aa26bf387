import { momentNow, msSince, type Clock, type Moment } from "../base/clock.ts";
import { toFailure, type Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import type { ParamsOf } from "../catalogue/index.ts";
import { CURRENCIES } from "../catalogue/values.ts";
import { readExchangeTime } from "../session/reader.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import { retryPauseMs } from "./readRetry.ts";
import { nextTrades, tradeBounds, type TradesCursor } from "./tradePages.ts";

interface MissedTradesPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the currencies of the account; undefined where they are not known. */
  readonly currencies: () => ReadonlySet<string> | undefined;
  /**
   * Reads the accounts whose trades are looked for: slots of isolated margin, or undefined for the account itself
   * (default: that alone). Throws `CallError`.
   */
  readonly accounts?: (reader: Reader, options: CallOptions) => Promise<readonly (number | undefined)[]>;
  readonly isStill: (generation: number | undefined) => boolean;
  /** Whether the server pushes trades at present. */
  readonly isPushed: () => boolean;
  /** Called with trades of the time that was missed, and perhaps with the same ones again. */
  readonly take: (rows: readonly unknown[], slot: number | undefined) => void;
  /** Called once for a time, in ms since the Unix epoch, whose trades can't be read. */
  readonly onGap: (span: { readonly fromMs: number; readonly toMs: number }, failure: Failure) => void;
}

export const USER_TRADES_METHOD = "private/get_user_trades_by_currency";
/** The time before an outage whose trades are read again, in ms: an event may be on its way when a link ends. */
const OVERLAP_MS = 60_000;
/**
 * The age from which trades are looked for among the old ones too, in ms. The exchange keeps them apart after a day.
 * https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
const RECENT_MS = 23 * 3_600_000;
/** The time of failing attempts after which a gap is told, in ms. */
const GAP_MS = 60_000;
/** The most trades that one call can ask for. */
const MOST_TRADES = 1000;
/** The most pages of the trades of an outage. */
const MOST_PAGES = 100;

/** The time whose trades were missed. */
interface Missed {
  /** The last moment at which they were known to come. */
  readonly aliveAt: Moment;
  /** The start in the exchange's time, in ms since the Unix epoch, once that is known. */
  sinceMs: number | undefined;
  /** The first reading that failed, on the monotonic clock. */
  failingSinceMs: number | undefined;
  isTold: boolean;
}

/** The account's trades that were not pushed: kept in mind until they were read, or told as a gap. */
export class MissedTrades {
  readonly #ports: MissedTradesPorts;
  readonly #startedAt: Moment;
  #missed: Missed | undefined;

  constructor(ports: MissedTradesPorts) {
    this.#ports = ports;
    this.#startedAt = this.#now();
  }

  /** Notes that no trades come after a moment (default: now), unless they are missed since an earlier one. */
  begin(aliveAt = this.#now()): void {
    this.#missed ??= { aliveAt, sinceMs: undefined, failingSinceMs: undefined, isTold: false };
  }

  forget(): void {
    this.#missed = undefined;
  }

  /** Reads the trades that were missed. Throws `CallError`; a gap is told at once, or after a minute of attempts. */
  async read(reader: Reader, options: CallOptions): Promise<void> {
    const missed = this.#missed;
    if (missed === undefined) return;
    const { clock, log, isStill } = this.#ports;
    const startedAt = this.#now();
    try {
      const unread = await this.#readAll(missed, reader, options);
      // Lost again meanwhile: it is read once more, from the same moment on.
      if (!isStill(options.generation)) return;
      const reason = l10n.t("The exchange reports more trades than it returns.");
      if (unread !== undefined) this.#tell(missed, unread, { kind: "refused", reason });
      this.#end(startedAt);
    } catch (thrown) {
      if (!isStill(options.generation)) return;
      const failure = toFailure(thrown);
      missed.failingSinceMs ??= clock.monotonicMs();
      const isLasting = retryPauseMs(failure, 0) === undefined;
      log.warn(plain`Trades of an outage could not be read: ${failure.kind}`);
      if (isLasting || clock.monotonicMs() - missed.failingSinceMs >= GAP_MS)
        this.#tell(missed, startedAt.atMs, failure);
      if (isLasting) this.#end(startedAt);
      throw thrown;
    }
  }

  /** Ends what was read. Where trades are not pushed, those after the start of the reading are still to be read. */
  #end(startedAt: Moment): void {
    this.#missed = undefined;
    if (!this.#ports.isPushed()) this.begin(startedAt);
  }

  #tell(missed: Missed, toMs: number, failure: Failure): void {
    if (missed.isTold) return;
    missed.isTold = true;
    const fromMs = missed.sinceMs ?? missed.aliveAt.atMs;
    this.#ports.onGap({ fromMs, toMs: Math.max(fromMs, toMs) }, failure);
  }

  /** Reads all of a time. Returns the end of what the server did not return; undefined where that is nothing. */
  async #readAll(missed: Missed, reader: Reader, options: CallOptions): Promise<number | undefined> {
    const { clock } = this.#ports;
    const toMs = await readExchangeTime(reader, options);
    const ageMs = Math.min(msSince(clock, missed.aliveAt) + OVERLAP_MS, msSince(clock, this.#startedAt));
    const fromMs = (missed.sinceMs ??= Math.floor(toMs - ageMs));
    let unreadMs: number | undefined;
    const accounts = (await this.#ports.accounts?.(reader, options)) ?? [undefined];
    const wanted = [...(this.#ports.currencies() ?? CURRENCIES)].flatMap((currency) =>
      accounts.map((account) => ({ currency, account })),
    );
    for (const { currency, account } of wanted)
      for (const historical of toMs - fromMs > RECENT_MS ? [true, false] : [false]) {
        const selection = { currency, historical, ...(account === undefined ? {} : { subaccount_id: account }) };
        const leftMs = await this.#readTrades(selection, { fromMs, toMs }, async (params) => {
          const { result } = await reader.readResponse(USER_TRADES_METHOD, params, options);
          return isObject(result) ? result : {};
        });
        if (leftMs !== undefined) unreadMs = Math.max(leftMs, unreadMs ?? 0);
      }
    return unreadMs;
  }

  /**
   * Reads the trades of a time in a currency, the newest first. Returns the time before which not all were read, in ms
   * since the Unix epoch; undefined where all were.
   */
  async #readTrades(
    selection: Pick<ParamsOf<typeof USER_TRADES_METHOD>, "currency" | "historical" | "subaccount_id">,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    ask: (params: ParamsOf<typeof USER_TRADES_METHOD>) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<number | undefined> {
    let cursor: TradesCursor = { endMs: toMs };
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const bounds = tradeBounds(cursor, fromMs).currency;
      const { trades, has_more: hasMore } = await ask({ ...selection, ...bounds, count: MOST_TRADES, sorting: "desc" });
      const rows = Array.isArray(trades) ? (trades as readonly unknown[]) : [];
      const wanted = rows.filter((row) => !isBefore(row, fromMs));
      this.#ports.take(wanted, selection.subaccount_id);
      const next = wanted.length < rows.length ? undefined : nextTrades(cursor, rows, hasMore);
      if (next === undefined) return undefined;
      if (next === "stuck") break;
      cursor = next;
    }
    return cursor.endMs ?? toMs;
  }

  #now(): Moment {
    return momentNow(this.#ports.clock);
  }
}

function isBefore(row: unknown, atMs: number): boolean {
  return isObject(row) && typeof row["timestamp"] === "number" && row["timestamp"] < atMs;
}
