import { createEmitter, DisposableList, type Disposable, type Emitter } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import { readRow, type ParamsOf, type RowOf } from "../catalogue/index.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import {
  combineSnapshots,
  freezesOf,
  groupKey,
  groupOf,
  isFrozen,
  isMeant,
  type MmpFreeze,
  type MmpGroup,
  type MmpGroupName,
  type MmpPartName,
} from "./mmpGroups.ts";
import { retryPauseMs } from "./readRetry.ts";
import { Resource, type ResourcePorts, type ResourceReading } from "./resource.ts";
import { readRows, rowsIn, type Snapshot } from "./snapshot.ts";

/** A configuration of market maker protection, as private/get_mmp_config describes it. */
export type MmpConfig = RowOf<"mmpConfig">;

/**
 * The filter of listed configurations: the parameters of private/get_mmp_config. Without `block_rfq` both sorts are
 * listed.
 */
export type MmpFilter = ParamsOf<typeof MMP_CONFIG_METHOD>;

/** The protection of orders and quotes, or that of Block RFQ quotes: each has its own scope and its own reading. */
export interface MmpPart {
  readonly name: MmpPartName;
  readonly snapshot: Snapshot<MmpGroup>;
  /**
   * The reason why the server does not say which groups are frozen, so that only announced freezes are known; else
   * undefined.
   */
  readonly statusFailure: Failure | undefined;
}

/** The channel of all MMP groups that are frozen. */
export const ALL_MMP_TRIGGERS_CHANNEL = "user.mmp_trigger.any";
export const MMP_CONFIG_METHOD = "private/get_mmp_config";
export const MMP_STATUS_METHOD = "private/get_mmp_status";
/**
 * The pause between looks, while shown, at whether a frozen group was reset elsewhere, in ms: nothing announces that.
 */
const LOOK_MS = 10_000;
/** The delay of one more look after the end of a freeze, in ms, because clocks differ. */
const AFTER_END_MS = 500;

interface Part extends MmpPart {
  readonly resource: Resource<MmpGroup>;
  statusFailure: Failure | undefined;
  /** Whether frozen groups were listed before: those of the first list froze before anything was shown. */
  hasListed: boolean;
}

export function createMmpStore(ports: ResourcePorts): MmpStore {
  return new MmpStore(ports);
}

/** The market maker protection of one connection: its configurations and its freezes. */
export class MmpStore implements Disposable {
  readonly #ports: ResourcePorts;
  readonly #changes: Emitter<void> = createEmitter((error) => this.#onError(error));
  readonly #froze = createEmitter<MmpFreeze>((error) => this.#onError(error));
  readonly onDidChange = this.#changes.event;
  /** Fires when a group was frozen; once for each freeze. */
  readonly onDidFreeze = this.#froze.event;
  readonly #disposables = new DisposableList();
  readonly #all: readonly Part[];
  /** The known freezes, of both parts and whatever the filter. */
  readonly #freezes = new Map<string, MmpFreeze>();
  #filter: MmpFilter = {};
  #isFollowing = false;
  #isVisible = false;
  #next: Disposable | undefined;

  constructor(ports: ResourcePorts) {
    this.#ports = ports;
    this.#all = (["orders", "blockRfq"] as const).map((name) => this.#createPart(name));
  }

  get snapshot(): Snapshot<MmpGroup> {
    return combineSnapshots(this.#parts.map((part) => part.snapshot));
  }

  /** The parts that the filter leaves. */
  get parts(): readonly MmpPart[] {
    return this.#parts;
  }

  get #parts(): readonly Part[] {
    const { block_rfq: isRfq } = this.#filter;
    return this.#all.filter(({ name }) => isRfq === undefined || (name === "blockRfq") === isRfq);
  }

  get filter(): MmpFilter {
    return this.#filter;
  }

  /** Forgets the list, and reads the one that is wanted now. */
  setFilter(filter: MmpFilter): void {
    this.#filter = filter;
    for (const part of this.#all) part.resource.restart();
    this.setVisible(this.#isVisible);
    this.#changes.fire();
  }

  /** Follows freezes from now on, also while they are not shown. */
  follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#disposables.add(
      this.#ports.session.subscribe(
        ALL_MMP_TRIGGERS_CHANNEL,
        (data) => this.#onTrigger(data),
        () => undefined,
      ),
    );
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) this.follow();
    const wanted = this.#parts;
    for (const part of this.#all) part.resource.setVisible(isVisible && wanted.includes(part));
    this.#arm();
  }

  async refresh(): Promise<void> {
    this.follow();
    await Promise.all(
      this.#parts.map(async ({ resource }) => {
        await resource.refresh();
      }),
    );
  }

  /** Notes that the server has confirmed the end of a group's freeze. */
  noteReset(group: MmpGroupName): void {
    this.#freezes.delete(groupKey(group));
    void this.refresh();
  }

  dispose(): void {
    this.#next?.dispose();
    this.#disposables.dispose();
    for (const { resource } of this.#all) resource.dispose();
    this.#changes.dispose();
    this.#froze.dispose();
  }

  #onError(error: unknown): void {
    this.#ports.log.error(plain`A view of market maker protection failed: ${bugText(error)}`);
  }

  #createPart(name: MmpPartName): Part {
    const resource = new Resource<MmpGroup>(
      {
        name:
          name === "orders"
            ? "limits of market maker protection"
            : "limits of market maker protection of Block RFQ quotes",
        method: MMP_CONFIG_METHOD,
        calls: [name === "blockRfq" ? { block_rfq: true } : {}],
        read: async (reader, options) => await this.#read(part, reader, options),
        channels: [ALL_MMP_TRIGGERS_CHANNEL],
        concerns: (data) => freezesOf(data, 0).some((freeze) => freeze.block_rfq === (name === "blockRfq")),
        forget: () => {
          this.#freezes.clear();
          Object.assign(part, { hasListed: false, statusFailure: undefined });
        },
      },
      this.#ports,
    );
    const part: Part = {
      name,
      resource,
      get snapshot() {
        return resource.snapshot;
      },
      statusFailure: undefined,
      hasListed: false,
    };
    resource.onDidChange(() => {
      this.#arm();
      this.#changes.fire();
    });
    return part;
  }

  #paramsOf(name: MmpPartName): MmpFilter {
    const { index_name: index, mmp_group: group } = this.#filter;
    return {
      ...(index === undefined ? {} : { index_name: index }),
      ...(group === undefined ? {} : { mmp_group: group }),
      ...(name === "blockRfq" ? { block_rfq: true } : {}),
    };
  }

  async #read(part: Part, reader: Reader, options: CallOptions): Promise<ResourceReading<MmpGroup>> {
    const params = this.#paramsOf(part.name);
    const { result } = await reader.readResponse(MMP_CONFIG_METHOD, params, options);
    const { list, unreadable } = readRows(rowsIn(result), (row) => readRow("mmpConfig", row));
    await this.#readFreezes(part, reader, options);
    const isRfq = part.name === "blockRfq";
    const found = list.map((config) => groupOf(config, isRfq));
    const items = new Map(
      found.map((group) => [groupKey(group), { ...group, freeze: this.#freezes.get(groupKey(group)) }]),
    );
    for (const [key, freeze] of this.#freezes) {
      if (freeze.block_rfq === isRfq && !items.has(key) && isMeant(freeze, params))
        items.set(key, {
          index_name: freeze.index_name,
          mmp_group: freeze.mmp_group,
          block_rfq: isRfq,
          config: undefined,
          freeze,
        });
    }
    return { items, unreadable };
  }

  /**
   * Reads the freezes of a part, where the server lists them. A momentary failure is retried with the whole reading.
   */
  async #readFreezes(part: Part, reader: Reader, options: CallOptions): Promise<void> {
    const params = this.#paramsOf(part.name);
    const known = new Map(this.#freezes);
    const askedAtMs = this.#ports.clock.now();
    let listed: readonly MmpFreeze[];
    try {
      const { result } = await reader.readResponse(MMP_STATUS_METHOD, params, options);
      const isRfq = part.name === "blockRfq";
      listed = freezesOf(rowsIn(result), askedAtMs).map((freeze) => ({ ...freeze, block_rfq: isRfq, isListed: true }));
    } catch (thrown) {
      const failure = toFailure(thrown);
      if (failure.kind !== "exchange" || retryPauseMs(failure, 0) !== undefined) throw thrown;
      part.statusFailure = failure;
      return;
    }
    part.statusFailure = undefined;
    const now = new Map(listed.map((freeze) => [groupKey(freeze), freeze]));
    for (const [key, freeze] of [...this.#freezes]) {
      // What was announced while the list was on its way is not in it.
      const isAsked =
        freeze.block_rfq === (part.name === "blockRfq") && isMeant(freeze, params) && known.get(key) === freeze;
      if (isAsked && !now.has(key)) this.#freezes.delete(key);
    }
    for (const freeze of listed) this.#take(freeze, part.hasListed);
    part.hasListed = true;
  }

  #onTrigger(data: unknown): void {
    const freezes = freezesOf(data, this.#ports.clock.now());
    for (const freeze of freezes) {
      this.#take(freeze, true);
      const part = this.#parts.find(({ name }) => (name === "blockRfq") === freeze.block_rfq);
      // What froze is looked at, even where it was never shown: the number on the view's icon counts it.
      if (part?.snapshot.readAtMs === undefined) void part?.resource.refresh();
    }
    // An event that names no index: only the list can tell what froze.
    if (freezes.length === 0) void this.refresh();
  }

  /** Keeps a freeze, and reports one that was not known. */
  #take(freeze: MmpFreeze, isTold: boolean): void {
    const key = groupKey(freeze);
    const before = this.#freezes.get(key);
    const nowMs = this.#ports.clock.now();
    // A list may name another end of the freeze that was announced; only another announcement is another freeze.
    const isSame = freeze.isListed || before?.frozen_until === freeze.frozen_until;
    const isKnown = isFrozen(before, nowMs) && isSame;
    this.#freezes.set(key, { ...freeze, heardAtMs: isKnown ? before.heardAtMs : freeze.heardAtMs });
    if (isTold && !isKnown && isFrozen(freeze, nowMs)) this.#froze.fire(freeze);
  }

  /** Arms the timer. Freezes end automatically, and are reset elsewhere: nothing announces either. */
  #arm(): void {
    this.#next?.dispose();
    const nowMs = this.#ports.clock.now();
    const frozen = this.#parts.flatMap(({ snapshot }) =>
      [...snapshot.items.values()].flatMap(({ freeze }) => (isFrozen(freeze, nowMs) ? [freeze] : [])),
    );
    const ends = frozen.flatMap(({ frozen_until: until }) =>
      (until ?? 0) === 0 ? [] : [Number(until) - nowMs + AFTER_END_MS],
    );
    const isLooked =
      this.#isVisible && this.#parts.some(({ statusFailure }) => statusFailure === undefined) && frozen.length > 0;
    const pauses = [...ends, ...(isLooked ? [LOOK_MS] : [])];
    if (pauses.length === 0) return;
    this.#next = this.#ports.clock.after(Math.min(...pauses), () => {
      this.#changes.fire();
      this.#arm();
      void this.refresh();
    });
  }
}
