import { refused } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { checkAddress, isLoopback } from "../rpc/address.ts";
import { GATEWAY_URL, isGatewayAddress, isGatewayHost, SIMULATOR_KEY_START } from "../rpc/gateway.ts";
import type { SessionState } from "../session/session.ts";

/** The kind of world that a connection leads to. Shown as text on every surface. */
export type Environment = "simulator" | "test" | "production" | "gateway";

/** Whether what is sent there moves real money: the rules of production apply then. */
export function isRealMoney(environment: Environment | undefined): environment is "production" | "gateway" {
  return environment === "production" || environment === "gateway";
}

/** The way in which a saved connection signs in; the secret itself is kept elsewhere. */
export type GrantType = "client_signature" | "client_credentials" | "private_key" | "cdp_key" | "token" | "none";

/** A saved connection. Kept in global state, never in a setting, a workspace file or a link. */
export interface ConnectionRecord {
  /** Letters, digits, `-` and `_` that identify it; never changes. */
  readonly id: string;
  readonly name: string;
  /** The declared environment; a connection that contradicts the server's responses counts as production. */
  readonly declared: Environment;
  /** The WebSocket address; empty for the built-in simulator, whose address is known once it runs. */
  readonly url: string;
  readonly grant: GrantType;
  /** The public identifier of the API key; empty without one. */
  readonly clientId: string;
  /** The permission to trade; undefined while there is none. A connection that is edited loses it. */
  readonly trading?: TradingLimits & { readonly environment: Environment };
}

/** The limits of trading, in USD. */
export interface TradingLimits {
  /** The largest order. */
  readonly largestOrderUsd: number;
  /** The total of all orders for the time in which trading is allowed. */
  readonly totalUsd: number;
  /** The part of the total that is used. */
  readonly usedUsd: number;
}

/** The storage of records. The port never sees a secret. */
export interface RecordStorage {
  /** Returns what was saved last, by this window or another one; undefined before the first time. */
  load(): unknown;
  /** Resolves once the value is kept. */
  save(value: unknown): Promise<void>;
}

/** The content of the storage. */
export interface StoredRecords {
  /** The saved connections in their order; the built-in simulator is not among them. */
  readonly records: readonly ConnectionRecord[];
  /** The connection that was chosen last, if it still exists. */
  readonly activeId: string | undefined;
  /** The entries that do not fit. They are not shown but kept: their secrets may still be stored under their ids. */
  readonly unreadable: readonly unknown[];
  /** Whether a later version of the extension wrote it: then it must not be overwritten. */
  readonly isNewer: boolean;
  /** The ids of the connections that were removed last. Every other missing one was overwritten by another window. */
  readonly forgotten?: readonly string[];
}

/** The id of the built-in simulator's record, which is always there. */
export const SIMULATOR_ID = "simulator";

/** The version that is written with the records, so that a later version knows what to convert. */
export const RECORDS_VERSION = 1;

/** Returns the record of the built-in simulator. It signs in with credentials that are made when it starts. */
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
  readonly kind: "simulator" | "testnet" | "production" | "gateway" | "custom";
  readonly name: string;
  /** The environment, unless the user declares another. */
  readonly declared: Environment;
  /** The address; empty where it is not known beforehand. */
  readonly url: string;
}

/** Returns the ways to a connection. Addresses: https://docs.deribit.com/articles/json-rpc-overview, `gateway.ts` */
export function presets(): readonly Preset[] {
  return [
    { kind: "simulator", name: l10n.t("Simulator"), declared: "simulator", url: "" },
    { kind: "testnet", name: l10n.t("Testnet"), declared: "test", url: "wss://test.deribit.com/ws/api/v2" },
    { kind: "production", name: l10n.t("Production"), declared: "production", url: "wss://www.deribit.com/ws/api/v2" },
    { kind: "gateway", name: l10n.t("Coinbase (Deribit gateway)"), declared: "gateway", url: GATEWAY_URL },
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

/** Returns the value that `parseRecords` reads. */
export function formatRecords(stored: Omit<StoredRecords, "isNewer">): unknown {
  const { forgotten = [] } = stored;
  return {
    version: RECORDS_VERSION,
    connections: [...stored.records, ...stored.unreadable],
    activeId: stored.activeId,
    ...(forgotten.length === 0 ? {} : { forgotten: forgotten.slice(-MAX_FORGOTTEN) }),
  };
}

/** The number of removed ids that are kept; other windows look every second. */
const MAX_FORGOTTEN = 50;

const ENVIRONMENTS: readonly unknown[] = ["simulator", "test", "production", "gateway"] satisfies Environment[];
const GRANTS: readonly unknown[] = [
  "client_signature",
  "client_credentials",
  "private_key",
  "cdp_key",
  "token",
  "none",
] satisfies GrantType[];

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
    typeof clientId === "string" &&
    credentialProblem({ declared, url, grant, clientId } as ConnectionRecord) === undefined
  );
}

/** Whether a connection is to the partner's gateway, or to a simulator that plays it: it signs in with a key file. */
export function isGatewayRecord({ declared, grant }: Pick<ConnectionRecord, "declared" | "grant">): boolean {
  return declared === "gateway" || grant === "cdp_key";
}

/**
 * Returns why the credentials of a connection must not be offered to its server, as a sentence; undefined if they may.
 * Those of the gateway are for its host alone, and others are not for it. Keys of simulators are for this computer.
 */
export function credentialProblem({
  declared,
  url,
  grant,
  clientId,
}: Pick<ConnectionRecord, "declared" | "url" | "grant" | "clientId">): Plain | undefined {
  if (isGatewayHost(url) !== (declared === "gateway") || (declared === "gateway" && !isGatewayAddress(url)))
    return l10n.t("The environment Coinbase (Deribit gateway) and the address {0} belong together.", GATEWAY_PLACE);
  if (declared === "gateway" && grant !== "cdp_key" && grant !== "none")
    return l10n.t("Coinbase (Deribit gateway) takes key files of the Coinbase Developer Platform only.");
  if (grant !== "cdp_key") return undefined;
  const isSimulatorKey = clientId.startsWith(SIMULATOR_KEY_START);
  if (declared === "gateway" && isSimulatorKey)
    return l10n.t("This is a key of a simulator. It can be used on this computer only.");
  return declared === "gateway" || (isSimulatorKey && isLoopback(url))
    ? undefined
    : l10n.t("A key file of the Coinbase Developer Platform can be used with Coinbase (Deribit gateway) only.");
}

/** Throws `refused` where the credentials of a connection must not be offered at this address. */
export function requireOwnCredentials({ declared, grant, clientId }: ConnectionRecord, url: string): void {
  const problem = grant === "none" ? undefined : credentialProblem({ declared, url, grant, clientId });
  if (problem !== undefined) throw refused(problem);
}

const GATEWAY_PLACE = plain.text(GATEWAY_URL);

/** Returns the limits of trading on a connection; undefined while trading is not allowed. */
export function tradingLimits({ trading }: ConnectionRecord, environment: Environment): TradingLimits | undefined {
  // What the storage holds may have been written by anyone.
  if (!isObject(trading) || trading.environment !== environment) return undefined;
  const { largestOrderUsd, totalUsd, usedUsd } = trading;
  const isUsable = isAmount(largestOrderUsd) && isAmount(totalUsd) && isAmount(usedUsd);
  return isUsable && largestOrderUsd > 0 && totalUsd > 0 ? { largestOrderUsd, totalUsd, usedUsd } : undefined;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

/** Returns a connection with the permission to trade within limits, or without it. */
export function withTrading(
  record: ConnectionRecord,
  environment: Environment,
  limits: TradingLimits | undefined,
): ConnectionRecord {
  const others = { ...record };
  delete others.trading;
  return limits === undefined ? others : { ...others, trading: { ...limits, environment } };
}

/** Returns the reason why a text cannot be the name of a connection, as a sentence; undefined when it can. */
export function nameProblem(name: string): Plain | undefined {
  if (name.trim() === "") return l10n.t("A connection needs a name.");
  if (name.length > MAX_NAME_LENGTH) return l10n.t("A name can have up to {0} characters.", MAX_NAME_LENGTH);
  return undefined;
}

/** Whether a name reads like another one: their rows and confirmations would look the same. */
export function isNameTaken(name: string, others: readonly string[]): boolean {
  const wanted = looksOf(name);
  return others.some((other) => looksOf(other) === wanted);
}

/** Returns the name itself, or with a number after it where it is taken. */
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

/** The longest name of a connection, in characters. Longer ones would push what matters out of rows and dialogs. */
export const MAX_NAME_LENGTH = 40;

/** The environment that a connection counts as. */
export interface EffectiveEnvironment {
  readonly environment: Environment;
  /** A sentence where this is not the declared one, or the one that the server reports; undefined where all agree. */
  readonly contradiction: Plain | undefined;
}

/**
 * Returns the environment that a connection counts as once the server has answered. Every doubt ends at production, the
 * strictest. `testnetResponse` is the member `testnet` of its responses; undefined where they have none.
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
              "Declared as a simulator, but it was not started from here. It is treated as PRODUCTION.",
            ),
          };
    case "test":
      if (testnetResponse === true) return agreed("test");
      return {
        environment: "production",
        contradiction:
          testnetResponse === false
            ? l10n.t(
                "Declared as TESTNET, but the server reports that it is not a testnet. It is treated as PRODUCTION.",
              )
            : l10n.t(
                "Declared as TESTNET, but the server doesn't report that it is a testnet. It is treated as PRODUCTION.",
              ),
      };
    case "production":
      if (testnetResponse !== true) return agreed("production");
      return {
        environment: "production",
        contradiction: l10n.t(
          "Declared as PRODUCTION, but the server reports that it is a testnet. It is treated as PRODUCTION. Use Edit Connection… to change that.",
        ),
      };
    case "gateway":
      // There is no test environment: whatever the server says, an account there is real money.
      return agreed("gateway");
  }
}

function agreed(environment: Environment): EffectiveEnvironment {
  return { environment, contradiction: undefined };
}

/** Whether a server was started from here, or is on this computer with our simulator's name and our simulator's key. */
export function isOwnSimulator(record: ConnectionRecord, state: SessionState | undefined): boolean {
  if (record.id === SIMULATOR_ID) return true;
  if (state?.status !== "ready" || !isLoopback(record.url)) return false;
  return (
    (state.identity.clientId === SIMULATOR_CLIENT_ID ||
      state.identity.clientId?.startsWith(SIMULATOR_KEY_START) === true) &&
    (state.identity.serverVersion ?? "").startsWith(SIMULATOR_VERSION_START)
  );
}

/** The name that the simulator gives its key and itself. */
const SIMULATOR_CLIENT_ID = "simulator";
const SIMULATOR_VERSION_START = "simulator ";
