import { effectOf, type Effect } from "../catalogue/index.ts";

/** What a method does to the account, as the catalogue says. */
export function effectOfMethod(method: string): Effect {
  return effectOf(method);
}
