import type { Fact } from "../../../src/exchange/facts.ts";
import type { SelfTrading } from "../../../src/exchange/orders/engineCore.ts";
import type { OrderDraft, OrderType } from "../../../src/exchange/orders/order.ts";
import { createSeededRandom, randomInteger } from "../../../src/simulator/text/seededRandom.ts";
import type { NaiveDraft, NaiveLink } from "./naiveOrder.ts";
import { createWorld, INSTRUMENT, type World } from "./world.ts";

/** One operation of a schedule, for either book. */
export type Step =
  | {
      readonly kind: "place";
      readonly draft: NaiveDraft;
      readonly link?: NaiveLink;
      readonly legs: readonly NaiveDraft[];
    }
  | { readonly kind: "edit"; readonly label: string; readonly amount: number; readonly price: number }
  | { readonly kind: "cancel"; readonly label: string }
  | { readonly kind: "price"; readonly source: NonNullable<NaiveDraft["source"]>; readonly price: number };

const STEPS = 50;

/** The schedules of each day are others; a failure names the seed. */
export const FIRST_SEED = Math.floor(Date.now() / 86_400_000) * 100_000;

const MODES: Readonly<Record<string, SelfTrading["mode"]>> = {
  A: "reject_taker",
  B: "cancel_maker",
  C: "reject_taker",
};

/** Returns what an account wants where it meets itself. */
export function modeOf(account: string): SelfTrading["mode"] {
  return MODES[account] ?? "allow";
}

const ACCOUNTS = ["A", "B", "C", "D", "E", "F"];
const CONDITIONS = ["first_hit", "complete_fill", "incremental"];
const SOURCES = ["last_price", "mark_price", "index_price"] as const;
const WAITING_TYPES = ["stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"];

/** Makes the operations of a seed. The market is narrow, so that orders meet. */
export function createSchedule(seed: number): readonly Step[] {
  const random = createSeededRandom(seed);
  const isSometimes = (share: number): boolean => random() < share;
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const amount = (): number => randomInteger(random, 1, isSometimes(0.3) ? 900 : 30);
  const price = (): number => randomInteger(random, 90, 110);
  const labels: string[] = [];

  const draft = (account: string, label: string, side: "buy" | "sell"): NaiveDraft => {
    labels.push(label);
    const type = isSometimes(0.6) ? "limit" : pick(["market", "market_limit", ...WAITING_TYPES]);
    const hasLimit = type === "limit" || type === "stop_limit" || type === "take_limit";
    const timeInForce = pick(["good_til_cancelled", "good_til_cancelled", "fill_or_kill", "immediate_or_cancel"]);
    const isPosted = hasLimit && timeInForce === "good_til_cancelled" && isSometimes(0.15);
    const isReduceOnly = isSometimes(0.15);
    const isIceberg = hasLimit && isSometimes(0.2);
    const size = isIceberg ? randomInteger(random, 90, isSometimes(0.1) ? 12_000 : 900) : amount();
    return {
      ...{ label, account, side, type, timeInForce, isReduceOnly, amount: size, mode: modeOf(account) },
      ...(hasLimit ? { price: price() } : {}),
      ...(isPosted ? { post: pick(["reprice", "reject"]) } : {}),
      ...(isIceberg ? { show: isSometimes(0.1) ? 0 : randomInteger(random, 97, 300) } : {}),
      ...(WAITING_TYPES.includes(type) ? waitOf(type) : {}),
    };
  };
  const waitOf = (type: string): Partial<NaiveDraft> => ({
    source: pick(["last_price", ...SOURCES]),
    ...(type === "trailing_stop" ? { offset: randomInteger(random, 1, 6) } : { stop: price() }),
  });
  const place = (at: number): Step => {
    const account = pick(ACCOUNTS);
    const side = pick(["buy", "sell"] as const);
    const first = draft(account, String(at), side);
    if (isSometimes(0.75)) return { kind: "place", draft: first, legs: [] };
    const type = pick(["oto", "oco", "otoco"] as const);
    const legSide = type === "oco" ? side : side === "buy" ? "sell" : "buy";
    const legs = Array.from({ length: type === "otoco" ? 2 : 1 }, (_, leg) => {
      const made = draft(account, `${String(at)}.${String(leg + 1)}`, legSide);
      return isSometimes(0.7) ? { ...made, amount: first.amount } : made;
    });
    return { kind: "place", draft: first, link: { type, condition: pick(CONDITIONS) }, legs };
  };
  return Array.from({ length: STEPS }, (_, at): Step => {
    const chance = random();
    if (chance < 0.7 || labels.length === 0) return place(at);
    if (chance < 0.8) return { kind: "cancel", label: pick(labels) };
    if (chance < 0.9) return { kind: "edit", label: pick(labels), amount: amount(), price: price() };
    return { kind: "price", source: pick(SOURCES), price: price() };
  });
}

/** What each operation of a schedule came to. */
export interface Played {
  readonly isDone: boolean;
  readonly facts: readonly Fact[];
}

/** Plays a schedule on the engine. `after` is called after each operation. */
export function playSchedule(schedule: readonly Step[], after: (world: World, played: Played) => void): void {
  const world = createWorld({ mode: modeOf });
  for (const step of schedule) after(world, act(world, step));
}

function act({ engine }: World, step: Step): Played {
  if (step.kind === "place") return engine.place(linkedDraftOf(step), 0);
  if (step.kind === "price") {
    const prices = { [step.source.replace("_price", "")]: step.price };
    return { isDone: true, facts: engine.setPrices(INSTRUMENT.name, prices, 0) };
  }
  const order = [...engine.open()].find(({ label }) => label === step.label);
  if (order === undefined) return { isDone: false, facts: [] };
  if (step.kind === "cancel") return engine.cancel(order.account, order.id, 0);
  const price = order.price === undefined ? {} : { price: step.price };
  return engine.edit(order.account, order.id, { amount: step.amount, ...price }, 0);
}

const LINK_TYPES = {
  oto: "one_triggers_other",
  oco: "one_cancels_other",
  otoco: "one_triggers_one_cancels_other",
} as const;

function linkedDraftOf({ draft, link, legs }: Step & { readonly kind: "place" }): OrderDraft {
  if (link === undefined) return draftOf(draft);
  const fillCondition = link.condition as "first_hit";
  return { ...draftOf(draft), linked: { type: LINK_TYPES[link.type], fillCondition, legs: legs.map(draftOf) } };
}

function draftOf({
  side,
  type,
  isReduceOnly = false,
  post,
  show,
  source,
  stop,
  offset,
  ...same
}: NaiveDraft): OrderDraft {
  const { label, account, amount, price, timeInForce = "good_til_cancelled" } = same;
  return {
    ...{ label, account, amount, instrument: INSTRUMENT.name, direction: side, reduceOnly: isReduceOnly },
    type: type as OrderType,
    timeInForce: timeInForce as NonNullable<OrderDraft["timeInForce"]>,
    ...(price === undefined ? {} : { price }),
    ...(post === undefined ? {} : { postOnly: true, rejectPostOnly: post === "reject" }),
    ...(show === undefined ? {} : { displayAmount: show }),
    ...(source === undefined ? {} : { trigger: source }),
    ...(stop === undefined ? {} : { triggerPrice: stop }),
    ...(offset === undefined ? {} : { triggerOffset: offset }),
  };
}
