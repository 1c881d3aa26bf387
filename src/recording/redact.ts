import { parseJson } from "../base/json.ts";
import { endOfString } from "../rpc/scanJson.ts";
import { personalSpans, type PersonalKind, type PersonalSpan } from "./personal.ts";

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

export function createRedactor(): Redactor {
  const replacements = new Replacements();
  return {
    learn(text, origin) {
      rewrite(text, personalSpans(text, origin), (literal, kind) => {
        if (isPersonal(literal, kind)) replacements.of(kind, valueOf(literal));
        return literal;
      });
    },
    know: (kind, value) => void replacements.of(kind, value),
    redact: (text, origin) =>
      rewrite(text, personalSpans(text, origin), (literal, kind) => {
        if (!isPersonal(literal, kind)) return literal.startsWith('"') ? inWords(literal, replacements) : literal;
        const replacement = replacements.of(kind, valueOf(literal));
        return literal.startsWith('"') ? JSON.stringify(replacement) : replacement;
      }),
    redactWords: (text) => replacements.replaceIn(text),
  };
}

/** Whether a literal is personal. A number under the name of a name is a rate, such as the fee of a maker. */
function isPersonal(literal: string, kind: PersonalKind | undefined): kind is PersonalKind {
  return kind !== undefined && (kind !== "name" || literal.startsWith('"'));
}

function inWords(literal: string, replacements: Replacements): string {
  const value = valueOf(literal);
  const replaced = replacements.replaceIn(value);
  return replaced === value ? literal : JSON.stringify(replaced);
}

/** Returns the text of a string or number of JSON. */
function valueOf(literal: string): string {
  if (!literal.startsWith('"')) return literal;
  const value = parseJson(literal);
  return typeof value === "string" ? value : literal.slice(1, -1);
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const OTHER = /[^"\d-]+|-/y;

/**
 * Returns a JSON text with each string and number replaced by what `take` returns for it: `kind` is that of the span
 * that it is in. Names of members are taken as strings without a kind.
 */
function rewrite(
  text: string,
  spans: readonly PersonalSpan[],
  take: (literal: string, kind: PersonalKind | undefined) => string,
): string {
  const pieces: string[] = [];
  let at = 0;
  let next = 0;
  while (at < text.length) {
    while (next < spans.length && (spans[next]?.end ?? 0) <= at) next++;
    const span = spans[next];
    const kind = span !== undefined && span.start <= at ? span.kind : undefined;
    const isText = text[at] === '"';
    const end = isText ? endOfString(text, at) : endOf(NUMBER, text, at);
    if (end > at) {
      pieces.push(take(text.slice(at, end), isText && isBeforeColon(text, end) ? undefined : kind));
      at = end;
    } else {
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
/** A scope with the name of a session. */
const NAMED_SESSION = /\bsession:([^\s"]+)/g;
/** A number as JSON writes it. */
const IS_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const PART_OF_WORD = /[\p{L}\p{N}_]/u;

interface Known {
  readonly value: string;
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
  readonly #counts = new Map<PersonalKind, number>();
  /** The values that are searched in texts, by their beginning, longest first. */
  readonly #sought = new Map<string, Known[]>();

  /** Returns the replacement of a value; an empty one stays empty. */
  of(kind: PersonalKind, value: string): string {
    if (value === "") return "";
    const replacement = this.#given.get(value) ?? this.#give(kind, value);
    // Labels are many and alike, and stand under names of their own.
    if (kind !== "label" && value.length >= (kind === "account" ? MIN_SOUGHT_ACCOUNT : MIN_SOUGHT))
      this.#seek({ value, replacement, kind });
    return replacement;
  }

  /** Gives a value its replacement. A number gets one too, so that the text has the same shape. */
  #give(kind: PersonalKind, value: string): string {
    const counted = IS_NUMBER.test(value) ? "account" : kind;
    const number = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, number);
    const replacement = replacementFor(counted, number);
    this.#given.set(value, replacement);
    return replacement;
  }

  #seek(known: Known): void {
    const beginning = known.value.slice(0, MIN_SOUGHT_ACCOUNT);
    const others = this.#sought.get(beginning) ?? [];
    if (others.some(({ value, kind }) => value === known.value && kind === known.kind)) return;
    this.#sought.set(
      beginning,
      [...others, known].sort((a, b) => b.value.length - a.value.length),
    );
  }

  /** Returns a text without e-mail addresses, names of sessions, and all values that are known. */
  replaceIn(text: string): string {
    const withoutEmail = text.includes("@")
      ? text.replaceAll(EMAIL, (email) => (email.endsWith(NO_DOMAIN) ? email : this.of("email", email)))
      : text;
    const named = withoutEmail.replaceAll(NAMED_SESSION, (_, name: string) => `session:${this.of("name", name)}`);
    let replaced = "";
    let from = 0;
    for (let at = 0; at + MIN_SOUGHT_ACCOUNT <= named.length; at++) {
      const found = this.#sought
        .get(named.slice(at, at + MIN_SOUGHT_ACCOUNT))
        ?.find((known) => named.startsWith(known.value, at) && isWhole(named, at, known));
      if (found === undefined) continue;
      replaced += named.slice(from, at) + found.replacement;
      from = at + found.value.length;
      at = from - 1;
    }
    return replaced + named.slice(from);
  }
}

/** Whether a value is not a part of a longer word. A secret may be anywhere. */
function isWhole(text: string, at: number, { kind, value }: Known): boolean {
  const end = at + value.length;
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
