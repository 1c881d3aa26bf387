import type { Clock } from "../base/clock.ts";
import { CallError, type Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import { CURRENCIES } from "../catalogue/values.ts";
import { isIsolated, readsSlots, withSlots } from "./isolated.ts";
import { lastingFailure } from "./readRetry.ts";
import { Resource, type ResourcePorts } from "./resource.ts";
import { readRows, rowsIn, withNews } from "./snapshot.ts";

/** What an account has in a currency, as private/get_account_summaries describes it. */
export type CurrencySummary = RowOf<"accountSummary">;

/** An account of the owner, as private/get_subaccounts describes it. */
export type OwnedAccount = RowOf<"subaccount">;

/** The money and margin of the account of one connection, by currency. */
export type AccountStore = Resource<CurrencySummary> & Readonly<AccountNews>;

/** What is read beside the summaries. */
interface AccountNews {
  /** What the response says about the account itself: its name, type, and settings. */
  profile: object;
  /** The summary that came last: where collateral is shared by all currencies, it has their newest totals. */
  newest: CurrencySummary | undefined;
  /** The accounts of the owner, the one that is signed in among them. No event brings their figures. */
  owned: OwnedAccounts;
  /** Whether the accounts of the owner have every slot of isolated margin, at the gateway. */
  areSlotsRead: boolean;
}

interface OwnedAccounts {
  readonly accounts: readonly OwnedAccount[];
  /** The rows of the response that name no account. */
  readonly unreadable: readonly unknown[];
  /** The time when they were asked for, in ms since the Unix epoch: no figure is older. Undefined before that. */
  readonly readAtMs: number | undefined;
  /** The reason why the server does not list them; undefined where it does. */
  readonly failure: Failure | undefined;
}

export const SUMMARIES_METHOD = "private/get_account_summaries";
export const SUMMARY_METHOD = "private/get_account_summary";
export const OWNED_ACCOUNTS_METHOD = "private/get_subaccounts";
/** The channel that reports what the account has in each currency. */
const PORTFOLIO_CHANNEL = "user.portfolio.any";

const NO_ACCOUNTS: OwnedAccounts = { accounts: [], unreadable: [], readAtMs: undefined, failure: undefined };
const NO_NEWS: Readonly<AccountNews> = { profile: {}, newest: undefined, owned: NO_ACCOUNTS, areSlotsRead: false };

/** Makes the store. One call reads all currencies with fees and limits, and one all accounts of the owner. */
export function createAccountStore(ports: ResourcePorts): AccountStore {
  /** What was reported since the latest reading was sent: its response may be older. */
  const reported = new Map<string, CurrencySummary>();
  const resource = new Resource<CurrencySummary>(
    {
      name: "account",
      method: SUMMARIES_METHOD,
      channels: [PORTFOLIO_CHANNEL],
      isMerging: true,
      async read(reader, options) {
        reported.clear();
        const { result } = await reader.readResponse(SUMMARIES_METHOD, { extended: true }, options);
        const { summaries, ...rest }: Readonly<Record<string, unknown>> = isObject(result) ? result : {};
        if (!Array.isArray(summaries))
          throw new CallError({ kind: "unreadableResult", detail: l10n.t("The response has no summaries.") });
        const { list, unreadable } = readRows(summaries as readonly unknown[], (row) => readRow("accountSummary", row));
        const hasSlots = readsSlots(ports.session.state);
        const owned = await readOwned({ reader, clock: ports.clock, hasSlots }, options);
        const items = new Map(list.map((each) => [each.currency, each]));
        for (const [currency, summary] of reported)
          items.set(currency, withNews("accountSummary", items.get(currency), summary));
        const newest = [...reported.values()].at(-1) ?? list.find(isCross) ?? list[0];
        Object.assign(store, { profile: rest, newest, owned, areSlotsRead: hasSlots && owned.failure === undefined });
        return { items, unreadable: [...unreadable, ...owned.unreadable] };
      },
      take(data, items) {
        const next = new Map(items);
        for (const row of [data].flat() as readonly unknown[]) {
          const summary = readRow("accountSummary", row);
          if (summary === undefined) continue;
          reported.delete(summary.currency);
          reported.set(summary.currency, summary);
          next.set(summary.currency, withNews("accountSummary", items.get(summary.currency), summary));
          store.newest = summary;
        }
        return next;
      },
      forget: () => Object.assign(store, NO_NEWS),
    },
    ports,
  );
  const store: Resource<CurrencySummary> & AccountNews = Object.assign(resource, NO_NEWS);
  return store;
}

/**
 * Returns the currencies of which an account has something, itself or in its slots of isolated margin; those that are
 * traded where it was not read.
 */
export function ownCurrencies({
  snapshot: { items },
  owned: { accounts },
}: Pick<AccountStore, "snapshot" | "owned">): readonly string[] {
  if (items.size === 0) return CURRENCIES;
  const ofSlots = accounts
    .filter(isIsolated)
    .flatMap(({ portfolio }): readonly unknown[] => Object.values(portfolio ?? {}));
  const own = [...items.values(), ...ofSlots.flatMap((each) => readRow("accountSummary", each) ?? [])];
  return [...new Set(own.filter(({ equity = 0 }) => equity !== 0).map(({ currency }) => currency))];
}

/** Whether collateral is shared by all currencies, so that margin is that of all of them together. */
export function isCross({
  cross_collateral_enabled: isEnabled,
  margin_model: model = "",
}: Pick<CurrencySummary, "cross_collateral_enabled" | "margin_model">): boolean {
  return isEnabled ?? CROSS_MODELS.includes(model);
}

/** The margin models in which all currencies are collateral together. Subaccounts are listed with their model alone. */
const CROSS_MODELS: readonly string[] = ["cross_pm", "cross_sm"];

/**
 * Reads the accounts of the owner; none with a failure where the server does not list them. A momentary failure is
 * retried with the whole reading.
 */
async function readOwned(
  { reader, clock, hasSlots }: { readonly reader: Reader; readonly clock: Clock; readonly hasSlots: boolean },
  options: CallOptions,
): Promise<OwnedAccounts> {
  // Not the duration of the call before its response: it has no time that the computer slept.
  const readAtMs = clock.now();
  try {
    const params = hasSlots ? withSlots({ with_portfolio: true }) : { with_portfolio: true };
    const { result } = await reader.readResponse(OWNED_ACCOUNTS_METHOD, params, options);
    const { list, unreadable } = readRows(rowsIn(result), (row) => readRow("subaccount", row));
    return { accounts: list, unreadable, readAtMs, failure: undefined };
  } catch (thrown) {
    return { ...NO_ACCOUNTS, failure: lastingFailure(thrown) };
  }
}
