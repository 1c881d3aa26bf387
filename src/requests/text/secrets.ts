import { parseTree, type Node } from "jsonc-parser";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import { HIDDEN, isSecretName, maskSpans, mayNameSecret, scanWireText } from "../../rpc/maskSecrets.ts";
import { isStandIn, isWithoutSecret } from "../../rpc/oneTimeSecret.ts";
import { kindsOfCharacters } from "../../rpc/tokenLook.ts";

/*
 * What counts as a secret where the user writes, pastes or keeps something: what the name of its member says. Labels,
 * IDs, addresses, and the places of lists look like tokens, and are none.
 */

/**
 * Whether a member of an object carries a secret. Its name says so, or its name could mean one and the text is not a
 * word. Always false for a placeholder.
 */
export function isSecretMember(name: string, value: string): boolean {
  if (value === "" || /^\{\{[^{}]*\}\}$/.test(value)) return false;
  if (isSecretName(name)) return true;
  return (
    mayNameSecret(name) && value.length >= MIN_NAMED_LENGTH && /^[!-~]+$/.test(value) && kindsOfCharacters(value) >= 2
  );
}

/** A text within a tree that is a secret, and the names that lead to it. */
export interface SecretNode {
  readonly node: Node;
  /** The name of its member, or of the member around the list that it stands in. */
  readonly name: string;
  readonly path: readonly (string | number)[];
}

/** Returns the texts of a tree that are secrets, by `isSecretMember` unless another rule is given, in their order. */
export function secretNodes(
  root: Node | undefined,
  name = "",
  isSecret: (name: string, value: string) => boolean = isSecretMember,
  path: readonly (string | number)[] = [],
): readonly SecretNode[] {
  if (root === undefined) return [];
  if (root.type === "string") return isSecret(name, String(root.value)) ? [{ node: root, name, path }] : [];
  if (root.type === "array")
    return (root.children ?? []).flatMap((child, index) => secretNodes(child, name, isSecret, [...path, index]));
  return (root.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    const own = String(key?.value);
    return secretNodes(value, own, isSecret, [...path, own]);
  });
}

/**
 * Returns the texts of a tree in which a secret was hidden before. They were copied from a response, a log or the
 * history, and are worthless to the exchange.
 */
export function hiddenNodes(root: Node | undefined, name = ""): readonly SecretNode[] {
  if (root === undefined) return [];
  if (root.type === "string") return isWithoutSecret(String(root.value)) ? [{ node: root, name, path: [] }] : [];
  return (root.children ?? []).flatMap((child) =>
    hiddenNodes(child, root.type === "property" ? String(root.children?.[0]?.value) : name),
  );
}

/**
 * Returns parameters as a dialog shows them: every literal as it is sent, but those of secret members. A stand-in shows
 * where a secret comes from.
 */
export function shownParams(paramsText: string): string {
  const { secrets } = scanWireText(paramsText);
  const isSecret = ({ start, end }: (typeof secrets)[number]): boolean =>
    !isStandIn(paramsText.slice(start + 1, end - 1)) && paramsText.slice(start, end) !== REFRESH_TOKEN_LITERAL;
  return maskSpans(paramsText, secrets.filter(isSecret));
}

const REFRESH_TOKEN_LITERAL = JSON.stringify(SESSION_REFRESH_TOKEN);

/** Returns a JSON value with its secrets hidden; undefined where the value itself is one. `name`: of its member. */
export function valueWithoutSecrets(name: string, valueText: string): string | undefined {
  const root = parseTree(valueText);
  const secrets = secretNodes(root, name);
  if (secrets.some(({ node }) => node === root)) return undefined;
  return secrets.reduceRight(
    (text, { node: { offset, length } }) =>
      text.slice(0, offset) + JSON.stringify(HIDDEN) + text.slice(offset + length),
    valueText,
  );
}

const MIN_NAMED_LENGTH = 12;
