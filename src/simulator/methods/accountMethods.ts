import { handlersOf, type HandlerPorts, type Call } from "./handlers.ts";
import { tokenText } from "./sessionMethods.ts";
import { currenciesText, CURRENCY_NAMES, refuseUnknownCurrency } from "../market/currencies.ts";
import { invalidParam, jsonParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { fixedOf, numberOf } from "../../exchange/ledger/money.ts";
import type { AccountSummary } from "../../exchange/ledger/summary.ts";
import { portfolioOf, portfolioMembers } from "../accounts/portfolio.ts";
import { type WireMembers, describePositions, emptyPosition, isolatedMarks, withMarks } from "../market/positions.ts";
import { refusalError } from "../text/refusals.ts";
import { RATE_BUDGETS, type RateBudget } from "../../catalogue/rates.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { feeRates } from "../../exchange/ledger/fees.ts";
import { DAY_MS, lastSettlement } from "../../exchange/market/calendar.ts";
import type { AccountProfile } from "../accounts/accountRegister.ts";
import type { Venue } from "../market/venue.ts";
import { includesIsolated, TRADING_PRODUCTS } from "./subaccountMethods.ts";
import type { AskedMove } from "../../exchange/ledger/ledger.ts";
import { announcePortfolio } from "../accounts/portfolioEvents.ts";
import { toSteps } from "../../exchange/units.ts";

const DEFAULT_ENTRIES = 20;

/** Makes the methods for what an account has and set, for its margin, and the one that switches between accounts. */
export const accountHandlers = handlersOf((ports) => {
  const { id, accounts, accessLog, venue, mmp, tokens } = ports;
  const identity = (): WireMembers => identityMembers(accounts.find(id) ?? accounts.main, mmp.configs({}).length > 0);
  const summary = (currency: string, isExtended: boolean | undefined): WireMembers => ({
    ...portfolioMembers(venue, id, currency),
    ...(isExtended === true ? { limits: LIMITS, fees: feesOf(venue, currency) } : {}),
  });
  return {
    "public/exchange_token": ({ params, connection }) => {
      const authorisation = tokens.exchange(
        params.refresh_token,
        { subject: params.subject_id, scope: params.scope },
        connection,
      );
      // Whoever exchanges on a socket goes on as the other account; a session of its own leaves the socket as it is.
      if (connection.link === "webSocket" && authorisation.sid === undefined) connection.authorisation = authorisation;
      return tokenText(authorisation, undefined);
    },
    "private/get_access_log": ({ params: { offset = 0, count = DEFAULT_ENTRIES } }) => {
      const start = Math.max(0, offset);
      return `[${accessLog
        .entries(id)
        .slice(start, start + count)
        .join(",")}]`;
    },
    "private/get_user_locks": () => writeJson(CURRENCY_NAMES.map((currency) => ({ currency, locked: false }))),
    "private/get_currencies": currenciesText,
    "private/get_email_language": () => writeJson(accounts.find(id)?.language ?? ""),
    "private/set_email_language": ({ params: { language } }) => {
      if (!LANGUAGES.includes(language)) throw invalidParam("language", "invalid language");
      accounts.change(id, { language });
      return writeJson("ok");
    },
    "private/set_self_trading_config": ({ params, authorisation }) => {
      const { mode, extended_to_subaccounts: isSelfTradingExtended } = params;
      if (mode !== "reject_taker" && mode !== "cancel_maker") throw invalidParam("mode", "invalid mode");
      if (isSelfTradingExtended && authorisation?.subject !== accounts.main.id) throw refusal(13_012);
      const { block_rfq_self_match_prevention: isBlockRfqSelfMatchPrevented } = params;
      const blockRfq = isBlockRfqSelfMatchPrevented === undefined ? {} : { isBlockRfqSelfMatchPrevented };
      // Extended, the setting is that of every account of the owner.
      const changed = isSelfTradingExtended ? accounts.all() : accounts.all().filter((each) => each.id === id);
      for (const account of changed)
        accounts.change(account.id, { selfTrading: mode, isSelfTradingExtended, ...blockRfq });
      return writeJson("ok");
    },
    "private/get_new_announcements": () => "[]",
    "private/simulate_portfolio": ({ params: { currency, add_positions: isAdded = true, simulated_positions } }) => {
      refuseUnknownCurrency(currency);
      venue.catchUp([]);
      const sizes = new Map(readSizes(simulated_positions).map(([name, size]) => [name, fixedOf(size)]));
      for (const name of sizes.keys())
        if ((venue.instrument(name)?.kind ?? "spot") === "spot")
          throw invalidParam("simulated_positions", "invalid instrument");
      const { summary, positions } = venue.ledger.simulate(String(id), currency, { isAdded, sizes });
      return writeJson({
        ...portfolioOf(summary, positions, venue.marketMs),
        available_subaccount_transfer_funds: numberOf(summary.availableWithdrawalFunds),
      });
    },
    "private/change_margin_model": ({ params: { user_id: userId = id, margin_model: model }, authorisation }) => {
      const isAllowed = userId === authorisation?.subject || authorisation?.subject === accounts.main.id;
      if (!isAllowed || accounts.find(userId) === undefined) throw invalidParam("user_id", "invalid user_id");
      const refused = venue.ledger.refusesMarginModel(model);
      if (refused !== undefined) throw refusalError(refused, undefined);
      venue.catchUp([]);
      // There is one model, so that no change makes any difference, with a dry run or without.
      return writeJson(
        venue.ledger.currencies(String(userId)).map((currency) => {
          const state = marginState(venue.ledger.summary(String(userId), currency));
          return { currency, old_state: state, new_state: state };
        }),
      );
    },
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
});

/** The exchange's languages. https://docs.deribit.com/api-reference/account-management/private-set_email_language */
const LANGUAGES = ["en", "ko", "zh", "ja", "ru"];

function marginState({ initialMargin, maintenanceMargin, equity, availableFunds }: AccountSummary): WireMembers {
  const rate = (margin: bigint): number => (equity === 0n ? 0 : numberOf(margin) / numberOf(equity));
  return {
    initial_margin_rate: rate(initialMargin),
    maintenance_margin_rate: rate(maintenanceMargin),
    available_balance: numberOf(availableFunds),
  };
}

/** Reads sizes by instrument: an object, or its JSON. */
function readSizes(given: unknown): [name: string, size: number][] {
  const sizes = Object.entries(jsonParam("simulated_positions", given, "invalid format") ?? {});
  if (!sizes.every((each): each is [string, number] => typeof each[1] === "number"))
    throw invalidParam("simulated_positions", "invalid format");
  return sizes;
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

/** Makes the methods for positions of one account, and for moving them to another one. */
export const positionMethods = handlersOf((ports) => {
  const { id, venue, accounts } = ports;
  const marked = (position: WireMembers, params: object): WireMembers =>
    withMarks(includesIsolated(params) ? { ...position, user_id: id } : position, id, isolatedMarks(accounts.find(id)));
  return {
    "private/get_position": ({ params }) => {
      const { instrument_name: name } = params;
      const instrument = venue.instrument(name);
      if (instrument === undefined || instrument.kind === "spot")
        throw invalidParam("instrument_name", "invalid instrument");
      venue.catchUp([]);
      const [position] = describePositions(venue.ledger, String(id), (each) => each.name === name);
      if (position !== undefined) return writeJson(marked(position, params));
      const { marks, indexes } = venue.market;
      const atMs = venue.marketMs;
      const prices = {
        mark: marks.mark(instrument, atMs),
        index: indexes.price(instrument.indexName, atMs),
        settlement: marks.mark(instrument, lastSettlement(atMs)),
      };
      return writeJson(emptyPosition(instrument, prices));
    },
    "private/get_positions": ({ params }) => {
      const { currency = "any", kind } = params;
      if (currency !== "any") refuseUnknownCurrency(currency);
      venue.catchUp([]);
      return writeJson(
        describePositions(
          venue.ledger,
          String(id),
          (instrument) =>
            (currency === "any" || instrument.settlementCurrency === currency) &&
            (kind === undefined || instrument.kind === kind),
        ).map((position) => marked(position, params)),
      );
    },
    "private/move_positions": (call) => movePositionsBetween(ports, call),
  };
});

/**
 * Moves positions between two accounts of the owner. Their orders that may only reduce become no larger than what is
 * left. Both hear of it as of any change of a position.
 */
function movePositionsBetween(
  { clock, accounts, venue, publisher, changesOf }: HandlerPorts,
  { params: { source_uid: source, target_uid: target, trades }, authorisation }: Call<"private/move_positions">,
): string {
  if (authorisation?.subject !== accounts.main.id) throw refusal(13012);
  if (accounts.find(source) === undefined) throw invalidParam("source_uid", "invalid source_uid");
  if (accounts.find(target) === undefined || target === source) throw invalidParam("target_uid", "invalid target_uid");
  const moves = trades.map((trade) => askedMove(venue, trade));
  venue.catchUp(moves.map(({ instrument }) => instrument));
  const moved = venue.ledger.move(String(source), String(target), moves, clock.now());
  if ("word" in moved) throw refusalError(moved, undefined);
  for (const { instrument } of moves) {
    const currency = venue.instrument(instrument)?.settlementCurrency;
    const changed = venue.listing.instruments.get(instrument);
    for (const account of [source, target]) {
      venue.operate(instrument, (engine, nowMs) => engine.positionChanged(String(account), instrument, nowMs));
      if (changed !== undefined) changesOf(account)?.position(changed);
      if (currency !== undefined) announcePortfolio({ publisher, venue }, account, currency);
    }
  }
  return writeJson({
    trades: moved.map(({ instrument, direction, price, amount }) => ({
      instrument_name: instrument,
      direction,
      price: numberOf(price),
      amount: numberOf(amount),
      source_uid: source,
      target_uid: target,
    })),
  });
}

/** Reads a trade of the call. Without a price, a position moves at the mark price. */
function askedMove(
  venue: Venue,
  { instrument_name: name = "", amount, price }: Call<"private/move_positions">["params"]["trades"][number],
): AskedMove {
  const instrument = venue.instrument(name);
  if (instrument === undefined || instrument.kind === "spot") throw invalidParam("trades", "invalid instrument_name");
  const lots = amount === undefined ? undefined : toSteps(amount, instrument.lot);
  if (lots === undefined || lots <= 0) throw invalidParam("trades", "invalid amount");
  const ticks = price === undefined ? undefined : toSteps(price, instrument.tick);
  if (price !== undefined && (ticks ?? 0) <= 0) throw invalidParam("trades", "invalid price");
  return { instrument: name, amount: lots, price: ticks };
}
