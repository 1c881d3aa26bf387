import { createActivityPane } from "./activity/view.ts";
import { COLLAPSED_KINDS } from "./kinds/collapsedKinds.ts";

/** The functions that make the panes of the views that are collapsed at first, loaded when one of them is needed. */
export const COLLAPSED_VIEWS = { ...COLLAPSED_KINDS, activity: createActivityPane };
