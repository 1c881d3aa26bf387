import type { Clock } from "../base/clock.ts";
import type { MethodName, ParamsOf } from "../catalogue/index.ts";
import type { Connection } from "./connection.ts";
import type { Heartbeats } from "./heartbeat.ts";
import type { Publisher } from "./publisher.ts";
import type { Authorisation, Key, Tokens } from "./tokens.ts";
import type { World } from "./world.ts";

/** A call whose caller may make it and whose parameters are right. */
export interface Call<M extends MethodName> {
  readonly params: ParamsOf<M>;
  readonly connection: Connection;
  /** Whose call it is; undefined for a public method that nobody signed. */
  readonly authorisation: Authorisation | undefined;
}

/** One for each method of the catalogue: hands out the result as text, or throws a refusal. */
export type Handlers = { readonly [M in MethodName]: (call: Call<M>) => string };

/** What handlers work on. */
export interface HandlerPorts {
  readonly clock: Clock;
  readonly world: World;
  readonly key: Key;
  readonly tokens: Tokens;
  readonly publisher: Publisher;
  readonly heartbeats: Heartbeats;
}
