import type { Intent } from "../../actions/intent/intent.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { channelMethod } from "../../actions/changes/changes.ts";
import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { literalAt } from "../text/jsonPath.ts";

/** The most channels that are followed at once. The exchange itself takes 500. */
const MAX_FOLLOWED = 50;

/** The intent of a request about channels. */
type ChannelWish =
  | { readonly kind: "follow" | "end"; readonly channels: readonly string[] }
  /** The request is refused; `reason` is a sentence. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Returns whether a request begins or ends the following of channels, and of which. Undefined for every other request.
 */
export function channelWish({ method, paramsText }: Pick<Intent, "method" | "paramsText">): ChannelWish | undefined {
  const kind = channelMethod(method);
  if (kind === undefined) return undefined;
  const channels = channelsOf(paramsText);
  if (channels === undefined)
    return {
      kind: "refused",
      reason: l10n.t('{0} requires an array of channels: { "channels": ["…"] }.', plain.text(method)),
    };
  if (channels.length > MAX_FOLLOWED)
    return { kind: "refused", reason: l10n.t("One request can subscribe to up to {0} channels.", MAX_FOLLOWED) };
  return { kind, channels };
}

/**
 * Returns the outcome of following channels for a sequence, for which it is enough that it began or ended. The names
 * are those that were asked for. `startedAtMs`: by the clock that only goes forward.
 */
export function channelOutcome(
  method: string,
  channels: readonly string[],
  clock: Clock,
  startedAtMs: number,
): Outcome {
  const timing = {
    receivedAtMs: clock.now(),
    totalMs: clock.monotonicMs() - startedAtMs,
    queuedMs: 0,
    exchangeMs: undefined,
  };
  return {
    kind: "confirmed",
    response: {
      wireId: 0,
      method,
      bodyText: JSON.stringify(channels),
      result: channels,
      error: undefined,
      hasMaskedSecrets: false,
      timing,
      testnet: undefined,
    },
  };
}

/** Returns the names of the channels in the params of a subscribe or unsubscribe; undefined where they name none. */
export function channelsOf(paramsText: string): readonly string[] | undefined {
  const { channels } = JSON.parse(paramsText) as { readonly channels?: unknown };
  if (
    !Array.isArray(channels) ||
    channels.length === 0 ||
    !channels.every((each): each is string => typeof each === "string" && each !== "")
  )
    return undefined;
  return [...new Set(channels)];
}

/**
 * Returns the payload of an event in the text of its frame, every literal as it was received. Undefined where there is
 * none.
 */
export function payloadText(frameText: string): string | undefined {
  return literalAt(frameText, ["params", "data"]);
}
