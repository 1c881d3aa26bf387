import type { Clock } from "../../base/clock.ts";
import type { HintedName, MethodName, ParamsOf } from "../../catalogue/index.ts";
import type { AccessLog } from "../accounts/accessLog.ts";
import type { AccountRegister } from "../accounts/accountRegister.ts";
import type { ApiKeys } from "../access/apiKeys.ts";
import type { BlockRfqs, DetailedForm } from "../market/blockRfqs.ts";
import type { BlockTrades } from "../market/blockTrades.ts";
import type { BlockTradeSignatures } from "../market/blockTradeSignatures.ts";
import type { Disconnects } from "../sessions/disconnects.ts";
import type { SimulatedConnection } from "../sessions/connection.ts";
import type { Heartbeats } from "../sessions/heartbeat.ts";
import type { Mmp } from "../accounts/mmp.ts";
import type { Changes } from "../sessions/changes.ts";
import type { Publisher } from "../sessions/publisher.ts";
import type { GatewayAccess } from "../access/gatewayAccess.ts";
import type { SecondFactor } from "../access/secondFactor.ts";
import type { Authorisation, Tokens } from "../access/tokens.ts";
import type { Venue } from "../market/venue.ts";
import type { World } from "../market/world.ts";

/** A call that the caller may make, with valid parameters. */
export interface Call<M extends MethodName | HintedName> {
  readonly params: ParamsOf<M>;
  readonly connection: SimulatedConnection;
  /** The authorization of the caller; undefined for a public method called without a sign-in. */
  readonly authorisation: Authorisation | undefined;
}

/**
 * The handlers: each returns the result as text, or throws a refusal. Every method whose result is known exactly has
 * one; of the others, those that are simulated.
 */
export type MethodHandlers = { readonly [M in MethodName]: (call: Call<M>) => string } & {
  readonly [M in HintedName]?: (call: Call<M>) => string;
};

/** The ports of one account's handlers. */
export interface HandlerPorts {
  /** The account. */
  readonly id: number;
  readonly clock: Clock;
  readonly world: World;
  /** Where all accounts trade. */
  readonly venue: Venue;
  readonly blockTrades: BlockTrades;
  /** The signatures of block trades, of all accounts. */
  readonly signatures: BlockTradeSignatures;
  readonly blockRfqs: BlockRfqs;
  readonly mmp: Mmp;
  /** The accounts of the owner. */
  readonly accounts: AccountRegister;
  readonly accessLog: AccessLog;
  /** Returns the collector of `user.changes` of an account of the owner. */
  readonly changesOf: (account: number) => Pick<Changes, "position"> | undefined;
  /** Returns the open orders of an account of the owner that belong to a currency, as JSON texts. */
  readonly openOrderTexts: (account: number, currency: string) => readonly string[];
  readonly apiKeys: ApiKeys;
  readonly secondFactor: SecondFactor;
  readonly detailedForm: () => DetailedForm;
  /**
   * Whether a key's tokens end at once when its scope is changed. The exchange's keep what they were granted until they
   * end.
   */
  readonly doScopesEndTokens: () => boolean;
  readonly tokens: Tokens;
  /** The sign-in of the gateway, where that is played. */
  readonly gateway?: GatewayAccess | undefined;
  readonly publisher: Publisher;
  readonly heartbeats: Heartbeats;
  readonly disconnects: Disconnects;
}

/**
 * Types the function that makes the handlers of an area. That each method of the catalogue has one is checked where all
 * of them come together.
 */
export function handlersOf<const Given extends readonly unknown[], Made extends Partial<MethodHandlers>>(
  make: (ports: HandlerPorts, ...given: Given) => Made,
): typeof make {
  return make;
}
