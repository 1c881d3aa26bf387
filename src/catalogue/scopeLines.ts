/* The grammar of scopes: area × level, and everything else that stands in a scope as it came. facts §2.3 */

export type ScopeLevel = "none" | "read" | "read_write";

/** A line of a scope. */
export type ScopeLine =
  /** A level for an area. `isNamed` is false where the scope does not mention the area, which means none. */
  | { readonly kind: "area"; readonly area: string; readonly level: ScopeLevel; readonly isNamed: boolean }
  /**
   * Another entry: `session:lab`, `expires:60`, `mainaccount` or a future one; `value` is empty where there is none.
   */
  | { readonly kind: "other"; readonly text: string; readonly name: string; readonly value: string };

/** A scope in either spelling. */
export type Scope = string | readonly string[];

/** The areas of the contract (§5), in the order in which they are shown. */
const AREAS: readonly string[] = ["account", "trade", "block_trade", "block_rfq", "wallet"];

/** Entries of a granted scope that allow nothing but to read. https://docs.deribit.com/articles/access-scope */
const READING = new RegExp(
  `^(?:(?:${[...AREAS, "custody"].join("|")}):(?:none|read)$|(?:connection|mainaccount)$|(?:session|name|app_id|expires|ip):)`,
);

/** Returns the first entry of a granted scope that may allow more than to read: one that writes, or is not known. */
export function entryBeyondReading(scope: Scope): string | undefined {
  return scopeEntries(scope).find((entry) => !READING.test(entry));
}

/** The levels from the least to the most. */
export const SCOPE_LEVELS: readonly ScopeLevel[] = ["none", "read", "read_write"];

/**
 * Returns the lines of a scope in either spelling: the areas of the contract first, then other areas, then the rest as
 * received.
 */
export function scopeLines(scope: Scope): ScopeLine[] {
  const levels = new Map<string, ScopeLevel>();
  const others: ScopeLine[] = [];
  for (const entry of new Set(scopeEntries(scope))) {
    const [name, value] = splitOnce(entry);
    if (!isLevel(value)) others.push({ kind: "other", text: entry, name, value });
    else if (SCOPE_LEVELS.indexOf(value) >= SCOPE_LEVELS.indexOf(levels.get(name) ?? "none")) levels.set(name, value);
  }
  const areas = [...AREAS, ...[...levels.keys()].filter((area) => !AREAS.includes(area))];
  return [
    ...areas.map((area) => ({
      kind: "area" as const,
      area,
      level: levels.get(area) ?? "none",
      isNamed: levels.has(area),
    })),
    ...others,
  ];
}

/** Returns a scope as one text with single spaces, with its entries and their order as they came. */
export function scopeText(scope: Scope): string {
  return scopeEntries(scope).join(" ");
}

/** Returns the scope with another level for an area. All other entries stay as they are, including unknown ones. */
export function withArea(scope: Scope, area: string, level: ScopeLevel): string {
  const entries = scopeEntries(scope);
  const isOfArea = (entry: string): boolean => SCOPE_LEVELS.some((each) => entry === `${area}:${each}`);
  const place = entries.findIndex(isOfArea);
  const rest = entries.filter((entry) => !isOfArea(entry));
  // An area that was named and has nothing left says so: a scope without an entry would mean none of everything.
  const own = level === "none" && place < 0 ? [] : [`${area}:${level}`];
  return rest
    .toSpliced(place < 0 ? rest.length : entries.slice(0, place).filter((entry) => !isOfArea(entry)).length, 0, ...own)
    .join(" ");
}

/** The differences between two scopes. */
export interface ScopeChanges {
  readonly areas: readonly { readonly area: string; readonly from: ScopeLevel; readonly to: ScopeLevel }[];
  /** Entries that are not areas. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the differences. Neither the order of entries nor a `none` that is left out is a difference. */
export function scopeChanges(before: Scope, after: Scope): ScopeChanges {
  const [old, next] = [scopeLines(before), scopeLines(after)];
  const areas = [...new Set([...old, ...next].flatMap((line) => (line.kind === "area" ? [line.area] : [])))];
  const levelIn = (lines: readonly ScopeLine[], area: string): ScopeLevel =>
    lines.flatMap((line) => (line.kind === "area" && line.area === area ? [line.level] : []))[0] ?? "none";
  const others = (lines: readonly ScopeLine[]): string[] =>
    lines.flatMap((line) => (line.kind === "other" ? [line.text] : []));
  const [oldOthers, nextOthers] = [others(old), others(next)];
  return {
    areas: areas
      .map((area) => ({ area, from: levelIn(old, area), to: levelIn(next, area) }))
      .filter(({ from, to }) => from !== to),
    added: nextOthers.filter((entry) => !oldOthers.includes(entry)),
    removed: oldOthers.filter((entry) => !nextOthers.includes(entry)),
  };
}

export function isSameScope(before: Scope, after: Scope): boolean {
  const { areas, added, removed } = scopeChanges(before, after);
  return areas.length + added.length + removed.length === 0;
}

/** Whether a right is lost. An entry that is not an area may be one: gateways have words of their own. */
export function losesScope(before: Scope, after: Scope): boolean {
  const { areas, removed } = scopeChanges(before, after);
  return removed.length > 0 || areas.some(({ from, to }) => SCOPE_LEVELS.indexOf(to) < SCOPE_LEVELS.indexOf(from));
}

function scopeEntries(scope: Scope): string[] {
  return [scope]
    .flat()
    .join(" ")
    .split(/\s+/)
    .filter((entry) => entry !== "");
}

function isLevel(text: string): text is ScopeLevel {
  return (SCOPE_LEVELS as readonly string[]).includes(text);
}

function splitOnce(entry: string): [string, string] {
  const colon = entry.indexOf(":");
  return colon < 0 ? [entry, ""] : [entry.slice(0, colon), entry.slice(colon + 1)];
}
