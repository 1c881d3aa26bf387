import * as fs from "node:fs/promises";
import * as path from "node:path";
import type { Disposable } from "../base/emitter.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { isJournalRecord, isLaterRecord, MAX_KEPT_RECORDS, worthKeeping, type Journal, type JournalRecord } from "./journal.ts";

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
  /** What the other runs wrote, taking nothing over. Never rejects: what cannot be read is logged and left out. */
  readOthers(): Promise<readonly OtherRun[]>;
  /**
   * Ends this run's journal and deletes it with those of ended runs; what a living run writes stays. Rejects when
   * something could not be deleted.
   */
  remove(): Promise<void>;
}

/** A run that is not this one. */
export interface OtherRun {
  /** Its program still lives and may write more. */
  readonly isAlive: boolean;
  readonly records: readonly JournalRecord[];
}

export interface JournalFilePorts {
  /** Made when the first record comes. */
  readonly folder: string;
  /** The process that owns this run's file, and whether another process still lives. */
  readonly processId: number;
  readonly isAlive: (processId: number, runId: string) => boolean;
  /** Tells this run from every other. Letters and digits. */
  readonly runId: string;
  readonly log: Log;
}

/** `<process>-<run>.jsonl`: the owner stands in the name, so that taking a file over is renaming it. */
const FILE = /^(?<owner>\d+)-(?<run>[A-Za-z0-9]+)\.jsonl$/;
/** A journal that is being made shorter; what a crash leaves of it is no journal. */
const UNFINISHED = ".next";
/** With more lines a file is made shorter: some megabytes. */
const MAX_LINES = 3 * MAX_KEPT_RECORDS;

export function createJournalFile(ports: JournalFilePorts): JournalFile {
  return new FileJournal(ports);
}

/** The folder of each journal in a folder of journals. */
export async function journalFolders(folder: string): Promise<readonly string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The folder of one journal among others. `name`: letters, digits, `-` and `_`. */
export function journalFolder(folder: string, name: string): string {
  return path.join(folder, name);
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
  /** What was read of the files of others, for as long as they stay as they were. */
  readonly #read = new Map<string, { readonly stamp: string; readonly records: readonly JournalRecord[] }>();
  #isTorn = false;
  /** Lines of this run's file since it was made short. */
  #lineCount = 0;
  #isDisposed = false;

  constructor(ports: JournalFilePorts) {
    this.#ports = ports;
  }

  async append(record: JournalRecord): Promise<void> {
    await this.#appendLine(JSON.stringify(record));
  }

  async #appendLine(text: string): Promise<void> {
    const line = `${text}\n`;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async adopt(): Promise<readonly JournalRecord[]> {
    this.#adopting = this.#adopting.then(async () => await this.#adoptAll());
    return await this.#adopting;
  }

  async readOthers(): Promise<readonly OtherRun[]> {
    const { folder, processId, runId, isAlive } = this.#ports;
    const runs: OtherRun[] = [];
    const names = await fs.readdir(folder).catch((): string[] => []);
    for (const name of names) {
      const { owner = "", run = "" } = FILE.exec(name)?.groups ?? {};
      if (run === "" || run === runId) continue;
      const ownerId = Number(owner);
      runs.push({ isAlive: ownerId !== processId && isAlive(ownerId, run), records: await this.#recordsOf(path.join(folder, name)) });
    }
    for (const file of this.#read.keys()) if (!names.includes(path.basename(file))) this.#read.delete(file);
    return runs;
  }

  async remove(): Promise<void> {
    const { folder, processId, runId, isAlive } = this.#ports;
    this.dispose();
    await this.#writing;
    await this.#close();
    for (const name of await fs.readdir(folder).catch((): string[] => [])) {
      const { owner = "", run = "" } = FILE.exec(name)?.groups ?? {};
      const isEnded = run === runId || Number(owner) === processId || !isAlive(Number(owner), run);
      if (name.endsWith(UNFINISHED) || (run !== "" && isEnded)) await fs.unlink(path.join(folder, name));
    }
    // While another run writes into it, it stays.
    await fs.rmdir(folder).catch(() => undefined);
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
        this.#lineCount += batch.length;
        if (this.#lineCount > MAX_LINES) await this.#shorten();
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

  /** A run that lasts for weeks keeps no more than the next one would take over. The file is replaced whole, or stays. */
  async #shorten(): Promise<void> {
    const { folder, processId, runId } = this.#ports;
    const file = path.join(folder, `${processId}-${runId}.jsonl`);
    this.#lineCount = 0;
    await this.#close();
    try {
      const next = await fs.open(`${file}${UNFINISHED}`, "w", 0o600);
      try {
        await next.writeFile(this.#worthKeeping(linesIn(await fs.readFile(file, "utf8"))).map((line) => `${line}\n`).join(""));
        await next.datasync();
      } finally {
        await next.close();
      }
      await fs.rename(`${file}${UNFINISHED}`, file);
    } catch (error) {
      this.#warn("the journal of this run could not be made shorter", error);
    }
  }

  /** Lines that a later run has to know of, or a later version understands. */
  #worthKeeping(lines: readonly string[]): readonly string[] {
    const records = lines.flatMap((line) => this.#recordOf(line));
    return [...lines.filter((line) => isLaterRecord(parse(line))), ...worthKeeping(records).map((record) => JSON.stringify(record))];
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => undefined);
  }

  async #adoptAll(): Promise<readonly JournalRecord[]> {
    const files = await this.#claim();
    if (files.length === 0) return [];
    const lines = new Set<string>();
    for (const file of files) for (const line of await this.#linesOf(file)) lines.add(line);
    const records = [...lines].flatMap((line) => this.#recordOf(line)).sort((a, b) => a.atMs - b.atMs);
    const later = [...lines].filter((line) => isLaterRecord(parse(line)));
    try {
      // Together in our own file before the others go: whoever stops here leaves some twice, and none out.
      const kept = worthKeeping(records);
      await Promise.all([...later, ...kept.map((record) => JSON.stringify(record))].map(async (line) => await this.#appendLine(line)));
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
      if (run === "" || run === runId || (!isOurs && isAlive(Number(owner), run))) continue;
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
      return linesIn(await fs.readFile(file, "utf8"));
    } catch (error) {
      this.#warn(`the journal ${path.basename(file)} could not be read`, error);
      return [];
    }
  }

  async #recordsOf(file: string): Promise<readonly JournalRecord[]> {
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat === undefined) return [];
    const stamp = `${stat.size} ${stat.mtimeMs}`;
    const before = this.#read.get(file);
    if (before?.stamp === stamp) return before.records;
    const records = (await this.#linesOf(file)).flatMap((line) => this.#recordOf(line));
    this.#read.set(file, { stamp, records });
    return records;
  }

  /** The last line of a process that was killed may be torn; what a later version wrote is kept and not understood. */
  #recordOf(line: string): readonly JournalRecord[] {
    const record = parse(line);
    if (isJournalRecord(record)) return [record];
    if (isLaterRecord(record)) return [];
    this.#ports.log.warn(`A line of the journal is not whole and is left out: ${plain(line, 200)}`);
    return [];
  }

  #warn(what: string, error: unknown): void {
    this.#ports.log.warn(`${what}: ${plain(String(error), 300)}`);
  }
}

function linesIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
