import { rateClassOf } from "../../catalogue/index.ts";
import { RATE_BUDGETS } from "../../catalogue/rates.ts";
import { isKeepAlive, isOrder, isWrite, type Conversation } from "./conversation.ts";

/** What is so, without a judgement. */
export interface BotFacts {
  readonly calls: number;
  readonly writes: number;
  /** Orders that have neither a label nor `valid_until`: reading can't settle their outcome. */
  readonly unsettledOrders: number;
  /** The credits that its calls cost, those of the matching engine not counted. */
  readonly credits: number;
  /** The times from a fault to the next call, in ms. */
  readonly reactionsMs: readonly number[];
  readonly openOrders: number | undefined;
  readonly exitCode: number | undefined;
}

/** Returns the facts of a conversation. */
export function factsOf({ calls, end }: Conversation): BotFacts {
  const reactionsMs = calls.flatMap(({ frame }, index) => {
    const next = calls[index + 1];
    return frame.truth?.fault === undefined || next === undefined ? [] : [Math.round(next.frame.atMs - frame.atMs)];
  });
  return {
    calls: calls.length,
    writes: calls.filter(({ frame }) => isWrite(frame)).length,
    unsettledOrders: calls.filter(
      ({ frame }) =>
        isOrder(frame) &&
        /\/(?:buy|sell)$/.test(frame.method) &&
        [frame.params["label"], frame.params["valid_until"]].every((each) => each === undefined),
    ).length,
    credits: calls
      .map(({ frame }) => rateClassOf(frame.method))
      .filter((rate) => rate !== "matching")
      .reduce((sum, rate) => sum + RATE_BUDGETS[rate].cost, 0),
    reactionsMs,
    openOrders: end?.account?.openOrders,
    exitCode: end?.exitCode,
  };
}

/** Whether a change was sent at a fault or after one: without it, nothing was tested. */
export function isTested({ calls }: Conversation): boolean {
  const first = calls.findIndex(({ frame }) => frame.truth?.fault !== undefined);
  return first >= 0 && calls.slice(first).some(({ frame }) => isWrite(frame));
}

/** Returns the longest time in which a bot sent nothing, calls that keep a connection aside, in ms. */
export function longestSilence({ calls, end }: Conversation): number {
  const sent = calls.filter(({ frame }) => !isKeepAlive(frame));
  const times = [0, ...sent.map(({ frame }) => frame.atMs), ...(end === undefined ? [] : [end.atMs])];
  return Math.max(0, ...times.map((each, index) => each - (times[index - 1] ?? each)));
}
