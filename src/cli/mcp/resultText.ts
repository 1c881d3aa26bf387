import type { Plain } from "../../base/plain.ts";
import * as l10n from "../../base/l10n.ts";
import { chatResponseText, type ChatResponse } from "../../present/requests/chatText.ts";

/** The most rows of a list, and the most bytes of a result. */
export const RESULT_LIMITS = { maxRows: 200, maxBytes: 64 * 1024 } as const;

/** Returns a response of the exchange as far as the limits go, as data with its title, and how much is missing. */
export function responseText(response: Omit<ChatResponse, "hide">): string {
  const { maxRows, maxBytes } = RESULT_LIMITS;
  for (let maxLength: number = maxBytes; ; maxLength = Math.floor(maxLength / 2)) {
    const text = chatResponseText(
      { ...response, hide: (data) => data },
      { maxLines: Infinity, maxLength, maxElements: maxRows },
    );
    if (bytesOf(text) <= maxBytes) return text;
  }
}

/** Returns a text of ours as far as the limit goes, and that the end is missing. */
export function limitedText(text: string): string {
  const { maxBytes } = RESULT_LIMITS;
  if (bytesOf(text) <= maxBytes) return text;
  const note: Plain = l10n.t("The end is missing: a result has up to {0} bytes.", maxBytes);
  const room = maxBytes - bytesOf(note) - 1;
  const cut = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, room)).replace(/\uFFFD+$/, "");
  return `${cut}\n${note}`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
