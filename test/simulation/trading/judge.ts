import { plain } from "../../../src/base/plain.ts";
import type { ActivityEntry } from "../../../src/actions/journal/activity.ts";
import { isSettling, type OrderVerdict, type Outcome } from "../../../src/actions/judge/outcome.ts";
import { isOpenState } from "../../../src/catalogue/orderStates.ts";
import type { DescribedOrder } from "../../../src/simulator/wire/control.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { Stage } from "../stage.ts";
import { START_MS } from "../time.ts";
import { mayBeDone, type ChangedTerm, type Middle } from "./middle.ts";

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
  /** Whether it is a request of a file, which says what it says. */
  readonly isOfFile: boolean;
  /** The orders as they are shown, which must not be others when a frame leaves for one of them. */
  readonly shown: (() => string) | undefined;
  /** The order as the exchange told it last, which a second confirmation shows before any event does. */
  readonly told?: () => string;
  /** The label that the person gave; undefined where one is generated. */
  readonly label: string | undefined;
  /** When the person agreed, on the time line and on the monotonic clock of the computer, and to what. */
  granted:
    | { readonly ms: number; readonly monotonicMs: number; readonly shown: readonly (string | undefined)[] }
    | undefined;
  readonly used: string[];
}

interface Frame {
  readonly id: number;
  readonly method: string;
  readonly params: Members;
  readonly text: string;
  readonly wish: Wish | undefined;
  /** When it was sent, on the time line. */
  readonly atMs: number;
  /** The order that the exchange made for it. */
  madeId: string | undefined;
  /** The size in USD; undefined where the limits of trading don't apply. */
  readonly size: FrameSize | undefined;
  /** Whether an error arrived that proves that it was not done. */
  isRefused: boolean;
}

interface FrameSize {
  readonly usd: number;
  /** What it adds to the total. */
  readonly countedUsd: number;
}

/** The limits of trading where there are any, in USD. */
export const LIMITS = { largestOrderUsd: 100, totalUsd: 1000, usedUsd: 0 } as const;

/** What the judge knows beside the stage. */
export interface JudgePorts {
  readonly middle: Middle;
  readonly isLimited: boolean;
  /** Whether a request can only make a position smaller, as the exchange told it. */
  readonly isReducing: (request: { readonly method: string; readonly params: Members }) => boolean;
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
  /** The computer has slept, or its clock was set. */
  onClockDoubtful(): void;
  /** An order that another client has placed. */
  onOthers(order: DescribedOrder): void;
  /** Nothing happens any more: what was said last has to be true for good. */
  finish(): void;
}

const HARMLESS = /^(?:public\/|private\/(?:get_|list_|simulate_|subscribe|unsubscribe))/;
const PLACING = /^private\/(?:buy|sell)$/;
const CHANGING = /"method":"private\/(?:buy|sell|edit|cancel)/;
const VALID_FOR_MS = 8000;
/** What is made so much later may come after the last look. */
const LATE_MS = 10_000;
const GENERATED = /^rpc-[0-9a-f]{16}$/;

export function createTradingJudge(stage: Stage, ports: JudgePorts): TradingJudge {
  return new Judge(stage, ports);
}

class Judge implements TradingJudge {
  readonly violations: string[] = [];
  readonly counts = new Map<string, number>();
  readonly #stage: Stage;
  readonly #ports: JudgePorts;
  #isClockDoubtful = false;
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

  constructor(stage: Stage, ports: JudgePorts) {
    this.#stage = stage;
    this.#ports = ports;
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
    const atMs = this.#stage.time.elapsedMs;
    const size = this.#ports.isLimited ? this.#sizeOf(method, params) : undefined;
    const frame: Frame = { id, method, params, text, wish: undefined, atMs, madeId: undefined, size, isRefused: false };
    const meant = this.#wishes.filter((wish) => wish.problemOf(method, params, text) === undefined);
    const isAskedAbout = method !== "private/cancel" || this.#stage.live.environment !== "simulator";
    const agreed = meant.filter(({ granted }) => granted !== undefined || !isAskedAbout);
    const unused = agreed.filter((each) => isUnused(each, keyOf(method, params)));
    // Two commands may wish the same of one order; a wish for several orders fits any of their frames.
    unused.sort((a, b) => Number(a.isSeveral) - Number(b.isSeveral));
    const wish = unused.find((each) => this.#isDeadlineOf(each, params)) ?? unused[0];
    this.#frames.push({ ...frame, wish });
    if (size !== undefined) this.#checkLimits(size, text);
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

  /** Returns the size of a trade, rather too small where others may have changed the order that it edits. */
  #sizeOf(method: string, params: Members): FrameSize | undefined {
    const isEdit = method === "private/edit";
    if ((!PLACING.test(method) && !isEdit) || this.#ports.isReducing({ method, params })) return undefined;
    const { middle } = this.#ports;
    const order = isEdit ? this.#stage.exchange.control.order(String(params["order_id"])) : undefined;
    const name = String(order?.instrument_name ?? params["instrument_name"]);
    const amount = Number(params["amount"]);
    const present =
      order === undefined ? 0 : Math.max(Number(order.amount), Number(middle.shown<Members>({ ...order })["amount"]));
    // The amount of an inverse future is in USD.
    const [coin = ""] = name.split("_USDC");
    const price = coin === name ? 1 : Math.min(...(middle.prices.get(`${coin.toLowerCase()}_usdc`) ?? []));
    return { usd: amount * price, countedUsd: Math.max(0, amount - present) * price };
  }

  #checkLimits({ usd }: FrameSize, text: string): void {
    const counted = this.#frames.reduce(
      (sum, { size, isRefused }) => sum + (isRefused ? 0 : (size?.countedUsd ?? 0)),
      0,
    );
    if (!(usd <= LIMITS.largestOrderUsd)) this.complain(`${text} is for ${String(usd)} USD`);
    if (!(counted <= LIMITS.totalUsd + 1e-6)) this.complain(`with ${text} the trades are for ${String(counted)} USD`);
    if (counted > LIMITS.totalUsd - LIMITS.largestOrderUsd) this.count("total of trading nearly used");
  }

  #checkFrame(wish: Wish, { method, params, text }: Frame): void {
    if (wish.hasDeadline) this.#checkDeadline(wish, params, text);
    if (PLACING.test(method) && !wish.isOfFile) this.#checkLabel(wish, params["label"], text);
    const shown = wish.shown?.();
    if (wish.granted !== undefined && !wish.granted.shown.includes(shown))
      this.complain(`${text} left although\n${wish.granted.shown.join("\n")}\nhad become\n${String(shown)}`);
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
    if (id !== undefined && text.includes('"error":')) this.#hearError(Number(id), text);
    if (id === undefined || !this.#timeCalls.has(Number(id))) return;
    try {
      const { result } = JSON.parse(text) as Members;
      if (typeof result === "number")
        this.#times.push({ exchangeMs: result, monotonicMs: this.#stage.client.clock.monotonicMs() });
    } catch {
      // Half of a text tells no time.
    }
  }

  #hearError(id: number, text: string): void {
    const frame = this.#frames.find((each) => each.id === id);
    if (frame === undefined) return;
    try {
      const { error } = JSON.parse(text) as { readonly error: { readonly code: number; readonly message: string } };
      if (!mayBeDone(error, frame)) frame.isRefused = true;
    } catch {
      // Half of a text proves nothing.
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
        (params["label"] ?? "") === order.label &&
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

  /** What a user has read of a change in the end. */
  #textOf({ outcome, verdicts, intent }: ActivityEntry): string {
    const context = { intent, place: plain`lab`, times: TIMES };
    return [
      ...(outcome === undefined ? [] : [outcomeText(outcome, context)]),
      ...verdicts.map((verdict) => verdictText(verdict, context)),
    ].join("\n");
  }

  /** A term of an order that is not as asked has to be told, once it is told that the change was made. */
  #checkTold(entry: ActivityEntry, frame: Frame): void {
    const { outcome, verdicts } = entry;
    if (outcome === undefined) return;
    const text = this.#textOf(entry);
    const isLate = outcome.kind === "unknown";
    if (isLate ? !verdicts.some(({ kind }) => kind === "applied" || kind === "other") : !isConfirmed(outcome)) return;
    for (const change of this.#ports.middle.changes.filter(({ wireId }) => wireId === frame.id)) {
      if (isLate && change.isOver) continue;
      this.count("term told");
      if (!isTold(change, text))
        this.complain(`${frame.text}: the order has ${change.param} ${change.value}, and what was told is\n${text}`);
    }
  }

  /** An edit that the exchange answered with a cancel has to be told as that, or as one that may have been. */
  #checkCancelledByEdit(entry: ActivityEntry, frame: Frame): void {
    if (!this.#ports.middle.cancelledByEdit.has(frame.id) || entry.outcome?.kind !== "rejected") return;
    this.count("edit refused, and the order cancelled");
    const text = this.#textOf(entry);
    if (!/cancelled/.test(text)) this.complain(`${frame.text}: the order was cancelled, and what was told is\n${text}`);
  }

  /** What reading can prove must not stay unknown. */
  #checkProved(entry: ActivityEntry, frame: Frame): void {
    const { outcome, verdicts, intent } = entry;
    if (outcome?.kind !== "unknown" || verdicts.some(isSettling)) return;
    const reason = this.#whyUnprovable(frame);
    this.count(`unknown for good: ${reason ?? "no reason"}`);
    if (reason === undefined)
      this.complain(
        `${intent.method} ${intent.paramsText} stays unknown, and ${frame.madeId ?? (this.#isApplied(frame.id) ? "it was done" : "it was not done")}:\n${this.#textOf(entry)}`,
      );
  }

  #whyUnprovable(frame: Frame): string | undefined {
    const { method, params, id } = frame;
    if (PLACING.test(method)) return this.#whyPlacementUnprovable(frame);
    if (method === "private/edit" && !this.#isApplied(id)) return this.#whyEditUnprovable(params);
    if (method === "private/edit") return undefined;
    const order = this.#stage.exchange.control.order(String(params["order_id"]));
    return method === "private/cancel" && !isOpenState(order?.order_state) ? undefined : "a late cancel is possible";
  }

  #whyPlacementUnprovable(frame: Frame): string | undefined {
    const { params, madeId, wish, atMs } = frame;
    const { label, type, valid_until: untilMs } = params;
    if (typeof label !== "string") return "no label";
    if (untilMs === undefined && !(this.#madeMs(madeId) - atMs < LATE_MS)) return "no deadline";
    if (madeId === undefined && String(type).startsWith("stop")) return "a trigger order";
    const isShared = this.#orders().some((each) => each.label === label && each.order_id !== madeId);
    if (isShared) return "a label that others use";
    if (!GENERATED.test(label) && this.#isMadeOtherwise(frame)) return "other terms under a label that others may use";
    return wish?.isOfFile === true && this.#isClockDoubtful ? "when it was sent is not known" : undefined;
  }

  #isMadeOtherwise({ id, params, madeId }: Frame): boolean {
    const order: Members = { ...this.#stage.exchange.control.order(madeId ?? "") };
    const isOther = (name: string): boolean =>
      params[name] !== undefined && order[name] !== undefined && order[name] !== params[name];
    return this.#ports.middle.changes.some(({ wireId }) => wireId === id) || ["price", "amount"].some(isOther);
  }

  /** When an order was made, on the time line; not a number where it was not. */
  #madeMs(id: string | undefined): number {
    return Number(this.#stage.exchange.control.order(id ?? "")?.creation_timestamp) - START_MS;
  }

  /** That it was not made is proved by an order that no client has changed since. */
  #whyEditUnprovable({ valid_until: untilMs, order_id: id }: Members): string | undefined {
    if (untilMs === undefined) return "no deadline";
    const { last_update_timestamp: updatedMs } = this.#stage.exchange.control.order(String(id)) ?? {};
    return Number(updatedMs) >= Number(untilMs) - VALID_FOR_MS ? "the order was changed since" : undefined;
  }

  onClockDoubtful(): void {
    this.#isClockDoubtful = true;
  }

  finish(): void {
    for (const entry of this.#stage.live.gate.activity) {
      this.#judge(entry);
      const frame = this.#frameOf(entry);
      if (frame !== undefined) {
        this.#checkTold(entry, frame);
        this.#checkCancelledByEdit(entry, frame);
        this.#checkProved(entry, frame);
      }
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

const TIMES = createTimes(0);

/** The words for a term where they are not the name of its parameter. */
const TERM_WORDS: Readonly<Record<string, RegExp>> = {
  price: /\bprice\b/,
  amount: /\b(?:amount|size)\b/,
  type: /\btype\b|\border as a\b/,
};

function isTold({ param, value }: ChangedTerm, text: string): boolean {
  return (TERM_WORDS[param] ?? new RegExp(`\\b${param}\\b`)).test(text) && text.includes(value);
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
