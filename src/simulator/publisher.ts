import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Channel } from "./channels.ts";
import type { Connection } from "./connection.ts";
import type { Instrument } from "./instruments.ts";

/** An event as it left. */
export interface PublishedEvent {
  readonly atMs: number;
  readonly connection: number;
  readonly channel: string;
  /** The payload, literal for literal. */
  readonly dataText: string;
}

/** Carries what happens to whoever subscribed. */
export interface Publisher {
  /** Subscribing again changes nothing. */
  subscribe(connection: Connection, channel: Channel, label: string | undefined): void;
  /** Whether there was something to end. */
  unsubscribe(connection: Connection, channelName: string): boolean;
  channelsOf(connection: Connection): string[];
  /** Ends all that a connection has. */
  forget(connection: Connection): void;
  /** Something happened. It leaves with the next `flush`, so that an answer can be put before or behind it. */
  add(carries: Channel["carries"], dataText: string, instrument: Instrument): void;
  flush(): void;
  /** What left, oldest first. */
  published(): readonly PublishedEvent[];
  clear(): void;
}

interface Subscription {
  readonly channel: Channel;
  /** The event's text before and behind its payload. */
  readonly head: string;
  readonly tail: string;
  waiting: string[];
  timer: Disposable | undefined;
}

interface Happening {
  readonly carries: Channel["carries"];
  readonly dataText: string;
  readonly instrument: Instrument;
}

/** Older events are forgotten; nobody compares more than this. */
const MAX_PUBLISHED = 5000;

export function createPublisher(clock: Clock): Publisher {
  const subscribers = new Map<Connection, Map<string, Subscription>>();
  let queue: Happening[] = [];
  let published: PublishedEvent[] = [];

  const send = (connection: Connection, subscription: Subscription, dataText: string): void => {
    published.push({ atMs: clock.now(), connection: connection.number, channel: subscription.channel.name, dataText });
    if (published.length > MAX_PUBLISHED) published.splice(0, MAX_PUBLISHED / 10);
    connection.outlet.send(subscription.head + dataText + subscription.tail);
  };
  const collect = (connection: Connection, subscription: Subscription, dataText: string): void => {
    subscription.waiting.push(dataText);
    subscription.timer ??= clock.after(subscription.channel.intervalMs, () => {
      subscription.timer = undefined;
      const list = `[${subscription.waiting.join(",")}]`;
      subscription.waiting = [];
      send(connection, subscription, list);
    });
  };
  const deliver = (connection: Connection, subscription: Subscription, dataText: string): void => {
    const { channel } = subscription;
    if (channel.intervalMs > 0) collect(connection, subscription, dataText);
    // A raw order comes alone, trades come as a list on every interval.
    else send(connection, subscription, channel.carries === "trades" ? `[${dataText}]` : dataText);
  };

  const spread = ({ carries, dataText, instrument }: Happening): void => {
    for (const [connection, own] of subscribers) {
      for (const subscription of own.values()) {
        const { channel } = subscription;
        if (channel.carries === carries && channel.matches(instrument)) deliver(connection, subscription, dataText);
      }
    }
  };

  return {
    subscribe(connection, channel, label) {
      const own = subscribers.get(connection) ?? new Map<string, Subscription>();
      subscribers.set(connection, own);
      if (own.has(channel.name)) return;
      const labelText = label === undefined ? "" : `,"label":${JSON.stringify(label)}`;
      const head = `{"jsonrpc":"2.0","method":"subscription","params":{"channel":${JSON.stringify(channel.name)},"data":`;
      own.set(channel.name, { channel, head, tail: `${labelText}}}`, waiting: [], timer: undefined });
    },
    unsubscribe(connection, channelName) {
      const own = subscribers.get(connection);
      own?.get(channelName)?.timer?.dispose();
      return own?.delete(channelName) ?? false;
    },
    channelsOf: (connection) => [...(subscribers.get(connection)?.keys() ?? [])],
    forget(connection) {
      for (const subscription of subscribers.get(connection)?.values() ?? []) subscription.timer?.dispose();
      subscribers.delete(connection);
    },
    add(carries, dataText, instrument) {
      if (subscribers.size > 0) queue.push({ carries, dataText, instrument });
    },
    flush() {
      const events = queue;
      queue = [];
      for (const event of events) spread(event);
    },
    published: () => published,
    clear() {
      published = [];
    },
  };
}
