import { accountCommands, accountView } from "./account.ts";
import { activityCommands, activityView } from "./activity.ts";
import { apiKeysCommands, apiKeysView } from "./apiKeys.ts";
import { blockTradesCommands, blockTradesView } from "./blockTrades.ts";
import { channelsCommands } from "./channels.ts";
import { chatAccessTexts, chatTools } from "./chatTools.ts";
import type { ViewName } from "../base/viewNames.ts";
import { all, inView, not } from "./clauses.ts";
import type { Command, Commands, Menu } from "./command.ts";
import { connectionsCommands, connectionsView } from "./connections.ts";
import { DOCUMENTS } from "./documents.ts";
import { generalCommands } from "./general.ts";
import { historyCommands } from "./history.ts";
import { mmpCommands, mmpView } from "./mmp.ts";
import { ordersCommands, ordersView } from "./orders.ts";
import { positionsCommands, positionsView } from "./positions.ts";
import { quotesCommands, quotesView } from "./quotes.ts";
import { requestsCommands } from "./requests.ts";
import { responsesCommands } from "./responses.ts";
import { SETTINGS } from "./settings.ts";
import { simulatorCommands } from "./simulator.ts";
import { supportFileCommands } from "./supportFile.ts";
import { tradesCommands } from "./trades.ts";
import { trafficCommands } from "./traffic.ts";
import { viewItem, viewTexts, welcomeItems, type View } from "./view.ts";
import { copyValueIn } from "./viewCommands.ts";
import { WALKTHROUGH } from "./walkthrough.ts";

/** The views from top to bottom. */
const VIEWS: Readonly<Record<ViewName, View>> = {
  connections: connectionsView,
  account: accountView,
  positions: positionsView,
  orders: ordersView,
  blockTrades: blockTradesView,
  mmp: mmpView,
  quotes: quotesView,
  apiKeys: apiKeysView,
  activity: activityView,
};

/** Every command by its ID, noun by noun. */
const COMMANDS = {
  ...connectionsCommands,
  ...simulatorCommands,
  ...accountCommands,
  ...positionsCommands,
  ...ordersCommands,
  ...blockTradesCommands,
  ...mmpCommands,
  ...quotesCommands,
  ...apiKeysCommands,
  ...activityCommands,
  ...tradesCommands,
  ...historyCommands,
  ...requestsCommands,
  ...responsesCommands,
  ...channelsCommands,
  ...trafficCommands,
  ...supportFileCommands,
  "tradingRpc.row.copyValue": copyValueIn(Object.values(VIEWS)),
  ...generalCommands,
} satisfies Commands;

/** The ID of a command of the extension. */
export type CommandId = keyof typeof COMMANDS;

/** The menus in the order in which the manifest has them. */
const MENUS: readonly Menu[] = [
  "view/title",
  "view/item/context",
  "explorer/context",
  "editor/title",
  "editor/context",
  "file/newFile",
  "tradingRpc.orders.arrange",
];

/** The place of the submenu in the title of its view. */
const SUBMENU_PLACE = { submenu: "tradingRpc.orders.arrange", when: inView("orders"), group: "1_view@2" };

/** The `contributes` of package.json. */
export function contributes(): object {
  const views = Object.entries(VIEWS) as [ViewName, View][];
  const commands = Object.entries<Command>(COMMANDS);
  return {
    viewsContainers: { activitybar: [{ id: "tradingRpc", title: "Trading RPC", icon: "media/activity.svg" }] },
    views: { tradingRpc: views.map(([name, view]) => viewItem(name, view)) },
    viewsWelcome: views.flatMap(([name, view]) => welcomeItems(name, view)),
    walkthroughs: [WALKTHROUGH],
    commands: commands.map(([id, command]) => commandItem(id, command)),
    menus: {
      commandPalette: commands.flatMap(([id, { palette }]) =>
        palette === undefined ? [] : [{ command: id, when: palette === false ? "false" : palette }],
      ),
      ...Object.fromEntries(MENUS.map((menu) => [menu, menuItems(menu, commands)])),
    },
    keybindings: commands.flatMap(([id, { keys = [] }]) => keys.map((key) => ({ command: id, ...key }))),
    ...DOCUMENTS,
    configuration: SETTINGS,
    languageModelTools: chatTools(),
    terminal: { profiles: [{ id: "tradingRpc.terminal", title: "Trading RPC", icon: "terminal" }] },
    submenus: [{ id: "tradingRpc.orders.arrange", label: "%submenu.orders.arrange%" }],
  };
}

/** Returns the texts of views, commands, and chat access by the keys under which `contributes` names them. */
export function texts(): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...Object.entries(chatAccessTexts()),
    ...Object.entries(VIEWS).flatMap(([name, view]) => viewTexts(name, view)),
    ...Object.entries<Command>(COMMANDS).flatMap(([id, { title }]): [string, string][] =>
      typeof title === "string" ? [[`command.${withoutPrefix(id)}`, title]] : [],
    ),
  ]);
}

function commandItem(id: string, { title, inMenus, icon, enablement }: Command): object {
  return {
    command: id,
    title: `%command.${typeof title === "string" ? withoutPrefix(id) : title.of}%`,
    ...(inMenus === undefined ? {} : { shortTitle: `%command.${inMenus}%` }),
    category: "Trading RPC",
    ...(icon === undefined ? {} : { icon: typeof icon === "string" ? `$(${icon})` : icon }),
    ...(enablement === undefined ? {} : { enablement }),
  };
}

function menuItems(menu: Menu, commands: readonly (readonly [string, Command])[]): object[] {
  const items = commands.flatMap(([id, { places = [], scope }]) =>
    places
      .filter((place) => place.menu === menu)
      .map(({ when, group }) => {
        const condition = scope === undefined ? when : all(when, not(`tradingRpc.lacksScope.${scope}`));
        return { command: id, ...(condition === undefined ? {} : { when: condition }), group };
      }),
  );
  return menu === "view/title" ? [...items, SUBMENU_PLACE] : items;
}

function withoutPrefix(id: string): string {
  return id.slice("tradingRpc.".length);
}
