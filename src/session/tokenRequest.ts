import { parseObject } from "../base/json.ts";
import { scopeLines, type ScopeLevel } from "../catalogue/scopeLines.ts";

/*
 * What a program and the extension say to each other on the socket of a Trading RPC terminal. Each text is one line of
 * JSON: the extension's nonce, the program's request, the extension's response. Then the socket stays open until the
 * program ends, and with it the token.
 *
 * The terminal's environment has a key. It never crosses the socket: a request proves it with a nonce that counts once.
 */

/** The names of the variables that only a Trading RPC terminal has. */
export const TERMINAL_VARIABLES = {
  /** The address of the socket: a path, or the name of a pipe on Windows. */
  socket: "TRADING_RPC_VSCODE_SOCKET",
  /** The key of the terminal, which proves that a program was started in it. */
  key: "TRADING_RPC_VSCODE_KEY",
  /** The program that runs `trading-rpc`: VS Code itself, as Node. */
  node: "TRADING_RPC_VSCODE_NODE",
} as const;

/** A program's request for an access token. Every text is the program's own word. */
export interface TokenRequest {
  readonly proof: string;
  /** The command and its files. */
  readonly program: string;
  readonly folder: string;
  /** The name of the connection. */
  readonly connection: string;
  /** The environment that it has to have. */
  readonly environment: string;
  /** The scopes, such as `trade:read`; empty for everything that the connection can read. */
  readonly scope: readonly string[];
}

/** A token and where to use it. */
export interface TokenLoan {
  readonly accessToken: string;
  readonly url: string;
  /** The scope that the server has granted, as received. */
  readonly scope: string;
  /** Whether the server is the simulator that the extension has started. */
  readonly isBuiltIn: boolean;
}

/** The response to a request: a token, or a sentence about why there is none. */
export type TokenResponse = TokenLoan | { readonly refused: string };

/** The maximum length of a line, in characters; a longer one is not read. */
export const MAX_LINE_LENGTH = 8192;

/** Returns the line of a text on the socket. */
export function lineOf(text: { readonly nonce: string } | TokenRequest | TokenResponse): string {
  return `${JSON.stringify(text)}\n`;
}

/** Takes pieces of a stream. `take` returns the lines that are complete; undefined once one is too long. */
export function createLineReader(): { take(piece: string): readonly string[] | undefined } {
  let rest = "";
  return {
    take(piece) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      return [...lines, rest].some((line) => line.length > MAX_LINE_LENGTH) ? undefined : lines;
    },
  };
}

/** Returns the nonce of a line; undefined where it has none. */
export function readNonce(line: string): string | undefined {
  const nonce = parseObject(line)?.["nonce"];
  return typeof nonce === "string" ? nonce : undefined;
}

/** Returns the request of a line; undefined where it isn't one. */
export function readTokenRequest(line: string): TokenRequest | undefined {
  const { proof, program, folder, connection, environment, scope } = parseObject(line) ?? {};
  return typeof proof === "string" &&
    typeof program === "string" &&
    typeof folder === "string" &&
    typeof connection === "string" &&
    typeof environment === "string" &&
    Array.isArray(scope) &&
    scope.every((entry) => typeof entry === "string")
    ? { proof, program, folder, connection, environment, scope }
    : undefined;
}

/** Returns the response of a line; undefined where it isn't one. */
export function readTokenResponse(line: string): TokenResponse | undefined {
  const { accessToken, url, scope, isBuiltIn, refused } = parseObject(line) ?? {};
  if (typeof refused === "string") return { refused };
  return typeof accessToken === "string" &&
    accessToken !== "" &&
    typeof url === "string" &&
    typeof scope === "string" &&
    typeof isBuiltIn === "boolean"
    ? { accessToken, url, scope, isBuiltIn }
    : undefined;
}

/** Whether a text is a scope that can be asked for, such as `trade:read`. */
export function isAskable(entry: string): boolean {
  return /^[a-z]+(?:_[a-z]+)*:(?:read|read_write)$/.test(entry);
}

/**
 * Returns the scopes to sign in with: the wanted ones, or everything that the granted scope can read. Empty where the
 * granted scope names nothing. `excess` are wanted scopes that the connection doesn't have.
 */
export function narrowScope(
  granted: string,
  wanted: readonly string[],
): { readonly scope: readonly string[]; readonly excess: readonly string[] } {
  const levels = new Map<string, ScopeLevel>(
    scopeLines(granted).flatMap((line) =>
      line.kind === "area" && line.level !== "none" ? [[line.area, line.level]] : [],
    ),
  );
  const isThere = (entry: string): boolean => {
    const [area = "", level] = entry.split(":");
    return isAskable(entry) && levels.has(area) && (level === "read" || levels.get(area) === "read_write");
  };
  const scope = wanted.length === 0 ? [...levels.keys()].map((area) => `${area}:read`) : [...new Set(wanted)];
  return { scope: scope.filter(isThere), excess: scope.filter((entry) => !isThere(entry)) };
}
