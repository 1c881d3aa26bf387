import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { notSubscribedText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";

/** An event of a channel as it is kept for a document. */
interface KeptEvent {
  readonly channel: string;
  /** The time when it came, in ms since the Unix epoch. */
  readonly atMs: number;
  /** JSON, every literal as received. */
  readonly payloadText: string;
}

/** The last events of some channels: older ones make room. */
export interface EventRing {
  readonly events: readonly KeptEvent[];
  /** The number of all events that came, kept or not. */
  readonly total: number;
  add(event: KeptEvent): void;
  clear(): void;
}

/** The most events that are kept, and the most UTF-16 units of them together. */
const RING_LIMITS = { events: 500, length: 2_000_000 } as const;

/** Makes a ring. An event that is longer than all of it is kept alone. */
export function createEventRing(limits: { readonly events: number; readonly length: number } = RING_LIMITS): EventRing {
  let events: KeptEvent[] = [];
  let length = 0;
  let total = 0;
  return {
    get events() {
      return events;
    },
    get total() {
      return total;
    },
    add(event) {
      total += 1;
      events.push(event);
      length += event.payloadText.length;
      let gone = 0;
      while (events.length - gone > 1 && (events.length - gone > limits.events || length > limits.length))
        length -= events[gone++]?.payloadText.length ?? 0;
      if (gone > 0) events = events.slice(gone);
    },
    clear() {
      events = [];
      length = 0;
      total = 0;
    },
  };
}

/** The state of following one channel. */
export type Following =
  | { readonly kind: "waiting" | "live" | "lost" }
  /** The server refused; `reason` is a sentence, where the server gave one. */
  | { readonly kind: "refused"; readonly reason: Plain | undefined };

/** The data of a live channel document. */
export interface ChannelSource {
  /** The environment and name of the connection: "TESTNET main". */
  readonly place: string;
  readonly channels: ReadonlyMap<string, Following>;
  readonly ring: Pick<EventRing, "events" | "total">;
  /** The text that events must have in theirs, in any case; empty for all. */
  readonly filter: string;
  /** The total at the pause, to count the events that came since. */
  readonly pausedSinceTotal: number | undefined;
  /** The reason why it ended, as a sentence; undefined while it is followed. */
  readonly end: string | undefined;
  readonly times: Times;
}

/**
 * Returns the text of a live channel document: comment lines, then a JSON list with an event to a line, the newest
 * last.
 */
export function channelText(source: ChannelSource): string {
  const shown = shownEvents(source);
  const isNamed = source.channels.size > 1;
  const lines = shown.map((event, index) =>
    eventLine(event, { isLast: index === shown.length - 1, isNamed, times: source.times }),
  );
  return [
    ...[headText(source, shown.length), ...noteLines(source)].map((line) => `// ${line}`),
    "[",
    ...lines,
    "]",
    "",
  ].join("\n");
}

/** Returns the events that the filter lets through. */
function shownEvents({ ring, filter }: Pick<ChannelSource, "ring" | "filter">): readonly KeptEvent[] {
  const wanted = filter.toLowerCase();
  return wanted === ""
    ? ring.events
    : ring.events.filter(
        ({ channel, payloadText }) =>
          payloadText.toLowerCase().includes(wanted) || channel.toLowerCase().includes(wanted),
      );
}

function headText({ place, channels, ring, filter, pausedSinceTotal, end }: ChannelSource, shown: number): string {
  const [first = "", ...others] = channels.keys();
  const name = others.length === 0 ? plain.name(first) : l10n.t("{0} and {1} more", plain.name(first), others.length);
  const parts = [
    place,
    name,
    stateWord({ channels, pausedSinceTotal, end }),
    ring.total === 1 ? l10n.t("1 event") : l10n.t("{0} events", countText(ring.total)),
  ];
  if (shown < ring.total) parts.push(l10n.t("{0} shown", countText(shown)));
  if (filter !== "") parts.push(l10n.t("with {0}", plain.text(JSON.stringify(plain.name(filter)))));
  if (pausedSinceTotal !== undefined && end === undefined)
    parts.push(l10n.t("{0} new since paused", countText(pausedSinceTotal)));
  return parts.join(" · ");
}

function stateWord({
  channels,
  pausedSinceTotal,
  end,
}: Pick<ChannelSource, "channels" | "pausedSinceTotal" | "end">): Plain {
  if (end !== undefined) return l10n.t("ended");
  if (pausedSinceTotal !== undefined) return l10n.t("paused");
  const kinds = [...channels.values()].map(({ kind }) => kind);
  if (kinds.every((kind) => kind === "refused")) return l10n.t("refused");
  if (kinds.includes("lost")) return l10n.t("not connected, resumes automatically");
  return kinds.includes("live") ? l10n.t("live") : l10n.t("waiting for the exchange");
}

function noteLines({ channels, end }: ChannelSource): Plain[] {
  const refused = [...channels].flatMap(([channel, following]) =>
    following.kind === "refused" ? [notSubscribedText(channel, following.reason)] : [],
  );
  return [...(end === undefined ? [] : [plain.text(end)]), ...refused];
}

/** Returns an event as one line, whatever it holds. */
function eventLine(
  { channel, atMs, payloadText }: KeptEvent,
  { isLast, isNamed, times }: { readonly isLast: boolean; readonly isNamed: boolean; readonly times: Times },
): string {
  const value = payloadText.replaceAll(/[\r\n\u2028\u2029]+\s*/g, " ");
  const name = isNamed ? ` ${plain.name(channel)}` : "";
  return `  ${value}${isLast ? "" : ","} // ${times.clock(atMs)}${name}`;
}
