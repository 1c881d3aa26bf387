import * as os from "node:os";
import type { Ask } from "../../actions/intent/question.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import type { ConnectionRecord } from "../../state/records.ts";

/**
 * The consent to give the host that this runs on a stored secret. VS Code keeps secrets on the user's own computer. In
 * a container, over SSH or on a server the extension runs elsewhere, and the host's administrator sees what it is
 * given.
 */
export interface HostConsent {
  /** Asks once for each host and connection. `isQuiet`: nothing is asked, and a required confirmation counts as no. */
  mayRead(record: ConnectionRecord, isQuiet: boolean): Promise<boolean>;
  /** Records consent for a secret that the user types here: the host already knows it. */
  typedHere(record: ConnectionRecord): Promise<void>;
}

interface HostConsentPorts {
  /** The name of the other host in VS Code, e.g. `ssh-remote`; undefined if this runs on the user's own computer. */
  readonly remoteName: string | undefined;
  readonly state: {
    get(key: string): unknown;
    update(key: string, value: unknown): Thenable<void>;
  };
  readonly ask: Ask;
  /** The host's own name; VS Code gives no other. */
  readonly hostName?: string;
}

const KEY = "tradingRpc.secretHosts";

export function createHostConsent({ remoteName, state, ask, hostName = os.hostname() }: HostConsentPorts): HostConsent {
  const given = (): readonly unknown[] => {
    const kept = state.get(KEY);
    return Array.isArray(kept) ? kept : [];
  };
  const entryOf = ({ id }: ConnectionRecord): string => JSON.stringify([remoteName, hostName, id]);
  const give = async (record: ConnectionRecord): Promise<void> => {
    if (!given().includes(entryOf(record))) await state.update(KEY, [...given(), entryOf(record)]);
  };
  return {
    async mayRead(record, isQuiet) {
      if (remoteName === undefined || given().includes(entryOf(record))) return true;
      if (isQuiet) return false;
      const host = l10n.t("{0} ({1})", plain.name(hostName), plain.name(remoteName));
      const isSure = await ask({
        kind: "modal",
        message: l10n.t("Send the stored secret of {0} to {1}?", plain.name(record.name), host),
        detail: l10n.t(
          "The extension runs on {0}. Administrators of that host can read the secret. If you keep it here, it isn't sent. You can then enter another secret for this window, which is used on that host too.",
          host,
        ),
        confirm: l10n.t("Send Secret"),
        keep: l10n.t("Keep Secret Here"),
      });
      if (isSure) await give(record);
      return isSure;
    },
    async typedHere(record) {
      if (remoteName !== undefined) await give(record);
    },
  };
}
