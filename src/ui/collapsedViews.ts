import { createActivityPane } from "./activity/view.ts";
import { createApiKeysPane } from "./apiKeys/view.ts";
import { createBlockTradesPane } from "./blockTrades/view.ts";
import { createMmpPane } from "./mmp/view.ts";
import { createQuotesPane } from "./quotes/view.ts";

/** The functions that make the panes of the views that are collapsed at first, loaded when one of them is needed. */
export const COLLAPSED_VIEWS = {
  blockTrades: createBlockTradesPane,
  mmp: createMmpPane,
  quotes: createQuotesPane,
  apiKeys: createApiKeysPane,
  activity: createActivityPane,
};
