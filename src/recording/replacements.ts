import type { PersonalKind } from "../catalogue/personal.ts";
import { ENTITIES, ESCAPE, escapedPattern, withoutEscapes } from "../rpc/escapes.ts";

/** The length from which a value is also replaced where it is only a part of a text, in UTF-16 units. */
const MIN_SOUGHT = 6;
/** Account IDs are shorter, and no words of the exchange. */
const MIN_SOUGHT_ACCOUNT = 5;

/** The first ID of a replaced account: far above those of the exchange. */
const FIRST_ACCOUNT = 900_000_001;

const EMAIL = /[^\s@"<>(),;:]{1,64}@[^\s@"<>(),;:]{1,190}\.[\p{L}\d-]{2,63}/gu;
/** The domain of replaced e-mail addresses, which no one can have. https://www.rfc-editor.org/rfc/rfc2606 */
const NO_DOMAIN = "@example.invalid";
/** The entries of a scope that name a key, a session, a program, or an address. */
const NAMED_ENTRY = /\b(session|name|ip|app_id):([^\s",]+)/g;
/** What is an address in any text: of the Internet, or of a wallet whose beginning tells its chain. */
const IN_TEXT: readonly (readonly [PersonalKind, RegExp])[] = [
  ["place", /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])(?:[\da-f]{0,4}:){3,7}[\da-f]{1,4}(?![\w:])/gi],
  ["address", /\b(?:0x[\da-f]{40}|(?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{20,90})\b/gi],
];
/** A number as JSON writes it. */
const IS_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const PART_OF_WORD = /[\p{L}\p{N}_]/u;
/** What may be a replacement, anywhere in a text. */
const REPLACEMENT = /(?:secret|client|name|address|key|label|place)-\d+|user-\d+@example\.invalid|9\d{8,}/g;

interface Known {
  readonly value: string;
  /** The value as `withoutEscapes` leaves it. */
  readonly bare: string;
  readonly replacement: string;
  readonly kind: PersonalKind;
  /** The number of values that were known before this one. */
  readonly order: number;
}

/** The replacements that were given out so far. */
export class Replacements {
  /**
   * The replacements by value. The other side of a transfer may be an address, and a label an account's ID: what is the
   * same has the same replacement under names of all kinds.
   */
  readonly #given = new Map<string, string>();
  readonly #replacements = new Set<string>();
  readonly #counts = new Map<PersonalKind, number>();
  /** The values that are searched in texts, by their beginning, longest first. */
  readonly #sought = new Map<string, Known[]>();
  /** The sought values by the beginning of what their escaped forms have in common. */
  readonly #soughtBare = new Map<string, Known[]>();
  /** The values that are searched, with their kinds. */
  readonly #known = new Set<string>();
  readonly #keepsHosts: boolean;

  constructor(keepsHosts: boolean) {
    this.#keepsHosts = keepsHosts;
  }

  /** The number of values that are searched in texts. */
  get known(): number {
    return this.#known.size;
  }

  /** Returns a text without the replacements in it. */
  cutFrom(text: string): string {
    return text.replaceAll(REPLACEMENT, (found) => (this.#replacements.has(found) ? "" : found));
  }

  /** Returns the replacement of a value; an empty one stays empty. */
  of(kind: PersonalKind, value: string): string {
    // What was replaced within a text may be met again in another form of it.
    if (value === "" || this.#replacements.has(value)) return value;
    const replacement = this.#given.get(value) ?? this.#give(kind, value);
    // Labels are many and alike, and stand under names of their own.
    if (kind !== "label" && value.length >= (kind === "account" ? MIN_SOUGHT_ACCOUNT : MIN_SOUGHT))
      this.#seek(value, replacement, kind);
    return replacement;
  }

  /** Gives a value its replacement. A number gets one too, so that the text has the same shape. */
  #give(kind: PersonalKind, value: string): string {
    const counted = IS_NUMBER.test(value) ? "account" : kind;
    const number = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, number);
    const replacement = replacementFor(counted, number);
    // A copy: a part of a long text would hold all of it.
    this.#given.set(Buffer.from(value, "utf16le").toString("utf16le"), replacement);
    this.#replacements.add(replacement);
    return replacement;
  }

  #seek(value: string, replacement: string, kind: PersonalKind): void {
    if (this.#known.has(`${kind} ${value}`)) return;
    const order = this.#known.size;
    this.#known.add(`${kind} ${value}`);
    for (const each of [value, ...this.#earlierForms(value)]) {
      const known = { value: each, bare: withoutEscapes(each), replacement, kind, order };
      insertKnown(this.#sought, known.value, known);
      if (known.bare.length >= MIN_SOUGHT_ACCOUNT) insertKnown(this.#soughtBare, known.bare, known);
    }
  }

  /** Returns what was left of a value where it was redacted while only values within it were known. */
  #earlierForms(value: string): ReadonlySet<string> {
    const forms = new Set<string>();
    for (let at = 0; at + MIN_SOUGHT_ACCOUNT <= value.length; at++)
      for (const known of this.#sought.get(value.slice(at, at + MIN_SOUGHT_ACCOUNT)) ?? [])
        if (value.startsWith(known.value, at)) forms.add(this.#replaceKnown(value, known.order));
    return forms;
  }

  /**
   * Returns a text without e-mail addresses, IP addresses, names in scopes, and all values that are known. `depth`: the
   * number of encodings that it was within.
   */
  replaceIn(text: string, depth = 0): string {
    const replaced = this.#replaceEscaped(this.#replaceKnown(this.#replaceShapes(text)));
    if (depth === MAX_ENCODINGS) return replaced;
    const decoded = decodedText(replaced);
    const inside = decoded === replaced ? decoded : this.replaceIn(decoded, depth + 1);
    // What is left has no form of its own to be replaced in.
    const left = inside === decoded ? replaced : inside;
    return left.replaceAll(BASE64, (run) => {
      const inner = base64Text(run);
      const innerReplaced = inner === undefined ? undefined : this.replaceIn(inner, depth + 1);
      return innerReplaced === undefined || innerReplaced === inner
        ? run
        : Buffer.from(innerReplaced).toString("base64");
    });
  }

  #replaceShapes(text: string): string {
    let replaced = text.includes("@")
      ? text.replaceAll(EMAIL, (email) => (email.endsWith(NO_DOMAIN) ? email : this.of("email", email)))
      : text;
    if (replaced.includes(":"))
      replaced = replaced.replaceAll(
        NAMED_ENTRY,
        (_, entry: string, value: string) => `${entry}:${this.of(entry === "ip" ? "place" : "name", value)}`,
      );
    for (const [kind, pattern] of IN_TEXT)
      if (kind !== "place" || !this.#keepsHosts)
        replaced = replaced.replaceAll(pattern, (value) => this.of(kind, value));
    return replaced;
  }

  /** `newest`: the order of the last value that counts. */
  #replaceKnown(text: string, newest = Infinity): string {
    let replaced = "";
    let from = 0;
    for (const { at, known } of this.#find(text, this.#sought, "value", newest)) {
      replaced += text.slice(from, at) + known.replacement;
      from = at + known.value.length;
    }
    return replaced + text.slice(from);
  }

  /** Replaces known values of which characters are escaped. */
  #replaceEscaped(text: string): string {
    if (!ESCAPE.test(text)) return text;
    const found = new Set(this.#find(withoutEscapes(text), this.#soughtBare, "bare").map(({ known }) => known));
    let replaced = text;
    for (const { value, replacement } of found) {
      const isFree = this.#freePlaces(replaced);
      replaced = replaced.replaceAll(new RegExp(escapedPattern(value), "g"), (form: string, at: number) =>
        isFree(at, at + form.length) ? replacement : form,
      );
    }
    return replaced;
  }

  /** Returns where known values are in a text, in their order; of several at a place the longest. */
  #find(
    text: string,
    sought: ReadonlyMap<string, readonly Known[]>,
    form: "value" | "bare",
    newest = Infinity,
  ): readonly { readonly at: number; readonly known: Known }[] {
    const found: { readonly at: number; readonly known: Known }[] = [];
    let isFree: ((start: number, end: number) => boolean) | undefined;
    for (let at = 0; at + MIN_SOUGHT_ACCOUNT <= text.length; at++) {
      const known = sought.get(text.slice(at, at + MIN_SOUGHT_ACCOUNT))?.find((each) => {
        const end = at + each[form].length;
        if (each.order > newest || !text.startsWith(each[form], at) || !isWhole(text, at, end, each.kind)) return false;
        isFree ??= this.#freePlaces(text);
        return isFree(at, end);
      });
      if (known === undefined) continue;
      found.push({ at, known });
      at += known[form].length - 1;
    }
    return found;
  }

  /** Returns whether a place in a text is free of replacements. One is replaced again only with more around it. */
  #freePlaces(text: string): (start: number, end: number) => boolean {
    const taken = [...text.matchAll(REPLACEMENT)]
      .filter(([found]) => this.#replacements.has(found))
      .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
    return (start, end) =>
      taken.every(
        (each) =>
          each.end <= start ||
          end <= each.start ||
          (start <= each.start && each.end <= end && each.end - each.start < end - start),
      );
  }
}

/** Inserts a value among those with the same beginning, the longest first. */
function insertKnown(sought: Map<string, Known[]>, text: string, known: Known): void {
  const beginning = text.slice(0, MIN_SOUGHT_ACCOUNT);
  const others = sought.get(beginning) ?? [];
  if (others.some(({ value, kind }) => value === known.value && kind === known.kind)) return;
  sought.set(
    beginning,
    [...others, known].sort((a, b) => b.value.length - a.value.length),
  );
}

/** The number of encodings within one another that are looked into. */
const MAX_ENCODINGS = 3;

/** Returns a text without the escapes of URLs, JSON, and XML. */
function decodedText(text: string): string {
  if (!/[\\%]|&#?\w+;/.test(text)) return text;
  return text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => {
      try {
        return decodeURIComponent(bytes);
      } catch {
        return bytes;
      }
    })
    .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\(["\\/])/g, "$1")
    .replaceAll(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&(quot|apos|lt|gt|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

const BASE64 = /[\w+/-]{8,}={0,2}/g;

/** Returns the text that a run of base64 was made of; undefined for one that is not text. */
function base64Text(run: string): string | undefined {
  const bytes = Buffer.from(run, "base64");
  const text = bytes.toString("utf8");
  return /^[\P{C}\s]+$/u.test(text) && !text.includes("\uFFFD") ? text : undefined;
}

/** Whether a value is not a part of a longer word. A secret may be anywhere. */
function isWhole(text: string, at: number, end: number, kind: PersonalKind): boolean {
  return (
    kind === "secret" ||
    ((at === 0 || !PART_OF_WORD.test(text.charAt(at - 1))) &&
      (end === text.length || !PART_OF_WORD.test(text.charAt(end))))
  );
}

function replacementFor(kind: PersonalKind, number: number): string {
  if (kind === "account") return String(FIRST_ACCOUNT + number - 1);
  return kind === "email" ? `user-${number}${NO_DOMAIN}` : `${kind}-${number}`;
}
