import { CallError, toFailure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { METHOD_NOT_FOUND, UNAUTHORIZED } from "../catalogue/codes.ts";
import type { RateClass } from "../catalogue/index.ts";
import { RATE_BUDGETS, type RateBudget } from "../catalogue/rates.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import type { MaskedResponse, ResponseContent } from "../rpc/response.ts";
import { missingScope } from "./scope.ts";
import type { Identity } from "./session.ts";

/**
 * Sends the name of our software; resolves to the server's version, where it reports one. Over HTTP nothing is sent,
 * and another method reports the version. Throws `CallError` for a lost link alone.
 */
export async function introduce(
  { name, version }: { readonly name: string; readonly version: string },
  hasLink: boolean,
  call: (method: string, paramsText: string) => Promise<ResponseContent>,
): Promise<string | undefined> {
  try {
    const { result } = await (hasLink
      ? call(SESSION_CALLS.introduce, JSON.stringify({ client_name: name, client_version: version }))
      : call(SESSION_CALLS.probe, "{}"));
    return typeof result === "object" && result !== null && "version" in result && typeof result.version === "string"
      ? result.version
      : undefined;
  } catch (thrown) {
    if (toFailure(thrown).kind === "connectionLost") throw thrown;
    return undefined;
  }
}

/** The facts that the server reports about the signed-in account. */
export interface AccountFacts {
  readonly userId: number | undefined;
  /** The name of the account. Text from outside. */
  readonly username: string | undefined;
  /** The account's own budgets, where it reports them. */
  readonly budgets: Partial<Readonly<Record<RateClass, RateBudget>>>;
}

/** The calls that read the account: the one for all currencies, and the one that older servers have. */
const ACCOUNT_CALLS = [
  [SESSION_CALLS.account, '{"extended":true}'],
  [SESSION_CALLS.olderAccount, '{"currency":"BTC","extended":true}'],
] as const;

/**
 * Reads the number and name of the account, and its own budgets. A server without these methods, and a key without
 * their scope, leave all of it open; a token that is refused here is not valid. Throws `CallError` for that and for a
 * lost link.
 */
export async function askForAccount(
  { authentication, scope }: Pick<Identity, "authentication" | "scope">,
  call: (method: string, paramsText: string) => Promise<MaskedResponse>,
): Promise<Partial<AccountFacts>> {
  if (authentication === "none" || missingScope(SESSION_CALLS.account, scope) !== undefined) return {};
  for (const [method, params] of ACCOUNT_CALLS) {
    const response = await call(method, params).catch((thrown: unknown) => toFailure(thrown));
    if ("kind" in response) {
      if (response.kind === "connectionLost") throw new CallError(response);
      return {};
    }
    const { error, result } = response;
    if (error?.code === UNAUTHORIZED) throw new CallError(error);
    if (error?.code === METHOD_NOT_FOUND) continue;
    return error === undefined ? readAccount(result) : {};
  }
  return {};
}

/**
 * Reads the result of private/get_account_summaries, or of private/get_account_summary. Every member is optional: the
 * forms differ between versions of the exchange. https://docs.deribit.com/articles/rate-limits
 */
function readAccount(result: unknown): AccountFacts {
  const { id, username, limits, summaries } = membersOf(result);
  const found = [limits, ...(Array.isArray(summaries) ? summaries.map((each) => membersOf(each)["limits"]) : [])].find(
    (each) => isObject(each),
  );
  const { non_matching_engine: reads, matching_engine: matching } = membersOf(found);
  const readBudget = budgetOf(reads, RATE_BUDGETS.default.cost);
  const matchingBudget = budgetOf(membersOf(membersOf(matching)["trading"])["total"], RATE_BUDGETS.matching.cost);
  return {
    userId: typeof id === "number" && Number.isSafeInteger(id) ? id : undefined,
    username: typeof username === "string" && username !== "" ? username : undefined,
    budgets: {
      ...(readBudget === undefined ? {} : { default: readBudget }),
      ...(matchingBudget === undefined ? {} : { matching: matchingBudget }),
    },
  };
}

/**
 * The most plausible calls per second. More are not a limit but a misunderstanding: other units, or another meaning.
 */
const MOST_PLAUSIBLE = 5000;

/** Returns the budget of `{burst, rate}` in calls and calls per second. Below one call nothing could ever go out. */
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
