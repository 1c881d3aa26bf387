/**
 * Whether a text looks like a token or key of a server: long, with letters in both cases and digits. It has no blanks
 * and no pattern. A public key in PEM is none: everyone may have it. What only looks like one is never refused.
 */
export function looksLikeToken(text: string): boolean {
  if (PUBLIC_KEY.test(text)) return false;
  if (text.includes("-----BEGIN ")) return true;
  return [...text.matchAll(TOKEN)].some(([run]) => isToken(run));
}

const TOKEN = /[\w.~+/=-]{24,}/g;
/** A text that is a public key in PEM and nothing else. */
const PUBLIC_KEY = /^\s*-----BEGIN PUBLIC KEY-----[A-Za-z\d+/=\s]+-----END PUBLIC KEY-----\s*$/;
const MIN_TOKEN_LENGTH = 24;
/**
 * The least share of characters whose kind differs from the one before. Random text has more than half, words and
 * identifiers few.
 */
const MIN_CHANGES = 0.3;

/**
 * The names of instruments, which are long and mixed too: `XRP_USDC-30JUN23-0d625-C`, `BTC-STRG-26MAR27-72000_80000`.
 */
const INSTRUMENT = /^[A-Z\d]{2,10}(?:_[A-Z\d]{2,10})?(?:-[A-Za-z\d]{1,10}(?:_[A-Za-z\d]{1,10})?){1,4}$/;

function isToken(run: string): boolean {
  return (
    !INSTRUMENT.test(run) &&
    run
      .split(".")
      .some(
        (part) =>
          part.length >= MIN_TOKEN_LENGTH &&
          KINDS.slice(0, 3).every((kind) => kind.test(part)) &&
          changes(part) >= MIN_CHANGES * part.length,
      )
  );
}

const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^\w]|_/] as const;

/** Returns how many of these are in a text: small letters, capitals, digits, and signs. */
export function kindsOfCharacters(text: string): number {
  return KINDS.filter((kind) => kind.test(text)).length;
}

/** Returns how often a character is of another kind than the one before. */
function changes(text: string): number {
  const kinds = Array.from(text, (character) => KINDS.findIndex((kind) => kind.test(character)));
  return kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
}
