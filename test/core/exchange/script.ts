import type { BookChange, Fact } from "../../../src/exchange/facts.ts";
import type { BookState } from "../../../src/exchange/orders/bookState.ts";
import type { EngineOutcome } from "../../../src/exchange/orders/engine.ts";
import type { LinkedDraft, LinkType, OrderDraft, OrderView } from "../../../src/exchange/orders/order.ts";
import type { Refusal } from "../../../src/exchange/refusal.ts";
import { createWorld, INSTRUMENT, type World } from "./world.ts";

/*
 * Operations as text, one per line, and what became of them as text. Numbers of orders count from 1.
 *
 *   A buy 10 @ 100 fok            post, reject, reduce, show=3, ioc, fok, gtd, until=MS, routed
 *   A sell 10 stop_market last=95 trigger by last, mark, or index price; trailing_stop last~5 by distance
 *   A buy 5 @ 100 otoco incremental | sell @ 110 | sell stop_market last=90
 *   A edit 1 amount=5 price=101
 *   A cancel 1 · A close @ 100 · A close market · cancel all · state locked · arrive 1
 *   last 100 · mark 100 · index 100 · band 90 110 · at 2026-01-05T07:59Z
 */

const INSTRUMENT_NAME = INSTRUMENT.name;

/** Plays a script, and returns what happened: the lines of the script, each with its facts below. */
export function play(
  script: string,
  options: Parameters<typeof createWorld>[0] & { isBookShown?: boolean } = {},
): string {
  const world = createWorld(options);
  let nowMs = 0;
  const lines = script
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .flatMap((line) => {
      if (line.startsWith("at ")) {
        nowMs = Date.parse(line.slice(3));
        return [line, ...describeFacts(world.engine.advance(nowMs), options.isBookShown)];
      }
      const outcome = act(world, line, nowMs);
      const facts = "facts" in outcome ? outcome.facts : outcome;
      const refused = "refusal" in outcome ? [`  refused: ${describeRefusal(outcome.refusal)}`] : [];
      return [line, ...refused, ...describeFacts(facts, options.isBookShown)];
    });
  return `\n${[...lines, ...describeDepth(world)].join("\n")}\n`;
}

function act({ engine }: World, line: string, nowMs: number): EngineOutcome | readonly Fact[] {
  const [first = "", second = "", ...rest] = line.split(" ");
  if (line === "cancel all") return engine.cancelAll({ reason: "user_request" }, nowMs);
  if (first === "state") return engine.setBookState(INSTRUMENT_NAME, second as BookState, nowMs);
  if (first === "band") return engine.setPrices(INSTRUMENT_NAME, { low: Number(second), high: Number(rest[0]) }, nowMs);
  if (/^(last|mark|index)$/.test(first)) return engine.setPrices(INSTRUMENT_NAME, { [first]: Number(second) }, nowMs);
  if (first === "arrive") return engine.arrive(second, nowMs);
  if (second === "cancel") return engine.cancel(first, rest[0] ?? "", nowMs);
  if (second === "close")
    return engine.closePosition(first, INSTRUMENT_NAME, rest[0] === "@" ? { price: Number(rest[1]) } : {}, nowMs);
  if (second !== "edit") return engine.place(draftOf(line), nowMs);
  const changes = Object.fromEntries(rest.slice(1).map((word) => editOf(word)));
  return engine.edit(first, rest[0] ?? "", changes, nowMs);
}

function editOf(word: string): [string, number | boolean] {
  const [name = "", value = "true"] = word.split("=");
  return [name, value === "true" || value === "false" ? value === "true" : Number(value)];
}

const LINKS: Readonly<Record<string, LinkType>> = {
  oto: "one_triggers_other",
  oco: "one_cancels_other",
  otoco: "one_triggers_one_cancels_other",
};

function draftOf(line: string): OrderDraft {
  const [own = "", ...legs] = line.split("|").map((part) => part.trim());
  const [account = "", ...words] = own.split(" ");
  const type = words.find((word) => word in LINKS);
  const fillCondition = words.find((word) => ["first_hit", "complete_fill", "incremental"].includes(word));
  const linked = type !== undefined && {
    type: LINKS[type] ?? "one_triggers_other",
    legs: legs.map((leg) => termsOf(leg.split(" "))),
    ...(fillCondition === undefined ? {} : { fillCondition: fillCondition as "first_hit" }),
  };
  const terms = termsOf(words) as LinkedDraft & Pick<OrderDraft, "direction" | "amount">;
  return { account, instrument: INSTRUMENT_NAME, ...terms, ...(linked === false ? {} : { linked }) };
}

const FLAGS: Readonly<Record<string, object>> = {
  buy: { direction: "buy" },
  sell: { direction: "sell" },
  post: { postOnly: true },
  reject: { postOnly: true, rejectPostOnly: true },
  reduce: { reduceOnly: true },
  ioc: { timeInForce: "immediate_or_cancel" },
  fok: { timeInForce: "fill_or_kill" },
  gtd: { timeInForce: "good_til_day" },
  liquidation: { isLiquidation: true },
  routed: { isRouted: true },
};

function termsOf(words: readonly string[]): LinkedDraft {
  const terms = words.map((word, at): object => {
    const [, source = "", sign = "", price = ""] = /^(last|mark|index)([=~])(-?\d+)$/.exec(word) ?? [];
    if (source !== "")
      return { trigger: `${source}_price`, [sign === "=" ? "triggerPrice" : "triggerOffset"]: Number(price) };
    if (/^-?[\d.]+$/.test(word)) return words[at - 1] === "@" ? { price: Number(word) } : { amount: Number(word) };
    if (word.startsWith("show=")) return { displayAmount: Number(word.slice(5)) };
    if (word.startsWith("until=")) return { validUntilMs: Number(word.slice(6)) };
    if (/^(stop|take|market|trailing)/.test(word)) return { type: word };
    return FLAGS[word] ?? {};
  });
  return Object.assign({}, ...terms) as LinkedDraft;
}

function describeFacts(facts: readonly Fact[], isBookShown = false): string[] {
  return facts.flatMap((fact) => {
    if (fact.kind === "book") return isBookShown ? [`  ${describeChange(fact)}`] : [];
    return [`  ${describeFact(fact)}`];
  });
}

function describeFact(fact: Exclude<Fact, BookChange>): string {
  if (fact.kind === "trade") {
    const { price, amount, direction, taker, maker } = fact.trade;
    return `trade: ${taker.orderId} (${taker.account}) ${direction} ${String(amount)} @ ${String(price)} of ${maker.orderId} (${maker.account})`;
  }
  const said = `${fact.kind} ${describeOrder(fact.order)}`;
  if (fact.kind === "cancelled") return `${said}: ${fact.reason}`;
  if (fact.kind === "rejected") return `${said}: ${describeRefusal(fact.refusal)}`;
  if (fact.kind === "triggered") return `${said}: goes on as ${fact.childId}`;
  return fact.kind === "reduced" ? `${said}: by ${String(fact.by)}` : said;
}

function describeOrder(order: OrderView): string {
  const { id, direction, amount, filled, price, type, state, trigger, triggerPrice, displayAmount } = order;
  const waits = state === "untriggered" && trigger !== undefined && triggerPrice !== undefined;
  return [
    `${id} ${direction} ${filled > 0 ? `${String(filled)}/` : ""}${String(amount)}`,
    ...(type === "limit" ? [] : [type]),
    ...(price === undefined ? [] : [`@ ${String(price)}`]),
    ...(displayAmount === undefined ? [] : [`showing ${String(displayAmount)}`]),
    ...(waits ? [`at ${trigger.replace("_price", "")} ${String(triggerPrice)}`] : []),
    ...(order.isSecondaryOto && state === "untriggered" ? [`after ${String(order.primaryOrderId)}`] : []),
    ...(order.triggerOrderId === undefined ? [] : [`from ${order.triggerOrderId}`]),
    ...(order.ocoRef === undefined ? [] : [order.ocoRef]),
  ].join(" ");
}

function describeRefusal({ word, limit, param, detail }: Refusal): string {
  return [word, limit, param, detail].filter((part) => part !== undefined).join(" ");
}

function describeChange({ changeId, prevChangeId, bids, asks }: BookChange): string {
  const levels = (side: string, changes: BookChange["bids"]): string[] =>
    changes.map(({ action, price, amount }) => `${side} ${action} ${String(price)} ${String(amount)}`);
  return `book ${String(prevChangeId ?? "-")} → ${String(changeId)}: ${[...levels("bid", bids), ...levels("ask", asks)].join(", ")}`;
}

function describeDepth({ engine }: World): string[] {
  const { bids, asks } = engine.depth(INSTRUMENT_NAME, 10);
  const side = (levels: typeof bids): string =>
    levels.map(({ price, amount }) => `${String(amount)} @ ${String(price)}`).join(", ") || "nothing";
  return [`= ${side(bids)} | ${side(asks)}`];
}
