/*
 * The error codes that the program acts on, by the exchange's names. What each means to the user is in
 * `errorTable.ts`; what follows from it, in `errorCodes.ts`. https://docs.deribit.com/articles/errors
 */

export const REQUEST_ENTITY_TOO_LARGE = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const MISSING_PARAMS = -32000;
/** The code of a call that a recording has no response for: JSON-RPC leaves it to servers, the exchange has none. */
export const NOT_IN_RECORDING = -32001;

export const AUTHORIZATION_REQUIRED = 10000;
export const ORDER_NOT_FOUND = 10004;
export const ALREADY_CLOSED = 10010;
export const PRICE_NOT_ALLOWED = 10011;
export const TOO_MANY_REQUESTS = 10028;
export const SETTLEMENT_IN_PROGRESS = 10041;
export const TOO_MANY_CONCURRENT_REQUESTS = 10066;
export const PERMISSION_DENIED = 11042;
export const NOT_OPEN_ORDER = 11044;
export const SYSTEM_MAINTENANCE = 11051;
export const SECURITY_KEY_AUTHORIZATION_OVER_LIMIT = 12998;
export const INVALID_CREDENTIALS = 13004;
export const UNAUTHORIZED = 13009;
export const NOT_FOUND = 13020;
export const TIMED_OUT = 13888;
export const FORBIDDEN = 13021;
export const ACTIVE_COMBO_LIMIT_REACHED = 13035;
export const SCOPE_EXCEEDED = 13403;
export const SECURITY_KEY_AUTHORIZATION_ERROR = 13668;
export const MOVE_POSITIONS_OVER_LIMIT = 13780;
export const SECURITY_KEY_SETUP_REQUIRED = 13904;

/**
 * The codes of a 2FA code that was wrong, missing, wrong too often, or cannot be had.
 * https://docs.deribit.com/articles/security-keys
 */
export const SECOND_FACTOR: readonly number[] = [
  SECURITY_KEY_AUTHORIZATION_ERROR,
  SECURITY_KEY_AUTHORIZATION_OVER_LIMIT,
  SECURITY_KEY_SETUP_REQUIRED,
];

/**
 * Whether an error code says that only the 2FA code prevented a call. Nothing was changed, and the call waits for a
 * right code.
 */
export function isSecondFactor(code: number): boolean {
  return SECOND_FACTOR.includes(code);
}

/**
 * The codes of an order or quote that is missing, already closed or not open, or that a rule of prices forbids.
 * Reliability §2.4.
 */
export const NOTHING_TO_CANCEL: readonly number[] = [
  ORDER_NOT_FOUND,
  ALREADY_CLOSED,
  PRICE_NOT_ALLOWED,
  NOT_OPEN_ORDER,
];

/**
 * The codes of an order, or of a change of one, that the exchange does not take: because of its terms, the state of the
 * book, or what the account has. Each is decided before the order rests or trades.
 * https://docs.deribit.com/articles/errors
 */
export const ORDER_REFUSED: readonly number[] = [
  ...[10002, 10003, ORDER_NOT_FOUND, 10005, 10006, 10007, 10009, ALREADY_CLOSED, PRICE_NOT_ALLOWED, 10012, 10013],
  ...[10014, 10015, 10016, 10017, 10018, 10020, 10021, 10022, 10023, 10024, 10025, 10026, 10027, 10029, 10031, 10032],
  ...[10034, 10035, 10036, 10037, 10039, 10043, 10044, 10046, 11013, 11022, 11035, 11036, 11037, 11038, 11039, 11041],
  ...[11043, NOT_OPEN_ORDER, 11046, 11047, 11048, 11049, 11054, 11055, TIMED_OUT],
];
