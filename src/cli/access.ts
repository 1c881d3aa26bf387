import * as l10n from "@vscode/l10n";
import { plain } from "../base/plain.ts";
import { checkAddress } from "../rpc/address.ts";
import type { Credentials } from "../session/session.ts";
import { presets, type Environment, type GrantType } from "../state/records.ts";

/** The environment variables of the process by name. Only the root has the real ones. */
export type ProcessVariables = Readonly<Record<string, string | undefined>>;

/** The server and the identity of a run, all from the environment of the process: never from a file or an argument. */
export type TerminalAccess =
  /** A simulator of this run alone, started with it and ended with it. */
  | { readonly kind: "ownSimulator" }
  | {
      readonly kind: "server";
      readonly url: string;
      readonly credentials: Credentials;
      readonly grant: GrantType;
      readonly clientId: string;
    }
  /** A sentence that names the variable and no value of a secret one. */
  | { readonly kind: "wrong"; readonly message: string };

/** The prefixes of the variables of one environment: these variables take precedence over those for all. */
const PREFIXES: Readonly<Record<Environment, string>> = {
  simulator: "TRADING_RPC_SIM_",
  test: "TRADING_RPC_TEST_",
  production: "TRADING_RPC_PROD_",
};

type VariableName = "CLIENT_ID" | "CLIENT_SECRET" | "ACCESS_TOKEN" | "URL" | "GRANT";

/**
 * Reads the server and the identity. Address, key and grant come from variables with one prefix: that of the
 * environment, else that for all. A key must not be tried at an address that was meant for another one.
 */
export function readAccess(environment: Environment, variables: ProcessVariables): TerminalAccess {
  const own = PREFIXES[environment];
  // What is set for an exchange must not reach a simulator, and the other way round.
  const all = environment === "simulator" ? own : "TRADING_RPC_";
  const isGiven = (name: string): boolean => isSet(variables[name]);
  const mixed = mixedPrefixes(own, all, isGiven);
  if (mixed !== undefined) return wrong(mixed);
  const prefix = [...KEY_NAMES, "URL"].some((name) => isGiven(own + name)) ? own : all;
  const nameOf = (name: VariableName): string => prefix + name;
  const valueOf = (name: VariableName): string => variables[nameOf(name)]?.trim() ?? "";
  const address = valueOf("URL");
  if (environment === "simulator" && address === "") return { kind: "ownSimulator" };
  const check = checkAddress(
    address === "" ? (presets().find((preset) => preset.declared === environment)?.url ?? "") : address,
  );
  if (check.kind === "unusable") return wrong(l10n.t("{0}: {1}", nameOf("URL"), check.reason));
  if (environment === "simulator" && !check.isLoopback)
    return wrong(l10n.t("{0}: the simulator runs on this computer, but this address is not local.", nameOf("URL")));
  const key = readKey(valueOf, nameOf);
  return typeof key === "string" ? wrong(key) : { kind: "server", url: check.url, ...key };
}

/** Returns a sentence about a key and an address of different prefixes: the user has to say which of them was meant. */
function mixedPrefixes(own: string, all: string, isGiven: (name: string) => boolean): string | undefined {
  const ownKey = KEY_NAMES.find((name) => isGiven(own + name));
  const anyKey = KEY_NAMES.find((name) => isGiven(all + name));
  const [isOwnUrl, isAnyUrl] = [isGiven(`${own}URL`), isGiven(`${all}URL`)];
  if (ownKey !== undefined && !isOwnUrl && isAnyUrl)
    return l10n.t("{0} can't be used with {1}. Set {2}, too.", own + ownKey, `${all}URL`, `${own}URL`);
  if (isOwnUrl && ownKey === undefined && anyKey !== undefined)
    return l10n.t("{0} can't be used with {1}. Set {2}, too.", `${own}URL`, all + anyKey, own + anyKey);
  return undefined;
}

type Key = Pick<Extract<TerminalAccess, { kind: "server" }>, "credentials" | "grant" | "clientId">;

/** Returns who signs in, or a sentence about what is wrong with that. */
function readKey(valueOf: (name: VariableName) => string, nameOf: (name: VariableName) => string): Key | string {
  const [clientId, clientSecret, accessToken] = [
    valueOf("CLIENT_ID"),
    valueOf("CLIENT_SECRET"),
    valueOf("ACCESS_TOKEN"),
  ];
  if (clientId === "" && clientSecret === "") {
    return accessToken === ""
      ? { credentials: { kind: "none" }, grant: "none", clientId: "" }
      : { credentials: { kind: "token", accessToken }, grant: "token", clientId: "" };
  }
  if (accessToken !== "")
    return l10n.t(
      "{0} and {1} can't be used together. Set an API key or an access token.",
      nameOf("CLIENT_ID"),
      nameOf("ACCESS_TOKEN"),
    );
  if (clientSecret === "") return l10n.t("{0} is set, but {1} is not.", nameOf("CLIENT_ID"), nameOf("CLIENT_SECRET"));
  if (clientId === "") return l10n.t("{0} is set, but {1} is not.", nameOf("CLIENT_SECRET"), nameOf("CLIENT_ID"));
  const given = valueOf("GRANT");
  const grant = given === "" ? "client_signature" : GRANTS.find((each) => each === given);
  if (grant === undefined)
    return l10n.t("{0} must be one of {1}, not {2}.", nameOf("GRANT"), GRANTS.join(", "), plain.text(given, 40));
  return { credentials: { kind: grant, clientId, clientSecret }, grant, clientId };
}

const KEY_NAMES: readonly VariableName[] = ["CLIENT_ID", "CLIENT_SECRET", "ACCESS_TOKEN"];
const GRANTS = ["client_signature", "client_credentials"] as const;

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== "";
}

function wrong(message: string): TerminalAccess {
  return { kind: "wrong", message };
}

/** Returns every secret among the variables, whichever environment it is for: none of them may be in any output. */
export function secretsOf(variables: ProcessVariables): readonly string[] {
  return ["TRADING_RPC_", ...Object.values(PREFIXES)]
    .flatMap((prefix) => [variables[`${prefix}CLIENT_SECRET`], variables[`${prefix}ACCESS_TOKEN`]])
    .flatMap((value) => (isSet(value) ? [value?.trim() ?? ""] : []));
}
