import { comboLegs } from "../market/combos.ts";
import { isExpired } from "../market/figures.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import type { Venue } from "../market/venue.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { roundTo, writeJson } from "../text/json.ts";
import type { Figures } from "../market/figures.ts";
import type { Call, HandlerPorts, MethodHandlers } from "./handlers.ts";
import { instrumentsOf } from "./marketMethods.ts";

type ComboMethod = `public/get_combo${"s" | "_ids" | "_details"}` | "private/get_leg_prices";

/** Makes the methods for combos: those that are listed, and what legs cost. Others cannot be made. */
export function comboHandlers({ world, venue }: HandlerPorts): Required<Pick<MethodHandlers, ComboMethod>> {
  const { instruments, market } = world;
  const stateOf = (combo: SimulatedInstrument): "active" | "inactive" =>
    isExpired(market, combo) ? "inactive" : "active";
  const describe = (combo: SimulatedInstrument): Figures => ({
    id: combo.name,
    instrument_id: combo.id,
    state: stateOf(combo),
    state_timestamp: isExpired(market, combo) ? combo.expiresAtMs : combo.createdAtMs,
    creation_timestamp: combo.createdAtMs,
    legs: comboLegs(combo).map(({ instrument, amount }) => ({ instrument_name: instrument.name, amount })),
  });
  const combosOf = (currency: string): SimulatedInstrument[] => instrumentsOf(instruments, { currency, kind: "combo" });
  return {
    "public/get_combos": ({ params }) => writeJson(combosOf(params.currency).map(describe)),
    "public/get_combo_ids": ({ params }) =>
      writeJson(
        combosOf(params.currency)
          .filter((combo) => params.state === undefined || params.state === stateOf(combo))
          .map(({ name }) => name),
      ),
    "public/get_combo_details": ({ params }) => {
      const combo = combosOf("any").find(({ name }) => name === params.combo_id);
      if (combo === undefined) throw refusal(13020);
      return writeJson(describe(combo));
    },
    "private/get_leg_prices": ({ params: { legs, price } }) => {
      venue.catchUp([]);
      return writeJson(legPrices(venue, legs, price));
    },
  };
}

/**
 * Returns prices of legs that add up to the price of the structure: the mark prices, and for the first leg what is
 * left. How the exchange spreads it is not documented.
 */
function legPrices(venue: Venue, asked: Call<"private/get_leg_prices">["params"]["legs"], price: number): Figures {
  const { marks } = venue.market;
  const legs = asked.map(({ instrument_name: name = "", amount = 0, direction }) => {
    const instrument = venue.instrument(name);
    if (instrument === undefined) throw invalidParam("legs", "invalid instrument_name");
    if (!(amount > 0)) throw invalidParam("legs", "invalid amount");
    if (direction !== "buy" && direction !== "sell") throw invalidParam("legs", "invalid direction");
    return {
      name,
      amount,
      direction,
      sign: direction === "buy" ? 1 : -1,
      price: marks.mark(instrument, venue.marketMs),
    };
  });
  const [first] = legs;
  if (first === undefined) throw invalidParam("legs", "value must not be empty");
  const amount = Math.min(...legs.map((leg) => leg.amount));
  const value = legs.reduce((sum, leg) => sum + (leg.sign * leg.price * leg.amount) / amount, 0);
  const rest = ((price - value) * amount) / (first.sign * first.amount);
  return {
    amount,
    legs: legs.map((leg) => ({
      instrument_name: leg.name,
      direction: leg.direction,
      ratio: Math.round(leg.amount / amount),
      price: roundTo(leg === first ? leg.price + rest : leg.price, 1e-8),
    })),
  };
}
