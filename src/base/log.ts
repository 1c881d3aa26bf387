import { plain } from "./plain.ts";

/** The log that the core writes to. Implementations mask secrets and escape text before they keep it. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A line as it was written. */
export interface LogLine {
  /** The time in ms since the Unix epoch. */
  readonly atMs: number;
  readonly level: Exclude<keyof Log, "trace">;
  readonly text: string;
}

/** Returns the same log for one connection, whose name its lines begin with. */
export function logOf(log: Log, connectionName: string): Log {
  const start = lineStart(connectionName);
  return {
    trace: (message) => log.trace(start + message),
    debug: (message) => log.debug(start + message),
    info: (message) => log.info(start + message),
    warn: (message) => log.warn(start + message),
    error: (message) => log.error(start + message),
  };
}

/** Returns the beginning of the lines of a connection. */
export function lineStart(connectionName: string): string {
  return `[${plain.text(connectionName, MAX_NAME).replaceAll("]", ")")}] `;
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
