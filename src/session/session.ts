import type { Disposable, Event } from "../base/emitter.ts";
import type { Failure } from "../base/failure.ts";
import type { ParamsOf, RateClass, ReadMethod, ResultOf } from "../catalogue/index.ts";
import type { MaskedResponse, ResponseTiming } from "../rpc/response.ts";
import type { HttpForm } from "../rpc/httpRequest.ts";
import type { Asker } from "../rpc/traffic.ts";

/**
 * One authenticated conversation that is kept alive: connect, authenticate, subscribe, notice silence, reconnect.
 * `generation` counts dials and never repeats; whatever belongs to an older one has no effect (reliability §2.2).
 */
export interface Session extends Disposable {
  readonly state: SessionState;
  readonly onDidChangeState: Event<SessionState>;
  /** Calls that change nothing; what stores get. */
  readonly reader: Reader;
  /** Every call there is; only the gate gets it. */
  readonly caller: Caller;
  /** Round trip of the latest answered call without its time in queue and at the exchange, ms. */
  readonly latencyMs: number | undefined;
  /** Where the time of that call went. */
  readonly timing: ResponseTiming | undefined;
  /**
   * How much of the exchange's budgets is left, as we count it; empty where our limits are lifted. Cheap, read each
   * time.
   */
  readonly budgets: readonly BudgetReading[];
  /** How many events the present link has brought for channels that somebody wants. */
  readonly eventCount: number;
  /**
   * Wants the events of a channel for as long as the result is not disposed, over reconnects too. `listener` gets the
   * parsed payload of each event of the present generation, and the frame that brought it as text, secrets hidden.
   * `onState` hears whether the channel is live: `accepted` again after each reconnect, `refused` where the server does
   * not list it, `lost` when the link goes.
   */
  subscribe(
    channel: string,
    listener: (data: unknown, frameText: string) => void,
    onState: (state: ChannelState) => void,
  ): Disposable;
  /** Starts, or tries again at once when waiting or locked. */
  connect(): void;
  /**
   * Ends the conversation and settles everything that is pending; `connect` starts a new one. `idle`: nobody used it.
   */
  disconnect(reason?: "idle"): void;
  /**
   * Back to Main Account: ends a link that speaks for a sub-account and dials again as the key's own account. What is
   * pending is settled as by a lost link. Without effect unless `Identity.subject` is there.
   */
  backToMain(): void;
}

export type ChannelState =
  | { readonly kind: "accepted"; readonly generation: number }
  | { readonly kind: "refused"; readonly failure: Failure | undefined }
  | { readonly kind: "lost" };

export type SessionState =
  | (NotReady & { readonly status: "off"; readonly reason?: "idle" | undefined })
  | (NotReady & { readonly status: "connecting"; readonly generation: number })
  | (NotReady & { readonly status: "authenticating"; readonly generation: number })
  /** Calls go out. `isSuspect` while the server has been silent too long and a probe is on its way. */
  | {
      readonly status: "ready";
      readonly generation: number;
      readonly isSuspect: boolean;
      readonly identity: Identity;
      readonly sinceMs: number;
      /** What is only read waits, because the server asked for it. */
      readonly pause?: Pause | undefined;
    }
  /** The link was lost or could not be made; tried again at `retryAtMs` (ms since the Unix epoch). */
  | (NotReady & { readonly status: "waiting"; readonly retryAtMs: number; readonly failure: Failure })
  /** A person has to act: refused credentials, changed identity. */
  | (NotReady & { readonly status: "locked"; readonly failure: Failure });

interface NotReady {
  /**
   * What was shown until now is of another account than what comes: a sub-account is being switched to, its link has
   * ended and the key will sign in as its own account, or the server signed in somebody else.
   */
  readonly isOtherSubject?: true | undefined;
}

/** Whether nothing of what was known may be shown any more, because it is of another account. */
export function isOfOtherSubject(state: SessionState): boolean {
  return state.status !== "ready" && state.isOtherSubject === true;
}

/** The server wants fewer calls for a while, or is not itself at the moment. */
export interface Pause {
  readonly reason: "rateLimit" | "maintenance";
  /** When one call tries whether it is over, ms since the Unix epoch. */
  readonly untilMs: number;
}

/** Who we are to the server. */
export interface Identity {
  /** `none` for a connection without a key: public methods only. */
  readonly authentication: "none" | "key" | "token";
  readonly clientId: string | undefined;
  /** The granted scope, entries separated by spaces, as received; empty without authentication. */
  readonly scope: string;
  /** Advanced features of the key, where it has any and the server tells. Core specification §4.3. */
  readonly keyFeatures?: readonly string[] | undefined;
  /** Number of the account, where the server tells; compared over reconnects. */
  readonly userId?: number | undefined;
  /** The account that was switched to with public/exchange_token; undefined on the key's own account. */
  readonly subject?: Subaccount | undefined;
  /** How far the server's clock is ahead of ours, ms, where that is far enough to matter. */
  readonly clockSkewMs?: number | undefined;
  /** What the server says of itself in its responses; undefined until it says. */
  readonly testnet: boolean | undefined;
  /** Version text of the server, where it answers public/hello. */
  readonly serverVersion: string | undefined;
}

/** An account that the tokens were exchanged for. */
export interface Subaccount {
  readonly id: number;
  /** Its name, where the server tells. Text from outside. */
  readonly name: string | undefined;
}

export interface Reader {
  /** Calls a method that changes nothing and hands out its checked result. Throws `CallError`. */
  read<M extends ReadMethod>(method: M, params: ParamsOf<M>, options?: CallOptions): Promise<ResultOf<M>>;
  /**
   * The same call, handed out as it came, for lists whose single rows may be odd. Throws `CallError` like `read` does,
   * for an error object too, but not for a result of another shape.
   */
  readResponse<M extends ReadMethod>(method: M, params: ParamsOf<M>, options?: CallOptions): Promise<MaskedResponse>;
}

export interface Caller {
  /** The generation that a call made now would belong to; undefined unless ready. */
  readonly generation: number | undefined;
  /**
   * Sends one request with `paramsText` (a JSON object, literal for literal) and hands out the response, an error
   * object included. Private methods get the token spliced in. Never repeats a call whose effect is not `read`.
   *
   * public/exchange_token is Switch Sub-account: the session goes on as that account, in a new generation, and the call
   * resolves when it is ready again. Where its outcome is not known the link is given up, and the key signs in anew.
   *
   * Throws `CallError`: nothing was sent for `invalidParams`, `notConnected`, `situationChanged`, `tooLarge`,
   * `tooManyPending`, and `stopped` with `wasSent: false`; everything else leaves open what happened.
   */
  call(method: string, paramsText: string, options?: CallOptions): Promise<MaskedResponse>;
  /**
   * Responses of the present generation to calls that were already given up (timeout, stopped), masked like all others.
   * They settle an unknown outcome; `wireId` is the one that `onSend` told.
   */
  readonly onLateResponse: Event<MaskedResponse>;
}

export interface CallOptions {
  /** From the send to the response; 10 s for what only reads, 15 s for everything else. */
  readonly timeoutMs?: number;
  /** Gives the waiting up; before the send the request does not go out. */
  readonly signal?: AbortSignal;
  /** Who waits: decides the turn when calls have to queue. `userRead` for what only reads, else `userWrite`. */
  readonly lane?: Lane;
  /** Refuse with `situationChanged` unless the session still is of this generation at the moment of sending. */
  readonly generation?: number;
  /** Over HTTP: the form in which it travels; left out, the one that suits it. Without a meaning on a WebSocket. */
  readonly httpForm?: HttpForm;
  /** Called right before the text is handed to the transport, with the id on the wire. */
  readonly onSend?: (wireId: number) => void;
  /** For whoever watches the traffic; the lane when left out. */
  readonly asker?: Asker;
}

export type Lane = "userWrite" | "userRead" | "view";

/**
 * What is left of one of the exchange's budgets. Only what goes over this session is counted: other programs with the
 * same account draw from it too.
 */
export interface BudgetReading {
  readonly rate: RateClass;
  readonly lanes: Readonly<Record<Lane, LaneReading>>;
}

/** Lanes share a budget, each down to its own reserve: what one lane takes, the others have no more. */
export interface LaneReading {
  /** Calls that fit when nothing was taken. */
  readonly sizeCalls: number;
  /** Calls that could go out now without waiting. */
  readonly leftCalls: number;
  /** Calls of this lane that wait for their turn. */
  readonly waitingCalls: number;
}

/** How a session proves who it is. Secrets live in here and in the frames that carry them, nowhere else. */
export type Credentials =
  | { readonly kind: "none" }
  | {
      readonly kind: "client_signature" | "client_credentials";
      readonly clientId: string;
      readonly clientSecret: string;
    }
  | { readonly kind: "token"; readonly accessToken: string };
