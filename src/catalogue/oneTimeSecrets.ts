/** The name of a member of a result whose secret no request reads again. */
export type OneTimeMember = "client_secret" | "signature";

/**
 * The secrets that exist in one response only: that of a new or reset API key, and the signature of a block trade.
 * Other responses with a `client_secret` repeat one that is known already.
 * https://docs.deribit.com/articles/creating-api-key, https://docs.deribit.com/articles/block-trading-api
 */
const ONE_TIME: ReadonlyMap<string, OneTimeMember> = new Map([
  ["private/create_api_key", "client_secret"],
  ["private/reset_api_key", "client_secret"],
  ["private/verify_block_trade", "signature"],
]);

/** Returns the member of a method's result that is a one-time secret; undefined for all other methods. */
export function oneTimeMember(method: string): OneTimeMember | undefined {
  return ONE_TIME.get(method);
}

/**
 * Whether a request is to be expected to make a client secret that only its response has. A new API key with a public
 * key has none: its `client_secret` is a fingerprint. An empty public key is none, and a reset has no such parameter.
 * What the exchange returns decides in the end: see `oneTimeSecretIn`.
 */
export function makesClientSecret(method: string, params: Readonly<Record<string, unknown>>): boolean {
  if (oneTimeMember(method) !== "client_secret") return false;
  const { public_key: publicKey } = params;
  return method !== CREATE || typeof publicKey !== "string" || publicKey.trim() === "";
}

const CREATE = "private/create_api_key";

/** Returns the one-time secret in the result of a method; undefined where it has none. */
export function oneTimeSecretIn(method: string, result: unknown): string | undefined {
  const member = oneTimeMember(method);
  if (member === undefined || typeof result !== "object" || result === null) return undefined;
  const { [member]: value, public_key: publicKey } = result as Readonly<Record<string, unknown>>;
  const isFingerprint = typeof publicKey === "string" && publicKey !== "";
  return typeof value === "string" && value !== "" && !isFingerprint ? value : undefined;
}
