import * as l10n from "../base/l10n.ts";
import type { Plain } from "../base/plain.ts";
import * as codes from "./codes.ts";
import { ERROR_ROWS, EVERY_EFFECT, type ErrorRow, type ErrorVerdict } from "./errorTable.ts";
import { methodFacts, type Effect } from "./index.ts";

/** The meaning of an error code for the user. */
interface ErrorDescription {
  /** The exchange's own name of the error. */
  readonly name: string;
  /** A sentence: the meaning. */
  readonly meaning: Plain;
  /** A sentence: the advice. */
  readonly advice: Plain;
  /** A sentence: the additional advice where something was to be changed; empty where that makes no difference. */
  readonly adviceOnChange: Plain;
}

/**
 * The step that may follow an error of a read. Never applied to a call that changes something.
 *
 * - `afterWait`: again after the time that the exchange names, or a second and more;
 * - `soon`: a passing state of the server, again with growing pauses;
 * - `reauthenticate`: sign in once, then once more;
 * - `secondFactor`: the user has to confirm;
 * - `never`: the same call ends the same way.
 */
type ReadRetry = "afterWait" | "soon" | "reauthenticate" | "secondFactor" | "never";

const rowsByCode = groupByCode(ERROR_ROWS);

/**
 * Returns the meaning of an error code and the advice; undefined for an undocumented code. `message` is the text that
 * came with it: one code (13907) has two meanings that only the message tells apart.
 */
export function describeErrorCode(code: number, message: string): ErrorDescription | undefined {
  const row = namedRow(code, message) ?? rowsByCode.get(code)?.[0];
  if (row === undefined) return undefined;
  const retry = readRetryOf(code);
  // The gateway's words: the method is there, but not offered.
  if (code === codes.METHOD_NOT_FOUND && /\ballowlist\b/i.test(message))
    return {
      name: row.name,
      meaning: l10n.t("This server doesn't offer the method."),
      advice: l10n.t("It can't be used over this connection."),
      adviceOnChange: "",
    };
  return {
    name: row.name,
    meaning: row.meaning(),
    advice: ADVICE[code]?.() ?? adviceFor(retry),
    adviceOnChange: row.verdict === "unknown" ? l10n.t("Before you repeat a change, check whether it was made.") : "",
  };
}

const RETRIES: readonly (readonly [ReadRetry, readonly number[]])[] = [
  [
    "afterWait",
    [
      codes.TOO_MANY_REQUESTS,
      codes.TOO_MANY_CONCURRENT_REQUESTS,
      codes.SECURITY_KEY_AUTHORIZATION_OVER_LIMIT,
      codes.MOVE_POSITIONS_OVER_LIMIT,
      codes.ACTIVE_COMBO_LIMIT_REACHED,
    ],
  ],
  [
    "soon",
    [10040, codes.SETTLEMENT_IN_PROGRESS, 10047, 10048, 10050, codes.SYSTEM_MAINTENANCE, 11056, 11094, 13028, 13503],
  ],
  ["reauthenticate", [codes.UNAUTHORIZED, codes.AUTHORIZATION_REQUIRED]],
  ["secondFactor", codes.SECOND_FACTOR],
];

/** Returns whether and when a read that ended with this code may be tried again; never for unclassified codes. */
export function readRetryOf(code: number): ReadRetry {
  return RETRIES.find(([, each]) => each.includes(code))?.[0] ?? "never";
}

/** The codes of a method that is missing, parameters that were refused, or a caller that lacks the right. */
const REFUSED_FOR_GOOD: readonly number[] = [codes.METHOD_NOT_FOUND, codes.INVALID_PARAMS, codes.FORBIDDEN];

/** Whether a read is refused for the same reason again until the server or the key has changed. */
export function isRefusedForGood(code: number): boolean {
  return REFUSED_FOR_GOOD.includes(code);
}

/** A call that an error answers. */
export interface JudgedCall {
  readonly method: string;
  readonly effect: Effect;
  /** The parameters that were sent; left out where they are not known. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * Returns what an error response proves about a change. It proves nothing where the table does not know its code, or
 * has no source for calls of this kind, or where part of what the call is about may have been made.
 */
export function errorVerdict(
  { code, message }: { readonly code: number; readonly message: string },
  { method, effect, params = {} }: JudgedCall,
): ErrorVerdict {
  const row = namedRow(code, message);
  const facts = methodFacts(method);
  if (row === undefined) return "unknown";
  // A server that does not have the method ran nothing, whatever the method is about (JSON-RPC 2.0, section 5.1).
  if (code === codes.METHOD_NOT_FOUND) return row.verdict;
  if (facts?.isOnSeveralObjects === true) return "unknown";
  // No source tells what a code means for a method that the catalogue doesn't know, unless it means that for any.
  if (facts === undefined && row.effects !== EVERY_EFFECT) return "unknown";
  if (!row.effects.includes(effect) || (row.needs !== undefined && (params[row.needs] ?? null) === null))
    return "unknown";
  return row.verdict;
}

/** Whether an error response proves that a change was not made. */
export function provesRefusal(error: Parameters<typeof errorVerdict>[0], call: JudgedCall): boolean {
  return errorVerdict(error, call) !== "unknown";
}

const ADVICE: Readonly<Record<number, () => Plain>> = {
  [codes.NOT_IN_RECORDING]: () =>
    l10n.t("The method and the parameters must be those of a recorded request. Start the replay again to begin again."),
  [codes.REQUEST_ENTITY_TOO_LARGE]: () => l10n.t("Send less in one request: fewer channels, shorter arrays."),
  [codes.METHOD_NOT_FOUND]: () => l10n.t("This server may not support the method, or its name is misspelled."),
  [codes.INVALID_PARAMS]: () => l10n.t("Correct the parameter named in the response and send the request again."),
  [codes.INTERNAL_ERROR]: () => l10n.t("Try again later."),
  [-32700]: () => l10n.t("The server couldn't parse the request as JSON. Check the text that was sent."),
  [codes.AUTHORIZATION_REQUIRED]: () => l10n.t("Connect with an API key. This method requires a signed-in connection."),
  [codes.ORDER_NOT_FOUND]: () =>
    l10n.t(
      "This doesn't prove that the order is gone. It may belong to another account or to a quote. Refresh the open orders.",
    ),
  10009: () => l10n.t("Reduce the size, or free up margin by cancelling orders or adding funds."),
  [codes.ALREADY_CLOSED]: () => l10n.t("The order was already filled or cancelled. Refresh the open orders."),
  [codes.TOO_MANY_REQUESTS]: () =>
    l10n.t(
      "Wait a few seconds and send requests less often. If the connection was closed, it reconnects automatically.",
    ),
  10029: () => l10n.t("Switch to the account that placed the order. It may still be open there."),
  10030: () => l10n.t("Send the request over the WebSocket connection."),
  10047: () =>
    l10n.t("Wait for the responses to earlier order requests. Check the current state before you repeat a change."),
  [codes.PERMISSION_DENIED]: () => l10n.t("Use an API key that is allowed to do this."),
  [codes.NOT_OPEN_ORDER]: () =>
    l10n.t("The order was already filled, triggered, or cancelled. Refresh the open orders."),
  11050: () => l10n.t("The server couldn't interpret the request. Compare it with the method's documentation."),
  [codes.SYSTEM_MAINTENANCE]: () => l10n.t("Wait until maintenance ends. The connection reconnects automatically."),
  [codes.SECURITY_KEY_AUTHORIZATION_OVER_LIMIT]: () =>
    l10n.t("Nothing was changed. Try again after that time with a new 2FA code."),
  [codes.INVALID_CREDENTIALS]: () =>
    l10n.t(
      "Check the client ID and client secret (or private key), and that they belong to this environment. Testnet API keys don't work on production. Also check that the clock of this computer is right.",
    ),
  [codes.UNAUTHORIZED]: () => l10n.t("Connect again. If that fails too, the API key was changed or removed."),
  [codes.FORBIDDEN]: () =>
    l10n.t("Use an API key with the scope that the method requires, or change the scope of this one."),
  [codes.SCOPE_EXCEEDED]: () => l10n.t("Use an API key whose scope covers the scope of the key you want to change."),
  [codes.SECURITY_KEY_AUTHORIZATION_ERROR]: () =>
    l10n.t("Start again and enter a new 2FA code. A code works once and for one minute."),
  13778: () => l10n.t("Connect with an API key, or use a channel with an interval such as 100ms."),
  [codes.SECURITY_KEY_SETUP_REQUIRED]: () =>
    l10n.t("Set up two-factor authentication (2FA) in the exchange's web interface first."),
};

function adviceFor(retry: ReadRetry): Plain {
  switch (retry) {
    case "afterWait":
      return l10n.t("Wait for the time given by the exchange, then try again.");
    case "soon":
      return l10n.t("Try again in a few seconds.");
    case "reauthenticate":
      return l10n.t("Connect again.");
    case "secondFactor":
      return l10n.t("Confirm with your 2FA code.");
    case "never":
      return l10n.t("Change the request before you send it again. The same request will be refused again.");
  }
}

/** Returns the row of an error. Where a code stands twice, the first word of the message has to be that of a row. */
function namedRow(code: number, message: string): ErrorRow | undefined {
  const rows = rowsByCode.get(code) ?? [];
  return rows.length === 1 ? rows[0] : rows.find(({ name }) => message.split(/\s/, 1)[0] === name);
}

function groupByCode(rows: readonly ErrorRow[]): ReadonlyMap<number, readonly ErrorRow[]> {
  const groups = new Map<number, ErrorRow[]>();
  for (const row of rows) groups.set(row.code, [...(groups.get(row.code) ?? []), row]);
  return groups;
}
