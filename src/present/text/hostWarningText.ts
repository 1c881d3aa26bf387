import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** Returns sentences on variables of the environment that weaken encryption for programs of this computer. */
export function hostWarningTexts(environment: Readonly<Record<string, string | undefined>>): readonly Plain[] {
  const texts: Plain[] = [];
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    texts.push(
      l10n.t(
        "NODE_TLS_REJECT_UNAUTHORIZED is 0 in the environment of VS Code, so other extensions may accept any certificate. Trading RPC still rejects invalid certificates. Remove the variable and restart VS Code.",
      ),
    );
  }
  if (isSet(environment["SSLKEYLOGFILE"])) {
    texts.push(
      l10n.t(
        "SSLKEYLOGFILE is set in the environment of VS Code. A program may record the keys of encrypted connections, and others can use them to read the traffic. Unless you set it on purpose, remove the variable and restart VS Code.",
      ),
    );
  }
  if (isSet(environment["NODE_EXTRA_CA_CERTS"])) {
    texts.push(
      l10n.t(
        "NODE_EXTRA_CA_CERTS is set in the environment of VS Code, so servers that its certificates vouch for are trusted too. This includes programs of your company that inspect traffic. They can then read what you send to the exchange.",
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
export function runtimeWarningTexts(version: string): readonly Plain[] {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const mended = MENDED[major];
  const isOld = mended === undefined ? major < 24 : minor < mended[0] || (minor === mended[0] && patch < mended[1]);
  return isOld
    ? [
        l10n.t(
          "VS Code runs on Node {0}, whose encryption has known bugs that are fixed in later releases (22.23.4, 24.22.1). Trading RPC fully checks the certificate for every connection. Update VS Code anyway.",
          plain.name(version),
        ),
      ]
    : [];
}
