import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { sessionRefusal } from "../../actions/gate/policy.ts";
import { methodFacts, type Effect, type MethodFacts, type RateClass } from "../../catalogue/index.ts";
import { RATE_BUDGETS } from "../../catalogue/rates.ts";
import { paramFactsOf, type ParamFacts } from "../../catalogue/reference/paramFacts.ts";
import {
  channelReferences,
  methodReference,
  methodReferences,
  resultSchemaOf,
} from "../../catalogue/reference/reference.ts";
import { shapeDescription, shapeText } from "../../catalogue/reference/resultShape.ts";
import type { ChannelReference, MethodReference } from "../../catalogue/method.ts";
import type { SchemaNode } from "../../catalogue/problems.ts";
import type { Cursor } from "../../requests/file/cursor.ts";
import { countText } from "../text/numbers.ts";

/*
 * Methods, parameters, and channels in words. Everything comes from the catalogue, nothing from outside, so it can be
 * Markdown. Names, types, and summaries are those of the documentation and stay English.
 */

/** A method as lists show it. */
export interface ListedMethod {
  readonly facts: MethodFacts;
  readonly reference: MethodReference;
}

/** Returns all methods: those of the contract first, then the others by section. */
export function listedMethods(): readonly ListedMethod[] {
  const listed = methodReferences().flatMap((reference): ListedMethod[] => {
    const facts = methodFacts(reference.name);
    return facts === undefined ? [] : [{ facts, reference }];
  });
  const contract = listed.filter(({ facts }) => facts.isContract);
  return [...contract, ...bySection(listed.filter(({ facts }) => !facts.isContract))];
}

/** Returns methods by section in alphabetical order; within one, in the order of the catalogue. */
export function bySection(listed: readonly ListedMethod[]): readonly ListedMethod[] {
  return listed.toSorted((one, other) => compare(one.reference.section, other.reference.section));
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Returns the effect of a method. */
export function effectText(effect: Effect): Plain {
  return EFFECTS[effect]();
}

const EFFECTS: Readonly<Record<Effect, () => Plain>> = {
  read: () => l10n.t("read request"),
  reduce: () => l10n.t("write request: cancels"),
  write: () => l10n.t("write request"),
  mass: () => l10n.t("write request: affects several objects"),
  key: () => l10n.t("write request: changes API keys or access"),
  money: () => l10n.t("write request: moves money or changes the wallet"),
  session: () => l10n.t("acts on the connection"),
};

/** Returns the effect and the scope, in few words. */
export function methodTraits({ effect, scopes }: Pick<MethodFacts, "effect" | "scopes">): readonly Plain[] {
  return [effectText(effect), ...(scopes.length === 0 ? [] : [either(scopes.map((scope) => plain.name(scope)))])];
}

/** Returns the section and the summary: "Trading · Places a buy order." */
export function sectionAndSummary({ section, summary }: Pick<MethodReference, "section" | "summary">): Plain {
  return l10n.t("{0} · {1}", section, withoutMarks(summary));
}

/** Returns a text of the catalogue without the marks of code. */
export function withoutMarks(text: string): Plain {
  return plain.text(text.replaceAll("`", ""));
}

/** Returns lines about a value of a response, as it is documented. */
export function documentedLines(schema: SchemaNode): readonly Plain[] {
  const description = withoutMarks(shapeDescription(schema));
  const shape = l10n.t("Documented as {0}. The response can differ.", shapeText(schema));
  return description === "" ? [shape] : [description, shape];
}

/** Returns the cost of one call in the exchange's own credits, of the most that a caller can have. */
export function costText(rate: RateClass): Plain {
  const { cost, size } = RATE_BUDGETS[rate];
  return rate === "matching"
    ? l10n.t("Costs {0} of {1} matching-engine requests", countText(cost), countText(size))
    : l10n.t("Costs {0} of {1} credits", countText(cost), countText(size));
}

/** Returns everything that is known of a method, as Markdown; undefined for an unknown one. */
export function methodMarkdown(name: string): string | undefined {
  const [facts, reference] = [methodFacts(name), methodReference(name)];
  if (facts === undefined || reference === undefined) return undefined;
  const params = paramFactsOf(name);
  return [
    `**${name}** · ${reference.section}`,
    reference.summary,
    needsAndDoes(facts, reference).join(" · "),
    ...(sessionRefusal(name) === undefined ? [] : [sessionRefusal(name) ?? ""]),
    params.length === 0
      ? l10n.t("No parameters.")
      : [l10n.t("Parameters:"), "", ...params.map((each) => `- ${paramLine(each, facts)}`)].join("\n"),
    resultLine(name, reference),
    `[${l10n.t("Documentation")}](${reference.documentation})`,
  ].join("\n\n");
}

function needsAndDoes(
  { effect, scopes, scopesWhen, rate, isWebSocketOnly }: MethodFacts,
  { isMainAccountOnly, mayAskSecondFactor }: MethodReference,
): readonly string[] {
  const effectWords = effectText(effect);
  const needed = scopes.length === 0 ? l10n.t("none") : either(scopes.map(code));
  return [
    `${effectWords.charAt(0).toUpperCase()}${effectWords.slice(1)}`,
    scopesWhen === undefined
      ? l10n.t("Scope: {0}", needed)
      : l10n.t(
          "Scope: {0}, or {1} if {2} is true",
          needed,
          either(scopesWhen.scopes.map(code)),
          code(scopesWhen.param),
        ),
    costText(rate),
    ...(isWebSocketOnly === true ? [l10n.t("WebSocket only")] : []),
    ...(isMainAccountOnly === true ? [l10n.t("Main account only")] : []),
    ...(mayAskSecondFactor === true ? [l10n.t("May require a 2FA code")] : []),
  ];
}

function resultLine(name: string, { hint }: MethodReference): Plain {
  const shape = code(shapeText(resultSchemaOf(name) ?? {}));
  return hint === undefined ? l10n.t("Result: {0}", shape) : l10n.t("Documented result: {0}", shape);
}

/**
 * Returns what the catalogue knows of what the cursor is at, as Markdown: the value of `method`, or the name of a
 * parameter. Undefined elsewhere.
 */
export function catalogueMarkdown({
  path: [root, ...path],
  isName,
  request: { method = "" },
}: Pick<Cursor, "path" | "isName" | "request">): string | undefined {
  if (root === "method" && path.length === 0 && !isName) return methodMarkdown(method);
  return root === "params" && path.length > 0 && isName ? paramMarkdown(method, path) : undefined;
}

/** Returns what is known of a parameter apart from its description, as Markdown; undefined for an unknown one. */
function paramMarkdown(method: string, path: readonly (string | number)[]): string | undefined {
  const fact = paramAt(method, path);
  if (fact === undefined) return undefined;
  const facts = path.length === 1 ? methodFacts(method) : undefined;
  return `**${fact.name}** · ${paramTraits(fact, facts).join(" · ")}`;
}

/** Returns the facts of a parameter, or of a member of one, at a path of names and indices. */
export function paramAt(method: string, path: readonly (string | number)[]): ParamFacts | undefined {
  const names = path.filter((step) => typeof step === "string");
  let members = paramFactsOf(method);
  let found: ParamFacts | undefined;
  for (const name of names) {
    found = members.find((each) => each.name === name);
    if (found === undefined) return undefined;
    members = found.members;
  }
  return found;
}

function paramLine(fact: ParamFacts, facts: MethodFacts): string {
  return `${l10n.t("{0} ({1})", code(fact.name), plain.join(paramTraits(fact, facts), ", "))}: ${fact.description}`;
}

/** Returns type, need, bounds, and known values. `facts`: of the method; undefined for a member of a parameter. */
function paramTraits(fact: ParamFacts, facts: MethodFacts | undefined): readonly Plain[] {
  const { type, values } = fact;
  const shown = values.slice(0, MAX_VALUES).map((value) => code(String(value)));
  return [
    plain.text(type),
    ...(facts === undefined ? [] : needText(fact, facts)),
    ...boundsText(fact),
    ...(shown.length === 0
      ? []
      : [l10n.t("values: {0}", plain.join([...shown, ...(values.length > MAX_VALUES ? [plain`…`] : [])], ", "))]),
  ];
}

/** The most values of a parameter that are told. Completion offers all of them. */
const MAX_VALUES = 8;

function boundsText({ least, most }: ParamFacts): readonly Plain[] {
  if (least !== undefined && most !== undefined) return [l10n.t("{0} to {1}", least, most)];
  if (least !== undefined) return [l10n.t("at least {0}", least)];
  return most === undefined ? [] : [l10n.t("at most {0}", most)];
}

/** Returns whether a call needs the parameter, and the others that it depends on. */
function needText({ name, isRequired }: ParamFacts, { rules = [] }: MethodFacts): readonly Plain[] {
  const words = rules.flatMap((rule) => {
    if (rule.kind === "needs") return rule.param === name ? [l10n.t("only with {0}", code(rule.other))] : [];
    if (rule.kind === "oneOf" && rule.params.includes(name))
      return [l10n.t("required without {0}", either(rule.params.filter((each) => each !== name).map(code)))];
    return [];
  });
  const isOneOfSeveral = rules.some((rule) => rule.kind === "oneOf" && rule.params.includes(name));
  return [...(isRequired && !isOneOfSeveral ? [l10n.t("required")] : []), ...words];
}

/** Returns all channels in alphabetical order. */
export function listedChannels(): readonly ChannelReference[] {
  return channelReferences().toSorted((one, other) => compare(one.pattern, other.pattern));
}

/** Returns several names of which one is enough. */
export function either(words: readonly Plain[]): Plain {
  return words.reduce((one, other) => l10n.t("{0} or {1}", one, other));
}

function code(text: string): Plain {
  return plain`\`${plain.text(text)}\``;
}
