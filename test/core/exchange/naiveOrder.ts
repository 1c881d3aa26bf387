/* The orders of the naive book, and what follows from one or two of them alone. It imports nothing. */

export type Source = "last_price" | "mark_price" | "index_price";

export interface NaiveDraft {
  label: string;
  account: string;
  side: "buy" | "sell";
  type: string;
  amount: number;
  price?: number | undefined;
  timeInForce?: string;
  post?: "reprice" | "reject" | undefined;
  isReduceOnly?: boolean;
  /** What happens where it meets one of its own account. */
  mode: "reject_taker" | "cancel_maker" | "allow";
  /** How much is shown at a time; 0: all. */
  show?: number | undefined;
  source?: Source | undefined;
  stop?: number | undefined;
  offset?: number | undefined;
}

/** How the legs hang on the first order. */
export type NaiveLink = { readonly type: "oto" | "oco" | "otoco"; readonly condition: string };

/** `total` is the amount without what links took of it (`taken`); `since` and `turn` are places in line. */
export type NaiveOrder = NaiveDraft &
  Record<"filled" | "tip" | "turn" | "since" | "total" | "taken", number> & {
    state: "new" | "rests" | "waits" | "parked" | "done";
    reference?: number | undefined;
    group?: string | undefined;
    isCoupled: boolean;
    condition: string;
    primary?: NaiveOrder | undefined;
  };

export const left = (o: NaiveOrder): number => o.amount - o.filled;
export const other = (o: NaiveOrder): string => (o.side === "buy" ? "sell" : "buy");
export const crosses = (o: NaiveOrder, m: NaiveOrder): boolean =>
  o.price === undefined || (o.side === "buy" ? m.price! <= o.price : m.price! >= o.price);
const byPrice = (a: NaiveOrder, b: NaiveOrder): number => (a.price! - b.price!) * (a.side === "sell" ? 1 : -1);
export const byPriority = (a: NaiveOrder, b: NaiveOrder): number => byPrice(a, b) || a.turn - b.turn;
const rises = (o: NaiveOrder): boolean => o.type.startsWith("take") === (o.side === "sell");
export const isMet = (o: NaiveOrder, price: number | undefined): boolean =>
  o.stop !== undefined && price !== undefined && (rises(o) ? price >= o.stop : price <= o.stop);
export const share = (total: number, filled: number, amount: number): number =>
  Math.min(total, Math.floor((total * filled) / amount));
export function follow(o: NaiveOrder, price: number | undefined): void {
  if (price === undefined || o.offset === undefined) return;
  Object.assign(o, { reference: price, stop: o.side === "sell" ? price - o.offset : price + o.offset });
}
/** Whether a price is further from a trailing stop than all before it. */
export const isBetter = (
  { side, offset, reference = side === "sell" ? -Infinity : Infinity }: NaiveOrder,
  price: number,
): boolean => offset !== undefined && (side === "sell" ? price > reference : price < reference);

/** Whether an order differs from another one by a smaller amount alone. */
export const isLess = (next: NaiveDraft, { price, amount }: NaiveDraft): boolean =>
  next.price === price && next.amount <= amount;
const isIceberg = ({ show = 0, amount }: NaiveDraft): boolean => show > 0 && show < amount;
/** Whether it shows at least a hundred of the smallest amounts, which is 1, and hides less than a hundred times that. */
export const showsEnough = (o: NaiveDraft): boolean =>
  !isIceberg(o) || (o.show! >= 100 && (o.amount - o.show!) / o.show! < 100);

/** Makes an order from its draft, or from an order of which it is a part. */
export function start(draft: NaiveDraft, condition = ""): NaiveOrder {
  const numbers = { filled: 0, tip: 0, turn: 0, since: 0, taken: 0, total: draft.amount };
  const show = isIceberg(draft) ? draft.show : undefined;
  return { ...draft, ...numbers, show, condition, state: "new", isCoupled: false };
}
/** Returns what each of the makers has, in the order in which it trades. */
function parts(makers: readonly NaiveOrder[]): { readonly m: NaiveOrder; readonly amount: number }[] {
  const tips = makers.map((m) => ({ m, amount: m.tip, rank: 0 }));
  return [...tips, ...makers.map((m) => ({ m, amount: left(m) - m.tip, rank: 1 }))]
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => byPrice(a.m, b.m) || a.rank - b.rank || a.m.turn - b.m.turn);
}
/** Those that wait for a rise come first, the lowest price before the others; then the falls, the highest first. */
export const waitRank = (o: NaiveOrder): number => (rises(o) ? o.stop! : 1e9 - o.stop!);
export const isImmediate = (o: NaiveOrder): boolean => /^(fill_or|immediate)/.test(o.timeInForce ?? "");

/** Returns what an order is sure to get, and whether it would meet one of its own account that has it refused. */
export function survey(
  o: NaiveOrder,
  makers: readonly NaiveOrder[],
  reducible: (maker: NaiveOrder) => number,
): { sure: number; isRefused: boolean } {
  const [groups, counted] = [new Set<string>(), new Map<string, number>()];
  let sure = 0;
  for (const { m, amount } of parts(makers.filter((maker) => crosses(o, maker)))) {
    if (sure >= left(o) || (o.group !== undefined && o.group === m.group)) break;
    if (m.account === o.account && o.mode === "reject_taker") return { sure, isRefused: true };
    if (m.account === o.account && o.mode === "cancel_maker") continue;
    const before = counted.get(m.account) ?? 0;
    counted.set(m.account, before + amount);
    const most = m.isReduceOnly === true ? Math.max(0, reducible(m) - before) : amount;
    if (m.group === undefined || !groups.has(m.group)) sure += Math.min(amount, most);
    if (m.group !== undefined) groups.add(m.group);
  }
  return { sure, isRefused: false };
}

export const say = (o: NaiveOrder): string => `${o.label} ${String(left(o))} @ ${String(o.price)}`;

/** Ties those together of which one cancels the other. */
export function couple(own: NaiveOrder, legs: readonly NaiveOrder[], link: NaiveLink | undefined): void {
  const coupled = link?.type === "oco" ? [own, ...legs] : link?.type === "otoco" ? legs : [];
  for (const o of coupled) Object.assign(o, { group: own.label, isCoupled: true });
}
