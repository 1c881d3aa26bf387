/** A question for a person, in words. One is put at a time: whoever makes the `Ask` queues them. */
export type Question =
  | {
      readonly kind: "modal";
      readonly message: string;
      readonly detail: string;
      /** The button that says yes: verb and object. */
      readonly confirm: string;
      /** The way out. */
      readonly keep: string;
      /** For mass changes: a harmless first button that shows what is meant, so that Enter writes nothing. */
      readonly show?: string;
    }
  | {
      readonly kind: "typed";
      readonly message: string;
      /** What has to be typed, exactly. */
      readonly expected: string;
    };

/** Asks a person. Resolves to true only for an explicit yes. */
export type Ask = (question: Question) => Promise<boolean>;
