import type { AskedMove } from "../../exchange/ledger/moves.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import { lastSettlement } from "../../exchange/market/calendar.ts";
import { announcePortfolio } from "../accounts/portfolioEvents.ts";
import { toSteps } from "../../exchange/units.ts";
import { describePositions, emptyPosition } from "../market/positions.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { refusalError } from "../text/refusals.ts";
import type { Venue } from "../market/venue.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import type { Call, HandlerPorts, MethodHandlers } from "./handlers.ts";

type PositionMethod = "private/get_position" | "private/get_positions" | "private/move_positions";

/** Makes the methods for positions of one account, and for moving them to another one. */
export function positionMethods(ports: HandlerPorts): Pick<MethodHandlers, PositionMethod> {
  const { id, venue } = ports;
  return {
    "private/get_position": ({ params: { instrument_name: name } }) => {
      const instrument = venue.instrument(name);
      if (instrument === undefined || instrument.kind === "spot")
        throw invalidParam("instrument_name", "invalid instrument");
      venue.catchUp([]);
      const [position] = describePositions(venue.ledger, String(id), (each) => each.name === name);
      if (position !== undefined) return writeJson(position);
      const { marks, indexes } = venue.market;
      const atMs = venue.marketMs;
      const prices = {
        mark: marks.mark(instrument, atMs),
        index: indexes.price(instrument.indexName, atMs),
        settlement: marks.mark(instrument, lastSettlement(atMs)),
      };
      return writeJson(emptyPosition(instrument, prices));
    },
    "private/get_positions": ({ params: { currency = "any", kind } }) => {
      if (currency !== "any") refuseUnknownCurrency(currency);
      venue.catchUp([]);
      return writeJson(
        describePositions(
          venue.ledger,
          String(id),
          (instrument) =>
            (currency === "any" || instrument.settlementCurrency === currency) &&
            (kind === undefined || instrument.kind === kind),
        ),
      );
    },
    "private/move_positions": (call) => movePositionsBetween(ports, call),
  };
}

/**
 * Moves positions between two accounts of the owner. Their orders that may only reduce become no larger than what is
 * left. Both hear of it as of any change of a position.
 */
function movePositionsBetween(
  { clock, accounts, venue, publisher, changesOf }: HandlerPorts,
  { params: { source_uid: source, target_uid: target, trades }, authorisation }: Call<"private/move_positions">,
): string {
  if (authorisation?.subject !== accounts.main.id) throw refusal(13012);
  if (accounts.find(source) === undefined) throw invalidParam("source_uid", "invalid source_uid");
  if (accounts.find(target) === undefined || target === source) throw invalidParam("target_uid", "invalid target_uid");
  const moves = trades.map((trade) => askedMove(venue, trade));
  venue.catchUp(moves.map(({ instrument }) => instrument));
  const moved = venue.ledger.move(String(source), String(target), moves, clock.now());
  if ("word" in moved) throw refusalError(moved, undefined);
  for (const { instrument } of moves) {
    const currency = venue.instrument(instrument)?.settlementCurrency;
    const changed = venue.listing.instruments.get(instrument);
    for (const account of [source, target]) {
      venue.operate(instrument, (engine, nowMs) => engine.positionChanged(String(account), instrument, nowMs));
      if (changed !== undefined) changesOf(account)?.position(changed);
      if (currency !== undefined) announcePortfolio({ publisher, venue }, account, currency);
    }
  }
  return writeJson({
    trades: moved.map(({ instrument, direction, price, amount }) => ({
      instrument_name: instrument,
      direction,
      price: numberOf(price),
      amount: numberOf(amount),
      source_uid: source,
      target_uid: target,
    })),
  });
}

/** Reads a trade of the call. Without a price, a position moves at the mark price. */
function askedMove(
  venue: Venue,
  { instrument_name: name = "", amount, price }: Call<"private/move_positions">["params"]["trades"][number],
): AskedMove {
  const instrument = venue.instrument(name);
  if (instrument === undefined || instrument.kind === "spot") throw invalidParam("trades", "invalid instrument_name");
  const lots = amount === undefined ? undefined : toSteps(amount, instrument.lot);
  if (lots === undefined || lots <= 0) throw invalidParam("trades", "invalid amount");
  const ticks = price === undefined ? undefined : toSteps(price, instrument.tick);
  if (price !== undefined && (ticks ?? 0) <= 0) throw invalidParam("trades", "invalid price");
  return { instrument: name, amount: lots, price: ticks };
}
