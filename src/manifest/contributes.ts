import { chatTools } from "./chatTools.ts";
import { TREE_NAMES, type TreeName } from "../base/viewNames.ts";
import { all, inView, not } from "./clauses.ts";
import type { Command, Commands, Menu } from "./command.ts";
import { activityCommands, activityView } from "./activity.ts";
import { collapsedKindCommands, collapsedKindViews } from "./collapsedKinds.ts";
import { connectionsCommands, connectionsView, simulatorCommands, startView } from "./connections.ts";
import { channelsCommands, DOCUMENTS, responsesCommands, supportFileCommands, trafficCommands } from "./documents.ts";
import { accountCommands, accountView, positionsCommands, positionsView } from "./openKinds.ts";
import { historyCommands, ordersCommands, ordersView, tradesCommands } from "./orders.ts";
import { generalCommands } from "./general.ts";
import { requestsCommands } from "./requests.ts";
import { settingGroups, settingTexts } from "./settings.ts";
import { copyValueIn, viewItem, viewTexts, welcomeItems, type View } from "./view.ts";
import { WALKTHROUGH } from "./walkthrough.ts";

/** The views. */
const VIEWS: Readonly<Record<TreeName, View>> = {
  start: startView,
  connections: connectionsView,
  account: accountView,
  positions: positionsView,
  orders: ordersView,
  ...collapsedKindViews,
  activity: activityView,
};

/** Every command by its ID, noun by noun. */
const COMMANDS = {
  ...connectionsCommands,
  ...simulatorCommands,
  ...accountCommands,
  ...positionsCommands,
  ...ordersCommands,
  ...collapsedKindCommands,
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
export type CommandId = keyof typeof COMMANDS | `${InTitles}FromTitle`;

/** The commands that have another one in the title of a view. */
type InTitles = {
  [Id in keyof typeof COMMANDS]: (typeof COMMANDS)[Id] extends { readonly fromTitle: object } ? Id : never;
}[keyof typeof COMMANDS];

/** A command as VS Code knows it. In the title of a view it is another one. */
interface Shown extends Omit<Command, "title" | "fromTitle" | "isScoped"> {
  readonly id: string;
  /** The title (default: that of another command). */
  readonly title?: string;
  /** The key of its title, and that of its title in menus. */
  readonly texts: readonly [title: string, inMenus: string];
  readonly isScoped: boolean;
}

const SHOWN = Object.entries<Command>(COMMANDS).flatMap(
  ([id, { fromTitle, isScoped = false, ...command }]): Shown[] => {
    const name = id.slice("tradingRpc.".length);
    const own: Shown = { ...command, id, texts: [name, name], isScoped };
    if (fromTitle === undefined) return [own];
    const titled = fromTitle.title === undefined ? name : `${name}FromTitle`;
    return [own, { palette: false, isScoped, ...fromTitle, id: `${id}FromTitle`, texts: [titled, name] }];
  },
);

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
  return {
    viewsContainers: { activitybar: [{ id: "tradingRpc", title: "Trading RPC", icon: "media/activity.svg" }] },
    views: { tradingRpc: TREE_NAMES.map((name) => viewItem(name, VIEWS[name])) },
    viewsWelcome: TREE_NAMES.flatMap((name) => welcomeItems(name, VIEWS[name])),
    walkthroughs: [WALKTHROUGH],
    commands: SHOWN.map(commandItem),
    menus: {
      commandPalette: SHOWN.flatMap(({ id, palette }) =>
        palette === undefined ? [] : [{ command: id, when: palette === false ? "false" : palette }],
      ),
      ...Object.fromEntries(MENUS.map((menu) => [menu, menuItems(menu)])),
    },
    keybindings: SHOWN.flatMap(({ id, keys = [] }) => keys.map((key) => ({ command: id, ...key }))),
    ...DOCUMENTS,
    configuration: settingGroups(),
    languageModelTools: chatTools(),
    mcpServerDefinitionProviders: [{ id: "tradingRpc.agents", label: "Trading RPC" }],
    terminal: { profiles: [{ id: "tradingRpc.terminal", title: "Trading RPC", icon: "terminal" }] },
    submenus: [{ id: "tradingRpc.orders.arrange", label: "%submenu.orders.arrange%" }],
  };
}

/** Returns the texts of settings, views, and commands by the keys under which `contributes` names them. */
export function texts(): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...settingTexts(),
    ...TREE_NAMES.flatMap((name) => viewTexts(name, VIEWS[name])),
    ...SHOWN.flatMap(({ title, texts: [key] }): [string, string][] =>
      title === undefined ? [] : [[`command.${key}`, title]],
    ),
  ]);
}

function commandItem({ id, texts: [title, inMenus], icon, enablement }: Shown): object {
  return {
    command: id,
    title: `%command.${title}%`,
    ...(inMenus === title ? {} : { shortTitle: `%command.${inMenus}%` }),
    category: "Trading RPC",
    ...(icon === undefined ? {} : { icon: typeof icon === "string" ? `$(${icon})` : icon }),
    ...(enablement === undefined ? {} : { enablement }),
  };
}

function menuItems(menu: Menu): object[] {
  const items = SHOWN.flatMap(({ id, texts: [, name], places = [], isScoped }) =>
    places
      .filter((place) => place.menu === menu)
      .map(({ when, group }) => {
        const condition = isScoped ? all(when, not(`tradingRpc.lacksScope.${name}`)) : when;
        return { command: id, ...(condition === undefined ? {} : { when: condition }), group };
      }),
  );
  return menu === "view/title" ? [...items, SUBMENU_PLACE] : items;
}
