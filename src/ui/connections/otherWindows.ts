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

export function createOtherWindows(ports: OtherWindowsPorts): OtherWindows {
  return new FolderOfWindows(ports);
}

class FolderOfWindows implements OtherWindows {
  readonly #ports: OtherWindowsPorts;
  readonly #changed: Emitter<void> = createEmitter();
  readonly #file: string;
  /** The connections that each other window has open, by the name of its file. */
  #open: ReadonlyMap<string, readonly string[]> = new Map();
  #writing: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(ports: OtherWindowsPorts) {
    this.#ports = ports;
    this.#file = path.join(ports.folder, `${ports.runId}.json`);
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  count(isMeant: (connectionId: string) => boolean): number {
    return [...this.#open.values()].filter((ids) => ids.some(isMeant)).length;
  }

  async tell(connectionIds: readonly string[]): Promise<void> {
    this.#writing = this.#writing
      .then(async () => await this.#write(connectionIds))
      .catch((error: unknown) =>
        this.#ports.log.warn(
          plain`Other windows are not told which connections are open here: ${plain.text(String(error), 500)}`,
        ),
      );
    await this.#writing;
  }

  async refresh(): Promise<void> {
    const { folder, runId, isAlive } = this.#ports;
    const before = this.#open;
    const open = new Map<string, readonly string[]>();
    for (const name of await fs.readdir(folder).catch((): string[] => [])) {
      const { run = "" } = FILE.exec(name)?.groups ?? {};
      if (run === "" || run === runId) continue;
      const file = path.join(folder, name);
      if (await isAlive(run)) open.set(name, (await readIds(file)) ?? before.get(name) ?? []);
      else await fs.unlink(file).catch(() => undefined);
    }
    if (this.#isDisposed || JSON.stringify([...open]) === JSON.stringify([...before])) return;
    this.#open = open;
    this.#changed.fire();
  }

  /** Deletes the file. If the process ends before that, the others notice its end. */
  dispose(): void {
    this.#isDisposed = true;
    this.#changed.dispose();
    void this.tell([]);
  }

  async #write(connectionIds: readonly string[]): Promise<void> {
    const isWanted = (): boolean => connectionIds.length > 0 && !this.#isDisposed;
    if (isWanted()) {
      await fs.mkdir(this.#ports.folder, { recursive: true, mode: 0o700 });
      await fs.writeFile(this.#file, JSON.stringify(connectionIds), { mode: 0o600 });
    }
    // The window may have closed meanwhile.
    if (!isWanted()) await fs.rm(this.#file, { force: true });
  }
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
