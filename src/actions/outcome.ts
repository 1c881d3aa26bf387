import type { Failure } from "../base/failure.ts";
import type { Answer } from "../rpc/answer.ts";

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
  | { readonly kind: "applied"; readonly atMs: number; readonly cause: string | undefined; readonly isLate: boolean }
  | { readonly kind: "notApplied"; readonly atMs: number; readonly state: string }
  | { readonly kind: "other"; readonly atMs: number; readonly state: string }
  /** Only the absence from the open orders is known. */
  | { readonly kind: "gone"; readonly atMs: number }
  /** Reading did not settle it in time, or is not allowed. */
  | { readonly kind: "unverified"; readonly atMs: number; readonly reason: string };
