import * as l10n from "@vscode/l10n";

/** Sentences on variables of the environment that weaken encryption for programs of this computer. */
export function hostWarningTexts(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const texts: string[] = [];
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    texts.push(l10n.t("NODE_TLS_REJECT_UNAUTHORIZED is 0 in the environment of the editor: other extensions may accept any certificate. Trading RPC still refuses those that are not valid. Remove the variable and start the editor anew."));
  }
  if (isSet(environment["SSLKEYLOGFILE"])) {
    texts.push(l10n.t("SSLKEYLOGFILE is set in the environment of the editor: a program may write down the keys of encrypted connections, with which others can read them. Remove the variable and start the editor anew, unless you set it on purpose."));
  }
  if (isSet(environment["NODE_EXTRA_CA_CERTS"])) {
    texts.push(l10n.t("NODE_EXTRA_CA_CERTS is set in the environment of the editor: servers that its certificates vouch for are trusted too, such as a program of your company that inspects traffic. It then can read what you send to the exchange."));
  }
  return texts;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
