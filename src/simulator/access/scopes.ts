/** The requested permissions and lifetime of a token. */
export interface RequestedScope {
  /** The level by area; undefined when no area was named, which requests everything. */
  readonly areas: ReadonlyMap<string, Level> | undefined;
  /** The name of the session; undefined for a token of the connection, or when nothing was said. */
  readonly session: string | undefined;
  readonly isConnection: boolean;
  /** The lifetime, in seconds. */
  readonly expires: number | undefined;
}

type Level = "none" | "read" | "read_write";
const LEVELS: readonly Level[] = ["none", "read", "read_write"];

/** Reads a scope text. Entries without a meaning are passed over. docs.deribit.com/articles/access-scope */
export function readScope(text: string): RequestedScope {
  const areas = new Map<string, Level>();
  let session: string | undefined;
  let isConnection = false;
  let expires: number | undefined;
  for (const entry of text.split(/\s+/)) {
    const [name, value] = splitOnce(entry);
    if (entry === "connection") isConnection = true;
    else if (name === "session" && value !== "") session = value;
    else if (name === "expires" && /^\d{1,9}$/.test(value)) expires = Number(value);
    else if (isLevel(value)) areas.set(name, higher(areas.get(name), value));
  }
  return { areas: areas.size === 0 ? undefined : areas, session, isConnection, expires };
}

/** Returns the granted areas: the requested ones, silently narrowed to what the key allows. Sorted. */
export function grantAreas(requested: RequestedScope, maxScope: string): string[] {
  const most = readScope(maxScope).areas ?? new Map<string, Level>();
  const wanted = requested.areas ?? most;
  const granted: string[] = [];
  for (const [area, level] of wanted) {
    const allowed = most.get(area) ?? "none";
    const lower = LEVELS.indexOf(level) < LEVELS.indexOf(allowed) ? level : allowed;
    if (lower !== "none") granted.push(`${area}:${lower}`);
  }
  return granted.sort();
}

function splitOnce(entry: string): [string, string] {
  const colon = entry.indexOf(":");
  return colon < 0 ? [entry, ""] : [entry.slice(0, colon), entry.slice(colon + 1)];
}

function isLevel(text: string): text is Level {
  return (LEVELS as readonly string[]).includes(text);
}

function higher(one: Level | undefined, other: Level): Level {
  return one !== undefined && LEVELS.indexOf(one) > LEVELS.indexOf(other) ? one : other;
}

/** The areas of a scope. docs.deribit.com/articles/access-scope; tokens with `custody` were recorded. */
const AREAS: ReadonlySet<string> = new Set(["account", "trade", "wallet", "block_trade", "block_rfq", "custody"]);

/** Returns the entries of a maximal scope, sorted; undefined when one of them is not a level of an area. */
export function readScopeEntries(text: string): string[] | undefined {
  const entries = text.split(/\s+/).filter((entry) => entry !== "");
  const isKnown = ([area, level]: readonly [string, string]): boolean => AREAS.has(area) && isLevel(level);
  return entries.every((entry) => isKnown(splitOnce(entry))) ? entries.sort() : undefined;
}

/** Whether a maximal scope allows nothing that the granted scope does not. */
export function isWithinScope(maxScope: string, granted: string): boolean {
  const wanted = readScope(maxScope).areas ?? new Map<string, Level>();
  const has = readScope(granted).areas ?? new Map<string, Level>();
  return [...wanted].every(([area, level]) => LEVELS.indexOf(level) <= LEVELS.indexOf(has.get(area) ?? "none"));
}
