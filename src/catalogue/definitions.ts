import { apiKey, mmpConfig, mmpStatus, subaccount } from "./accountEntities.ts";
import { blockRfq, blockRfqQuote, blockTrade } from "./blockEntities.ts";
import { channels } from "./channels.ts";
import { order, publicTrade } from "./entities.ts";
import { accountMethods } from "./methods/accounts.ts";
import { apiKeyMethods } from "./methods/apiKeys.ts";
import { blockRfqMethods } from "./methods/blockRfqs.ts";
import { blockTradeMethods } from "./methods/blockTrades.ts";
import { instrument, marketMethods } from "./methods/market.ts";
import { mmpMethods } from "./methods/mmp.ts";
import { orderMethods } from "./methods/orders.ts";
import { sessionMethods } from "./methods/session.ts";
import { userTradeMethods } from "./methods/userTrades.ts";
import type { ChannelDefinition, HintedMethod, MethodDefinition } from "./method.ts";
import { accessMethods } from "./hinted/access.ts";
import { accountManagementMethods } from "./hinted/accountManagement.ts";
import { addressBookMethods } from "./hinted/addressBook.ts";
import { otherBlockRfqMethods } from "./hinted/blockRfqs.ts";
import { otherBlockTradeMethods } from "./hinted/blockTrades.ts";
import { otherChannels } from "./hinted/channels.ts";
import { comboMethods } from "./hinted/combos.ts";
import { liquiditySupportMethods } from "./hinted/liquiditySupport.ts";
import { marketDataMethods } from "./hinted/marketData.ts";
import { otherSessionMethods } from "./hinted/session.ts";
import { orderHistoryMethods } from "./hinted/orderHistory.ts";
import { tradingMethods } from "./hinted/trading.ts";
import { walletMethods } from "./hinted/wallet.ts";

/*
 * The catalogue as it is written: tables with zod schemas. Read at build time, where types, JSON Schemas, checks and
 * the plain table of `generated/` come from it; nothing at run time imports it other than for types.
 */

/** The methods whose results the program works with: known exactly. */
export const methods = [
  ...sessionMethods,
  ...accountMethods,
  ...apiKeyMethods,
  ...marketMethods,
  ...orderMethods,
  ...blockTradeMethods,
  ...blockRfqMethods,
  ...mmpMethods,
  ...userTradeMethods,
] as const satisfies readonly MethodDefinition[];

/** All other methods of the exchange. */
export const hintedMethods: readonly HintedMethod[] = [
  ...tradingMethods,
  ...orderHistoryMethods,
  ...comboMethods,
  ...marketDataMethods,
  ...otherBlockRfqMethods,
  ...otherBlockTradeMethods,
  ...walletMethods,
  ...addressBookMethods,
  ...accountManagementMethods,
  ...accessMethods,
  ...liquiditySupportMethods,
  ...otherSessionMethods,
];

/**
 * The schemas of rows, apart from their lists: an unreadable row must not make the others unreadable. Readers work with
 * what these schemas make (`reading.ts`), and may ask only for what they require.
 */
export const rowDefinitions = {
  order,
  publicTrade,
  blockTrade,
  blockRfq,
  blockRfqQuote,
  apiKey,
  mmpConfig,
  mmpStatus,
  instrument,
  subaccount,
} as const;

export const channelDefinitions = channels satisfies readonly ChannelDefinition[];

export const hintedChannels = otherChannels;
