import * as fs from "node:fs/promises";
import * as path from "node:path";
import type { Disposable } from "../base/emitter.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { isJournalRecord, type Journal, type JournalRecord } from "./journal.ts";

/**
 * A journal on disk: one file for each run of the program, one record a line. A record that was taken survives the end
 * of the process at any later moment. It holds no secret, and nobody else on the computer may read it.
 */
export interface JournalFile extends Journal, Disposable {
  /**
   * Takes over what runs wrote that have ended, and hands out what is new to this one, oldest first. Two programs that
   * ask at the same time never get the same record. Never rejects: what cannot be read is logged and left where it is.
   */
  adopt(): Promise<readonly JournalRecord[]>;
}

export interface JournalFilePorts {
  /** Made when the first record comes. */
  readonly folder: string;
  /** The process that owns this run's file, and whether another process still lives. */
  readonly processId: number;
  readonly isAlive: (processId: number) => boolean;
  /** Tells this run from every other. Letters and digits. */
  readonly runId: string;
  readonly log: Log;
}

/** `<process>-<run>.jsonl`: the owner stands in the name, so that taking a file over is renaming it. */
const FILE = /^(?<owner>\d+)-(?<run>[A-Za-z0-9]+)\.jsonl$/;
/** As many records of ended runs are kept; those of intents without an outcome always are. */
const MAX_KEPT = 2000;

export function createJournalFile(ports: JournalFilePorts): JournalFile {
  return new FileJournal(ports);
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class FileJournal implements JournalFile {
  readonly #ports: JournalFilePorts;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #handle: fs.FileHandle | undefined;
  #adopting: Promise<readonly JournalRecord[]> = Promise.resolve([]);
  #isTorn = false;
  #isDisposed = false;

  constructor(ports: JournalFilePorts) {
    this.#ports = ports;
  }

  async append(record: JournalRecord): Promise<void> {
    const line = `${JSON.stringify(record)}\n`;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async adopt(): Promise<readonly JournalRecord[]> {
    this.#adopting = this.#adopting.then(async () => await this.#adoptAll());
    return await this.#adopting;
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#writing === undefined) void this.#close();
  }

  /** Records that come while the disk is busy go to it together. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const handle = await this.#open();
        // What a full disk cut short must not become a part of the next record.
        await handle.appendFile(`${this.#isTorn ? "\n" : ""}${batch.map(({ line }) => line).join("")}`);
        await handle.datasync();
        this.#isTorn = false;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#isTorn = true;
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = undefined;
    if (this.#isDisposed) await this.#close();
  }

  async #open(): Promise<fs.FileHandle> {
    const { folder, processId, runId } = this.#ports;
    if (this.#handle === undefined) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      this.#handle = await fs.open(path.join(folder, `${processId}-${runId}.jsonl`), "a", 0o600);
    }
    return this.#handle;
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => undefined);
  }

  async #adoptAll(): Promise<readonly JournalRecord[]> {
    const files = await this.#claim();
    const lines = new Set<string>();
    for (const file of files) for (const line of await this.#linesOf(file)) lines.add(line);
    const records = [...lines].flatMap((line) => this.#recordOf(line)).sort((a, b) => a.atMs - b.atMs);
    if (files.length === 0) return records;
    try {
      // Together in our own file before the others go: whoever stops here leaves some twice, and none out.
      const kept = worthKeeping(records);
      if (kept.length > 0) await Promise.all(kept.map(async (record) => await this.append(record)));
      await Promise.all(files.map(async (file) => await fs.unlink(file)));
    } catch (error) {
      this.#warn("the journal of earlier changes stays in its own files", error);
    }
    return records;
  }

  /** Renaming succeeds for one program alone. */
  async #claim(): Promise<string[]> {
    const { folder, processId, runId, isAlive } = this.#ports;
    const claimed: string[] = [];
    for (const name of await fs.readdir(folder).catch((): string[] => [])) {
      const { owner = "", run = "" } = FILE.exec(name)?.groups ?? {};
      const isOurs = Number(owner) === processId;
      if (run === "" || run === runId || (!isOurs && isAlive(Number(owner)))) continue;
      const target = path.join(folder, `${processId}-${run}.jsonl`);
      try {
        await fs.rename(path.join(folder, name), target);
        claimed.push(target);
      } catch (error) {
        this.#warn(`the journal ${name} was not taken over`, error);
      }
    }
    return claimed;
  }

  async #linesOf(file: string): Promise<readonly string[]> {
    try {
      return (await fs.readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    } catch (error) {
      this.#warn(`the journal ${path.basename(file)} could not be read`, error);
      return [];
    }
  }

  /** The last line of a process that was killed may be torn. */
  #recordOf(line: string): readonly JournalRecord[] {
    const record = parse(line);
    if (isJournalRecord(record)) return [record];
    this.#ports.log.warn(`A line of the journal is not whole and is left out: ${plain(line, 200)}`);
    return [];
  }

  #warn(what: string, error: unknown): void {
    this.#ports.log.warn(`${what}: ${plain(String(error), 300)}`);
  }
}

/** The newest records, and all of intents whose outcome nobody wrote down. */
function worthKeeping(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const settled = new Set(records.filter(({ event, result }) => event === "verdict" || (event === "outcome" && result !== "unknown")).map(({ intentId }) => intentId));
  const oldest = records.length - MAX_KEPT;
  return records.filter((record, index) => index >= oldest || !settled.has(record.intentId));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
