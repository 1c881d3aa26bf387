import { createHash } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { BlockList } from "node:net";
import { addressBits } from "../../base/ipAddress.ts";

/** An API key with the exchange's names. It changes in place: every sign-in with it holds the same object. */
export type WorldKey = {
  readonly id: number;
  readonly client_id: string;
  /** The client secret; the fingerprint of a public key. */
  client_secret: string;
  /** The public key that verifies sign-ins; left out, the secret does. */
  readonly public_key?: string;
  readonly default: boolean;
  name: string;
  enabled: boolean;
  max_scope: string;
  enabled_features: readonly string[];
  ip_whitelist: readonly string[];
  timestamp: number;
};

/** The keys of an account. */
export interface ApiKeys {
  /** Returns the keys in the order of their making. */
  all(): Iterable<WorldKey>;
  /** Returns a key. Refuses with 13020 where there is none: which code the exchange uses is not documented. */
  find(id: number): WorldKey;
  /**
   * Returns the key of a sign-in; undefined for one that does not exist, is disabled, or may not be used from here by
   * its whitelist. Which code the exchange refuses the latter with is not documented: here it is that of the others.
   */
  byClientId(clientId: string): WorldKey | undefined;
  /** Changes the given fields and announces it. */
  change(id: number, changes: KeyChanges): WorldKey;
  /** Makes a key, with a client secret unless it has a public key, and announces it. */
  create(spec: NewWorldKey): WorldKey;
  /** Replaces the secret of a key and announces it: the old one opens nothing any more. */
  reset(id: number): WorldKey;
  /** Removes a key and announces it. */
  remove(id: number): WorldKey;
  /** Returns the key as it goes over the wire; without its secret for a caller that may only read. */
  text(key: WorldKey, isSecretShown: boolean): string;
}

export type KeyChanges = {
  -readonly [Name in "name" | "enabled" | "max_scope" | "enabled_features" | "ip_whitelist"]?:
    | WorldKey[Name]
    | undefined;
};

type NewWorldKey = Pick<WorldKey, "name" | "max_scope" | "enabled_features"> & {
  readonly public_key?: string | undefined;
};

interface ApiKeyPorts {
  readonly clock: Clock;
  /** Makes the secret of a key. */
  readonly secret: () => string;
  /** Makes the public identifier of a key. */
  readonly clientId: () => string;
  /** Called with the change's name in the access log, and its key. */
  readonly onChange: (log: string, key: WorldKey) => void;
}

export function createApiKeys(ports: ApiKeyPorts, first: readonly WorldKey[]): ApiKeys {
  const keys = new Map(first.map((key) => [key.id, key]));
  let lastId = Math.max(...keys.keys());
  const find = (id: number): WorldKey => {
    const key = keys.get(id);
    if (key === undefined) throw refusal(13020);
    return key;
  };
  return {
    all: () => keys.values(),
    find,
    byClientId: (clientId) =>
      [...keys.values()].find(
        (key) => key.client_id === clientId && key.enabled && isAllowedAddress(key.ip_whitelist, CALLER_ADDRESS),
      ),
    change(id, changes) {
      const key = find(id);
      const before = { ...key };
      Object.assign(key, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
      key.timestamp = ports.clock.now();
      for (const log of changeWords(before, key)) ports.onChange(log, key);
      return key;
    },
    create({ public_key: publicKey, ...spec }) {
      const key: WorldKey = {
        id: ++lastId,
        client_id: ports.clientId(),
        client_secret: publicKey === undefined ? ports.secret() : fingerprintOf(publicKey),
        ...(publicKey === undefined ? {} : { public_key: publicKey }),
        default: false,
        enabled: true,
        ip_whitelist: [],
        timestamp: ports.clock.now(),
        ...spec,
      };
      keys.set(key.id, key);
      ports.onChange("new_api_key", key);
      return key;
    },
    reset(id) {
      const key = find(id);
      key.client_secret = key.public_key === undefined ? ports.secret() : fingerprintOf(key.public_key);
      key.timestamp = ports.clock.now();
      ports.onChange("reset_api_key", key);
      return key;
    },
    remove(id) {
      const key = find(id);
      keys.delete(id);
      ports.onChange("removed_api_key", key);
      return key;
    },
    text: (key, isSecretShown) => writeJson({ ...key, client_secret: isSecretShown ? key.client_secret : undefined }),
  };
}

function fingerprintOf(publicKey: string): string {
  return createHash("sha256").update(publicKey).digest("base64url");
}

/** Returns the access log's words for the differences; a new name alone is not in it. */
function changeWords(before: WorldKey, after: WorldKey): string[] {
  return [
    ...(before.max_scope === after.max_scope ? [] : ["changed_scope"]),
    ...(before.ip_whitelist.join() === after.ip_whitelist.join() ? [] : ["changed_whitelist"]),
    ...(before.enabled === after.enabled ? [] : [after.enabled ? "enabled_api_key" : "disabled_api_key"]),
  ];
}

/** Returns the key that a simulator is started with, and others of every sort. */
export function firstKeys(
  own: Pick<WorldKey, "client_id" | "client_secret" | "public_key" | "max_scope">,
  made: { readonly secret: () => string; readonly nowMs: number },
): WorldKey[] {
  const day = 86_400_000;
  const key = (
    id: number,
    ageDays: number,
    rest: Partial<WorldKey> & Pick<WorldKey, "client_id" | "name" | "max_scope">,
  ): WorldKey => ({
    id,
    client_secret: made.secret(),
    default: false,
    enabled: true,
    enabled_features: [],
    ip_whitelist: [],
    timestamp: made.nowMs - ageDays * day,
    ...rest,
  });
  return [
    key(1, 410, { ...own, name: "simulator", default: true }),
    key(2, 96, {
      client_id: "Qm7tZ-aE",
      name: "reporting",
      max_scope: "account:read block_rfq:read block_trade:read trade:read wallet:read",
      ip_whitelist: ["203.0.113.7", "198.51.100.0/24"],
    }),
    key(3, 31, {
      client_id: "x4HwLd0s",
      name: "maker_1",
      max_scope: "block_rfq:read_write block_trade:read_write trade:read_write wallet:none",
      enabled_features: ["restricted_block_trades", "block_trade_approval"],
    }),
    key(4, 230, {
      client_id: "Pe9vKc2B",
      name: "",
      max_scope: "account:read_write trade:read_write wallet:read_write",
      enabled: false,
    }),
    key(5, 3, {
      client_id: "Tn3-bRy6",
      name: "signer_ed25519",
      max_scope: "custody:read trade:read",
      public_key: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
      enabled_features: ["block_trade_approval"],
    }),
  ];
}

/** The address of every caller: the simulator listens on this computer alone. */
export const CALLER_ADDRESS = "127.0.0.1";

/** Whether a list of addresses and subnets lets an address in; an empty one lets in every address. */
function isAllowedAddress(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const allowed = new BlockList();
  for (const entry of list) {
    const [network = "", prefix] = entry.split("/");
    if (prefix === undefined) allowed.addAddress(network, familyOf(network));
    else allowed.addSubnet(network, Number(prefix), familyOf(network));
  }
  return allowed.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return addressBits(address) === 32 ? "ipv4" : "ipv6";
}
