import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Environment } from "../../state/records.ts";

/** Returns a connection as every surface names it: the environment in words, then the name. */
export function environmentWords(environment: Environment, connectionName: string): Plain {
  const name = plain.name(connectionName);
  switch (environment) {
    case "simulator":
      return plain.text([l10n.t("SIMULATOR"), name.replace(/^simulator\b/i, "").trim()].join(" ").trim());
    case "test":
      return l10n.t("TESTNET {0}", name);
    case "production":
      return l10n.t("PRODUCTION {0}", name);
    case "gateway":
      return l10n.t("COINBASE GATEWAY {0}", name);
  }
}

/** Returns the displayed name of a connection: its name, and the account that it was switched to. */
export function connectionName(
  name: string,
  subject: { readonly id: number; readonly name: string | undefined } | undefined,
): string {
  if (subject === undefined) return name;
  const { id, name: account } = subject;
  return l10n.t("{0} ▸ {1}", plain.text(name), account === undefined ? l10n.t("account {0}", id) : plain.text(account));
}
