import type { Intent, ShownView } from "./intent.ts";

/** A request of a file, as it would be sent. */
export type AskedRequest = Pick<Intent, "method" | "paramsText">;

/** A question for a person, in words. One is put at a time: whoever makes the `Ask` queues them. */
export type Question = (ModalQuestion | TypedQuestion) & {
  /** The change may have been carried out already: only a person who reads that can say yes. */
  readonly isRepetition?: true;
};

interface ModalQuestion {
  readonly kind: "modal";
  readonly message: string;
  readonly detail: string;
  /** The button that says yes: verb and object. */
  readonly confirm: string;
  /** The way out. */
  readonly keep: string;
  /**
   * For mass changes and for what does not fit: a harmless first button that shows what is meant, so that Enter writes
   * nothing.
   */
  readonly show?: string;
  /** The request of a file that it shows. */
  readonly request?: AskedRequest;
  /** Without a request, the view that it shows; left out, that of the orders. */
  readonly about?: ShownView;
}

interface TypedQuestion {
  readonly kind: "typed";
  readonly message: string;
  /** What has to be typed, exactly. */
  readonly expected: string;
}

/** Asks a person. Resolves to true only for an explicit yes. */
export type Ask = (question: Question) => Promise<boolean>;

/** A second factor that the exchange asks for. */
export interface CodeQuestion {
  /** What is to be confirmed, in words; may hold text from outside. */
  readonly sentence: string;
  /** Environment and connection. */
  readonly place: string;
}

/**
 * Asks a person for the code of the second factor. Resolves to undefined when there is none. The code is kept nowhere.
 */
export type AskCode = (question: CodeQuestion) => Promise<string | undefined>;
