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
export const TOO_MANY_REQUESTS = 10028;
export const SETTLEMENT_IN_PROGRESS = 10041;
export const TOO_MANY_CONCURRENT_REQUESTS = 10066;
export const PERMISSION_DENIED = 11042;
export const NOT_OPEN_ORDER = 11044;
export const SYSTEM_MAINTENANCE = 11051;
export const INTERNAL_SERVER_ERROR = 11094;
export const SECURITY_KEY_AUTHORIZATION_OVER_LIMIT = 12998;
export const INVALID_CREDENTIALS = 13004;
export const UNAUTHORIZED = 13009;
export const NOT_FOUND = 13020;
export const FORBIDDEN = 13021;
export const ACTIVE_COMBO_LIMIT_REACHED = 13035;
export const SCOPE_EXCEEDED = 13403;
export const SECURITY_KEY_AUTHORIZATION_ERROR = 13668;
export const MOVE_POSITIONS_OVER_LIMIT = 13780;
export const TIMED_OUT = 13888;
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
