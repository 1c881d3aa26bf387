import { plain, type Plain } from "./plain.ts";

/** A rule that a value breaks: the place and the message. `path` is empty for the value itself. */
export interface Problem {
  /** The member names and indexes from the value's root, e.g. `["params", "count"]`. */
  readonly path: readonly (string | number)[];
  /** A sentence for the user. */
  readonly message: Plain;
  /** The weight of the problem: `error` refuses a write; `warning` never refuses anything. */
  readonly severity: "error" | "warning";
  /** Whether the value is a member that its schema doesn't have. Such a problem is always a warning. */
  readonly isUnknownMember?: true;
  /** Whether the value is a number in quotes. Such a problem is always a warning. */
  readonly isQuotedNumber?: true;
}

/** The reason why a socket could not be opened, or was lost. Each has its own sentence and its own pace of retrying. */
export type LinkTrouble =
  | "address" // the URL cannot be used at all
  | "dns"
  | "refused" // no server listens on the port
  | "unreachable"
  | "tls"
  | "wrongHost" // a certificate that was made for another host
  | "redirect"
  | "portal" // a web page instead of an upgrade
  | "forbidden" // HTTP 401 or 403 instead of an upgrade, before the sign-in
  | "unavailable" // HTTP 5xx
  | "proxy" // a proxy on the way answered in the server's place
  | "notWebSocket" // any other HTTP response instead of an upgrade
  | "tooManyConnections" // HTTP 429
  | "connectTimeout"
  | "silent" // no sign of life in time
  | "protocol" // a frame that breaks the protocol, or too much that cannot be attributed
  | "tooSlow" // the server said that we read too slowly
  | "rateLimit"
  | "maintenance"
  | "closedByServer"
  | "closedByUs"
  | "other";

/**
 * The part of a situation that is not what it was: the connection (it was lost and made again), its account, its
 * declared environment, its name, the permission to change something or to trade, the object of the confirmation, or
 * the file.
 */
export type Changed =
  | "connection"
  | "account"
  | "environment"
  | "name"
  | "permission"
  | "trading"
  | "order"
  | "position"
  | "quote"
  | "apiKey"
  | "mmp"
  | "file";

/**
 * Everything that can go wrong with a call, as plain data for an item, a document, a message or a test.
 * `catalogue/errorCodes.ts` alone decides which of these leave the outcome of a write unknown.
 */
export type Failure =
  /** The parameters break a rule; nothing was sent. */
  | { readonly kind: "invalidParams"; readonly problems: readonly Problem[] }
  /** The request is larger than the exchange accepts in a frame; nothing was sent. */
  | { readonly kind: "tooLarge"; readonly bytes: number; readonly limitBytes: number }
  /** The policy refuses; `reason` is a sentence. `isIdle`: there is nothing to do. Nothing was sent. */
  | { readonly kind: "refused"; readonly reason: string; readonly isIdle?: true }
  /** The user said no, or closed the confirmation. `reason`: why there was no user to ask. Nothing was sent. */
  | { readonly kind: "declined"; readonly reason?: string }
  /** There is no live session; nothing was sent. */
  | { readonly kind: "notConnected"; readonly detail?: string }
  /** Something that the request rests on changed after it was confirmed or requested; nothing was sent. */
  | { readonly kind: "situationChanged"; readonly changed: Changed }
  /** The granted scope does not allow the method; nothing was sent. */
  | { readonly kind: "missingScope"; readonly scope: string }
  /** The connection has no key, so it can only call public methods; nothing was sent. */
  | { readonly kind: "noKey" }
  /** The partner's gateway is known not to offer the method; nothing was sent. */
  | { readonly kind: "notOffered"; readonly method: string }
  /** Too many calls are waiting for a response; nothing was sent. */
  | { readonly kind: "tooManyPending"; readonly limit: number }
  /** The user stopped waiting. `reason`: why something else than the user ended several requests, as a sentence. */
  | { readonly kind: "stopped"; readonly wasSent: boolean; readonly reason?: string }
  /** No response came in time. `wasSent: false`: it was a read whose turn did not come. */
  | { readonly kind: "timeout"; readonly timeoutMs: number; readonly wasSent?: false }
  /** The link was lost before the response came. */
  | { readonly kind: "connectionLost"; readonly trouble: LinkTrouble; readonly detail: string }
  /** The program that sent the call ended, or was ended, before it recorded the response. */
  | { readonly kind: "programEnded" }
  /** The link could not be made. */
  | { readonly kind: "cannotConnect"; readonly trouble: LinkTrouble; readonly detail: string }
  /** The exchange left a channel out of those that it accepted. A subscription changes nothing. */
  | { readonly kind: "notSubscribed"; readonly channel: string }
  /** The response breaks the protocol or the method's result shape. */
  | { readonly kind: "unreadableResult"; readonly detail: string }
  /** The exchange responded with an error object. `message` is text from outside: show it through `plain.text()`. */
  | {
      readonly kind: "exchange";
      readonly code: number;
      readonly message: string;
      /** The parameter at fault and the reason, for -32602 where the exchange gives them. Text from outside. */
      readonly param?: string;
      readonly reason?: string;
      /** The seconds to wait, where the exchange says so. */
      readonly waitSeconds?: number;
      /** The method that was called, where the error of the partner's gateway says that it does not offer it. */
      readonly notOffered?: string;
    }
  /** A defect of the extension. `stack` is the place in the program, one entry per call, for the log. */
  | { readonly kind: "bug"; readonly detail: string; readonly stack?: readonly string[] };

/** The only error that the core throws. The original error, if any, is its `cause`. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options);
    this.failure = failure;
  }
}

/** Returns what is thrown where the policy refuses something; `reason` is a sentence for the user. */
export function refused(reason: string): CallError {
  return new CallError({ kind: "refused", reason });
}

/** Returns what is thrown where there is nothing to do, which is no error; `reason` is a sentence for the user. */
export function nothingToDo(reason: string): CallError {
  return new CallError({ kind: "refused", reason, isIdle: true });
}

/** Ends the requests that wait for a signal, where the program has a reason to. */
export function endFor(controller: AbortController, reason: string | undefined): void {
  if (reason !== undefined) controller.abort(new CallError({ kind: "stopped", wasSent: false, reason }));
}

/** Returns the failure of a request that was not sent because this signal has fired: by the user, or by `endFor`. */
export function stoppedBy(signal: AbortSignal | undefined): Failure {
  const reason: unknown = signal?.reason;
  return reason instanceof CallError ? reason.failure : { kind: "stopped", wasSent: false };
}

/** Returns the failure of a caught value: that of a `CallError`, or else a defect of the extension. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof CallError)
    return thrown.failure.kind === "bug" ? { stack: stackOf(thrown), ...thrown.failure } : thrown.failure;
  if (!(thrown instanceof Error)) return { kind: "bug", detail: String(thrown) };
  return { kind: "bug", detail: `${thrown.name}: ${thrown.message}`, stack: stackOf(thrown) };
}

/** Returns what a caught value says of itself. */
export function messageOf(thrown: unknown): Plain {
  return plain.text(thrown instanceof Error ? thrown.message : String(thrown));
}

/** Returns a defect with its stack, as one line of a log. */
export function bugText(thrown: unknown): Plain {
  const failure = toFailure(thrown);
  if (failure.kind !== "bug") return plain`${failure.kind}`;
  return plain.join(
    [plain.text(failure.detail, MAX_DETAIL), ...(failure.stack ?? []).map((call) => plain.text(call))],
    " ",
  );
}

const MAX_DETAIL = 500;
const MAX_CALLS = 20;

/** Returns the stack of an error. Files are named without their folders, whose names are the user's. */
function stackOf({ stack = "" }: Error): readonly string[] {
  const calls = [
    ...stack.matchAll(/^ +at (?:(?<name>[^\n]*) \()?(?:[^\n]*[\\/])?(?<place>[^\\/\n()]+:\d+:\d+)\)?$/gm),
  ].slice(0, MAX_CALLS);
  return calls.map(({ groups }) =>
    groups?.["name"] === undefined
      ? `at ${groups?.["place"] ?? ""}`
      : `at ${groups["name"]} (${groups["place"] ?? ""})`,
  );
}
