import * as vscode from "vscode";
import { ORDER_GROUPINGS, type OrderGrouping } from "../../present/orders/ordersGrouping.ts";
import { POSITION_SORTINGS, type PositionSorting } from "../../present/positions/positionsSorting.ts";
import { ORDER_SORTINGS, type OrderSorting } from "../../present/orders/ordersSorting.ts";
import { INTEGER_SETTINGS, type IntegerSetting } from "../../base/integerSettings.ts";
import type { Disposable, Event } from "../../base/emitter.ts";
import type { ProxySettings } from "../../present/text/proxyText.ts";
import type { SafetySettings } from "../../actions/gate/policy.ts";
import type { AlarmFamily, AlarmSettings } from "../../state/alarmRules.ts";

/** The settings at the moment of the call. An invalid value counts as the default. */
export interface Settings {
  safety(): SafetySettings;
  connection(): { readonly requestTimeoutMs: number; readonly autoReconnect: boolean };
  /** Whether the built-in simulator plays the partner's gateway. */
  simulatesGateway(): boolean;
  /** Returns a setting of the user that is a whole number, whatever a folder says. */
  integer(name: IntegerSetting): number;
  alarms(): AlarmSettings;
  /** Returns the proxy settings of VS Code, for texts: VS Code itself sends requests through proxies. */
  proxy(): ProxySettings;
  positions(): {
    /** The pause between two readings of marks and profits while the view is shown. */
    readonly pauseMs: number;
    readonly sortBy: PositionSorting;
    readonly hasUsd: boolean;
  };
  orders(): { readonly groupBy: OrderGrouping; readonly sortBy: OrderSorting; readonly pageSize: number };
  /** Whether the badge of the orders view counts filled orders. */
  isBadgingFills(): boolean;
  requests(uri: vscode.Uri): RequestSettings;
  /** Returns where sent requests are kept: nowhere, in memory, or over restarts. */
  history(): "off" | "memory" | "disk";
  /** Returns what tools of language models may do: nothing, read, or also ask to cancel. */
  chatAccess(): "off" | "read" | "readAndCancel";
  /** Whether figures and names of accounts are hidden on the screen. */
  isPresenting(): boolean;
  setPresenting(isWanted: boolean): Promise<void>;
  setGroupBy(grouping: OrderGrouping): Promise<void>;
  setSortBy(sorting: OrderSorting): Promise<void>;
  setPositionSorting(sorting: PositionSorting): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** The settings about how request files are shown and run. */
export interface RequestSettings {
  readonly hasSendLens: boolean;
  /** Whether the lenses Send All, Run Reads and Send from Here are shown. */
  readonly hasRunLens: boolean;
  /** Whether a lens with a request's last outcome is shown. */
  readonly hasResultLens: boolean;
  readonly hasResponseLens: boolean;
  /** Whether lenses like Cancel… and Change Scope… are shown above the objects in a response. */
  readonly hasObjectLens: boolean;
  readonly openResponseToTheSide: boolean;
  /** The number of response documents: one for all requests of a file, or one for each. */
  readonly responseTab: "perFile" | "perRequest";
  /** The number of reads that are under way together. */
  readonly concurrency: number;
}

const SECTION = "tradingRpc";
const PRESENTATION = "presentationMode.enabled";

export function createSettings(): Settings {
  return {
    safety: () => ({
      confirmCancel: userOnly("safety.confirmCancel") === "productionOnly" ? "productionOnly" : "always",
      allowChangesMinutes: integer("safety.allowChangesMinutes"),
      allowTrading: userOnly("safety.allowTrading") === "never" ? "never" : "ask",
    }),
    connection: () => ({
      requestTimeoutMs: integer("connection.requestTimeoutMs"),
      autoReconnect: userOnly("connection.autoReconnect") === true,
    }),
    simulatesGateway: () => userOnly("connection.simulateGateway") === true,
    integer: (name) => integer(name),
    alarms() {
      const fillUsd = integer("alarms.fillUsd");
      return {
        isOn: userOnly("alarms.enabled") !== false,
        off: new Set(ALARM_KINDS.filter((family) => !isOn(userOnly("alarms.kinds"), family))),
        leastFreezeMs: integer("alarms.mmpFreezeSeconds") * 1000,
        marginShare: integer("alarms.maintenanceMarginPercent") / 100,
        fillUsd: fillUsd === 0 ? undefined : fillUsd,
      };
    },
    proxy() {
      const configuration = vscode.workspace.getConfiguration("http");
      const noProxy = configuration.get<unknown>("noProxy");
      return {
        proxy: textOf(configuration.get("proxy")),
        support: textOf(configuration.get("proxySupport")),
        noProxy: Array.isArray(noProxy) ? noProxy.map(String) : [],
      };
    },
    positions() {
      const configuration = vscode.workspace.getConfiguration(SECTION);
      return {
        pauseMs: integer("positions.refreshSeconds") * 1000,
        sortBy: POSITION_SORTINGS.find((each) => each === configuration.get("positions.sortBy")) ?? "instrument",
        hasUsd: configuration.get("positions.showUsd") === true,
      };
    },
    orders() {
      const configuration = vscode.workspace.getConfiguration(SECTION);
      return {
        groupBy: ORDER_GROUPINGS.find((each) => each === configuration.get("orders.groupBy")) ?? "instrument",
        sortBy: ORDER_SORTINGS.find((each) => each === configuration.get("orders.sortBy")) ?? "received",
        pageSize: integer("orders.pageSize", configuration.get("orders.pageSize")),
      };
    },
    isBadgingFills: () => userOnly("orders.badgeFills") === true,
    requests(uri) {
      const configuration = vscode.workspace.getConfiguration(SECTION, uri);
      const lens: unknown = configuration.get("requests.codeLens");
      return {
        hasSendLens: isOn(lens, "send"),
        hasRunLens: isOn(lens, "run"),
        hasResultLens: isOn(lens, "result"),
        hasResponseLens: isOn(lens, "response"),
        hasObjectLens: isOn(lens, "object"),
        openResponseToTheSide: configuration.get("requests.openResponseToTheSide") !== false,
        responseTab: configuration.get("requests.responseTab") === "perRequest" ? "perRequest" : "perFile",
        concurrency: integer("requests.concurrency"),
      };
    },
    history() {
      const mode = userOnly("requests.history");
      return mode === "off" || mode === "disk" ? mode : "memory";
    },
    chatAccess() {
      const access = userOnly("chat.access");
      return access === "off" || access === "readAndCancel" ? access : "read";
    },
    isPresenting: () => userOnly(PRESENTATION) === true,
    setPresenting: async (isWanted) =>
      await vscode.workspace
        .getConfiguration(SECTION)
        .update(PRESENTATION, isWanted, vscode.ConfigurationTarget.Global),
    setGroupBy: async (grouping) => await setWhereItHolds("orders.groupBy", grouping),
    setPositionSorting: async (sorting) => await setWhereItHolds("positions.sortBy", sorting),
    setSortBy: async (sorting) => await setWhereItHolds("orders.sortBy", sorting),
    onDidChange: (listener): Disposable =>
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) listener();
      }),
  };
}

/** Sets a value where it takes effect: a folder's own value would hide a choice made for the user. */
async function setWhereItHolds(name: string, value: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const isSetHere = configuration.inspect(name)?.workspaceValue !== undefined;
  await configuration.update(
    name,
    value,
    isSetHere ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
  );
}

/** The members of `tradingRpc.alarms.kinds`. */
const ALARM_KINDS: readonly AlarmFamily[] = ["liquidation", "fill", "mmp", "lock", "margin", "platform"];

/** Reads a setting about safety or the network from the user's own settings alone, whatever a folder says. */
function userOnly(name: string): unknown {
  const found = vscode.workspace.getConfiguration(SECTION).inspect<unknown>(name);
  return found?.globalValue ?? found?.defaultValue;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function integer(name: IntegerSetting, value = userOnly(name)): number {
  const { minimum, maximum, default: fallback } = INTEGER_SETTINGS[name];
  return typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum
    ? value
    : fallback;
}

function isOn(toggles: unknown, name: string): boolean {
  return (
    typeof toggles !== "object" || toggles === null || (toggles as Readonly<Record<string, unknown>>)[name] !== false
  );
}
