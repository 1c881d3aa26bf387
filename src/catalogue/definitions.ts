import { channels } from "./channels.ts";
import { apiKeyMethods } from "./methods/apiKeys.ts";
import { blockRfqMethods } from "./methods/blockRfqs.ts";
import { blockTradeMethods } from "./methods/blockTrades.ts";
import { marketMethods } from "./methods/market.ts";
import { mmpMethods } from "./methods/mmp.ts";
import { orderMethods } from "./methods/orders.ts";
import { sessionMethods } from "./methods/session.ts";
import { userTradeMethods } from "./methods/userTrades.ts";
import { accountManagementMethods } from "./methods/accountManagement.ts";
import { comboMethods } from "./methods/combos.ts";
import { gatewayMethods } from "./methods/gateway.ts";
import { marketDataMethods } from "./methods/marketData.ts";
import { orderHistoryMethods } from "./methods/orderHistory.ts";
import { tradingMethods } from "./methods/trading.ts";
import { walletMethods } from "./methods/wallet.ts";
import type { ChannelDefinition, HintedMethod, MethodDefinition } from "./method.ts";
import { otherChannels } from "./hinted/channels.ts";
import { gatewayChannels } from "./hinted/gatewayChannels.ts";

/*
 * The catalogue as it is written: tables with zod schemas. Read at build time, where types, JSON Schemas, checks and
 * the plain table of `generated/` come from it; nothing at run time imports it other than for types.
 */

/** All methods of the exchange and of the gateway to it, area by area. */
const all = [
  ...sessionMethods,
  ...apiKeyMethods,
  ...marketMethods,
  ...orderMethods,
  ...blockTradeMethods,
  ...blockRfqMethods,
  ...mmpMethods,
  ...userTradeMethods,
  ...tradingMethods,
  ...orderHistoryMethods,
  ...comboMethods,
  ...marketDataMethods,
  ...walletMethods,
  ...accountManagementMethods,
  ...gatewayMethods,
] as const satisfies readonly (MethodDefinition | HintedMethod)[];

type Entry = (typeof all)[number];

/** The methods whose results the program works with: known exactly. */
export const methods = all.filter((each): each is Exclude<Entry, HintedMethod> => "result" in each);

/** All other methods of the exchange. */
export const hintedMethods = all.filter((each): each is Extract<Entry, HintedMethod> => "hint" in each);

type RowsOf<Definition> = Definition extends { readonly rows: infer Rows } ? Rows : never;

/** One type that has the members of all types of a union. */
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The schemas of the rows of all lists, by name. */
export const rowDefinitions = Object.fromEntries(
  methods.flatMap((each: MethodDefinition) => Object.entries(each.rows ?? {})),
) as unknown as Together<RowsOf<(typeof methods)[number]>>;

export const channelDefinitions = channels satisfies readonly ChannelDefinition[];

export const hintedChannels = [...otherChannels, ...gatewayChannels];
