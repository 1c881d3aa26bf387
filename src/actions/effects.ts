import { effectOf, methodFacts, type Effect } from "../catalogue/index.ts";

const EFFECTS = ["mass", "key", "money", "session"] as const;

/**
 * Effects of methods that the exchange has and the catalogue does not describe, so that a request file that names one
 * is asked about as what it is. https://docs.deribit.com/api-reference
 */
const BEYOND_CATALOGUE: Readonly<Record<(typeof EFFECTS)[number], readonly string[]>> = {
  mass: ["private/cancel_quotes"],
  key: [
    "private/change_api_key_name",
    "private/create_api_key",
    "private/remove_api_key",
    "private/reset_api_key",
  ],
  money: [
    "private/withdraw",
    "private/submit_transfer_between_subaccounts",
    "private/submit_transfer_to_subaccount",
    "private/submit_transfer_to_user",
  ],
  session: [
    "public/disable_heartbeat",
    "public/fork_token",
    "private/logout",
    "private/unsubscribe_all",
  ],
};

/** What a method does to the account: as the catalogue says, else as its name is known, else a write. */
export function effectOfMethod(method: string): Effect {
  if (methodFacts(method) !== undefined) return effectOf(method);
  return EFFECTS.find((effect) => BEYOND_CATALOGUE[effect].includes(method)) ?? "write";
}
