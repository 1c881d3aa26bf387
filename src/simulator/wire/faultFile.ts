import { foreignEncoding } from "../../base/encoding.ts";
import { CallError } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { SYSTEM_MAINTENANCE, TOO_MANY_REQUESTS } from "../../catalogue/codes.ts";
import { COINS } from "../market/traded.ts";
import { JsonSyntaxError, readJsonWithLines, type JsonLines } from "../text/jsonPlaces.ts";
import type { Fault } from "./faults.ts";

/** Faults as a file or a test describes them, ready to be added. */
export interface DescribedFaults {
  /** The seed of their chances; undefined for that of the simulator. */
  readonly seed: number | undefined;
  readonly faults: readonly Fault[];
}

/** The largest number of calls, and of milliseconds, that a file can name. */
const MOST = 1_000_000;

/**
 * Reads the text of a file with faults: `{ "seed": 1, "faults": [{ "do": "drop", "method": "private/buy" }] }`. Returns
 * a sentence with the line and the member where it is wrong.
 */
export function readFaultFile(text: string): DescribedFaults | Plain {
  const encoding = foreignEncoding(text);
  if (encoding !== undefined) return l10n.t("The file is encoded in {0}. Save it as UTF-8.", encoding);
  try {
    const { value, lines } = readJsonWithLines(text);
    return describeFaults(value, lines);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      return l10n.t("Line {0}: the file is not JSON: {1}.", error.line, plain.text(error.message));
    if (error instanceof Misdescribed) return error.sentence;
    throw error;
  }
}

/** Reads faults that a test describes, in the form of the file. Throws `refused` where they are wrong. */
export function readFaults(description: unknown): DescribedFaults {
  try {
    return describeFaults(description, new Map());
  } catch (error) {
    if (error instanceof Misdescribed) throw new CallError({ kind: "refused", reason: error.sentence });
    throw error;
  }
}

/** Something in the description is not as it has to be. */
class Misdescribed extends Error {
  readonly sentence: Plain;

  constructor(sentence: Plain) {
    super(sentence);
    this.sentence = sentence;
  }
}

/** An object of the description that takes its members out one by one, and refuses those that are left. */
class Members {
  readonly #values: Map<string, unknown>;
  readonly #path: string;
  readonly #lines: JsonLines;

  constructor(value: unknown, path: string, lines: JsonLines) {
    this.#path = path;
    this.#lines = lines;
    if (!isObject(value)) this.#refuse("", l10n.t("must be an object"));
    this.#values = new Map(Object.entries(value as object));
  }

  /** Throws what is wrong with a member; with the object itself where it has no name. */
  #refuse(name: string, what: Plain): never {
    const path = name === "" || this.#path === "" ? `${this.#path}${name}` : `${this.#path}.${name}`;
    const place = path === "" ? l10n.t("the file") : plain.text(path);
    const line = this.#lines.get(path) ?? this.#lines.get(this.#path);
    throw new Misdescribed(
      line === undefined ? plain`${place} ${what}.` : l10n.t("Line {0}: {1} {2}.", line, place, what),
    );
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Takes a member out. `read` returns undefined for a value that is wrong. */
  #take<T>(name: string, what: Plain, read: (value: unknown) => T | undefined): T | undefined {
    if (!this.#values.has(name)) return undefined;
    const value = this.#values.get(name);
    this.#values.delete(name);
    const found = read(value);
    return found === undefined
      ? this.#refuse(name, l10n.t("must be {0}, not {1}", what, plain.text(JSON.stringify(value), 60)))
      : found;
  }

  /** Takes a number out that lies between two others. */
  number(name: string, least: number, most: number, isWhole = true): number | undefined {
    const what = isWhole
      ? l10n.t("a whole number from {0} to {1}", least, most)
      : l10n.t("a number from {0} to {1}", least, most);
    return this.#take(name, what, (value) => numberIn(value, { least, most, isWhole }));
  }

  flag(name: string): boolean | undefined {
    return this.#take(name, l10n.t("true or false"), (value) => (typeof value === "boolean" ? value : undefined));
  }

  text(name: string, words?: readonly string[]): string | undefined {
    const what = words === undefined ? l10n.t("a string") : l10n.t("one of {0}", plain.text(words.join(", ")));
    return this.#take(name, what, (value) =>
      typeof value === "string" && value !== "" && (words?.includes(value) ?? true) ? value : undefined,
    );
  }

  /** Takes the names of methods out: one, or several. */
  methods(name: string): readonly string[] | undefined {
    return this.#take(name, l10n.t("the name of a method, or an array of them"), (value) => {
      const names = Array.isArray(value) ? (value as unknown[]) : [value];
      const known = names.filter((each) => typeof each === "string" && methodFacts(each) !== undefined);
      return known.length === 0 || known.length < names.length ? undefined : (known as string[]);
    });
  }

  /** Takes the number of calls out that a fault is used for, or `always`. */
  times(name: string): number | "always" | undefined {
    return this.#take(name, l10n.t('a whole number from 1 to {0}, or "always"', MOST), (value) =>
      value === "always" ? value : numberIn(value, { least: 1, most: MOST, isWhole: true }),
    );
  }

  /** Takes one time in ms out, or the least and the most of several. */
  range(name: string): readonly [number, number] | undefined {
    return this.#take(name, l10n.t("milliseconds, or an array of the least and the most"), (value) => {
      const [least, most, ...more] = Array.isArray(value) ? (value as unknown[]) : [value, value];
      const from = numberIn(least, { least: 0, most: MOST, isWhole: true });
      const to = numberIn(most, { least: from ?? 0, most: MOST, isWhole: true });
      return from === undefined || to === undefined || more.length > 0 ? undefined : [from, to];
    });
  }

  list(name: string): readonly Members[] {
    const values = this.#take(name, l10n.t("an array"), (value) =>
      Array.isArray(value) ? (value as unknown[]) : undefined,
    );
    const path = this.#path === "" ? name : `${this.#path}.${name}`;
    return values?.map((value, index) => new Members(value, `${path}[${index}]`, this.#lines)) ?? [];
  }

  /** Returns a member that has to be there. */
  needed<T>(name: string, value: T | undefined): T {
    return value ?? this.#refuse("", l10n.t("needs {0}", plain.text(name)));
  }

  /** Refuses a member that was not taken out. */
  end(known: readonly string[]): void {
    const [stranger] = this.#values.keys();
    if (stranger !== undefined)
      this.#refuse(stranger, l10n.t("is not known here, only {0}", plain.text(known.join(", "))));
  }
}

function numberIn(
  value: unknown,
  { least, most, isWhole }: { readonly least: number; readonly most: number; readonly isWhole: boolean },
): number | undefined {
  if (typeof value !== "number" || value < least || value > most) return undefined;
  return isWhole && !Number.isInteger(value) ? undefined : value;
}

/** What a word of `do` means: its members beside those that every fault has, and the fault that they make. */
interface FaultKind {
  readonly members: readonly string[];
  readonly make: (members: Members) => Fault;
}

const DONE = "done";
const CALLS = "calls";

/** Whether the call is carried out. It is unless the description says otherwise. */
function effectIn(members: Members, usual: boolean): Fault {
  return (members.flag(DONE) ?? usual) ? {} : { effect: "skipped" };
}

/** Lets something begin before the call, and end when a number of calls were served. */
function forCalls(members: Members, begin: NonNullable<Fault["happens"]>, end: NonNullable<Fault["happens"]>): Fault {
  const afterCalls = members.number(CALLS, 1, MOST) ?? DEFAULT_CALLS;
  return { happens: { ...begin, end: { ...end, afterCalls } } };
}

const DEFAULT_CALLS = 5;
const DAY_MS = 24 * 3600 * 1000;

const OPEN_BOOKS = { control: "setBookState", body: { state: "open" } };

/** The page of a server in front of the exchange that lost it. */
const BAD_GATEWAY = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

const MOVED_CURRENCIES = [...COINS.keys()];

/** The kinds of faults by the word for them. */
const KINDS: Readonly<Record<string, FaultKind>> = {
  drop: { members: [DONE], make: (members) => ({ ...effectIn(members, true), response: "none" }) },
  delay: { members: ["ms"], make: (members) => ({ holdMs: members.needed("ms", members.number("ms", 0, MOST)) }) },
  latency: {
    members: ["ms"],
    make: (members) => ({ times: "always", latencyMs: members.needed("ms", members.range("ms")) }),
  },
  duplicate: { members: [], make: () => ({ mutate: { how: "twice" } }) },
  reorder: { members: [CALLS], make: (members) => ({ holdCalls: members.number(CALLS, 1, MOST) ?? 1 }) },
  error: {
    members: ["code", "message", DONE],
    make(members) {
      const code = members.needed("code", members.number("code", -100_000, 100_000));
      const message = members.text("message");
      return { ...effectIn(members, false), response: { code, ...(message === undefined ? {} : { message }) } };
    },
  },
  cut: {
    members: [DONE, "answered"],
    make: (members) => ({
      ...effectIn(members, true),
      ...(members.flag("answered") === true ? {} : { response: "none" }),
      link: "reset",
    }),
  },
  deadToken: {
    members: ["keepRefreshTokens"],
    make: (members) => ({
      happens: {
        control: "expireTokens",
        body: { keepRefreshTokens: members.flag("keepRefreshTokens") ?? true },
      },
    }),
  },
  tooManyRequests: { members: [], make: () => ({ effect: "skipped", response: { code: TOO_MANY_REQUESTS } }) },
  fillBeforeCancel: { members: [], make: () => ({ methods: ["private/cancel"], effect: "overtaken" }) },
  partialFillThenCancel: { members: [], make: () => ({ methods: ["private/cancel"], effect: "partlyOvertaken" }) },
  selfMatchCancel: { members: [], make: () => ({ methods: ["private/buy", "private/sell"], effect: "selfMatched" }) },
  freeze: {
    members: ["state", CALLS],
    make: (members) =>
      forCalls(
        members,
        { control: "setBookState", body: { state: members.text("state", ["locked", "halted"]) ?? "locked" } },
        OPEN_BOOKS,
      ),
  },
  settlement: {
    members: [CALLS],
    make: (members) =>
      forCalls(members, { control: "setBookState", body: { state: "settlement", forMs: DAY_MS } }, OPEN_BOOKS),
  },
  maintenance: {
    members: ["id", CALLS],
    make: (members) =>
      (members.flag("id") ?? true)
        ? {
            times: members.number(CALLS, 1, MOST) ?? DEFAULT_CALLS,
            effect: "skipped",
            response: { code: SYSTEM_MAINTENANCE },
            link: "close",
          }
        : forCalls(
            members,
            { control: "setMaintenance", body: { isInMaintenance: true } },
            { control: "setMaintenance", body: { isInMaintenance: false } },
          ),
  },
  skipChangeId: {
    members: ["channel"],
    make: (members) => ({ event: { how: "skip", channel: members.text("channel") ?? "book." } }),
  },
  tradeTwice: {
    members: ["channel"],
    make: (members) => ({ event: { how: "twice", channel: members.text("channel") ?? "user.trades." } }),
  },
  eventBeforeReply: { members: [], make: () => ({ areEventsFirst: true }) },
  badGateway: {
    members: [DONE],
    make: (members) => ({ ...effectIn(members, true), page: { status: 502, html: BAD_GATEWAY } }),
  },
  priceMove: {
    members: ["currency", "percent"],
    make: (members) => ({
      happens: {
        control: "movePrice",
        body: {
          currency: members.text("currency", MOVED_CURRENCIES) ?? "BTC",
          percent: members.needed("percent", members.number("percent", -98, 1000, false)),
        },
      },
    }),
  },
};

/** The words of `do`. */
export const FAULT_KINDS: readonly string[] = Object.keys(KINDS);

/** The members that every fault can have. */
const COMMON = ["do", "name", "method", "effect", "from", "every", "times", "chance"];

function describeFaults(description: unknown, lines: JsonLines): DescribedFaults {
  const file = new Members(description, "", lines);
  const seed = file.number("seed", 0, 2 ** 32 - 1);
  const faults = file.list("faults").map(describeFault);
  file.end(["seed", "faults"]);
  return { seed, faults };
}

function describeFault(members: Members): Fault {
  const word = members.needed("do", members.text("do", FAULT_KINDS));
  const kind = KINDS[word] ?? { members: [], make: () => ({}) };
  const isRepeated = members.has("chance") || members.has("every");
  const common = {
    name: members.text("name") ?? word,
    methods: members.methods("method"),
    isChange: members.text("effect", ["write"]) === undefined ? undefined : (true as const),
    from: members.number("from", 1, MOST),
    every: members.number("every", 1, MOST),
    times: members.times("times") ?? (isRepeated ? "always" : undefined),
    chance: members.number("chance", 0, 1, false),
  };
  const made = kind.make(members);
  members.end([...COMMON, ...kind.members]);
  return {
    ...made,
    ...(Object.fromEntries(Object.entries(common).filter(([, value]) => value !== undefined)) as Fault),
  };
}
