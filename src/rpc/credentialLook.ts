/*
 * What can be nothing but a credential, whatever holds it: a JSON Web Token, whose first two parts are JSON objects in
 * base64 (RFC 7519), and a private key in PEM (RFC 7468), also with line breaks written as `\n`, or without its end.
 */
const CREDENTIAL =
  /\beyJ[\w-]{6,}\.eyJ[\w-]{6,}(?:\.[\w-]*)?|-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----(?:[\w+/=:,\s\\]|-(?!----))*(?:-----END [A-Z\d ]{0,40}PRIVATE KEY-----)?/g;

/** Whether a text has a JSON Web Token or a private key in PEM in it. */
export function hasCredential(text: string): boolean {
  return text.search(CREDENTIAL) >= 0;
}

/** Returns a text with `hidden` instead of each JSON Web Token and each private key in PEM. */
export function withoutCredentials(text: string, hidden: string): string {
  return text.replaceAll(CREDENTIAL, hidden);
}
