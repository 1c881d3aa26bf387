import { createEmitter, type Emitter, type Event } from "../../base/emitter.ts";
import type { Environment } from "../../state/records.ts";
import { literalReader, parsePath, type PathStep } from "../text/jsonPath.ts";

/** The response to a request that has a name by `$run.name`, for other requests to take from. */
export interface NamedResult {
  readonly name: string;
  /** When the response came, ms since the Unix epoch. */
  readonly atMs: number;
  /** The text of the result or of the error object, every literal as received and secrets hidden. */
  readonly bodyText: string;
  /** It is an error object. */
  readonly isError: boolean;
  readonly environment: Environment;
  readonly connectionId: string;
}

/** A named response that is parsed at most once, however many requests take from it. */
export interface KeptResult extends NamedResult {
  /** The literal at a path that begins with `result` or `error`, as it was received; undefined where there is none. */
  readonly literalAt: (steps: readonly PathStep[]) => string | undefined;
}

/** The named responses of the request files of one folder over one connection. Kept in memory and nowhere else. */
export interface Results {
  get(name: string): KeptResult | undefined;
  /** In the place of an earlier one of this name. */
  set(result: NamedResult): void;
  /** There is no response of this name any longer: it was asked for again and none came. */
  remove(name: string): void;
  /** Forgets all: the connection ended, or is another account's now. */
  clear(): void;
  /** Fires after each change. */
  readonly onDidChange: Event<void>;
  /** The one that changed last stands last. */
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

/** The response as paths see it: an object whose only member is `result` or `error`. */
export function resultText({ bodyText, isError }: Pick<NamedResult, "bodyText" | "isError">): string {
  return `{"${isError ? "error" : "result"}":${bodyText}}`;
}

/**
 * The literal at a path such as `result[0].order_id` or `error.code`, as it was received; undefined where there is
 * none.
 */
export function readResultPath(result: KeptResult, path: string): string | undefined {
  const steps = parsePath(path);
  return steps === undefined ? undefined : result.literalAt(steps);
}
