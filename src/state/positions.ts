import { readRow, type RowOf } from "../catalogue/index.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import { createInstrumentFinder, isInverse, type Instrument, type InstrumentsStore } from "./instruments.ts";
import { isIsolated, readsSlots, readWithSlots, slotOf } from "./isolated.ts";
import { Resource, type ResourcePorts } from "./resource.ts";
import { readRows, rowsIn, withNews } from "./snapshot.ts";

/** A position of the account, as private/get_positions describes it. */
export type ListedPosition = RowOf<"position">;

/** The positions of one connection by `positionKey`, those of size zero too. */
export interface PositionsStore extends Omit<Resource<ListedPosition>, "restart"> {
  /** Whether the latest list has the positions of every slot of isolated margin, at the gateway. */
  readonly areSlotsRead: boolean;
  /** Returns what is known about the instrument of a position. */
  instrumentOf(position: Pick<ListedPosition, "instrument_name">): Instrument | undefined;
}

export const POSITIONS_METHOD = "private/get_positions";
export const POSITION_METHOD = "private/get_position";
/**
 * Returns what tells positions apart: the instrument, and for an isolated one its slot. An account can have both kinds
 * in one instrument.
 */
export function positionKey(position: ListedPosition): string {
  const { instrument_name: name } = position;
  return isIsolated(position) ? `${name} ${slotOf(position) ?? "isolated"}` : name;
}

/** The channel that reports which positions a trade or a settlement has changed. None reports marks and profit. */
const ALL_CHANGES_CHANNEL = "user.changes.any.any.raw";
/** The channel of the changes of isolated positions, at the gateway. */
const ISOLATED_CHANGES_CHANNEL = "user.isolated.changes.any.any.raw";

/**
 * Makes the store. One call reads the positions of all currencies with their marks and profits. The instruments, which
 * alone say in what currency a position is settled, are read only when there is a position. `pauseMs`: returns the
 * pause between two readings of the figures while they are shown, in ms.
 */
export function createPositionsStore({
  instruments,
  pauseMs,
  ...ports
}: ResourcePorts & {
  readonly instruments: Pick<InstrumentsStore, "snapshot" | "load">;
  readonly pauseMs: () => number;
}): PositionsStore {
  const findInstrument = createInstrumentFinder();
  const instrumentOf: PositionsStore["instrumentOf"] = ({ instrument_name: name }) =>
    findInstrument(instruments.snapshot, name);
  const learnInstruments = (positions: Iterable<ListedPosition>): void => {
    if ([...positions].some((each) => instrumentOf(each) === undefined)) void instruments.load();
  };
  /** What was reported since the latest reading was sent: its response may be older. */
  const reported = new Map<string, ListedPosition>();
  const resource = new Resource<ListedPosition>(
    {
      name: "positions",
      method: POSITIONS_METHOD,
      channels: [ALL_CHANGES_CHANNEL],
      slotChannels: [ISOLATED_CHANGES_CHANNEL],
      isMerging: true,
      pauseMs,
      async read(reader, options, before) {
        reported.clear();
        const { rows, isWhole } = await readListed(reader, options, {
          hasSlots: readsSlots(ports.session.state),
          before: [...before.values()],
        });
        const { list, unreadable } = readRows(rows, (row) => readRow("position", row));
        const items = merged(inPlace(list, before), contradicting(reported, list, instrumentOf));
        Object.assign(resource, { areSlotsRead: isWhole });
        learnInstruments(items.values());
        return { items, unreadable };
      },
      take(data, items) {
        const changed = new Map(changedPositions(data).map((each) => [positionKey(each), each]));
        if (changed.size === 0) return items;
        for (const [name, change] of changed) reported.set(name, withNews("position", reported.get(name), change));
        learnInstruments(changed.values());
        return merged(items, changed);
      },
    },
    ports,
  );
  return Object.assign(resource, { instrumentOf, areSlotsRead: false });
}

/**
 * Reads the rows of positions; at the gateway with those of the slots. Isolated ones that were known stay where a slot
 * can't be read: that they are absent proves nothing.
 */
async function readListed(
  reader: Reader,
  options: CallOptions,
  { hasSlots, before }: { readonly hasSlots: boolean; readonly before: readonly ListedPosition[] },
): Promise<{ readonly rows: readonly unknown[]; readonly isWhole: boolean }> {
  const params = { currency: "any" };
  if (!hasSlots) {
    const { result } = await reader.readResponse(POSITIONS_METHOD, params, options);
    return { rows: rowsIn(result), isWhole: false };
  }
  const isolated = before.filter(isIsolated);
  const known = new Set(isolated.filter(isHeld).flatMap((position) => slotOf(position) ?? []));
  const { response, isWhole } = await readWithSlots(reader, { method: POSITIONS_METHOD, params, options, known });
  const rows = rowsIn(response.result);
  const slots = new Set(rows.map(slotOf));
  const kept = isolated.filter((position) => !slots.has(slotOf(position)));
  return { rows: isWhole ? rows : [...rows, ...kept], isWhole };
}

/** Whether an account has the position: the exchange lists one of size zero for a while after it was closed. */
export function isHeld(position: ListedPosition): boolean {
  return positionSide(position) !== "none";
}

/** Returns the positions that an account has, in the order of the rows. */
export function heldPositions({ items }: PositionsStore["snapshot"]): readonly ListedPosition[] {
  return [...items.values()].filter(isHeld);
}

/** Loads the instruments of the positions that an account has, where some are unknown. */
export async function loadInstrumentsOf({
  positions,
  instruments,
}: {
  readonly positions: Pick<PositionsStore, "snapshot" | "instrumentOf">;
  readonly instruments: Pick<InstrumentsStore, "load">;
}): Promise<void> {
  if (heldPositions(positions.snapshot).some((each) => positions.instrumentOf(each) === undefined))
    await instruments.load();
}

/** Returns listed positions by key. Those that were there before keep their places, so that no row moves. */
function inPlace(
  listed: readonly ListedPosition[],
  before: ReadonlyMap<string, ListedPosition>,
): ReadonlyMap<string, ListedPosition> {
  const byName = new Map(listed.map((each) => [positionKey(each), each]));
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
  instrumentOf: PositionsStore["instrumentOf"],
): ReadonlyMap<string, ListedPosition> {
  const byName = new Map(listed.map((each) => [positionKey(each), each]));
  return new Map(
    [...reported].filter(([name, position]) => {
      const other = byName.get(name);
      return other === undefined || !isSameSize(position, other, instrumentOf(position));
    }),
  );
}

/** Returns positions after changes. */
function merged(
  positions: ReadonlyMap<string, ListedPosition>,
  changes: ReadonlyMap<string, ListedPosition>,
): ReadonlyMap<string, ListedPosition> {
  const next = new Map(positions);
  for (const [name, change] of changes) next.set(name, withNews("position", positions.get(name), change));
  return next;
}

/** Returns the positions in an event: a list, or in some documented payloads one object. */
function changedPositions(data: unknown): readonly ListedPosition[] {
  const positions = typeof data === "object" && data !== null && "positions" in data ? data.positions : [];
  return [positions].flat().flatMap((row) => readRow("position", row) ?? []);
}

/*
 * The size of a position is read here alone. `size` and `size_currency` mean something else for each kind of
 * instrument, and the `size` of a linear future moves with the mark price:
 * https://docs.deribit.com/api-reference/account-management/private-get_positions
 */

/** The members of a position that tell its size. */
export type SizedPosition = Pick<ListedPosition, "kind" | "direction" | "size" | "size_currency">;

/** What is known about the instrument of a position. */
type SizedInstrument = Pick<Instrument, "kind" | "currencies">;

/** The size of a position. Its figures are above 0, or 0 without a position; undefined where they are not known. */
export interface PositionSize {
  /** Undefined where the exchange doesn't tell. */
  readonly side: PositionSide | undefined;
  /**
   * The amount of the order that closes the position: USD of an inverse future, coins of everything else. Trades alone
   * change it, so that it tells whether a position has changed.
   */
  readonly amount: number | undefined;
  /** The currency that `amount` counts. */
  readonly unit: string | undefined;
  /** The size in coins of the base currency. */
  readonly coins: number | undefined;
  /** The value of a future in the quote currency; undefined for options, for which the exchange doesn't tell it. */
  readonly quoteValue: number | undefined;
}

export type PositionSide = "long" | "short" | "none";

/** Reads the size of a position. What the order for a future counts is known by its instrument alone. */
export function positionSize(position: SizedPosition, instrument: SizedInstrument | undefined): PositionSize {
  const { size, size_currency: sizeCurrency } = position;
  const kind = position.kind ?? instrument?.kind;
  const { base, quote, settlement } = instrument?.currencies ?? {};
  const side = positionSide(position);
  const figure = (value: number | undefined): number | undefined => {
    if (side === "none") return 0;
    // A position has a size: 0 is none that could be closed.
    return value === undefined || value === 0 || !Number.isFinite(value) ? undefined : Math.abs(value);
  };
  if (kind === "option") {
    const coins = figure(size);
    return { side, amount: coins, unit: base, coins, quoteValue: undefined };
  }
  if (kind !== "future")
    return { side, amount: figure(undefined), unit: undefined, coins: undefined, quoteValue: undefined };
  const [quoteValue, coins] = [figure(size), figure(sizeCurrency)];
  if (instrument === undefined || base === undefined || settlement === undefined)
    return { side, amount: figure(undefined), unit: undefined, coins, quoteValue };
  return isInverse({ kind, currencies: instrument.currencies })
    ? { side, amount: quoteValue, unit: quote, coins, quoteValue }
    : { side, amount: coins, unit: base, coins, quoteValue };
}

/** Returns the side of a position. The exchange lists one of size 0 for a while after it was closed. */
function positionSide({ direction, size }: SizedPosition): PositionSide | undefined {
  if (size === 0 || (size === undefined && direction === "zero")) return "none";
  if (direction === "buy") return "long";
  if (direction === "sell") return "short";
  return size === undefined ? undefined : size > 0 ? "long" : "short";
}

/**
 * Whether two descriptions of a position are of the same size, which the mark price does not change. Where it is not
 * known what counts, they have to be alike in every figure.
 */
export function isSameSize(one: SizedPosition, other: SizedPosition, instrument: SizedInstrument | undefined): boolean {
  const [first, second] = [positionSize(one, instrument), positionSize(other, instrument)];
  if (first.side === undefined || first.side !== second.side) return false;
  return first.amount === undefined || second.amount === undefined
    ? one.size !== undefined && one.size === other.size && one.size_currency === other.size_currency
    : first.amount === second.amount;
}
