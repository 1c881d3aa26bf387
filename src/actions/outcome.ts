import * as l10n from "@vscode/l10n";
import type { Failure } from "../base/failure.ts";
import { definitiveRefusals } from "../catalogue/errorCodes.ts";
import { isResult, resultProblems, type Effect } from "../catalogue/index.ts";
import { isChallenge } from "../catalogue/keyAnswers.ts";
import type { Answer } from "../rpc/answer.ts";
import { askedFields, judgedBy } from "./changes/changes.ts";
import { differenceText, presentFields, unprovedField } from "./changes/fields.ts";
import { isPartlyFilled, type Fill } from "./fill.ts";

/**
 * What became of an intent (reliability §2.3). An outcome that nobody proved is `unknown`; verdicts are appended by
 * reading, never by sending again.
 */
export type Outcome =
  /** Not sent, and why. `failure` is one of the kinds that mean so. */
  | { readonly kind: "notSent"; readonly failure: Failure }
  /** The exchange answered as expected. For a read this is all there is. */
  | { readonly kind: "confirmed"; readonly answer: Answer }
  /** The exchange answered, but reports another state than the one asked for. */
  | { readonly kind: "confirmedOther"; readonly answer: Answer; readonly state: string }
  /** The exchange refused, with a code that proves that nothing was done, or a read failed. */
  | { readonly kind: "rejected"; readonly answer: Answer; readonly failure: Extract<Failure, { kind: "exchange" }> }
  /** A second factor is asked for; nothing has been changed yet. */
  | { readonly kind: "challenge"; readonly answer: Answer }
  /** A read got no answer, or none that can be read. Nothing can have changed. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly answer: Answer | undefined }
  /** A write was handed to the link and nobody proved what became of it. */
  | { readonly kind: "unknown"; readonly failure: Failure; readonly answer: Answer | undefined };

/** What reading found out about an unknown outcome, or added to a known one. */
export type Verdict =
  | OrderVerdict
  /**
   * Of a request that named none: a verdict for each order that it was about. `isLate`: only those that changed since.
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

/** What reading found out about one order. */
export type OrderVerdict =
  /** `state`: what is there now, where that says more. `fill`: how much of the order was filled, where it says so. */
  | {
      readonly kind: "applied";
      readonly atMs: number;
      readonly cause: string | undefined;
      readonly isLate: boolean;
      readonly state?: string;
      readonly fill?: Fill;
    }
  | { readonly kind: "notApplied"; readonly atMs: number; readonly state: string }
  | { readonly kind: "other"; readonly atMs: number; readonly state: string; readonly fill?: Fill }
  /** Only the absence from the open orders is known. */
  | { readonly kind: "gone"; readonly atMs: number }
  /** Reading did not settle it in time, or is not allowed. */
  | { readonly kind: "unverified"; readonly atMs: number; readonly reason: string };

/** Whether a verdict says what became of everything that it is about. */
export function isSettling(verdict: Verdict): boolean {
  return verdict.kind === "several"
    ? verdict.orders.every((each) => each.verdict.kind !== "unverified")
    : verdict.kind !== "unverified";
}

/** The same for two verdicts that say the same, whenever each was found. */
export function verdictKey(verdict: Verdict): string {
  return JSON.stringify(verdict, (name, value: unknown) => (name === "atMs" ? undefined : value));
}

/** What a success has to show to be believed. */
export interface Expectations {
  /** The order that the request named; left out for requests that name none. */
  readonly orderId?: string | undefined;
  /** It asked for the cancelled orders in the place of their number. */
  readonly isDetailed?: boolean;
  /** The parameters that were sent. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * What became of a call, from its answer or from the failure that it threw. Never a guess: a write whose answer does
 * not prove the effect, and is no refusal that proves its absence, is `unknown`.
 */
export function outcomeOf(
  method: string,
  effect: Effect,
  reply: Answer | Failure,
  expectations: Expectations = {},
): Outcome {
  if ("kind" in reply) return outcomeOfFailure(effect, reply);
  if (reply.error !== undefined) return outcomeOfError(method, effect, reply, reply.error);
  if (isChallenge(reply.result)) return { kind: "challenge", answer: reply };
  if (!isResult(method, reply.result)) return outcomeOfOddAnswer(effect, reply, shapeDetail(method, reply.result));
  switch (judgedBy(method, effect)) {
    case "order":
      return outcomeOfCancel(reply, expectations);
    case "quote":
      return outcomeOfQuoteCancel(reply, expectations);
    case "fields":
      return outcomeOfChange(effect, reply, expectations);
    case "parts":
      return outcomeOfSeveral(reply, expectations);
    case "success":
      return { kind: "confirmed", answer: reply };
  }
}

/**
 * How many orders or quotes a request that names none has cancelled, as its answer says; undefined when it does not
 * say.
 */
export function cancelledCount({ result }: Answer): number | undefined {
  return typeof result === "number" ? result : cancelledParts(result)?.length;
}

/** How many of these were filled in part before; 0 where the answer does not say. */
export function partlyFilledCount({ result }: Answer): number {
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

/** An order or a quote that was cancelled; a part that is neither, an error for example, cancelled nothing. */
function isCancelled(part: Batch): boolean {
  const state = part["order_state"] ?? part["quote_state"];
  return state === undefined ? "order_id" in part || "block_rfq_quote_id" in part : state === "cancelled";
}

/** Which failures say by their kind that nothing was sent. A new kind does not compile until it is decided. */
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

/** Whether it is the name of a kind of failure. */
export function isFailureKind(kind: unknown): kind is Failure["kind"] {
  return typeof kind === "string" && Object.hasOwn(PROVES_NOTHING_SENT, kind);
}

/** Whether a failure proves that nothing was sent. */
export function isBeforeSend(failure: Failure): boolean {
  return failure.kind === "stopped" ? !failure.wasSent : PROVES_NOTHING_SENT[failure.kind];
}

function outcomeOfFailure(effect: Effect, failure: Failure): Outcome {
  if (isBeforeSend(failure)) return { kind: "notSent", failure };
  return { kind: effect === "read" ? "failed" : "unknown", failure, answer: undefined };
}

function outcomeOfError(method: string, effect: Effect, answer: Answer, failure: ExchangeFailure): Outcome {
  if (effect === "read" || definitiveRefusals(method).has(failure.code)) return { kind: "rejected", answer, failure };
  return { kind: "unknown", failure, answer };
}

function outcomeOfOddAnswer(effect: Effect, answer: Answer, detail: string): Outcome {
  return { kind: effect === "read" ? "failed" : "unknown", failure: { kind: "unreadableResult", detail }, answer };
}

/** "Cancelled" needs the order that was named, in the state `cancelled`; another order's answer proves nothing. */
function outcomeOfCancel(answer: Answer, expectations: Expectations): Outcome {
  const { order_id: orderId, order_state: state } = answer.result as {
    readonly order_id: string;
    readonly order_state: string;
  };
  if (orderId !== expectations.orderId)
    return outcomeOfOddAnswer("reduce", answer, l10n.t("{0} is {1}", "order_id", orderId));
  return state === "cancelled" ? { kind: "confirmed", answer } : { kind: "confirmedOther", answer, state };
}

function outcomeOfQuoteCancel(answer: Answer, { params = {} }: Expectations): Outcome {
  const { block_rfq_quote_id: id, quote_state: state } = answer.result as {
    readonly block_rfq_quote_id: number;
    readonly quote_state: string;
  };
  const asked = params["block_rfq_quote_id"];
  if (asked !== undefined && asked !== id)
    return outcomeOfOddAnswer("reduce", answer, l10n.t("{0} is {1}", "block_rfq_quote_id", id));
  return state === "cancelled" ? { kind: "confirmed", answer } : { kind: "confirmedOther", answer, state };
}

/**
 * What the exchange says that it is now counts, not what was asked for; an answer about another object proves nothing.
 */
function outcomeOfChange(effect: Effect, answer: Answer, { params = {} }: Expectations): Outcome {
  const asked = askedFields(answer.method, params) ?? {};
  const object = objectMeant(answer.result, params);
  // Limits that were removed need not be in it: nothing is left of them.
  if (object === undefined && params["interval"] === 0) return { kind: "confirmed", answer };
  if (object === undefined) return outcomeOfOddAnswer(effect, answer, l10n.t("the answer is about another object"));
  const unproved = unprovedField(asked, object);
  if (unproved !== undefined) return outcomeOfOddAnswer(effect, answer, l10n.t("{0} is missing", unproved));
  const state = differenceText(asked, presentFields(object, asked));
  return state === "" ? { kind: "confirmed", answer } : { kind: "confirmedOther", answer, state };
}

/** The key or the limits that were named, as the answer has them. */
function objectMeant(result: unknown, params: Readonly<Record<string, unknown>>): Batch | undefined {
  if ("id" in params) return (result as Batch)["id"] === params["id"] ? (result as Batch) : undefined;
  const isMeant = (config: Batch): boolean =>
    config["index_name"] === params["index_name"] && (config["mmp_group"] ?? "") === (params["mmp_group"] ?? "");
  return ([result].flat() as readonly Batch[]).find(isMeant);
}

/** A part of a detailed answer, in any of the forms that were seen or documented. */
type Batch = Readonly<Record<string, unknown>>;

/** A list that nobody asked for proves nothing, and one with a part that failed leaves open what was done in it. */
function outcomeOfSeveral(answer: Answer, { isDetailed = false }: Expectations): Outcome {
  if (!Array.isArray(answer.result)) return { kind: "confirmed", answer };
  if (!isDetailed) return outcomeOfOddAnswer("mass", answer, l10n.t("a list in the place of a number"));
  const failed = (answer.result as readonly Batch[])
    .map((batch) => batch["error"] ?? undefined)
    .find((error) => error !== undefined) as Batch | undefined;
  if (failed === undefined) return { kind: "confirmed", answer };
  const { code, message } = failed;
  if (typeof code !== "number" || typeof message !== "string")
    return outcomeOfOddAnswer("mass", answer, l10n.t("an error that cannot be read"));
  return { kind: "unknown", failure: { kind: "exchange", code, message }, answer };
}

function shapeDetail(method: string, result: unknown): string {
  const problem = resultProblems(method, result ?? null)[0];
  return problem === undefined ? l10n.t("unexpected shape") : [...problem.path, problem.message].join(" ");
}

type ExchangeFailure = Extract<Failure, { kind: "exchange" }>;
