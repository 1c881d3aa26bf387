import { parseObject } from "../base/json.ts";
import type { SecretPlace } from "../actions/gate/secretPlace.ts";
import { messageOf, type Failure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { makesClientSecret } from "../catalogue/oneTimeSecrets.ts";
import type { FileRequest } from "../requests/file/file.ts";
import { OneTimeSecret } from "../rpc/oneTimeSecret.ts";
import type { MaskedResponse } from "../rpc/response.ts";

/** A new file that only the user may read, open until it is written or removed. */
export interface PrivateFile {
  /** Writes the whole content, and closes the file. Rejects where the disk does not take it. */
  write(text: string): Promise<void>;
  /** Deletes the file. */
  remove(): Promise<void>;
}

export interface SecretFilePorts {
  /** The path of `--secret-file`; undefined where it was not given. */
  readonly path: string | undefined;
  /** Creates a file for this user only, with room for a secret. Rejects where something of this name exists. */
  readonly create: (path: string) => Promise<PrivateFile>;
  /** Keeps a text out of all output from now on. */
  readonly hide: (secret: string) => void;
  /** Signs the connection in again with a new client secret, where it uses the key; resolves once that is over. */
  readonly useSecret: (clientId: string, clientSecret: string) => Promise<void>;
  readonly onNote: (sentence: Plain) => void;
}

/** The file of `--secret-file`, as the place of the one secret that a run makes: a client secret, or a signature. */
export interface SecretFile {
  /** Creates the file before the request is confirmed; resolves to the reason why the request must not be sent. */
  prepare(): Promise<SecretPlace | Failure>;
  /** Removes a file that no secret has come for, at the end of the run. */
  close(): Promise<void>;
  /** Whether a secret has come and could not be written. */
  readonly isLost: boolean;
}

/** Whether the response to a request has a new client secret. Placeholders do not change that. */
export function makesSecret({ method = "", paramsText }: FileRequest): boolean {
  return makesClientSecret(method, parseObject(paramsText) ?? {});
}

/** Returns a sentence about why a request that makes a client secret is not sent without `--secret-file`. */
export function secretRefusal(request: FileRequest, secretFile: string | undefined): Plain | undefined {
  return secretFile === undefined && makesSecret(request)
    ? l10n.t(
        "The response has a client secret that is shown nowhere. Use --secret-file PATH to write it to a new file.",
      )
    : undefined;
}

/** Makes the place of a secret. Nothing is created before a request needs it. */
export function createSecretFile({ path, create, hide, useSecret, onNote }: SecretFilePorts): SecretFile {
  const name = plain.text(path ?? "");
  let file: PrivateFile | undefined;
  let isUsed = false;
  let isLost = false;
  const remove = async (): Promise<void> => {
    const made = file;
    file = undefined;
    await made?.remove().catch(() => onNote(l10n.t("{0} has no secret and couldn't be deleted.", name)));
  };
  const take = async ({ oneTime, result }: MaskedResponse): Promise<void> => {
    const value = oneTime === undefined ? undefined : OneTimeSecret.open(oneTime);
    if (oneTime === undefined || value === undefined || file === undefined) {
      onNote(l10n.t("The response has no client secret."));
      await remove();
      return;
    }
    hide(value);
    const isSignature = oneTime.kind === "signature";
    const made = file;
    try {
      await made.write(`${value}\n`);
      file = undefined;
      onNote(
        isSignature
          ? l10n.t("The signature was written to {0}.", name)
          : l10n.t("The client secret was written to {0}.", name),
      );
    } catch (error) {
      isLost = true;
      const reason = plain.text(messageOf(error));
      onNote(
        isSignature
          ? l10n.t(
              "The signature couldn't be written to {0}: {1}. Verify the block trade again to get another.",
              name,
              reason,
            )
          : l10n.t(
              "The client secret couldn't be written to {0}: {1}. Reset the API key to get another.",
              name,
              reason,
            ),
      );
      await remove();
    }
    OneTimeSecret.forget(oneTime);
    const { client_id: clientId } = result as { readonly client_id?: unknown };
    if (typeof clientId === "string") await useSecret(clientId, value);
  };
  return {
    async prepare() {
      if (path === undefined || isUsed)
        return { kind: "refused", reason: l10n.t("--secret-file is for the client secret of one request.") };
      try {
        file = await create(path);
      } catch (error) {
        return { kind: "refused", reason: cannotCreate(name, error) };
      }
      isUsed = true;
      return {
        lines: [l10n.t("The client secret is written to {0}, which only you can read.", name)],
        take,
        async release() {
          isUsed = false;
          await remove();
        },
      };
    },
    async close() {
      if (file === undefined) return;
      onNote(l10n.t("The client secret was lost with the response, so {0} was deleted.", name));
      await remove();
    },
    get isLost() {
      return isLost;
    },
  };
}

/** Returns the sentence for a file that cannot be created, e.g. because it exists. */
export function cannotCreate(name: Plain, error: unknown): Plain {
  const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
  return isThere ? fileExists(name) : l10n.t("{0} can't be created: {1}", name, plain.text(messageOf(error)));
}

/** Returns the sentence for a path at which something exists. */
function fileExists(name: string): Plain {
  return l10n.t("{0} already exists. Use a path that doesn't exist, so that nothing is overwritten.", plain.text(name));
}
