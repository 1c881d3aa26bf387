import * as crypto from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { sleep } from "../../base/clock.ts";
import { isObject } from "../../base/json.ts";
import { plain } from "../../base/plain.ts";
import type { SharedList } from "../../state/knownList.ts";
import type { Ui } from "../ui.ts";

type SharedListPorts = Pick<Ui, "clock" | "log"> & {
  /** The folder of all lists, made with the first one. What is in it is public. */
  readonly folder: string;
};

/** The time that a list counts as fresh, in ms. */
const FRESH_MS = 3_600_000;
/** The time after which a window that began to read counts as gone, in ms: longer than a reading may take. */
const READING_MS = 45_000;
const LOOK_MS = 500;

/**
 * Makes a list that all windows of this computer have in common, as a file. A window that reads it from the server says
 * so with a second file. Where the disk does not work, each window reads its own.
 */
export function createSharedList(name: string, { folder, clock, log }: SharedListPorts): SharedList {
  const base = path.join(folder, crypto.createHash("sha256").update(name).digest("hex").slice(0, 32));
  const [file, reading] = [`${base}.json`, `${base}.reading`];
  const isWithin = (atMs: number, ms: number): boolean => Math.abs(clock.now() - atMs) < ms;
  const read = async (): Promise<Awaited<ReturnType<SharedList["take"]>>> => {
    try {
      const kept: unknown = JSON.parse(await fs.readFile(file, "utf8"));
      if (!isObject(kept)) return undefined;
      const { readAtMs, elements } = kept;
      return typeof readAtMs === "number" && Array.isArray(elements) && isWithin(readAtMs, FRESH_MS)
        ? { readAtMs, elements }
        : undefined;
    } catch {
      return undefined;
    }
  };
  /** Whether this window is the one that reads now. */
  const begin = async (): Promise<boolean> => {
    try {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    } catch {
      return true;
    }
    try {
      await fs.writeFile(reading, String(clock.now()), { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return true;
      const sinceMs = Number(await fs.readFile(reading, "utf8").catch(() => "0"));
      if (isWithin(sinceMs, READING_MS)) return false;
      await fs.rm(reading, { force: true }).catch(() => undefined);
      return false;
    }
  };
  return {
    async take() {
      for (let waitedMs = 0; waitedMs < READING_MS; waitedMs += LOOK_MS) {
        const kept = await read();
        if (kept !== undefined) return kept;
        if (await begin()) return undefined;
        await sleep(clock, LOOK_MS);
      }
      return undefined;
    },
    async keep(elements) {
      try {
        if (elements !== undefined) {
          // Whoever reads meanwhile has the list before, whole.
          await fs.writeFile(`${file}.new`, JSON.stringify({ readAtMs: clock.now(), elements }), { mode: 0o600 });
          await fs.rename(`${file}.new`, file);
        }
      } catch (error) {
        log.debug(plain`A list is not shared with other windows: ${plain.text(String(error), 300)}`);
      }
      await fs.rm(reading, { force: true }).catch(() => undefined);
    },
  };
}
