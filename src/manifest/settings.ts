import { INTEGER_SETTINGS } from "../base/integerSettings.ts";
import { chatAccessTexts } from "./chatTools.ts";

/**
 * A setting. It is a whole number, with default and bounds in `INTEGER_SETTINGS`, if it has neither a default, nor
 * choices, nor switches.
 */
interface Setting {
  /** What it controls, in Markdown. */
  readonly text: string;
  /** On or off, or one of the choices. */
  readonly default?: boolean | string;
  /** What each value means, in Markdown. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What is switched on and off one by one; all are on at first. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Who can set it (default: the user alone, so that no folder can weaken it). */
  readonly scope?: "window" | "resource";
  /** Whether it goes online, and so is not taken over from other computers of the user. */
  readonly isOnline?: true;
}

interface Group {
  readonly title: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

/** The settings by their names without the prefix, in the groups and the order of the settings editor. */
const GROUPS: Readonly<Record<string, Group>> = {
  safety: {
    title: "Safety",
    settings: {
      "safety.confirmCancel": {
        text: "Controls whether cancelling a single order or quote on testnet needs confirmation. Production always asks and the simulator never asks. All other changes (bulk cancels, order placement and edits, API keys, transfers) always ask.",
        choices: {
          always: "Ask for confirmation on testnet too. The dialog names the order and the connection.",
          productionOnly:
            "Cancel on testnet without confirmation, unless the item has just moved or an earlier outcome is unknown.",
        },
        default: "always",
      },
      "safety.allowChangesMinutes": {
        text: "Controls for how many minutes **Allow Changes…** enables changes on a production connection.",
      },
      "safety.allowTrading": {
        text: "Controls whether orders and quotes can be placed and edited. Each connection needs **Allow Trading…** first, with the largest order and the total in USD.",
        choices: {
          ask: "Ask at the first trade of a connection.",
          never: "Refuse every order, quote, and trade, on the simulator too, and hide the trading commands.",
        },
        default: "ask",
      },
      "presentationMode.enabled": {
        text: "Controls whether presentation mode hides amounts, prices, IDs, labels, and account names in views, hovers, notifications, Quick Picks, and the status bar. Confirmations, documents you open, and market data are not hidden.",
        default: false,
      },
      "chat.access": {
        text: "Controls what language models can do with Trading RPC tools in chat. Tool results are sent to your model provider, never include a secret, and come only from connections you have opened.",
        choices: chatAccessTexts(),
        default: "read",
      },
    },
  },
  connection: {
    title: "Connection",
    settings: {
      "connection.autoReconnect": {
        text: "Controls whether the last used connection is opened automatically when a Trading RPC view becomes visible.",
        default: false,
        isOnline: true,
      },
      "connection.simulateGateway": {
        text: "Controls whether the built-in simulator plays the Coinbase gateway from its next start on: it signs in with a key file, has two sockets, and lacks what the gateway doesn't offer.",
        default: false,
      },
      "connection.requestTimeoutMs": {
        text: "Controls how long to wait for a response, in milliseconds. If a write request times out, its outcome is shown as *unknown* and checked with the exchange.",
      },
      "connection.idleDisconnectMinutes": {
        text: "Controls after how many idle minutes a connection is closed. `0` never closes it. Live updates in views don't count as activity.",
      },
    },
  },
  orders: {
    title: "Open Orders",
    settings: {
      "orders.groupBy": {
        text: "Controls how orders are grouped in the **Open Orders** view.",
        choices: {
          instrument: "Group by instrument.",
          currency: "Group by currency or currency pair, for example `BTC` or `BTC_USDC`.",
          kind: "Group by kind: futures, options, spot, and combos.",
          type: "Group by order type.",
          label: "Group by label.",
          none: "Show a flat list.",
        },
        default: "instrument",
        scope: "window",
      },
      "orders.pageSize": {
        text: "Controls how many items a group shows before **Load more…**.",
        scope: "window",
      },
      "orders.sortBy": {
        text: "Controls how orders are sorted within a group in the **Open Orders** view. Sorting is applied when you change it and on refresh, not on every update.",
        choices: {
          received: "Keep the order of the exchange's list.",
          newest: "Show the newest orders first.",
          oldest: "Show the oldest orders first.",
          instrument: "Sort by instrument name.",
          price: "Show the highest price first, as in an order book. Orders without a price use their trigger price.",
          amount: "Show the largest amount first.",
        },
        default: "received",
        scope: "window",
      },
      "orders.badgeFills": {
        text: "Controls whether the **Open Orders** badge shows the number of orders filled or partially filled since you last opened the view.",
        default: false,
      },
    },
  },
  positions: {
    title: "Positions",
    settings: {
      "positions.refreshSeconds": {
        text: "Controls how many seconds pass between two readings of marks and profits while the **Positions** view is visible. A reading costs as many rate-limit credits as any other read request.",
      },
      "positions.sortBy": {
        text: "Controls how positions are sorted within a group in the **Positions** view. Sorting by a figure is applied when you change it and on refresh, not on every update.",
        choices: {
          instrument: "Sort by instrument name.",
          received: "Keep the order of the exchange's list.",
          profit: "Show the largest profit first.",
          margin: "Show the largest initial margin first.",
        },
        default: "instrument",
        scope: "window",
      },
      "positions.showUsd": {
        text: "Controls whether the **Positions** view also shows profit in USD, converted with the index price of the position and marked with ≈. It is shown for positions that are settled in the currency they trade.",
        default: false,
        scope: "window",
      },
    },
  },
  alarms: {
    title: "Alarms",
    settings: {
      "alarms.enabled": {
        text: "Controls whether a notification is shown for a liquidation, an account or platform lock, high maintenance margin, an MMP freeze, or a large fill. Alarms work only while a VS Code window is open and connected.",
        default: true,
      },
      "alarms.maintenanceMarginPercent": {
        text: "Controls at which share of the margin balance, in percent, maintenance margin raises an alarm. The alarm is cleared 5 percentage points lower.",
      },
      "alarms.fillUsd": {
        text: "Controls from which size, in USD, a fill is shown. `0` shows none.",
      },
      "alarms.kinds": {
        text: "Controls which kinds of alarms are shown.",
        switches: {
          liquidation: "The exchange liquidates a position or an order of yours.",
          fill: "A fill is at least as large as the size in `alarms.fillUsd`.",
          mmp: "MMP freezes a group.",
          lock: "The exchange locks your account.",
          margin: "Maintenance margin reaches its limit.",
          platform: "The exchange locks the platform or an index, or is in maintenance.",
        },
      },
      "alarms.mmpFreezeSeconds": {
        text: "Controls from which duration, in seconds, an MMP freeze is shown. A freeze without an end time is always shown.",
      },
    },
  },
  requests: {
    title: "Request Files",
    settings: {
      "requests.codeLens": {
        text: "Controls which CodeLens links are shown in request files and responses.",
        switches: {
          send: "Show **Send** above each request, with the connection it uses.",
          response: "Show the outcome of the request and the available actions above the response.",
          run: "Show **Send All**, **Send Read Requests**, and **Send from Here** above the requests of a file with several of them.",
          result: "Show the last outcome of each request above it.",
          object:
            "Show **Cancel…**, **Change Scope…**, and similar actions above orders, API keys, block trades, and quotes in a response.",
        },
        scope: "resource",
      },
      "requests.openResponseToTheSide": {
        text: "Controls whether a response opens to the side of its request.",
        default: true,
        scope: "resource",
      },
      "requests.responseTab": {
        text: "Controls whether responses share one editor tab per request file or get one per request.",
        choices: {
          perFile: "Use one tab per request file and environment. Each response replaces the previous one.",
          perRequest: "Use one tab per request.",
        },
        default: "perFile",
        scope: "resource",
      },
      "requests.concurrency": {
        text: "Controls how many independent read requests **Send All** and **Send Read Requests** send in parallel. Rate limits are always respected, and write requests are always sent one at a time.",
      },
      "requests.history": {
        text: "Controls where the history of the last 200 sent requests and responses is stored. Secrets are never stored.",
        choices: {
          off: "Keep no history.",
          memory: "Keep the history until the window closes.",
          disk: "Keep the history in a file in the extension's storage folder. Turning the history off deletes the file.",
        },
        default: "memory",
      },
    },
  },
};

/** A setting as package.json has it, as far as pages are made of it. */
export interface SettingSchema {
  readonly type: string;
  readonly additionalProperties?: false;
  readonly properties?: Readonly<Record<string, object>>;
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly markdownDescription: string;
}

/** A group of settings as `contributes.configuration` has it. */
interface SettingGroup {
  readonly title: string;
  readonly properties: Readonly<Record<string, SettingSchema>>;
}

/** The settings as `contributes.configuration` has them. */
export function settingGroups(): readonly SettingGroup[] {
  return Object.entries(GROUPS).map(([group, { settings }], index) => ({
    title: `%settings.${group}%`,
    order: index + 1,
    properties: Object.fromEntries(
      Object.entries(settings).map(([name, setting], at) => [
        `tradingRpc.${name}`,
        {
          ...schemaOf(name, setting),
          scope: setting.scope ?? "application",
          ...(setting.isOnline === true ? { ignoreSync: true, tags: ["usesOnlineServices"] } : {}),
          order: at + 1,
          markdownDescription: `%setting.${name}%`,
        },
      ]),
    ),
  }));
}

/** Returns the texts of the settings by the keys under which `contributes` names them. */
export function settingTexts(): [string, string][] {
  return Object.entries(GROUPS).flatMap(([group, { title, settings }]): [string, string][] => [
    [`settings.${group}`, title],
    ...Object.entries(settings).flatMap(([name, { text, choices, switches }]): [string, string][] => [
      [`setting.${name}`, text],
      ...Object.entries({ ...choices, ...switches }).map(([value, meaning]): [string, string] => [
        `setting.${name}.${value}`,
        meaning,
      ]),
    ]),
  ]);
}

function schemaOf(
  name: string,
  { choices, switches, default: value }: Setting,
): Omit<SettingSchema, "markdownDescription"> {
  if (choices !== undefined) {
    const values = Object.keys(choices);
    return {
      type: "string",
      enum: values,
      markdownEnumDescriptions: values.map((each) => `%setting.${name}.${each}%`),
      default: value,
    };
  }
  if (switches !== undefined) {
    const names = Object.keys(switches);
    const switchOf = (each: string): object => ({
      type: "boolean",
      default: true,
      description: `%setting.${name}.${each}%`,
    });
    return {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(names.map((each) => [each, switchOf(each)])),
      default: Object.fromEntries(names.map((each) => [each, true])),
    };
  }
  if (value !== undefined) return { type: "boolean", default: value };
  const bounds = Object.entries(INTEGER_SETTINGS).find(([each]) => each === name)?.[1];
  if (bounds === undefined) throw new Error(`${name} has no default here, and none in src/base/integerSettings.ts`);
  return { type: "integer", ...bounds };
}
