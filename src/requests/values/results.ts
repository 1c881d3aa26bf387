import { createEmitter, type Emitter, type Event } from "../../base/emitter.ts";
import type { OneTimeSecret } from "../../rpc/oneTimeSecret.ts";
import type { Environment } from "../../state/records.ts";
import { literalReader, type PathStep } from "../text/jsonPath.ts";

/** The response to a request that has a name by `$run.name`, for other requests to take from. */
export interface NamedResult {
  readonly name: string;
  /** The time when the response came, in ms since the Unix epoch. */
  readonly atMs: number;
  /** The text of the result or of the error object, every literal as received and secrets hidden. */
  readonly bodyText: string;
  /** Whether the response is an error object. */
  readonly isError: boolean;
  readonly environment: Environment;
  readonly connectionId: string;
  /** The secret that exists in this response only, closed; `bodyText` hides it. */
  readonly oneTime?: OneTimeSecret;
}

/** A named response that is parsed at most once, however many requests take from it. */
export interface KeptResult extends NamedResult {
  /**
   * Returns the literal at a path that begins with `result` or `error`, as it was received; undefined where there is
   * none.
   */
  readonly literalAt: (steps: readonly PathStep[]) => string | undefined;
}

/** The named responses of the request files of one folder over one connection. Kept only in memory. */
export interface Results {
  get(name: string): KeptResult | undefined;
  /** Adds a response, instead of an earlier one of this name. */
  set(result: NamedResult): void;
  /** Removes the response of this name: it was asked for again and none came. */
  remove(name: string): void;
  /** Removes all: the connection ended, or was switched to another account. */
  clear(): void;
  /** Fires after each change. */
  readonly onDidChange: Event<void>;
  /** The responses; the one that changed last stands last. */
  readonly all: readonly KeptResult[];
}

export function createResults(): Results {
  const results = new Map<string, KeptResult>();
  const changed: Emitter<void> = createEmitter();
  return {
    get: (name) => results.get(name),
    set(result) {
      results.delete(result.name);
      results.set(result.name, { ...result, literalAt: literalReader(() => resultText(result)) });
      changed.fire();
    },
    remove(name) {
      if (results.delete(name)) changed.fire();
    },
    clear() {
      if (results.size === 0) return;
      results.clear();
      changed.fire();
    },
    onDidChange: changed.event,
    get all() {
      return [...results.values()];
    },
  };
}

/** Returns the response as paths see it: an object whose only member is `result` or `error`. */
export function resultText({ bodyText, isError }: Pick<NamedResult, "bodyText" | "isError">): string {
  return `{"${isError ? "error" : "result"}":${bodyText}}`;
}
