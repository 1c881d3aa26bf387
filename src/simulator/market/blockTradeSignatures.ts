import type { Clock, Random } from "../../base/clock.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { randomText } from "../text/seededRandom.ts";
import { bookBlockTrade, readBlockLegs, type AgreedTrade } from "./blockTradeBooking.ts";
import type { BlockTradeMaker } from "./blockTradeMaker.ts";
import type { BlockTrades, SimulatedBlockTrade } from "./blockTrades.ts";
import type { Market } from "./market.ts";

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

interface BlockTradeSignaturePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: readonly {
    readonly id: number;
    readonly blockTrades: BlockTrades;
    readonly blockTradeMaker: BlockTradeMaker;
  }[];
  readonly market: Market;
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
  const { clock, random, accounts, market } = ports;
  const signed = new Map<string, Signed>();
  const valid = (signature: string): Signed => {
    const found = signed.get(signature);
    if (found === undefined || clock.now() > found.agreed.timestamp + VALID_MS) throw refusal(13009);
    return found;
  };
  const mustFind = ({ accountId }: Party): BlockTradeSignaturePorts["accounts"][number] => {
    const account = accounts.find(({ id }) => id === accountId);
    if (account === undefined) throw refusal(13020);
    return account;
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
      const [caller, counterparty] = [{ ...party, agreed }, other].map((each) => ({
        ...each,
        account: mustFind(each),
      }));
      if (caller === undefined || counterparty === undefined) throw refusal(13020);
      const id = caller.account.blockTradeMaker.nextId();
      const [maker, taker] = agreed.role === "maker" ? [caller, counterparty] : [counterparty, caller];
      const booked = bookBlockTrade(
        market,
        { maker: String(maker.accountId), taker: String(taker.accountId) },
        agreed,
        { id },
      );
      signed.delete(signature);
      const make = ({ account, keyId, agreed: { role } }: typeof caller): SimulatedBlockTrade =>
        account.blockTradeMaker.make(
          { id, ...(keyId === undefined ? {} : { keyId }) },
          role === "maker" ? booked.maker : booked.taker,
          clock.now(),
        );
      const made = make(caller);
      caller.account.blockTrades.add(made);
      // One who trades with itself has one block trade, from the side on which it was executed.
      if (other.accountId !== party.accountId) counterparty.account.blockTrades.add(make(counterparty));
      return made;
    },
    invalidate({ accountId }, signature) {
      if (valid(signature).accountId !== accountId) throw refusal(13009);
      signed.delete(signature);
    },
  };
}

function refuseUntradable(
  { clock, market: { venue } }: BlockTradeSignaturePorts,
  { timestamp, role, trades }: AgreedTrade,
): void {
  if (Math.abs(clock.now() - timestamp) > VALID_MS) throw invalidParam("timestamp", "invalid timestamp");
  if (!ROLES.includes(role)) throw invalidParam("role", "invalid role");
  venue.catchUp([]);
  readBlockLegs(venue, trades);
}

const ROLES: readonly string[] = ["maker", "taker"];

function isSameTrade(one: AgreedTrade, other: AgreedTrade): boolean {
  const text = ({ timestamp, nonce, trades }: AgreedTrade): string =>
    JSON.stringify([
      timestamp,
      nonce,
      ...trades.map(({ instrument_name, price, amount, direction }) => [instrument_name, price, amount, direction]),
    ]);
  return text(one) === text(other);
}
