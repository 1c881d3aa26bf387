import type { RateClass } from "../catalogue/index.ts";
import { RATE_BUDGETS, type RateBudget } from "../catalogue/rates.ts";

/** What the server says of the account that is signed in. */
export interface Account {
  readonly userId: number | undefined;
  /** The account's own budgets, where it tells them. */
  readonly budgets: Partial<Readonly<Record<RateClass, RateBudget>>>;
}

/**
 * Reads the result of private/get_account_summaries, or of private/get_account_summary. Every member is optional: the
 * forms differ between versions of the exchange. https://docs.deribit.com/articles/rate-limits
 */
export function readAccount(result: unknown): Account {
  const { id, limits, summaries } = membersOf(result);
  const found = [limits, ...(Array.isArray(summaries) ? summaries.map((each) => membersOf(each)["limits"]) : [])].find((each) => isObject(each));
  const { non_matching_engine: reads, matching_engine: matching } = membersOf(found);
  const readBudget = budgetOf(reads, RATE_BUDGETS.default.cost);
  const matchingBudget = budgetOf(membersOf(membersOf(matching)["trading"])["total"], RATE_BUDGETS.matching.cost);
  return {
    userId: typeof id === "number" && Number.isSafeInteger(id) ? id : undefined,
    budgets: { ...(readBudget === undefined ? {} : { default: readBudget }), ...(matchingBudget === undefined ? {} : { matching: matchingBudget }) },
  };
}

/** More calls a second than this are no limit but a misunderstanding: other units, or another meaning. */
const MOST_PLAUSIBLE = 5000;

/** `{burst, rate}` in calls and calls a second. Below one call nothing could ever go out. */
function budgetOf(limit: unknown, cost: number): RateBudget | undefined {
  const { burst, rate } = membersOf(limit);
  if (!isPlausible(burst) || !isPlausible(rate)) return undefined;
  return { size: burst * cost, refillPerMs: (rate * cost) / 1000, cost };
}

function isPlausible(value: unknown): value is number {
  return typeof value === "number" && value >= 1 && value <= MOST_PLAUSIBLE;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
