import { targetKeyOf } from "./check.ts";
import { effectOf } from "../catalogue/index.ts";
import type { GatePorts } from "./gatePorts.ts";
import type { Intent } from "./intent.ts";

/**
 * The longest wait of a confirmation for the disk, in ms. The journal is waited for anyway, and reports its troubles.
 */
const PATIENCE_MS = 500;

/**
 * Returns the objects on which another window has a change whose outcome is unknown, as in `CheckedIntent.targetKey`.
 * Not looked for before a cancel of one order or quote: a second cancel does no harm, and must not wait for a disk.
 */
export async function targetsOpenElsewhere(
  { clock, connectionId, openElsewhere }: Pick<GatePorts, "clock" | "connectionId" | "openElsewhere">,
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
