/*
 * What went between a bot and an exchange, as one side saw it. Where the exchange is our simulator, calls carry what
 * became of them there. Nothing in here is a secret: what signs in is left out before a frame is made.
 */

/** What the frames of a conversation have in common. */
interface Exchanged {
  /** The time since the beginning, in ms. */
  readonly atMs: number;
  /** The number of the connection; each HTTP request has one of its own. */
  readonly connection: number;
  readonly link: "webSocket" | "http";
}

/** A call of the bot. */
export interface SentFrame extends Exchanged {
  readonly kind: "sent";
  readonly id: number | string | undefined;
  /** The method; empty where the frame could not be understood. */
  readonly method: string;
  /** The parameters, without secrets. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The number of the access token that it carries; undefined where it relies on the sign-in of its connection. */
  readonly token?: number | undefined;
  /** The outcome at the exchange; undefined where that is not known, as in a recording. */
  readonly truth?: CallTruth | undefined;
}

/** The outcome of a call at the exchange. */
export interface CallTruth {
  readonly isCarriedOut: boolean;
  /** The name of the fault that it met. */
  readonly fault?: string | undefined;
  /** The number of open orders after it; known for changes. */
  readonly openOrders?: number | undefined;
  /** The positions after it in what the bot has traded, by instrument; known for changes. */
  readonly positions?: Readonly<Record<string, number>> | undefined;
}

/** A response, an event, or something else that the bot was sent. */
export interface ReceivedFrame extends Exchanged {
  readonly kind: "received";
  readonly id?: number | string | undefined;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | undefined;
  /** The channel of an event. */
  readonly channel?: string | undefined;
  readonly data?: unknown;
  /** Whether it is a heartbeat that asks back. */
  readonly isTestRequest?: boolean | undefined;
  /** Whether it could not be read: no JSON, or no message of JSON-RPC. */
  readonly isUnreadable?: boolean | undefined;
}

export type BotFrame =
  | SentFrame
  | ReceivedFrame
  | (Exchanged & { readonly kind: "opened" })
  | (Exchanged & { readonly kind: "closed"; readonly by: "bot" | "exchange" });

/** How the process of the bot ended. */
export interface BotEnd {
  /** The time since the beginning, in ms. */
  readonly atMs: number;
  /** `exited`: on its own; `stopped`: when it was asked to; `killed`: it did not end when it was asked to. */
  readonly how: "exited" | "stopped" | "killed";
  readonly exitCode: number | undefined;
  /** The signal that ended it, where it was not asked to end. */
  readonly signal: string | undefined;
  /** The longest time in which the same bot sent nothing where there were no faults, in ms. */
  readonly usualSilenceMs: number | undefined;
  /** The state of its account afterwards; undefined where it is not known. */
  readonly account: AccountAtEnd | undefined;
}

/** The account of a bot after its end. */
export interface AccountAtEnd {
  readonly openOrders: number;
  /** The positions in what it has traded, by instrument. */
  readonly positions: Readonly<Record<string, number>>;
  /** The mark prices by instrument. */
  readonly marks: Readonly<Record<string, InstrumentMark>>;
}

/** What an amount of an instrument is worth. */
export interface InstrumentMark {
  /** The value of an amount of 1, in USD. */
  readonly usdPerUnit: number;
}

/** What the user declares about the bot; what is left out is not checked. */
export interface DeclaredBounds {
  /** The largest position in an instrument, as the exchange counts its size. */
  readonly maxPosition?: number | undefined;
  readonly maxOpenOrders?: number | undefined;
  /** The largest amount of an order. */
  readonly maxOrder?: number | undefined;
  /** The greatest age of the market data before an order, in ms. */
  readonly maxDataAgeMs?: number | undefined;
  /** How it leaves its account. `clean`: no open orders; `flat`: no positions either. */
  readonly exit?: "clean" | "flat" | undefined;
}
