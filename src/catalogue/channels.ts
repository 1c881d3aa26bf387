import * as z from "zod";
import { accessLogEntry, mmpTrigger } from "./accountEntities.ts";
import { blockRfq, blockRfqQuote, blockRfqTrade, blockTradeConfirmation, userTrade } from "./blockEntities.ts";
import { order, publicTrade } from "./entities.ts";
import { channel } from "./method.ts";

/**
 * A schema for one object or a list of them. Some documented payloads are lists in the example and one object in the
 * schema, or vice versa.
 */
const oneOrMore = <T extends z.ZodType>(schema: T): z.ZodUnion<[T, z.ZodArray<T>]> =>
  z.union([schema, z.array(schema)]);

const RFQ = ["block_rfq:read"];

/**
 * The channels whose payloads are known exactly. `raw` channels are documented to carry one object, aggregated ones an
 * array. Both have been seen the other way round: every reader takes either.
 */
export const channels = [
  channel("user.orders.{kind}.{currency}.raw", ["trade:read"], {
    summary: "Order changes by kind and currency. `any` matches all.",
    data: oneOrMore(order),
  }),
  channel("user.trades.{kind}.{currency}.{interval}", ["trade:read"], {
    summary: "Trades of the account by kind and currency.",
    data: oneOrMore(userTrade),
  }),
  channel("user.mmp_trigger.{index_name}", ["trade:read"], {
    summary: "MMP groups of an index that are frozen. `any` matches all indexes.",
    data: oneOrMore(mmpTrigger),
  }),
  channel("user.access_log", ["account:read"], {
    summary: "Sign-ins and changes to API keys and other account settings.",
    data: oneOrMore(accessLogEntry),
  }),
  channel("block_rfq.maker.{currency}", RFQ, {
    summary: "Block RFQs that the account is asked to quote.",
    data: oneOrMore(blockRfq),
  }),
  channel("block_rfq.taker.{currency}", RFQ, {
    summary: "Block RFQs that the account created.",
    data: oneOrMore(blockRfq),
  }),
  channel("block_rfq.maker.quotes.{currency}", RFQ, {
    summary: "Changes to the account's Block RFQ quotes.",
    data: oneOrMore(blockRfqQuote),
  }),
  channel("block_rfq.trades.{currency}", "public", {
    summary: "Executed Block RFQs of all users.",
    data: oneOrMore(blockRfqTrade),
  }),
  channel("block_trade_confirmations", ["block_trade:read"], {
    summary: "Block trades that await approval or were approved, rejected, or executed.",
    data: blockTradeConfirmation,
  }),
  channel("block_trade_confirmations.{currency}", ["block_trade:read"], {
    summary: "Block trade confirmations of one currency.",
    data: blockTradeConfirmation,
  }),
  channel("trades.{instrument_name}.{interval}", "public", {
    summary: "Public trades of an instrument.",
    data: oneOrMore(publicTrade),
  }),
  channel("trades.{kind}.{currency}.{interval}", "public", {
    summary: "Public trades by kind and currency. `any` matches all.",
    data: oneOrMore(publicTrade),
  }),
] as const;
