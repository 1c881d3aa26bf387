import type { Log, LogLine } from "../../base/log.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { createSecretValues, hiderOf } from "../../rpc/maskSecrets.ts";

/** A log whose texts never contain the secrets that it was told about. */
export interface MaskingLog extends Log {
  /** Hides a secret from now on, wherever it occurs and however it is written. */
  mask(secret: string): void;
  /** Returns the text without these secrets, and without what can be nothing but a credential. */
  hide(text: string): string;
  /** The newest lines, oldest first, whatever level the channel shows; texts sent or received are not among them. */
  readonly recent: readonly LogLine[];
}

/** The number of lines that are kept for a support file. */
const MAX_RECENT = 200;

/**
 * Makes a log that writes to the output channel of VS Code (or any other log), masked and escaped. `now`: ms since the
 * Unix epoch; without it, no line is kept.
 */
export function createMaskingLog(channel: Log, now?: () => number): MaskingLog {
  const secrets = createSecretValues();
  const recent: LogLine[] = [];
  const hide = hiderOf(secrets);
  const shown = (message: string): Plain => plain.text(hide(message));
  const write = (level: LogLine["level"], message: string): void => {
    const text = shown(message);
    channel[level](text);
    if (now === undefined) return;
    recent.push({ atMs: now(), level, text });
    if (recent.length > MAX_RECENT) recent.shift();
  };
  return {
    hide,
    recent,
    mask: (secret) => secrets.keep(secret),
    trace: (message) => channel.trace(shown(message)),
    debug: (message) => write("debug", message),
    info: (message) => write("info", message),
    warn: (message) => write("warn", message),
    error: (message) => write("error", message),
  };
}
