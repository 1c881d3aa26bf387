import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { writeJson } from "../text/json.ts";

/** The limits of an index and group, with the exchange's names. Block RFQ quotes have limits of their own. */
export type SimulatedMmpConfig = {
  readonly index_name: string;
  readonly mmp_group?: string | undefined;
  readonly block_rfq?: boolean | undefined;
  readonly interval: number;
  readonly frozen_time: number;
  readonly quantity_limit?: number | undefined;
  readonly delta_limit?: number | undefined;
  readonly vega_limit?: number | undefined;
  readonly max_quote_quantity?: number | undefined;
  readonly trade_count_limit?: number | undefined;
  readonly id?: bigint | undefined;
};

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

/** Returns the limits of a request; nothing else in it comes back in a response. */
function limitsOf({
  index_name,
  interval,
  frozen_time,
  quantity_limit,
  delta_limit,
  vega_limit,
  max_quote_quantity,
  trade_count_limit,
}: SimulatedMmpConfig): SimulatedMmpConfig {
  return {
    index_name,
    interval,
    frozen_time,
    quantity_limit,
    delta_limit,
    vega_limit,
    max_quote_quantity,
    trade_count_limit,
  };
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

/** Returns the configuration as it goes over the wire. */
export function mmpText(config: SimulatedMmpConfig): string {
  return writeJson(config);
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
  const id = (offset: number): bigint => 144_790_485_158_800_000n + BigInt(offset);
  return [
    {
      index_name: "btc_usd",
      interval: 2,
      frozen_time: 5,
      quantity_limit: 5,
      delta_limit: 0.5,
      vega_limit: 0.2,
      max_quote_quantity: 5,
      id: id(1),
    },
    {
      index_name: "btc_usd",
      mmp_group: "g1",
      interval: 60,
      frozen_time: 0,
      quantity_limit: 3,
      max_quote_quantity: 2.5,
      id: id(2),
    },
    {
      index_name: "btc_usd",
      mmp_group: "TestBtc",
      interval: 1,
      frozen_time: 1,
      quantity_limit: 10,
      max_quote_quantity: 10,
      id: id(3),
    },
    {
      index_name: "eth_usd",
      mmp_group: "g2",
      interval: 10,
      frozen_time: 120,
      quantity_limit: 250,
      delta_limit: 40,
      vega_limit: 12.5,
      max_quote_quantity: 50,
      id: id(4),
    },
    { index_name: "eth_usd", interval: 5, frozen_time: 30, quantity_limit: 100, max_quote_quantity: 40, id: id(5) },
    {
      index_name: "xrp_usdc",
      interval: 30,
      frozen_time: 3600,
      quantity_limit: 40_000,
      delta_limit: 25_000,
      max_quote_quantity: 8000,
      id: id(6),
    },
    {
      index_name: "btc_usd",
      block_rfq: true,
      interval: 300,
      frozen_time: 0,
      quantity_limit: 50,
      delta_limit: 10,
      vega_limit: 1.25,
      max_quote_quantity: 25,
      trade_count_limit: 20,
      id: id(7),
    },
    {
      index_name: "eth_usd",
      block_rfq: true,
      interval: 300,
      frozen_time: 600,
      quantity_limit: 400,
      trade_count_limit: 50,
      max_quote_quantity: 200,
      id: id(8),
    },
  ];
}
