import type { DisposableList } from "../base/emitter.ts";
import type { Row } from "../present/rows/row.ts";
import { createAccountPane } from "./account/view.ts";
import { createActivityPane } from "./activity/view.ts";
import { createApiKeysPane } from "./apiKeys/view.ts";
import { createBlockTradesPane } from "./blockTrades/view.ts";
import { createConnectionsPane } from "./connections/view.ts";
import { createMmpPane } from "./mmp/view.ts";
import { createOrdersPane } from "./orders/view.ts";
import { createPositionsPane } from "./positions/view.ts";
import { createQuotesPane } from "./quotes/view.ts";
import type { TreeFrame } from "./tree/treeView.ts";
import { VIEW_NAMES, type ViewName } from "../base/viewNames.ts";

/** The functions that make the panes of the views: the one list from which everything about all views is read. */
const PANES = {
  connections: createConnectionsPane,
  account: createAccountPane,
  positions: createPositionsPane,
  orders: createOrdersPane,
  blockTrades: createBlockTradesPane,
  mmp: createMmpPane,
  quotes: createQuotesPane,
  apiKeys: createApiKeysPane,
  activity: createActivityPane,
} satisfies Readonly<Record<ViewName, unknown>>;

/** The panes of all views, by name. */
export type Panes = { readonly [Name in ViewName]: ReturnType<(typeof PANES)[Name]> };

/** The ports that the panes need, all together. */
type AllPorts = (typeof PANES)[ViewName] extends (ports: infer Ports) => unknown ? Ports : never;

export interface PanesPorts extends Omit<AllPorts, "frame"> {
  readonly frames: Readonly<Record<ViewName, TreeFrame>>;
}

/** Makes the pane of every view. The given list disposes of them. */
export function createPanes({ frames, ...ports }: PanesPorts, disposables: DisposableList): Panes {
  return Object.fromEntries(
    VIEW_NAMES.map((name) => [name, disposables.add(PANES[name]({ ...ports, frame: frames[name] }))]),
  ) as unknown as Panes;
}

/** Returns the row of that id, in whatever view it is. */
export function findRow(panes: Panes, id: string): Row | undefined {
  for (const name of VIEW_NAMES) {
    const row = panes[name].row(id);
    if (row !== undefined) return row;
  }
  return undefined;
}
