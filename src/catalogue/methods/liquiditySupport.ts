import * as z from "zod";
import { flag } from "../fields.ts";
import { methodsOf, reads } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Liquidity Support", "lsp");

export const liquiditySupportMethods = [
  hinted("private/get_lsp_participant_config", reads("account"), {
    summary: "Returns the configuration of the account in the Liquidity Support Program (LSP).",
    hint: "{ config: { enabled: boolean, group_limits: object } }",
  }),
  hinted("private/get_lsp_participants", reads("account"), {
    summary: "Lists the participants of the Liquidity Support Program (LSP).",
    params: z.strictObject({
      detailed: flag("Whether to return all details of each participant."),
    }),
    hint: `
      { participants: [{ user_id: integer, enabled: boolean, config: { enabled: boolean, group_limits: object } }] }
    `,
  }),
  hinted("private/get_lsp_participants_usage", reads("account"), {
    summary: "Returns how much participants of the Liquidity Support Program (LSP) use.",
    params: z.strictObject(shared("user_id?")),
    hint: "{ cooldown_period_ms: integer, participants: [{ user_id: integer, groups: object }] }",
  }),
  hinted("private/get_lsp_usage", reads("account"), {
    summary: "Returns how much the account uses of the Liquidity Support Program (LSP).",
    hint: "{ cooldown_period_ms: integer, groups: object }",
  }),
] as const;
