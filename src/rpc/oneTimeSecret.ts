import { oneTimeMember, oneTimeSecretIn, type OneTimeMember } from "../catalogue/oneTimeSecrets.ts";
import { HIDDEN } from "./maskSecrets.ts";

type OneTimeKind = OneTimeMember | "private_key";

/**
 * A secret that exists in one response only, or a private key that was just made. Everything above the session holds it
 * as this object, which shows nothing of it however it is written down. `OneTimeSecret.open` is the only way to its
 * text. `test/architecture.ts` names the files that may use it: the one that fills it into a request, and those that
 * bring it to its place.
 */
export class OneTimeSecret {
  #value: string | undefined;
  readonly #kind: OneTimeKind;

  constructor(kind: OneTimeKind, value: string) {
    this.#kind = kind;
    this.#value = value;
  }

  /** Returns the text of a secret; undefined once it was forgotten. */
  static open(secret: OneTimeSecret): string | undefined {
    return secret.#value;
  }

  /** Forgets the text of a secret that has arrived at its place. */
  static forget(secret: OneTimeSecret): void {
    secret.#value = undefined;
  }

  /** The kind of the secret: the name of the member that it came in, or a private key that was made here. */
  get kind(): OneTimeKind {
    return this.#kind;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  /** Returns what Node and the console show of it. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return HIDDEN;
  }
}

/** Returns the one-time secret of a response; undefined for all other responses. */
export function oneTimeSecretOf(method: string, result: unknown): OneTimeSecret | undefined {
  const member = oneTimeMember(method);
  const value = oneTimeSecretIn(method, result);
  return member === undefined || value === undefined ? undefined : new OneTimeSecret(member, value);
}

/** A text in the place of a secret that the session fills in when it sends. */
interface StandIn {
  readonly kind: OneTimeMember;
  /** The name of the request whose response has the secret. */
  readonly source: string;
}

/** Returns a stand-in as it is written, e.g. `‹signature of verify›`. */
export function standInFor({ kind, source }: StandIn): string {
  return `‹${kind} of ${source}›`;
}

/** Returns all stand-ins in a text, each as often as it is there. */
export function standInsIn(text: string): readonly StandIn[] {
  return [...text.matchAll(STAND_INS)].map(([, kind, source = ""]) => ({ kind: kind as OneTimeMember, source }));
}

/** Whether a text holds something in the place of a secret. To the exchange it is worthless. */
export function isWithoutSecret(text: string): boolean {
  return text.includes(HIDDEN) || standInsIn(text).length > 0;
}

/** Whether a value is nothing but a stand-in for a secret, so that it may be shown and kept. */
export function isStandIn(value: unknown): boolean {
  const [only, ...others] = typeof value === "string" ? standInsIn(value) : [];
  return only !== undefined && others.length === 0 && standInFor(only) === value;
}

const STAND_INS = /‹(client_secret|signature) of ([^‹›]*)›/g;
