import type { Clock } from "../../base/clock.ts";
import { CALLER_ADDRESS } from "../access/apiKeys.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { writeJson } from "../text/json.ts";

/** What was changed about the access to an account: keys and logins. */
export interface AccessLog {
  /** Adds an entry and announces it. `data` is the client ID of a key, or the ID of a subaccount. */
  add(log: string, data: string | number, owner: number): void;
  /** Returns the entries of an account as JSON texts, newest first. */
  entries(owner: number): readonly string[];
}

/** Makes a log without entries. */
export function createAccessLog({
  clock,
  publisher,
}: {
  readonly clock: Clock;
  readonly publisher: Publisher;
}): AccessLog {
  const logs = new Map<number, string[]>();
  let entryId = 243_343;
  return {
    add(log, data, owner) {
      const text = writeJson({
        id: ++entryId,
        timestamp: clock.now(),
        log,
        ip: CALLER_ADDRESS,
        country: "",
        city: "",
        data,
      });
      logs.set(owner, [text, ...(logs.get(owner) ?? [])]);
      publisher.add("accessLog", () => text, { name: "", currencies: [] }, owner);
    },
    entries: (owner) => logs.get(owner) ?? [],
  };
}
