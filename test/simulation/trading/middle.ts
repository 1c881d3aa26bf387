import type { Clock, Random } from "../../../src/base/clock.ts";
import { ERROR_ROWS, type ErrorRow } from "../../../src/catalogue/errorTable.ts";
import { methodFacts } from "../../../src/catalogue/index.ts";
import type { Transport } from "../../../src/rpc/transport.ts";
import type { Control } from "../../../src/simulator/wire/control.ts";
import type { Members } from "./judge.ts";

/*
 * What stands between the links and the exchange, and makes another server of it: it answers with any error, changes
 * single terms of orders, caps pages, and lets responses overtake each other. What it has done it knows, so that it can
 * be compared with what was said.
 */

/** What a call is answered with, once: the next one of the method. */
export type Untruth =
  /**
   * An error: of the table's row with this number, or of no row where there is none. What it says about the change may
   * not be untrue: `done` counts only where the row leaves it open. `part`: of a request for several orders, half of
   * them. `isWithoutId`: no request is named, and the link ends.
   */
  | {
      readonly kind: "error";
      readonly method: string;
      readonly row: number;
      readonly done: "not" | "part" | "whole";
      readonly isWithoutId: boolean;
    }
  /**
   * An order with one term that is not as asked: the first, from this number on, that the request has. `told`: in the
   * response alone, and then it is another order's label or instrument. `kept`: the order has it from now on. `lost`:
   * that too, and there is no response.
   */
  | {
      readonly kind: "term";
      readonly method: string;
      readonly term: number;
      readonly how: "told" | "kept" | "lost";
    };

/** What the server does all the time. */
export interface Habits {
  /** The most rows of a page, whatever was asked for; undefined for as many. */
  readonly pageRows?: number;
  /** Whether the order history can be continued otherwise than by an offset. */
  readonly hasContinuation: boolean;
  /** Whether it tells prices with the book: their figures of a day are most of the work of a schedule. */
  readonly hasBook: boolean;
  /** How long a response may be held back, in ms, so that others overtake it. */
  readonly heldMs: number;
}

/** A term of an order at the server that is not what was asked for. */
export interface ChangedTerm {
  /** The ID of the request. */
  readonly wireId: number;
  readonly orderId: string;
  /** The parameter, and what the order shows instead. */
  readonly param: string;
  readonly value: string;
  /** Whether the order no longer has it. */
  isOver: boolean;
}

export interface Middle {
  /** Returns a link to the exchange as the other side sees it. */
  between(server: Transport, world: { readonly clock: Clock; readonly random: Random }): Transport;
  add(untruth: Untruth): void;
  setHabits(habits: Habits): void;
  /** Nothing waits any more, and responses are not held back; pages and changed orders stay as they are. */
  calm(): void;
  /** Returns an order as the server shows it. */
  shown<T extends Members>(order: T): T;
  readonly changes: readonly ChangedTerm[];
  /** Edits that the server has answered with a cancel of the order. */
  readonly cancelledByEdit: ReadonlySet<number>;
  /** Prices in USD that were told, by index. */
  readonly prices: ReadonlyMap<string, readonly number[]>;
}

/** The steps of an instrument. */
export interface Steps {
  readonly tick: number;
  readonly lot: number;
}

interface MiddlePorts {
  readonly control: () => Control;
  readonly stepsOf: (instrument: unknown) => Steps | undefined;
  readonly count: (what: string) => void;
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: Members;
}

interface WireError {
  readonly code: number;
  readonly message: string;
}

/** What becomes of the response to a request that was passed on. */
type Plan =
  | { readonly kind: "error"; readonly error: WireError; readonly isWithoutId: boolean }
  | { readonly kind: "term"; readonly request: Request; readonly untruth: Extract<Untruth, { kind: "term" }> }
  | { readonly kind: "price"; readonly index: string };

const PAGES = /"method":"private\/get_(?:order_history|user_trades)_by_instrument"/;
const PRICES: readonly string[] = ["public/get_order_book", "public/ticker"];
const UNLISTED: Pick<ErrorRow, "code" | "name"> = { code: 77_777, name: "made_up" };
/** Errors that, without the ID of a request, end the connection. */
const ENDING: readonly number[] = [-32600, 10_028, 11_051];

/** Whether a change may have been made although this error answered it: the row of the table decides. */
export function mayBeDone(
  { code, message }: WireError,
  { method, params }: Pick<Request, "method" | "params">,
): boolean {
  const facts = methodFacts(method);
  const rows = ERROR_ROWS.filter((row) => row.code === code);
  const row = rows.length === 1 ? rows[0] : rows.find(({ name }) => message === name);
  if (row === undefined || facts === undefined || facts.isOnSeveralObjects === true) return true;
  // No server carries out what it does not have.
  if (code === -32_601) return false;
  if (facts.effect === "mass" || !row.effects.includes(facts.effect)) return true;
  return row.verdict === "unknown" || (row.needs !== undefined && params[row.needs] === undefined);
}

export function createMiddle({ control, stepsOf, count }: MiddlePorts): Middle {
  let habits: Habits = { hasContinuation: true, hasBook: true, heldMs: 0 };
  let waiting: Untruth[] = [];
  const plans = new Map<number, Plan>();
  const kept = new Map<string, Members>();
  const changes: ChangedTerm[] = [];
  const cancelledByEdit = new Set<number>();
  const prices = new Map<string, number[]>();

  const take = (method: string): Untruth | undefined => {
    const found = waiting.find((each) => each.method === method);
    waiting = waiting.filter((each) => each !== found);
    return found;
  };

  /** An edit that would trade can cancel the order of it, which the error does not say. */
  const cancelInstead = ({ id, method, params }: Request): void => {
    const order = method === "private/edit" ? control().order(String(params["order_id"])) : undefined;
    if (order?.order_state !== "open") return;
    control().cancel(order.order_id, "edit_post_only_reject");
    cancelledByEdit.add(id);
  };

  /** Puts an error in the place of a response, and does what the error leaves open. Returns whether to pass it on. */
  const planError = (
    untruth: Extract<Untruth, { kind: "error" }>,
    request: Request,
  ): Extract<Plan, { kind: "error" }> & { readonly isPassedOn: boolean } => {
    const { code, name } = ERROR_ROWS[untruth.row % (ERROR_ROWS.length + 1)] ?? UNLISTED;
    const error = { code, message: name };
    const isWithoutId = untruth.isWithoutId && ENDING.includes(code);
    const isOpen = isWithoutId || mayBeDone(error, request);
    const done = isOpen ? untruth.done : "not";
    count(`error ${String(code)} ${name}`);
    count(`errors: ${done}${isOpen ? "" : ", and the table says so"}`);
    if (code === 11_054 && untruth.done !== "not") cancelInstead(request);
    const isPart = done === "part" && methodFacts(request.method)?.effect === "mass";
    if (isPart)
      control()
        .openOrders()
        .filter((_order, index) => index % 2 === 0)
        .forEach(({ order_id: id }) => void control().cancel(id));
    return { kind: "error", error, isWithoutId, isPassedOn: !isPart && done !== "not" };
  };

  /** Gives an order another term; returns the response with it, or none. */
  const changeTerm = ({ request, untruth }: Extract<Plan, { kind: "term" }>, text: string): string | undefined => {
    const response = JSON.parse(text) as { readonly result?: { readonly order?: Members } };
    const { result } = response;
    const order = result?.order;
    // What has ended has no terms.
    if (order === undefined || order["order_state"] === "cancelled" || order["order_state"] === "rejected") return text;
    const orderId = String(order["order_id"]);
    if (untruth.how === "told") {
      const isEdit = request.method === "private/edit";
      const other = isEdit && untruth.term % 2 === 0 ? { instrument_name: "OTHER-PERPETUAL" } : { label: "other" };
      count("term told as another order's");
      return JSON.stringify({ ...response, result: { ...result, order: { ...order, ...other } } });
    }
    const found = TERMS.map((_term, index) => TERMS[(index + untruth.term) % TERMS.length]!)
      .map(({ param, change }) => ({
        param,
        members: change({ ...request, order, untruth, steps: stepsOf(order["instrument_name"]) }),
      }))
      .find(({ members }) => members !== undefined);
    if (found?.members === undefined) return text;
    kept.set(orderId, { ...kept.get(orderId), ...found.members });
    const [value] = Object.values(found.members);
    changes.push({ wireId: request.id, orderId, param: found.param, value: String(value), isOver: false });
    count(`term ${found.param} ${untruth.how}`);
    if (untruth.how === "lost") return undefined;
    return JSON.stringify({ ...response, result: { ...result, order: { ...order, ...found.members } } });
  };

  /** An edit gives an order the terms that it carries. */
  const forget = ({ params }: Request): void => {
    const id = String(params["order_id"]);
    const members = kept.get(id);
    if (members === undefined) return;
    const isCarried = (name: string): boolean => (PARAMS[name] ?? name) in params;
    kept.set(id, Object.fromEntries(Object.entries(members).filter(([name]) => !isCarried(name))));
    for (const change of changes) if (change.orderId === id && change.param in params) change.isOver = true;
  };

  /** Returns a read of a list as a server takes it that caps pages. */
  const capped = (text: string): string => {
    const frame = JSON.parse(text) as { readonly params: Members };
    const { with_continuation: isContinued, ...params } = frame.params;
    return JSON.stringify({
      ...frame,
      params: {
        ...params,
        ...(habits.hasContinuation && isContinued !== undefined ? { with_continuation: isContinued } : {}),
        ...(habits.pageRows === undefined ? {} : { count: Math.min(habits.pageRows, Number(params["count"])) }),
      },
    });
  };

  const withKept = (text: string): string => {
    if (![...kept.keys()].some((id) => text.includes(id))) return text;
    const frame = JSON.parse(text) as unknown;
    overlay(frame, kept);
    return JSON.stringify(frame);
  };

  return {
    between(server, { clock, random }) {
      let isOpen = true;
      server.onClose(() => {
        isOpen = false;
      });
      const put = (text: string, isResponse: boolean, isLast = false): void => {
        const send = (): void => {
          if (!isOpen) return;
          server.send(text);
          if (isLast) end(() => server.close());
        };
        if (isResponse && habits.heldMs > 0) clock.after(random() * habits.heldMs, send);
        else send();
      };
      const end = (how: () => void): void => {
        isOpen = false;
        how();
      };
      const putError = (id: number, { error, isWithoutId }: Extract<Plan, { kind: "error" }>): void => {
        put(
          JSON.stringify({ jsonrpc: "2.0", ...(isWithoutId ? {} : { id }), error }),
          true,
          isWithoutId || error.code === 10_028,
        );
      };
      const onText = (text: string, passOn: (text: string) => void): void => {
        const [, method = ""] = /"method":"([^"]+)"/.exec(text) ?? [];
        const untruth = take(method);
        if (PRICES.includes(method) && !habits.hasBook) {
          const { id } = JSON.parse(text) as Request;
          const error = { code: -32_601, message: "Method not found" };
          putError(id, { kind: "error", error, isWithoutId: false });
          return;
        }
        if (method === "private/edit") forget(JSON.parse(text) as Request);
        if (untruth !== undefined) {
          const request = JSON.parse(text) as Request;
          if (untruth.kind === "term") plans.set(request.id, { kind: "term", request, untruth });
          else {
            const plan = planError(untruth, request);
            if (!plan.isPassedOn) {
              putError(request.id, plan);
              return;
            }
            plans.set(request.id, plan);
          }
        } else if (method === "public/get_index_price") {
          const { id, params } = JSON.parse(text) as Request;
          plans.set(id, { kind: "price", index: String(params["index_name"]) });
        }
        passOn(PAGES.test(text) ? capped(text) : text);
        // What is carried out or answered later is as asked: a term does not change between two reads.
        if (untruth?.kind === "term") plans.delete((JSON.parse(text) as Request).id);
      };
      return {
        ...server,
        description: server.description,
        close: () => end(() => server.close()),
        terminate: () => end(() => server.terminate()),
        dispose: () => end(() => server.dispose()),
        onText: (listener) =>
          server.onText((text) => {
            onText(text, listener);
          }),
        send(text) {
          const [, number] = /^\{"jsonrpc":"2\.0","id":(\d+)/.exec(text) ?? [];
          const id = Number(number ?? Number.NaN);
          const plan = plans.get(id);
          plans.delete(id);
          if (plan?.kind === "error") {
            putError(id, plan);
            return;
          }
          if (plan?.kind === "price") {
            const { result } = JSON.parse(text) as { readonly result?: { readonly index_price: number } };
            if (result !== undefined) prices.set(plan.index, [...(prices.get(plan.index) ?? []), result.index_price]);
          }
          const told = plan?.kind === "term" ? changeTerm(plan, text) : text;
          if (told !== undefined) put(withKept(told), number !== undefined);
        },
      };
    },
    add: (untruth) => void waiting.push(untruth),
    setHabits(now) {
      habits = now;
    },
    calm() {
      waiting = [];
      habits = { ...habits, heldMs: 0 };
    },
    shown: (order) => ({ ...order, ...kept.get(String(order["order_id"])) }),
    changes,
    cancelledByEdit,
    prices,
  };
}

interface Asked extends Request {
  readonly order: Members;
  readonly untruth: Extract<Untruth, { kind: "term" }>;
  readonly steps: Steps | undefined;
}

interface Term {
  readonly param: string;
  /** Returns the members of an order that show another value, the new one first; undefined where it was not asked for. */
  readonly change: (asked: Asked) => Members | undefined;
}

/** The members of an order that do not have the name of their parameter. */
const PARAMS: Readonly<Record<string, string>> = { order_type: "type", refresh_amount: "display_amount" };

/** Further than any edit moves a term, so that none looks as it was before. */
const FAR_TICKS = 40;
const FAR_LOTS = 10;

const TERMS: readonly Term[] = [
  ...["reduce_only", "post_only", "reject_post_only", "mmp"].map((param): Term => ({
    param,
    change: ({ params }) => (typeof params[param] === "boolean" ? { [param]: !params[param] } : undefined),
  })),
  { param: "price", change: (asked) => moved(asked, "price", "price") },
  { param: "trigger_price", change: (asked) => moved(asked, "trigger_price", "trigger_price") },
  { param: "amount", change: (asked) => resized(asked, "amount", "amount") },
  { param: "display_amount", change: (asked) => resized(asked, "display_amount", "refresh_amount") },
  {
    param: "time_in_force",
    change: ({ params: { time_in_force: time } }) =>
      time === undefined
        ? undefined
        : { time_in_force: time === "good_til_day" ? "good_til_cancelled" : "good_til_day" },
  },
  {
    param: "type",
    change({ params: { type }, order }) {
      if (type === "market" && order["order_type"] === "market")
        return { order_type: "limit", original_order_type: "market" };
      if (type === "limit") return { order_type: "market_limit" };
      return type === "stop_limit" ? { order_type: "take_limit" } : undefined;
    },
  },
  {
    param: "trigger",
    change: ({ params: { trigger } }) =>
      trigger === undefined ? undefined : { trigger: trigger === "last_price" ? "index_price" : "last_price" },
  },
];

function moved({ params, order, untruth, steps }: Asked, param: string, member: string): Members | undefined {
  const price = order[member];
  if (typeof params[param] !== "number" || typeof price !== "number" || steps === undefined) return undefined;
  return { [member]: rounded(price + (untruth.term % 2 === 0 ? 1 : -1) * FAR_TICKS * steps.tick) };
}

function resized({ params, order, untruth, steps }: Asked, param: string, member: string): Members | undefined {
  const amount = order[member];
  if (typeof params[param] !== "number" || typeof amount !== "number" || steps === undefined) return undefined;
  const far = FAR_LOTS * steps.lot;
  const filled = Number(order["filled_amount"] ?? 0);
  return { [member]: rounded(untruth.term % 2 === 0 && amount - far > filled ? amount - far : amount + far) };
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}

/** Gives each order in a value the terms that it has. */
function overlay(value: unknown, kept: ReadonlyMap<string, Members>): void {
  if (Array.isArray(value)) value.forEach((each) => overlay(each, kept));
  else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    if ("order_state" in members) Object.assign(members, kept.get(String(members["order_id"])));
    for (const each of Object.values(members)) if (typeof each === "object") overlay(each, kept);
  }
}
