import type { Clock } from "../../base/clock.ts";
import { createEmitter, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import type { Log } from "../../base/log.ts";
import type { Plain } from "../../base/plain.ts";
import { SIMULATOR_ID } from "../../state/records.ts";
import {
  diskTroubleText,
  isRepeatedBy,
  JOURNAL_SCHEMA,
  MAX_KEPT_RECORDS,
  worthKeeping,
  type Journal,
  type JournalRecord,
} from "./journal.ts";
import { JournalFile, journalFolder, journalFolders, type JournalFilePorts, type OtherRun } from "./journalFile.ts";
import { isUnresolved, recordedIntents, type HeldRecord, type Holder, type RecordedIntent } from "./recordedIntents.ts";

export interface JournalsPorts extends Pick<JournalFilePorts, "isAlive" | "runId"> {
  /** The folder of all journals, with one for each connection; made with the first record. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The journals of all connections, one folder for each, and their combined records. This run's records are known at
 * once, even where the disk does not take them; those of others after `refresh` and `adopt`.
 */
export class Journals implements Journal, Disposable {
  readonly #ports: JournalsPorts;
  readonly #changed: Emitter<void> = createEmitter();
  readonly #files = new Map<string, JournalFile>();
  /** The records of this run, and those that it has taken over. */
  #own: JournalRecord[] = [];
  /** The number of records after which the list is reduced to those worth keeping. */
  #maxOwn = 3 * MAX_KEPT_RECORDS;
  #others: readonly OtherRun[] = [];
  readonly #forgotten = new Set<string>();
  /** The intents with a record that the disk did not take. */
  readonly #unkept = new Set<string>();
  #intents: readonly RecordedIntent[] | undefined;
  #trouble: Plain | undefined;

  constructor(ports: JournalsPorts) {
    this.#ports = ports;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** The reason why the last record was not kept, in words that fit into a sentence; undefined while all is well. */
  get trouble(): Plain | undefined {
    return this.#trouble;
  }

  /** The intents, newest first. */
  get intents(): readonly RecordedIntent[] {
    this.#intents ??= recordedIntents([
      ...this.#others.flatMap((run) => this.#heldBy(run.records, run.isAlive ? "otherWindow" : "ended")),
      ...this.#heldBy(this.#own, "here"),
    ]);
    return this.#intents;
  }

  async append(record: JournalRecord): Promise<void> {
    if (this.#forgotten.has(record.connectionId)) return;
    if (this.#own.length > this.#maxOwn) {
      this.#own = [...worthKeeping(this.#own)];
      // Many may have to be kept: then it is not looked through again for each further one.
      this.#maxOwn = 3 * MAX_KEPT_RECORDS + this.#own.length;
    }
    if (record.verdict !== undefined) this.#own = this.#own.filter((each) => !isRepeatedBy(each, record));
    this.#own.push(record);
    this.#change();
    try {
      await this.#fileOf(record.connectionId).append(record);
      this.#report(undefined);
    } catch (error) {
      this.#unkept.add(record.intentId);
      this.#report(diskTroubleText(error));
      this.#change();
      throw error;
    }
  }

  /**
   * Takes over what ended runs left of a connection, so that no other window handles it. Returns all of its intents
   * whose outcome has to be looked up, newest first. Never rejects.
   */
  async adopt(connectionId: string): Promise<readonly RecordedIntent[]> {
    const adopted = await this.#fileOf(connectionId).adopt();
    if (adopted.length > 0) {
      this.#own = [...worthKeeping(adopted), ...this.#own];
      const lost = recordedIntents(this.#heldBy(adopted, "here")).filter(
        (intent) => intent.outcome === undefined && intent.holder === "here",
      );
      await Promise.all(
        lost.map(async (intent) => {
          await this.#keepLost(intent);
        }),
      );
      await this.refresh();
    }
    return this.intents.filter(
      (intent) => intent.connectionId === connectionId && intent.holder === "here" && isUnresolved(intent),
    );
  }

  /** Reads what the other runs have written since then. Never rejects. */
  async refresh(): Promise<void> {
    const names = new Set([...(await journalFolders(this.#ports.folder)), ...this.#files.keys()]);
    const runs: OtherRun[] = [];
    for (const name of names) runs.push(...(await this.#fileOf(name).readOthers()));
    const before = this.#others;
    this.#others = runs;
    if (
      runs.length !== before.length ||
      runs.some(
        ({ isAlive, records }, index) => isAlive !== before[index]?.isAlive || records !== before[index].records,
      )
    )
      this.#change();
  }

  /** Reads the unproved changes that other open windows sent over a connection. Never rejects. */
  async openInOtherWindows(connectionId: string): Promise<readonly RecordedIntent[]> {
    await this.refresh();
    return this.intents.filter(
      (intent) => intent.connectionId === connectionId && intent.holder !== "here" && isUnresolved(intent),
    );
  }

  /** Marks an intent as dealt with by the user. Rejects when that could not be kept. */
  async setAside({ id, connectionId, method, paramsText }: RecordedIntent): Promise<void> {
    await this.append({
      schema: JOURNAL_SCHEMA,
      intentId: id,
      atMs: this.#ports.clock.now(),
      connectionId,
      event: "setAside",
      method,
      paramsText,
      result: undefined,
    });
  }

  /**
   * Deletes what is kept of a removed connection, except what open windows still write, and takes nothing for it any
   * more. Rejects when something could not be deleted.
   */
  async forget(connectionId: string): Promise<void> {
    this.#forgotten.add(connectionId);
    const file = this.#fileOf(connectionId);
    this.#files.delete(connectionId);
    this.#own = this.#own.filter((record) => record.connectionId !== connectionId);
    this.#change();
    await file.remove();
    await this.refresh();
  }

  dispose(): void {
    for (const file of this.#files.values()) file.dispose();
    this.#changed.dispose();
  }

  /** Keeps the lost outcome of an intent whose run ended before it was written down. */
  async #keepLost({ id, connectionId, method, paramsText }: RecordedIntent): Promise<void> {
    const record: JournalRecord = {
      schema: JOURNAL_SCHEMA,
      intentId: id,
      atMs: this.#ports.clock.now(),
      connectionId,
      event: "outcome",
      method,
      paramsText,
      result: "unknown",
      failure: { kind: "programEnded" },
    };
    // What the disk does not take is known in this window all the same.
    await this.append(record).catch(() => undefined);
  }

  #heldBy(records: readonly JournalRecord[], holder: Holder): readonly HeldRecord[] {
    return records.map((record) => ({
      record,
      holder: this.#holderOf(record, holder),
      isKept: !this.#unkept.has(record.intentId),
    }));
  }

  /** Returns the holder of a record. The built-in simulator ends with its window: nothing is left to read. */
  #holderOf({ connectionId, intentId }: JournalRecord, holder: Holder): Holder {
    if (connectionId !== SIMULATOR_ID || holder === "otherWindow") return holder;
    return holder === "here" && intentId.startsWith(`${connectionId}/${this.#ports.runId}`) ? "here" : "simulatorEnded";
  }

  #fileOf(connectionId: string): JournalFile {
    const { folder, isAlive, runId, log } = this.#ports;
    const file =
      this.#files.get(connectionId) ??
      new JournalFile({ folder: journalFolder(folder, connectionId), isAlive, runId, log });
    this.#files.set(connectionId, file);
    return file;
  }

  #report(trouble: Plain | undefined): void {
    if (this.#trouble === trouble) return;
    this.#trouble = trouble;
    this.#change();
  }

  #change(): void {
    this.#intents = undefined;
    this.#changed.fire();
  }
}
