import * as l10n from "@vscode/l10n";
import type { Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { plain } from "../base/plain.ts";
import { provesRefusal, type JudgedCall } from "../catalogue/errorCodes.ts";
import { isResult, resultProblems, type Effect } from "../catalogue/index.ts";
import { isChallenge } from "../catalogue/keyResponses.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { aboutOf, askedFields, judgedBy } from "./changes/changes.ts";
import { differenceText, presentFields, unprovedField, type Fields } from "./changes/fields.ts";
import { judgeEdit, judgePlacement, perhapsRoutedInstrument, type OrderJudgement } from "./changes/orderJudgement.ts";
import { isPartlyFilled, type Fill } from "./fill.ts";

/**
 * The outcome of an intent (reliability §2.3). An unproved outcome is `unknown`; reading appends verdicts, and nothing
 * is sent again.
 */
export type Outcome =
  /** An outcome where nothing was sent, and the reason. `failure` is one of the kinds that mean so. */
  | { readonly kind: "notSent"; readonly failure: Failure }
  /**
   * The expected response of the exchange. For a read there is nothing more. `notes`: what is as requested and looks
   * otherwise, as sentences. `isAcknowledged`: the order was passed on to another venue, and is neither open nor filled
   * yet. `isIsolatedLeft`: a request for several orders that does not reach the isolated ones of the account.
   */
  | {
      readonly kind: "confirmed";
      readonly response: MaskedResponse;
      readonly notes?: readonly string[];
      readonly isAcknowledged?: true;
      readonly isIsolatedLeft?: true;
    }
  /**
   * A response that reports another state than the requested one. `isAdjusted`: a rule of the exchange explains all
   * that is different about an order.
   */
  | {
      readonly kind: "confirmedOther";
      readonly response: MaskedResponse;
      readonly state: string;
      readonly isAdjusted?: true;
    }
  /** A refusal with a code that proves that nothing was done, or a read that failed. */
  | {
      readonly kind: "rejected";
      readonly response: MaskedResponse;
      readonly failure: Extract<Failure, { kind: "exchange" }>;
    }
  /** A request for a 2FA code; nothing has been changed yet. */
  | { readonly kind: "challenge"; readonly response: MaskedResponse }
  /** A read without a response, or with one that cannot be read. Nothing can have changed. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly response: MaskedResponse | undefined }
  /** A write that was handed to the link, with an unproved outcome. */
  | { readonly kind: "unknown"; readonly failure: Failure; readonly response: MaskedResponse | undefined };

/** Returns the sentence about orders that a request for several orders does not reach. */
export function isolatedLeftText(): string {
  return l10n.t("Isolated orders aren't covered and stay open. Check them on the exchange.");
}

/** The result of reading after an unknown outcome, or an addition to a known one. */
export type Verdict =
  | OrderVerdict
  /**
   * The verdicts for a request that named no order: one for each order that it was about. `isLate`: only those that
   * changed since.
   */
  | {
      readonly kind: "several";
      readonly atMs: number;
      readonly orders: readonly VerdictOfOrder[];
      readonly isLate: boolean;
    };

export interface VerdictOfOrder {
  readonly orderId: string;
  readonly verdict: OrderVerdict;
}

/** The result of reading one order. */
export type OrderVerdict =
  /**
   * A verdict with the present state. `state`: what is there now, where that says more. `fill`: the filled amount of
   * the order, where the state reports one. `objectId`: the ID of what the change has made.
   */
  | {
      readonly kind: "applied";
      readonly atMs: number;
      readonly cause: string | undefined;
      readonly isLate: boolean;
      readonly state?: string;
      readonly fill?: Fill;
      readonly objectId?: string;
    }
  /**
   * A verdict where the change does not show yet. `isFinal`: it can't come any more, as after the deadline of an order.
   * Otherwise a late reply or a late effect is still possible, and it proves nothing.
   */
  | { readonly kind: "notApplied"; readonly atMs: number; readonly state: string; readonly isFinal?: true }
  | { readonly kind: "other"; readonly atMs: number; readonly state: string; readonly fill?: Fill }
  /** A verdict where only the absence from the open orders is known. */
  | { readonly kind: "gone"; readonly atMs: number }
  /** A verdict where reading did not settle it in time, or is not allowed. */
  | { readonly kind: "unverified"; readonly atMs: number; readonly reason: string };

/** Whether a verdict settles the outcome of everything that it is about. */
export function isSettling(verdict: Verdict): boolean {
  if (verdict.kind === "several") return verdict.orders.every((each) => isSettling(each.verdict));
  return verdict.kind === "notApplied" ? verdict.isFinal === true : verdict.kind !== "unverified";
}

/** Whether looks so far, oldest first, settle the outcome together: of several orders, each by a look of its own. */
export function areSettling(verdicts: readonly Verdict[]): boolean {
  const orders = new Map<string, boolean>();
  for (const verdict of verdicts) {
    if (verdict.kind !== "several") {
      if (isSettling(verdict)) return true;
      continue;
    }
    // A look that came to nothing takes back nothing that an earlier one has proved.
    for (const each of verdict.orders)
      orders.set(each.orderId, orders.get(each.orderId) === true || isSettling(each.verdict));
  }
  return orders.size > 0 && [...orders.values()].every((isSettled) => isSettled);
}

/** Whether a look goes on after a verdict: what does not show yet is watched for a while. */
export function isWatched(verdict: Verdict): boolean {
  return verdict.kind === "several"
    ? verdict.orders.some((each) => isWatched(each.verdict))
    : verdict.kind === "notApplied" && verdict.isFinal !== true;
}

/** Returns a text that is the same for two equal verdicts, whenever each was found. */
export function verdictKey(verdict: Verdict): string {
  return JSON.stringify(verdict, (name, value: unknown) => (name === "atMs" ? undefined : value));
}

/** The evidence that a success has to show. */
export interface Expectations {
  /** The order that the request named; left out for requests that name none. */
  readonly orderId?: string | undefined;
  /** Whether it asked for the cancelled orders instead of their number. */
  readonly isDetailed?: boolean;
  /** The parameters that were sent. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The values of the named order before the request, as in `Intent.before`. */
  readonly before?: Fields | undefined;
  /** Whether the order is for an instrument that is matched at another venue. */
  readonly isRouted?: boolean;
}

/**
 * Returns the outcome of a call, from its response or from the failure that it threw. Never a guess: a write is
 * `unknown` unless its response proves the effect, or is a refusal that proves its absence.
 */
export function outcomeOf(
  method: string,
  effect: Effect,
  response: MaskedResponse | Failure,
  expectations: Expectations = {},
): Outcome {
  if ("kind" in response) return outcomeOfFailure(effect, response);
  if (response.error !== undefined)
    return outcomeOfError({ method, effect, params: expectations.params ?? {} }, response, response.error);
  if (isChallenge(response.result)) return { kind: "challenge", response };
  if (!isResult(method, response.result))
    return outcomeOfOddResponse(effect, response, shapeDetail(method, response.result));
  switch (judgedBy(method, effect)) {
    case "order":
      return outcomeOfCancel(response, expectations);
    case "edit":
      return outcomeOfOrder(response, judgeEdit(response, expectations));
    case "quote":
      return outcomeOfQuoteCancel(response, expectations);
    case "fields":
      return outcomeOfChange(effect, response, expectations);
    case "parts":
      return outcomeOfSeveral(response, expectations);
    case "placedOrder":
      return outcomeOfOrder(response, judgePlacement(response, expectations));
    case "success":
      return { kind: "confirmed", response };
  }
}

/**
 * Returns how many orders or quotes a request that names none has cancelled, by its response; undefined when it does
 * not say.
 */
export function cancelledCount({ result }: MaskedResponse): number | undefined {
  return typeof result === "number" ? result : cancelledParts(result)?.length;
}

/** Returns how many of these were partly filled before; 0 where the response does not say. */
export function partlyFilledCount({ result }: MaskedResponse): number {
  return (cancelledParts(result) ?? []).filter(isPartlyFilled).length;
}

function cancelledParts(result: unknown): readonly Batch[] | undefined {
  if (!Array.isArray(result)) return undefined;
  const parts = (result as readonly Batch[]).flatMap((batch) =>
    Array.isArray(batch["result"])
      ? (batch["result"] as readonly Batch[])
      : "order" in batch
        ? (batch["order"] as Batch)
        : batch,
  );
  return parts.filter((part: unknown) => typeof part === "object" && part !== null && isCancelled(part as Batch));
}

/** Whether a part is a cancelled order or quote; any other part, an error for example, cancelled nothing. */
function isCancelled(part: Batch): boolean {
  const state = part["order_state"] ?? part["quote_state"];
  return state === undefined ? "order_id" in part || "block_rfq_quote_id" in part : state === "cancelled";
}

/** The kinds of failures that prove that nothing was sent. A new kind does not compile until it is decided. */
const PROVES_NOTHING_SENT: Readonly<Record<Failure["kind"], boolean>> = {
  invalidParams: true,
  tooLarge: true,
  refused: true,
  declined: true,
  notConnected: true,
  situationChanged: true,
  missingScope: true,
  noKey: true,
  tooManyPending: true,
  // Says so itself, by `wasSent`.
  stopped: false,
  timeout: false,
  connectionLost: false,
  programEnded: false,
  // Of a call: it would have gone out on a link of its own, which was never there.
  cannotConnect: true,
  unreadableResult: false,
  exchange: false,
  bug: false,
};

/** Whether a value is the name of a kind of failure. */
export function isFailureKind(kind: unknown): kind is Failure["kind"] {
  return typeof kind === "string" && Object.hasOwn(PROVES_NOTHING_SENT, kind);
}

/** Whether a failure proves that nothing was sent. */
export function isBeforeSend(failure: Failure): boolean {
  return failure.kind === "stopped" ? !failure.wasSent : PROVES_NOTHING_SENT[failure.kind];
}

function outcomeOfFailure(effect: Effect, failure: Failure): Outcome {
  if (isBeforeSend(failure)) return { kind: "notSent", failure };
  return { kind: effect === "read" ? "failed" : "unknown", failure, response: undefined };
}

function outcomeOfError(call: JudgedCall, response: MaskedResponse, failure: ExchangeFailure): Outcome {
  if (call.effect === "read" || provesRefusal(failure, call)) return { kind: "rejected", response, failure };
  return { kind: "unknown", failure, response };
}

function outcomeOfOddResponse(effect: Effect, response: MaskedResponse, detail: string): Outcome {
  return { kind: effect === "read" ? "failed" : "unknown", failure: { kind: "unreadableResult", detail }, response };
}

/**
 * Returns the outcome of a cancel. "Cancelled" needs the named order, in the state `cancelled`; another order's
 * response proves nothing.
 */
function outcomeOfCancel(response: MaskedResponse, expectations: Expectations): Outcome {
  const { order_id: orderId, order_state: state } = response.result as {
    readonly order_id: string;
    readonly order_state: string;
  };
  if (orderId !== expectations.orderId)
    return outcomeOfOddResponse("reduce", response, l10n.t("{0} is {1}", "order_id", orderId));
  return state === "cancelled" ? { kind: "confirmed", response } : { kind: "confirmedOther", response, state };
}

/** Returns the outcome of an order that was placed or edited, as its response was judged. */
function outcomeOfOrder(response: MaskedResponse, judgement: OrderJudgement): Outcome {
  switch (judgement.kind) {
    case "odd":
      return outcomeOfOddResponse("write", response, judgement.detail);
    case "asAsked": {
      const { notes, isAcknowledged } = judgement;
      return {
        kind: "confirmed",
        response,
        ...(notes.length === 0 ? {} : { notes }),
        ...(isAcknowledged ? { isAcknowledged } : {}),
      };
    }
    case "other":
      return {
        kind: "confirmedOther",
        response,
        state: judgement.state,
        ...(judgement.isAdjusted ? { isAdjusted: true } : {}),
      };
  }
}

function outcomeOfQuoteCancel(response: MaskedResponse, { params = {} }: Expectations): Outcome {
  const { block_rfq_quote_id: id, quote_state: state } = response.result as {
    readonly block_rfq_quote_id: number;
    readonly quote_state: string;
  };
  const asked = params["block_rfq_quote_id"];
  if (asked !== undefined && asked !== id)
    return outcomeOfOddResponse("reduce", response, l10n.t("{0} is {1}", "block_rfq_quote_id", id));
  return state === "cancelled" ? { kind: "confirmed", response } : { kind: "confirmedOther", response, state };
}

/** Returns an outcome with something more to be told of it, as a sentence. */
export function withNote(outcome: Outcome, sentence: string): Outcome {
  if (outcome.kind === "confirmed") return { ...outcome, notes: [...(outcome.notes ?? []), sentence] };
  return outcome.kind === "confirmedOther"
    ? { ...outcome, state: l10n.t("{0}. {1}", outcome.state, sentence) }
    : outcome;
}

/**
 * Returns the instrument of a placed spot order that may have been passed on to another venue: its response shows that
 * it is open, and no trade. Undefined for every other outcome.
 */
export function perhapsRouted(outcome: Outcome): string | undefined {
  if (outcome.kind !== "confirmed" || outcome.isAcknowledged === true) return undefined;
  const { method, result } = outcome.response;
  return aboutOf(method) === "newOrder" ? perhapsRoutedInstrument(result) : undefined;
}

/**
 * Returns the outcome of a change. The state that the exchange reports counts, not the requested one; a response about
 * another object proves nothing.
 */
function outcomeOfChange(effect: Effect, response: MaskedResponse, { params = {} }: Expectations): Outcome {
  const asked = askedFields(response.method, params) ?? {};
  const object = objectMeant(response.method, response.result, params);
  // Limits that were removed need not be in it: nothing is left of them.
  if (object === undefined && params["interval"] === 0) return { kind: "confirmed", response };
  if (object === undefined)
    return outcomeOfOddResponse(effect, response, l10n.t("the response is for a different object"));
  const unproved = unprovedField(asked, object);
  if (unproved !== undefined) return outcomeOfOddResponse(effect, response, l10n.t("{0} is missing", unproved));
  const state = [differenceText(asked, presentFields(object, asked)), endedQuoteText(response.method, object)]
    .filter((text) => text !== "")
    .join(", ");
  return state === "" ? { kind: "confirmed", response } : { kind: "confirmedOther", response, state };
}

/** Returns in words that a quote is not open although it was just placed or edited; empty for anything else. */
function endedQuoteText(method: string, { quote_state: state = "open" }: Batch): string {
  const isOver = aboutOf(method) === "newQuote" && state !== "open" && state !== "filled";
  return isOver ? l10n.t("{0} is {1}", "quote_state", plain.name(String(state))) : "";
}

/** Returns the named key or limits, or the key that was made, as the response has them. */
function objectMeant(method: string, result: unknown, params: Readonly<Record<string, unknown>>): Batch | undefined {
  if (aboutOf(method) === "newKey") return result as Batch;
  if (aboutOf(method) === "newQuote") {
    const quote: Batch = isObject(result) ? result : {};
    const isOther = QUOTE_IDS.some((name) => params[name] !== undefined && params[name] !== quote[name]);
    return isOther || typeof quote["block_rfq_quote_id"] !== "number" ? undefined : quote;
  }
  if ("id" in params) return (result as Batch)["id"] === params["id"] ? (result as Batch) : undefined;
  const isMeant = (config: Batch): boolean =>
    config["index_name"] === params["index_name"] && (config["mmp_group"] ?? "") === (params["mmp_group"] ?? "");
  return ([result].flat() as readonly Batch[]).find(isMeant);
}

const QUOTE_IDS = ["block_rfq_quote_id", "block_rfq_id"] as const;

/** A part of a detailed response, in any of the forms that were seen or documented. */
type Batch = Readonly<Record<string, unknown>>;

/**
 * Returns the outcome of a request for several objects. A list that was not requested proves nothing, and one with a
 * failed part leaves open what was done in it.
 */
function outcomeOfSeveral(response: MaskedResponse, { isDetailed = false }: Expectations): Outcome {
  if (!Array.isArray(response.result)) return outcomeOfCounted(response);
  if (!isDetailed) return outcomeOfOddResponse("mass", response, l10n.t("an array instead of a number"));
  const failed = (response.result as readonly Batch[])
    .map((batch) => batch["error"] ?? undefined)
    .find((error) => error !== undefined) as Batch | undefined;
  if (failed === undefined) return { kind: "confirmed", response };
  const { code, message } = failed;
  if (typeof code !== "number" || typeof message !== "string")
    return outcomeOfOddResponse("mass", response, l10n.t("an unreadable error"));
  return { kind: "unknown", failure: { kind: "exchange", code, message }, response };
}

/**
 * Returns the outcome of a request whose response counts the parts that failed: of mass quotes, each bid and ask.
 * https://docs.deribit.com/api-reference/trading/private-mass_quote
 */
function outcomeOfCounted(response: MaskedResponse): Outcome {
  const { errors_count: count, errors } = (
    typeof response.result === "object" && response.result !== null ? response.result : {}
  ) as Batch;
  const failed = Math.max(typeof count === "number" ? count : 0, Array.isArray(errors) ? errors.length : 0);
  return failed === 0
    ? { kind: "confirmed", response }
    : { kind: "confirmedOther", response, state: l10n.t("failed bids and asks: {0}", failed) };
}

function shapeDetail(method: string, result: unknown): string {
  const problem = resultProblems(method, result ?? null)[0];
  return problem === undefined ? l10n.t("unexpected shape") : [...problem.path, problem.message].join(" ");
}

type ExchangeFailure = Extract<Failure, { kind: "exchange" }>;
