import type { ParamsOf } from "../../catalogue/index.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import type { Settlement } from "../../exchange/ledger/state.ts";
import type { Figures } from "../market/figures.ts";
import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { instrumentOf, instrumentsOf } from "./marketMethods.ts";
import { pageAfter } from "../text/pages.ts";

type SettlementMethod = `public/get_last_settlements_by_${"currency" | "instrument"}`;
type Params = Omit<ParamsOf<"public/get_last_settlements_by_instrument">, "instrument_name">;

const DEFAULT_COUNT = 20;

/** Makes the methods for public settlements. */
export function settlementMethods({ world }: HandlerPorts): Required<Pick<MethodHandlers, SettlementMethod>> {
  const { instruments, market } = world;
  const respond = (names: readonly string[], params: Params): string => {
    market.venue.catchUp([]);
    const all = publicSettlements(market.venue.ledger.settlements())
      .filter(({ instrument }) => names.includes(instrument))
      .filter(({ type, atMs }) => (params.type ?? type) === type && atMs <= (params.search_start_timestamp ?? Infinity))
      .sort((one, other) => other.atMs - one.atMs);
    const { items, next } = pageAfter(all, params.count ?? DEFAULT_COUNT, params.continuation);
    return writeJson({
      settlements: items.map(({ members }) => members),
      continuation: next === undefined ? "none" : String(next),
    });
  };
  return {
    "public/get_last_settlements_by_currency": ({ params }) => {
      const chosen = instrumentsOf(instruments, { currency: params.currency });
      return respond(
        chosen.map(({ name }) => name),
        params,
      );
    },
    "public/get_last_settlements_by_instrument": ({ params }) =>
      respond([instrumentOf(instruments, params.instrument_name).name], params),
  };
}

interface PublicSettlement extends Pick<Settlement, "instrument" | "type" | "atMs"> {
  readonly members: Figures;
}

/**
 * Returns the settlements of all accounts, one for each instrument and time: what all who were long held, and what all
 * who gained received. Nothing of it is about one account.
 */
function publicSettlements(settlements: readonly Settlement[]): PublicSettlement[] {
  const groups = new Map<string, Settlement[]>();
  for (const each of settlements) {
    const key = `${each.type} ${each.instrument} ${each.atMs}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { type, instrument, atMs, markPrice, indexPrice } = first;
    const gained = (of: (each: Settlement) => bigint): number =>
      numberOf(group.reduce((sum, each) => (of(each) > 0n ? sum + of(each) : sum), 0n));
    const members = {
      type,
      timestamp: atMs,
      instrument_name: instrument,
      index_price: numberOf(indexPrice),
      mark_price: numberOf(markPrice),
      position: gained(({ position }) => position),
      session_profit_loss: gained(({ sessionProfitLoss }) => sessionProfitLoss),
      profit_loss: gained(({ profitLoss }) => profitLoss),
      funding: gained(({ funding }) => funding),
    };
    return [{ type, instrument, atMs, members }];
  });
}
