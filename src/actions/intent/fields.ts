import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";

/** The values of fields by the exchange's names, each as a text that can be compared and shown. */
export type Fields = Readonly<Record<string, string>>;

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns the requested fields as they are in an object of the exchange, as far as it carries them. */
export function presentFields(object: Members, asked: Fields): Fields {
  return fieldsOf(pick(object, Object.keys(asked)));
}

/**
 * Returns a requested field that an object of the exchange lacks, so that it proves nothing; undefined where it has
 * them all.
 */
export function unprovedField(asked: Fields, object: Members): string | undefined {
  const kind = "interval" in asked ? "mmpConfig" : "amount" in asked ? "blockRfqQuote" : "apiKey";
  const read: Members = readRow(kind, object) ?? {};
  return PROVING.find((name) => name in asked && read[name] === undefined);
}

const PROVING = ["max_scope", "enabled", "interval", "frozen_time", "amount", "price"] as const;

/**
 * Returns the fields that are not as requested, e.g. `max_scope is trade:read (asked for: trade:read_write)`; empty
 * where all are.
 */
export function differenceText(asked: Fields, present: Fields): Plain {
  const differences = Object.entries(asked)
    .filter(([name, value]) => name in present && present[name] !== value)
    .map(([name, value]) =>
      l10n.t("{0} is {1} (requested: {2})", plain.name(name), shown(present[name]), shown(value)),
    );
  return plain.join(differences, ", ");
}

/** Returns fields in one line, e.g. `max_scope trade:read, enabled true`. */
export function fieldsText(fields: Fields): Plain {
  return plain.join(
    Object.entries(fields).map(([name, value]) => plain`${plain.name(name)} ${shown(value)}`),
    ", ",
  );
}

/** Whether there are fields to compare, and all have the expected values. */
export function areAs(expected: Fields, present: Fields): boolean {
  return Object.keys(present).length > 0 && Object.entries(present).every(([name, value]) => expected[name] === value);
}

/** Returns the present members with these names. */
export function pick(params: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
}

/** Returns members of an object of the exchange, or of parameters, as fields. */
export function fieldsOf(members: Members): Fields {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      name === "max_scope" ? canonicalScope(value) : fieldText(value),
    ]),
  );
}

function fieldText(value: unknown): string {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(fieldText).sort().join(" ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Returns a scope in one spelling: what it does not name is none, and its order means nothing. */
function canonicalScope(scope: unknown): string {
  const entries = fieldText(scope).split(/\s+/);
  return [...new Set(entries.filter((entry) => entry !== "" && !entry.endsWith(":none")))].sort().join(" ");
}

function shown(value: string | undefined): Plain {
  return value === undefined || value === "" ? l10n.t("none") : plain.name(value);
}
