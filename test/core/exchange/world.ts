import type { Fact } from "../../../src/exchange/facts.ts";
import type { TradedInstrument, Side } from "../../../src/exchange/instrument.ts";
import type { SelfTrading } from "../../../src/exchange/orders/engineCore.ts";
import { createEngine, type Engine } from "../../../src/exchange/orders/engine.ts";
import type { Refusal } from "../../../src/exchange/refusal.ts";
import type { RiskRequest } from "../../../src/exchange/risk.ts";

/** The instrument of the tests: prices and amounts are whole numbers as they stand. */
export const INSTRUMENT: TradedInstrument = {
  name: "X",
  kind: "future",
  baseCurrency: "BTC",
  quoteCurrency: "USD",
  settlementCurrency: "BTC",
  isInverse: true,
  indexName: "btc_usd",
  tick: { mantissa: 1, decimals: 0 },
  coarserTicks: [{ from: 1000, tick: 5 }],
  lot: { mantissa: 1, decimals: 0 },
  minAmount: 1,
  maxAmount: 1_000_000,
  contractSize: 1,
  expiresAtMs: undefined,
  option: undefined,
};

export interface World {
  readonly engine: Engine;
  readonly positions: ReadonlyMap<string, number>;
}

/** Makes an engine with a ledger that knows positions alone. IDs count from 1. */
export function createWorld({
  instrument = INSTRUMENT,
  mode = () => "reject_taker",
  accepts = () => undefined,
  refusesControl = () => undefined,
  take = () => undefined,
  limits = {},
}: {
  readonly instrument?: TradedInstrument;
  readonly mode?: (account: string) => SelfTrading["mode"];
  readonly accepts?: (account: string, order: RiskRequest) => Refusal | undefined;
  readonly refusesControl?: (account: string) => Refusal | undefined;
  readonly take?: (fact: Fact) => void;
  readonly limits?: { readonly triggers?: number; readonly linked?: number };
} = {}): World {
  const positions = new Map<string, number>();
  const move = (account: string, side: Side, amount: number): void => {
    positions.set(account, (positions.get(account) ?? 0) + (side === "buy" ? amount : -amount));
  };
  let [orders, trades, changes, links] = [0, 0, 0, 0];
  const engine = createEngine({
    instrument: (name) => (name === instrument.name ? instrument : undefined),
    ids: {
      order: () => String((orders += 1)),
      trade: () => (trades += 1),
      change: () => (changes += 1),
      link: () => `OCO-${String((links += 1))}`,
    },
    risk: {
      accepts,
      refusesControl,
      position: (account) => positions.get(account) ?? 0,
      take(fact) {
        take(fact);
        if (fact.kind !== "trade") return;
        const { maker, taker, direction, amount } = fact.trade;
        move(taker.account, direction, amount);
        move(maker.account, direction === "buy" ? "sell" : "buy", amount);
      },
    },
    // Accounts whose names begin with the same letter have the same main account.
    selfTrading: (account) => ({
      mode: mode(account),
      extendsToSubaccounts: account.startsWith("S"),
      mainAccount: account.slice(0, 1),
    }),
    limits,
  });
  return { engine, positions };
}
