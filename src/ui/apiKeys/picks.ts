import type { LiveConnection } from "../../actions/liveConnection.ts";
import { keyTitle, keyTraits } from "../../present/apiKeys/apiKeyWords.ts";
import type { Choice } from "../editor/dialogs.ts";
import type { KnownKey } from "../../state/apiKeys.ts";

/** How a key stands in a list to choose from. */
export function keyChoice({
  known,
  live,
}: {
  readonly known: KnownKey;
  readonly live: LiveConnection;
}): Pick<Choice<unknown>, "label" | "description"> {
  return { label: keyTitle(known), description: keyTraits(known, inUseClientId(live)).join(" · ") };
}

/** Also over an outage: what signed in last is what signs in next. */
export function inUseClientId({ state, record }: Pick<LiveConnection, "state" | "record">): string | undefined {
  if (state.status === "ready") return state.identity.clientId;
  return record.clientId === "" ? undefined : record.clientId;
}
