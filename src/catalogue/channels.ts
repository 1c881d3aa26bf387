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

const rfq = { access: "private", scopes: ["block_rfq:read"] } as const;
const confirmation = { data: blockTradeConfirmation, access: "private", scopes: ["block_trade:read"] } as const;

/**
 * The channels whose payloads are known exactly. `raw` channels are documented to carry one object, aggregated ones an
 * array. Both have been seen the other way round: every reader takes either.
 */
export const channels = [
  channel({
    pattern: "user.orders.{kind}.{currency}.raw",
    summary: "Order changes by kind and currency. `any` matches all.",
    data: oneOrMore(order),
    access: "private",
    scopes: ["trade:read"],
  }),
  channel({
    pattern: "user.trades.{kind}.{currency}.{interval}",
    summary: "Trades of the account by kind and currency.",
    data: oneOrMore(userTrade),
    access: "private",
    scopes: ["trade:read"],
  }),
  channel({
    pattern: "user.mmp_trigger.{index_name}",
    summary: "MMP groups of an index that are frozen. `any` matches all indexes.",
    data: oneOrMore(mmpTrigger),
    access: "private",
    scopes: ["trade:read"],
  }),
  channel({
    pattern: "user.access_log",
    summary: "Sign-ins and changes to API keys and other account settings.",
    data: oneOrMore(accessLogEntry),
    access: "private",
    scopes: ["account:read"],
  }),
  channel({
    pattern: "block_rfq.maker.{currency}",
    summary: "Block RFQs that the account is asked to quote.",
    data: oneOrMore(blockRfq),
    ...rfq,
  }),
  channel({
    pattern: "block_rfq.taker.{currency}",
    summary: "Block RFQs that the account created.",
    data: oneOrMore(blockRfq),
    ...rfq,
  }),
  channel({
    pattern: "block_rfq.maker.quotes.{currency}",
    summary: "Changes to the account's Block RFQ quotes.",
    data: oneOrMore(blockRfqQuote),
    ...rfq,
  }),
  channel({
    pattern: "block_rfq.trades.{currency}",
    summary: "Executed Block RFQs of all users.",
    data: oneOrMore(blockRfqTrade),
    access: "public",
    scopes: [],
  }),
  channel({
    pattern: "block_trade_confirmations",
    summary: "Block trades that await approval or were approved, rejected, or executed.",
    ...confirmation,
  }),
  channel({
    pattern: "block_trade_confirmations.{currency}",
    summary: "Block trade confirmations of one currency.",
    ...confirmation,
  }),
  channel({
    pattern: "trades.{instrument_name}.{interval}",
    summary: "Public trades of an instrument.",
    data: oneOrMore(publicTrade),
    access: "public",
    scopes: [],
  }),
  channel({
    pattern: "trades.{kind}.{currency}.{interval}",
    summary: "Public trades by kind and currency. `any` matches all.",
    data: oneOrMore(publicTrade),
    access: "public",
    scopes: [],
  }),
] as const;
