/* How wide the column of a response is beside its request. */

/** The share of the width that a response gets, at least and at most: neither column may be too narrow to work in. */
const LEAST_SHARE = 0.4;
const MOST_SHARE = 0.65;
/** The longest lines that count, in characters: what is longer wraps in any column. */
const MOST_CHARACTERS = 120;
/** The most characters of a text that are looked at. */
const MOST_TEXT = 50_000;

/** Returns the share of the width for a response, by the longest lines of both texts: from 0.4 to 0.65. */
export function responseShare(requestText: string, responseText: string): number {
  const [request, response] = [longestLine(requestText), longestLine(responseText)];
  const share = response / Math.max(1, request + response);
  return Math.min(MOST_SHARE, Math.max(LEAST_SHARE, Math.round(share * 100) / 100));
}

function longestLine(text: string): number {
  const lengths = text
    .slice(0, MOST_TEXT)
    .split("\n")
    .map(({ length }) => length);
  return Math.min(MOST_CHARACTERS, Math.max(0, ...lengths));
}
