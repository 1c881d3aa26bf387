import type { Clock } from "../../base/clock.ts";
import { firstBlockRfqs, plantQuotes } from "../market/blockRfqSeed.ts";
import { createBlockRfqs, simulatedQuoteText, rfqCurrency, rfqText, type BlockRfqs } from "../market/blockRfqs.ts";
import { createBlockTradeMaker, firstBlockTrades, type BlockTradeMaker } from "../market/blockTradeSeed.ts";
import {
  blockTradeLegText,
  createBlockTrades,
  currenciesOf,
  rfqTradeText,
  type SimulatedBlockTrade,
  type BlockTrades,
} from "../market/blockTrades.ts";
import { writeJson } from "../text/json.ts";
import type { Market } from "../market/market.ts";
import { createMmp, firstMmpConfigs, freezeReason, type Mmp } from "./mmp.ts";
import { USER_ID } from "../market/orders.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { createSeededRandom, namedSeed } from "../text/seededRandom.ts";
import { createWorld, type World } from "../market/world.ts";

/** An account of an owner. */
export interface AccountIdentity {
  readonly id: number;
  readonly type: "main" | "subaccount";
  readonly username: string;
}

/** The accounts of the owner, the main account first. */
export const ACCOUNTS: readonly [AccountIdentity, ...AccountIdentity[]] = [
  { id: USER_ID, type: "main", username: "simulator" },
  { id: USER_ID + 7, type: "subaccount", username: "simulator_options" },
  { id: USER_ID + 9, type: "subaccount", username: "simulator_empty" },
];

/** The number of order ids of an account: more orders than any test places. */
const IDS_OF_AN_ACCOUNT = 10_000_000;

/** The parts of one account. */
export interface SimulatedAccount {
  readonly id: number;
  readonly world: World;
  readonly blockTrades: BlockTrades;
  readonly blockTradeMaker: BlockTradeMaker;
  readonly blockRfqs: BlockRfqs;
  readonly mmp: Mmp;
}

export interface AccountPorts {
  readonly clock: Clock;
  readonly seed: number;
  readonly publisher: Publisher;
  readonly market: Market;
  /** The main account, where it is another one. */
  readonly beside?: SimulatedAccount;
}

/** Makes a new account: it has no orders yet, and all else only where it is the main one. */
export function createAccount(
  { id, type }: AccountIdentity,
  { clock, seed, publisher, market, beside }: AccountPorts,
): SimulatedAccount {
  const world: World = createWorld({
    clock,
    seed: beside === undefined ? seed : seed + id,
    market,
    ...(beside === undefined ? {} : { idOffset: (id - beside.id) * IDS_OF_AN_ACCOUNT }),
    onOrder: (order, instrument) => {
      publisher.add("orders", () => world.text(order), instrument, id);
    },
    onTrade: (_, instrument) => {
      publisher.touch(instrument);
    },
    onUserTrade: (trade, instrument) => {
      publisher.add("userTrades", () => blockTradeLegText(trade, world.instruments), instrument, id);
    },
  });
  const { instruments } = world;
  const blockTradeMaker = createBlockTradeMaker({
    instruments,
    market,
    random: createSeededRandom(namedSeed(seed, `block trades ${id}`)),
  });
  const blockTrades = createBlockTrades(
    {
      instruments,
      onExecuted: (trade) => {
        announceBlockTrade({ world, publisher, id, clock }, trade);
      },
    },
    type === "main" ? firstBlockTrades(blockTradeMaker, clock.now()) : [],
  );
  const blockRfqs = createBlockRfqs(
    {
      clock,
      onQuote: (quote) => {
        publisher.add("rfqQuotes", () => simulatedQuoteText(quote), { name: "", currencies: [rfqCurrency(quote)] }, id);
      },
      onRfq: (rfq) => {
        publisher.add(
          rfq.role === "maker" ? "rfqMaker" : "rfqTaker",
          () => rfqText(rfq),
          { name: "", currencies: [rfqCurrency(rfq)] },
          id,
        );
      },
    },
    type === "main" ? firstBlockRfqs(clock.now()) : [],
  );
  if (type === "main") plantQuotes(blockRfqs);
  const mmp = createMmp(
    {
      clock,
      onFrozen(frozen) {
        publisher.add(
          "mmpTriggers",
          () => freezeReason(frozen),
          { name: frozen.config.index_name, currencies: [] },
          id,
        );
        if (frozen.config.block_rfq !== true) cancelProtected(world, frozen.config);
      },
    },
    type === "main" ? firstMmpConfigs() : [],
  );
  return { id, world, blockTrades, blockTradeMaker, blockRfqs, mmp };
}

/** Cancels the orders that a frozen group protects. */
function cancelProtected(
  world: World,
  { index_name: index, mmp_group: group }: { readonly index_name: string; readonly mmp_group?: string | undefined },
): void {
  for (const order of [...world.openOrders()]) {
    const isOfIndex = indexOf(order.instrument_name) === index;
    if (order.mmp === true && order.order_state === "open" && isOfIndex && order.mmp_group === group)
      world.cancel(order.order_id, "mmp_trigger");
  }
}

/** Returns the index of an instrument, e.g. `eth_usd` of `ETH-PERPETUAL`, `xrp_usdc` of `XRP_USDC-26MAR27-2d25-C`. */
function indexOf(instrumentName: string): string {
  const [pair = ""] = instrumentName.split("-");
  return (pair.includes("_") ? pair : `${pair}_usd`).toLowerCase();
}

interface Announcing {
  readonly world: World;
  readonly publisher: Publisher;
  readonly id: number;
  readonly clock: Clock;
}

/** Announces a block trade: as a trade of the account, a public trade, and the end of its confirmation. */
function announceBlockTrade({ world, publisher, id, clock }: Announcing, trade: SimulatedBlockTrade): void {
  const { instruments, market } = world;
  for (const leg of trade.trades) {
    const instrument = instruments.get(leg.instrument_name);
    if (instrument === undefined) continue;
    publisher.add("userTrades", () => blockTradeLegText(leg, instruments), instrument, id);
    const { direction, price, amount, block_rfq_id, combo_id } = leg;
    const marks = {
      block_trade_id: trade.id,
      block_trade_leg_count: trade.trades.length,
      ...(block_rfq_id === undefined ? {} : { block_rfq_id }),
      ...(combo_id === undefined ? {} : { combo_id }),
    };
    market.trade(instrument, clock.now(), { direction, price, amount, marks });
    publisher.touch(instrument);
  }
  const about = { name: "", currencies: currenciesOf(trade, instruments) };
  const [first] = trade.trades;
  const legs = trade.trades.map(({ instrument_name, direction, price, amount }) => ({
    instrument_name,
    direction,
    price,
    amount,
  }));
  const confirmation = {
    ...{
      nonce: `bt-${trade.id}`,
      role: first?.liquidity === "T" ? "taker" : "maker",
      user_id: id,
      state: { value: "executed", timestamp: trade.timestamp },
    },
    ...{
      counterparty_state: { value: "executed", timestamp: trade.timestamp },
      trades: legs,
      timestamp: trade.timestamp,
    },
    ...{
      app_name: trade.app_name,
      broker_code: trade.broker_code,
      broker_name: trade.broker_name,
      combo_id: first?.combo_id,
    },
  };
  publisher.add("confirmations", () => writeJson(confirmation), about, id);
  const rfqTrade = rfqTradeText(trade);
  if (rfqTrade !== undefined) publisher.add("rfqTrades", () => rfqTrade, about);
}
