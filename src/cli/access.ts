import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { checkAddress } from "../rpc/address.ts";
import { isGatewayAddress, isGatewayHost } from "../rpc/gateway.ts";
import type { Credentials } from "../session/session.ts";
import { TERMINAL_VARIABLES } from "../session/tokenRequest.ts";
import { presets, type Environment, type GrantType } from "../state/records.ts";

/** The environment variables of the process by name. Only the root has the real ones. */
export type ProcessVariables = Readonly<Record<string, string | undefined>>;

/**
 * The server and the identity of a run, all from the environment of the process: never from an argument, and from no
 * file but a private key's own.
 */
export type TerminalAccess =
  /** A simulator of this run alone, started with it and ended with it. */
  | { readonly kind: "ownSimulator" }
  | {
      readonly kind: "server";
      /** The connection of VS Code that it is; undefined where the process has its own access. */
      readonly lent?: { readonly name: string; readonly isOwnSimulator: boolean };
      readonly url: string;
      readonly credentials: Credentials;
      readonly grant: GrantType;
      readonly clientId: string;
    }
  /** A key whose private key is in a file, still to be read. */
  | {
      readonly kind: "keyFile";
      readonly url: string;
      readonly clientId: string;
      readonly path: string;
      readonly passphrase: string | undefined;
      /** The names of the variables with the path and the passphrase, for sentences. */
      readonly names: { readonly path: string; readonly passphrase: string };
    }
  /** A key file of the gateway, still to be read. */
  | {
      readonly kind: "cdpKeyFile";
      readonly url: string;
      readonly path: string;
      /** The name of the key; empty where the file has it. */
      readonly keyName: string;
      /** The names of the variables, for sentences. */
      readonly names: { readonly path: string; readonly keyName: string };
    }
  /** A sentence that names the variable and no value of a secret one. */
  | { readonly kind: "wrong"; readonly message: Plain };

/** The access with which a connection can be opened. */
export type ConnectionAccess = Exclude<TerminalAccess, { readonly kind: "wrong" | "keyFile" | "cdpKeyFile" }>;

/** The prefixes of the variables of one environment: these variables take precedence over those for all. */
const PREFIXES: Readonly<Record<Environment, Plain>> = {
  simulator: plain`TRADING_RPC_SIM_`,
  test: plain`TRADING_RPC_TEST_`,
  production: plain`TRADING_RPC_PROD_`,
  gateway: plain`TRADING_RPC_GATEWAY_`,
};

/** The environments that use the variables with their own prefix alone. */
const OWN_ALONE: readonly Environment[] = ["simulator", "gateway"];

type VariableName =
  | "CLIENT_ID"
  | "CLIENT_SECRET"
  | "PRIVATE_KEY_FILE"
  | "PRIVATE_KEY_PASSPHRASE"
  | "ACCESS_TOKEN"
  | "URL"
  | "GRANT"
  | "KEY_FILE"
  | "KEY_NAME";

/**
 * Reads the server and the identity. Address, key and grant come from variables with one prefix: that of the
 * environment, else that for all. A key must not be tried at an address that was meant for another one.
 */
export function readAccess(environment: Environment, variables: ProcessVariables): TerminalAccess {
  const own = PREFIXES[environment];
  // What is set for an exchange must not reach a simulator or the gateway, and the other way round.
  const all = OWN_ALONE.includes(environment) ? own : plain`TRADING_RPC_`;
  const isGiven = (name: string): boolean => isSet(variables[name]);
  const mixed = mixedPrefixes(own, all, isGiven);
  if (mixed !== undefined) return wrong(mixed);
  const prefix = [...KEY_NAMES, "URL"].some((name) => isGiven(own + name)) ? own : all;
  const nameOf = (name: VariableName): Plain => plain`${prefix}${name}`;
  // Blanks at the ends of a passphrase belong to it.
  const valueOf = (name: VariableName): string => {
    const value = variables[nameOf(name)] ?? "";
    return name === "PRIVATE_KEY_PASSPHRASE" ? value : value.trim();
  };
  const address = valueOf("URL");
  if (environment === "simulator" && address === "") return { kind: "ownSimulator" };
  const check = checkAddress(
    address === "" ? (presets().find((preset) => preset.declared === environment)?.url ?? "") : address,
  );
  if (check.kind === "unusable") return wrong(l10n.t("{0}: {1}", nameOf("URL"), check.reason));
  if (environment === "simulator" && !check.isLoopback)
    return wrong(l10n.t("{0}: the simulator runs on this computer, but this address is not local.", nameOf("URL")));
  const keyFile = readGatewayAccess(environment, check.url, { valueOf, nameOf });
  if (keyFile !== undefined) return keyFile;
  const key = readKey(valueOf, nameOf);
  return typeof key === "string" ? wrong(key) : { ...key, url: check.url };
}

/** Reads the variables of a variable's prefix. */
interface Variables {
  readonly valueOf: (name: VariableName) => string;
  readonly nameOf: (name: VariableName) => Plain;
}

/** Returns the key file of the gateway, or of a simulator that plays it, or what is wrong; undefined without one. */
function readGatewayAccess(
  environment: Environment,
  url: string,
  { valueOf, nameOf }: Variables,
): TerminalAccess | undefined {
  const isGateway = environment === "gateway";
  const address = addressProblem(isGateway, url, nameOf);
  if (address !== undefined) return wrong(address);
  const hasKeyFile = (isGateway || environment === "simulator") && valueOf("KEY_FILE") !== "";
  const other = KEY_NAMES.find((name) => name !== "KEY_FILE" && valueOf(name) !== "");
  if (other !== undefined && (isGateway || hasKeyFile)) return wrong(otherKeyText(isGateway, other, nameOf));
  if (!hasKeyFile) return undefined;
  return {
    kind: "cdpKeyFile",
    url,
    path: valueOf("KEY_FILE"),
    keyName: valueOf("KEY_NAME"),
    names: { path: nameOf("KEY_FILE"), keyName: nameOf("KEY_NAME") },
  };
}

function addressProblem(isGateway: boolean, url: string, nameOf: Variables["nameOf"]): Plain | undefined {
  if (isGateway && !isGatewayAddress(url))
    return l10n.t("{0}: this is not an address of the Coinbase gateway.", nameOf("URL"));
  return !isGateway && isGatewayHost(url)
    ? l10n.t("{0}: this is the Coinbase gateway. Use --env gateway.", nameOf("URL"))
    : undefined;
}

function otherKeyText(isGateway: boolean, other: VariableName, nameOf: Variables["nameOf"]): Plain {
  return isGateway
    ? l10n.t(
        "{0} can't be used: the Coinbase gateway takes key files only. Set {1}.",
        nameOf(other),
        nameOf("KEY_FILE"),
      )
    : l10n.t("{0} and {1} can't be used together.", nameOf(other), nameOf("KEY_FILE"));
}

/** Returns a sentence about a key and an address of different prefixes: the user has to say which of them was meant. */
function mixedPrefixes(own: Plain, all: Plain, isGiven: (name: string) => boolean): Plain | undefined {
  const ownKey = KEY_NAMES.find((name) => isGiven(own + name));
  const anyKey = KEY_NAMES.find((name) => isGiven(all + name));
  const [isOwnUrl, isAnyUrl] = [isGiven(`${own}URL`), isGiven(`${all}URL`)];
  if (ownKey !== undefined && !isOwnUrl && isAnyUrl)
    return l10n.t(
      "{0} can't be used with {1}. Set {2}, too.",
      plain`${own}${ownKey}`,
      plain`${all}URL`,
      plain`${own}URL`,
    );
  if (isOwnUrl && ownKey === undefined && anyKey !== undefined)
    return l10n.t(
      "{0} can't be used with {1}. Set {2}, too.",
      plain`${own}URL`,
      plain`${all}${anyKey}`,
      plain`${own}${anyKey}`,
    );
  return undefined;
}

type Key = DistributiveOmit<Extract<TerminalAccess, { readonly url: string }>, "url">;
type DistributiveOmit<Type, Name extends PropertyKey> = Type extends unknown ? Omit<Type, Name> : never;

/** Returns who signs in, or a sentence about what is wrong with that. */
function readKey(valueOf: (name: VariableName) => string, nameOf: (name: VariableName) => Plain): Key | Plain {
  const [clientId, clientSecret, path, accessToken] = [
    valueOf("CLIENT_ID"),
    valueOf("CLIENT_SECRET"),
    valueOf("PRIVATE_KEY_FILE"),
    valueOf("ACCESS_TOKEN"),
  ];
  if (clientId === "" && clientSecret === "" && path === "") {
    return accessToken === ""
      ? { kind: "server", credentials: { kind: "none" }, grant: "none", clientId: "" }
      : { kind: "server", credentials: { kind: "token", accessToken }, grant: "token", clientId: "" };
  }
  const contradiction = contradictionOf({ clientId, clientSecret, path, accessToken }, nameOf);
  if (contradiction !== undefined) return contradiction;
  const given = valueOf("GRANT");
  if (path !== "") return readKeyFile({ clientId, path, given }, valueOf, nameOf);
  const grant = given === "" ? "client_signature" : GRANTS.find((each) => each === given);
  if (grant === undefined)
    return l10n.t("{0} must be one of {1}, not {2}.", nameOf("GRANT"), plain.join(GRANTS, ", "), plain.text(given, 40));
  return { kind: "server", credentials: { kind: grant, clientId, clientSecret }, grant, clientId };
}

/** Returns a sentence about variables of a key that do not go together, or of which one is missing. */
function contradictionOf(
  given: Readonly<Record<"clientId" | "clientSecret" | "path" | "accessToken", string>>,
  nameOf: (name: VariableName) => Plain,
): Plain | undefined {
  const secretName = nameOf(given.path === "" ? "CLIENT_SECRET" : "PRIVATE_KEY_FILE");
  if (given.accessToken !== "")
    return l10n.t(
      "{0} and {1} can't be used together. Set an API key or an access token.",
      nameOf("CLIENT_ID"),
      nameOf("ACCESS_TOKEN"),
    );
  if (given.clientSecret !== "" && given.path !== "")
    return l10n.t(
      "{0} and {1} can't be used together. Set a client secret or a private key.",
      nameOf("CLIENT_SECRET"),
      nameOf("PRIVATE_KEY_FILE"),
    );
  if (given.clientSecret === "" && given.path === "")
    return l10n.t("{0} is set, but {1} is not.", nameOf("CLIENT_ID"), secretName);
  return given.clientId === "" ? l10n.t("{0} is set, but {1} is not.", secretName, nameOf("CLIENT_ID")) : undefined;
}

/** Returns the file of a private key, which only signs: no grant sends it. */
function readKeyFile(
  { clientId, path, given }: { readonly clientId: string; readonly path: string; readonly given: string },
  valueOf: (name: VariableName) => string,
  nameOf: (name: VariableName) => Plain,
): Key | Plain {
  if (given !== "" && given !== "client_signature")
    return l10n.t("{0} can't be used with {1}: a private key only signs.", nameOf("GRANT"), nameOf("PRIVATE_KEY_FILE"));
  const passphrase = valueOf("PRIVATE_KEY_PASSPHRASE");
  return {
    kind: "keyFile",
    clientId,
    path,
    passphrase: passphrase === "" ? undefined : passphrase,
    names: { path: nameOf("PRIVATE_KEY_FILE"), passphrase: nameOf("PRIVATE_KEY_PASSPHRASE") },
  };
}

const KEY_NAMES: readonly VariableName[] = [
  "CLIENT_ID",
  "CLIENT_SECRET",
  "PRIVATE_KEY_FILE",
  "ACCESS_TOKEN",
  "KEY_FILE",
];
/** The variables whose values must be in no output. */
const SECRET_NAMES: readonly VariableName[] = ["CLIENT_SECRET", "PRIVATE_KEY_PASSPHRASE", "ACCESS_TOKEN"];
const GRANTS = ["client_signature", "client_credentials"] as const;

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== "";
}

function wrong(message: Plain): TerminalAccess {
  return { kind: "wrong", message };
}

/** Returns every secret among the variables, whichever environment it is for: none of them may be in any output. */
export function secretsOf(variables: ProcessVariables): readonly string[] {
  const names = ["TRADING_RPC_", ...Object.values(PREFIXES)].flatMap((prefix) =>
    SECRET_NAMES.map((name) => prefix + name),
  );
  return [...names, TERMINAL_VARIABLES.key]
    .map((name) => variables[name])
    .flatMap((value) => (isSet(value) ? [value?.trim() ?? ""] : []));
}
