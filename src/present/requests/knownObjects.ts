import type { Plain } from "../../base/plain.ts";
import type { CurrencySummary } from "../../state/account.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import type { BlockTrade } from "../../state/blockTrades.ts";
import type { InstrumentsSnapshot } from "../../state/instruments.ts";
import type { KnownAccount, KnownListSnapshot } from "../../state/knownList.ts";
import type { TradesSnapshot } from "../../state/lastTrades.ts";
import type { MmpGroup } from "../../state/mmpGroups.ts";
import type { OrderItem } from "../../state/orders.ts";
import type { BlockRfq, BlockRfqQuote } from "../../state/quotes.ts";
import type { Snapshot } from "../../state/snapshot.ts";
import type { PositionsShown } from "../positions/positions.ts";

/** The objects known to the stores of the connection that a request would go to. */
export interface KnownObjects {
  /** The environment and name of the connection. */
  readonly place: Plain;
  /** What the account has, by currency. */
  readonly summaries: Snapshot<CurrencySummary>;
  readonly positions: PositionsShown;
  readonly orders: Snapshot<OrderItem>;
  readonly blockTrades: Snapshot<BlockTrade>;
  readonly apiKeys: Snapshot<KnownKey>;
  readonly quotes: Snapshot<BlockRfqQuote>;
  readonly rfqs: ReadonlyMap<number, BlockRfq>;
  readonly mmp: Snapshot<MmpGroup>;
  readonly instruments: InstrumentsSnapshot;
  readonly currencies: KnownListSnapshot<string>;
  readonly indexNames: KnownListSnapshot<string>;
  readonly accounts: KnownListSnapshot<KnownAccount>;
  /** The public trades that are shown. */
  readonly lastTrades: readonly TradesSnapshot[];
}

const NO_ITEMS = {
  status: "loading",
  items: new Map<string, never>(),
  readAtMs: undefined,
  failure: undefined,
  unreadable: [],
} as const;
const NO_LIST = { items: [], readAtMs: undefined, failure: undefined } as const;

/** The objects that are known without a connection: none. */
export const NOTHING_KNOWN: KnownObjects = {
  place: "",
  summaries: NO_ITEMS,
  positions: { snapshot: NO_ITEMS, instrumentOf: () => undefined },
  orders: NO_ITEMS,
  blockTrades: NO_ITEMS,
  apiKeys: NO_ITEMS,
  quotes: NO_ITEMS,
  rfqs: new Map(),
  mmp: NO_ITEMS,
  instruments: NO_LIST,
  currencies: NO_LIST,
  indexNames: NO_LIST,
  accounts: NO_LIST,
  lastTrades: [],
};
