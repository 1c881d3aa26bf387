import type { TreeName } from "../base/viewNames.ts";
import { all, inView, isRow, type ContextKey, type When } from "./clauses.ts";

/** A command of the manifest, with everything that the manifest says about it. */
export interface Command {
  readonly title: string;
  /** A codicon by its name, or two pictures. */
  readonly icon?: string | { readonly light: string; readonly dark: string };
  readonly enablement?: ContextKey;
  /**
   * The condition under which the Command Palette lists the command: always where it is absent, never where it is
   * false.
   */
  readonly palette?: When | false;
  /** Whether its calls have to be allowed for it to appear in the menus of the views. */
  readonly isScoped?: true;
  readonly places?: readonly MenuPlace[];
  readonly keys?: readonly Key[];
  /** The twin in the title of a view, where VS Code hands over the focused row, which is not meant there. */
  readonly fromTitle?: FromTitle;
}

/** The members of a command that differ in the title of a view, where VS Code takes it for another one. */
interface FromTitle extends Pick<Command, "icon" | "palette"> {
  /** The title in the Command Palette (default: that of the command). */
  readonly title?: string;
  readonly places: readonly MenuPlace[];
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
export function inTitle(view: TreeName, group: string, when?: When): MenuPlace {
  return { menu: "view/title", when: all(inView(view), when), group };
}

/** A place on rows of a view, named by the context value of the rows. */
export function onRow(view: TreeName, row: string | RegExp, group: string, when?: When): MenuPlace {
  return { menu: "view/item/context", when: all(inView(view), isRow(row), when), group };
}

/** A place on rows of several views, named by the context value of the rows. */
export function onRowOfAnyView(row: string | RegExp, group: string, when?: When): MenuPlace {
  return { menu: "view/item/context", when: all(isRow(row), when), group };
}

/** Returns a command that rows and titles alone have, and not the Command Palette. */
export function onlyIn(title: string, ...places: readonly MenuPlace[]): Command {
  return { title, palette: false, places };
}

/** Returns a command like `onlyIn`, which appears only where its calls are allowed. */
export function scopedIn(title: string, ...places: readonly MenuPlace[]): Command {
  return { ...onlyIn(title, ...places), isScoped: true };
}

/**
 * Returns a command of one kind of document. In the title and the context menu of its editor it stands at
 * `group@position`, where one is given.
 */
export function inEditor(
  document: When,
  title: string,
  { inTitle: titled, inContext, ...more }: Pick<Command, "icon" | "keys"> & { inTitle?: string; inContext?: string },
): Command {
  const places = [
    ...(titled === undefined ? [] : [{ menu: "editor/title" as const, when: document, group: titled }]),
    ...(inContext === undefined ? [] : [{ menu: "editor/context" as const, when: document, group: inContext }]),
  ];
  return { title, ...more, palette: document, places };
}
