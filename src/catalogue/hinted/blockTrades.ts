import * as z from "zod";
import { hinted } from "../method.ts";
import { count, currency, end_id, nonce, role, start_id, timestamp, trades } from "./params.ts";

const documentation = (page: string): string => `https://docs.deribit.com/api-reference/block-trade/${page}`;

export const otherBlockTradeMethods = [
  hinted({
    name: "private/approve_block_trade",
    section: "Block Trade",
    summary: "Approves a pending block trade.",
    params: z.strictObject({ timestamp, nonce, role }),
    hint: "ok",
    scopes: ["block_trade:read_write"],
    effect: "write",
    rate: "default",
    mayAskSecondFactor: true,
    documentation: documentation("private-approve_block_trade"),
  }),
  hinted({
    name: "private/get_block_trade_requests",
    section: "Block Trade",
    summary: "Lists block trades that await approval by the account.",
    params: z.strictObject({
      broker_code: z.string().meta({ description: "Returns only requests of this broker." }).optional(),
    }),
    hint: `
      [{ nonce: string, timestamp: integer, trades: [{ nonce: string, timestamp: integer, trades: [{ nonce: string,
      timestamp: integer, trades: array, app_name: string, username: string, role: maker|taker, user_id: integer,
      broker_code: string, broker_name: string, state: object, counterparty_state: object, combo_id: string }],
      app_name: string, username: string, role: maker|taker, user_id: integer, broker_code: string,
      broker_name: string, state: { value: initial|accepted|rejected|executed, timestamp: integer },
      counterparty_state: { value: initial|accepted|rejected|executed, timestamp: integer }, combo_id: string }],
      app_name: string, username: string, role: maker|taker, user_id: integer, broker_code: string,
      broker_name: string, state: { value: initial|accepted|rejected|executed, timestamp: integer },
      counterparty_state: { value: initial|accepted|rejected|executed, timestamp: integer }, combo_id: string }]
    `,
    scopes: ["block_trade:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_block_trade_requests"),
  }),
  hinted({
    name: "private/get_broker_clients",
    section: "Block Trade",
    summary: "Lists the clients of the broker.",
    params: z.strictObject({
      client_id: z.int().meta({ description: "Returns only this client." }).optional(),
      include_subaccounts: z
        .boolean()
        .meta({ description: "Whether to include subaccounts of the clients." })
        .optional(),
    }),
    hint: `
      [{ client_id: integer, client_name: string, company_name: string, broker_code: string, main_user_id: string,
      broker_sub_user_id: integer, lei: string, brn: string, links: [{ client_link_id: integer, user_id: string,
      name: string, note: string, state: connected|pending|rejected, confirmations_required: integer,
      broker_sub_user_id: integer }] }]
    `,
    scopes: ["block_trade:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_broker_clients"),
  }),
  hinted({
    name: "private/get_broker_trade_requests",
    section: "Block Trade",
    summary: "Lists block trades of the broker that await approval.",
    params: z.strictObject({}),
    hint: `
      [{ timestamp: integer, state: string, trades: [{ amount: number, direction: string, price: number,
      instrument_name: string }], maker: { state: string, client_id: integer, user_id: string, client_name: string,
      client_link_name: string, client_link_id: integer }, taker: { state: string, client_id: integer,
      user_id: string, client_name: string, client_link_name: string, client_link_id: integer }, nonce: string }]
    `,
    scopes: ["block_trade:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_broker_trade_requests"),
  }),
  hinted({
    name: "private/get_broker_trades",
    section: "Block Trade",
    summary: "Lists block trades that the broker arranged.",
    params: z.strictObject({
      currency: currency.optional(),
      count: count.optional(),
      start_id: start_id.optional(),
      end_id: end_id.optional(),
    }),
    hint: `
      { history: [{ id: string, timestamp: integer, trades: [{ id: string, timestamp: integer, trades: [object],
      app_name: string, broker_code: string, broker_name: string }], maker: { user_id: integer, client_id: integer,
      client_name: string, client_link_name: string, client_link_id: integer }, taker: { user_id: integer,
      client_id: integer, client_name: string, client_link_name: string, client_link_id: integer } }],
      next_start_id: integer }
    `,
    scopes: ["block_trade:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_broker_trades"),
  }),
  hinted({
    name: "private/reject_block_trade",
    section: "Block Trade",
    summary: "Rejects a pending block trade.",
    params: z.strictObject({ timestamp, nonce, role }),
    hint: "ok",
    scopes: ["block_trade:read_write"],
    effect: "write",
    rate: "default",
    documentation: documentation("private-reject_block_trade"),
  }),
  hinted({
    name: "private/simulate_block_trade",
    section: "Block Trade",
    summary: "Returns whether a block trade could be executed now.",
    params: z.strictObject({ role: role.optional(), trades }),
    hint: "boolean",
    scopes: ["block_trade:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-simulate_block_trade"),
  }),
];
