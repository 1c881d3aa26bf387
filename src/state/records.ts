import * as l10n from "@vscode/l10n";
import { isObject } from "../base/json.ts";
import { checkAddress } from "../rpc/address.ts";

/** The kind of world a connection leads to. Stands as text on every surface. */
export type Environment = "simulator" | "test" | "production";

/** How a saved connection signs in; the secret itself is kept elsewhere. */
export type GrantType = "client_signature" | "client_credentials" | "token" | "none";

/** A saved connection. Kept in global state, never in a setting, a workspace file or a link. */
export interface ConnectionRecord {
  /** Letters, digits, `-` and `_`; never changes. */
  readonly id: string;
  readonly name: string;
  /** What the user declared; what the server's responses contradict counts as production. */
  readonly declared: Environment;
  /** WebSocket address; empty for the built-in simulator, whose address is known once it runs. */
  readonly url: string;
  readonly grant: GrantType;
  /** Public identifier of the API key; empty without one. */
  readonly clientId: string;
}

/** Where records are kept. The port never sees a secret. */
export interface RecordStorage {
  /** What was saved last, by this window or another one; undefined before the first time. */
  load(): unknown;
  /** Resolves once the value is kept. */
  save(value: unknown): Promise<void>;
}

/** What was found in the storage. */
export interface StoredRecords {
  /** Saved connections in their order; the built-in simulator is not among them. */
  readonly records: readonly ConnectionRecord[];
  /** The connection that was chosen last, if it still exists. */
  readonly activeId: string | undefined;
  /** Entries that do not fit. They are not shown but kept: their secrets may still be stored under their ids. */
  readonly unreadable: readonly unknown[];
  /** Written by a later version of the extension: must not be overwritten. */
  readonly isNewer: boolean;
  /**
   * Ids of the connections that were forgotten last: one that is missing otherwise was overwritten by another window.
   */
  readonly forgotten?: readonly string[];
}

/** The id of the built-in simulator's record, which is always there. */
export const SIMULATOR_ID = "simulator";

/** Written with the records, so that a later version can tell what it has to convert. */
export const RECORDS_VERSION = 1;

/** The record of the built-in simulator. It signs in with credentials that are made when it starts. */
export function simulatorRecord(): ConnectionRecord {
  return {
    id: SIMULATOR_ID,
    name: l10n.t("Simulator"),
    declared: "simulator",
    url: "",
    grant: "client_signature",
    clientId: "",
  };
}

/** A starting point for a new connection. */
export interface Preset {
  readonly kind: "simulator" | "testnet" | "production" | "custom";
  readonly name: string;
  /** What the environment is unless the user declares another. */
  readonly declared: Environment;
  /** Empty where it is not known beforehand. */
  readonly url: string;
}

/** The four ways to a connection. Addresses: https://docs.deribit.com/articles/json-rpc-overview */
export function presets(): readonly Preset[] {
  return [
    { kind: "simulator", name: l10n.t("Simulator"), declared: "simulator", url: "" },
    { kind: "testnet", name: l10n.t("Testnet"), declared: "test", url: "wss://test.deribit.com/ws/api/v2" },
    { kind: "production", name: l10n.t("Production"), declared: "production", url: "wss://www.deribit.com/ws/api/v2" },
    { kind: "custom", name: l10n.t("Custom"), declared: "production", url: "" },
  ];
}

/** Reads what the storage holds. Never throws: what does not fit is set aside. */
export function parseRecords(stored: unknown): StoredRecords {
  const none: StoredRecords = { records: [], activeId: undefined, unreadable: [], isNewer: false };
  if (stored === undefined || stored === null) return none;
  if (!isObject(stored)) return { ...none, unreadable: [stored] };
  const { version, connections, activeId, forgotten } = stored;
  if (typeof version === "number" && version > RECORDS_VERSION) return { ...none, isNewer: true };
  if (version !== RECORDS_VERSION || !Array.isArray(connections)) return { ...none, unreadable: [stored] };
  const records: ConnectionRecord[] = [];
  const unreadable: unknown[] = [];
  for (const each of connections as readonly unknown[]) {
    if (isRecord(each) && !records.some((record) => record.id === each.id)) records.push(each);
    else unreadable.push(each);
  }
  const isKnown = activeId === SIMULATOR_ID || records.some((record) => record.id === activeId);
  return {
    records,
    activeId: typeof activeId === "string" && isKnown ? activeId : undefined,
    unreadable,
    isNewer: false,
    ...forgottenIn(forgotten),
  };
}

function forgottenIn(stored: unknown): Pick<StoredRecords, "forgotten"> {
  const forgotten = Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  return forgotten.length === 0 ? {} : { forgotten };
}

/** What `parseRecords` reads. */
export function formatRecords(stored: Omit<StoredRecords, "isNewer">): unknown {
  const { forgotten = [] } = stored;
  return {
    version: RECORDS_VERSION,
    connections: [...stored.records, ...stored.unreadable],
    activeId: stored.activeId,
    ...(forgotten.length === 0 ? {} : { forgotten: forgotten.slice(-MAX_FORGOTTEN) }),
  };
}

/** Other windows look every second. */
const MAX_FORGOTTEN = 50;

const ENVIRONMENTS: readonly unknown[] = ["simulator", "test", "production"] satisfies Environment[];
const GRANTS: readonly unknown[] = ["client_signature", "client_credentials", "token", "none"] satisfies GrantType[];

/** Whether a value is a record that may be saved: one with an allowed id, name and address. */
export function isRecord(value: unknown): value is ConnectionRecord {
  if (!isObject(value)) return false;
  const { id, name, declared, url, grant, clientId } = value;
  return (
    typeof id === "string" &&
    /^[A-Za-z0-9_-]{1,64}$/.test(id) &&
    id !== SIMULATOR_ID &&
    typeof name === "string" &&
    nameProblem(name) === undefined &&
    ENVIRONMENTS.includes(declared) &&
    typeof url === "string" &&
    checkAddress(url).kind === "usable" &&
    GRANTS.includes(grant) &&
    typeof clientId === "string"
  );
}

/** Why a text cannot be the name of a connection, as a sentence; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === "") return l10n.t("A connection needs a name.");
  if (name.length > MAX_NAME_LENGTH) return l10n.t("A name has at most {0} characters.", MAX_NAME_LENGTH);
  return undefined;
}

/** Whether a name reads like one of others: their rows and questions would look the same. */
export function isNameTaken(name: string, others: readonly string[]): boolean {
  const wanted = looksOf(name);
  return others.some((other) => looksOf(other) === wanted);
}

/** The name itself, or with a number behind it where it is taken. */
export function freeName(name: string, others: readonly string[]): string {
  let free = name;
  for (let number = 2; name !== "" && isNameTaken(free, others); number++) free = `${name} ${number}`;
  return free;
}

function looksOf(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Whether two connections sign in with the same key: the same client id, and the same server. */
export function isSameKey(one: ConnectionRecord, other: ConnectionRecord): boolean {
  return one.clientId !== "" && one.clientId === other.clientId && serverOf(one) === serverOf(other);
}

function serverOf({ url }: ConnectionRecord): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** Longer names would push what matters out of rows and dialogs. */
const MAX_NAME_LENGTH = 40;

/** What a connection counts as. */
export interface EffectiveEnvironment {
  readonly environment: Environment;
  /** A sentence where this is not what was declared, or what the server says is; undefined where all agree. */
  readonly contradiction: string | undefined;
}

/**
 * What a connection counts as once the server has answered. Every doubt ends at production, the strictest.
 * `testnetResponse` is the member `testnet` of its responses; undefined where they have none.
 */
export function effectiveEnvironment(
  record: ConnectionRecord,
  testnetResponse: boolean | undefined,
  isOwnSimulator: boolean,
): EffectiveEnvironment {
  switch (record.declared) {
    case "simulator":
      return isOwnSimulator
        ? agreed("simulator")
        : {
            environment: "production",
            contradiction: l10n.t(
              "Declared as a simulator, but not one that was started from here. It counts as PRODUCTION.",
            ),
          };
    case "test":
      if (testnetResponse === true) return agreed("test");
      return {
        environment: "production",
        contradiction:
          testnetResponse === false
            ? l10n.t("Declared as TEST, but the server says that it is not a test server. It counts as PRODUCTION.")
            : l10n.t(
                "Declared as TEST, but the server does not say that it is a test server. It counts as PRODUCTION.",
              ),
      };
    case "production":
      if (testnetResponse !== true) return agreed("production");
      return {
        environment: "production",
        contradiction: l10n.t(
          "Declared as PRODUCTION, although the server says that it is a test server. It counts as PRODUCTION; Edit Connection can change that.",
        ),
      };
  }
}

function agreed(environment: Environment): EffectiveEnvironment {
  return { environment, contradiction: undefined };
}
