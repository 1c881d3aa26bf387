import * as l10n from "@vscode/l10n";
import type { RequestTransport } from "../rpc/httpRequest.ts";
import type { Fields } from "./changes/fields.ts";

/** What a person wants to be sent: one request, with the words in which to ask for it. */
export interface Intent {
  readonly method: string;
  /** A JSON object, literal for literal as it will be sent. */
  readonly paramsText: string;
  /** What the question says. Made by the intents' own modules, or from the request where there is none. */
  readonly words: IntentWords;
  /**
   * Where it comes from; a request file's wish is asked about in its own words, that of a language model wherever it is
   * sent.
   */
  readonly origin: "view" | "palette" | "requestFile" | "chat";
  /**
   * What has to be typed where the policy wants it typed: the count, the amount, the key's name. Without it the amount
   * of the parameters, or the connection's name; a key change made in a view is then only asked about.
   */
  readonly typed?: string;
  /** The row was fired, moved or appeared in the last second, so that the click may have been meant for another one. */
  readonly isRecentlyMoved?: boolean;
  /** Orders or quotes that the request cancels without naming them, as they were known when it was asked about. */
  readonly covers?: readonly CoveredOrder[];
  /**
   * What the fields that it changes were when the person was asked; undefined where nobody knows, or it changes none.
   */
  readonly before?: Fields;
  /** How much of the order or quote was filled as the person saw it; undefined where nobody looked. */
  readonly filledAsShown?: number;
  /** What it replaces could not be read: `typed` is typed wherever it is sent. */
  readonly isBlind?: true;
  /** How it is to travel; left out, over the connection's own link. */
  readonly transport?: RequestTransport;
  /** Whether the object still is as the words describe it. Looked at after the question; false: it is not sent. */
  readonly isAsShown?: () => boolean;
}

export interface CoveredOrder {
  /** Of an order, or the number of a quote. */
  readonly orderId: string;
  /** The order or quote in one line. */
  readonly target: string;
}

/** A view that a question is about. */
export type ShownView = "orders" | "quotes";

export interface IntentWords {
  /** Verb and object as on the button, e.g. "Cancel Order". */
  readonly action: string;
  /** The object in one line, identifier and instrument first, e.g. "ETH-PERPETUAL buy 40 @ 2100". */
  readonly target: string;
  /**
   * Verb and object as the question says them, e.g. "Cancel ETH-PERPETUAL buy 40 @ 2100"; made of both when left out.
   */
  readonly sentence?: string;
  /** A sentence that is read with the question in every form of it: what else it does, how long it takes. */
  readonly note?: string;
  /** Further lines of the question: id, label, filled amount, age. */
  readonly detail: readonly string[];
  /** `detail` has no room for all that is sent: the question shows the whole request before anything else. */
  readonly isCut?: true;
  /** The way out of the question, e.g. "Keep Order". */
  readonly keep: string;
  /** For several objects: the harmless first button, e.g. "Show Orders". */
  readonly show?: string;
  /** The view that this button shows; left out, that of the orders. */
  readonly about?: ShownView;
}

/** The wish in one text: its sentence, or verb and object. It may hold text from outside. */
export function wishText({ sentence, action, target }: Pick<IntentWords, "sentence" | "action" | "target">): string {
  return sentence ?? l10n.t("{0}: {1}", action, target);
}
