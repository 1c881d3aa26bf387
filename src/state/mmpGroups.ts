import { readRow, type ParamsOf, type RowOf } from "../catalogue/index.ts";
import type { Failure } from "../base/failure.ts";
import { asOfMs, type Snapshot } from "./snapshot.ts";

/* Groups of market maker protection: how they are told apart, and what is said of them. */

export type MmpPartName = "orders" | "blockRfq";

/** The name that tells a group from others, in the exchange's words. */
export interface MmpGroupName {
  readonly index_name: string;
  /** The name of the group; empty for regular orders. */
  readonly mmp_group: string;
  readonly block_rfq: boolean;
}

/** A freeze of a group. */
export interface MmpFreeze extends MmpGroupName {
  /** The end, in ms since the Unix epoch; 0 until a reset. Undefined where the server does not report it. */
  readonly frozen_until: number | undefined;
  /** The time when it became known, in ms since the Unix epoch. */
  readonly heardAtMs: number;
  /** Whether the server lists it, and thereby says when it is over; else it only announced it. */
  readonly isListed: boolean;
  /** The freeze as the server wrote it. */
  readonly received: object;
}

/** The known facts about a group. */
export interface MmpGroup extends MmpGroupName {
  /** The configuration; undefined where only the freeze is known. */
  readonly config: RowOf<"mmpConfig"> | undefined;
  readonly freeze: MmpFreeze | undefined;
}

/** Returns a key that is unique over all groups. */
export function groupKey({ index_name: index, mmp_group: group, block_rfq: isRfq }: MmpGroupName): string {
  return JSON.stringify([index, group, isRfq]);
}

/** Returns the group that a configuration is about. */
export function groupOf(config: RowOf<"mmpConfig">, isRfq: boolean): MmpGroup {
  return {
    index_name: config.index_name,
    mmp_group: config.mmp_group ?? "",
    block_rfq: isRfq,
    config,
    freeze: undefined,
  };
}

/** Whether a freeze lasts. */
export function isFrozen(freeze: MmpFreeze | undefined, nowMs: number): freeze is MmpFreeze {
  return freeze !== undefined && ((freeze.frozen_until ?? 0) === 0 || Number(freeze.frozen_until) > nowMs);
}

/** Whether a group is among those that the parameters select; `all` is every index. */
export function isMeant(
  { index_name: name, mmp_group: own }: MmpGroupName,
  { index_name: index = "all", mmp_group: group }: ParamsOf<"private/get_mmp_config">,
): boolean {
  return (index === "all" || name === index) && (group === undefined || own === group);
}

/** Returns the freezes in an event or a response; a part that names no index holds nothing to show. */
export function freezesOf(data: unknown, heardAtMs: number): readonly MmpFreeze[] {
  const parts: readonly unknown[] = Array.isArray(data) ? data : [data];
  return parts.flatMap((part): MmpFreeze[] => {
    const received = readRow("mmpStatus", part);
    if (received === undefined) return [];
    const { index_name: index, mmp_group: group = "", block_rfq: isRfq = false, frozen_until: until } = received;
    return [
      {
        index_name: index,
        mmp_group: group,
        block_rfq: isRfq,
        frozen_until: until,
        heardAtMs,
        isListed: false,
        received,
      },
    ];
  });
}

/** Returns two readings as one: fresh where one of them is, and failed where both are. */
export function combineSnapshots(snapshots: readonly Snapshot<MmpGroup>[]): Snapshot<MmpGroup> {
  const counted = snapshots.filter(({ status }) => status !== "failed");
  const [first] = counted;
  if (first === undefined) return failedSnapshot(snapshots);
  const readings = counted.flatMap(({ readAtMs }) => readAtMs ?? []);
  const staleAtMs = counted.flatMap((each) => (each.status === "stale" ? (asOfMs(each) ?? []) : []));
  const worst =
    counted.find(({ status }) => status === "loading") ??
    counted.find(({ status }) => status === "stale") ??
    counted.find(({ failure }) => failure !== undefined) ??
    first;
  return {
    status: worst.status,
    items: new Map(snapshots.flatMap(({ items }) => [...items])),
    readAtMs: readings.length === 0 ? undefined : Math.min(...readings),
    ...(staleAtMs.length === 0 ? {} : { currentAtMs: Math.min(...staleAtMs) }),
    failure: worst.failure,
    unreadable: snapshots.flatMap(({ unreadable }) => [...unreadable]),
  };
}

function failedSnapshot(snapshots: readonly Snapshot<MmpGroup>[]): Snapshot<MmpGroup> {
  const failures = snapshots.flatMap(({ failure }) => failure ?? []);
  const scopes = failures.flatMap((failure) => (failure.kind === "missingScope" ? [failure.scope] : []));
  const [first] = failures;
  const failure: Failure | undefined =
    scopes.length === failures.length && scopes.length > 1
      ? { kind: "missingScope", scope: scopes.join(" / ") }
      : first;
  return { status: "failed", items: new Map(), readAtMs: undefined, failure, unreadable: [] };
}
