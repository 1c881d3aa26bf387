import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { ChannelReader, ChannelTopic, Channel, Topic } from "./channels.ts";
import type { SimulatedConnection } from "./connection.ts";
import type { Odd } from "./odd.ts";

/** An event as it was sent. */
export interface PublishedEvent {
  readonly atMs: number;
  readonly connection: number;
  readonly channel: string;
  /** The payload, literal for literal. */
  readonly dataText: string;
}

/** The publisher that carries events to subscribers. */
export interface Publisher {
  /** Subscribes. A repeated subscription as the same account changes nothing. */
  subscribe(connection: SimulatedConnection, channel: Channel, as: Subscriber): void;
  /** Ends a subscription. Returns whether there was one. */
  unsubscribe(connection: SimulatedConnection, channelName: string): boolean;
  channelsOf(connection: SimulatedConnection): string[];
  /** Returns how many events have left on each channel since it was subscribed. */
  eventsTo(connection: SimulatedConnection): Readonly<Record<string, number>>;
  /** Ends all subscriptions of a connection. */
  forget(connection: SimulatedConnection): void;
  /**
   * Adds an event, for one account where an owner is named. It leaves with the next `flush`, so that a response can be
   * put before or after it. Its text is made at once, and only where its topic has subscribers: under load most events
   * have none.
   */
  add(carries: Topic, dataText: () => string, about: ChannelTopic, owner?: number): void;
  /**
   * Adds an event that tells an account how something is now: its text is made with the next `flush`, once for all that
   * is added until then.
   */
  addState(carries: Topic, dataText: () => string, about: ChannelTopic, owner: number): void;
  /**
   * Takes note that the market of an instrument may have changed, or of everything: whoever reads it hears of it with
   * the next `flush`, or when the interval of the channel is over.
   */
  touch(about?: ChannelTopic): void;
  /** Sends the waiting events. What was collected for it is added first. */
  flush(): void;
  /** Lets a collector add what it has at the beginning of each flush. */
  beforeFlush(add: () => void): void;
  /** Lets the next event on a channel whose name begins so be lost, or leave twice. */
  readonly distortNext: (fault: { readonly channel: string; readonly how: "skip" | "twice" }) => void;
  /** Whether a topic has a subscriber. */
  isHeard(topic: Topic): boolean;
  /** Returns the main account of a hidden subaccount of isolated margin; undefined for other accounts. */
  readonly mainOf: MainOf;
  /** Returns the sent events, oldest first. */
  readonly published: () => readonly PublishedEvent[];
  readonly clear: () => void;
}

/** A subscribing account, and the extra members of each event. */
interface Subscriber {
  readonly label: string | undefined;
  /** The account; undefined without a sign-in. */
  readonly owner: number | undefined;
}

interface Subscription {
  readonly owner: number | undefined;
  readonly channel: Channel;
  /** Reads what is new; undefined for a channel whose events are added. */
  readonly read: ChannelReader | undefined;
  /** The event's text before and after its payload. */
  readonly head: string;
  readonly tail: string;
  waiting: string[];
  timer: Disposable | undefined;
  /** The number of events that have left. */
  sent: number;
}

interface Happening {
  readonly carries: Topic;
  readonly dataText: string;
  readonly about: ChannelTopic;
  readonly owner: number | undefined;
}

/** The number of events that are kept; nothing compares more than this. */
const MAX_PUBLISHED = 5000;

/**
 * Makes a publisher. `odd` changes what is announced. `mainOf`: returns the main account of a hidden subaccount of
 * isolated margin, which hears of it on channels of their own.
 */
export function createPublisher(clock: Clock, odd: Odd, mainOf: MainOf = () => undefined): Publisher {
  const subscribers = new Map<SimulatedConnection, Map<string, Subscription>>();
  const collectors: (() => void)[] = [];
  let queue: Happening[] = [];
  const states = new Map<string, () => Happening>();
  let touched: ChannelTopic[] = [];
  let isAllTouched = false;

  // Topics are looked up on each event, much more often than subscriptions change.
  let heard: ReadonlySet<Topic | undefined> = new Set();
  const listen = (): void => void (heard = topicsOf(subscribers.values()));
  const isHeard = (topic: Topic): boolean => heard.has(topic);
  const distortions = createDistortions();
  const record = createEventRecord(clock);
  const send = (connection: SimulatedConnection, subscription: Subscription, dataText: string): void => {
    for (let left = distortions.copiesOn(subscription.channel.name); left > 0; left--)
      record.send(connection, subscription, dataText);
  };
  const tell = (connection: SimulatedConnection, subscription: Subscription): void => {
    for (const dataText of subscription.read?.() ?? []) send(connection, subscription, odd(dataText));
  };
  const tellAfter = (connection: SimulatedConnection, subscription: Subscription, delayMs: number): void => {
    subscription.timer ??= clock.after(delayMs, () => {
      subscription.timer = undefined;
      tell(connection, subscription);
    });
  };
  const tellReaders = (): void => {
    const [topics, isForAll] = [touched, isAllTouched];
    touched = [];
    isAllTouched = false;
    if (topics.length === 0 && !isForAll) return;
    for (const [connection, own] of subscribers) {
      for (const subscription of own.values()) {
        const { channel, read } = subscription;
        if (read === undefined || !(isForAll || topics.some((about) => channel.matches(about)))) continue;
        if (channel.intervalMs > 0) tellAfter(connection, subscription, channel.intervalMs);
        else {
          subscription.timer?.dispose();
          subscription.timer = undefined;
          tell(connection, subscription);
        }
      }
    }
  };
  const collect = (connection: SimulatedConnection, subscription: Subscription, dataText: string): void => {
    subscription.waiting.push(dataText);
    subscription.timer ??= clock.after(subscription.channel.intervalMs, () => {
      subscription.timer = undefined;
      const { waiting, channel } = subscription;
      subscription.waiting = [];
      if (channel.isOneByOne) for (const each of waiting) send(connection, subscription, each);
      else send(connection, subscription, `[${waiting.join(",")}]`);
    });
  };
  const deliver = (connection: SimulatedConnection, subscription: Subscription, dataText: string): void => {
    const { channel } = subscription;
    if (channel.intervalMs > 0) collect(connection, subscription, dataText);
    // A raw order comes alone, trades come as a list on every interval.
    else send(connection, subscription, channel.isList ? `[${dataText}]` : dataText);
  };

  const spread = ({ carries, dataText, about, owner }: Happening): void => {
    for (const [connection, own] of subscribers) {
      for (const subscription of own.values()) {
        const { channel } = subscription;
        const isTheirs = owner === undefined || isHeardBy(subscription, owner, mainOf);
        if (channel.carries === carries && isTheirs && channel.matches(about))
          deliver(connection, subscription, dataText);
      }
    }
  };

  return {
    subscribe(connection, channel, { label, owner }) {
      const own = subscribers.get(connection) ?? new Map<string, Subscription>();
      subscribers.set(connection, own);
      const before = own.get(channel.name);
      if (before?.owner === owner && before !== undefined) return;
      before?.timer?.dispose();
      const labelText = label === undefined ? "" : `,"label":${JSON.stringify(label)}`;
      const head = `{"jsonrpc":"2.0","method":"subscription","params":{"channel":${JSON.stringify(channel.name)},"data":`;
      const read = channel.open?.();
      const tail = `${labelText}}}`;
      const subscription = { owner, channel, read, head, tail, waiting: [], timer: undefined, sent: 0 };
      own.set(channel.name, subscription);
      listen();
      // What there is at the beginning comes after the response.
      if (read !== undefined) tellAfter(connection, subscription, channel.intervalMs);
    },
    unsubscribe(connection, channelName) {
      const own = subscribers.get(connection);
      own?.get(channelName)?.timer?.dispose();
      const isGone = own?.delete(channelName) ?? false;
      listen();
      return isGone;
    },
    channelsOf: (connection) => [...(subscribers.get(connection)?.keys() ?? [])],
    eventsTo: (connection) =>
      Object.fromEntries([...(subscribers.get(connection) ?? [])].map(([name, { sent }]) => [name, sent])),
    forget(connection) {
      for (const subscription of subscribers.get(connection)?.values() ?? []) subscription.timer?.dispose();
      subscribers.delete(connection);
      listen();
    },
    add(carries, dataText, about, owner) {
      if (isHeard(carries)) queue.push({ carries, dataText: odd(dataText()), about, owner });
    },
    addState(carries, dataText, about, owner) {
      if (!isHeard(carries)) return;
      states.set(`${carries} ${about.name} ${owner}`, () => ({ carries, dataText: odd(dataText()), about, owner }));
    },
    isHeard,
    mainOf,
    distortNext: distortions.add,
    touch(about) {
      if (about === undefined) isAllTouched = true;
      else if (!touched.some(({ name }) => name === about.name)) touched.push(about);
    },
    beforeFlush: (add) => void collectors.push(add),
    flush() {
      for (const add of collectors) add();
      tellReaders();
      if (queue.length === 0 && states.size === 0) return;
      const events = [...queue, ...[...states.values()].map((happening) => happening())];
      queue = [];
      states.clear();
      for (const event of events) spread(event);
    },
    published: record.events,
    clear: record.clear,
  };
}

/** Returns the main account of a hidden subaccount of isolated margin; undefined for other accounts. */
type MainOf = (account: number) => number | undefined;

/** Whether a subscription is for the events of an account. */
function isHeardBy({ channel, owner }: Subscription, account: number, mainOf: MainOf): boolean {
  const listener = channel.isOfSlots ? mainOf(account) : account;
  return listener !== undefined && listener === owner;
}

/** Sends events, and keeps the last ones. */
function createEventRecord(clock: Clock): {
  readonly send: (connection: SimulatedConnection, subscription: Subscription, dataText: string) => void;
  readonly events: () => readonly PublishedEvent[];
  readonly clear: () => void;
} {
  let published: PublishedEvent[] = [];
  return {
    send(connection, subscription, dataText) {
      const { number, outlet } = connection;
      published.push({ atMs: clock.now(), connection: number, channel: subscription.channel.name, dataText });
      if (published.length > MAX_PUBLISHED) published.splice(0, MAX_PUBLISHED / 10);
      subscription.sent++;
      outlet.send(subscription.head + dataText + subscription.tail);
    },
    events: () => published,
    clear() {
      published = [];
    },
  };
}

/** Says how often the next event on a channel is sent. Each fault is for one event. */
function createDistortions(): {
  readonly add: Publisher["distortNext"];
  readonly copiesOn: (channelName: string) => number;
} {
  const waiting: Parameters<Publisher["distortNext"]>[0][] = [];
  return {
    add: (fault) => void waiting.push(fault),
    copiesOn(channelName) {
      // Hardly ever is there one, and events are many.
      if (waiting.length === 0) return 1;
      const index = waiting.findIndex(({ channel }) => channelName.startsWith(channel));
      const [fault] = index < 0 ? [] : waiting.splice(index, 1);
      if (fault === undefined) return 1;
      return fault.how === "skip" ? 0 : 2;
    },
  };
}

/** Returns the topics that have subscribers. */
function topicsOf(subscribers: Iterable<ReadonlyMap<string, Subscription>>): ReadonlySet<Topic | undefined> {
  return new Set([...subscribers].flatMap((own) => [...own.values()].map(({ channel }) => channel.carries)));
}
