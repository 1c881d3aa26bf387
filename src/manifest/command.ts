import type { ViewName } from "../base/viewNames.ts";
import { all, inView, isRow, type ContextKey, type When } from "./clauses.ts";

/** A command of the manifest, with everything that the manifest says about it. */
export interface Command {
  /** The title, or the command whose title it shares, by its ID without its prefix. */
  readonly title: string | { readonly of: string };
  /** The command whose title it has in the menu of a view's title, by its ID without its prefix (default: its own). */
  readonly inMenus?: string;
  /** A codicon by its name, or two pictures. */
  readonly icon?: string | { readonly light: string; readonly dark: string };
  readonly enablement?: ContextKey;
  /**
   * The condition under which the Command Palette lists the command: always where it is absent, never where it is
   * false.
   */
  readonly palette?: When | false;
  /** The command whose calls have to be allowed for this one to appear in the menus of the views. */
  readonly scope?: string;
  readonly places?: readonly MenuPlace[];
  readonly keys?: readonly Key[];
}

/** The commands of one noun by their ID. */
export type Commands = Readonly<Record<`tradingRpc.${string}`, Command>>;

/** A place of a command in a menu. */
export interface MenuPlace {
  readonly menu: Menu;
  readonly when?: When;
  /** The group of the menu and the position in it, as `group@position`. */
  readonly group: string;
}

/** A menu that holds commands. It is never the Command Palette, which `palette` of a command covers. */
export type Menu =
  | "view/title"
  | "view/item/context"
  | "explorer/context"
  | "editor/title"
  | "editor/context"
  | "file/newFile"
  | "tradingRpc.orders.arrange";

/** A key binding of a command. */
interface Key {
  readonly key: string;
  readonly mac?: string;
  readonly when: When;
}

/** A place in the title of a view, or in its menu. */
export function inTitle(view: ViewName, group: string, when?: When): MenuPlace {
  return { menu: "view/title", when: all(inView(view), when), group };
}

/** A place on rows of a view, named by the context value of the rows. */
export function onRow(view: ViewName, row: string | RegExp, group: string, when?: When): MenuPlace {
  return { menu: "view/item/context", when: all(inView(view), isRow(row), when), group };
}

/** A place on rows of several views, named by the context value of the rows. */
export function onRowOfAnyView(row: string | RegExp, group: string, when?: When): MenuPlace {
  return { menu: "view/item/context", when: all(isRow(row), when), group };
}
