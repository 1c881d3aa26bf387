import type { ListedPosition } from "../../state/positions.ts";

/**
 * The order of the positions of a group. Figures change all the time, and rows do not move on their own: by a figure,
 * positions are sorted by choice and on refresh, and new ones come last until then.
 */
export type PositionSorting = "instrument" | "received" | "profit" | "margin";

/** All sortings, the usual one first. */
export const POSITION_SORTINGS: readonly PositionSorting[] = ["instrument", "received", "profit", "margin"];

/** Returns the positions of a group in their order. */
export function sortPositions<Shown extends { readonly position: ListedPosition }>(
  positions: readonly Shown[],
  { sorting, places }: { readonly sorting: PositionSorting; readonly places: ReadonlyMap<string, number> },
): readonly Shown[] {
  const nameOf = ({ position }: Shown): string => position.instrument_name;
  if (sorting === "received") return positions;
  if (sorting === "instrument") return positions.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  const placeOf = (shown: Shown): number => places.get(nameOf(shown)) ?? positions.length + places.size;
  return positions.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Returns the places of positions by a figure, the largest first; those without it come last. */
export function placesOf(positions: Iterable<ListedPosition>, sorting: PositionSorting): ReadonlyMap<string, number> {
  if (sorting !== "profit" && sorting !== "margin") return new Map();
  const figureOf = ({
    total_profit_loss: profit = -Infinity,
    initial_margin: margin = -Infinity,
  }: ListedPosition): number => (sorting === "profit" ? profit : margin);
  const names = [...positions]
    .sort((one, other) => figureOf(other) - figureOf(one) || 0)
    .map((each) => each.instrument_name);
  return new Map(names.map((name, place) => [name, place]));
}
