import * as l10n from "@vscode/l10n";
import { plain } from "../base/plain.ts";
import type { Environment } from "../state/records.ts";

/** Returns a connection as every surface names it: the environment in words, then the name. */
export function environmentWords(environment: Environment, connectionName: string): string {
  const name = plain.name(connectionName);
  switch (environment) {
    case "simulator":
      return [l10n.t("SIMULATOR"), name.replace(/^simulator\b/i, "").trim()].join(" ").trim();
    case "test":
      return l10n.t("TESTNET {0}", name);
    case "production":
      return l10n.t("PRODUCTION {0}", name);
  }
}

/** Returns the displayed name of a connection: its name, and the account that it was switched to. */
export function connectionName(
  name: string,
  subject: { readonly id: number; readonly name: string | undefined } | undefined,
): string {
  return subject === undefined
    ? name
    : l10n.t("{0} ▸ {1}", name, subject.name ?? l10n.t("account {0}", String(subject.id)));
}
