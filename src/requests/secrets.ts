import type { Node } from "jsonc-parser";
import { SECRET_NAME } from "../actions/journal.ts";
import { allMethods } from "../catalogue/index.ts";
import { HIDDEN } from "../rpc/maskSecrets.ts";

/* What counts as a secret where a person writes, pastes or keeps something. Secrets of answers are masked by the session. */

/** Names whose texts are secret in every file, whatever the method. */
export const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...["access_token", "client_secret", "refresh_token", "password", "private_key", "authorization_data"],
  ...allMethods().flatMap(({ paramSecrets }) => paramSecrets.map((path) => path.split(".").at(-1) ?? path)),
]);

/**
 * Whether a member of an object carries a secret: its name says so, its name could mean one and the text is no word, or
 * the text alone looks like a token. A placeholder is none.
 */
export function isSecretMember(name: string, value: string): boolean {
  if (value === "" || /^\{\{[^{}]*\}\}$/.test(value)) return false;
  if (SECRET_NAMES.has(name) || looksLikeToken(value)) return true;
  return SECRET_NAME.test(name) && value.length >= MIN_NAMED_LENGTH && /^[!-~]+$/.test(value) && kindsOfCharacters(value) >= 2;
}

/** Whether a text looks as servers make tokens and keys: long, without blanks, of letters in both cases and digits, without a pattern. */
export function looksLikeToken(text: string): boolean {
  if (text.includes("-----BEGIN ")) return true;
  return [...text.matchAll(TOKEN)].some(([run]) => isToken(run));
}

/** The text with everything hidden that looks like a token. */
export function hideTokens(text: string): string {
  return text.replaceAll(KEY_BLOCK, HIDDEN).replaceAll(TOKEN, (run) => (isToken(run) ? HIDDEN : run));
}

/** A text within a tree that is a secret, and the names that lead to it. */
export interface SecretNode {
  readonly node: Node;
  /** The name of its member, or of that around the list that it stands in. */
  readonly name: string;
  readonly path: readonly (string | number)[];
}

/** The texts of a tree that are secrets, by `isSecretMember`, in their order. */
export function secretNodes(root: Node | undefined, name = "", path: readonly (string | number)[] = []): readonly SecretNode[] {
  if (root === undefined) return [];
  if (root.type === "string") return isSecretMember(name, String(root.value)) ? [{ node: root, name, path }] : [];
  if (root.type === "array") return (root.children ?? []).flatMap((child, index) => secretNodes(child, name, [...path, index]));
  return (root.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    const own = String(key?.value);
    return secretNodes(value, own, [...path, own]);
  });
}

const TOKEN = /[\w.~+/=-]{32,}/g;
const KEY_BLOCK = /-----BEGIN [^]*?(?:-----END [^-]*-----|$)/g;
const MIN_NAMED_LENGTH = 12;
/** Of a text made by chance. Words and identifiers of this length have less: they repeat themselves. */
const MIN_BITS = 3.6;

function isToken(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) && bitsPerCharacter(run) >= MIN_BITS;
}

function kindsOfCharacters(text: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^\w]/].filter((kind) => kind.test(text)).length;
}

/** Shannon's entropy of the characters of a text. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
