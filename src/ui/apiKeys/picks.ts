import { plain } from "../../base/plain.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { keyTitle, keyTraits } from "../../present/apiKeys/apiKeyWords.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import type { KnownKey } from "../../state/apiKeys.ts";

/** Returns a key as an item of a list to choose from. */
export function keyChoice({
  known,
  live,
}: {
  readonly known: KnownKey;
  readonly live: LiveConnection;
}): Pick<Choice<unknown>, "label" | "description"> {
  return { label: keyTitle(known), description: plain.join(keyTraits(known, inUseClientId(live)), " · ") };
}

/** Returns the client id of the key in use, even during an outage: the last sign-in's key is also the next one's. */
export function inUseClientId({ state, record }: Pick<LiveConnection, "state" | "record">): string | undefined {
  if (state.status === "ready") return state.identity.clientId;
  return record.clientId === "" ? undefined : record.clientId;
}
