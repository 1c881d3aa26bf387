import type { ViewName } from "../base/viewNames.ts";
import { all, CONNECTED, is, type When } from "./clauses.ts";

/** The steps of the walkthrough: the picture and the texts follow the name. Each is done at one of its events. */
const STEPS: readonly { readonly id: string; readonly doneWhen: readonly string[] }[] = [
  { id: "simulator", doneWhen: onContext(CONNECTED) },
  { id: "orders", doneWhen: onContext(all(hasRows("orders"), "view.tradingRpc.orders.visible")) },
  { id: "cancel", doneWhen: onContext(hasRows("activity")) },
  { id: "request", doneWhen: onContext(is("tradingRpc.request.wasAnswered")) },
  { id: "expect", doneWhen: onContext(is("tradingRpc.request.wasAsExpected")) },
  { id: "key", doneWhen: onContext(is("tradingRpc.hasOwnConnection")) },
  { id: "production", doneWhen: ["onCommand:workbench.action.openSettings"] },
];

/** The walkthrough as `contributes.walkthroughs` has it. */
export const WALKTHROUGH = {
  id: "start",
  title: "%walkthrough.title%",
  description: "%walkthrough.description%",
  icon: "media/icon.png",
  steps: STEPS.map(({ id, doneWhen }) => ({
    id,
    title: `%walkthrough.${id}.title%`,
    description: `%walkthrough.${id}.description%`,
    media: { svg: `media/walkthrough/${id}.svg`, altText: `%walkthrough.${id}.alt%` },
    completionEvents: doneWhen,
  })),
};

/**
 * Returns the events of a condition. VS Code learns of the steps when a walkthrough is first opened. A condition that
 * holds by then never makes its step done. The second one holds only after our command has opened the page.
 */
function onContext(condition: When): readonly string[] {
  return [condition, all(condition, is("tradingRpc.walkthrough.wasOpened"))].map((each) => `onContext:${each}`);
}

function hasRows(view: ViewName): When {
  return `${is(`tradingRpc.${view}.content`)} == rows`;
}
