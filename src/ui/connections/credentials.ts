import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { ConnectionRecord } from "../../state/records.ts";
import type { HostConsent } from "./remoteHost.ts";

/** The store of the connections' secrets: the encrypted storage of VS Code, or this window's memory. */
export interface SecretStore {
  /**
   * Reads the secret of a connection. Undefined when none is kept for the record's present address, or the user does
   * not want it read on this host. `isQuiet`: nothing is asked, and a secret that needs a confirmation is not read.
   */
  read(record: ConnectionRecord, isQuiet?: boolean): Promise<string | undefined>;
  /**
   * Returns the scheme, host and port that a connection's secret is kept for, if its record leads to a different
   * address.
   */
  otherOrigin(record: ConnectionRecord): Promise<string | undefined>;
  /** Keeps a secret over restarts, and reads it back. Throws `refused` when VS Code did not keep it. */
  store(record: ConnectionRecord, secret: string): Promise<void>;
  /** Keeps a new secret of a connection where the previous one is kept. Throws like `store`. */
  replace(record: ConnectionRecord, secret: string): Promise<void>;
  /** Keeps a secret until this window closes, and nowhere else. */
  remember(record: ConnectionRecord, secret: string): Promise<void>;
  /**
   * Deletes whatever is kept for this connection, and nothing else: connections that this version cannot read may have
   * secrets too.
   */
  remove(id: string): Promise<void>;
}

/** The parts of VS Code that are used. */
export interface SecretStorePorts {
  readonly secrets: {
    get(key: string): Thenable<string | undefined>;
    store(key: string, value: string): Thenable<void>;
    delete(key: string): Thenable<void>;
  };
  /** The storage for the ids with a stored secret, because the encrypted storage cannot list its keys. */
  readonly state: {
    get(key: string): unknown;
    update(key: string, value: unknown): Thenable<void>;
  };
  /** Takes each secret before it is used, so that the log can mask it. */
  readonly mask: (secret: string) => void;
  /** The consent to hand a stored secret to the host that this runs on. */
  readonly host: HostConsent;
}

interface BoundSecret {
  /** The scheme, host and port that the secret was stored for; it is offered to no other. */
  readonly origin: string;
  readonly secret: string;
}

const INDEX_KEY = "tradingRpc.secretIds";

const KEY_PREFIX = "tradingRpc.secret.";

function keyOf(id: string): string {
  return `${KEY_PREFIX}${id}`;
}

/**
 * Returns the id of the connection whose secret is kept under a key of VS Code's storage; undefined for any other key.
 */
export function connectionOfSecret(key: string): string | undefined {
  return key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : undefined;
}

export function createSecretStore({ secrets, state, mask, host }: SecretStorePorts): SecretStore {
  const remembered = new Map<string, BoundSecret>();
  const storedIds = (): readonly string[] => {
    const ids = state.get(INDEX_KEY);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  };
  const forgetStored = async (id: string): Promise<void> => {
    await secrets.delete(keyOf(id));
    await state.update(
      INDEX_KEY,
      storedIds().filter((each) => each !== id),
    );
  };
  /** Returns the secret that was typed in this window; a stored one needs consent. */
  const boundOf = async (record: ConnectionRecord, isQuiet: boolean): Promise<BoundSecret | undefined> => {
    const bound = remembered.get(record.id);
    // No consent is requested for a secret that is not stored.
    if (bound !== undefined || !(await host.mayRead(record, isQuiet || !storedIds().includes(record.id)))) return bound;
    return parseBoundSecret(await secrets.get(keyOf(record.id)));
  };
  const store: SecretStore = {
    async read(record, isQuiet = false) {
      const bound = await boundOf(record, isQuiet);
      if (bound === undefined || bound.origin !== originOf(record)) return undefined;
      mask(bound.secret);
      return bound.secret;
    },
    async otherOrigin(record) {
      const origin = (await boundOf(record, true))?.origin;
      return origin === originOf(record) ? undefined : origin;
    },
    async store(record, secret) {
      mask(secret);
      await host.typedHere(record);
      await state.update(INDEX_KEY, [...new Set([...storedIds(), record.id])]);
      await secrets.store(keyOf(record.id), JSON.stringify({ origin: originOf(record), secret } satisfies BoundSecret));
      const kept = parseBoundSecret(await secrets.get(keyOf(record.id)));
      if (kept?.secret !== secret) {
        await forgetStored(record.id);
        throw refused(
          l10n.t("VS Code didn't keep the secret. Connect again and select Keep Until This Window Closes."),
        );
      }
      remembered.delete(record.id);
    },
    async replace(record, secret) {
      if (remembered.has(record.id)) await store.remember(record, secret);
      else await store.store(record, secret);
    },
    async remember(record, secret) {
      mask(secret);
      remembered.set(record.id, { origin: originOf(record), secret });
      // A storage that cannot be used must not be in the way of going without it.
      if (storedIds().includes(record.id)) await forgetStored(record.id);
    },
    async remove(id) {
      remembered.delete(id);
      await forgetStored(id);
    },
  };
  return store;
}

/** Returns scheme, host and port of a record's address, as `URL` writes them: two spellings of one host are equal. */
function originOf(record: ConnectionRecord): string {
  return new URL(record.url).origin;
}

function parseBoundSecret(text: string | undefined): BoundSecret | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("origin" in value) || !("secret" in value)) return undefined;
    const { origin, secret } = value;
    return typeof origin === "string" && typeof secret === "string" ? { origin, secret } : undefined;
  } catch {
    return undefined;
  }
}
