import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";

/** A log whose texts never contain the secrets that it was told about. */
export interface MaskingLog extends Log {
  /** From now on this text is written as `•••`, wherever it stands. */
  mask(secret: string): void;
  /** The text with `•••` in the place of each of them. */
  hide(text: string): string;
}

/** Shorter texts are no secrets, and masking them would make the log unreadable. */
const MIN_SECRET_LENGTH = 6;

/** Writes to the editor's output channel (or any other log), masked and escaped. */
export function createMaskingLog(channel: Log): MaskingLog {
  const secrets = new Set<string>();
  const hide = (text: string): string => {
    let masked = text;
    for (const secret of secrets) masked = masked.replaceAll(secret, "•••");
    return masked;
  };
  const shown = (message: string): string => plain(hide(message));
  return {
    hide,
    mask(secret) {
      if (secret.length >= MIN_SECRET_LENGTH) secrets.add(secret);
    },
    trace: (message) => channel.trace(shown(message)),
    debug: (message) => channel.debug(shown(message)),
    info: (message) => channel.info(shown(message)),
    warn: (message) => channel.warn(shown(message)),
    error: (message) => channel.error(shown(message)),
  };
}
