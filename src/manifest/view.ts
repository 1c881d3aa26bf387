import type { ViewName } from "../base/viewNames.ts";
import { is, type When } from "./clauses.ts";
import type { MenuPlace } from "./command.ts";

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
  /**
   * The text for each value of the context key `content` for which there is one. The first text is shown until the key
   * is set, too.
   */
  readonly states: Readonly<Record<string, string>>;
  /** The place of Copy Value on rows of the view, besides fields and unreadable items, which have it in any view. */
  readonly copyValue?: MenuPlace;
}

/** A view as `contributes.views` has it. */
export function viewItem(name: ViewName, { initialSize, isCollapsed }: View): object {
  return {
    id: `tradingRpc.${name}`,
    name: `%view.${name}%`,
    icon: "media/activity.svg",
    contextualTitle: "Trading RPC",
    initialSize,
    ...(isCollapsed === true ? { visibility: "collapsed" } : {}),
  };
}

/** The texts of a view as `contributes.viewsWelcome` has them. */
export function welcomeItems(name: ViewName, { states }: View): object[] {
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
