import type { TradedInstrument } from "../instrument.ts";
import { fixedOf } from "../ledger/money.ts";
import type { ExchangeLedger } from "../ledger/ledger.ts";
import { MINUTE_MS, nextSettlement } from "./calendar.ts";
import type { ExchangeMarket } from "./market.ts";

/** What passing time needs. */
export interface PassingPorts {
  readonly ledger: ExchangeLedger;
  readonly market: ExchangeMarket;
  /** Returns the perpetuals, which are funded, and what is listed and expires meanwhile, which is delivered. */
  readonly instruments: () => Iterable<TradedInstrument>;
  /** Sets the time whose prices the ledger sees. */
  readonly setNow: (atMs: number) => void;
  /** Called with an instrument that expires, before its positions are delivered: its orders end now. */
  readonly onExpiry: (instrument: TradedInstrument, atMs: number) => void;
}

/**
 * Lets time pass for the accounts: perpetuals are funded, and at 08:00 UTC what expires is delivered and sessions are
 * settled. It comes to the same in one piece or in several: funding is added up minute by minute, and what a minute
 * has brought so far is told anew each time.
 */
export function passTime(ports: PassingPorts, fromMs: number, untilMs: number): void {
  let settlementMs = nextSettlement(fromMs);
  for (let at = (Math.floor(fromMs / MINUTE_MS) + 1) * MINUTE_MS; at <= untilMs; at += MINUTE_MS) {
    ports.setNow(at);
    fundAll(ports, at - MINUTE_MS, at);
    if (at < settlementMs) continue;
    deliverAll(ports, at);
    ports.ledger.settle(at);
    settlementMs = nextSettlement(at);
  }
  ports.setNow(untilMs);
  fundAll(ports, Math.floor(untilMs / MINUTE_MS) * MINUTE_MS, untilMs);
}

/** Tells the funding of a minute, or of what has passed of it. */
function fundAll({ ledger, market, instruments }: PassingPorts, minuteMs: number, atMs: number): void {
  const isOver = atMs === minuteMs + MINUTE_MS;
  for (const instrument of instruments())
    if (instrument.kind === "future" && instrument.expiresAtMs === undefined)
      ledger.fund(instrument, { interest: market.funding.between(instrument, minuteMs, atMs), isOver });
}

function deliverAll({ ledger, market, instruments, onExpiry }: PassingPorts, atMs: number): void {
  for (const instrument of [...instruments()]) {
    if (instrument.expiresAtMs === undefined || instrument.expiresAtMs > atMs) continue;
    onExpiry(instrument, atMs);
    const price = market.indexes.deliveryPrice(instrument.indexName, instrument.expiresAtMs);
    ledger.deliver(instrument, fixedOf(price), atMs);
  }
}
