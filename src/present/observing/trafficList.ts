import type { RecordedCall } from "../../rpc/traffic.ts";

/** An exchange or an event, kept for a traffic document. Its texts are dropped before the rest. */
export type TrafficItem = ExchangeItem | EventItem;

interface ItemTexts {
  /** The time when it began, in ms since the Unix epoch. If the beginning was missed, the time when it ended. */
  readonly atMs: number;
  /** The parameters as they were sent; the frame of an event has none. Secrets are hidden in all texts. */
  readonly sentText: string | undefined;
  /** The result or error as received, or the whole frame of an event. */
  readonly receivedText: string | undefined;
}

interface ExchangeItem extends ItemTexts {
  readonly id: string;
  readonly exchange: RecordedCall;
}

interface EventItem extends ItemTexts {
  readonly id: string;
  readonly exchange: undefined;
  readonly channel: string;
  /** The length in UTF-16 units. */
  readonly length: number;
}

/** The contents of a traffic document: the newest items, and the newest texts. */
export interface TrafficList {
  /** The items, oldest first. */
  readonly items: readonly TrafficItem[];
  /** The number of all exchanges that came, kept or not. */
  readonly total: number;
  /** The number of events that came, by channel. */
  readonly events: ReadonlyMap<string, number>;
  begin(exchange: RecordedCall, atMs: number, sentText: string): void;
  /** Ends an exchange, even if its beginning was missed. Returns the ID of its item. */
  end(exchange: RecordedCall, atMs: number, receivedText: string | undefined): string;
  countEvent(channel: string): void;
  addEvent(event: Pick<EventItem, "channel" | "atMs" | "length"> & { readonly text: string }): void;
  clear(): void;
}

/** The most items that are kept, and the most UTF-16 units of their texts together. */
const TRAFFIC_LIMITS = { items: 500, length: 4_000_000 } as const;

/** Makes a list. The text that came last is kept however long it is. */
export function createTrafficList(
  limits: { readonly items: number; readonly length: number } = TRAFFIC_LIMITS,
): TrafficList {
  let items: TrafficItem[] = [];
  let length = 0;
  let total = 0;
  let lastId = 0;
  const events = new Map<string, number>();
  const lengthOf = ({ sentText, receivedText }: TrafficItem): number =>
    (sentText?.length ?? 0) + (receivedText?.length ?? 0);
  const makeRoom = (newest: TrafficItem): void => {
    for (const gone of items.slice(0, Math.max(0, items.length - limits.items))) length -= lengthOf(gone);
    items = items.slice(-limits.items);
    for (let index = 0; length > limits.length && index < items.length; index++) {
      const item = items[index];
      if (item === undefined || item === newest || lengthOf(item) === 0) continue;
      length -= lengthOf(item);
      items[index] = { ...item, sentText: undefined, receivedText: undefined };
    }
  };
  const put = (item: TrafficItem): void => {
    const index = items.findLastIndex(({ id }) => id === item.id);
    const before = items[index];
    length += lengthOf(item) - (before === undefined ? 0 : lengthOf(before));
    if (before === undefined) items.push(item);
    else items[index] = item;
    makeRoom(item);
  };
  const find = (exchange: RecordedCall): TrafficItem | undefined =>
    items.findLast((each) => each.exchange === exchange);
  return {
    get items() {
      return items;
    },
    get total() {
      return total;
    },
    events,
    begin(exchange, atMs, sentText) {
      total += 1;
      put({ id: String(++lastId), exchange, atMs, sentText, receivedText: undefined });
    },
    end(exchange, atMs, receivedText) {
      const begun = find(exchange);
      if (begun === undefined) total += 1;
      const id = begun?.id ?? String(++lastId);
      put({ id, exchange, atMs: begun?.atMs ?? atMs, sentText: begun?.sentText, receivedText });
      return id;
    },
    countEvent: (channel) => void events.set(channel, (events.get(channel) ?? 0) + 1),
    addEvent({ channel, atMs, length: size, text }) {
      put({
        id: String(++lastId),
        exchange: undefined,
        channel,
        atMs,
        length: size,
        sentText: undefined,
        receivedText: text,
      });
    },
    clear() {
      items = [];
      length = 0;
      total = 0;
      events.clear();
    },
  };
}
