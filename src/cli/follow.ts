import type { Gate } from "../actions/gate/gate.ts";
import type { LiveConnection } from "../actions/connection/liveConnection.ts";
import type { Outcome } from "../actions/judge/outcome.ts";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Failure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { notSubscribedText } from "../present/text/failureText.ts";
import { countText } from "../present/text/numbers.ts";
import { channelOutcome, channelWish, payloadText } from "../requests/running/channels.ts";
import { isOfOtherSubject, type ChannelState, type SessionState } from "../session/session.ts";

/** An event of a channel that a request of a run follows. */
export interface FollowedEvent {
  /** The channel; has been through `plain()`. */
  readonly channel: string;
  /** The time at which it was received, in ms since the Unix epoch. */
  readonly atMs: number;
  /** The payload as JSON, every literal as received. Text from outside. */
  readonly payloadText: string;
}

/**
 * The limits after which following ends, besides Ctrl+C and an unsubscribe request. Undefined: it does not end
 * automatically.
 */
export interface FollowLimits {
  readonly events: number | undefined;
  readonly durationMs: number | undefined;
}

export interface FollowerPorts {
  readonly live: Pick<LiveConnection, "gate" | "followChannel" | "state" | "onDidChangeState" | "place">;
  readonly clock: Clock;
  readonly limits: FollowLimits;
  /** Submits what is not about channels (default: the gate does). */
  readonly submit?: Gate["submit"] | undefined;
  /** Signals, each of which ends what is followed. */
  readonly stops: readonly AbortSignal[];
  readonly onEvent: (event: FollowedEvent) => void;
  /** Takes a sentence about the progress of following. */
  readonly onNote: (sentence: string) => void;
}

/** Follows the channels of the subscribe requests of a run, alongside its other requests. */
export interface Follower {
  /** The gate of the connection; requests about channels begin and end followings instead. */
  readonly gate: Pick<Gate, "submit" | "activity">;
  /** Resolves once nothing is followed any longer. */
  untilEnded(): Promise<void>;
  /** Lets go of all channels and unsubscribes from them at the exchange. */
  end(): void;
  /** Sentences, one for each following that has ended: how many events it brought. */
  readonly notes: readonly string[];
  /** Whether a stop signal has ended a following, as is intended. */
  readonly wasStopped: boolean;
}

interface Following {
  readonly name: string;
  readonly held: Map<string, Disposable>;
  /** Channels for which the exchange has not responded yet. */
  readonly open: Set<string>;
  /** Whether all channels are, or were, followed. */
  isBegun: boolean;
  /** Reports whether the following began; undefined means success. Only the first call counts. */
  readonly settle: (failure: Failure | undefined) => void;
  timer: Disposable | undefined;
  events: number;
}

export function createFollower(ports: FollowerPorts): Follower {
  const { live, clock, stops, onNote } = ports;
  const followings = createFollowings(ports);
  let wasStopped = false;
  const stopAll = (): void => {
    wasStopped ||= followings.isAny;
    followings.end();
  };
  for (const stop of stops) stop.addEventListener("abort", stopAll);
  const watch = live.onDidChangeState((state) => {
    if (!followings.isAny) return;
    const reason = endOf(state, plain.text(live.place));
    if (reason !== undefined) {
      onNote(reason);
      followings.end();
    } else if (state.status === "waiting")
      onNote(l10n.t("The connection was lost. Channel events are missed until it is restored."));
  });
  const submit: Follower["gate"]["submit"] = async (intent, options) => {
    const wish = channelWish(intent);
    if (wish === undefined)
      return await (ports.submit === undefined ? live.gate.submit(intent, options) : ports.submit(intent, options));
    if (wish.kind === "refused") return notSent({ kind: "refused", reason: wish.reason });
    if (stops.some(({ aborted }) => aborted)) return notSent({ kind: "stopped", wasSent: false });
    if (live.state.status !== "ready") return notSent({ kind: "notConnected" });
    const startedAtMs = clock.monotonicMs();
    if (wish.kind === "follow") {
      const failure = await followings.begin(wish.channels);
      if (failure !== undefined) return { kind: "failed", failure, response: undefined };
    } else if (followings.release(wish.channels) === 0)
      return notSent({
        kind: "refused",
        reason: l10n.t("No request in this run is subscribed to {0}.", plain.text(wish.channels.join(", "))),
      });
    return channelOutcome(intent.method, wish.channels, clock, startedAtMs);
  };
  return {
    gate: {
      get activity() {
        return live.gate.activity;
      },
      submit,
    },
    async untilEnded() {
      await followings.untilNone();
      watch.dispose();
      for (const stop of stops) stop.removeEventListener("abort", stopAll);
    },
    end: () => followings.end(),
    notes: followings.notes,
    get wasStopped() {
      return wasStopped;
    },
  };
}

interface Followings {
  /**
   * Resolves once the exchange accepts every channel, or to the reason why not. If it refuses one, none is followed.
   */
  begin(channels: readonly string[]): Promise<Failure | undefined>;
  /** Lets go of these channels. Resolves to how many followings had one of them. */
  release(channels: readonly string[]): number;
  end(): void;
  untilNone(): Promise<void>;
  readonly isAny: boolean;
  readonly notes: readonly string[];
}

function createFollowings({ live, clock, limits, onEvent, onNote }: FollowerPorts): Followings {
  const all = new Set<Following>();
  const notes: string[] = [];
  const waiting: (() => void)[] = [];
  const release = (following: Following, channels: readonly string[] = [...following.held.keys()]): void => {
    for (const channel of channels) following.held.get(channel)?.dispose();
    for (const channel of channels) following.held.delete(channel);
    if (following.held.size > 0 || !all.delete(following)) return;
    following.timer?.dispose();
    following.settle({ kind: "stopped", wasSent: true });
    if (following.isBegun)
      notes.push(
        following.events === 1
          ? l10n.t("{0}: 1 event.", plain.text(following.name))
          : l10n.t("{0}: {1} events.", plain.text(following.name), countText(following.events)),
      );
    if (all.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  const begun = (following: Following): void => {
    if (following.isBegun) return;
    following.isBegun = true;
    if (limits.durationMs !== undefined) following.timer = clock.after(limits.durationMs, () => release(following));
    following.settle(undefined);
  };
  const take = (following: Following, channel: string, frameText: string): void => {
    if (!following.held.has(channel)) return;
    following.events += 1;
    onEvent({ channel: plain.text(channel), atMs: clock.now(), payloadText: payloadText(frameText) ?? "null" });
    if (following.events !== limits.events) return;
    begun(following);
    release(following);
  };
  const hear = (following: Following, channel: string, state: ChannelState): void => {
    if (!following.held.has(channel)) return;
    const failure = failureOf(channel, state);
    if (following.isBegun) {
      if (state.kind === "accepted") onNote(l10n.t("Subscribed to {0} again.", plain.name(channel)));
      else if (failure?.kind === "notSubscribed") onNote(notSubscribedText(channel));
    } else if (failure !== undefined) {
      following.settle(failure);
      release(following);
    } else if (following.open.delete(channel) && following.open.size === 0) begun(following);
  };
  return {
    begin: async (channels) =>
      await new Promise((settle) => {
        const [first = "", ...others] = channels;
        const name = plain.name(
          others.length === 0 ? first : l10n.t("{0} and {1} more", plain.text(first), others.length),
        );
        const following: Following = {
          name,
          held: new Map(),
          open: new Set(channels),
          isBegun: false,
          settle,
          timer: undefined,
          events: 0,
        };
        all.add(following);
        for (const channel of channels)
          following.held.set(
            channel,
            live.followChannel(
              channel,
              (_data, frameText) => take(following, channel, frameText),
              (state) => hear(following, channel, state),
            ),
          );
      }),
    release(channels) {
      const mine = [...all].filter(({ held }) => channels.some((channel) => held.has(channel)));
      for (const following of mine) release(following, channels);
      return mine.length;
    },
    end() {
      for (const following of [...all]) release(following);
    },
    async untilNone() {
      if (all.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    get isAny() {
      return all.size > 0;
    },
    notes,
  };
}

/**
 * Returns a sentence if nothing can be followed any longer: events of another account would pass for those of this one.
 */
function endOf(state: SessionState, place: Plain): Plain | undefined {
  if (state.status === "off" || state.status === "locked") return l10n.t("{0} is disconnected.", place);
  return isOfOtherSubject(state) ? l10n.t("{0} switched to another account.", place) : undefined;
}

/** Returns the failure of a channel that was asked for; undefined if it is followed. */
function failureOf(channel: string, state: ChannelState): Failure | undefined {
  switch (state.kind) {
    case "accepted":
      return undefined;
    case "lost":
      return { kind: "connectionLost", trouble: "other", detail: "" };
    case "refused":
      return state.failure ?? { kind: "notSubscribed", channel };
  }
}

function notSent(failure: Failure): Outcome {
  return { kind: "notSent", failure };
}
