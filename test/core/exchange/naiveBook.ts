import {
  byPriority,
  couple,
  crosses,
  follow,
  isBetter,
  isImmediate,
  isLess,
  isMet,
  left,
  other,
} from "./naiveOrder.ts";
import { say, share, showsEnough, start, survey, waitRank } from "./naiveOrder.ts";
import type { NaiveDraft, NaiveLink, NaiveOrder, Source } from "./naiveOrder.ts";

/*
 * A book in the simplest form: one list, searched and sorted anew at each step. It imports nothing of the sources, so
 * that it shares the rules with the engine and nothing else. What an order goes on as keeps its label.
 */

export class NaiveBook {
  readonly trades: string[] = [];
  readonly #orders: NaiveOrder[] = [];
  readonly #queue: NaiveOrder[] = [];
  readonly #positions = new Map<string, number>();
  readonly #prices: Partial<Record<Source, number>> = {};
  #clock = 0;

  place(draft: NaiveDraft, link?: NaiveLink, legs: readonly NaiveDraft[] = []): boolean {
    if (![draft, ...legs].every(showsEnough)) return false;
    const [own, rest] = [start(draft, link?.condition), legs.map((each) => start(each, link?.condition))];
    const [isCouple, isWaiting] = [link?.type === "oco", own.source !== undefined];
    couple(own, rest, link);
    if ((isCouple ? [own, ...rest] : [own]).some((o) => isMet(o, this.#prices[o.source!]))) return false;
    if (!isWaiting && !this.#admit(own)) return false;
    own.total = own.amount;
    this.#orders.push(own);
    if (isWaiting) this.#wait(own);
    for (const leg of rest)
      if (isCouple) this.#open(leg);
      else this.#orders.push(Object.assign(leg, { state: "parked", primary: own } as const));
    if (!isWaiting) this.#enter(own);
    return this.#settle();
  }
  edit(label: string, amount: number, wanted: number): boolean {
    const o = this.#find(label);
    if (o === undefined || amount <= o.filled || !showsEnough({ ...o, amount })) return false;
    const next = { ...o, amount, price: o.price === undefined ? undefined : wanted };
    const keeps = o.state !== "rests" || isLess(next, o);
    if (!keeps && !this.#admit(next)) return o.post === "reject" && this.#wouldTake(next) && this.cancel(label);
    if (o.amount !== next.amount) o.total = next.amount + o.taken;
    o.price = next.price;
    if (keeps) this.#shrink(o, o.amount - next.amount);
    if (o.state === "waits") this.#wait(o);
    if (!keeps) this.#enter(Object.assign(o, { state: "new", amount: next.amount } as const));
    return this.#settle();
  }
  cancel(label: string): boolean {
    const o = this.#find(label);
    if (o !== undefined) this.#cancel(o);
    return o !== undefined && this.#settle();
  }
  setPrice(source: Source, price: number): boolean {
    this.#reach(source, price);
    return this.#settle();
  }
  /** Describes the open orders, oldest first. */
  open(): string[] {
    return this.#orders.filter(({ state }) => state !== "done").map(say);
  }

  #find = (label: string) => this.#orders.find((o) => o.label === label && o.state !== "done");
  #resting = (side: string) => this.#orders.filter((o) => o.state === "rests" && o.side === side).sort(byPriority);
  #partner = (o: NaiveOrder) =>
    this.#orders.find((p) => p !== o && p.state !== "done" && p.isCoupled && o.isCoupled && p.group === o.group);
  #reducible = (o: NaiveOrder) => Math.max(0, (this.#positions.get(o.account) ?? 0) * (o.side === "sell" ? 1 : -1));
  #wouldTake(o: NaiveOrder): boolean {
    const best = this.#resting(other(o))[0];
    return best !== undefined && crosses(o, best);
  }
  #survey(o: NaiveOrder): { sure: number; isRefused: boolean } {
    return survey(o, this.#resting(other(o)), this.#reducible);
  }
  #cancel(o: NaiveOrder): void {
    if (o.state === "done") return;
    const also = this.#partner(o);
    Object.assign(o, { state: "done", isCoupled: false });
    // One that has to be filled whole, and is about to be, is not ended halfway.
    if (also !== undefined && (also.timeInForce !== "fill_or_kill" || also.filled === 0)) this.#cancel(also);
    for (const each of this.#orders) if (each.primary === o && each.state === "parked") this.#cancel(each);
  }
  #reduce(o: NaiveOrder, by: number): void {
    if (by >= left(o)) this.#cancel(o);
    else this.#shrink(o, by);
  }
  #shrink(o: NaiveOrder, by: number): void {
    const ofTip = Math.max(0, by - (left(o) - o.tip));
    o.amount -= by;
    if (o.state === "rests") this.#lessen(o, ofTip);
  }
  #lessen(o: NaiveOrder, by: number): void {
    o.tip -= by;
    if (o.tip === 0 && left(o) > 0) Object.assign(o, { tip: Math.min(o.show!, left(o)), turn: (this.#clock += 1) });
  }
  #open(o: NaiveOrder): void {
    this.#orders.push(o);
    if (o.source === undefined) this.#queue.push(Object.assign(o, { state: "new" } as const));
    else this.#wait(o);
  }
  #wait(o: NaiveOrder): void {
    Object.assign(o, { state: "waits", turn: (this.#clock += 1), since: this.#clock });
    follow(o, o.reference ?? this.#prices[o.source!]);
    if (isMet(o, this.#prices[o.source!])) this.#fire(o);
  }
  #fire(o: NaiveOrder): void {
    const child = { ...o, type: o.type.endsWith("limit") ? "limit" : "market", source: undefined };
    o.state = "done";
    for (const each of this.#orders) if (each.primary === o) each.primary = child;
    this.#open(child);
  }
  #reach(source: Source, price: number): void {
    this.#prices[source] = price;
    const waiting = this.#orders.filter((o) => o.state === "waits" && o.source === source);
    for (const o of waiting.sort((a, b) => a.since - b.since))
      if (isBetter(o, price)) follow(Object.assign(o, { turn: (this.#clock += 1) }), price);
    const met = waiting.filter((o) => isMet(o, price)).sort((a, b) => waitRank(a) - waitRank(b) || a.turn - b.turn);
    for (const o of met) this.#fire(o);
  }
  /** Does what a fill does to the orders that are linked to its own. */
  #touchLinked(o: NaiveOrder): void {
    const also = this.#partner(o);
    if (also !== undefined && (left(o) === 0 || o.condition === "first_hit")) {
      o.isCoupled = also.isCoupled = false;
      this.#cancel(also);
    } else if (also !== undefined && o.condition === "incremental") {
      const by = Math.max(0, share(also.total, o.filled, o.total) - also.taken);
      also.taken += by;
      if (by > 0) this.#reduce(also, by);
    }
    const followers = this.#orders.filter((f) => f.primary === o && f.state === "parked");
    const goesAll = left(o) === 0 || o.condition === "first_hit";
    const due = (f: NaiveOrder) => (goesAll ? f.total : share(f.total, o.filled, o.amount)) - f.taken;
    const going = goesAll || o.condition === "incremental" ? followers.filter((f) => due(f) > 0) : [];
    const group = going.length > 1 ? `group ${String((this.#clock += 1))}` : undefined;
    const children = going.map((f) => {
      const child = { ...start({ ...f, amount: due(f) }, f.condition), group, isCoupled: going.length > 1 };
      f.taken += child.amount;
      if (f.taken === f.total) f.state = "done";
      else f.amount -= child.amount;
      return Object.assign(child, { primary: undefined });
    });
    for (const child of children) this.#open(child);
  }
  /** Whether an order may come in; it gets its price and amount. */
  #admit(o: NaiveOrder): boolean {
    if (o.isReduceOnly === true && this.#reducible(o) === 0) return false;
    if (o.isReduceOnly === true) o.amount = Math.min(o.amount, o.filled + this.#reducible(o));
    const best = this.#resting(other(o))[0]?.price;
    if (o.type === "market_limit") o.price ??= best;
    if (o.post !== undefined && this.#wouldTake(o)) {
      if (o.post === "reject") return false;
      o.price = o.side === "buy" ? best! - 1 : best! + 1;
    }
    return !this.#survey(o).isRefused;
  }
  #enter(o: NaiveOrder): void {
    const isKilled = o.timeInForce === "fill_or_kill" && this.#survey(o).sure < left(o);
    const isStopped = isKilled || this.#meet(o);
    if (o.state !== "new") return;
    if (isStopped || o.price === undefined || isImmediate(o)) this.#cancel(o);
    else Object.assign(o, { state: "rests", turn: (this.#clock += 1), tip: Math.min(o.show ?? left(o), left(o)) });
  }
  /** Whether one of its own account stopped it. */
  #meet(o: NaiveOrder): boolean {
    while (o.state === "new" && left(o) > 0) {
      const m = this.#resting(other(o))[0];
      if (m === undefined || !crosses(o, m)) break;
      const mode = m.account === o.account ? o.mode : "allow";
      if (mode === "reject_taker") return true;
      if (mode === "allow") this.#trade(m, o, Math.min(m.tip, left(o)));
      else this.#cancel(m);
    }
    return false;
  }
  #trade(m: NaiveOrder, o: NaiveOrder, amount: number): void {
    this.trades.push(`${o.label} ${o.side} ${String(amount)} @ ${String(m.price)} of ${m.label}`);
    for (const each of [m, o]) {
      each.filled += amount;
      const position = this.#positions.get(each.account) ?? 0;
      this.#positions.set(each.account, position + (each.side === "buy" ? amount : -amount));
    }
    this.#lessen(m, amount);
    for (const each of [m, o]) if (left(each) === 0) each.state = "done";
    for (const each of [m, o]) this.#touchLinked(each);
    for (const { account } of [m, o])
      for (const each of this.#orders.filter((one) => one.account === account && one.isReduceOnly === true))
        if (["new", "rests"].includes(each.state) && left(each) > this.#reducible(each))
          this.#reduce(each, left(each) - this.#reducible(each));
    this.#reach("last_price", m.price!);
  }
  #settle(): true {
    for (let o = this.#queue.shift(); o !== undefined; o = this.#queue.shift()) {
      if (o.state !== "new") continue;
      if (this.#admit(o)) this.#enter(o);
      else this.#cancel(o);
    }
    return true;
  }
}
