/**
 * Returns the name of the encoding of a file whose text was read as UTF-8, where its start shows another one.
 * PowerShell writes UTF-16 with `>`. The marks of these encodings are no UTF-8, and without a mark every second byte is
 * 0.
 */
export function foreignEncoding(text: string): "UTF-16" | "UTF-32" | undefined {
  const start = text.slice(0, 4);
  if (UTF_32.test(start)) return "UTF-32";
  return UTF_16.test(start) ? "UTF-16" : undefined;
}

const UTF_32 = /^(?:\uFFFD\uFFFD\0\0|\0\0\uFFFD\uFFFD|[^\0]\0\0\0|\0\0\0[^\0])/;
const UTF_16 = /^(?:\uFFFD\uFFFD|[^\0]\0|\0[^\0])/;
