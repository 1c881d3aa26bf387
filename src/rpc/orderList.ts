import { isObject, parseJson } from "../base/json.ts";
import { fitsRow, readRow, type RowOf } from "../catalogue/index.ts";
import { isSecretName } from "./maskSecrets.ts";
import { CLOSE_BRACKET, COMMA, FORBIDDEN_NAME } from "./scanJson.ts";

/*
 * A list of orders that is proven order by order and not parsed. A list of 10,000 is 5 MB: parsing all of it and
 * looking at each member takes twice as long as all that the first rows need, which name the instruments alone.
 *
 * The first order of each shape is parsed, checked, and made into a pattern: its names in their order, and for each the
 * JSON of every value that the catalogue's check would accept there too. What a pattern matches is JSON, has each name
 * once, none of them secret, and fits the catalogue as the first one does. Whatever is unusual (an escape, a list or an
 * object in an order, a long text) matches none, and the response is read whole instead.
 */

type Order = RowOf<"order">;

/** The orders of a response whose text was proven. */
export interface OrderList {
  /** The orders of each instrument, as the list has them. */
  readonly byInstrument: readonly (readonly ListedOrder[])[];
  readonly count: number;
  /** An order of each shape: every other one has the members and the state of one of them. */
  readonly samples: readonly Order[];
}

/** The facts of an order that are known without parsing it, and its place in the text of the list. */
interface ListedFacts {
  readonly id: string;
  readonly instrumentName: string;
  readonly createdAtMs: number;
  /** An order with the same members and state. */
  readonly sample: Order;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An open order of a list, parsed when it is first looked at. Then it takes no more memory than any other one. */
export class ListedOrder {
  #facts: ListedFacts | undefined;
  #order: Order | undefined;

  constructor(facts: ListedFacts) {
    this.#facts = facts;
  }

  get id(): string {
    return this.#facts?.id ?? this.order.order_id;
  }

  get instrumentName(): string | undefined {
    return this.#facts?.instrumentName ?? this.order.instrument_name;
  }

  get createdAtMs(): number | undefined {
    return this.#facts?.createdAtMs ?? this.order.creation_timestamp;
  }

  /** An order with the same members and state. */
  get sample(): Order {
    return this.#facts?.sample ?? this.order;
  }

  /** Nothing of a list has ended yet: news of that take the place of this. */
  get endedAtMs(): undefined {
    return undefined;
  }

  get order(): Order {
    return this.#order ?? this.parse();
  }

  /** Parses it, so that the text of the list can go once that was done with each. */
  parse(): Order {
    if (this.#facts === undefined) return this.order;
    const { id, instrumentName, text, start, end } = this.#facts;
    const order = readRow("order", JSON.parse(text.slice(start, end)));
    if (order === undefined) throw new Error("An order does not fit the shape that was proven");
    // Thousands of orders share a few hundred names, and the store knows each by its ID.
    Object.assign(order, { order_id: id, instrument_name: instrumentName });
    this.#facts = undefined;
    return (this.#order = order);
  }
}

/** The length of the longest string that a pattern takes, in UTF-16 units. A client secret is longer. */
export const LONGEST_LISTED_TEXT = 40;

const STRING = `"[^"\\\\\\u0000-\\u001f]{0,${LONGEST_LISTED_TEXT}}"`;
/** The numbers that are finite, whatever their digits. */
const NUMBER = "-?(?:0|[1-9]\\d{0,19})(?:\\.\\d{1,30})?(?:[eE][+-]?\\d{1,2})?";
/** The numbers that are safe integers and not negative. */
const WHOLE_NUMBER = "(?:0|[1-9]\\d{0,14})";
const DIGIT_ZERO = 0x30;
/** The names that can stand in a pattern as they are. */
const PLAIN_WORD = new RegExp(`^[a-z]\\w{0,${LONGEST_LISTED_TEXT - 1}}$`, "i");
/** The first bracket that closes an order ends it, unless it is in a string: then that part is not JSON. */
const CLOSING = "}";
/** The number of shapes; orders of the exchange have a dozen. */
const MAX_SHAPES = 16;

interface Shape {
  readonly pattern: RegExp;
  readonly sample: Order;
}

/** Returns the orders of a JSON list of orders; undefined for a text that is in any way unusual. Never throws. */
export function listOrders(text: string): OrderList | undefined {
  if (text === "[]") return { byInstrument: [], count: 0, samples: [] };
  return text.startsWith("[{") ? new Lister(text).list() : undefined;
}

class Lister {
  readonly #text: string;
  readonly #shapes: Shape[] = [];
  /** The orders by the JSON of their instrument. */
  readonly #byInstrument = new Map<string, ListedOrder[]>();
  #latest: Shape | undefined;
  #at = 1;

  constructor(text: string) {
    this.#text = text;
  }

  list(): OrderList | undefined {
    let count = 0;
    do {
      if (!this.#takeNext()) return undefined;
      count++;
    } while (this.#text.charCodeAt(this.#at++) === COMMA);
    if (this.#at !== this.#text.length || this.#text.charCodeAt(this.#at - 1) !== CLOSE_BRACKET) return undefined;
    return { byInstrument: [...this.#byInstrument.values()], count, samples: this.#shapes.map(({ sample }) => sample) };
  }

  #takeNext(): boolean {
    const start = this.#at;
    const shape = this.#latest !== undefined && this.#fits(this.#latest) ? this.#latest : this.#otherShape();
    if (shape === undefined) return false;
    this.#latest = shape;
    this.#at = shape.pattern.lastIndex;
    const instrument = this.#stringOf('"instrument_name":', start);
    const others = this.#byInstrument.get(instrument);
    const order = new ListedOrder({
      // A copy: a part of a text would keep the whole text in memory.
      id: JSON.parse(this.#stringOf('"order_id":', start)) as string,
      instrumentName: others?.[0]?.instrumentName ?? (JSON.parse(instrument) as string),
      createdAtMs: this.#wholeNumberOf('"creation_timestamp":'),
      sample: shape.sample,
      text: this.#text,
      start,
      end: this.#at,
    });
    if (others === undefined) this.#byInstrument.set(instrument, [order]);
    else others.push(order);
    return true;
  }

  #otherShape(): Shape | undefined {
    const known = this.#shapes.find((each) => this.#fits(each));
    if (known !== undefined || this.#shapes.length === MAX_SHAPES) return known;
    const shape = shapeAt(this.#text, this.#at);
    if (shape === undefined || !this.#fits(shape)) return undefined;
    this.#shapes.push(shape);
    return shape;
  }

  #fits({ pattern }: Shape): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  /** Returns a string with its quotes. The label cannot be inside another string, because it has quotes itself. */
  #stringOf(label: string, start: number): string {
    const from = this.#text.indexOf(label, start) + label.length;
    return this.#text.slice(from, this.#text.indexOf('"', from + 1) + 1);
  }

  /** Returns a number of the order that was just matched, which is near its end. */
  #wholeNumberOf(label: string): number {
    let value = 0;
    for (let at = this.#text.lastIndexOf(label, this.#at) + label.length; ; at++) {
      const digit = this.#text.charCodeAt(at) - DIGIT_ZERO;
      if (digit < 0 || digit > 9) return value;
      value = value * 10 + digit;
    }
  }
}

/** Makes the shape of the order at a place; undefined for an unusual one. */
function shapeAt(text: string, at: number): Shape | undefined {
  const received = parseJson(text.slice(at, text.indexOf(CLOSING, at) + CLOSING.length));
  if (!isObject(received) || !fitsRow("order", received)) return undefined;
  const { order_id: id, instrument_name: name, creation_timestamp: createdAtMs } = received;
  const sample = readRow("order", received);
  const members = Object.keys(received).map((each) => memberPattern(received, each));
  const isUsual = typeof id === "string" && typeof name === "string" && typeof createdAtMs === "number";
  return sample === undefined || !isUsual || members.includes(undefined)
    ? undefined
    : { pattern: new RegExp(`\\{${members.join(",")}\\}`, "y"), sample };
}

/** Returns the pattern of a member: all that the check would accept in its place. Undefined for an unusual one. */
function memberPattern(received: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (!PLAIN_WORD.test(name) || isSecretName(name) || name === FORBIDDEN_NAME) return undefined;
  const value = valuePattern(name, received[name], (other) => fitsRow("order", { ...received, [name]: other }));
  return value === undefined ? undefined : `"${name}":${value}`;
}

function valuePattern(name: string, value: unknown, fits: (other: unknown) => boolean): string | undefined {
  // The state decides what an order is, so that it belongs to the shape.
  if (name === "order_state") return typeof value === "string" && PLAIN_WORD.test(value) ? `"${value}"` : undefined;
  if (typeof value === "string") return fits("?") ? STRING : undefined;
  if (typeof value === "number") return fits(0.5) ? NUMBER : WHOLE_NUMBER;
  if (typeof value === "boolean") return fits(!value) ? "(?:true|false)" : undefined;
  return value === null ? "null" : undefined;
}
