import { isJson } from "../base/json.ts";
import { allMethods } from "../catalogue/index.ts";
import { createGlance } from "./glanceJson.ts";
import { createJsonScanner, type Span } from "./scanJson.ts";

/** The text instead of a secret: in a JSON text a string of its own, elsewhere without the quotes. */
export const HIDDEN = "‹hidden›";
const HIDDEN_JSON = JSON.stringify(HIDDEN);

/** The names that are secret in every message, whether or not the catalogue knows the method. */
const ALWAYS_SECRET = [
  "access_token",
  "refresh_token",
  "client_secret",
  "secret",
  "password",
  "private_key",
  "signature",
  "authorization_data",
  "api_secret",
  "api_key_secret",
  "passphrase",
  "tfa_code",
] as const;

const SECRET_NAMES = [...ALWAYS_SECRET, ...catalogueNames()].flatMap((name) => [name, camelCase(name)]);

/** Scans a text of the wire; its `secrets` are the values of members that the catalogue or we call secret. */
export const scanWireText = createJsonScanner({ members: ["id", "result", "error"], secrets: SECRET_NAMES });

const SECRET_NAME_SET: ReadonlySet<string> = new Set(SECRET_NAMES);

/** Whether a member with this name is secret in every message. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME_SET.has(name);
}

/** Whether a text of the wire holds nothing that `scanWireText` would have to find. */
export const glanceWireText = createGlance(SECRET_NAMES);

/** Returns the text with other text instead of these values; every other character stays as it was. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let masked = "";
  let at = 0;
  for (const { start, end } of spans) {
    masked += text.slice(at, start) + HIDDEN_JSON;
    at = end;
  }
  return masked + text.slice(at);
}

/**
 * Returns the text with its named secrets hidden, also where it repeats one under another name: a new secret is known
 * by value only after its response was read.
 */
export function maskNamed(text: string, spans: readonly Span[]): string {
  let masked = maskSpans(text, spans);
  for (const { start, end } of spans) {
    const value = text.slice(start + 1, end - 1);
    if (text[start] === '"' && value.length >= MIN_LENGTH) masked = masked.replaceAll(value, HIDDEN);
  }
  return masked;
}

/** Returns a text of the wire, or a part of it that itself is JSON, with secrets hidden by name and by value. */
export function maskWireText(text: string, values: SecretValues): string {
  const { problem, secrets } = scanWireText(text);
  // Where a text cannot be read whole, the places of its secrets are unknown.
  if (problem !== undefined) return JSON.stringify(`${HIDDEN} ${problem}`);
  const masked = hideChallenge(values.hide(maskNamed(text, secrets)));
  return masked === text || isJson(masked) ? masked : HIDDEN_JSON;
}

/**
 * Returns a text with the challenge hidden. It goes back with the 2FA code, so that responses have to keep it; what is
 * only read does not.
 */
export function hideChallenge(text: string): string {
  let masked = "";
  let at = 0;
  for (const { index, 0: beginning } of text.matchAll(CHALLENGE)) {
    const end = endOfString(text, index + beginning.length);
    if (index < at || end === undefined) continue;
    masked += text.slice(at, index + beginning.length - 1) + HIDDEN_JSON;
    at = end;
  }
  return masked + text.slice(at);
}

const CHALLENGE = /"challenge"\s*:\s*"/g;

/**
 * Returns the place after the quote that ends a string; `from` is after the one that begins it. A pattern for this
 * overflows where it is long.
 */
function endOfString(text: string, from: number): number | undefined {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - backslashes > from && text[quote - backslashes - 1] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return undefined;
}

/** The secrets that are known by value: the second net, for secrets under an unexpected name. */
export interface SecretValues {
  /** Adds a text that is hidden wherever it stands, permanently: a secret that stays what it is. */
  keep(value: string): void;
  /** Adds a token or a signature that is hidden wherever it stands, until others of its kind replace it. */
  add(value: string, kind?: PassingSecret): void;
  /**
   * Returns the text without known secrets; the given text where there are none. `longestText`: in a JSON text without
   * escapes the length of its longest string or name, where known. A longer secret cannot be there, and is not
   * searched.
   */
  hide(text: string, longestText?: number): string;
}

/** A kind of secret that is replaced again and again. */
type PassingSecret = "token" | "signature";

/**
 * Makes the registry of secrets. Of tokens and of signatures it holds the latest only: they are replaced again and
 * again, and old ones are worthless.
 */
export function createSecretValues(): SecretValues {
  let lasting: readonly string[] = [];
  let latest: Readonly<Record<PassingSecret, readonly string[]>> = { token: [], signature: [] };
  let values: readonly string[] = [];
  /** The length of the shortest secret that stands only within a string. */
  let shortestWord = Infinity;
  let hasOther = false;
  const withText = (known: readonly string[], value: string): readonly string[] => [
    ...new Set([...known, ...secretForms(value).flatMap((form) => [form, JSON.stringify(form).slice(1, -1)])]),
  ];
  const hold = (): void => {
    values = [...lasting, ...latest.token, ...latest.signature];
    shortestWord = Math.min(...values.filter(isWord).map(({ length }) => length));
    hasOther = !values.every(isWord);
  };
  return {
    keep(value) {
      lasting = withText(lasting, value);
      hold();
    },
    add(value, kind = "token") {
      latest = { ...latest, [kind]: withText(latest[kind], value).slice(-MAX_VALUES) };
      hold();
    },
    hide(text, longestText = Infinity) {
      // Nearly every text is too short in its parts for any of them.
      if (!hasOther && longestText < shortestWord) return text;
      let hidden = text;
      for (const value of values)
        if ((value.length <= longestText || !isWord(value)) && hidden.includes(value))
          hidden = hidden.replaceAll(value, HIDDEN);
      return hidden;
    },
  };
}

/**
 * Returns the texts by which a secret is found, wherever it stands: of a private key in PEM each line, and all of them
 * in one. Empty for a text that is too short for a secret: hiding it would damage everything else.
 */
export function secretForms(secret: string): readonly string[] {
  const isPem = secret.includes("-----");
  const lines = isPem ? secret.split(/-----[A-Z0-9 ]+-----|[\r\n]+/).map((line) => line.trim()) : [secret];
  const forms = lines.length === 1 ? [secret] : [lines.join(""), ...lines];
  return forms.filter(({ length }) => length >= MIN_LENGTH);
}

/**
 * Whether a secret can stand in a JSON text only within a string. It has no character that JSON uses between values,
 * and is neither a number nor, at its length, a part of one.
 */
function isWord(value: string): boolean {
  return /^[\w.~+/=-]+$/.test(value) && /[^\d.eE+-]/.test(value);
}

/** The minimum length of a secret, in characters. */
const MIN_LENGTH = 6;
const MAX_VALUES = 16;

/** Returns the last name of each secret path: what is secret in one response is not worth showing in another. */
function catalogueNames(): string[] {
  return allMethods().flatMap(({ resultSecrets, paramSecrets }) =>
    [...resultSecrets, ...paramSecrets.map((path) => path.split("."))].map(lastName),
  );
}

function lastName(path: readonly string[]): string {
  return path.findLast((part) => part !== "*") ?? "";
}

/** Returns a name in camel case. Gateways in front of the exchange spell names their own way. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
