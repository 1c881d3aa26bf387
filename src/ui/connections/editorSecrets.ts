import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { CallError, messageOf, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import type { SecretStorePorts } from "./credentials.ts";

/**
 * The time to wait for the storage, in ms. A keyring that asks for its password answers late; a broken one never does.
 */
export const SECRETS_TIMEOUT_MS = 10_000;

type EditorSecrets = SecretStorePorts["secrets"];

/**
 * Makes the encrypted storage of VS Code always answer. If it refuses, or does not answer within ten seconds, throws
 * `refused` with a sentence. Nothing replaces it.
 */
export function createEditorSecrets(secrets: EditorSecrets, clock: Pick<Clock, "after">): EditorSecrets {
  return {
    get: async (key) => await answered(async () => await secrets.get(key), clock),
    store: async (key, value) => {
      await answered(async () => {
        await secrets.store(key, value);
      }, clock);
    },
    delete: async (key) => {
      await answered(async () => {
        await secrets.delete(key);
      }, clock);
    },
  };
}

async function answered<Result>(call: () => Promise<Result>, clock: Pick<Clock, "after">): Promise<Result> {
  let timer: Disposable | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = clock.after(SECRETS_TIMEOUT_MS, () => {
      reject(unusable(l10n.t("it didn't respond within {0} s", SECRETS_TIMEOUT_MS / 1000)));
    });
  });
  try {
    return await Promise.race([call(), timeout]);
  } catch (thrown) {
    throw thrown instanceof CallError ? thrown : unusable(messageOf(thrown));
  } finally {
    timer?.dispose();
  }
}

/** Returns the error for a storage that cannot be used. The text of VS Code comes from the computer's keyring. */
function unusable(why: string): CallError {
  return refused(
    l10n.t(
      "VS Code's secret storage can't be used: {0}. Unlock the keyring of this computer and try again. Or use Edit Connection…, enter the secret, and select Keep Until This Window Closes. Secrets are not saved anywhere else.",
      plain.name(why),
    ),
  );
}
