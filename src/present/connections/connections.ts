import { accountText } from "../../actions/connection/subaccounts.ts";
import { connectionName } from "../../actions/intent/connectionNames.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Connection, ConnectionState } from "../../state/connections.ts";
import {
  isRealMoney,
  isSameKey,
  SIMULATOR_ID,
  type ConnectionRecord,
  type GrantType,
  type TradingLimits,
} from "../../state/records.ts";
import {
  allowanceText,
  connectionPlace,
  connectionStateText,
  connectionTitle,
  environmentWord,
  hostOf,
  switchedSubject,
  tradingText,
  tradingUseText,
} from "./connectionWords.ts";
import { connectionFact, warning, type ConnectionFact } from "./facts.ts";
import { expiringFacts, streamsFacts, streamsParts } from "./gatewayFacts.ts";
import { disconnectWords, tiedCount } from "./disconnectRisk.ts";
import { linkFailureText, failureText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import { rowId, rowIdParts, WARNING_ICON, type Row, type RowIcon, type RowTree } from "../rows/row.ts";
import { scopeFacts } from "./scopeFacts.ts";
import { switchedMeaning } from "./subjectWords.ts";
import { durationText, type Times } from "../text/times.ts";

/** The data of the Connections view. Read on each request. */
export interface ConnectionsView {
  readonly connections: readonly Connection[];
  /** The end of the time in which changes are allowed, by connection ID, in ms since the Unix epoch. */
  readonly changesAllowedUntilMs: ReadonlyMap<string, number>;
  /** The end of the time in which only cancels are allowed, by connection ID, in ms since the Unix epoch. */
  readonly cancelsAllowedUntilMs?: ReadonlyMap<string, number>;
  /** The limits of trading, by connection ID, where it is allowed. */
  readonly trading?: ReadonlyMap<string, TradingLimits>;
  readonly nowMs: number;
  readonly times: Times;
  /** Returns the host and port of the proxy that the settings of VS Code name for an address. */
  readonly proxyOf?: (address: string) => string | undefined;
  /**
   * Returns how many other windows of this computer have a connection open that shares this one's key, or is this one.
   */
  readonly otherWindowsOf?: (record: ConnectionRecord) => number;
}

/** Makes the rows of the Connections view: each connection, and below it its details. */
export function createConnectionsTree(view: () => ConnectionsView): RowTree {
  const find = (id: string): { readonly connection: Connection; readonly name: string | undefined } | undefined => {
    const [connectionId, , name] = rowIdParts(id);
    const connection = view().connections.find((each) => each.record.id === connectionId);
    return connection === undefined ? undefined : { connection, name };
  };
  return {
    children(parentId) {
      if (parentId === undefined) return view().connections.map((connection) => connectionRow(connection, view()));
      const found = find(parentId);
      return found === undefined || found.name !== undefined ? [] : factRows(found.connection, view());
    },
    row(id) {
      const found = find(id);
      if (found === undefined) return undefined;
      return found.name === undefined
        ? connectionRow(found.connection, view())
        : factRows(found.connection, view()).find((row) => row.id === id);
    },
    parentOf(id) {
      const found = find(id);
      return found?.name === undefined ? undefined : connectionRowId(found.connection.record.id);
    },
    tooltip(id) {
      const found = find(id);
      if (found === undefined) return [];
      const facts = factsOf(found.connection, view());
      return facts
        .filter(({ key }) => found.name === undefined || key === found.name)
        .map(({ label, long, isSentence }) => ({ name: isSentence === true ? undefined : label, value: long }));
    },
  };
}

export function connectionRowId(connectionId: string): string {
  return rowId(connectionId, "connection");
}

function connectionRow(connection: Connection, view: ConnectionsView): Row {
  const { record, state } = connection;
  const title = plain.name(connectionTitle(connection));
  const parts = descriptionParts(connection, view);
  const [environment = "", ...others] = parts;
  const place = plain.text(connectionName(environment, switchedSubject(state)));
  // With one open there is nothing to tell apart.
  const isTold = connection.isActive && view.connections.filter((other) => other.state.status !== "off").length > 1;
  return {
    id: connectionRowId(record.id),
    connectionId: record.id,
    objectId: undefined,
    // In a narrow view its end is cut: the environment comes before the account.
    label: plain.name(record.name),
    description: plain.join([place, ...(isTold ? [l10n.t("active")] : []), ...others], " · "),
    icon: connectionIcon(connection, allowedOn(connection, view)),
    spoken: connection.isActive
      ? l10n.t("{0}, active connection: {1}", title, plain.join(parts, ", "))
      : l10n.t("{0}: {1}", title, plain.join(parts, ", ")),
    contextValue: contextValue(connection, view),
    children: state.status === "off" && record.id === SIMULATOR_ID ? "none" : "collapsed",
    copyText: record.name,
  };
}

/** Returns `TESTNET · ready · 38 ms`. On production, the allowed changes are more telling than "ready". */
function descriptionParts(connection: Connection, view: ConnectionsView): Plain[] {
  const { record, environment, state, latencyMs } = connection;
  const parts = [environmentWord(environment)];
  if (!isRealMoney(environment) || state.status !== "ready" || state.isSuspect || state.pause !== undefined)
    parts.push(connectionStateText(connection, view.nowMs));
  if (record.grant === "none") parts.push(l10n.t("no API key"));
  else if (isRealMoney(environment) && state.status === "ready") {
    const left = allowanceText(environment, view.changesAllowedUntilMs.get(record.id), view.nowMs);
    const cancels = cancelsLeft(connection, view);
    parts.push(
      cancels !== undefined
        ? l10n.t("cancels: {0} left", cancels)
        : left === undefined
          ? l10n.t("read-only")
          : l10n.t("changes: {0} left", left),
    );
  }
  const trading = tradingText(view.trading?.get(record.id));
  if (trading !== undefined) parts.push(trading);
  parts.push(...streamsParts(connection, view));
  if (latencyMs !== undefined) parts.push(durationText(latencyMs));
  const windows = windowsOf(connection, view);
  if (windows > 1) parts.push(l10n.t("{0} windows", windows));
  return parts;
}

/** The operations that production takes. */
type Allowed = "nothing" | "cancels" | "changes";

function allowedOn(connection: Connection, view: ConnectionsView): Allowed {
  const { record, environment } = connection;
  if (allowanceText(environment, view.changesAllowedUntilMs.get(record.id), view.nowMs) !== undefined) return "changes";
  return cancelsLeft(connection, view) === undefined ? "nothing" : "cancels";
}

function cancelsLeft({ record, environment }: Connection, view: ConnectionsView): Plain | undefined {
  return allowanceText(environment, view.cancelsAllowedUntilMs?.get(record.id), view.nowMs);
}

/** The flags for menus: both commands fit while only cancels are allowed. */
const ALLOWED_FLAGS: Readonly<Record<Allowed, string>> = {
  nothing: "readOnly",
  cancels: "readOnly.cancelsAllowed",
  changes: "changesAllowed",
};

/**
 * Returns flags for `when` clauses: the state, the environment, and whether it can be edited, was switched, or is
 * active.
 */
function contextValue(connection: Connection, view: ConnectionsView): string {
  const { record, state, environment, isActive } = connection;
  const flags = ["connection", state.status, environment, record.id === SIMULATOR_ID ? "builtIn" : "saved"];
  if (record.grant === "none") flags.push("noKey");
  else if (isRealMoney(environment)) flags.push(ALLOWED_FLAGS[allowedOn(connection, view)]);
  if (tradingText(view.trading?.get(record.id)) !== undefined) flags.push("tradingAllowed");
  if (switchedSubject(state) !== undefined) flags.push("switched");
  if (isActive) flags.push("active");
  return flags.join(".");
}

function connectionIcon({ state, environment }: Connection, allowed: Allowed): RowIcon {
  switch (state.status) {
    case "off":
      return { name: "debug-disconnect", color: "disabledForeground" };
    case "connecting":
    case "authenticating":
      return { name: "sync~spin", color: undefined };
    case "ready":
      if (!isRealMoney(environment)) return { name: "plug", color: "charts.green" };
      return allowed !== "nothing"
        ? { name: "unlock", color: "problemsWarningIcon.foreground" }
        : { name: "lock", color: undefined };
    case "waiting":
      return { name: "debug-disconnect", color: "problemsWarningIcon.foreground" };
    case "locked":
      return { name: "error", color: "problemsErrorIcon.foreground" };
  }
}

function factRows(connection: Connection, view: ConnectionsView): Row[] {
  return factsOf(connection, view).map(({ key, label, value, icon, spoken = l10n.t("{0}: {1}", label, value) }) => ({
    id: rowId(connection.record.id, "connection", key),
    connectionId: connection.record.id,
    objectId: undefined,
    label,
    description: value,
    icon,
    spoken,
    contextValue: "connection.fact",
    children: "none",
    copyText: value,
  }));
}

function factsOf(connection: Connection, view: ConnectionsView): ConnectionFact[] {
  const { record, state, contradiction } = connection;
  const use = tradingUseText(view.trading?.get(record.id));
  return [
    ...(contradiction === undefined ? [] : [warning("environment", l10n.t("environment"), contradiction)]),
    ...(state.status === "ready"
      ? [
          ...subjectFacts(state),
          ...expiringFacts(state, view),
          ...scopeFacts(state),
          ...(use === undefined ? [] : [connectionFact("trading", l10n.t("trading allowed"), use)]),
          ...sessionFacts(connection, state, view),
        ]
      : []),
    ...streamsFacts(connection, view),
    ...recordFacts(connection, view),
    ...windowFacts(connection, view),
    ...failureFacts(connection, view),
  ];
}

type Ready = Extract<ConnectionState, { status: "ready" }>;

/** Returns facts about the account that calls act as, where that is not the key's own. */
function subjectFacts({ identity: { subject } }: Ready): ConnectionFact[] {
  if (subject === undefined) return [];
  const account = accountText(subject);
  const long = l10n.t("{0}. {1}", account, switchedMeaning());
  return [
    { ...connectionFact("subject", l10n.t("acts as"), account, long), icon: { name: "person", color: undefined } },
  ];
}

function sessionFacts(
  connection: Connection,
  { sinceMs, identity }: Ready,
  { nowMs, times }: ConnectionsView,
): ConnectionFact[] {
  const { cancelOnDisconnect, eventCount, httpState } = connection;
  const { userId, clockSkewMs: skewMs, serverVersion } = identity;
  const age = durationText(nowMs - sinceMs);
  const long = l10n.t("{0} old, since {1}", age, times.local(sinceMs));
  return [
    connectionFact("session", l10n.t("session"), l10n.t("{0} old", age), long),
    connectionFact("events", l10n.t("events"), countText(eventCount)),
    ...(httpState?.status === "ready"
      ? [connectionFact("http", l10n.t("HTTP session"), plain.name(sessionNameOf(httpState.identity.scope)))]
      : []),
    ...(cancelOnDisconnect === undefined || identity.authentication === "none"
      ? []
      : [disconnectFact(cancelOnDisconnect)]),
    ...(userId === undefined ? [] : [connectionFact("account", l10n.t("account ID"), plain.name(String(userId)))]),
    ...(skewMs === undefined ? [] : [warning("clock", l10n.t("clock"), skewText(skewMs))]),
    ...(serverVersion === undefined
      ? []
      : [connectionFact("version", l10n.t("server version"), plain.name(serverVersion))]),
  ];
}

/** Returns the fact about what the end of the link means for orders. */
function disconnectFact(known: NonNullable<Connection["cancelOnDisconnect"]>): ConnectionFact {
  const { value, long } = disconnectWords(known);
  return {
    ...connectionFact("disconnect", l10n.t("cancel-on-disconnect (COD)"), value, long),
    ...(tiedCount(known) === 0 ? {} : { icon: WARNING_ICON }),
  };
}

/** Returns the name that the server gave the session, which counts as one of the sixteen that a key may have. */
function sessionNameOf(scope: string): string {
  return scope.split(/\s+/).find((entry) => entry.startsWith("session:")) ?? l10n.t("signed in");
}

function recordFacts(connection: Connection, { proxyOf }: ConnectionsView): ConnectionFact[] {
  const { id, url, clientId, grant } = connection.record;
  const [host, proxy] = [hostOf(connection), proxyOf?.(url)];
  return [
    ...(host === undefined ? [] : [connectionFact("server", l10n.t("server"), plain.name(host), plain.text(url))]),
    ...(proxy === undefined
      ? []
      : [connectionFact("proxy", l10n.t("proxy"), l10n.t("via proxy {0}", plain.name(proxy)))]),
    ...(clientId === "" ? [] : [connectionFact("clientId", keyWord(grant), plain.name(clientId))]),
    ...(id === SIMULATOR_ID
      ? []
      : [connectionFact("grant", l10n.t("sign-in"), grantText(grant), grantSentence(grant))]),
  ];
}

/** Returns the number of windows, including this one where the connection is open here. */
function windowsOf({ record, state }: Connection, { otherWindowsOf }: ConnectionsView): number {
  return (otherWindowsOf?.(record) ?? 0) + (state.status === "off" ? 0 : 1);
}

/**
 * Returns how many windows of this computer use the key, and the limits of the exchange. One address may have 32
 * connections, and each key 16 sessions, which are those of HTTP. https://docs.deribit.com/articles/authentication
 */
function windowFacts(connection: Connection, view: ConnectionsView): ConnectionFact[] {
  const { record, state } = connection;
  const windows = windowsOf(connection, view);
  if (view.otherWindowsOf === undefined || record.id === SIMULATOR_ID || windows === 0) return [];
  const isHere = state.status !== "off";
  const twins = view.connections
    .filter((other) => other.record.id !== record.id && other.state.status !== "off" && isSameKey(other.record, record))
    .map((other) => plain.name(connectionPlace(other)));
  const also =
    isHere && twins.length > 0
      ? [l10n.t("In this window, the same API key is also used by {0}.", plain.join(twins, ", "))]
      : [];
  const [label, many, one, limit] = record.clientId === "" ? connectionWindowWords() : keyWindowWords();
  const value =
    windows > 1 ? l10n.t("{0} windows", windows) : isHere ? l10n.t("this window only") : l10n.t("another window");
  const count = windows > 1 ? many(windows) : isHere ? one : many(windows);
  const long = plain.join([count, ...also, limit, l10n.t("Other computers are not counted.")], " ");
  return [{ ...connectionFact("windows", label, value, long), isSentence: true }];
}

type WindowWords = readonly [label: Plain, many: (windows: number) => Plain, one: Plain, limit: Plain];

function keyWindowWords(): WindowWords {
  return [
    l10n.t("API key in use"),
    (windows) =>
      windows === 1
        ? l10n.t("Another window on this computer uses this API key.")
        : l10n.t("{0} windows on this computer use this API key.", windows),
    l10n.t("No other window on this computer uses this API key."),
    l10n.t(
      "The exchange allows 32 connections per IP address and 16 sessions per API key. A window uses one session with its first request over HTTP.",
    ),
  ];
}

function connectionWindowWords(): WindowWords {
  return [
    l10n.t("open in"),
    (windows) =>
      windows === 1
        ? l10n.t("Another window on this computer has this connection open.")
        : l10n.t("{0} windows on this computer have this connection open.", windows),
    l10n.t("No other window on this computer has this connection open."),
    l10n.t("The exchange allows 32 connections per IP address."),
  ];
}

function failureFacts(connection: Connection, { times }: ConnectionsView): ConnectionFact[] {
  const { lastFailure, state } = connection;
  if (lastFailure === undefined) return [];
  const host = hostOf(connection);
  const { failure } = lastFailure;
  const { happened } = failureText(failure, "read", host);
  const reason =
    failure.kind === "exchange"
      ? l10n.t("error {0} {1}", failure.code, plain.name(failure.message))
      : plain.text(happened.replace(/\.$/, ""));
  const label = state.status === "ready" ? l10n.t("last outage") : l10n.t("problem");
  const long = l10n.t("{0} {1}", times.local(lastFailure.atMs), linkFailureText(failure, host));
  // A narrow row shows its beginning.
  const value = l10n.t("{0} · {1}", reason, times.clock(lastFailure.atMs));
  return [
    { ...connectionFact("failure", label, value, long), ...(state.status === "ready" ? {} : { icon: WARNING_ICON }) },
  ];
}

function skewText(skewMs: number): Plain {
  const size = durationText(Math.abs(skewMs));
  return skewMs > 0
    ? l10n.t("The clock of this computer is {0} slow compared with the exchange.", size)
    : l10n.t("The clock of this computer is {0} fast compared with the exchange.", size);
}

function keyWord(grant: GrantType): Plain {
  return grant === "cdp_key" ? l10n.t("key name") : l10n.t("client ID");
}

function grantText(grant: GrantType): Plain {
  switch (grant) {
    case "client_signature":
      return l10n.t("with a signature");
    case "client_credentials":
      return l10n.t("with client ID and client secret");
    case "private_key":
      return l10n.t("with a private key");
    case "cdp_key":
      return l10n.t("with a key file");
    case "token":
      return l10n.t("with an access token of this window");
    case "none":
      return l10n.t("none (public methods only)");
  }
}

/** Returns a grant with its meaning, for the tooltip. */
function grantSentence(grant: GrantType): Plain {
  if (grant === "client_signature") return l10n.t("with a signature (the client secret is not sent)");
  if (grant === "cdp_key") return l10n.t("with a key file (its private key is not sent)");
  return grant === "private_key" ? l10n.t("with a signature (the private key is not sent)") : grantText(grant);
}
