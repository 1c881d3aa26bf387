import { plain, type Plain } from "./plain.ts";

/** The log that the core writes to. Implementations mask secrets and escape text before they keep it. */
export interface Log {
  trace(message: Plain): void;
  debug(message: Plain): void;
  info(message: Plain): void;
  warn(message: Plain): void;
  error(message: Plain): void;
}

/** A line as it was written. */
export interface LogLine {
  /** The time in ms since the Unix epoch. */
  readonly atMs: number;
  readonly level: Exclude<keyof Log, "trace">;
  readonly text: Plain;
}

/** Returns the same log for one connection, whose name its lines begin with. */
export function logOf(log: Log, connectionName: string): Log {
  const start = lineStart(connectionName);
  return {
    trace: (message) => log.trace(plain`${start}${message}`),
    debug: (message) => log.debug(plain`${start}${message}`),
    info: (message) => log.info(plain`${start}${message}`),
    warn: (message) => log.warn(plain`${start}${message}`),
    error: (message) => log.error(plain`${start}${message}`),
  };
}

/** Returns the beginning of the lines of a connection. */
export function lineStart(connectionName: string): Plain {
  return plain`[${plain.text(plain.text(connectionName, MAX_NAME).replaceAll("]", ")"))}] `;
}

const MAX_NAME = 60;

/** A log that keeps nothing. */
export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
