import { isAddressOrSubnet } from "../base/ipAddress.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { PersonalKind } from "../catalogue/personal.ts";
import { isDocumentedMember } from "../catalogue/reference/reference.ts";
import { ENTITIES, ESCAPE, escapedPattern, withoutEscapes } from "../rpc/escapes.ts";
import { endOfString } from "../rpc/scanJson.ts";
import { looksLikeToken } from "../rpc/tokenLook.ts";
import { personalKind } from "./personal.ts";

/**
 * Replaces secret and personal values, each by a replacement of its own: the same value by the same one wherever it is,
 * so that what belongs together still does. Learns all texts first, because a name may be used before it is told.
 */
export interface Redactor {
  /** Learns the values in a JSON text. `origin`: the method or channel that it belongs to. */
  learn(text: string, origin: string): void;
  /** Learns a value that is known from elsewhere. */
  know(kind: PersonalKind, value: string): void;
  /** Returns a JSON text on one line, every other literal as it was. */
  redact(text: string, origin: string): string;
  /** Returns a text that is not JSON, such as the name of a channel. */
  redactWords(text: string): string;
}

/** The length from which a value is also replaced where it is only a part of a text, in UTF-16 units. */
const MIN_SOUGHT = 6;
/** Account IDs are shorter, and no words of the exchange. */
const MIN_SOUGHT_ACCOUNT = 5;

/** The first ID of a replaced account: far above those of the exchange. */
const FIRST_ACCOUNT = 900_000_001;

/** Makes a redactor. `keepsHosts`: whether IP addresses in texts are wanted. */
export function createRedactor({ keepsHosts = false } = {}): Redactor {
  const replacements = new Replacements(keepsHosts);
  const kinds = createKinds();
  const learnIn = (text: string, origin: string): void =>
    void rewrite(text, kinds(origin), (literal, { name, kind }) => {
      if (isPersonal(literal, kind)) replacements.of(kind, valueOf(literal));
      else if (literal.startsWith('"')) {
        const value = valueOf(literal);
        const inner = innerJson(value);
        if (inner !== undefined) learnIn(inner, origin);
        const shape = kindByShape(name, value);
        if (shape !== undefined) replacements.of(shape, value);
      }
      return literal;
    });
  const redact = (text: string, origin: string): string =>
    rewrite(text, kinds(origin), (literal, { name, kind }) => {
      if (isPersonal(literal, kind)) {
        const replacement = replacements.of(kind, valueOf(literal));
        return literal.startsWith('"') ? JSON.stringify(replacement) : replacement;
      }
      if (!literal.startsWith('"')) return literal;
      const value = valueOf(literal);
      const replaced = replacedText(value, name, origin);
      return replaced === value ? literal : JSON.stringify(replaced);
    });
  const replacedText = (value: string, name: string, origin: string): string => {
    const inner = innerJson(value);
    if (inner !== undefined) return redact(inner, origin);
    const shape = kindByShape(name, value);
    return shape === undefined ? replacements.replaceIn(value) : replacements.of(shape, value);
  };
  return {
    learn: learnIn,
    know: (kind, value) => void replacements.of(kind, value),
    redact,
    redactWords: (text) => replacements.replaceIn(text),
  };
}

/** Returns the kinds of members by their names, for a method or channel; each name is judged once. */
function createKinds(): (origin: string) => (name: string) => PersonalKind | undefined {
  const known = new Map<string, PersonalKind | undefined>();
  return (origin) => (name) => {
    const key = `${origin} ${name}`;
    if (!known.has(key)) known.set(key, personalKind(name, origin));
    return known.get(key);
  };
}

/** Whether a literal is personal. A number under the name of a name is a rate, such as the fee of a maker. */
function isPersonal(literal: string, kind: PersonalKind | undefined): kind is PersonalKind {
  return kind !== undefined && (kind !== "name" || literal.startsWith('"'));
}

/** Returns a text that itself is an object or a list of JSON; undefined for all others. */
function innerJson(value: string): string | undefined {
  if (!/^\s*[[{]/.test(value)) return undefined;
  const inner = parseJson(value);
  return isObject(inner) || Array.isArray(inner) ? value : undefined;
}

/** Returns what a text looks like under a name that the catalogue does not know. */
function kindByShape(name: string, value: string): PersonalKind | undefined {
  if (name === "" || isDocumentedMember(name)) return undefined;
  if (WALLET.test(value)) return "address";
  if (isAddressOrSubnet(value)) return "place";
  if (TELEPHONE.test(value)) return "name";
  return looksLikeToken(value) ? "secret" : undefined;
}

/** An address of a wallet in base58, of any of the larger chains. */
const WALLET = /^(?:[123mnDLTr][1-9A-HJ-NP-Za-km-z]{24,34}|[1-9A-HJ-NP-Za-km-z]{43,44})$/;
const TELEPHONE = /^\+\d[\d ()./-]{6,20}$/;

/** Returns the text of a string or number of JSON. */
function valueOf(literal: string): string {
  if (!literal.startsWith('"')) return literal;
  const value = parseJson(literal);
  return typeof value === "string" ? value : literal.slice(1, -1);
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const OTHER = /[^"\d{}[\],-]+|-/y;

/** A member whose value is being read: its name, and its kind or that of what it is in. */
interface Member {
  readonly name: string;
  readonly kind: PersonalKind | undefined;
}

const NO_MEMBER: Member = { name: "", kind: undefined };

/**
 * Returns a JSON text with each string and number replaced by what `take` returns for it. Everything within a personal
 * member is personal. Names of members are taken as strings without a kind.
 */
function rewrite(
  text: string,
  kindOf: (name: string) => PersonalKind | undefined,
  take: (literal: string, member: Member) => string,
): string {
  const pieces: string[] = [];
  const outer: Member[] = [];
  let member = NO_MEMBER;
  let at = 0;
  while (at < text.length) {
    const isText = text[at] === '"';
    const end = isText ? endOfString(text, at) : endOf(NUMBER, text, at);
    const literal = text.slice(at, end);
    if (isText && isBeforeColon(text, end)) {
      const name = valueOf(literal);
      member = { name, kind: kindOf(name) ?? outer.at(-1)?.kind };
      pieces.push(take(literal, NO_MEMBER));
      at = end;
    } else if (end > at) {
      pieces.push(take(literal, member));
      at = end;
    } else {
      const sign = text.charAt(at);
      if (sign === "{" || sign === "[") outer.push(member);
      if (sign === "}" || sign === "]") outer.pop();
      // What follows belongs to what it is in, until its name comes.
      if ("{[}],".includes(sign)) member = outer.at(-1) ?? NO_MEMBER;
      const after = Math.max(endOf(OTHER, text, at), at + 1);
      pieces.push(text.slice(at, after).replaceAll(/[\r\n]+/g, " "));
      at = after;
    }
  }
  return pieces.join("");
}

function isBeforeColon(text: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at++;
  return text[at] === ":";
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

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

interface Known {
  readonly value: string;
  /** The value as `withoutEscapes` leaves it. */
  readonly bare: string;
  readonly replacement: string;
  readonly kind: PersonalKind;
}

/** The replacements that were given out so far. */
class Replacements {
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
  readonly #keepsHosts: boolean;

  constructor(keepsHosts: boolean) {
    this.#keepsHosts = keepsHosts;
  }

  /** Returns the replacement of a value; an empty one stays empty. */
  of(kind: PersonalKind, value: string): string {
    // What was replaced within a text may be met again in another form of it.
    if (value === "" || this.#replacements.has(value)) return value;
    const replacement = this.#given.get(value) ?? this.#give(kind, value);
    // Labels are many and alike, and stand under names of their own.
    if (kind !== "label" && value.length >= (kind === "account" ? MIN_SOUGHT_ACCOUNT : MIN_SOUGHT))
      this.#seek({ value, bare: withoutEscapes(value), replacement, kind });
    return replacement;
  }

  /** Gives a value its replacement. A number gets one too, so that the text has the same shape. */
  #give(kind: PersonalKind, value: string): string {
    const counted = IS_NUMBER.test(value) ? "account" : kind;
    const number = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, number);
    const replacement = replacementFor(counted, number);
    this.#given.set(value, replacement);
    this.#replacements.add(replacement);
    return replacement;
  }

  #seek(known: Known): void {
    insertKnown(this.#sought, known.value, known);
    if (known.bare.length >= MIN_SOUGHT_ACCOUNT) insertKnown(this.#soughtBare, known.bare, known);
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

  #replaceKnown(text: string): string {
    let replaced = "";
    let from = 0;
    for (const { at, known } of findKnown(text, this.#sought, ({ value }) => value)) {
      replaced += text.slice(from, at) + known.replacement;
      from = at + known.value.length;
    }
    return replaced + text.slice(from);
  }

  /** Replaces known values of which characters are escaped. */
  #replaceEscaped(text: string): string {
    if (!ESCAPE.test(text)) return text;
    const found = new Set(
      findKnown(withoutEscapes(text), this.#soughtBare, ({ bare }) => bare).map(({ known }) => known),
    );
    let replaced = text;
    for (const { value, replacement } of found)
      replaced = replaced.replaceAll(new RegExp(escapedPattern(value), "g"), replacement);
    return replaced;
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

/** Returns where known values are in a text, in their order; of several at a place the longest. */
function findKnown(
  text: string,
  sought: ReadonlyMap<string, readonly Known[]>,
  textOf: (known: Known) => string,
): readonly { readonly at: number; readonly known: Known }[] {
  const found: { readonly at: number; readonly known: Known }[] = [];
  for (let at = 0; at + MIN_SOUGHT_ACCOUNT <= text.length; at++) {
    const known = sought
      .get(text.slice(at, at + MIN_SOUGHT_ACCOUNT))
      ?.find((each) => text.startsWith(textOf(each), at) && isWhole(text, at, at + textOf(each).length, each.kind));
    if (known === undefined) continue;
    found.push({ at, known });
    at += textOf(known).length - 1;
  }
  return found;
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
