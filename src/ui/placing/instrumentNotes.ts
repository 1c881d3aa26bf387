import { readInstrumentFigures } from "../../actions/changes/instrumentFigures.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { holdingText } from "../../present/positions/positions.ts";
import type { InstrumentNote } from "../../present/trades/instrumentChoices.ts";
import { figuresOf } from "../editor/marketReads.ts";

/** Reads what the list of instruments shows beside the names: the position in each, and last prices. */
export async function readInstrumentNotes(live: LiveConnection): Promise<ReadonlyMap<string, InstrumentNote>> {
  const { positions, lastPrices } = await readInstrumentFigures(live.instruments.snapshot.items, figuresOf(live));
  const names = new Set([...positions.keys(), ...lastPrices.keys()]);
  return new Map([...names].map((name) => [name, noteOf(live, positions.get(name), lastPrices.get(name))]));
}

function noteOf(
  { positions }: LiveConnection,
  position: Parameters<typeof holdingText>[0] | undefined,
  lastPrice: number | undefined,
): InstrumentNote {
  return {
    ...(position === undefined ? {} : { position: holdingText(position, positions.instrumentOf(position)) }),
    ...(lastPrice === undefined ? {} : { lastPrice }),
  };
}
