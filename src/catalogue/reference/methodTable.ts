import { isPrivate, methodFacts, rateClassOf } from "../index.ts";
import { isOfferedAt } from "../offer.ts";
import type { Effect, MethodReference, ParamRule, RateClass, Service } from "../method.ts";
import type { SchemaNode } from "../problems.ts";
import { RATE_BUDGETS } from "../rates.ts";
import { gatewayReference } from "./gateway.ts";
import { plainSchema } from "./plainSchema.ts";
import { channelReferences, methodReferences, paramsSchemaOf, resultSchemaOf, segmentWords } from "./reference.ts";

/*
 * Everything that is known of methods and channels, as data for programs. The names of the members are those of the
 * JSON that the terminal prints.
 */

/** A method of the exchange. */
export interface MethodEntry {
  readonly name: string;
  readonly section: string;
  readonly summary: string;
  readonly access: "public" | "private";
  /** The scope entry that is needed, several of which one is needed joined by ` or `. Null where none is. */
  readonly scope: string | null;
  /** The scope that is needed instead if this parameter is true. */
  readonly scopeWhen?: { readonly param: string; readonly scope: string };
  readonly effect: Effect;
  /** The parameter that makes a call a dry run if it is true: it changes nothing then, and counts as a read. */
  readonly dryRunParam?: string;
  readonly rate: RateEntry;
  readonly webSocketOnly: boolean;
  readonly mainAccountOnly: boolean;
  readonly mayAskSecondFactor: boolean;
  readonly params: readonly ParamEntry[];
  /** The rules between parameters that no parameter can say alone; left out where there are none. */
  readonly rules?: readonly ParamRule[];
  /** The result as JSON Schema draft-07. */
  readonly result: SchemaNode;
  /** The kinds of servers that offer the method. */
  readonly offeredBy: readonly Service[];
  /** What only the gateway has (default: nothing). */
  readonly gateway?: {
    readonly webSocketOnly?: true;
    /** The permission that a key file needs. */
    readonly permission?: string;
    /** The scope that an OAuth token needs. */
    readonly scope?: string;
    /** The parameters that it adds. */
    readonly params?: readonly ParamEntry[];
    /** The parameters of the exchange that it does not take. */
    readonly missingParams?: readonly string[];
  };
  /** Whether responses are checked against the result. Otherwise it is as documented, and responses can differ. */
  readonly resultIsExact: boolean;
  readonly documentation: string;
}

/** The budget of the exchange that a call draws from, in its own credits. */
interface RateEntry {
  readonly class: RateClass;
  readonly cost: number;
  readonly size: number;
  readonly refillPerSecond: number;
}

/** A parameter. The members after `required` are those of JSON Schema draft-07; left out where they say nothing. */
export interface ParamEntry {
  readonly name: string;
  /** A type of JSON Schema, or several joined by a bar. */
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  /** The known values, in their order. */
  readonly enum?: readonly unknown[];
  /** Whether other values are accepted too. */
  readonly enumIsOpen?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
}

/** A channel of the exchange. */
export interface ChannelEntry {
  /** The name, with placeholders in braces. */
  readonly pattern: string;
  readonly summary: string;
  readonly access: "public" | "private";
  readonly scope: string | null;
  /** The placeholders in their order. Their values are the known ones; others are accepted too. */
  /** The kinds of servers that offer the channel. */
  readonly offeredBy: readonly Service[];
  readonly placeholders: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** Returns the methods with these names (default: all), section by section. All of them take a tenth of a second. */
export function methodTable(names?: readonly string[]): readonly MethodEntry[] {
  const entries = methodReferences()
    .filter(({ name }) => names?.includes(name) ?? true)
    .map(methodEntry);
  return [...new Set(entries.map(({ section }) => section))].flatMap((section) =>
    entries.filter((each) => each.section === section),
  );
}

/** Returns all channels by name. */
export function channelTable(): readonly ChannelEntry[] {
  return channelReferences()
    .map(({ pattern, summary, access, scopes, onlyAt }) => ({
      pattern,
      summary,
      access,
      scope: scopeText(scopes),
      offeredBy: SERVICES.filter((service) => onlyAt === undefined || onlyAt === service),
      placeholders: [...pattern.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => ({
        name,
        values: segmentWords(name),
      })),
    }))
    .sort((left, right) => (left.pattern < right.pattern ? -1 : 1));
}

const SERVICES: readonly Service[] = ["native", "gateway"];

function gatewayEntry(name: string): Pick<MethodEntry, "gateway"> {
  const { params, missingParams, isWebSocketOnly, permission, scope } = gatewayReference(name) ?? {};
  const gateway = {
    ...(isWebSocketOnly === undefined ? {} : { webSocketOnly: isWebSocketOnly }),
    ...(permission === undefined ? {} : { permission }),
    ...(scope === undefined ? {} : { scope }),
    ...(params === undefined ? {} : { params: paramEntries({ properties: params }, []) }),
    ...(missingParams === undefined ? {} : { missingParams }),
  };
  return Object.keys(gateway).length === 0 ? {} : { gateway };
}

function methodEntry(reference: MethodReference): MethodEntry {
  const { name, section, summary, documentation, isMainAccountOnly, mayAskSecondFactor, hint } = reference;
  const { scopes = [], scopesWhen, effect = "write", dryRunParam, isWebSocketOnly, rules } = methodFacts(name) ?? {};
  return {
    name,
    section,
    summary,
    access: isPrivate(name) ? "private" : "public",
    scope: scopeText(scopes),
    ...(scopesWhen === undefined
      ? {}
      : { scopeWhen: { param: scopesWhen.param, scope: scopeText(scopesWhen.scopes) ?? "" } }),
    effect,
    ...(dryRunParam === undefined ? {} : { dryRunParam }),
    rate: rateEntry(rateClassOf(name)),
    webSocketOnly: isWebSocketOnly === true,
    mainAccountOnly: isMainAccountOnly === true,
    mayAskSecondFactor: mayAskSecondFactor === true,
    params: paramEntries(paramsSchemaOf(name) ?? {}, rules ?? []),
    ...(rules === undefined ? {} : { rules }),
    result: plainSchema(resultSchemaOf(name) ?? {}),
    resultIsExact: hint === undefined,
    offeredBy: SERVICES.filter((service) => isOfferedAt(name, service)),
    ...gatewayEntry(name),
    documentation,
  };
}

function scopeText(scopes: readonly string[]): string | null {
  return scopes.length === 0 ? null : scopes.join(" or ");
}

function rateEntry(rateClass: RateClass): RateEntry {
  const { cost, size, refillPerMs } = RATE_BUDGETS[rateClass];
  return { class: rateClass, cost, size, refillPerSecond: refillPerMs * 1000 };
}

function paramEntries(schema: SchemaNode, rules: readonly ParamRule[]): readonly ParamEntry[] {
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  for (const rule of rules) if (rule.kind === "stated") required.add(rule.param);
  return Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, SchemaNode>>).map(([name, node]) => {
    const plain = plainSchema(node);
    const { examples } = plain;
    const others = Object.entries(plain).filter(([key]) => !["type", "required", "examples"].includes(key));
    return {
      name,
      type: typesOf(plain).join("|"),
      required: required.has(name),
      ...(Object.fromEntries(others) as Partial<ParamEntry>),
      ...(Array.isArray(examples) ? ({ enum: examples as readonly unknown[], enumIsOpen: true } as const) : {}),
    };
  });
}

function typesOf({ type, anyOf }: SchemaNode): readonly string[] {
  if (typeof type === "string") return [type];
  return [...new Set(((anyOf ?? []) as readonly SchemaNode[]).flatMap(typesOf))];
}
