import type { ViewName } from "../base/viewNames.ts";
import { all, CONNECTED, is, isVisible, not, type When } from "./clauses.ts";
import { inTitle, onRowOfAnyView, type Command } from "./command.ts";
import type { View } from "./view.ts";

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
export function refreshOf(view: ViewName, title: string): Command {
  return { title, icon: "refresh", palette: all(CONNECTED, isVisible(view)), places: [inTitle(view, "navigation@2")] };
}

/** Returns the command that copies the text of a row. */
export function copyValueIn(views: readonly View[]): Command {
  return {
    title: "Copy Value",
    palette: false,
    places: [
      onRowOfAnyView(/^(field|\w+\.unreadable)$/, "2_copy@1"),
      ...views.flatMap(({ copyValue }) => copyValue ?? []),
    ],
  };
}

function isFocused(view: ViewName): When {
  return `focusedView == tradingRpc.${view}`;
}
