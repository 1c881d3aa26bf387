import {
  changeKeyScope,
  createKey,
  disableKey,
  editKey,
  enableKey,
  removeKey,
  resetKey,
  type KeyContext,
} from "../../../src/actions/changes/apiKeys.ts";
import { cancelMatching } from "../../../src/actions/changes/cancelMany.ts";
import { editOpenOrder } from "../../../src/actions/changes/editOrders.ts";
import { resetMmp, limitsOf, setMmpLimits } from "../../../src/actions/changes/mmpLimits.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { placeTypedOrder } from "../../../src/actions/changes/placeOrder.ts";
import { generatedLabel } from "../../../src/actions/changes/placingNames.ts";
import { cancelAllQuotes, cancelQuote } from "../../../src/actions/changes/quotes.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { KnownKey } from "../../../src/state/apiKeys.ts";
import { orderLookups, type Order } from "../../../src/state/orders.ts";
import type { BlockRfqQuote } from "../../../src/state/quotes.ts";
import type { ConnectedWorld } from "../../world.ts";
import type { Truth } from "./truth.ts";

/*
 * What commands submit for changes that request files can send too. A command knows what was there before, so that
 * reading can prove more afterwards.
 */

function orderOf(truth: Truth, id: string): Order {
  return truth.orders.get(id) as unknown as Order;
}

function orderContext({ clock, live }: ConnectedWorld) {
  return { origin: "view", nowMs: clock.now(), ...orderLookups(live.orders) } as const;
}

function knownKey({ live }: ConnectedWorld, id: number): readonly [KnownKey, KeyContext] {
  const current = (): KnownKey | undefined => live.apiKeys.snapshot.items.get(String(id));
  const known: KnownKey = current() ?? { id, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true };
  return [known, { origin: "view", isInUse: false, isCurrent: true, current, detail: [] }];
}

function quotesOf({ quotes }: Truth): readonly BlockRfqQuote[] {
  return quotes as unknown as readonly BlockRfqQuote[];
}

const GROUP = { index_name: "btc_usd", mmp_group: "MassQuoteBot7", block_rfq: false };

/** The commands, by the method that each calls. */
export const COMMANDS: Readonly<Record<string, (world: ConnectedWorld, truth: Truth) => Intent>> = {
  "private/cancel": (world, truth) => cancelOrder(orderOf(truth, "ETH-331562"), orderContext(world)),
  "private/edit": (world, truth) =>
    editOpenOrder(orderOf(truth, "ETH-331562"), { amount: "4", price: "222.22" }, orderContext(world)),
  "private/cancel_all": (_, truth) =>
    cancelMatching(
      { kind: "all" },
      { orders: [...truth.orders.keys()].map((id) => orderOf(truth, id)), isCounted: true, hiddenCount: 0 },
      "palette",
    ),
  "private/buy": () =>
    placeTypedOrder(
      {
        ...{ instrument: "ETH-PERPETUAL", side: "buy", options: {} },
        line: { amount: "40", price: "118.5", timing: undefined, isReduceOnly: false },
      },
      {
        ...{ origin: "palette", label: generatedLabel("0123456789abcdef"), knownIds: [], preview: [] },
        isOutOfBand: false,
      },
    ),
  "private/cancel_block_rfq_quote": ({ clock }, truth) =>
    cancelQuote(quotesOf(truth)[0]!, { origin: "view", nowMs: clock.now(), current: () => quotesOf(truth)[0] }),
  "private/cancel_all_block_rfq_quotes": (_, truth) =>
    cancelAllQuotes({ kind: "all" }, { quotes: quotesOf(truth), isCounted: true }, "palette"),
  "private/edit_api_key": (world) => {
    const [known, context] = knownKey(world, 1);
    return editKey(known, { max_scope: "account:read trade:read", name: "NewKeyName", enabled: true }, context);
  },
  "private/change_scope_in_api_key": (world) => {
    const [known, context] = knownKey(world, 1);
    return changeKeyScope(known, "account:read", context);
  },
  "private/enable_api_key": (world) => enableKey(...knownKey(world, 1)),
  "private/disable_api_key": (world) => disableKey(...knownKey(world, 2)),
  "private/create_api_key": () =>
    createKey(
      { max_scope: "account:read trade:read_write", name: "new_key" },
      { origin: "palette", detail: [], idsBefore: [1, 2] },
    ),
  "private/reset_api_key": (world) => resetKey(...knownKey(world, 1)),
  "private/remove_api_key": (world) => removeKey(...knownKey(world, 1)),
  "private/set_mmp_config": (_, truth) => {
    const present = limitsOf(truth.limits[0] as never);
    return setMmpLimits(
      GROUP,
      { interval: "60", frozen_time: "0", quantity_limit: "3", max_quote_quantity: "2.5" },
      { origin: "palette", present, current: () => present },
    );
  },
  "private/reset_mmp": ({ clock }, truth) => {
    const freeze = {
      ...GROUP,
      frozen_until: clock.now() + 3_600_000,
      heardAtMs: clock.now(),
      isListed: true,
      received: {},
    };
    const group = { ...GROUP, config: truth.limits[0] as never, freeze };
    return resetMmp(group, { origin: "view", nowMs: () => clock.now(), current: () => group, detail: [] });
  },
};
