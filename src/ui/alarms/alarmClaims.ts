import * as crypto from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { plain } from "../../base/plain.ts";
import type { Ui } from "../ui.ts";

/**
 * The alarms that were told, by any window of this computer. A window that wants to tell one claims it first: the file
 * of an alarm can be made once. The name of a file is a hash, and in it is only a time.
 */
export interface AlarmClaims {
  /**
   * Claims an alarm for this window. Whether it has to be told here. With `againAfterMs`, a claim that is older is
   * void. Where the disk does not take it, this window tells it: twice is better than never.
   */
  claim(account: string, alarm: { readonly key: string; readonly againAfterMs?: number }): Promise<boolean>;
  /** Ends the claim to an alarm about a condition that is over. Never rejects. */
  release(account: string, key: string): Promise<void>;
}

/** The age at which a claim is deleted, in ms: an event that old is not reported any more. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** `folder`: made with the first claim. */
export function createAlarmClaims({
  folder,
  clock,
  log,
}: Pick<Ui, "clock" | "log"> & { readonly folder: string }): AlarmClaims {
  let isSwept = false;
  /** One change at a time: a release must not overtake the claim before it. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return await done;
  };
  const fileOf = (account: string, key: string): string =>
    path.join(
      folder,
      crypto
        .createHash("sha256")
        .update(JSON.stringify([account, key]))
        .digest("hex")
        .slice(0, 32),
    );
  const sweep = async (): Promise<void> => {
    if (isSwept) return;
    isSwept = true;
    for (const name of await fs.readdir(folder)) {
      const file = path.join(folder, name);
      if (clock.now() - (await claimedAtMs(file)) > KEPT_MS) await fs.rm(file, { force: true });
    }
  };
  const write = async (file: string, flag: "w" | "wx"): Promise<void> =>
    await fs.writeFile(file, String(clock.now()), { flag, mode: 0o600 });
  return {
    claim: async (account, { key, againAfterMs = Infinity }) =>
      await inTurn(async () => {
        const file = fileOf(account, key);
        try {
          await fs.mkdir(folder, { recursive: true, mode: 0o700 });
          await sweep();
          try {
            await write(file, "wx");
            return true;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
          }
          if (clock.now() - (await claimedAtMs(file)) <= againAfterMs) return false;
          await write(file, "w");
          return true;
        } catch (error) {
          log.warn(plain`Other windows may show an alarm again: ${plain.text(String(error), 300)}`);
          return true;
        }
      }),
    release: async (account, key) =>
      await inTurn(async () => await fs.rm(fileOf(account, key), { force: true }).catch(() => undefined)),
  };
}

/** Returns the time of a claim, in ms since the Unix epoch; now, where another window is just writing it. */
async function claimedAtMs(file: string): Promise<number> {
  const atMs = Number(await fs.readFile(file, "utf8").catch(() => ""));
  return Number.isFinite(atMs) && atMs > 0 ? atMs : Infinity;
}
