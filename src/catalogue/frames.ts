import * as z from "zod";

/*
 * The frames of the wire. https://docs.deribit.com/articles/json-rpc-overview
 * Everything beyond `jsonrpc` is loose: responses carry usIn, usOut, usDiff and testnet, but not always.
 */

const timing = {
  usIn: z.int().meta({ description: "When the request arrived, µs since the Unix epoch." }).optional(),
  usOut: z.int().meta({ description: "When the response left, µs since the Unix epoch." }).optional(),
  usDiff: z.int().meta({ description: "Time spent at the exchange, in µs." }).optional(),
  testnet: z.boolean().meta({ description: "Whether the server is testnet." }).optional(),
};

const id = z.union([z.int(), z.string()]).optional();

export const successFrame = z.looseObject({ jsonrpc: z.literal("2.0"), id, result: z.unknown(), ...timing });

export const errorFrame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id,
  error: z.looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  ...timing,
});

export const subscriptionFrame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.literal("subscription"),
  params: z.looseObject({ channel: z.string(), data: z.unknown() }),
});

export const heartbeatFrame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.literal("heartbeat"),
  params: z.looseObject({ type: z.enum(["heartbeat", "test_request"]) }),
});
