import * as z from "zod";
import { choice, filledText } from "../fields.ts";
import { changes, methodsOf, unscoped } from "../method.ts";
import { amountLegs, shared } from "./params.ts";

const { hinted } = methodsOf("Combo Books");

export const comboMethods = [
  hinted("private/create_combo", changes("trade", "write"), {
    summary: "Creates a combo, or returns the one that exists already.",
    params: z.strictObject({
      trades: amountLegs.meta({ description: "Trades that make up the combo." }),
    }),
    hint: "Combo",
  }),
  hinted("private/get_leg_prices", unscoped("read"), {
    summary: "Returns prices of the legs that add up to the price of a structure.",
    params: z.strictObject({
      legs: amountLegs.meta({ description: "Legs of the structure." }),
      price: z.number().meta({ description: "Price of the structure." }),
    }),
    hint: "{ legs: [Leg], amount: number }",
  }),
  hinted("public/get_combo_details", unscoped("read"), {
    summary: "Returns one combo.",
    params: z.strictObject({ combo_id: filledText("Identifier of the combo.") }),
    hint: "Combo",
  }),
  hinted("public/get_combo_ids", unscoped("read"), {
    summary: "Lists the IDs of combos in a currency.",
    params: z.strictObject({
      ...shared("currency"),
      state: choice(["active", "inactive"], "State of the combos (default: all)."),
    }),
    hint: "[string]",
  }),
  hinted("public/get_combos", unscoped("read"), {
    summary: "Lists active combos in a currency.",
    params: z.strictObject({ currency: filledText("Currency, or `any` for all.") }),
    hint: "[Combo]",
  }),
] as const;
