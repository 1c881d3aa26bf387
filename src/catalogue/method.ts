import * as z from "zod";
import type { SchemaNode } from "./problems.ts";

/** The effect of a method on the account. Decides the confirmation before it is sent (`actions/gate/policy.ts`). */
export type Effect = "read" | "reduce" | "write" | "mass" | "key" | "money" | "session";

/** The budget of the exchange that a call draws from. https://docs.deribit.com/articles/rate-limits */
export type RateClass = "matching" | "default" | "subscribe" | "instruments" | "transactionLog" | "movePositions";

/** A kind of server: the exchange's own, or the partner's gateway to it. */
export type Service = "native" | "gateway";

/** A rule between parameters, which no schema of a single one can say. */
export type ParamRule =
  /** `param` is worth nothing without `other`. */
  | { readonly kind: "needs"; readonly param: string; readonly other: string }
  /** A call needs at least one of these. */
  | { readonly kind: "oneOf"; readonly params: readonly string[] }
  /** The server takes a missing parameter as "none" and goes on, so the request has to state it. */
  | { readonly kind: "stated"; readonly param: string };

/** A section of the exchange's documentation. https://docs.deribit.com/api-reference */
type Section =
  | "Account Management"
  | "Authentication"
  | "Block RFQ"
  | "Block Trade"
  | "Combo Books"
  | "Liquidity Support"
  | "Market Data"
  | "Session Management"
  | "Subscription Management"
  | "Supporting"
  | "Trading"
  | "Wallet";

/** What is known of any method of the exchange, as data. */
interface KnownDefinition {
  /** The name on the wire. */
  readonly name: `${"public" | "private"}/${string}`;
  readonly section: Section;
  /**
   * A sentence that describes the method. Shown in completion and hover; English, like the exchange's own
   * documentation.
   */
  readonly summary: string;
  readonly params: z.ZodObject;
  /** The rules between parameters; none when left out. */
  readonly rules?: readonly ParamRule[];
  /** The scope entries of which one is needed; `read_write` satisfies a `read`. Empty: none. */
  readonly scopes: readonly string[];
  /** The scope entries to use instead if this parameter is true. */
  readonly scopesWhen?: { readonly param: string; readonly scopes: readonly string[] };
  readonly effect: Effect;
  /**
   * Whether the method can open or change exposure: it places or edits an order or a quote, closes a position, accepts
   * a Block RFQ, or commits to a block trade. Verifying one counts, because the other party can execute it with the
   * signature. `create_block_rfq` and `create_combo` don't: nothing can be traded before another call. Nor does
   * `move_positions`, which trades with no one and is confirmed like a transfer. Such a call needs Allow Trading
   * (`actions/gate/tradingPermission.ts`).
   */
  readonly isTrade?: true;
  /**
   * The parameter that makes a call a dry run if it is true: the call returns what would change, and changes nothing.
   * It counts as a read then, and is sent before the change is confirmed (`actions/gate/consent.ts`).
   */
  readonly dryRunParam?: string;
  /** The budget (default: `default`). */
  readonly rate: RateClass;
  /**
   * Whether one call changes several objects, each for itself, although its effect is not `mass`: an error does not say
   * which of them were changed.
   */
  readonly isOnSeveralObjects?: true;
  /** Whether the method is about the connection that it comes over, and means nothing over HTTP. */
  readonly isWebSocketOnly?: true;
  /** Whether the method needs the scope entry `mainaccount` besides its scopes. The exchange checks it. */
  readonly isMainAccountOnly?: true;
  /** Whether the exchange may ask for a 2FA code before it carries the method out. */
  readonly mayAskSecondFactor?: true;
  /** The one kind of server that offers the method (default: both). */
  readonly onlyAt?: Service;
  /** The page of the exchange that documents the method (default: that of its section and name). */
  readonly documentation: string;
}

/** An entry of the catalogue for a method that stores read or commands send: its result is known exactly. */
export interface MethodDefinition extends KnownDefinition {
  readonly result: z.ZodType;
  /**
   * The schemas of the rows of a list, by their names, apart from the list: an unreadable row must not make the others
   * unreadable. Readers work with what these schemas make (`reading.ts`), and may ask only for what they require. None
   * where the result is read whole, or another method names the rows.
   */
  readonly rows?: Readonly<Record<string, z.ZodType>>;
  /**
   * Whether this is a method of the core specification, which has ten. The others are optional capabilities of a
   * server.
   */
  readonly isContract: boolean;
}

/**
 * An entry of the catalogue for a method that only request files and chat tools send. Its documented result is a hint
 * for completion and hovers, in the notation of `shapes.ts`, and never a reason to call a response wrong.
 */
export interface HintedMethod extends KnownDefinition {
  readonly hint: string;
}

/** What follows from an entry's section and name, or is usual, where an entry does not say otherwise. */
interface Usual extends Pick<KnownDefinition, "section" | "rate" | "documentation"> {
  readonly isContract: boolean;
}

type Name = KnownDefinition["name"];
type Access = Pick<KnownDefinition, "scopes" | "effect">;

/** The rest of an entry as it is written. A method without parameters omits them. */
type Rest<M extends KnownDefinition> = Omit<M, "name" | "params" | keyof Access | keyof Usual> &
  Partial<Omit<Usual, "section">> & { readonly params?: z.ZodObject };

/** A whole entry. */
type Entry<N extends Name, A extends Access, R> = { readonly name: N } & A &
  R &
  Usual & { readonly params: R extends { readonly params: infer Params } ? Params : ReturnType<typeof noParams> };

const noParams = () => z.strictObject({});

/**
 * Returns functions that make the entries of a section: of a name, of what the method needs and does, and of the rest.
 * `folder`: that of the documentation (default: the section's name).
 */
export function methodsOf(
  section: Section,
  folder = section.toLowerCase().replaceAll(" ", "-"),
): {
  readonly method: <const N extends Name, const A extends Access, const R extends Rest<MethodDefinition>>(
    ...entry: [name: N, access: A, rest: R]
  ) => Entry<N, A, R>;
  readonly hinted: <const N extends Name, const A extends Access, const R extends Rest<HintedMethod>>(
    ...entry: [name: N, access: A, rest: R]
  ) => Entry<N, A, R>;
} {
  const whole = <const N extends Name, const A extends Access, const R>(
    name: N,
    access: A,
    rest: R,
  ): Entry<N, A, R> => {
    const documentation = `https://docs.deribit.com/api-reference/${folder}/${name.replace("/", "-")}`;
    const usual: Usual = { section, rate: "default", isContract: false, documentation };
    return { name, params: noParams(), ...usual, ...access, ...rest } as unknown as Entry<N, A, R>;
  };
  return { method: whole, hinted: whole };
}

/** What a method needs and does that needs no scope. */
export function unscoped<const Done extends Effect>(
  effect: Done,
): { readonly scopes: readonly []; readonly effect: Done } {
  return { scopes: [], effect };
}

/** What a method needs and does that reads what an area's scope allows, e.g. `trade`. */
export function reads<const Area extends string>(
  area: Area,
): { readonly scopes: readonly [`${Area}:read`]; readonly effect: "read" } {
  return { scopes: [`${area}:read`], effect: "read" };
}

/** What a method needs and does that changes something of an area: it needs the scope to read and write. */
export function changes<const Area extends string, const Changed extends Exclude<Effect, "read">>(
  area: Area,
  effect: Changed,
): { readonly scopes: readonly [`${Area}:read_write`]; readonly effect: Changed } {
  return { scopes: [`${area}:read_write`], effect };
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
  /** The one kind of server that offers the channel (default: both), as in `KnownDefinition`. */
  readonly onlyAt?: Service;
}

/**
 * A kind of channel whose documented payload is a hint, in the notation of `shapes.ts`. A store that follows it reads
 * rows out of the payload, each by its own schema.
 */
export interface HintedChannel extends Omit<ChannelDefinition, "data"> {
  readonly hint: string;
}

/**
 * Makes the entry of a channel without widening it. `scopes`: those of which one is needed; `public` for a channel that
 * needs no sign-in.
 */
export function channel<const P extends string, const R extends { readonly summary: string }>(
  pattern: P,
  scopes: readonly string[] | "public",
  rest: R,
): { readonly pattern: P } & R & Pick<ChannelDefinition, "access" | "scopes"> {
  const needed =
    scopes === "public" ? ({ access: "public", scopes: [] } as const) : ({ access: "private", scopes } as const);
  return { pattern, ...rest, ...needed };
}

/** The part of a method's entry that is told to who writes requests. */
export interface MethodReference {
  readonly name: string;
  readonly section: Section;
  readonly summary: string;
  readonly documentation: string;
  readonly isMainAccountOnly?: true;
  readonly mayAskSecondFactor?: true;
  /** The documented result, in the notation of `shapes.ts`, of a method whose result is not known exactly. */
  readonly hint?: string;
}

/** The part of a channel's entry that is told to who writes requests. */
export interface ChannelReference {
  /** The name; a segment in braces stands for any text without a dot. */
  readonly pattern: string;
  readonly summary: string;
  readonly access: "public" | "private";
  readonly scopes: readonly string[];
  readonly onlyAt?: Service;
  /** The documented payload, in the notation of `shapes.ts`, of a channel whose payload is not known exactly. */
  readonly hint?: string;
}

/** What the gateway has of its own about a method. */
export interface GatewayReference {
  /** The schemas of the parameters that it adds, by name. All are optional. */
  readonly params?: Readonly<Record<string, SchemaNode>>;
  /** The parameters of the exchange that it does not take. */
  readonly missingParams?: readonly string[];
  readonly isWebSocketOnly?: true;
  /** The permission of the key file and the scope of an OAuth token, where they are documented. */
  readonly permission?: string;
  readonly scope?: string;
}
