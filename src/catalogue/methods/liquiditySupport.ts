import * as z from "zod";
import { hinted } from "../method.ts";
import { user_id } from "./params.ts";

const documentation = (page: string): string => `https://docs.deribit.com/api-reference/lsp/${page}`;

export const liquiditySupportMethods = [
  hinted({
    name: "private/get_lsp_participant_config",
    section: "Liquidity Support",
    summary: "Returns the configuration of the account in the Liquidity Support Program (LSP).",
    params: z.strictObject({}),
    hint: "{ config: { enabled: boolean, group_limits: object } }",
    scopes: ["account:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_lsp_participant_config"),
  }),
  hinted({
    name: "private/get_lsp_participants",
    section: "Liquidity Support",
    summary: "Lists the participants of the Liquidity Support Program (LSP).",
    params: z.strictObject({
      detailed: z.boolean().meta({ description: "Whether to return all details of each participant." }).optional(),
    }),
    hint: `
      { participants: [{ user_id: integer, enabled: boolean, config: { enabled: boolean, group_limits: object } }] }
    `,
    scopes: ["account:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_lsp_participants"),
  }),
  hinted({
    name: "private/get_lsp_participants_usage",
    section: "Liquidity Support",
    summary: "Returns how much participants of the Liquidity Support Program (LSP) use.",
    params: z.strictObject({ user_id: user_id.optional() }),
    hint: "{ cooldown_period_ms: integer, participants: [{ user_id: integer, groups: object }] }",
    scopes: ["account:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_lsp_participants_usage"),
  }),
  hinted({
    name: "private/get_lsp_usage",
    section: "Liquidity Support",
    summary: "Returns how much the account uses of the Liquidity Support Program (LSP).",
    params: z.strictObject({}),
    hint: "{ cooldown_period_ms: integer, groups: object }",
    scopes: ["account:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("private-get_lsp_usage"),
  }),
] as const;
