import * as l10n from "@vscode/l10n";
import { plain } from "../../base/plain.ts";
import type { PrivateKeyProblem } from "../../session/privateKey.ts";

/** Returns why a text cannot be used as a private key, and what to use instead. */
export function privateKeyProblemText(problem: PrivateKeyProblem): string {
  switch (problem.kind) {
    case "notPem":
      return l10n.t("This is not a private key in PEM format. Such a key begins with -----BEGIN PRIVATE KEY-----.");
    case "publicKey":
      return l10n.t("This is a public key. Use the private key that belongs to it.");
    case "certificate":
      return l10n.t("This is a certificate. Use the private key of an API key.");
    case "openSsh":
      return l10n.t("This is an OpenSSH key, which is not supported. Use a key in PKCS#8 or PKCS#1 format.");
    case "several":
      return l10n.t("There is more than one private key. Use a file with one key.");
    case "damaged":
      return l10n.t("This private key is damaged or incomplete.");
    case "wrongPassphrase":
      return l10n.t("The passphrase is wrong.");
    case "notDecrypted":
      return l10n.t(
        "This private key couldn't be decrypted. The passphrase is wrong, or its encryption or type isn't supported.",
      );
    case "otherType":
      return l10n.t("This is a key of type {0}. The exchange supports Ed25519 and RSA.", plain.name(problem.name));
    case "shortRsa":
      return l10n.t("This RSA key has {0} bits. The exchange requires at least 2048 bits.", problem.bits);
  }
}

/** Returns a warning about a key file that others can read. `name`: of the file. */
export function openKeyFileText(name: string): string {
  return l10n.t("Other users of this computer can read {0}.", plain.name(name));
}
