import { RATE_BUDGETS, type RateBudget } from "../../catalogue/rates.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { feeRates } from "../../exchange/ledger/fees.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import { DAY_MS } from "../../exchange/market/calendar.ts";
import type { AccountProfile } from "../accounts/accountRegister.ts";
import { portfolioMembers } from "../accounts/portfolio.ts";
import type { WireMembers } from "../market/positions.ts";
import { CURRENCY_NAMES, refuseUnknownCurrency } from "../market/currencies.ts";
import type { Venue } from "../market/venue.ts";
import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { TRADING_PRODUCTS } from "./subaccountMethods.ts";

/** Makes the methods that sum up what an account has. */
export function accountSummaryMethods({
  id,
  accounts,
  venue,
  mmp,
}: Pick<HandlerPorts, "id" | "accounts" | "venue" | "mmp">): Pick<
  MethodHandlers,
  "private/get_account_summary" | "private/get_account_summaries"
> {
  const identity = (): WireMembers => identityMembers(accounts.find(id) ?? accounts.main, mmp.configs({}).length > 0);
  const summary = (currency: string, isExtended: boolean | undefined): WireMembers => ({
    ...portfolioMembers(venue, id, currency),
    ...(isExtended === true ? { limits: LIMITS, fees: feesOf(venue, currency) } : {}),
  });
  return {
    "private/get_account_summary": ({ params: { currency, extended } }) => {
      refuseUnknownCurrency(currency);
      venue.catchUp([]);
      return writeJson({ ...(extended === true ? identity() : {}), ...summary(currency, extended) });
    },
    "private/get_account_summaries": ({ params: { extended } }) => {
      venue.catchUp([]);
      const summaries = CURRENCY_NAMES.map((currency) => summary(currency, extended));
      return writeJson({ ...(extended === true ? identity() : {}), summaries });
    },
  };
}

function identityMembers(account: AccountProfile, isMmpEnabled: boolean): WireMembers {
  return {
    id: account.id,
    type: account.type,
    username: account.username,
    system_name: account.systemName,
    email: account.email,
    creation_timestamp: account.createdAtMs,
    login_enabled: account.isLoginEnabled,
    receive_notifications: account.receivesNotifications,
    security_keys_enabled: false,
    mmp_enabled: isMmpEnabled,
    interuser_transfers_enabled: false,
    referrer_id: null,
    self_trading_reject_mode: account.selfTrading,
    self_trading_extended_to_subaccounts: account.isSelfTradingExtended,
    block_rfq_self_match_prevention: account.isBlockRfqSelfMatchPrevented,
    mandatory_tfa: false,
    // Five changes in a day, as recorded.
    change_margin_model_api_limit: { timeframe: DAY_MS, rate: 5 },
    trading_products_details: TRADING_PRODUCTS,
  };
}

/**
 * The limits of an account: those of calls are the budgets that the simulator has; the others are those of a recorded
 * account, February 2026, and do not hold here.
 */
const LIMITS = {
  limits_per_currency: false,
  non_matching_engine: inCalls(RATE_BUDGETS.default),
  matching_engine: {
    trading: { total: inCalls(RATE_BUDGETS.matching) },
    spot: inCalls(RATE_BUDGETS.matching),
    cancel_all: inCalls(RATE_BUDGETS.matching),
    block_rfq_maker: { burst: 20, rate: 10 },
    maximum_quotes: { burst: 500, rate: 500 },
    maximum_mass_quotes: { burst: 10, rate: 10 },
    guaranteed_mass_quotes: { burst: 2, rate: 2 },
  },
};

/** Returns a budget as the exchange writes it: calls at once, and calls a second. */
function inCalls({ size, refillPerMs, cost }: RateBudget): { readonly burst: number; readonly rate: number } {
  return { burst: size / cost, rate: (refillPerMs * 1000) / cost };
}

type Fees = Record<string, Record<string, { readonly default: WireMembers }>>;

/** Returns the fees of what is settled in a currency, by index and kind. */
function feesOf(venue: Venue, currency: string): Fees {
  const fees: Fees = {};
  for (const { name } of venue.listing.open()) {
    const instrument = venue.instrument(name);
    if (instrument === undefined || instrument.kind === "spot" || instrument.settlementCurrency !== currency) continue;
    const { maker, taker } = feeRates(instrument);
    const ofIndex = (fees[instrument.indexName] ??= {});
    ofIndex[feeKind(instrument)] = { default: { type: "fixed", maker: numberOf(maker), taker: numberOf(taker) } };
  }
  return fees;
}

function feeKind({ kind, expiresAtMs }: TradedInstrument): string {
  return kind === "future" && expiresAtMs === undefined ? "perpetual" : kind;
}
