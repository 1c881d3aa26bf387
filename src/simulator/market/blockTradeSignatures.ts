import type { Clock, Random } from "../../base/clock.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { randomText } from "../text/seededRandom.ts";
import type { BlockTradeMaker } from "./blockTradeSeed.ts";
import type { BlockTrades, SimulatedBlockTrade } from "./blockTrades.ts";
import type { SimulatedInstrument } from "./instruments.ts";

/** The details of a block trade, on which both parties agree. */
export interface AgreedTrade {
  readonly timestamp: number;
  readonly nonce: string;
  readonly role: string;
  readonly trades: readonly AgreedLeg[];
}

interface AgreedLeg {
  readonly instrument_name?: string | undefined;
  readonly price?: number | undefined;
  readonly amount?: number | undefined;
  /** The direction from the maker's point of view. */
  readonly direction?: string | undefined;
}

/** A party: an account, and the key that it acts with. */
export interface Party {
  readonly accountId: number;
  readonly keyId: number | undefined;
}

/** The signatures of block trades, which one party gives to the other. */
export interface BlockTradeSignatures {
  /** Returns a signature of the party. Refuses with -32602 what cannot be traded, or not around now. */
  verify(party: Party, agreed: AgreedTrade): string;
  /**
   * Executes a block trade for both parties, and returns it as the caller sees it. Refuses with 13009 a signature that
   * is not the other party's for this trade, has expired, was used or invalidated.
   */
  execute(party: Party, agreed: AgreedTrade, signature: string): SimulatedBlockTrade;
  /** Takes a signature of the party back. Refuses with 13009 one that is not valid, or another's. */
  invalidate(party: Party, signature: string): void;
}

export interface BlockTradeSignaturePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  readonly accounts: readonly {
    readonly id: number;
    readonly blockTrades: BlockTrades;
    readonly blockTradeMaker: BlockTradeMaker;
  }[];
}

/** The time around the agreed timestamp within which a signature is valid, in ms. */
const VALID_MS = 5 * 60_000;

interface Signed extends Party {
  readonly agreed: AgreedTrade;
}

/**
 * Makes the signatures of all accounts. The error table has one code for a signature that is bad or has expired, 13009;
 * which one the exchange uses here is not documented. https://docs.deribit.com/articles/errors
 */
export function createBlockTradeSignatures(ports: BlockTradeSignaturePorts): BlockTradeSignatures {
  const { clock, random, accounts } = ports;
  const signed = new Map<string, Signed>();
  const valid = (signature: string): Signed => {
    const found = signed.get(signature);
    if (found === undefined || clock.now() > found.agreed.timestamp + VALID_MS) throw refusal(13009);
    return found;
  };
  return {
    verify(party, agreed) {
      refuseUntradable(ports, agreed);
      const signature = `${agreed.timestamp + VALID_MS}.1${randomText(random, 7)}.${randomText(random, 86)}`;
      signed.set(signature, { ...party, agreed });
      return signature;
    },
    execute(party, agreed, signature) {
      refuseUntradable(ports, agreed);
      const other = valid(signature);
      if (!isSameTrade(other.agreed, agreed) || other.agreed.role === agreed.role) throw refusal(13009);
      signed.delete(signature);
      const atMs = clock.now();
      let made: SimulatedBlockTrade | undefined;
      // One who trades with itself has one block trade.
      const parties = other.accountId === party.accountId ? [{ ...party, agreed }] : [{ ...party, agreed }, other];
      for (const { accountId, keyId, agreed: own } of parties) {
        const account = accounts.find(({ id }) => id === accountId);
        const trade = account?.blockTradeMaker.make({
          atMs,
          legs: legsOf(own),
          ...(made === undefined ? {} : { id: made.id }),
          ...(keyId === undefined ? {} : { keyId }),
        });
        if (trade === undefined) throw refusal(13020);
        account?.blockTrades.add(trade);
        made ??= trade;
      }
      if (made === undefined) throw refusal(13020);
      return made;
    },
    invalidate({ accountId }, signature) {
      if (valid(signature).accountId !== accountId) throw refusal(13009);
      signed.delete(signature);
    },
  };
}

function refuseUntradable(
  { clock, instruments }: BlockTradeSignaturePorts,
  { timestamp, role, trades }: AgreedTrade,
): void {
  if (Math.abs(clock.now() - timestamp) > VALID_MS) throw invalidParam("timestamp", "invalid timestamp");
  if (!ROLES.includes(role)) throw invalidParam("role", "invalid role");
  for (const { instrument_name: name = "", price = 0, amount = 0, direction = "" } of trades)
    if (!instruments.has(name) || price <= 0 || amount <= 0 || !DIRECTIONS.includes(direction))
      throw invalidParam("trades", "invalid trade");
}

const ROLES: readonly string[] = ["maker", "taker"];
const DIRECTIONS: readonly string[] = ["buy", "sell"];

function isSameTrade(one: AgreedTrade, other: AgreedTrade): boolean {
  const text = ({ timestamp, nonce, trades }: AgreedTrade): string =>
    JSON.stringify([
      timestamp,
      nonce,
      ...trades.map(({ instrument_name, price, amount, direction }) => [instrument_name, price, amount, direction]),
    ]);
  return text(one) === text(other);
}

/** Returns the legs as the party sees them: the taker's directions are the opposite ones. */
function legsOf({ role, trades }: AgreedTrade): Parameters<BlockTradeMaker["make"]>[0]["legs"] {
  const isMaker = role === "maker";
  return trades.map(({ instrument_name: name = "", price = 0, amount = 0, direction }) => ({
    instrument_name: name,
    price,
    amount,
    direction: (direction === "buy") === isMaker ? "buy" : "sell",
    liquidity: isMaker ? "M" : "T",
  }));
}
