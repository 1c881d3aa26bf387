import type { Plain } from "../../base/plain.ts";
import type { TradingLimits } from "../../state/records.ts";
import type { Intent, ShownView } from "./intent.ts";

/** A request of a file, as it would be sent. */
export type AskedRequest = Pick<Intent, "method" | "paramsText">;

/** A confirmation for the user, in words. The maker of the `Ask` queues them, so that only one shows at a time. */
export type Question = (ModalQuestion | TypedQuestion) & {
  /** Whether the change may have been carried out already: only a user who reads that can say yes. */
  readonly isRepetition?: true;
  /** Whether a yes also opens read-only production for further cancels. */
  readonly isOpening?: true;
  /** Whether it is about cancels alone. */
  readonly isForCancels?: true;
  /** Why nothing tells how large the change is, for which a text has to be typed. Omitted where its size is known. */
  readonly unsized?: Unsized;
};

/**
 * Why nothing tells how large a change is: its method is not known, or one of its parameters, or what its size in USD
 * depends on.
 */
export type Unsized = "method" | "parameter" | "size";

interface ModalQuestion {
  readonly kind: "modal";
  readonly message: Plain;
  readonly detail: Plain;
  /** The button that confirms: verb and object. */
  readonly confirm: Plain;
  /** The button that declines. */
  readonly keep: Plain;
  /**
   * A harmless first button for mass changes and for what does not fit. It shows what is meant, so that Enter writes
   * nothing.
   */
  readonly show?: Plain;
  /** The request of a file that it shows. */
  readonly request?: AskedRequest;
  /** The view that it shows when there is no request; left out, the orders. */
  readonly about?: ShownView;
}

interface TypedQuestion {
  readonly kind: "typed";
  readonly message: Plain;
  /** The text that has to be typed, exactly. */
  readonly expected: string;
}

/** Asks the user. Resolves to true only for an explicit yes. */
export type Ask = (question: Question) => Promise<boolean>;

/** The question whether trading is allowed on a connection, and within which limits. */
interface LimitQuestion {
  /** The environment and the connection. */
  readonly place: Plain;
  /** The limits until now; undefined while trading is not allowed. */
  readonly present: TradingLimits | undefined;
}

/** Asks the user to allow trading. Resolves to the limits in USD, above 0; undefined when it is declined. */
export type AskLimit = (question: LimitQuestion) => Promise<Omit<TradingLimits, "usedUsd"> | undefined>;

declare const joint: unique symbol;

/** The part of one connection in a confirmation that several share. Made by `submitJointly` alone. */
export type JointAsk = Ask & { readonly [joint]: true };

/** A request of the exchange for a 2FA code. */
export interface CodeQuestion {
  /** The change to be confirmed, in words. */
  readonly sentence: Plain;
  /** The environment and the connection. */
  readonly place: Plain;
}

/** Asks the user for the 2FA code. Resolves to undefined when there is none. The code is kept nowhere. */
export type AskCode = (question: CodeQuestion) => Promise<string | undefined>;
