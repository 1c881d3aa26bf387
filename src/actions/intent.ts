/** What a person wants to be sent: one request, with the words in which to ask for it. */
export interface Intent {
  readonly method: string;
  /** A JSON object, literal for literal as it will be sent. */
  readonly paramsText: string;
  /** What the question says. Made by the intents' own modules, or from the request where there is none. */
  readonly words: IntentWords;
  /** Where it comes from; a request file's wish is asked about in its own words. */
  readonly origin: "view" | "palette" | "requestFile";
}

export interface IntentWords {
  /** Verb and object as on the button, e.g. "Cancel Order". */
  readonly action: string;
  /** The object in one line, identifier and instrument first, e.g. "ETH-PERPETUAL buy 40 @ 2100". */
  readonly target: string;
  /** Further lines of the question: id, label, filled amount, age. */
  readonly detail: readonly string[];
  /** The way out of the question, e.g. "Keep Order". */
  readonly keep: string;
}
