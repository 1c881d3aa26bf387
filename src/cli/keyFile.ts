import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { MAX_KEY_TEXT, openKeyFileText, privateKeyProblemText, readPrivateKey } from "../session/privateKey.ts";
import type { TerminalAccess } from "./access.ts";
import type { FileAccess } from "./files.ts";

export interface KeyFilePorts {
  readonly files: Pick<FileAccess, "workingFolder" | "resolve" | "look" | "read">;
  /** Takes the text of the key, which must be in no output. */
  readonly hide: (secret: string) => void;
  /** Shows a warning; the run goes on. */
  readonly warn: (sentence: Plain) => void;
}

/**
 * Reads the private key that the environment names. Warns of a file that others can read, and of one in the working
 * folder. Returns a sentence with the variable's name where the key cannot be used.
 */
export async function readKeyFile(
  { url, clientId, path, passphrase, names }: Extract<TerminalAccess, { readonly kind: "keyFile" }>,
  { files, hide, warn }: KeyFilePorts,
): Promise<Extract<TerminalAccess, { readonly kind: "server" | "wrong" }>> {
  const wrong = (sentence: Plain): { readonly kind: "wrong"; readonly message: Plain } => ({
    kind: "wrong",
    message: l10n.t("{0}: {1}", plain.text(names.path), sentence),
  });
  const file = files.resolve(path);
  const text = await textOf(file, files).catch((error: unknown) => (error instanceof Error ? error : undefined));
  if (typeof text !== "string")
    return wrong(l10n.t("{0} couldn't be read: {1}.", plain.text(path), plain.text(text?.message ?? "", MAX_REASON)));
  hide(text);
  const reading = readPrivateKey(text, passphrase);
  if (reading.kind === "encrypted")
    return wrong(l10n.t("The private key is encrypted. Set {0}.", plain.text(names.passphrase)));
  if (reading.kind !== "key") return wrong(privateKeyProblemText(reading));
  hide(reading.pem);
  const found = await files.look(file);
  if (found?.kind === "file" && found.isOpenToOthers)
    warn(l10n.t("{0}: {1}", plain.text(names.path), openKeyFileText(path)));
  if (isWithin(file, files.workingFolder))
    warn(
      l10n.t(
        "{0}: {1} is in the working folder, where it may be shared or committed.",
        plain.text(names.path),
        plain.text(path),
      ),
    );
  return {
    kind: "server",
    url,
    clientId,
    grant: "private_key",
    credentials: { kind: "private_key", clientId, privateKey: reading.pem },
  };
}

const MAX_REASON = 300;

/** Returns the text of a file; an empty one for a file that is too large for a key. Throws where it cannot be read. */
async function textOf(file: string, files: KeyFilePorts["files"]): Promise<string> {
  const found = await files.look(file);
  return found?.kind === "file" && found.bytes > MAX_KEY_TEXT ? "" : await files.read(file);
}

function isWithin(file: string, folder: string): boolean {
  return file.startsWith(folder) && /^[/\\]/.test(file.slice(folder.replace(/[/\\]$/, "").length));
}
