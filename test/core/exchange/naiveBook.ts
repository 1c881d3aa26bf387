/*
 * A book in the simplest form: one list, searched and sorted anew at each step. It imports nothing of the sources, so
 * that what it shares with the engine is the rules alone. Orders are named by their label, which what they go on as
 * keeps.
 */

type Source = "last_price" | "mark_price" | "index_price";

export interface NaiveDraft {
  readonly label: string;
  readonly account: string;
  readonly side: "buy" | "sell";
  readonly type: string;
  readonly amount: number;
  readonly price?: number | undefined;
  readonly timeInForce?: string;
  readonly post?: "reprice" | "reject" | undefined;
  readonly reduceOnly?: boolean;
  /** How much is shown at a time; 0: nothing. */
  readonly show?: number | undefined;
  readonly source?: Source | undefined;
  readonly stop?: number | undefined;
  readonly offset?: number | undefined;
}

interface NaiveOrder extends Omit<NaiveDraft, "price" | "amount" | "type" | "show" | "stop" | "offset"> {
  type: string;
  amount: number;
  price: number | undefined;
  show: number | undefined;
  stop: number | undefined;
  offset: number | undefined;
  /** `new` is on its way, `parked` waits for another order, `waits` for a price. */
  state: "new" | "rests" | "waits" | "parked" | "done";
  filled: number;
  tip: number;
  turn: number;
  since: number;
  reference: number | undefined;
  group: string | undefined;
  isCoupled: boolean;
  condition: string;
  primary: NaiveOrder | undefined;
  /** What linked orders have taken away, or let go on, of the amount that it had at first. */
  total: number;
  taken: number;
}

/** `link`: how the legs hang on the first order. */
export type NaiveLink = { readonly type: "oto" | "oco" | "otoco"; readonly condition: string };

const MIN_AMOUNT = 1;

export function createNaiveBook(mode: (account: string) => "reject_taker" | "cancel_maker" | "allow") {
  const orders: NaiveOrder[] = [];
  const queue: NaiveOrder[] = [];
  const trades: string[] = [];
  const positions = new Map<string, number>();
  const prices: Partial<Record<Source, number>> = {};
  let clock = 0;

  const left = (o: NaiveOrder) => o.amount - o.filled;
  const other = (o: NaiveOrder) => (o.side === "buy" ? "sell" : "buy");
  const crosses = (o: NaiveOrder, price: number) =>
    o.price === undefined || (o.side === "buy" ? price <= o.price : price >= o.price);
  const resting = (side: string) => orders.filter((o) => o.state === "rests" && o.side === side).sort(byPriority);
  const byPrice = (a: NaiveOrder, b: NaiveOrder) =>
    a.side === "sell" ? (a.price ?? 0) - (b.price ?? 0) : (b.price ?? 0) - (a.price ?? 0);
  const byPriority = (a: NaiveOrder, b: NaiveOrder) =>
    byPrice(a, b) || Number(a.show === 0) - Number(b.show === 0) || a.turn - b.turn;
  const reducible = (o: NaiveOrder) => Math.max(0, (positions.get(o.account) ?? 0) * (o.side === "sell" ? 1 : -1));
  const rises = (o: NaiveOrder) => o.type.startsWith("take") === (o.side === "sell");
  const isMet = (o: NaiveOrder, price: number) =>
    o.stop !== undefined && (rises(o) ? price >= o.stop : price <= o.stop);
  const partner = (o: NaiveOrder) =>
    orders.find((p) => p !== o && p.state !== "done" && p.isCoupled && o.isCoupled && p.group === o.group);
  const share = (total: number, filled: number, amount: number) =>
    Math.min(total, Math.floor((total * filled) / amount));

  /** What an order is sure to get, and whether it would meet an order of its own account that has it refused. */
  function survey(o: NaiveOrder): { sure: number; isRefused: boolean } {
    const parts = resting(other(o))
      .flatMap((m) => [
        { m, amount: m.tip, rank: m.show === 0 ? 2 : 0 },
        { m, amount: left(m) - m.tip, rank: 1 },
      ])
      .filter(({ m, amount }) => amount > 0 && crosses(o, m.price ?? 0))
      .sort((a, b) => byPrice(a.m, b.m) || a.rank - b.rank || a.m.turn - b.m.turn);
    const groups = new Set<string>();
    const counted = new Map<string, number>();
    let sure = 0;
    for (const { m, amount } of parts) {
      if (sure >= left(o) || (o.group !== undefined && o.group === m.group)) break;
      if (m.account === o.account && mode(o.account) === "reject_taker") return { sure, isRefused: true };
      if (m.account === o.account && mode(o.account) === "cancel_maker") continue;
      const before = counted.get(m.account) ?? 0;
      counted.set(m.account, before + amount);
      const isGone = m.group !== undefined && groups.has(m.group);
      if (m.group !== undefined) groups.add(m.group);
      if (!isGone) sure += Math.min(amount, m.reduceOnly === true ? Math.max(0, reducible(m) - before) : amount);
    }
    return { sure, isRefused: false };
  }

  function cancel(o: NaiveOrder): void {
    if (o.state === "done") return;
    o.state = "done";
    const also = partner(o);
    o.isCoupled = false;
    if (also !== undefined) cancel(also);
    for (const follower of orders) if (follower.primary === o && follower.state === "parked") cancel(follower);
  }
  function reduce(o: NaiveOrder, by: number): void {
    if (by >= left(o)) return cancel(o);
    const ofTip = Math.max(0, by - (left(o) - o.tip));
    o.amount -= by;
    if (o.state === "rests") lessen(o, ofTip);
  }
  function lessen(o: NaiveOrder, by: number): void {
    o.tip -= by;
    if (o.tip > 0 || left(o) === 0) return;
    o.tip = Math.min(o.show ?? left(o), left(o));
    o.turn = clock += 1;
  }
  function trim(account: string): void {
    for (const o of orders) {
      const isActive = o.state === "new" || o.state === "rests";
      if (o.account !== account || o.reduceOnly !== true || !isActive) continue;
      if (left(o) > reducible(o)) reduce(o, left(o) - reducible(o));
    }
  }
  function wait(o: NaiveOrder): void {
    o.state = "waits";
    o.since = o.turn = clock += 1;
    const price = prices[o.source ?? "last_price"];
    if (o.offset !== undefined) follow(o, o.reference ?? price);
    if (price !== undefined && isMet(o, price)) fire(o);
  }
  function follow(o: NaiveOrder, price: number | undefined): void {
    if (price === undefined || o.offset === undefined) return;
    o.reference = price;
    o.stop = o.side === "sell" ? price - o.offset : price + o.offset;
  }
  function fire(o: NaiveOrder): void {
    if (o.state !== "waits") return;
    const child: NaiveOrder = { ...o, type: o.type.endsWith("limit") ? "limit" : "market", state: "new" };
    o.state = "done";
    for (const follower of orders) if (follower.primary === o) follower.primary = child;
    orders.push(child);
    queue.push(child);
  }
  function reach(source: Source, price: number): void {
    prices[source] = price;
    const waiting = orders.filter((o) => o.state === "waits" && o.source === source);
    for (const o of waiting.filter((each) => each.offset !== undefined).sort((a, b) => a.since - b.since)) {
      const isBetter = o.reference === undefined || (o.side === "sell" ? price > o.reference : price < o.reference);
      if (isBetter) follow(o, price);
      if (isBetter) o.turn = clock += 1;
    }
    const met = waiting.filter((o) => isMet(o, price));
    const up = met.filter(rises).sort((a, b) => (a.stop ?? 0) - (b.stop ?? 0) || a.turn - b.turn);
    const down = met.filter((o) => !rises(o)).sort((a, b) => (b.stop ?? 0) - (a.stop ?? 0) || a.turn - b.turn);
    for (const o of [...up, ...down]) fire(o);
  }
  /** What a fill does to the orders that are linked to its own. */
  function linked(o: NaiveOrder): void {
    const isDone = left(o) === 0;
    const also = partner(o);
    if (also !== undefined && (isDone || o.condition === "first_hit")) {
      o.isCoupled = also.isCoupled = false;
      cancel(also);
    } else if (also !== undefined && o.condition === "incremental") {
      const by = share(also.total, o.filled, o.total) - also.taken;
      also.taken += Math.max(0, by);
      if (by > 0) reduce(also, by);
    }
    const parts = orders.flatMap((f) => {
      if (f.primary !== o || f.state !== "parked") return [];
      const due = share(f.total, o.filled, o.amount) - f.taken;
      if (isDone || f.condition === "first_hit") return [{ f, amount: f.total - f.taken }];
      return f.condition === "incremental" && due >= MIN_AMOUNT ? [{ f, amount: due }] : [];
    });
    clock += 1;
    const children = parts.map(({ f, amount }): NaiveOrder => {
      f.taken += amount;
      if (f.taken === f.total) f.state = "done";
      else f.amount -= amount;
      const show = f.show === undefined || f.show >= amount ? undefined : f.show;
      const group = parts.length > 1 ? `${f.group ?? ""}/${String(clock)}` : undefined;
      return { ...f, amount, show, group, isCoupled: group !== undefined, primary: undefined, total: amount, taken: 0 };
    });
    for (const child of children) admitChild(child);
  }
  function admitChild(child: NaiveOrder): void {
    orders.push(child);
    child.state = "new";
    if (child.source !== undefined) wait(child);
    else queue.push(child);
  }

  /** Whether an order may come in; it gets its price and amount. */
  function admit(o: NaiveOrder): boolean {
    if (o.reduceOnly === true && reducible(o) === 0) return false;
    if (o.reduceOnly === true) o.amount = Math.min(o.amount, o.filled + reducible(o));
    const best = resting(other(o))[0]?.price;
    if (o.type === "market_limit") o.price ??= best;
    if (o.post !== undefined && best !== undefined && crosses(o, best)) {
      if (o.post === "reject") return false;
      o.price = o.side === "buy" ? best - 1 : best + 1;
    }
    return !survey(o).isRefused;
  }
  function enter(o: NaiveOrder): void {
    const isKilled = o.timeInForce === "fill_or_kill" && survey(o).sure < left(o);
    let isStopped = isKilled;
    while (!isStopped && o.state === "new" && left(o) > 0) {
      const m = resting(other(o))[0];
      if (m?.price === undefined || !crosses(o, m.price)) break;
      if (m.account !== o.account || mode(o.account) === "allow") trade(m, o, Math.min(m.tip, left(o)));
      else if (mode(o.account) === "cancel_maker") cancel(m);
      else isStopped = true;
    }
    if (o.state !== "new") return;
    const isImmediate = o.timeInForce === "fill_or_kill" || o.timeInForce === "immediate_or_cancel";
    if (isStopped || isImmediate || o.price === undefined) return cancel(o);
    o.state = "rests";
    o.tip = Math.min(o.show === undefined || o.show === 0 ? left(o) : o.show, left(o));
    o.turn = clock += 1;
  }
  function trade(m: NaiveOrder, o: NaiveOrder, amount: number): void {
    trades.push(`${o.label} ${o.side} ${String(amount)} @ ${String(m.price)} of ${m.label}`);
    for (const each of [m, o]) {
      each.filled += amount;
      positions.set(each.account, (positions.get(each.account) ?? 0) + (each.side === "buy" ? amount : -amount));
    }
    lessen(m, amount);
    for (const each of [m, o]) if (left(each) === 0) each.state = "done";
    linked(m);
    linked(o);
    trim(m.account);
    trim(o.account);
    reach("last_price", m.price ?? 0);
  }
  function settle(): void {
    for (let o = queue.shift(); o !== undefined; o = queue.shift()) {
      if (o.state !== "new") continue;
      if (admit(o)) enter(o);
      else cancel(o);
    }
  }
  const start = (d: NaiveDraft): NaiveOrder => ({
    ...{ tip: 0, turn: 0, since: 0, filled: 0, taken: 0, reference: undefined, condition: "", group: undefined },
    ...{ isCoupled: false, primary: undefined, state: "new", ...d, total: d.amount },
    ...{ price: d.price, stop: d.stop, offset: d.offset },
    show: d.show === undefined || d.show >= d.amount ? undefined : d.show,
  });
  const find = (label: string) => orders.find((o) => o.label === label && o.state !== "done");
  const isPassed = ({ source = "last_price", stop }: NaiveDraft, o: NaiveOrder) =>
    stop !== undefined && prices[source] !== undefined && isMet({ ...o, stop }, prices[source]);
  return {
    trades,
    /** The open orders, oldest first. */
    open: () =>
      orders.filter((o) => o.state !== "done").map((o) => `${o.label} ${String(left(o))} @ ${String(o.price)}`),
    place(draft: NaiveDraft, link?: NaiveLink, legs: readonly NaiveDraft[] = []): boolean {
      const o = start(draft);
      const rest = legs.map(start);
      const coupled = link?.type === "oco" ? [o, ...rest] : link?.type === "otoco" ? rest : [];
      for (const each of [o, ...rest]) each.condition = link?.condition ?? "";
      for (const each of coupled) Object.assign(each, { group: draft.label, isCoupled: true });
      if ([draft, ...(link?.type === "oco" ? legs : [])].some((each) => isPassed(each, start(each)))) return false;
      if (o.source === undefined && !admit(o)) return false;
      for (const each of coupled) each.total = each.amount;
      orders.push(o);
      if (o.source !== undefined) wait(o);
      for (const leg of rest) {
        if (link?.type === "oco") admitChild(leg);
        else orders.push(Object.assign(leg, { state: "parked", primary: o }));
      }
      if (o.source === undefined) enter(o);
      settle();
      return true;
    },
    edit(label: string, amount: number, wanted: number): boolean {
      const o = find(label);
      if (o === undefined || amount <= o.filled) return false;
      const price = o.price === undefined ? undefined : wanted;
      const resize = (to: number) => {
        o.total = to + o.taken;
        o.amount = to;
      };
      if (o.state !== "rests") {
        resize(amount);
        o.price = price;
        if (o.state === "waits") wait(o);
      } else if (price === o.price && amount <= o.amount) {
        const by = o.amount - amount;
        const ofTip = Math.max(0, by - (left(o) - o.tip));
        resize(amount);
        lessen(o, ofTip);
      } else {
        const next = { ...o, amount, price };
        if (!admit(next) && next.post === "reject" && crosses(next, resting(other(o))[0]?.price ?? NaN)) cancel(o);
        else if (!admit(next)) return false;
        else {
          const isResized = next.amount !== o.amount;
          o.price = next.price;
          if (isResized) resize(next.amount);
          o.state = "new";
          enter(o);
        }
      }
      settle();
      return true;
    },
    cancel(label: string): boolean {
      const o = find(label);
      if (o !== undefined) cancel(o);
      settle();
      return o !== undefined;
    },
    setPrice(source: Source, price: number): void {
      reach(source, price);
      settle();
    },
  };
}
