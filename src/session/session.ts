import type { Clock, Moment, Random } from "../base/clock.ts";
import type { Disposable, Event } from "../base/emitter.ts";
import type { Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import type { AnyReadMethod, ParamsOf, RateClass, ReadMethod, ResultOf, Service } from "../catalogue/index.ts";
import type { MaskedResponse, ResponseTiming } from "../rpc/response.ts";
import type { HttpForm } from "../rpc/httpRequest.ts";
import type { OneTimeSecret } from "../rpc/oneTimeSecret.ts";
import type { Asker, TrafficRecorder } from "../rpc/traffic.ts";
import type { Dial, Transport } from "../rpc/transport.ts";

/**
 * An authenticated conversation that is kept alive: connect, authenticate, subscribe, notice silence, reconnect.
 * `generation` counts dials and never repeats; whatever belongs to an older one has no effect (reliability §2.2).
 */
export interface Session extends Disposable {
  readonly state: SessionState;
  readonly onDidChangeState: Event<SessionState>;
  /** The second link of a connection to the gateway, for the channels of the market; undefined elsewhere. */
  readonly streams?: Pick<Session, "state" | "onDidChangeState" | "latencyMs"> | undefined;
  /**
   * The number of the account that everything read belongs to. It changes before `onDidChangeState` fires as soon as
   * nothing of that account may be shown any more: with a switch, with its end, and where another account signs in.
   */
  readonly epoch: number;
  /** The calls that change nothing, for the stores. */
  readonly reader: Reader;
  /** The calls of every kind, for the gate alone. */
  readonly caller: Caller;
  /** The round trip of the latest call with a response, without its time in queue and at the exchange, in ms. */
  readonly latencyMs: number | undefined;
  /** The timing of that call. */
  readonly timing: ResponseTiming | undefined;
  /** The remainder of the exchange's budgets by our count; empty where our limits are lifted. Cheap, read each time. */
  readonly budgets: readonly BudgetReading[];
  /** The number of events that the present link has brought for wanted channels. */
  readonly eventCount: number;
  /**
   * Subscribes to the events of a channel for as long as the result is not disposed, over reconnects too. `listener`
   * gets the parsed payload of each event of the present generation, and its frame as text, secrets hidden. `onState`
   * hears whether the channel is live. `accepted`: again after each reconnect. `refused`: the server does not list it.
   * `lost`: the link is gone.
   */
  subscribe(
    channel: string,
    listener: (data: unknown, frameText: string) => void,
    onState: (state: ChannelState) => void,
  ): Disposable;
  /** Starts, or tries again at once when waiting or locked. */
  connect(): void;
  /**
   * Ends the conversation and settles everything that is pending; `connect` starts a new one. `idle`: it was not used.
   */
  disconnect(reason?: "idle"): void;
  /**
   * Goes back to the main account: ends a link that acts for a subaccount and dials again as the key's own account.
   * What is pending is settled as by a lost link. Without effect unless `Identity.subject` is there.
   */
  backToMain(): void;
  /**
   * Ends the link and dials again: the credentials are others than at the last sign-in, or the sign-in is to be
   * recorded. What is pending is settled as by a lost link. Without effect while off.
   */
  signInAgain(): void;
}

export type ChannelState =
  | { readonly kind: "accepted"; readonly generation: number }
  | { readonly kind: "refused"; readonly failure: Failure | undefined }
  | { readonly kind: "lost" };

export type SessionState =
  | (NotReady & { readonly status: "off"; readonly reason?: "idle" | undefined })
  | (NotReady & { readonly status: "connecting"; readonly generation: number })
  | (NotReady & { readonly status: "authenticating"; readonly generation: number })
  /**
   * The state in which calls go out. `isSuspect` while the server has been silent too long and a probe is on its way.
   */
  | {
      readonly status: "ready";
      readonly generation: number;
      readonly isSuspect: boolean;
      readonly identity: Identity;
      readonly sinceMs: number;
      /** The pause of reads that the server asked for. */
      readonly pause?: Pause | undefined;
      /** The sign-in at the gateway that could not be renewed yet; undefined while nothing is in the way. */
      readonly expiring?: Expiring | undefined;
    }
  /** The state after a lost or failed link; tried again at `retryAtMs` (ms since the Unix epoch). */
  | (NotReady & { readonly status: "waiting"; readonly retryAtMs: number; readonly failure: Failure })
  /** The state in which the user has to act: refused credentials, changed identity. */
  | (NotReady & { readonly status: "locked"; readonly failure: Failure });

interface NotReady {
  /**
   * The last moment at which the link that has just ended was known to bring what the server sent: its end, or its last
   * text where it went silent or the computer slept. In the first state after `ready` alone, and not over HTTP.
   */
  readonly aliveAt?: Moment | undefined;
  /**
   * Whether everything shown until now is of another account than what comes. Either a switch to a subaccount is under
   * way, or the server signed in another account. Or a subaccount's link has ended, and the key will sign in as its own
   * account.
   */
  readonly isOtherSubject?: true | undefined;
}

/** Whether nothing of what was known may be shown any more, because it is of another account. */
export function isOfOtherSubject(state: SessionState): boolean {
  return state.status !== "ready" && state.isOtherSubject === true;
}

/** Returns the kind of server that a session is ready at; the exchange's own until it is ready. */
export function serviceOf(state: SessionState): Service {
  return state.status === "ready" && state.identity.isGateway === true ? "gateway" : "native";
}

/** A pause in which the server wants fewer calls, or is not fully available. */
export interface Pause {
  readonly reason: "rateLimit" | "maintenance";
  /** The time when one call probes whether it is over, in ms since the Unix epoch. */
  readonly untilMs: number;
}

/** A sign-in that ends because it could not be renewed. It is tried again until then. */
export interface Expiring {
  readonly failure: Failure;
  /** The end of the sign-in, in ms since the Unix epoch. */
  readonly endsAtMs: number;
}

/** Our identity to the server. */
export interface Identity {
  /** The kind of authentication; `none` for a connection without a key: public methods only. */
  readonly authentication: "none" | "key" | "token";
  readonly clientId: string | undefined;
  /** Whether the server is the partner's gateway to the exchange. */
  readonly isGateway?: true | undefined;
  /**
   * The granted scope, entries separated by spaces, as received; empty without authentication, and at the gateway: its
   * words are not those of the exchange, and say nothing about what a method needs.
   */
  readonly scope: string;
  /** The scope words of the gateway, as received. */
  readonly gatewayScope?: string | undefined;
  /** The advanced features of the key, where it has any and the server reports them. Core specification §4.3. */
  readonly keyFeatures?: readonly string[] | undefined;
  /** The number of the account, where the server reports it; compared over reconnects. */
  readonly userId?: number | undefined;
  /** The account that was switched to with public/exchange_token; undefined on the key's own account. */
  readonly subject?: Subaccount | undefined;
  /** The lead of the server's clock over ours, in ms, where that is far enough to matter. */
  readonly clockSkewMs?: number | undefined;
  /** Whether the server says that it is the testnet; undefined until it says. */
  readonly testnet: boolean | undefined;
  /** The version text of the server, where it answers public/hello. */
  readonly serverVersion: string | undefined;
}

/** An account that the tokens were exchanged for. */
export interface Subaccount {
  readonly id: number;
  /** The name of the account, where the server reports it. Text from outside. */
  readonly name: string | undefined;
}

export interface Reader {
  /** Calls a method that changes nothing and returns its checked result. Throws `CallError`. */
  read<M extends ReadMethod>(method: M, params: ParamsOf<M>, options?: CallOptions): Promise<ResultOf<M>>;
  /**
   * Makes the same call and returns the response as it came, for lists whose single rows may be odd. Throws `CallError`
   * like `read` does, for an error object too, but not for a result of another shape.
   */
  readResponse<M extends AnyReadMethod>(method: M, params: ParamsOf<M>, options?: CallOptions): Promise<MaskedResponse>;
}

export interface Caller {
  /** The generation that a call made now would belong to; undefined unless ready. */
  readonly generation: number | undefined;
  /**
   * Sends one request with `paramsText` (a JSON object, literal for literal) and returns the response, an error object
   * included. Private methods get the token spliced in. Never repeats a call whose effect is not `read`.
   *
   * public/exchange_token switches the subaccount: the session goes on as that account, in a new generation, and the
   * call resolves when it is ready again. Where its outcome is not known the link is given up, and the key signs in
   * again.
   *
   * Throws `CallError`. Nothing was sent for `invalidParams`, `notConnected`, `situationChanged`, `tooLarge`,
   * `tooManyPending`, and `stopped` with `wasSent: false`. Everything else leaves open what happened.
   */
  call(method: string, paramsText: string, options?: CallOptions): Promise<MaskedResponse>;
  /**
   * Fires for responses of the present generation to calls that were already given up (timeout, stopped), masked like
   * all others. They settle an unknown outcome; `wireId` is the one that `onSend` reported.
   */
  readonly onLateResponse: Event<MaskedResponse>;
}

export interface CallOptions {
  /**
   * The timeout from the send to the response, in ms; 10 s for reads, 15 s for everything else. A read with a timeout
   * waits for its turn as long at most.
   */
  readonly timeoutMs?: number;
  /** The signal that gives up the wait; before the send the request does not go out. */
  readonly signal?: AbortSignal;
  /** The lane of the call: decides the turn when calls have to queue. `userRead` for reads, else `userWrite`. */
  readonly lane?: Lane;
  /**
   * The required generation: the call is refused with `situationChanged` unless the session still is of it at the
   * moment of sending.
   */
  readonly generation?: number;
  /** The form of the request over HTTP; left out, the one that suits it. Without a meaning on a WebSocket. */
  readonly httpForm?: HttpForm;
  /** Whether the orders of the response are wanted one by one, not parsed: see `ResponseContent.list`. */
  readonly wantsOrders?: boolean;
  /** Called right before the text is handed to the transport, with the id on the wire. */
  readonly onSend?: (wireId: number) => void;
  /** The origin of the call for observers of the traffic; the lane when left out. */
  readonly asker?: Asker;
  /** The secrets that take the place of a parameter's value when the call is sent, by the name of the parameter. */
  readonly fills?: ReadonlyMap<string, OneTimeSecret>;
}

export type Lane = "userWrite" | "userRead" | "view";

/**
 * The remainder of one of the exchange's budgets. Only what goes over this session is counted: other programs with the
 * same account draw from it too.
 */
export interface BudgetReading {
  readonly rate: RateClass;
  readonly lanes: Readonly<Record<Lane, LaneReading>>;
}

/**
 * The share of a lane. Lanes share a budget, each down to its own reserve: what one lane takes, the others no longer
 * have.
 */
export interface LaneReading {
  /** The number of calls that fit when nothing was taken. */
  readonly sizeCalls: number;
  /** The number of calls that could go out now without waiting. */
  readonly leftCalls: number;
  /** The number of calls of this lane that wait for their turn. */
  readonly waitingCalls: number;
}

/** The proof of a session's identity. Secrets live here and in the frames that carry them, nowhere else. */
export type Credentials =
  | { readonly kind: "none" }
  | {
      readonly kind: "client_signature" | "client_credentials";
      readonly clientId: string;
      readonly clientSecret: string;
    }
  /** Signs like `client_signature`. `privateKey`: an unencrypted PEM; the exchange has its public key. */
  | { readonly kind: "private_key"; readonly clientId: string; readonly privateKey: string }
  /** Signs a JWT for each sign-in at the partner's gateway. `clientId`: the name of the key. */
  | { readonly kind: "cdp_key"; readonly clientId: string; readonly privateKey: string }
  | { readonly kind: "token"; readonly accessToken: string };

/** What a session is made of. */
export interface SessionPorts {
  readonly dial: Dial;
  /**
   * The part of the partner's gateway that is dialed: the one for calls and the channels of an account, or the one for
   * the channels of the market. Default: the exchange's own server, which has all.
   */
  readonly gateway?: "trading" | "streams" | undefined;
  /**
   * Returns the credentials. Called only once a link is open and its server's certificate was accepted, and again for
   * each new sign-in. What it throws waits for the user.
   */
  readonly credentials: () => Promise<Credentials>;
  /**
   * The session that requests over HTTP sign in to; left out, the server chooses one with each sign-in, and nothing is
   * ended.
   */
  readonly httpSession?: HttpSession | undefined;
  /** The name and version of our software, for the server. */
  readonly client: { readonly name: string; readonly version: string };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Returns ids of requests and numbers of dials from counters of the whole process, so that no number comes twice. */
  readonly nextWireId: () => number;
  readonly nextGeneration: () => number;
  /** The source of the limits. `off` lifts them: for a benchmark, and for the simulator. */
  readonly limits: "exchange" | "off";
  /** Whether every text of the wire is written to the log, at level trace. That costs as much as reading it. */
  readonly isTracing: () => boolean;
  /** The recorder of what goes over its links (default: nothing is recorded). */
  readonly traffic?: TrafficRecorder | undefined;
}

/**
 * The session at the exchange that requests over HTTP sign in to. It outlives every request, and a key has at most 16.
 * So there is one for each window and connection, however often that signs in.
 */
export interface HttpSession {
  /**
   * The name of the session: letters, digits and `-`. A new sign-in under the same name replaces the previous session.
   */
  readonly name: string;
  /** Opens a WebSocket to the same server: over HTTP a session cannot be ended. Throws `CallError`. */
  readonly dial: (signal: AbortSignal) => Promise<Transport>;
}
