import * as l10n from "@vscode/l10n";
import { plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";

/** Values of fields by the exchange's names, each as a text that can be compared and shown. */
export type Fields = Readonly<Record<string, string>>;

type Members = Readonly<Record<string, unknown>>;

/** What a change asks the fields of its object to become; undefined for methods that change no fields. */
export function askedFields(method: string, params: Members): Fields | undefined {
  const read = Object.hasOwn(READERS, method) ? READERS[method] : undefined;
  return read === undefined ? undefined : fieldsOf(read(params));
}

/** The same fields as they are in an object of the exchange, as far as it carries them. */
export function presentFields(object: Members, asked: Fields): Fields {
  return fieldsOf(pick(object, Object.keys(asked)));
}

/**
 * A field without which an object of the exchange proves nothing about the change; undefined where it has what was
 * asked about.
 */
export function unprovedField(asked: Fields, object: Members): string | undefined {
  const read: Members = ("interval" in asked ? readRow("mmpConfig", object) : readRow("apiKey", object)) ?? {};
  return PROVING.find((name) => name in asked && read[name] === undefined);
}

const PROVING = ["max_scope", "enabled", "interval", "frozen_time"] as const;

/**
 * The fields that are not as asked, e.g. `max_scope is trade:read (asked for: trade:read_write)`; empty where all are.
 */
export function differenceText(asked: Fields, present: Fields): string {
  return Object.entries(asked)
    .filter(([name, value]) => name in present && present[name] !== value)
    .map(([name, value]) => l10n.t("{0} is {1} (asked for: {2})", name, shown(present[name]), shown(value)))
    .join(", ");
}

/** Fields in one line, e.g. `max_scope trade:read, enabled true`. */
export function fieldsText(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(", ");
}

/** Whether there are fields to compare, and all have the expected values. */
export function areAs(expected: Fields, present: Fields): boolean {
  return Object.keys(present).length > 0 && Object.entries(present).every(([name, value]) => expected[name] === value);
}

const KEY_FIELDS = ["max_scope", "name", "enabled", "enabled_features", "ip_whitelist"];
const NO_LIMITS = { quantity_limit: "", delta_limit: "", vega_limit: "", trade_count_limit: "" };
const MMP_FIELDS = ["interval", "frozen_time", "max_quote_quantity"];

const READERS: Readonly<Record<string, (params: Members) => Members>> = {
  // What is left out of max_scope is none: https://docs.deribit.com/articles/access-scope
  "private/edit_api_key": (params) => ({ max_scope: "", ...pick(params, KEY_FIELDS) }),
  "private/change_scope_in_api_key": (params) => ({ max_scope: "", ...pick(params, ["max_scope"]) }),
  "private/enable_api_key": () => ({ enabled: true }),
  "private/disable_api_key": () => ({ enabled: false }),
  // An interval of 0 removes the limits: nothing is left to compare. Else a limit that is left out is wanted gone.
  "private/set_mmp_config": (params) =>
    params["interval"] === 0
      ? { interval: 0 }
      : { ...pick(params, MMP_FIELDS), ...NO_LIMITS, ...pick(params, Object.keys(NO_LIMITS)) },
};

function pick(params: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
}

function fieldsOf(members: Members): Fields {
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

/** A scope in one spelling: what it does not name is none, and its order means nothing. */
function canonicalScope(scope: unknown): string {
  const entries = fieldText(scope).split(/\s+/);
  return [...new Set(entries.filter((entry) => entry !== "" && !entry.endsWith(":none")))].sort().join(" ");
}

function shown(value: string | undefined): string {
  return value === undefined || value === "" ? l10n.t("none") : plain.name(value);
}
