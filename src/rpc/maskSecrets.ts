import { isJson, parseJson } from "../base/json.ts";
import { plain } from "../base/plain.ts";
import { allMethods } from "../catalogue/index.ts";
import { bareName, spellings } from "../base/spelling.ts";
import { ESCAPE, escapedPattern, withoutEscapes } from "./escapes.ts";
import { createQuickScan } from "./quickScan.ts";
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

/** The names that are secret in one method alone, where the value is known: elsewhere, a token may be a currency. */
const DATA_ELSEWHERE: readonly string[] = ["token"];

const SECRET_NAMES = [...ALWAYS_SECRET, ...catalogueNames()].flatMap(spellings);

/** Scans a text of the wire; its `secrets` are the values of members that the catalogue or we call secret. */
export const scanWireText = createJsonScanner({ members: ["id", "result", "error"], secrets: SECRET_NAMES });

const BARE_SECRET_NAMES: ReadonlySet<string> = new Set(SECRET_NAMES.map(bareName));

/** Whether a member with this name is secret in every message, however the name is spelled. */
export function isSecretName(name: string): boolean {
  return BARE_SECRET_NAMES.has(bareName(name));
}

/**
 * Whether the name of a member says that it may carry a secret. Names that the catalogue documents with data are not
 * among them, nor are those of IDs, addresses, labels, and places of a list.
 */
export function mayNameSecret(name: string): boolean {
  return isSecretName(name) || (SECRET_WORD.test(name) && !DATA_WORD.test(name) && !DATA_NAMES.includes(name));
}

const SECRET_WORD =
  /secret|token|password|passphrase|authorization_data|challenge|signature|private_?key|mnemonic|^(?:api_?key|credentials?|otp|tfa|pin|seed)$/i;
const DATA_WORD = /continuation|cursor|page|address|label|[a-z_-]ids?$/i;
/** The members that the catalogue documents with a word of secrets in their name, and that carry none. */
const DATA_NAMES: readonly string[] = ["token_type", "invalidate_token", "is_password"];

/** Whether a text of the wire holds nothing that `scanWireText` would have to find. */
export const quickScanWireText = createQuickScan(SECRET_NAMES);

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
  if (spans.length === 0) return text;
  const values = createSecretValues();
  for (const value of namedTexts(text, spans)) values.keep(value);
  return values.hide(maskSpans(text, spans));
}

/** Returns the texts at these places of a JSON text. */
function namedTexts(text: string, spans: readonly Span[]): readonly string[] {
  const values = spans.map(({ start, end }) => (text[start] === '"' ? parseJson(text.slice(start, end)) : undefined));
  return values.filter((value) => typeof value === "string");
}

/** Adds the secrets in parameters that are about to be sent: a server may repeat them under any name. */
export function noteSent(paramsText: string, values: SecretValues): void {
  for (const value of namedTexts(paramsText, scanWireText(paramsText).secrets)) values.add(value, "sent");
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
  /** Adds a text that is hidden wherever it appears, permanently: a secret that stays what it is. */
  keep(value: string): void;
  /** Adds a secret that is hidden wherever it appears, until others of its kind replace it. */
  add(value: string, kind?: PassingSecret): void;
  /**
   * Returns the text without known secrets, also where JSON, a URL, XML, or a Basic header has them in another form;
   * the given text where there are none. `longestText`: in a JSON text without escapes the length of its longest string
   * or name, where known. A longer secret cannot be there, and is not searched.
   */
  hide(text: string, longestText?: number): string;
}

/** A kind of secret that is replaced again and again: by the server, by a signature, or by the next request. */
type PassingSecret = "token" | "signature" | "sent";

/**
 * Makes the registry of secrets. Of each passing kind it holds the latest only: they are replaced again and again, and
 * old ones are worthless.
 */
export function createSecretValues(): SecretValues {
  const lasting = new Map<string, readonly Form[]>();
  const latest: Record<PassingSecret, ReadonlyMap<string, readonly Form[]>> = {
    token: new Map(),
    signature: new Map(),
    sent: new Map(),
  };
  let forms: readonly Form[] = [];
  /** The length of the shortest secret that stands only within a string. */
  let shortestWord = Infinity;
  let hasOther = false;
  const hold = (): void => {
    forms = [lasting, latest.token, latest.signature, latest.sent].flatMap((each) => [...each.values()].flat());
    shortestWord = Math.min(...forms.filter(({ isWord }) => isWord).map(({ text }) => text.length));
    hasOther = forms.some(({ isWord }) => !isWord);
  };
  return {
    keep(value) {
      if (lasting.has(value)) return;
      lasting.set(value, formsOf(value));
      hold();
    },
    add(value, kind = "token") {
      if (latest[kind].has(value)) return;
      latest[kind] = new Map([...latest[kind], [value, formsOf(value)] as const].slice(-MAX_PASSING));
      hold();
    },
    hide(text, longestText = Infinity) {
      // Nearly every text is too short in its parts for any of them.
      if (forms.length === 0 || (!hasOther && longestText < shortestWord)) return text;
      const bare = ESCAPE.test(text) ? withoutEscapes(text) : undefined;
      let hidden = text;
      for (const form of forms)
        if (bare?.includes(form.bare) === true) hidden = hideForm(hidden, form, true);
        else if ((form.text.length <= longestText || !form.isWord) && hidden.includes(form.text))
          hidden = hideForm(hidden, form, false);
      return hidden;
    },
  };
}

function hideForm(text: string, form: Form, isEscaped: boolean): string {
  const hidden = form.isBase64 ? hideRuns(text, form.text) : text.replaceAll(form.text, HIDDEN);
  return isEscaped ? hidden.replaceAll(new RegExp(escapedPattern(form.text), "g"), HIDDEN) : hidden;
}

/** The number of secrets of a passing kind that are held. */
const MAX_PASSING = 16;
/** The minimum length, in characters, of a secret known by value. A shorter one may stand anywhere by chance. */
export const MIN_SECRET_LENGTH = 8;

/** A text by which a secret is found. */
interface Form {
  readonly text: string;
  /** The text as `withoutEscapes` leaves it. */
  readonly bare: string;
  /**
   * Whether it can stand in a JSON text only within a string. It has no character that JSON uses between values, and is
   * neither a number nor, at its length, a part of one.
   */
  readonly isWord: boolean;
  /** Whether it is a part of a longer run of base64, which is hidden whole. */
  readonly isBase64: boolean;
}

function formsOf(secret: string): readonly Form[] {
  const parts = partsOf(secret);
  const told = parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1), plain.text(part, part.length)]);
  // Nothing sends a private key in a header.
  const encoded = parts.length === 1 ? base64Forms(secret) : [];
  const isBase64 = (text: string): boolean => !told.includes(text);
  return [...new Set([...told, ...encoded])].map((text) => ({
    text,
    bare: withoutEscapes(text),
    isWord: /^[\w.~+/=-]+$/.test(text) && /[^\d.eE+-]/.test(text),
    isBase64: isBase64(text),
  }));
}

/**
 * Returns the parts by which a secret is found: of a private key in PEM all its lines together, and each. Empty for a
 * text that is too short for a secret: hiding it would damage everything else.
 */
function partsOf(secret: string): readonly string[] {
  const isPem = secret.includes("-----");
  const lines = (isPem ? secret.split(/-----[A-Z0-9 ]+-----|[\r\n]+/) : [secret])
    .map((line) => (isPem ? line.trim() : line))
    .filter((line) => line !== "");
  const all = lines.length === 1 ? [] : ["\n", "\r\n", ""].map((between) => lines.join(between));
  return [...all, ...lines].filter(({ length }) => length >= MIN_SECRET_LENGTH);
}

/**
 * Returns what every base64 text has that was made of a text with the secret in it, such as `clientId:secret` of a
 * Basic header. The number of bytes before it decides which.
 */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    // The characters at both ends are made of other bytes, too.
    const start = Math.ceil((before * 8) / 6);
    return (["base64", "base64url"] as const).map((encoding) =>
      bytes.toString(encoding).slice(start, Math.floor((bytes.length * 8) / 6)),
    );
  });
}

const IN_BASE64 = /[\w+/=-]/;

/** Hides a text together with the run of base64 around it. */
function hideRuns(text: string, part: string): string {
  let hidden = "";
  let from = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, from)) {
    let start = at;
    while (start > from && IN_BASE64.test(text.charAt(start - 1))) start--;
    let end = at + part.length;
    while (end < text.length && IN_BASE64.test(text.charAt(end))) end++;
    hidden += text.slice(from, start) + HIDDEN;
    from = end;
  }
  return hidden + text.slice(from);
}

/** Returns the last name of each secret path: what is secret in one response is not worth showing in another. */
function catalogueNames(): string[] {
  return allMethods()
    .flatMap(({ resultSecrets, paramSecrets }) =>
      [...resultSecrets, ...paramSecrets.map((path) => path.split("."))].map(lastName),
    )
    .filter((name) => !DATA_ELSEWHERE.includes(name));
}

function lastName(path: readonly string[]): string {
  return path.findLast((part) => part !== "*") ?? "";
}
