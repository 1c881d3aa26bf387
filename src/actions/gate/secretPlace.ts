import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { makesClientSecret } from "../../catalogue/oneTimeSecrets.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import type { CheckedIntent } from "../judge/check.ts";
import type { Intent } from "../intent/intent.ts";
import type { Outcome } from "../judge/outcome.ts";

/** The place of a client secret that a request is about to make: the response to that request alone has it. */
export interface SecretPlace {
  /** The lines of the confirmation about where the secret goes. */
  readonly lines: readonly Plain[];
  /** The text to be typed where the policy requires typing, because the key is in use; see `Intent.typed`. */
  readonly typed?: string | undefined;
  /**
   * Takes the secret of a response, also of one that came late. Resolves once the secret is safe, or the user has seen
   * it. Never rejects.
   */
  take(response: MaskedResponse): Promise<void>;
  /** Ends the place, because no response will bring a secret: nothing was sent, or the exchange refused. */
  release(): Promise<void>;
}

/**
 * Prepares the place for the secret of a request before it is confirmed, asking the user where that is needed. Resolves
 * to the reason why nothing may be sent, where there is no place.
 */
export type PrepareSecretPlace = (intent: Intent) => Promise<SecretPlace | Failure>;

/** Brings the secret of an outcome to its place. After an unknown outcome the place stays, for a late response. */
export async function settlePlace(place: SecretPlace, outcome: Outcome): Promise<void> {
  const response = "response" in outcome ? outcome.response : undefined;
  const isDone = outcome.kind === "confirmed" || outcome.kind === "confirmedOther";
  if (response !== undefined && (isDone || response.oneTime !== undefined)) await place.take(response);
  else if (outcome.kind !== "unknown") await place.release();
}

/**
 * Brings a client secret that came unexpectedly to a place that is prepared now. Returns what is to be said where there
 * is none; undefined where the response has no such secret, or it is safe.
 */
export async function placeUnexpected(
  prepare: PrepareSecretPlace | undefined,
  intent: Intent,
  outcome: Outcome,
): Promise<Plain | undefined> {
  const response = "response" in outcome ? outcome.response : undefined;
  if (response?.oneTime?.kind !== "client_secret") return undefined;
  const place = await prepare?.(intent);
  if (place !== undefined && !("kind" in place)) {
    await place.take(response);
    return undefined;
  }
  return l10n.t(
    "The response has a client secret that wasn't expected, and it had no place. Reset the API key to get another.",
  );
}

/** A change, and the place of the client secret that it makes, from before its confirmation. */
export interface Placed {
  readonly checked: CheckedIntent;
  place?: SecretPlace | undefined;
}

/**
 * Prepares the places of the client secrets that changes make. Returns the reason why that was not possible: then none
 * of the changes is sent.
 */
export async function preparePlaces(
  prepare: PrepareSecretPlace | undefined,
  changes: readonly Placed[],
): Promise<Failure | undefined> {
  for (const change of changes) {
    const { intent, params } = change.checked;
    if (!makesClientSecret(intent.method, params)) continue;
    if (prepare === undefined)
      return { kind: "refused", reason: l10n.t("There is no place for the client secret in the response.") };
    const place = await prepare(intent);
    if ("kind" in place) return place;
    change.place = place;
  }
  return undefined;
}

/** Returns an intent as it is confirmed: with where its secret goes. */
export function askedIntent({ checked: { intent }, place }: Placed): Intent {
  if (place === undefined) return intent;
  const { lines, typed } = place;
  return {
    ...intent,
    words: { ...intent.words, detail: [...intent.words.detail, ...lines] },
    ...(typed === undefined ? {} : { typed }),
  };
}
