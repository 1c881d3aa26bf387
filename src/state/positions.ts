import { readRow, type RowOf } from "../catalogue/index.ts";
import { receivedOf } from "../catalogue/reading.ts";
import { createInstrumentFinder, type Instrument, type InstrumentsStore } from "./instruments.ts";
import { createResource, type Resource, type ResourcePorts } from "./resource.ts";
import { readRows, rowsIn } from "./snapshot.ts";

/** A position of the account, as private/get_positions describes it. */
export type ListedPosition = RowOf<"position">;

/** The positions of one connection by the name of their instrument, those of size zero too. */
export interface PositionsStore extends Omit<Resource<ListedPosition>, "restart"> {
  /** Returns what is known about the instrument of a position. */
  instrumentOf(position: Pick<ListedPosition, "instrument_name">): Instrument | undefined;
}

export interface PositionsPorts extends ResourcePorts {
  readonly instruments: Pick<InstrumentsStore, "snapshot" | "load">;
  /** Returns the pause between two readings of the figures while they are shown, in ms. */
  readonly pauseMs: () => number;
}

export const POSITIONS_METHOD = "private/get_positions";
export const POSITION_METHOD = "private/get_position";
/** The channel that reports which positions a trade or a settlement has changed. None reports marks and profit. */
const ALL_CHANGES_CHANNEL = "user.changes.any.any.raw";

/**
 * Makes the store. One call reads the positions of all currencies with their marks and profits. The instruments, which
 * alone say in what currency a position is settled, are read only when there is a position.
 */
export function createPositionsStore(ports: PositionsPorts): PositionsStore {
  const { instruments, pauseMs } = ports;
  const findInstrument = createInstrumentFinder();
  const instrumentOf: PositionsStore["instrumentOf"] = ({ instrument_name: name }) =>
    findInstrument(instruments.snapshot, name);
  const learnInstruments = (positions: Iterable<ListedPosition>): void => {
    if ([...positions].some((each) => instrumentOf(each) === undefined)) void instruments.load();
  };
  /** What was reported since the latest reading was sent: its response may be older. */
  const reported = new Map<string, ListedPosition>();
  const resource = createResource<ListedPosition>(
    {
      name: "positions",
      method: POSITIONS_METHOD,
      channels: [ALL_CHANGES_CHANNEL],
      isMerging: true,
      pauseMs,
      async read(reader, options, before) {
        reported.clear();
        const { result } = await reader.readResponse(POSITIONS_METHOD, { currency: "any" }, options);
        const { list, unreadable } = readRows(rowsIn(result), (row) => readRow("position", row));
        const items = merged(inPlace(list, before), contradicting(reported, list));
        learnInstruments(items.values());
        return { items, unreadable };
      },
      take(data, items) {
        const changed = new Map(changedPositions(data).map((each) => [each.instrument_name, each]));
        if (changed.size === 0) return items;
        for (const [name, change] of changed) reported.set(name, withChange(reported.get(name), change));
        learnInstruments(changed.values());
        return merged(items, changed);
      },
    },
    ports,
  );
  return Object.assign(resource, { instrumentOf });
}

/** Whether an account has the position: the exchange lists one of size zero for a while after it was closed. */
export function isHeld({ size, direction }: ListedPosition): boolean {
  return size === undefined ? direction !== "zero" : size !== 0;
}

/** Returns the positions that an account has, in the order of the rows. */
export function heldPositions({ items }: PositionsStore["snapshot"]): readonly ListedPosition[] {
  return [...items.values()].filter(isHeld);
}

/** Returns listed positions by name. Those that were there before keep their places, so that no row moves. */
function inPlace(
  listed: readonly ListedPosition[],
  before: ReadonlyMap<string, ListedPosition>,
): ReadonlyMap<string, ListedPosition> {
  const byName = new Map(listed.map((each) => [each.instrument_name, each]));
  const kept = [...before.keys()].flatMap((name): [string, ListedPosition][] => {
    const position = byName.get(name);
    return position === undefined ? [] : [[name, position]];
  });
  return new Map([...kept, ...byName]);
}

/**
 * Returns what was reported and is not what a list says, which then may be older. Where the list has the size that was
 * reported, its figures are those of a moment that is no earlier: the event may have been on its way for long.
 */
function contradicting(
  reported: ReadonlyMap<string, ListedPosition>,
  listed: readonly ListedPosition[],
): ReadonlyMap<string, ListedPosition> {
  const sizes = new Map(listed.map(({ instrument_name: name, size }) => [name, size]));
  return new Map([...reported].filter(([name, { size }]) => size === undefined || size !== sizes.get(name)));
}

/** Returns positions after changes. What a change leaves out stays as it was. */
function merged(
  positions: ReadonlyMap<string, ListedPosition>,
  changes: ReadonlyMap<string, ListedPosition>,
): ReadonlyMap<string, ListedPosition> {
  const next = new Map(positions);
  for (const [name, change] of changes) next.set(name, withChange(positions.get(name), change));
  return next;
}

function withChange(known: ListedPosition | undefined, change: ListedPosition): ListedPosition {
  if (known === undefined) return change;
  return readRow("position", { ...receivedOf(known), ...receivedOf(change) }) ?? change;
}

/** Returns the positions in an event: a list, or in some documented payloads one object. */
function changedPositions(data: unknown): readonly ListedPosition[] {
  const positions = typeof data === "object" && data !== null && "positions" in data ? data.positions : [];
  return [positions].flat().flatMap((row) => readRow("position", row) ?? []);
}
