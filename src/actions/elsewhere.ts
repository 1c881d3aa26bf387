import type { Clock } from "../base/clock.ts";
import { targetKeyOf } from "./check.ts";
import { effectOf } from "../catalogue/index.ts";
import type { Intent } from "./intent.ts";
import type { RecordedIntent } from "./recordedIntents.ts";

/** Where the changes of other windows are told. */
export interface ElsewherePorts {
  readonly clock: Clock;
  readonly connectionId: string;
  /**
   * Reads what other windows have sent over a connection and nobody has proved; left out, there are none. Never
   * rejects.
   */
  readonly openElsewhere?: ((connectionId: string) => Promise<readonly RecordedIntent[]>) | undefined;
}

/** A question does not wait longer for a disk: the journal is waited for anyway, and says what is wrong with it. */
const PATIENCE_MS = 500;

/**
 * The objects on which another window has a change whose outcome is unknown, as `CheckedIntent.targetKey` has them. Not
 * looked for before a cancel of one order or quote: a second one does no harm, and it must not wait for a disk.
 */
export async function targetsOpenElsewhere(
  { clock, connectionId, openElsewhere }: ElsewherePorts,
  intents: readonly Intent[],
): Promise<ReadonlySet<string>> {
  if (openElsewhere === undefined || intents.every(({ method }) => effectOf(method) === "reduce")) return NONE;
  return await new Promise((resolve) => {
    const timer = clock.after(PATIENCE_MS, () => resolve(NONE));
    void openElsewhere(connectionId).then((open) => {
      timer.dispose();
      resolve(new Set(open.map(targetKeyOf)));
    });
  });
}

const NONE: ReadonlySet<string> = new Set();
