import * as z from "zod";
import { order } from "./entities.ts";
import { channel } from "./method.ts";

/**
 * The channels that views live on. `raw` channels are documented to carry one object, aggregated ones an array, and
 * both have been seen the other way round: every reader takes either.
 */
export const channels = [
  channel({
    pattern: "user.orders.{kind}.{currency}.raw",
    summary: "Changes of orders of a kind and currency; `any` stands for all.",
    data: z.union([order, z.array(order)]),
    access: "private",
    scopes: ["trade:read"],
  }),
] as const;
