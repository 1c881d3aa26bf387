import * as z from "zod";
import { filledText, suggested, text, timestampMs } from "../fields.ts";
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
  hinted({
    name: "private/add_to_address_book",
    summary: "Adds an address to the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
      label: filledText("Label of the address."),
      ...beneficiary,
      ...shared("agreed", "personal"),
      extra_currencies: z
        .array(z.string())
        .meta({ description: "Further currencies for which the address can be used." })
        .optional(),
    }),
    hint: "Address",
    ...changes("wallet", "money"),
    mayAskSecondFactor: true,
  }),
  hinted({
    name: "private/delete_address_beneficiary",
    summary: "Deletes the beneficiary information of an address.",
    params: z.strictObject(shared("currency", "address", "tag?")),
    hint: "string",
    ...changes("wallet", "money"),
  }),
  hinted({
    name: "private/get_address_beneficiary",
    summary: "Returns the beneficiary information of an address.",
    params: z.strictObject(shared("currency", "address", "tag?")),
    hint: "Beneficiary",
    ...reads("wallet"),
  }),
  hinted({
    name: "private/get_address_book",
    summary: "Lists the addresses of the address book in a currency.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the addresses." }),
    }),
    hint: "[Address]",
    ...reads("wallet"),
  }),
  hinted({
    name: "private/list_address_beneficiaries",
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
    ...reads("wallet"),
  }),
  hinted({
    name: "private/remove_from_address_book",
    summary: "Removes an address from the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
    }),
    hint: "string",
    ...changes("wallet", "money"),
  }),
  hinted({
    name: "private/save_address_beneficiary",
    summary: "Saves the beneficiary information of an address.",
    params: z.strictObject({
      ...shared("currency", "address", "tag?", "agreed", "personal", "unhosted"),
      ...beneficiary,
    }),
    hint: "Beneficiary",
    ...changes("wallet", "money"),
  }),
  hinted({
    name: "private/set_address_requires_security_key",
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
    ...changes("wallet", "money"),
    isMainAccountOnly: true,
  }),
  hinted({
    name: "private/update_in_address_book",
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
    ...changes("wallet", "money"),
  }),
] as const;
