import { RATE_BUDGETS, type RateBudget } from "../../catalogue/rates.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { writeJson } from "../text/json.ts";

const CURRENCIES = ["BTC", "ETH", "USDC"];

/** Makes the methods about the signed-in account, with the limits that are kept here. */
export function accountSummaryMethods({
  accounts,
}: Pick<HandlerPorts, "accounts">): Pick<MethodHandlers, "private/get_account_summaries"> {
  return {
    "private/get_account_summaries": ({ params, authorisation }) => {
      if (params.extended !== true) return writeJson({ summaries: CURRENCIES.map((currency) => ({ currency })) });
      const account = accounts.find(({ id }) => id === (params.subaccount_id ?? authorisation?.subject));
      return writeJson({
        id: account?.id,
        username: account?.username,
        type: account?.type,
        summaries: CURRENCIES.map((currency) => ({ currency, limits: LIMITS })),
      });
    },
  };
}

const LIMITS = {
  limits_per_currency: false,
  non_matching_engine: inCalls(RATE_BUDGETS.default),
  matching_engine: { trading: { total: inCalls(RATE_BUDGETS.matching) } },
};

/** Returns a budget as the exchange writes it: calls at once, and calls a second. */
function inCalls({ size, refillPerMs, cost }: RateBudget): { readonly burst: number; readonly rate: number } {
  return { burst: size / cost, rate: (refillPerMs * 1000) / cost };
}
