import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { isPartlyFilled, type Fill } from "../intent/fill.ts";

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
   * yet. `isolatedLeft`: the isolated orders that a request for several orders did not reach, as far as they are known.
   */
  | {
      readonly kind: "confirmed";
      readonly response: MaskedResponse;
      readonly notes?: readonly Plain[];
      readonly isAcknowledged?: true;
      readonly isolatedLeft?: readonly Plain[];
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

const KINDS: Readonly<Record<Outcome["kind"], true>> = {
  notSent: true,
  confirmed: true,
  confirmedOther: true,
  rejected: true,
  challenge: true,
  failed: true,
  unknown: true,
};

/** Whether a text that was kept names a kind of outcome. */
export function isOutcomeKind(text: string): text is Outcome["kind"] {
  return Object.hasOwn(KINDS, text);
}

/** Returns why nothing more is sent after an unknown outcome, as a sentence; undefined after any other. */
export function endAfterUnknown({ kind }: Outcome): Plain | undefined {
  return kind === "unknown" ? l10n.t("The outcome of an earlier request is unknown.") : undefined;
}

/** Whether the user declined: nothing was sent, and nothing needs to be said. */
export function isDeclined(outcome: Outcome): boolean {
  return outcome.kind === "notSent" && outcome.failure.kind === "declined";
}

/** The most isolated orders that a sentence names. */
const MOST_NAMED = 5;

/** Returns the sentence about orders that a request for several orders does not reach. `left`: those that are known. */
export function isolatedLeftText(left: readonly Plain[]): Plain {
  if (left.length === 0) return l10n.t("Isolated orders aren't covered and stay open. Check them on the exchange.");
  const more = left.length - MOST_NAMED;
  const named = plain.join(left.slice(0, MOST_NAMED), ", ");
  return more > 0
    ? l10n.t(
        "Isolated orders aren't covered and stay open: {0}, and {1} more. Cancel them one by one in Orders.",
        named,
        more,
      )
    : l10n.t("Isolated orders aren't covered and stay open: {0}. Cancel them one by one in Orders.", named);
}

/** Returns what is said beside a confirmed outcome, as sentences: its notes, and which isolated orders it left. */
export function confirmedNotes(outcome: Outcome): readonly Plain[] {
  if (outcome.kind !== "confirmed") return [];
  const { notes = [], isolatedLeft } = outcome;
  return isolatedLeft === undefined ? notes : [...notes, isolatedLeftText(isolatedLeft)];
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
  notOffered: true,
  tooManyPending: true,
  // Says so itself, by `wasSent`.
  stopped: false,
  timeout: false,
  connectionLost: false,
  programEnded: false,
  // Of a call: it would have gone out on a link of its own, which was never there.
  cannotConnect: true,
  notSubscribed: false,
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

/** Returns an outcome with something more to be told of it, as a sentence. */
export function withNote(outcome: Outcome, sentence: Plain): Outcome {
  if (outcome.kind === "confirmed") return { ...outcome, notes: [...(outcome.notes ?? []), sentence] };
  return outcome.kind === "confirmedOther"
    ? { ...outcome, state: l10n.t("{0}. {1}", plain.text(outcome.state), sentence) }
    : outcome;
}

/** A part of a detailed response, in any of the forms that were seen or documented. */
export type Batch = Readonly<Record<string, unknown>>;
