import { isAddressOrSubnet } from "../base/ipAddress.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { PersonalKind } from "../catalogue/personal.ts";
import { isDocumentedMember } from "../catalogue/reference/reference.ts";
import { HIDDEN } from "../rpc/maskSecrets.ts";
import { endOfString } from "../rpc/scanJson.ts";
import { hasCredential, withoutCredentials } from "../rpc/credentialLook.ts";
import { looksLikeToken } from "../rpc/tokenLook.ts";
import { personalKind } from "./personal.ts";
import { Replacements } from "./replacements.ts";

/**
 * Replaces secret and personal values, each by a replacement of its own: the same value by the same one wherever it is,
 * so that what belongs together still does. It learns values while it replaces them, and holds each different one. What
 * was redacted can be redacted again once more is known, because a value may be used before it is told: a replacement
 * stays.
 */
export interface Redactor {
  /** The number of values that are searched in texts. While it was smaller, some of them were left in texts. */
  readonly known: number;
  /** Learns a value that is known from elsewhere. */
  know(kind: PersonalKind, value: string): void;
  /** Returns a JSON text on one line, every other literal as it was. `origin`: the method or channel of the text. */
  redact(text: string, origin: string): string;
  /** Returns a text that is not JSON, such as the name of a channel. */
  redactWords(text: string): string;
}

/** Makes a redactor. `keepsHosts`: whether IP addresses in texts are wanted. */
export function createRedactor({ keepsHosts = false } = {}): Redactor {
  const replacements = new Replacements(keepsHosts);
  const words = new Words();
  const kinds = createKinds((name) => replacements.cutFrom(name));
  const redact = (text: string, origin: string): string =>
    rewrite(text, kinds(origin), (literal, { name, kind }) => {
      if (isPersonal(literal, kind)) {
        const replacement = replacements.of(kind, valueOf(literal));
        return literal.startsWith('"') ? JSON.stringify(replacement) : replacement;
      }
      if (!literal.startsWith('"')) return literal;
      return isWord(literal)
        ? words.of(`${name} ${literal}`, replacements.known, () => replacedLiteral(literal, name, origin))
        : replacedLiteral(literal, name, origin);
    });
  const replacedLiteral = (literal: string, name: string, origin: string): string => {
    const value = valueOf(literal);
    const replaced = replacedText(value, name, origin);
    return replaced === value ? literal : JSON.stringify(replaced);
  };
  const replacedText = (value: string, name: string, origin: string): string => {
    const inner = innerJson(value);
    if (inner !== undefined) return redact(inner, origin);
    const shape = kindByShape(name, value);
    return shape === undefined ? replacements.replaceIn(value) : replacements.of(shape, value);
  };
  return {
    get known() {
      return replacements.known;
    },
    know: (kind, value) => void replacements.of(kind, value),
    redact,
    redactWords: (text) => replacements.replaceIn(withoutCredentials(text, HIDDEN)),
  };
}

/**
 * Returns the kinds of members by their names, for a method or channel; each name is judged once. `ownPart`: returns
 * the part of a name that isn't a replacement, whose words say nothing.
 */
function createKinds(
  ownPart: (name: string) => string,
): (origin: string) => (name: string) => PersonalKind | undefined {
  const origins = new Map<string, Map<string, PersonalKind | undefined>>();
  return (origin) => {
    const known = origins.get(origin) ?? new Map<string, PersonalKind | undefined>();
    origins.set(origin, known);
    return (name) => {
      if (!known.has(name)) known.set(name, personalKind(ownPart(name), origin));
      return known.get(name);
    };
  };
}

/** Whether a string of JSON is short, without escapes, and no JSON itself: most are words of the exchange. */
function isWord(literal: string): boolean {
  return literal.length <= MAX_WORD && !/[\\[{]/.test(literal);
}

/** What words became, for as long as nothing more is known. */
class Words {
  readonly #replaced = new Map<string, string>();
  #known = 0;

  /** Returns what a word became; `replace`: makes it. */
  of(key: string, known: number, replace: () => string): string {
    if (known !== this.#known || this.#replaced.size >= MAX_WORDS) this.#replaced.clear();
    this.#known = known;
    const replaced = this.#replaced.get(key) ?? replace();
    this.#replaced.set(key, replaced);
    return replaced;
  }
}

const MAX_WORD = 64;
const MAX_WORDS = 5000;

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
  if (hasCredential(value)) return "secret";
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
