import type * as z from "zod";

/** What a method does to the account. Decides what is asked before it is sent (`actions/policy.ts`). */
export type Effect = "read" | "reduce" | "write" | "mass" | "key" | "money" | "session";

/** Which of the exchange's budgets a call draws from. https://docs.deribit.com/articles/rate-limits */
export type RateClass = "matching" | "default" | "subscribe" | "instruments";

/** A rule between parameters, which no schema of a single one can say. */
export type ParamRule =
  /** `param` is worth nothing without `other`. */
  | { readonly kind: "needs"; readonly param: string; readonly other: string }
  /** One of these has to be there. */
  | { readonly kind: "oneOf"; readonly params: readonly string[] }
  /** Left out, the server takes it as "none" and goes on: what was not said must not be meant. */
  | { readonly kind: "stated"; readonly param: string };

/** One entry of the catalogue: all that is known of a method, as data. */
export interface MethodDefinition {
  /** The name on the wire. */
  readonly name: `${"public" | "private"}/${string}`;
  /** One sentence: what it does. Shown in completion and hover; English, like the exchange's own documentation. */
  readonly summary: string;
  readonly params: z.ZodObject;
  /** What holds between parameters; none when left out. */
  readonly rules?: readonly ParamRule[];
  readonly result: z.ZodType;
  /** Scope entries of which one is needed; a `read` is satisfied by `read_write`. Empty: none. */
  readonly scopes: readonly string[];
  /** Scope entries in place of those, where this parameter is true. */
  readonly scopesWhen?: { readonly param: string; readonly scopes: readonly string[] };
  readonly effect: Effect;
  readonly rate: RateClass;
  /** Error codes that prove, beyond those that hold for any method, that a call did nothing; none when left out. */
  readonly refusals?: readonly number[];
  /** It is about the connection that it comes over, and means nothing over HTTP. */
  readonly isWebSocketOnly?: true;
  /** The page of the exchange that documents it. */
  readonly documentation: string;
  /** One of the ten methods of the core specification. The others are optional capabilities of a server. */
  readonly isContract: boolean;
}

/** Types an entry without widening it. */
export function method<const M extends MethodDefinition>(definition: M): M {
  return definition;
}

/** One kind of channel: a name pattern and the payload of its events. */
export interface ChannelDefinition {
  /**
   * The channel's name; a segment in braces stands for any text without a dot, e.g.
   * `user.orders.{kind}.{currency}.raw`.
   */
  readonly pattern: string;
  readonly summary: string;
  readonly data: z.ZodType;
  readonly access: "public" | "private";
  readonly scopes: readonly string[];
}

/** Types a channel entry without widening it. */
export function channel<const C extends ChannelDefinition>(definition: C): C {
  return definition;
}
