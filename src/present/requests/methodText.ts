import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { ChannelEntry, MethodEntry, ParamEntry } from "../../catalogue/reference/methodTable.ts";
import type { SchemaNode } from "../../catalogue/problems.ts";
import { costText, effectText, withoutMarks } from "./methodWords.ts";

/** Returns all methods in lines: their name, a summary, and their effect, below the name of their section. */
export function methodList(entries: readonly MethodEntry[]): string {
  const width = widthOf(entries.map(({ name }) => name));
  let section = "";
  return entries
    .map((entry) => {
      const heading = entry.section === section ? "" : `${section === "" ? "" : "\n"}${entry.section}\n`;
      ({ section } = entry);
      return `${heading}  ${entry.name.padEnd(width)}  ${withoutMarks(entry.summary)} (${effectText(entry.effect)})${onlyText(entry)}\n`;
    })
    .join("");
}

/** Returns all channels in lines. */
export function channelList(entries: readonly ChannelEntry[]): string {
  const width = widthOf(entries.map(({ pattern }) => pattern));
  return entries
    .map((entry) => `${entry.pattern.padEnd(width)}  ${withoutMarks(entry.summary)}${onlyText(entry)}\n`)
    .join("");
}

/** Returns the mark of what one kind of server alone offers: of the gateway's own forms, which are few. */
function onlyText({ offeredBy }: Pick<MethodEntry, "offeredBy">): Plain {
  return offeredBy.includes("native") ? plain`` : plain` · ${l10n.t("Coinbase gateway only")}`;
}

function gatewayFacts({ offeredBy, gateway, webSocketOnly }: MethodEntry): readonly (readonly [string, string])[] {
  const { permission, scope } = gateway ?? {};
  const needs = [
    ...(permission === undefined ? [] : [l10n.t("key permission {0}", plain.text(permission))]),
    ...(scope === undefined ? [] : [l10n.t("OAuth scope {0}", plain.text(scope))]),
    ...(gateway?.webSocketOnly === true && !webSocketOnly ? [l10n.t("WebSocket only")] : []),
    ...(gateway?.missingParams === undefined
      ? []
      : [l10n.t("without {0}", plain.text(gateway.missingParams.join(", ")))]),
  ];
  const offered = offeredBy.includes("gateway")
    ? offeredBy.includes("native")
      ? l10n.t("offered")
      : l10n.t("offered there only")
    : l10n.t("not offered");
  return [[l10n.t("Gateway"), [offered, ...needs].join(", ")]];
}

/** Returns everything that is known of a method. */
export function methodDetails(entry: MethodEntry): string {
  const { name, summary, section, effect, rate, params, result, resultIsExact, documentation } = entry;
  const facts: readonly (readonly [string, string])[] = [
    [l10n.t("Section"), section],
    ...accessFacts(entry),
    [l10n.t("Kind"), effectText(effect)],
    [l10n.t("Rate limit"), costText(rate.class)],
    ...conditionFacts(entry),
    ...gatewayFacts(entry),
    [l10n.t("Documentation"), documentation],
  ];
  const resultHeading = resultIsExact ? l10n.t("Result") : l10n.t("Result as documented (responses can differ)");
  return [
    name,
    `  ${withoutMarks(summary)}`,
    "",
    ...factLines(facts),
    "",
    `  ${l10n.t("Parameters")}`,
    ...(params.length === 0 ? [`    ${l10n.t("none")}`] : paramLines(params)),
    ...ruleLines(entry),
    ...(entry.gateway?.params === undefined
      ? []
      : ["", `  ${l10n.t("Parameters of the Coinbase gateway")}`, ...paramLines(entry.gateway.params)]),
    "",
    `  ${resultHeading}`,
    `    ${typeText(result)}`,
    ...memberLines(result, "      "),
    "",
  ].join("\n");
}

/** Returns everything that is known of a channel. */
export function channelDetails(entry: ChannelEntry): string {
  const { pattern, summary, placeholders } = entry;
  const values = placeholders.map(({ name, values: words }): readonly [string, string] => [
    `{${name}}`,
    words.length === 0 ? l10n.t("any text without a dot") : openValues(words),
  ]);
  return [pattern, `  ${withoutMarks(summary)}`, "", ...factLines([...accessFacts(entry), ...values]), ""].join("\n");
}

function accessFacts({
  access,
  scope,
  ...rest
}: Pick<MethodEntry, "access" | "scope" | "scopeWhen">): readonly (readonly [string, string])[] {
  const { scopeWhen } = rest;
  const otherwise =
    scopeWhen === undefined
      ? []
      : [l10n.t("{0} if {1} is true", plain.text(scopeWhen.scope), plain.text(scopeWhen.param))];
  return [
    [l10n.t("Access"), access === "public" ? l10n.t("public") : l10n.t("private")],
    [l10n.t("Scope"), [scope ?? l10n.t("none"), ...otherwise].join(", ")],
  ];
}

function conditionFacts({
  dryRunParam,
  webSocketOnly,
  mainAccountOnly,
  mayAskSecondFactor,
}: MethodEntry): readonly (readonly [string, string])[] {
  return [
    ...(dryRunParam === undefined
      ? []
      : ([[l10n.t("Dry run"), l10n.t("if {0} is true, nothing changes", plain.text(dryRunParam))]] as const)),
    ...(webSocketOnly ? ([[l10n.t("Transport"), l10n.t("WebSocket only")]] as const) : []),
    ...(mainAccountOnly ? ([[l10n.t("Account"), l10n.t("main account only")]] as const) : []),
    ...(mayAskSecondFactor ? ([[l10n.t("2FA"), l10n.t("the exchange may ask for a 2FA code")]] as const) : []),
  ];
}

function factLines(facts: readonly (readonly [string, string])[]): readonly string[] {
  const width = widthOf(facts.map(([name]) => name));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}

function paramLines(params: readonly ParamEntry[]): readonly string[] {
  const width = widthOf(params.map(({ name }) => name));
  return params.flatMap((param) => {
    const { name, required, description } = param;
    const facts = [typeText(param), ...(required ? [l10n.t("required")] : []), ...boundTexts(param)];
    const below = `    ${" ".repeat(width)}  `;
    return [
      `    ${name.padEnd(width)}  ${facts.join(", ")}`,
      ...(description === undefined ? [] : [below + withoutMarks(description)]),
      ...valuesText(param).map((text) => below + text),
      ...memberLines(param, below),
    ];
  });
}

/** Returns the known values of a parameter, or of the items of one. */
function valuesText({ enum: values, enumIsOpen, items }: ParamEntry): readonly Plain[] {
  if (values !== undefined) return [enumIsOpen === true ? openValues(values) : closedValues(values)];
  const { enum: closed, examples: open } = items ?? {};
  return [...(Array.isArray(closed) ? [closedValues(closed)] : []), ...(Array.isArray(open) ? [openValues(open)] : [])];
}

function closedValues(values: readonly unknown[]): Plain {
  return l10n.t("One of: {0}", plain.text(values.join(", ")));
}

function openValues(values: readonly unknown[]): Plain {
  return l10n.t("Known values: {0}", plain.text(values.join(", ")));
}

function boundTexts({ minimum, maximum, minItems, maxItems, maxLength }: ParamEntry): readonly Plain[] {
  return [
    ...rangeText(minimum, maximum),
    ...rangeText(minItems, maxItems).map((range) => l10n.t("{0} items", range)),
    ...(maxLength === undefined ? [] : [l10n.t("up to {0} characters", maxLength)]),
  ];
}

function rangeText(least: number | undefined, most: number | undefined): readonly Plain[] {
  if (most === undefined) return least === undefined ? [] : [l10n.t("at least {0}", least)];
  return [least === undefined ? l10n.t("up to {0}", most) : l10n.t("{0} to {1}", least, most)];
}

function ruleLines({ rules = [] }: MethodEntry): readonly string[] {
  return rules.flatMap((rule) => {
    // A parameter that has to be stated is listed as required.
    if (rule.kind === "stated") return [];
    const sentence =
      rule.kind === "needs"
        ? l10n.t("{0} requires {1}.", plain.text(rule.param), plain.text(rule.other))
        : l10n.t("At least one of these is required: {0}", plain.text(rule.params.join(", ")));
    return [`    ${sentence}`];
  });
}

/** A schema, or a parameter, which has the members of one. */
interface Shape {
  readonly type?: unknown;
  readonly properties?: unknown;
  readonly items?: unknown;
  readonly anyOf?: unknown;
  readonly allOf?: unknown;
}

/** Returns the members of an object, or of the objects in an array. */
function memberLines(schema: Shape, indent: string): readonly string[] {
  const members = Object.entries(membersOf(schema));
  const width = widthOf(members.map(([name]) => name));
  return members.flatMap(([name, member]) => {
    const values = (member["enum"] ?? member["examples"] ?? []) as readonly unknown[];
    const known = values.length === 0 ? "" : ` (${values.map(String).join(", ")})`;
    return [`${indent}${name.padEnd(width)}  ${typeText(member)}${known}`, ...memberLines(member, `${indent}  `)];
  });
}

function membersOf({ properties, items, anyOf, allOf }: Shape): Readonly<Record<string, SchemaNode>> {
  if (items !== undefined) return membersOf(items as SchemaNode);
  const parts = [...((anyOf ?? []) as readonly SchemaNode[]), ...((allOf ?? []) as readonly SchemaNode[])];
  return Object.assign({}, ...parts.map(membersOf), properties) as Readonly<Record<string, SchemaNode>>;
}

/** Returns the type of a value in the notation of TypeScript, for example `string[]`. */
function typeText(schema: Shape): string {
  return typesOf(schema).join(" | ");
}

function typesOf({ type, items, anyOf, allOf }: Shape): readonly string[] {
  if (type === "array") {
    const types = typesOf(items ?? {});
    return [types.length === 1 ? `${types.join("")}[]` : `(${types.join(" | ")})[]`];
  }
  if (typeof type === "string") return type.split("|");
  const parts = [...((anyOf ?? []) as readonly SchemaNode[]), ...((allOf ?? []) as readonly SchemaNode[])];
  return parts.length === 0 ? ["unknown"] : [...new Set(parts.flatMap(typesOf))];
}

function widthOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

/** Returns the method with a name, or the only one whose name has this end: `private/withdraw`, `withdraw`. */
export function methodNamed(table: readonly MethodEntry[], asked: string): MethodEntry | undefined {
  const wanted = asked.trim().toLowerCase();
  const [found, ...others] = table.filter(({ name }) => name === wanted || name.endsWith(`/${wanted}`));
  return others.length === 0 ? found : undefined;
}

/** Returns the methods and channels that a language model has asked for by words. */
export function foundList(methods: readonly MethodEntry[], channels: readonly ChannelEntry[]): string {
  return [
    l10n.t("Call this tool again with the name of a method to see its parameters and result. Nothing was sent."),
    ...(methods.length === 0 ? [] : ["", methodList(methods)]),
    ...(channels.length === 0 ? [] : ["", l10n.t("Channels"), channelList(channels)]),
  ].join("\n");
}

/** Returns the text for words that no method has. */
export function nothingFound(asked: string, table: readonly MethodEntry[]): string {
  return [
    l10n.t(
      "No method has all of these words: {0}. Use fewer words, a name, or a section. Nothing was sent.",
      plain.name(asked),
    ),
    l10n.t("Sections: {0}", plain.join([...new Set(table.map(({ section }) => plain.text(section)))], ", ")),
  ].join("\n");
}
