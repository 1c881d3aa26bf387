import { MARGIN_MODEL } from "../../exchange/ledger/ledger.ts";
import type { AccountProfile, AccountSettings } from "../accounts/accountRegister.ts";
import { portfolioMembers } from "../accounts/portfolio.ts";
import { describePositions, isolatedMarks, withMarks, type WireMembers } from "../market/positions.ts";
import { CURRENCY_NAMES, refuseUnknownCurrency } from "../market/currencies.ts";
import type { Venue } from "../market/venue.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { handlersOf, type Call, type HandlerPorts } from "./handlers.ts";

/** Makes the methods for the accounts of an owner. A subaccount knows of itself alone, and changes none. */
export const subaccountMethods = handlersOf((ports) => {
  const { clock, venue, accounts, accessLog } = ports;
  const known = ({ authorisation }: Caller, params: object): readonly AccountProfile[] =>
    accounts
      .all()
      .filter(({ id }) => authorisation?.subject === accounts.main.id || id === authorisation?.subject)
      .filter(
        ({ id, isolatedOf }) =>
          isolatedOf === undefined ||
          (includesIsolated(params) && ports.gateway?.behaviour.omittedSlots.includes(id) === false),
      );
  /** Changes a subaccount of the main account, which alone may do so. */
  const change = (caller: Caller, sid: number, changes: Partial<AccountSettings>): string => {
    requireMain(ports, caller);
    requireSubaccount(ports, "sid", sid);
    accounts.change(sid, changes);
    return DONE;
  };
  return {
    "private/get_subaccounts": ({ params, ...caller }) => {
      venue.catchUp([]);
      return writeJson(
        known(caller, params).map((account) => ({
          ...accountMembers(venue, account, params.with_portfolio === true),
          ...(includesIsolated(params) ? slotMembers(account) : {}),
        })),
      );
    },
    "private/get_subaccounts_details": ({ params, ...caller }) => {
      const { currency, with_open_orders: isWithOrders } = params;
      refuseUnknownCurrency(currency);
      venue.catchUp([]);
      return `[${known(caller, params)
        .map(({ id }) => detailsText(ports, id, { currency, isWithOrders: isWithOrders === true }))
        .join(",")}]`;
    },
    "private/create_subaccount": (caller) => {
      requireMain(ports, caller);
      const opened = accounts.open(clock.now());
      if (opened === undefined) throw refusal(12_001);
      return writeJson(accountMembers(venue, opened, true));
    },
    "private/remove_subaccount": ({ params: { subaccount_id: sid }, ...caller }) => {
      requireMain(ports, caller);
      requireSubaccount(ports, "subaccount_id", sid);
      if (!isEmpty(venue, sid)) throw refusal(11_030, { reason: "subaccount_not_empty" });
      accounts.close(sid);
      return DONE;
    },
    "private/change_subaccount_name": ({ params: { sid, name }, ...caller }) => {
      if (!/^\w{1,30}$/.test(name) || accounts.all().some(({ username }) => username === name)) throw refusal(12_002);
      return change(caller, sid, { username: name });
    },
    "private/set_email_for_subaccount": ({ params: { sid, email }, ...caller }) => {
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw invalidParam("email", "invalid email");
      return change(caller, sid, { email });
    },
    "private/toggle_notifications_from_subaccount": ({ params: { sid, state }, ...caller }) =>
      change(caller, sid, { receivesNotifications: state }),
    "private/toggle_subaccount_login": ({ params: { sid, state }, ...caller }) => {
      if (state !== "enable" && state !== "disable") throw invalidParam("state", "invalid state");
      const done = change(caller, sid, { isLoginEnabled: state === "enable" });
      accessLog.add(`${state}d_subaccount_login`, sid, accounts.main.id);
      return done;
    },
  };
});

/** The products that an account may trade: all of them, with the words of a recorded account. */
export const TRADING_PRODUCTS = ["perpetual", "futures", "options", "future_combos", "option_combos", "spots"].map(
  (product) => ({ product, enabled: true, overwriteable: true, requires_consent: false }),
);

/** The result of a change that has none. */
const DONE = writeJson("ok");

type Caller = Pick<Call<"private/create_subaccount">, "authorisation">;

function requireMain({ accounts }: HandlerPorts, { authorisation }: Caller): void {
  if (authorisation?.subject !== accounts.main.id) throw refusal(13_012);
}

function requireSubaccount({ accounts }: HandlerPorts, param: string, id: number): void {
  if (accounts.find(id)?.type !== "subaccount") throw invalidParam(param, `invalid ${param}`);
}

/** Whether an account has no money, no position, and no order. */
function isEmpty({ ledger, books }: Venue, id: number): boolean {
  const account = String(id);
  return (
    ledger.currencies(account).every((currency) => ledger.balance(account, currency) === 0n) &&
    ledger.positions(account).every(({ size }) => size === 0n) &&
    [...books.open(account)].length === 0
  );
}

/** Whether the parameters of a list ask for what is isolated too. */
export function includesIsolated(params: object): boolean {
  return (params as { readonly include_isolated?: unknown }).include_isolated === true;
}

function slotMembers({ isolatedOf, isolatedInstrument }: AccountProfile): WireMembers {
  return isolatedOf === undefined
    ? { isolated: null }
    : { isolated: true, main_uid: isolatedOf, isolated_margin_instrument: isolatedInstrument ?? null };
}

function accountMembers(venue: Venue, account: AccountProfile, isWithPortfolio: boolean): WireMembers {
  const portfolio = Object.fromEntries(
    CURRENCY_NAMES.map((currency) => [currency.toLowerCase(), shortPortfolio(venue, account.id, currency)]),
  );
  return {
    email: account.email,
    id: account.id,
    is_password: account.type === "main",
    login_enabled: account.isLoginEnabled,
    receive_notifications: account.receivesNotifications,
    system_name: account.systemName,
    security_keys_enabled: false,
    security_keys_assignments: [],
    type: account.type,
    username: account.username,
    margin_model: MARGIN_MODEL,
    disabled_trading_products: [],
    trading_products_details: TRADING_PRODUCTS,
    referrals_count: 0,
    ...(isWithPortfolio ? { portfolio } : {}),
  };
}

const PORTFOLIO_MEMBERS = [
  "balance",
  "equity",
  "available_funds",
  "available_withdrawal_funds",
  "margin_balance",
  "initial_margin",
  "maintenance_margin",
  "locked_balance",
  "spot_reserve",
  "additional_reserve",
] as const;

function shortPortfolio(venue: Venue, id: number, currency: string): WireMembers {
  const all = portfolioMembers(venue, id, currency);
  return {
    currency: currency.toLowerCase(),
    ...Object.fromEntries(PORTFOLIO_MEMBERS.map((name) => [name, all[name]])),
  };
}

/** Returns the positions of an account in a currency and, where they are asked for, its open orders. */
function detailsText(
  { venue, accounts, openOrderTexts }: HandlerPorts,
  id: number,
  { currency, isWithOrders }: { readonly currency: string; readonly isWithOrders: boolean },
): string {
  const positions = describePositions(
    venue.ledger,
    String(id),
    ({ settlementCurrency }) => settlementCurrency === currency,
  );
  const marks = isolatedMarks(accounts.find(id));
  const orders = isWithOrders ? `,"open_orders":[${openOrderTexts(id, currency).join(",")}]` : "";
  const marked = positions.map((each) => withMarks(each, id, marks));
  return `{"uid":${id},"positions":${writeJson(marked)}${orders}}`;
}
