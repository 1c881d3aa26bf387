import {
  changeKeyScope,
  disableKey,
  editKey,
  enableKey,
  type KeyContext,
  type KeyWish,
} from "../../src/actions/changes/apiKeys.ts";
import { cancelMatching, type CancelScope } from "../../src/actions/changes/cancelMany.ts";
import type { Intent } from "../../src/actions/intent/intent.ts";
import type { LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import { resetMmp, limitsOf, setMmpLimits, type MmpLimits } from "../../src/actions/changes/mmpLimits.ts";
import { cancelAllQuotes, cancelQuote, type QuotesScope } from "../../src/actions/changes/quotes.ts";
import { switchSubject, unresolvedCount } from "../../src/actions/connection/subaccounts.ts";
import { plain } from "../../src/base/plain.ts";
import { isInUse } from "../../src/present/apiKeys/apiKeyWords.ts";
import { keyDiffLines } from "../../src/present/apiKeys/keyDiff.ts";
import { ACCOUNTS } from "../../src/simulator/accounts/accounts.ts";
import type { ApiKey, KnownKey } from "../../src/state/apiKeys.ts";
import { withArea } from "../../src/catalogue/scopeLines.ts";
import type { MmpGroup } from "../../src/state/mmpGroups.ts";
import { openOrders } from "../../src/state/orders.ts";
import type { KeyChange, LimitsChange, Step, Subject } from "./schedule.ts";
import { createQuotesStore } from "../../src/state/quotes.ts";
import { createMmpStore } from "../../src/state/mmp.ts";

/*
 * What the user does with the views beside Open Orders: from what is shown to an intent, as the editor's commands do
 * it.
 */

/** A wish, and what its frame has to say whatever the product's own words are. */
export interface Wished {
  readonly intent: Intent;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** What becomes of a key. */
export function keyWish(
  change: KeyChange,
  key: Pick<ApiKey, "max_scope" | "enabled" | "name"> | undefined,
  salt: number,
): KeyWish {
  const scope = key?.max_scope ?? "account:read trade:read";
  switch (change) {
    case "name":
      return { name: `audit_${salt}` };
    case "scope":
      return { max_scope: withArea(scope, "trade", salt % 2 === 0 ? "read" : "read_write") };
    case "features":
      return { enabled_features: salt % 2 === 0 ? ["block_trade_approval"] : [] };
    case "addresses":
      return { ip_whitelist: salt % 2 === 0 ? ["203.0.113.9"] : [] };
    case "enabled":
      return { enabled: salt % 2 === 0 };
  }
}

/** Looks at a key anew and wishes to change it. Throws `CallError` where there is nothing to change. */
export async function wishOfKey(
  live: LiveConnection,
  step: Extract<Step, { do: "editKey" | "changeScope" | "switchKey" }>,
): Promise<Wished | undefined> {
  await live.apiKeys.refresh();
  const { snapshot } = live.apiKeys;
  const known = [...snapshot.items.values()].sort((one, other) => one.id - other.id)[
    step.pick % Math.max(1, snapshot.items.size)
  ] ?? { id: 2 + (step.pick % 3), key: undefined, source: "typed" as const, seenAtMs: undefined, isTyped: false };
  const { state } = live;
  const clientId = state.status === "ready" ? state.identity.clientId : live.record.clientId;
  const isUsed = isInUse(known, clientId);
  const isCurrent = snapshot.status === "live" && known.source === "listed";
  const context = (wish: KeyWish): KeyContext => ({
    origin: "view",
    isInUse: isUsed,
    isCurrent,
    current: () => live.apiKeys.snapshot.items.get(String(known.id)),
    detail: keyDiffLines(known.key, wish, { isInUse: isUsed, seenAt: isCurrent ? undefined : plain`an earlier time` }),
  });
  return wished(known, step, context);
}

function wished(
  known: KnownKey,
  step: Extract<Step, { do: "editKey" | "changeScope" | "switchKey" }>,
  context: (wish: KeyWish) => KeyContext,
): Wished | undefined {
  const { id, key } = known;
  switch (step.do) {
    case "editKey": {
      // A scope that is not known has to be given whole.
      const wish = {
        ...(key === undefined ? { max_scope: "account:read" } : {}),
        ...keyWish(step.change, key, step.pick),
      };
      return {
        intent: editKey(known, wish, context(wish)),
        expected: { id, max_scope: wish.max_scope ?? key?.max_scope },
      };
    }
    case "changeScope": {
      const scope = withArea(
        key?.max_scope ?? "account:read",
        step.pick % 2 === 0 ? "trade" : "wallet",
        step.change === "less" ? "none" : "read_write",
      );
      return {
        intent: changeKeyScope(known, scope, context({ max_scope: scope })),
        expected: { id, max_scope: scope },
      };
    }
    case "switchKey":
      return {
        intent: (step.isEnabled ? enableKey : disableKey)(known, context({ enabled: step.isEnabled })),
        expected: { id },
      };
  }
}

/** Groups of which anything is known. */
export function groupsOf(live: LiveConnection): readonly MmpGroup[] {
  return [...live.storeOf(createMmpStore).snapshot.items.values()];
}

/** Limits that differ from what there is. */
export function changedLimits(present: MmpLimits, change: LimitsChange, salt: number): MmpLimits {
  const { delta_limit: delta, ...rest } = present;
  switch (change) {
    case "tighter":
      return {
        ...present,
        interval: String(30 + (salt % 9)),
        frozen_time: "5",
        max_quote_quantity: "2.50",
        delta_limit: "0.4",
      };
    case "wider":
      return { interval: "300", frozen_time: "0", max_quote_quantity: String(100 + salt), quantity_limit: "1000" };
    case "without delta":
      return delta === undefined ? { ...rest, interval: "2", max_quote_quantity: "9" } : rest;
    case "none":
      return { ...present, interval: "0" };
  }
}

export async function wishOfLimits(
  live: LiveConnection,
  { pick, limits: change }: Extract<Step, { do: "setLimits" }>,
): Promise<Wished | undefined> {
  await live.storeOf(createMmpStore).refresh();
  const group = groupsOf(live)[pick % Math.max(1, groupsOf(live).length)];
  if (group === undefined) return undefined;
  const current = (): MmpLimits | undefined => {
    const now = live.storeOf(createMmpStore).snapshot.items.get(keyOf(live, group));
    return now === undefined ? undefined : limitsOf(now.config);
  };
  const isRead = live.storeOf(createMmpStore).snapshot.status === "live";
  const present = limitsOf(group.config);
  const intent = setMmpLimits(group, changedLimits(present, change, pick), {
    origin: "view",
    present: isRead ? present : undefined,
    current,
  });
  return { intent, expected: { index_name: group.index_name, ...(change === "none" ? { interval: 0 } : {}) } };
}

function keyOf(live: LiveConnection, group: MmpGroup): string {
  return (
    [...live.storeOf(createMmpStore).snapshot.items].find(
      ([, each]) =>
        each.index_name === group.index_name &&
        each.mmp_group === group.mmp_group &&
        each.block_rfq === group.block_rfq,
    )?.[0] ?? ""
  );
}

export async function wishOfReset(
  live: LiveConnection,
  pick: number,
  nowMs: () => number,
): Promise<Wished | undefined> {
  await live.storeOf(createMmpStore).refresh();
  const frozen = groupsOf(live).filter(({ freeze }) => freeze !== undefined);
  const group = frozen[pick % Math.max(1, frozen.length)];
  if (group === undefined) return undefined;
  const intent = resetMmp(group, {
    origin: "view",
    nowMs,
    current: () => live.storeOf(createMmpStore).snapshot.items.get(keyOf(live, group)),
    detail: [],
  });
  return { intent, expected: { index_name: group.index_name } };
}

export function wishesOfQuotes(
  live: LiveConnection,
  { pick, count }: Extract<Step, { do: "cancelQuote" }>,
  nowMs: number,
): readonly Wished[] {
  const quotes = [...live.storeOf(createQuotesStore).snapshot.items.values()];
  const first = pick % Math.max(1, quotes.length);
  const chosen = [...quotes.slice(first), ...quotes.slice(0, first)].slice(0, count);
  return chosen.map((quote) => ({
    intent: cancelQuote(quote, {
      origin: "view",
      nowMs,
      current: (id) => live.storeOf(createQuotesStore).snapshot.items.get(String(id)),
    }),
    expected: { block_rfq_quote_id: quote.block_rfq_quote_id },
  }));
}

export function wishOfAllQuotes(
  live: LiveConnection,
  { pick, isOfRfq }: Extract<Step, { do: "cancelAllQuotes" }>,
): Wished {
  const all = [...live.storeOf(createQuotesStore).snapshot.items.values()];
  const rfqId = all[pick % Math.max(1, all.length)]?.block_rfq_id;
  const scope: QuotesScope = isOfRfq && rfqId !== undefined ? { kind: "rfq", rfqId } : { kind: "all" };
  const quotes = all.filter((quote) => scope.kind === "all" || quote.block_rfq_id === scope.rfqId);
  const isCounted =
    live.storeOf(createQuotesStore).snapshot.status === "live" &&
    live.storeOf(createQuotesStore).snapshot.failure === undefined;
  return {
    intent: cancelAllQuotes(scope, { quotes, isCounted }, "palette"),
    expected: scope.kind === "rfq" ? { block_rfq_id: scope.rfqId } : {},
  };
}

export function wishOfAllOrders(
  live: LiveConnection,
  { pick, scope: kind }: Extract<Step, { do: "cancelAll" }>,
): Wished | undefined {
  const open = openOrders(live.orders.snapshot);
  const order = open[pick % Math.max(1, open.length)];
  if (order === undefined) return undefined;
  const { instrument_name: instrument = "" } = order;
  const currency = instrument.split(/[-_]/)[0] ?? "";
  const label = order.label ?? "";
  const scopes: Readonly<Record<typeof kind, CancelScope>> = {
    all: { kind: "all" },
    instrument: { kind: "instrument", instrumentName: instrument },
    currency: { kind: "currency", currency },
    label: { kind: "label", label },
  };
  if (kind === "label" && label === "") return undefined;
  const orders = open.filter(
    (each) =>
      kind === "all" ||
      (kind === "instrument"
        ? each.instrument_name === instrument
        : kind === "label"
          ? each.label === label
          : each.instrument_name?.startsWith(currency) === true),
  );
  const isCounted = live.orders.snapshot.status === "live" && live.orders.snapshot.failure === undefined;
  return {
    intent: cancelMatching(scopes[kind], { orders, isCounted, hiddenCount: 0 }, "palette"),
    expected: kind === "instrument" ? { instrument_name: order.instrument_name } : {},
  };
}

/** The numbers of the accounts; `unknown` is not one of them. */
export const SUBJECTS: Readonly<Record<Subject, number>> = {
  options: ACCOUNTS[1]?.id ?? 0,
  empty: ACCOUNTS[2]?.id ?? 0,
  unknown: 999_999,
};

export const MAIN_ACCOUNT = ACCOUNTS[0].id;

export function wishOfSubject(live: LiveConnection, to: Subject): Wished {
  const subjectId = SUBJECTS[to];
  return {
    intent: switchSubject(
      { subjectId, name: to },
      { origin: "palette", unresolved: unresolvedCount(live.gate.activity) },
    ),
    expected: { subject_id: subjectId },
  };
}
