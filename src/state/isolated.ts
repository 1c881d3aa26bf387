import { CallError } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import type { AnyReadMethod } from "../catalogue/index.ts";
import { receivedOf } from "../catalogue/reading.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { serviceOf, type CallOptions, type Reader, type SessionState } from "../session/session.ts";
import { lastingFailure } from "./readRetry.ts";
import { rowsIn } from "./snapshot.ts";

/*
 * Isolated margin. The isolated orders and the isolated position of an instrument are in a hidden subaccount, its slot.
 * Lists of the main account have them only with a flag, which the gateway alone knows. With the flag a slot can be
 * missing nevertheless: it is read by its ID then. A slot serves one instrument after another: no instrument has it for
 * good.
 */

/** Whether a record is one of isolated margin. Those of the main account have neither member. */
export function isIsolated(record: unknown): boolean {
  if (!isObject(record)) return false;
  const { isolated, main_uid: mainId } = receivedOf(record) as Members;
  return isolated === true || (mainId !== undefined && mainId !== null);
}

/** Returns the slot of an isolated record; undefined for other records, and where it names none. */
export function slotOf(record: unknown): number | undefined {
  if (!isObject(record) || !isIsolated(record)) return undefined;
  const { user_id: id, uid } = receivedOf(record) as Members;
  return typeof id === "number" ? id : typeof uid === "number" ? uid : undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns parameters with the flag that widens a list or a cancel of several orders to the slots. */
export function withSlots(params: Members): Members {
  return { ...params, include_isolated: true };
}

/** A list with its slots, as one response. `isWhole`: whether each slot that is in use is known, and in it. */
export interface SlotReading {
  readonly response: MaskedResponse;
  readonly isWhole: boolean;
}

interface SlotRead {
  readonly method: AnyReadMethod;
  readonly params: Members;
  readonly options: CallOptions;
  /** The slots that are known to be in use. */
  readonly known: Iterable<number>;
}

const SUBACCOUNTS_METHOD: AnyReadMethod = "private/get_subaccounts";
const SUMMARIES: AnyReadMethod = "private/get_account_summaries";

/**
 * Reads a list at the gateway, with the slots. Those that are in use and not in the list are read by their IDs. Throws
 * `CallError`.
 */
export async function readWithSlots(
  reader: Reader,
  { method, params, options, known }: SlotRead,
): Promise<SlotReading> {
  const [response, bound] = await Promise.all([
    reader.readResponse(method, withSlots(params), options),
    readBoundSlots(reader, options),
  ]);
  const rows = rowsIn(response.result);
  const listed = new Set(rows.map(slotOf));
  const more = await Promise.all(
    missingSlots(listed, bound, known).map(
      async (slot) => await readPart(reader, method, { ...params, subaccount_id: slot }, options),
    ),
  );
  return {
    response: { ...response, result: [...rows, ...more.flatMap((each) => each ?? [])] },
    isWhole: bound !== undefined && !more.includes(undefined),
  };
}

/** Returns the slots that a list lacks, of those in use, where the server tells them, and of those that are known. */
function missingSlots(
  listed: ReadonlySet<number | undefined>,
  bound: readonly number[] | undefined,
  known: Iterable<number>,
): readonly number[] {
  return [...new Set([...(bound ?? []), ...known])].filter((slot) => !listed.has(slot));
}

async function readPart(
  reader: Reader,
  method: AnyReadMethod,
  params: Members,
  options: CallOptions,
): Promise<readonly unknown[] | undefined> {
  return await unlessRefused(async () => rowsIn((await reader.readResponse(method, params, options)).result));
}

/** Reads; undefined where the server refuses it. Throws `CallError` for what passes: all is read again then. */
export async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (thrown) {
    lastingFailure(thrown);
    return undefined;
  }
}

/** Reads which slots are in use; undefined where the server does not tell. Throws `CallError` for what passes. */
async function readBoundSlots(reader: Reader, options: CallOptions): Promise<readonly number[] | undefined> {
  return (await readSlots(reader, options))?.flatMap(({ slot, isBound }) => (isBound ? slot : []));
}

/** A slot, and whether it serves an instrument now. */
interface Slot {
  readonly slot: number;
  readonly isBound: boolean;
}

async function readSlots(reader: Reader, options: CallOptions): Promise<readonly Slot[] | undefined> {
  const rows = await readPart(reader, SUBACCOUNTS_METHOD, withSlots({}), options);
  return rows?.flatMap((row): Slot[] => {
    const { id, isolated, isolated_margin_instrument: instrument } = isObject(row) ? row : {};
    return isolated === true && typeof id === "number" ? [{ slot: id, isBound: typeof instrument === "string" }] : [];
  });
}

/**
 * Reads the slots whose histories belong to the account: also those that are free now, because what they had is in no
 * other history. Undefined where the server does not tell. Throws `CallError` for what passes.
 */
export async function readPastSlots(reader: Reader, options: CallOptions): Promise<readonly number[] | undefined> {
  return (await readSlots(reader, options))?.map(({ slot }) => slot);
}

/** Reads the same slots. Throws `CallError`, also where the server does not tell. */
export async function readListedSlots(reader: Reader, options: CallOptions): Promise<readonly number[]> {
  const slots = await readPastSlots(reader, options);
  if (slots !== undefined) return slots;
  throw new CallError({
    kind: "refused",
    reason: l10n.t("The server doesn't list the subaccounts of isolated margin."),
  });
}

interface SlotSummariesRead {
  /** The slots that are read in any case. */
  readonly known: Iterable<number>;
  /** Called with the summaries of a slot, one for each currency. */
  readonly take: (slot: number, summaries: unknown) => void;
}

/**
 * Reads the account summaries of the slots that are in use, those that the list leaves out by their IDs. Throws
 * `CallError` where some can't be read, after the others were taken.
 */
export async function readSlotSummaries(
  reader: Reader,
  options: CallOptions,
  { known, take }: SlotSummariesRead,
): Promise<void> {
  const { result } = await reader.readResponse(SUMMARIES, withSlots({}), options);
  const { isolated_account_summaries: rows = [] }: Members = isObject(result) ? result : {};
  const listed = new Set<number>();
  for (const { id, summaries } of rowsIn(rows).filter(isObject)) {
    if (typeof id !== "number") continue;
    listed.add(id);
    take(id, summaries);
  }
  const bound = await readBoundSlots(reader, options);
  await Promise.all(
    missingSlots(listed, bound, known).map(async (slot) => {
      const response = await reader.readResponse(SUMMARIES, { subaccount_id: slot }, options);
      take(slot, isObject(response.result) ? response.result["summaries"] : undefined);
    }),
  );
}

/**
 * Returns rows that were read from a slot as records of it. The exchange marks trades itself; one without the marks is
 * the slot's nevertheless, because no other account was read.
 */
export function ofSlot(rows: readonly unknown[], slot: number): readonly unknown[] {
  return rows.map((row) => (isObject(row) && !isIsolated(row) ? { ...row, user_id: slot, isolated: true } : row));
}

/** Whether lists are read with the slots: at the gateway alone. */
export function readsSlots(state: SessionState): boolean {
  return serviceOf(state) === "gateway";
}

/* Histories, which have one list for each slot and currency. */

/** The member that is added to rows of isolated margin: the ID of the slot from which they were read. */
export const SLOT_MEMBER = "isolated_subaccount";

/** Returns the name of a list that is read of a slot, or of the account itself. */
export function partName(currency: string, slot: number | undefined): string {
  return slot === undefined ? currency : `${currency} ${slot}`;
}

export function partOf(name: string): { readonly currency: string; readonly slot: number | undefined } {
  const [currency = "", slot] = name.split(" ");
  return { currency, slot: slot === undefined ? undefined : Number(slot) };
}

/** Returns the slots of lists that were begun. */
export function slotsOf(parts: readonly { readonly name: string }[]): readonly number[] {
  return [...new Set(parts.flatMap(({ name }) => partOf(name).slot ?? []))];
}

interface RowText {
  /** The JSON text. */
  readonly text: string;
  readonly value: Members;
}

/** Returns a row that was read from a slot, with its ID. */
export function withSlot({ text, value }: RowText, slot: number): RowText {
  const before = Object.keys(value).length === 0 ? "" : ",";
  return {
    text: `${text.slice(0, text.lastIndexOf("}"))}${before}"${SLOT_MEMBER}":${slot}}`,
    value: { ...value, [SLOT_MEMBER]: slot },
  };
}
