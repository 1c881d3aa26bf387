import { comboLegs } from "../market/combos.ts";
import { isExpired } from "../market/figures.ts";
import { CREATED_MS_BEFORE, instrumentId, type SimulatedInstrument } from "../market/instruments.ts";
import { refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import type { Figures } from "../market/figures.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { instrumentsOf } from "./marketMethods.ts";

type ComboMethod = `public/get_combo${"s" | "_ids" | "_details"}`;

/** Makes the methods for combos: those that are listed. Nobody can make others. */
export function comboHandlers({ world }: HandlerPorts): Required<Pick<MethodHandlers, ComboMethod>> {
  const { instruments, market } = world;
  const stateOf = (combo: SimulatedInstrument): "active" | "inactive" =>
    isExpired(market, combo) ? "inactive" : "active";
  const describe = (combo: SimulatedInstrument): Figures => ({
    id: combo.name,
    instrument_id: instrumentId(combo),
    state: stateOf(combo),
    state_timestamp: market.startMs - CREATED_MS_BEFORE,
    creation_timestamp: market.startMs - CREATED_MS_BEFORE,
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
  };
}
