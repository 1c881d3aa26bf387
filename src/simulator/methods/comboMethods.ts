import { comboLegs, isActiveCombo } from "../market/combos.ts";
import { isCurrency } from "../market/currencies.ts";
import { expiryOf } from "../market/expiries.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import type { Venue } from "../market/venue.ts";
import type { WireMembers } from "../accounts/positions.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { roundTo, writeJson } from "../text/json.ts";
import type { Call, HandlerPorts, MethodHandlers } from "./handlers.ts";

type ComboMethod = "public/get_combos" | "public/get_combo_ids" | "public/get_combo_details" | "private/get_leg_prices";

const DAY_MS = 86_400_000;
/** The age of the combos, and their first ID: any will do. */
const AGE_MS = 30 * DAY_MS;
const FIRST_ID = 520_000;

/** Makes the methods for combos: which there are, and what their legs cost. */
export function comboMethods({ clock, world, venue }: HandlerPorts): Pick<MethodHandlers, ComboMethod> {
  const combos = [...world.instruments.values()].filter(({ kind }) => kind.endsWith("_combo"));
  const inCurrency = (currency: string): SimulatedInstrument[] => {
    if (currency !== "any" && !isCurrency(currency)) throw invalidParam("currency", "invalid currency");
    return combos.filter(({ currencies }) => currency === "any" || currencies.includes(currency));
  };
  const startMs = clock.now();
  const members = (combo: SimulatedInstrument): WireMembers => {
    const nowMs = clock.now();
    const isActive = isActiveCombo(combo, nowMs);
    return {
      id: combo.name,
      instrument_id: FIRST_ID + combos.indexOf(combo),
      state: isActive ? "active" : "inactive",
      state_timestamp: isActive ? startMs - AGE_MS : (expiryOf(combo.name) ?? nowMs),
      creation_timestamp: startMs - AGE_MS,
      legs: comboLegs(combo.name).map(({ instrument_name, amount }) => ({ instrument_name, amount })),
    };
  };
  return {
    "public/get_combos": ({ params: { currency } }) =>
      writeJson(
        inCurrency(currency)
          .filter((combo) => isActiveCombo(combo, clock.now()))
          .map(members),
      ),
    "public/get_combo_ids": ({ params: { currency, state } }) => {
      if (state !== undefined && state !== "active" && state !== "inactive")
        throw invalidParam("state", "invalid state");
      const isWanted = (combo: SimulatedInstrument): boolean =>
        state === undefined || isActiveCombo(combo, clock.now()) === (state === "active");
      return writeJson(
        inCurrency(currency)
          .filter(isWanted)
          .map(({ name }) => name),
      );
    },
    "public/get_combo_details": ({ params: { combo_id: id } }) => {
      const combo = combos.find(({ name }) => name === id);
      if (combo === undefined) throw refusal(13_020);
      return writeJson(members(combo));
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
function legPrices(venue: Venue, asked: Call<"private/get_leg_prices">["params"]["legs"], price: number): WireMembers {
  const legs = asked.map(({ instrument_name: name = "", amount = 0, direction }) => {
    const instrument = venue.instrument(name);
    if (instrument === undefined) throw invalidParam("legs", "invalid instrument_name");
    if (!(amount > 0)) throw invalidParam("legs", "invalid amount");
    if (direction !== "buy" && direction !== "sell") throw invalidParam("legs", "invalid direction");
    const { mark } = venue.market.marks;
    return { name, amount, direction, sign: direction === "buy" ? 1 : -1, price: mark(instrument, venue.marketMs) };
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
