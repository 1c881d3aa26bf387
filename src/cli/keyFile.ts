import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { type TerminalAccess } from "./access.ts";
import { type FileAccess } from "./files.ts";
import { cdpKeyProblemText, isKeyName, readCdpKey } from "../session/cdpKey.ts";
import { credentialProblem, type Environment } from "../state/records.ts";
import { MAX_KEY_TEXT, openKeyFileText, privateKeyProblemText, readPrivateKey } from "../session/privateKey.ts";

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
  const wrong = wrongAt(names.path);
  const text = await readableText(path, files);
  if (typeof text !== "string") return wrong(text.problem);
  hide(text);
  const reading = readPrivateKey(text, passphrase);
  if (reading.kind === "encrypted")
    return wrong(l10n.t("The private key is encrypted. Set {0}.", plain.text(names.passphrase)));
  if (reading.kind !== "key") return wrong(privateKeyProblemText(reading));
  hide(reading.pem);
  await warnOfPlace(path, names.path, { files, warn });
  return {
    kind: "server",
    url,
    clientId,
    grant: "private_key",
    credentials: { kind: "private_key", clientId, privateKey: reading.pem },
  };
}

/** Reads a key file of the gateway, like `readKeyFile`. */
export async function readCdpKeyFile(
  { url, path, keyName, names }: Extract<TerminalAccess, { readonly kind: "cdpKeyFile" }>,
  environment: Environment,
  { files, hide, warn }: KeyFilePorts,
): Promise<Extract<TerminalAccess, { readonly kind: "server" | "wrong" }>> {
  const wrong = wrongAt(names.path);
  const text = await readableText(path, files);
  if (typeof text !== "string") return wrong(text.problem);
  hide(text);
  const reading = readCdpKey(text);
  if (reading.kind !== "key") return wrong(cdpKeyProblemText(reading));
  hide(reading.written);
  hide(reading.pem);
  const { name = keyName } = reading;
  if (!isKeyName(name))
    return wrong(l10n.t("The file has no name of its key. Set {0} to it.", plain.text(names.keyName)));
  const problem = credentialProblem({ declared: environment, url, grant: "cdp_key", clientId: name });
  if (problem !== undefined) return wrong(problem);
  await warnOfPlace(path, names.path, { files, warn });
  const credentials = { kind: "cdp_key", clientId: name, privateKey: reading.pem } as const;
  return { kind: "server", url, clientId: name, grant: "cdp_key", credentials };
}

/** Returns a function that makes a sentence about a file, with the name of the variable that names it. */
function wrongAt(variable: string): (sentence: Plain) => { readonly kind: "wrong"; readonly message: Plain } {
  return (sentence) => ({ kind: "wrong", message: l10n.t("{0}: {1}", plain.text(variable), sentence) });
}

async function readableText(path: string, files: KeyFilePorts["files"]): Promise<string | { readonly problem: Plain }> {
  try {
    return await textOf(files.resolve(path), files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    return { problem: l10n.t("{0} couldn't be read: {1}.", plain.text(path), plain.text(reason, MAX_REASON)) };
  }
}

/** Warns of a file with a key that others can get at. */
async function warnOfPlace(
  path: string,
  variable: string,
  { files, warn }: Pick<KeyFilePorts, "files" | "warn">,
): Promise<void> {
  const file = files.resolve(path);
  const found = await files.look(file);
  if (found?.kind === "file" && found.isOpenToOthers)
    warn(l10n.t("{0}: {1}", plain.text(variable), openKeyFileText(path)));
  if (isWithin(file, files.workingFolder))
    warn(
      l10n.t(
        "{0}: {1} is in the working folder, where it may be shared or committed.",
        plain.text(variable),
        plain.text(path),
      ),
    );
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
