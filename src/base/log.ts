import { plain } from "./plain.ts";

/** Where the core writes what it did. Implementations mask secrets and escape text before it is kept. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A line as it was written. */
export interface LogLine {
  /** Ms since the Unix epoch. */
  readonly atMs: number;
  readonly level: Exclude<keyof Log, "trace">;
  readonly text: string;
}

/** The same log for one connection: its lines say whose they are. */
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

/** What the lines of a connection begin with. */
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
