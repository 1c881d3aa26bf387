import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { receivedOf, withReceived } from "../../catalogue/reading.ts";
import { countText, digitsText, isExact, numberText } from "../text/numbers.ts";
import type { RowNode } from "./nodes.ts";
import { rowId, sentenceLines, WARNING_ICON, type Row, type TooltipLine } from "./row.ts";
import type { Times } from "../text/times.ts";

/*
 * The members of an object of the exchange, under the exchange's own names, every one that is there, as it was
 * received.
 */

/** Members that are times in ms since the Unix epoch. Others with similar names are in ns and stay numbers. */
const TIME_MEMBERS: ReadonlySet<string> = new Set([
  "creation_timestamp",
  "expiration_timestamp",
  "last_update_timestamp",
  "timestamp",
]);

/** The place of the rows of an object's members. */
export interface FieldsPlace {
  readonly connectionId: string;
  readonly objectId: string;
  /** The ID of the object's own row. */
  readonly parentId: string;
  readonly times: Times;
}

/** Returns a row for each member as it was received; with names, for those of them that say something. */
export function fieldRows(object: unknown, place: FieldsPlace, names?: readonly string[]): Row[] {
  const shown = names === undefined ? Object.keys(membersOf(object)) : firstFields(object, names);
  return shown.map((name) => fieldRow(object, name, place));
}

/**
 * Returns the names of the members that are shown first: those of the list, in its order, or all; without those that
 * say that there is nothing.
 */
function firstFields(object: unknown, names: readonly string[] = Object.keys(membersOf(object))): string[] {
  const members = membersOf(object);
  return names.filter((name) => saysSomething(members[name]));
}

/** Whether there are members besides these. */
function hasOtherFields(object: unknown, names: readonly string[]): boolean {
  return Object.keys(membersOf(object)).length > names.length;
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Returns the row of one member; undefined when the object does not have it. */
export function findFieldRow(object: unknown, name: string, place: FieldsPlace): Row | undefined {
  return Object.hasOwn(membersOf(object), name) ? fieldRow(object, name, place) : undefined;
}

/** Returns a line for each member. */
export function fieldLines(object: unknown, times: Times): TooltipLine[] {
  return Object.entries(membersOf(object)).map(([name, value]) => ({
    name: plain.name(name),
    value: marked(object, name, longValueText(name, value, times)),
  }));
}

/**
 * Returns the object without members that are shown in another way. A member that could not be read stays, because
 * nothing else shows it.
 */
export function without(object: object, names: readonly string[]): object {
  const read = object as Readonly<Record<string, unknown>>;
  const rest = (members: object): object =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name) || read[name] === undefined));
  const received = receivedOf(object);
  return received === object ? rest(object) : withReceived(rest(object), rest(received));
}

/** Returns the tooltip of a member: the value in full, a time also in UTC, and what is uncertain about it. */
export function fieldTooltip(object: unknown, name: string, times: Times): TooltipLine[] {
  const value = membersOf(object)[name];
  const odd = l10n.t(
    "This value doesn't have the documented type. It is shown as received and not used for anything else here.",
  );
  const inexact = l10n.t(
    "This number is too large to be held exactly, so its last digits may differ. Open shows it as received.",
  );
  return [
    { name: plain.name(name), value: longValueText(name, value, times) },
    ...sentenceLines(isOdd(object, name) ? [odd] : []),
    ...(isTime(name, value) ? [{ name: plain.name(name), value: digitsText(value) }] : []),
    ...sentenceLines(typeof value === "number" && !isExact(value) ? [inexact] : []),
  ];
}

function fieldRow(object: unknown, name: string, { connectionId, objectId, parentId, times }: FieldsPlace): Row {
  const id = `${parentId}/${rowId("field", name)}`;
  return { id, connectionId, objectId, children: "none", ...shownField(object, name, times) };
}

function shownField(
  object: unknown,
  name: string,
  times: Times,
): Pick<Row, "label" | "description" | "icon" | "spoken" | "contextValue" | "copyText"> {
  const value = membersOf(object)[name];
  const label = plain.name(name);
  const description = marked(object, name, valueText(name, value, times));
  return {
    label,
    description,
    icon: undefined,
    spoken: l10n.t("{0}: {1}", label, description),
    contextValue: "field",
    copyText: typeof value === "string" ? value : typeof value === "number" ? digitsText(value) : JSON.stringify(value),
  };
}

function valueText(name: string, value: unknown, times: Times): Plain {
  if (isTime(name, value)) return times.local(value);
  if (typeof value === "number") return memberText(name, value);
  if (typeof value === "string") return value === "" ? l10n.t("(empty)") : plain.text(value, MAX_VALUE);
  return plain.text(JSON.stringify(value), MAX_VALUE);
}

/** Returns a number of an object for reading: what names something, or is a moment, has no groups. */
export function memberText(name: string, value: number): Plain {
  return NAMING_MEMBER.test(name) ? digitsText(value) : numberText(value);
}

const NAMING_MEMBER = /(?:^|_)(?:id|uid|sid|seq|nonce|timestamp|until|version)$/;

function longValueText(name: string, value: unknown, times: Times): Plain {
  const text = valueText(name, value, times);
  return isTime(name, value) ? l10n.t("{0} ({1})", text, times.utc(value)) : text;
}

function isTime(name: string, value: unknown): value is number {
  return typeof value === "number" && TIME_MEMBERS.has(name);
}

/** Returns the members of a value. A value that is not an object is one member without a name. */
function membersOf(object: unknown): Readonly<Record<string, unknown>> {
  return (typeof object === "object" && object !== null ? receivedOf(object) : { "": object }) as Readonly<
    Record<string, unknown>
  >;
}

/** Whether a member was received that could not be read; null says that there is none. */
function isOdd(object: unknown, name: string): boolean {
  if (typeof object !== "object" || object === null) return false;
  return (
    (membersOf(object)[name] ?? null) !== null && (object as Readonly<Record<string, unknown>>)[name] === undefined
  );
}

function marked(object: unknown, name: string, text: Plain): Plain {
  return isOdd(object, name) ? l10n.t("{0} (not as documented)", text) : text;
}

const MAX_VALUE = 500;

/**
 * Returns a node for each member of an object, in the order in which they were received. Every row belongs to the
 * object of that ID.
 */
export function fieldNodes(object: unknown, times: Times, objectId: string | undefined = ""): RowNode[] {
  return Object.keys(membersOf(object)).map((key) => ({
    ...shownField(object, key, times),
    key,
    objectId,
    tooltip: fieldTooltip(object, key, times),
  }));
}

/**
 * Returns a node for each member of an object, as `fieldNodes` does, and below a member that is an object or a list its
 * own members.
 */
function nestedFieldNodes(object: unknown, times: Times, objectId: string | undefined): RowNode[] {
  return fieldNodes(object, times, objectId).map((node) => {
    const value = membersOf(object)[node.key];
    const isNested = typeof value === "object" && value !== null && Object.keys(value).length > 0;
    return isNested ? { ...node, below: () => nestedFieldNodes(value, times, objectId) } : node;
  });
}

/**
 * Returns what is below an object's row: nodes for the members that matter, then an item for all members, as they were
 * received. `names`: the members that matter, in their order (default: all that say something).
 */
export function memberNodes(
  object: object,
  times: Times,
  objectId: string | undefined,
  names?: readonly string[],
): RowNode[] {
  const first = firstFields(object, names);
  const all = nestedFieldNodes(object, times, objectId);
  const nodes = new Map(all.map((node) => [node.key, node]));
  const label = l10n.t("All Fields");
  return [
    ...first.flatMap((name) => nodes.get(name) ?? []),
    ...(hasOtherFields(object, first)
      ? [
          {
            ...{ key: "fields", objectId, label, description: countText(all.length), icon: undefined },
            ...{ spoken: l10n.t("All fields: {0}", countText(all.length)), contextValue: "fields", copyText: "" },
            tooltip: sentenceLines([l10n.t("Every field, with the name and in the order of the exchange.")]),
            below: () => all,
          },
        ]
      : []),
  ];
}

/** Returns the rows of a response that do not fit, shown raw; `sentence` names the shape that they do not have. */
export function unreadableNodes(view: string, rows: readonly unknown[], sentence: Plain, times: Times): RowNode[] {
  return rows.map((row, index) => ({
    key: `unreadable ${String(index)}`,
    objectId: undefined,
    label: l10n.t("Unreadable"),
    description: l10n.t("item {0}, shown raw", index + 1),
    icon: WARNING_ICON,
    spoken: sentence,
    contextValue: `${view}.unreadable`,
    copyText: JSON.stringify(row),
    tooltip: sentenceLines([sentence]),
    below: () => fieldNodes(row, times),
  }));
}
