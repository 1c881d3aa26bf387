import * as z from "zod";
import { filledText, suggested } from "../fields.ts";
import { changes, methodsOf } from "../method.ts";
import { amountLegs, shared } from "./params.ts";

const { hinted } = methodsOf("Combo Books");

export const comboMethods = [
  hinted({
    name: "private/create_combo",
    summary: "Creates a combo, or returns the one that exists already.",
    params: z.strictObject({
      trades: amountLegs.meta({ description: "Trades that make up the combo." }),
    }),
    hint: "Combo",
    ...changes("trade", "write"),
  }),
  hinted({
    name: "private/get_leg_prices",
    summary: "Returns prices of the legs that add up to the price of a structure.",
    params: z.strictObject({
      legs: amountLegs.meta({ description: "Legs of the structure." }),
      price: z.number().meta({ description: "Price of the structure." }),
    }),
    hint: "{ legs: [Leg], amount: number }",
    scopes: [],
    effect: "read",
  }),
  hinted({
    name: "public/get_combo_details",
    summary: "Returns one combo.",
    params: z.strictObject({ combo_id: filledText("Identifier of the combo.") }),
    hint: "Combo",
    effect: "read",
  }),
  hinted({
    name: "public/get_combo_ids",
    summary: "Lists the IDs of combos in a currency.",
    params: z.strictObject({
      ...shared("currency"),
      state: suggested(["active", "inactive"]).meta({ description: "State of the combos (default: all)." }).optional(),
    }),
    hint: "[string]",
    effect: "read",
  }),
  hinted({
    name: "public/get_combos",
    summary: "Lists active combos in a currency.",
    params: z.strictObject({ currency: filledText("Currency, or `any` for all.") }),
    hint: "[Combo]",
    effect: "read",
  }),
] as const;
