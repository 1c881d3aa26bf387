import type { Dirent } from "node:fs";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import type { Disposable } from "../../base/emitter.ts";
import { parseJson } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  isJournalRecord,
  isLaterRecord,
  MAX_KEPT_RECORDS,
  worthKeeping,
  type Journal,
  type JournalRecord,
} from "./journal.ts";

/** A run other than this one. */
export interface OtherRun {
  /** Whether its program still lives and may write more. */
  readonly isAlive: boolean;
  readonly records: readonly JournalRecord[];
}

export interface JournalFilePorts {
  /** The folder of the journal, made with the first record. */
  readonly folder: string;
  /** The letters and digits that tell this run from every other. */
  readonly runId: string;
  /** Whether another run lives, or may live. Its records are taken over only once it is proved to have ended. */
  readonly isAlive: (runId: string) => Promise<boolean>;
  readonly log: Log;
}

/**
 * The form of an entry. `<run>` is a folder of its own for all that a run wrote and took over. A move of that folder
 * into one's own takes it over, so that all of it has one owner at any moment.
 */
const ENTRY = /^[A-Za-z0-9]+$/;
const OWN_FILE = "records.jsonl";
const JOURNAL = ".jsonl";
/** The name of a journal that is being shortened; the rest of it after a crash is not a journal. */
const UNFINISHED = ".next";
/** The number of lines after which a file is shortened: some megabytes. */
const MAX_LINES = 3 * MAX_KEPT_RECORDS;
/** The number of times that the journals of others are read while these are moved. */
const MAX_READS = 5;

/** Returns the folder of each journal in a folder of journals. */
export async function journalFolders(folder: string): Promise<readonly string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Returns the folder of one journal among others. `name`: letters, digits, `-` and `_`. */
export function journalFolder(folder: string, name: string): string {
  return path.join(folder, name);
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A journal on disk: one folder for each run of the program, one record per line. A record that was taken survives the
 * end of the process at any later moment. It holds no secret, and no other user of the computer may read it.
 */
export class JournalFile implements Journal, Disposable {
  readonly #ports: JournalFilePorts;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #handle: fs.FileHandle | undefined;
  #adopting: Promise<readonly JournalRecord[]> = Promise.resolve([]);
  /** The content of other runs' files, as long as these stay unchanged. */
  readonly #read = new Map<string, { readonly stamp: string; readonly records: readonly JournalRecord[] }>();
  #isTorn = false;
  /** The number of lines in this run's file since it was shortened. */
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

  /**
   * Takes over the journals of ended runs, and returns what is new to this run, oldest first. Two programs that ask at
   * the same time never get the same record. Never rejects: what cannot be read is logged and left there.
   */
  async adopt(): Promise<readonly JournalRecord[]> {
    this.#adopting = this.#adopting.then(async () => await this.#adoptAll());
    return await this.#adopting;
  }

  /**
   * Returns what the other runs wrote, taking nothing over. Never rejects: what cannot be read is logged and omitted.
   */
  async readOthers(): Promise<readonly OtherRun[]> {
    for (let tries = 1; ; tries++) {
      const files = await this.#filesOfOthers();
      const runs: OtherRun[] = [];
      for (const [file, isAlive] of files) runs.push({ isAlive, records: await this.#recordsOf(file) });
      // What another run takes over while this is read moves from one file to the next: read again, or it is missing.
      const now = await this.#filesOfOthers();
      if (tries === MAX_READS || [...now.keys()].join("\n") === [...files.keys()].join("\n")) return runs;
    }
  }

  /**
   * Ends this run's journal and deletes it with those of ended runs; what a living run writes stays. Rejects when
   * something could not be deleted.
   */
  async remove(): Promise<void> {
    this.dispose();
    await this.#writing;
    await this.#close();
    await fs.rm(this.#ownFolder, { recursive: true, force: true });
    for (const { entry, run } of await this.#others())
      if (!(await this.#ports.isAlive(run))) await fs.rm(entry, { recursive: true, force: true });
    // While another run writes into it, it stays.
    await fs.rmdir(this.#ports.folder).catch(() => undefined);
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#writing === undefined) void this.#close();
  }

  /** Writes waiting records. Records that come while the disk is busy go to it together. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const text = batch.map(({ line }) => line).join("");
        await this.#write(text);
        // Who moved the file owns what is in it and may have read it before this: once more, into a file of our own.
        if (!(await this.#isOwnFileThere())) {
          this.#ports.log.warn(
            plain`The journal of this window was taken over by another one; it goes on in a new file.`,
          );
          await this.#close();
          await this.#write(text);
        }
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

  async #write(text: string): Promise<void> {
    if (this.#handle === undefined) {
      await fs.mkdir(this.#ownFolder, { recursive: true, mode: 0o700 });
      this.#handle = await fs.open(this.#ownFile, "a", 0o600);
    }
    // What a full disk cut short must not become a part of the next record.
    await this.#handle.appendFile(`${this.#isTorn ? "\n" : ""}${text}`);
    await this.#handle.datasync();
    this.#isTorn = false;
  }

  /**
   * Whether this run's file is there. No other run makes a folder of this name. A disk that cannot be read at the
   * moment has not lost it.
   */
  async #isOwnFileThere(): Promise<boolean> {
    return await fs.stat(this.#ownFile).then(
      () => true,
      (error: unknown) => (error as NodeJS.ErrnoException).code !== "ENOENT",
    );
  }

  get #ownFolder(): string {
    return path.join(this.#ports.folder, this.#ports.runId);
  }

  get #ownFile(): string {
    return path.join(this.#ownFolder, OWN_FILE);
  }

  /** Returns the folders of other runs. */
  async #others(): Promise<readonly { readonly entry: string; readonly run: string }[]> {
    const { folder, runId } = this.#ports;
    return (await entriesOf(folder))
      .filter((entry) => ENTRY.test(entry.name) && entry.name !== runId && entry.isDirectory())
      .map(({ name }) => ({ entry: path.join(folder, name), run: name }));
  }

  /** Returns the journal files of other runs, with whether their run is alive, and keeps the content of no others. */
  async #filesOfOthers(): Promise<ReadonlyMap<string, boolean>> {
    const files = new Map<string, boolean>();
    for (const { entry, run } of await this.#others()) {
      const isAlive = await this.#ports.isAlive(run);
      for (const file of await journalsIn(entry)) files.set(file, isAlive);
    }
    for (const file of this.#read.keys()) if (!files.has(file)) this.#read.delete(file);
    return files;
  }

  /**
   * Shortens the file, so that a run of weeks keeps no more than the next run would take over. The file is replaced
   * whole, or stays.
   */
  async #shorten(): Promise<void> {
    const file = this.#ownFile;
    this.#lineCount = 0;
    await this.#close();
    try {
      const next = await fs.open(`${file}${UNFINISHED}`, "w", 0o600);
      try {
        await next.writeFile(
          this.#worthKeeping(linesIn(await fs.readFile(file, "utf8")))
            .map((line) => `${line}\n`)
            .join(""),
        );
        await next.datasync();
      } finally {
        await next.close();
      }
      await fs.rename(`${file}${UNFINISHED}`, file);
    } catch (error) {
      this.#warn(plain`the journal of this run could not be made shorter`, error);
    }
  }

  /** Returns the lines that a later run needs, or that a later version understands. */
  #worthKeeping(lines: readonly string[]): readonly string[] {
    const records = lines.flatMap((line) => this.#recordOf(line));
    return [
      ...lines.filter((line) => isLaterRecord(parseJson(line))),
      ...worthKeeping(records).map((record) => JSON.stringify(record)),
    ];
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => undefined);
  }

  async #adoptAll(): Promise<readonly JournalRecord[]> {
    await this.#claim();
    const files = (await journalsIn(this.#ownFolder)).filter((file) => file !== this.#ownFile);
    if (files.length === 0) return [];
    const lines = new Set<string>();
    for (const file of files) for (const line of await this.#linesOf(file)) lines.add(line);
    const records = [...lines].flatMap((line) => this.#recordOf(line)).sort((a, b) => a.atMs - b.atMs);
    const later = [...lines].filter((line) => isLaterRecord(parseJson(line)));
    try {
      // Together in our own file before the others go: whoever stops here leaves some twice in this folder, and none
      // out.
      const kept = worthKeeping(records);
      await Promise.all(
        [...later, ...kept.map((record) => JSON.stringify(record))].map(async (line) => await this.#appendLine(line)),
      );
      for (const { name } of await entriesOf(this.#ownFolder))
        if (ENTRY.test(name)) await fs.rm(path.join(this.#ownFolder, name), { recursive: true });
    } catch (error) {
      this.#warn(plain`the journal of earlier changes stays in its own files`, error);
    }
    return records;
  }

  /** Claims the journal of another run. Renaming succeeds for one program alone. */
  async #claim(): Promise<void> {
    for (const { entry, run } of await this.#others()) {
      if (await this.#ports.isAlive(run)) continue;
      const name = plain.text(path.basename(entry));
      try {
        await fs.mkdir(this.#ownFolder, { recursive: true, mode: 0o700 });
        await fs.rename(entry, path.join(this.#ownFolder, name));
      } catch (error) {
        this.#warn(plain`the journal ${name} was not taken over`, error);
      }
    }
  }

  async #linesOf(file: string): Promise<readonly string[]> {
    try {
      return linesIn(await fs.readFile(file, "utf8"));
    } catch (error) {
      this.#warn(plain`the journal ${plain.text(path.basename(file))} could not be read`, error);
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

  /**
   * Returns the record of a line. A killed process may have torn its last line; lines of a later version are kept and
   * not understood.
   */
  #recordOf(line: string): readonly JournalRecord[] {
    const record = parseJson(line);
    if (isJournalRecord(record)) return [record];
    if (isLaterRecord(record)) return [];
    this.#ports.log.warn(plain`A line of the journal is not whole and is left out: ${plain.text(line, 200)}`);
    return [];
  }

  #warn(what: Plain, error: unknown): void {
    this.#ports.log.warn(plain`${what}: ${plain.text(String(error), 300)}`);
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
}

/** Returns the journals in a folder of a run, with those that it took over; a file is itself a journal. */
async function journalsIn(entry: string): Promise<readonly string[]> {
  if (entry.endsWith(JOURNAL)) return [entry];
  const within = await Promise.all(
    (await entriesOf(entry)).map(async (each) =>
      each.isDirectory() || each.name.endsWith(JOURNAL) ? await journalsIn(path.join(entry, each.name)) : [],
    ),
  );
  return within.flat();
}

function linesIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
