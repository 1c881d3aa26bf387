import { plain } from "../../base/plain.ts";
import type { ReadFigures } from "../../actions/changes/orderPreview.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Instrument } from "../../state/instruments.ts";

/* What the forms of orders read over a connection. */

/** Returns what is known of an instrument; undefined where nothing is. */
export async function knownInstrument(live: LiveConnection, name: string): Promise<Instrument | undefined> {
  const { items } = await live.instruments.load();
  return items.find((each) => each.name === name);
}

/** Returns a function that reads figures over a connection. */
export function figuresOf(live: LiveConnection): ReadFigures {
  return async (method, params) => {
    const words = { action: plain.name(method), target: "", detail: [], keep: "" } as const;
    const outcome = await live.gate.submit({ method, paramsText: JSON.stringify(params), words, origin: "view" });
    return outcome.kind === "confirmed" ? outcome.response.result : undefined;
  };
}
