import * as l10n from "@vscode/l10n";

/** Returns sentences on variables of the environment that weaken encryption for programs of this computer. */
export function hostWarningTexts(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const texts: string[] = [];
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    texts.push(
      l10n.t(
        "NODE_TLS_REJECT_UNAUTHORIZED is 0 in the environment of the editor: other extensions may accept any certificate. Trading RPC still refuses those that are not valid. Remove the variable and start the editor anew.",
      ),
    );
  }
  if (isSet(environment["SSLKEYLOGFILE"])) {
    texts.push(
      l10n.t(
        "SSLKEYLOGFILE is set in the environment of the editor: a program may write down the keys of encrypted connections, with which others can read them. Remove the variable and start the editor anew, unless you set it on purpose.",
      ),
    );
  }
  if (isSet(environment["NODE_EXTRA_CA_CERTS"])) {
    texts.push(
      l10n.t(
        "NODE_EXTRA_CA_CERTS is set in the environment of the editor: servers that its certificates vouch for are trusted too, such as a program of your company that inspects traffic. It then can read what you send to the exchange.",
      ),
    );
  }
  return texts;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/**
 * The first releases of each line in which a resumed TLS session is checked against the host again (CVE-2026-48934,
 * CVE-2026-58040).
 */
const MENDED: Readonly<Record<number, readonly [minor: number, patch: number]>> = { 22: [23, 4], 24: [22, 1] };

/**
 * Returns a sentence on a Node whose encryption has known errors. Every connection of ours is a whole handshake, so
 * that they do not reach it.
 */
export function runtimeWarningTexts(version: string): readonly string[] {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const mended = MENDED[major];
  const isOld = mended === undefined ? major < 24 : minor < mended[0] || (minor === mended[0] && patch < mended[1]);
  return isOld
    ? [
        l10n.t(
          "The editor runs on Node {0}, whose encryption has known errors that later releases (22.23.4, 24.22.1) do not have. Trading RPC opens every connection with a whole check of the certificate; update the editor all the same.",
          version,
        ),
      ]
    : [];
}
