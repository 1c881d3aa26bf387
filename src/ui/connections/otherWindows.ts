import * as fs from "node:fs/promises";
import * as path from "node:path";
import { createEmitter, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";

/**
 * The connections that the other windows of this computer have open. Each window writes only ids of connections into a
 * file of its own: no name, no key. A file left by a crashed window no longer counts, and is deleted.
 */
export interface OtherWindows extends Disposable {
  /** Returns the number of other windows with one of these connections open at the last look. */
  count(isMeant: (connectionId: string) => boolean): number;
  readonly onDidChange: Event<void>;
  /** Tells the other windows that this window has these connections open, and no others. Never rejects. */
  tell(connectionIds: readonly string[]): Promise<void>;
  /** Reads which connections the other windows have open now. Never rejects. */
  refresh(): Promise<void>;
}

interface OtherWindowsPorts {
  /** The folder, made when the first connection is opened. */
  readonly folder: string;
  /** The id that tells this window from every other. Letters and digits. */
  readonly runId: string;
  /** Whether another window is open, or may be. */
  readonly isAlive: (runId: string) => Promise<boolean>;
  readonly log: Log;
}

/** Matches `<run>.json`, the file of a run. */
const FILE = /^(?<run>[A-Za-z0-9]+)\.json$/;
/** The maximum number of ids in a file, which no user reaches; a longer file is not ours. */
const MAX_IDS = 1000;

export function createOtherWindows({ folder, runId, isAlive, log }: OtherWindowsPorts): OtherWindows {
  const changed: Emitter<void> = createEmitter();
  const own = path.join(folder, `${runId}.json`);
  /** The connections that each other window has open, by the name of its file. */
  let open: ReadonlyMap<string, readonly string[]> = new Map();
  let writing: Promise<void> = Promise.resolve();
  let isDisposed = false;
  const write = async (connectionIds: readonly string[]): Promise<void> => {
    const isWanted = (): boolean => connectionIds.length > 0 && !isDisposed;
    if (isWanted()) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      await fs.writeFile(own, JSON.stringify(connectionIds), { mode: 0o600 });
    }
    // The window may have closed meanwhile.
    if (!isWanted()) await fs.rm(own, { force: true });
  };
  const tell = async (connectionIds: readonly string[]): Promise<void> => {
    writing = writing
      .then(async () => await write(connectionIds))
      .catch((error: unknown) =>
        log.warn(plain`Other windows are not told which connections are open here: ${plain.text(String(error), 500)}`),
      );
    await writing;
  };
  return {
    onDidChange: changed.event,
    count: (isMeant) => [...open.values()].filter((ids) => ids.some(isMeant)).length,
    tell,
    async refresh() {
      const before = open;
      const found = new Map<string, readonly string[]>();
      for (const name of await fs.readdir(folder).catch((): string[] => [])) {
        const { run = "" } = FILE.exec(name)?.groups ?? {};
        if (run === "" || run === runId) continue;
        const file = path.join(folder, name);
        if (await isAlive(run)) found.set(name, (await readIds(file)) ?? before.get(name) ?? []);
        else await fs.unlink(file).catch(() => undefined);
      }
      if (isDisposed || JSON.stringify([...found]) === JSON.stringify([...before])) return;
      open = found;
      changed.fire();
    },
    /** Deletes the file. If the process ends before that, the others notice its end. */
    dispose() {
      isDisposed = true;
      changed.dispose();
      void tell([]);
    },
  };
}

/** Reads the ids in a file; undefined if it cannot be read, as while it is being written. */
async function readIds(file: string): Promise<readonly string[] | undefined> {
  try {
    const ids: unknown = JSON.parse(await fs.readFile(file, "utf8"));
    return Array.isArray(ids) && ids.length <= MAX_IDS ? ids.filter((id) => typeof id === "string") : undefined;
  } catch {
    return undefined;
  }
}
