import type { Refusal } from "../refusal.ts";
import { refuseInState } from "./bookState.ts";
import { completeLegs, refuseLinks, refusePassedTrigger, refuseTerms, termsOf } from "./checks.ts";
import type { Desk, TradedMarket } from "./desk.ts";
import { createBookOrder, type CompleteDraft } from "./make.ts";
import type { Matching } from "./matching.ts";
import { isTriggerType, isWaitingOrder, type BookOrder, type OrderDraft } from "./order.ts";

/** Places an order with those that are linked to it. Nothing has happened where it is refused. */
export function placeOrder(desk: Desk, matching: Matching, draft: OrderDraft): BookOrder | Refusal {
  const market = desk.market(draft.instrument);
  if (market === undefined) return { word: "invalid_or_unsupported_instrument" };
  const legs = completeLegs(draft);
  const refusal = refuseDraft(desk, market, draft, legs);
  if (refusal !== undefined) return refusal;
  const { order, linked } = createOrders(desk, draft, legs);
  if (!isWaitingOrder(order)) {
    const refused = matching.admit(order, undefined);
    if (refused !== undefined) return refused;
  }
  tie(desk, market, draft, [order, ...linked]);
  desk.file(order);
  for (const each of linked) desk.open(each);
  if (order.state === "open") matching.enter(order);
  matching.settleDue();
  return order;
}

/** Returns why an order would be refused now; nothing changes by it. */
export function refusePlacing(desk: Desk, matching: Matching, draft: OrderDraft): Refusal | undefined {
  const market = desk.market(draft.instrument);
  if (market === undefined) return { word: "invalid_or_unsupported_instrument" };
  const refusal = refuseDraft(desk, market, draft, completeLegs(draft));
  if (refusal !== undefined) return refusal;
  const order = createBookOrder(draft, {}, { order: () => "" }, desk.nowMs);
  return isWaitingOrder(order) ? undefined : matching.admit(order, undefined);
}

function refuseDraft(
  desk: Desk,
  market: TradedMarket,
  draft: OrderDraft,
  legs: readonly CompleteDraft[],
): Refusal | undefined {
  const closed = refuseInState(market.state, "place");
  if (closed !== undefined) return closed;
  const locked =
    draft.isLiquidation === true ? undefined : desk.ports.risk.refusesControl(draft.account, draft.instrument);
  if (locked !== undefined) return locked;
  if (draft.validUntilMs !== undefined && draft.validUntilMs < desk.nowMs) return { word: "timed_out" };
  const terms = [draft, ...legs].map((each) => termsOf(each));
  for (const each of terms) {
    const refusal = refuseTerms(each, market.instrument);
    if (refusal !== undefined) return refusal;
  }
  // The price at which a linked order will begin to wait is not known yet.
  const waiting = draft.linked?.type === "one_cancels_other" ? terms : terms.slice(0, 1);
  for (const each of waiting) {
    const refusal = refusePassedTrigger(each, market);
    if (refusal !== undefined) return refusal;
  }
  return refuseLinks(draft) ?? refuseMore(desk, draft, legs);
}

/** Refuses more orders that wait than an account may have. */
function refuseMore({ ports, shelf }: Desk, draft: OrderDraft, legs: readonly CompleteDraft[]): Refusal | undefined {
  const { triggers = Infinity, linked = Infinity } = ports.limits ?? {};
  const count = shelf.waiting(draft.account);
  const isCouple = draft.linked?.type === "one_cancels_other";
  const own = [draft, ...(isCouple ? legs : [])].filter(({ type = "limit" }) => isTriggerType(type)).length;
  if (count.triggers + own > triggers) return { word: "no_more_triggers", limit: triggers };
  if (!isCouple && count.linked + legs.length > linked) return { word: "no_more_oto_orders", limit: linked };
  return undefined;
}

function createOrders(
  { ports: { ids }, nowMs }: Desk,
  draft: OrderDraft,
  legs: readonly CompleteDraft[],
): { readonly order: BookOrder; readonly linked: readonly BookOrder[] } {
  if (draft.linked === undefined) return { order: createBookOrder(draft, {}, ids, nowMs), linked: [] };
  const { type, fillCondition = "first_hit" } = draft.linked;
  const ref = type === "one_triggers_other" ? {} : { ocoRef: ids.link() };
  if (type === "one_cancels_other") {
    const ties = { fillCondition, ...ref };
    return {
      order: createBookOrder(draft, ties, ids, nowMs),
      linked: legs.map((leg) => createBookOrder(leg, ties, ids, nowMs)),
    };
  }
  const isPrimaryOtoco = type === "one_triggers_one_cancels_other";
  const order = createBookOrder(draft, { fillCondition, isPrimaryOtoco }, ids, nowMs);
  const ties = { ...ref, fillCondition, isSecondaryOto: true, primaryOrderId: order.id };
  const linked = legs.map((leg) => createBookOrder(leg, ties, ids, nowMs));
  order.otoOrderIds = linked.map(({ id }) => id);
  return { order, linked };
}

/** Lets the orders of a draft know of each other. */
function tie({ links }: Desk, { instrument }: TradedMarket, draft: OrderDraft, orders: readonly BookOrder[]): void {
  const [order, ...linked] = orders;
  if (draft.linked === undefined || order === undefined) return;
  const { type, fillCondition = "first_hit" } = draft.linked;
  const coupled = type === "one_cancels_other" ? orders : linked;
  const ref = coupled[0]?.ocoRef;
  if (ref !== undefined) links.couple(ref, fillCondition, coupled);
  if (type !== "one_cancels_other") links.follow(order, fillCondition, linked, instrument.minAmount);
}
