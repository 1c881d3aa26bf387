/** Returns forms in which a text can hold a secret: as it is, escaped, encoded, and each half of it. */
export function formsOf(secret: string): readonly string[] {
  const half = Math.floor(secret.length / 2);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    encodeURIComponent(secret),
    ...[0, 1, 2].flatMap((before) => [encoded(secret, before, "base64"), encoded(secret, before, "base64url")]),
    Buffer.from(secret).toString("hex"),
    secret.replaceAll(/./gs, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`),
    secret.slice(0, half),
    secret.slice(half),
  ];
}

/** What every text has that was encoded with the secret in it, a number of bytes after a whole group of three. */
function encoded(secret: string, before: number, encoding: "base64" | "base64url"): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const text = bytes.toString(encoding).replace(/=+$/, "");
  return text.slice(Math.ceil((before * 8) / 6), bytes.length % 3 === 0 ? undefined : -1);
}
