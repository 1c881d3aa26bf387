import * as z from "zod";
import { filledText, suggested, text, texts, timestampMs } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Wallet");

/** Who an address belongs to. */
const beneficiary = shared(
  "beneficiary_vasp_name",
  "beneficiary_vasp_did",
  "beneficiary_vasp_website?",
  "beneficiary_first_name?",
  "beneficiary_last_name?",
  "beneficiary_company_name?",
  "beneficiary_address",
);

export const addressBookMethods = [
  hinted("private/add_to_address_book", changes("wallet", "money"), {
    summary: "Adds an address to the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
      label: filledText("Label of the address."),
      ...beneficiary,
      ...shared("agreed", "personal"),
      extra_currencies: texts("Further currencies for which the address can be used."),
    }),
    hint: "Address",
    mayAskSecondFactor: true,
  }),
  hinted("private/delete_address_beneficiary", changes("wallet", "money"), {
    summary: "Deletes the beneficiary information of an address.",
    params: z.strictObject(shared("currency", "address", "tag?")),
    hint: "string",
  }),
  hinted("private/get_address_beneficiary", reads("wallet"), {
    summary: "Returns the beneficiary information of an address.",
    params: z.strictObject(shared("currency", "address", "tag?")),
    hint: "Beneficiary",
  }),
  hinted("private/get_address_book", reads("wallet"), {
    summary: "Lists the addresses of the address book in a currency.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the addresses." }),
    }),
    hint: "[Address]",
  }),
  hinted("private/list_address_beneficiaries", reads("wallet"), {
    summary: "Lists the beneficiary information of addresses.",
    params: z.strictObject({
      ...shared("currency?", "address?", "tag?"),
      created_before: timestampMs("Latest creation, in ms since the Unix epoch.").optional(),
      created_after: timestampMs("Earliest creation, in ms since the Unix epoch.").optional(),
      updated_before: timestampMs("Latest change, in ms since the Unix epoch.").optional(),
      updated_after: timestampMs("Earliest change, in ms since the Unix epoch.").optional(),
      ...shared("personal?", "unhosted?"),
      ...shared("beneficiary_vasp_name?", "beneficiary_vasp_did?", "beneficiary_vasp_website?"),
      limit: z.int().min(1).max(1000).meta({ description: "Number of items." }).optional(),
      ...shared("continuation?"),
    }),
    hint: "{ data: [Beneficiary], continuation: string, count: integer }",
  }),
  hinted("private/remove_from_address_book", changes("wallet", "money"), {
    summary: "Removes an address from the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
    }),
    hint: "string",
  }),
  hinted("private/save_address_beneficiary", changes("wallet", "money"), {
    summary: "Saves the beneficiary information of an address.",
    params: z.strictObject({
      ...shared("currency", "address", "tag?", "agreed", "personal", "unhosted"),
      ...beneficiary,
    }),
    hint: "Beneficiary",
  }),
  hinted("private/set_address_requires_security_key", changes("wallet", "money"), {
    summary: "Sets whether using an address requires a security key.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal"]).meta({ description: "Use of the address." }),
      ...shared("address?"),
      network: text("Network of the address."),
      ...shared("tag?"),
      id: text("Identifier of the address book entry."),
      value: z.boolean().meta({ description: "Whether a security key is required." }),
    }),
    hint: "object",
    isMainAccountOnly: true,
  }),
  hinted("private/update_in_address_book", changes("wallet", "money"), {
    summary: "Changes the beneficiary information of an address in the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
      ...beneficiary,
      ...shared("agreed", "personal"),
      label: filledText("Label of the address."),
    }),
    hint: "string",
  }),
] as const;
