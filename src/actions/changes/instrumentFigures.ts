import { isObject } from "../../base/json.ts";
import { readRow } from "../../catalogue/index.ts";
import type { Instrument } from "../../state/instruments.ts";
import { isHeld, POSITIONS_METHOD, type ListedPosition } from "../../state/positions.ts";
import type { ReadFigures } from "./orderPreview.ts";

/** What an account holds in instruments, and what these trade at, by name. */
export interface InstrumentFigures {
  readonly positions: ReadonlyMap<string, ListedPosition>;
  readonly lastPrices: ReadonlyMap<string, number>;
}

/** Reads the positions that an account has; undefined where the server does not tell. */
export async function readHeldPositions(read: ReadFigures): Promise<readonly ListedPosition[] | undefined> {
  const result = await read(POSITIONS_METHOD, { currency: "any" });
  if (!Array.isArray(result)) return undefined;
  return rowsOf(result)
    .flatMap((row) => readRow("position", row) ?? [])
    .filter(isHeld);
}

const SUMMARY_METHOD = "public/get_book_summary_by_currency";

/**
 * Reads the positions of an account, and the last price of each future among the instruments: one read for each of
 * their currencies. What the server does not tell is omitted.
 */
export async function readInstrumentFigures(
  instruments: readonly Instrument[],
  read: ReadFigures,
): Promise<InstrumentFigures> {
  const futures = instruments.filter(({ kind }) => kind === "future");
  const currencies = new Set(futures.flatMap(({ currencies: { settlement } }) => settlement ?? []));
  const [positions = [], ...summaries] = await Promise.all([
    readHeldPositions(read),
    ...[...currencies].map(async (currency) => await read(SUMMARY_METHOD, { currency, kind: "future" })),
  ]);
  return {
    positions: new Map(positions.map((each) => [each.instrument_name, each])),
    lastPrices: new Map(summaries.flatMap(rowsOf).flatMap(lastPriceIn)),
  };
}

function lastPriceIn(row: unknown): readonly (readonly [string, number])[] {
  const { instrument_name: name, last } = isObject(row) ? row : {};
  return typeof name === "string" && typeof last === "number" ? [[name, last]] : [];
}

function rowsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
