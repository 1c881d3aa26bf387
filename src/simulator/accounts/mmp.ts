import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { writeJson, type WrittenRow } from "../text/json.ts";

/** The limits of an index and group, with the exchange's names. Block RFQ quotes have limits of their own. */
export type SimulatedMmpConfig = WrittenRow<
  "mmpConfig",
  "index_name",
  { interval: number; frozen_time: number; id?: bigint | undefined }
>;

/** The selected configurations or groups. */
export interface MmpSelection {
  /** The name of the index; `all` and undefined mean every index. */
  readonly index_name?: string | undefined;
  /** The name of the group; undefined means every group, an empty text regular orders. */
  readonly mmp_group?: string | undefined;
  readonly block_rfq?: boolean | undefined;
}

/** A group that market maker protection has stopped. */
interface Frozen {
  readonly config: SimulatedMmpConfig;
  /** The end of the freeze, in ms since the Unix epoch; 0 until a reset. */
  readonly untilMs: number;
}

/** A fill as the limits count it. */
export interface ProtectedFill {
  readonly index_name: string;
  readonly mmp_group?: string | undefined;
  /** In coins, whatever the direction. */
  readonly quantity: number;
  /** In coins, signed like the position that it makes. */
  readonly delta: number;
  readonly vega: number;
}

/** What was filled since the first fill of an interval. */
interface Counted {
  readonly sinceMs: number;
  readonly quantity: number;
  readonly delta: number;
  readonly vega: number;
}

/** The market maker protection of an account. */
export interface Mmp extends Disposable {
  configs(selection: MmpSelection): SimulatedMmpConfig[];
  frozen(selection: MmpSelection): Frozen[];
  /** Sets or, with an interval of 0, removes limits; returns what is in force now. Throws where the funds are short. */
  configure(config: SimulatedMmpConfig): SimulatedMmpConfig[];
  /** Freezes a configured group for its frozen_time, or until the given instant. */
  freeze(selection: MmpSelection, untilMs?: number): Frozen[];
  /** Counts a fill of an order that the protection covers. */
  count(fill: ProtectedFill): void;
  /** Freezes the groups of which a limit was met: once all fills of an operation are counted. */
  settle(): void;
  /** Lets groups quote again. */
  reset(selection: MmpSelection): void;
}

interface MmpPorts {
  readonly clock: Clock;
  /** Called when a group was frozen, or quotes again. */
  readonly onFrozen: (frozen: Frozen) => void;
  /** Called before the limits of a group are set or removed. Throws where they can't be. */
  readonly onConfigure: (config: SimulatedMmpConfig) => void;
  /** Called when the limits of a group were set or, with an interval of 0, removed. */
  readonly onConfigured: (config: SimulatedMmpConfig) => void;
}

export function createMmp(
  { clock, onFrozen, onConfigure, onConfigured }: MmpPorts,
  first: readonly SimulatedMmpConfig[],
): Mmp {
  const configs = new Map(first.map((config) => [keyOf(config), config]));
  const frozen = new Map<string, Frozen & { readonly timer: Disposable | undefined }>();
  const counted = new Map<string, Counted>();
  const due = new Set<SimulatedMmpConfig>();
  let nextId = 144_790_485_158_858_750n;
  const thaw = (key: string): void => {
    frozen.get(key)?.timer?.dispose();
    frozen.delete(key);
    counted.delete(key);
  };
  const chosen = (selection: MmpSelection): SimulatedMmpConfig[] =>
    [...configs.values()].filter((config) => isMeant(config, selection));
  const freeze: Mmp["freeze"] = (selection, untilMs) =>
    chosen(selection).map((config) => {
      const key = keyOf(config);
      thaw(key);
      const until = untilMs ?? (config.frozen_time === 0 ? 0 : clock.now() + config.frozen_time * 1000);
      const timer = until === 0 ? undefined : clock.after(Math.max(0, until - clock.now()), () => thaw(key));
      const entry = { config, untilMs: until, timer };
      frozen.set(key, entry);
      onFrozen(entry);
      return entry;
    });
  return {
    configs: chosen,
    frozen: (selection) => [...frozen.values()].filter(({ config }) => isMeant(config, selection)),
    configure(config) {
      const key = keyOf(config);
      onConfigure(config);
      thaw(key);
      if (config.interval === 0) {
        configs.delete(key);
        onConfigured(config);
        return [];
      }
      const made = {
        ...limitsOf(config),
        mmp_group: groupOf(config) === "" ? undefined : config.mmp_group,
        block_rfq: config.block_rfq === true ? true : undefined,
        id: (nextId += 37n),
      };
      configs.set(key, made);
      onConfigured(made);
      return [made];
    },
    count({ index_name: index, mmp_group: group = "", ...fill }) {
      for (const config of chosen({ index_name: index, mmp_group: group })) {
        const key = keyOf(config);
        if (frozen.has(key)) continue;
        const sums = withFill(counted.get(key), fill, { nowMs: clock.now(), intervalMs: config.interval * 1000 });
        counted.set(key, sums);
        if (isLimitMet(config, sums)) due.add(config);
      }
    },
    settle() {
      if (due.size === 0) return;
      const met = [...due];
      due.clear();
      for (const { index_name: index, mmp_group: group = "" } of met) freeze({ index_name: index, mmp_group: group });
    },
    freeze,
    reset(selection) {
      for (const [key, { config }] of [...frozen]) if (isMeant(config, selection)) thaw(key);
    },
    dispose() {
      for (const { timer } of frozen.values()) timer?.dispose();
    },
  };
}
/**
 * Adds a fill to what was filled. An interval begins with its first fill; one after its end begins the next.
 * https://docs.deribit.com/articles/market-maker-protection
 */
function withFill(
  before: Counted | undefined,
  { quantity, delta, vega }: Pick<ProtectedFill, "quantity" | "delta" | "vega">,
  { nowMs, intervalMs }: { readonly nowMs: number; readonly intervalMs: number },
): Counted {
  if (before === undefined || nowMs > before.sinceMs + intervalMs) return { sinceMs: nowMs, quantity, delta, vega };
  return {
    sinceMs: before.sinceMs,
    quantity: before.quantity + quantity,
    delta: before.delta + delta,
    vega: before.vega + vega,
  };
}

/** Whether a limit is met or exceeded. Buying and selling add up to a quantity, and cancel out in delta and vega. */
function isLimitMet(config: SimulatedMmpConfig, { quantity, delta, vega }: Counted): boolean {
  const reached = (value: number, limit: number | undefined): boolean =>
    limit !== undefined && limit > 0 && Math.abs(value) >= limit;
  return (
    reached(quantity, config.quantity_limit) || reached(delta, config.delta_limit) || reached(vega, config.vega_limit)
  );
}

const LIMITS = ["quantity_limit", "delta_limit", "vega_limit", "max_quote_quantity", "trade_count_limit"] as const;

/** Returns the limits of a request; nothing else in it comes back in a response. */
function limitsOf(config: SimulatedMmpConfig): SimulatedMmpConfig {
  const { index_name, interval, frozen_time } = config;
  return { index_name, interval, frozen_time, ...Object.fromEntries(LIMITS.map((name) => [name, config[name]])) };
}

function groupOf(config: MmpSelection): string {
  return config.mmp_group ?? "";
}

function keyOf(config: SimulatedMmpConfig): string {
  return `${config.index_name} ${groupOf(config)} ${String(config.block_rfq ?? false)}`;
}

function isMeant(
  config: SimulatedMmpConfig,
  { index_name: index = "all", mmp_group: group, block_rfq: isRfq = false }: MmpSelection,
): boolean {
  const isOfIndex = index === "all" || config.index_name === index;
  return isOfIndex && (config.block_rfq ?? false) === isRfq && (group === undefined || groupOf(config) === group);
}

/** Returns the content of an event and of private/get_mmp_status about a frozen group. */
export function freezeReason({ config, untilMs }: Frozen): string {
  return writeJson({
    index_name: config.index_name,
    frozen_until: untilMs,
    mmp_group: config.mmp_group,
    block_rfq: config.block_rfq,
  });
}

/** Returns indexes with and without groups, with limits of every sort, and Block RFQ limits. */
export function firstMmpConfigs(): SimulatedMmpConfig[] {
  return FIRST_CONFIGS.map(([whose, interval, frozen_time, limits], index) => ({
    ...whose,
    ...{ interval, frozen_time },
    ...Object.fromEntries(
      LIMITS.flatMap((name, place) => ((limits[place] ?? 0) === 0 ? [] : [[name, limits[place]] as const])),
    ),
    id: 144_790_485_158_800_001n + BigInt(index),
  }));
}

type Whose = Pick<SimulatedMmpConfig, "index_name" | "mmp_group" | "block_rfq">;

/** Whose limits they are, the interval and the time of a freeze, and the limits in their order; 0 is none. */
const FIRST_CONFIGS: readonly (readonly [Whose, intervalS: number, frozenS: number, limits: readonly number[]])[] = [
  [{ index_name: "btc_usd" }, 2, 5, [5, 0.5, 0.2, 5]],
  [{ index_name: "btc_usd", mmp_group: "g1" }, 60, 0, [3, 0, 0, 2.5]],
  [{ index_name: "btc_usd", mmp_group: "TestBtc" }, 1, 1, [10, 0, 0, 10]],
  [{ index_name: "eth_usd", mmp_group: "g2" }, 10, 120, [250, 40, 12.5, 50]],
  [{ index_name: "eth_usd" }, 5, 30, [100, 0, 0, 40]],
  [{ index_name: "xrp_usdc" }, 30, 3600, [40_000, 25_000, 0, 8000]],
  [{ index_name: "btc_usd", block_rfq: true }, 300, 0, [50, 10, 1.25, 25, 20]],
  [{ index_name: "eth_usd", block_rfq: true }, 300, 600, [400, 0, 0, 200, 50]],
];
