import type { Failure } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { provesRefusal, type JudgedCall } from "../../catalogue/errorCodes.ts";
import { isResult, resultProblems, type Effect } from "../../catalogue/index.ts";
import { isChallenge } from "../../catalogue/keyResponses.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { isBeforeSend, type Batch, type Outcome } from "./outcome.ts";
import { aboutOf, askedFields, judgedBy, type JudgedBy } from "../changes/changes.ts";
import { differenceText, presentFields, unprovedField, type Fields } from "../intent/fields.ts";
import { judgeEdit, judgePlacement, perhapsRoutedInstrument, type OrderJudgement } from "./orderJudgement.ts";

/*
 * The outcome of a call, judged by its response. Loaded when something is sent: views need the kinds of outcomes alone.
 */

/** The evidence that a success has to show. */
export interface Expectations {
  /** The order that the request named; omitted for requests that name none. */
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

/** Judges a result of the expected shape. */
type Judge = (response: MaskedResponse, expectations: Expectations, effect: Effect) => Outcome;

const JUDGES: Readonly<Record<JudgedBy, Judge>> = {
  order: outcomeOfCancel,
  edit: (response, expectations) => outcomeOfOrder(response, judgeEdit(response, expectations)),
  quote: outcomeOfQuoteCancel,
  fields: outcomeOfChange,
  parts: outcomeOfSeveral,
  placedOrder: (response, expectations) => outcomeOfOrder(response, judgePlacement(response, expectations)),
  success: (response) => ({ kind: "confirmed", response }),
};

/**
 * Whether a result asks for a 2FA code. The exchange documents none for orders and quotes: there it would say that
 * nothing was done, which such a response does not prove.
 */
function asksForCode(judge: JudgedBy, result: unknown): boolean {
  return isChallenge(result) && !NEVER_ASK.includes(judge);
}

const NEVER_ASK: readonly JudgedBy[] = ["order", "edit", "quote", "parts", "placedOrder"];

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
  const judge = judgedBy(method, effect);
  if (asksForCode(judge, response.result)) return { kind: "challenge", response };
  if (!isResult(method, response.result))
    return outcomeOfOddResponse(response, shapeDetail(method, response.result), effect);
  return JUDGES[judge](response, expectations, effect);
}

function outcomeOfFailure(effect: Effect, failure: Failure): Outcome {
  if (isBeforeSend(failure)) return { kind: "notSent", failure };
  return { kind: effect === "read" ? "failed" : "unknown", failure, response: undefined };
}

function outcomeOfError(call: JudgedCall, response: MaskedResponse, failure: ExchangeFailure): Outcome {
  if (call.effect === "read" || provesRefusal(failure, call)) return { kind: "rejected", response, failure };
  return { kind: "unknown", failure, response };
}

function outcomeOfOddResponse(response: MaskedResponse, detail: string, effect?: Effect): Outcome {
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
    return outcomeOfOddResponse(response, l10n.t("{0} is {1}", "order_id", plain.text(orderId)));
  return state === "cancelled" ? { kind: "confirmed", response } : { kind: "confirmedOther", response, state };
}

/** Returns the outcome of an order that was placed or edited, as its response was judged. */
function outcomeOfOrder(response: MaskedResponse, judgement: OrderJudgement): Outcome {
  switch (judgement.kind) {
    case "odd":
      return outcomeOfOddResponse(response, judgement.detail);
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
    return outcomeOfOddResponse(response, l10n.t("{0} is {1}", "block_rfq_quote_id", id));
  return state === "cancelled" ? { kind: "confirmed", response } : { kind: "confirmedOther", response, state };
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
function outcomeOfChange(response: MaskedResponse, { params = {} }: Expectations, effect: Effect): Outcome {
  const asked = askedFields(response.method, params) ?? {};
  const object = objectMeant(response.method, response.result, params);
  // Limits that were removed need not be in it: nothing is left of them.
  if (object === undefined && params["interval"] === 0) return { kind: "confirmed", response };
  if (object === undefined)
    return outcomeOfOddResponse(response, l10n.t("the response is for a different object"), effect);
  const unproved = unprovedField(asked, object);
  if (unproved !== undefined)
    return outcomeOfOddResponse(response, l10n.t("{0} is missing", plain.name(unproved)), effect);
  const state = plain.join(
    [differenceText(asked, presentFields(object, asked)), endedQuoteText(response.method, object)].filter(
      (text) => text !== "",
    ),
    ", ",
  );
  return state === "" ? { kind: "confirmed", response } : { kind: "confirmedOther", response, state };
}

/** Returns in words that a quote is not open although it was just placed or edited; empty for anything else. */
function endedQuoteText(method: string, { quote_state: state = "open" }: Batch): Plain {
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

/**
 * Returns the outcome of a request for several objects. A list that was not requested proves nothing, and one with a
 * failed part leaves open what was done in it.
 */
function outcomeOfSeveral(response: MaskedResponse, { isDetailed = false }: Expectations): Outcome {
  if (!Array.isArray(response.result)) return outcomeOfCounted(response);
  if (!isDetailed) return outcomeOfOddResponse(response, l10n.t("an array instead of a number"));
  const failed = (response.result as readonly Batch[])
    .map((batch) => batch["error"] ?? undefined)
    .find((error) => error !== undefined) as Batch | undefined;
  if (failed === undefined) return { kind: "confirmed", response };
  const { code, message } = failed;
  if (typeof code !== "number" || typeof message !== "string")
    return outcomeOfOddResponse(response, l10n.t("an unreadable error"));
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
