import type { TreeName, ViewName } from "../base/viewNames.ts";
import { all, CONNECTED, is, isVisible, not, type When } from "./clauses.ts";
import { inTitle, onlyIn, onRowOfAnyView, type Command, type MenuPlace } from "./command.ts";

/** A view of the manifest, with the texts that it shows while it is empty. */
export interface View {
  readonly name: string;
  /**
   * The share of the height at first. VS Code sizes the views from top to bottom. It leaves each open one 120 px below
   * its title at least, and takes what is missing from, or gives what is left to, the last open one besides. So Open
   * Orders gets its share, Positions the rest. At 1280 × 800, each has six rows below titles of 22 px, five below those
   * of 28 px. https://github.com/microsoft/vscode/blob/main/src/vs/workbench/browser/parts/views/viewPaneContainer.ts
   */
  readonly initialSize: number;
  readonly isCollapsed?: true;
  /** The condition under which the sidebar has the view. */
  readonly when: When;
  /**
   * The text for each value of the context key `content` for which there is one. The first text is shown until the key
   * is set, too.
   */
  readonly states: Readonly<Record<string, string>>;
  /** The place of Copy Value on rows of the view, besides fields and unreadable items, which have it in any view. */
  readonly copyValue?: MenuPlace;
}

/** A view as `contributes.views` has it. */
export function viewItem(name: TreeName, { initialSize, isCollapsed, when }: View): object {
  return {
    id: `tradingRpc.${name}`,
    name: `%view.${name}%`,
    when,
    icon: "media/activity.svg",
    contextualTitle: "Trading RPC",
    initialSize,
    ...(isCollapsed === true ? { visibility: "collapsed" } : {}),
  };
}

/** The texts of a view as `contributes.viewsWelcome` has them. */
export function welcomeItems(name: TreeName, { states }: View): object[] {
  return Object.keys(states).map((state, index) => {
    const isUnset: When = `!${is(`tradingRpc.${name}.content`)}`;
    const isState: When = `tradingRpc.${name}.content == ${state}`;
    return {
      view: `tradingRpc.${name}`,
      when: index > 0 ? isState : state === LOADING ? isUnset : `${isUnset} || ${isState}`,
      contents: `%welcome.${name}.${state}%`,
    };
  });
}

/** Returns the texts of a view by the keys under which `contributes` names them. */
export function viewTexts(view: string, { name, states }: View): [string, string][] {
  return [
    [`view.${view}`, name],
    ...Object.entries(states).map(([state, text]): [string, string] => [`welcome.${view}.${state}`, text]),
  ];
}

/** The state before any other is set. No view sets it. */
const LOADING = "loading";

const EDIT_OR_CONNECT =
  "[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another";

/** What the texts of a view of an account say in their own words. */
interface AccountWords {
  /** What a connection lets one see, e.g. "your positions". */
  readonly shows: string;
  /** What is not available without an API key, with its verb, e.g. "positions are" (default: everyone can read it). */
  readonly without?: string;
  /** What needs which scope, with its verb, e.g. "Positions need the trade:read scope"; or the whole text. */
  readonly needs?: string;
}

/** Returns the texts of a view of an account while there is nothing to read it with. */
export function accountStates({ shows, without, needs }: AccountWords): View["states"] {
  return {
    notConnected: `Not connected. Connect to see ${shows}.\n[Connect…](command:tradingRpc.connection.connect)`,
    refused: `The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n${EDIT_OR_CONNECT} API key.`,
    ...(needs === undefined
      ? {}
      : {
          missingScope: needs.endsWith("scope")
            ? `${needs}, which this API key doesn't have. Use another key or add the scope on the exchange.\n${EDIT_OR_CONNECT} key.`
            : needs,
        }),
    ...(without === undefined
      ? {}
      : {
          noKey: `This connection has no API key, so ${without} not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.`,
        }),
  };
}

/** Returns the command that chooses what a view shows. It is a button of the title until something is filtered. */
export function filterOf(view: ViewName, title: string): Command {
  return {
    title,
    icon: "filter",
    palette: isVisible(view),
    places: [
      inTitle(view, "navigation@1", not(`tradingRpc.${view}.isFiltered`)),
      inTitle(view, "1_view@1", is(`tradingRpc.${view}.isFiltered`)),
    ],
    keys: [{ key: "ctrl+f", mac: "cmd+f", when: isFocused(view) }],
  };
}

/** Returns the command that shows all of a view again, with its button at a position of the title. */
export function clearFilterOf(view: ViewName, title: string, position: 0 | 1 = 1): Command {
  const isFiltered = is(`tradingRpc.${view}.isFiltered`);
  return {
    title,
    icon: "filter-filled",
    palette: isFiltered,
    places: [inTitle(view, `navigation@${position}`, isFiltered)],
    keys: [{ key: "escape", when: all(isFocused(view), isFiltered, "!inputFocus", "!treeFindOpen") }],
  };
}

/** Returns the command that reads what a view shows again. */
export function refreshOf(view: ViewName, title: string, ...rows: readonly MenuPlace[]): Command {
  const places = [inTitle(view, "navigation@2"), ...rows];
  return { title, icon: "refresh", palette: all(CONNECTED, isVisible(view)), places };
}

/** Returns the command that copies the text of a row. */
export function copyValueIn(views: readonly View[]): Command {
  return onlyIn(
    "Copy Value",
    onRowOfAnyView(/^(field|\w+\.unreadable)$/, "2_copy@1"),
    ...views.flatMap(({ copyValue }) => copyValue ?? []),
  );
}

function isFocused(view: ViewName): When {
  return `focusedView == tradingRpc.${view}`;
}
