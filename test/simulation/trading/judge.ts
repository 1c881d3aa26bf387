import type { ActivityEntry } from "../../../src/actions/activity.ts";
import { isSettling, type OrderVerdict, type Outcome } from "../../../src/actions/outcome.ts";
import type { DescribedOrder } from "../../../src/simulator/wire/control.ts";
import type { Stage } from "../stage.ts";
import { START_MS } from "../time.ts";

/*
 * Says what is wrong with orders that were placed, edited, or cancelled. It knows what the exchange did and for which
 * frame, what the user wished and agreed to, and what was said; it does not look into the code that it judges.
 */

export type Members = Readonly<Record<string, unknown>>;

/** What the user wants with one command. */
export interface Wish {
  readonly name: string;
  /** Returns what is wrong with a frame as one of this wish; undefined where it is meant. */
  readonly problemOf: (method: string, params: Members, text: string) => string | undefined;
  /** Whether the frame has the deadline of an order. */
  readonly hasDeadline: boolean;
  /** Whether several frames may leave for it, each once. */
  readonly isSeveral: boolean;
  /** The orders as they are shown, which must not be others when a frame leaves for one of them. */
  readonly shown: (() => string) | undefined;
  /** The label that the person gave; undefined where one is generated. */
  readonly label: string | undefined;
  /** When the person agreed, on the time line and on the monotonic clock of the computer, and to what. */
  granted: { readonly ms: number; readonly monotonicMs: number; readonly shown: string | undefined } | undefined;
  readonly used: string[];
}

interface Frame {
  readonly id: number;
  readonly method: string;
  readonly params: Members;
  readonly text: string;
  readonly wish: Wish | undefined;
  /** The order that the exchange made for it. */
  madeId: string | undefined;
}

export interface TradingJudge {
  readonly violations: readonly string[];
  /** What occurred and what was said, and how often. */
  readonly counts: ReadonlyMap<string, number>;
  /** Frames that change something. */
  readonly frames: number;
  complain(text: string): void;
  count(what: string): void;
  onWished(wish: Wish): void;
  onSent(text: string): void;
  onServed(text: string): void;
  onArrival(text: string): void;
  /** After a moment in which the exchange may have carried something out late. */
  look(): void;
  /** An order that another client has placed. */
  onOthers(order: DescribedOrder): void;
  /** Nothing happens any more: what was said last has to be true for good. */
  finish(): void;
}

const HARMLESS = /^(?:public\/|private\/(?:get_|list_|simulate_|subscribe|unsubscribe))/;
const PLACING = /^private\/(?:buy|sell)$/;
const CHANGING = /"method":"private\/(?:buy|sell|edit|cancel)/;
const VALID_FOR_MS = 8000;
const GENERATED = /^rpc-[0-9a-f]{16}$/;

export function createTradingJudge(stage: Stage): TradingJudge {
  return new Judge(stage);
}

class Judge implements TradingJudge {
  readonly violations: string[] = [];
  readonly counts = new Map<string, number>();
  readonly #stage: Stage;
  readonly #wishes: Wish[] = [];
  readonly #frames: Frame[] = [];
  readonly #known = new Set<string>();
  readonly #others = new Map<string, DescribedOrder>();
  readonly #labels = new Set<string>();
  /** Orders of a bot that nothing told from ours when they were taken for it. */
  readonly #twins = new Set<string>();
  /** Questions for the exchange's time that are under way, and what the answers said. */
  readonly #timeCalls = new Set<number>();
  readonly #times: { readonly exchangeMs: number; readonly monotonicMs: number }[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#orders().forEach(({ order_id: id }) => this.#known.add(id));
    stage.live.gate.onDidChangeActivity((entry) => {
      this.#judge(entry);
    });
  }

  get frames(): number {
    return this.#frames.length;
  }

  complain(text: string): void {
    if (this.violations.length < 5) this.violations.push(text);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  onWished(wish: Wish): void {
    this.#wishes.push(wish);
  }

  onSent(text: string): void {
    const { id, method, ...call } = JSON.parse(text) as { id: number; method: string; params: Members };
    const params = Object.fromEntries(Object.entries(call.params).filter(([name]) => name !== "access_token"));
    if (method === "public/get_time") this.#timeCalls.add(id);
    if (HARMLESS.test(method)) return;
    const frame: Frame = { id, method, params, text, wish: undefined, madeId: undefined };
    const meant = this.#wishes.filter((wish) => wish.problemOf(method, params, text) === undefined);
    const isAskedAbout = method !== "private/cancel" || this.#stage.live.environment !== "simulator";
    const agreed = meant.filter(({ granted }) => granted !== undefined || !isAskedAbout);
    const unused = agreed.filter((each) => isUnused(each, keyOf(method, params)));
    // Two commands may wish the same of one order; a wish for several orders fits any of their frames.
    unused.sort((a, b) => Number(a.isSeveral) - Number(b.isSeveral));
    const wish = unused.find((each) => this.#isDeadlineOf(each, params)) ?? unused[0];
    this.#frames.push({ ...frame, wish });
    if (meant.length === 0) {
      const problems = this.#wishes.map((each) => `${each.name}: ${String(each.problemOf(method, params, text))}`);
      this.complain(`not requested by the user: ${text}\n${problems.join("\n")}`);
    } else if (agreed.length === 0) this.complain(`not confirmed by the user: ${text}`);
    else if (wish === undefined) this.complain(`sent a second time: ${text}`);
    else {
      wish.used.push(keyOf(method, params));
      this.#checkFrame(wish, frame);
    }
  }

  #checkFrame(wish: Wish, { method, params, text }: Frame): void {
    if (wish.hasDeadline) this.#checkDeadline(wish, params, text);
    if (PLACING.test(method)) this.#checkLabel(wish, params["label"], text);
    const shown = wish.shown?.();
    if (wish.granted !== undefined && shown !== wish.granted.shown)
      this.complain(`${text} left although\n${String(wish.granted.shown)}\nhad become\n${String(shown)}`);
  }

  #checkDeadline(wish: Wish, params: Members, text: string): void {
    const { granted, isSeveral } = wish;
    if (granted === undefined) return;
    const untilMs = params["valid_until"];
    const { time } = this.#stage;
    const lastMs = isSeveral ? time.elapsedMs : granted.ms;
    if (typeof untilMs !== "number" || untilMs > START_MS + lastMs + VALID_FOR_MS)
      this.complain(`${text} is valid until ${String(untilMs)}, after ${String(START_MS + lastMs + VALID_FOR_MS)}`);
    if (!this.#isDeadlineOf(wish, params)) this.complain(`the deadline of ${text} is not 8 s after the confirmation`);
    if (!isSeveral && time.elapsedMs - granted.ms > VALID_FOR_MS + 10)
      this.complain(`${text} left ${String(time.elapsedMs - granted.ms)} ms after the confirmation`);
  }

  /** The time was read once, and goes on as the computer's own clock does. */
  #isDeadlineOf({ granted, isSeveral }: Wish, { valid_until: untilMs }: Members): boolean {
    if (granted === undefined) return false;
    return this.#times.some(({ exchangeMs, monotonicMs }) => {
      const stampedMs = Number(untilMs) - VALID_FOR_MS - exchangeMs + monotonicMs;
      const latestMs = isSeveral ? this.#stage.client.clock.monotonicMs() : granted.monotonicMs;
      return stampedMs > granted.monotonicMs - 1.5 && stampedMs < latestMs + 1.5;
    });
  }

  #checkLabel(wish: Wish, label: unknown, text: string): void {
    if (typeof label !== "string" || label === "" || label.length > 64) {
      this.complain(`placed without a label: ${text}`);
      return;
    }
    if (wish.label !== undefined) return;
    if (!GENERATED.test(label) || this.#labels.has(label)) this.complain(`not a label of its own: ${text}`);
    this.#labels.add(label);
  }

  onServed(text: string): void {
    if (CHANGING.test(text)) this.#attribute(this.#frames.find((each) => each.text === text));
  }

  onArrival(text: string): void {
    const [, id] = /"id":(\d+)/.exec(text) ?? [];
    if (id === undefined || !this.#timeCalls.has(Number(id))) return;
    try {
      const { result } = JSON.parse(text) as Members;
      if (typeof result === "number")
        this.#times.push({ exchangeMs: result, monotonicMs: this.#stage.client.clock.monotonicMs() });
    } catch {
      // Half of a text tells no time.
    }
  }

  look(): void {
    this.#attribute(undefined);
  }

  onOthers(order: DescribedOrder): void {
    this.#known.add(order.order_id);
    this.#others.set(order.order_id, order);
  }

  /** Finds the frame that each new order was made for. `served`: the one that the exchange has just carried out. */
  #attribute(served: Frame | undefined): void {
    for (const order of this.#orders()) {
      if (this.#known.has(order.order_id)) continue;
      this.#known.add(order.order_id);
      const fits = ({ id, method, params, madeId }: Frame): boolean =>
        madeId === undefined &&
        method === `private/${String(order.direction)}` &&
        params["label"] === order.label &&
        params["instrument_name"] === order.instrument_name &&
        this.#isApplied(id);
      const frame = served !== undefined && fits(served) ? served : this.#frames.find(fits);
      if (frame === undefined) this.complain(`an order that no frame is left for: ${JSON.stringify(order)}`);
      else frame.madeId = order.order_id;
    }
  }

  #orders(): readonly DescribedOrder[] {
    const { control } = this.#stage.exchange;
    return [...control.openOrders(), ...control.closedOrders()];
  }

  #frameOf({ intent: { method, paramsText } }: ActivityEntry): Frame | undefined {
    return this.#frames.findLast((each) => each.method === method && each.text.endsWith(`${paramsText.slice(1)}}`));
  }

  #isApplied(id: number): boolean {
    return this.#stage.exchange.control.ledger().some((each) => each.id === id && each.isApplied);
  }

  #judge(entry: ActivityEntry): void {
    const { outcome, verdicts, intent } = entry;
    if (outcome === undefined) return;
    const frame = this.#frameOf(entry);
    const about = `${intent.method} ${intent.paramsText}`;
    if (PLACING.test(intent.method)) this.#judgePlacement(entry, frame, about);
    else if (intent.method === "private/edit") this.#judgeEdit(entry, frame, about);
    else {
      const ids =
        intent.method === "private/cancel" && (outcome.kind === "confirmed" || verdicts.some(isDone))
          ? [entry.targetId ?? ""]
          : verdicts.flatMap((each) =>
              each.kind === "several"
                ? each.orders.filter(({ verdict }) => isDone(verdict)).map((one) => one.orderId)
                : [],
            );
      for (const id of ids)
        if (this.#stage.exchange.control.order(id)?.order_state !== "cancelled")
          this.complain(`${about}: ${id} is said to be cancelled, and is not`);
    }
  }

  #judgePlacement({ outcome, verdicts }: ActivityEntry, frame: Frame | undefined, about: string): void {
    const madeId = frame?.madeId;
    const wrong = (said: string): void => {
      this.complain(`${about}: said ${said}, and the exchange made ${madeId ?? "no order"}`);
    };
    const placedId = placedIdOf(outcome);
    if (placedId !== undefined && madeId !== placedId) wrong(`done as ${placedId}`);
    const saidNot = saidNotDone(outcome, { isSent: frame !== undefined, isMade: madeId !== undefined });
    if (saidNot !== undefined) wrong(saidNot);
    for (const verdict of verdicts) {
      if (verdict.kind === "notApplied" && madeId !== undefined) wrong("not placed");
      // A late response names no order.
      if (verdict.kind === "applied" && !this.#isOurs(frame, verdict.objectId ?? madeId))
        wrong(`placed as ${String(verdict.objectId)}`);
    }
  }

  #isOurs(frame: Frame | undefined, id: string | undefined): boolean {
    const madeId = frame?.madeId;
    return madeId === undefined ? this.#isNotToBeToldApart(frame, id) : id === madeId;
  }

  /**
   * Whether nothing that an exchange tells of the instrument could say that an order is not the one that never arrived:
   * the label is the person's own, no other order there has had it, and a bot made this one after the send, with all
   * terms. What comes later tells nothing any more.
   */
  #isNotToBeToldApart(frame: Frame | undefined, id = ""): boolean {
    const other = this.#others.get(id);
    if (frame?.wish?.label === undefined || other === undefined) return false;
    if (this.#twins.has(id)) return true;
    const isAlone = this.#orders().every(
      (each) => each.order_id === id || each.label !== other.label || each.instrument_name !== other.instrument_name,
    );
    const sentMs = Number(frame.params["valid_until"]) - VALID_FOR_MS;
    const isTwin = isAlone && Number(other.creation_timestamp) >= sentMs;
    if (isTwin) this.#twins.add(id);
    return isTwin;
  }

  #judgeEdit({ outcome, verdicts }: ActivityEntry, frame: Frame | undefined, about: string): void {
    const isApplied = frame !== undefined && this.#isApplied(frame.id);
    const wrong = (said: string): void => {
      this.complain(`${about}: said ${said}, and the exchange ${isApplied ? "has" : "has not"} edited it`);
    };
    if (isConfirmed(outcome) && !isApplied) wrong("edited");
    const saidNot = saidNotDone(outcome, { isSent: frame !== undefined, isMade: isApplied });
    if (saidNot !== undefined) wrong(saidNot);
    const kinds = verdicts.map(({ kind }) => kind);
    if (kinds.includes("notApplied") && isApplied) wrong("not edited");
    if (kinds.includes("applied") && !isApplied && !this.#isAsAsked(frame)) wrong("edited");
  }

  /** Another client may have given an order the same terms. */
  #isAsAsked(frame: Frame | undefined): boolean {
    const order = this.#stage.exchange.control.order(String(frame?.params["order_id"]));
    return order?.price === frame?.params["price"] && order?.amount === frame?.params["amount"];
  }

  finish(): void {
    for (const entry of this.#stage.live.gate.activity) {
      this.#judge(entry);
      const { outcome, verdicts, intent, phase } = entry;
      if (outcome === undefined || phase !== "done")
        this.complain(`${intent.method} ${intent.paramsText} has come to no end: ${phase}`);
      else if (intent.method !== "private/cancel_all")
        this.count(`${nameOf(intent.method)} ${saidOf(outcome, verdicts)}`);
    }
    this.#twins.forEach(() => {
      this.count("place: not to be told apart");
    });
    for (const { method, madeId } of this.#frames)
      if (PLACING.test(method)) this.count(`truth: ${madeId === undefined ? "not made" : "made"}`);
    for (const { granted, used, name } of this.#wishes) {
      if (granted === undefined && used.length > 0 && !name.startsWith("cancel"))
        this.complain(`${name} was not agreed to`);
    }
  }
}

function placedIdOf(outcome: Outcome | undefined): string | undefined {
  if (!isConfirmed(outcome)) return undefined;
  return (outcome.response.result as { readonly order: { readonly order_id: string } }).order.order_id;
}

/** Returns how a response is wrong that says that nothing was done; undefined where it is not. */
function saidNotDone(
  outcome: Outcome | undefined,
  { isSent, isMade }: { readonly isSent: boolean; readonly isMade: boolean },
): string | undefined {
  if (outcome?.kind === "rejected" && isMade) return "refused";
  return outcome?.kind === "notSent" && isSent ? "not sent" : undefined;
}

function isConfirmed(
  outcome: Outcome | undefined,
): outcome is Extract<Outcome, { kind: "confirmed" | "confirmedOther" }> {
  return outcome?.kind === "confirmed" || outcome?.kind === "confirmedOther";
}

function isDone(verdict: { readonly kind: string }): verdict is Extract<OrderVerdict, { kind: "applied" }> {
  return verdict.kind === "applied";
}

function isUnused({ used, isSeveral }: Wish, key: string): boolean {
  return isSeveral ? !used.includes(key) : used.length === 0;
}

function keyOf(method: string, params: Members): string {
  const { order_id: id } = params;
  return typeof id === "string" ? id : method;
}

function nameOf(method: string): string {
  return PLACING.test(method) ? "place" : method.slice(method.indexOf("/") + 1);
}

/** What the user has been told in the end: done, not done, or that it is unknown. */
function saidOf(outcome: Outcome, verdicts: ActivityEntry["verdicts"]): string {
  if (outcome.kind === "notSent") return `notSent ${outcome.failure.kind}`;
  if (outcome.kind !== "unknown") return outcome.kind;
  const last = verdicts.findLast(isSettling);
  return last === undefined ? "unknown" : `unknown, then ${last.kind}`;
}
