import type { TreeName, ViewName } from "../base/viewNames.ts";

/** A condition of VS Code under which an item of the manifest is shown or a key works. */
export type When = string;

/** A context key that the extension sets, as code names it: without the prefix. */
export type ContextName =
  | "isConnected"
  | "hasAccount"
  | "hasActivity"
  | "hasUnknownOutcome"
  | "hasBuiltInSimulator"
  | "mayAllowChanges"
  | "mayAllowTrading"
  | "tradingAllowed"
  | "isSwitched"
  | "isRecording"
  | "changesAllowed"
  | "offersTrading"
  | "hasOwnConnection"
  | "orders.isCancelling"
  | "orders.isPaused"
  | "orders.severalSelected"
  | "request.wasAnswered"
  | "request.wasAsExpected"
  | "walkthrough.wasOpened"
  | `${TreeName}.content`
  | `${ViewName}.isFiltered`
  | `lacksScope.${string}`;

/** A context key that the extension sets, as conditions name it. */
export type ContextKey = `tradingRpc.${ContextName}`;

/** The condition that a context key of the extension is set. */
export function is(key: ContextKey): When {
  return key;
}

/** The condition that a context key of the extension is not set. */
export function not(key: ContextKey): When {
  return `!${key}`;
}

/** The condition that all of these hold. Conditions that are undefined are left out. */
export function all(...conditions: readonly (When | undefined)[]): When {
  return conditions.filter((each) => each !== undefined).join(" && ");
}

/** The condition that a menu belongs to a view. */
export function inView(view: TreeName): When {
  return `view == tradingRpc.${view}`;
}

/** The condition that a row has this context value, or one that matches. */
export function isRow(value: string | RegExp): When {
  return typeof value === "string" ? `viewItem == ${value}` : `viewItem =~ ${String(value)}`;
}

/** The condition that the active document is a request file. */
export const IN_REQUEST_FILE: When = String.raw`resourceFilename =~ /\.rpc\.json$/`;

/** The condition that the active document, or the selected file, is a recording. */
export const IN_RECORDING: When = String.raw`resourceFilename =~ /\.rpcrec\.jsonl$/`;

/** The condition that the active document is one of the extension's own. */
export const IN_DOCUMENT: When = "resourceScheme == trading-rpc-response";

/** The condition that the active document is a response. */
export const IN_RESPONSE: When = all(IN_DOCUMENT, "resourceDirname == '/trading-rpc-response'");

/** The condition that the active document is recorded traffic. */
export const IN_TRAFFIC: When = all(IN_DOCUMENT, "resourceDirname == '/trading-rpc-traffic'");

/** The condition that the active document is a support file. */
export const IN_SUPPORT_FILE: When = all(IN_DOCUMENT, "resourceDirname == '/trading-rpc-support'");

/** The condition that several rows of a view are selected. */
export const SEVERAL_ROWS: When = "listMultiSelection";

/** The condition that a connection is open. */
export const CONNECTED: When = is("tradingRpc.isConnected");

/** The condition that a connection with an API key is open. */
export const WITH_ACCOUNT: When = is("tradingRpc.hasAccount");

/** The condition that a view is not known to have nothing: it has rows, or has not been read yet. */
export function mayHaveRows(view: ViewName): When {
  return all(WITH_ACCOUNT, `tradingRpc.${view}.content != ${view === "orders" ? "noOrders" : "none"}`);
}

/** The condition that the settings don't turn trading off. */
export const OFFERS_TRADING: When = is("tradingRpc.offersTrading");

/** The condition that a view is open in the sidebar. The key is one of VS Code's own. */
export function isVisible(view: ViewName): When {
  return `view.tradingRpc.${view}.visible`;
}
