import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import type { Session } from "../../session/session.ts";
import type { CancelOnDisconnectStore } from "../../state/cancelOnDisconnect.ts";
import type { Environment, TradingLimits } from "../../state/records.ts";
import type { CheckedIntent, KnownMarket } from "../judge/check.ts";
import type { Journal } from "../journal/journal.ts";
import type { Plain } from "../../base/plain.ts";
import type { Outcome } from "../judge/outcome.ts";
import type { SafetySettings } from "./policy.ts";
import type { Ask, AskCode, AskLimit, JointAsk } from "../intent/question.ts";
import type { SlotKnowledge } from "../intent/slotKnowledge.ts";
import type { RecordedIntent } from "../journal/recordedIntents.ts";
import type { Routes } from "./route.ts";
import type { PrepareSecretPlace } from "./secretPlace.ts";

/** What the gate needs of a connection. */
export interface GatePorts {
  readonly connectionId: string;
  /** Letters and digits that make the ids of intents differ from those of every other run. */
  readonly runId?: string | undefined;
  /** The host and port of the exchange: what was sent to another one is not looked up here. */
  readonly server?: string | undefined;
  /** Returns the name; read when the user is asked, and again after it. */
  readonly connectionName: () => string;
  /** Returns the environment; read when the user is asked, and again after it. */
  readonly environment: () => Environment;
  readonly session: Pick<Session, "caller" | "reader" | "state" | "onDidChangeState" | "budgets">;
  /** The routes of requests. */
  readonly routes: Pick<Routes, "call" | "onLateResponse">;
  /** Asks for one confirmation at a time, also when several gates ask. */
  readonly ask: Ask;
  /** Asks for the 2FA code, one confirmation at a time like `ask`. */
  readonly askCode: AskCode;
  /** Asks the user to allow trading; if omitted, trades without the permission are refused. */
  readonly askLimit?: AskLimit | undefined;
  /** Prepares the place for a client secret that a request makes; left out, such a request is not sent. */
  readonly placeFor?: PrepareSecretPlace | undefined;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: () => SafetySettings;
  readonly log: Log;
  /** The permission to trade (default: none but on the simulator). */
  readonly trading?: TradingStore | undefined;
  /** What the end of the connection does to its orders (default: not known). */
  readonly cancelOnDisconnect?: Pick<CancelOnDisconnectStore, "known"> | undefined;
  /** The holder of the connection (default: a window). */
  readonly holder?: LinkHolder | undefined;
  /** What is known of its orders and instruments (default: nothing). */
  readonly market?: KnownMarket | undefined;
  /** Whether the account has isolated orders, which mass cancels and lists leave out (default: it has none). */
  readonly hasIsolated?: (() => boolean) | undefined;
  /** What is known of isolated margin at the gateway (default: the connection is a native one). */
  readonly slots?: (() => SlotKnowledge | undefined) | undefined;
  /** Whether the object of a change is known to exist, from a record of it (default: not known). */
  readonly isSeen?: ((checked: CheckedIntent) => boolean) | undefined;
  /** Hears each list of keys that was read for an outcome: a list that needs a 2FA code is read nowhere else. */
  readonly hearKeys?: (response: MaskedResponse) => void;
  /** Reads the unproved changes that other windows sent over a connection; left out, there are none. Never rejects. */
  readonly openInOtherWindows?: ((connectionId: string) => Promise<readonly RecordedIntent[]>) | undefined;
  /** Loads what tells the user of outcomes. Without it nothing is sent, because the outcome could not be told. */
  readonly loadOutcomes?: () => Promise<unknown>;
  /** Reports that the user asks for something; resolves when the session is ready again, or will not be for now. */
  readonly use?: () => Promise<void>;
}

/** The holder of a connection, with which the connection and the orders that are tied to it end. */
export type LinkHolder = "window" | "program";

/** The permission to trade on one connection, where it is kept. */
interface TradingStore {
  /** Returns the limits that the user allowed, with what is used; undefined while trading is not allowed. */
  readonly limits: () => TradingLimits | undefined;
  /** Keeps the limits, with what is used; undefined takes the permission back. */
  readonly keep: (limits: TradingLimits | undefined) => Promise<void>;
}

export interface SubmitOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Whether to send although the parameters break a rule; allowed for reads only. */
  readonly sendAnyway?: boolean;
  /** Whether a read of a request file is sent although the server is known not to offer its method. */
  readonly sendsUnoffered?: boolean;
  /**
   * A signal for several writes: nothing more is sent once it fires; the responses to sent writes are still waited for.
   */
  readonly stop?: AbortSignal;
  /**
   * Has several writes go out one after another, each after the outcome of the one before. Returns why the rest is not
   * sent after that outcome, as a sentence; undefined to go on.
   */
  readonly endReason?: (outcome: Outcome) => Plain | undefined | Promise<Plain | undefined>;
  /** The part in a confirmation that several connections share (default: this connection asks on its own). */
  readonly ask?: JointAsk;
  /** Reports how many of several writes have an outcome; called with 0 on a yes to the confirmation. */
  readonly onProgress?: (done: number, all: number) => void;
}
