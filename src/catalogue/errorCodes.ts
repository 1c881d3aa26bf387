import * as l10n from "@vscode/l10n";
import * as codes from "./codes.ts";
import { ERROR_ROWS, type ErrorRow } from "./errorTable.ts";
import { methodFacts } from "./index.ts";

/** The meaning of an error code for the user. */
export interface ErrorDescription {
  /** The exchange's own name of the error. */
  readonly name: string;
  /** A sentence: the meaning. */
  readonly meaning: string;
  /** A sentence: the advice. */
  readonly advice: string;
  /** A sentence: the additional advice where something was to be changed; empty where that makes no difference. */
  readonly adviceOnChange: string;
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
export type ReadRetry = "afterWait" | "soon" | "reauthenticate" | "secondFactor" | "never";

const rowsByCode = groupByCode(ERROR_ROWS);

/**
 * Returns the meaning of an error code and the advice; undefined for an undocumented code. `message` is the text that
 * came with it: one code (13907) has two meanings that only the message tells apart.
 */
export function describeErrorCode(code: number, message: string): ErrorDescription | undefined {
  const rows = rowsByCode.get(code) ?? [];
  const row = rows.find((each) => message.startsWith(each.name)) ?? rows[0];
  if (row === undefined) return undefined;
  const retry = readRetryOf(code);
  const isOpen = retry === "soon" || code === codes.INTERNAL_ERROR;
  return {
    name: row.name,
    meaning: row.meaning(),
    advice: ADVICE[code]?.() ?? adviceFor(retry),
    adviceOnChange: isOpen ? l10n.t("Before repeating a change, look whether it was made.") : "",
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

/**
 * The codes of a method that is missing, parameters that were refused, or a caller that lacks the right. For any
 * method, nothing was done.
 */
const REFUSED_BEFORE_WORK = [
  codes.METHOD_NOT_FOUND,
  codes.INVALID_PARAMS,
  codes.UNAUTHORIZED,
  codes.FORBIDDEN,
] as const;

/**
 * Returns the error codes that prove that a call of this method changed nothing. Any other code, known or not, leaves
 * the outcome open: the exchange also returns errors after it has acted.
 */
export function definitiveRefusals(method: string): ReadonlySet<number> {
  return new Set([...REFUSED_BEFORE_WORK, ...(methodFacts(method)?.refusals ?? [])]);
}

const ADVICE: Readonly<Record<number, () => string>> = {
  [codes.REQUEST_ENTITY_TOO_LARGE]: () => l10n.t("Send less in one request: fewer channels, shorter lists."),
  [codes.METHOD_NOT_FOUND]: () => l10n.t("This server may not offer the method, or its name is misspelt."),
  [codes.INVALID_PARAMS]: () => l10n.t("Correct the parameter that the response names and send again."),
  [codes.INTERNAL_ERROR]: () => l10n.t("Try again later."),
  [-32700]: () => l10n.t("The server could not read the request as JSON; look at the text that was sent."),
  [codes.AUTHORIZATION_REQUIRED]: () => l10n.t("Connect with an API key: this method needs a signed-in session."),
  [codes.ORDER_NOT_FOUND]: () =>
    l10n.t("The order is no longer there: filled, cancelled, or of another account. Refresh the open orders."),
  10009: () => l10n.t("Reduce the size, or free margin by cancelling orders or adding funds."),
  [codes.ALREADY_CLOSED]: () => l10n.t("The order was filled or cancelled before. Refresh the open orders."),
  [codes.TOO_MANY_REQUESTS]: () =>
    l10n.t("Wait a few seconds and send less often; the connection comes back by itself if it was closed."),
  10029: () => l10n.t("Switch to the account that placed the order."),
  10030: () => l10n.t("Send it over the WebSocket connection."),
  10047: () => l10n.t("Wait until earlier order requests are answered, then look before you repeat a change."),
  [codes.PERMISSION_DENIED]: () => l10n.t("Use an API key that is permitted to do this."),
  [codes.NOT_OPEN_ORDER]: () => l10n.t("The order was filled or cancelled before. Refresh the open orders."),
  11050: () => l10n.t("Compare the request with the method's documentation: the server could not make sense of it."),
  [codes.SYSTEM_MAINTENANCE]: () => l10n.t("Wait for the end of the maintenance; the connection comes back by itself."),
  [codes.SECURITY_KEY_AUTHORIZATION_OVER_LIMIT]: () =>
    l10n.t("Nothing was changed. Try again after that time, with a code that was not used yet."),
  [codes.INVALID_CREDENTIALS]: () =>
    l10n.t(
      "Check the client id and the secret, and that they belong to this environment: test keys do not work on production. The clock of this computer has to be right too.",
    ),
  [codes.UNAUTHORIZED]: () => l10n.t("Connect again; if that fails too, the API key was changed or removed."),
  [codes.FORBIDDEN]: () =>
    l10n.t("Use an API key with the scope that the method needs, or change the scope of this one."),
  [codes.SCOPE_EXCEEDED]: () => l10n.t("Use a key whose own scope covers that of the key to be changed."),
  [codes.SECURITY_KEY_AUTHORIZATION_ERROR]: () =>
    l10n.t("Start again and enter a new code; a code works once and for one minute."),
  13778: () => l10n.t("Connect with an API key, or use a channel with an interval such as 100ms."),
  [codes.SECURITY_KEY_SETUP_REQUIRED]: () => l10n.t("Set up a second factor in the exchange's web interface first."),
};

function adviceFor(retry: ReadRetry): string {
  switch (retry) {
    case "afterWait":
      return l10n.t("Wait for the time that the exchange names, then try again.");
    case "soon":
      return l10n.t("Try again in a few seconds.");
    case "reauthenticate":
      return l10n.t("Connect again.");
    case "secondFactor":
      return l10n.t("Confirm with your second factor.");
    case "never":
      return l10n.t("Change the request: sent again as it is, it will be refused again.");
  }
}

function groupByCode(rows: readonly ErrorRow[]): ReadonlyMap<number, readonly ErrorRow[]> {
  const groups = new Map<number, ErrorRow[]>();
  for (const row of rows) groups.set(row.code, [...(groups.get(row.code) ?? []), row]);
  return groups;
}
