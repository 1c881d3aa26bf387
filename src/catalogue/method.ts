import type * as z from "zod";

/** The effect of a method on the account. Decides the confirmation before it is sent (`actions/policy.ts`). */
export type Effect = "read" | "reduce" | "write" | "mass" | "key" | "money" | "session";

/** The budget of the exchange that a call draws from. https://docs.deribit.com/articles/rate-limits */
export type RateClass = "matching" | "default" | "subscribe" | "instruments";

/** A rule between parameters, which no schema of a single one can say. */
export type ParamRule =
  /** `param` is worth nothing without `other`. */
  | { readonly kind: "needs"; readonly param: string; readonly other: string }
  /** A call needs at least one of these. */
  | { readonly kind: "oneOf"; readonly params: readonly string[] }
  /** The server takes a missing parameter as "none" and goes on, so the request has to state it. */
  | { readonly kind: "stated"; readonly param: string };

/** An entry of the catalogue: all that is known of a method, as data. */
export interface MethodDefinition {
  /** The name on the wire. */
  readonly name: `${"public" | "private"}/${string}`;
  /**
   * A sentence that describes the method. Shown in completion and hover; English, like the exchange's own
   * documentation.
   */
  readonly summary: string;
  readonly params: z.ZodObject;
  /** The rules between parameters; none when left out. */
  readonly rules?: readonly ParamRule[];
  readonly result: z.ZodType;
  /** The scope entries of which one is needed; `read_write` satisfies a `read`. Empty: none. */
  readonly scopes: readonly string[];
  /** The scope entries to use instead if this parameter is true. */
  readonly scopesWhen?: { readonly param: string; readonly scopes: readonly string[] };
  readonly effect: Effect;
  readonly rate: RateClass;
  /** The error codes that prove that a call did nothing, beyond those that hold for any method. None when left out. */
  readonly refusals?: readonly number[];
  /** Whether the method is about the connection that it comes over, and means nothing over HTTP. */
  readonly isWebSocketOnly?: true;
  /** The page of the exchange that documents the method. */
  readonly documentation: string;
  /**
   * Whether this is a method of the core specification, which has ten. The others are optional capabilities of a
   * server.
   */
  readonly isContract: boolean;
}

/** Types an entry without widening it. */
export function method<const M extends MethodDefinition>(definition: M): M {
  return definition;
}

/** A kind of channel: a name pattern and the payload of its events. */
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
