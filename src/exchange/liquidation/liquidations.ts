import type { Fact } from "../facts.ts";
import type { AccountId, TradedInstrument } from "../instrument.ts";
import type { ExchangeLedger } from "../ledger/ledger.ts";
import { isShortOfMargin, type AccountCurrency } from "../ledger/maintenance.ts";
import type { PositionReport } from "../ledger/summary.ts";
import { SECOND_MS } from "../market/calendar.ts";
import type { Engine } from "../orders/engine.ts";
import type { Lots } from "../units.ts";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";

/*
 * An account whose maintenance margin reaches its margin balance is liquidated in steps, one round a second, until the
 * maintenance margin is below the balance again. Meanwhile it has no control over its orders.
 * https://support.deribit.com/hc/en-us/articles/25944769313309-Liquidations
 *
 * That page does not say how much one round closes, which position comes first, and what becomes of orders that rest.
 * Here a round closes an eighth of a position, as large as it was when its liquidation began. The position with the
 * largest maintenance margin comes first, and another one where nothing trades: so the exchange liquidates portfolio
 * margin accounts (https://support.deribit.com/hc/en-us/articles/25944825289245-1-August-2023). Orders that rest are
 * cancelled; those that wait for a price go on waiting, and are rejected when they are triggered.
 */

/** The liquidations of all accounts. */
export interface Liquidations {
  /** Whether an account is being liquidated. */
  readonly isUnderWay: boolean;
  /**
   * Carries out what is due: one round for each full second since the last call. All rounds of one call trade at the
   * prices of now; after one in which nothing trades, the next one waits for the next second.
   */
  advance(nowMs: number): void;
}

/** What liquidations need from around them. */
interface LiquidationPorts {
  readonly ledger: ExchangeLedger;
  readonly engine: Engine;
  /** Quotes an instrument again, so that what the round before took is there again. */
  readonly restore: (instrument: string) => void;
  /** Called with what happened in the books. */
  readonly onFacts: (facts: readonly Fact[]) => void;
  readonly onChange: (change: LiquidationChange) => void;
}

/** The beginning or the end of a liquidation. */
export interface LiquidationChange extends AccountCurrency {
  readonly state: "started" | "completed";
  readonly atMs: number;
}

/** How many rounds close a position that finds enough to trade with. */
const PARTS = 8;

/** A liquidation that is under way. */
interface Liquidation extends AccountCurrency {
  /** What one round closes, by instrument. */
  readonly steps: Map<string, Lots>;
}

/** Makes the liquidations of an exchange: none yet. The first round is due a second after `startMs`. */
export function createLiquidations(ports: LiquidationPorts, startMs: number): Liquidations {
  const { ledger, engine, onFacts, onChange } = ports;
  const underWay = new Map<string, Liquidation>();
  let lastSecond = Math.floor(startMs / SECOND_MS);
  let isRunning = false;

  const begin = (of: AccountCurrency, nowMs: number): void => {
    const key = keyOf(of);
    if (underWay.has(key)) return;
    underWay.set(key, { ...of, steps: new Map() });
    ledger.setLocked(of, true);
    onChange({ ...of, state: "started", atMs: nowMs });
    const { account } = of;
    const isMeant = (name: string): boolean => ledger.risk.refusesControl(account, name) !== undefined;
    onFacts(
      engine.cancelAll(
        {
          account,
          where: ({ state, instrument }) => state === "open" && isMeant(instrument),
          reason: "autoliquidation",
        },
        nowMs,
      ),
    );
  };
  const end = (of: AccountCurrency, nowMs: number): void => {
    underWay.delete(keyOf(of));
    ledger.setLocked(of, false);
    onChange({ ...of, state: "completed", atMs: nowMs });
  };
  const isShort = (of: AccountCurrency): boolean => isShortOfMargin(ledger.marginLevel(of));
  const run = (liquidation: Liquidation, rounds: number, nowMs: number): void => {
    let isTrading = true;
    for (let round = 0; round < rounds && isTrading && isShort(liquidation); round++)
      isTrading = closePart(ports, liquidation, nowMs);
    // Nothing is left that could be closed, and nothing that needs margin: the account is bankrupt.
    if (!isTrading && ledger.marginLevel(liquidation).maintenanceMargin === 0n) ledger.insure(liquidation, nowMs);
    if (!isShort(liquidation)) end(liquidation, nowMs);
  };
  return {
    get isUnderWay() {
      return underWay.size > 0;
    },
    advance(nowMs) {
      const second = Math.floor(nowMs / SECOND_MS);
      const rounds = second - lastSecond;
      // What is told of a round may ask for the time, which has passed meanwhile.
      if (rounds <= 0 || isRunning) return;
      lastSecond = second;
      isRunning = true;
      try {
        for (const each of ledger.shortOfMargin()) begin(each, nowMs);
        for (const each of [...underWay.values()]) run(each, rounds, nowMs);
      } finally {
        isRunning = false;
      }
    },
  };
}

function keyOf({ account, currency }: AccountCurrency): string {
  return `${account}\n${currency}`;
}

/** Closes a part of the first position of which anything can be traded. Returns whether there was one. */
function closePart(
  { ledger, engine, restore, onFacts }: LiquidationPorts,
  { account, currency, steps }: Liquidation,
  nowMs: number,
): boolean {
  for (const { instrument } of inTurn(ledger, account, currency)) {
    const { name } = instrument;
    const position = ledger.risk.position(account, name);
    const step = steps.get(name) ?? stepOf(instrument, Math.abs(position));
    steps.set(name, step);
    restore(name);
    const outcome = engine.place(
      {
        account,
        instrument: name,
        direction: position > 0 ? "sell" : "buy",
        amount: Math.min(step, Math.abs(position)),
        type: "market",
        isLiquidation: true,
      },
      nowMs,
    );
    onFacts(outcome.facts);
    if (outcome.isDone && outcome.order.filled > 0) return true;
  }
  return false;
}

/** Returns the positions of an account in a currency, the one with the largest maintenance margin first. */
function inTurn(ledger: ExchangeLedger, account: AccountId, currency: string): PositionReport[] {
  return ledger
    .positions(account)
    .filter(({ instrument, size }) => instrument.settlementCurrency === currency && size !== 0n)
    .sort((one, other) => Number(other.maintenanceMargin - one.maintenanceMargin));
}

/** Returns what one round closes of a position: whole contracts, and no more than one order may have. */
function stepOf({ kind, contractSize, minAmount, maxAmount }: TradedInstrument, size: Lots): Lots {
  const unit = kind === "future" ? contractSize : 1;
  const part = Math.max(minAmount, Math.min(size / PARTS, maxAmount));
  return Math.ceil(part / unit) * unit;
}

/** Lets liquidations happen as the time passes, whether or not the market moves. */
export interface MarginWatch extends Disposable {
  /** Carries out the rounds that are due at a time. */
  advance(nowMs: number): void;
  /** To be called once the accounts have what they begin with: one of them may be short of margin. */
  begin(): void;
}

interface MarginWatchPorts extends LiquidationPorts {
  readonly clock: Clock;
  /** Called a second after a round, while there is something to liquidate: it has to let the time pass. */
  readonly onSecond: () => void;
}

/** Makes the watch over the margins of accounts. A timer runs only as long as an account is being liquidated. */
export function createMarginWatch(ports: MarginWatchPorts): MarginWatch {
  const { clock, ledger, onSecond } = ports;
  const liquidations = createLiquidations(ports, clock.now());
  let timer: Disposable | undefined;
  const lookAgain = (): void => {
    timer ??= clock.after(SECOND_MS, () => {
      timer = undefined;
      onSecond();
    });
  };
  return {
    advance(nowMs) {
      liquidations.advance(nowMs);
      if (liquidations.isUnderWay) lookAgain();
    },
    begin() {
      if (ledger.shortOfMargin().length > 0) lookAgain();
    },
    dispose: () => timer?.dispose(),
  };
}
